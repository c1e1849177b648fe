//! AES in electronic codebook mode: block by block (NIST SP 800-38A, section 6.1).
//!
//! This is a building block. Do not encrypt messages with it: equal blocks of a text give equal blocks of ciphertext, which
//! reveals structure. It is for constructions that are defined on the block cipher, such as masks that hide packet numbers (RFC
//! 9001, section 5.4.3), and for modes that this library does not have.
//!
//! ```
//! use ropewalk::aes_ecb::Key;
//!
//! let key = Key::new(&[7; 16])?;
//! let mut blocks = [3; 48];
//! key.encrypt(&mut blocks)?;
//! assert_eq!(blocks[..16], blocks[32..]);
//! key.decrypt(&mut blocks)?;
//! assert_eq!(blocks, [3; 48]);
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    aes,
    core::{
        Error,
        backend::{Info, Primitive},
        secret::{Contents, Kept},
        text::Text,
    },
};

mod known;
mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod vperm;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod aesni;
    pub(super) mod avx2;
    pub(super) mod ssse3;
    pub(crate) mod vaes256;
    pub(crate) mod vaes512;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64 {
    pub(crate) mod aes;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// The operations of a backend, on texts of whole blocks.
trait Ecb: Send + Sync {
    /// Encrypts each block.
    fn encrypt(&self, text: Text<'_>);

    /// Decrypts each block.
    fn decrypt(&self, text: Text<'_>);
}

backends! {
    calls Entries {
        fn encrypt(; text);
        fn decrypt(; text);
    }
    tested by known::one;

    /// AES-ECB, most preferred first.
    #[derive(Clone)]
    enum Engine(Secret<'_>): Ecb in "aes_ecb" sweeps 1024 or 1536 {
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

/// AES-ECB and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-ecb",
    standard: "NIST SP 800-38A, section 6.1",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut text = EXAMPLE_PLAINTEXT;
        key.encrypt(&mut text)?;
        let encrypted = text == EXAMPLE_CIPHERTEXT;
        key.decrypt(&mut text)?;
        Ok(encrypted && text == EXAMPLE_PLAINTEXT && known::one(backend)?)
    },
};

/// An AES key for single blocks. It is wiped when it is dropped, and so is a clone.
#[derive(Clone)]
pub struct Key {
    engine: Kept<Engine>,
}

impl Contents for Engine {
    const USED: [usize; 2] = [256, 1024];

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

    /// Encrypts each block of `text` in place.
    ///
    /// # Errors
    /// [`Error::Length`] unless it consists of whole blocks of 16 bytes; it is then untouched.
    #[inline]
    pub fn encrypt(&self, text: &mut [u8]) -> Result<(), Error> {
        check(text.len())?;
        self.engine.encrypt(Text::in_place(text));
        Ok(())
    }

    /// Encrypts each block of `plaintext` to `ciphertext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`], and unless both are equally long; `ciphertext` is then
    /// untouched.
    #[inline]
    pub fn encrypt_to(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Result<(), Error> {
        check(plaintext.len())?;
        self.engine.encrypt(Text::copying(plaintext, ciphertext)?);
        Ok(())
    }

    /// Decrypts each block of `text` in place.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt`].
    #[inline]
    pub fn decrypt(&self, text: &mut [u8]) -> Result<(), Error> {
        check(text.len())?;
        self.engine.decrypt(Text::in_place(text));
        Ok(())
    }

    /// Decrypts each block of `ciphertext` to `plaintext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Key::encrypt_to`].
    #[inline]
    pub fn decrypt_to(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
        check(ciphertext.len())?;
        self.engine.decrypt(Text::copying(ciphertext, plaintext)?);
        Ok(())
    }
}

#[inline]
fn check(got: usize) -> Result<(), Error> {
    if !got.is_multiple_of(16) {
        return Err(Error::Length { what: "text", got, allowed: "a multiple of 16 bytes" });
    }
    Ok(())
}

/// SP 800-38A, F.1.1: the first two blocks.
const EXAMPLE_KEY: [u8; 16] = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
const EXAMPLE_PLAINTEXT: [u8; 32] =
    *b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a\
       \xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51";
const EXAMPLE_CIPHERTEXT: [u8; 32] =
    *b"\x3a\xd7\x7b\xb4\x0d\x7a\x36\x60\xa8\x9e\xca\xf3\x24\x66\xef\x97\
       \xf5\xd3\xd5\x85\x03\xb9\x69\x9d\xe7\x85\x89\x5a\x96\xfd\xba\xaf";
