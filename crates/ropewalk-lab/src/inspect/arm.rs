//! Instructions of 32-bit Arm, in both of its encodings.
//!
//! The encodings are those of the Arm Architecture Reference Manual for Armv8, "Advanced SIMD
//! data-processing" of A32. T32 has the same with other first bits, as two half-words in a fixed order,
//! independent of the byte order.

use std::sync::LazyLock;

use super::{
    kinds::{
        Counts,
        Use::{Aes, Ghash, Sha1, Sha256},
    },
    words::{Company, Pattern, Patterns, State},
};

/// In the encoding A32.
const WORDS: &[Pattern] = &[
    (0xffbf_1fd1, 0xf3b0_0300, "AESE", Aes),
    (0xffbf_1fd1, 0xf3b0_0340, "AESD", Aes),
    (0xffbf_1fd1, 0xf3b0_0380, "AESMC", Aes),
    (0xffbf_1fd1, 0xf3b0_03c0, "AESIMC", Aes),
    (0xffb0_1f50, 0xf2a0_0e00, "VMULL.P64", Ghash),
    (0xffb1_1f51, 0xf200_0c40, "SHA1C", Sha1),
    (0xffb1_1f51, 0xf210_0c40, "SHA1P", Sha1),
    (0xffb1_1f51, 0xf220_0c40, "SHA1M", Sha1),
    (0xffb1_1f51, 0xf230_0c40, "SHA1SU0", Sha1),
    (0xffb1_1f51, 0xf300_0c40, "SHA256H", Sha256),
    (0xffb1_1f51, 0xf310_0c40, "SHA256H2", Sha256),
    (0xffb1_1f51, 0xf320_0c40, "SHA256SU1", Sha256),
    (0xffbf_1fd1, 0xf3b9_02c0, "SHA1H", Sha1),
    (0xffbf_1fd1, 0xf3ba_0380, "SHA1SU1", Sha1),
    (0xffbf_1fd1, 0xf3ba_03c0, "SHA256SU0", Sha256),
];

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(WORDS));

/// The neighbouring matches, of each encoding.
#[derive(Default)]
pub(super) struct Companies {
    a32: Company,
    t32: Company,
}

/// Counts them in a range of code that starts at a whole word, `at` bytes into its section.
///
/// OpenSSL passes these instructions to its assembler as bytes, which are then marked as data: so data is
/// examined too.
pub(super) fn count(
    code: &[u8],
    at: usize,
    state: State,
    big_endian: bool,
    companies: &mut Companies,
    counts: &mut Counts,
) {
    let patterns = &*PATTERNS;
    let half = |bytes: [u8; 2]| match big_endian {
        true => u16::from_be_bytes(bytes),
        false => u16::from_le_bytes(bytes),
    };
    if state != State::Thumb {
        // A range of data need not end at a whole word: words are those of the section.
        let skipped = at.next_multiple_of(4) - at;
        let words = code.get(skipped..).unwrap_or_default().as_chunks().0;
        for (i, word) in words.iter().enumerate() {
            let word = match big_endian {
                true => u32::from_be_bytes(*word),
                false => u32::from_le_bytes(*word),
            };
            if let Some(pattern) = patterns.find(word) {
                let (at, sure) = (at + skipped + 4 * i, state == State::Code);
                companies.a32.add(at, word, pattern, sure, counts);
            }
        }
    }
    if state != State::Code {
        let skipped = at.next_multiple_of(2) - at;
        let halves = code.get(skipped..).unwrap_or_default().as_chunks().0;
        for (i, pair) in halves.windows(2).enumerate() {
            let word = u32::from(half(pair[0])) << 16 | u32::from(half(pair[1]));
            if let Some(pattern) = as_a32(word).and_then(|word| patterns.find(word)) {
                let (at, sure) = (at + skipped + 2 * i, state == State::Thumb);
                companies.t32.add(at, word, pattern, sure, counts);
            }
        }
    }
}

