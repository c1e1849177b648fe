//! Package managers: how each is queried, and what it prints.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{Package, Run};

/// A package manager.
pub(super) struct Manager {
    pub(super) name: &'static str,
    /// The program whose presence identifies it.
    pub(super) program: &'static str,
    /// The packages of these files.
    pub(super) packages: fn(&Run, &[&Path]) -> Result<Vec<Package>, String>,
    /// The command that installs that version of a package.
    pub(super) install: fn(&str, &str) -> String,
}

/// The first that is present is the system's.
pub(super) const MANAGERS: &[Manager] = &[
    Manager {
        name: "apt",
        program: "apt-cache",
        packages: apt,
        install: |name, version| root(&format!("apt-get install {name}={version}")),
    },
    Manager {
        name: "dnf",
        program: "dnf",
        packages: dnf,
        install: |name, version| root(&format!("dnf install {name}-{version}")),
    },
    Manager {
        name: "apk",
        program: "apk",
        packages: apk,
        install: |name, version| root(&format!("apk add {name}={version}")),
    },
    Manager {
        name: "pacman",
        program: "pacman",
        packages: pacman,
        install: |name, _| root(&format!("pacman -S {name}")),
    },
];

/// A command that requires root.
pub(in crate::commands::doctor) fn root(command: &str) -> String {
    match rustix::process::geteuid().is_root() {
        true => command.into(),
        false => format!("sudo {command}"),
    }
}

/// Debian and derivatives. `dpkg-query` knows a file by the path in its package, which may be in `/lib`.
fn apt(run: &Run, files: &[&Path]) -> Result<Vec<Package>, String> {
    let spellings = files.iter().flat_map(|file| {
        let merged = file.strip_prefix("/usr").ok().map(|rest| Path::new("/").join(rest));
        [Some(file.to_path_buf()), merged].into_iter().flatten()
    });
    let owners = run.text("dpkg-query", ["-S".into()].into_iter().chain(spellings))?;
    let mut packages: Vec<Package> = Vec::new();
    for line in owners.lines() {
        let Some((owner, file)) = line.split_once(": ") else { continue };
        let is_it = |known: &&&Path| {
            **known == Path::new(file)
                || known
                    .strip_prefix("/usr")
                    .is_ok_and(|rest| Path::new("/").join(rest) == Path::new(file))
        };
        let Some(known) = files.iter().find(is_it) else { continue };
        let name = owner.split(':').next().unwrap_or(owner);
        add(&mut packages, name, known, None);
    }
    if packages.is_empty() {
        return Ok(packages);
    }
    let names = packages.iter().map(|package| package.name.clone());
    let said = run.text("apt-cache", ["policy".to_owned()].into_iter().chain(names))?;
    for package in &mut packages {
        policy(&said, package);
    }
    Ok(packages)
}

/// Parses the part of the output of `apt-cache policy` on one package.
fn policy(said: &str, package: &mut Package) {
    let head = format!("{}:", package.name);
    let lines = said.lines().skip_while(|line| *line != head).skip(1);
    let mut candidate = None;
    let mut table = Vec::new();
    for line in lines.take_while(|line| line.starts_with(' ')) {
        if let Some(version) = line.strip_prefix("  Installed: ") {
            package.installed = Some(version.into());
        } else if let Some(version) = line.strip_prefix("  Candidate: ") {
            candidate = Some(version.to_owned());
        } else if let Some(entry) =
            line.strip_prefix("     ").or_else(|| line.strip_prefix(" *** "))
            && !entry.starts_with(' ')
        {
            table.extend(entry.split(' ').next().map(str::to_owned));
        }
    }
    for version in candidate.into_iter().chain(table) {
        offer(package, version);
    }
}

/// Fedora and derivatives.
fn dnf(run: &Run, files: &[&Path]) -> Result<Vec<Package>, String> {
    let mut packages: Vec<Package> = Vec::new();
    for file in files {
        let format = "%{NAME} %{VERSION}-%{RELEASE}\n";
        let owner =
            run.text("rpm", ["-qf".as_ref(), "--qf".as_ref(), format.as_ref(), file.as_os_str()])?;
        let mut words = owner.split_whitespace();
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        if version.starts_with(|c: char| c.is_ascii_digit()) {
            add(&mut packages, name, file, Some(version));
        }
    }
    if packages.is_empty() {
        return Ok(packages);
    }
    let words = ["-C", "-q", "repoquery", "--qf", "%{name} %{version}-%{release}\n"];
    let names = packages.iter().map(|package| package.name.clone());
    let said = run.text("dnf", words.map(str::to_owned).into_iter().chain(names))?;
    // The newest is last.
    for (name, version) in said.lines().rev().filter_map(|line| line.trim().split_once(' ')) {
        if let Some(package) = packages.iter_mut().find(|package| package.name == name) {
            offer(package, version.into());
        }
    }
    Ok(packages)
}

/// Alpine.
fn apk(run: &Run, files: &[&Path]) -> Result<Vec<Package>, String> {
    let mut packages: Vec<Package> = Vec::new();
    for file in files {
        let owner = run.text("apk", ["info".as_ref(), "--who-owns".as_ref(), file.as_os_str()])?;
        let Some(owner) = owner.trim().split(" is owned by ").nth(1) else { continue };
        // `libcrypto3-3.1.4-r5`.
        let mut parts = owner.rsplitn(3, '-');
        let (Some(release), Some(version), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        add(&mut packages, name, file, Some(&format!("{version}-{release}")));
    }
    for package in &mut packages {
        let said = run.text("apk", ["policy", &package.name])?;
        let versions = said.lines().filter_map(|line| {
            let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
            line.strip_suffix(':')
        });
        let versions: Vec<String> = versions.map(str::to_owned).collect();
        versions.into_iter().rev().for_each(|version| offer(package, version));
    }
    Ok(packages)
}

/// Arch.
fn pacman(run: &Run, files: &[&Path]) -> Result<Vec<Package>, String> {
    let mut packages: Vec<Package> = Vec::new();
    for file in files {
        let owner = run.text("pacman", ["-Qo".as_ref(), file.as_os_str()])?;
        let owner = owner.trim().split(" is owned by ").nth(1).and_then(|it| it.split_once(' '));
        if let Some((name, version)) = owner {
            add(&mut packages, name, file, Some(version));
        }
    }
    for package in &mut packages {
        let said = run.text("pacman", ["-Si", &package.name])?;
        let fields: BTreeMap<&str, &str> = said
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim(), value.trim()))
            .collect();
        if let Some(version) = fields.get("Version") {
            offer(package, (*version).into());
        }
    }
    Ok(packages)
}

/// Adds a package once, however many files it has.
fn add(packages: &mut Vec<Package>, name: &str, file: &Path, installed: Option<&str>) {
    if packages.iter().all(|package| package.name != name) {
        packages.push(Package {
            name: name.into(),
            file: PathBuf::from(file),
            installed: installed.map(str::to_owned),
            offered: Vec::new(),
        });
    }
}

fn offer(package: &mut Package, version: String) {
    let is_known =
        package.installed.as_ref() == Some(&version) || package.offered.contains(&version);
    if !is_known && version != "(none)" {
        package.offered.push(version);
    }
}
