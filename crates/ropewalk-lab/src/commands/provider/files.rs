//! Files of ropewalk: their locations, and whether other users may read them.

use std::{
    env,
    fs::{self, DirBuilder, Permissions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use rustix::fs::{Access, access};
use tempfile::NamedTempFile;

use super::configuration;
use crate::filename::shown;

/// The prefix for files that belong to no package.
const PREFIX: &str = "/usr/local";

/// Which configuration is meant, and of which OpenSSL.
#[derive(Debug, clap::Args)]
pub(super) struct Place {
    /// The configuration. Without it, `ropewalk/openssl.cnf` where your programs keep theirs
    #[arg(long, value_name = "FILE", conflicts_with = "system")]
    pub(super) config: Option<PathBuf>,
    /// The configuration of services: `etc/ropewalk/openssl.cnf` below the prefix
    #[arg(long)]
    pub(super) system: bool,
    /// The prefix of `--system`
    #[arg(long, value_name = "DIR", default_value = PREFIX, requires = "system")]
    pub(super) prefix: PathBuf,
    /// The OpenSSL, if not the one that programs find: `libcrypto.so.3`
    #[arg(long, value_name = "FILE")]
    pub(super) libcrypto: Option<PathBuf>,
}

impl Place {
    /// The place for the programs of this user.
    pub(super) fn user() -> Self {
        Self { config: None, system: false, prefix: PREFIX.into(), libcrypto: None }
    }

    /// The place for services.
    pub(super) fn system() -> Self {
        Self { system: true, ..Self::user() }
    }

    pub(super) fn config(&self) -> anyhow::Result<PathBuf> {
        if self.system {
            return Ok(std::path::absolute(self.prefix.join("etc/ropewalk/openssl.cnf"))?);
        }
        if let Some(file) = &self.config {
            return Ok(std::path::absolute(file)?);
        }
        let home = env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let folder = env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
        let folder = folder.map(PathBuf::from).or_else(|| Some(home?.join(".config")));
        let folder = folder.context("no home folder is known here: say --config FILE")?;
        Ok(std::path::absolute(folder.join("ropewalk/openssl.cnf"))?)
    }

    /// The folder to which modules are copied for services, if services may not read the originals.
    pub(super) fn modules(&self) -> anyhow::Result<Option<PathBuf>> {
        let folder = self.prefix.join("lib/ropewalk/provider");
        Ok(if self.system { Some(std::path::absolute(folder)?) } else { None })
    }

    /// The options with which `status` and `uninstall` find the same place.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if self.system {
            words += " --system";
            if self.prefix != Path::new(PREFIX) {
                words += &format!(" --prefix {}", shown(&self.prefix));
            }
        }
        if let Some(config) = &self.config {
            words += &format!(" --config {}", shown(config));
        }
        words
    }

    /// Whether the folder of the configuration belongs to ropewalk.
    pub(super) fn is_own_folder(&self) -> bool {
        self.config.is_none()
    }
}

/// The text of a configuration that this command has written. None if there is no file.
///
/// # Errors
/// If another program has written it.
pub(super) fn ours(config: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match fs::read(config) {
        Ok(text) if text.starts_with(configuration::MARK) => Ok(Some(text)),
        Ok(_) => bail!(
            "{} was not written by this command, and is left as it is: say --config FILE",
            shown(config)
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading {}", shown(config))),
    }
}

/// The first part of the path to a file that this process may not read.
pub(super) fn barred(file: &Path) -> Option<String> {
    let at = |path: &Path, how| match access(path, how) {
        Err(rustix::io::Errno::ACCESS) if path == file => Some(shown(file).to_string()),
        Err(rustix::io::Errno::ACCESS) => {
            Some(format!("{}, which lies in {}", shown(file), shown(path)))
        }
        _ => None,
    };
    let folders: Vec<_> =
        file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).collect();
    let folder = folders.into_iter().rev().find_map(|folder| at(folder, Access::EXEC_OK));
    folder.or_else(|| at(file, Access::READ_OK))
}

