//! `cargo xtask verdicts`: checks `ropewalk doctor FILE` with files whose contents are known.
//!
//! The expected verdicts are in `cases.rs`, with their independent evidence. If a disassembler is available, it
//! counts the same instructions.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{process, stage::CannotRun};

mod answers;
mod built;
mod cases;
mod debian;
mod disassembly;
mod wheel;

use cases::{CASES, Case, Source};

/// The exit code of the doctor when it has found a fault.
const WRONG: i32 = 4;

/// Runs the doctor on every file, or on the small ones.
///
/// # Errors
/// Fails if a verdict is wrong, or a file cannot be fetched: that is [`CannotRun`] if nothing else is wrong.
pub fn run(root: &Path, all: bool, doctor: Option<PathBuf>) -> Result<()> {
    let doctor = doctor.map_or_else(|| built_doctor(root), Ok)?;
    let mut sources = Sources::new(root);
    let (mut wrong, mut lacking) = (Vec::new(), Vec::new());
    for case in CASES.iter().filter(|case| all || !case.is_large()) {
        let title = case.title();
        println!("{title}");
        match look(case, &doctor, &mut sources, all) {
            Ok(complaints) if complaints.is_empty() => {}
            Ok(complaints) => {
                complaints.iter().for_each(|complaint| println!("    WRONG: {complaint}"));
                wrong.push(title);
            }
            Err(error) => {
                println!("    not known: {error:#}");
                lacking.push(title);
            }
        }
    }
    ensure!(wrong.is_empty(), "the doctor is wrong about {}", wrong.join("; "));
    if !lacking.is_empty() {
        return Err(CannotRun(format!("not known: {}", lacking.join("; "))).into());
    }
    Ok(())
}

/// The errors of the doctor for one file.
///
/// # Errors
/// Fails if the file cannot be fetched, or the reference tools cannot run.
fn look(case: &Case, doctor: &Path, sources: &mut Sources<'_>, all: bool) -> Result<Vec<String>> {
    let file = sources.file(case)?;
    let start = Instant::now();
    let answer = match ask(doctor, &file) {
        Ok(answer) => answer,
        Err(error) => return Ok(vec![format!("{error:#}")]),
    };
    println!("    {} ({:.1} s)", summary(&answer.finding), start.elapsed().as_secs_f64());
    let mut complaints = case.complaints(&answer);
    if all {
        complaints.extend(sources.proofs(case, &file, &answer.finding)?);
    }
    Ok(complaints)
}

/// The table of files and verdicts for the documentation.
pub fn table() -> String {
    let mut text = "| file | for | library | verdict | evidence | other evidence | in |\n\
                    | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_string();
    for case in CASES {
        let evidence: Vec<_> = case.evidence.iter().map(|it| format!("`{it}`")).collect();
        let library = match (case.library, case.version) {
            ("", _) => "none".into(),
            (library, version) => format!("{library} {version}").trim_end().to_string(),
        };
        text += &format!(
            "| {} | {} | {library} | {} | {} | {} | `{}` |\n",
            case.name,
            case.machine.name(),
            case.verdict.words(),
            if evidence.is_empty() { "nothing".into() } else { evidence.join(", ") },
            case.known,
            if case.is_large() { "deep" } else { "test" },
        );
    }
    text
}

/// The command of the tests: it is built with them, and with their optimisation.
fn built_doctor(root: &Path) -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--workspace", "--no-run"]).current_dir(root);
    let programs = process::executables(&mut cargo, |artifact| {
        artifact.target.is_bin() && artifact.target.name == "ropewalk" && !artifact.profile.test
    })?;
    programs.into_iter().next().context("cargo built no command ropewalk")
}

/// The output of the doctor.
struct Answer {
    finding: Value,
    code: Option<i32>,
}

fn ask(doctor: &Path, file: &Path) -> Result<Answer> {
    let output =
        Command::new(doctor).args(["doctor", "--json", "--no-follow"]).arg(file).output()?;
    let mut findings: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let finding = findings[0].take();
    if let Some(error) = finding["error"].as_str() {
        bail!("not told: {error}");
    }
    Ok(Answer { finding, code: output.status.code() })
}

/// The verdict, and the libraries.
fn summary(finding: &Value) -> String {
    let mut words = vec![finding["verdict"].as_str().unwrap_or("no verdict")];
    words.extend(strings(&finding["libraries"]));
    words.join(", ")
}

