//! The module that OpenSSL loads in place of ropewalk's: it loads that module, and prints a line if it
//! cannot. It is in the folder of the configuration, or where services find modules, so that it exists even
//! if the other one does not.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::filename::shown;
use anyhow::{Context as _, bail};

/// Its name where it is installed, and where a configuration has a copy.
pub(super) const NAME: &str = "ropewalk-loader.so";
/// Its name in cargo's target folder.
pub(super) const BUILT: &str = "libropewalk_openssl_loader.so";

/// A text in it, `ROPEWALK_OPENSSL_LOADER` in its source.
const MARK: &str = "ropewalk-openssl-loader loads what ropewalk-module names to it";

/// The end of the line that it prints.
pub(super) const SAYS: &str = "; this program goes on with OpenSSL's own provider";

/// A loader that was installed or built with a module.
pub(super) struct Loader {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// Whether these are the bytes of a loader.
pub(super) fn is(bytes: &[u8]) -> bool {
    regex::bytes::Regex::new(MARK).is_ok_and(|mark| mark.is_match(bytes))
}

impl Loader {
    /// The loader in the folder of a module.
    pub(super) fn next_to(module: &Path) -> Option<Self> {
        [NAME, BUILT].into_iter().find_map(|name| {
            let path = module.with_file_name(name);
            let bytes = fs::read(&path).ok().filter(|bytes| is(bytes))?;
            Some(Self { path, bytes })
        })
    }

    /// Its path for a configuration: itself, if it is in that folder, or otherwise the copy that is to be
    /// made there.
    pub(super) fn in_folder(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        if self.path.parent().is_some_and(|own| is_one_folder(own, folder)) {
            return Ok(self.path.clone());
        }
        let place = folder.join(NAME);
        match fs::read(&place) {
            Ok(bytes) if is(&bytes) => {}
            Ok(_) => bail!(
                "{} was not written by this command, and is left as it is: say --config FILE in another folder",
                shown(&place)
            ),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("reading {}", shown(&place)));
            }
        }
        Ok(place)
    }
}

/// Removes a copy: the file that a configuration names as its loader, if it was made in that folder from the
/// loader next to `module`.
pub(super) fn remove(folder: &Path, loader: &Path, module: &Path) -> anyhow::Result<()> {
    let copy = folder.join(NAME);
    let is_copy = loader == copy && !module.parent().is_some_and(|own| is_one_folder(own, folder));
    if is_copy && fs::read(&copy).is_ok_and(|bytes| is(&bytes)) {
        fs::remove_file(&copy).with_context(|| format!("removing {}", shown(&copy)))?;
    }
    Ok(())
}

/// Whether two existing folders are the same.
pub(super) fn is_one_folder(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
