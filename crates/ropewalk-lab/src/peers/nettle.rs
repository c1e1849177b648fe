//! Nettle (LGPL, so it is only ever loaded): contexts are plain memory, keys are set once.

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Kind, Mode, Sha3};

/// Nettle.
pub(super) struct Nettle;

impl Peer for Nettle {
    fn name(&self) -> &'static str {
        "nettle"
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
        // SAFETY: it takes nothing.
        let major = unsafe { (api.nettle_version_major)() };
        // SAFETY: as above.
        let minor = unsafe { (api.nettle_version_minor)() };
        let version = format!("nettle {major}.{minor}");
        // Before, it had no functions for a key of one length; after, digests take no length.
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
        match cell.task.kind {
            Kind::Ctr { .. } if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(16) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ctr { key_len } => {
                Ok(jobs::ctr(cell, Ctr::new(self.library, &jobs::key(key_len))?))
            }
            Kind::Cbc { direction, key_len } => {
                let (set_key, chain) = api::chain(self.library, direction, key_len)?;
                let mut key = Context::new();
                // SAFETY: there is room for the key schedule, and the key has the length of its name.
                unsafe { set_key(key.get(), jobs::key(key_len).as_ptr()) }
                match chain {
                    api::Chain::Encrypt(encrypt) => jobs::cbc(cell, Encrypting { encrypt, key }),
                    api::Chain::Decrypt(decrypt, block) => {
                        jobs::cbc(cell, Decrypting { decrypt, block, key })
                    }
                }
            }
            Kind::Gcm { op, key_len } => {
                let api = api::Gcm::load_for(self.library, key_len)?;
                let equal = api::Equal::load(self.library)?;
                jobs::gcm(cell, op, key_len, move |key| {
                    let mut gcm = Gcm { api, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut gcm, key);
                    Ok(gcm)
                })
            }
            Kind::Sha256 => Ok(jobs::hash(cell, Sha256::new(self.library)?)),
            Kind::Sha3(function) => {
                let hash = |name, end| Keccak::new(self.library, name, end);
                Ok(match function {
                    Sha3::Sha3_224 => jobs::hash::<28>(cell, hash("sha3_224", "digest")?),
                    Sha3::Sha3_256 => jobs::hash::<32>(cell, hash("sha3_256", "digest")?),
                    Sha3::Sha3_384 => jobs::hash::<48>(cell, hash("sha3_384", "digest")?),
                    Sha3::Sha3_512 => jobs::hash::<64>(cell, hash("sha3_512", "digest")?),
                    // Newer versions have it.
                    Sha3::Shake128 => {
                        return Err(Unavailable("has no SHAKE128 in all of 3".into()));
                    }
                    Sha3::Shake256 => jobs::hash::<64>(cell, hash("sha3_256", "shake")?),
                })
            }
        }
    }
}

/// Memory for any context of the library; the largest here, that of AES-256-GCM, takes 4400 bytes.
/// To set a key writes all of it that is read, so nobody clears it first.
struct Context(Box<MaybeUninit<[u128; 275]>>);

impl Context {
    fn new() -> Self {
        Self(Box::new_uninit())
    }

    fn get(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }
}

/// A cipher with its key, and the counter block.
struct Ctr {
    api: api::Ctr,
    block: api::Block,
    key: Context,
    counter: [u8; 16],
}

impl Ctr {
    fn new(library: &'static Library, key: &[u8]) -> Result<Self, Unavailable> {
        let (set_key, block) = api::encrypt(library, key.len())?;
        let mut context = Context::new();
        // SAFETY: there is room for the key schedule, and the key has the length of its name.
        unsafe { set_key(context.get(), key.as_ptr()) }
        Ok(Self { api: api::Ctr::load(library)?, block, key: context, counter: [0; 16] })
    }
}

impl jobs::Ctr for Ctr {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.counter = *iv;
        self.update(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.counter = *iv;
    }

    fn update(&mut self, text: &mut [u8]) {
        let (start, counter) = (text.as_mut_ptr(), self.counter.as_mut_ptr());
        let key = self.key.get();
        // SAFETY: the context has its key, the counter block sixteen bytes, and the text is as long
        // as it says; it may be in place.
        unsafe {
            (self.api.nettle_ctr_crypt)(key, self.block, 16, counter, text.len(), start, start)
        }
    }
}

struct Encrypting {
    encrypt: api::Encrypt,
    key: Context,
}

impl jobs::Cbc for Encrypting {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        // SAFETY: the context has its key, and the text, of whole blocks, is as long as it says; it
        // may be in place.
        unsafe { (self.encrypt)(self.key.get(), iv.as_mut_ptr(), len, start, start) }
    }
}

struct Decrypting {
    decrypt: api::Decrypt,
    block: api::Block,
    key: Context,
}

