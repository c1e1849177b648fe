//! Only `core/tuning.rs` of the library may test for a vendor or a model.

use std::{fs, path::Path};

use anyhow::Result;

use crate::sources::{self, LIBRARY};

/// The one file that may.
const MAY: &str = "core/tuning.rs";

/// Words of such a test. SSE4a and XOP are features of one vendor.
const WORDS: [&str; 8] = [
    "AuthenticAMD",
    "GenuineIntel",
    "HygonGenuine",
    "MIDR",
    "sse4a",
    "\"xop\"",
    "__cpuid(1)",
    "fn of_amd",
];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in sources::rust_files(root, LIBRARY)?.iter().filter(|file| !file.ends_with(MAY)) {
        let text = fs::read_to_string(root.join(file))?;
        for (number, line) in (1..).zip(text.lines()) {
            let word = WORDS.iter().find(|word| line.contains(**word));
            complaints.extend(word.map(|word| {
                format!("{file}:{number}: {word}: only {MAY} may ask for a vendor or a model")
            }));
        }
    }
    Ok(complaints)
}
