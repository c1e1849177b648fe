//! A record that a document or a comment names must be in the tree.

use std::{fs, path::Path};

use anyhow::Result;
use regex::Regex;

use crate::sources;

/// Words of a path that are placeholders for the reader.
const PLACEHOLDERS: [&str; 2] = ["CPU", "DATE"];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    // Not a folder of that name below another one, and not "records" as a unit, as in records/s.
    let pointer = Regex::new(r"(?m)(?:^|[^\w./-]|\.\./)(records/\w[\w./-]*\w)")?;
    let mut complaints = Vec::new();
    for file in sources::files(root, "")? {
        if !file.ends_with(".md") && !file.ends_with(".rs") {
            continue;
        }
        let text = fs::read_to_string(root.join(&file))?;
        for (i, line) in text.lines().enumerate() {
            let named = pointer.captures_iter(line).map(|found| found.extract::<1>().1[0]);
            let missing = named.filter(|path| !is_placeholder(path) && !root.join(path).exists());
            complaints.extend(missing.map(|path| format!("{file}:{}: no record {path}", i + 1)));
        }
    }
    Ok(complaints)
}

fn is_placeholder(path: &str) -> bool {
    path.split('/').any(|part| PLACEHOLDERS.iter().any(|word| part.starts_with(word)))
}
