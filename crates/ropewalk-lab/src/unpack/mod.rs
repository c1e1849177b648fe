//! Opens files for the doctor: folders are walked, and archives and compressed files are opened in memory.
//!
//! The type of a file is determined by its first bytes, never by its name. Nothing is written to disk, so a
//! path in an archive is only a name. [`bounds`] limits what one file may unpack to.

pub mod bounds;
mod deb;
mod fat;
mod folder;
mod kind;
mod level;
mod name;
mod streams;
mod tar;
mod zip;

#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;

use std::{
    fmt::Display,
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Cursor, Read, Seek},
    mem,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Result, ensure};
use rawzip::FileReader;
use rustix::fs::OFlags;

pub use name::Name;

use crate::inspect::{self, Finding, Members, Unsupported};
use bounds::{Budget, Metered};
use kind::Kind;
use level::Level;

/// A file that was reached.
pub struct Member {
    /// Its name, with the archives that it is in.
    pub name: Name,
    /// Whether it is one of several: in a folder or in an archive.
    pub within: bool,
    /// Its contents.
    pub seen: Seen,
}

/// The contents of a file.
pub enum Seen {
    /// Code that was examined.
    Found(Box<Finding>),
    /// Code for a machine that is not supported, with the reason.
    OtherMachine(String),
    /// No code: a text, an image, a library without objects.
    NotBinary,
    /// It could not be examined, with the reason.
    Refused(String),
    /// A folder on which another file system is mounted.
    OtherFileSystem,
}

/// The kind of the examined path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One file, compressed or not.
    File,
    /// An archive of files.
    Archive,
    /// A folder.
    Folder,
}

/// A callback for the files, in order.
pub type See<'a> = &'a mut dyn FnMut(Member) -> io::Result<()>;

/// Examines a file, every file of an archive, or every file of a folder.
///
/// # Errors
/// Those of `see`. Unreadable files are reported as [`Seen::Refused`].
pub fn look(path: &Path, see: See<'_>) -> io::Result<Shape> {
    let mut look = Look {
        see,
        path: PathBuf::new(),
        budget: Rc::default(),
        within: false,
        failures: 0,
        members: Members::default(),
        held: Vec::new(),
    };
    // Before it is opened, since opening a device can have effects.
    let done = match fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            look.within = true;
            folder::walk(&mut look, path)?;
            return Ok(Shape::Folder);
        }
        Ok(about) if about.is_file() => look.open(path, OFlags::empty()),
        Ok(_) => look.report(&Name::of(path), Seen::Refused("not a file".into())),
        Err(error) => look.report(&Name::of(path), Seen::Refused(error.to_string())),
    };
    match done {
        Err(Stop::Write(error)) => Err(error),
        Ok(()) | Err(Stop::Over) if look.within => Ok(Shape::Archive),
        Ok(()) | Err(Stop::Over) => Ok(Shape::File),
    }
}

/// Why reading of a file was stopped.
enum Stop {
    /// It exceeds a limit, which was reported.
    Over,
    /// The callback failed.
    Write(io::Error),
}

type Step<T = ()> = Result<T, Stop>;

/// The start of an error for archives and compressed files.
const DAMAGED: &str = "damaged or cut short";

/// A file that is being examined.
struct Look<'a> {
    see: See<'a>,
    /// The file on disk.
    path: PathBuf,
    budget: Rc<Budget>,
    within: bool,
    /// The number of failed reads.
    failures: u64,
    /// The members so far of the archive on disk.
    members: Members,
    /// Its members that a later one may replace.
    held: Vec<Member>,
}

