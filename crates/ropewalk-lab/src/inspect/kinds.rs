//! The counted instructions.

use serde::Serialize;

/// Their purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "&'static str")]
pub enum Use {
    /// Rounds of AES.
    Aes,
    /// Products of polynomials over GF(2), as in GHASH.
    Ghash,
    /// Rounds of SHA-1.
    Sha1,
    /// Rounds of SHA-256.
    Sha256,
    /// Rounds of SHA-512.
    Sha512,
    /// Steps of Keccak.
    Sha3,
    /// Rounds of SM3.
    Sm3,
    /// Rounds of SM4.
    Sm4,
    /// Products of large numbers.
    Numbers,
    /// Substitution by inversion and an affine map.
    Affine,
}

impl Use {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Aes,
        Self::Ghash,
        Self::Sha1,
        Self::Sha256,
        Self::Sha512,
        Self::Sha3,
        Self::Sm3,
        Self::Sm4,
        Self::Numbers,
        Self::Affine,
    ];
}

impl From<Use> for &'static str {
    fn from(of: Use) -> Self {
        match of {
            Use::Aes => "AES",
            Use::Ghash => "GHASH",
            Use::Sha1 => "SHA-1",
            Use::Sha256 => "SHA-256",
            Use::Sha512 => "SHA-512",
            Use::Sha3 => "SHA-3",
            Use::Sm3 => "SM3",
            Use::Sm4 => "SM4",
            Use::Numbers => "numbers",
            Use::Affine => "affine maps",
        }
    }
}

/// The count of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Its name, with its width if it has several: `VAESENC zmm`.
    pub instruction: &'static str,
    /// Its purpose.
    #[serde(rename = "use")]
    pub of: Use,
    /// Its number of occurrences.
    pub count: u64,
}

/// Counts of instructions, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts(pub(super) Vec<Count>);

impl Counts {
    pub(super) fn add(&mut self, instruction: &'static str, of: Use) {
        match self.0.iter_mut().find(|count| count.instruction == instruction) {
            Some(count) => count.count += 1,
            None => self.0.push(Count { instruction, of, count: 1 }),
        }
    }
}
