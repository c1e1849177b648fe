//! Libgcrypt (LGPL, so it is only ever loaded): one handle that keeps its key, in place.

use std::{
    env,
    ffi::{CStr, CString, c_char, c_int, c_uint, c_void},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{Job, Opened, Peer, Unavailable, dl, jobs, masks};
use crate::tasks::{self, Cell, Direction, Function, Kind};

/// Libgcrypt.
pub(super) struct Libgcrypt;

impl Peer for Libgcrypt {
    fn name(&self) -> &'static str {
        "libgcrypt"
    }

    fn libraries(&self) -> &'static [&'static str] {
        &["libgcrypt.so.20"]
    }

    fn mask(
        &self,
        _: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        Ok(vec![(DISABLED.into(), masks::libgcrypt(features))])
    }

    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let library = dl::open(library)?;
        let ask = api::Version::load(library)?.gcry_check_version;
        disable(library, &env::var(DISABLED).unwrap_or_default())?;
        // SAFETY: null asks for the version, and sets the library up.
        let version = unsafe { ask(null()) };
        if version.is_null() {
            return Err(Unavailable("says no version".into()));
        }
        // SAFETY: it is a string that lives as long as the library, which is never closed.
        let version = unsafe { CStr::from_ptr::<'static>(version) };
        let version = format!("libgcrypt {}", version.to_string_lossy());
        let control = control(library)?;
        // SAFETY: without secure memory, and once it is set up, neither takes more.
        unsafe { control(GCRYCTL_DISABLE_SECMEM, 0) };
        // SAFETY: as above.
        unsafe { control(GCRYCTL_INITIALIZATION_FINISHED, 0) };
        let path = dl::file_of(ask as *const () as usize);
        Ok(Box::new(Loaded { library, version, path }))
    }
}

/// How a worker is told which features to switch off: libgcrypt itself reads a file in `/etc`.
const DISABLED: &str = "ROPEWALK_LIBGCRYPT_DISABLED";

/// Switches hardware features off. It must come before everything else.
fn disable(library: &'static Library, names: &str) -> Result<(), Unavailable> {
    let control = control(library)?;
    for name in names.split(':').filter(|name| !name.is_empty()) {
        let text = CString::new(name).map_err(|e| Unavailable(e.to_string()))?;
        // SAFETY: this command takes a string and a null. What an older version does not know, it
        // does not look for.
        unsafe { control(GCRYCTL_DISABLE_HWF, text.as_ptr(), null::<c_void>()) };
    }
    Ok(())
}

type Control = unsafe extern "C" fn(c_int, ...) -> c_uint;

fn control(library: &'static Library) -> Result<Control, Unavailable> {
    // SAFETY: the type is the one that the public header gives this name.
    let found = unsafe { library.get::<Control>("gcry_control") };
    Ok(*found.map_err(|_| Unavailable("no symbol gcry_control".into()))?)
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
            Kind::Ctr { key_len } => {
                let cipher = Cipher::new(self.library, CTR, &jobs::key(key_len))?;
                Ok(jobs::ctr(cell, cipher))
            }
            Kind::Cbc { direction, key_len } => {
                let cipher = Cipher::new(self.library, CBC, &jobs::key(key_len))?;
                jobs::cbc(cell, Cbc { cipher, direction })
            }
            Kind::Ecb { direction, key_len } => {
                let cipher = Cipher::new(self.library, ECB, &jobs::key(key_len))?;
                jobs::cbc(cell, Ecb { cipher, direction })
            }
            Kind::Xts { direction, key_len } => {
                let cipher = Cipher::new(self.library, XTS, &jobs::key(key_len))?;
                jobs::xts(cell, Cbc { cipher, direction })
            }
            Kind::Gcm { op, key_len } => {
                let library = self.library;
                jobs::aead(cell, op, key_len, move |key| Cipher::new(library, GCM, key))
            }
            Kind::Ccm { op, key_len } => {
                let library = self.library;
                jobs::aead(cell, op, key_len, move |key| Cipher::new(library, CCM, key).map(Ccm))
            }
            Kind::Records { .. } => Err(Unavailable("has no AES-CBC with HMAC in one call".into())),
            Kind::Fill => Err(Unavailable("its generator is not called here".into())),
            Kind::ChaCha20 => {
                let cipher = Cipher::new(self.library, STREAM, &jobs::key(32))?;
                Ok(jobs::ctr(cell, ChaCha(cipher)))
            }
            Kind::ChaChaPoly { op } => {
                let library = self.library;
                jobs::aead(cell, op, 32, move |key| Cipher::new(library, POLY1305, key))
            }
            Kind::Mac(mac) => Ok(jobs::mac_of(cell, mac, Mac::new(self.library, mac)?)),
            Kind::Hash(function) => {
                Ok(jobs::hash_of(cell, function, Hash::new(self.library, function)?))
            }
        }
    }
}

