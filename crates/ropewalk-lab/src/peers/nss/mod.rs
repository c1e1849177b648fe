//! NSS (MPL): keys and contexts of its internal token, without a database.

mod aead;
mod api;
mod cipher;
mod digest;
mod nist;
mod rsa;

use std::{
    ffi::{CStr, c_int, c_ulong},
    ptr::null_mut,
};

use api::{
    AES_CBC, AES_CTR, AES_GCM, CHACHA20_POLY1305, CKA_DECRYPT, CKA_ENCRYPT, DES3_CBC, Item,
    Mechanism, NSS_CHACHA20_CTR, Object, PK11_ORIGIN_UNWRAP, RC4,
};
use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Kind, Mac, Mode, RC4_KEY, TRIPLE_DES_KEY};

/// NSS.
pub(super) struct Nss;

impl Peer for Nss {
    fn name(&self) -> &'static str {
        "nss"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-kw", "aes-*-gcm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512", "hmac-sha3-*",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-*",
            "p256", "rsa-*",
            "random",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libnss3.so"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::nss(features)
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Start::load(library)?;
        // SAFETY: it takes no arguments.
        let version = unsafe { (api.NSS_GetVersion)() };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let version = format!("NSS {}", version.to_string_lossy());
        if !version.starts_with("NSS 3.") {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        // SAFETY: the folder is a string. It is used only with a database.
        if unsafe { (api.NSS_NoDB_Init)(c".".as_ptr()) } != 0 {
            return Err(failed("NSS_NoDB_Init"));
        }
        // SAFETY: the library has been set up.
        let slot = unsafe { (api.PK11_GetInternalSlot)() };
        if slot.is_null() {
            return Err(failed("PK11_GetInternalSlot"));
        }
        let path = dl::file_of(api.NSS_GetVersion as *const () as usize);
        Ok(Box::new(Loaded { library, slot: Slot(slot), version, path }))
    }
}

struct Loaded {
    library: &'static Library,
    slot: Slot,
    version: String,
    path: Option<String>,
}

impl Opened for Loaded {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn path(&self) -> Option<String> {
        self.path.clone()
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let (library, slot) = (self.library, self.slot);
        let lacks = || Unavailable::lacks(&Nss, cell.task);
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(library, slot, AES_CTR, key))
            }
            Kind::Cbc { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Cbc::new(library, slot, AES_CBC, direction, key)
            }),
            Kind::Ecb { direction, key_len } => {
                jobs::cbc(cell, key_len, move |key| cipher::Ecb::new(library, slot, direction, key))
            }
            Kind::KeyWrap { direction, .. } => {
                jobs::key_wrap(cell, move |key| cipher::KeyWrap::new(library, slot, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let messages = aead::Messages::new(library, slot, AES_GCM, op.direction())?;
                jobs::aead(cell, op, key_len, move |key| messages.with(key))
            }
            Kind::Fill => Ok(jobs::fill(cell, cipher::Random(api::Random::load(library)?))),
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                cipher::Cbc::new(library, slot, DES3_CBC, direction, key)
            }),
            Kind::X25519(_) | Kind::Ed25519(_) => {
                Err(Unavailable("its curves are not called here".into()))
            }
            Kind::EcdhP256(op) => nist::ecdh(cell, library, slot, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, slot, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, slot, op),
            Kind::Rc4 => {
                jobs::ctr(cell, RC4_KEY, move |key| cipher::Ctr::new(library, slot, RC4, key))
            }
            // It continues from the same counter.
            Kind::ChaCha20 if cell.mode == Mode::Stream => {
                Err(Unavailable("its ChaCha20 takes messages whole".into()))
            }
            Kind::ChaCha20 => jobs::ctr(cell, 32, move |key| {
                cipher::Ctr::new(library, slot, NSS_CHACHA20_CTR, key)
            }),
            Kind::ChaChaPoly { op } => {
                let direction = op.direction();
                let messages = aead::Messages::new(library, slot, CHACHA20_POLY1305, direction)?;
                jobs::aead(cell, op, 32, move |key| messages.with(key))
            }
            Kind::Gmac { key_len } => {
                let messages = aead::Messages::new(library, slot, AES_GCM, Direction::Encrypt)?;
                jobs::gmac(cell, key_len, move |key| messages.with(key).map(jobs::HeaderAlone))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                let mechanism = api::hmac(function).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| {
                    // Older versions lack some.
                    digest::Digest::hmac(library, slot, mechanism, key)?
                        .ok_or_else(|| Unavailable::no(Kind::Mac(Mac::Hmac(function))))
                })
            }
            Kind::Mac(Mac::Cmac { .. }) => {
                jobs::mac(cell, move |key| digest::Digest::cmac(library, slot, key))
            }
            Kind::Hash(function) => {
                let number = api::oid(function).ok_or_else(lacks)?;
                // Older versions lack some.
                let hash = digest::Digest::hash(library, number)?;
                Ok(jobs::hash(cell, hash.ok_or_else(|| Unavailable::no(cell.task.kind))?))
            }
            _ => Err(lacks()),
        }
    }
}

