//! AES in cipher block chaining mode (NIST SP 800-38A, section 6.2), raw or with the padding of PKCS #7 (RFC 5652, section 6.3).
//!
//! An initialization vector must be unpredictable, and new for each message. A longer message can come in chunks: the last block
//! of ciphertext is then the vector of the next chunk.
//!
//! CBC does not authenticate. A system that reveals to a sender that its padding was wrong gives the plaintext away: check a MAC
//! over the ciphertext first, or use AES-GCM.
//!
//! ```
//! use ropewalk::aes_cbc::{Key, padded_len};
//!
//! let key = Key::new(&[7; 32])?;
//! let iv = [0; 16];
//! let mut ciphertext = vec![0; padded_len(14)];
//! key.encrypt_padded_to(&iv, b"attack at dawn", &mut ciphertext)?;
//! assert_eq!(key.decrypt_padded(&iv, &mut ciphertext)?, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::{ConstantTimeEq, ConstantTimeLess};

use crate::{
    aes::{self, RoundKeys, groups::Chosen},
    core::{
        Error,
        backend::{HeldBy, Info, Primitive},
        block::Block,
        ct,
        secret::{Contents, Kept},
        text::{Piece, Text},
    },
};

mod known;
mod many;
pub(crate) mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vperm;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod aesni;
    pub(super) mod aesni_x8;
    pub(super) mod avx2;
    mod chain;
    pub(crate) mod ssse3;
    pub(super) mod vaes256;
    pub(super) mod vaes256_x16;
    pub(super) mod vaes512;
    pub(super) mod vaes512_x16;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64 {
    pub(crate) mod aes;
    pub(super) mod aes_x8;
    pub(crate) mod neon;
}

#[cfg(target_arch = "arm")]
pub(crate) mod arm {
    pub(crate) mod neon;
}

pub(crate) use many::Part;
#[cfg(feature = "cbc-hmac")]
pub(crate) use many::SideBySide;
use many::{EncryptMany, Message as Each};
#[cfg(feature = "many")]
pub use many::{Many, Message, encrypt_many};

/// A key of 16, 24 or 32 bytes.
pub(crate) type Secret<'a> = &'a [u8];

