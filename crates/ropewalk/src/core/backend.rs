//! The list of implementations of a primitive.
//!
//! A backend computes known answers before its first use in a process. A backend that gave a wrong answer, as on a faulty
//! emulator, is never given to a key or a hasher: the next one of the list is used. [`wrong`] lists such backends.

#[macro_use]
mod kinds;
#[macro_use]
mod list;

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{PRIMITIVES, core::Error};
pub(crate) use kinds::{Chosen, Held, Kind, LanesOnly, Never, TwoKinds};

/// One primitive, as tests, `doctor`, `selftest` and `speed` see it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Primitive {
    /// Its name: `sha256`.
    pub name: &'static str,
    /// The standard that defines it.
    pub standard: &'static str,
    /// Its backends that this target can have, most preferred first.
    pub backends: &'static [Info],
    /// Whether the backend of that name computes its known answers.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub self_test: fn(backend: &str) -> Result<bool, Error>,
}

impl Primitive {
    /// The backend that a new key or hasher gets: the first of the list that can run here, fits the row of tuning in use, and
    /// computes its known answers. The portable backend is used even where its answers are wrong.
    pub fn chosen(&self) -> Option<&'static Info> {
        first_choice(self.backends)
    }
}

/// The backends that can run here and computed a wrong answer: keys and hashers do not get them. Each backend that has
/// not been tested is tested first: some milliseconds for all.
///
/// # Example
/// ```
/// for info in ropewalk::backend::wrong() {
///     eprintln!("{} gives wrong answers on this processor or emulator, and is not used", info.name);
/// }
/// ```
pub fn wrong() -> impl Iterator<Item = &'static Info> {
    let all = || PRIMITIVES.iter().flat_map(|primitive| primitive.backends);
    let wrong = |info: &&'static Info| (info.available)() && !info.computes_right();
    // Several primitives have the same list.
    all().enumerate().filter(move |(_, info)| wrong(info)).filter_map(move |(at, info)| {
        let named_before = all().take(at).filter(wrong).any(|before| before.name == info.name);
        (!named_before).then_some(info)
    })
}

/// One implementation of a primitive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Info {
    /// Its name, which is also the path of its file: `sha256/x86_64/shani`.
    pub name: &'static str,
    /// The processor features it needs.
    pub features: &'static [&'static str],
    /// Messages it processes in parallel.
    pub lanes: usize,
    /// Core cycles of one block in each lane on the reference processor. Only ratios between backends are used, for the
    /// break-even of lanes; 0 where it is not used.
    pub cycles: u32,
    /// Core cycles of a group of lanes in addition to its blocks.
    pub start: u32,
    /// Whether this processor can run it, and no mask forbids it.
    pub available: fn() -> bool,
    /// See [`fits_tuning`](Self::fits_tuning).
    pub(crate) fits: fn() -> bool,
    /// Whether it has instructions for the primitive. Little of a key is then in memory outside of the key itself.
    pub(crate) in_hardware: bool,
    /// The verdicts on the backends of its list.
    pub(crate) verdicts: fn() -> &'static Verdicts,
    /// Its place in the list.
    pub(crate) at: usize,
    /// Whether the backend of that name computes its known answers.
    pub(crate) known_answers: fn(&str) -> Result<bool, Error>,
}

impl Info {
    /// Whether this processor can run it, no mask forbids it, and it computes its known answers. The first call in a
    /// process computes them, which takes some microseconds.
    pub fn is_usable(&self) -> bool {
        (self.available)() && self.computes_right()
    }

    /// Whether the [row of tuning](crate::tuning) in use leaves it in its list. Where it does not, the backend can be had by its
    /// name only.
    pub fn fits_tuning(&self) -> bool {
        (self.fits)()
    }

    pub(crate) fn computes_right(&self) -> bool {
        (self.verdicts)().judge(self)
    }

    /// For tests: from now on the backend counts as one that computed a wrong answer.
    #[cfg(feature = "planted-faults")]
    #[doc(hidden)]
    pub fn plant_fault(&self) {
        let Verdicts(bits) = (self.verdicts)();
        bits.fetch_or(Verdicts::wrong(self.at), Relaxed);
        bits.fetch_and(!Verdicts::right(self.at), Relaxed);
    }
}

/// The verdicts on the backends of a list: a bit for each that computes right, and one for each that computed a wrong answer. A
/// backend with neither has not been tested.
#[derive(Debug)]
pub(crate) struct Verdicts(AtomicU32);

impl Verdicts {
    /// No backend has been tested.
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    pub(crate) const fn right(at: usize) -> u32 {
        1 << at
    }

    pub(crate) const fn wrong(at: usize) -> u32 {
        1 << (at + 16)
    }

    /// Read for every new key and hasher.
    #[inline(always)]
    pub(crate) fn bits(&self) -> u32 {
        self.0.load(Relaxed)
    }