/// The slot of the internal token, which is never freed.
#[derive(Clone, Copy)]
struct Slot(Object);

/// A key of the token.
struct Key {
    api: api::Keys,
    key: Object,
    mechanism: Mechanism,
}

impl Key {
    fn new(
        api: api::Keys,
        Slot(slot): Slot,
        mechanism: Mechanism,
        operation: c_ulong,
        key: &[u8],
    ) -> Result<Self, Unavailable> {
        let mut item = Item::of(key);
        // SAFETY: the slot exists, the key has the given length and is only read, and no callback for a
        // password is set.
        let key = unsafe {
            (api.PK11_ImportSymKey)(
                slot,
                mechanism,
                PK11_ORIGIN_UNWRAP,
                operation,
                &mut item,
                null_mut(),
            )
        };
        if key.is_null() {
            Err(failed("PK11_ImportSymKey"))
        } else {
            Ok(Self { api, key, mechanism })
        }
    }

    /// A context of the mechanism that the key was made for.
    fn context(&self, operation: c_ulong, parameter: &Item) -> Result<Context, Unavailable> {
        self.context_of(self.mechanism, operation, parameter)
    }

    fn context_of(
        &self,
        mechanism: Mechanism,
        operation: c_ulong,
        parameter: &Item,
    ) -> Result<Context, Unavailable> {
        // SAFETY: the key is valid, of which the context has a separate reference, and the parameter is that
        // of the mechanism.
        let context = unsafe {
            (self.api.PK11_CreateContextBySymKey)(mechanism, operation, self.key, parameter)
        };
        let context = Context::new(context, self.api.PK11_DestroyContext);
        context.ok_or_else(|| failed("PK11_CreateContextBySymKey"))
    }

    fn get(&self) -> Object {
        self.key
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: the key is valid, and this is its own reference.
        unsafe { (self.api.PK11_FreeSymKey)(self.key) }
    }
}

/// A context for messages.
struct Context {
    context: Object,
    destroy: unsafe extern "C" fn(Object, c_int),
}

impl Context {
    /// None if it is null.
    fn new(context: Object, destroy: unsafe extern "C" fn(Object, c_int)) -> Option<Self> {
        (!context.is_null()).then(|| Self { context, destroy })
    }

    fn get(&self) -> Object {
        self.context
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is there, and nothing else uses it; 1 frees the whole of it.
        unsafe { (self.destroy)(self.context, 1) }
    }
}

/// The purpose of a key.
fn operation(direction: Direction) -> c_ulong {
    match direction {
        Direction::Encrypt => CKA_ENCRYPT,
        Direction::Decrypt => CKA_DECRYPT,
    }
}

fn failed(call: &str) -> Unavailable {
    Unavailable(format!("{call} failed"))
}
