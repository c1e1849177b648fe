//! Intel's ipsec-mb: the manager's direct calls where it has them, and bursts of jobs for the rest.
//!
//! Direct are AES-GCM and SHA-256 of one message. A burst takes up to 128 messages and works on
//! several side by side, which is what the library is for.

use std::{
    env,
    ffi::{CStr, c_char, c_int, c_void},
    mem::MaybeUninit,
    ptr::{from_mut, from_ref, null, null_mut},
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{Cell, Direction, Function, Kind, Mode};

/// Ipsec-mb.
pub(super) struct IpsecMb;

impl Peer for IpsecMb {
    fn name(&self) -> &'static str {
        "ipsec-mb"
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libIPSec_MB.so.2"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        masks::ipsec_mb(features).map(|words| vec![(MANAGER.into(), words)])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let api = api::Version::load(library)?;
        // SAFETY: it takes nothing.
        let version = unsafe { (api.imb_get_version)() };
        // SAFETY: as above.
        let text = unsafe { (api.imb_get_version_str)() };
        if text.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let text = unsafe { CStr::from_ptr::<'static>(text) };
        // `v2.0.2 (deb)`, and some without the letter.
        let text = format!("ipsec-mb {}", text.to_string_lossy().trim_start_matches('v'));
        if version >> 16 != 2 {
            return Err(Unavailable(format!("the interface of {text} is not known")));
        }
        let manager = Manager::new(library, &env::var(MANAGER).unwrap_or_default())?;
        let path = dl::file_of(api.imb_get_version as *const () as usize);
        Ok(Box::new(Loaded { manager, version: text, path }))
    }
}

/// How a worker is told which manager to make: words for [`Manager::new`].
const MANAGER: &str = "ROPEWALK_IPSEC_MB_MANAGER";

struct Loaded {
    manager: Manager,
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
        if cell.mode == Mode::Stream {
            return Err(Unavailable("takes messages whole".into()));
        }
        let manager = self.manager;
        match cell.task.kind {
            Kind::Ctr { key_len } => {
                let key = jobs::key(key_len);
                Ok(jobs::ctr(cell, Cipher::new(manager, CTR, ENCRYPT, &key)))
            }
            Kind::Cbc { direction, key_len } => {
                let direction = match direction {
                    Direction::Encrypt => ENCRYPT,
                    Direction::Decrypt => DECRYPT,
                };
                jobs::cbc(cell, Cipher::new(manager, CBC, direction, &jobs::key(key_len)))
            }
            Kind::Ecb { .. } => Err(Unavailable("its jobs of AES-ECB are not called here".into())),
            Kind::Xts { .. } => Err(Unavailable("has no AES-XTS".into())),
            Kind::Gcm { op, key_len } => {
                jobs::aead(cell, op, key_len, move |key| Ok(Gcm::new(manager, key)))
            }
            Kind::Ccm { .. } => Err(Unavailable("its jobs of AES-CCM are not called here".into())),
            Kind::Records { .. } => Err(Unavailable("has no AES-CBC with HMAC in one call".into())),
            Kind::Fill => Err(Unavailable("has no random bytes".into())),
            Kind::ChaCha20 => Err(Unavailable("its jobs of ChaCha20 are not called here".into())),
            Kind::ChaChaPoly { op } => {
                jobs::aead(cell, op, 32, move |key| Ok(ChaChaPoly::new(manager, key)))
            }
            Kind::Mac(_) => Err(Unavailable("its jobs of MACs are not called here".into())),
            Kind::Hash(Function::Sha256) => Ok(jobs::hash(cell, Sha256::new(manager))),
            Kind::Hash(Function::Md5) => Err(Unavailable("has no MD5 but in HMAC".into())),
            Kind::Hash(function) => {
                // Where the direct call stands among those of the manager.
                let place = match function {
                    Function::Sha1 => 18,
                    Function::Sha224 => 19,
                    Function::Sha384 => 21,
                    Function::Sha512 => 22,
                    Function::Sha512_256 => return Err(jobs::lacks(function)),
                    _ => return Err(Unavailable("its SHA-3 is not called here".into())),
                };
                Ok(jobs::hash_of(cell, function, Hash::new(manager, place)))
            }
        }
    }
}

/// A manager of the library, which lives until the process ends.
#[derive(Clone, Copy)]
struct Manager(*mut c_void);

