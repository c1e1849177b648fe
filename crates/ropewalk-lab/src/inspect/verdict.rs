//! What evidence means: the rules, once for every architecture.
//!
//! * **AES and SHA-256 are judged**, for they are what processors have instructions for that matter most, on every
//!   architecture that is told apart. An algorithm is there where its instructions are, or else its tables, a function of
//!   it by name, or the line of a module in assembly language.
//! * **Instructions make it accelerated.** That tables are there as well says nothing: they are for processors without. That
//!   a name speaks of instructions says nothing either, where none are in the code.
//! * **AES with its instructions is in part without them** where AES-GCM is there as well and no carry-less products are:
//!   then GHASH takes more time than AES.
//! * **Vectors without such instructions are none**: they keep time constant, and are some five times slower.
//! * **Go's runtime has AES in it**, for the hashes of its maps. In a program of Go its instructions count where a function
//!   for AES is there that has them: its names are never stripped.
//! * **A hash alone is no fault**: where nothing but constants of SHA-256 is found, in a file that is no library of
//!   cryptography that is known, it has a hash in plain code for what it does besides.
//! * **Newer instructions that are lacking are a note.** What is there is fast; the newest processors could do more.

use serde::Serialize;

use super::{
    elf::{I386, X86_64},
    evidence::Evidence,
    kinds::{Count, Use},
    names::With,
};

/// Whether it uses what a processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// For all that is there and that was looked for.
    Accelerated,
    /// For some of it.
    Partly,
    /// For nothing.
    NotAtAll,
    /// It has a hash of its own without them, and is no library of cryptography.
    Plain,
    /// Nothing was found that could.
    NothingFound,
}

impl Verdict {
    /// Whether it could be faster.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Partly | Self::NotAtAll)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accelerated => "accelerated",
            Self::Partly => "partly accelerated",
            Self::NotAtAll => "not accelerated",
            Self::Plain => "plain code",
            Self::NothingFound => "nothing found",
        }
    }
}

/// What is to be said of one algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// Whether it uses what a processor has for it.
    pub verdict: Verdict,
    /// By what that is known.
    pub why: String,
}

/// The verdict on a file, and why.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) why: String,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) notes: Vec<String>,
}

/// As many instructions say that it is code, and not chance.
const FEW: u64 = 4;

/// A product of GHASH is one instruction where vectors of RISC-V have one for all of it.
const FEW_PRODUCTS: u64 = 2;

pub(super) fn judge(architecture: &str, evidence: &Evidence) -> Judged {
    let algorithms = vec![aes(evidence), sha256(evidence)];
    let of = |verdict| {
        let of = algorithms.iter().filter(move |algorithm| algorithm.verdict == verdict);
        of.map(|algorithm| algorithm.name).collect::<Vec<_>>()
    };
    let (with, partly, without) =
        (of(Verdict::Accelerated), of(Verdict::Partly), of(Verdict::NotAtAll));
    let listed = |names: &[&str]| names.join(" and ");
    let (verdict, why) = match (with.as_slice(), partly.as_slice(), without.as_slice()) {
        ([], [], []) => (Verdict::NothingFound, "neither AES nor SHA-256 is in it".into()),
        (with, [], []) => {
            (Verdict::Accelerated, format!("it has the instructions for {}", listed(with)))
        }
        ([], [], ["SHA-256"]) if is_plain_hash(evidence) => {
            let why =
                "its own SHA-256 without instructions, in no library of cryptography that is known";
            (Verdict::Plain, why.into())
        }
        ([], [], without) => {
            (Verdict::NotAtAll, format!("{}, and no instructions for that", listed(without)))
        }
        (with, [], without) => {
            let (with, without) = (listed(with), listed(without));
            (Verdict::Partly, format!("instructions for {with}, and {without} without any"))
        }
        (_, _, without) => {
            let more = match without {
                [] => String::new(),
                without => format!(", and {} without any", listed(without)),
            };
            (Verdict::Partly, format!("instructions for AES, but none for its GCM{more}"))
        }
    };
    Judged { verdict, why, algorithms, notes: notes(architecture, evidence) }
}

