//! A clone stays small: a limit for each file, for the records, and for the whole tree.

use std::{fs, path::Path};

use anyhow::Result;

use crate::sources;

const KB: u64 = 1000;
const MB: u64 = 1000 * KB;

/// One file below `records/`.
const RECORD: u64 = MB;

/// All of `records/`.
const RECORDS: u64 = 8 * MB;

/// Any other file.
const FILE: u64 = 300 * KB;

/// All files.
const TREE: u64 = 30 * MB;

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let (mut records, mut tree) = (0, 0);
    for file in sources::files(root, "")? {
        let bytes = fs::metadata(root.join(&file))?.len();
        let is_record = file.starts_with("records/");
        tree += bytes;
        records += if is_record { bytes } else { 0 };
        let most = match is_record {
            true => RECORD,
            false if is_exempt(&file) => u64::MAX,
            false => FILE,
        };
        if bytes > most {
            complaints.push(format!("{file} has {}: at most {}", size(bytes), size(most)));
        }
    }
    for (what, bytes, most) in [("records/", records, RECORDS), ("the tree", tree, TREE)] {
        if bytes > most {
            complaints.push(format!("{what} has {} in all: at most {}", size(bytes), size(most)));
        }
    }
    Ok(complaints)
}

/// Published vectors, and what cargo writes.
fn is_exempt(file: &str) -> bool {
    file.starts_with("vectors/") || Path::new(file).ends_with("Cargo.lock")
}

fn size(bytes: u64) -> String {
    format!("{} kB", bytes.div_ceil(KB))
}
