//! Batches of key derivations.

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

/// An extraction of a pseudorandom key, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hkdf_extraction {
    /// The output.
    pub prk: *mut ropewalk_prk,
    /// The salt, a key of HMAC. Extractions may share it.
    pub salt: *const ropewalk_mac_key,
    /// The secret.
    pub secret: *const c_void,
    /// Its length in bytes.
    pub secret_len: usize,
}

/// An expansion of a pseudorandom key, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_hkdf_expansion {
    /// The pseudorandom key. Expansions may share it.
    pub prk: *const ropewalk_prk,
    /// The context.
    pub info: *const c_void,
    /// Its length in bytes.
    pub info_len: usize,
    /// The output.
    pub out: *mut c_void,
    /// Its length in bytes: up to 255 digests.
    pub out_len: usize,
}

/// A derivation from a password, in a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_pbkdf2_derivation {
    /// The password, a key of HMAC. Derivations may share it.
    pub password: *const ropewalk_mac_key,
    /// The salt.
    pub salt: *const c_void,
    /// Its length in bytes.
    pub salt_len: usize,
    /// The number of iterations, at least one.
    pub iterations: u32,
    /// The output.
    pub out: *mut c_void,
    /// Its length in bytes.
    pub out_len: usize,
}

/// HKDF-Extract of many secrets, with the results of a loop over ropewalk_hkdf_extract(), and in lanes where that is faster: best
/// if neighbours have salts of the same hash function.
///
/// Fails as ropewalk_hkdf_extract() for the first extraction that would, with its index in the error, and with ROPEWALK_OVERLAP
/// where one writes into `extractions`, or the key of another one. Nothing is then written.
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

/// HKDF-Expand of many keys, with the results of a loop over ropewalk_hkdf_expand(), and in lanes where that is faster: best if
/// neighbours have the same hash function.
///
/// Fails as ropewalk_hkdf_expand() for the first expansion that would, with its index in the error, and with ROPEWALK_OVERLAP
/// where one writes into `expansions`, or the key of another one. Nothing is then written.
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

/// PBKDF2 of many passwords, with the results of a loop over ropewalk_pbkdf2(), and in lanes where that is faster: best if
/// neighbours have the same hash function.
///
/// Fails as ropewalk_pbkdf2() for the first derivation that would, with its index in the error, and with ROPEWALK_OVERLAP where
/// one writes into `derivations`, or the key of another one. Nothing is then written.
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

/// A derivation of a batch.
trait Made: Sized {
    /// The written span comes first, that of the key last.
    fn spans(&self) -> [Span; 4];

    /// Whether lanes are faster than a loop for that many derivations like it.
    // measured on Rocket Lake with SHA-256, as ratios to the rate of a loop: extracting two 0.70, four of 64 bytes 0.89, of 256
    // 0.99, eight of 64 1.0, 16 1.23; expanding four 0.85, eight 1.14; PBKDF2 of two 1.23
    fn pays(&self, count: usize) -> bool;

    /// Checks it without the others.
    ///
    /// # Safety
    /// The caller of C lends it, and all that it points at.
    unsafe fn check(&self) -> Result<()>;

    /// Derives the key.
    ///
    /// # Safety
    /// As [`check`](Self::check), and it has been checked.
    unsafe fn make(&self) -> Result<()>;

    /// Whether both keys have the same hash function.
    ///
    /// # Safety
    /// Both keys have been found ready.
    unsafe fn is_like(&self, next: &Self) -> bool;

    /// Derives keys of neighbours that are alike, at most a group, the first of which has the index `from`.
    ///
    /// # Safety
    /// As [`make`](Self::make), and they are apart.
    unsafe fn make_alike(from: usize, run: &[Self]) -> Result<()>;
}

/// The batch operation for a type of derivation.
struct Keys<M>(PhantomData<M>);

/// # Safety
/// The caller of C lends so many, and all that they point at.
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

    /// Checked by [`fits`](Self::fits).
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

    /// Neighbours with the same hash function are processed together.
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
        // The shortest digest, 16 bytes, times the largest number of digests, which has 32 bits.
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
/// As [`ropewalk_hkdf_extract_many`]; they are checked, have this function, and are at most as many as in a group.
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
/// As [`ropewalk_hkdf_expand_many`]; they are checked, have this function, and are at most as many as in a group.
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
/// As [`ropewalk_pbkdf2_many`]; they are checked, have this function, and are at most as many as in a group.
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
