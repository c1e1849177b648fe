//! The versions of OpenSSL that are measured with, each by its own provider and by ours.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result};

use crate::{
    external::openssl_tests::{
        built::{Built, OPENSSLS},
        configuration, provider,
    },
    process::{self, SOON, program},
    tools::{Cache, must_be_installed},
};

/// The provider that serves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Default,
    Ropewalk,
}

pub(super) const SIDES: [Side; 2] = [Side::Default, Side::Ropewalk];

impl Side {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Ropewalk => "ropewalk",
        }
    }
}

/// Where a program runs.
#[derive(Clone, Copy)]
pub(super) enum Cores {
    All,
    /// Only the second core: other processes mostly run on the first.
    Second,
}

/// A folder with the module and its configuration.
pub(super) struct Module {
    folder: tempfile::TempDir,
}

impl Module {
    pub(super) fn build(root: &Path) -> Result<Self> {
        let built = provider(root)?;
        let folder = tempfile::tempdir()?;
        let module = folder.path().join("ropewalk.so");
        fs::copy(built, &module)?;
        fs::write(folder.path().join("openssl.cnf"), configuration(Some(&module)))?;
        Ok(Self { folder })
    }
}

/// An OpenSSL: the one that is installed, or one that was built.
pub(super) struct OpenSsl {
    pub(super) version: String,
    pub(super) built: Option<Built>,
}

impl OpenSsl {
    /// The installed one, and the newest of those that OpenSSL's own tests are run with.
    pub(super) fn all(root: &Path) -> Result<Vec<Self>> {
        must_be_installed(&["openssl"])?;
        let newest = OPENSSLS.last().context("there is a newest")?;
        let newest = newest.get(&Cache::at(root.join("target/openssl-tests"))?)?;
        [None, Some(newest)]
            .into_iter()
            .map(|built| {
                let mut openssl = Self { version: String::new(), built };
                let said =
                    process::output(openssl.plain(Cores::All, "openssl").arg("version"), SOON)?;
                let words: Vec<_> = said.split_whitespace().take(2).collect();
                openssl.version = words.join(" ");
                Ok(openssl)
            })
            .collect()
    }

    /// A program in C that is here, by its name, with that OpenSSL.
    pub(super) fn compile(
        &self,
        root: &Path,
        name: &str,
        libraries: &[&str],
        folder: &Path,
    ) -> Result<String> {
        let source = root.join("xtask/src/external/outside").join(name).with_extension("c");
        let compiled = folder.join(name);
        let mut compiler = program("cc");
        compiler.args(["-O2", "-Wall", "-Wextra", "-Werror"]).arg(source).arg("-o").arg(&compiled);
        if let Some(built) = &self.built {
            compiler.arg("-I").arg(&built.headers).arg("-L").arg(&built.libraries);
        }
        process::output(compiler.args(libraries), SOON)?;
        Ok(compiled.to_str().context("a path in letters")?.to_owned())
    }

    /// A program that a side serves, by the name it has in OpenSSL or by its path.
    pub(super) fn command(&self, module: &Module, side: Side, cores: Cores, name: &str) -> Command {
        let mut command = self.plain(cores, name);
        match side {
            Side::Default => command.env("OPENSSL_CONF", "/dev/null"),
            Side::Ropewalk => command.env("OPENSSL_CONF", module.folder.path().join("openssl.cnf")),
        };
        command.env_remove("ROPEWALK_STATS").env_remove("ROPEWALK_CPU");
        command
    }

    fn plain(&self, cores: Cores, name: &str) -> Command {
        let built = self.built.as_ref();
        let own = built.map(|built| built.libraries.join(name)).filter(|own| own.is_file());
        let name = own.unwrap_or_else(|| name.into());
        let mut command = match cores {
            Cores::All => program(name),
            Cores::Second => {
                let mut command = program("taskset");
                command.args(["-c", "1"]).arg(name);
                command
            }
        };
        if let Some(built) = built {
            command.env("LD_LIBRARY_PATH", &built.libraries);
            command.env("OPENSSL_MODULES", &built.libraries);
        }
        command
    }
}
