//! Nettle (LGPL, so it is only ever loaded): contexts are plain memory, keys are set once.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;
mod nist;
mod past;
mod rsa;

use std::{ffi::c_void, mem::MaybeUninit};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, find, jobs, masks};
use crate::tasks::{Cell, Direction, Function, Kind, Mac, Mode, RC4_KEY, TRIPLE_DES_KEY};

/// Nettle.
pub(super) struct Nettle;

impl Peer for Nettle {
    fn name(&self) -> &'static str {
        "nettle"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305",
            "aes-*-gmac", "aes-128-cmac", "aes-256-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256", "sha3-*", "shake256", "sm3",
            "x25519", "ed25519", "p256", "rsa-*",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libnettle.so.8"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::nettle(features).map(|list| vec![("NETTLE_FAT_OVERRIDE".into(), list)])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments.
        let major = unsafe { (api.nettle_version_major)() };
        // SAFETY: as above.
        let minor = unsafe { (api.nettle_version_minor)() };
        let version = format!("nettle {major}.{minor}");
        // Earlier versions have no functions for a key of fixed length; in later ones, digests take no
        // length.
        if major != 3 {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        let path = dl::file_of(api.nettle_version_major as *const () as usize);
        Ok(Box::new(Loaded { library, version, path }))
    }
}

struct Loaded {
    library: &'static Library,
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
        let library = self.library;
        let lacks = || Unavailable::lacks(&Nettle, cell.task);
        match cell.task.kind {
            Kind::Ctr { .. } if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(16) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(library, key))
            }
            Kind::Cbc { direction, key_len } => {
                let (set_key, chain) = api::chain(library, direction, key_len)?;
                // SAFETY: the key has the length of its name.
                let with = move |key: &[u8]| unsafe { Key::new(set_key, key) };
                match chain {
                    api::Chain::Encrypt(encrypt) => jobs::cbc(cell, key_len, move |key| {
                        Ok(cipher::Encrypting { encrypt, key: with(key) })
                    }),
                    api::Chain::Decrypt(decrypt, block) => jobs::cbc(cell, key_len, move |key| {
                        Ok(cipher::Decrypting { decrypt, block, key: with(key) })
                    }),
                }
            }
            Kind::Ecb { direction, key_len } => {
                let (set_key, block) = match direction {
                    Direction::Encrypt => api::encrypt(library, key_len)?,
                    Direction::Decrypt => api::decrypt(library, key_len)?,
                };
                jobs::cbc(cell, key_len, move |key| {
                    // SAFETY: the key has the length of its name.
                    Ok(cipher::Ecb { block, key: unsafe { Key::new(set_key, key) } })
                })
            }
            Kind::Xts { direction, key_len } => {
                let (set_key, crypt) = api::xts(library, direction, key_len)?;
                jobs::xts(cell, key_len, move |key| {
                    // SAFETY: the key has the length of its name.
                    Ok(cipher::Xts { crypt, key: unsafe { Key::new(set_key, key) } })
                })
            }
            Kind::KeyWrap { direction, .. } => {
                jobs::key_wrap(cell, move |key| cipher::KeyWrap::new(library, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let api = api::Gcm::load_for(library, key_len)?;
                let equal = api::Equal::load(library)?;
                jobs::aead(cell, op, key_len, move |key| {
                    let mut gcm = aead::Gcm { api, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut gcm, key);
                    Ok(gcm)
                })
            }
            Kind::Gmac { key_len } => {
                let api = api::Gcm::load_for(library, key_len)?;
                let equal = api::Equal::load(library)?;
                jobs::gmac(cell, key_len, move |key| {
                    let mut gcm = aead::Gcm { api, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut gcm, key);
                    Ok(gcm)
                })
            }
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                past::TripleDes::new(library, direction, key)
            }),
            Kind::X25519(op) => curves::x25519(cell, self.path.as_deref(), op),
            Kind::Ed25519(op) => curves::ed25519(cell, self.path.as_deref(), op),
            Kind::EcdhP256(op) => nist::ecdh(cell, self.path.as_deref(), op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, self.path.as_deref(), op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, self.path.as_deref(), op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| past::Rc4::new(library, key)),
            Kind::ChaCha20 if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(64) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ccm { op, key_len } => {
                let gcm = api::Gcm::ccm(library, key_len)?;
                let equal = api::Equal::load(library)?;
                jobs::aead(cell, op, key_len, move |key| {
                    let mut ccm = aead::Gcm { api: gcm, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut ccm, key);
                    Ok(ccm)
                })
            }
            Kind::Fill => Err(Unavailable("its generator is not called here".into())),
            Kind::ChaCha20 => {
                let api = api::ChaCha::load(library)?;
                jobs::ctr(cell, 32, move |key| {
                    // SAFETY: the key has 32 bytes.
                    let key = unsafe { Key::new(api.nettle_chacha_set_key, key) };
                    Ok(cipher::ChaCha { api, key })
                })
            }
            Kind::ChaChaPoly { op } => {
                let api = api::Gcm::named(library, "chacha_poly1305")?;
                let equal = api::Equal::load(library)?;
                jobs::aead(cell, op, 32, move |key| {
                    let mut sealing = aead::Gcm { api, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut sealing, key);
                    Ok(sealing)
                })
            }
            Kind::Mac(Mac::Poly1305) => Err(Unavailable("has Poly1305 with AES only".into())),
            Kind::Mac(mac) => {
                let (name, base) = match mac {
                    Mac::Cmac { key_len: 16 } => ("cmac_aes128", "cmac_aes128"),
                    Mac::Cmac { key_len: 32 } => ("cmac_aes256", "cmac_aes256"),
                    Mac::Hmac(Function::Md5) => ("hmac_md5", "hmac_md5"),
                    Mac::Hmac(Function::Sha1) => ("hmac_sha1", "hmac_sha1"),
                    Mac::Hmac(Function::Sha224) => ("hmac_sha224", "hmac_sha256"),
                    Mac::Hmac(Function::Sha256) => ("hmac_sha256", "hmac_sha256"),
                    Mac::Hmac(Function::Sha384) => ("hmac_sha384", "hmac_sha512"),
                    Mac::Hmac(Function::Sha512) => ("hmac_sha512", "hmac_sha512"),
                    _ => return Err(lacks()),
                };
                jobs::mac(cell, move |key| mac::Keyed::new(library, mac, key, name, base))
            }
            Kind::Hash(function) => {
                // Version 4 has it.
                if function == Function::Shake128 {
                    return Err(Unavailable("has no SHAKE128 in all of 3".into()));
                }
                let [init, update, end] = find(HASHES, function).ok_or_else(lacks)?;
                let hash = digest::Hash::new(library, init, update, end)?;
                Ok(jobs::hash(cell, hash))
            }
            _ => Err(lacks()),
        }
    }
}