impl jobs::Cbc for Decrypting {
    #[inline(always)]
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (mut iv, start, len) = (*iv, text.as_mut_ptr(), text.len());
        let (key, iv) = (self.key.get(), iv.as_mut_ptr());
        // SAFETY: as of `Encrypting`.
        unsafe { (self.decrypt)(key, self.block, 16, iv, len, start, start) }
    }
}

/// A context with its key, as [`api::Gcm`] wants it.
struct Gcm {
    api: api::Gcm,
    equal: api::Equal,
    context: Context,
}

impl Gcm {
    fn start(&mut self, nonce: &[u8; 12], aad: &[u8]) {
        let context = self.context.get();
        // SAFETY: the context has its key, and the nonce twelve bytes.
        unsafe { (self.api.set_iv)(context, 12, nonce.as_ptr()) }
        // SAFETY: the message has been started, and the data is as long as it says.
        unsafe { (self.api.update)(context, aad.len(), aad.as_ptr()) }
    }

    fn tag(&mut self, tag: &mut [u8; 16]) {
        // SAFETY: the message is through, and there is room for a whole tag.
        unsafe { (self.api.digest)(self.context.get(), 16, tag.as_mut_ptr()) }
    }
}

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.start(nonce, aad);
        let start = text.as_mut_ptr();
        // SAFETY: the message has been started, and the text is as long as it says.
        unsafe { (self.api.encrypt)(self.context.get(), text.len(), start, start) }
        self.tag(tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        self.start(nonce, aad);
        let (start, out) = (sealed.as_ptr(), text.as_mut_ptr());
        // SAFETY: the message has been started, and both are as long as it says.
        unsafe { (self.api.decrypt)(self.context.get(), sealed.len(), out, start) }
        let mut right = [0; 16];
        self.tag(&mut right);
        // SAFETY: both have sixteen bytes.
        unsafe {
            (self.equal.nettle_memeql_sec)(right.as_ptr().cast(), tag.as_ptr().cast(), 16) == 1
        }
    }

    fn rekey(&mut self, key: &[u8]) {
        // SAFETY: there is room for the context, and the key has the length of its name.
        unsafe { (self.api.set_key)(self.context.get(), key.as_ptr()) }
    }
}

struct Sha256 {
    api: api::Sha256,
    context: Context,
}

impl Sha256 {
    fn new(library: &'static Library) -> Result<Self, Unavailable> {
        let mut hash = Self { api: api::Sha256::load(library)?, context: Context::new() };
        // SAFETY: there is room for the context. To take a digest starts the next message.
        unsafe { (hash.api.nettle_sha256_init)(hash.context.get()) }
        Ok(hash)
    }
}

impl jobs::Hash<32> for Sha256 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        self.update(text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: there is room for the context.
        unsafe { (self.api.nettle_sha256_init)(self.context.get()) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        unsafe { (self.api.nettle_sha256_update)(self.context.get(), text.len(), text.as_ptr()) }
    }

    fn finish(&mut self, digest: &mut [u8; 32]) {
        // SAFETY: the context has been started, and a digest takes 32 bytes.
        unsafe { (self.api.nettle_sha256_digest)(self.context.get(), 32, digest.as_mut_ptr()) }
    }
}

/// A function of FIPS 202.
struct Keccak {
    api: api::Keccak,
    context: Context,
}

impl Keccak {
    fn new(library: &'static Library, name: &str, end: &str) -> Result<Self, Unavailable> {
        let mut hash = Self { api: api::keccak(library, name, end)?, context: Context::new() };
        hash.restart();
        Ok(hash)
    }

    fn restart(&mut self) {
        // SAFETY: there is room for the context.
        unsafe { (self.api.init)(self.context.get()) }
    }
}

impl<const N: usize> jobs::Hash<N> for Keccak {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        // To take a digest starts the next message.
        jobs::Hash::<N>::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        self.restart();
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        unsafe { (self.api.update)(self.context.get(), text.len(), text.as_ptr()) }
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        // SAFETY: the context has been started, and there is room for so many bytes.
        unsafe { (self.api.end)(self.context.get(), N, digest.as_mut_ptr()) }
    }
}

/// What the public headers declare. A context is memory of the caller's.
mod api {
    use super::{Direction, Library, Unavailable, c_int, c_void};
    use crate::peers::dl::{functions, symbol};

