//! What a user needs: words, units, and contradictions.

mod check;
mod file;
mod units;
mod words;

use serde::Serialize;

use super::candidates::{CHOICES, Choice};
use crate::report::figures;

use words::{MUST, PROTECT, known};
pub use words::{WORDS, Word};

/// What is to be protected, and under which conditions. Nothing is given at first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Needs {
    /// The goal.
    pub protect: Option<Protect>,
    /// The least bits of strength.
    pub bits: Option<u32>,
    /// Bytes of a message.
    pub message: Option<u64>,
    /// Bytes a second.
    pub rate: Option<f64>,
    /// Messages a second.
    pub ops: Option<f64>,
    /// The longest time of a message, in nanoseconds.
    pub latency: Option<f64>,
    /// The most bytes of code.
    pub max_code: Option<u64>,
    /// The most bytes of memory.
    pub max_ram: Option<u64>,
    /// Bytes a second of the link or the disk behind it.
    pub link: Option<f64>,
    /// The cores that may work on it.
    pub cores: Option<u32>,
    /// Properties that it must have.
    pub must: Vec<Must>,
    /// The algorithm and operation, if there is no choice.
    pub fixed: Option<Fixed>,
    /// Bytes a second of a server of TLS.
    pub tls: Option<f64>,
    /// Its new connections a second.
    pub requests: Option<f64>,
    /// Bytes of its records.
    pub record: Option<u64>,
    /// The share of its connections that resume an earlier one.
    pub resumed: Option<f64>,
}

/// A goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protect {
    /// It is neither read nor changed without the key.
    Aead,
    /// It is not read without the key.
    Confidentiality,
    /// It is not changed without the key.
    Integrity,
    /// Everybody can check who wrote it.
    Signature,
    /// Two sides have a common secret.
    KeyAgreement,
    /// Passwords are not guessed from a stolen list of their hash values.
    Password,
}

/// A property that an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Must {
    /// TLS 1.3 has it.
    Tls13,
    /// Its code is tested for constant time.
    ConstantTime,
    /// FIPS 140-3 approves the algorithm.
    Fips,
}

/// An algorithm that cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fixed {
    /// `rsa-2048`.
    pub task: String,
    /// `sign`.
    pub op: String,
}

impl Fixed {
    /// `rsa-2048/sign`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.task, self.op)
    }

    /// Its place in the table of algorithms, if its operation is the one there.
    pub fn choice(&self) -> Option<&'static Choice> {
        CHOICES.iter().find(|choice| choice.task == self.task && choice.op == self.op)
    }
}

impl Protect {
    /// As users write it.
    pub fn name(self) -> &'static str {
        PROTECT.iter().find(|(_, goal)| *goal == self).map_or("", |(name, _)| name)
    }
}

impl Must {
    /// As users write it.
    pub fn name(self) -> &'static str {
        MUST.iter().find(|(_, must)| *must == self).map_or("", |(name, _)| name)
    }
}

impl Needs {
    /// The needs in the text of a file.
    ///
    /// # Errors
    /// If it is no TOML, or names a need or a value that does not exist, in one line.
    pub fn of_file(text: &str) -> Result<Self, String> {
        file::parse(text)
    }

    /// Sets a need, by its name.
    ///
    /// # Errors
    /// If there is no such need, or the value is not one of its own, in one line.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        (known(name)?.set)(self, text)
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The goal: as given, or that of the fixed algorithm, or authenticated encryption.
    pub fn goal(&self) -> Protect {
        let of_fixed = || Some(self.fixed.as_ref()?.choice()?.protects);
        self.protect.or_else(of_fixed).unwrap_or(Protect::Aead)
    }

    /// The least strength: 128 bits, unless given; none of a fixed algorithm.
    pub fn least_bits(&self) -> u32 {
        self.bits.unwrap_or(if self.fixed.is_some() { 0 } else { USUAL_BITS })
    }

    /// Bytes of a message: as given, or usual ones.
    pub fn bytes(&self) -> u64 {
        self.message.unwrap_or(match self.goal() {
            Protect::Signature => 64,
            _ => USUAL_BYTES,
        })
    }

    /// The cores that work on it.
    pub fn workers(&self) -> f64 {
        f64::from(self.cores.unwrap_or(1))
    }

    /// Messages a second that are needed.
    pub fn per_second(&self) -> Option<f64> {
        let of_rate = self.rate.map(|rate| rate / self.bytes() as f64);
        [self.ops, of_rate].into_iter().flatten().max_by(f64::total_cmp)
    }
}

/// The strength that is usual today.
const USUAL_BITS: u32 = 128;

/// Bytes of a message, unless given: the largest record of TLS.
pub(super) const USUAL_BYTES: u64 = 16 << 10;

/// `20 MB/s`, of bytes a second.
pub(super) fn speed(bytes_per_s: f64) -> String {
    match bytes_per_s {
        ..1e6 => format!("{} kB/s", figures::plain(bytes_per_s / 1e3)),
        _ => figures::speed(bytes_per_s / 1e6),
    }
}

#[cfg(test)]
mod tests;
