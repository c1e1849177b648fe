//! `evp_test` and its files, from Debian's sources of OpenSSL: the crate `openssl-src` comes without tests.
//!
//! What OpenSSL's authors released is built, without Debian's patches, which change nothing that is tested here.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{
    peers::built::{keep_only, must_be_here},
    process::{self, Outcome, SOON, program},
    tools::{
        Cache, Way,
        apt::{Apt, Sources},
        first,
    },
};

/// Long enough for a slow machine.
const LIMIT: Duration = Duration::from_secs(3600);

/// With a shared library, for our module finds in it what it hands on to OpenSSL's own.
const CONFIGURED: [&str; 1] = ["shared"];

/// Headers that are generated come first, for what is told to be made alone does not wait for them.
const GOALS: [&[&str]; 2] = [&["build_generated"], &["test/evp_test", "providers/legacy.so"]];

const PROGRAM: &str = "evp_test";
const LEGACY: &str = "legacy.so";

/// What says how a folder was filled, so that one that was filled in another way is filled again.
const RECIPE: &str = "recipe";

/// A version of OpenSSL.
pub(super) struct OpenSsl {
    /// What its versions begin with.
    pub(super) name: &'static str,
    /// Suites of Debian that may have it.
    suites: &'static [&'static str],
}

/// The oldest that loads providers, and the newest.
pub(super) const OPENSSLS: &[OpenSsl] = &[
    OpenSsl { name: "3.0", suites: &["bookworm"] },
    OpenSsl { name: "4", suites: &["experimental", "sid"] },
];

/// What is there of one.
pub(super) struct Built {
    pub(super) version: String,
    pub(super) program: PathBuf,
    /// Where its library lies, and its module of old algorithms.
    pub(super) libraries: PathBuf,
    /// Files of tests.
    pub(super) data: Vec<PathBuf>,
}

impl Built {
    /// The program, with its own libraries.
    pub(super) fn command(&self) -> Command {
        let mut command = program(&self.program);
        command.env("LD_LIBRARY_PATH", &self.libraries).env("OPENSSL_MODULES", &self.libraries);
        command.env_remove("OPENSSL_CONF");
        command
    }
}

impl OpenSsl {
    pub(super) fn get(&self, cache: &Cache) -> Result<Built> {
        for (tool, question) in [("perl", "--version"), ("make", "--version"), ("cc", "--version")]
        {
            must_be_here(tool, question)?;
        }
        let ways = self.suites.iter().map(|suite| {
            Way::new(suite, move || {
                let fill = |folder: &Path| self.fill(suite, folder);
                cache.built(&format!("{}-{suite}", self.name), fill, |folder| self.open(folder))
            })
        });
        let what = format!("OpenSSL {}", self.name);
        first(&what, ways, "no suite of Debian's has sources of it that can be fetched")
    }

    fn fill(&self, suite: &str, folder: &Path) -> Result<()> {
        let source = self.fetch(suite, folder)?;
        println!("OpenSSL {}: built, which takes minutes", self.name);
        let mut configure = program("perl");
        configure.arg("./Configure").args(CONFIGURED).current_dir(&source);
        process::output(&mut configure, LIMIT)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        for goals in GOALS {
            let mut make = program("make");
            make.arg(format!("-j{cores}")).args(goals).current_dir(&source);
            process::output(&mut make, LIMIT)?;
        }
        let kept = folder.join("kept");
        fs::create_dir(&kept)?;
        fs::copy(source.join("test").join(PROGRAM), kept.join(PROGRAM))?;
        fs::copy(source.join("providers").join(LEGACY), kept.join(LEGACY))?;
        let library = library(&source)?;
        let name = library.file_name().context("a library has a name")?;
        fs::copy(&library, kept.join(name))?;
        let data = kept.join("data");
        fs::create_dir(&data)?;
        for file in texts(&source.join("test/recipes/30-test_evp_data"))? {
            let name = file.file_name().context("a file has a name")?;
            fs::copy(&file, data.join(name))?;
        }
        let version = source.file_name().context("sources are in a folder")?.to_string_lossy();
        let version = version.strip_prefix("openssl-").unwrap_or(&version);
        fs::write(kept.join("version"), version)?;
        fs::write(kept.join(RECIPE), recipe())?;
        keep_only(folder, "kept")
    }

    /// Unpacks the newest sources that begin with its name: a mirror may name some that it no longer has, or not yet.
    fn fetch(&self, suite: &str, folder: &Path) -> Result<PathBuf> {
        let apt = Apt::new(folder, &Sources::ToBuild(suite), &[])?;
        let versions = apt.source_versions("openssl")?;
        let begins = format!("{}.", self.name);
        let wanted = versions.iter().filter(|version| version.starts_with(&begins));
        let mut failed = None;
        for version in wanted {
            match apt.source(&format!("openssl={version}"), folder) {
                Ok(source) => return Ok(source),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => bail!("{suite} has {}", versions.join(", ")),
        }
    }

    fn open(&self, folder: &Path) -> Result<Built> {
        let kept = folder.join("kept");
        let text = |name: &str| {
            let file = kept.join(name);
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
        };
        if text(RECIPE)? != recipe() {
            bail!("it was built in another way");
        }
        let built = Built {
            version: text("version")?,
            program: kept.join(PROGRAM),
            data: texts(&kept.join("data"))?,
            libraries: kept,
        };
        // It starts, though it calls no help a success.
        let Outcome { status, err, .. } = process::outcome(built.command().arg("-help"), SOON)?;
        if !err.contains("Usage: evp_test") {
            bail!("{} does not start ({status})", built.program.display());
        }
        if built.data.is_empty() {
            bail!("there is no file of tests in it");
        }
        Ok(built)
    }
}

/// `libcrypto.so` and a number, which is that of its interface.
fn library(source: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("libcrypto.so.") {
            return Ok(entry.path());
        }
    }
    bail!("make has built no libcrypto.so")
}

fn recipe() -> String {
    format!("{CONFIGURED:?} {GOALS:?}\n")
}

/// Files of tests in a folder, by their names.
fn texts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "txt") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
