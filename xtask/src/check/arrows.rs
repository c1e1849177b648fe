//! Which crate may depend on which.

use std::path::Path;

use anyhow::Result;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// Crates of the workspace that may depend on others, and on which. All others depend on none.
const ARROWS: &[(&str, &str)] = &[
    ("ropewalk-c", "ropewalk"),
    ("ropewalk-ct", "ropewalk"),
    ("ropewalk-fuzz", "ropewalk"),
    ("ropewalk-lab", "ropewalk"),
    ("ropewalk-openssl", "ropewalk"),
    ("ropewalk-predict", "ropewalk"),
    ("ropewalk-rustls", "ropewalk"),
];

/// Crates whose tests may depend on others, and on which.
const OF_TESTS: &[(&str, &str)] =
    &[("ropewalk-lab", "ropewalk-openssl"), ("ropewalk-lab", "ropewalk-openssl-loader")];

pub(super) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut metadata = MetadataCommand::new();
    let metadata = metadata.manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let mut complaints = Vec::new();
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let ours = metadata.packages.iter().any(|other| other.name == dependency.name);
            // Tests may depend on their own crate, to enable a feature.
            let ours = ours && package.name != dependency.name;
            let arrow = (package.name.as_str(), dependency.name.as_str());
            let of_tests = dependency.kind == DependencyKind::Development;
            let may = ARROWS.contains(&arrow) || of_tests && OF_TESTS.contains(&arrow);
            if ours && !may {
                complaints.push(format!("{} may not depend on {}", arrow.0, arrow.1));
            }
        }
    }
    Ok(complaints)
}
