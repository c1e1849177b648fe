//! The module that OpenSSL loads in place of ropewalk's: it loads that, and prints a line where it cannot. It lies next to the
//! configuration, or where services find modules, so that it is there when the other one is not.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::filename::shown;
use anyhow::{Context as _, bail};

/// What it is called where it was installed, and where a configuration has its copy.
pub(super) const NAME: &str = "ropewalk-loader.so";
/// What cargo calls it.
pub(super) const BUILT: &str = "libropewalk_openssl_loader.so";

/// A text that it has, `ROPEWALK_OPENSSL_LOADER` in its source.
const MARK: &str = "ropewalk-openssl-loader loads what ropewalk-module names to it";

/// How a line ends that it has written.
pub(super) const SAYS: &str = "; this program goes on with OpenSSL's own provider";

/// One that was installed or built with a module.
pub(super) struct Loader {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// Whether that is what a file holds.
pub(super) fn is(bytes: &[u8]) -> bool {
    regex::bytes::Regex::new(MARK).is_ok_and(|mark| mark.is_match(bytes))
}

impl Loader {
    /// The one that lies next to a module.
    pub(super) fn next_to(module: &Path) -> Option<Self> {
        [NAME, BUILT].into_iter().find_map(|name| {
            let path = module.with_file_name(name);
            let bytes = fs::read(&path).ok().filter(|bytes| is(bytes))?;
            Some(Self { path, bytes })
        })
    }

    /// Where a configuration finds it: itself, if it lies in that folder, and else the copy that is to be made there.
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

/// Removes a copy: the file that a configuration names as its loader, if it was made in that folder from what lies next to
/// `module`.
pub(super) fn remove(folder: &Path, loader: &Path, module: &Path) -> anyhow::Result<()> {
    let copy = folder.join(NAME);
    let is_copy = loader == copy && !module.parent().is_some_and(|own| is_one_folder(own, folder));
    if is_copy && fs::read(&copy).is_ok_and(|bytes| is(&bytes)) {
        fs::remove_file(&copy).with_context(|| format!("removing {}", shown(&copy)))?;
    }
    Ok(())
}

/// Whether two folders are one, which must be there.
pub(super) fn is_one_folder(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
