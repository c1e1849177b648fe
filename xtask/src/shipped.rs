//! The library as it is installed: what is judged must be the machine code that users run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process;

/// What a build with the profile of installations makes.
pub(crate) struct Shipped {
    /// The library as Rust programs link it.
    pub(crate) rlib: PathBuf,
    /// The C library.
    pub(crate) c_library: PathBuf,
    /// The program that runs every operation on every backend.
    pub(crate) harness: PathBuf,
}

impl Shipped {
    /// Builds all of it. They are built together, so that the library is compiled once, with the features of both.
    ///
    /// # Errors
    /// Where cargo fails.
    pub(crate) fn build(root: &Path) -> Result<Self> {
        let mut cargo = process::cargo();
        cargo.args(["build", "--quiet", "--profile", "shipped"]);
        cargo.args(["--package", "ropewalk-ct", "--package", "ropewalk-c"]);
        let made = process::files(cargo.current_dir(root))?;
        let find = |start: &str, end: &str| {
            let is = |file: &&PathBuf| {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                name.starts_with(start) && name.ends_with(end)
            };
            made.iter().find(is).cloned().with_context(|| format!("cargo built no {start}*{end}"))
        };
        Ok(Self {
            rlib: find("libropewalk-", ".rlib")?,
            c_library: find("libropewalk.", "so")?,
            harness: find("ropewalk-ct", "ct")?,
        })
    }
}
