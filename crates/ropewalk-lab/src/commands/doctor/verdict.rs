//! Whether a library is as fast as this processor allows, and the remedy if not.

use serde::Serialize;

use super::{
    measured::{Speed, Times},
    newer::{in_no_version, newer},
};
use crate::{
    inspect::{Use, Verdict as InFile},
    machine::masks::Mask,
};

/// The judgement on a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// The reason, with its slowdown.
    pub(super) why: String,
    /// What keeps it from being faster; none if it is as fast as possible, or not known.
    pub(super) cause: Option<Cause>,
    /// The remedy.
    pub(super) remedy: Option<String>,
}

impl Judgement {
    /// Whether it can be mended here.
    pub(super) fn is_fault(&self) -> bool {
        self.cause.is_some_and(Cause::is_fault)
    }

    /// Whether another library or version would be faster, without a fault here.
    pub(super) fn could_be_faster(&self) -> bool {
        matches!(self.cause, Some(Cause::Old | Cause::Unknown))
    }
}

/// What keeps a library from being faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    /// It gives wrong answers.
    WrongAnswers,
    /// A setting hides instructions from it.
    Masked,
    /// It was compiled without optimisation.
    Unoptimised,
    /// Its code for this processor was left out of the build.
    LeftOut,
    /// It has the code, and does not use it.
    Unused,
    /// A later version is faster.
    Old,
    /// No released version is faster.
    NoRelease,
    /// It is slower for an unknown reason.
    Unknown,
}

impl Cause {
    /// Whether it can be mended without another version.
    pub(super) fn is_fault(self) -> bool {
        self.rank() == 0
    }

    fn rank(self) -> u8 {
        match self {
            Self::Old => 1,
            Self::Unknown => 2,
            Self::NoRelease => 3,
            _ => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// As fast as possible, as far as examined.
    Good,
    /// It uses the processor's features, and is slower than possible.
    Slower,
    /// It does not use the processor's features.
    NotAccelerated,
    /// It gives wrong answers.
    Wrong,
    /// There was nothing to judge.
    NotTold,
}

impl Verdict {
    fn is_bad(self) -> bool {
        matches!(self, Self::Slower | Self::NotAccelerated | Self::Wrong)
    }

    /// In a word or two.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Slower => "slower",
            Self::NotAccelerated => "not accelerated",
            Self::Wrong => "WRONG",
            Self::NotTold => "not known",
        }
    }
}

/// The facts about a library.
#[derive(Default)]
pub(super) struct Case<'a> {
    pub(super) version: Option<&'a str>,
    pub(super) compiler: Option<&'a str>,
    pub(super) contains: Option<Content>,
    pub(super) speeds: &'a [Speed],
    /// The masks that are set and that it reads.
    pub(super) masks: &'a [&'a Mask],
    /// The processor's features, as `rustc` spells them.
    pub(super) features: &'a [&'static str],
}

/// The contents of its file.
#[derive(Clone)]
pub(super) struct Content {
    pub(super) verdict: InFile,
    pub(super) why: String,
    pub(super) remedy: Option<String>,
    /// The purposes of its instructions.
    pub(super) instructions: Vec<Use>,
}

/// The newest versions of libraries with code for a processor are within a third of each other on long
/// messages; a factor of 1.5 is not a difference of design.
const SLOWER: f64 = 1.5;

/// Judges a library.
pub(super) fn judge(case: &Case<'_>) -> Judgement {
    let wrong = case.speeds.iter().find(|speed| speed.wrong);
    if let Some(speed) = wrong {
        return Judgement {
            verdict: Verdict::Wrong,
            why: format!("its answer is wrong at {}", speed.task),
            cause: Some(Cause::WrongAnswers),
            remedy: Some("do not use it, and tell its makers".into()),
        };
    }
    match case.speeds.iter().any(|speed| speed.mb_per_s.is_some()) {
        true => by_speed(case),
        false => by_content(case),
    }
}

