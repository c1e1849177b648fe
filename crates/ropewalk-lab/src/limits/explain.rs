//! Explains a bound: how many instructions of which kind it counts.
//!
//! The counts are not written down next to the formulas, where they would become outdated. A bound is a sum
//! of multiples of rates, or the minimum or maximum of such sums. The count of a rate is therefore the
//! derivative of the bound.

use super::Rates;
use crate::tasks::Cell;

/// The error of rates and of the cycles of a sample, a few per cent. Code that is faster than its bound by
/// more than that shows that the bound is wrong.
pub const UNCERTAINTY: f64 = 0.03;

/// The suffix of the names of rates of dependent instructions.
pub const LATENCY: &str = "_latency";

/// A bound, and its parts.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// Core cycles of a message.
    pub cycles: f64,
    /// The terms of the sum, the largest first.
    pub terms: Vec<Term>,
    /// Core cycles without dependencies; none if they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_waiting: Option<f64>,
    /// The assumptions.
    pub assumes: &'static str,
}

/// Instructions of one kind.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Term {
    /// The name of the rate.
    pub rate: &'static str,
    /// The instruction, in words.
    pub says: &'static str,
    /// The number of instructions.
    pub count: f64,
    /// Core cycles of each.
    pub each: f64,
}

impl Rates {
    /// The terms of [`Rates::least_cycles`] for a message of the cell; none if there is no bound.
    pub fn explain(&self, cell: &Cell) -> Option<Explanation> {
        /// Small compared with differences of rates, and large compared with rounding errors.
        const STEP: f64 = 1e-7;
        let cycles = self.least_cycles(cell)?;
        // If several sums are equal, one of them is explained: the rates are changed so that no two are
        // equal.
        let mut apart = self.clone();
        for (i, rate) in apart.each_mut().into_iter().enumerate() {
            *rate = rate.map(|cycles| cycles * (1.0 + 1e-6 * (i + 1) as f64));
        }
        let before = apart.least_cycles(cell)?;
        let mut terms = Vec::new();
        for (i, rate) in self.each().into_iter().enumerate() {
            let Some(each) = rate.cycles else { continue };
            let mut more = apart.clone();
            if let Some(rate) = &mut more.each_mut()[i] {
                *rate += STEP;
            }
            let count = (more.least_cycles(cell)? - before) / STEP;
            // Smaller values are rounding errors.
            if count > 1e-4 {
                let count = (count * 1e4).round() / 1e4;
                terms.push(Term { rate: rate.name, says: rate.says.trim(), count, each });
            }
        }
        terms.sort_by(|a, b| (b.count * b.each).total_cmp(&(a.count * a.each)));
        let without_waiting = self.without_waiting().least_cycles(cell);
        let without_waiting = without_waiting.filter(|least| *least < 0.99 * cycles);
        let assumes = super::bounds::assumptions(cell.task.kind);
        Some(Explanation { cycles, terms, without_waiting, assumes })
    }

    /// The same, with dependent instructions at the rate of independent ones.
    fn without_waiting(&self) -> Self {
        let each = self.each();
        let independent = |name: &str| {
            let wide = format!("{name}_xmm");
            each.iter().find(|rate| rate.name == name || rate.name == wide)?.cycles
        };
        let mut free = self.clone();
        for (rate, cycles) in each.iter().zip(free.each_mut()) {
            let Some(name) = rate.name.strip_suffix(LATENCY) else { continue };
            *cycles = cycles.map(|waiting| independent(name).unwrap_or(0.0).min(waiting));
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::{Keys, Mode::Message, TASKS},
    };

    #[test]
    fn counts_are_those_of_the_formula() {
        let rates = golden_cove();
        let of = |task, bytes| rates.explain(&cell(task, bytes, 1, Message)).unwrap();
        let gcm = of("aes-128-gcm", 16384);
        let rounds: f64 = gcm.terms.iter().map(|term| term.count * term.each).sum();
        assert!((rounds - 2565.0).abs() < 0.01, "{gcm:?}");
        let poly1305 = of("poly1305", 1600);
        assert_eq!(poly1305.terms.len(), 1);
        // Of eight blocks at a time.
        assert_eq!(poly1305.terms[0].rate, "vpmadd52luq_zmm");
        assert!((poly1305.terms[0].count - 100.0 * 18.0 / 8.0).abs() < 0.01, "{poly1305:?}");
        let sha256 = of("sha256", 1000);
        let names: Vec<_> = sha256.terms.iter().map(|term| term.rate).collect();
        assert_eq!(names, ["sha256rnds2_latency", "sha256_quarter"]);
        // Sixteen blocks, the first and the last of which overlap with others.
        assert_eq!(sha256.terms[0].count, 14.0 * 32.0);
        assert_eq!(sha256.terms[1].count, 2.0 * 4.0);
    }

    #[test]
    fn waiting_is_told_from_work() {
        let rates = golden_cove();
        let free = |task| rates.explain(&cell(task, 1600, 1, Message)).unwrap().without_waiting;
        assert_eq!(free("aes-128-gcm"), None);
        // Two rounds can start in a cycle; the first 40 blocks overlap with the message before.
        assert_eq!(free("aes-128-cbc"), Some(60.0 * 10.0 * 0.5));
    }

    #[test]
    fn every_bound_is_the_sum_of_its_terms() {
        let rates = golden_cove();
        for task in TASKS {
            for (bytes, count) in [(16, 1), (1350, 1), (16384, 1), (64, 16)] {
                let bytes = task.kind.size(bytes);
                let cell = Cell {
                    task,
                    bytes,
                    count,
                    mode: Message,
                    mix: None,
                    keys: Keys::One,
                    stride: None,
                };
                let Some(told) = rates.explain(&cell) else { continue };
                let sum: f64 = told.terms.iter().map(|term| term.count * term.each).sum();
                let off = (sum / told.cycles - 1.0).abs();
                assert!(off < 1e-3, "{} {bytes}: {sum} of {told:?}", task.full_name());
                assert!(!told.assumes.is_empty(), "{}", task.full_name());
            }
        }
    }
}
