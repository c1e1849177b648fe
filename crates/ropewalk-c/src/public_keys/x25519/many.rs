//! Agreements and public keys of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::x25519::{LEN, Pair, PublicKey, SharedSecret, agree_many, public_many};

use super::{agree, read, ropewalk_x25519_key};
use crate::{
    enter::{Failure, Result, call},
    many::{self, GROUP},
    memory, object,
    overlap::Span,
    public_keys::{batch::Operation, check_output, put, status_of},
    status::{ropewalk_error, ropewalk_status},
};

/// An agreement of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_x25519_item {
    /// Our private key. Items may share a key.
    pub key: *const ropewalk_x25519_key,
    /// The other side's public key, of 32 bytes.
    pub public_key: *const c_void,
    /// The shared secret, of 32 bytes: written. It may overlap the public key.
    pub secret: *mut c_void,
    /// Written: ROPEWALK_OK or ROPEWALK_INVALID.
    pub status: u32,
}

/// A public key that is computed, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_x25519_public_item {
    /// The private key. Items may share a key.
    pub key: *const ropewalk_x25519_key,
    /// Its public key, of 32 bytes: written.
    pub public_key: *mut c_void,
}

/// Writes the shared secret of each item, with the results of a loop over ropewalk_x25519_agree(), and in lanes where that is faster.
/// `status` of each item is its result: if a public key has small order, the secret of that item is not written.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_x25519_agree() for the first
/// item that would, with its index, and with ROPEWALK_OVERLAP where a secret overlaps `items`, or the key of another item, or a key
/// lies in `items`. Nothing is then written.
///
/// # Safety
/// There are `count` items, each as for ropewalk_x25519_agree(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_agree_many(
    items: *mut ropewalk_x25519_item,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Agreements, "items", items, count) })
}

/// Writes the public key of each private key, with the results of a loop over ropewalk_x25519_public(), and in lanes where that is
/// faster.
///
/// Fails as ropewalk_x25519_public() for the first item that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// public key overlaps `items`, or the private key of another item, or a private key lies in `items`. Nothing is then written.
///
/// # Safety
/// There are `count` items, each as for ropewalk_x25519_public(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_x25519_public_many(
    items: *const ropewalk_x25519_public_item,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says; no item is written.
    call(error, || unsafe { many::run(&Generations, "items", items.cast_mut(), count) })
}

/// Agrees.
struct Agreements;

impl Operation<3, 1> for Agreements {
    type Message = ropewalk_x25519_item;
    type Key = ropewalk_x25519_key;

    #[inline(always)]
    fn key(one: &ropewalk_x25519_item) -> *const ropewalk_x25519_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_x25519_item) -> [Span; 3] {
        [Span::new(one.secret, LEN), Span::new(one.public_key, LEN), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_x25519_item) -> Result<()> {
        check_output::<LEN>("secret", one.secret, Span::of(one.key))?;
        memory::not_null("public key", one.public_key)
    }

    #[inline(always)]
    unsafe fn alone(&self, item: *mut ropewalk_x25519_item) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *item };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let done = unsafe { agree(key, one.public_key, one.secret) };
        // SAFETY: as the caller says, for writing.
        unsafe { (*item).status = status_of(&done) };
        done
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        items: *mut ropewalk_x25519_item,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's items, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(items, count) };
        let mut publics = ArrayVec::<PublicKey, GROUP>::new();
        // SAFETY: the caller's bytes, which have been checked.
        publics.extend(group.iter().map(|one| unsafe { read(one.public_key) }));
        let mut pairs = ArrayVec::<Pair<'_>, GROUP>::new();
        for (one, public) in group.iter().zip(&publics) {
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            pairs.push((unsafe { object::found(one.key) }, public));
        }
        let mut secrets = ArrayVec::<Option<SharedSecret>, GROUP>::new();
        secrets.extend(group.iter().map(|_| None));
        agree_many(&pairs, &mut secrets)?;
        let mut all = Ok(());
        for (i, (one, secret)) in group.iter_mut().zip(&secrets).enumerate() {
            let done = match secret {
                Some(secret) => {
                    // SAFETY: the caller's bytes, for writing, which have been checked; all public keys have been copied.
                    unsafe { put(one.secret, secret.as_bytes()) };
                    Ok(())
                }
                // Again, for the reason.
                None => {
                    let (key, public) = pairs[i];
                    key.agree(public).map(drop).map_err(|error| Failure::from(error).at(from + i))
                }
            };
            one.status = status_of(&done);
            all = all.and(done);
        }
        all
    }
}

/// Computes public keys.
struct Generations;

impl Operation<2, 1> for Generations {
    type Message = ropewalk_x25519_public_item;
    type Key = ropewalk_x25519_key;

    #[inline(always)]
    fn key(one: &ropewalk_x25519_public_item) -> *const ropewalk_x25519_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_x25519_public_item) -> [Span; 2] {
        [Span::new(one.public_key, LEN), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_x25519_public_item) -> Result<()> {
        check_output::<LEN>("public key", one.public_key, Span::of(one.key))
    }

    #[inline(always)]
    unsafe fn alone(&self, item: *mut ropewalk_x25519_public_item) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *item };
        // SAFETY: the caller's key, which has been found ready.
        let PublicKey(bytes) = unsafe { object::found(one.key) }.public();
        // SAFETY: the caller's bytes, for writing, which have been checked.
        unsafe { put(one.public_key, &bytes) };
        Ok(())
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        _: usize,
        items: *mut ropewalk_x25519_public_item,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's items, apart from all that they have.
        let group = unsafe { slice::from_raw_parts(items, count) };
        let (mut keys, mut publics) = (ArrayVec::<_, GROUP>::new(), ArrayVec::<_, GROUP>::new());
        for one in group {
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            keys.push(unsafe { object::found(one.key) });
            publics.push(PublicKey([0; LEN]));
        }
        public_many(&keys, &mut publics)?;
        for (one, PublicKey(bytes)) in group.iter().zip(&publics) {
            // SAFETY: the caller's bytes, for writing, which have been checked.
            unsafe { put(one.public_key, bytes) };
        }
        Ok(())
    }
}