/// Judges a library that was measured.
fn by_speed(case: &Case<'_>) -> Judgement {
    let mut slow: Vec<(&Speed, Times)> = case
        .speeds
        .iter()
        .filter_map(|speed| Some((speed, speed.slower?)))
        .filter(|(_, slower)| slower.beyond_noise && slower.times >= SLOWER)
        .collect();
    slow.sort_by(|(_, a), (_, b)| b.times.total_cmp(&a.times));
    let uses = || case.speeds.iter().flat_map(|speed| &speed.uses);
    let unused = uses().find(|uses| {
        matters(uses.feature)
            && uses.used() == Some(false)
            && slow.iter().any(|(s, _)| s.uses.contains(uses))
    });
    let Some(&(worst, _)) = slow.first() else {
        let known = uses().any(|uses| uses.used() == Some(true));
        let why = match known {
            true => "it uses what this processor has".into(),
            false => format!("no more than {SLOWER} times slower than this processor can"),
        };
        return Judgement { verdict: Verdict::Good, why, cause: None, remedy: None };
    };
    let by_how_much: Vec<String> = slow
        .iter()
        .map(|(speed, times)| format!("{} slower at {}", factor(times.times), name(&speed.task)))
        .collect();
    let (verdict, start) = match unused {
        Some(unused) => {
            (Verdict::NotAccelerated, format!("does not use the {}, and is", unused.instructions))
        }
        None if slow.iter().any(|(speed, _)| is_built_without(case, speed)) => {
            match case.speeds.iter().all(|speed| lacking(case, &speed.task).is_some()) {
                true => (Verdict::NotAccelerated, "not accelerated, and".into()),
                false => (Verdict::Slower, "accelerated in part, and".into()),
            }
        }
        None => (Verdict::Slower, "accelerated, and".into()),
    };
    let start = format!("{start} {} than this processor can", by_how_much.join(", "));
    // Faults that can be mended take precedence, whichever task is the slowest.
    let causes = slow.iter().map(|(speed, _)| cause(case, &speed.task));
    let Found { cause, why, remedy } =
        causes.min_by_key(|found| found.cause.rank()).unwrap_or_else(|| cause(case, &worst.task));
    // Instructions that are missing in every release cannot be used.
    let cause = match (cause, unused) {
        (Cause::Old | Cause::Unknown, Some(_)) => Cause::Unused,
        (cause, _) => cause,
    };
    let why = why.map_or(start.clone(), |why| format!("{start}: {why}"));
    Judgement { verdict, why, cause: Some(cause), remedy: Some(remedy) }
}

/// Judges a library that was not measured.
fn by_content(case: &Case<'_>) -> Judgement {
    let told = |verdict, why: String, cause, remedy| Judgement { verdict, why, cause, remedy };
    let visible = visible_cause(case);
    let lacks = case.contains.as_ref().is_some_and(|contains| contains.verdict.is_bad());
    if let Some(Visible { cause, why, remedy }) =
        visible.clone().filter(|_| !(lacks && case.masks.is_empty()))
    {
        return told(Verdict::Slower, why, Some(cause), Some(remedy));
    }
    let Some(contains) = &case.contains else {
        return told(Verdict::NotTold, "its file cannot be told".into(), None, None);
    };
    let verdict = match contains.verdict {
        InFile::Accelerated => Verdict::Good,
        InFile::Partly => Verdict::Slower,
        InFile::NotAtAll | InFile::Plain => Verdict::NotAccelerated,
        InFile::NothingFound | InFile::Fallback | InFile::NoCode => Verdict::NotTold,
    };
    if let (InFile::Accelerated, Some((cause, remedy))) =
        (contains.verdict, newer(case.version, case.features, None))
    {
        let cause = format!("{cause}; not measured");
        return told(Verdict::Slower, cause, Some(Cause::Old), Some(remedy));
    }
    let (flags, more) = visible.map(|visible| (visible.why, visible.remedy)).unzip();
    let join = |parts: [Option<String>; 2], between: &str| {
        parts.into_iter().flatten().collect::<Vec<_>>().join(between)
    };
    let why = join([Some(contains.why.clone()), flags], ", and ");
    let remedy = join([contains.remedy.clone(), more], "; ");
    let remedy = Some(remedy).filter(|remedy| verdict.is_bad() && !remedy.is_empty());
    let cause = verdict.is_bad().then_some(Cause::LeftOut);
    told(verdict, format!("{why}; not measured"), cause, remedy)
}

/// The cause of slowness at a task, and the remedy.
struct Found {
    cause: Cause,
    /// In words, if known.
    why: Option<String>,
    remedy: String,
}

impl Found {
    fn new(cause: Cause, why: String, remedy: String) -> Self {
        Self { cause, why: Some(why), remedy }
    }
}

