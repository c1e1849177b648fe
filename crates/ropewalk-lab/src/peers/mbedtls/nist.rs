//! P-256: ECDH with contexts of its own, and ECDSA with keys of the module `pk`, which signs with RSA too.

use std::{
    ffi::{c_int, c_void},
    ptr::null,
};

use libloading::os::unix::Library;

use super::{
    Context,
    api::Entropy,
    digest::{self, Random},
    done,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _,
            p256::{POINT, Point, ec_private_key, spki},
        },
    },
    tasks::{AgreementOp, Cell, Function, SignatureOp},
};

functions! {
    /// Keys of any algorithm.
    Pk {
        fn mbedtls_pk_parse_public_key(key: *mut c_void, der: *const u8, len: usize) -> c_int;
        fn mbedtls_pk_write_pubkey_der(key: *mut c_void, out: *mut u8, len: usize) -> c_int;
        fn mbedtls_pk_verify(
            key: *mut c_void,
            hash: c_int,
            digest: *const u8,
            digest_len: usize,
            signature: *const u8,
            len: usize,
        ) -> c_int;
    }

    /// Private keys in 2.28.
    OldPk {
        fn mbedtls_pk_parse_key(
            key: *mut c_void,
            der: *const u8,
            len: usize,
            password: *const u8,
            password_len: usize,
        ) -> c_int;
        fn mbedtls_pk_sign(
            key: *mut c_void,
            hash: c_int,
            digest: *const u8,
            digest_len: usize,
            signature: *mut u8,
            len: *mut usize,
            random: Entropy,
            of: *mut c_void,
        ) -> c_int;
    }

    /// The same in 3.
    NewPk {
        fn mbedtls_pk_parse_key(
            key: *mut c_void,
            der: *const u8,
            len: usize,
            password: *const u8,
            password_len: usize,
            random: Entropy,
            of: *mut c_void,
        ) -> c_int;
        fn mbedtls_pk_sign(
            key: *mut c_void,
            hash: c_int,
            digest: *const u8,
            digest_len: usize,
            signature: *mut u8,
            room: usize,
            len: *mut usize,
            random: Entropy,
            of: *mut c_void,
        ) -> c_int;
    }

    /// Agreements. A public key is preceded by its length, as in TLS.
    Ecdh {
        fn mbedtls_ecp_read_key(
            curve: c_int,
            key: *mut c_void,
            private: *const u8,
            len: usize,
        ) -> c_int;
        fn mbedtls_ecdh_get_params(context: *mut c_void, key: *const c_void, side: c_int) -> c_int;
        fn mbedtls_ecdh_read_public(context: *mut c_void, public: *const u8, len: usize) -> c_int;
        fn mbedtls_ecdh_calc_secret(
            context: *mut c_void,
            len: *mut usize,
            secret: *mut u8,
            room: usize,
            random: Entropy,
            of: *mut c_void,
        ) -> c_int;
    }
}

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    major: u8,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        AgreementOp::Agree => {
            jobs::p256::agreement(cell, move |pair| Agreement::new(library, pair.private))
        }
        AgreementOp::Generate => {
            let generator = Random::new(library)?;
            jobs::p256::generation(cell, Generation { library, major, generator })
        }
    }
}

/// A job of ECDSA. Signatures are in DER.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    major: u8,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    match op {
        SignatureOp::Sign => jobs::p256::signing_der(cell, move |pair| {
            Signing::new(library, major, &ec_private_key(pair.private))
        }),
        SignatureOp::Verify => jobs::p256::verifying_der(cell, move |public| {
            Verifying::new(library, major, &spki(public))
        }),
    }
}

/// Agreements on one context, for which each public key is set.
struct Agreement {
    api: Ecdh,
    context: Context,
    generator: Random,
}

impl Agreement {
    fn new(library: &'static Library, private: &CurveKey) -> Result<Self, Unavailable> {
        const SECP256R1: c_int = 3;
        const OURS: c_int = 0;
        let api = Ecdh::load(library)?;
        let mut context = Context::new(library, "ecdh")?;
        let mut key = Context::<512>::new(library, "ecp_keypair")?;
        let (read, start) = (api.mbedtls_ecp_read_key, private.as_ptr());
        // SAFETY: the key is ready, and the bytes are as many as they say.
        let code = unsafe { read(SECP256R1, key.get(), start, private.len()) };
        done(code, "mbedtls_ecp_read_key")?;
        // SAFETY: both are ready, and the context has a copy afterwards.
        let code = unsafe { (api.mbedtls_ecdh_get_params)(context.get(), key.get(), OURS) };
        done(code, "mbedtls_ecdh_get_params")?;
        Ok(Self { api, context, generator: Random::new(library)? })
    }
}

