//! Agreements and public keys of batches.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::p256::{LEN, Pair, PublicKey, SharedSecret, agree_many, public_many};

use super::{
    agree, check_agreement, check_public_room, put_public, read_public, ropewalk_p256_key,
};
use crate::{
    enter::{Result, call},
    many::{self, GROUP},
    object,
    overlap::Span,
    public_keys::{batch::Operation, put, status_of},
    status::{ropewalk_error, ropewalk_status},
};

/// An agreement of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_p256_item {
    /// Our private key. Items may share a key.
    pub key: *const ropewalk_p256_key,
    /// The other side's public key.
    pub public_key: *const c_void,
    /// Its length in bytes: 65 or 33.
    pub public_key_len: usize,
    /// The shared secret, of 32 bytes: written. It may overlap the public key.
    pub secret: *mut c_void,
    /// Written: ROPEWALK_OK or ROPEWALK_INVALID.
    pub status: u32,
}

/// A public key that is computed, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_p256_public_item {
    /// The private key. Items may share a key.
    pub key: *const ropewalk_p256_key,
    /// Its public key: written.
    pub public_key: *mut c_void,
    /// Its length in bytes: 65, or 33 for the compressed form.
    pub public_key_len: usize,
}

/// Writes the shared secret of each item, with the results of a loop over ropewalk_p256_agree(), and in lanes where that is faster.
/// `status` of each item is its result: if a public key is not a point on the curve, the secret of that item is not written.
///
/// Returns the status of the first that is not ROPEWALK_OK, with its index. Fails otherwise as ropewalk_p256_agree() for the first
/// item that would, with its index, and with ROPEWALK_OVERLAP where a secret overlaps `items`, or the key of another item, or a key
/// lies in `items`. Nothing is then written.
///
/// # Safety
/// There are `count` items, each as for ropewalk_p256_agree(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_agree_many(
    items: *mut ropewalk_p256_item,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Agreements, "items", items, count) })
}

/// Writes the public key of each private key, with the results of a loop over ropewalk_p256_public(), and in lanes where that is
/// faster.
///
/// Fails as ropewalk_p256_public() for the first item that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// public key overlaps `items`, or the private key of another item, or a private key lies in `items`. Nothing is then written.
///
/// # Safety
/// There are `count` items, each as for ropewalk_p256_public(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_p256_public_many(
    items: *const ropewalk_p256_public_item,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says; no item is written.
    call(error, || unsafe { many::run(&Generations, "items", items.cast_mut(), count) })
}

/// Agrees.
struct Agreements;

impl Operation<3, 1> for Agreements {
    type Message = ropewalk_p256_item;
    type Key = ropewalk_p256_key;

    #[inline(always)]
    fn key(one: &ropewalk_p256_item) -> *const ropewalk_p256_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_p256_item) -> [Span; 3] {
        let public = Span::new(one.public_key, one.public_key_len);
        [Span::new(one.secret, LEN), public, Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_p256_item) -> Result<()> {
        check_agreement(Span::of(one.key), (one.public_key, one.public_key_len), one.secret)
    }

    #[inline(always)]
    unsafe fn alone(&self, item: *mut ropewalk_p256_item) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *item };
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(one.key) };
        // SAFETY: the caller's bytes, which have been checked.
        let done = unsafe { agree(key, (one.public_key, one.public_key_len), one.secret) };
        // SAFETY: as the caller says, for writing.
        unsafe { (*item).status = status_of(&done) };
        done
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        items: *mut ropewalk_p256_item,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's items, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(items, count) };
        let mut publics = ArrayVec::<Result<PublicKey>, GROUP>::new();
        for one in group.iter() {
            // SAFETY: the caller's bytes, which have been checked.
            publics.push(unsafe { read_public(one.public_key, one.public_key_len) });
        }
        let mut pairs = ArrayVec::<Pair<'_>, GROUP>::new();
        for (one, public) in group.iter().zip(&publics) {
            let Ok(public) = public else { continue };
            // SAFETY: the caller's key, which has been found ready and stays until the call returns.
            pairs.push((unsafe { object::found(one.key) }, public));
        }
        let mut secrets = ArrayVec::<Option<SharedSecret>, GROUP>::new();
        secrets.extend(pairs.iter().map(|_| None));
        agree_many(&pairs, &mut secrets)?;
        drop(pairs);
        let mut secrets = secrets.iter().flatten();
        let mut all = Ok(());
        for (i, (one, public)) in group.iter_mut().zip(publics).enumerate() {
            let done = public.map(drop).map_err(|failure| failure.at(from + i));
            // There is a secret for each public key that is valid.
            if let Some(secret) = done.is_ok().then(|| secrets.next()).flatten() {
                // SAFETY: the caller's bytes, for writing, which have been checked; all public keys have been copied.
                unsafe { put(one.secret, secret.as_bytes()) };
            }
            one.status = status_of(&done);
            all = all.and(done);
        }
        all
    }
}

/// Computes public keys.
struct Generations;

impl Operation<2, 1> for Generations {
    type Message = ropewalk_p256_public_item;
    type Key = ropewalk_p256_key;

    #[inline(always)]
    fn key(one: &ropewalk_p256_public_item) -> *const ropewalk_p256_key {
        one.key
    }

    #[inline(always)]
    fn spans(one: &ropewalk_p256_public_item) -> [Span; 2] {
        [Span::new(one.public_key, one.public_key_len), Span::of(one.key)]
    }

    #[inline(always)]
    fn check(one: &ropewalk_p256_public_item) -> Result<()> {
        check_public_room((one.public_key, one.public_key_len), Span::of(one.key))
    }

    #[inline(always)]
    unsafe fn alone(&self, item: *mut ropewalk_p256_public_item) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { *item };
        // SAFETY: the caller's key, which has been found ready.
        let public = unsafe { object::found(one.key) }.public();
        // SAFETY: the caller's bytes, for writing, which have been checked.
        unsafe { put_public((one.public_key, one.public_key_len), &public) };
        Ok(())
    }

    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        _: usize,
        items: *mut ropewalk_p256_public_item,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's items, apart from all that they have.
        let group = unsafe { slice::from_raw_parts(items, count) };
        let mut keys = ArrayVec::<_, GROUP>::new();
        // SAFETY: the caller's key, which has been found ready and stays until the call returns.
        keys.extend(group.iter().map(|one| unsafe { object::found(one.key) }));
        let mut publics = [None; GROUP];
        public_many(&keys, &mut publics[..count])?;
        for (one, public) in group.iter().zip(publics.iter().flatten()) {
            // SAFETY: the caller's bytes, for writing, which have been checked.
            unsafe { put_public((one.public_key, one.public_key_len), public) };
        }
        Ok(())
    }
}
