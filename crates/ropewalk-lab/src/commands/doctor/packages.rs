//! Versions of a library that the package manager of this system offers: queried offline, and with a time
//! limit.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::filename;
use managers::MANAGERS;

pub(super) use managers::root;

mod managers;

/// The offers of a package manager.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Offers {
    /// Its name: `apt`.
    pub(super) manager: &'static str,
    /// The packages of the queried files.
    pub(super) packages: Vec<Package>,
    /// Why they are not known.
    pub(super) note: Option<String>,
}

/// A package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Package {
    pub(super) name: String,
    /// The installed file.
    #[serde(serialize_with = "filename::serialize")]
    pub(super) file: PathBuf,
    /// Its version.
    pub(super) installed: Option<String>,
    /// The other versions, the preferred one first.
    pub(super) offered: Vec<String>,
}

/// The time limit of all queries.
const LIMIT: Duration = Duration::from_secs(10);

/// More than any package manager prints for a few packages.
const MOST: u64 = 4 << 20;

/// The offers for these files; none if there is no package manager, or no file.
pub(super) fn ask(files: &[&Path]) -> Option<Offers> {
    if files.is_empty() {
        return None;
    }
    let run = Run { end: Instant::now() + LIMIT, path: None };
    of(&run, files)
}

fn of(run: &Run, files: &[&Path]) -> Option<Offers> {
    let manager = MANAGERS.iter().find(|manager| run.has(manager.program))?;
    let found = (manager.packages)(run, files);
    let (packages, note) = match found {
        Ok(packages) => (packages, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    Some(Offers { manager: manager.name, packages, note })
}

impl Offers {
    /// The command that installs a version of a package.
    pub(super) fn command(&self, package: &Package, version: &str) -> Option<String> {
        let manager = MANAGERS.iter().find(|manager| manager.name == self.manager)?;
        Some((manager.install)(&package.name, version))
    }
}

/// The upstream version: `1.10.1` of `2:1.10.1-3+deb12u1`.
pub(super) fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, version)| version);
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    version[..end].trim_end_matches('.')
}

/// Runs programs with a common deadline.
struct Run {
    end: Instant,
    /// The folder of the programs, if not in `PATH`.
    path: Option<PathBuf>,
}

impl Run {
    /// Whether a program exists.
    fn has(&self, program: &str) -> bool {
        let path = match &self.path {
            Some(path) => path.clone().into_os_string(),
            None => std::env::var_os("PATH").unwrap_or_default(),
        };
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    }

