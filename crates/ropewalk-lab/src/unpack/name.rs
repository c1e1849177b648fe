//! Names of files, which are bytes, and of members of archives.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer};

use crate::filename;

/// The path of a file; for a member of an archive, the archive's, `!`, and the member's, as stored in the
/// archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(Vec<u8>);

impl Name {
    /// The name of a file.
    pub fn of(path: &Path) -> Self {
        Self(path.as_os_str().as_bytes().to_vec())
    }

    /// The same as a path, with archives as folders.
    pub(super) fn as_path(&self) -> PathBuf {
        let bytes = self.0.iter().map(|byte| if *byte == b'!' { b'/' } else { *byte });
        PathBuf::from(OsString::from_vec(bytes.collect()))
    }

    /// The name of a member of this archive.
    pub(super) fn member(&self, name: &[u8]) -> Self {
        let name = name.strip_prefix(b"./").unwrap_or(name);
        Self([&self.0, &b"!"[..], name].concat())
    }
}

/// On one line, with control characters escaped.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

/// Bytes of a name as text on one line, as [`filename::shown`] gives it.
pub(super) fn shown(name: &[u8]) -> String {
    filename::shown(OsStr::from_bytes(name))
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_follow_their_archive() {
        let name = Name::of(Path::new("a.deb")).member(b"./usr/lib/x.jar").member(b"../y\n\x1b[2J");
        assert_eq!(name.to_string(), r"a.deb!usr/lib/x.jar!../y\x0a\x1b[2J");
        let json = serde_json::to_value(&name).unwrap();
        assert_eq!(json, r"a.deb!usr/lib/x.jar!../y\x0a\x1b[2J");
        let odd = Name::of(Path::new("a")).member(b"\xe4\\\xc3\xa4");
        assert_eq!(odd.to_string(), r"a!\xe4\\ä");
    }
}
