//! Rules that must hold between files. Each check is a function of a root folder, so that a test can plant a
//! violation in a copy.

mod arrows;
mod faults;
mod header;
mod modules;
mod names;
mod paths;
mod records;
mod rules;
mod tables;
mod unsafety;
mod vendors;
mod weight;

use std::{path::Path, time::Duration};

use anyhow::{Result, bail};

use crate::{
    ct::aes_options,
    process::{self, must_answer},
    public,
    stage::{CannotRun, is_ci},
};

/// One rule.
pub struct Check {
    /// What the check looks at, in one or two words.
    pub name: &'static str,
    /// The violations, one line each.
    pub complaints: fn(root: &Path) -> Result<Vec<String>>,
}

/// Every check. Checks that others build on come first.
pub const CHECKS: &[Check] = &[
    Check { name: "arrows", complaints: arrows::complaints },
    Check { name: "modules", complaints: modules::complaints },
    Check { name: "names", complaints: names::complaints },
    Check { name: "unsafe", complaints: unsafety::complaints },
    Check { name: "vendors", complaints: vendors::complaints },
    Check { name: "tables", complaints: tables::complaints },
    Check { name: "header", complaints: header::complaints },
    Check { name: "paths", complaints: paths::complaints },
    Check { name: "records", complaints: records::complaints },
    Check { name: "aes options", complaints: aes_options::complaints },
    Check { name: "weight", complaints: weight::complaints },
    Check { name: "faults", complaints: faults::complaints },
    Check { name: "format", complaints: format },
];

/// Runs every check.
///
/// # Errors
/// Fails where a check finds violations; each one is printed.
pub fn run(root: &Path) -> Result<()> {
    let mut count = 0;
    for Check { name, complaints } in CHECKS {
        match complaints(root) {
            Ok(complaints) if complaints.is_empty() => println!("{name}: holds"),
            Ok(complaints) => {
                println!("{name}: does not hold");
                complaints.iter().for_each(|complaint| println!("  {complaint}"));
                count += complaints.len();
            }
            Err(error) if error.is::<CannotRun>() && !is_ci() => println!("{name}: {error}"),
            Err(error) => {
                println!("{name}: {error:#}");
                count += 1;
            }
        }
    }
    match count {
        0 => Ok(()),
        1 => bail!("1 complaint"),
        _ => bail!("{count} complaints"),
    }
}

/// Rewrites the generated tables, the header of the C library and the list of public names, then runs every check.
///
/// # Errors
/// Fails if a document lacks the marker of its table, and as [`run`] does.
pub fn fix(root: &Path) -> Result<()> {
    tables::fix(root)?;
    header::fix(root)?;
    public::fix(root)?;
    run(root)
}

fn format(root: &Path) -> Result<Vec<String>> {
    must_answer("rustfmt", process::cargo().args(["fmt", "--version"]))?;
    let mut fmt = process::cargo();
    fmt.args(["fmt", "--all", "--check", "--", "-l"]).current_dir(root);
    match process::output(&mut fmt, Duration::from_secs(120)) {
        Ok(_) => Ok(Vec::new()),
        Err(_) => Ok(vec!["not formatted: run `cargo fmt --all`".into()]),
    }
}
