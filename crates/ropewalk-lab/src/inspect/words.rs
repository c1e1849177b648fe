//! Instructions that are matched by their fixed bits, and the check that a match is an instruction.

use std::collections::VecDeque;

use super::kinds::{Counts, Use};

/// A mask of fixed bits, their value, the name, and the purpose.
pub(super) type Pattern = (u32, u32, &'static str, Use);

/// The instructions of an architecture.
pub(super) struct Patterns {
    all: &'static [Pattern],
    /// The first and last bytes of any of them: most words have neither.
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

/// The kind of a range of code, by the mapping symbols of assemblers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not known.
    Unknown,
    /// Instructions; for 32-bit Arm, those of fixed length.
    Code,
    /// Instructions of 32-bit Arm in half-words.
    Thumb,
    /// Data, or instructions that an assembler did not know and got as bytes.
    Data,
}

/// The largest distance in bytes of two cryptographic instructions that confirm each other.
const NEAR: usize = 128;

/// The least number of fixed bits of words that can confirm others: data often looks like words with fewer.
const STRONG: u32 = 16;

/// Counts words, some of which may be data: unmarked words count if another such word is near.
#[derive(Default)]
pub(super) struct Company(VecDeque<Met>);

/// A word that matches an instruction.
struct Met {
    at: usize,
    word: u32,
    pattern: &'static Pattern,
    counted: bool,
}

impl Company {
    /// Adds the next, by its offset; `sure` if it is known to be code.
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
        // A repeated word may be a table, and confirms nothing.
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
