//! Work of AES key wrap: keys are wrapped, and unwrapped again.

use std::hint::black_box;

use ropewalk::aes_kw;

use super::{Text, fresh::Fresh, inputs, keys, keys::of_message, whole};
use crate::{
    peers::{Job, Unavailable},
    tasks::{Cell, Direction, Kind, Mode},
};

/// AES key wrap without padding, with its key.
pub trait KeyWrap {
    /// Additional work, which other libraries do not need.
    const NOTE: &str = "";

    /// Wraps a key of whole semiblocks to `wrapped`, which is longer by one.
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]);

    /// Unwraps to `key`, which is shorter by a semiblock, and returns whether it is valid.
    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool;

    /// Takes another key of the same length, if that is the recommended way of its library, and returns
    /// whether it did: otherwise a new one is made, and this one dropped.
    fn rekey(&mut self, _: &[u8]) -> bool {
        false
    }
}

/// A job of key wrap. The keys to unwrap were wrapped by ropewalk's portable backend, which is the reference.
/// `make` makes a key wrap from a key.
///
/// # Errors
/// For a stream, for partial semiblocks, for fewer than two, for other operations, and if `make` fails.
pub fn key_wrap<C: KeyWrap + 'static>(
    cell: &Cell,
    make: impl Fn(&[u8]) -> Result<C, Unavailable> + 'static,
) -> Result<Box<dyn Job>, Unavailable> {
    whole(cell)?;
    let Kind::KeyWrap { key_len, .. } = cell.task.kind else {
        return Err(Unavailable("has nothing to do with key wrap".into()));
    };
    let keys = keys(cell, key_len);
    if cell.mode == Mode::Setup {
        let fresh = Fresh::new(cell, key_len, make)?;
        return with(cell, fresh, &keys);
    }
    with(cell, Alone(make(&keys[0])?), &keys)
}

/// Key wrap with the key of each message.
trait Keyed {
    /// The key wrap.
    type Cipher: KeyWrap;

    /// With the key of message `i`.
    fn of_message(&mut self, i: usize) -> &mut Self::Cipher;
}

struct Alone<C>(C);

impl<C: KeyWrap> Keyed for Alone<C> {
    type Cipher = C;

    #[inline(always)]
    fn of_message(&mut self, _: usize) -> &mut C {
        &mut self.0
    }
}

impl<C: KeyWrap, M: Fn(&[u8]) -> Result<C, Unavailable>> Keyed for Fresh<C, M> {
    type Cipher = C;

    #[inline(always)]
    fn of_message(&mut self, i: usize) -> &mut C {
        self.with(i, C::rekey)
    }
}

fn with<C: Keyed + 'static>(
    cell: &Cell,
    cipher: C,
    keys: &[Vec<u8>],
) -> Result<Box<dyn Job>, Unavailable> {
    let Kind::KeyWrap { direction, .. } = cell.task.kind else { unreachable!("key wrap") };
    if !cell.bytes.is_multiple_of(SEMIBLOCK) || cell.bytes < 2 * SEMIBLOCK {
        return Err(Unavailable("takes whole semiblocks, two or more".into()));
    }
    let job = WrapJob::new(cell, cipher, keys)?;
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
    /// Each key, and its wrapped form.
    keys: Vec<(Text, Vec<u8>)>,
    /// The buffer for unwrapped keys.
    place: Vec<u8>,
    next: usize,
}

impl<C> WrapJob<C> {
    fn new(cell: &Cell, cipher: C, with: &[Vec<u8>]) -> Result<Self, Unavailable> {
        let unavailable = |error: ropewalk::Error| Unavailable(error.to_string());
        let mut keys = Vec::new();
        for (i, key) in inputs(cell).into_iter().enumerate() {
            let with = of_message(cell, with, i);
            let with = aes_kw::Key::with_backend(with, "aes_kw/portable").map_err(unavailable)?;
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

impl<C: Keyed> Job for WrapJob<C> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.cell.count {
            let (key, wrapped) = &mut self.keys[self.next];
            self.cipher.of_message(self.next).wrap(key, wrapped);
            self.after();
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        for (i, (key, wrapped)) in self.keys.iter_mut().enumerate() {
            wrapped.fill(0);
            self.cipher.of_message(i).wrap(key, wrapped);
            out.extend_from_slice(wrapped);
        }
        out
    }

    fn note(&self) -> &'static str {
        C::Cipher::NOTE
    }
}

struct UnwrapJob<C>(WrapJob<C>);

impl<C: Keyed> Job for UnwrapJob<C> {
    fn run(&mut self, calls: usize) {
        let job = &mut self.0;
        for _ in 0..calls * job.cell.count {
            let (_, wrapped) = &job.keys[job.next];
            black_box(job.cipher.of_message(job.next).unwrap(wrapped, &mut job.place));
            job.after();
        }
    }

    /// Each key, whether it was accepted, and whether it was accepted with a bit changed.
    fn answer(&mut self) -> Vec<u8> {
        let WrapJob { cipher, keys, place, .. } = &mut self.0;
        let mut out = Vec::new();
        for (i, (_, wrapped)) in keys.iter_mut().enumerate() {
            place.fill(0);
            let right = cipher.of_message(i).unwrap(wrapped, place);
            out.extend_from_slice(place);
            wrapped[0] ^= 1;
            let fooled = cipher.of_message(i).unwrap(wrapped, place);
            wrapped[0] ^= 1;
            out.extend([u8::from(right), u8::from(fooled)]);
        }
        out
    }

    fn note(&self) -> &'static str {
        C::Cipher::NOTE
    }
}
