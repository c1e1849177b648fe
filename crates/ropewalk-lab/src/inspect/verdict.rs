//! The rules for verdicts, common to all architectures.
//!
//! * **AES and SHA-256 are judged**, since their instructions matter most, and exist on every supported
//!   architecture. An algorithm is present if its instructions are, or otherwise its tables, a function of it
//!   by name, or the credit line of an assembly module. AES needs two of its small tables: its S-box by
//!   itself is also used in random number generators.
//! * **Without code there is no verdict.** A debug file, intermediate code or a truncated file may not show
//!   everything.
//! * **Instructions make it accelerated.** Additional tables do not matter: they are for processors without
//!   instructions. A name that suggests instructions does not matter either, if the code has none.
//! * **AES with its instructions is partly accelerated** if AES-GCM is present without carry-less products:
//!   then GHASH takes more time than AES.
//! * **Vectors without such instructions do not count**: they make code constant-time, and are some five
//!   times slower.
//! * **Go's runtime contains AES**, to hash the keys of its maps. In a Go program AES instructions count only
//!   if a function of Go's AES is present: its names are never stripped.
//! * **A hash by itself is no fault**: if only constants of SHA-256 are found, in a file that is not a known
//!   cryptographic library, it has a portable hash for another purpose.
//! * **C code without optimisation is a fault**, whatever its instructions, if the file records that it was
//!   compiled so.
//! * **Missing newer instructions are a note.** The existing code is fast; the newest processors could do
//!   more.

use serde::Serialize;

use super::{
    elf::{AARCH64, I386, X86_64},
    evidence::Evidence,
    kinds::{Count, Use},
    names::With,
    tables::{S_BOX, WEAK},
};

/// Whether it uses the processor's features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All algorithms that were found do.
    Accelerated,
    /// Some of them do.
    Partly,
    /// None does.
    NotAtAll,
    /// It has its own hash without instructions, and is not a cryptographic library.
    Plain,
    /// It lacks them, and another file in its folder has them: this one is for processors without.
    Fallback,
    /// No algorithm was found.
    NothingFound,
    /// It has no code that could be examined, or not all of it could.
    NoCode,
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
            Self::Fallback => "a fallback",
            Self::NothingFound => "nothing found",
            Self::NoCode => "no code to look into",
        }
    }
}

/// The verdict on one algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// Whether it uses the processor's features.
    pub verdict: Verdict,
    /// The evidence.
    pub why: String,
}

/// The verdict on a file, and the reason.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) why: String,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) notes: Vec<String>,
    /// The verdict and reason with optimisation, if it was compiled without.
    pub(super) optimised: Option<(Verdict, String)>,
}

/// The number of instructions that is not due to chance.
const FEW: u64 = 4;

/// One vector instruction of RISC-V computes a whole product of GHASH.
const FEW_PRODUCTS: u64 = 2;

pub(super) fn judge(architecture: &str, evidence: &Evidence) -> Judged {
    let missing = evidence.objects.why();
    let mut judged = match &missing {
        Some(why) if evidence.objects.have_none() => return no_code(why),
        _ => judge_code(architecture, evidence),
    };
    // Present code was seen; missing code may be in the rest.
    match (missing, judged.verdict) {
        (Some(why), Verdict::Accelerated) => judged.notes.push(format!("not looked into: {why}")),
        (Some(why), _) => return no_code(&why),
        (None, _) => {}
    }
    if evidence.libraries.not_optimised() {
        not_optimised(&mut judged, evidence);
    }
    judged
}

fn no_code(why: &str) -> Judged {
    let verdict = Verdict::NoCode;
    let of = |name| Algorithm { name, verdict, why: "not known".into() };
    let algorithms = vec![of("AES"), of("SHA-256")];
    Judged { verdict, why: why.into(), algorithms, notes: Vec::new(), optimised: None }
}

/// The reason for code that was compiled without optimisation.
const NOT_OPTIMISED: &str = "compiled without optimisation (-O0)";

