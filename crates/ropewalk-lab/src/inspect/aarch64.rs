//! Instructions of Arm64, of which each is one word.
//!
//! The encodings are those of the Arm Architecture Reference Manual, "Cryptographic AES", "Cryptographic three-register
//! SHA", "Cryptographic two-register SHA", "Cryptographic four-register", "Cryptographic three-register SHA 512" and
//! "Advanced SIMD three different".

use super::kinds::{
    Counts,
    Use::{self, Aes, Ghash, Sha1, Sha3, Sha256, Sha512, Sm3, Sm4},
};

/// Bits that are fixed where the other operands are two registers, three, or four.
const TWO: u32 = 0xffff_fc00;
const THREE: u32 = 0xffe0_fc00;
const FOUR: u32 = 0xffe0_8000;

/// Fixed bits, what they are, and what that is.
const WORDS: &[(u32, u32, &str, Use)] = &[
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
];

/// Counts them in code that starts at a whole word.
pub(super) fn count(code: &[u8], counts: &mut Counts) {
    for word in code.as_chunks().0 {
        // Instructions are little-endian on big-endian systems too.
        let word = u32::from_le_bytes(*word);
        if let Some((_, _, name, of)) = WORDS.iter().find(|(fixed, is, ..)| word & fixed == *is) {
            counts.add(name, *of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that an assembler makes of these instructions, with other registers than the first.
    #[test]
    fn words_are_known() {
        for (word, name) in [
            (0x4e28_4862_u32, "AESE"),
            (0x4e28_5862, "AESD"),
            (0x4e28_6842, "AESMC"),
            (0x4e28_7842, "AESIMC"),
            (0x0ee3_e041, "PMULL"),
            (0x4ee3_e041, "PMULL2"),
            (0x5e03_0041, "SHA1C"),
            (0x5e03_4041, "SHA256H"),
            (0x5e03_6041, "SHA256SU1"),
            (0xce63_8041, "SHA512H"),
            (0xce03_1041, "EOR3"),
            (0xce23_1041, "BCAX"),
            (0xce83_1041, "XAR"),
            (0xcec0_8441, "SM4E"),
        ] {
            let mut counts = Counts::default();
            count(&word.to_le_bytes(), &mut counts);
            assert_eq!(counts.0.len(), 1, "{name}");
            assert_eq!(counts.0[0].instruction, name);
        }
        let mut counts = Counts::default();
        // RET, NOP, an addition of vectors, and half a word.
        count(
            &[0xd65f_03c0_u32, 0xd503_201f, 0x4ea1_8400].map(u32::to_le_bytes).concat(),
            &mut counts,
        );
        count(&[0x62, 0x48], &mut counts);
        assert!(counts.0.is_empty());
    }
}
