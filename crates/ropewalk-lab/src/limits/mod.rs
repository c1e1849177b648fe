//! The least time a task can take on this processor.
//!
//! Nothing here depends on the name of a processor. [`Rates::measure`] times the instructions of ciphers and
//! hashes, in core cycles; [`Rates::least_cycles`] counts how many of them a task needs, and computes how
//! long the busiest part of the processor works on them. No program can be faster, and good ones come close.

mod bounds;
mod explain;
#[macro_use]
mod table;
mod rates_aarch64;
mod rates_x86_64;
mod sampling;
mod ticks;

pub use explain::{Explanation, LATENCY, Term, UNCERTAINTY};
pub use rates_aarch64::Aarch64;
pub use rates_x86_64::X86_64;

/// The costs of instructions on one core of this processor, in core cycles.
///
/// A missing rate belongs to an instruction that the processor lacks; masks have no effect. If the machine is
/// too noisy to measure one rate, there are none: a bound without the fastest instructions would be wrong.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Rates {
    /// On an x86-64 processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x86_64: Option<X86_64>,
    /// On a 64-bit Arm processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aarch64: Option<Aarch64>,
}

/// A rate.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Rate {
    /// The name in records: `aesenc_xmm`.
    pub name: &'static str,
    /// The instruction, in words.
    pub says: &'static str,
    /// Core cycles from one instruction to the next; none if this processor lacks it, or if it was not measured.
    pub cycles: Option<f64>,
}

impl Rates {
    /// All rates of the measured architecture; empty if none were measured.
    pub fn each(&self) -> Vec<Rate> {
        let x86_64 = self.x86_64.iter().flat_map(X86_64::each);
        x86_64.chain(self.aarch64.iter().flat_map(Aarch64::each)).collect()
    }

    fn each_mut(&mut self) -> Vec<&mut Option<f64>> {
        let x86_64 = self.x86_64.iter_mut().flat_map(X86_64::each_mut);
        x86_64.chain(self.aarch64.iter_mut().flat_map(Aarch64::each_mut)).collect()
    }

    /// Measures this processor. It takes some 100 ms, and seconds on a noisy machine. `quiet` is the known
    /// value of [`crate::measure::clock::Clock::quiet`].
    pub fn measure(quiet: Option<f64>) -> Self {
        Self { x86_64: X86_64::measure(quiet), aarch64: Aarch64::measure(quiet) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures depend on the machine and its load, so only general properties are checked.
    #[test]
    fn measured_rates_are_sane() {
        let rates = Rates::measure(None);
        assert!(rates.x86_64.is_none() || cfg!(target_arch = "x86_64"));
        assert!(rates.aarch64.is_none() || cfg!(target_arch = "aarch64"));
        let json = serde_json::to_value(&rates).unwrap();
        for (arch, of_arch) in json.as_object().unwrap() {
            for (name, rate) in of_arch.as_object().unwrap() {
                let rate = rate.as_f64().unwrap();
                assert!(rate.is_finite() && rate > 0.0, "{arch} {name} {rate}");
            }
        }
        assert_eq!(serde_json::from_value::<Rates>(json).unwrap(), rates);
    }
}
