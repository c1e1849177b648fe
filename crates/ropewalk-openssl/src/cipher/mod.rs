//! CIPHER: AES in every mode of the library, ChaCha20, and records of TLS.

use core::marker::PhantomData;

use ropewalk::{sha1::Sha1, sha256::Sha256};

use crate::{
    abi::{Algorithm, Context, Dispatch, Success, cipher, list},
    call::{answer, drop_held, duplicate, hold, plain, with},
    error::Reason,
    params::{self, Param, Params, view},
    stats::Counter,
    version::Version,
};
use io::{Io, Output};

mod aead;
mod block;
mod cbc_hmac;
mod ccm;
mod io;
mod key;
mod pipes;
mod stream;
mod tls;
mod wrap;
mod xts;

/// The results of `EVP_CIPHER_get_mode`.
pub(crate) mod mode {
    pub(crate) const STREAM: u32 = 0;
    pub(crate) const ECB: u32 = 1;
    pub(crate) const CBC: u32 = 2;
    pub(crate) const CTR: u32 = 5;
    pub(crate) const GCM: u32 = 6;
    pub(crate) const CCM: u32 = 7;
    pub(crate) const XTS: u32 = 0x10001;
    pub(crate) const WRAP: u32 = 0x10002;
}

/// The direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Encrypt,
    Decrypt,
}

/// A cipher as it is offered to OpenSSL.
pub(crate) trait Cipher: Clone + 'static {
    /// One of [`mode`].
    const MODE: u32;
    /// In bytes.
    const KEY_LEN: usize;
    /// In bytes; the default, if it can be changed.
    const IV_LEN: usize;
    /// In bytes; 1 for ciphers that do not work on blocks.
    const BLOCK_LEN: usize = 1;
    const AEAD: bool = false;
    /// Whether it manages its nonce itself.
    const CUSTOM_IV: bool = false;
    /// Whether it can seal a batch of TLS records.
    const MULTIBLOCK: bool = false;
    /// Whether it can process a batch of messages with one key.
    const PIPES: bool = false;
    /// The parameters of a context that can be read, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new(version: Version) -> Self;
    /// Begins a message; arguments that are absent keep their last value.
    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason>;
    /// Processes the next chunk of a text, or of additional data if there is no output. Returns the number of
    /// bytes written.
    fn update(&mut self, io: &mut Io) -> Result<usize, Reason>;
    /// Ends a message.
    fn finish(&mut self, out: &mut Output) -> Result<usize, Reason>;
    /// Implements `EVP_Cipher`: processes a chunk without the buffering of `update`, or the end if there is
    /// no input.
    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        if io.is_end() { self.finish(&mut io.output()) } else { self.update(io) }
    }
    /// Reads a parameter, if it is known.
    fn get(&mut self, param: &mut Param) -> Result<(), Reason>;
    /// Begins a batch of messages.
    fn begin_pipes(&mut self, _: Way, _: Option<&[u8]>, _: usize) -> Result<(), Reason> {
        Err(Reason::CipherOperationFailed)
    }
    /// A message of the batch.
    fn pipe(&mut self, _: usize) -> Result<&mut Self, Reason> {
        Err(Reason::CipherOperationFailed)
    }
    /// Processes the next chunk of each message of the batch.
    fn update_pipes(&mut self, pipes: usize, io: &dyn Fn(usize) -> Io) -> Result<(), Reason> {
        (0..pipes).try_for_each(|i| self.pipe(i)?.update(&mut io(i)).map(|_| ()))
    }
    /// Sets a parameter, if it is known.
    fn set(&mut self, param: &Param) -> Result<(), Reason>;
    /// Sets all parameters of a call, some of which may belong together.
    fn set_all(&mut self, mut params: Params<'_>) -> Result<(), Reason> {
        params.try_for_each(|param| self.set(param))
    }
}

/// The counter of a cipher.
pub(crate) trait Named {
    const COUNTER: &'static Counter;
}

