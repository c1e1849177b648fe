//! What a file holds of cryptography: a library or a program, for this machine or for another, which is read and not run.
//!
//! Whether code uses what a processor has for it shows in its instructions. Tables, constants, names of functions and the
//! lines that authors leave in their modules show what else does the same work.

mod aarch64;
mod abi;
mod arm;
mod constants;
mod elf;
mod evidence;
mod file;
mod foreign;
mod kinds;
mod libraries;
mod missing;
mod names;
mod riscv;
mod siblings;
mod tables;
mod verdict;
mod words;
mod x86;

#[cfg(test)]
mod corpus;
#[cfg(test)]
pub(crate) mod made;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, error, fmt};

use serde::Serialize;

use evidence::Evidence;
use file::inspect_alone;
pub use file::{MOST, inspect, of_bytes, of_bytes_at, of_file};
pub use kinds::{Count, Use};
pub use names::{Functions, With};
pub use siblings::Members;
pub use verdict::{Algorithm, Verdict};

use crate::recipes::{self, Abi, Subject};

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What processors it is for.
    pub architecture: &'static str,
    /// What kind of file it is.
    pub form: String,
    /// The libraries it is, or has in it, in their own words.
    pub libraries: Vec<String>,
    /// What it is for besides its processors, where that is known and decides how it is built.
    pub abi: Option<Abi>,
    /// How it was compiled, in its own words.
    pub compiler: Option<String>,
    /// OpenSSL's target that it was configured for, in its own words.
    pub platform: Option<String>,
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
    /// Whether it has data and no code, as a library of tables does.
    #[serde(skip)]
    pub data_alone: bool,
    /// What it would be with optimisation, and why, where it was compiled without.
    #[serde(skip)]
    optimised: Option<(Verdict, String)>,
}

/// A file that is not damaged, but holds no code that can be looked into.
#[derive(Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// Code for another machine, by its name.
    Machine(String),
    /// An archive for linkers without objects.
    NoObjects,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use elf::{AARCH64, ARM, I386, RISCV64, X86_64};
        match self {
            Self::Machine(name) => write!(
                f,
                "for {name}; supported are {X86_64}, {I386}, {AARCH64}, {ARM} and {RISCV64}"
            ),
            Self::NoObjects => write!(f, "an archive without ELF objects"),
        }
    }
}

impl error::Error for Unsupported {}

impl Finding {
    fn new(architecture: &'static str, form: String, mut evidence: Evidence) -> Self {
        evidence.finish();
        let judged = verdict::judge(architecture, &evidence);
        let data_alone = evidence.objects.have_data_alone();
        let libraries = evidence.libraries.names;
        let mut instructions = evidence.counts.0;
        instructions.sort_by_key(|count| Reverse(count.count));
        let mut found = Self {
            architecture,
            form,
            libraries,
            abi: evidence.abi,
            compiler: evidence.libraries.compiler,
            platform: evidence.libraries.platform,
            instructions,
            functions: evidence.functions.0,
            modules: evidence.modules,
            tables: evidence.tables,
            verdict: judged.verdict,
            why: judged.why,
            algorithms: judged.algorithms,
            notes: judged.notes,
            remedy: None,
            data_alone,
            optimised: judged.optimised,
        };
        let flags = found.optimised.is_some().then(|| "compile it with -O2 or more".to_owned());
        let remedies: Vec<String> = flags.into_iter().chain(found.remedy_as(None)).collect();
        found.remedy = (!remedies.is_empty()).then(|| remedies.join("; "));
        found
    }

    /// What to do about its instructions, where it is the library that it is said to be, or by its own words.
    pub fn remedy_as(&self, said: Option<&str>) -> Option<String> {
        if !self.by_instructions().0.is_bad() {
            return None;
        }
        Some(recipes::remedy(&Subject {
            architecture: self.architecture,
            abi: self.abi,
            library: said.or(self.library()),
            lacking: &lacking(&self.algorithms),
            has_assembly: !self.modules.is_empty(),
            platform: self.platform.as_deref(),
        }))
    }

    /// The verdict, and why, whatever the compiler was given.
    pub fn by_instructions(&self) -> (Verdict, &str) {
        match &self.optimised {
            Some((verdict, why)) => (*verdict, why),
            None => (self.verdict, &self.why),
        }
    }

    /// Whether it could be better: what is nowhere to be had is no fault.
    pub fn is_fault(&self) -> bool {
        self.verdict.is_bad() && (self.optimised.is_some() || !self.is_all_there_is())
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
