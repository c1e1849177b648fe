//! Instructions that are looked for by the bits that are fixed, and whether what looks like one is one.

use std::collections::VecDeque;

use super::kinds::{Counts, Use};

/// Fixed bits, what they are, and what that is.
pub(super) type Pattern = (u32, u32, &'static str, Use);

/// The instructions of an architecture.
pub(super) struct Patterns {
    all: &'static [Pattern],
    /// Which first and last bytes of a word any of them has: most words have neither.
    first: [bool; 256],
    last: [bool; 256],
}

impl Patterns {
    pub(super) fn new(all: &'static [Pattern]) -> Self {
        let any = |shift: u32, byte: usize| {
            all.iter()
                .any(|(fixed, is, ..)| (byte as u32 & (fixed >> shift)) == (is >> shift) & 0xff)
        };
        Self {
            all,
            first: std::array::from_fn(|byte| any(24, byte)),
            last: std::array::from_fn(|byte| any(0, byte)),
        }
    }

    pub(super) fn find(&self, word: u32) -> Option<&'static Pattern> {
        if !self.first[(word >> 24) as usize] || !self.last[(word & 0xff) as usize] {
            return None;
        }
        self.all.iter().find(|(fixed, is, ..)| word & fixed == *is)
    }
}

/// What a stretch of a section of code is, by the symbols that assemblers leave where it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing says what it is.
    Unknown,
    /// Instructions; of 32-bit Arm, those that are all of one length.
    Code,
    /// Instructions of 32-bit Arm in half words.
    Thumb,
    /// Data, or instructions that an assembler did not know and was given as bytes.
    Data,
}

/// How far from one instruction of cryptography the next one is, in bytes, where neither is there by chance.
const NEAR: usize = 128;

/// Bits that are fixed in what can vouch for others: data looks like a word of fewer often enough.
const STRONG: u32 = 16;

/// Counts words of which some may be data: what nothing says is code counts in company of another such word.
#[derive(Default)]
pub(super) struct Company(VecDeque<Met>);

/// A word that looks like an instruction.
struct Met {
    at: usize,
    word: u32,
    pattern: &'static Pattern,
    counted: bool,
}

impl Company {
    /// Takes the next, by its place; `sure` where it is known to be code.
    pub(super) fn add(
        &mut self,
        at: usize,
        word: u32,
        pattern: &'static Pattern,
        sure: bool,
        counts: &mut Counts,
    ) {
        let strong = |pattern: &Pattern| pattern.0.count_ones() >= STRONG;
        while self.0.front().is_some_and(|met| met.at + NEAR < at) {
            self.0.pop_front();
        }
        let mut counted = sure;
        // A table that repeats itself keeps no company.
        for met in self.0.iter_mut().filter(|met| met.word != word) {
            counted |= strong(met.pattern);
            if !met.counted && strong(pattern) {
                met.counted = true;
                counts.add(met.pattern.2, met.pattern.3);
            }
        }
        if counted {
            counts.add(pattern.2, pattern.3);
        }
        self.0.push_back(Met { at, word, pattern, counted });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRONG_ONE: Pattern = (0xffff_fc00, 0, "one", Use::Aes);
    const STRONG_TWO: Pattern = (0xffff_fc00, 0, "two", Use::Aes);
    const WEAK: Pattern = (0xfff0_0000, 0, "weak", Use::Aes);

    fn counted(words: &[(usize, u32, &'static Pattern, bool)]) -> u64 {
        let (mut company, mut counts) = (Company::default(), Counts::default());
        for &(at, word, pattern, sure) in words {
            company.add(at, word, pattern, sure, &mut counts);
        }
        counts.0.iter().map(|count| count.count).sum()
    }

    #[test]
    fn what_may_be_data_counts_in_company() {
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, false)]), 0);
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, true)]), 1);
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, false), (4, 2, &STRONG_TWO, false)]), 2);
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, false), (NEAR, 2, &STRONG_TWO, false)]), 2);
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, false), (NEAR + 4, 2, &STRONG_TWO, false)]), 0);
        // The same word again is a table.
        assert_eq!(counted(&[(0, 1, &STRONG_ONE, false), (4, 1, &STRONG_ONE, false)]), 0);
        // Words with few fixed bits confirm no others, and need to be confirmed.
        assert_eq!(counted(&[(0, 1, &WEAK, false), (4, 2, &WEAK, false)]), 0);
        assert_eq!(counted(&[(0, 1, &WEAK, false), (4, 2, &STRONG_ONE, false)]), 1);
        // Each once, however many there are.
        let three = [(0, 1, &STRONG_ONE, false), (4, 2, &STRONG_TWO, false), (8, 3, &WEAK, false)];
        assert_eq!(counted(&three), 3);
    }

    #[test]
    fn words_are_found_by_their_fixed_bits() {
        static ALL: &[Pattern] = &[(0xfe00_707f, 0xb200_2077, "vghsh.vv", Use::Ghash)];
        let patterns = Patterns::new(ALL);
        assert!(patterns.find(0xb302_2477).is_some());
        assert!(patterns.find(0xb302_2457).is_none());
        assert!(patterns.find(0xb102_2477).is_none());
    }
}
