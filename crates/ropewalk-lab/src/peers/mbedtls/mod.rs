//! Mbed TLS, with its own interface of 2.28 and 3: contexts are memory of the caller that keep their keys, in
//! place.

mod aead;
mod api;
mod cipher;
mod digest;
mod mac;
mod nist;
mod past;
mod rsa;

use std::{ffi::c_void, mem::MaybeUninit};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs};
use crate::tasks::{Cell, Kind, Mac, RC4_KEY, TRIPLE_DES_KEY};

/// Mbed TLS.
pub(super) struct MbedTls;

impl Peer for MbedTls {
    fn name(&self) -> &'static str {
        "mbedtls"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512", "hmac-sha3-*",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-*",
            "p256", "rsa-*",
            "random",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libmbedcrypto.so.16", "libmbedcrypto.so.7"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments.
        let [major, minor, patch, _] = unsafe { (api.mbedtls_version_get_number)() }.to_be_bytes();
        let version = format!("Mbed TLS {major}.{minor}.{patch}");
        // Earlier functions take other arguments; later, this interface is no longer public.
        if !matches!((major, minor), (2, 28) | (3, _)) {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        let path = dl::file_of(api.mbedtls_version_get_number as *const () as usize);
        Ok(Box::new(Loaded { library, version, major, path }))
    }
}

struct Loaded {
    library: &'static Library,
    version: String,
    major: u8,
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
        let lacks = || Unavailable::lacks(&MbedTls, cell.task);
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(library, key))
            }
            Kind::Cbc { direction, key_len } => {
                jobs::cbc(cell, key_len, move |key| cipher::Cbc::new(library, direction, key))
            }
            Kind::Ecb { direction, key_len } => {
                jobs::cbc(cell, key_len, move |key| cipher::Ecb::new(library, direction, key))
            }
            Kind::Xts { direction, key_len } => {
                jobs::xts(cell, key_len, move |key| cipher::Xts::new(library, direction, key))
            }
            Kind::KeyWrap { direction, .. } => {
                jobs::key_wrap(cell, move |key| cipher::KeyWrap::new(library, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let api = api::Gcm::load(library)?;
                jobs::aead(cell, op, key_len, move |key| aead::Gcm::new(library, api, key))
            }
            Kind::Ccm { op, key_len } => {
                let api = api::Ccm::load(library)?;
                jobs::aead(cell, op, key_len, move |key| aead::Ccm::new(library, api, key))
            }
            Kind::Fill => Ok(jobs::fill(cell, digest::Random::new(library)?)),
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                past::TripleDes::new(library, direction, key)
            }),
            Kind::X25519(_) | Kind::Ed25519(_) => {
                Err(Unavailable("its curves are not called here".into()))
            }
            Kind::EcdhP256(op) => nist::ecdh(cell, library, self.major, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, self.major, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, self.major, op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| past::Rc4::new(library, key)),
            Kind::ChaCha20 => jobs::ctr(cell, 32, move |key| cipher::ChaCha::new(library, key)),
            Kind::ChaChaPoly { op } => {
                let api = api::ChaChaPoly::load(library)?;
                jobs::aead(cell, op, 32, move |key| aead::ChaChaPoly::new(library, api, key))
            }
            Kind::Gmac { key_len } => {
                let api = api::Gcm::load(library)?;
                jobs::gmac(cell, key_len, move |key| {
                    aead::Gcm::new(library, api, key).map(jobs::HeaderAlone)
                })
            }
            Kind::Mac(Mac::Hmac(function)) => {
                let name = mac::name(function).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| {
                    let made = mac::Hmac::new(library, name, key)?;
                    // Version 2 has no SHA-3.
                    made.ok_or_else(|| Unavailable::no(Kind::Mac(Mac::Hmac(function))))
                })
            }
            Kind::Mac(Mac::Cmac { .. }) => jobs::mac(cell, move |key| mac::Cmac::new(library, key)),
            Kind::Mac(Mac::Poly1305) => {
                jobs::mac(cell, move |key| mac::Poly1305::new(library, key))
            }
            Kind::Hash(function) => {
                let name = digest::name(function).ok_or_else(lacks)?;
                // Version 2 has no SHA-3.
                let context = Context::new(library, name.name);
                let context = context.map_err(|_| Unavailable::no(cell.task.kind))?;
                Ok(jobs::hash(cell, digest::Hash::new(library, name, context)?))
            }
            _ => Err(lacks()),
        }
    }
}

/// Memory for a context: the second largest, that of AES-GCM with a large table, takes 4.5 KiB. `BLOCKS` are
/// of sixteen bytes.
struct Context<const BLOCKS: usize = 512> {
    memory: Box<MaybeUninit<[u128; BLOCKS]>>,
    free: api::OfContext,
}

impl<const BLOCKS: usize> Context<BLOCKS> {
    /// Initialized by the functions of that name: `mbedtls_gcm_init` and `mbedtls_gcm_free` for `gcm`.
    fn new(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
        let free = api::of_context(library, &format!("mbedtls_{name}_free"))?;
        let init = api::of_context(library, &format!("mbedtls_{name}_init"))?;
        let mut memory = Box::<[u128; BLOCKS]>::new_uninit();
        // SAFETY: there is space for the context, on whose alignment no member makes a higher demand.
        unsafe { init(memory.as_mut_ptr().cast()) }
        Ok(Self { memory, free })
    }

    fn get(&mut self) -> *mut c_void {
        self.memory.as_mut_ptr().cast()
    }
}

impl<const BLOCKS: usize> Drop for Context<BLOCKS> {
    fn drop(&mut self) {
        // SAFETY: the context is ready, and nothing uses it afterwards.
        unsafe { (self.free)(self.get()) }
    }
}

/// Checks the result of a call.
fn done(code: i32, call: &str) -> Result<(), Unavailable> {
    if code == 0 { Ok(()) } else { Err(Unavailable(format!("{call} failed"))) }
}

/// Bits of a key.
fn bits(key: &[u8]) -> u32 {
    key.len() as u32 * 8
}
