//! Work of AES key wrap: keys are wrapped, and unwrapped again.

use std::hint::black_box;

use ropewalk::aes_kw;

use super::{inputs, key, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Direction, Kind},
};

/// AES key wrap without padding, that has its key.
pub trait KeyWrap {
    /// What is done besides, that others do not need.
    const NOTE: &str = "";

    /// Wraps a key of whole semiblocks to `wrapped`, which is longer by one.
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]);

    /// Unwraps to `key`, which is shorter by a semiblock, and says whether it has been wrapped so.
    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool;
}

/// A job of key wrap. What is unwrapped was wrapped by ropewalk's portable backend, against which all is
/// compared.
///
/// # Errors
/// For a stream, for what is not of whole semiblocks, at least two, and for what is no key wrap.
pub fn key_wrap<C: KeyWrap + 'static>(cell: &Cell, cipher: C) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let Kind::KeyWrap { direction, key_len } = cell.task.kind else {
        return Err(Unavailable("has nothing to do with key wrap".into()));
    };
    if !cell.bytes.is_multiple_of(SEMIBLOCK) || cell.bytes < 2 * SEMIBLOCK {
        return Err(Unavailable("takes whole semiblocks, two or more".into()));
    }
    let job = WrapJob::new(cell, cipher, key_len)?;
    Ok(match direction {
        Direction::Encrypt => Box::new(job),
        Direction::Decrypt => Box::new(UnwrapJob(job)),
    })
}

/// Bytes of half a block.
const SEMIBLOCK: usize = 8;

struct WrapJob<C> {
    cell: Cell,
    cipher: C,
    /// Each key, and it wrapped.
    keys: Vec<(Vec<u8>, Vec<u8>)>,
    /// One place for all that is unwrapped.
    place: Vec<u8>,
    next: usize,
}

impl<C> WrapJob<C> {
    fn new(cell: &Cell, cipher: C, key_len: usize) -> Result<Self, Unavailable> {
        let unavailable = |error: ropewalk::Error| Unavailable(error.to_string());
        let with = aes_kw::Key::with_backend(&key(key_len), "aes_kw/portable");
        let with = with.map_err(unavailable)?;
        let mut keys = Vec::new();
        for key in inputs(cell) {
            let mut wrapped = vec![0; key.len() + SEMIBLOCK];
            with.wrap_to(&key, &mut wrapped).map_err(unavailable)?;
            keys.push((key, wrapped));
        }
        Ok(Self { cell: *cell, cipher, keys, place: vec![0; cell.bytes], next: 0 })
    }

    fn after(&mut self) {
        self.next = if self.next + 1 == self.keys.len() { 0 } else { self.next + 1 };
    }
}

impl<C: KeyWrap> Job for WrapJob<C> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.cell.count {
            let (key, wrapped) = &mut self.keys[self.next];
            self.cipher.wrap(key, wrapped);
            self.after();
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        for (key, wrapped) in &mut self.keys {
            wrapped.fill(0);
            self.cipher.wrap(key, wrapped);
            out.extend_from_slice(wrapped);
        }
        out
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}

struct UnwrapJob<C>(WrapJob<C>);

impl<C: KeyWrap> Job for UnwrapJob<C> {
    fn run(&mut self, calls: usize) {
        let job = &mut self.0;
        for _ in 0..calls * job.cell.count {
            let (_, wrapped) = &job.keys[job.next];
            black_box(job.cipher.unwrap(wrapped, &mut job.place));
            job.after();
        }
    }

    /// Each key, whether it was taken for right, and whether it was with a bit changed.
    fn answer(&mut self) -> Vec<u8> {
        let WrapJob { cipher, keys, place, .. } = &mut self.0;
        let mut out = Vec::new();
        for (_, wrapped) in keys {
            place.fill(0);
            let right = cipher.unwrap(wrapped, place);
            out.extend_from_slice(place);
            wrapped[0] ^= 1;
            let fooled = cipher.unwrap(wrapped, place);
            wrapped[0] ^= 1;
            out.extend([u8::from(right), u8::from(fooled)]);
        }
        out
    }

    fn note(&self) -> &'static str {
        C::NOTE
    }
}