/// Declares the list: the names of each cipher, its name in counters, and its type.
macro_rules! ciphers {
    ($( $names:literal, $counted:literal: $Cipher:ty; )+) => {
        $(
            impl Named for $Cipher {
                const COUNTER: &'static Counter = {
                    static COUNTER: Counter = Counter::new($counted);
                    &COUNTER
                };
            }
        )+

        /// The ciphers that are offered.
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            $( Algorithm::new($names, Functions::<$Cipher>::ALL), )+
            Algorithm::END,
        ];

        /// The counters.
        pub(crate) static COUNTERS: &[&Counter] = &[$( <$Cipher as Named>::COUNTER, )+];
    };
}

ciphers! {
    c"AES-128-ECB:2.16.840.1.101.3.4.1.1", "AES-128-ECB": block::Ecb<16>;
    c"AES-192-ECB:2.16.840.1.101.3.4.1.21", "AES-192-ECB": block::Ecb<24>;
    c"AES-256-ECB:2.16.840.1.101.3.4.1.41", "AES-256-ECB": block::Ecb<32>;
    c"AES-128-CBC:AES128:2.16.840.1.101.3.4.1.2", "AES-128-CBC": block::Cbc<16>;
    c"AES-192-CBC:AES192:2.16.840.1.101.3.4.1.22", "AES-192-CBC": block::Cbc<24>;
    c"AES-256-CBC:AES256:2.16.840.1.101.3.4.1.42", "AES-256-CBC": block::Cbc<32>;
    c"AES-128-CTR", "AES-128-CTR": stream::Ctr<16>;
    c"AES-192-CTR", "AES-192-CTR": stream::Ctr<24>;
    c"AES-256-CTR", "AES-256-CTR": stream::Ctr<32>;
    c"ChaCha20", "ChaCha20": stream::ChaCha20;
    c"AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6", "AES-128-GCM": aead::Gcm<16>;
    c"AES-192-GCM:id-aes192-GCM:2.16.840.1.101.3.4.1.26", "AES-192-GCM": aead::Gcm<24>;
    c"AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", "AES-256-GCM": aead::Gcm<32>;
    c"ChaCha20-Poly1305", "ChaCha20-Poly1305": aead::ChaCha20Poly1305;
    c"AES-128-CCM:id-aes128-CCM:2.16.840.1.101.3.4.1.7", "AES-128-CCM": ccm::Ccm<16>;
    c"AES-192-CCM:id-aes192-CCM:2.16.840.1.101.3.4.1.27", "AES-192-CCM": ccm::Ccm<24>;
    c"AES-256-CCM:id-aes256-CCM:2.16.840.1.101.3.4.1.47", "AES-256-CCM": ccm::Ccm<32>;
    c"AES-128-XTS:1.3.111.2.1619.0.1.1", "AES-128-XTS": xts::Xts<32>;
    c"AES-256-XTS:1.3.111.2.1619.0.1.2", "AES-256-XTS": xts::Xts<64>;
    c"AES-128-WRAP:id-aes128-wrap:AES128-WRAP:2.16.840.1.101.3.4.1.5", "AES-128-WRAP": wrap::Wrap<16, 8>;
    c"AES-192-WRAP:id-aes192-wrap:AES192-WRAP:2.16.840.1.101.3.4.1.25", "AES-192-WRAP": wrap::Wrap<24, 8>;
    c"AES-256-WRAP:id-aes256-wrap:AES256-WRAP:2.16.840.1.101.3.4.1.45", "AES-256-WRAP": wrap::Wrap<32, 8>;
    c"AES-128-WRAP-PAD:id-aes128-wrap-pad:AES128-WRAP-PAD:2.16.840.1.101.3.4.1.8", "AES-128-WRAP-PAD": wrap::Wrap<16, 4>;
    c"AES-192-WRAP-PAD:id-aes192-wrap-pad:AES192-WRAP-PAD:2.16.840.1.101.3.4.1.28", "AES-192-WRAP-PAD": wrap::Wrap<24, 4>;
    c"AES-256-WRAP-PAD:id-aes256-wrap-pad:AES256-WRAP-PAD:2.16.840.1.101.3.4.1.48", "AES-256-WRAP-PAD": wrap::Wrap<32, 4>;
    c"AES-128-CBC-HMAC-SHA1", "AES-128-CBC-HMAC-SHA1": cbc_hmac::CbcHmac<Sha1, 16>;
    c"AES-256-CBC-HMAC-SHA1", "AES-256-CBC-HMAC-SHA1": cbc_hmac::CbcHmac<Sha1, 32>;
    c"AES-128-CBC-HMAC-SHA256", "AES-128-CBC-HMAC-SHA256": cbc_hmac::CbcHmac<Sha256, 16>;
    c"AES-256-CBC-HMAC-SHA256", "AES-256-CBC-HMAC-SHA256": cbc_hmac::CbcHmac<Sha256, 32>;
}

