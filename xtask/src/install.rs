//! `cargo xtask install` and `uninstall`: the C library, the provider of OpenSSL and the command, for this machine.
//!
//! A list records each file and its content. No other file is ever overwritten or removed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Component, Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest as _, Sha256};

use crate::{process, shell, shipped};

/// The default prefix.
pub const PREFIX: &str = "/usr/local";

/// The path of the list below a prefix.
const MANIFEST: &str = "lib/ropewalk/manifest";

/// Further libraries for a program that links the static library.
const STATIC_NEEDS: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl";

/// The origin of a file.
enum Source {
    /// A file that cargo builds for a package.
    Built { package: &'static str, file: &'static str },
    /// A file of the project.
    Kept(&'static str),
    /// A text, for a prefix and a version.
    Written(fn(prefix: &Path, version: &str) -> String),
    /// A link to another file of its folder.
    Link(&'static str),
}

/// Everything that is installed, below the prefix. `VERSION` stands for that. A further file is one line.
const INSTALLED: &[(&str, Source)] = &[
    ("lib/libropewalk.so.VERSION", Source::Built { package: "ropewalk-c", file: "libropewalk.so" }),
    ("lib/libropewalk.so.0", Source::Link("libropewalk.so.VERSION")),
    ("lib/libropewalk.so", Source::Link("libropewalk.so.0")),
    ("lib/libropewalk.a", Source::Built { package: "ropewalk-c", file: "libropewalk.a" }),
    ("lib/pkgconfig/ropewalk.pc", Source::Written(pkg_config)),
    ("include/ropewalk.h", Source::Kept("crates/ropewalk-c/include/ropewalk.h")),
    (
        "lib/ossl-modules/ropewalk.so",
        Source::Built { package: "ropewalk-openssl", file: "libropewalk_openssl.so" },
    ),
    (
        "lib/ossl-modules/ropewalk-loader.so",
        Source::Built { package: "ropewalk-openssl-loader", file: "libropewalk_openssl_loader.so" },
    ),
    ("bin/ropewalk", Source::Built { package: "ropewalk-lab", file: COMMAND }),
];

/// The file name of the command.
const COMMAND: &str = "ropewalk";

/// Folders that are removed if they are empty, like those of [`shell::FOLDERS`].
const FOLDERS: [&str; 3] = ["lib/ropewalk", "lib/pkgconfig", "lib/ossl-modules"];

/// The intended content.
#[derive(Debug, PartialEq, Eq)]
enum Content {
    Bytes(Vec<u8>),
    Link(PathBuf),
}

/// Builds the library and installs it.
///
/// # Errors
/// Fails if the build fails, or a file of another origin is in the way: nothing is then written.
pub fn install(root: &Path, prefix: &Path) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "files have these names on Linux only");
    let prefix = std::path::absolute(prefix)?;
    let version = version(root)?;
    let built = build(root)?;
    let mut all = BTreeMap::new();
    for (to, source) in INSTALLED {
        let content = match source {
            Source::Built { package, file } => {
                let path = named(&built, file);
                let path =
                    path.with_context(|| format!("cargo has made no {file} of {package}"))?;
                Content::Bytes(fs::read(path)?)
            }
            Source::Kept(file) => Content::Bytes(fs::read(root.join(file))?),
            Source::Written(text) => Content::Bytes(text(&prefix, &version).into_bytes()),
            Source::Link(to) => Content::Link(to.replace("VERSION", &version).into()),
        };
        all.insert(to.replace("VERSION", &version), content);
    }
    let command = named(&built, COMMAND).context("cargo has made no command")?;
    let printed = shell::files(|| process::program(command))?;
    all.extend(printed.into_iter().map(|(path, bytes)| (path, Content::Bytes(bytes))));
    put(&prefix, &all)?;
    println!("ropewalk {version} is in {}", prefix.display());
    println!("compile: cc program.c $(pkg-config --cflags --libs ropewalk)");
    let found = prefix.join("lib/pkgconfig");
    println!("if pkg-config does not find it: export PKG_CONFIG_PATH={}", found.display());
    println!(
        "if the loader does not find it: ldconfig, or LD_LIBRARY_PATH={}",
        prefix.join("lib").display()
    );
    println!("\nprograms that go through OpenSSL run on it after\n");
    println!("  {} provider install", prefix.join("bin/ropewalk").display());
    println!("  export OPENSSL_CONF=\"${{XDG_CONFIG_HOME:-$HOME/.config}}/ropewalk/openssl.cnf\"");
    Ok(())
}