/// The first folder of a path that other users may not enter, or the file if they may not read it, with its
/// mode.
pub(super) fn closed_to_others(file: &Path) -> Option<(PathBuf, u32)> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folders: Vec<_> = file.ancestors().skip(1).collect();
    let on_the_way = folders.into_iter().rev().map(|folder| (folder, 0o001));
    on_the_way.chain([(&*file, 0o004)]).find_map(|(path, needed)| {
        let mode = fs::metadata(path).ok()?.mode() & 0o7777;
        (mode & needed == 0).then(|| (path.to_owned(), mode))
    })
}

/// The files that were written so far, to be removed if the rest fails.
pub(super) struct Written {
    /// Whether other users must be able to enter the folders, whatever the umask of this process.
    for_others: bool,
    folders: Vec<PathBuf>,
    /// Files, each with its earlier contents.
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Written {
    pub(super) fn new(for_others: bool) -> Self {
        Self { for_others, folders: Vec::new(), files: Vec::new() }
    }

    /// Creates a folder, and its parents.
    pub(super) fn folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        let missing: Vec<_> = folder.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            let made = DirBuilder::new().mode(0o755).create(folder);
            made.with_context(|| format!("making {}", shown(folder)))?;
            self.folders.push(folder.to_owned());
            if self.for_others {
                fs::set_permissions(folder, Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// Installs a file atomically, readable by others. An existing file is replaced, not overwritten, since a
    /// program may have it mapped.
    pub(super) fn file(&mut self, file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        let before = fs::read(file).ok();
        if before.as_deref() == Some(bytes) {
            return Ok(());
        }
        self.folder(file.parent().unwrap_or(Path::new("/")))?;
        put(file, bytes)?;
        self.files.push((file.to_owned(), before));
        Ok(())
    }

    /// Keeps the files.
    pub(super) fn keep(mut self) {
        self.folders.clear();
        self.files.clear();
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // Errors of the cleanup are ignored: the reason of the failure is more important.
        for (file, before) in self.files.drain(..).rev() {
            _ = match before {
                Some(bytes) => put(&file, &bytes),
                None => fs::remove_file(&file).map_err(Into::into),
            };
        }
        for folder in self.folders.drain(..).rev() {
            _ = fs::remove_dir(folder);
        }
    }
}

fn put(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let mut new = temporary(file, bytes)?;
        new.as_file_mut().sync_all()?;
        new.persist(file)?;
        io::Result::Ok(())
    };
    write().with_context(|| format!("writing {}", shown(file)))
}

/// A temporary file in the same folder, which is removed unless it replaces the file.
pub(super) fn temporary(file: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut new = tempfile::Builder::new().prefix(".ropewalk-").tempfile_in(folder)?;
    new.write_all(bytes)?;
    // Services run as other users.
    new.as_file().set_permissions(Permissions::from_mode(0o644))?;
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_undone() {
        let root = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "a/b/new"].map(|name| root.path().join(name));
        fs::write(&old, "before").unwrap();
        let mut written = Written::new(false);
        written.file(&old, b"after").unwrap();
        written.file(&new, b"new").unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"after");
        assert_eq!(fs::metadata(&new).unwrap().mode() & 0o777, 0o644);
        drop(written);
        assert_eq!(fs::read(&old).unwrap(), b"before");
        assert!(!root.path().join("a").exists());

        let mut written = Written::new(false);
        written.file(&new, b"new").unwrap();
        written.keep();
        assert_eq!(fs::read(&new).unwrap(), b"new");
    }

    #[test]
    fn what_others_may_not_read() {
        let root = tempfile::tempdir().unwrap();
        let open =
            |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let (folder, file) = (root.path().join("folder"), root.path().join("folder/file"));
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "").unwrap();
        open(root.path(), 0o755);
        open(&folder, 0o711);
        open(&file, 0o640);
        let found = |path: &Path| {
            closed_to_others(path).map(|(path, mode)| (path.file_name().unwrap().to_owned(), mode))
        };
        assert_eq!(found(&file), Some(("file".into(), 0o640)));
        open(&file, 0o644);
        assert_eq!(found(&file), None);
        open(&folder, 0o700);
        assert_eq!(found(&file), Some(("folder".into(), 0o700)));
    }
}
