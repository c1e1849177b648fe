//! Many keys at once.

use std::{ffi::c_void, mem::discriminant};

use arrayvec::ArrayVec;
use ropewalk::{Hash, hkdf, hmac, pbkdf2};

use super::{OfPrk, check_hmac, digest_len, not_hmac, ropewalk_prk, with_prk};
use crate::{
    enter::{Failure, Result, call},
    mac::{OfKey, ropewalk_mac_key, with_hmac},
    many::{GROUP, wrong},
    memory, object,
    overlap::{self, Span, batch},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many secrets of which pseudorandom keys are made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hkdf_extraction {
    /// The pseudorandom key that is made.
    pub prk: *mut ropewalk_prk,
    /// The salt, a key of HMAC, which others may have too.
    pub salt: *const ropewalk_mac_key,
    /// The secret.
    pub secret: *const c_void,
    /// Bytes of it.
    pub secret_len: usize,
}

/// One of many keys that are made of pseudorandom ones.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hkdf_expansion {
    /// The pseudorandom key, which others may have too.
    pub prk: *const ropewalk_prk,
    /// What for.
    pub info: *const c_void,
    /// Bytes of it.
    pub info_len: usize,
    /// Where the key goes.
    pub out: *mut c_void,
    /// Bytes of it: up to 255 digests.
    pub out_len: usize,
}

/// One of many keys that are made of passwords.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_pbkdf2_derivation {
    /// The password, a key of HMAC, which others may have too.
    pub password: *const ropewalk_mac_key,
    /// The salt.
    pub salt: *const c_void,
    /// Bytes of it.
    pub salt_len: usize,
    /// Iterations, at least one.
    pub iterations: u32,
    /// Where the key goes.
    pub out: *mut c_void,
    /// Bytes of it.
    pub out_len: usize,
}

/// HKDF-Extract of many secrets, side by side where that is faster: best where neighbours have salts of one hash function.
///
/// Fails as ropewalk_hkdf_extract() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes
/// what another one has. Nothing is then written.
///
/// # Safety
/// There are `count` extractions, each as for ropewalk_hkdf_extract(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_extract_many(
    extractions: *const ropewalk_hkdf_extraction,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's extractions.
        let all = unsafe { memory::row("extractions", extractions, count) }?;
        for (i, one) in all.iter().enumerate() {
            // SAFETY: as the caller says.
            unsafe { one.check() }.map_err(|wrong| wrong.at(i))?;
        }
        batch::apart(all, 1, ropewalk_hkdf_extraction::spans)?;
        // SAFETY: their keys have been found ready.
        let kind = |salt| unsafe { object::get(salt) }.map(discriminant).ok();
        for group in all.chunks(GROUP) {
            for run in group.chunk_by(|one, next| kind(one.salt) == kind(next.salt)) {
                let Some(first) = run.first() else { continue };
                // SAFETY: the caller's key.
                with_hmac!(unsafe { object::get(first.salt) }?, (H, _salt) => {
                    // SAFETY: each has been checked, and they are alike.
                    unsafe { extract::<H>(run) }
                }, _ => Err(not_hmac()))?;
            }
        }
        Ok(())
    })
}

/// HKDF-Expand of many keys, side by side where that is faster: best where neighbours have one hash function.
///
/// Fails as ropewalk_hkdf_expand() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes
/// what another one has. Nothing is then written.
///
/// # Safety
/// There are `count` expansions, each as for ropewalk_hkdf_expand(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_expand_many(
    expansions: *const ropewalk_hkdf_expansion,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's expansions.
        let all = unsafe { memory::row("expansions", expansions, count) }?;
        for (i, one) in all.iter().enumerate() {
            // SAFETY: as the caller says.
            unsafe { one.check() }.map_err(|wrong| wrong.at(i))?;
        }
        batch::apart(all, 1, ropewalk_hkdf_expansion::spans)?;
        // SAFETY: their keys have been found ready.
        let kind = |prk| unsafe { object::get(prk) }.map(discriminant).ok();
        let mut from = 0;
        for group in all.chunks(GROUP) {
            for run in group.chunk_by(|one, next| kind(one.prk) == kind(next.prk)) {
                let Some(first) = run.first() else { continue };
                // SAFETY: the caller's key.
                with_prk!(unsafe { object::get(first.prk) }?, (H, _prk) => {
                    // SAFETY: each has been checked, they are apart, and alike.
                    unsafe { expand::<H>(from, run) }
                })?;
                from += run.len();
            }
        }
        Ok(())
    })
}

