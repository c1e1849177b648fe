//! A clone stays small: limits for each file, for the records, and for the whole tree.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Result;

use crate::sources;

const KB: u64 = 1000;
const MB: u64 = 1000 * KB;

/// One record: a file below `records/`, or a folder with a run.
const RECORD: u64 = MB;

/// All of `records/`.
const RECORDS: u64 = 8 * MB;

/// One file.
const FILE: u64 = 300 * KB;

/// All files.
const TREE: u64 = 30 * MB;

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let (mut records, mut tree) = (BTreeMap::new(), 0);
    for file in sources::files(root, "")? {
        let bytes = fs::metadata(root.join(&file))?.len();
        tree += bytes;
        if let Some(name) = record_of(&file) {
            *records.entry(name.to_owned()).or_insert(0) += bytes;
        }
        if bytes > FILE && !is_exempt(&file) {
            complaints.push(format!("{file} has {}: at most {}", size(bytes), size(FILE)));
        }
    }
    for (name, bytes) in records.iter().filter(|(_, bytes)| **bytes > RECORD) {
        complaints.push(format!("{name} has {}: at most {}", size(*bytes), size(RECORD)));
    }
    let records = records.values().sum();
    for (what, bytes, most) in [("records/", records, RECORDS), ("the tree", tree, TREE)] {
        if bytes > most {
            complaints.push(format!("{what} has {} in all: at most {}", size(bytes), size(most)));
        }
    }
    Ok(complaints)
}

/// The record that a file belongs to: `records/zen4/2026-11-24-many`.
fn record_of(file: &str) -> Option<&str> {
    let within = file.strip_prefix("records/")?;
    let name = within.match_indices('/').nth(1).map_or(within.len(), |(at, _)| at);
    Some(&file[.."records/".len() + name])
}

/// Published vectors, and files that cargo writes.
fn is_exempt(file: &str) -> bool {
    file.starts_with("vectors/") || Path::new(file).ends_with("Cargo.lock")
}

fn size(bytes: u64) -> String {
    format!("{} kB", bytes.div_ceil(KB))
}