/// A vector instruction of T32, converted to A32: 1111001u for 111u1111.
fn as_a32(word: u32) -> Option<u32> {
    match word >> 24 {
        0xef => Some(0xf200_0000 | word & 0x00ff_ffff),
        0xff => Some(0xf300_0000 | word & 0x00ff_ffff),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of LLVM's assembler for these instructions for `armv8a` and for `thumbv8a`, with different
    /// registers.
    const ASSEMBLED: &[(u32, u32, &str)] = &[
        (0xf3b0_2324, 0xffb0_2324, "AESE"),
        (0xf3b0_2364, 0xffb0_2364, "AESD"),
        (0xf3b0_23a4, 0xffb0_23a4, "AESMC"),
        (0xf3b0_23e4, 0xffb0_23e4, "AESIMC"),
        (0xf2a4_2e85, 0xefa4_2e85, "VMULL.P64"),
        (0xf204_2cc6, 0xef04_2cc6, "SHA1C"),
        (0xf214_2cc6, 0xef14_2cc6, "SHA1P"),
        (0xf224_2cc6, 0xef24_2cc6, "SHA1M"),
        (0xf234_2cc6, 0xef34_2cc6, "SHA1SU0"),
        (0xf304_2cc6, 0xff04_2cc6, "SHA256H"),
        (0xf314_2cc6, 0xff14_2cc6, "SHA256H2"),
        (0xf324_2cc6, 0xff24_2cc6, "SHA256SU1"),
        (0xf3b9_22e4, 0xffb9_22e4, "SHA1H"),
        (0xf3ba_23a4, 0xffba_23a4, "SHA1SU1"),
        (0xf3ba_23e4, 0xffba_23e4, "SHA256SU0"),
    ];

    fn counted(code: &[u8], state: State, big_endian: bool) -> Vec<(&'static str, u64)> {
        let (mut counts, mut companies) = (Counts::default(), Companies::default());
        count(code, 0, state, big_endian, &mut companies, &mut counts);
        counts.0.iter().map(|count| (count.instruction, count.count)).collect()
    }

    /// Half-words, the first one first.
    fn halves(word: u32, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        [order((word >> 16) as u16), order(word as u16)].concat()
    }

    #[test]
    fn words_are_known_in_both_encodings_and_orders() {
        assert_eq!(ASSEMBLED.len(), WORDS.len());
        for (a32, t32, name) in ASSEMBLED {
            assert_eq!(counted(&a32.to_le_bytes(), State::Code, false), [(*name, 1)]);
            assert_eq!(counted(&a32.to_be_bytes(), State::Code, true), [(*name, 1)]);
            let little = halves(*t32, u16::to_le_bytes);
            assert_eq!(counted(&little, State::Thumb, false), [(*name, 1)]);
            // Instructions of T32 start at half-words.
            let behind = [&[0, 0xbf][..], &little].concat();
            assert_eq!(counted(&behind, State::Thumb, false), [(*name, 1)]);
            assert_eq!(counted(&halves(*t32, u16::to_be_bytes), State::Thumb, true), [(*name, 1)]);
            // In the other state they have another meaning.
            assert_eq!(counted(&a32.to_le_bytes(), State::Thumb, false), []);
            assert_eq!(counted(&little, State::Code, false), []);
        }
    }

    #[test]
    fn what_may_be_data_counts_in_company() {
        let (aese, aesmc) = (ASSEMBLED[0], ASSEMBLED[2]);
        for state in [State::Unknown, State::Data] {
            assert_eq!(counted(&aese.0.to_le_bytes(), state, false), []);
            let both = [aese.0, aesmc.0].map(u32::to_le_bytes).concat();
            assert_eq!(counted(&both, state, false), [("AESE", 1), ("AESMC", 1)]);
            let both = [aese.1, aesmc.1].map(|word| halves(word, u16::to_le_bytes)).concat();
            assert_eq!(counted(&both, state, false), [("AESE", 1), ("AESMC", 1)]);
        }
        // BX LR, NOP, VEOR q0, q1, q2, and VMULL.P8 q0, d0, d0.
        let others = [0xe12f_ff1e_u32, 0xe320_f000, 0xf302_0154, 0xf280_0e00];
        assert_eq!(counted(&others.map(u32::to_le_bytes).concat(), State::Code, false), []);
    }
}