/// Removes the files that [`install`] has written.
///
/// # Errors
/// Fails if nothing is installed, or a file has been replaced since: that file stays.
pub fn uninstall(prefix: &Path) -> Result<()> {
    let prefix = std::path::absolute(prefix)?;
    let listed = listed(&prefix)?;
    ensure!(!listed.is_empty(), "nothing was installed in {}", prefix.display());
    let (mut removed, mut others) = (0, Vec::new());
    for path in listed.iter().map(|(path, _)| path).collect::<BTreeSet<_>>() {
        match found(&prefix.join(path))? {
            None => {}
            Some(content) if listed.contains(&(path.clone(), content.fingerprint())) => {
                fs::remove_file(prefix.join(path))?;
                removed += 1;
            }
            Some(_) => others.push(path.as_str()),
        }
    }
    fs::remove_file(prefix.join(MANIFEST))?;
    // Folders with files of others are not empty, and stay.
    for folder in FOLDERS.iter().chain(&shell::FOLDERS) {
        let _ = fs::remove_dir(prefix.join(folder));
    }
    println!("{removed} files of ropewalk removed from {}", prefix.display());
    match others.is_empty() {
        true => Ok(()),
        false => bail!("replaced since, and left: {}", others.join(", ")),
    }
}

/// The built file with that name.
fn named<'a>(built: &'a [PathBuf], name: &str) -> Option<&'a PathBuf> {
    built.iter().find(|path| path.file_name().is_some_and(|file| file == name))
}

/// Paths below the prefix, each with a digest of the file. A file that is being replaced has two entries.
type Listed = BTreeSet<(String, String)>;

/// Writes files, unless one is in the way, and the list of them.
fn put(prefix: &Path, all: &BTreeMap<String, Content>) -> Result<()> {
    let before = listed(prefix)?;
    for path in all.keys() {
        if let Some(content) = found(&prefix.join(path))?
            && !before.contains(&(path.clone(), content.fingerprint()))
        {
            bail!("{} is there, and this has not written it", prefix.join(path).display());
        }
    }
    let now: Listed =
        all.iter().map(|(path, content)| (path.clone(), content.fingerprint())).collect();
    // The files of both installations, so that an interrupted run can still remove all of them.
    list(prefix, &before.union(&now).cloned().collect())?;
    for (path, _) in before.iter().filter(|(path, _)| !all.contains_key(path)) {
        if prefix.join(path).symlink_metadata().is_ok() {
            fs::remove_file(prefix.join(path))?;
        }
    }
    for (path, content) in all {
        let at = prefix.join(path);
        fs::create_dir_all(at.parent().context("it is in a folder")?)?;
        if at.symlink_metadata().is_ok() {
            // Not overwritten, since a program may have it mapped.
            fs::remove_file(&at)?;
        }
        match content {
            Content::Bytes(bytes) => {
                fs::write(&at, bytes)?;
                if path.starts_with("bin/") {
                    fs::set_permissions(&at, fs::Permissions::from_mode(0o755))?;
                }
            }
            Content::Link(to) => symlink(to, &at)?,
        }
    }
    list(prefix, &now)
}

/// Writes the list.
fn list(prefix: &Path, listed: &Listed) -> Result<()> {
    let path = prefix.join(MANIFEST);
    fs::create_dir_all(path.parent().context("the list is in a folder")?)?;
    let lines = listed.iter().map(|(path, fingerprint)| format!("{fingerprint}  {path}\n"));
    Ok(fs::write(path, lines.collect::<String>())?)
}

