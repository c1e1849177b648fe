//! Files that do not fit on a shelf: one thread reads, another hashes.

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
    read::PIECES,
};

/// The digest of `head` and what the file has behind it, in pieces of `piece` bytes.
pub(super) fn stream(
    algorithm: Algorithm,
    head: &[u8],
    mut file: File,
    piece: usize,
    count: &AtomicU64,
) -> io::Result<Digest> {
    let mut hasher = Hasher::new(algorithm);
    let (give_full, full) = channel();
    let (give_empty, empty) = channel();
    for _ in 0..PIECES {
        give_empty.send(vec![0; piece]).expect("we have the other end");
    }
    thread::scope(|scope| {
        let reader = move || read_ahead(&mut file, &empty, &give_full);
        thread::Builder::new().name("read".into()).spawn_scoped(scope, reader)?;
        hasher.update(head);
        count.fetch_add(head.len() as u64, Relaxed);
        for read in full {
            let (piece, len): (Vec<u8>, usize) = read?;
            hasher.update(&piece[..len]);
            count.fetch_add(len as u64, Relaxed);
            // Who has come to the end takes no more.
            let _ = give_empty.send(piece);
        }
        Ok(digest(hasher.finish()))
    })
}

/// Fills one piece after the other, until the end of the file or an error.
fn read_ahead(
    file: &mut File,
    empty: &Receiver<Vec<u8>>,
    full: &Sender<io::Result<(Vec<u8>, usize)>>,
) {
    while let Ok(mut piece) = empty.recv() {
        let read = loop {
            match file.read(&mut piece) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        if matches!(read, Ok(0)) || full.send(read.map(|len| (piece, len))).is_err() {
            return;
        }
    }
}
