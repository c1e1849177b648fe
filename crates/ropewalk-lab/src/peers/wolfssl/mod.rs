//! wolfSSL (GPL, so it is only ever loaded): the functions of wolfCrypt, whose contexts are plain memory.

mod aead;
mod api;
mod cipher;
mod curves;
mod digest;
mod mac;
mod nist;
mod past;
mod rsa;

use std::{
    ffi::{CStr, c_uint, c_void},
    mem::MaybeUninit,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs};
use crate::tasks::{Cell, Direction, Kind, Mac, RC4_KEY, TRIPLE_DES_KEY};

/// wolfSSL.
pub(super) struct WolfSsl;

impl Peer for WolfSsl {
    fn name(&self) -> &'static str {
        "wolfssl"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "hmac-md5", "hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512", "hmac-sha3-*",
            "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256", "sha3-*", "shake*",
            "x25519", "ed25519", "p256", "rsa-*",
            "random",
        ]
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libwolfssl.so.45", "libwolfssl.so.44", "libwolfssl.so.42", "libwolfssl.so.35"]
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes no arguments.
        let version = unsafe { (api.wolfSSL_lib_version)() };
        if version.is_null() {
            return Err(Unavailable("reports no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let version = format!("wolfSSL {}", version.to_string_lossy());
        // SAFETY: it takes no arguments.
        let number = unsafe { (api.wolfSSL_lib_version_hex)() };
        if !(0x0500_0000..0x0600_0000).contains(&number) {
            return Err(Unavailable(format!("the interface of {version} is not known")));
        }
        // SAFETY: it takes no arguments, and precedes every other function.
        if unsafe { (api.wolfCrypt_Init)() } != 0 {
            return Err(failed("wolfCrypt_Init"));
        }
        let path = dl::file_of(api.wolfSSL_lib_version as *const () as usize);
        Ok(Box::new(Loaded { library, version, number, path }))
    }
}

struct Loaded {
    library: &'static Library,
    version: String,
    /// The version as a number: `0x05006000`.
    number: c_uint,
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
        let lacks = || Unavailable::lacks(&WolfSsl, cell.task);
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
            // See the changes of 5.6.0 under "AES XTS encrypt to handle in-place encryption".
            Kind::Xts { direction: Direction::Encrypt, .. }
                if self.number < 0x0500_6000 && !cell.lens().all(|len| len.is_multiple_of(16)) =>
            {
                Err(Unavailable("encrypts only whole blocks in place before 5.6".into()))
            }
            Kind::Xts { direction, key_len } => {
                jobs::xts(cell, key_len, move |key| cipher::Xts::new(library, direction, key))
            }
            Kind::KeyWrap { direction, .. } => {
                jobs::key_wrap(cell, move |key| cipher::KeyWrap::new(library, direction, key))
            }
            Kind::Gcm { op, key_len } => {
                let (gcm, aes) = (api::Sealing::of(library, "Gcm")?, api::Aes::load(library)?);
                jobs::aead(cell, op, key_len, move |key| aead::Sealing::new(gcm, aes, key))
            }
            Kind::Ccm { op, key_len } => {
                let (ccm, aes) = (api::Sealing::of(library, "Ccm")?, api::Aes::load(library)?);
                jobs::aead(cell, op, key_len, move |key| aead::Sealing::new(ccm, aes, key))
            }
            Kind::Fill => Ok(jobs::fill(cell, cipher::Random::new(library)?)),
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                past::TripleDes::new(library, direction, key)
            }),
            Kind::X25519(op) => curves::x25519(cell, library, op),
            Kind::Ed25519(op) => curves::ed25519(cell, library, op),
            Kind::EcdhP256(op) => nist::ecdh(cell, library, op),
            Kind::EcdsaP256(op) => nist::ecdsa(cell, library, op),
            Kind::Rsa { op, .. } => rsa::job(cell, library, op),
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| past::Rc4::new(library, key)),
            Kind::ChaCha20 => jobs::ctr(cell, 32, move |key| cipher::ChaCha::new(library, key)),
            Kind::ChaChaPoly { op } => {
                let api = api::ChaChaPoly::load(library)?;
                jobs::aead(cell, op, 32, move |key| {
                    let key = key.try_into().map_err(|_| Unavailable("takes 32 bytes".into()))?;
                    Ok(aead::ChaChaPoly { api, key })
                })
            }
            Kind::Gmac { key_len } => {
                jobs::gmac(cell, key_len, move |key| aead::Gmac::new(library, key))
            }
            Kind::Mac(Mac::Hmac(function)) => {
                let number = api::hash_type(function).ok_or_else(lacks)?;
                jobs::mac(cell, move |key| {
                    let made = mac::Hmac::new(library, number, key)?;
                    // It was built without the function.
                    made.ok_or_else(|| Unavailable::no(Kind::Mac(Mac::Hmac(function))))
                })
            }
            Kind::Mac(Mac::Cmac { .. }) => jobs::mac(cell, move |key| mac::Cmac::new(library, key)),
            Kind::Mac(Mac::Poly1305) => {
                jobs::mac(cell, move |key| mac::Poly1305::new(library, key))
            }
            Kind::Hash(function) => {
                let names = api::names(function).ok_or_else(lacks)?;
                // The available hash functions are an option of its build.
                let api = api::Hash::of(library, names);
                let api = api.map_err(|_| Unavailable::no(cell.task.kind))?;
                Ok(jobs::hash(cell, digest::Hash::new(api)))
            }
            _ => Err(lacks()),
        }
    }
}