    /// Whether a backend computes right. Computes its known answers unless it has a verdict. Threads may do so at the same time;
    /// they come to the same verdict.
    #[cold]
    #[inline(never)]
    pub(crate) fn judge(&self, info: &Info) -> bool {
        let bits = self.bits();
        if bits & (Self::right(info.at) | Self::wrong(info.at)) != 0 {
            return bits & Self::right(info.at) != 0;
        }
        // A verdict implies that the processor's features are known: see `first`.
        crate::core::cpu::available();
        // No verdict where a mask has removed the backend in the meantime.
        let Ok(right) = (info.known_answers)(info.name) else { return false };
        let bit = if right { Self::right(info.at) } else { Self::wrong(info.at) };
        self.0.fetch_or(bit, Relaxed);
        right
    }
}

/// The first of a list that can run here and computes right, or the last.
#[cold]
pub(crate) fn first_right(list: &'static [Info]) -> &'static str {
    first_choice(list).map_or("", |info| info.name)
}

fn first_choice(list: &'static [Info]) -> Option<&'static Info> {
    list.iter().find(|info| info.fits_tuning() && info.is_usable()).or(list.last())
}

/// The cost model: core cycles of messages in serial and in lanes, which give the break-even. The lists have costs measured on a
/// reference processor; `ropewalk calibrate` measures them on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A block of one message.
    pub one: u32,
    /// A block in each lane of a group.
    pub step: u32,
    /// A group of lanes in addition to its blocks.
    pub start: u32,
}

impl Costs {
    /// The break-even: from this many messages of so many blocks on, a group of lanes is faster than serial calls.
    pub fn pay_from(&self, blocks: usize) -> usize {
        let [one, step, start] = [self.one.max(1), self.step, self.start].map(u64::from);
        let blocks = blocks.max(1) as u64;
        (start + step * blocks).div_ceil(one * blocks) as usize
    }

    /// The costs in the lists.
    pub(crate) fn recorded(many: &Info, one: &Info) -> Self {
        // measured on Zen 1: four lanes of SHA-512 take 4.2 times a block of one message, and 2.5 on the reference processor;
        // of SHA-3 3.0 and 1.6
        let halves = many.features.contains(&"avx2") && crate::core::tuning::row().halves_of_256;
        let step = if halves { 2 * many.cycles } else { many.cycles };
        Self { one: one.cycles, step, start: many.start }
    }

    /// The costs of a narrow batch, given calibrated costs of lanes.
    #[inline]
    #[allow(dead_code, reason = "only hash functions have any")]
    pub(crate) fn of_few(few: &Info, one: &Info, beside: Self) -> Self {
        let recorded = Self::recorded(few, one);
        if beside.one == recorded.one {
            return recorded;
        }
        // Narrow batches scale with the serial cost.
        let scale = |cycles: u32| {
            let cycles = u64::from(cycles) * u64::from(beside.one) / u64::from(recorded.one.max(1));
            cycles.try_into().unwrap_or(u32::MAX)
        };
        Self { one: beside.one, step: scale(recorded.step), start: scale(recorded.start) }
    }
}

/// Whether these features include instructions for a cipher or a hash function.
pub(crate) const fn in_hardware(features: &[&str]) -> bool {
    let mut i = 0;
    while i < features.len() {
        let [of_aes, of_sha, of_sha2, of_sha3, of_sm] = ["aes", "sha", "sha2", "sha3", "sm4"];
        let feature = features[i];
        let same = crate::core::cpu::same;
        if same(feature, of_aes)
            || same(feature, of_sha)
            || same(feature, of_sha2)
            || same(feature, of_sha3)
            || same(feature, of_sm)
        {
            return true;
        }
        i += 1;
    }
    false
}

/// A backend in the list of an engine: its place there.
pub(crate) trait Listed<Engine> {
    const AT: usize;
}

/// A backend whose functions are in a table.
pub(crate) trait Entered<Entries> {
    const ENTRIES: Entries;
}

/// The place of a backend in its list.
pub(crate) const fn place(list: &[&str], name: &str) -> usize {
    let mut at = 0;
    while !crate::core::cpu::same(list[at], name) {
        at += 1;
    }
    at
}

/// A backend that an engine may hold. Batch code checks once that all keys have the same backend, and then skips dispatch.
pub(crate) trait HeldBy<Engine> {
    #[allow(dead_code, reason = "some lists do not call it")]
    fn held_by(engine: &Engine) -> Option<&Self>;
}

/// Makes an engine in a stack frame of its own. A backend that needs much stack then adds nothing to the frames of others.
#[inline(never)]
pub(crate) fn apart<Engine>(make: impl FnOnce() -> Engine) -> Engine {
    make()
}

#[cfg(test)]
mod tests;
