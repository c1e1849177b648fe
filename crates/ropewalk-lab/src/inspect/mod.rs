//! The cryptography in a file: a library or a program, for this machine or for another, which is read and not
//! run.
//!
//! The instructions show whether code uses the processor's features. Tables, constants, names of functions
//! and the credit lines in modules show what other code does the same work.

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

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The architecture.
    pub architecture: &'static str,
    /// The type of the file.
    pub form: String,
    /// The libraries that it is or contains, by their version strings.
    pub libraries: Vec<String>,
    /// The target besides the processor, if it is known and affects how the file is built.
    pub abi: Option<Abi>,
    /// The compiler flags, as recorded.
    pub compiler: Option<String>,
    /// The target that OpenSSL was configured for, as recorded.
    pub platform: Option<String>,
    /// Instructions for cryptography.
    pub instructions: Vec<Count>,
    /// Functions for it, by their names.
    pub functions: Vec<Functions>,
    /// Modules in assembly language, by the credit lines of their authors.
    pub modules: Vec<String>,
    /// Tables and constants of algorithms.
    pub tables: Vec<&'static str>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason.
    pub why: String,
    /// The verdict on each algorithm.
    pub algorithms: Vec<Algorithm>,
    /// Notes, which are not faults.
    pub notes: Vec<String>,
    /// The remedy.
    pub remedy: Option<String>,
    /// Whether it has data and no code, like a library of tables.
    #[serde(skip)]
    pub data_alone: bool,
    /// The verdict and reason with optimisation, if it was compiled without.
    #[serde(skip)]
    optimised: Option<(Verdict, String)>,
}

/// A file that is not damaged, but has no code that can be examined.
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

    /// The remedy for its instructions, for the library of that name, or of its own version string.
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

    /// The verdict and the reason, without regard to compiler flags.
    pub fn by_instructions(&self) -> (Verdict, &str) {
        match &self.optimised {
            Some((verdict, why)) => (*verdict, why),
            None => (self.verdict, &self.why),
        }
    }

    /// Whether it could be better: missing code that exists nowhere is not a fault.
    pub fn is_fault(&self) -> bool {
        self.verdict.is_bad() && (self.optimised.is_some() || !self.is_all_there_is())
    }

    /// Whether no build of the library has more instructions than this one.
    pub fn is_all_there_is(&self) -> bool {
        recipes::is_all_there_is(self.architecture, self.library(), &lacking(&self.algorithms))
    }

    /// Whether it has instructions for this, more than one or two by chance.
    pub fn has(&self, of: Use) -> bool {
        verdict::enough(&self.instructions, of)
    }

    /// The best identified library that it is or contains.
    pub fn library(&self) -> Option<&str> {
        self.libraries.first().map(String::as_str)
    }
}

/// The algorithms in a file that lack some of their instructions.
fn lacking(algorithms: &[Algorithm]) -> Vec<&'static str> {
    let lacking = algorithms.iter().filter(|algorithm| algorithm.verdict.is_bad());
    lacking.map(|algorithm| algorithm.name).collect()
}
