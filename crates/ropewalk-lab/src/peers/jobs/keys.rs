//! The keys of messages.

use super::{bytes, rotation};
use crate::{
    peers::Unavailable,
    tasks::{Cell, Function, Mode},
};

/// The key of every peer.
pub fn key(len: usize) -> Vec<u8> {
    bytes(0, len)
}

/// The keys of the messages of a call, the same for every peer: the first is [`key`], and it may be the only
/// one.
pub fn keys(cell: &Cell, len: usize) -> Vec<Vec<u8>> {
    all(cell, len, 0)
}

/// The key of every peer's MAC of records.
pub fn mac_key(function: Function) -> Vec<u8> {
    bytes(MAC, function.output_len())
}

/// The same for the records of a call, as [`keys`].
pub(super) fn mac_keys(cell: &Cell, function: Function) -> Vec<Vec<u8>> {
    all(cell, function.output_len(), MAC)
}

/// A key for each message of the rotation: as many as are forgotten in the meantime.
pub(super) fn new_keys(cell: &Cell, len: usize) -> Vec<Vec<u8>> {
    all_new(cell, len, 0)
}

/// The same for the MAC of records.
pub(super) fn new_mac_keys(cell: &Cell, function: Function) -> Vec<Vec<u8>> {
    all_new(cell, function.output_len(), MAC)
}

/// One object for each key.
///
/// # Errors
/// If `make` fails.
pub(super) fn made<C>(
    keys: &[Vec<u8>],
    make: impl Fn(&[u8]) -> Result<C, Unavailable>,
) -> Result<Vec<C>, Unavailable> {
    keys.iter().map(|key| make(key)).collect()
}

/// The object of message `i` of a call, with separate keys or one for all.
#[inline(always)]
pub fn of<K>(keys: &[K], i: usize) -> &K {
    if let [one] = keys { one } else { &keys[i] }
}

/// The same, mutably.
#[inline(always)]
pub(super) fn of_mut<K>(keys: &mut [K], i: usize) -> &mut K {
    if keys.len() == 1 { &mut keys[0] } else { &mut keys[i] }
}

/// The key of message `i` of the rotation.
pub(super) fn of_message<'a, K>(cell: &Cell, keys: &'a [K], i: usize) -> &'a K {
    if cell.mode == Mode::Setup { &keys[i] } else { of(keys, i % cell.count) }
}

/// Different from the seeds of messages.
const NEW: u64 = 1 << 32;
const MAC: u64 = 1 << 33;
const OTHERS: u64 = 1 << 34;

fn all_new(cell: &Cell, len: usize, first: u64) -> Vec<Vec<u8>> {
    // With a single key a library would detect that it is set already.
    (0..(rotation(cell).max(2) * cell.count) as u64).map(|i| bytes(NEW | first | i, len)).collect()
}

fn all(cell: &Cell, len: usize, first: u64) -> Vec<Vec<u8>> {
    if cell.mode == Mode::Setup {
        return all_new(cell, len, first);
    }
    let seed = |i| if i == 0 { first } else { (OTHERS | first) + i };
    (0..cell.key_count() as u64).map(|i| bytes(seed(i), len)).collect()
}
