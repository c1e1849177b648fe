//! OpenSSL's own report with a configuration. It is queried in a separate process, which may run as another
//! user.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::Write as _,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
    process::{self, Stdio},
};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use super::loader;

/// The report.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct View {
    /// Its version.
    pub(super) version: String,
    /// The configuration that it reads. None if there is no such file.
    pub(super) file: Option<Vec<u8>>,
    /// Why it cannot be read.
    pub(super) unread: Option<String>,
    /// Its contents, with included files and variables expanded.
    pub(super) sections: Vec<Section>,
    /// The errors when it was applied. OpenSSL does not report most of them.
    pub(super) failed: Vec<String>,
    /// Providers that are active.
    pub(super) providers: Vec<String>,
    /// Whether ropewalk passes its self-test, if it is active.
    pub(super) sound: Option<bool>,
    /// Whether only validated algorithms are fetched.
    pub(super) fips: bool,
    /// Every algorithm of a provider.
    pub(super) algorithms: Vec<Algorithm>,
    /// The properties of a new TLS context, or the reason why there is none.
    pub(super) tls: Tls,
    /// The algorithms of ropewalk, and the provider that serves each.
    pub(super) served: Vec<Served>,
    /// The files of ropewalk that the user may not read.
    pub(super) barred: Vec<String>,
    /// Modules of ropewalk that could not be loaded, with the reasons.
    pub(super) unloadable: Vec<String>,
}

/// A section of a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) name: Vec<u8>,
    /// Names and values, in the order in which they are applied.
    pub(super) values: Vec<(Vec<u8>, Vec<u8>)>,
}

/// An algorithm, and the provider that serves a fetch by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Algorithm {
    pub(super) kind: String,
    pub(super) name: String,
    /// The name of a provider; none if the fetch is refused.
    pub(super) by: Option<String>,
}

/// A TLS context with the default settings for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tls {
    /// Why there is none.
    pub(super) none: Option<String>,
    /// The least and the greatest version, as in a record; 0 means no limit.
    pub(super) versions: [i64; 2],
    pub(super) security_level: i32,
    pub(super) options: u64,
    pub(super) suites: Vec<String>,
}

/// An algorithm of ropewalk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) kind: String,
    pub(super) name: String,
    /// The name of a provider; none if no provider has it.
    pub(super) by: Option<String>,
    /// Whether its known answers were right; none if the provider does not allow a test.
    pub(super) right: Option<bool>,
}

impl Served {
    pub(super) fn is_ours(&self) -> bool {
        self.by.as_deref() == Some("ropewalk")
    }
}

impl View {
    /// The last value of a name. The section without a name is called `default`.
    pub(super) fn value(&self, section: &[u8], name: &[u8]) -> Option<&[u8]> {
        let values = &self.section(section)?.values;
        values.iter().rfind(|(key, _)| key == name).map(|(_, value)| &value[..])
    }

    pub(super) fn section(&self, name: &[u8]) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref().map(|file| Path::new(OsStr::from_bytes(file)))
    }

    pub(super) fn has(&self, provider: &str) -> bool {
        self.providers.iter().any(|active| active == provider)
    }

    /// How many algorithms ropewalk serves.
    pub(super) fn ours(&self) -> usize {
        self.served.iter().filter(|served| served.is_ours()).count()
    }
}

/// The configuration with which OpenSSL is queried.
#[derive(Clone, Debug)]
pub(super) enum With {
    /// The configuration that it reads in the environment of this command.
    Environment,
    /// The configuration that it reads if `OPENSSL_CONF` is not set.
    Default,
    File(PathBuf),
}

/// A query.
#[derive(Clone, Debug)]
pub(super) struct Query<'a> {
    pub(super) with: With,
    /// The OpenSSL, if not the one that programs find.
    pub(super) libcrypto: Option<&'a Path>,
    /// The user that the process runs as, if not this one.
    pub(super) user: Option<&'a str>,
    /// The name of the program's entry in the configuration, if it has its own.
    pub(super) application: Option<&'a str>,
}

/// Options of the process that is queried.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Options {
    #[arg(long, value_name = "FILE")]
    pub(super) libcrypto: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(super) user: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(super) application: Option<String>,
}

/// The words of the provider before the names of backends that compute wrong answers.
const WRONG_ANSWERS: &str = "wrong answers on this processor or emulator, not used: ";

/// OpenSSL's report, and the output of ropewalk meanwhile.
pub(super) struct Answer {
    pub(super) view: View,
    /// The counts.
    pub(super) counts: Vec<String>,
    /// The line that programs print that cannot load the module.
    pub(super) complaint: Option<String>,
    /// The backends that compute wrong answers here, and are not used.
    pub(super) wrong_backends: Vec<String>,
}

impl<'a> Query<'a> {
    pub(super) fn new(with: With, libcrypto: Option<&'a Path>) -> Self {
        Self { with, libcrypto, user: None, application: None }
    }

    pub(super) fn of(self, application: Option<&'a str>) -> Self {
        Self { application, ..self }
    }

    /// Starts the process. It looks up these algorithms too.
    pub(super) fn run(&self, more: &[Algorithm]) -> anyhow::Result<Answer> {
        let mut command = process::Command::new(env::current_exe()?);
        command.args(["provider", "prove"]).env("ROPEWALK_STATS", "1");
        let options: [(&str, Option<&OsStr>); 3] = [
            ("--libcrypto", self.libcrypto.map(Path::as_os_str)),
            ("--user", self.user.map(OsStr::new)),
            ("--application", self.application.map(OsStr::new)),
        ];
        for (option, value) in options {
            if let Some(value) = value {
                command.arg(option).arg(value);
            }
        }
        match &self.with {
            With::Environment => {}
            With::Default => _ = command.env_remove("OPENSSL_CONF"),
            With::File(file) => _ = command.env("OPENSSL_CONF", file),
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot start a process for OpenSSL")?;
        let mut input = child.stdin.take().context("it has no input")?;
        // If the process ends before it has read this, it reports the reason.
        _ = input.write_all(&serde_json::to_vec(more)?);
        drop(input);
        let output = child.wait_with_output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let said = said.trim();
            let said = said.strip_prefix("ropewalk: ").unwrap_or(said);
            bail!("OpenSSL could not be queried: {}: {said}", output.status);
        }
        let lines = said.lines().filter_map(|line| line.strip_prefix("ropewalk: "));
        let (complaints, rest): (Vec<_>, Vec<_>) =
            lines.partition(|line| line.ends_with(loader::SAYS));
        let complaint = complaints.first().map(|line| format!("ropewalk: {line}"));
        let counts = rest.iter().filter(|line| line.contains(" messages, "));
        let counts = counts.map(|line| (*line).to_owned()).collect();
        let wrong = rest.iter().find_map(|line| line.strip_prefix(WRONG_ANSWERS));
        let wrong_backends = wrong.into_iter().flat_map(|names| names.split(','));
        let wrong_backends = wrong_backends.map(|name| name.trim().to_owned()).collect();
        let view = serde_json::from_slice(&output.stdout)?;
        Ok(Answer { view, counts, complaint, wrong_backends })
    }

    /// The same, without the output.
    pub(super) fn view(&self) -> anyhow::Result<View> {
        Ok(self.run(&[])?.view)
    }
}

/// A path that was passed as bytes.
pub(super) fn path(bytes: &[u8]) -> PathBuf {
    OsString::from_vec(bytes.to_vec()).into()
}