/// A handle of one mode that has its key.
struct Cipher {
    api: api::Cipher,
    handle: Handle,
    /// Whether every call since the start did what it should.
    sound: bool,
}

impl Cipher {
    fn new(library: &'static Library, mode: c_int, key: &[u8]) -> Result<Self, Unavailable> {
        let api = api::Cipher::load(library)?;
        let mut handle = null_mut();
        let algorithm = match (mode, key.len()) {
            (STREAM | POLY1305, _) => GCRY_CIPHER_CHACHA20,
            (XTS, 32) | (_, 16) => GCRY_CIPHER_AES,
            (_, 24) => GCRY_CIPHER_AES192,
            _ => GCRY_CIPHER_AES256,
        };
        // SAFETY: there is room for a handle.
        let done = unsafe { (api.gcry_cipher_open)(&mut handle, algorithm, mode, 0) };
        if done != 0 {
            return Err(Unavailable("gcry_cipher_open failed".into()));
        }
        // From here on, dropping closes the handle.
        let mut cipher = Self { api, handle, sound: true };
        match cipher.set_key(key) {
            true => Ok(cipher),
            false => Err(Unavailable("gcry_cipher_setkey failed".into())),
        }
    }

    fn encrypt(&mut self, text: &mut [u8]) {
        // It refuses to write nothing.
        if text.is_empty() {
            return;
        }
        // SAFETY: the handle is open, and no input means in place.
        let done = unsafe {
            let text = (text.as_mut_ptr().cast(), text.len());
            (self.api.gcry_cipher_encrypt)(self.handle, text.0, text.1, null(), 0)
        };
        self.sound &= done == 0;
        if !self.sound {
            // A failure must not pass for an answer.
            text.fill(0);
        }
    }

    fn set_iv(&mut self, iv: &[u8]) {
        // SAFETY: the handle is open, and the vector is as long as it says. It starts a message.
        let done =
            unsafe { (self.api.gcry_cipher_setiv)(self.handle, iv.as_ptr().cast(), iv.len()) };
        self.sound = done == 0;
    }

    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key is as long as it says.
        unsafe { (self.api.gcry_cipher_setkey)(self.handle, key.as_ptr().cast(), key.len()) == 0 }
    }

    fn authenticate(&mut self, aad: &[u8]) {
        let data = aad.as_ptr().cast();
        // SAFETY: the handle is open, and the data is as long as it says.
        let read = unsafe { (self.api.gcry_cipher_authenticate)(self.handle, data, aad.len()) };
        self.sound &= read == 0;
    }

    /// The tag of what has been encrypted.
    fn get_tag(&mut self, text: &mut [u8], tag: &mut [u8; 16]) {
        let place = tag.as_mut_ptr().cast();
        // SAFETY: the handle is open, and there is room for a whole tag.
        let got = unsafe { (self.api.gcry_cipher_gettag)(self.handle, place, 16) };
        if !(self.sound && got == 0) {
            text.fill(0);
            tag.fill(0);
        }
    }

    /// Whether it is that of what has been decrypted.
    fn is_tag(&self, tag: &[u8; 16]) -> bool {
        let place = tag.as_ptr().cast();
        // SAFETY: the handle is open, and the tag is whole.
        let right = unsafe { (self.api.gcry_cipher_checktag)(self.handle, place, 16) };
        self.sound && right == 0
    }

    /// To another place, or in place where that is null.
    fn decrypt(&mut self, out: &mut [u8], text: Option<&[u8]>) {
        if out.is_empty() {
            return;
        }
        let (place, len) = (out.as_mut_ptr().cast(), out.len());
        let (start, text_len) = text.map_or((null(), 0), |text| (text.as_ptr().cast(), text.len()));
        // SAFETY: the handle is open, and both are as long as they say.
        let done =
            unsafe { (self.api.gcry_cipher_decrypt)(self.handle, place, len, start, text_len) };
        self.sound &= done == 0;
        if !self.sound {
            out.fill(0);
        }
    }
}