impl Manager {
    /// The one that suits the processor, but for words: `sse` or `avx2` in place of it, `no-sha`,
    /// `no-gfni`.
    fn new(library: &'static Library, words: &str) -> Result<Self, Unavailable> {
        let api = api::Make::load(library)?;
        let has = |word: &str| words.split(',').any(|given| given == word);
        let flags = u64::from(has("no-sha")) | u64::from(has("no-gfni")) << 1;
        // SAFETY: both flags are known, and it may answer null.
        let made = unsafe { (api.alloc_mb_mgr)(flags) };
        if made.is_null() {
            return Err(Unavailable("alloc_mb_mgr failed".into()));
        }
        let manager = Self(made);
        if has("sse") {
            // SAFETY: it has been allocated.
            unsafe { (api.init_mb_mgr_sse)(made) }
        } else if has("avx2") {
            // SAFETY: as above.
            unsafe { (api.init_mb_mgr_avx2)(made) }
        } else {
            // SAFETY: as above; which it chooses need not be said.
            unsafe { (api.init_mb_mgr_auto)(made, null_mut()) }
        }
        // SAFETY: it has been allocated.
        match unsafe { (api.imb_get_errno)(made) } {
            0 => Ok(manager),
            _ => Err(Unavailable("needs features that this processor lacks".into())),
        }
    }

    /// A function of its table, at an offset that the public header fixes: new functions are added
    /// at the end.
    ///
    /// # Safety
    /// `F` must be the type that the header gives what stands there.
    unsafe fn function<F: Copy>(self, slot: usize) -> F {
        const TABLE: usize = 64;
        assert_eq!(size_of::<F>(), size_of::<fn()>(), "a function pointer");
        // SAFETY: the table is inside the manager, which has been initialised.
        let at = unsafe { self.0.byte_add(TABLE + slot * size_of::<fn()>()) };
        // SAFETY: a function of this type stands there, as the caller promises.
        unsafe { at.cast::<F>().read() }
    }

    /// Makes the round keys of both directions.
    fn expand(self, key: &[u8]) -> Box<[RoundKeys; 2]> {
        const KEYEXP_128: usize = 6;
        let slot = KEYEXP_128 + (key.len() - 16) / 8;
        // SAFETY: the type is that of the key expansions, which stand in order of length.
        let expand: api::Expand = unsafe { self.function(slot) };
        let mut keys = Box::new([RoundKeys([0; 240]); 2]);
        let [encrypt, decrypt] = &mut *keys;
        let (encrypt, decrypt) = (from_mut(encrypt).cast(), from_mut(decrypt).cast());
        // SAFETY: the key is as long as the function's name says, and there is room for 15 round
        // keys twice.
        unsafe { expand(key.as_ptr().cast(), encrypt, decrypt) }
        keys
    }
}

/// Up to 15 of them.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct RoundKeys([u8; 240]);

/// Bursts of one cipher mode, in place.
struct Cipher {
    manager: Manager,
    submit: api::CipherBurst,
    mode: c_int,
    direction: c_int,
    keys: Box<[RoundKeys; 2]>,
    key_len: usize,
    burst: Box<[api::Job; MOST]>,
}

impl Cipher {
    fn new(manager: Manager, mode: c_int, direction: c_int, key: &[u8]) -> Self {
        const SUBMIT_CIPHER_BURST_NOCHECK: usize = 116;
        // SAFETY: the type is that of bursts of a cipher alone.
        let submit = unsafe { manager.function(SUBMIT_CIPHER_BURST_NOCHECK) };
        let burst = Box::new([api::Job::default(); MOST]);
        let (keys, key_len) = (manager.expand(key), key.len());
        Self { manager, submit, mode, direction, keys, key_len, burst }
    }

    /// At most [`MOST`] of them.
    fn run<'a>(&mut self, messages: impl Iterator<Item = (&'a [u8; 16], &'a mut [u8])>) {
        // It does not take what is empty.
        let messages = messages.filter(|(_, text)| !text.is_empty());
        let mut count = 0;
        for (job, (iv, text)) in self.burst.iter_mut().zip(messages) {
            job.encrypt_keys = from_ref(&self.keys[0]).cast();
            job.decrypt_keys = from_ref(&self.keys[1]).cast();
            (job.text, job.out) = (text.as_ptr(), text.as_mut_ptr());
            job.cipher_len = text.len() as u64;
            (job.iv, job.iv_len) = (iv.as_ptr(), 16);
            count += 1;
        }
        if count == 0 {
            return;
        }
        let (manager, burst, key_len) =
            (self.manager.0, self.burst.as_mut_ptr(), self.key_len as c_int);
        // SAFETY: the manager has been initialised, and that many jobs are filled in: keys of that
        // length, a whole counter block, and as many bytes as they say.
        let done =
            unsafe { (self.submit)(manager, burst, count, self.mode, self.direction, key_len) };
        assert_eq!(done, count, "it did not do every job");
    }
}