/// PBKDF2 of many passwords, side by side where that is faster: best where neighbours have one hash function.
///
/// Fails as ropewalk_pbkdf2() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes what
/// another one has. Nothing is then written.
///
/// # Safety
/// There are `count` derivations, each as for ropewalk_pbkdf2(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_pbkdf2_many(
    derivations: *const ropewalk_pbkdf2_derivation,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        // SAFETY: the caller's derivations.
        let all = unsafe { memory::row("derivations", derivations, count) }?;
        for (i, one) in all.iter().enumerate() {
            // SAFETY: as the caller says.
            unsafe { one.check() }.map_err(|wrong| wrong.at(i))?;
        }
        batch::apart(all, 1, ropewalk_pbkdf2_derivation::spans)?;
        // SAFETY: their keys have been found ready.
        let kind = |password| unsafe { object::get(password) }.map(discriminant).ok();
        let mut from = 0;
        for group in all.chunks(GROUP) {
            for run in group.chunk_by(|one, next| kind(one.password) == kind(next.password)) {
                let Some(first) = run.first() else { continue };
                // SAFETY: the caller's key.
                with_hmac!(unsafe { object::get(first.password) }?, (H, _password) => {
                    // SAFETY: each has been checked, they are apart, and alike.
                    unsafe { derive::<H>(from, run) }
                }, _ => Err(not_hmac()))?;
                from += run.len();
            }
        }
        Ok(())
    })
}

impl ropewalk_hkdf_extraction {
    fn spans(&self) -> [Span; 3] {
        [Span::of(self.prk), Span::of(self.salt), Span::new(self.secret, self.secret_len)]
    }

    /// # Safety
    /// As [`ropewalk_hkdf_extract_many`].
    unsafe fn check(&self) -> Result<()> {
        let [prk, salt, secret] = self.spans();
        memory::not_null("pseudorandom key", self.prk)?;
        memory::check("secret", self.secret, self.secret_len)?;
        overlap::apart("pseudorandom key", prk, [salt, secret])?;
        // SAFETY: the caller's key.
        check_hmac(unsafe { object::get(self.salt) }?)
    }
}

impl ropewalk_hkdf_expansion {
    fn spans(&self) -> [Span; 3] {
        let [out, info] = [(self.out.cast_const(), self.out_len), (self.info, self.info_len)];
        [Span::new(out.0, out.1), Span::new(info.0, info.1), Span::of(self.prk)]
    }

    /// # Safety
    /// As [`ropewalk_hkdf_expand_many`].
    unsafe fn check(&self) -> Result<()> {
        let [out, info, prk] = self.spans();
        memory::check("output", self.out, self.out_len)?;
        memory::check("info", self.info, self.info_len)?;
        overlap::apart("output", out, [info, prk])?;
        // SAFETY: the caller's key.
        match self.out_len <= 255 * digest_len(unsafe { object::get(self.prk) }?) {
            true => Ok(()),
            false => Err(Failure::length("key", self.out_len, "up to 255 digests")),
        }
    }
}

impl ropewalk_pbkdf2_derivation {
    fn spans(&self) -> [Span; 3] {
        let [out, salt] = [(self.out.cast_const(), self.out_len), (self.salt, self.salt_len)];
        [Span::new(out.0, out.1), Span::new(salt.0, salt.1), Span::of(self.password)]
    }