impl jobs::Ctr for Cipher {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        jobs::Ctr::start(self, iv);
        self.encrypt(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        // SAFETY: the handle is open, and a counter block has sixteen bytes. It drops what is left
        // of an older block of key stream.
        let done = unsafe { (self.api.gcry_cipher_setctr)(self.handle, iv.as_ptr().cast(), 16) };
        self.sound = done == 0;
    }

    fn update(&mut self, text: &mut [u8]) {
        self.encrypt(text);
    }
}

impl jobs::Aead for Cipher {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.set_iv(nonce);
        self.authenticate(aad);
        self.encrypt(text);
        self.get_tag(text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.set_iv(nonce);
        self.authenticate(aad);
        self.decrypt(text, Some(sealed));
        self.is_tag(tag)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.set_key(key), "it takes another key");
    }
}

/// AES-CCM, which must know all lengths beforehand.
struct Ccm(Cipher);

impl Ccm {
    fn start(&mut self, nonce: &[u8; 12], aad: &[u8], text_len: usize) {
        let Self(cipher) = self;
        cipher.set_iv(nonce);
        let mut lengths = [text_len as u64, aad.len() as u64, 16];
        let place = lengths.as_mut_ptr().cast();
        // SAFETY: the handle is open, and this command takes three numbers of 64 bits.
        let done = unsafe {
            (cipher.api.gcry_cipher_ctl)(
                cipher.handle,
                GCRYCTL_SET_CCM_LENGTHS,
                place,
                size_of_val(&lengths),
            )
        };
        cipher.sound &= done == 0;
        cipher.authenticate(aad);
    }
}

impl jobs::Aead for Ccm {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        self.start(nonce, aad, text.len());
        self.0.encrypt(text);
        self.0.get_tag(text, tag);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.start(nonce, aad, sealed.len());
        self.0.decrypt(text, Some(sealed));
        self.0.is_tag(tag)
    }

    fn rekey(&mut self, key: &[u8]) {
        assert!(self.0.set_key(key), "it takes another key");
    }
}

/// Its vector is that of the library: a counter, and a nonce.
struct ChaCha(Cipher);

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.0.set_iv(iv);
        self.0.encrypt(text);
    }

    fn start(&mut self, iv: &[u8; 16]) {
        self.0.set_iv(iv);
    }

    fn update(&mut self, text: &mut [u8]) {
        self.0.encrypt(text);
    }
}

/// A handle that has its key; it is reset for each message.
struct Mac {
    api: api::Mac,
    handle: Handle,
    key: Option<[u8; 32]>,
}

impl Mac {
    fn new(library: &'static Library, mac: tasks::Mac) -> Result<Self, Unavailable> {
        let api = api::Mac::load(library)?;
        let mut handle = null_mut();
        // SAFETY: there is room for a handle.
        let done = unsafe { (api.gcry_mac_open)(&mut handle, mac_algorithm(mac)?, 0, null_mut()) };
        if done != 0 {
            return Err(Unavailable("gcry_mac_open failed".into()));
        }
        // From here on, dropping closes the handle.
        let key = jobs::key(mac.key_len());
        let one_time = mac == tasks::Mac::Poly1305;
        let made =
            Self { api, handle, key: one_time.then(|| key[..].try_into().expect("32 bytes")) };
        match made.set_key(&key) {
            true => Ok(made),
            false => Err(Unavailable("gcry_mac_setkey failed".into())),
        }
    }

    fn set_key(&self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key is as long as it says.
        unsafe { (self.api.gcry_mac_setkey)(self.handle, key.as_ptr().cast(), key.len()) == 0 }
    }
}

impl<const N: usize> jobs::Hash<N> for Mac {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        jobs::Hash::<N>::start(self);
        jobs::Hash::<N>::update(self, text);
        self.finish(digest);
    }

    fn start(&mut self) {
        match self.key {
            Some(key) => assert!(self.set_key(&key), "it takes a key again"),
            // SAFETY: the handle is open.
            None => unsafe {
                (self.api.gcry_mac_ctl)(self.handle, GCRYCTL_RESET, null_mut(), 0);
            },
        }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text is as long as it says.
        unsafe { (self.api.gcry_mac_write)(self.handle, text.as_ptr().cast(), text.len()) };
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        let mut len = N;
        // SAFETY: the handle is open, and there is room for so many bytes.
        let done =
            unsafe { (self.api.gcry_mac_read)(self.handle, digest.as_mut_ptr().cast(), &mut len) };
        if done != 0 || len != N {
            // A failure must not pass for an answer.
            digest.fill(0);
        }
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nobody else has it.
        unsafe { (self.api.gcry_mac_close)(self.handle) }
    }
}