impl Case {
    fn title(&self) -> String {
        format!("{}, {}", self.name, self.machine.name())
    }

    fn is_large(&self) -> bool {
        !matches!(self.source, Source::Debian { large: false, .. })
    }

    /// The errors in an answer.
    fn complaints(&self, answer: &Answer) -> Vec<String> {
        let Answer { finding, code } = answer;
        let mut complaints = Vec::new();
        let mut same = |what: &str, said: &str, right: &str| {
            if said != right {
                complaints.push(format!("{what}: {said}, expected {right}"));
            }
        };
        let said = |field: &str| finding[field].as_str().unwrap_or_default();
        same("architecture", said("architecture"), self.machine.name());
        same("verdict", said("verdict"), self.verdict.said());
        let right = if self.verdict.is_bad() { WRONG } else { 0 };
        let code = code.map_or("none".into(), |code| code.to_string());
        same("exit code", &code, &right.to_string());
        if self.verdict.is_bad() == finding["remedy"].is_null() {
            complaints.push(format!("remedy: {}", finding["remedy"]));
        }

        let libraries = strings(&finding["libraries"]);
        match self.library {
            "" if libraries.is_empty() => {}
            "" => complaints.push(format!("library: {libraries:?}, expected none")),
            library if libraries.iter().any(|it| it.starts_with(library)) => {}
            library => complaints.push(format!("library: {libraries:?}, expected {library}")),
        }
        let everything = strings(finding);
        for evidence in self.evidence {
            if !everything.iter().any(|it| it.contains(evidence)) {
                complaints.push(format!("evidence: no {evidence}"));
            }
        }
        complaints
    }
}

/// Every string below a value.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(strings).collect(),
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// The sources of files; their requirements are fetched on first use.
struct Sources<'a> {
    debian: debian::Packages<'a>,
    built: built::Builds<'a>,
    root: &'a Path,
}

impl<'a> Sources<'a> {
    fn new(root: &'a Path) -> Self {
        Self { debian: debian::Packages::new(root), built: built::Builds::new(root), root }
    }

    fn file(&mut self, case: &Case) -> Result<PathBuf> {
        match case.source {
            Source::Debian { package, file, .. } => self.debian.file(package, file, case.machine),
            Source::OpenSsl { assembly } => self.built.openssl(case.machine, assembly),
            Source::Ring => self.built.ring(case.machine),
            Source::Wheel { requirement, file } => {
                wheel::file(self.root, requirement, file, case.machine)
            }
        }
    }

    /// Independent evidence that the doctor's output lacks.
    fn proofs(&self, case: &Case, file: &Path, finding: &Value) -> Result<Vec<String>> {
        let mut complaints = Vec::new();
        if let Some(objdump) = self.built.objdump(case.machine)? {
            complaints.extend(disassembly::complaints(&objdump, case.machine, file, finding)?);
        }
        if let Source::OpenSsl { .. } = case.source {
            complaints.extend(self.built.wrong_answers(case.machine, file)?);
        }
        Ok(complaints)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{cases::Verdict, *};

    #[test]
    fn each_lie_is_seen() {
        let case = CASES.iter().find(|case| case.verdict == Verdict::NotAtAll).expect("one");
        let right = json!({
            "architecture": case.machine.name(), "verdict": "not_at_all", "remedy": "build it again",
            "libraries": [format!("{} {}", case.library, case.version)],
            "instructions": [], "tables": case.evidence,
        });
        let complaints =
            |finding: Value, code| case.complaints(&Answer { finding, code: Some(code) });
        assert!(complaints(right.clone(), WRONG).is_empty());
        assert_eq!(complaints(right.clone(), 0).len(), 1);
        for (field, lie) in [
            ("architecture", json!("sparc")),
            ("verdict", json!("accelerated")),
            ("remedy", Value::Null),
            ("libraries", json!([])),
        ] {
            let mut lied = right.clone();
            lied[field] = lie;
            assert_eq!(complaints(lied, WRONG).len(), 1, "{field}");
        }
        let mut bare = right;
        bare["tables"] = json!([]);
        assert_eq!(complaints(bare, WRONG).len(), case.evidence.len());
        assert!(!case.evidence.is_empty());
    }

    #[test]
    fn each_file_is_there_once() {
        let mut titles: Vec<_> = CASES.iter().map(Case::title).collect();
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), CASES.len());
    }
}
