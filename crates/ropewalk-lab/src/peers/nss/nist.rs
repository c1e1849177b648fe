//! P-256, with keys of the internal token, which are read from DER.

use std::{
    ffi::{c_int, c_uint, c_ulong, c_void},
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{
    Slot,
    api::{self, Item, Mechanism, Object},
    digest, failed,
};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{
            self, CurveKey, Hash as _, Signature,
            p256::{POINT, Pair, Point, pkcs8, spki},
        },
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, Function, SignatureOp},
};

functions! {
    /// Keys, signatures and agreements.
    P256 {
        fn PK11_ImportDERPrivateKeyInfoAndReturnKey(
            slot: Object,
            der: *mut Item,
            name: *mut Item,
            public: *mut Item,
            is_permanent: c_int,
            is_private: c_int,
            usage: c_uint,
            key: *mut Object,
            window: *mut c_void,
        ) -> c_int;
        fn SECKEY_DestroyPrivateKey(key: Object);
        fn SECKEY_DecodeDERSubjectPublicKeyInfo(der: *const Item) -> Object;
        fn SECKEY_DestroySubjectPublicKeyInfo(info: Object);
        fn SECKEY_ExtractPublicKey(info: Object) -> Object;
        fn SECKEY_DestroyPublicKey(key: Object);
        fn PK11_Sign(key: Object, signature: *mut Item, digest: *const Item) -> c_int;
        fn PK11_Verify(
            key: Object,
            signature: *const Item,
            digest: *const Item,
            window: *mut c_void,
        ) -> c_int;
        fn PK11_PubDeriveWithKDF(
            private: Object,
            public: Object,
            is_sender: c_int,
            random_a: *mut Item,
            random_b: *mut Item,
            derive: Mechanism,
            target: Mechanism,
            operation: c_ulong,
            len: c_int,
            kdf: c_ulong,
            shared: *mut Item,
            window: *mut c_void,
        ) -> Object;
        fn PK11_ExtractKeyValue(key: Object) -> c_int;
        fn PK11_GetKeyData(key: Object) -> *mut Item;
        fn PK11_FreeSymKey(key: Object);
    }
}

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    slot: Slot,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = P256::load(library)?;
    match op {
        AgreementOp::Agree => {
            jobs::p256::agreement(cell, move |pair| Ok(Agreement(Key::of_pair(api, slot, pair)?)))
        }
        AgreementOp::Generate => {
            Err(Unavailable("computes no public key of a given private one".into()))
        }
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    slot: Slot,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    let api = P256::load(library)?;
    let hash = move || {
        let number = api::oid(Function::Sha256).expect("it has SHA-256");
        digest::Digest::hash(library, number)?.ok_or_else(|| failed("PK11_CreateDigestContext"))
    };
    match op {
        SignatureOp::Sign => jobs::p256::signing(cell, move |pair| {
            Ok(Signing { key: Key::of_pair(api, slot, pair)?, hash: hash()? })
        }),
        SignatureOp::Verify => jobs::p256::verifying(cell, move |public| {
            Ok(Verifying { key: Key::public(api, &spki(public))?, hash: hash()? })
        }),
    }
}

/// A key, destroyed when dropped.
pub(super) struct Key {
    api: P256,
    pub(super) key: Object,
    destroy: unsafe extern "C" fn(Object),
}

impl Key {
    fn of_pair(api: P256, slot: Slot, pair: Pair<'_>) -> Result<Self, Unavailable> {
        Self::private(api, slot, &pkcs8(pair), pair.public)
    }

    /// A private key from PrivateKeyInfo, which gets its name in the token from its public key.
    pub(super) fn private(
        api: P256,
        Slot(slot): Slot,
        der: &[u8],
        public: &[u8],
    ) -> Result<Self, Unavailable> {
        const ALL: c_uint = 0xfe;
        let (mut der, mut public, mut key) = (Item::of(der), Item::of(public), null_mut());
        let (import, none) = (api.PK11_ImportDERPrivateKeyInfoAndReturnKey, null_mut());
        // SAFETY: the slot exists, the bytes are as many as they say, there is space for a key, and null stands for no name and no
        // window.
        let code =
            unsafe { import(slot, &mut der, none, &mut public, 0, 0, ALL, &mut key, null_mut()) };
        match code == 0 && !key.is_null() {
            true => Ok(Self { api, key, destroy: api.SECKEY_DestroyPrivateKey }),
            false => Err(failed("PK11_ImportDERPrivateKeyInfoAndReturnKey")),
        }
    }

