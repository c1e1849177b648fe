//! What memcheck and the trace report of the ways to compute AES that `ropewalk speed aes-options` compares.
//!
//! The lab prints it from a file. `cargo xtask ct --fix` writes the file, a stage of `ct` compares it with what the tools report,
//! and `cargo xtask check` fails if the sources have changed since.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::{process, sources};

/// A line `sources DIGEST`, and lines `OPTION TOOL leaks` or `clean`.
const FILE: &str = "crates/ropewalk-lab/src/aes_options/verdicts.txt";

/// The options, as both the lab and the tools compile them.
const SOURCES: &str = "crates/ropewalk-lab/src/aes_options/ciphers";

/// How long a tool may take.
const LIMIT: Duration = Duration::from_secs(900);

/// Compares the file with what the tools report. `harnesses` are the commands that run an option's operations under a tool.
pub(super) fn compare(root: &Path, harnesses: &mut [Command]) -> Result<()> {
    let found = found(harnesses)?;
    let written = fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    let written: BTreeSet<_> = written.lines().collect();
    let new: Vec<_> = found.iter().filter(|line| !written.contains(line.as_str())).collect();
    ensure!(new.is_empty(), "{FILE} does not have {new:?}: `cargo xtask ct --fix` writes it");
    Ok(())
}

/// Writes the file anew.
pub(super) fn fix(root: &Path, harnesses: &mut [Command]) -> Result<()> {
    let lines: Vec<_> =
        [format!("sources {}", digest(root)?)].into_iter().chain(found(harnesses)?).collect();
    fs::write(root.join(FILE), lines.join("\n") + "\n")
        .with_context(|| format!("writing {FILE}"))?;
    println!("{FILE}: rewritten");
    Ok(())
}

/// Reports a file that was written from other sources.
///
/// # Errors
/// If a file cannot be read.
pub fn complaints(root: &Path) -> Result<Vec<String>> {
    let written = fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    let is_current = written.lines().next() == Some(&format!("sources {}", digest(root)?));
    Ok(match is_current {
        true => Vec::new(),
        false => {
            vec![format!("{FILE} is of other sources than {SOURCES}: run `cargo xtask ct --fix`")]
        }
    })
}

/// The digest of the sources, without their tests.
fn digest(root: &Path) -> Result<String> {
    let mut digest = Sha256::new();
    for file in sources::rust_files(root, SOURCES)? {
        if !file.ends_with("/tests.rs") {
            digest.update(fs::read(root.join(file))?);
        }
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The lines of the tools, sorted. Each tool fails if it does not report a planted lookup.
fn found(harnesses: &mut [Command]) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for harness in harnesses {
        let text = process::output(harness.arg("aes-options").stderr(Stdio::null()), LIMIT)?;
        found.extend(text.lines().filter(|line| is_verdict(line)).map(str::to_owned));
    }
    ensure!(!found.is_empty(), "no tool has run an option");
    Ok(found)
}

fn is_verdict(line: &str) -> bool {
    line.ends_with(" leaks") || line.ends_with(" clean")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a source and a file of verdicts on it.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(SOURCES)).unwrap();
        fs::write(folder.path().join(SOURCES).join("mod.rs"), "fn f() {}\n").unwrap();
        folder
    }

    fn tool(says: &str) -> [Command; 1] {
        let mut echo = process::program("printf");
        echo.arg(says);
        [echo]
    }

    #[test]
    fn the_file_is_held_to_the_tools_and_to_the_sources() {
        let folder = folder();
        let root = folder.path();
        let says = "x reports a planted lookup\na x leaks\nb x clean\n";
        fix(root, &mut tool(says)).unwrap();
        assert_eq!(complaints(root).unwrap(), [""; 0]);
        compare(root, &mut tool(says)).unwrap();
        // An option that cannot run here.
        compare(root, &mut tool("a x leaks\n")).unwrap();
        let other = compare(root, &mut tool("a x clean\n")).unwrap_err().to_string();
        assert!(other.contains("a x clean") && other.contains("--fix"), "{other}");
        assert!(compare(root, &mut tool("nothing\n")).is_err());
        fs::write(root.join(SOURCES).join("mod.rs"), "fn g() {}\n").unwrap();
        assert_eq!(complaints(root).unwrap().len(), 1);
    }

    #[test]
    fn tests_of_the_options_do_not_count() {
        let folder = folder();
        let root = folder.path();
        fix(root, &mut tool("a x leaks\n")).unwrap();
        fs::write(root.join(SOURCES).join("tests.rs"), "fn t() {}\n").unwrap();
        assert_eq!(complaints(root).unwrap(), [""; 0]);
    }
}
