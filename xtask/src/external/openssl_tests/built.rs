//! `evp_test` and its files, from Debian's sources of OpenSSL: the crate `openssl-src` comes without tests.
//!
//! The release of OpenSSL's authors is built, without Debian's patches, which do not affect what is tested here.

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

/// With a shared library, since our module finds in it the functions of OpenSSL that it forwards to.
const CONFIGURED: [&str; 1] = ["shared"];

/// Generated headers come first: goals that are named one by one do not wait for them.
const GOALS: [&[&str]; 2] =
    [&["build_generated"], &["test/evp_test", "apps/openssl", "providers/legacy.so"]];

/// The files that are kept after the build, and their folder in it.
const KEPT: [(&str, &str); 3] =
    [(PROGRAM, "test"), ("openssl", "apps"), ("legacy.so", "providers")];

const PROGRAM: &str = "evp_test";
const LIBRARIES: [&str; 2] = ["libcrypto.so", "libssl.so"];

/// The file that records how a folder was filled. A folder with another recipe is filled again.
const RECIPE: &str = "recipe";

/// A version of OpenSSL.
pub(crate) struct OpenSsl {
    /// The start of its versions.
    pub(crate) name: &'static str,
    /// Suites of Debian that may have it.
    suites: &'static [&'static str],
}

/// The oldest that loads providers, and the newest.
pub(crate) const OPENSSLS: &[OpenSsl] = &[
    OpenSsl { name: "3.0", suites: &["bookworm"] },
    OpenSsl { name: "4", suites: &["experimental", "sid"] },
];

/// A build of OpenSSL.
pub(crate) struct Built {
    pub(crate) version: String,
    /// The folder of its libraries, programs and module of old algorithms.
    pub(crate) libraries: PathBuf,
    /// The headers for programs.
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
            // Programs load the name with the number of the interface; linkers need the name without it.
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

    /// Unpacks the newest sources with this start of a version: a mirror may list files that it does not have.
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
        // Its help returns an error code.
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
