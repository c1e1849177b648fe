//! Files of a folder. Symbolic links are not followed, and only files are opened, so a walk ends and never
//! blocks.

use std::{collections::HashSet, fs, io, os::unix::fs::MetadataExt, path::Path};

use rustix::fs::OFlags;
use walkdir::{DirEntry, WalkDir};

use super::{Look, Name, Seen, Step, Stop};

pub(super) fn walk(look: &mut Look<'_>, folder: &Path) -> io::Result<()> {
    let mut met = HashSet::new();
    let device = fs::metadata(folder).map(|about| about.dev()).ok();
    for entry in WalkDir::new(folder).same_file_system(true).sort_by_file_name() {
        let done = match entry {
            Ok(entry) => one(look, &entry, device, &mut met),
            Err(error) => {
                let name = Name::of(error.path().unwrap_or(folder));
                let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                look.refuse(&name, why)
            }
        };
        match done {
            Err(Stop::Write(error)) => return Err(error),
            // A file that exceeds a limit does not affect the next one.
            Ok(()) | Err(Stop::Over) => {}
        }
    }
    Ok(())
}

/// A file system, and the number of a file on it.
type Inode = (u64, u64);

fn one(
    look: &mut Look<'_>,
    entry: &DirEntry,
    device: Option<u64>,
    met: &mut HashSet<Inode>,
) -> Step {
    let kind = entry.file_type();
    if !kind.is_dir() && !kind.is_file() {
        return Ok(());
    }
    let about = match entry.metadata() {
        Ok(about) => about,
        Err(error) => return look.refuse(&Name::of(entry.path()), error.to_string()),
    };
    if kind.is_dir() {
        let same = device.is_none_or(|device| device == about.dev());
        return if same {
            Ok(())
        } else {
            look.report(&Name::of(entry.path()), Seen::OtherFileSystem)
        };
    }
    // A file with several hard links is examined once.
    if about.nlink() > 1 && !met.insert((about.dev(), about.ino())) {
        return Ok(());
    }
    look.open(entry.path(), OFlags::NOFOLLOW)
}
