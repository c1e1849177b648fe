//! Paths in a tree of files: this machine's, or another's below a folder, whose links are resolved inside it.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs,
    io::{self, Read as _},
    path::{Component, Path, PathBuf},
};

/// A tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The folder; none for this machine's own tree.
    root: Option<PathBuf>,
}

/// The most links that Linux follows.
const LINKS: usize = 40;

impl Tree {
    /// Another machine's tree, below a folder.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn below(folder: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(folder)?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root: Some(root) })
    }

    /// Whether it is this machine's.
    pub fn is_here(&self) -> bool {
        self.root.is_none()
    }

    /// The file of that path in the tree, with all links resolved, by its path on this machine.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(root) = &self.root else { return fs::canonicalize(path) };
        let mut at = PathBuf::new();
        let mut rest: VecDeque<OsString> = parts(path).collect();
        let mut links = 0;
        while let Some(part) = rest.pop_front() {
            if part == ".." {
                // The root has no parent.
                at.pop();
                continue;
            }
            let next = root.join(&at).join(&part);
            if !fs::symlink_metadata(&next)?.is_symlink() {
                at.push(part);
                continue;
            }
            links += 1;
            if links > LINKS {
                return Err(rustix::io::Errno::LOOP.into());
            }
            let target = fs::read_link(&next)?;
            if target.is_absolute() {
                at = PathBuf::new();
            }
            parts(&target).rev().for_each(|part| rest.push_front(part));
        }
        Ok(root.join(at))
    }

    /// The file that a user names: by its path in the tree, or by its path here if it is in the tree.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(&self, path: &Path) -> io::Result<PathBuf> {
        let Some(root) = &self.root else { return self.find(path) };
        // Its folder is resolved on this machine; the file itself may be a link of the tree.
        let folder = path.parent().map(|it| if it == Path::new("") { Path::new(".") } else { it });
        let folder = folder.and_then(|folder| fs::canonicalize(folder).ok());
        let inside = folder.as_ref().and_then(|folder| folder.strip_prefix(root).ok());
        match (inside, path.file_name()) {
            (Some(folder), Some(name)) => self.find(&folder.join(name)),
            _ => self.find(path),
        }
    }

    /// The path in the tree of a file that was found.
    pub fn inside(&self, file: &Path) -> PathBuf {
        match self.root.as_ref().and_then(|root| file.strip_prefix(root).ok()) {
            Some(rest) => Path::new("/").join(rest),
            None => file.into(),
        }
    }

    /// The first `most` bytes of a file of the tree; nothing if there is none.
    pub fn read(&self, path: &Path, most: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Opening a pipe would block.
        if let Ok(file) = self.find(path)
            && file.is_file()
            && let Ok(file) = fs::File::open(file)
        {
            _ = file.take(most).read_to_end(&mut bytes);
        }
        bytes
    }

    /// The names in a folder of the tree, in order; none if there is no such folder.
    pub fn list(&self, folder: &Path) -> Vec<OsString> {
        let entries = self.find(folder).and_then(fs::read_dir);
        let entries = entries.into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    }
}

/// The components of a path that are resolved in order.
fn parts(path: &Path) -> impl DoubleEndedIterator<Item = OsString> + '_ {
    path.components().filter_map(|component| match component {
        Component::Normal(part) => Some(part.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_stay_inside() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("usr/lib/deep")).unwrap();
        fs::write(root.join("usr/lib/file"), "inside").unwrap();
        fs::write(folder.path().join("file"), "outside").unwrap();
        symlink("usr/lib", root.join("lib")).unwrap();
        symlink("/lib/file", root.join("usr/lib/absolute")).unwrap();
        symlink("../../../../../lib/file", root.join("usr/lib/deep/up")).unwrap();
        symlink("/loop", root.join("loop")).unwrap();
        let tree = Tree::below(&root).unwrap();
        let real = fs::canonicalize(&root).unwrap();
        for path in ["/usr/lib/file", "/lib/absolute", "/lib/deep/up", "/../lib/file", "lib/file"] {
            assert_eq!(tree.find(Path::new(path)).unwrap(), real.join("usr/lib/file"), "{path}");
        }
        assert_eq!(tree.inside(&real.join("usr/lib/file")), Path::new("/usr/lib/file"));
        assert_eq!(tree.named(&root.join("lib/absolute")).unwrap(), real.join("usr/lib/file"));
        assert!(tree.find(Path::new("/loop")).is_err());
        assert!(tree.find(Path::new("/file")).is_err());
        assert_eq!(tree.list(Path::new("/lib/deep")), ["up"]);
        assert!(Tree::below(&root.join("usr/lib/file")).is_err());
        assert!(Tree::below(&root.join("nowhere")).is_err());
    }
}
