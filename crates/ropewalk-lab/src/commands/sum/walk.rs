//! Files of folders, in the order of their paths as bytes, independent of the file system's order.

use std::{
    ffi::{OsStr, OsString},
    fs, io, mem,
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// The size of the names in all folders that the walk is in. If one has more, it is read several times.
const ROOM: usize = 8 << 20;

/// The least for one folder: in a very deep walk, each part of a path is short.
const LEAST: usize = 4 << 10;

/// Visits all files below a folder. Symbolic links are not followed, and only regular files are read: a walk
/// ends, and never blocks on a pipe.
pub(super) fn walk(folder: &OsStr, found: impl FnMut(OsString, io::Result<()>)) {
    walk_in(ROOM, folder, found);
}

fn walk_in(room: usize, folder: &OsStr, mut found: impl FnMut(OsString, io::Result<()>)) {
    let mut path = folder.as_bytes().to_vec();
    if !path.ends_with(b"/") {
        path.push(b'/');
    }
    let mut levels: Vec<Level> = Vec::new();
    let mut enter = Some(Vec::new());
    loop {
        if let Some(after) = enter.take() {
            let taken: usize = levels.iter().map(|level| level.names.cost()).sum();
            let room = (room.saturating_sub(taken) / 2).max(LEAST);
            match Names::read(OsStr::from_bytes(&path), &after, room) {
                Ok(names) => levels.push(Level { prefix: path.len(), names, next: 0 }),
                Err(why) => {
                    let name = path.strip_suffix(b"/").filter(|name| !name.is_empty());
                    found(OsStr::from_bytes(name.unwrap_or(&path)).to_owned(), Err(why));
                }
            }
        }
        let Some(level) = levels.last_mut() else { return };
        path.truncate(level.prefix);
        match level.names.get(level.next) {
            Some(name) => {
                level.next += 1;
                path.extend(name);
                match name.ends_with(b"/") {
                    true => enter = Some(Vec::new()),
                    false => found(OsString::from_vec(path.clone()), Ok(())),
                }
            }
            None => {
                enter = levels.pop().and_then(|level| level.names.cut);
            }
        }
    }
}

/// A folder that the walk is in.
struct Level {
    /// Bytes of its path.
    prefix: usize,
    names: Names,
    next: usize,
}

/// Names in a folder, in order. The name of a folder ends with a slash, so that it is sorted like the paths
/// of its files.
struct Names {
    text: Vec<u8>,
    /// The range of each.
    spans: Vec<(u32, u32)>,
    /// The last of them, if there are more.
    cut: Option<Vec<u8>>,
}

impl Names {
    /// The first names after that one, as many as fit.
    fn read(folder: &OsStr, after: &[u8], room: usize) -> io::Result<Self> {
        let mut names = Self { text: Vec::new(), spans: Vec::new(), cut: None };
        let mut name = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let is_folder = match entry.file_type() {
                Ok(kind) if kind.is_dir() => true,
                Ok(kind) if !kind.is_file() => continue,
                // The reason why it is unknown is reported when it is opened.
                _ => false,
            };
            name.clear();
            name.extend(entry.file_name().as_bytes());
            if is_folder {
                name.push(b'/');
            }
            if *name > *after && names.cut.as_ref().is_none_or(|cut| name <= *cut) {
                names.push(&name);
            }
            if names.cost() > room && names.spans.len() > 1 {
                names.halve();
            }
        }
        names.sort();
        Ok(names)
    }

    fn cost(&self) -> usize {
        self.text.len() + size_of::<(u32, u32)>() * self.spans.len()
    }

    fn get(&self, i: usize) -> Option<&[u8]> {
        self.spans.get(i).map(|span| text(&self.text, *span))
    }

    fn push(&mut self, name: &[u8]) {
        let start = self.text.len();
        self.text.extend(name);
        self.spans.push((start as u32, self.text.len() as u32));
    }

    fn sort(&mut self) {
        let Self { text: all, spans, .. } = self;
        spans.sort_unstable_by(|a, b| text(all, *a).cmp(text(all, *b)));
    }

    /// Keeps the first half.
    fn halve(&mut self) {
        self.sort();
        self.spans.truncate(self.spans.len() / 2);
        let all = mem::take(&mut self.text);
        for span in mem::take(&mut self.spans) {
            self.push(text(&all, span));
        }
        self.cut = self.spans.last().map(|span| text(&self.text, *span).to_vec());
    }
}

fn text(all: &[u8], (start, end): (u32, u32)) -> &[u8] {
    &all[start as usize..end as usize]
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn paths(room: usize, folder: &OsStr) -> Vec<OsString> {
        let mut paths = Vec::new();
        walk_in(room, folder, |path, read| {
            read.unwrap();
            paths.push(path);
        });
        paths
    }

    #[test]
    fn paths_come_in_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut want = Vec::new();
        for at in ["", "a", "a/b", "a.b", "a-b", "z/y/x"] {
            fs::create_dir_all(folder.path().join(at)).unwrap();
            for i in 0..if at == "a/b" { 1500 } else { 20 } {
                let path = folder.path().join(at).join(format!("file {i}"));
                fs::write(&path, "").unwrap();
                want.push(path.into_os_string());
            }
        }
        want.sort();
        symlink("..", folder.path().join("a/loop")).unwrap();
        symlink("file 1", folder.path().join("link")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        let name = folder.path().as_os_str();
        // With little space, a folder is read many times.
        for room in [ROOM, 64 << 10, 1] {
            assert_eq!(paths(room, name), want, "{room}");
        }
        let slash = [name, OsStr::new("/")].into_iter().collect::<OsString>();
        assert_eq!(paths(ROOM, &slash), want);
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let mut told = Vec::new();
        walk(OsStr::new("no/such/folder"), |path, read| {
            told.push((path, read.unwrap_err().kind()))
        });
        assert_eq!(told, [("no/such/folder".into(), io::ErrorKind::NotFound)]);
    }
}
