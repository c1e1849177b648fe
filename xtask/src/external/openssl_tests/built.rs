//! `evp_test` and its files, from Debian's sources of OpenSSL: the crate `openssl-src` comes without tests.
//!
//! What OpenSSL's authors released is built, without Debian's patches, which change nothing that is tested here.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{
    process::{self, Outcome, SOON, program},
    tools::{
        Cache, Way,
        apt::{Apt, Sources},
        building::{keep_only, must_be_here},
        first,
    },
};

/// Long enough for a slow machine.
const LIMIT: Duration = Duration::from_secs(3600);

/// With a shared library, for our module finds in it what it hands on to OpenSSL's own.
const CONFIGURED: [&str; 1] = ["shared"];

/// Headers that are generated come first, for what is told to be made alone does not wait for them.
const GOALS: [&[&str]; 2] =
    [&["build_generated"], &["test/evp_test", "apps/openssl", "providers/legacy.so"]];

/// What is kept of what was built, and the folder it is built in.
const KEPT: [(&str, &str); 3] =
    [(PROGRAM, "test"), ("openssl", "apps"), ("legacy.so", "providers")];

const PROGRAM: &str = "evp_test";
const LIBRARIES: [&str; 2] = ["libcrypto.so", "libssl.so"];

/// What says how a folder was filled, so that one that was filled in another way is filled again.
const RECIPE: &str = "recipe";

/// A version of OpenSSL.
pub(crate) struct OpenSsl {
    /// What its versions begin with.
    pub(crate) name: &'static str,
    /// Suites of Debian that may have it.
    suites: &'static [&'static str],
}

/// The oldest that loads providers, and the newest.
pub(crate) const OPENSSLS: &[OpenSsl] = &[
    OpenSsl { name: "3.0", suites: &["bookworm"] },
    OpenSsl { name: "4", suites: &["experimental", "sid"] },
];

/// What is there of one.
pub(crate) struct Built {
    pub(crate) version: String,
    /// Where its libraries lie, its programs and its module of old algorithms.
    pub(crate) libraries: PathBuf,
    /// What programs are compiled with.
    pub(crate) headers: PathBuf,
    /// Files of tests.
    pub(super) data: Vec<PathBuf>,
}

impl Built {
    /// `evp_test`.
    pub(super) fn evp_test(&self) -> Command {
        self.command(self.libraries.join(PROGRAM))
    }

    /// A program, with its libraries.
    pub(crate) fn command(&self, name: impl Into<OsString>) -> Command {
        let mut command = program(name);
        command.env("LD_LIBRARY_PATH", &self.libraries).env("OPENSSL_MODULES", &self.libraries);
        command.env_remove("OPENSSL_CONF");
        command
    }
}

impl OpenSsl {
    pub(crate) fn get(&self, cache: &Cache) -> Result<Built> {
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
        for (file, of) in KEPT {
            fs::copy(source.join(of).join(file), kept.join(file))?;
        }
        for library in LIBRARIES {
            let built = source.join(library);
            // Programs ask for the name that has the number of its interface, and linkers for the one without.
            let name = fs::read_link(&built)?;
            fs::copy(source.join(&name), kept.join(&name))?;
            symlink(&name, kept.join(library))?;
        }
        fs::rename(source.join("include"), kept.join("include"))?;
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
            headers: kept.join("include"),
            data: texts(&kept.join("data"))?,
            libraries: kept,
        };
        // It starts, though it calls no help a success.
        let Outcome { status, err, .. } = process::outcome(built.evp_test().arg("-help"), SOON)?;
        if !err.contains("Usage: evp_test") {
            bail!("evp_test does not start ({status})");
        }
        if built.data.is_empty() {
            bail!("there is no file of tests in it");
        }
        Ok(built)
    }
}

fn recipe() -> String {
    format!("{CONFIGURED:?} {GOALS:?} {KEPT:?} {LIBRARIES:?}\n")
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