    /// # Safety
    /// As [`ropewalk_pbkdf2_many`].
    unsafe fn check(&self) -> Result<()> {
        let [out, salt, password] = self.spans();
        memory::check("output", self.out, self.out_len)?;
        memory::check("salt", self.salt, self.salt_len)?;
        overlap::apart("output", out, [salt, password])?;
        // SAFETY: the caller's key.
        check_hmac(unsafe { object::get(self.password) }?)?;
        // The least that a digest has, 16 bytes, for as many digests as a number of 32 bits counts.
        if self.out_len as u64 > 16 * u64::from(u32::MAX) {
            return Err(Failure::length("key", self.out_len, "up to 2^36 - 16 bytes"));
        }
        match self.iterations {
            0 => Err(Failure::length("iterations", 0, "at least one")),
            _ => Ok(()),
        }
    }
}

/// # Safety
/// As [`ropewalk_hkdf_extract_many`]; they are checked and of one function, and no more than go in a group.
unsafe fn extract<H: OfKey + OfPrk>(run: &[ropewalk_hkdf_extraction]) -> Result<()> {
    let mut secrets: ArrayVec<hmac::Message<'_, H>, GROUP> = ArrayVec::new();
    for one in run {
        // SAFETY: the caller's key.
        let key = H::key(unsafe { object::get(one.salt) }?);
        // SAFETY: the caller's bytes, which have been checked.
        let text = unsafe { memory::bytes(one.secret, one.secret_len) };
        secrets.push(hmac::Message { key, text });
    }
    let mut prks = [const { None }; GROUP];
    hkdf::extract_many::<<H as Hash>::Many>(&secrets, &mut prks[..run.len()])?;
    for (one, prk) in run.iter().zip(prks.into_iter().flatten()) {
        // SAFETY: the caller's, for writing.
        unsafe { object::make(one.prk, || Ok(<H as OfPrk>::wrap(prk))) }?;
    }
    Ok(())
}

/// # Safety
/// As [`ropewalk_hkdf_expand_many`]; they are checked and of one function, and no more than go in a group.
unsafe fn expand<H: OfPrk>(from: usize, run: &[ropewalk_hkdf_expansion]) -> Result<()> {
    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
    let info = |one: &ropewalk_hkdf_expansion| [unsafe { memory::bytes(one.info, one.info_len) }];
    let infos: ArrayVec<[&[u8]; 1], GROUP> = run.iter().map(info).collect();
    let mut all: ArrayVec<hkdf::Expansion<'_, H>, GROUP> = ArrayVec::new();
    for (one, info) in run.iter().zip(&infos) {
        // SAFETY: the caller's key.
        let prk = H::prk(unsafe { object::get(one.prk) }?);
        // SAFETY: the caller's bytes, apart from all others.
        let out = unsafe { memory::bytes_mut(one.out, one.out_len) };
        all.push(hkdf::Expansion { prk, info, out });
    }
    hkdf::expand_many::<<H as Hash>::Many>(&mut all).map_err(|one| wrong(from, one))
}

/// # Safety
/// As [`ropewalk_pbkdf2_many`]; they are checked and of one function, and no more than go in a group.
unsafe fn derive<H: OfKey>(from: usize, run: &[ropewalk_pbkdf2_derivation]) -> Result<()> {
    let mut all: ArrayVec<pbkdf2::Derivation<'_, H>, GROUP> = ArrayVec::new();
    for one in run {
        // SAFETY: the caller's key.
        let password = H::key(unsafe { object::get(one.password) }?);
        // SAFETY: the caller's bytes, which have been checked, apart from what is written.
        let salt = unsafe { memory::bytes(one.salt, one.salt_len) };
        // SAFETY: the same, and for writing.
        let out = unsafe { memory::bytes_mut(one.out, one.out_len) };
        all.push(pbkdf2::Derivation { password, salt, iterations: one.iterations, out });
    }
    pbkdf2::derive_many::<<H as Hash>::Many>(&mut all).map_err(|one| wrong(from, one))
}
