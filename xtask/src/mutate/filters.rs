//! Whether the tests that faults name exist.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Result;

use super::table::{Fault, Program};
use crate::sources;

/// The faults whose suite has a filter that is in no name of a test. `cargo xtask mutate` would fail after its build.
///
/// # Errors
/// Where a source cannot be read.
pub(super) fn complaints(root: &Path, faults: &[&Fault]) -> Result<Vec<String>> {
    let mut texts = BTreeMap::new();
    let mut complaints = Vec::new();
    for fault in faults {
        let Some(folder) = folder(fault.suite.program) else { continue };
        let text = match texts.get(folder) {
            Some(text) => text,
            None => texts.entry(folder).or_insert(text(root, folder)?),
        };
        if !is_name(fault.suite.filter, text) {
            let Fault { name, suite, .. } = fault;
            complaints.push(format!("{name}: no test has the name of its suite, {suite}"));
        }
    }
    Ok(complaints)
}

/// The folder of the tests of a program. Names of cases that are made when the program runs are in no source.
fn folder(program: Program) -> Option<&'static str> {
    match program {
        Program::Unit => Some(sources::LIBRARY),
        Program::UnitOfC => Some("crates/ropewalk-c/src"),
        Program::Test("nets" | "lengths") => None,
        Program::Test(_) => Some("crates/ropewalk/tests"),
        Program::Tour => Some("crates/ropewalk-c/tests"),
        Program::Residue | Program::Trace => None,
    }
}

fn text(root: &Path, folder: &str) -> Result<String> {
    let files = sources::rust_files(root, folder)?;
    Ok(files.iter().map(|file| fs::read_to_string(root.join(file))).collect::<Result<_, _>>()?)
}

/// Whether the last part of a filter is the start of the name of a function, of a module or of the tests that a macro makes.
fn is_name(filter: &str, text: &str) -> bool {
    let last = filter.rsplit("::").next().unwrap_or_default();
    ["fn", "mod", "! {"].iter().any(|kind| text.contains(&format!("{kind} {last}")))
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn filters_are_the_start_of_names() {
        let text = "mod tests {\n    fn keys_are_wiped() {}\n}\nround! { keys_return: aes }\n";
        for filter in ["", "tests", "keys_are_wiped", "tests::keys_are", "a::tests", "keys_return"]
        {
            assert!(is_name(filter, text), "{filter}");
        }
        for filter in ["wiped", "tests::keys_that_are", "other"] {
            assert!(!is_name(filter, text), "{filter}");
        }
    }
}