/// The list of what was installed.
fn listed(prefix: &Path) -> Result<Listed> {
    let path = prefix.join(MANIFEST);
    if !path.exists() {
        return Ok(Listed::new());
    }
    let text = fs::read_to_string(&path)?;
    let line = |line: &str| {
        let (fingerprint, path) = line.split_once("  ").context("a line of another kind")?;
        let within = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(within, "{path} is not below the prefix");
        Ok((path.to_string(), fingerprint.to_string()))
    };
    text.lines().map(line).collect::<Result<_>>().with_context(|| format!("in {}", path.display()))
}

/// The content of a path, if it exists.
fn found(path: &Path) -> Result<Option<Content>> {
    match path.symlink_metadata() {
        Ok(data) if data.is_symlink() => Ok(Some(Content::Link(fs::read_link(path)?))),
        Ok(data) if data.is_file() => Ok(Some(Content::Bytes(fs::read(path)?))),
        Ok(_) => bail!("{} is no file", path.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot look at {}", path.display())),
    }
}

impl Content {
    fn fingerprint(&self) -> String {
        let mut hasher = Sha256::new();
        match self {
            Self::Bytes(bytes) => hasher.update(bytes),
            Self::Link(to) => hasher.update(format!("link to {}", to.display())),
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The files that cargo builds for all packages.
fn build(root: &Path) -> Result<Vec<PathBuf>> {
    let mut cargo = shipped::cargo(root)?;
    for (_, source) in INSTALLED {
        if let Source::Built { package, .. } = source {
            cargo.args(["--package", package]);
        }
    }
    process::files(&mut cargo)
}

fn version(root: &Path) -> Result<String> {
    let mut metadata = cargo_metadata::MetadataCommand::new();
    let metadata = metadata.no_deps().manifest_path(root.join("Cargo.toml")).exec()?;
    let package = metadata.packages.iter().find(|package| package.name.as_str() == "ropewalk-c");
    Ok(package.context("there is no C library")?.version.to_string())
}

fn pkg_config(prefix: &Path, version: &str) -> String {
    let prefix = prefix.display();
    format!(
        "prefix={prefix}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: ropewalk\nDescription: cryptographic primitives at the speed of the processor\n\
         Version: {version}\nLibs: -L${{libdir}} -lropewalk\nLibs.private: {STATIC_NEEDS}\n\
         Cflags: -I${{includedir}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(text: &str) -> BTreeMap<String, Content> {
        let bytes = Content::Bytes(text.as_bytes().into());
        let link = Content::Link("libropewalk.so.0".into());
        [("lib/libropewalk.so.0".into(), bytes), ("lib/libropewalk.so".into(), link)].into()
    }

    #[test]
    fn only_what_was_installed_is_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path();
        assert!(uninstall(prefix).is_err());
        put(prefix, &some("one")).unwrap();
        put(prefix, &some("two")).unwrap();
        let library = prefix.join("lib/libropewalk.so.0");
        assert_eq!(fs::read_to_string(prefix.join("lib/libropewalk.so")).unwrap(), "two");

        fs::write(&library, "of somebody else").unwrap();
        let why = put(prefix, &some("three")).unwrap_err().to_string();
        assert!(why.ends_with("is there, and this has not written it"), "{why}");
        let why = uninstall(prefix).unwrap_err().to_string();
        assert_eq!(why, "replaced since, and left: lib/libropewalk.so.0");
        assert_eq!(fs::read_to_string(&library).unwrap(), "of somebody else");
        assert!(!prefix.join("lib/libropewalk.so").exists() && !prefix.join(MANIFEST).exists());

        fs::remove_file(&library).unwrap();
        put(prefix, &some("four")).unwrap();
        uninstall(prefix).unwrap();
        assert!(!library.exists() && !prefix.join("lib/ropewalk").exists());
    }

    #[test]
    fn a_list_names_nothing_beyond_its_prefix() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("lib/ropewalk")).unwrap();
        for path in ["../elsewhere", "/elsewhere", "lib/../../elsewhere"] {
            fs::write(folder.path().join(MANIFEST), format!("0  {path}\n")).unwrap();
            assert!(uninstall(folder.path()).is_err());
        }
    }
}
