//! Installed modules, and programs that use them.

use std::{
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::runs::{command, stderr};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// The end of the loader's messages.
pub(crate) const GOES_ON: &str = "; this program goes on with OpenSSL's own provider";

/// A file that cargo builds as a dependency of this test.
pub(crate) fn built(name: &str) -> PathBuf {
    let file = env::current_exe().expect("a test has a path").with_file_name(name);
    assert!(file.is_file(), "no {}", file.display());
    file
}

/// Installed modules, and a home folder. Their paths contain spaces.
pub(crate) struct Installed {
    pub(crate) folder: TempDir,
}

impl Installed {
    /// `None` without `openssl`, which `CI=true` requires.
    pub(crate) fn new() -> Option<Self> {
        let answer = Command::new("openssl").arg("version").output();
        if !answer.is_ok_and(|answer| answer.stdout.starts_with(b"OpenSSL 3")) {
            assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "openssl is missing");
            eprintln!("skipped: there is no openssl");
            return None;
        }
        let new = Self { folder: TempDir::new().unwrap() };
        fs::create_dir_all(new.module().parent().unwrap()).unwrap();
        fs::create_dir_all(new.home()).unwrap();
        fs::copy(built("libropewalk_openssl.so"), new.module()).unwrap();
        fs::copy(built("libropewalk_openssl_loader.so"), new.loader()).unwrap();
        Some(new)
    }

    /// The same, with a configuration.
    pub(crate) fn with_configuration() -> Option<Self> {
        let new = Self::new()?;
        let output = new.provider("install").arg("--module").arg(new.module()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        Some(new)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("a home")
    }

    pub(crate) fn module(&self) -> PathBuf {
        self.folder.path().join("some modules/ropewalk.so")
    }

    pub(crate) fn loader(&self) -> PathBuf {
        self.module().with_file_name("ropewalk-loader.so")
    }

    pub(crate) fn configuration(&self) -> PathBuf {
        self.home().join("ropewalk/openssl.cnf")
    }

    pub(crate) fn copy(&self) -> PathBuf {
        self.home().join("ropewalk/ropewalk-loader.so")
    }

    /// `ropewalk provider`.
    pub(crate) fn provider(&self, word: &str) -> Command {
        let mut provider = command(Path::new(PROGRAM));
        provider.args(["provider", word]).env("XDG_CONFIG_HOME", self.home());
        provider.env_remove("OPENSSL_CONF");
        provider
    }

    /// The JSON of `status`.
    pub(crate) fn status(&self) -> Value {
        let output = self.provider("status").arg("--json").output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
    }

    /// Lets `openssl` hash "abc", and checks the digest. Returns its lines about ropewalk.
    pub(crate) fn lines_of_openssl(&self) -> Vec<String> {
        lines_of_openssl(&self.configuration())
    }
}

pub(crate) fn lines_of_openssl(configuration: &Path) -> Vec<String> {
    let mut openssl = Command::new("openssl");
    openssl.args(["dgst", "-sha256"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    openssl.env("OPENSSL_CONF", configuration).env("ROPEWALK_STATS", "1").stderr(Stdio::piped());
    let mut openssl = openssl.spawn().unwrap();
    openssl.stdin.take().unwrap().write_all(b"abc").unwrap();
    let output = openssl.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.trim_end().ends_with(digest), "{said}");
    let error = stderr(&output);
    error.lines().filter(|line| line.contains("ropewalk")).map(str::to_owned).collect()
}

/// The message about a file that cannot be loaded.
pub(crate) fn line(file: &Path, why: &str) -> String {
    format!("ropewalk: {} cannot be loaded ({why}){GOES_ON}", file.display())
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