/// The first name of a cipher, by any of its names.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    ALGORITHMS.iter().find(|own| own.is(name)).map(Algorithm::first_name)
}

/// The functions of a cipher, for OpenSSL.
struct Functions<C>(PhantomData<C>);

impl<C: Cipher + Named> Functions<C> {
    const ALL: &'static [Dispatch] = match C::MODE {
        // OpenSSL's own provider has no function for `EVP_Cipher` here. Programs determine from that what
        // `EVP_Cipher` returns.
        mode::WRAP => &Self::WITHOUT_CIPHER,
        _ if C::PIPES => &Self::WITH_PIPES,
        _ => &Self::WITHOUT_PIPES,
    };

    const FUNCTIONS: [Dispatch; 13] = [
        cipher::NEWCTX.is(Self::newctx),
        cipher::ENCRYPT_INIT.is(Self::encrypt_init),
        cipher::DECRYPT_INIT.is(Self::decrypt_init),
        cipher::UPDATE.is(Self::update),
        cipher::FINAL.is(Self::finish),
        cipher::FREECTX.is(Self::freectx),
        cipher::DUPCTX.is(Self::dupctx),
        cipher::GET_PARAMS.is(Self::get_params),
        cipher::GETTABLE_PARAMS.is(Self::gettable_params),
        cipher::GET_CTX_PARAMS.is(Self::get_ctx_params),
        cipher::GETTABLE_CTX_PARAMS.is(Self::gettable_ctx_params),
        cipher::SET_CTX_PARAMS.is(Self::set_ctx_params),
        cipher::SETTABLE_CTX_PARAMS.is(Self::settable_ctx_params),
    ];

    const WITHOUT_CIPHER: [Dispatch; 14] = list(Self::FUNCTIONS, []);

    const WITHOUT_PIPES: [Dispatch; 15] = list(Self::FUNCTIONS, [cipher::CIPHER.is(Self::cipher)]);

    const WITH_PIPES: [Dispatch; 19] = list(
        Self::FUNCTIONS,
        [
            cipher::CIPHER.is(Self::cipher),
            cipher::PIPELINE_ENCRYPT_INIT.is(pipes::encrypt_init::<C>),
            cipher::PIPELINE_DECRYPT_INIT.is(pipes::decrypt_init::<C>),
            cipher::PIPELINE_UPDATE.is(pipes::update::<C>),
            cipher::PIPELINE_FINAL.is(pipes::finish::<C>),
        ],
    );

    unsafe extern "C" fn newctx(provider: Context) -> Context {
        // SAFETY: OpenSSL passes the context of the provider.
        unsafe { hold(provider, C::new) }
    }

    unsafe extern "C" fn freectx(context: Context) {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { drop_held::<C>(context) }
    }

    unsafe extern "C" fn dupctx(context: Context) -> Context {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { duplicate::<C>(context) }
    }

    unsafe extern "C" fn encrypt_init(
        context: Context,
        key: *const u8,
        key_len: usize,
        iv: *const u8,
        iv_len: usize,
        params: *const Param,
    ) -> Success {
        // SAFETY: as `init`.
        unsafe { Self::init(context, Way::Encrypt, [(key, key_len), (iv, iv_len)], params) }
    }

    unsafe extern "C" fn decrypt_init(
        context: Context,
        key: *const u8,
        key_len: usize,
        iv: *const u8,
        iv_len: usize,
        params: *const Param,
    ) -> Success {
        // SAFETY: as `init`.
        unsafe { Self::init(context, Way::Decrypt, [(key, key_len), (iv, iv_len)], params) }
    }

    /// # Safety
    /// OpenSSL passes what `newctx` returned, a key and a nonce or null, and a list of parameters.
    unsafe fn init(
        context: Context,
        way: Way,
        given: [(*const u8, usize); 2],
        params: *const Param,
    ) -> Success {
        let [key, iv] = given.map(|(pointer, len)| {
            // SAFETY: as the caller says.
            (!pointer.is_null()).then(|| unsafe { view(pointer, len) })
        });
        // SAFETY: as the caller says.
        let params = unsafe { params::each(params) };
        let init = |cipher: &mut C| {
            C::COUNTER.begin();
            cipher.init(way, key, iv)?;
            cipher.set_all(params)
        };
        // SAFETY: as the caller says.
        unsafe { with(context, init) }
    }

    unsafe extern "C" fn update(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
        text: *const u8,
        len: usize,
    ) -> Success {
        let mut io = Io::new(text, len, out, room);
        // SAFETY: OpenSSL passes what `newctx` returned, and buffers of these lengths.
        unsafe { Self::written(context, written, len, |cipher| cipher.update(&mut io)) }
    }

    unsafe extern "C" fn cipher(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
        text: *const u8,
        len: usize,
    ) -> Success {
        let mut io = Io::new(text, len, out, room);
        // SAFETY: as `update`.
        unsafe { Self::written(context, written, len, |cipher| cipher.cipher(&mut io)) }
    }

    unsafe extern "C" fn finish(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        // SAFETY: as `update`.
        unsafe {
            Self::written(context, written, 0, |cipher| cipher.finish(&mut Output::new(out, room)))
        }
    }

    /// # Safety
    /// OpenSSL passes what `newctx` returned, and `written` is null or has space for a number.
    #[inline]
    unsafe fn written(
        context: Context,
        written: *mut usize,
        len: usize,
        what: impl FnOnce(&mut C) -> Result<usize, Reason>,
    ) -> Success {
        // SAFETY: as the caller says.
        let written = unsafe { written.as_mut() };
        let what = |cipher: &mut C| {
            C::COUNTER.count(len);
            let bytes = what(cipher)?;
            if let Some(written) = written {
                *written = bytes;
            }
            Ok(())
        };
        // SAFETY: as the caller says.
        unsafe { with(context, what) }
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> Success {
        plain(|| {
            // SAFETY: OpenSSL passes such a list.
            unsafe {
                answer(params, |param| match param.name() {
                    b"mode" => param.set_number(C::MODE.into()),
                    b"keylen" => param.set_number(C::KEY_LEN as u64),
                    b"ivlen" => param.set_number(C::IV_LEN as u64),
                    b"blocksize" => param.set_number(C::BLOCK_LEN as u64),
                    b"aead" => param.set_number(C::AEAD.into()),
                    b"custom-iv" => param.set_number(C::CUSTOM_IV.into()),
                    b"tls-multi" => param.set_number(C::MULTIBLOCK.into()),
                    b"cts" | b"has-randkey" | b"encrypt-then-mac" => param.set_number(0),
                    _ => Ok(()),
                })
            }
        })
    }

    unsafe extern "C" fn gettable_params(_: Context) -> *const Param {
        static PARAMS: &[Param] = &[
            Param::number(c"mode"),
            Param::number(c"keylen"),
            Param::number(c"ivlen"),
            Param::number(c"blocksize"),
            Param::integer(c"aead"),
            Param::integer(c"custom-iv"),
            Param::integer(c"cts"),
            Param::integer(c"tls-multi"),
            Param::integer(c"has-randkey"),
            Param::integer(c"encrypt-then-mac"),
            Param::END,
        ];
        PARAMS.as_ptr()
    }

    unsafe extern "C" fn get_ctx_params(context: Context, params: *mut Param) -> Success {
        let get = |cipher: &mut C| {
            // SAFETY: OpenSSL passes such a list.
            unsafe { answer(params, |param| cipher.get(param)) }
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, get) }
    }

    unsafe extern "C" fn gettable_ctx_params(_: Context, _: Context) -> *const Param {
        C::GETTABLE.as_ptr()
    }

    unsafe extern "C" fn set_ctx_params(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |cipher: &mut C| cipher.set_all(params)) }
    }

    unsafe extern "C" fn settable_ctx_params(_: Context, _: Context) -> *const Param {
        C::SETTABLE.as_ptr()
    }
}

/// Checks the length of a key.
fn check_key(key: &[u8], len: usize) -> Result<(), Reason> {
    if key.len() == len { Ok(()) } else { Err(Reason::InvalidKeyLength) }
}