/// An initialized AES context.
struct Aes {
    api: api::Aes,
    context: Context,
    /// The direction of its key.
    direction: Direction,
}

impl Aes {
    fn new(api: api::Aes) -> Result<Self, Unavailable> {
        let mut context = Context::new();
        // SAFETY: there is space for the context.
        match unsafe { (api.wc_AesInit)(context.get(), null_mut(), api::INVALID_DEVID) } {
            0 => Ok(Self { api, context, direction: Direction::Encrypt }),
            _ => Err(failed("wc_AesInit")),
        }
    }

    /// An AES context with its key, in one direction.
    fn with(
        library: &'static Library,
        key: &[u8],
        direction: Direction,
    ) -> Result<Self, Unavailable> {
        let mut aes = Self::new(api::Aes::load(library)?)?;
        aes.direction = direction;
        match aes.set_key(key) {
            true => Ok(aes),
            false => Err(failed("wc_AesSetKey")),
        }
    }

    /// Sets another key for the same direction, and returns whether it did.
    fn set_key(&mut self, key: &[u8]) -> bool {
        let (context, way) = (self.get(), api::way(self.direction));
        // SAFETY: the context has been made ready, the key has the given length, and no vector
        // stands for one of zeros.
        unsafe { (self.api.wc_AesSetKey)(context, key.as_ptr(), len(key), null(), way) == 0 }
    }

    /// Starts a message, and returns whether it did.
    fn set_iv(&mut self, iv: &[u8; 16]) -> bool {
        // SAFETY: the context has its key, and the vector sixteen bytes.
        unsafe { (self.api.wc_AesSetIV)(self.get(), iv.as_ptr()) == 0 }
    }

    /// Processes a text in place, and returns whether it did.
    fn crypt(&mut self, crypt: api::Crypt, text: &mut [u8]) -> bool {
        let (start, bytes) = (text.as_mut_ptr(), len(text));
        // SAFETY: the context has its key, and the text has the given length; it may be in place.
        unsafe { crypt(self.get(), start, start, bytes) == 0 }
    }

    fn get(&mut self) -> *mut c_void {
        self.context.get()
    }
}

impl Drop for Aes {
    fn drop(&mut self) {
        // SAFETY: the context has been made ready, and nothing else uses it.
        unsafe { (self.api.wc_AesFree)(self.context.get()) }
    }
}

/// Memory for any context of the library. Its size depends on the options of the build: one of AES-XTS takes
/// 2208 bytes in Debian's, and less than 52000 in any.
struct Context(Box<Memory>);

/// With the alignment of the largest vectors.
#[repr(align(64))]
struct Memory(MaybeUninit<[u8; 1 << 16]>);

impl Context {
    fn new() -> Self {
        Self(Box::new(Memory(MaybeUninit::uninit())))
    }

    fn get(&mut self) -> *mut c_void {
        self.0.0.as_mut_ptr().cast()
    }
}

/// Its type of lengths.
fn len(bytes: &[u8]) -> c_uint {
    bytes.len() as c_uint
}

fn failed(call: &str) -> Unavailable {
    Unavailable(format!("{call} failed"))
}