impl jobs::Cbc for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Ctr::message(self, iv, text);
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        jobs::Ctr::messages(self, ivs, texts);
    }
}

impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.run(std::iter::once((iv, text)));
    }

    fn start(&mut self, _: &[u8; 16]) {}

    fn update(&mut self, _: &mut [u8]) {
        unreachable!("it has no streams");
    }

    fn messages(&mut self, ivs: &[[u8; 16]], texts: &mut [Vec<u8>]) {
        for (ivs, texts) in ivs.chunks(MOST).zip(texts.chunks_mut(MOST)) {
            self.run(ivs.iter().zip(texts.iter_mut().map(Vec::as_mut_slice)));
        }
    }
}

/// AES-GCM by direct calls. What is made of a key is made once.
struct Gcm {
    set_key: api::SetKey,
    seal: api::Gcm,
    open: api::Gcm,
    key: Box<MaybeUninit<GcmKey>>,
    context: Box<MaybeUninit<GcmContext>>,
}

impl Gcm {
    fn new(manager: Manager, key: &[u8]) -> Self {
        const GCM128_ENC: usize = 24;
        const GCM128_DEC: usize = 27;
        const GCM128_PRE: usize = 48;
        let length = (key.len() - 16) / 8;
        let mut gcm = Self {
            // SAFETY: the type is that of the functions that take a key, in order of its length; so
            // are those that follow.
            set_key: unsafe { manager.function(GCM128_PRE + length) },
            // SAFETY: as above.
            seal: unsafe { manager.function(GCM128_ENC + length) },
            // SAFETY: as above.
            open: unsafe { manager.function(GCM128_DEC + length) },
            key: Box::new_uninit(),
            context: Box::new_uninit(),
        };
        jobs::Aead::rekey(&mut gcm, key);
        gcm
    }

    /// # Safety
    /// There must be `len` bytes at both places.
    unsafe fn call(
        &mut self,
        function: api::Gcm,
        nonce: &[u8; 12],
        aad: &[u8],
        (text, out, len): (*const u8, *mut u8, usize),
        tag: &mut [u8; 16],
    ) {
        let (key, context) = (self.key.as_ptr().cast(), self.context.as_mut_ptr().cast::<c_void>());
        let (nonce, data, data_len) = (nonce.as_ptr(), aad.as_ptr(), aad.len() as u64);
        let tag = tag.as_mut_ptr();
        // SAFETY: the key has been made, the nonce has the twelve bytes that it takes, all else is
        // as long as it says, and it may be in place.
        unsafe { function(key, context, out, text, len as u64, nonce, data, data_len, tag, 16) }
    }
}

/// What is made of a key. It writes all of it that is read.
#[repr(C, align(64))]
struct GcmKey([u8; 1264]);

/// A message under way.
#[repr(C, align(64))]
struct GcmContext([u8; 88]);

impl jobs::Aead for Gcm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        // SAFETY: both places are the text.
        unsafe { self.call(self.seal, nonce, aad, (start, start, text.len()), tag) }
    }

    /// The library gives the tag that would be right, and its caller compares.
    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        let mut right = [0; 16];
        let texts = (sealed.as_ptr(), text.as_mut_ptr(), sealed.len());
        // SAFETY: both are equally long.
        unsafe { self.call(self.open, nonce, aad, texts, &mut right) }
        u128::from_ne_bytes(right) ^ u128::from_ne_bytes(*tag) == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        let made = self.key.as_mut_ptr().cast();
        // SAFETY: the key is as long as the function's name says, and there is room for 1264 bytes.
        unsafe { (self.set_key)(key.as_ptr().cast(), made) }
    }
}

/// ChaCha20-Poly1305 by direct calls. A key is taken for each message.
struct ChaChaPoly {
    start: api::ChaChaStart,
    seal: api::ChaChaUpdate,
    open: api::ChaChaUpdate,
    finish: api::ChaChaFinish,
    key: [u8; 32],
    context: Box<MaybeUninit<ChaChaContext>>,
}

/// A message under way: 204 bytes, and some.
#[repr(C, align(64))]
struct ChaChaContext([u8; 512]);

