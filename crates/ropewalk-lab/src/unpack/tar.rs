//! Tar archives, which may come from a decompressor: they are read once, from the start.

use std::{
    cell::Cell,
    io::{self, Read},
};

use tar::{Archive, EntryType};

use super::{Look, Name, Step, bounds::NAME, level::Level};

/// The size of a file is rounded up to a multiple of this.
const BLOCK: u64 = 512;

pub(super) fn read(look: &mut Look<'_>, name: &Name, from: &mut dyn Read, level: Level) -> Step {
    let Some(level) = look.enter(name, level)? else { return Ok(()) };
    let (left, at) = (Cell::new(NAME), Cell::new(0));
    let mut archive = Archive::new(Between { from, left: &left, at: &at });
    let failures = look.failures;
    let mut ended = false;
    match archive.entries() {
        Err(error) => look.failed(name, error)?,
        Ok(mut entries) => loop {
            let mut entry = match entries.next() {
                None => {
                    ended = true;
                    break;
                }
                Some(Ok(entry)) => entry,
                // The error of a member that could not be read to its end was already reported.
                Some(Err(_)) if look.failures > failures => break,
                Some(Err(error)) => {
                    look.failed(name, error)?;
                    break;
                }
            };
            look.count_member(name)?;
            left.set(u64::MAX);
            let sparse = entry.header().entry_type() == EntryType::GNUSparse;
            let stored =
                if sparse { entry.header().entry_size().unwrap_or(0) } else { entry.size() };
            let end = entry.raw_file_position().saturating_add(stored);
            let is_file = matches!(
                entry.header().entry_type(),
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse
            );
            if is_file {
                let (member, size) = (name.member(&entry.path_bytes()), entry.size());
                look.stream(&member, &mut entry, Some(size), level)?;
            }
            // The rest of this member, and then the longest name: the library reads names as a whole.
            let rest = end.saturating_sub(at.get()).saturating_add(2 * BLOCK);
            left.set(rest.saturating_add(NAME));
        },
    }
    if ended {
        // The rest is read to verify the checksum at the end of a compressed file.
        left.set(u64::MAX);
        if let Err(error) = io::copy(&mut archive.into_inner(), &mut io::sink()) {
            look.failed(name, error)?;
        }
    }
    Ok(())
}

/// Limits the bytes that are read between two members.
struct Between<'a> {
    from: &'a mut dyn Read,
    left: &'a Cell<u64>,
    at: &'a Cell<u64>,
}

impl Read for Between<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other(format!("a name of more than {} KiB", NAME >> 10)));
        }
        let most = to.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut to[..most])?;
        self.left.set(left - read as u64);
        self.at.set(self.at.get() + read as u64);
        Ok(read)
    }
}
