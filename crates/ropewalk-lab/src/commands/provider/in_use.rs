//! The configuration that OpenSSL reads before ropewalk's is installed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::bail;

use super::{
    configuration::{self, NODE},
    files::Place,
    view::{Query, View, With},
};
use crate::filename::shown;

/// Programs that use the default entry, and Node.js.
pub(super) const APPLICATIONS: [Option<&str>; 2] = [None, Some(NODE)];

/// The configuration in use, and OpenSSL's view of it.
pub(super) struct InUse {
    pub(super) file: Option<PathBuf>,
    pub(super) with: With,
    /// For each of [`APPLICATIONS`].
    pub(super) views: [View; 2],
}

impl InUse {
    /// Finds it. If it is one of ropewalk's, the configuration that it was made from.
    pub(super) fn find(place: &Place) -> anyhow::Result<Self> {
        // Services do not inherit the environment of a shell.
        let with = if place.system { With::Default } else { With::Environment };
        Self::of(with, place.libcrypto.as_deref())
    }

    /// The configuration that one of ropewalk's was made from.
    pub(super) fn below(text: &[u8], libcrypto: Option<&Path>) -> anyhow::Result<Self> {
        Self::of(source(text), libcrypto)
    }

    fn of(mut with: With, libcrypto: Option<&Path>) -> anyhow::Result<Self> {
        // One of ropewalk's may include another.
        const NESTED: usize = 8;
        for _ in 0..NESTED {
            let entry = Query::new(with.clone(), libcrypto).view()?;
            let file = entry.file().map(std::path::absolute).transpose()?;
            let text = file.as_ref().and_then(|file| fs::read(file).ok());
            if let Some(text) = text.filter(|text| text.starts_with(configuration::MARK)) {
                with = source(&text);
                continue;
            }
            let named = || shown(file.clone().unwrap_or_default());
            if let Some(why) = &entry.unread {
                bail!("OpenSSL does not read {}, which is in use: {why}", named());
            }
            if entry.has("ropewalk") {
                bail!("{}, which is in use, has ropewalk already", named());
            }
            let node = Query::new(with.clone(), libcrypto).of(Some(NODE)).view()?;
            return Ok(Self { file, with, views: [entry, node] });
        }
        bail!(
            "configurations of this command include each other: say which is in use by OPENSSL_CONF"
        )
    }
}

fn source(text: &[u8]) -> With {
    configuration::included(text).map_or(With::Default, With::File)
}
