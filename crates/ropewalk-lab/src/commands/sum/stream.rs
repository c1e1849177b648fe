//! Files that do not fit on a shelf, in chunks: one thread reads and another hashes, if one is idle.

use std::{
    fs::File,
    io::{self, Read},
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use ropewalk::hash::{Algorithm, Hasher};

use super::{
    hash::{Digest, digest},
    room::Room,
};

/// The most bytes of a chunk: it is then still in the cache when it is hashed.
const PIECE: usize = 128 << 10;

/// One is hashed while others are read.
const PIECES: usize = 4;

/// The digest of the first `len` bytes on the shelf and of the rest of the file. With `ahead`, another thread
/// reads, if the system allows one. Bytes are counted as they are hashed.
pub(super) fn stream(
    algorithm: Algorithm,
    file: &mut File,
    (shelf, len): (&mut [u8], usize),
    ahead: bool,
    count: &AtomicU64,
) -> io::Result<Digest> {
    let mut hasher = Hasher::new(algorithm);
    let mut hash = |text: &[u8]| {
        hasher.update(text);
        count.fetch_add(text.len() as u64, Relaxed);
    };
    let piece = PIECE.min(shelf.len() / PIECES);
    if !ahead || !read_by_another(file, &shelf[..len], piece, &mut hash)? {
        hash(&shelf[..len]);
        let piece = &mut shelf[..piece];
        loop {
            match read(file, piece)? {
                0 => break,
                len => hash(&piece[..len]),
            }
        }
    }
    Ok(digest(hasher.finish()))
}

/// Returns whether there is another thread. If not, nothing has been read or hashed.
fn read_by_another(
    file: &mut File,
    head: &[u8],
    piece: usize,
    hash: &mut impl FnMut(&[u8]),
) -> io::Result<bool> {
    let (give_full, full) = channel();
    let (give_empty, empty) = channel();
    for _ in 0..PIECES {
        give_empty.send(Room::new(piece)).expect("we have the other end");
    }
    thread::scope(|scope| {
        let reader = move || read_ahead(file, &empty, &give_full);
        if thread::Builder::new().name("read".into()).spawn_scoped(scope, reader).is_err() {
            return Ok(false);
        }
        hash(head);
        for read in full {
            let (piece, len) = read?;
            hash(&piece[..len]);
            // The reader at the end takes no more.
            let _ = give_empty.send(piece);
        }
        Ok(true)
    })
}

/// Fills one chunk after the other, until the end of the file or an error.
fn read_ahead(file: &mut File, empty: &Receiver<Room>, full: &Sender<io::Result<(Room, usize)>>) {
    while let Ok(mut piece) = empty.recv() {
        let read = read(file, &mut piece);
        if matches!(read, Ok(0)) || full.send(read.map(|len| (piece, len))).is_err() {
            return;
        }
    }
}

fn read(file: &mut File, piece: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(piece) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
