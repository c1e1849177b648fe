//! Ed25519, whose keys, messages and signatures are S-expressions.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::api::Handle;
use crate::{
    peers::{
        Job, Unavailable,
        dl::{functions, symbol},
        jobs::{self, CurveKey, Signature},
    },
    tasks::{CURVE_KEY, Cell, SignatureOp},
};

functions! {
    /// Signatures, and S-expressions; 0 is no error.
    Signatures {
        fn gcry_sexp_release(list: Handle);
        fn gcry_sexp_find_token(list: Handle, token: *const c_char, len: usize) -> Handle;
        fn gcry_sexp_nth_data(list: Handle, number: c_int, len: *mut usize) -> *const u8;
        fn gcry_pk_sign(signature: *mut Handle, data: Handle, key: Handle) -> c_uint;
        fn gcry_pk_verify(signature: Handle, data: Handle, key: Handle) -> c_uint;
        fn gcry_mpi_ec_new(context: *mut Handle, key: Handle, curve: *const c_char) -> c_uint;
        fn gcry_mpi_ec_get_mpi(name: *const c_char, context: Handle, copy: c_int) -> Handle;
        fn gcry_mpi_get_opaque(number: Handle, bits: *mut c_uint) -> *const u8;
        fn gcry_mpi_release(number: Handle);
        fn gcry_ctx_release(context: Handle);
    }
}

/// `gcry_sexp_build`: with `%b` for a length and a start of bytes.
type Build = unsafe extern "C" fn(*mut Handle, *mut usize, *const c_char, ...) -> c_uint;

/// `gcry_sexp_build_array`: with addresses of the same.
type BuildArray =
    unsafe extern "C" fn(*mut Handle, *mut usize, *const c_char, *mut *mut c_void) -> c_uint;

/// A job of Ed25519.
pub(super) fn ed25519(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(library)?;
    match op {
        SignatureOp::Sign => jobs::signing(cell, move |seed| maker.pair(seed).map(Pair)),
        SignatureOp::Verify => {
            jobs::verifying(cell, move |public| maker.public(public).map(Public))
        }
    }
}

const MESSAGE: &CStr = c"(data(flags eddsa)(hash-algo sha512)(value %b))";
const SEED: &CStr = c"(private-key(ecc(curve Ed25519)(flags eddsa)(d %b)))";
const PAIR: &CStr = c"(private-key(ecc(curve Ed25519)(flags eddsa)(d %b)(q %b)))";
const PUBLIC: &CStr = c"(public-key(ecc(curve Ed25519)(flags eddsa)(q %b)))";
const SIGNATURE: &CStr = c"(sig-val(eddsa(r %b)(s %b)))";

/// Makes lists.
#[derive(Clone, Copy)]
pub(super) struct Maker {
    pub(super) api: Signatures,
    build: Build,
    build_array: BuildArray,
}

impl Maker {
    pub(super) fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let api = Signatures::load(library)?;
        // SAFETY: the type is the one that the public header gives this name.
        let build: Build = unsafe { symbol(library, "gcry_sexp_build") }?;
        // SAFETY: as above.
        let build_array: BuildArray = unsafe { symbol(library, "gcry_sexp_build_array") }?;
        Ok(Self { api, build, build_array })
    }

    /// A list with one byte string.
    pub(super) fn one(self, format: &'static CStr, bytes: &[u8]) -> Option<List> {
        let (mut list, len, start) = (null_mut(), bytes.len() as c_int, bytes.as_ptr());
        let build = self.build;
        // SAFETY: there is space for a list, the format is a string, and its bytes are as many as they say.
        let done = unsafe { build(&mut list, null_mut(), format.as_ptr(), len, start) };
        (done == 0).then_some(List { maker: self, list })
    }

    /// A list with two byte strings.
    pub(super) fn two(self, format: &'static CStr, [a, b]: [&[u8]; 2]) -> Option<List> {
        let (mut list, [a_len, b_len]) = (null_mut(), [a.len() as c_int, b.len() as c_int]);
        let (build, format, a, b) = (self.build, format.as_ptr(), a.as_ptr(), b.as_ptr());
        // SAFETY: as for one.
        let done = unsafe { build(&mut list, null_mut(), format, a_len, a, b_len, b) };
        (done == 0).then_some(List { maker: self, list })
    }

    /// A list with as many byte strings.
    pub(super) fn all<const N: usize>(
        self,
        format: &'static CStr,
        strings: [&[u8]; N],
    ) -> Option<List> {
        let mut parts = strings.map(|bytes| (bytes.len() as c_int, bytes.as_ptr()));
        let parts = parts.iter_mut().flat_map(|(len, start)| {
            [std::ptr::from_mut(len).cast::<c_void>(), std::ptr::from_mut(start).cast()]
        });
        let (mut list, mut parts) = (null_mut(), parts.collect::<Vec<_>>());
        let (build, format) = (self.build_array, format.as_ptr());
        // SAFETY: there is space for a list, the format is a string, and each of its byte strings has the address of a length and
        // that of a start of as many bytes.
        let done = unsafe { build(&mut list, null_mut(), format, parts.as_mut_ptr()) };
        (done == 0).then_some(List { maker: self, list })
    }

    /// A private key with its public key, which would otherwise be computed for each message.
    fn pair(self, seed: &CurveKey) -> Result<List, Unavailable> {
        let failed = || Unavailable("gcry_sexp_build failed".into());
        let public = self.one(SEED, seed).and_then(|seed| seed.public_key());
        let public = public.ok_or_else(|| Unavailable("gcry_mpi_ec_get_mpi failed".into()))?;
        self.two(PAIR, [seed, &public]).ok_or_else(failed)
    }

    fn public(self, public: &CurveKey) -> Result<List, Unavailable> {
        self.one(PUBLIC, public).ok_or_else(|| Unavailable("gcry_sexp_build failed".into()))
    }
}

