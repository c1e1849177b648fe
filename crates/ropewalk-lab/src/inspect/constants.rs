//! Constants of SHA-256 that are not in a table: immediates of instructions, and literals in any order.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{
    elf::{AARCH64, ARM, RISCV64},
    words::State,
};

/// The constants of SHA-256 (FIPS 180-4, §4.2.2), which are also the upper halves of SHA-512's first ones.
const K256: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The lower halves of SHA-512's first constants.
const K512_LOW: [u32; 64] = [
    0xd728ae22, 0x23ef65cd, 0xec4d3b2f, 0x8189dbbc, 0xf348b538, 0xb605d019, 0xaf194f9b, 0xda6d8118,
    0xa3030242, 0x45706fbe, 0x4ee4b28c, 0xd5ffb4e2, 0xf27b896f, 0x3b1696b1, 0x25c71235, 0xcf692694,
    0x9ef14ad2, 0x384f25e3, 0x8b8cd5b5, 0x77ac9c65, 0x592b0275, 0x6ea6e483, 0xbd41fbd4, 0x831153b5,
    0xee66dfab, 0x2db43210, 0x98fb213f, 0xbeef0ee4, 0x3da88fc2, 0x930aa725, 0xe003826f, 0x0a0e6e70,
    0x46d22ffc, 0x5c26c926, 0x5ac42aed, 0x9d95b3df, 0x8baf63de, 0x3c77b2a8, 0x47edaee6, 0x1482353b,
    0x4cf10364, 0xbc423001, 0xd0f89791, 0x0654be30, 0xd6ef5218, 0x5565a910, 0x5771202a, 0x32bbd1b8,
    0xb8d2d0c8, 0x5141ab53, 0xdf8eeb99, 0xe19b48a8, 0xc5c95a63, 0xe3418acb, 0x7763e373, 0xd6b2b8a3,
    0x5defb2fc, 0x43172f60, 0xa1f0ab72, 0x1a6439ec, 0x23631e28, 0xde82bde9, 0xb2c67915, 0xe372532b,
];

/// All of SHA-256's.
#[cfg(test)]
pub(super) fn all() -> [u32; 64] {
    K256
}

/// The number of different ones that is not due to chance, in files of any size.
const ENOUGH: u32 = 32;

/// The constants that were found.
#[derive(Default)]
pub(super) struct Constants {
    sha256: u64,
    /// Lower halves of SHA-512's that are not next to their upper halves.
    sha512: u64,
}

impl Constants {
    /// Whether enough of SHA-256's were found.
    pub(super) fn have_sha256(&self) -> bool {
        // On 32 bits each constant of SHA-512 can be in two instructions, one of which is the same as
        // SHA-256's.
        self.sha256.count_ones() >= ENOUGH && self.sha512.count_ones() < ENOUGH
    }

    /// Adds the constants among bytes as words of 32 bits, at any position and in either byte order.
    pub(super) fn add_words(&mut self, bytes: &[u8]) {
        for met in ANY.find_iter(bytes) {
            let at = met.start();
            let near = |at: Option<usize>| {
                at.and_then(|at| bytes.get(at..)?.first_chunk()).map(|it| u32::from_le_bytes(*it))
            };
            let Some(word) = near(Some(at)) else { continue };
            let (before, behind) = (near(at.checked_sub(4)), near(Some(at + 4)));
            self.add(word, before, behind);
            self.add(word.swap_bytes(), behind.map(u32::swap_bytes), before.map(u32::swap_bytes));
        }
    }

    /// Adds a word between the possible lower half and the possible upper half.
    fn add(&mut self, word: u32, lower: Option<u32>, upper: Option<u32>) {
        if let Some(i) = place(&K256, word)
            && lower != Some(K512_LOW[i])
        {
            self.sha256 |= 1 << i;
        }
        if let Some(i) = place(&K512_LOW, word)
            && upper != Some(K256[i])
        {
            self.sha512 |= 1 << i;
        }
    }

    /// Adds the constants that pairs of instructions build, in a range of code.
    pub(super) fn add_code(
        &mut self,
        architecture: &str,
        big_endian: bool,
        code: &[u8],
        at: usize,
        state: State,
    ) {
        let mut made = Made { registers: [None; 32], constants: self };
        let behind = |size: usize| code.get(at.next_multiple_of(size) - at..).unwrap_or_default();
        let halves = |pair: &[[u8; 2]; 2]| {
            pair.map(|half| match big_endian {
                true => u16::from_be_bytes(half),
                false => u16::from_le_bytes(half),
            })
        };
        match architecture {
            AARCH64 if state != State::Data => {
                behind(4).as_chunks().0.iter().for_each(|it| made.aarch64(u32::from_le_bytes(*it)));
            }
            ARM => {
                if state != State::Thumb {
                    for word in behind(4).as_chunks().0 {
                        made.a32(match big_endian {
                            true => u32::from_be_bytes(*word),
                            false => u32::from_le_bytes(*word),
                        });
                    }
                }
                if state != State::Code {
                    made.registers = [None; 32];
                    for pair in behind(2).as_chunks::<2>().0.windows(2) {
                        let pair: &[[u8; 2]; 2] = pair.try_into().expect("it has two");
                        made.t32(halves(pair));
                    }
                }
            }
            RISCV64 if state != State::Data => {
                for pair in behind(2).as_chunks::<2>().0.windows(2) {
                    let word = [pair[0][0], pair[0][1], pair[1][0], pair[1][1]];
                    made.riscv(u32::from_le_bytes(word));
                }
            }
            _ => {}
        }
    }
}

