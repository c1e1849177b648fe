//! Why a bound is what it is: how many instructions of which kind it counts.
//!
//! It is not written down beside the formulas, where it would go stale. A bound is a sum of rates, each so
//! many times, or the least or the greatest of such sums. What a rate counts is therefore the growth of the
//! bound with it.

use super::Rates;
use crate::tasks::Cell;

/// How much faster than its bound code may seem: what rates are told by, and cycles of a sample, is right to some per
/// cent. What is faster than that shows that the bound is wrong.
pub const UNCERTAINTY: f64 = 0.03;

/// How the name of a rate ends that is of instructions which wait for each other.
pub const LATENCY: &str = "_latency";

/// A bound, and what it is made of.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// Core cycles of a message.
    pub cycles: f64,
    /// What that is the sum of, the largest first.
    pub terms: Vec<Term>,
    /// Core cycles if no instruction waited for the result of another; none where that is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_waiting: Option<f64>,
    /// What is taken for granted.
    pub assumes: &'static str,
}

/// Instructions of one kind.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Term {
    /// The name of their rate.
    pub rate: &'static str,
    /// The instruction.
    pub says: &'static str,
    /// How many of them stand one after the other.
    pub count: f64,
    /// Core cycles of each.
    pub each: f64,
}

impl Rates {
    /// What [`Rates::least_cycles`] counts for a message of the cell; none where there is no bound.
    pub fn explain(&self, cell: &Cell) -> Option<Explanation> {
        /// Small beside what rates differ by, and large beside what floats do.
        const STEP: f64 = 1e-7;
        let cycles = self.least_cycles(cell)?;
        // Of ways that take equally long one is explained: no rate is exactly as its neighbour.
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
            // What is less came of rounding.
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

    /// The same, where a chain of instructions goes at the rate of independent ones.
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
        // Sixteen blocks, of which the first and the last are beside others.
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
