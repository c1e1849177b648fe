//! No file of the tree may depend on one machine or on one network.

use std::{fs, path::Path};

use anyhow::Result;
use regex::Regex;

use crate::sources;

/// Cargo writes this file, in any folder; it names the registry of each package.
const EXEMPT: &str = "Cargo.lock";

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let rules = [("path of a machine", paths()?), ("host of a registry", hosts()?)];
    let mut complaints = Vec::new();
    for file in sources::files(root, "")? {
        let bytes = fs::read(root.join(&file))?;
        if Path::new(&file).ends_with(EXEMPT) || bytes.contains(&0) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        for (what, rule) in &rules {
            for found in rule.find_iter(&text) {
                let line = text[..found.start()].matches('\n').count() + 1;
                let name = found.as_str().trim();
                complaints.push(format!("{file}:{line}: {what}: {name}"));
            }
        }
    }
    Ok(complaints)
}

/// The patterns are split, since this file is checked too.
fn paths() -> Result<Regex> {
    let folders =
        [["/wo", r"rk\b"].concat(), ["/ro", r"ot\b"].concat(), ["/t", r"mp/\w+"].concat()];
    Ok(Regex::new(&format!(r"(?m)(?:^|[^\w.}}\])])(?:{})", folders.join("|")))?)
}

fn hosts() -> Result<Regex> {
    let hosts = [
        ["crates", "io"].as_slice(),
        &["debian", "org"],
        &["golang", "org"],
        &["maven", "org"],
        &["maven", "apache", "org"],
        &["npmjs", "org"],
        &["npmjs", "com"],
        &["pypi", "org"],
        &["pythonhosted", "org"],
        &["static", "rust-lang", "org"],
        &["ubuntu", "com"],
    ];
    let hosts: Vec<_> = hosts.iter().map(|labels| labels.join(r"\.")).collect();
    Ok(Regex::new(&format!(r"\b(?:[\w-]+\.)*(?:{})\b", hosts.join("|")))?)
}