fn cause(case: &Case<'_>, task: &str) -> Found {
    let visible = visible_cause(case);
    let name = if use_of(task) == Use::Sha256 { "SHA-256" } else { "AES" };
    if let Some(contains) = lacking(case, task) {
        let again = "build it again with its code for this processor (OpenSSL: without no-asm)";
        let remedy = contains.remedy.clone().unwrap_or_else(|| again.into());
        let (cause, why) = match contains.verdict {
            // All instructions of this library are present.
            InFile::Accelerated => {
                (Cause::NoRelease, format!("it has no instructions for {name} in any build"))
            }
            _ => (Cause::LeftOut, format!("it was built without its instructions for {name}")),
        };
        return match visible {
            // Absent instructions cannot be hidden.
            Some(flags) if case.masks.is_empty() => Found::new(
                flags.cause,
                format!("{why}, and {}", flags.why),
                format!("{remedy}; {}", flags.remedy),
            ),
            _ => Found::new(cause, why, remedy),
        };
    }
    let later = newer(case.version, case.features, Some(task));
    let later = later.map(|(why, remedy)| Found::new(Cause::Old, why, remedy));
    let none = || in_no_version(case.version, case.features, task);
    let none = || none().map(|(why, remedy)| Found::new(Cause::NoRelease, why, remedy));
    match (visible, later.or_else(none)) {
        // Flags do not add code that a version lacks.
        (Some(flags), Some(Found { why: Some(why), remedy, .. })) if case.masks.is_empty() => {
            Found::new(
                flags.cause,
                format!("{}, and {why}", flags.why),
                format!("{}; {remedy}", flags.remedy),
            )
        }
        (Some(Visible { cause, why, remedy }), _) => Found::new(cause, why, remedy),
        (None, Some(known)) => known,
        (None, None) => Found {
            cause: Cause::Unknown,
            why: None,
            remedy: format!("`ropewalk speed {task}` shows which library here is the fastest"),
        },
    }
}

/// The contents of a file that lacks the instructions for a task.
fn lacking<'a>(case: &'a Case<'_>, task: &str) -> Option<&'a Content> {
    case.contains.as_ref().filter(|contains| !contains.instructions.contains(&use_of(task)))
}

fn use_of(task: &str) -> Use {
    if task.starts_with("sha") { Use::Sha256 } else { Use::Aes }
}

/// Whether only the file shows that the instructions for a task are not used: nothing could be hidden from
/// the library.
fn is_built_without(case: &Case<'_>, speed: &Speed) -> bool {
    speed.uses.iter().all(|uses| uses.used().is_none()) && lacking(case, &speed.task).is_some()
}

/// A cause that needs no measurement, and the remedy.
#[derive(Clone)]
struct Visible {
    cause: Cause,
    why: String,
    remedy: String,
}

fn visible_cause(case: &Case<'_>) -> Option<Visible> {
    if let Some(mask) = case.masks.first() {
        let why = format!("{} hides processor features from it", mask.name);
        return Some(Visible { cause: Cause::Masked, why, remedy: mask.remedy() });
    }
    // The last flag takes effect.
    let level = case.compiler?.split_whitespace().rfind(|flag| flag.starts_with("-O"));
    (level == Some("-O0")).then(|| Visible {
        cause: Cause::Unoptimised,
        why: "it was compiled with -O0".into(),
        remedy: "compile it with -O2 or more, as is usual".into(),
    })
}

/// Whether a library that does not use it cannot be called accelerated; wider vectors do not count.
fn matters(feature: &str) -> bool {
    ["aes", "sha", "sha2"].contains(&feature)
}

/// `2.6 times`, or `21 times`.
pub(super) fn factor(times: f64) -> String {
    let digits = if times < 9.95 { 1 } else { 0 };
    format!("{times:.digits$} times")
}

