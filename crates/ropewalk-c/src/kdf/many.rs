//! Many keys at once.

use std::{ffi::c_void, marker::PhantomData, mem::discriminant, slice};

use arrayvec::ArrayVec;
use ropewalk::{Hash, hkdf, hmac, pbkdf2};

use super::{
    OfPrk, check_hmac, derive, digest_len, expand, extract, not_hmac, ropewalk_prk, with_prk,
};
use crate::{
    enter::{Failure, Result, call},
    mac::{OfKey, ropewalk_mac_key, with_hmac},
    many::{self, Call, GROUP, Gain, wrong},
    memory, object,
    overlap::{self, Span},
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

/// HKDF-Extract of many secrets, as ropewalk_hkdf_extract() one after the other, and side by side where that is faster: best where
/// neighbours have salts of one hash function.
///
/// Fails as ropewalk_hkdf_extract() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes into
/// `extractions`, or the key of another one. Nothing is then written.
///
/// # Safety
/// There are `count` extractions, each as for ropewalk_hkdf_extract(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_extract_many(
    extractions: *const ropewalk_hkdf_extraction,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run("extractions", extractions, count) })
}

/// HKDF-Expand of many keys, as ropewalk_hkdf_expand() one after the other, and side by side where that is faster: best where
/// neighbours have one hash function.
///
/// Fails as ropewalk_hkdf_expand() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes into
/// `expansions`, or the key of another one. Nothing is then written.
///
/// # Safety
/// There are `count` expansions, each as for ropewalk_hkdf_expand(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hkdf_expand_many(
    expansions: *const ropewalk_hkdf_expansion,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run("expansions", expansions, count) })
}

/// PBKDF2 of many passwords, as ropewalk_pbkdf2() one after the other, and side by side where that is faster: best where neighbours
/// have one hash function.
///
/// Fails as ropewalk_pbkdf2() for the first that would, whose index the error has, and with ROPEWALK_OVERLAP where one writes into
/// `derivations`, or the key of another one. Nothing is then written.
///
/// # Safety
/// There are `count` derivations, each as for ropewalk_pbkdf2(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_pbkdf2_many(
    derivations: *const ropewalk_pbkdf2_derivation,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { run("derivations", derivations, count) })
}

/// One of many keys that are made.
trait Made: Sized {
    /// What it writes comes first, its key last.
    fn spans(&self) -> [Span; 4];

    /// Whether lanes pay for so many like it.
    // measured: on Rocket Lake with SHA-256, extracting two .70 of a loop, four of 64 bytes .89, of 256 .99, eight of 64 1.0, 16 1.23;
    // expanding four .85, eight 1.14; PBKDF2 of two 1.23
    fn pays(&self, count: usize) -> bool;

    /// What is wrong with it by itself.
    ///
    /// # Safety
    /// The caller of C lends it, and what it points at.
    unsafe fn check(&self) -> Result<()>;

    /// Makes it.
    ///
    /// # Safety
    /// As [`check`](Self::check), and it has been checked.
    unsafe fn make(&self) -> Result<()>;

    /// Whether the keys of both are of one hash function.
    ///
    /// # Safety
    /// Both keys have been found ready.
    unsafe fn is_like(&self, next: &Self) -> bool;

    /// Makes neighbours that are alike, no more than go in a group, the first of which has the index `from`.
    ///
    /// # Safety
    /// As [`make`](Self::make), and they are apart.
    unsafe fn make_alike(from: usize, run: &[Self]) -> Result<()>;
}

/// Makes keys of a type.
struct Keys<M>(PhantomData<M>);

/// # Safety
/// The caller of C lends so many, and what they point at.
unsafe fn run<M: Made>(what: &'static str, all: *const M, count: usize) -> Result<()> {
    // SAFETY: as the caller says; none of them is written.
    unsafe { many::run(&Keys::<M>(PhantomData), what, all.cast_mut(), count) }
}

impl<M: Made> Call<4, 1> for Keys<M> {
    type Message = M;
    type Keys = ();

    #[inline(always)]
    fn spans(&self, one: &M) -> [Span; 4] {
        one.spans()
    }

    #[inline]
    unsafe fn gain(&self, one: &M, count: usize) -> Gain {
        Gain::much_if(one.pays(count))
    }

    #[inline(always)]
    unsafe fn fits(&self, one: &M, (): &mut ()) -> bool {
        // SAFETY: as the caller says.
        unsafe { one.check() }.is_ok()
    }

    #[inline(always)]
    fn are_alike(&self, _: &M, _: &M) -> bool {
        false
    }

    /// Asked for by [`fits`](Self::fits).
    #[inline(always)]
    fn is_apart(&self, _: &M) -> bool {
        true
    }

    unsafe fn check(&self, one: &M) -> Result<()> {
        // SAFETY: as the caller says.
        unsafe { one.check() }
    }

    unsafe fn alone(&self, one: *mut M) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { &*one };
        // SAFETY: the same.
        unsafe { one.make() }
    }

    /// Neighbours of one hash function go together.
    unsafe fn side_by_side(&self, mut from: usize, all: *mut M, count: usize) -> Result<()> {
        // SAFETY: the caller's, apart from what they write.
        let group = unsafe { slice::from_raw_parts(all, count) };
        // SAFETY: their keys have been found ready.
        for run in group.chunk_by(|one, next| unsafe { one.is_like(next) }) {
            // SAFETY: as the caller says, and they are alike.
            unsafe { M::make_alike(from, run) }?;
            from += run.len();
        }
        Ok(())
    }
}

