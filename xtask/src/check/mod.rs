//! What must hold between files. Each check is a function of a root folder, so that a test can
//! plant a violation in a copy.

mod arrows;
mod names;
mod paths;
mod tables;
mod unsafety;

use std::{path::Path, time::Duration};

use anyhow::{Result, bail};

use crate::{process, stage::CannotRun};

/// One thing that must hold.
pub struct Check {
    /// What it looks at, in a word or two.
    pub name: &'static str,
    /// Its complaints, one line each.
    pub complaints: fn(root: &Path) -> Result<Vec<String>>,
}

/// Every check, those that others build on first.
pub const CHECKS: &[Check] = &[
    Check { name: "arrows", complaints: arrows::complaints },
    Check { name: "names", complaints: names::complaints },
    Check { name: "unsafe", complaints: unsafety::complaints },
    Check { name: "tables", complaints: tables::complaints },
    Check { name: "paths", complaints: paths::complaints },
    Check { name: "format", complaints: format },
];

/// Runs every check.
///
/// # Errors
/// Where something does not hold; each complaint is printed.
pub fn run(root: &Path) -> Result<()> {
    let (mut count, mut cannot) = (0, None);
    for check in CHECKS {
        match (check.complaints)(root) {
            Ok(complaints) => {
                let state = if complaints.is_empty() { "holds" } else { "does not hold" };
                println!("{}: {state}", check.name);
                complaints.iter().for_each(|complaint| println!("  {complaint}"));
                count += complaints.len();
            }
            Err(error) if error.is::<CannotRun>() => cannot = Some(error),
            Err(error) => {
                println!("{}: {error:#}", check.name);
                count += 1;
            }
        }
    }
    match cannot {
        _ if count > 0 => bail!("{count} complaints"),
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Rewrites the generated tables, then runs every check.
///
/// # Errors
/// Where a table has no place, and as [`run`].
pub fn fix(root: &Path) -> Result<()> {
    tables::fix(root)?;
    run(root)
}

fn format(root: &Path) -> Result<Vec<String>> {
    let limit = Duration::from_secs(120);
    if process::output(process::cargo().args(["fmt", "--version"]), limit).is_err() {
        return Err(
            CannotRun("rustfmt is missing: run `rustup component add rustfmt`".into()).into()
        );
    }
    let mut fmt = process::cargo();
    fmt.args(["fmt", "--all", "--check", "--", "-l"]).current_dir(root);
    match process::output(&mut fmt, limit) {
        Ok(_) => Ok(Vec::new()),
        Err(_) => Ok(vec!["not formatted: run `cargo fmt --all`".into()]),
    }
}
