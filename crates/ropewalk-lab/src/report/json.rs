//! Writes lines to a file or to standard output.

use std::{
    fs::{File, OpenOptions, Permissions},
    io::{self, BufWriter, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::filename::shown;

/// The destination of records.
pub enum Sink {
    /// Standard output, flushed line by line, so that a reader can begin early.
    Stdout,
    /// A temporary file next to the one it will replace: that one stays complete until then.
    Beside {
        /// The new contents.
        lines: BufWriter<NamedTempFile>,
        /// The final name.
        path: PathBuf,
    },
    /// A pipe or a device, which cannot be replaced.
    Straight(BufWriter<File>),
}

impl Sink {
    /// Opens a sink; `-` is standard output.
    ///
    /// # Errors
    /// If it cannot be written. Nothing has been changed then.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        Self::file(path).with_context(|| format!("cannot write {}", shown(path)))
    }

    /// Writes one record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.write_text(&(serde_json::to_string(record)? + "\n"))
    }

    /// Writes lines of text.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_text(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout => io::stdout().lock().write_all(text.as_bytes()),
            Self::Beside { lines, .. } => lines.write_all(text.as_bytes()),
            Self::Straight(lines) => lines.write_all(text.as_bytes()),
        }
    }

    /// Makes the lines permanent.
    ///
    /// # Errors
    /// If that fails; an earlier file is then unchanged.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stdout => Ok(io::stdout().flush()?),
            Self::Straight(mut lines) => Ok(lines.flush()?),
            Self::Beside { lines, path } => {
                let cannot = || format!("cannot write {}", shown(&path));
                let file = lines.into_inner().map_err(|e| e.into_error()).with_context(cannot)?;
                file.as_file().sync_all().with_context(cannot)?;
                file.persist(&path).with_context(cannot)?;
                Ok(())
            }
        }
    }

    fn file(path: &Path) -> Result<Self> {
        // The target of a link is replaced, not the link.
        let path = match std::fs::canonicalize(path) {
            Ok(real) => real,
            Err(e) if e.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(e) => return Err(e.into()),
        };
        let mut mode = 0o666;
        if let Ok(there) = std::fs::metadata(&path) {
            let kind = there.file_type();
            if kind.is_dir() {
                bail!("it is a directory");
            }
            // A file that may not be written must not be replaced either.
            let file = OpenOptions::new().append(true).open(&path)?;
            if !kind.is_file() {
                return Ok(Self::Straight(BufWriter::new(file)));
            }
            mode = there.permissions().mode();
        }
        if path.file_name().is_none() {
            bail!("it is no name of a file");
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        std::fs::metadata(folder)?;
        let file = tempfile::Builder::new()
            .prefix(".ropewalk-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(folder)
            // The original message names the temporary file.
            .map_err(|e| io::Error::from(e.kind()))?;
        Ok(Self::Beside { lines: BufWriter::new(file), path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_at_the_end_and_only_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        std::fs::write(&path, "before").unwrap();

        let mut sink = Sink::open(&path).unwrap();
        sink.write(&1).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
        drop(sink);
        assert_eq!(files(folder.path()), ["out.jsonl"], "nothing is left beside it");

        let mut sink = Sink::open(&path).unwrap();
        sink.write(&"after").unwrap();
        sink.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "\"after\"\n");
    }

    #[test]
    fn a_new_file_may_be_read_by_whom_the_system_says() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let there = std::fs::metadata(folder.path().join(name)).unwrap();
            there.permissions().mode()
        };
        std::fs::write(folder.path().join("plain"), "").unwrap();
        Sink::open(&folder.path().join("new")).unwrap().finish().unwrap();
        assert_eq!(mode("new"), mode("plain"));
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        Sink::open(&link).unwrap().finish().unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&real).unwrap(), "");
    }

    #[test]
    fn what_cannot_be_a_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for path in
            [folder.path().to_owned(), folder.path().join("no/such/folder"), "".into(), "..".into()]
        {
            let error = Sink::open(&path).err().unwrap_or_else(|| panic!("{path:?} is accepted"));
            assert!(format!("{error:#}").starts_with("cannot write"), "{error:#}");
        }
        assert!(files(folder.path()).is_empty());
    }

    #[test]
    fn a_device_is_not_replaced() {
        let mut sink = Sink::open(Path::new("/dev/null")).unwrap();
        assert!(matches!(sink, Sink::Straight(_)));
        sink.write(&1).unwrap();
        sink.finish().unwrap();
    }
}
