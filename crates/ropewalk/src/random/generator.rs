//! The generator of a thread.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{CtrDrbg, LONGEST_REQUEST, SEED_LEN, Source, fork::Process};
use crate::core::{Error, secret::Wiped};

/// Bytes that are generated ahead, in one request: a request for each few bytes would take longer, with its AES-256 key setup.
pub(super) const AHEAD: usize = 1024;

/// Requests up to this length are served from those bytes; longer ones, if there are enough.
pub(super) const FEW: usize = AHEAD / 2;

/// Reseeds after this many requests, or this many bytes. The standard allows more.
pub(super) const REQUESTS: u32 = 1 << 10;
pub(super) const BYTES: u64 = 1 << 20;

pub(super) struct Generator {
    source: Source,
    /// None before the first request.
    state: Option<State>,
}

pub(super) struct State {
    drbg: CtrDrbg,
    /// The process of the last seed.
    pub(super) process: Process,
    /// The last `left` bytes are still to be output; the others are zero.
    pub(super) ahead: Wiped<[u8; AHEAD]>,
    pub(super) left: usize,
    /// Since the last seed.
    requests: u32,
    bytes: u64,
}

impl Generator {
    pub(super) const fn new(source: Source) -> Self {
        Self { source, state: None }
    }

    /// Fills `out`. Where the source fails, `out` is untouched: the source is read before anything is written.
    #[inline]
    pub(super) fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        match &mut self.state {
            Some(state) if out.len() <= state.left && state.process.is_current() => {
                state.take(out);
                Ok(())
            }
            _ => self.fill_slowly(out),
        }
    }

    #[inline(never)]
    fn fill_slowly(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let state = self.seeded()?;
        if out.len() > FEW {
            return out.chunks_mut(LONGEST_REQUEST).try_for_each(|piece| state.request(piece));
        }
        let (head, rest) = out.split_at_mut(out.len().min(state.left));
        state.take(head);
        if !rest.is_empty() {
            state.make_ahead()?;
            state.take(rest);
        }
        Ok(())
    }

    /// The state, with a seed of this process that is not used up.
    fn seeded(&mut self) -> Result<&mut State, Error> {
        let state = match &mut self.state {
            Some(state) => state,
            none => none.insert(State::new(self.source)?),
        };
        if !state.is_fresh() {
            state.reseed(self.source)?;
        }
        Ok(state)
    }

    #[cfg(test)]
    pub(super) fn state(&mut self) -> &mut State {
        self.state.as_mut().expect("something has been asked for")
    }
}

impl State {
    /// The move to its final place leaves bytes on the stack. They do not determine the state, as it is reseeded there.
    fn new(source: Source) -> Result<Self, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut entropy = Wiped::new([0; SEED_LEN]);
        source(&mut *entropy)?;
        // Differs between threads and processes, as a precaution.
        let mut personalization = [0; 16];
        personalization[..8].copy_from_slice(&COUNT.fetch_add(1, Relaxed).to_le_bytes());
        personalization[8..12].copy_from_slice(&std::process::id().to_le_bytes());
        Ok(Self {
            drbg: CtrDrbg::new(&entropy, &personalization)?,
            process: Process::current(),
            ahead: Wiped::new([0; AHEAD]),
            left: 0,
            requests: REQUESTS,
            bytes: BYTES,
        })
    }

    fn is_fresh(&self) -> bool {
        self.requests < REQUESTS && self.bytes < BYTES && self.process.is_current()
    }

    /// Reads fresh bytes from the source. Bytes generated ahead are discarded: they may be a parent's.
    fn reseed(&mut self, source: Source) -> Result<(), Error> {
        // First, so that a fork in between is noticed.
        let process = Process::current();
        let mut entropy = Wiped::new([0; SEED_LEN]);
        source(&mut *entropy)?;
        self.drbg.reseed(&entropy, b"")?;
        self.ahead.fill(0);
        (self.process, self.left, self.requests, self.bytes) = (process, 0, 0, 0);
        Ok(())
    }

    fn request(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.requests = self.requests.saturating_add(1);
        self.bytes += out.len() as u64;
        self.drbg.generate(b"", out)
    }

    fn make_ahead(&mut self) -> Result<(), Error> {
        self.requests = self.requests.saturating_add(1);
        self.bytes += AHEAD as u64;
        self.drbg.generate(b"", &mut *self.ahead)?;
        self.left = AHEAD;
        Ok(())
    }

    /// Outputs bytes that were generated ahead, and erases them.
    #[inline]
    fn take(&mut self, out: &mut [u8]) {
        let from = AHEAD - self.left;
        let bytes = &mut self.ahead[from..from + out.len()];
        out.copy_from_slice(bytes);
        bytes.fill(0);
        // The compiler must not remove the stores.
        zeroize::optimization_barrier(&*bytes);
        self.left -= out.len();
    }

    #[cfg(test)]
    pub(super) fn drbg(&mut self) -> &mut CtrDrbg {
        &mut self.drbg
    }
}
