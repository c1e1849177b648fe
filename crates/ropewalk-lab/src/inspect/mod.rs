//! What a file holds of cryptography: a library or a program, for this machine or for another, which is read and not run.
//!
//! Whether code uses what a processor has for it shows in its instructions. Tables, constants, names of functions and the
//! lines that authors leave in their modules show what else does the same work.

mod aarch64;
mod arm;
mod elf;
mod evidence;
mod file;
mod kinds;
mod libraries;
mod names;
mod riscv;
mod tables;
mod verdict;
mod words;
mod x86;

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use serde::Serialize;

use evidence::Evidence;
pub use file::{MOST, inspect, of_bytes};
pub use kinds::{Count, Use};
pub use names::{Functions, With};
pub use verdict::{Algorithm, Verdict};

use crate::recipes;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What processors it is for.
    pub architecture: &'static str,
    /// What kind of file it is.
    pub form: String,
    /// The libraries it is, or has in it, in their own words.
    pub libraries: Vec<String>,
    /// How it was compiled, in its own words.
    pub compiler: Option<String>,
    /// Instructions that are there for cryptography.
    pub instructions: Vec<Count>,
    /// Functions that are there for it, by their names.
    pub functions: Vec<Functions>,
    /// Modules in assembly language, by the lines that their authors left in them.
    pub modules: Vec<String>,
    /// Tables and constants of algorithms.
    pub tables: Vec<&'static str>,
    /// What that means.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
    /// What it means for each algorithm.
    pub algorithms: Vec<Algorithm>,
    /// What else there is to say, which is no fault.
    pub notes: Vec<String>,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Finding {
    fn new(architecture: &'static str, form: String, evidence: Evidence) -> Self {
        let judged = verdict::judge(architecture, &evidence);
        let libraries = evidence.libraries.names;
        let mut instructions = evidence.counts.0;
        instructions.sort_by_key(|count| Reverse(count.count));
        let mut found = Self {
            architecture,
            form,
            libraries,
            compiler: evidence.libraries.compiler,
            instructions,
            functions: evidence.functions.0,
            modules: evidence.modules,
            tables: evidence.tables,
            verdict: judged.verdict,
            why: judged.why,
            algorithms: judged.algorithms,
            notes: judged.notes,
            remedy: None,
        };
        found.remedy = found.remedy_as(None);
        found
    }

    /// What to do about it, where it is the library that it is said to be, or by its own words.
    pub fn remedy_as(&self, said: Option<&str>) -> Option<String> {
        let lacking = lacking(&self.algorithms);
        let library = said.or(self.library());
        self.verdict.is_bad().then(|| recipes::remedy(self.architecture, library, &lacking))
    }

    /// Whether no build of the library has more instructions than this one.
    pub fn is_all_there_is(&self) -> bool {
        recipes::is_all_there_is(self.architecture, self.library(), &lacking(&self.algorithms))
    }

    /// Whether it has instructions for this, and not one or two by chance.
    pub fn has(&self, of: Use) -> bool {
        verdict::enough(&self.instructions, of)
    }

    /// The library that is known best, of those it is or has in it.
    pub fn library(&self) -> Option<&str> {
        self.libraries.first().map(String::as_str)
    }
}

/// The algorithms that are in a file without all of their instructions.
fn lacking(algorithms: &[Algorithm]) -> Vec<&'static str> {
    let lacking = algorithms.iter().filter(|algorithm| algorithm.verdict.is_bad());
    lacking.map(|algorithm| algorithm.name).collect()
}