impl ChaChaPoly {
    fn new(manager: Manager, key: &[u8]) -> Self {
        const CHACHA20_POLY1305_INIT: usize = 107;
        Self {
            // SAFETY: the type is that of the function that starts a message.
            start: unsafe { manager.function(CHACHA20_POLY1305_INIT) },
            // SAFETY: the type is that of the function that encrypts.
            seal: unsafe { manager.function(CHACHA20_POLY1305_INIT + 1) },
            // SAFETY: the type is that of the function that decrypts.
            open: unsafe { manager.function(CHACHA20_POLY1305_INIT + 2) },
            // SAFETY: the type is that of the function that gives the tag.
            finish: unsafe { manager.function(CHACHA20_POLY1305_INIT + 3) },
            key: key.try_into().expect("32 bytes"),
            context: Box::new_uninit(),
        }
    }

    /// # Safety
    /// There must be `len` bytes at both places.
    unsafe fn call(
        &mut self,
        update: api::ChaChaUpdate,
        nonce: &[u8; 12],
        aad: &[u8],
        (text, out, len): (*const u8, *mut u8, usize),
        tag: &mut [u8; 16],
    ) {
        let (key, context) = (self.key.as_ptr().cast(), self.context.as_mut_ptr().cast());
        let (nonce, data) = (nonce.as_ptr().cast(), aad.as_ptr().cast());
        // SAFETY: the key has 32 bytes, the nonce twelve, and there is room for the context.
        unsafe { (self.start)(key, context, nonce, data, aad.len() as u64) };
        // SAFETY: the message has been started, and there is as much at both places.
        unsafe { update(key, context, out.cast(), text.cast(), len as u64) };
        // SAFETY: there is room for a whole tag.
        unsafe { (self.finish)(context, tag.as_mut_ptr().cast(), 16) };
    }
}

impl jobs::Aead for ChaChaPoly {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let start = text.as_mut_ptr();
        // SAFETY: both places are the text.
        unsafe { self.call(self.seal, nonce, aad, (start, start, text.len()), tag) }
    }

    /// The library gives the tag that would be right, and its caller compares.
    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        assert_eq!(sealed.len(), text.len(), "a place for it");
        let mut right = [0; 16];
        let texts = (sealed.as_ptr(), text.as_mut_ptr(), sealed.len());
        // SAFETY: both are equally long.
        unsafe { self.call(self.open, nonce, aad, texts, &mut right) }
        u128::from_ne_bytes(right) ^ u128::from_ne_bytes(*tag) == 0
    }

    fn rekey(&mut self, key: &[u8]) {
        self.key = key.try_into().expect("32 bytes");
    }
}

/// SHA-256: a direct call for one message, bursts for several.
struct Sha256 {
    manager: Manager,
    hash: api::Hash,
    submit: api::HashBurst,
    burst: Box<[api::Job; MOST]>,
}

impl Sha256 {
    fn new(manager: Manager) -> Self {
        const SHA256: usize = 20;
        const SUBMIT_HASH_BURST_NOCHECK: usize = 118;
        // SAFETY: the type is that of the functions that hash one message.
        let hash = unsafe { manager.function(SHA256) };
        // SAFETY: the type is that of bursts of a hash function alone.
        let submit = unsafe { manager.function(SUBMIT_HASH_BURST_NOCHECK) };
        Self { manager, hash, submit, burst: Box::new([api::Job::default(); MOST]) }
    }
}

impl jobs::Hash<32> for Sha256 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        let place = digest.as_mut_ptr().cast();
        // SAFETY: the text is as long as it says, and a digest takes 32 bytes.
        unsafe { (self.hash)(text.as_ptr().cast(), text.len() as u64, place) }
    }

    fn start(&mut self) {}

    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    fn finish(&mut self, _: &mut [u8; 32]) {
        unreachable!("it has no streams");
    }

    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; 32]]) {
        const SHA_256: c_int = 15;
        for (texts, digests) in texts.chunks(MOST).zip(digests.chunks_mut(MOST)) {
            for ((job, text), digest) in self.burst.iter_mut().zip(texts).zip(&mut *digests) {
                job.text = text.as_ptr();
                job.hash_len = text.len() as u64;
                (job.tag, job.tag_len) = (digest.as_mut_ptr(), 32);
            }
            let (burst, count) = (self.burst.as_mut_ptr(), texts.len() as u32);
            // SAFETY: the manager has been initialised, and that many jobs are filled in: a text as
            // long as it says, and room for a digest.
            let done = unsafe { (self.submit)(self.manager.0, burst, count, SHA_256) };
            assert_eq!(done, count, "it did not do every job");
        }
    }
}