impl Made for ropewalk_hkdf_extraction {
    #[inline(always)]
    fn spans(&self) -> [Span; 4] {
        let secret = Span::new(self.secret, self.secret_len);
        [Span::of(self.prk), Span::NOTHING, secret, Span::of(self.salt)]
    }

    fn pays(&self, count: usize) -> bool {
        count >= 16 || count >= 8 && self.secret_len >= 64 || count >= 4 && self.secret_len >= 256
    }

    unsafe fn check(&self) -> Result<()> {
        let [prk, _, secret, salt] = self.spans();
        memory::not_null("pseudorandom key", self.prk)?;
        memory::check("secret", self.secret, self.secret_len)?;
        overlap::apart("pseudorandom key", prk, [salt, secret])?;
        // SAFETY: the caller's key.
        check_hmac(unsafe { object::get(self.salt) }?)
    }

    unsafe fn make(&self) -> Result<()> {
        // SAFETY: as the caller says.
        unsafe { extract(self.prk, self.salt, (self.secret, self.secret_len)) }
    }

    unsafe fn is_like(&self, next: &Self) -> bool {
        // SAFETY: as the caller says.
        let kind = |salt| discriminant(unsafe { object::found(salt) });
        kind(self.salt) == kind(next.salt)
    }

    unsafe fn make_alike(_: usize, run: &[Self]) -> Result<()> {
        let Some(first) = run.first() else { return Ok(()) };
        // SAFETY: the caller's key.
        with_hmac!(unsafe { object::get(first.salt) }?, (H, _salt) => {
            // SAFETY: as the caller says.
            unsafe { extract_alike::<H>(run) }
        }, _ => Err(not_hmac()))
    }
}

impl Made for ropewalk_hkdf_expansion {
    #[inline(always)]
    fn spans(&self) -> [Span; 4] {
        let (out, info) = (Span::new(self.out, self.out_len), Span::new(self.info, self.info_len));
        [out, Span::NOTHING, info, Span::of(self.prk)]
    }

    fn pays(&self, count: usize) -> bool {
        count >= 8
    }

    unsafe fn check(&self) -> Result<()> {
        let [out, _, info, prk] = self.spans();
        memory::check("output", self.out, self.out_len)?;
        memory::check("info", self.info, self.info_len)?;
        overlap::apart("output", out, [info, prk])?;
        // SAFETY: the caller's key.
        match self.out_len <= 255 * digest_len(unsafe { object::get(self.prk) }?) {
            true => Ok(()),
            false => Err(Failure::length("key", self.out_len, "up to 255 digests")),
        }
    }

    unsafe fn make(&self) -> Result<()> {
        // SAFETY: as the caller says.
        unsafe { expand(self.prk, (self.info, self.info_len), (self.out, self.out_len)) }
    }

    unsafe fn is_like(&self, next: &Self) -> bool {
        // SAFETY: as the caller says.
        let kind = |prk| discriminant(unsafe { object::found(prk) });
        kind(self.prk) == kind(next.prk)
    }

    unsafe fn make_alike(from: usize, run: &[Self]) -> Result<()> {
        let Some(first) = run.first() else { return Ok(()) };
        // SAFETY: the caller's key.
        with_prk!(unsafe { object::get(first.prk) }?, (H, _prk) => {
            // SAFETY: as the caller says.
            unsafe { expand_alike::<H>(from, run) }
        })
    }
}

impl Made for ropewalk_pbkdf2_derivation {
    #[inline(always)]
    fn spans(&self) -> [Span; 4] {
        let (out, salt) = (Span::new(self.out, self.out_len), Span::new(self.salt, self.salt_len));
        [out, Span::NOTHING, salt, Span::of(self.password)]
    }

    fn pays(&self, count: usize) -> bool {
        count > 1
    }

    unsafe fn check(&self) -> Result<()> {
        let [out, _, salt, password] = self.spans();
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

    unsafe fn make(&self) -> Result<()> {
        let (salt, out) = ((self.salt, self.salt_len), (self.out, self.out_len));
        // SAFETY: as the caller says.
        unsafe { derive(self.password, salt, self.iterations, out) }
    }

    unsafe fn is_like(&self, next: &Self) -> bool {
        // SAFETY: as the caller says.
        let kind = |password| discriminant(unsafe { object::found(password) });
        kind(self.password) == kind(next.password)
    }

    unsafe fn make_alike(from: usize, run: &[Self]) -> Result<()> {
        let Some(first) = run.first() else { return Ok(()) };
        // SAFETY: the caller's key.
        with_hmac!(unsafe { object::get(first.password) }?, (H, _password) => {
            // SAFETY: as the caller says.
            unsafe { derive_alike::<H>(from, run) }
        }, _ => Err(not_hmac()))
    }
}

/// # Safety
/// As [`ropewalk_hkdf_extract_many`]; they are checked and of one function, and no more than go in a group.
unsafe fn extract_alike<H: OfKey + OfPrk>(run: &[ropewalk_hkdf_extraction]) -> Result<()> {
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
unsafe fn expand_alike<H: OfPrk>(from: usize, run: &[ropewalk_hkdf_expansion]) -> Result<()> {
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
unsafe fn derive_alike<H: OfKey>(from: usize, run: &[ropewalk_pbkdf2_derivation]) -> Result<()> {
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
