//! AES-XTS (IEEE Std 1619, section 5; NIST SP 800-38E), which encrypts storage sectors without expansion.
//!
//! A data unit, such as a sector, has 16 bytes to 2^20 blocks, the last of which may be partial, and a tweak: most often its
//! number, which [`Key::encrypt_sectors`] counts up. There is no nonce and no tag: the same text under the same tweak gives the
//! same ciphertext, and a modified block decrypts to a different one without an error. Use it for storage that has no space for
//! more. Where there is space, use AES-GCM.
//!
//! ```
//! use ropewalk::aes_xts::Key;
//!
//! let secret: Vec<u8> = (0..64).collect();
//! let key = Key::new(&secret)?;
//! let mut sectors = vec![0; 8 * 512];
//! key.encrypt_sectors(1000, 512, &mut sectors)?;
//!
//! let mut sector = sectors[3 * 512..][..512].to_vec();
//! key.decrypt(&ropewalk::aes_xts::sector_tweak(1003), &mut sector)?;
//! assert_eq!(sector, [0; 512]);
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::ConstantTimeEq;

use crate::core::{
    Error,
    backend::{HeldBy, Info, Primitive},
    block::Block,
    ct,
    secret::{Contents, Kept},
    text::Text,
};

mod known;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod many;
mod portable;
mod units;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vperm;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod aesni_x8;
    pub(super) mod avx2;
    mod backends;
    pub(super) mod ssse3;
    pub(super) mod vaes256;
    pub(super) mod vaes256_x8;
    pub(super) mod vaes512;
    pub(super) mod vaes512_x8;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    pub(super) mod aes_x8;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

#[cfg(feature = "many")]
pub use many::{Many, Message, decrypt_many, encrypt_many};
use many::{Message as Each, XtsMany};

/// The key for texts and the key for tweaks: two of 16 or two of 32 bytes.
type Secret<'a> = [&'a [u8]; 2];

