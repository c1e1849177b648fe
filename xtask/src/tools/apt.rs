//! Debian packages, unpacked in a folder and not installed, from the mirror that this machine uses.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{
    process::{self, SOON, program},
    stage::waited,
};

/// The reason that a stage reports while it waits.
const DOWNLOADS: &str = "for downloads";

/// Long enough for any download.
const LIMIT: Duration = Duration::from_secs(300);

/// A package manager of its own, in a folder.
pub(crate) struct Apt {
    folder: PathBuf,
}

/// The origin of packages.
pub(crate) enum Sources<'a> {
    /// The sources of this machine.
    Machine,
    /// Suites of the same mirror.
    Suites(&'a [&'a str]),
    /// A suite of the mirror, and its sources.
    ToBuild(&'a str),
}

impl Apt {
    /// Set up in `folder`, with fresh lists, for the architecture of this machine and others.
    pub(crate) fn new(folder: &Path, sources: &Sources<'_>, others: &[&str]) -> Result<Self> {
        let folder = folder.join("apt");
        for needed in ["lists/partial", "archives/partial"] {
            fs::create_dir_all(folder.join(needed))?;
        }
        let apt = Self { folder };
        apt.set_status("")?;
        let native = process::output(program("dpkg").arg("--print-architecture"), SOON)?;
        let architectures: String =
            [native.trim()].iter().chain(others).map(|name| format!("\"{name}\"; ")).collect();
        let at = apt.folder.display();
        let mut settings = format!(
            "Dir::State \"{at}\";\nDir::State::Lists \"{at}/lists\";\n\
             Dir::State::status \"{at}/status\";\nDir::Cache \"{at}\";\n\
             Dir::Cache::archives \"{at}/archives\";\nAPT::Architectures {{ {architectures}}};\n\
             APT::Sandbox::User \"root\";\nAPT::Install-Recommends \"false\";\n\
             Acquire::Languages \"none\";\nAcquire::Retries \"2\";\n"
        );
        let (suites, kinds): (&[&str], &[&str]) = match sources {
            Sources::Machine => (&[], &[]),
            Sources::Suites(suites) => (suites, &["deb"]),
            Sources::ToBuild(suite) => (std::slice::from_ref(suite), &["deb", "deb-src"]),
        };
        if !suites.is_empty() {
            let (mirror, keyring) = (mirror()?, keyring()?);
            let line =
                |suite, kind| format!("{kind} [signed-by={keyring}] {mirror} {suite} main\n");
            let lines = suites.iter().flat_map(|suite| kinds.iter().map(move |kind| (suite, kind)));
            let lines: String = lines.map(|(suite, kind)| line(suite, kind)).collect();
            fs::write(apt.folder.join("sources.list"), lines)?;
            settings += &format!(
                "Dir::Etc::sourcelist \"{at}/sources.list\";\nDir::Etc::sourceparts \"/dev/null\";\n\
                 Dir::Etc::preferencesparts \"/dev/null\";\n"
            );
        }
        fs::write(apt.folder.join("apt.conf"), settings)?;
        let mut update = apt.command("apt-get");
        update.args(["update", "-qq"]);
        waited(DOWNLOADS, || process::output(&mut update, LIMIT))?;
        Ok(apt)
    }

    /// Versions of a package, newest first.
    pub(super) fn versions(&self, package: &str) -> Result<Vec<String>> {
        let table = process::output(self.command("apt-cache").args(["madison", package]), SOON)?;
        let version = |line: &str| Some(line.split('|').nth(1)?.trim().to_string());
        Ok(table.lines().filter_map(version).collect())
    }

    /// Versions of the sources of a package, newest first.
    pub(crate) fn source_versions(&self, package: &str) -> Result<Vec<String>> {
        let table = process::output(self.command("apt-cache").args(["madison", package]), SOON)?;
        let version = |line: &str| {
            let line = line.trim().strip_suffix(" Sources")?;
            Some(line.split('|').nth(1)?.trim().to_string())
        };
        Ok(table.lines().filter_map(version).collect())
    }

    /// Unpacks packages without their dependencies. Returns their fields `Depends`.
    pub(crate) fn unpack(&self, packages: &[&str], into: &Path) -> Result<String> {
        let folder = tempfile::tempdir_in(&self.folder)?;
        let mut download = self.command("apt-get");
        download.current_dir(&folder).args(["download", "-qq"]).args(packages);
        waited(DOWNLOADS, || process::output(&mut download, LIMIT))?;
        unpack_all(folder.path(), into)
    }

