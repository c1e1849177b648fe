//! Instructions of Arm64, which have one word each.
//!
//! The encodings are those of the Arm Architecture Reference Manual, "Cryptographic AES", "Cryptographic three-register
//! SHA", "Cryptographic two-register SHA", "Cryptographic four-register", "Cryptographic three-register SHA 512",
//! "Advanced SIMD three different", and those of SVE2 with the same names.

use std::sync::LazyLock;

use super::{
    kinds::{
        Counts,
        Use::{Aes, Ghash, Sha1, Sha3, Sha256, Sha512, Sm3, Sm4},
    },
    words::{Company, Pattern, Patterns, State},
};

/// Masks of the fixed bits, if the other operands are one register, two, three, or four.
const ONE: u32 = 0xffff_ffe0;
const TWO: u32 = 0xffff_fc00;
const THREE: u32 = 0xffe0_fc00;
const FOUR: u32 = 0xffe0_8000;

const WORDS: &[Pattern] = &[
    (TWO, 0x4e28_4800, "AESE", Aes),
    (TWO, 0x4e28_5800, "AESD", Aes),
    (TWO, 0x4e28_6800, "AESMC", Aes),
    (TWO, 0x4e28_7800, "AESIMC", Aes),
    (THREE, 0x0ee0_e000, "PMULL", Ghash),
    (THREE, 0x4ee0_e000, "PMULL2", Ghash),
    (THREE, 0x5e00_0000, "SHA1C", Sha1),
    (THREE, 0x5e00_1000, "SHA1P", Sha1),
    (THREE, 0x5e00_2000, "SHA1M", Sha1),
    (THREE, 0x5e00_4000, "SHA256H", Sha256),
    (THREE, 0x5e00_5000, "SHA256H2", Sha256),
    (THREE, 0x5e00_6000, "SHA256SU1", Sha256),
    (TWO, 0x5e28_2800, "SHA256SU0", Sha256),
    (TWO, 0x5e28_0800, "SHA1H", Sha1),
    (THREE, 0x5e00_3000, "SHA1SU0", Sha1),
    (TWO, 0x5e28_1800, "SHA1SU1", Sha1),
    (THREE, 0xce60_8000, "SHA512H", Sha512),
    (THREE, 0xce60_8400, "SHA512H2", Sha512),
    (THREE, 0xce60_8800, "SHA512SU1", Sha512),
    (TWO, 0xcec0_8000, "SHA512SU0", Sha512),
    (FOUR, 0xce00_0000, "EOR3", Sha3),
    (FOUR, 0xce20_0000, "BCAX", Sha3),
    (THREE, 0xce60_8c00, "RAX1", Sha3),
    (0xffe0_0000, 0xce80_0000, "XAR", Sha3),
    (FOUR, 0xce40_0000, "SM3SS1", Sm3),
    (THREE, 0xce60_c000, "SM3PARTW1", Sm3),
    (TWO, 0xcec0_8400, "SM4E", Sm4),
    (THREE, 0xce60_c800, "SM4EKEY", Sm4),
    (TWO, 0x4522_e000, "AESE z", Aes),
    (TWO, 0x4522_e400, "AESD z", Aes),
    (ONE, 0x4520_e000, "AESMC z", Aes),
    (ONE, 0x4520_e400, "AESIMC z", Aes),
    (THREE, 0x4500_6800, "PMULLB z", Ghash),
    (THREE, 0x4500_6c00, "PMULLT z", Ghash),
    (THREE, 0x0420_3800, "EOR3 z", Sha3),
    (THREE, 0x0460_3800, "BCAX z", Sha3),
    (THREE, 0x4520_f400, "RAX1 z", Sha3),
    (0xffa0_fc00, 0x04a0_3400, "XAR z", Sha3),
    (TWO, 0x4523_e000, "SM4E z", Sm4),
    (THREE, 0x4520_f000, "SM4EKEY z", Sm4),
];

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(WORDS));

/// Counts them in a range of code that starts at a whole word, `at` bytes into its section. Words that are
/// marked as data are not counted: assemblers mark instructions that they do not know as instructions.
pub(super) fn count(
    code: &[u8],
    at: usize,
    state: State,
    company: &mut Company,
    counts: &mut Counts,
) {
    if state == State::Data {
        return;
    }
    let patterns = &*PATTERNS;
    for (i, word) in code.as_chunks().0.iter().enumerate() {
        // Instructions are little-endian on big-endian systems too.
        let word = u32::from_le_bytes(*word);
        if let Some(pattern) = patterns.find(word) {
            company.add(at + 4 * i, word, pattern, state == State::Code, counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of LLVM's assembler for these instructions, with different registers.
    #[test]
    fn words_are_known() {
        let words: &[(u32, &str)] = &[
            (0x4e28_4862, "AESE"),
            (0x4e28_6842, "AESMC"),
            (0x0ee3_e041, "PMULL"),
            (0x4ee3_e041, "PMULL2"),
            (0x5e03_0041, "SHA1C"),
            (0x5e03_1041, "SHA1P"),
            (0x5e03_2041, "SHA1M"),
            (0x5e28_0841, "SHA1H"),
            (0x5e03_3041, "SHA1SU0"),
            (0x5e28_1841, "SHA1SU1"),
            (0x5e03_4041, "SHA256H"),
            (0x5e03_5041, "SHA256H2"),
            (0x5e28_2841, "SHA256SU0"),
            (0x5e03_6041, "SHA256SU1"),
            (0xce63_8041, "SHA512H"),
            (0xce63_8441, "SHA512H2"),
            (0xcec0_8041, "SHA512SU0"),
            (0xce63_8841, "SHA512SU1"),
            (0xce03_1041, "EOR3"),
            (0xce23_1041, "BCAX"),
            (0xce63_8c41, "RAX1"),
            (0xce83_6441, "XAR"),
            (0xce43_1041, "SM3SS1"),
            (0xce63_c041, "SM3PARTW1"),
            (0xcec0_8441, "SM4E"),
            (0xce63_c841, "SM4EKEY"),
            (0x4e28_5862, "AESD"),
            (0x4e28_7842, "AESIMC"),
            (0x4522_e0a3, "AESE z"),
            (0x4522_e4a3, "AESD z"),
            (0x4520_e003, "AESMC z"),
            (0x4520_e403, "AESIMC z"),
            (0x4503_6841, "PMULLB z"),
            (0x4503_6c41, "PMULLT z"),
            (0x4523_e0a3, "SM4E z"),
            (0x4523_f041, "SM4EKEY z"),
            (0x4523_f441, "RAX1 z"),
            (0x0422_3861, "EOR3 z"),
            (0x0462_3861, "BCAX z"),
            (0x04e7_3461, "XAR z"),
        ];
        assert_eq!(words.len(), WORDS.len());
        for (word, name) in words {
            let mut counts = Counts::default();
            count(&word.to_le_bytes(), 0, State::Code, &mut Company::default(), &mut counts);
            assert_eq!(counts.0.len(), 1, "{name}");
            assert_eq!(counts.0[0].instruction, *name);
        }
        let mut counts = Counts::default();
        // RET, NOP, an addition of vectors, a product of bytes and not of words, and half a word.
        let others = [0xd65f_03c0_u32, 0xd503_201f, 0x4ea1_8400, 0x0e22_e020];
        let others = others.map(u32::to_le_bytes).concat();
        count(&others, 0, State::Code, &mut Company::default(), &mut counts);
        count(&[0x62, 0x48], 0, State::Code, &mut Company::default(), &mut counts);
        assert!(counts.0.is_empty());
    }
}
