//! Tests whether a library loads here: the lab opens it, in a separate process.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{self, SOON, program};

/// A library that the lab has opened.
pub(super) struct Library {
    /// The peer that loads it.
    pub(super) peer: &'static str,
    /// The version that it reports.
    pub(super) version: String,
    pub(super) file: PathBuf,
    /// The loader of the C library that it needs, if that of this machine is too old.
    pub(super) loader: Option<PathBuf>,
}

/// The lab.
pub(super) struct Probe {
    pub(super) lab: PathBuf,
}

impl Probe {
    /// Opens a library directly, or else through a loader.
    pub(super) fn open(
        &self,
        peer: &'static str,
        file: &Path,
        loader: Option<&Path>,
    ) -> Result<Library> {
        let bare = self.version(peer, file, None);
        let (version, loader) = match (bare, loader) {
            (Err(_), Some(loader)) => (self.version(peer, file, Some(loader))?, Some(loader)),
            (bare, _) => (bare?, None),
        };
        Ok(Library { peer, version, file: file.into(), loader: loader.map(Path::to_path_buf) })
    }

    fn version(&self, peer: &str, file: &Path, loader: Option<&Path>) -> Result<String> {
        let mut worker = match loader {
            Some(loader) => {
                let mut worker = program(loader);
                let folder = loader.parent().context("a loader is in a folder")?;
                worker.arg("--library-path").arg(folder).arg(&self.lab);
                worker
            }
            None => program(&self.lab),
        };
        worker.args(["worker", "--peer", peer, "--library"]).arg(file);
        let reply = process::output(&mut worker, SOON)?;
        let reply: Value = serde_json::from_str(reply.lines().next().unwrap_or_default())?;
        match (reply["opened"]["version"].as_str(), reply["unavailable"].as_str()) {
            (Some(version), _) => Ok(version.into()),
            (None, Some(why)) => bail!("{}: {why}", file.display()),
            (None, None) => bail!("{}: the lab replied {reply}", file.display()),
        }
    }
}
