//! RSA, with functions of libhogweed.

use std::{
    ffi::{c_int, c_uint, c_void},
    mem::MaybeUninit,
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{
    curves::beside,
    digest,
    nist::{Number, P256, Pair, Random, random, sha256},
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, Hash as _,
            rsa::{Numbers, Signature},
        },
    },
    tasks::{Cell, SignatureOp},
};

/// `struct rsa_public_key`: n and e.
#[repr(C)]
pub(super) struct Public {
    _size: usize,
    n: Number,
    e: Number,
}

/// `struct rsa_private_key`: d, p, q, d modulo p − 1 and q − 1, and the inverse of q.
#[repr(C)]
pub(super) struct Private {
    _size: usize,
    _numbers: [Number; 6],
}

functions! {
    /// Keys and signatures; 1 means that one is valid.
    Rsa {
        fn nettle_rsa_public_key_init(key: *mut Public);
        fn nettle_rsa_public_key_clear(key: *mut Public);
        fn nettle_rsa_public_key_prepare(key: *mut Public) -> c_int;
        fn nettle_rsa_private_key_init(key: *mut Private);
        fn nettle_rsa_private_key_clear(key: *mut Private);
        fn nettle_rsa_keypair_from_der(
            public: *mut Public,
            private: *mut Private,
            most_bits: c_uint,
            len: usize,
            der: *const u8,
        ) -> c_int;
        fn nettle_mpz_set_str_256_u(number: *mut Number, len: usize, bytes: *const u8);
        fn nettle_rsa_sha256_sign_digest_tr(
            public: *const Public,
            private: *const Private,
            state: *mut c_void,
            random: Random,
            digest: *const u8,
            signature: *mut Number,
        ) -> c_int;
        fn nettle_rsa_sha256_verify_digest(
            public: *const Public,
            digest: *const u8,
            signature: *const Number,
        ) -> c_int;
    }
}

/// A job of signatures. It reads private keys from DER, and public keys only inside of other structures.
pub(super) fn job(
    cell: &Cell,
    library: &'static Library,
    nettle: Option<&str>,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let beside = beside(nettle)?;
    let (api, numbers) = (Rsa::load(beside)?, P256::load(beside)?);
    match op {
        SignatureOp::Sign => jobs::rsa::signing(cell, move |key| {
            let made = Pair::new(numbers);
            Ok(Signing { key: KeyPair::new(api, &key.pkcs1)?, made, hash: sha256(library)? })
        }),
        SignatureOp::Verify => jobs::rsa::verifying(cell, move |key| {
            let (key, made) = (PublicKey::of(api, &key.numbers)?, Pair::new(numbers));
            Ok(Verifying { key, made, hash: sha256(library)? })
        }),
    }
}

/// A public key, cleared when dropped.
struct PublicKey {
    api: Rsa,
    key: Box<Public>,
}

impl PublicKey {
    fn new(api: Rsa) -> Self {
        let mut key = Box::<MaybeUninit<Public>>::new(MaybeUninit::uninit());
        // SAFETY: there is space for a key.
        unsafe { (api.nettle_rsa_public_key_init)(key.as_mut_ptr()) };
        // SAFETY: it has been initialized.
        Self { api, key: unsafe { key.assume_init() } }
    }

    fn of(api: Rsa, numbers: &Numbers) -> Result<Self, Unavailable> {
        let mut made = Self::new(api);
        let set = api.nettle_mpz_set_str_256_u;
        for (number, bytes) in [(&mut made.key.n, &numbers.n), (&mut made.key.e, &numbers.e)] {
            // SAFETY: the number has been initialized, and the bytes are as many as they say.
            unsafe { set(number, bytes.len(), bytes.as_ptr()) };
        }
        // SAFETY: the key has its numbers.
        match unsafe { (api.nettle_rsa_public_key_prepare)(&mut *made.key) } {
            1 => Ok(made),
            _ => Err(Unavailable("nettle_rsa_public_key_prepare failed".into())),
        }
    }
}

impl Drop for PublicKey {
    fn drop(&mut self) {
        // SAFETY: the key has been initialized, and nothing uses it afterwards.
        unsafe { (self.api.nettle_rsa_public_key_clear)(&mut *self.key) }
    }
}

/// A private key with its public key, cleared when dropped.
struct KeyPair {
    public: PublicKey,
    private: Box<Private>,
}

impl KeyPair {
    /// From RSAPrivateKey.
    fn new(api: Rsa, der: &[u8]) -> Result<Self, Unavailable> {
        let mut private = Box::<MaybeUninit<Private>>::new(MaybeUninit::uninit());
        // SAFETY: there is space for a key.
        unsafe { (api.nettle_rsa_private_key_init)(private.as_mut_ptr()) };
        // SAFETY: it has been initialized.
        let private = unsafe { private.assume_init() };
        let mut pair = Self { public: PublicKey::new(api), private };
        // Of no limit.
        const MOST_BITS: c_uint = 0;
        let (read, len, start) = (api.nettle_rsa_keypair_from_der, der.len(), der.as_ptr());
        let (public, private) = (&mut *pair.public.key, &mut *pair.private);
        // SAFETY: both have been initialized, and the bytes are as many as they say.
        match unsafe { read(public, private, MOST_BITS, len, start) } {
            1 => Ok(pair),
            _ => Err(Unavailable("nettle_rsa_keypair_from_der failed".into())),
        }
    }
}

impl Drop for KeyPair {
    fn drop(&mut self) {
        // SAFETY: the key has been initialized, and nothing uses it afterwards.
        unsafe { (self.public.api.nettle_rsa_private_key_clear)(&mut *self.private) }
    }
}

struct Signing {
    key: KeyPair,
    made: Pair,
    hash: digest::Hash,
}

impl jobs::Signing<[u8]> for Signing {
    const NOTE: &str = "takes random bytes for blinding from the caller: those of ropewalk count";

    fn sign(&mut self, message: &[u8], signature: &mut [u8]) {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let KeyPair { public, private } = &self.key;
        let sign = public.api.nettle_rsa_sha256_sign_digest_tr;
        let (start, place) = (digest.as_ptr(), self.made.first());
        // SAFETY: the keys have their numbers, the generator needs no state, a digest has that length, and the number has been
        // initialized.
        match unsafe { sign(&*public.key, &**private, null_mut(), random, start, place) } {
            1 => self.made.get_first(signature),
            // A failed call must not look like an answer.
            _ => signature.fill(0),
        }
    }
}

struct Verifying {
    key: PublicKey,
    made: Pair,
    hash: digest::Hash,
}

impl jobs::Verifying<Signature> for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        self.made.set_first(signature);
        let (verify, start) = (self.key.api.nettle_rsa_sha256_verify_digest, digest.as_ptr());
        // SAFETY: the key and the number have values, and a digest has that length.
        unsafe { verify(&*self.key.key, start, self.made.first()) == 1 }
    }
}
