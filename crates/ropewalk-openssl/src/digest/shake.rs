//! SHAKE128 and SHAKE256 (FIPS 202, section 6.2), whose output has any length and may come in chunks. What
//! OpenSSL's own provider accepts has changed between minor versions; this provider does the same as the
//! version that has loaded it.

use core::mem;

use ropewalk::sha3::{Reader, Shake128, Shake256};

use super::Digest;
use crate::{
    error::Reason,
    params::{Param, Params},
    stats::Counter,
    version::Version,
};

/// Up to 3.2 there is no squeezing, and the default length is 16 or 32 bytes.
pub(super) const V3_0: u32 = Version::V3_0.0;
/// Output may come in chunks.
pub(super) const V3_3: u32 = Version::V3_3.0;
/// There is no default length, and a context reports none until one is set.
pub(super) const V3_4: u32 = Version::V3_4.0;
/// A message that has ended cannot be ended again, not even with an empty output.
pub(super) const V4_0: u32 = Version::V4_0.0;

/// No length was set.
const UNSET: usize = usize::MAX;

/// The counter of each function.
pub(super) trait Named {
    const COUNTER: &'static Counter;
}

/// The differences between the functions.
pub(super) trait Sponge: Named + Clone + 'static {
    /// The default length of the output up to OpenSSL 3.3.
    const LEN: usize;
    /// In bytes.
    const BLOCK: usize;

    fn new() -> Self;
    fn reset(&mut self);
    fn update(&mut self, text: &[u8]);
    fn finish(self) -> Reader;
}

macro_rules! sponges {
    ($( $Shake:ident: $len:literal, $block:literal; )+) => { $(
        impl Sponge for $Shake {
            const LEN: usize = $len;
            const BLOCK: usize = $block;

            fn new() -> Self {
                Self::new()
            }
            fn reset(&mut self) {
                self.reset();
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(self) -> Reader {
                self.finish()
            }
        }
    )+ };
}

sponges! {
    Shake128: 16, 168;
    Shake256: 32, 136;
}

/// A message and its output, as in the version `MINOR` of OpenSSL.
#[derive(Clone)]
pub(super) struct Xof<S, const MINOR: u32> {
    state: Phase<S>,
    /// The length of the output. It is kept for the next message, as in every version.
    size: usize,
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "it lies in the context, on the heap")]
enum Phase<S> {
    Absorbs(S),
    Squeezes(Reader),
    Done,
}

impl<S: Sponge, const MINOR: u32> Xof<S, MINOR> {
    fn absorbs(&self) -> bool {
        matches!(self.state, Phase::Absorbs(_))
    }
}

impl<S: Sponge, const MINOR: u32> Digest for Xof<S, MINOR> {
    const COUNTER: &'static Counter = S::COUNTER;
    const BLOCK: usize = S::BLOCK;
    const SIZE: usize = if MINOR >= V3_4 { 0 } else { S::LEN };
    const XOF: bool = true;
    const SETTABLE: &'static [Param] =
        if MINOR >= V3_4 { Self::GETTABLE } else { &[Param::number(c"xoflen"), Param::END] };
    const GETTABLE: &'static [Param] = if MINOR >= V3_4 {
        &[Param::number(c"xoflen"), Param::number(c"size"), Param::END]
    } else {
        &[]
    };

    fn new() -> Self {
        let size = if MINOR >= V3_4 { UNSET } else { S::LEN };
        Self { state: Phase::Absorbs(S::new()), size }
    }

    fn reset(&mut self) {
        match &mut self.state {
            Phase::Absorbs(sponge) => sponge.reset(),
            _ => self.state = Phase::Absorbs(S::new()),
        }
    }

    fn update(&mut self, text: &[u8]) -> Result<(), Reason> {
        match &mut self.state {
            Phase::Absorbs(sponge) => sponge.update(text),
            _ if text.is_empty() => {}
            _ => return Err(Reason::UpdateCallOutOfOrder),
        }
        Ok(())
    }

    /// The length that was set. The space that OpenSSL reports is ignored: up to 3.3 it is the default
    /// length.
    fn final_len(&self, _: usize) -> Result<usize, Reason> {
        if self.size > isize::MAX as usize {
            Err(Reason::InvalidDigestLength)
        } else {
            Ok(self.size)
        }
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        if out.is_empty() && (MINOR < V4_0 || self.absorbs()) {
            // More may be absorbed.
            return Ok(());
        }
        match mem::replace(&mut self.state, Phase::Done) {
            Phase::Absorbs(sponge) => {
                sponge.finish().squeeze(out);
                Ok(())
            }
            state => {
                self.state = state;
                Err(Reason::FinalCallOutOfOrder)
            }
        }
    }

    fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Reason> {
        if out.is_empty() {
            // More may be absorbed.
            return Ok(());
        }
        let mut reader = match mem::replace(&mut self.state, Phase::Done) {
            Phase::Absorbs(sponge) => sponge.finish(),
            Phase::Squeezes(reader) => reader,
            Phase::Done => return Err(Reason::FinalCallOutOfOrder),
        };
        reader.squeeze(out);
        self.state = Phase::Squeezes(reader);
        Ok(())
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        let size = if MINOR >= V3_4 { params.named(b"size") } else { None };
        if let Some(size) = params.named(b"xoflen").or(size) {
            self.size = size.as_size()?;
        }
        Ok(())
    }

    fn get(&self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"xoflen" | b"size" => param.set_number(self.size as u64),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_squeeze<const MINOR: u32>() -> Xof<Shake128, MINOR> {
        let mut xof = Xof::<Shake128, MINOR>::new();
        let mut out = [0; 5];
        assert_eq!(xof.squeeze(&mut []), Ok(()));
        assert_eq!(xof.update(b"abc"), Ok(()));
        assert_eq!(xof.squeeze(&mut out), Ok(()));
        assert_eq!(out, [0x58, 0x81, 0x09, 0x2d, 0xd8]);
        xof
    }

    #[test]
    fn nothing_is_absorbed_once_output_came() {
        let mut xof = after_squeeze::<V4_0>();
        assert_eq!(xof.update(b"def"), Err(Reason::UpdateCallOutOfOrder));
        assert_eq!(xof.finish(&mut [0; 5]), Err(Reason::FinalCallOutOfOrder));
        assert_eq!(xof.finish(&mut []), Err(Reason::FinalCallOutOfOrder));
        let mut more = [0; 3];
        assert_eq!((xof.squeeze(&mut more), more), (Ok(()), [0x18, 0xbf, 0x5c]));
        assert_eq!(after_squeeze::<V3_3>().finish(&mut []), Ok(()));
    }

    #[test]
    fn a_length_that_is_set_stays() {
        let mut old = Xof::<Shake256, V3_0>::new();
        assert_eq!(old.final_len(32), Ok(32));
        old.size = 40;
        old.reset();
        assert_eq!(old.final_len(32), Ok(40));
        let new = Xof::<Shake256, V3_4>::new();
        assert_eq!(new.final_len(0), Err(Reason::InvalidDigestLength));
    }
}