fn aes(evidence: &Evidence) -> Algorithm {
    let name = "AES";
    if !enough(&evidence.counts.0, Use::Aes) || is_hash_of_go(evidence) {
        return without(name, Use::Aes, evidence);
    }
    let gcm = signs("GHASH", Use::Ghash, evidence);
    let by_name = evidence.tables.iter().find(|table| table.starts_with("AES-GCM"));
    let gcm: Vec<String> = gcm.into_iter().chain(by_name.map(|sign| (*sign).into())).collect();
    if gcm.is_empty() || count(&evidence.counts.0, Use::Ghash) >= FEW_PRODUCTS {
        return with(name, Use::Aes, evidence);
    }
    Algorithm {
        name,
        verdict: Verdict::Partly,
        why: format!(
            "{}, and no carry-less products for {}",
            most(evidence, Use::Aes),
            gcm.join(", ")
        ),
    }
}

/// Whether instructions of AES are those of Go's runtime.
fn is_hash_of_go(evidence: &Evidence) -> bool {
    let of_aes = |of| [Use::Aes, Use::Ghash].contains(&of);
    let mut functions = evidence.functions.0.iter();
    evidence.libraries.of_go()
        && !functions.any(|met| of_aes(met.of) && met.with == With::Instructions)
        && !evidence.modules.iter().any(|module| module.starts_with("AES"))
}

fn sha256(evidence: &Evidence) -> Algorithm {
    let name = "SHA-256";
    match enough(&evidence.counts.0, Use::Sha256) {
        true => with(name, Use::Sha256, evidence),
        false => without(name, Use::Sha256, evidence),
    }
}

/// Whether constants of SHA-256 are all that is known of its cryptography.
fn is_plain_hash(evidence: &Evidence) -> bool {
    evidence.libraries.names.is_empty()
        && evidence.functions.0.is_empty()
        && evidence.modules.is_empty()
        && evidence.tables.contains(&"SHA-256 constants")
}

fn with(name: &'static str, of: Use, evidence: &Evidence) -> Algorithm {
    Algorithm { name, verdict: Verdict::Accelerated, why: most(evidence, of) }
}

fn without(name: &'static str, of: Use, evidence: &Evidence) -> Algorithm {
    let signs = signs(name, of, evidence);
    match signs.is_empty() {
        true => Algorithm { name, verdict: Verdict::NothingFound, why: "no sign of it".into() },
        false => Algorithm { name, verdict: Verdict::NotAtAll, why: signs.join(", ") },
    }
}

/// What else than instructions says that an algorithm is there.
fn signs(name: &str, of: Use, evidence: &Evidence) -> Vec<String> {
    let is_it = |text: &&str| text.strip_prefix(name).is_some_and(|rest| !rest.starts_with('-'));
    let tables = evidence.tables.iter().copied().filter(is_it).map(str::to_owned);
    let modules = evidence.modules.iter().map(String::as_str).filter(is_it).take(1);
    let functions = evidence.functions.0.iter().filter(|met| met.of == of);
    let functions = functions.map(|met| match met.with {
        With::Vectors => format!("{} with vectors", met.names[0]),
        With::Instructions | With::Anything => met.names[0].clone(),
    });
    tables.chain(modules.map(str::to_owned)).chain(functions).collect()
}

fn count(counts: &[Count], of: Use) -> u64 {
    counts.iter().filter(|count| count.of == of).map(|count| count.count).sum()
}

/// Whether there are so many that they are no chance.
pub(super) fn enough(counts: &[Count], of: Use) -> bool {
    count(counts, of) >= FEW
}

/// The instruction of a use of which there are most.
fn most(evidence: &Evidence, of: Use) -> String {
    let counts = evidence.counts.0.iter().filter(|count| count.of == of);
    let most = counts.max_by_key(|count| count.count);
    most.map(|most| format!("{} {}", most.count, most.instruction)).unwrap_or_default()
}

/// What could be newer.
fn notes(architecture: &str, evidence: &Evidence) -> Vec<String> {
    let has =
        |start: &str| evidence.counts.0.iter().any(|count| count.instruction.starts_with(start));
    let mut notes = Vec::new();
    if [X86_64, I386].contains(&architecture)
        && enough(&evidence.counts.0, Use::Aes)
        && !has("VAESENC")
    {
        notes.push(
            "could be newer: AES in registers of 128 bits, and none in those of 256 and 512 (VAES)"
                .into(),
        );
    }
    if architecture == super::elf::AARCH64
        && evidence.tables.contains(&"SHA-512 constants")
        && !enough(&evidence.counts.0, Use::Sha512)
    {
        notes.push("could be newer: SHA-512 without the instructions of Armv8.2".into());
    }
    notes
}
