//! A context of `EVP_Encrypt*` or `EVP_Decrypt*`.

use std::{
    ffi::{CString, c_int},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::{
    api::{self, ENGINE, EVP_CIPHER, EVP_CIPHER_CTX, OSSL_PARAM},
    errors, failed, made, provider,
    source::Source,
};
use crate::{
    peers::Unavailable,
    tasks::{Direction, Function},
};

/// A direction and a cipher: the data that is shared by many contexts.
#[derive(Clone, Copy)]
pub(super) struct Evp {
    source: Source,
    api: api::Cipher,
    init: Init,
    update: Update,
    cipher: *const EVP_CIPHER,
    /// Set for key wrap, which a context must be told to allow.
    wraps: Option<api::Flags>,
}

/// The start function, since later ones take no engine.
#[derive(Clone, Copy)]
enum Init {
    /// Before OpenSSL 3.0.
    Ex(
        unsafe extern "C" fn(
            *mut EVP_CIPHER_CTX,
            *const EVP_CIPHER,
            *mut ENGINE,
            *const u8,
            *const u8,
        ) -> c_int,
    ),
    /// Since then.
    Ex2(
        unsafe extern "C" fn(
            *mut EVP_CIPHER_CTX,
            *const EVP_CIPHER,
            *const u8,
            *const u8,
            *const OSSL_PARAM,
        ) -> c_int,
    ),
}

type Update =
    unsafe extern "C" fn(*mut EVP_CIPHER_CTX, *mut u8, *mut c_int, *const u8, c_int) -> c_int;

/// `ctr`, `cbc`, `ecb`, `xts`, `wrap` without padding and with, `gcm` or `ccm` of AES, `cbc` with HMAC, or another cipher: triple DES in `cbc`.
#[derive(Clone, Copy)]
pub(super) enum Mode {
    Ctr,
    Cbc,
    Ecb,
    Xts,
    Wrap,
    PaddedWrap,
    Gcm,
    Ccm,
    CbcHmac(Function),
    ChaCha20,
    ChaChaPoly,
    TripleDes,
    Rc4,
}

impl Evp {
    pub(super) fn new(
        source: Source,
        mode: Mode,
        direction: Direction,
        key_len: usize,
    ) -> Result<Self, Unavailable> {
        let library = source.library;
        let api = api::Cipher::load(library)?;
        let fetch = api::FetchCipher::load(library).ok().filter(|_| source.fetches());
        let (init, update) = match (direction, fetch) {
            (Direction::Encrypt, Some(fetch)) => {
                (Init::Ex2(fetch.EVP_EncryptInit_ex2), api.EVP_EncryptUpdate)
            }
            (Direction::Encrypt, None) => (Init::Ex(api.EVP_EncryptInit_ex), api.EVP_EncryptUpdate),
            (Direction::Decrypt, fetch) => {
                let decrypt = api::Decrypt::load(library)?;
                let init = match fetch {
                    Some(_) => Init::Ex2(api::FetchDecrypt::load(library)?.EVP_DecryptInit_ex2),
                    None => Init::Ex(decrypt.EVP_DecryptInit_ex),
                };
                (init, decrypt.EVP_DecryptUpdate)
            }
        };
        let cipher = match fetch {
            Some(fetch) => fetched(source, fetch, mode, key_len)?,
            None => built_in(library, mode, key_len)?,
        };
        let wraps = match mode {
            Mode::Wrap | Mode::PaddedWrap => Some(api::Flags::load(library)?),
            _ => None,
        };
        Ok(Self { source, api, init, update, cipher, wraps })
    }

    /// Only the cipher.
    pub(super) fn cipher(self) -> *const EVP_CIPHER {
        self.cipher
    }

    /// A context with its cipher and its key, which has not been started.
    pub(super) fn context(self, key: &[u8]) -> Result<Context, Unavailable> {
        // SAFETY: it takes no arguments.
        let ctx = unsafe { (self.api.EVP_CIPHER_CTX_new)() };
        // From here on, dropping frees the context.
        let context = Context { evp: self, ctx: made(ctx, "EVP_CIPHER_CTX_new")? };
        if let Some(api) = self.wraps {
            // SAFETY: the context is alive.
            unsafe { (api.EVP_CIPHER_CTX_set_flags)(context.ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW) }
        }
        errors::clear(self.source.library);
        // SAFETY: the key is as long as the cipher's name says.
        let done = unsafe { context.init(self.cipher, key.as_ptr(), null()) };
        match done {
            true => Ok(context),
            false if self.source.is_choice() => Err(failed("EVP_EncryptInit_ex")),
            false => Err(self.source.lacks("such cipher")),
        }
    }
}

/// A context that has its cipher and its key.
pub(super) struct Context {
    evp: Evp,
    pub(super) ctx: *mut EVP_CIPHER_CTX,
}

impl Context {
    /// Starts a message.
    pub(super) fn start(&self, iv: &[u8]) -> bool {
        // SAFETY: the context has its cipher and key, and the callers give as many bytes as it
        // takes: sixteen of a block, twelve of a nonce.
        unsafe { self.init(null(), null(), iv.as_ptr()) }
    }

    /// Starts a message without a vector, or with the standard's.
    pub(super) fn again(&self) -> bool {
        // SAFETY: the context has its cipher and key, and goes on with both.
        unsafe { self.init(null(), null(), null()) }
    }

    /// Takes another key of the same length.
    pub(super) fn rekey(&self, key: &[u8]) -> bool {
        // SAFETY: the context has its cipher, and the key has the given length.
        unsafe { self.init(null(), key.as_ptr(), null()) }
    }

    /// Takes another key of the same length and starts a message.
    pub(super) fn start_fresh(&self, key: &[u8], iv: &[u8]) -> bool {
        // SAFETY: as in `rekey` and `start`.
        unsafe { self.init(null(), key.as_ptr(), iv.as_ptr()) }
    }

    /// Null arguments leave the current value.
    ///
    /// # Safety
    /// What is not must be as long as the cipher takes.
    unsafe fn init(&self, cipher: *const EVP_CIPHER, key: *const u8, iv: *const u8) -> bool {
        let done = match self.evp.init {
            // SAFETY: as the caller promises; the context is alive.
            Init::Ex2(init) => unsafe { init(self.ctx, cipher, key, iv, null()) },
            Init::Ex(init) => {
                // A context with a cipher has its engine.
                let engine = if cipher.is_null() { null_mut() } else { self.evp.source.engine() };
                // SAFETY: as above; the engine is there, or null stands for the library's choice.
                unsafe { init(self.ctx, cipher, engine, key, iv) }
            }
        };
        done == 1
    }

    /// Sets the length of the text, for a mode that must know it in advance.
    pub(super) fn announce(&self, len: usize) -> bool {
        let (mut read, len) = (0, len as c_int);
        // SAFETY: the context has been started, and nothing is read or written.
        unsafe { (self.evp.update)(self.ctx, null_mut(), &mut read, null(), len) > 0 }
    }

    /// Reads header data.
    pub(super) fn aad(&self, aad: &[u8]) -> bool {
        let (mut read, len) = (0, aad.len() as c_int);
        // SAFETY: the context has been started, the data is `len` bytes long, and nothing is
        // written where there is no place for it.
        let done = unsafe { (self.evp.update)(self.ctx, null_mut(), &mut read, aad.as_ptr(), len) };
        done == 1
    }

    /// Processes the next chunk, in place. A failed chunk is zeroed: it must not look like an answer.
    pub(super) fn update(&self, text: &mut [u8]) -> bool {
        text.chunks_mut(PIECE).all(|piece| {
            let start = piece.as_mut_ptr();
            // SAFETY: both places are the chunk.
            let done = unsafe { self.piece(start, start, piece.len()) };
            if !done {
                piece.fill(0);
            }
            done
        })
    }

    /// The same to another buffer.
    pub(super) fn update_to(&self, text: &[u8], out: &mut [u8]) -> bool {
        assert_eq!(text.len(), out.len(), "a place for it");
        text.chunks(PIECE).zip(out.chunks_mut(PIECE)).all(|(piece, out)| {
            // SAFETY: both are equally long.
            unsafe { self.piece(piece.as_ptr(), out.as_mut_ptr(), piece.len()) }
        })
    }

    /// Processes a text in one call, in place, which matters even if it is empty.
    pub(super) fn whole(&self, text: &mut [u8]) -> bool {
        let start = text.as_mut_ptr();
        // SAFETY: both places are the text.
        text.len() <= PIECE && unsafe { self.piece(start, start, text.len()) }
    }

    /// The same to another buffer.
    pub(super) fn whole_to(&self, text: &[u8], out: &mut [u8]) -> bool {
        assert_eq!(text.len(), out.len(), "a place for it");
        // SAFETY: both are equally long.
        text.len() <= PIECE && unsafe { self.piece(text.as_ptr(), out.as_mut_ptr(), text.len()) }
    }

    /// Wraps or unwraps a key in one call, to a buffer that is longer or shorter by a semiblock.
    pub(super) fn rewrap(&self, text: &[u8], out: &mut [u8]) -> bool {
        let (mut written, len) = (0, text.len() as c_int);
        let place = out.as_mut_ptr();
        // SAFETY: the context has its key, the text has the given length, and there is space for what comes of it.
        let done = unsafe { (self.evp.update)(self.ctx, place, &mut written, text.as_ptr(), len) };
        done == 1 && written as usize == out.len()
    }

    /// # Safety
    /// There must be `len` bytes at both places.
    unsafe fn piece(&self, text: *const u8, out: *mut u8, len: usize) -> bool {
        let (mut written, len) = (0, len as c_int);
        // SAFETY: the context has been started, there are `len` bytes, and the modes used here put
        // out as many bytes as they take.
        let done = unsafe { (self.evp.update)(self.ctx, out, &mut written, text, len) };
        done == 1 && written == len
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nothing else uses it.
        unsafe { (self.evp.api.EVP_CIPHER_CTX_free)(self.ctx) }
    }
}

/// The longest length of type `int`, in whole blocks. Tests make it small, to use several chunks.
pub(super) const PIECE: usize = if cfg!(test) { 1008 } else { (c_int::MAX as usize) & !15 };

const EVP_CIPHER_CTX_FLAG_WRAP_ALLOW: c_int = 1;

/// It is never freed, since the library keeps it anyway.
fn fetched(
    source: Source,
    api: api::FetchCipher,
    mode: Mode,
    key_len: usize,
) -> Result<*const EVP_CIPHER, Unavailable> {
    let name = match mode {
        Mode::Ctr => format!("AES-{}-CTR", key_len * 8),
        Mode::Cbc => format!("AES-{}-CBC", key_len * 8),
        Mode::Ecb => format!("AES-{}-ECB", key_len * 8),
        // Two keys.
        Mode::Xts => format!("AES-{}-XTS", key_len * 4),
        Mode::Wrap => format!("AES-{}-WRAP", key_len * 8),
        Mode::PaddedWrap => format!("AES-{}-WRAP-PAD", key_len * 8),
        Mode::Gcm => format!("AES-{}-GCM", key_len * 8),
        Mode::Ccm => format!("AES-{}-CCM", key_len * 8),
        Mode::CbcHmac(of) => {
            format!("AES-{}-CBC-HMAC-{}", key_len * 8, of.name().replacen('-', "", 1))
        }
        Mode::ChaCha20 => "ChaCha20".into(),
        Mode::ChaChaPoly => "ChaCha20-Poly1305".into(),
        Mode::TripleDes => "DES-EDE3-CBC".into(),
        Mode::Rc4 => "RC4".into(),
    };
    let name = CString::new(name).expect("no zero in it");
    if matches!(mode, Mode::Rc4) && source.is_choice() {
        provider::load(source.library, "legacy")?;
    }
    // SAFETY: both are strings, and null stands for the default.
    let fetch = |name, query| unsafe { (api.EVP_CIPHER_fetch)(null_mut(), name, query) };
    let cipher = source.fetch(&name, fetch, "EVP_CIPHER_get0_provider");
    match mode {
        Mode::CbcHmac(_) if cipher.is_err() && source.is_choice() => Err(lacks_instructions()),
        _ => Ok(cipher?),
    }
}

/// There is no other error if a mask hides them, or the processor has none.
fn lacks_instructions() -> Unavailable {
    Unavailable("has AES-CBC with HMAC by AES instructions alone".into())
}

fn built_in(
    library: &'static Library,
    mode: Mode,
    key_len: usize,
) -> Result<*const EVP_CIPHER, Unavailable> {
    let all = match mode {
        Mode::Ctr => {
            let api = api::AesCtr::load(library)?;
            [api.EVP_aes_128_ctr, api.EVP_aes_192_ctr, api.EVP_aes_256_ctr]
        }
        Mode::Cbc => {
            let api = api::AesCbc::load(library)?;
            [api.EVP_aes_128_cbc, api.EVP_aes_192_cbc, api.EVP_aes_256_cbc]
        }
        Mode::Ecb => {
            let api = api::AesEcb::load(library)?;
            [api.EVP_aes_128_ecb, api.EVP_aes_192_ecb, api.EVP_aes_256_ecb]
        }
        Mode::Xts => {
            let cipher = match key_len {
                32 => api::Aes128Xts::load(library)?.EVP_aes_128_xts,
                _ => api::Aes256Xts::load(library)?.EVP_aes_256_xts,
            };
            // SAFETY: it takes no arguments.
            return Ok(unsafe { cipher() });
        }
        Mode::Wrap => {
            let api = api::AesWrap::load(library)?;
            [api.EVP_aes_128_wrap, api.EVP_aes_192_wrap, api.EVP_aes_256_wrap]
        }
        Mode::PaddedWrap => {
            return Err(Unavailable("has no key wrap with padding by a name".into()));
        }
        Mode::ChaCha20 => {
            // SAFETY: it takes no arguments.
            return Ok(unsafe { (api::ChaCha20::load(library)?.EVP_chacha20)() });
        }
        Mode::TripleDes => {
            // SAFETY: it takes no arguments.
            return Ok(unsafe { (api::TripleDes::load(library)?.EVP_des_ede3_cbc)() });
        }
        Mode::Rc4 => {
            // SAFETY: it takes no arguments.
            return Ok(unsafe { (api::Rc4::load(library)?.EVP_rc4)() });
        }
        Mode::ChaChaPoly => {
            let api = api::ChaCha20Poly1305::load(library)?;
            // SAFETY: it takes no arguments.
            return Ok(unsafe { (api.EVP_chacha20_poly1305)() });
        }
        Mode::Ccm => {
            let api = api::AesCcm::load(library)?;
            [api.EVP_aes_128_ccm, api.EVP_aes_192_ccm, api.EVP_aes_256_ccm]
        }
        Mode::CbcHmac(Function::Sha1) => {
            let api = api::AesCbcHmacSha1::load(library)?;
            // There is none for 192 bits; no cell has that key length.
            let cipher = api.EVP_aes_128_cbc_hmac_sha1;
            [cipher, cipher, api.EVP_aes_256_cbc_hmac_sha1]
        }
        Mode::CbcHmac(_) => {
            let api = api::AesCbcHmacSha256::load(library)?;
            let cipher = api.EVP_aes_128_cbc_hmac_sha256;
            [cipher, cipher, api.EVP_aes_256_cbc_hmac_sha256]
        }
        Mode::Gcm => {
            let api = api::AesGcm::load(library)?;
            [api.EVP_aes_128_gcm, api.EVP_aes_192_gcm, api.EVP_aes_256_gcm]
        }
    };
    let cipher = all[(key_len - 16) / 8];
    // SAFETY: it takes no arguments.
    let cipher = unsafe { cipher() };
    match mode {
        Mode::CbcHmac(_) if cipher.is_null() => Err(lacks_instructions()),
        _ => Ok(cipher),
    }
}