fn not_optimised(judged: &mut Judged, evidence: &Evidence) {
    match judged.verdict {
        Verdict::NothingFound | Verdict::NoCode | Verdict::Fallback => {}
        // Assembly language is not affected.
        _ if !evidence.modules.is_empty() => {
            judged.notes.push(format!("{NOT_OPTIMISED}: what is not in assembly language is slow"));
        }
        verdict => {
            judged.optimised = Some((verdict, judged.why.clone()));
            judged.verdict = match verdict {
                Verdict::Accelerated => Verdict::Partly,
                Verdict::Plain => Verdict::NotAtAll,
                bad => bad,
            };
            judged.why = format!("{}, {NOT_OPTIMISED}", judged.why);
        }
    }
}

fn judge_code(architecture: &str, evidence: &Evidence) -> Judged {
    let algorithms = vec![aes(evidence), sha256(evidence)];
    let of = |verdict| {
        let of = algorithms.iter().filter(move |algorithm| algorithm.verdict == verdict);
        of.map(|algorithm| algorithm.name).collect::<Vec<_>>()
    };
    let (with, partly, without) =
        (of(Verdict::Accelerated), of(Verdict::Partly), of(Verdict::NotAtAll));
    let listed = |names: &[&str]| names.join(" and ");
    let (verdict, why) = match (with.as_slice(), partly.as_slice(), without.as_slice()) {
        ([], [], []) => (Verdict::NothingFound, "no sign of AES or SHA-256".into()),
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
    Judged { verdict, why, algorithms, notes: notes(architecture, evidence), optimised: None }
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

/// Whether AES instructions are those of Go's runtime.
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

/// Whether constants of SHA-256 are its only known cryptography.
fn is_plain_hash(evidence: &Evidence) -> bool {
    evidence.libraries.names.is_empty()
        && evidence.functions.0.is_empty()
        && evidence.modules.is_empty()
        && evidence.tables.iter().any(|table| table.starts_with("SHA-256 constants"))
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

/// The evidence of an algorithm besides instructions.
fn signs(name: &str, of: Use, evidence: &Evidence) -> Vec<String> {
    let is_it = |text: &&str| text.strip_prefix(name).is_some_and(|rest| !rest.starts_with('-'));
    let weak = evidence.tables.iter().filter(|table| WEAK.contains(table)).count();
    let is_sign = |table: &&str| is_it(table) && (weak > 1 || !WEAK.contains(table));
    let tables = evidence.tables.iter().copied().filter(is_sign).map(str::to_owned);
    let is_it = |text: &&str| {
        is_it(text) || (name == "AES" && (text.contains("Permut") || text.contains("Bit-sliced")))
    };
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

/// Whether there are more than by chance.
pub(super) fn enough(counts: &[Count], of: Use) -> bool {
    count(counts, of) >= FEW
}

/// The most frequent instruction of a purpose.
fn most(evidence: &Evidence, of: Use) -> String {
    let counts = evidence.counts.0.iter().filter(|count| count.of == of);
    let most = counts.max_by_key(|count| count.count);
    most.map(|most| format!("{} {}", most.count, most.instruction)).unwrap_or_default()
}

/// Notes on newer instructions.
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
    let is_old =
        |name: &String| name.starts_with("OpenSSL 3.0.") || name.starts_with("OpenSSL 1.1.");
    if architecture == AARCH64
        && enough(&evidence.counts.0, Use::Aes)
        && evidence.libraries.names.iter().any(is_old)
    {
        notes.push(
            "could be newer: OpenSSL 3.1 and later have a faster AES-GCM for processors with EOR3"
                .into(),
        );
    }
    if weak_alone(evidence) {
        notes.push(
            "an AES S-box alone is no sign of AES: numbers are shuffled with it as well".into(),
        );
    }
    if architecture == AARCH64
        && evidence.tables.contains(&"SHA-512 constants")
        && !enough(&evidence.counts.0, Use::Sha512)
    {
        notes.push("could be newer: SHA-512 without the instructions of Armv8.2".into());
    }
    notes
}

/// Whether an S-box is the only evidence of AES.
fn weak_alone(evidence: &Evidence) -> bool {
    evidence.tables.contains(&S_BOX)
        && !enough(&evidence.counts.0, Use::Aes)
        && signs("AES", Use::Aes, evidence).is_empty()
}
