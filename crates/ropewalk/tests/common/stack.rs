//! The stack of a thread, after a call has returned.
#![allow(unsafe_code)]

use std::{hint::black_box, ptr, thread};

/// Bytes of a stack that are looked at: more than any call takes.
const LOOKED_AT: usize = 256 << 10;
/// What is below the frame that looks, where that may write.
const NEAR: usize = 512;

/// What is on the stack once `call` has returned, below the address that it returns.
pub fn left_by(call: impl FnOnce() -> usize + Send) -> Vec<u8> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(4 * LOOKED_AT);
        thread.spawn_scoped(scope, || on_this_stack(call)).unwrap().join().unwrap()
    })
}

#[inline(never)]
fn on_this_stack(call: impl FnOnce() -> usize) -> Vec<u8> {
    let here = 0_u8;
    let lowest = (&raw const here).addr() - NEAR - LOOKED_AT;
    let mut bytes = vec![0; LOOKED_AT];
    for i in 0..LOOKED_AT {
        // SAFETY: the stack of this thread is longer, no function is called that may lie there, and no other thread knows of it.
        unsafe { ptr::with_exposed_provenance_mut::<u8>(lowest + i).write_volatile(0) };
    }
    let below = below(call);
    for (i, byte) in bytes.iter_mut().enumerate() {
        // SAFETY: as above; what was there has returned.
        *byte = unsafe { ptr::with_exposed_provenance::<u8>(lowest + i).read_volatile() };
    }
    bytes.truncate(below.saturating_sub(lowest));
    bytes
}

/// In a frame of its own, below what is not looked at.
#[inline(never)]
fn below<T>(call: impl FnOnce() -> T) -> T {
    let frame = [0_u8; 2 * NEAR];
    black_box(&frame);
    let result = call();
    black_box(&frame);
    result
}

/// An address below the frame of the caller, and not below those of functions that it calls.
#[inline(never)]
pub fn beneath() -> usize {
    let here = 0_u8;
    black_box(&raw const here).addr()
}

/// All of the stack.
pub const EVERYWHERE: usize = usize::MAX;

/// How many of the secrets, of 16 bytes or more, are left by a call.
pub fn count_left(
    backend: &str,
    secrets: &[Vec<u8>],
    call: impl FnOnce() -> usize + Send,
) -> usize {
    let left = left_by(call);
    assert!(left.iter().any(|byte| *byte != 0), "{backend}: it was not there");
    let is_left = |secret: &&Vec<u8>| left.windows(secret.len()).any(|bytes| bytes == **secret);
    secrets.iter().filter(is_left).count()
}

/// The key of FIPS 197, appendix A.1, and some of its round keys.
pub const KEY: [u8; 16] = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
pub const ROUND_KEYS: [u128; 3] = [
    0xa0fafe1788542cb123a339392a6c7605,
    0xd4d1c6f87c839d87caf2b8bc11f915bc,
    0xd014f9a8c9ee2589e13f0cc8b6630ca6,
];