/// The index of a word among constants.
fn place(constants: &[u32; 64], word: u32) -> Option<usize> {
    constants.iter().position(|constant| *constant == word)
}

/// Any of them, in either byte order.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    let words = K256.iter().chain(&K512_LOW).flat_map(|word| [*word, word.swap_bytes()]);
    let words: Vec<String> = words
        .map(|word| word.to_le_bytes().map(|byte| format!(r"\x{byte:02x}")).concat())
        .collect();
    Regex::new(&format!("(?-u){}", words.join("|"))).expect("it was tried")
});

/// The contents of registers with constants that are being built.
struct Made<'a> {
    registers: [Option<u32>; 32],
    constants: &'a mut Constants,
}

impl Made<'_> {
    fn set(&mut self, register: u32, value: u32) {
        self.registers[register as usize & 31] = Some(value);
        // Lower halves of SHA-512's are built in the same way on their way to 64 bits.
        if let Some(i) = place(&K256, value) {
            self.constants.sha256 |= 1 << i;
        }
    }

    /// Takes the upper or lower half of a register.
    fn half(&mut self, register: u32, half: u32, shift: u32) {
        if let Some(old) = self.registers[register as usize & 31] {
            self.set(register, old & !(0xffff << shift) | half << shift);
        }
    }

    /// MOVZ and MOVK, of 32 or 64 bits.
    fn aarch64(&mut self, word: u32) {
        let (register, half, shift) = (word & 31, word >> 5 & 0xffff, (word >> 21 & 3) * 16);
        match word & 0x7f80_0000 {
            0x5280_0000 if shift < 32 => self.registers[register as usize] = Some(half << shift),
            0x7280_0000 if shift < 32 => self.half(register, half, shift),
            // More than 32 bits, or negative.
            0x5280_0000 | 0x7280_0000 | 0x1280_0000 => self.registers[register as usize] = None,
            _ => {}
        }
    }

    /// MOVW and MOVT of A32.
    fn a32(&mut self, word: u32) {
        let (register, half) = (word >> 12 & 15, word >> 4 & 0xf000 | word & 0xfff);
        match word & 0x0ff0_0000 {
            0x0300_0000 => self.registers[register as usize] = Some(half),
            0x0340_0000 => self.half(register, half, 16),
            _ => {}
        }
    }

    /// The same of T32.
    fn t32(&mut self, [first, second]: [u16; 2]) {
        let (first, second) = (u32::from(first), u32::from(second));
        let half =
            (first & 15) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff;
        let register = second >> 8 & 15;
        match (first & 0xfbf0, second & 0x8000) {
            (0xf240, 0) => self.registers[register as usize] = Some(half),
            (0xf2c0, 0) => self.half(register, half, 16),
            _ => {}
        }
    }

    /// LUI, and ADDI or ADDIW.
    fn riscv(&mut self, word: u32) {
        let (to, from) = (word >> 7 & 31, word >> 15 & 31);
        match word & 0x707f {
            _ if word & 0x7f == 0x37 => self.registers[to as usize] = Some(word & 0xffff_f000),
            0x0013 | 0x001b => {
                let immediate = (word.cast_signed() >> 20).cast_unsigned();
                if let Some(old) = self.registers[from as usize] {
                    self.set(to, old.wrapping_add(immediate));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_words(bytes: &[u8]) -> bool {
        let mut constants = Constants::default();
        constants.add_words(bytes);
        constants.have_sha256()
    }

    fn of_code(architecture: &str, code: &[u8], state: State) -> bool {
        let mut constants = Constants::default();
        constants.add_code(architecture, false, code, 0, state);
        constants.have_sha256()
    }

    /// The first bits of the fractions of the cube roots of the first primes.
    #[test]
    fn constants_are_those_of_the_standard() {
        let mut primes = Vec::new();
        let mut n = 2_u32;
        while primes.len() < 64 {
            if !primes.iter().any(|prime| n.is_multiple_of(*prime)) {
                primes.push(n);
            }
            n += 1;
        }
        for (i, prime) in primes.into_iter().enumerate() {
            let root = f64::from(prime).cbrt();
            assert_eq!(K256[i], (root.fract() * 4_294_967_296.0) as u32, "{i}");
        }
    }

    #[test]
    fn words_in_any_order_and_place() {
        let reversed: Vec<u32> = K256.iter().rev().copied().collect();
        let little: Vec<u8> = reversed.iter().flat_map(|it| it.to_le_bytes()).collect();
        let big: Vec<u8> = reversed.iter().flat_map(|it| it.to_be_bytes()).collect();
        // As immediates of x86, between opcodes.
        let between: Vec<u8> = K256
            .iter()
            .flat_map(|it| [&[0x8d, 0x84, 0x1a][..], &it.to_le_bytes()].concat())
            .collect();
        for bytes in [&little, &big, &between] {
            assert!(of_words(bytes));
            assert!(!of_words(&bytes[..bytes.len() / 3]));
        }
    }

    /// SHA-512's constants have SHA-256's in them.
    #[test]
    fn sha512_is_not_sha256() {
        let wide: Vec<u64> = K256
            .iter()
            .zip(K512_LOW)
            .map(|(up, low)| u64::from(*up) << 32 | u64::from(low))
            .collect();
        assert!(!of_words(&wide.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>()));
        assert!(!of_words(&wide.iter().flat_map(|it| it.to_be_bytes()).collect::<Vec<u8>>()));
        // In two instructions each.
        let apart: Vec<u8> = wide
            .iter()
            .flat_map(|it| {
                let [low, up] = [*it as u32, (*it >> 32) as u32].map(u32::to_le_bytes);
                [&[0x05][..], &low, &[0x81, 0xd2], &up].concat()
            })
            .collect();
        assert!(!of_words(&apart));
        // MOVZ and three MOVK.
        let made: Vec<u8> = wide
            .iter()
            .flat_map(|it| {
                let half = |i: u32| (*it >> (16 * i)) as u32 & 0xffff;
                let first = 0xd280_0000 | half(0) << 5 | 3;
                let more = [1, 2, 3].map(|i| 0xf280_0000 | i << 21 | half(i) << 5 | 3);
                [&[first][..], &more].concat()
            })
            .flat_map(u32::to_le_bytes)
            .collect();
        assert!(!of_code(AARCH64, &made, State::Code));
    }

    #[test]
    fn pairs_of_instructions() {
        // mov w3, #lower; movk w3, #upper, lsl #16, with others between them, and the other way round.
        let aarch64 = |first: u32, second: u32| -> Vec<u8> {
            K256.iter()
                .flat_map(|it| {
                    let half = |shift: u32| (it >> shift & 0xffff) << 5 | (shift / 16) << 21 | 3;
                    [0x5280_0000 | half(first), 0x0b02_0041, 0x7280_0000 | half(second)]
                })
                .flat_map(u32::to_le_bytes)
                .collect()
        };
        for code in [aarch64(0, 16), aarch64(16, 0)] {
            assert!(of_code(AARCH64, &code, State::Unknown));
            assert!(!of_code(AARCH64, &code, State::Data));
            assert!(!of_words(&code));
        }
        let a32: Vec<u8> = K256
            .iter()
            .flat_map(|it| {
                let half = |half: u32| (half & 0xf000) << 4 | half & 0xfff | 3 << 12;
                [0xe300_0000 | half(it & 0xffff), 0xe082_1003, 0xe340_0000 | half(it >> 16)]
            })
            .flat_map(u32::to_le_bytes)
            .collect();
        assert!(of_code(ARM, &a32, State::Code) && of_code(ARM, &a32, State::Unknown));
        assert!(!of_code(ARM, &a32, State::Thumb));
        let t32: Vec<u8> = K256
            .iter()
            .flat_map(|it| {
                let pair = |first: u32, half: u32| {
                    let first = first | half >> 12 | (half >> 11 & 1) << 10;
                    [first, (half >> 8 & 7) << 12 | 3 << 8 | half & 0xff]
                };
                // A NOP of half a word between them.
                [&pair(0xf240, it & 0xffff)[..], &[0xbf00], &pair(0xf2c0, it >> 16)].concat()
            })
            .flat_map(|half| (half as u16).to_le_bytes())
            .collect();
        assert!(of_code(ARM, &t32, State::Thumb) && of_code(ARM, &t32, State::Unknown));
        assert!(!of_code(ARM, &t32, State::Code));
        let riscv: Vec<u8> = K256
            .iter()
            .flat_map(|it| {
                let upper = it.wrapping_add(0x800) & 0xffff_f000;
                [upper | 0x37 | 5 << 7, it.wrapping_sub(upper) << 20 | 0x1b | 6 << 7 | 5 << 15]
            })
            .flat_map(u32::to_le_bytes)
            .collect();
        assert!(of_code(RISCV64, &riscv, State::Code));
    }
}