/// The operations of a backend, on texts of whole blocks.
pub(crate) trait Cbc: CbcLaneKey {
    /// Adds each block to the ciphertext before it, and encrypts it.
    fn encrypt(&self, iv: &Block, text: Text<'_>);

    /// Decrypts each block, and adds it to the ciphertext before it.
    fn decrypt(&self, iv: &Block, text: Text<'_>);

    /// The same two for callers with mostly long texts, without the separate path for one block.
    #[cfg(feature = "cbc-hmac")]
    fn encrypt_long(&self, iv: &Block, text: Text<'_>)
    where
        Self: Sized,
    {
        self.encrypt(iv, text);
    }
    #[cfg(feature = "cbc-hmac")]
    fn decrypt_long(&self, iv: &Block, text: Text<'_>)
    where
        Self: Sized,
    {
        self.decrypt(iv, text);
    }

    /// Encrypts one block; `iv` becomes the ciphertext.
    fn encrypt_block(&self, iv: &mut Block, mut block: Piece<'_, 16>) {
        let input = *block.input();
        *block.output() = input;
        self.encrypt(iv, Text::in_place(block.output()));
        *iv = *block.output();
    }

    /// Encrypts messages of one block each serially, without a call between messages whose keys have this backend. At the first
    /// other key, another function takes the rest, so that this one need not preserve registers.
    #[inline(always)]
    fn encrypt_each(&self, messages: &mut [Each<'_>])
    where
        Self: HeldBy<Engine> + Sized,
    {
        for i in 0..messages.len() {
            let Each { key, iv, text } = &mut messages[i];
            match (Self::held_by(&key.engine), <&mut Block>::try_from(&mut **text)) {
                (Some(cbc), Ok(block)) => cbc.encrypt(iv, Text::in_place(block)),
                _ => return Each::all_alone(&mut messages[i..]),
            }
        }
    }
}

/// The part of a backend that lanes use. A separate trait, so that code that queries an engine for it contains no kernels.
pub(crate) trait CbcLaneKey: Send + Sync {
    /// The keys for encryption, where it keeps them in the layout of the standard.
    fn round_keys(&self) -> Option<&RoundKeys> {
        None
    }

    /// The keys for decryption, for backends that decrypt faster.
    #[cfg(target_arch = "x86_64")]
    fn decrypting_keys(&self) -> Option<&RoundKeys> {
        None
    }
}

backends! {
    calls Entries {
        fn encrypt(iv: &Block; text);
        fn decrypt(iv: &Block; text);
        fn encrypt_block(iv: &mut Block, block: Piece<'_, 16>);
        fn encrypt_each(messages: &mut [Each<'_>]);
    }
    dyn Cbc
    tested by known::one;

    /// AES-CBC, most preferred first.
    pub(crate) enum Engine(Secret<'_>): Cbc in "aes_cbc" sweeps 768 or 2560 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512" needs Vaes512 => Vaes512(x86_64::vaes512::Vaes512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256" needs Vaes256 => Vaes256(x86_64::vaes256::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs Aesni => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2 => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs Aes => Aes(aarch64::aes::Aes),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Neon),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

// Cycles for x86-64 are measured, those for Arm counted: eight blocks take 10 pairs of AESE and AESMC each, of which two
// processors' pipes do two a cycle.
backends! {
    calls ManyEntries {
        fn encrypt_many(chosen: Chosen<'_>, messages: &mut [Each<'_>]);
        fn encrypt_parts(chosen: Chosen<'_>, all: &mut dyn Iterator<Item = Part<'_>>);
        fn decrypt_part(part: Part<'_>);
    }
    tested by known::many;

    /// AES-CBC of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their key.
    enum ManyEngine(()): EncryptMany in "aes_cbc" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512_x16" (44 cycles, 170 at the start, 16 lanes) needs Vaes512 => Vaes512x16(x86_64::vaes512_x16::Vaes512x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x16" (48 cycles, 170 at the start, 16 lanes) needs Vaes256 => Vaes256x16(x86_64::vaes256_x16::Vaes256x16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni_x8" (48 cycles, 120 at the start, 8 lanes) needs Aesni => Aesnix8(x86_64::aesni_x8::Aesnix8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_x8" (44 cycles, 30 at the start, 8 lanes) needs Aes => Aesx8(aarch64::aes_x8::Aesx8),
        "portable" (33 cycles) needs Baseline => OneByOne(portable::OneByOne),
    }
}

crate::aes::groups::engine_for_few! {}

/// AES-CBC and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-cbc",
    standard: "NIST SP 800-38A, section 6.2",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = EXAMPLE_PLAINTEXT;
        key.encrypt(&EXAMPLE_IV, &mut text)?;
        let encrypted = text == EXAMPLE_CIPHERTEXT;
        key.decrypt(&EXAMPLE_IV, &mut text)?;
        Ok(encrypted && text == EXAMPLE_PLAINTEXT && known::one(backend)?)
    },
};

/// AES-CBC of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-cbc-many",
    standard: "NIST SP 800-38A, section 6.2",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let key = Key::new(&EXAMPLE_KEY)?;
        let mut texts = [EXAMPLE_PLAINTEXT; 19];
        let mut messages =
            texts.each_mut().map(|text| Message { key: &key, iv: &EXAMPLE_IV, text });
        Many::with_backend(backend)?.encrypt(&mut messages).map_err(|wrong| wrong.error)?;
        Ok(texts == [EXAMPLE_CIPHERTEXT; 19] && known::many(backend)?)
    },
};

/// The length of the ciphertext of a text with padding: one to sixteen bytes more.
pub const fn padded_len(text: usize) -> usize {
    // No buffer is so long that this saturates.
    (text / 16 * 16).saturating_add(16)
}

/// An AES key for cipher block chaining. It is wiped when it is dropped.
pub struct Key {
    engine: Kept<Engine>,
}

impl Contents for Engine {
    const USED: [usize; 2] = [512, 1024];

    fn info(&self) -> &'static Info {
        Engine::info(self)
    }
}

impl Key {
    /// Makes a key of 16, 24 or 32 bytes, with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        aes::check_key(secret)?;
        Ok(Self::of_checked(secret))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        aes::check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(Self::of(make(secret)))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: &[u8]) -> Self {
        Self::of(Engine::best(secret))
    }

    #[inline(always)]
    fn of(engine: Engine) -> Self {
        Self { engine: Kept::new(engine) }
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.public().info().name
    }

    /// Encrypts `text` in place, without padding.
    ///
    /// # Errors
    /// [`Error::Length`] unless it is of whole blocks of 16 bytes; it is then untouched.
    #[inline]
    pub fn encrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        check("text", text.len())?;
        self.engine.encrypt(iv, Text::in_place(text));
        Ok(())
    }

    /// Encrypts `plaintext` to `ciphertext`, without padding.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`], and unless both are equally long; `ciphertext` is then
    /// untouched.
    #[inline]
    pub fn encrypt_to(
        &self,
        iv: &[u8; 16],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        check("text", plaintext.len())?;
        self.engine.encrypt(iv, Text::copying(plaintext, ciphertext)?);
        Ok(())
    }

    /// Encrypts the next chunk of a text in place, and sets `iv` for the chunk after it: to its last block.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`]; nothing has then changed.
    #[inline]
    pub fn encrypt_piece(&self, iv: &mut [u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.encrypt_text(iv, Text::in_place(text))
    }

    /// Encrypts the next chunk of a text, `plaintext`, to `ciphertext`, as [`Key::encrypt_piece`].
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_to`]; nothing has then changed.
    #[inline]
    pub fn encrypt_piece_to(
        &self,
        iv: &mut [u8; 16],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        self.encrypt_text(iv, Text::copying(plaintext, ciphertext)?)
    }

    /// A single block is stored to the output and to `iv` from a register: read back through memory, it would delay the next one.
    #[inline]
    fn encrypt_text(&self, iv: &mut Block, mut text: Text<'_>) -> Result<(), Error> {
        check("text", text.len())?;
        if text.len() == 16
            && let Some(block) = text.next::<16>()
        {
            self.engine.encrypt_block(iv, block);
            return Ok(());
        }
        self.engine.encrypt(iv, text.reborrow());
        if let Some(last) = text.output().last_chunk() {
            *iv = *last;
        }
        Ok(())
    }

    /// Decrypts `text` in place, without padding.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`].
    #[inline]
    pub fn decrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        check("text", text.len())?;
        self.engine.decrypt(iv, Text::in_place(text));
        Ok(())
    }

    /// Decrypts `ciphertext` to `plaintext`, without padding.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_to`].
    #[inline]
    pub fn decrypt_to(
        &self,
        iv: &[u8; 16],
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        check("text", ciphertext.len())?;
        self.engine.decrypt(iv, Text::copying(ciphertext, plaintext)?);
        Ok(())
    }

    /// Encrypts the first `len` bytes of `buffer` in place, padded to the whole buffer.
    ///
    /// # Errors
    /// [`Error::Length`] unless `buffer` has [`padded_len`]`(len)` bytes; it is then untouched.
    #[inline]
    pub fn encrypt_padded(
        &self,
        iv: &[u8; 16],
        buffer: &mut [u8],
        len: usize,
    ) -> Result<(), Error> {
        check_padded(buffer, len)?;
        self.pad_and_encrypt(iv, buffer, len);
        Ok(())
    }

    /// Encrypts `plaintext`, padded, to `ciphertext`.
    ///
    /// # Errors
    /// [`Error::Length`] unless `ciphertext` has [`padded_len`]`(plaintext.len())` bytes; it is then untouched.
    #[inline]
    pub fn encrypt_padded_to(
        &self,
        iv: &[u8; 16],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        let len = plaintext.len();
        check_padded(ciphertext, len)?;
        ciphertext[..len].copy_from_slice(plaintext);
        self.pad_and_encrypt(iv, ciphertext, len);
        Ok(())
    }

    /// Decrypts `text` in place, and returns it without its padding.
    ///
    /// # Errors
    /// [`Error::Forged`] where the padding is wrong, in whatever way; `text` is then zeroed. [`Error::Length`] unless it consists
    /// of whole blocks, at least one; it is then untouched.
    #[inline]
    pub fn decrypt_padded<'a>(
        &self,
        iv: &[u8; 16],
        text: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        check_ciphertext(text)?;
        self.engine.decrypt(iv, Text::in_place(text));
        let len = unpadded_len(text)?;
        Ok(&mut text[..len])
    }

    /// Decrypts `ciphertext` to `plaintext`, and returns how many bytes of it are not padding.
    ///
    /// # Errors
    /// As [`Key::decrypt_padded`], and [`Error::Length`] unless both are equally long: `plaintext` needs space for the padding
    /// too.
    #[inline]
    pub fn decrypt_padded_to(
        &self,
        iv: &[u8; 16],
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<usize, Error> {
        check_ciphertext(ciphertext)?;
        self.engine.decrypt(iv, Text::copying(ciphertext, plaintext)?);
        unpadded_len(plaintext)
    }

    fn pad_and_encrypt(&self, iv: &Block, buffer: &mut [u8], len: usize) {
        let padding = buffer.len() - len;
        buffer[len..].fill(padding as u8);
        self.engine.encrypt(iv, Text::in_place(buffer));
    }
}

#[inline]
pub(crate) fn check(what: &'static str, got: usize) -> Result<(), Error> {
    if !got.is_multiple_of(16) {
        return Err(Error::Length { what, got, allowed: "a multiple of 16 bytes" });
    }
    Ok(())
}

#[inline]
fn check_padded(buffer: &[u8], len: usize) -> Result<(), Error> {
    let (got, allowed) = (buffer.len(), "the next multiple of 16 bytes above the text's length");
    if got != padded_len(len) {
        return Err(Error::Length { what: "padded text", got, allowed });
    }
    Ok(())
}

#[inline]
fn check_ciphertext(text: &[u8]) -> Result<(), Error> {
    let (got, allowed) = (text.len(), "a multiple of 16 bytes, and not zero");
    if got == 0 || !got.is_multiple_of(16) {
        return Err(Error::Length { what: "padded text", got, allowed });
    }
    Ok(())
}

/// The length without the padding, which is checked in constant time; a text with wrong padding is zeroed. The length is secret
/// until the padding is known to be right.
fn unpadded_len(text: &mut [u8]) -> Result<usize, Error> {
    let Some(last) = text.last_chunk::<16>() else { unreachable!("at least one block") };
    let padding = last[15];
    let mut right = !padding.ct_eq(&0) & padding.ct_lt(&17);
    for (i, byte) in (1..=16).zip(last.iter().rev()) {
        right &= padding.ct_lt(&i) | byte.ct_eq(&padding);
    }
    if ct::verdict(right) {
        return Ok(text.len() - usize::from(ct::told(padding)));
    }
    text.fill(0);
    Err(Error::Forged)
}

/// SP 800-38A, F.2.1: the first two blocks.
const EXAMPLE_KEY: [u8; 16] = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
const EXAMPLE_IV: Block = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
const EXAMPLE_PLAINTEXT: [u8; 32] =
    *b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a\
       \xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51";
const EXAMPLE_CIPHERTEXT: [u8; 32] =
    *b"\x76\x49\xab\xac\x81\x19\xb2\x46\xce\xe9\x8e\x9b\x12\xe9\x19\x7d\
       \x50\x86\xcb\x9b\x50\x72\x19\xee\x95\xdb\x11\x3a\x91\x76\x78\xb2";
