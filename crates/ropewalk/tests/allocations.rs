//! One-message calls and batches allocate nothing, and keys that do leave nothing there: in a program of
//! its own, since it counts.

mod common;

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
};

use common::backends;
use ropewalk::{
    aes_cbc,
    aes_ctr::{self, Counter, Key, Stream},
    aes_gcm,
    sha3::{self, Sha3_256, Shake128},
    sha256::{self, Sha256, Sha256Many},
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes that were not zero in what was given back.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is the system's own; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: as our caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `layout` is that of `ptr`; volatile, as nobody else is to look at them again.
        let is_left = |i: &usize| unsafe { ptr.wrapping_add(*i).read_volatile() } != 0;
        LEFT.set(LEFT.get() + (0..layout.size()).filter(is_left).count());
        // SAFETY: as our caller promises; `ptr` came from `alloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn left(work: impl FnOnce()) -> usize {
    let before = LEFT.get();
    work();
    LEFT.get() - before
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(black_box(Box::new([1; 64])))), 1);
    assert_eq!(left(|| drop(black_box(Box::new([1_u8; 64])))), 64);
}

#[test]
fn aes_cbc_allocates_nothing() {
    let mut text = vec![0; 5008];
    for name in backends(&aes_cbc::PRIMITIVE) {
        let count = allocations(|| {
            let key = aes_cbc::Key::with_backend(&[0; 32], name).unwrap();
            for len in [0, 1, 16, 100, 5000] {
                let text = &mut text[..aes_cbc::padded_len(len)];
                key.encrypt_padded(&[0; 16], text, len).unwrap();
                key.decrypt_padded(&[0; 16], text).unwrap();
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

/// Some keys do, and no call.
#[test]
fn aes_gcm_allocates_nothing() {
    let mut message = vec![0; 5000];
    for name in backends(&aes_gcm::PRIMITIVE) {
        let key = aes_gcm::Key::with_backend(&[0; 32], name).unwrap();
        let count = allocations(|| {
            for len in [16, 17, 100, 5000] {
                for nonce in [[1; 12].as_slice(), &[2; 13]] {
                    key.seal_appended(nonce, &[0; 100], &mut message[..len]).unwrap();
                    key.open_appended(nonce, &[0; 100], &mut message[..len]).unwrap();
                }
            }
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn aes_gcm_keys_leave_nothing() {
    for name in backends(&aes_gcm::PRIMITIVE) {
        let mut key = aes_gcm::Key::with_backend(&[7; 32], name).unwrap();
        assert_eq!(left(|| key.rekey(&[8; 16]).unwrap()), 0, "{name}, of a key that was replaced");
        assert_eq!(left(|| drop(key)), 0, "{name}");
    }
}

#[test]
fn aes_ctr_allocates_nothing() {
    let mut text = vec![0; 5000];
    for name in backends(&aes_ctr::PRIMITIVE) {
        let count = allocations(|| {
            let key = Key::with_backend(&[0; 32], name).unwrap();
            for len in [0, 1, 16, 100, 5000] {
                key.apply_keystream(Counter::Bits128, &[0xff; 16], &mut text[..len]).unwrap();
            }
            let mut stream = Stream::new(Counter::Bits32, &[0; 16]);
            stream.apply_keystream(&key, &mut text[..77]).unwrap();
            stream.apply_keystream(&key, &mut text).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn sha256_allocates_nothing() {
    let text = vec![0; 5000];
    for name in backends(&sha256::PRIMITIVE) {
        let count = allocations(|| {
            let mut hasher = Sha256::with_backend(name).unwrap();
            hasher.digest(&text);
            hasher.update(&text[..77]);
            hasher.update(&text);
            hasher.clone().finish();
            sha256::digest(&text[..16]);
        });
        assert_eq!(count, 0, "{name}");
    }
    let messages: Vec<&[u8]> = (0..50).map(|i| &text[..i * i]).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    for name in backends(&sha256::PRIMITIVE_MANY) {
        let count = allocations(|| {
            let many = Sha256Many::with_backend(name).unwrap();
            many.digest(&messages, &mut digests).unwrap();
            many.digest(&messages[10..11], &mut digests[10..11]).unwrap();
            sha256::digest_many(&messages, &mut digests).unwrap();
        });
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn sha3_allocates_nothing() {
    let (text, mut out) = (vec![0; 5000], vec![0; 1000]);
    for name in backends(&sha3::PRIMITIVE) {
        let count = allocations(|| {
            let mut hasher = Sha3_256::with_backend(name).unwrap();
            hasher.digest(&text);
            hasher.update(&text[..77]);
            hasher.update(&text);
            hasher.clone().finish();
            sha3::sha3_256(&text[..16]);
            let mut shake = Shake128::with_backend(name).unwrap();
            shake.digest(&text, &mut out);
            shake.update(&text);
            let mut reader = shake.finish();
            reader.squeeze(&mut out[..77]);
            reader.clone().squeeze(&mut out);
            sha3::shake128(&text[..16], &mut out);
        });
        assert_eq!(count, 0, "{name}");
    }
}
