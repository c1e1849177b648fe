//! Instructions of 64-bit RISC-V: scalar and vector.
//!
//! The encodings are those of "RISC-V Cryptography Extensions", volumes I (Zkn, Zks, Zbc) and II (Zvkn, Zvks, Zvkg, Zvbc).

use std::sync::LazyLock;

use super::{
    kinds::{
        Counts,
        Use::{Aes, Ghash, Sha256, Sha512, Sm3, Sm4},
    },
    words::{Company, Pattern, Patterns, State},
};

/// The vector instructions of SHA-2 implement SHA-256 or SHA-512, depending on a setting that they do not
/// encode.
const WORDS: &[Pattern] = &[
    (0xfe00_707f, 0x3200_0033, "aes64es", Aes),
    (0xfe00_707f, 0x3600_0033, "aes64esm", Aes),
    (0xfe00_707f, 0x3a00_0033, "aes64ds", Aes),
    (0xfe00_707f, 0x3e00_0033, "aes64dsm", Aes),
    (0xfe00_707f, 0x7e00_0033, "aes64ks2", Aes),
    (0xff00_707f, 0x3100_1013, "aes64ks1i", Aes),
    (0xfff0_707f, 0x3000_1013, "aes64im", Aes),
    (0xfff0_707f, 0x1020_1013, "sha256sig0", Sha256),
    (0xfff0_707f, 0x1030_1013, "sha256sig1", Sha256),
    (0xfff0_707f, 0x1000_1013, "sha256sum0", Sha256),
    (0xfff0_707f, 0x1010_1013, "sha256sum1", Sha256),
    (0xfff0_707f, 0x1060_1013, "sha512sig0", Sha512),
    (0xfff0_707f, 0x1070_1013, "sha512sig1", Sha512),
    (0xfff0_707f, 0x1040_1013, "sha512sum0", Sha512),
    (0xfff0_707f, 0x1050_1013, "sha512sum1", Sha512),
    (0xfff0_707f, 0x1080_1013, "sm3p0", Sm3),
    (0xfff0_707f, 0x1090_1013, "sm3p1", Sm3),
    (0x3e00_707f, 0x3000_0033, "sm4ed", Sm4),
    (0x3e00_707f, 0x3400_0033, "sm4ks", Sm4),
    (0xfe00_707f, 0x0a00_1033, "clmul", Ghash),
    (0xfe00_707f, 0x0a00_3033, "clmulh", Ghash),
    (0xfe00_707f, 0x0a00_2033, "clmulr", Ghash),
    (0xfe0f_f07f, 0xa201_2077, "vaesem.vv", Aes),
    (0xfe0f_f07f, 0xa601_2077, "vaesem.vs", Aes),
    (0xfe0f_f07f, 0xa201_a077, "vaesef.vv", Aes),
    (0xfe0f_f07f, 0xa601_a077, "vaesef.vs", Aes),
    (0xfe0f_f07f, 0xa200_2077, "vaesdm.vv", Aes),
    (0xfe0f_f07f, 0xa600_2077, "vaesdm.vs", Aes),
    (0xfe0f_f07f, 0xa200_a077, "vaesdf.vv", Aes),
    (0xfe0f_f07f, 0xa600_a077, "vaesdf.vs", Aes),
    (0xfe0f_f07f, 0xa603_a077, "vaesz.vs", Aes),
    (0xfe00_707f, 0x8a00_2077, "vaeskf1.vi", Aes),
    (0xfe00_707f, 0xaa00_2077, "vaeskf2.vi", Aes),
    (0xfe00_707f, 0xb200_2077, "vghsh.vv", Ghash),
    (0xfe0f_f07f, 0xa208_a077, "vgmul.vv", Ghash),
    (0xfe00_707f, 0xba00_2077, "vsha2ch.vv", Sha256),
    (0xfe00_707f, 0xbe00_2077, "vsha2cl.vv", Sha256),
    (0xfe00_707f, 0xb600_2077, "vsha2ms.vv", Sha256),
    (0xfe0f_f07f, 0xa208_2077, "vsm4r.vv", Sm4),
    (0xfe0f_f07f, 0xa608_2077, "vsm4r.vs", Sm4),
    (0xfe00_707f, 0x8600_2077, "vsm4k.vi", Sm4),
    (0xfe00_707f, 0xae00_2077, "vsm3c.vi", Sm3),
    (0xfe00_707f, 0x8200_2077, "vsm3me.vv", Sm3),
    (0xfc00_707f, 0x3000_2057, "vclmul.vv", Ghash),
    (0xfc00_707f, 0x3000_6057, "vclmul.vx", Ghash),
    (0xfc00_707f, 0x3400_2057, "vclmulh.vv", Ghash),
    (0xfc00_707f, 0x3400_6057, "vclmulh.vx", Ghash),
];

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(WORDS));