/// An S-expression, released when dropped.
pub(super) struct List {
    pub(super) maker: Maker,
    pub(super) list: Handle,
}

impl List {
    /// The public key of a seed.
    fn public_key(&self) -> Option<CurveKey> {
        let api = &self.maker.api;
        let mut context = null_mut();
        // SAFETY: there is space for a context, the key is alive, and null stands for the curve that it says.
        if unsafe { (api.gcry_mpi_ec_new)(&mut context, self.list, null_mut()) } != 0 {
            return None;
        }
        // SAFETY: the name is a string, the context is alive, and a copy outlives it.
        let number = unsafe { (api.gcry_mpi_ec_get_mpi)(c"q@eddsa".as_ptr(), context, 1) };
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (api.gcry_ctx_release)(context) };
        if number.is_null() {
            return None;
        }
        let mut bits = 0;
        // SAFETY: the number is alive, and there is space for a length.
        let start = unsafe { (api.gcry_mpi_get_opaque)(number, &mut bits) };
        let is_key = !start.is_null() && bits.div_ceil(8) as usize == CURVE_KEY;
        // SAFETY: there are that many bytes, as it says.
        let key = is_key.then(|| unsafe { *start.cast::<CurveKey>() });
        // SAFETY: the number is alive, and nothing else uses it.
        unsafe { (api.gcry_mpi_release)(number) };
        key
    }

    /// Copies the bytes after a name, which are as many as their place has.
    pub(super) fn read(&self, name: &'static CStr, out: &mut [u8]) -> Option<()> {
        self.bytes(name, |bytes| {
            let all = bytes.len() == out.len();
            all.then(|| out.copy_from_slice(bytes))
        })
    }

    /// The same of a number, without zeros or with some in front.
    pub(super) fn read_number(&self, name: &'static CStr, out: &mut [u8]) -> Option<()> {
        self.bytes(name, |bytes| {
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let number = &bytes[zeros..];
            let at = out.len().checked_sub(number.len())?;
            out[..at].fill(0);
            out[at..].copy_from_slice(number);
            Some(())
        })
    }

    /// What is made of the bytes after a name.
    fn bytes<T>(&self, name: &'static CStr, of: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let Maker { api, .. } = self.maker;
        // SAFETY: the list is alive, and the name is a string.
        let found = unsafe { (api.gcry_sexp_find_token)(self.list, name.as_ptr(), 0) };
        if found.is_null() {
            return None;
        }
        let found = Self { maker: self.maker, list: found };
        let mut len = 0;
        // SAFETY: the list is alive, and there is space for a length.
        let start = unsafe { (api.gcry_sexp_nth_data)(found.list, 1, &mut len) };
        if start.is_null() {
            return None;
        }
        // SAFETY: there are that many bytes, as long as the list is alive.
        of(unsafe { std::slice::from_raw_parts(start, len) })
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: the list is alive, and nothing else uses it.
        unsafe { (self.maker.api.gcry_sexp_release)(self.list) }
    }
}

struct Pair(List);

impl Pair {
    fn signed(&self, message: &[u8], signature: &mut Signature) -> Option<()> {
        let List { maker, list: key } = self.0;
        let (data, mut made) = (maker.one(MESSAGE, message)?, null_mut());
        // SAFETY: there is space for a list, and both are alive.
        if unsafe { (maker.api.gcry_pk_sign)(&mut made, data.list, key) } != 0 {
            return None;
        }
        let made = List { maker, list: made };
        let (first, second) = signature.split_at_mut(CURVE_KEY);
        made.read(c"r", first)?;
        made.read(c"s", second)
    }
}

impl jobs::Signing for Pair {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        if self.signed(message, signature).is_none() {
            // A failed call must not look like an answer.
            signature.fill(0);
        }
    }
}

struct Public(List);

impl jobs::Verifying for Public {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let List { maker, list: key } = self.0;
        let (first, second) = signature.split_at(CURVE_KEY);
        let lists = (maker.one(MESSAGE, message), maker.two(SIGNATURE, [first, second]));
        let (Some(data), Some(signature)) = lists else { return false };
        // SAFETY: all three are alive.
        unsafe { (maker.api.gcry_pk_verify)(signature.list, data.list, key) == 0 }
    }
}