/// The names of the functions of hash functions; some share one with another.
const HASHES: &[(Function, [&str; 3])] = &[
    (Function::Md5, ["md5_init", "md5_update", "md5_digest"]),
    (Function::Sha1, ["sha1_init", "sha1_update", "sha1_digest"]),
    (Function::Sha224, ["sha224_init", "sha256_update", "sha224_digest"]),
    (Function::Sha256, ["sha256_init", "sha256_update", "sha256_digest"]),
    (Function::Sha384, ["sha384_init", "sha512_update", "sha384_digest"]),
    (Function::Sha512, ["sha512_init", "sha512_update", "sha512_digest"]),
    (Function::Sha512_256, ["sha512_256_init", "sha512_update", "sha512_256_digest"]),
    (Function::Sha3_224, ["sha3_224_init", "sha3_224_update", "sha3_224_digest"]),
    (Function::Sha3_256, ["sha3_256_init", "sha3_256_update", "sha3_256_digest"]),
    (Function::Sha3_384, ["sha3_384_init", "sha3_384_update", "sha3_384_digest"]),
    (Function::Sha3_512, ["sha3_512_init", "sha3_512_update", "sha3_512_digest"]),
    (Function::Sm3, ["sm3_init", "sm3_update", "sm3_digest"]),
    (Function::Shake256, ["sha3_256_init", "sha3_256_update", "sha3_256_shake"]),
];

/// Memory for any context of the library; the largest here, that of AES-256-GCM, takes 4400 bytes. Setting a
/// key writes all of it that is read, so it is not cleared first.
struct Context(Box<MaybeUninit<[u128; 275]>>);

impl Context {
    fn new() -> Self {
        Self(Box::new_uninit())
    }

    fn get(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

/// A context with its key, and the function to set another.
struct Key {
    context: Context,
    set_key: api::SetKey,
}

impl Key {
    /// # Safety
    /// The function must take a key of that length, and need no more space than a context has.
    unsafe fn new(set_key: api::SetKey, key: &[u8]) -> Self {
        let mut made = Self { context: Context::new(), set_key };
        // SAFETY: there is space for what is made of the key, which is as long as the caller promises.
        unsafe { set_key(made.context.get(), key.as_ptr()) }
        made
    }

    /// Takes another key of the same length.
    fn set(&mut self, key: &[u8]) -> bool {
        // SAFETY: as for the one before.
        unsafe { (self.set_key)(self.context.get(), key.as_ptr()) }
        true
    }

    fn get(&mut self) -> *mut c_void {
        self.context.get()
    }
}
