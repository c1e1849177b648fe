//! P-256, whose keys, digests, points and signatures are S-expressions.

use std::{
    ffi::{CStr, c_int, c_uint},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{
    api::Handle,
    digest,
    signatures::{List, Maker},
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _, Signature,
            p256::{POINT, Pair, Point},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, Function, SignatureOp},
};

functions! {
    /// Agreements, which are decryptions of the other side's public key, and numbers; 0 is no error.
    Ecdh {
        fn gcry_pk_decrypt(secret: *mut Handle, public: Handle, key: Handle) -> c_uint;
        fn gcry_mpi_print(
            format: c_int,
            out: *mut u8,
            len: usize,
            written: *mut usize,
            number: Handle,
        ) -> c_uint;
    }
}

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let (maker, api) = (Maker::new(library)?, Ecdh::load(library)?);
    match op {
        AgreementOp::Agree => {
            jobs::p256::agreement(cell, move |key| Ok(Private { api, key: pair(maker, key)? }))
        }
        AgreementOp::Generate => jobs::p256::generation(cell, Generation { api, maker }),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let maker = Maker::new(library)?;
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, move |key| {
            Ok(Signing(Keyed::new(library, pair(maker, key)?, DIGEST)?))
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, move |public| {
            let key = maker.one(PUBLIC, public).ok_or_else(failed)?;
            Ok(Verifying(Keyed::new(library, key, DIGEST)?))
        }),
    }
}

const PRIVATE: &CStr = c"(private-key(ecc(curve \"NIST P-256\")(d %b)))";
const PAIR: &CStr = c"(private-key(ecc(curve \"NIST P-256\")(q %b)(d %b)))";
const PUBLIC: &CStr = c"(public-key(ecc(curve \"NIST P-256\")(q %b)))";
const OTHER: &CStr = c"(enc-val(ecdh(e %b)))";
const DIGEST: &CStr = c"(data(flags raw)(value %b))";
const SIGNATURE: &CStr = c"(sig-val(ecdsa(r %b)(s %b)))";

fn pair(maker: Maker, pair: Pair<'_>) -> Result<List, Unavailable> {
    maker.two(PAIR, [pair.public, pair.private]).ok_or_else(failed)
}

pub(super) fn failed() -> Unavailable {
    Unavailable("gcry_sexp_build failed".into())
}

struct Private {
    api: Ecdh,
    key: List,
}

impl Private {
    fn agreed(&self, public: &Point, secret: &mut CurveKey) -> Option<()> {
        let List { maker, list: key } = self.key;
        let (public, mut made) = (maker.one(OTHER, public)?, null_mut());
        // SAFETY: there is space for a list, and both are alive.
        if unsafe { (self.api.gcry_pk_decrypt)(&mut made, public.list, key) } != 0 {
            return None;
        }
        let mut point = [0; POINT];
        List { maker, list: made }.read(c"value", &mut point)?;
        secret.copy_from_slice(&point[1..1 + CURVE_KEY]);
        Some(())
    }
}

impl jobs::Agreement<POINT> for Private {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        if self.agreed(public, secret).is_none() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

struct Generation {
    api: Ecdh,
    maker: Maker,
}

impl Generation {
    fn made(&self, private: &CurveKey, public: &mut Point) -> Option<()> {
        let (api, key) = (&self.maker.api, self.maker.one(PRIVATE, private)?);
        let mut context = null_mut();
        // SAFETY: there is space for a context, the key is alive, and null stands for the curve that it says.
        if unsafe { (api.gcry_mpi_ec_new)(&mut context, key.list, null_mut()) } != 0 {
            return None;
        }
        // SAFETY: the name is a string, the context is alive, and a copy outlives it.
        let number = unsafe { (api.gcry_mpi_ec_get_mpi)(c"q".as_ptr(), context, 1) };
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (api.gcry_ctx_release)(context) };
        if number.is_null() {
            return None;
        }
        const UNSIGNED: c_int = 5;
        let (mut written, place) = (0, public.as_mut_ptr());
        let print = self.api.gcry_mpi_print;
        // SAFETY: the number is alive, and there is space for that many bytes, and for a length.
        let done = unsafe { print(UNSIGNED, place, POINT, &mut written, number) };
        // SAFETY: the number is alive, and nothing else uses it.
        unsafe { (api.gcry_mpi_release)(number) };
        (done == 0 && written == POINT).then_some(())
    }
}

impl jobs::Generation<POINT> for Generation {
    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        if self.made(private, public).is_none() {
            public.fill(0);
        }
    }
}

/// A key, the hash function, and the list of a digest.
pub(super) struct Keyed {
    pub(super) key: List,
    hash: digest::Hash,
    format: &'static CStr,
}

impl Keyed {
    pub(super) fn new(
        library: &'static Library,
        key: List,
        format: &'static CStr,
    ) -> Result<Self, Unavailable> {
        let algorithm = digest::algorithm(Function::Sha256).expect("it has SHA-256");
        let hash = digest::Hash::new(library, Function::Sha256, algorithm)?;
        Ok(Self { key, hash, format })
    }

    /// The list with the digest of a message.
    fn digest(&mut self, message: &[u8]) -> Option<List> {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        self.key.maker.one(self.format, &digest)
    }

    /// The signature of a message.
    pub(super) fn sign(&mut self, message: &[u8]) -> Option<List> {
        let (data, mut made) = (self.digest(message)?, null_mut());
        let List { maker, list: key } = self.key;
        // SAFETY: there is space for a list, and both are alive.
        let done = unsafe { (maker.api.gcry_pk_sign)(&mut made, data.list, key) } == 0;
        done.then_some(List { maker, list: made })
    }

    /// Whether a signature is that of the message.
    pub(super) fn is_right(&mut self, message: &[u8], signature: Option<List>) -> bool {
        let data = self.digest(message);
        let List { maker, list: key } = self.key;
        let (Some(data), Some(signature)) = (data, signature) else { return false };
        // SAFETY: all three are alive.
        unsafe { (maker.api.gcry_pk_verify)(signature.list, data.list, key) == 0 }
    }
}

struct Signing(Keyed);

impl Signing {
    fn signed(&mut self, message: &[u8], signature: &mut Signature) -> Option<()> {
        let made = self.0.sign(message)?;
        let (r, s) = signature.split_at_mut(CURVE_KEY);
        made.read_number(c"r", r)?;
        made.read_number(c"s", s)
    }
}

impl jobs::Signing for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        if self.signed(message, signature).is_none() {
            signature.fill(0);
        }
    }
}

struct Verifying(Keyed);

impl jobs::Verifying for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let (r, s) = signature.split_at(CURVE_KEY);
        let signature = self.0.key.maker.two(SIGNATURE, [r, s]);
        self.0.is_right(message, signature)
    }
}