/// A direct call of a hash function.
struct Hash(api::Hash);

impl Hash {
    fn new(manager: Manager, place: usize) -> Self {
        // SAFETY: the type is that of the functions that hash one message.
        Self(unsafe { manager.function(place) })
    }
}

impl<const N: usize> jobs::Hash<N> for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        let place = digest.as_mut_ptr().cast();
        // SAFETY: the text is as long as it says, and a digest of the function takes N bytes.
        unsafe { (self.0)(text.as_ptr().cast(), text.len() as u64, place) }
    }

    fn start(&mut self) {}

    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }

    fn finish(&mut self, _: &mut [u8; N]) {
        unreachable!("it has no streams");
    }
}

/// Messages that a burst can have.
const MOST: usize = 128;

const CBC: c_int = 1;
const CTR: c_int = 2;
const ENCRYPT: c_int = 1;
const DECRYPT: c_int = 2;

/// What the public header declares.
mod api {
    use super::{c_char, c_int, c_void, null, null_mut};
    use crate::peers::dl::functions;

    functions! {
        /// How it says its version.
        Version {
            fn imb_get_version() -> u32;
            fn imb_get_version_str() -> *const c_char;
        }

        /// How a manager is made.
        Make {
            fn alloc_mb_mgr(flags: u64) -> *mut c_void;
            fn imb_get_errno(manager: *mut c_void) -> c_int;
            fn init_mb_mgr_auto(manager: *mut c_void, chosen: *mut c_int);
            fn init_mb_mgr_avx2(manager: *mut c_void);
            fn init_mb_mgr_sse(manager: *mut c_void);
        }
    }

    pub(super) type Expand = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void);
    pub(super) type Hash = unsafe extern "C" fn(*const c_void, u64, *mut c_void);
    pub(super) type SetKey = unsafe extern "C" fn(*const c_void, *mut c_void);
    pub(super) type HashBurst = unsafe extern "C" fn(*mut c_void, *mut Job, u32, c_int) -> u32;
    pub(super) type CipherBurst =
        unsafe extern "C" fn(*mut c_void, *mut Job, u32, c_int, c_int, c_int) -> u32;
    pub(super) type ChaChaStart = unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        *const c_void,
        *const c_void,
        u64,
    ) -> c_int;
    pub(super) type ChaChaUpdate =
        unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void, *const c_void, u64) -> c_int;
    pub(super) type ChaChaFinish = unsafe extern "C" fn(*mut c_void, *mut c_void, u64) -> c_int;
    pub(super) type Gcm = unsafe extern "C" fn(
        key: *const c_void,
        context: *mut c_void,
        out: *mut u8,
        text: *const u8,
        len: u64,
        nonce: *const u8,
        aad: *const u8,
        aad_len: u64,
        tag: *mut u8,
        tag_len: u64,
    );

    /// `IMB_JOB` of version 2.
    #[derive(Clone, Copy)]
    #[repr(C)]
    pub(super) struct Job {
        pub(super) encrypt_keys: *const c_void,
        pub(super) decrypt_keys: *const c_void,
        pub(super) key_len: u64,
        pub(super) text: *const u8,
        pub(super) out: *mut u8,
        pub(super) cipher_from: u64,
        pub(super) cipher_len: u64,
        pub(super) hash_from: u64,
        pub(super) hash_len: u64,
        pub(super) iv: *const u8,
        pub(super) iv_len: u64,
        pub(super) tag: *mut u8,
        pub(super) tag_len: u64,
        of_algorithm: [u64; 3],
        pub(super) status: c_int,
        pub(super) cipher: c_int,
        pub(super) direction: c_int,
        pub(super) hash: c_int,
        pub(super) order: c_int,
        others: [u64; 8],
    }

    const _: () = assert!(size_of::<Job>() == 216);

    impl Default for Job {
        fn default() -> Self {
            Self {
                encrypt_keys: null(),
                decrypt_keys: null(),
                key_len: 0,
                text: null(),
                out: null_mut(),
                cipher_from: 0,
                cipher_len: 0,
                hash_from: 0,
                hash_len: 0,
                iv: null(),
                iv_len: 0,
                tag: null_mut(),
                tag_len: 0,
                of_algorithm: [0; 3],
                status: 0,
                cipher: 0,
                direction: 0,
                hash: 0,
                order: 0,
                others: [0; 8],
            }
        }
    }
}
