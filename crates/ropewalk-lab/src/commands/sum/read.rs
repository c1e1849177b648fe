//! Reads files, small ones whole and for lanes, and hashes them.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Seek},
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::{
    hash::{Lanes, digests, one_by_one},
    names::STDIN,
    room::{LINE, Room},
    stream::stream,
    work::{Batch, Entry, Item, Queue, Watch},
};
use crate::stdio;

/// The common state of all reading threads.
pub(super) struct Desk {
    pub(super) queue: Queue,
    pub(super) lanes: Lanes,
    /// The size of the buffer of each thread.
    room: usize,
    /// Bytes that have been read.
    pub(super) read: AtomicU64,
    /// Held by the one thread that reads standard input, until its end.
    stdin: Mutex<()>,
}

/// The total size of the buffers of all threads, and the size for one.
const ROOM: usize = 24 << 20;
const ROOM_OF_ONE: usize = 4 << 20;

/// The most threads: each then has a shelf of 48 KiB.
pub(super) const MOST_THREADS: usize = 256;

impl Desk {
    pub(super) fn new(lanes: Lanes, threads: usize) -> Arc<Self> {
        Arc::new(Self {
            queue: Queue::default(),
            lanes,
            room: ROOM_OF_ONE.min(ROOM / threads),
            read: AtomicU64::new(0),
            stdin: Mutex::new(()),
        })
    }

    /// Hashes all batches, until there are no more.
    pub(super) fn work(&self) {
        let _watch = Watch(&self.queue);
        let mut shelf = self.shelf();
        while let Some(batch) = self.queue.take() {
            self.hash(batch, &mut shelf);
        }
    }

    /// Hashes the batches that are available.
    pub(super) fn hash_all(&self, shelf: &mut Shelf) {
        while let Some(batch) = self.queue.take_now() {
            self.hash(batch, shelf);
        }
    }

    /// The buffer of one thread.
    pub(super) fn shelf(&self) -> Shelf {
        Shelf { bytes: Room::new(self.room / 2), ranges: Vec::new() }
    }

    /// Hashes the files of a batch that fit on the shelf, up to a large one; other threads may take the rest.
    fn hash(&self, mut batch: Batch, shelf: &mut Shelf) {
        let (count, large) = self.fill(&mut batch.items, shelf);
        if count < batch.items.len() {
            let first = batch.first + count as u64;
            self.queue.give_back(Batch { first, items: batch.items.split_off(count) });
        }
        shelf.hash(&mut batch.items, self.lanes);
        if let Some(Large { mut file, head, alone }) = large
            && let Some(Item::Entry(entry)) = batch.items.last_mut()
        {
            let (room, len) = (&mut shelf.bytes[head.start..], head.len());
            let ahead = self.queue.has_idle();
            entry.found = Some(stream(entry.algorithm, &mut file, (room, len), ahead, &self.read));
            // A file that is read from a position within it, or cannot be read again, has only one try.
            if alone.is_none() {
                entry.guess_again(|other| {
                    file.rewind().ok()?;
                    stream(other, &mut file, (room, 0), ahead, &self.read).ok()
                });
            }
            drop(alone);
        }
        self.queue.done(batch);
    }

    /// Reads files onto the shelf while there is space. Returns how many items that are, and the last of them
    /// if it is too large.
    fn fill(&self, items: &mut [Item], shelf: &mut Shelf) -> (usize, Option<Large<'_>>) {
        shelf.ranges.clear();
        let most = shelf.bytes.len() / 2;
        let mut at = 0;
        for (i, item) in items.iter_mut().enumerate() {
            let Item::Entry(entry @ Entry { found: None, .. }) = item else { continue };
            entry.guess();
            if shelf.bytes.len().saturating_sub(at) < most {
                return (i, None);
            }
            let alone = (entry.name == STDIN).then(|| self.stdin.lock().ok()).flatten();
            let room = &mut shelf.bytes[at..at + most];
            match open(&entry.name).and_then(|mut file| Ok((read(&mut file, room)?, file))) {
                Ok((len, file)) => {
                    let text = at..at + len;
                    if len == most {
                        return (i + 1, Some(Large { file, head: text, alone }));
                    }
                    self.read.fetch_add(len as u64, Relaxed);
                    shelf.ranges.push((i, text));
                    at += len.next_multiple_of(LINE);
                }
                Err(why) => entry.found = Some(Err(why)),
            }
        }
        (items.len(), None)
    }
}

/// A file that does not fit on a shelf.
struct Large<'a> {
    file: File,
    /// The part of it that was read.
    head: Range<usize>,
    alone: Option<MutexGuard<'a, ()>>,
}

/// Files that have been read.
pub(super) struct Shelf {
    bytes: Room,
    /// The item of each file, and its range.
    ranges: Vec<(usize, Range<usize>)>,
}

impl Shelf {
    fn hash(&self, items: &mut [Item], lanes: Lanes) {
        let algorithm = |i: usize| match &items[i] {
            Item::Entry(entry) => Some(entry.algorithm),
            _ => None,
        };
        let alike = self.ranges.chunk_by(|a, b| algorithm(a.0) == algorithm(b.0));
        let mut hashed = Vec::with_capacity(self.ranges.len());
        for alike in alike {
            let messages: Vec<&[u8]> =
                alike.iter().map(|(_, range)| &self.bytes[range.clone()]).collect();
            if let Some(algorithm) = algorithm(alike[0].0) {
                hashed.extend(digests(algorithm, lanes, &messages));
            }
        }
        for ((i, range), digest) in self.ranges.iter().zip(hashed) {
            if let Item::Entry(entry) = &mut items[*i] {
                entry.found = Some(Ok(digest));
                entry.guess_again(|other| {
                    Some(one_by_one(other, &[&self.bytes[range.clone()]]).remove(0))
                });
            }
        }
    }
}

/// A folder can be opened, but not read.
pub(super) fn open(name: &OsStr) -> io::Result<File> {
    match name == STDIN {
        true => stdio::input(),
        false if stdio::is_closed_input(name.as_ref()) => Err(stdio::closed()),
        false => File::open(name),
    }
}

/// Reads until the end or until `room` is full. Some files have no length before they are read, so only a
/// read of zero bytes is an end.
fn read(file: &mut File, room: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match file.read(&mut room[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(len)
}