    /// Unpacks the authors' release of a package. Returns its folder.
    pub(crate) fn source(&self, package: &str, into: &Path) -> Result<PathBuf> {
        let folder = tempfile::tempdir_in(&self.folder)?;
        let mut download = self.command("apt-get");
        download.current_dir(&folder);
        download.args(["source", "--download-only", "--tar-only", "-qq", package]);
        waited(DOWNLOADS, || process::output(&mut download, LIMIT))?;
        let archive = fs::read_dir(&folder)?.next().context("it has no sources")??.path();
        let unpacked = into.join("sources");
        fs::create_dir(&unpacked)?;
        let mut unpack = program("tar");
        unpack.arg("-xf").arg(archive).arg("-C").arg(&unpacked);
        process::output(&mut unpack, LIMIT)?;
        Ok(fs::read_dir(unpacked)?.next().context("its sources are empty")??.path())
    }

    /// Unpacks packages, and those of their dependencies that this machine lacks.
    pub(super) fn unpack_missing(&self, packages: &[&str], into: &Path) -> Result<()> {
        self.set_status(&fs::read_to_string("/var/lib/dpkg/status")?)?;
        self.unpack_with_dependencies(packages, into)
    }

    /// Unpacks packages with all dependencies, down to the C library.
    pub(crate) fn unpack_whole(&self, packages: &[&str], into: &Path) -> Result<()> {
        self.set_status("")?;
        self.unpack_with_dependencies(packages, into)
    }

    /// Names of packages that begin with `start`.
    pub(crate) fn names(&self, start: &str) -> Result<Vec<String>> {
        let names = process::output(self.command("apt-cache").args(["pkgnames", start]), SOON)?;
        Ok(names.lines().map(str::to_owned).collect())
    }

    fn unpack_with_dependencies(&self, packages: &[&str], into: &Path) -> Result<()> {
        let mut download = self.command("apt-get");
        download.args(["install", "-y", "-qq", "--download-only"]).args(packages);
        waited(DOWNLOADS, || process::output(&mut download, LIMIT))?;
        unpack_all(&self.folder.join("archives"), into).map(drop)
    }

    /// Removes the lists and archives, which are large.
    pub(super) fn clear(self) -> Result<()> {
        Ok(fs::remove_dir_all(self.folder)?)
    }

    fn set_status(&self, status: &str) -> Result<()> {
        Ok(fs::write(self.folder.join("status"), status)?)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = program(name);
        command.env("APT_CONFIG", self.folder.join("apt.conf"));
        command
    }
}

/// Without a package manager, nothing can be fetched, and a retry would not help.
pub(super) fn must_be_here() -> Result<()> {
    process::output(program("apt-get").arg("--version"), SOON).map(drop)
}

/// Installs packages on this machine. Fetches the lists first if there are none.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    let install = || {
        let mut command = program("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages);
        process::output(&mut command, LIMIT)
    };
    if install().is_err() {
        process::output(program("apt-get").args(["update", "-qq"]), LIMIT)?;
        install()?;
    }
    Ok(())
}

/// A field of the system's release file, such as `ID` or `VERSION_CODENAME`.
pub(super) fn release(field: &str) -> Result<String> {
    let text = fs::read_to_string("/etc/os-release")?;
    let value = |line: &str| Some(line.strip_prefix(field)?.strip_prefix('=')?.to_string());
    let value =
        text.lines().find_map(value).with_context(|| format!("no {field} in os-release"))?;
    Ok(value.trim_matches('"').into())
}

/// The mirror that most of this machine's package lists come from.
fn mirror() -> Result<String> {
    let list = ["indextargets", "--format", "$(SITE)"];
    let mut sites = process::output(program("apt-get").args(list), SOON)?;
    if sites.trim().is_empty() {
        // A machine that has never fetched its lists cannot name their source.
        let folder = tempfile::tempdir()?;
        let apt = Apt::new(folder.path(), &Sources::Machine, &[])?;
        sites = process::output(apt.command("apt-get").args(list), SOON)?;
    }
    let mut counts = BTreeMap::new();
    for site in sites.lines().filter(|site| !site.contains("-security")) {
        *counts.entry(site).or_insert(0) += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    Ok(most.context("apt knows no mirror")?.0.into())
}

fn keyring() -> Result<String> {
    let path = format!("/usr/share/keyrings/{}-archive-keyring.gpg", release("ID")?);
    if !Path::new(&path).exists() {
        bail!("no {path}");
    }
    Ok(path)
}

/// Unpacks every package in a folder; returns their fields `Depends`.
fn unpack_all(folder: &Path, into: &Path) -> Result<String> {
    let mut depends = String::new();
    for entry in fs::read_dir(folder)? {
        let package = entry?.path();
        if package.extension().is_none_or(|extension| extension != "deb") {
            continue;
        }
        process::output(program("dpkg-deb").arg("-x").args([&package, into]), LIMIT)?;
        depends +=
            &process::output(program("dpkg-deb").arg("-f").arg(&package).arg("Depends"), SOON)?;
        fs::remove_file(package)?;
    }
    Ok(depends)
}
