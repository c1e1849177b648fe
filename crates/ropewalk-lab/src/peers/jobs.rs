//! Turns the functions of a library into work that can be timed: one trait for each kind of task, and the
//! buffers, nonces and loops around it, the same for every peer.

use std::hint::black_box;

mod aead;
mod cipher;
mod curves;
mod fresh;
mod gmac;
mod hash;
mod key_wrap;
mod keys;
mod records;
pub mod rsa;
mod text;
mod turn;

pub use aead::{AAD, Aead, AeadCalls, COPIES, Message, aead, aead_calls};
pub use cipher::{Buffer, Cbc, CipherCalls, Ctr, cbc, cbc_calls, ctr, ctr_calls, xts, xts_calls};
pub use curves::{
    Agreement, CurveKey, Ephemeral, Generation, Signature, Signing, Verifying, VerifyingCalls,
    agreement, agreement_calls, ephemeral, generation, generation_calls, p256, signing,
    signing_calls, verifying, verifying_calls,
};
pub use gmac::{Gmac, HeaderAlone, gmac};
pub use hash::{Hash, HashCalls, KEEPS_CONTEXT, Nothing, hash, hash_calls, mac, put};
pub use key_wrap::{KeyWrap, key_wrap};
use keys::of_mut;
pub use keys::{key, keys, mac_key, of};
pub use records::{
    HEADER, Record, RecordCalls, RecordKeys, Records, record_calls, records, sealed,
};
pub use text::Text;
use text::places;
pub use turn::Turn;

use super::{Job, Unavailable};
use crate::tasks::{Cell, Kind, Mode};

/// A random generator.
pub trait Fill {
    /// Fills `out` with random bytes.
    fn fill(&mut self, out: &mut [u8]);
}

/// A job of random bytes.
pub fn fill(cell: &Cell, generator: impl Fill + 'static) -> Box<dyn Job> {
    Box::new(FillJob { count: cell.count, generator, out: vec![0; cell.bytes] })
}

fn whole(cell: &Cell) -> Result<(), Unavailable> {
    match cell.mode {
        Mode::Stream => Err(Unavailable("a message goes through whole".into())),
        Mode::Message | Mode::Setup => Ok(()),
    }
}

/// The number of calls before a buffer is used again: enough that inputs differ, few enough to stay in the
/// caches, and for the time of laying out all messages to be negligible compared with a sample.
fn rotation(cell: &Cell) -> usize {
    let of_call = cell.bytes * cell.count;
    if of_call >= MUCH {
        return 1;
    }
    let most = match cell.task.kind {
        // One takes so long that little is left of the one before, and each right signature is made first.
        Kind::Rsa { .. } => 2,
        _ => (128 / cell.count.max(1)).clamp(2, 16),
    };
    (16384 / of_call.max(1)).clamp(2, most)
}

/// The bytes of a call from which on a single buffer is used: no processor remembers so many from one call to the
/// next, and two buffers would fill the L2 cache of some.
const MUCH: usize = 1 << 20;

fn inputs(cell: &Cell) -> Vec<Text> {
    let mut texts = places(cell, (0..rotation(cell) * cell.count).map(|i| cell.len(i)));
    for (i, text) in texts.iter_mut().enumerate() {
        let len = text.len();
        text.copy_from_slice(&bytes(1 + i as u64, len));
    }
    texts
}

/// Bytes that look random and are the same in every process (SplitMix64).
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0xd1342543de82ef95);
    let mut bytes = vec![0; len];
    // By words, since tests run this without optimisation.
    for word in bytes.chunks_mut(8) {
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        word.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..word.len()]);
    }
    bytes
}

/// A counter block: a number, as in a record, and a counter of zero.
fn iv(number: u64) -> [u8; 16] {
    let mut iv = [0; 16];
    iv[..8].copy_from_slice(&number.to_be_bytes());
    iv
}

struct FillJob<G> {
    count: usize,
    generator: G,
    out: Vec<u8>,
}

impl<G: Fill> Job for FillJob<G> {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls * self.count {
            self.generator.fill(&mut self.out);
            black_box(&mut self.out);
        }
    }

    /// Whether all bytes change: 64 calls without a change of some byte are not due to chance.
    fn answer(&mut self) -> Vec<u8> {
        let mut changed = vec![0; self.out.len()];
        for _ in 0..64 {
            let before = self.out.clone();
            self.generator.fill(&mut self.out);
            for (changed, (before, now)) in changed.iter_mut().zip(before.iter().zip(&self.out)) {
                *changed |= u8::from(before != now);
            }
        }
        changed
    }
}