/// Counts them in a range of code that starts at a whole instruction, `at` bytes into its section.
///
/// Instructions have half a word or a whole one, according to the first: they are decoded in sequence, which
/// resynchronizes after data between functions. OpenSSL passes these instructions to its assembler as words,
/// which are then marked as data: so data is examined too.
pub(super) fn count(
    code: &[u8],
    at: usize,
    state: State,
    company: &mut Company,
    counts: &mut Counts,
) {
    let patterns = &*PATTERNS;
    let mut rest = code;
    while let Some(first) = rest.first() {
        // Both of the lowest bits are set in a whole word, and the next three in longer ones.
        let whole = first & 0b11 == 0b11 && first & 0b11100 != 0b11100;
        if whole && let Some(word) = rest.first_chunk() {
            let word = u32::from_le_bytes(*word);
            if let Some(pattern) = patterns.find(word) {
                let at = at + code.len() - rest.len();
                company.add(at, word, pattern, state == State::Code, counts);
            }
        }
        rest = rest.get(if whole { 4 } else { 2 }..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(code: &[u8], state: State) -> Vec<(&'static str, u64)> {
        let mut counts = Counts::default();
        count(code, 0, state, &mut Company::default(), &mut counts);
        counts.0.iter().map(|count| (count.instruction, count.count)).collect()
    }

    /// The output of LLVM's assembler for these instructions, with different registers.
    #[test]
    fn words_are_known() {
        let words: &[(u32, &str)] = &[
            (0x32c5_8533, "aes64es"),
            (0x36c5_8533, "aes64esm"),
            (0x3ac5_8533, "aes64ds"),
            (0x3ec5_8533, "aes64dsm"),
            (0x7ec5_8533, "aes64ks2"),
            (0x3135_9513, "aes64ks1i"),
            (0x3005_9513, "aes64im"),
            (0x1025_9513, "sha256sig0"),
            (0x1035_9513, "sha256sig1"),
            (0x1005_9513, "sha256sum0"),
            (0x1015_9513, "sha256sum1"),
            (0x1065_9513, "sha512sig0"),
            (0x1075_9513, "sha512sig1"),
            (0x1045_9513, "sha512sum0"),
            (0x1055_9513, "sha512sum1"),
            (0x1085_9513, "sm3p0"),
            (0x1095_9513, "sm3p1"),
            (0xb0c5_8533, "sm4ed"),
            (0xb4c5_8533, "sm4ks"),
            (0x0ac5_9533, "clmul"),
            (0x0ac5_b533, "clmulh"),
            (0x0ac5_a533, "clmulr"),
            (0xa301_2477, "vaesem.vv"),
            (0xa701_2477, "vaesem.vs"),
            (0xa301_a477, "vaesef.vv"),
            (0xa701_a477, "vaesef.vs"),
            (0xa300_2477, "vaesdm.vv"),
            (0xa700_2477, "vaesdm.vs"),
            (0xa300_a477, "vaesdf.vv"),
            (0xa700_a477, "vaesdf.vs"),
            (0xa703_a477, "vaesz.vs"),
            (0x8b01_a477, "vaeskf1.vi"),
            (0xab01_a477, "vaeskf2.vi"),
            (0xb302_2477, "vghsh.vv"),
            (0xa308_a477, "vgmul.vv"),
            (0xbb02_2477, "vsha2ch.vv"),
            (0xbf02_2477, "vsha2cl.vv"),
            (0xb702_2477, "vsha2ms.vv"),
            (0xa308_2477, "vsm4r.vv"),
            (0xa708_2477, "vsm4r.vs"),
            (0x8701_a477, "vsm4k.vi"),
            (0xaf01_a477, "vsm3c.vi"),
            (0x8302_2477, "vsm3me.vv"),
            (0x3302_2457, "vclmul.vv"),
            (0x3302_6457, "vclmul.vx"),
            (0x3702_2457, "vclmulh.vv"),
            (0x3702_6457, "vclmulh.vx"),
        ];
        assert_eq!(words.len(), WORDS.len());
        for (word, name) in words {
            assert_eq!(counted(&word.to_le_bytes(), State::Code), [(*name, 1)]);
            // After an instruction of half a word.
            let behind = [&[1, 0][..], &word.to_le_bytes()].concat();
            assert_eq!(counted(&behind, State::Code), [(*name, 1)]);
            assert_eq!(counted(&word.to_le_bytes(), State::Unknown), []);
        }
    }

    #[test]
    fn what_is_something_else_is_not_counted() {
        // RET, ADD a0, a1, a2, MUL, SLLI, VADD.VV, VSETVLI, half a word; the middle of a longer word.
        let others: Vec<u8> =
            [0x0000_8067_u32, 0x00c5_8533, 0x02c5_8533, 0x0035_9513, 0x0302_0457, 0x0c05_7557]
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect();
        assert_eq!(counted(&others, State::Code), []);
        assert_eq!(counted(&[0x33, 0x85], State::Code), []);
        let middle = [&[0x13, 0x05][..], &0x32c5_8533_u32.to_le_bytes(), &[0, 0]].concat();
        assert_eq!(counted(&middle, State::Code), []);
    }
}
