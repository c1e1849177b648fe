//! Nettle (LGPL, so it is only ever loaded): contexts are plain memory, keys are set once.

use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Function, Kind, Mac, Mode};

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
            Kind::Ecb { direction, key_len } => {
                let (set_key, block) = match direction {
                    Direction::Encrypt => api::encrypt(self.library, key_len)?,
                    Direction::Decrypt => api::decrypt(self.library, key_len)?,
                };
                let mut key = Context::new();
                // SAFETY: there is room for the key schedule, and the key has the length of its name.
                unsafe { set_key(key.get(), jobs::key(key_len).as_ptr()) }
                jobs::cbc(cell, Ecb { block, key })
            }
            Kind::Xts { direction, key_len } => {
                let (set_key, crypt) = api::xts(self.library, direction, key_len)?;
                let mut key = Context::new();
                // SAFETY: there is room for two key schedules, and the key has the length of its name.
                unsafe { set_key(key.get(), jobs::key(key_len).as_ptr()) }
                jobs::xts(cell, Xts { crypt, key })
            }
            Kind::Gcm { op, key_len } => {
                let api = api::Gcm::load_for(self.library, key_len)?;
                let equal = api::Equal::load(self.library)?;
                jobs::aead(cell, op, key_len, move |key| {
                    let mut gcm = Gcm { api, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut gcm, key);
                    Ok(gcm)
                })
            }
            Kind::ChaCha20 if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(64) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ccm { op, key_len } => {
                let gcm = api::Gcm::ccm(self.library, key_len)?;
                let equal = api::Equal::load(self.library)?;
                jobs::aead(cell, op, key_len, move |key| {
                    let mut ccm = Gcm { api: gcm, equal, context: Context::new() };
                    jobs::Aead::rekey(&mut ccm, key);
                    Ok(ccm)
                })
            }
            Kind::Records { .. } => Err(Unavailable("has no AES-CBC with HMAC in one call".into())),
            Kind::Fill => Err(Unavailable("its generator is not called here".into())),
            Kind::ChaCha20 => {
                let mut key = Context::new();
                let api = api::ChaCha::load(self.library)?;
                // SAFETY: there is room for the context, and the key has 32 bytes.
                unsafe { (api.nettle_chacha_set_key)(key.get(), jobs::key(32).as_ptr()) }
                Ok(jobs::ctr(cell, ChaCha { api, key }))
            }
            Kind::ChaChaPoly { op } => {
                let api = api::Gcm::named(self.library, "chacha_poly1305")?;
                let equal = api::Equal::load(self.library)?;
                jobs::aead(cell, op, 32, move |key| {
                    let mut sealing = Gcm { api, equal, context: Context::new() };
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
                    Mac::Hmac(function) => return Err(jobs::lacks_hmac(function)),
                    Mac::Cmac { .. } | Mac::Poly1305 => {
                        return Err(Unavailable("has no AES-192-CMAC".into()));
                    }
                };
                let keyed = Keyed::new(self.library, mac, name, base)?;
                Ok(jobs::mac_of(cell, mac, keyed))
            }
            Kind::Hash(function) => {
                // What it is called, and where another one's function is taken.
                let (init, update, end) = match function {
                    Function::Md5 => ("md5_init", "md5_update", "md5_digest"),
                    Function::Sha1 => ("sha1_init", "sha1_update", "sha1_digest"),
                    Function::Sha224 => ("sha224_init", "sha256_update", "sha224_digest"),
                    Function::Sha256 => ("sha256_init", "sha256_update", "sha256_digest"),
                    Function::Sha384 => ("sha384_init", "sha512_update", "sha384_digest"),
                    Function::Sha512 => ("sha512_init", "sha512_update", "sha512_digest"),
                    Function::Sha512_256 => {
                        ("sha512_256_init", "sha512_update", "sha512_256_digest")
                    }
                    Function::Sha3_224 => ("sha3_224_init", "sha3_224_update", "sha3_224_digest"),
                    Function::Sha3_256 => ("sha3_256_init", "sha3_256_update", "sha3_256_digest"),
                    Function::Sha3_384 => ("sha3_384_init", "sha3_384_update", "sha3_384_digest"),
                    Function::Sha3_512 => ("sha3_512_init", "sha3_512_update", "sha3_512_digest"),
                    // Newer versions have it.
                    Function::Shake128 => {
                        return Err(Unavailable("has no SHAKE128 in all of 3".into()));
                    }
                    Function::Shake256 => ("sha3_256_init", "sha3_256_update", "sha3_256_shake"),
                };
                let hash = Hash::new(self.library, init, update, end)?;
                Ok(jobs::hash_of(cell, function, hash))
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

/// One way.
struct Ecb {
    block: api::Block,
    key: Context,
}

impl jobs::Cbc for Ecb {
    #[inline(always)]
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: as of `Encrypting`.
        unsafe { (self.block)(self.key.get(), len, start, start) }
    }
}

/// One way.
struct Xts {
    crypt: api::Xts,
    key: Context,
}

impl jobs::Cbc for Xts {
    #[inline(always)]
    fn message(&mut self, tweak: &[u8; 16], text: &mut [u8]) {
        let (start, len) = (text.as_mut_ptr(), text.len());
        // SAFETY: the context has its keys, and the text, a block or more, is as long as it says; it
        // may be in place.
        unsafe { (self.crypt)(self.key.get(), tweak.as_ptr(), len, start, start) }
    }
}

/// A context with its key, as [`api::Gcm`] wants it.
struct Gcm {
    api: api::Gcm,
    equal: api::Equal,
    context: Context,
}

impl Gcm {
    fn start(&mut self, nonce: &[u8; 12], aad: &[u8], text_len: usize) {
        let context = self.context.get();
        match self.api.set_iv {
            // SAFETY: the context has its key, the nonce twelve bytes, and the lengths are as it says.
            api::SetNonce::WithLengths(set) => unsafe {
                set(context, 12, nonce.as_ptr(), aad.len(), text_len, 16)
            },
            // SAFETY: the context has its key, and the nonce twelve bytes.
            api::SetNonce::OfLength(set) => unsafe { set(context, 12, nonce.as_ptr()) },
            // SAFETY: as above.
            api::SetNonce::Fixed(set) => unsafe { set(context, nonce.as_ptr()) },
        }
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
        self.start(nonce, aad, text.len());
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
        self.start(nonce, aad, sealed.len());
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

struct ChaCha {
    api: api::ChaCha,
    key: Context,
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.update(text);
    }

    /// The counter in front of the nonce is zero: it is what this one starts from.
    fn start(&mut self, iv: &[u8; 16]) {
        // SAFETY: the context has its key, and a nonce twelve bytes.
        unsafe { (self.api.nettle_chacha_set_nonce96)(self.key.get(), iv[4..].as_ptr()) }
    }

    fn update(&mut self, text: &mut [u8]) {
        let start = text.as_mut_ptr();
        // SAFETY: the message has been started, and the text is as long as it says.
        unsafe { (self.api.nettle_chacha_crypt32)(self.key.get(), text.len(), start, start) }
    }
}

/// What makes tags, with its key; to take a tag starts the next message.
struct Keyed(Hash);

impl Keyed {
    fn new(
        library: &'static Library,
        mac: Mac,
        name: &str,
        base: &str,
    ) -> Result<Self, Unavailable> {
        let set_key = format!("{name}_set_key");
        let names = [&set_key, &format!("{base}_update"), &format!("{name}_digest")];
        let api = api::Hash::of(library, names[0], names[1], names[2])?;
        let mut keyed = Self(Hash { api, context: Context::new() });
        let key = jobs::key(mac.key_len());
        match mac {
            Mac::Hmac(_) => {
                let set_key = api::set_key_of_length(library, &set_key)?;
                // SAFETY: there is room for the context, and the key is as long as it says.
                unsafe { set_key(keyed.0.context.get(), key.len(), key.as_ptr()) }
            }
            _ => {
                let set_key = api::set_key(library, &set_key)?;
                // SAFETY: there is room for the context, and the key has the length of its name.
                unsafe { set_key(keyed.0.context.get(), key.as_ptr()) }
            }
        }
        Ok(keyed)
    }
}

impl<const N: usize> jobs::Hash<N> for Keyed {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        jobs::Hash::<N>::message(&mut self.0, text, digest);
    }

    fn start(&mut self) {}

    fn update(&mut self, text: &[u8]) {
        jobs::Hash::<N>::update(&mut self.0, text);
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        self.0.finish(digest);
    }
}

struct Hash {
    api: api::Hash,
    context: Context,
}

impl Hash {
    fn new(
        library: &'static Library,
        init: &str,
        update: &str,
        end: &str,
    ) -> Result<Self, Unavailable> {
        let api = api::Hash::of(library, init, update, end)?;
        let mut hash = Self { api, context: Context::new() };
        // SAFETY: there is room for the context. To take a digest starts the next message.
        unsafe { (hash.api.init)(hash.context.get()) }
        Ok(hash)
    }
}

impl<const N: usize> jobs::Hash<N> for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        jobs::Hash::<N>::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        // SAFETY: there is room for the context.
        unsafe { (self.api.init)(self.context.get()) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the context has been started, and the text is as long as it says.
        unsafe { (self.api.update)(self.context.get(), text.len(), text.as_ptr()) }
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        // SAFETY: the context has been started, and a digest of the function takes N bytes.
        unsafe { (self.api.digest)(self.context.get(), N, digest.as_mut_ptr()) }
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

        /// ChaCha20 with a counter of 32 bits.
        ChaCha {
            fn nettle_chacha_set_key(context: *mut c_void, key: *const u8);
            fn nettle_chacha_set_nonce96(context: *mut c_void, nonce: *const u8);
            fn nettle_chacha_crypt32(
                context: *mut c_void,
                len: usize,
                out: *mut u8,
                text: *const u8,
            );
        }
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

    /// The other way.
    pub(super) fn decrypt(
        library: &'static Library,
        key_len: usize,
    ) -> Result<(SetKey, Block), Unavailable> {
        let bits = key_len * 8;
        let set_key = format!("nettle_aes{bits}_set_decrypt_key");
        let block = format!("nettle_aes{bits}_decrypt");
        // SAFETY: the types are those that the public header gives these names.
        Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &block) }?))
    }

    /// One data unit: keys, tweak, length, output, input.
    pub(super) type Xts = unsafe extern "C" fn(*const c_void, *const u8, usize, *mut u8, *const u8);

    /// AES-XTS, with a key of that length.
    pub(super) fn xts(
        library: &'static Library,
        direction: Direction,
        key_len: usize,
    ) -> Result<(SetKey, Xts), Unavailable> {
        let way = if direction == Direction::Encrypt { "encrypt" } else { "decrypt" };
        let set_key = format!("nettle_xts_aes{}_set_{way}_key", key_len * 4);
        let message = format!("nettle_xts_aes{}_{way}_message", key_len * 4);
        // SAFETY: the types are those that the public header gives these names.
        Ok((unsafe { symbol(library, &set_key) }?, unsafe { symbol(library, &message) }?))
    }

    /// The function of that name that takes a key of one length.
    pub(super) fn set_key(library: &'static Library, name: &str) -> Result<SetKey, Unavailable> {
        // SAFETY: the type is the one that the public header gives these names.
        unsafe { symbol(library, &format!("nettle_{name}")) }
    }

    pub(super) type SetKeyOfLength = unsafe extern "C" fn(*mut c_void, usize, *const u8);

    /// The function of that name that takes a key of any length.
    pub(super) fn set_key_of_length(
        library: &'static Library,
        name: &str,
    ) -> Result<SetKeyOfLength, Unavailable> {
        // SAFETY: the type is the one that the public header gives these names.
        unsafe { symbol(library, &format!("nettle_{name}")) }
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
        let (set_key, block) = decrypt(library, key_len)?;
        // SAFETY: the type is the one that the public header gives this name.
        let chain = unsafe { symbol(library, "nettle_cbc_decrypt") }?;
        Ok((set_key, Chain::Decrypt(chain, block)))
    }

    /// A hash function.
    #[derive(Clone, Copy)]
    pub(super) struct Hash {
        pub(super) init: unsafe extern "C" fn(*mut c_void),
        pub(super) update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
        pub(super) digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
    }

    impl Hash {
        /// That which is done by functions of these names.
        pub(super) fn of(
            library: &'static Library,
            init: &str,
            update: &str,
            end: &str,
        ) -> Result<Self, Unavailable> {
            Ok(Self {
                // SAFETY: the type is the one that the public header gives this name; so are those
                // that follow.
                init: unsafe { symbol(library, &format!("nettle_{init}")) }?,
                // SAFETY: as above.
                update: unsafe { symbol(library, &format!("nettle_{update}")) }?,
                // SAFETY: as above.
                digest: unsafe { symbol(library, &format!("nettle_{end}")) }?,
            })
        }
    }

    /// With its length, or of one, or with those of the message: header data, text, tag.
    #[derive(Clone, Copy)]
    pub(super) enum SetNonce {
        WithLengths(unsafe extern "C" fn(*mut c_void, usize, *const u8, usize, usize, usize)),
        OfLength(unsafe extern "C" fn(*mut c_void, usize, *const u8)),
        Fixed(unsafe extern "C" fn(*mut c_void, *const u8)),
    }

    /// AES-GCM or AES-CCM with a key of one length, or ChaCha20-Poly1305.
    #[derive(Clone, Copy)]
    pub(super) struct Gcm {
        pub(super) set_key: SetKey,
        pub(super) set_iv: SetNonce,
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
            let gcm = Self::named(library, &format!("gcm_aes{}", key_len * 8))?;
            // SAFETY: the type is the one that the public header gives this name.
            let set = unsafe { symbol(library, &format!("nettle_gcm_aes{}_set_iv", key_len * 8)) }?;
            Ok(Self { set_iv: SetNonce::OfLength(set), ..gcm })
        }

        pub(super) fn ccm(library: &'static Library, key_len: usize) -> Result<Self, Unavailable> {
            let name = format!("ccm_aes{}", key_len * 8);
            let ccm = Self::named(library, &name)?;
            // SAFETY: the type is the one that the public header gives this name.
            let set = unsafe { symbol(library, &format!("nettle_{name}_set_nonce")) }?;
            Ok(Self { set_iv: SetNonce::WithLengths(set), ..ccm })
        }

        /// One whose nonces have one length.
        pub(super) fn named(library: &'static Library, name: &str) -> Result<Self, Unavailable> {
            let name = |of: &str| format!("nettle_{name}_{of}");
            let set = if name("").contains("gcm") { "set_iv" } else { "set_nonce" };
            Ok(Self {
                // SAFETY: the type is the one that the public header gives this name; so are those
                // that follow.
                set_key: unsafe { symbol(library, &name("set_key")) }?,
                // SAFETY: as above.
                set_iv: SetNonce::Fixed(unsafe { symbol(library, &name(set)) }?),
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
