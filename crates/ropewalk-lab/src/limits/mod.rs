//! The least time a task can take on this processor.
//!
//! Nothing here knows a processor by its name. [`Rates::measure`] times the instructions that
//! ciphers and hashes are made of, in core cycles; [`Rates::least_cycles`] counts how many of them
//! a task needs, and says how long the busiest part of the processor works on those. No program
//! can be faster, and good ones come close.

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

/// What instructions cost on one core of this processor, in core cycles.
///
/// A rate that is missing belongs to an instruction that the processor lacks; masks make no
/// difference. Where the machine is too restless to tell one rate, there are none: a bound without
/// the fastest way to do a task would be wrong.
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

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Rate {
    /// As records have it: `aesenc_xmm`.
    pub name: &'static str,
    /// In words.
    pub says: &'static str,
    /// Core cycles from one instruction to the next; none where this processor lacks it, or where none was told.
    pub cycles: Option<f64>,
}

impl Rates {
    /// Each of the architecture that was measured; none where none was told.
    pub fn each(&self) -> Vec<Rate> {
        let x86_64 = self.x86_64.iter().flat_map(X86_64::each);
        x86_64.chain(self.aarch64.iter().flat_map(Aarch64::each)).collect()
    }

    fn each_mut(&mut self) -> Vec<&mut Option<f64>> {
        let x86_64 = self.x86_64.iter_mut().flat_map(X86_64::each_mut);
        x86_64.chain(self.aarch64.iter_mut().flat_map(Aarch64::each_mut)).collect()
    }

    /// Measures the processor this runs on. Takes some 100 ms, and seconds where it is
    /// disturbed. `quiet` is what is known of [`crate::measure::clock::Clock::quiet`].
    pub fn measure(quiet: Option<f64>) -> Self {
        Self { x86_64: X86_64::measure(quiet), aarch64: Aarch64::measure(quiet) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures depend on the machine and its load, so only what holds everywhere is asked for.
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