/// The operations of a backend, on texts of data units of `unit` bytes each. Unit and text have at least 16 bytes. The first unit
/// has the given tweak, and each further one the next number, little-endian.
trait Xts: Send + Sync {
    /// XTS-AES-Enc (section 5.3).
    fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>);

    /// XTS-AES-Dec (section 5.4).
    fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>);

    /// Encrypts units of one block each serially, without a call between units whose keys have this backend. At the first other
    /// key, another function takes the rest, so that this one need not preserve registers.
    #[inline(always)]
    fn encrypt_each(&self, messages: &mut [Each<'_>])
    where
        Self: HeldBy<Engine> + Sized,
    {
        for i in 0..messages.len() {
            let Each { key, tweak, text } = &mut messages[i];
            match (Self::held_by(&key.engine), <&mut Block>::try_from(&mut **text)) {
                (Some(xts), Ok(block)) => xts.encrypt(tweak, 16, Text::in_place(block)),
                _ => return Each::all_alone::<true>(&mut messages[i..]),
            }
        }
    }

    /// Decrypts units of one block in the same way.
    #[inline(always)]
    fn decrypt_each(&self, messages: &mut [Each<'_>])
    where
        Self: HeldBy<Engine> + Sized,
    {
        for i in 0..messages.len() {
            let Each { key, tweak, text } = &mut messages[i];
            match (Self::held_by(&key.engine), <&mut Block>::try_from(&mut **text)) {
                (Some(xts), Ok(block)) => xts.decrypt(tweak, 16, Text::in_place(block)),
                _ => return Each::all_alone::<false>(&mut messages[i..]),
            }
        }
    }
}

backends! {
    calls Entries {
        fn encrypt(tweak: &Block, unit: usize; text);
        fn decrypt(tweak: &Block, unit: usize; text);
        fn encrypt_each(messages: &mut [Each<'_>]);
        fn decrypt_each(messages: &mut [Each<'_>]);
    }
    tested by known::one;

    /// AES-XTS, most preferred first.
    enum Engine(Secret<'_>): Xts in "aes_xts" sweeps 2048 or 4096 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512" needs VaesClmul512 => Vaes512(x86_64::vaes512::Vaes512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256" needs Vaes256Clmul => Vaes256(x86_64::vaes256::Vaes256),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
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

backends! {
    calls ManyEntries {
        fn encrypt_many(messages: &mut [Each<'_>]);
        fn decrypt_many(messages: &mut [Each<'_>]);
    }
    tested by known::many;

    /// AES-XTS of many data units, most preferred first.
    enum ManyEngine(()): XtsMany in "aes_xts" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes512_x8" (0 cycles, 0 at the start, 8 lanes) needs VaesClmul512 => Vaes512x8(x86_64::vaes512_x8::Vaes512x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x8" (0 cycles, 0 at the start, 8 lanes) needs Vaes256Clmul => Vaes256x8(x86_64::vaes256_x8::Vaes256x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni_x8" (0 cycles, 0 at the start, 8 lanes) needs AesniClmul => Aesnix8(x86_64::aesni_x8::Aesnix8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_x8" (0 cycles, 0 at the start, 8 lanes) needs Aes => Aesx8(aarch64::aes_x8::Aesx8),
        "portable" needs Baseline => OneByOne(portable::OneByOne),
    }
}

/// AES-XTS and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-xts",
    standard: "IEEE Std 1619-2018, section 5",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = EXAMPLE_PLAINTEXT;
        key.encrypt(&EXAMPLE_TWEAK, &mut text)?;
        let encrypted = text == EXAMPLE_CIPHERTEXT;
        key.decrypt(&EXAMPLE_TWEAK, &mut text)?;
        Ok(encrypted && text == EXAMPLE_PLAINTEXT && known::one(backend)?)
    },
};

/// AES-XTS of many data units and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-xts-many",
    standard: "IEEE Std 1619-2018, section 5",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let (many, key) = (Many::with_backend(backend)?, Key::new(&EXAMPLE_KEY)?);
        let mut texts = [EXAMPLE_PLAINTEXT; 19];
        let mut messages =
            texts.each_mut().map(|text| Message { key: &key, tweak: &EXAMPLE_TWEAK, text });
        many.encrypt(&mut messages).map_err(|wrong| wrong.error)?;
        let encrypted = messages.iter().all(|message| *message.text == EXAMPLE_CIPHERTEXT);
        many.decrypt(&mut messages).map_err(|wrong| wrong.error)?;
        Ok(encrypted && texts == [EXAMPLE_PLAINTEXT; 19] && known::many(backend)?)
    },
};

/// The longest data unit in bytes: 2^20 blocks (SP 800-38E, section 4).
pub const LONGEST_UNIT: usize = 16 << 20;

/// The tweak of a sector: its number, little-endian.
pub const fn sector_tweak(sector: u64) -> [u8; 16] {
    (sector as u128).to_le_bytes()
}

/// A key of AES-XTS. It is wiped when it is dropped.
pub struct Key {
    engine: Kept<Engine>,
}

impl Contents for Engine {
    const USED: [usize; 2] = [1536, 1536];

    fn info(&self) -> &'static Info {
        Engine::info(self)
    }
}

impl Key {
    /// Makes a key of 32 bytes for AES-128, or 64 for AES-256, with the best backend of this processor. The first half is for
    /// texts, the second for tweaks.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length. [`Error::EqualHalves`] where both halves are the same: such a key is weaker, and
    /// FIPS 140-3 (Implementation Guidance, C.I) forbids it.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        check_key(secret)?;
        Ok(Self::of_checked(secret))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; others as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(Self::of(make(halves(secret))))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: &[u8]) -> Self {
        Self::of(Engine::best(halves(secret)))
    }

    #[inline(always)]
    fn of(engine: Engine) -> Self {
        Self { engine: Kept::new(engine) }
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.public().info().name
    }

    /// Encrypts a data unit in place.
    ///
    /// # Errors
    /// [`Error::Length`] unless `text` has 16 to [`LONGEST_UNIT`] bytes; it is then untouched.
    #[inline]
    pub fn encrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        check_unit("text", text.len())?;
        self.engine.encrypt(tweak, text.len(), Text::in_place(text));
        Ok(())
    }

    /// Encrypts the data unit `plaintext` to `ciphertext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`], and unless both are equally long; `ciphertext` is then
    /// untouched.
    #[inline]
    pub fn encrypt_to(
        &self,
        tweak: &[u8; 16],
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        check_unit("text", plaintext.len())?;
        self.engine.encrypt(tweak, plaintext.len(), Text::copying(plaintext, ciphertext)?);
        Ok(())
    }

    /// Decrypts a data unit in place.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`].
    #[inline]
    pub fn decrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        check_unit("text", text.len())?;
        self.engine.decrypt(tweak, text.len(), Text::in_place(text));
        Ok(())
    }

    /// Decrypts the data unit `ciphertext` to `plaintext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_to`].
    #[inline]
    pub fn decrypt_to(
        &self,
        tweak: &[u8; 16],
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        check_unit("text", ciphertext.len())?;
        self.engine.decrypt(tweak, ciphertext.len(), Text::copying(ciphertext, plaintext)?);
        Ok(())
    }

    /// Encrypts sectors of `size` bytes in place, each a data unit. They are numbered from `first` on, and their tweaks are those
    /// of [`sector_tweak`]. Numbers from 2^64 on are not truncated: a tweak has 128 bits.
    ///
    /// # Errors
    /// [`Error::Length`] unless `size` is 16 to [`LONGEST_UNIT`] bytes, and `text` consists of whole sectors; it is then
    /// untouched.
    #[inline]
    pub fn encrypt_sectors(&self, first: u64, size: usize, text: &mut [u8]) -> Result<(), Error> {
        check_sectors(size, text.len())?;
        self.encrypt_all(first, size, Text::in_place(text));
        Ok(())
    }

    /// Encrypts the sectors `plaintext` to `ciphertext`, as [`Key::encrypt_sectors`].
    ///
    /// # Errors
    /// [`Error::Length`] as there, and unless both are equally long; `ciphertext` is then untouched.
    #[inline]
    pub fn encrypt_sectors_to(
        &self,
        first: u64,
        size: usize,
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        check_sectors(size, plaintext.len())?;
        self.encrypt_all(first, size, Text::copying(plaintext, ciphertext)?);
        Ok(())
    }

    /// Decrypts the output of [`Key::encrypt_sectors`] in place.
    ///
    /// # Errors
    /// [`Error::Length`] as there.
    #[inline]
    pub fn decrypt_sectors(&self, first: u64, size: usize, text: &mut [u8]) -> Result<(), Error> {
        check_sectors(size, text.len())?;
        self.decrypt_all(first, size, Text::in_place(text));
        Ok(())
    }

    /// Decrypts the output of [`Key::encrypt_sectors`] to `plaintext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_sectors_to`].
    #[inline]
    pub fn decrypt_sectors_to(
        &self,
        first: u64,
        size: usize,
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        check_sectors(size, ciphertext.len())?;
        self.decrypt_all(first, size, Text::copying(ciphertext, plaintext)?);
        Ok(())
    }

    #[inline]
    fn encrypt_all(&self, first: u64, size: usize, text: Text<'_>) {
        if text.len() > 0 {
            self.engine.encrypt(&sector_tweak(first), size, text);
        }
    }

    #[inline]
    fn decrypt_all(&self, first: u64, size: usize, text: Text<'_>) {
        if text.len() > 0 {
            self.engine.decrypt(&sector_tweak(first), size, text);
        }
    }
}

/// Inlined, like [`aes::check_key`].
#[doc(hidden)]
#[inline]
pub fn check_key(secret: &[u8]) -> Result<(), Error> {
    let got = secret.len();
    if got != 32 && got != 64 {
        return Err(Error::Length { what: "AES-XTS key", got, allowed: "32 or 64 bytes" });
    }
    if has_equal_halves(secret) { Err(Error::EqualHalves) } else { Ok(()) }
}

#[inline(never)]
fn has_equal_halves(secret: &[u8]) -> bool {
    let [text, tweak] = halves(secret);
    ct::verdict(text.ct_eq(tweak))
}

/// Both halves of a key that has been checked.
#[inline]
fn halves(secret: &[u8]) -> Secret<'_> {
    let (text, tweak) = secret.split_at(secret.len() / 2);
    [text, tweak]
}

#[inline]
pub(crate) fn check_unit(what: &'static str, got: usize) -> Result<(), Error> {
    if !(16..=LONGEST_UNIT).contains(&got) {
        return Err(Error::Length { what, got, allowed: "16 to 2^24 bytes" });
    }
    Ok(())
}

#[inline]
fn check_sectors(size: usize, got: usize) -> Result<(), Error> {
    check_unit("sector", size)?;
    if !got.is_multiple_of(size) {
        return Err(Error::Length {
            what: "text",
            got,
            allowed: "a multiple of the sector's size",
        });
    }
    Ok(())
}

/// NIST CAVP, XTSGenAES128 with tweaks of 128 bits, encryption, number 301: two blocks, the second short.
const EXAMPLE_KEY: [u8; 32] = *b"\x39\x4c\x97\x88\x1a\xbd\x98\x9d\x29\xc7\x03\xe4\x8a\x72\xb3\x97\
                                 \xa7\xac\xf5\x1b\x59\x64\x9e\xee\xa9\xb3\x32\x74\xd8\x54\x1d\xf4";
const EXAMPLE_TWEAK: Block = 0x4b15c684a152d485fe9937d39b168c29_u128.to_be_bytes();
const EXAMPLE_PLAINTEXT: [u8; 25] =
    *b"\x2f\x3b\x9d\xcf\xba\xe7\x29\x58\x3b\x1d\x1f\xfd\xd1\x6b\xb6\xfe\
       \x27\x57\x32\x94\x35\x66\x2a\x78\xf0";
const EXAMPLE_CIPHERTEXT: [u8; 25] =
    *b"\xf3\x47\x38\x02\xe3\x8a\x3f\xfe\xf4\xd4\xfb\x8e\x6a\xa2\x66\xeb\
       \xde\x55\x3a\x64\x52\x8a\x06\x46\x3e";