/// `GCRY_MAC_HMAC_SHA256`, and so on.
fn mac_algorithm(mac: tasks::Mac) -> Result<c_int, Unavailable> {
    Ok(match mac {
        tasks::Mac::Cmac { .. } => 201,
        tasks::Mac::Poly1305 => 501,
        tasks::Mac::Hmac(function) => match function {
            Function::Sha256 => 101,
            Function::Sha224 => 102,
            Function::Sha512 => 103,
            Function::Sha384 => 104,
            Function::Sha1 => 105,
            Function::Md5 => 106,
            Function::Sha3_224 => 115,
            Function::Sha3_256 => 116,
            Function::Sha3_384 => 117,
            Function::Sha3_512 => 118,
            _ => return Err(jobs::lacks_hmac(function)),
        },
    })
}

/// A handle that no message starts goes both ways.
struct Ecb {
    cipher: Cipher,
    direction: Direction,
}

impl jobs::Cbc for Ecb {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        match self.direction {
            Direction::Encrypt => self.cipher.encrypt(text),
            Direction::Decrypt => self.cipher.decrypt(text, None),
        }
    }
}

/// A handle of the chaining mode goes both ways; so does one of XTS.
struct Cbc {
    cipher: Cipher,
    direction: Direction,
}

impl jobs::Cbc for Cbc {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.cipher.set_iv(iv);
        match self.direction {
            Direction::Encrypt => self.cipher.encrypt(text),
            Direction::Decrypt => self.cipher.decrypt(text, None),
        }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nobody else has it.
        unsafe { (self.api.gcry_cipher_close)(self.handle) }
    }
}

/// `gcry_md_hash_buffer` for a message, a handle for a stream.
struct Hash {
    api: api::Digest,
    of_any_length: Option<api::Extract>,
    algorithm: c_int,
    handle: Handle,
}

impl Hash {
    fn new(library: &'static Library, function: Function) -> Result<Self, Unavailable> {
        let api = api::Digest::load(library)?;
        let of_any_length = match function.extends() {
            true => Some(api::Extract::load(library)?),
            false => None,
        };
        let algorithm = algorithm(function);
        let mut handle = null_mut();
        // SAFETY: there is room for a handle.
        let done = unsafe { (api.gcry_md_open)(&mut handle, algorithm, 0) };
        if done == 0 {
            Ok(Self { api, of_any_length, algorithm, handle })
        } else {
            Err(Unavailable("gcry_md_open failed".into()))
        }
    }
}

impl<const N: usize> jobs::Hash<N> for Hash {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        if self.of_any_length.is_some() {
            jobs::Hash::<N>::start(self);
            jobs::Hash::<N>::update(self, text);
            return self.finish(digest);
        }
        let (place, start) = (digest.as_mut_ptr().cast(), text.as_ptr().cast());
        // SAFETY: the text is as long as it says, and a digest of the function takes N bytes.
        unsafe { (self.api.gcry_md_hash_buffer)(self.algorithm, place, start, text.len()) }
    }

    fn start(&mut self) {
        // SAFETY: the handle is open.
        unsafe { (self.api.gcry_md_reset)(self.handle) }
    }

    fn update(&mut self, text: &[u8]) {
        // SAFETY: the handle is open, and the text is as long as it says.
        unsafe { (self.api.gcry_md_write)(self.handle, text.as_ptr().cast(), text.len()) }
    }

    fn finish(&mut self, digest: &mut [u8; N]) {
        if let Some(api) = self.of_any_length {
            let place = digest.as_mut_ptr().cast();
            // SAFETY: the handle is open, and there is room for N bytes.
            let done = unsafe { (api.gcry_md_extract)(self.handle, self.algorithm, place, N) };
            if done != 0 {
                // A failure must not pass for an answer.
                digest.fill(0);
            }
            return;
        }
        // SAFETY: the handle is open; it holds the digest until it is reset.
        let found = unsafe { (self.api.gcry_md_read)(self.handle, self.algorithm) };
        // SAFETY: where it is not null, it has N bytes.
        *digest = unsafe { found.cast::<[u8; N]>().as_ref() }.copied().unwrap_or([0; N]);
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nobody else has it.
        unsafe { (self.api.gcry_md_close)(self.handle) }
    }
}

type Handle = *mut c_void;