    /// The output of a program, whatever its status: some files may belong to no package.
    ///
    /// # Errors
    /// If it cannot be started, or does not end in time.
    fn text<S: AsRef<std::ffi::OsStr>>(
        &self,
        program: &str,
        words: impl IntoIterator<Item = S>,
    ) -> Result<String, String> {
        let named = match &self.path {
            Some(path) => path.join(program),
            None => program.into(),
        };
        let mut command = Command::new(named);
        command.args(words).env("LC_ALL", "C").env_remove("LANGUAGE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
        let Some(output) = child.stdout.take() else { return Err(format!("{program}: no output")) };
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            _ = output.take(MOST).read_to_end(&mut bytes);
            bytes
        });
        loop {
            match child.try_wait() {
                Ok(Some(_)) => break,
                Ok(None) if Instant::now() < self.end => thread::sleep(Duration::from_millis(5)),
                Ok(None) | Err(_) => {
                    _ = child.kill();
                    _ = child.wait();
                    // Its child processes may keep the output open: the reader is abandoned.
                    return Err(format!("{program} gave no answer within {} s", LIMIT.as_secs()));
                }
            }
        }
        while !reader.is_finished() && Instant::now() < self.end {
            thread::sleep(Duration::from_millis(1));
        }
        match reader.is_finished() {
            true => Ok(String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()),
            false => Err(format!("{program} gave no answer within {} s", LIMIT.as_secs())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    /// A folder of programs that print something.
    fn programs(all: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in all {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn asked(folder: &tempfile::TempDir, limit: Duration) -> Option<Offers> {
        let run = Run { end: Instant::now() + limit, path: Some(folder.path().to_owned()) };
        of(&run, &[Path::new("/usr/lib/libgcrypt.so.20.4.1")])
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn each_manager_is_understood() {
        let apt = [
            ("dpkg-query", "echo 'libgcrypt20:amd64: /usr/lib/libgcrypt.so.20.4.1'"),
            (
                "apt-cache",
                "printf '%s\\n' libgcrypt20: '  Installed: 1.10.1-3' '  Candidate: 1.11.0-7' '  Version table:' \
                 '     1.11.0-7 500' '        500 http://mirror/debian trixie/main' ' *** 1.10.1-3 100' \
                 '        100 /var/lib/dpkg/status'",
            ),
        ];
        let dnf = [
            ("rpm", "echo 'libgcrypt 1.10.1-3.fc38 /usr/lib/libgcrypt.so.20.4.1'"),
            ("dnf", "echo 'libgcrypt 1.10.1-3.fc38'; echo 'libgcrypt 1.11.0-7.fc38'"),
        ];
        let apk = [(
            "apk",
            "case $1 in info) echo '/usr/lib/libgcrypt.so.20.4.1 is owned by libgcrypt-1.10.1-r3';; \
             policy) printf '%s\\n' 'libgcrypt policy:' '  1.10.1-r3:' '    lib/apk/db/installed' \
             '  1.11.0-r7:' '    http://mirror/v3/main';; esac",
        )];
        let pacman = [(
            "pacman",
            "case $1 in -Qo) echo '/usr/lib/libgcrypt.so.20.4.1 is owned by libgcrypt 1.10.1-3';; \
             -Si) printf '%s\\n' 'Repository : core' 'Name            : libgcrypt' 'Version         : 1.11.0-7';; esac",
        )];
        for (name, all) in [("apt", &apt[..]), ("dnf", &dnf), ("apk", &apk), ("pacman", &pacman)] {
            let offers = asked(&programs(all), LONG).unwrap();
            assert_eq!((offers.manager, &offers.note), (name, &None));
            let [package] = &offers.packages[..] else { panic!("{name}: {offers:?}") };
            assert!(package.name.starts_with("libgcrypt"), "{package:?}");
            assert_eq!(upstream(package.installed.as_deref().unwrap()), "1.10.1", "{name}");
            let upstreams: Vec<_> = package.offered.iter().map(|it| upstream(it)).collect();
            assert_eq!(upstreams, ["1.11.0"], "{name}");
            let command = offers.command(package, &package.offered[0]).unwrap();
            assert!(command.contains(name) && command.contains("libgcrypt"), "{command}");
        }
    }

    #[test]
    fn a_machine_without_a_manager_has_no_offers() {
        assert_eq!(asked(&programs(&[]), LONG), None);
        let nothing = asked(&programs(&[("apt-cache", ""), ("dpkg-query", "exit 1")]), LONG);
        assert_eq!(nothing.unwrap().packages, []);
    }

    #[test]
    fn a_manager_that_hangs_is_ended() {
        let folder = programs(&[("apt-cache", ""), ("dpkg-query", "sleep 600")]);
        let offers = asked(&folder, Duration::from_millis(50)).unwrap();
        assert!(
            offers.note.as_deref().unwrap().contains("dpkg-query gave no answer"),
            "{offers:?}"
        );
    }

    #[test]
    fn versions_of_makers() {
        for (version, makers) in [
            ("2:1.10.1-3+deb12u1", "1.10.1"),
            ("3.8.1-2", "3.8.1"),
            ("1.11.0-r7", "1.11.0"),
            ("3.87.1", "3.87.1"),
            ("1.1.1w-0+deb11u1", "1.1.1"),
            ("", ""),
        ] {
            assert_eq!(upstream(version), makers);
        }
    }
}