impl jobs::Agreement<POINT> for Agreement {
    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        let mut message = [POINT as u8; 1 + POINT];
        message[1..].copy_from_slice(public);
        let (context, read) = (self.context.get(), self.api.mbedtls_ecdh_read_public);
        // SAFETY: the context has its key, and the bytes are as many as they say.
        let told = unsafe { read(context, message.as_ptr(), message.len()) } == 0;
        let ((random, of), mut len) = (self.generator.get(), 0);
        let (place, agree) = (secret.as_mut_ptr(), self.api.mbedtls_ecdh_calc_secret);
        // SAFETY: the context has both keys, or fails, there is space for that many bytes, and the generator has its seed.
        let agreed =
            told && unsafe { agree(context, &mut len, place, secret.len(), random, of) } == 0;
        if !agreed || len != secret.len() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

/// A private key in DER.
fn parse(
    library: &'static Library,
    major: u8,
    der: &[u8],
    generator: &mut Random,
) -> Result<Context, Unavailable> {
    let mut key = Context::new(library, "pk")?;
    let (context, start, len) = (key.get(), der.as_ptr(), der.len());
    let code = if major == 2 {
        let parse = OldPk::load(library)?.mbedtls_pk_parse_key;
        // SAFETY: the key is ready, the bytes are as many as they say, and null stands for no password.
        unsafe { parse(context, start, len, null(), 0) }
    } else {
        let parse = NewPk::load(library)?.mbedtls_pk_parse_key;
        let (random, of) = generator.get();
        // SAFETY: as above, and the generator has its seed.
        unsafe { parse(context, start, len, null(), 0, random, of) }
    };
    done(code, "mbedtls_pk_parse_key")?;
    Ok(key)
}

struct Generation {
    library: &'static Library,
    major: u8,
    generator: Random,
}

impl jobs::Generation<POINT> for Generation {
    const NOTE: &str = "takes and gives keys in DER only: reading and writing it counts";

    fn generate(&mut self, private: &CurveKey, public: &mut Point) {
        let Self { library, major, generator } = self;
        let made = Pk::load(library).and_then(|api| {
            let mut key = parse(library, *major, &ec_private_key(private), generator)?;
            let mut der = [0; 128];
            let write = api.mbedtls_pk_write_pubkey_der;
            // SAFETY: the key has been made, and there is space for that many bytes.
            let len = unsafe { write(key.get(), der.as_mut_ptr(), der.len()) };
            done((len < POINT as c_int).into(), "mbedtls_pk_write_pubkey_der")?;
            // It is written to the end of the place, and ends with the point.
            Ok(*der.last_chunk().expect("there are more"))
        });
        *public = made.unwrap_or([0; POINT]);
    }
}

/// Its number for SHA-256.
fn sha256(major: u8) -> c_int {
    if major == 2 { 6 } else { 9 }
}

fn hash(library: &'static Library) -> Result<digest::Hash, Unavailable> {
    let name = digest::name(Function::Sha256).expect("it has SHA-256");
    digest::Hash::new(library, name, Context::new(library, name.name)?)
}

/// `mbedtls_pk_sign`.
enum Sign {
    Old(OldPk),
    New(NewPk),
}

pub(super) struct Signing {
    sign: Sign,
    hash: digest::Hash,
    number: c_int,
    key: Context,
    generator: Random,
}

impl Signing {
    /// With a private key in DER.
    pub(super) fn new(
        library: &'static Library,
        major: u8,
        der: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut generator = Random::new(library)?;
        let key = parse(library, major, der, &mut generator)?;
        let sign = match major {
            2 => Sign::Old(OldPk::load(library)?),
            _ => Sign::New(NewPk::load(library)?),
        };
        Ok(Self { sign, hash: hash(library)?, number: sha256(major), key, generator })
    }
}

impl<S: AsMut<[u8]> + ?Sized> jobs::Signing<S> for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut S) {
        let (mut digest, signature) = ([0; 32], signature.as_mut());
        self.hash.message(message, &mut digest);
        let ((random, of), key, number) = (self.generator.get(), self.key.get(), self.number);
        let (start, place, room) = (digest.as_ptr(), signature.as_mut_ptr(), signature.len());
        let mut len = 0;
        let code = match &self.sign {
            Sign::Old(api) => {
                let sign = api.mbedtls_pk_sign;
                // SAFETY: the key has been made, the digest has that length, there is space for the longest signature, and the
                // generator has its seed.
                unsafe { sign(key, number, start, 32, place, &mut len, random, of) }
            }
            Sign::New(api) => {
                let sign = api.mbedtls_pk_sign;
                // SAFETY: as above.
                unsafe { sign(key, number, start, 32, place, room, &mut len, random, of) }
            }
        };
        if code != 0 {
            signature.fill(0);
        }
    }
}

pub(super) struct Verifying {
    api: Pk,
    hash: digest::Hash,
    number: c_int,
    key: Context,
}

impl Verifying {
    /// With a public key as SubjectPublicKeyInfo.
    pub(super) fn new(
        library: &'static Library,
        major: u8,
        der: &[u8],
    ) -> Result<Self, Unavailable> {
        let (api, mut key) = (Pk::load(library)?, Context::new(library, "pk")?);
        let parse = api.mbedtls_pk_parse_public_key;
        // SAFETY: the key is ready, and the bytes are as many as they say.
        let code = unsafe { parse(key.get(), der.as_ptr(), der.len()) };
        done(code, "mbedtls_pk_parse_public_key")?;
        Ok(Self { api, hash: hash(library)?, number: sha256(major), key })
    }
}

impl<S: AsRef<[u8]>> jobs::Verifying<S> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &S) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let (key, number, start) = (self.key.get(), self.number, digest.as_ptr());
        let (verify, signature) = (self.api.mbedtls_pk_verify, signature.as_ref());
        let (with, len) = (signature.as_ptr(), signature.len());
        // SAFETY: the key has been made, and both have the given lengths.
        unsafe { verify(key, number, start, digest.len(), with, len) == 0 }
    }
}