const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
const GCRYCTL_DISABLE_HWF: c_int = 63;
const GCRY_CIPHER_AES: c_int = 7;
const GCRY_CIPHER_AES192: c_int = 8;
const GCRY_CIPHER_AES256: c_int = 9;
const ECB: c_int = 1;
const CBC: c_int = 3;
const CTR: c_int = 6;
const CCM: c_int = 8;
const GCM: c_int = 9;
const XTS: c_int = 13;
const STREAM: c_int = 4;
const POLY1305: c_int = 10;
const GCRY_CIPHER_CHACHA20: c_int = 316;
const GCRYCTL_RESET: c_int = 4;
const GCRYCTL_SET_CCM_LENGTHS: c_int = 69;

/// `GCRY_MD_SHA256`, and so on.
fn algorithm(function: Function) -> c_int {
    match function {
        Function::Md5 => 1,
        Function::Sha1 => 2,
        Function::Sha224 => 11,
        Function::Sha256 => 8,
        Function::Sha384 => 9,
        Function::Sha512 => 10,
        Function::Sha512_256 => 327,
        Function::Sha3_224 => 312,
        Function::Sha3_256 => 313,
        Function::Sha3_384 => 314,
        Function::Sha3_512 => 315,
        Function::Shake128 => 316,
        Function::Shake256 => 317,
    }
}

/// What the public header declares; 0 is no error.
mod api {
    use super::{Handle, c_char, c_int, c_uint, c_void};
    use crate::peers::dl::functions;

    functions! {
        /// What sets it up.
        Version {
            fn gcry_check_version(least: *const c_char) -> *const c_char;
        }

        /// Ciphers.
        Cipher {
            fn gcry_cipher_open(
                handle: *mut Handle,
                algorithm: c_int,
                mode: c_int,
                flags: c_uint,
            ) -> c_uint;
            fn gcry_cipher_close(handle: Handle);
            fn gcry_cipher_setkey(handle: Handle, key: *const c_void, len: usize) -> c_uint;
            fn gcry_cipher_setiv(handle: Handle, iv: *const c_void, len: usize) -> c_uint;
            fn gcry_cipher_setctr(handle: Handle, counter: *const c_void, len: usize) -> c_uint;
            fn gcry_cipher_ctl(
                handle: Handle,
                command: c_int,
                buffer: *mut c_void,
                len: usize,
            ) -> c_uint;
            fn gcry_cipher_authenticate(handle: Handle, data: *const c_void, len: usize) -> c_uint;
            fn gcry_cipher_encrypt(
                handle: Handle,
                out: *mut c_void,
                out_len: usize,
                text: *const c_void,
                len: usize,
            ) -> c_uint;
            fn gcry_cipher_decrypt(
                handle: Handle,
                out: *mut c_void,
                out_len: usize,
                text: *const c_void,
                len: usize,
            ) -> c_uint;
            fn gcry_cipher_checktag(handle: Handle, tag: *const c_void, len: usize) -> c_uint;
            fn gcry_cipher_gettag(handle: Handle, tag: *mut c_void, len: usize) -> c_uint;
        }

        /// Message authentication codes.
        Mac {
            fn gcry_mac_open(
                handle: *mut Handle,
                algorithm: c_int,
                flags: c_uint,
                context: *mut c_void,
            ) -> c_uint;
            fn gcry_mac_close(handle: Handle);
            fn gcry_mac_ctl(handle: Handle, command: c_int, at: *mut c_void, len: usize) -> c_uint;
            fn gcry_mac_setkey(handle: Handle, key: *const c_void, len: usize) -> c_uint;
            fn gcry_mac_write(handle: Handle, text: *const c_void, len: usize) -> c_uint;
            fn gcry_mac_read(handle: Handle, tag: *mut c_void, len: *mut usize) -> c_uint;
        }

        /// Output of any length.
        Extract {
            fn gcry_md_extract(
                handle: Handle,
                algorithm: c_int,
                out: *mut c_void,
                len: usize,
            ) -> c_uint;
        }

        /// Hash functions.
        Digest {
            fn gcry_md_open(handle: *mut Handle, algorithm: c_int, flags: c_uint) -> c_uint;
            fn gcry_md_close(handle: Handle);
            fn gcry_md_reset(handle: Handle);
            fn gcry_md_write(handle: Handle, text: *const c_void, len: usize);
            fn gcry_md_read(handle: Handle, algorithm: c_int) -> *mut u8;
            fn gcry_md_hash_buffer(
                algorithm: c_int,
                digest: *mut c_void,
                text: *const c_void,
                len: usize,
            );
        }
    }
}
