//! The nightly compiler of rustup, with Miri and a standard library that can be built for a sanitizer.

use std::{process::Command, time::Duration};

use anyhow::Result;

use super::{Way, first};
use crate::process::{self, SOON, program};

/// That compiler, with its cargo.
pub struct Nightly;

/// Its required components.
const COMPONENTS: [&str; 2] = ["miri", "rust-src"];

impl Nightly {
    /// Finds or fetches it.
    ///
    /// # Errors
    /// [`CannotRun`](crate::stage::CannotRun) if there is none and none can be fetched.
    pub fn get() -> Result<Self> {
        let ways = [
            Way::new("installed already", || Self.probed()),
            Way::new("fetched by rustup", || {
                let mut rustup = program("rustup");
                rustup.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
                COMPONENTS.iter().for_each(|component| {
                    rustup.args(["--component", component]);
                });
                process::output(&mut rustup, Duration::from_secs(600))?;
                Self.probed()
            }),
        ];
        first(
            "nightly compiler",
            ways,
            "run `rustup toolchain install nightly -c miri -c rust-src`",
        )
    }

    /// Its cargo.
    pub fn cargo(&self) -> Command {
        let mut cargo = program("rustup");
        cargo.args(["run", "nightly", "cargo"]);
        // Variables of the cargo that runs this.
        ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "RUSTUP_TOOLCHAIN"].iter().for_each(|name| {
            cargo.env_remove(name);
        });
        cargo
    }

    fn probed(self) -> Result<Self> {
        process::output(self.cargo().args(["miri", "--version"]), SOON)?;
        let mut components = program("rustup");
        components.args(["component", "list", "--toolchain", "nightly", "--installed"]);
        let installed = process::output(&mut components, SOON)?;
        anyhow::ensure!(installed.contains("rust-src"), "no rust-src in it");
        Ok(self)
    }
}
