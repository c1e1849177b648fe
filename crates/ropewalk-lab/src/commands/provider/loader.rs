//! The module that OpenSSL loads in place of ropewalk's: it loads that, and says so where it cannot. It lies beside the
//! configuration, so that it is there when the other one is not.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};

/// What it is called where it was installed, and beside a configuration.
pub(super) const NAME: &str = "ropewalk-loader.so";
/// What cargo calls it.
const BUILT: &str = "libropewalk_openssl_loader.so";

/// A text that it has, `ROPEWALK_OPENSSL_LOADER` in its source.
const MARK: &[u8] = b"ropewalk-openssl-loader loads what ropewalk-module names to it";

/// How a line ends that it has written.
pub(super) const SAYS: &str = "; this program goes on with OpenSSL's own provider";

/// One that was installed or built with a module.
pub(super) struct Loader {
    path: PathBuf,
    bytes: Vec<u8>,
}

/// Whether that is what a file holds.
pub(super) fn is(bytes: &[u8]) -> bool {
    bytes.windows(MARK.len()).any(|window| window == MARK)
}

/// Where a configuration has its own.
pub(super) fn place(config: &Path) -> PathBuf {
    config.with_file_name(NAME)
}

impl Loader {
    /// The one that lies beside a module.
    pub(super) fn beside(module: &Path) -> Option<Self> {
        [NAME, BUILT].into_iter().find_map(|name| {
            let path = module.with_file_name(name);
            let bytes = fs::read(&path).ok().filter(|bytes| is(bytes))?;
            Some(Self { path, bytes })
        })
    }

    /// Where the configuration finds it: itself, if both lie in one folder, and else the copy that is to be made.
    pub(super) fn named_by(&self, config: &Path) -> anyhow::Result<PathBuf> {
        if is_one_folder(&self.path, config) {
            return Ok(self.path.clone());
        }
        let place = place(config);
        match fs::read(&place) {
            Ok(bytes) if is(&bytes) => {}
            Ok(_) => bail!(
                "{} was not written by this command, and is left as it is: say --config FILE in another folder",
                place.display()
            ),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("reading {}", place.display()));
            }
        }
        Ok(place)
    }

    /// Makes the copy, unless it is there itself. Another one is not written over, for a program may have it mapped.
    pub(super) fn copy(&self, to: &Path) -> anyhow::Result<()> {
        if *to == *self.path {
            return Ok(());
        }
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(to.parent().unwrap_or(Path::new(".")))?;
            file.write_all(&self.bytes)?;
            // Services have other users.
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
            file.persist(to)?;
            io::Result::Ok(())
        };
        write().with_context(|| format!("writing {}", to.display()))
    }
}

/// Removes a configuration's copy: the file that it names as `loader`, if it was made for it from what lies beside `module`.
pub(super) fn remove(config: &Path, loader: &Path, module: &Path) -> anyhow::Result<()> {
    let copy = place(config);
    let is_copy = loader == copy && !is_one_folder(module, config);
    if is_copy && fs::read(&copy).is_ok_and(|bytes| is(&bytes)) {
        fs::remove_file(&copy).with_context(|| format!("removing {}", copy.display()))?;
    }
    Ok(())
}

/// Whether two files lie in one folder, which must be there.
fn is_one_folder(one: &Path, other: &Path) -> bool {
    let folder = |file: &Path| file.parent()?.canonicalize().ok();
    folder(one).is_some_and(|one| folder(other) == Some(one))
}
