//! The compilers of C and C++ for the tests of the C library.

use anyhow::{Result, bail};

use super::{Way, apt, first, is_root};
use crate::process::{self, SOON, program};

const COMPILERS: [&str; 4] = ["gcc", "g++", "clang", "clang++"];
const PACKAGES: [&str; 3] = ["gcc", "g++", "clang"];

/// Finds or installs them.
///
/// # Errors
/// [`CannotRun`](crate::stage::CannotRun) if one is missing and cannot be installed.
pub fn compilers() -> Result<()> {
    let ways = [
        Way::new("on PATH", all),
        Way::new("installed with apt-get", || {
            if !is_root() {
                bail!("not root");
            }
            apt::must_be_here()?;
            super::retry(|| apt::install(&PACKAGES))?;
            all()
        }),
    ];
    first("compilers of C and C++", ways, "install them (apt-get install gcc g++ clang)")
}

fn all() -> Result<()> {
    for compiler in COMPILERS {
        process::output(program(compiler).arg("--version"), SOON)?;
    }
    Ok(())
}