impl Look<'_> {
    fn report(&mut self, name: &Name, seen: Seen) -> Step {
        let member = Member { name: name.clone(), within: self.within, seen };
        if let Seen::Found(finding) = &member.seen
            && *name != Name::of(&self.path)
        {
            let path = name.as_path();
            self.members.add(finding, &path);
            if Members::may_excuse(finding, &path) {
                self.held.push(member);
                return Ok(());
            }
        }
        (self.see)(member).map_err(Stop::Write)
    }

    /// Reports the members that were held back, at the end.
    fn report_held(&mut self) -> Step {
        let members = mem::take(&mut self.members);
        for mut member in mem::take(&mut self.held) {
            if let Seen::Found(finding) = &mut member.seen {
                members.excuse(finding, &member.name.as_path());
            }
            (self.see)(member).map_err(Stop::Write)?;
        }
        Ok(())
    }

    fn refuse(&mut self, name: &Name, why: impl Into<String>) -> Step {
        self.report(name, Seen::Refused(why.into()))
    }

    /// Reports why reading has failed, and ends if a limit of the whole file is the cause.
    fn failed(&mut self, name: &Name, error: impl Display) -> Step {
        self.failures += 1;
        match self.budget.over() {
            Some(over) => {
                self.refuse(name, over.to_string())?;
                Err(Stop::Over)
            }
            None => self.refuse(name, format!("{DAMAGED}: {error}")),
        }
    }

    /// Opens a file and examines it. The flags are additional ones for opening it.
    fn open(&mut self, path: &Path, flags: OFlags) -> Step {
        let name = Name::of(path);
        self.path = path.to_owned();
        // Does not block if a pipe replaces the file meanwhile.
        let flags = (flags | OFlags::NONBLOCK).bits() as i32;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
        let opened = file.map_err(anyhow::Error::from).and_then(|file| {
            let about = file.metadata()?;
            ensure!(about.is_file(), "not a file");
            Ok((file, about.len()))
        });
        let done = match opened {
            Ok((file, len)) => self.file(&name, file, len),
            Err(error) => self.refuse(&name, format!("{error:#}")),
        };
        match done {
            Err(Stop::Write(_)) => done,
            // Members before the limit are reported.
            _ => self.report_held().and(done),
        }
    }

    fn file(&mut self, name: &Name, mut file: File, len: u64) -> Step {
        self.budget = Rc::new(Budget::of(len));
        let start = match start_of(&mut file).and_then(|start| file.rewind().map(|()| start)) {
            Ok(start) => start,
            Err(error) => return self.refuse(name, error.to_string()),
        };
        match kind::of(&start) {
            Kind::Binary => {
                let found = inspect::of_file(&mut file, len, &self.path);
                self.inspected(name, found)
            }
            Kind::Zip => zip::read(self, name, &FileReader::from(file), len, Level::default()),
            _ => {
                let mut file = BufReader::with_capacity(BUFFER, file);
                self.stream(name, &mut file, Some(len), Level::default())
            }
        }
    }

    /// Examines a stream that can be read once, from its start. The size is the expected one.
    fn stream(
        &mut self,
        name: &Name,
        from: &mut dyn Read,
        size: Option<u64>,
        level: Level,
    ) -> Step {
        let start = match start_of(from) {
            Ok(start) => start,
            Err(error) => return self.failed(name, error),
        };
        let least = size.map_or(0, |size| size.min(kind::START as u64));
        if (start.len() as u64) < least {
            return self.failed(name, "its end is missing");
        }
        let kind = kind::of(&start);
        let mut whole = Cursor::new(&start).chain(from);
        match kind {
            Kind::Compressed(_) if level.compressed => {
                self.refuse(name, "compressed twice: decompress it once")
            }
            Kind::Compressed(format) => {
                let decoder = match format.decoder(&mut whole) {
                    Ok(decoder) => decoder,
                    Err(error) => return self.failed(name, error),
                };
                let mut decoder = Metered::new(decoder, &self.budget);
                self.stream(name, &mut decoder, None, level.decompressed())
            }
            Kind::Tar => tar::read(self, name, &mut whole, level),
            Kind::Deb if level.package => self.refuse(name, "its data.tar is no tar archive"),
            Kind::Deb => deb::read(self, name, &mut whole, level),
            Kind::Binary | Kind::Zip | Kind::Fat => {
                let Some(bytes) = self.hold(name, &mut whole, size, level.room)? else {
                    return Ok(());
                };
                let held = level.holding(bytes.len() as u64);
                match kind {
                    Kind::Zip => zip::read(self, name, &bytes, bytes.len() as u64, held),
                    Kind::Fat => fat::read(self, name, &bytes, held),
                    _ if level.is_on_disk() => {
                        let found = inspect::of_bytes_at(&bytes, &self.path);
                        self.inspected(name, found)
                    }
                    _ => self.inspected(name, inspect::of_bytes(&bytes)),
                }
            }
            Kind::Refused(why) => self.refuse(name, why),
            Kind::Other if self.within => self.report(name, Seen::NotBinary),
            Kind::Other => self.inspected(name, inspect::of_bytes(&start)),
        }
    }

    /// Reads all of it into memory; none if it is refused.
    fn hold(
        &mut self,
        name: &Name,
        from: &mut dyn Read,
        size: Option<u64>,
        room: u64,
    ) -> Step<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let large = |len: u64| {
            let mib = len >> 20;
            format!(
                "{mib} MiB: more than {} are not read, and a stripped copy may be less",
                room >> 20
            )
        };
        if let Some(size) = size.filter(|size| *size > room) {
            self.refuse(name, large(size))?;
            return Ok(None);
        }
        loop {
            if bytes.try_reserve(BUFFER).is_err() {
                self.refuse(name, "there is not enough memory for it")?;
                return Ok(None);
            }
            match (&mut *from).take(BUFFER as u64).read_to_end(&mut bytes) {
                Ok(0) => break,
                Ok(_) if bytes.len() as u64 > room => {
                    self.refuse(name, large(bytes.len() as u64))?;
                    return Ok(None);
                }
                Ok(_) => {}
                Err(error) => {
                    self.failed(name, error)?;
                    return Ok(None);
                }
            }
        }
        match size {
            Some(size) if size != bytes.len() as u64 => {
                self.failed(name, format!("it has {} of its {size} bytes", bytes.len()))?;
                Ok(None)
            }
            _ => Ok(Some(bytes)),
        }
    }

    fn inspected(&mut self, name: &Name, found: Result<Finding>) -> Step {
        let seen = match found {
            Ok(finding) => Seen::Found(Box::new(finding)),
            Err(error) => match error.downcast_ref() {
                Some(Unsupported::Machine(_)) if self.within => {
                    Seen::OtherMachine(format!("{error:#}"))
                }
                Some(Unsupported::NoObjects) if self.within => Seen::NotBinary,
                _ => Seen::Refused(format!("{error:#}")),
            },
        };
        self.report(name, seen)
    }

    /// Counts a member of an archive.
    fn count_member(&mut self, name: &Name) -> Step {
        self.budget.count_member();
        match self.budget.over() {
            Some(_) => self.failed(name, ""),
            None => Ok(()),
        }
    }

    /// Enters an archive; none if it is nested too deeply.
    fn enter(&mut self, name: &Name, level: Level) -> Step<Option<Level>> {
        let Some(level) = level.in_archive() else {
            let most = bounds::DEPTH;
            let why = format!("an archive inside {most} others, which are opened: unpack it");
            self.refuse(name, why)?;
            return Ok(None);
        };
        self.within = true;
        Ok(Some(level))
    }
}

/// The size of a read.
const BUFFER: usize = 64 << 10;

fn start_of(from: &mut (impl Read + ?Sized)) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(kind::START);
    from.take(kind::START as u64).read_to_end(&mut start)?;
    Ok(start)
}