/// `AES-128-GCM`, of `aes-128-gcm/seal`.
pub(super) fn name(task: &str) -> String {
    let name = task.split('/').next().unwrap_or(task).to_uppercase();
    if name == "SHA256" { "SHA-256".into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::measured::Uses;

    const ZEN_4: &[&str] = &[
        "aes",
        "sha",
        "vaes",
        "vpclmulqdq",
        "avx2",
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vl",
    ];

    fn times(times: f64) -> Option<Times> {
        Some(Times { times, beyond_noise: true })
    }

    /// Speeds at AES-GCM and SHA-256, and the effect of hiding AES instructions.
    fn speeds(gcm: f64, sha: f64, aes: f64) -> Vec<Speed> {
        let uses = |instructions, feature, by| Uses {
            instructions,
            feature,
            faster: times(by),
            note: None,
        };
        let speed = |task: &str, slower, uses| Speed {
            task: task.into(),
            mb_per_s: Some(1000.0),
            slower: times(slower),
            uses,
            ..Speed::default()
        };
        vec![
            speed(
                "aes-128-gcm/seal",
                gcm,
                vec![uses("AES instructions", "aes", aes), uses("VAES", "vaes", 1.0)],
            ),
            speed("sha256/digest", sha, vec![uses("SHA instructions", "sha", 5.0)]),
        ]
    }

    fn content(verdict: InFile, instructions: &[Use]) -> Content {
        Content {
            verdict,
            why: "as it is".into(),
            remedy: None,
            instructions: instructions.to_vec(),
        }
    }

    fn case<'a>(version: &'a str, speeds: &'a [Speed]) -> Case<'a> {
        Case { version: Some(version), speeds, features: ZEN_4, ..Case::default() }
    }

    #[test]
    fn causes_and_remedies() {
        let slow = speeds(2.6, 1.0, 21.0);
        let old = judge(&case("OpenSSL 3.0.19 27 Jan 2026", &slow));
        assert_eq!(old.verdict, Verdict::Slower);
        assert_eq!((old.cause, old.is_fault()), (Some(Cause::Old), false));
        assert_eq!(
            old.why,
            "accelerated, and 2.6 times slower at AES-128-GCM than this processor can: OpenSSL 3.1 and later \
             have AES-GCM on 512 bits, with VAES"
        );
        assert_eq!(old.remedy.as_deref(), Some("install OpenSSL 3.1 or later"));

        // A newer version has no such excuse, nor a processor without those instructions.
        let new = judge(&case("OpenSSL 4.0.3", &slow));
        assert!(
            !new.why.contains(':') && new.remedy.unwrap().contains("ropewalk speed"),
            "{}",
            new.why
        );
        let elsewhere = judge(&Case { features: &["aes"], ..case("OpenSSL 3.0.19", &slow) });
        assert!(!elsewhere.why.contains(':'), "{}", elsewhere.why);

        let flags = Some("gcc -O2 -Wall -O0");
        let unoptimised = judge(&Case { compiler: flags, ..case("OpenSSL 3.0.19", &slow) });
        let both = ": it was compiled with -O0, and OpenSSL 3.1 and later have AES-GCM on 512 bits, with VAES";
        assert!(unoptimised.why.ends_with(both), "{}", unoptimised.why);
        let remedy = "compile it with -O2 or more, as is usual; install OpenSSL 3.1 or later";
        assert_eq!(unoptimised.remedy.as_deref(), Some(remedy));
        let flags = Some("gcc -O0 -Wall -O3");
        assert_eq!(judge(&Case { compiler: flags, ..case("OpenSSL 3.0.19", &slow) }), old);

        let set = crate::machine::masks::in_environment([(
            "OPENSSL_ia32cap".as_ref(),
            "~0x200000000000000".as_ref(),
        )]);
        let masks: Vec<&Mask> = set.iter().collect();
        let masked = judge(&Case { masks: &masks, ..case("OpenSSL 3.0.19", &slow) });
        assert_eq!(masked.remedy.as_deref(), Some("unset OPENSSL_ia32cap"));
        assert_eq!(masked.cause, Some(Cause::Masked));

        let (slow_sha, aes) = (speeds(1.0, 4.8, 21.0), content(InFile::Accelerated, &[Use::Aes]));
        let no_build = judge(&Case { contains: Some(aes), ..case("libsodium 1.0.18", &slow_sha) });
        assert!(no_build.why.ends_with("no instructions for SHA-256 in any build"), "{no_build:?}");
        assert_eq!((no_build.cause, no_build.is_fault()), (Some(Cause::NoRelease), false));
        assert!(!no_build.could_be_faster());

        let (slow, plain) = (speeds(40.0, 1.0, 1.0), content(InFile::NotAtAll, &[]));
        let no_asm = judge(&Case { contains: Some(plain), ..case("OpenSSL 3.0.19", &slow) });
        assert_eq!(no_asm.verdict, Verdict::NotAccelerated);
        assert_eq!(no_asm.cause, Some(Cause::LeftOut));
        assert!(
            no_asm.why.starts_with("does not use the AES instructions, and is 40 times"),
            "{}",
            no_asm.why
        );
        assert!(no_asm.remedy.unwrap().contains("no-asm"));
        let plain = content(InFile::NotAtAll, &[]);
        let case = case("nettle 3.8", &slow);
        let both = judge(&Case { contains: Some(plain), compiler: Some("GNU C99 -O0"), ..case });
        let end = "built without its instructions for AES, and it was compiled with -O0";
        assert!(both.why.ends_with(end), "{}", both.why);
        assert!(both.remedy.unwrap().ends_with("; compile it with -O2 or more, as is usual"));
    }

    /// A library that cannot be masked.
    #[test]
    fn what_cannot_be_hidden_is_told_by_the_file() {
        let mut slow = speeds(21.0, 1.0, 1.0);
        for uses in slow.iter_mut().flat_map(|speed| &mut speed.uses) {
            uses.faster = None;
        }
        let judged = |speeds: &[Speed], verdict, instructions: &[Use]| {
            let contains = Some(content(verdict, instructions));
            judge(&Case { contains, ..case("wolfSSL 5.5.4", speeds) })
        };
        let of = |verdict, instructions: &[Use]| judged(&slow, verdict, instructions);
        let plain = of(InFile::NotAtAll, &[]);
        assert_eq!(plain.verdict, Verdict::NotAccelerated);
        assert_eq!(
            plain.why,
            "not accelerated, and 21 times slower at AES-128-GCM than this processor can: it was built without its \
             instructions for AES"
        );
        assert_eq!(of(InFile::Accelerated, &[Use::Aes]).verdict, Verdict::Slower);

        // It has instructions for one algorithm, and is slow at the other because it lacks them.
        let mut of_sha = slow.clone();
        for speed in &mut of_sha {
            let times = if speed.task.starts_with("sha") { 5.0 } else { 1.0 };
            speed.slower = Some(Times { times, beyond_noise: true });
        }
        let part = judged(&of_sha, InFile::Accelerated, &[Use::Aes]);
        assert_eq!(part.verdict, Verdict::Slower);
        assert!(
            part.why.starts_with("accelerated in part, and 5.0 times slower at SHA-256"),
            "{}",
            part.why
        );
    }

    #[test]
    fn what_is_fast_is_good() {
        let fast = judge(&case("OpenSSL 4.0.3", &speeds(1.2, 1.0, 21.0)));
        assert_eq!(fast.verdict, Verdict::Good);
        assert_eq!((fast.remedy, fast.cause), (None, None));
        let mut noisy = speeds(2.6, 1.0, 21.0);
        noisy[0].slower = Some(Times { times: 2.6, beyond_noise: false });
        assert_eq!(judge(&case("OpenSSL 3.0.19", &noisy)).verdict, Verdict::Good);
    }

    #[test]
    fn wrong_answers_are_worse_than_slow_ones() {
        let mut speeds = speeds(2.6, 1.0, 21.0);
        speeds[1].wrong = true;
        let judged = judge(&case("OpenSSL 3.0.19", &speeds));
        assert_eq!(judged.verdict, Verdict::Wrong);
        assert!(judged.why.contains("sha256/digest"));
    }

    #[test]
    fn what_was_not_measured_goes_by_its_file() {
        let accelerated = content(InFile::Accelerated, &[Use::Aes]);
        let old = Case { contains: Some(accelerated.clone()), ..case("OpenSSL 3.0.19", &[]) };
        let judged = judge(&old);
        assert_eq!(judged.verdict, Verdict::Slower);
        assert!(judged.why.starts_with("OpenSSL 3.1 and later have"), "{}", judged.why);
        assert_eq!(judge(&Case { features: &["aes"], ..old }).verdict, Verdict::Good);
        let judged = judge(&Case { contains: Some(accelerated), ..Case::default() });
        assert_eq!(judged.verdict, Verdict::Good);
        assert_eq!(judged.why, "as it is; not measured");
        let plain = content(InFile::NotAtAll, &[]);
        let judged = judge(&Case { contains: Some(plain), ..Case::default() });
        assert_eq!(judged.verdict, Verdict::NotAccelerated);
        let (flags, plain) = (Some("GNU C99 -O0"), content(InFile::NotAtAll, &[]));
        let both = judge(&Case { contains: Some(plain), compiler: flags, ..Case::default() });
        assert_eq!(both.verdict, Verdict::NotAccelerated);
        assert_eq!(both.why, "as it is, and it was compiled with -O0; not measured");
        assert!(both.remedy.unwrap().starts_with("compile it with -O2"));
        // A library with all existing instructions is good, even if others are faster.
        let good = content(InFile::Accelerated, &[Use::Aes]);
        let good = Content { remedy: Some("have another do it".into()), ..good };
        assert_eq!(judge(&Case { contains: Some(good), ..Case::default() }).remedy, None);
        assert_eq!(judge(&Case::default()).verdict, Verdict::NotTold);
    }

    #[test]
    fn factors() {
        assert_eq!(factor(2.62), "2.6 times");
        assert_eq!(factor(21.4), "21 times");
    }
}