    /// A public key from SubjectPublicKeyInfo.
    pub(super) fn public(api: P256, der: &[u8]) -> Result<Self, Unavailable> {
        // SAFETY: the bytes are as many as they say.
        let info = unsafe { (api.SECKEY_DecodeDERSubjectPublicKeyInfo)(&Item::of(der)) };
        if info.is_null() {
            return Err(failed("SECKEY_DecodeDERSubjectPublicKeyInfo"));
        }
        // SAFETY: it has been decoded.
        let key = unsafe { (api.SECKEY_ExtractPublicKey)(info) };
        // SAFETY: it has been decoded, and nothing uses it afterwards: the key is a copy.
        unsafe { (api.SECKEY_DestroySubjectPublicKeyInfo)(info) };
        match key.is_null() {
            true => Err(failed("SECKEY_ExtractPublicKey")),
            false => Ok(Self { api, key, destroy: api.SECKEY_DestroyPublicKey }),
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key is alive, and nothing else uses it.
        unsafe { (self.destroy)(self.key) }
    }
}

struct Agreement(Key);

impl Agreement {
    fn agreed(&self, public: &Point, secret: &mut CurveKey) -> Option<()> {
        const ECDH1_DERIVE: Mechanism = 0x1050;
        const SHA256_HMAC: Mechanism = 0x251;
        const DERIVE: c_ulong = 0x10c;
        const NO_KDF: c_ulong = 1;
        let Key { api, key, .. } = &self.0;
        let (public, none, window) =
            (Key::public(*api, &spki(public)).ok()?, null_mut(), null_mut());
        let (derive, len) = (api.PK11_PubDeriveWithKDF, CURVE_KEY as c_int);
        // SAFETY: both keys are alive, and null stands for no random bytes, no shared data and no window.
        let agreed = unsafe {
            derive(
                *key,
                public.key,
                0,
                none,
                none,
                ECDH1_DERIVE,
                SHA256_HMAC,
                DERIVE,
                len,
                NO_KDF,
                none,
                window,
            )
        };
        if agreed.is_null() {
            return None;
        }
        let agreed = Key { api: *api, key: agreed, destroy: api.PK11_FreeSymKey };
        // SAFETY: the key is alive.
        if unsafe { (api.PK11_ExtractKeyValue)(agreed.key) } != 0 {
            return None;
        }
        // SAFETY: the key is alive, and has its value.
        let data = unsafe { (api.PK11_GetKeyData)(agreed.key) };
        // SAFETY: what is not null belongs to the key, which is alive.
        let (start, len) = unsafe { data.as_ref() }?.bytes();
        if start.is_null() || len != CURVE_KEY {
            return None;
        }
        // SAFETY: there are that many bytes.
        *secret = unsafe { *start.cast::<CurveKey>() };
        Some(())
    }
}

impl jobs::Agreement<POINT> for Agreement {
    const NOTE: &str = "takes public keys in DER only: reading it counts";

    fn agree(&mut self, public: &Point, secret: &mut CurveKey) {
        if self.agreed(public, secret).is_none() {
            // A failed call must not look like an answer.
            secret.fill(0);
        }
    }
}

struct Signing {
    key: Key,
    hash: digest::Digest,
}

impl jobs::Signing for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut Signature) {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let Key { api, key, .. } = &self.key;
        let (mut place, digest) = (Item::place(signature), Item::of(&digest));
        // SAFETY: the key is alive, there is space for that many bytes, and the digest is as long as it says.
        let code = unsafe { (api.PK11_Sign)(*key, &mut place, &digest) };
        if code != 0 || place.bytes().1 != signature.len() {
            signature.fill(0);
        }
    }
}

struct Verifying {
    key: Key,
    hash: digest::Digest,
}

impl jobs::Verifying for Verifying {
    fn verify(&mut self, message: &[u8], signature: &Signature) -> bool {
        let mut digest = [0; 32];
        self.hash.message(message, &mut digest);
        let Key { api, key, .. } = &self.key;
        let (signature, digest) = (Item::of(signature), Item::of(&digest));
        // SAFETY: the key is alive, both are as long as they say, and null stands for no window.
        unsafe { (api.PK11_Verify)(*key, &signature, &digest, null_mut()) == 0 }
    }
}