    /// Sets a key.
    pub(super) type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);

    /// Encrypts or decrypts blocks.
    pub(super) type Block = unsafe extern "C" fn(*const c_void, usize, *mut u8, *const u8);

    functions! {
        /// How it says its version.
        Version {
            fn nettle_version_major() -> c_int;
            fn nettle_version_minor() -> c_int;
        }

        /// Counter mode of any cipher.
        Ctr {
            fn nettle_ctr_crypt(
                cipher: *const c_void,
                encrypt: Block,
                block_len: usize,
                counter: *mut u8,
                len: usize,
                out: *mut u8,
                text: *const u8,
            );
        }

        /// Compares in constant time.
        Equal {
            fn nettle_memeql_sec(a: *const c_void, b: *const c_void, len: usize) -> c_int;
        }

        /// SHA-256.
        Sha256 {
            fn nettle_sha256_init(context: *mut c_void);
            fn nettle_sha256_update(context: *mut c_void, len: usize, text: *const u8);
            fn nettle_sha256_digest(context: *mut c_void, len: usize, digest: *mut u8);
        }
    }

    /// A function of FIPS 202.
    pub(super) struct Keccak {
        pub(super) init: unsafe extern "C" fn(*mut c_void),
        pub(super) update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
        pub(super) end: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
    }

    /// The one of that name, with what ends it.
    pub(super) fn keccak(
        library: &'static Library,
        name: &str,
        end: &str,
    ) -> Result<Keccak, Unavailable> {
        let name = |function| format!("nettle_{name}_{function}");
        // SAFETY: the type is the one that the public header gives this name.
        let init = unsafe { symbol(library, &name("init")) }?;
        // SAFETY: as above.
        let update = unsafe { symbol(library, &name("update")) }?;
        // SAFETY: as above.
        let end = unsafe { symbol(library, &name(end)) }?;
        Ok(Keccak { init, update, end })
    }

    /// AES that encrypts, with a key of that length.
    pub(super) fn encrypt(
        library: &'static Library,
        key_len: usize,
    ) -> Result<(SetKey, Block), Unavailable> {
        let bits = key_len * 8;
        let set_key = format!("nettle_aes{bits}_set_encrypt_key");
        let block = format!("nettle_aes{bits}_encrypt");
        // SAFETY: the types are those that the public header gives these names.
        Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &block) }?))
    }

    pub(super) type Encrypt =
        unsafe extern "C" fn(*const c_void, *mut u8, usize, *mut u8, *const u8);
    pub(super) type Decrypt =
        unsafe extern "C" fn(*const c_void, Block, usize, *mut u8, usize, *mut u8, *const u8);

    /// Chaining of AES with a key of one length to encrypt, of any cipher to decrypt.
    pub(super) enum Chain {
        Encrypt(Encrypt),
        Decrypt(Decrypt, Block),
    }

    /// AES in cipher block chaining, with a key of that length.
    pub(super) fn chain(
        library: &'static Library,
        direction: Direction,
        key_len: usize,
    ) -> Result<(SetKey, Chain), Unavailable> {
        let bits = key_len * 8;
        if direction == Direction::Encrypt {
            let (set_key, _) = encrypt(library, key_len)?;
            let name = format!("nettle_cbc_aes{bits}_encrypt");
            // SAFETY: the type is the one that the public header gives this name.
            return Ok((set_key, Chain::Encrypt(unsafe { symbol(library, &name) }?)));
        }
        let set_key = format!("nettle_aes{bits}_set_decrypt_key");
        let block = format!("nettle_aes{bits}_decrypt");
        // SAFETY: the type is the one that the public header gives this name; so are those that
        // follow.
        let set_key = unsafe { symbol(library, &set_key) }?;
        // SAFETY: as above.
        let block = unsafe { symbol(library, &block) }?;
        // SAFETY: as above.
        let chain = unsafe { symbol(library, "nettle_cbc_decrypt") }?;
        Ok((set_key, Chain::Decrypt(chain, block)))
    }

    /// AES-GCM with a key of one length.
    #[derive(Clone, Copy)]
    pub(super) struct Gcm {
        pub(super) set_key: SetKey,
        pub(super) set_iv: unsafe extern "C" fn(*mut c_void, usize, *const u8),
        pub(super) update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
        pub(super) encrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
        pub(super) decrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
        pub(super) digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
    }

    impl Gcm {
        pub(super) fn load_for(
            library: &'static Library,
            key_len: usize,
        ) -> Result<Self, Unavailable> {
            let name = |of: &str| format!("nettle_gcm_aes{}_{of}", key_len * 8);
            Ok(Self {
                // SAFETY: the type is the one that the public header gives this name; so are those
                // that follow.
                set_key: unsafe { symbol(library, &name("set_key")) }?,
                // SAFETY: as above.
                set_iv: unsafe { symbol(library, &name("set_iv")) }?,
                // SAFETY: as above.
                update: unsafe { symbol(library, &name("update")) }?,
                // SAFETY: as above.
                encrypt: unsafe { symbol(library, &name("encrypt")) }?,
                // SAFETY: as above.
                decrypt: unsafe { symbol(library, &name("decrypt")) }?,
                // SAFETY: as above.
                digest: unsafe { symbol(library, &name("digest")) }?,
            })
        }
    }
}
