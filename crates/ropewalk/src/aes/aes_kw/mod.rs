//! AES key wrap (NIST SP 800-38F, KW and KWP; RFC 3394 and RFC 5649).
//!
//! Keys are wrapped for storage or transport, without a nonce: wrapping the same key twice gives the same result. A wrapped key
//! is eight bytes longer: in place, these are the first eight bytes of the buffer. Keys of whole semiblocks of eight bytes need
//! no padding (KW); keys of any length are padded (`_padded`, KWP).
//!
//! ```
//! use ropewalk::aes_kw::{Key, padded_len};
//!
//! let key = Key::new(&[7; 32])?;
//! let mut wrapped = [0; 24];
//! key.wrap_to(&[1; 16], &mut wrapped)?;
//! assert_eq!(key.unwrap(&mut wrapped)?, &[1; 16]);
//!
//! let mut wrapped = vec![0; padded_len(14)];
//! key.wrap_padded_to(b"attack at dawn", &mut wrapped)?;
//! assert_eq!(key.unwrap_padded(&mut wrapped)?, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater};

use crate::{
    aes,
    core::{
        Error,
        backend::{Info, Primitive},
        ct,
        secret::{Contents, Kept},
    },
};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod chained;
mod known;
mod portable;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod aes;
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// Half a block.
type Semiblock = [u8; 8];

/// The operations of a backend, on one semiblock A and at least one more.
trait Wrap: Send + Sync {
    /// W (section 6.1), or the encryption of one block where there is one more.
    fn wrap(&self, a: &mut Semiblock, r: &mut [Semiblock]);

    /// The inverse of `wrap`.
    fn unwrap(&self, a: &mut Semiblock, r: &mut [Semiblock]);
}

backends! {
    calls Entries {
        fn wrap(a: &mut Semiblock, r: &mut [Semiblock]);
        fn unwrap(a: &mut Semiblock, r: &mut [Semiblock]);
    }
    tested by known::one;

    /// AES key wrap, most preferred first.
    enum Engine(Secret<'_>): Wrap in "aes_kw" sweeps 768 or 1536 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
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

/// AES key wrap and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-kw",
    standard: "NIST SP 800-38F",
    backends: Engine::ALL,
    self_test: |backend| {
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        let mut wrapped = [0; 24];
        key.wrap_to(&EXAMPLE_DATA, &mut wrapped)?;
        let right = wrapped == EXAMPLE_WRAPPED;
        Ok(right
            && key.unwrap(&mut wrapped).is_ok_and(|data| data == EXAMPLE_DATA)
            && known::one(backend)?)
    },
};

/// The length of a wrapped key with padding: whole semiblocks, and one more.
pub const fn padded_len(key: usize) -> usize {
    // No buffer is so long that this saturates.
    key.div_ceil(8).saturating_mul(8).saturating_add(8)
}

/// An AES key that wraps other keys. It is wiped when it is dropped.
pub struct Key {
    engine: Kept<Engine>,
}

impl Contents for Engine {
    const USED: [usize; 2] = [256, 768];

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

    /// Wraps all of `buffer` in place but its first eight bytes, which are reserved for the result.
    ///
    /// # Errors
    /// [`Error::Length`] unless `buffer` has whole semiblocks of eight bytes, at least three; it is then
    /// untouched.
    pub fn wrap(&self, buffer: &mut [u8]) -> Result<(), Error> {
        check_wrapped(buffer)?;
        let (a, r) = split(buffer);
        *a = ICV1;
        self.engine.wrap(a, r);
        Ok(())
    }

    /// Wraps `key` to `wrapped`.
    ///
    /// # Errors
    /// [`Error::Length`] unless `key` has whole semiblocks of eight bytes, at least two, and `wrapped` one
    /// more; `wrapped` is then untouched.
    pub fn wrap_to(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        if key.len() < 16 || !key.len().is_multiple_of(8) {
            let allowed = "a multiple of 8 bytes, from 16 on";
            return Err(Error::Length { what: "key to wrap", got: key.len(), allowed });
        }
        check_longer(key.len(), wrapped)?;
        wrapped[8..].copy_from_slice(key);
        self.wrap(wrapped)
    }

    /// Unwraps `buffer` in place, and returns the key: all but the first eight bytes.
    ///
    /// # Errors
    /// [`Error::Forged`] if it was not wrapped with this key; `buffer` is then zeroed.
    /// [`Error::Length`] as [`Key::wrap`].
    pub fn unwrap<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a mut [u8], Error> {
        check_wrapped(buffer)?;
        let (a, r) = split(buffer);
        self.engine.unwrap(a, r);
        if !ct::verdict(a.ct_eq(&ICV1)) {
            buffer.fill(0);
            return Err(Error::Forged);
        }
        Ok(&mut buffer[8..])
    }

    /// Unwraps `wrapped` to `key`.
    ///
    /// # Errors
    /// As [`Key::unwrap`], and [`Error::Length`] unless `key` is shorter by eight bytes.
    pub fn unwrap_to(&self, wrapped: &[u8], key: &mut [u8]) -> Result<(), Error> {
        check_wrapped(wrapped)?;
        check_shorter(wrapped, key.len())?;
        let mut a = self.unwrap_rest(wrapped, key);
        let right = ct::verdict(a.ct_eq(&ICV1));
        a.fill(0);
        if !right {
            key.fill(0);
            return Err(Error::Forged);
        }
        Ok(())
    }

    /// Wraps `len` bytes of `buffer` in place, from the ninth on, padded to the whole buffer.
    ///
    /// # Errors
    /// [`Error::Length`] unless `len` is from 1 to 2^32 − 1 and `buffer` has [`padded_len`]`(len)` bytes;
    /// it is then untouched.
    pub fn wrap_padded(&self, buffer: &mut [u8], len: usize) -> Result<(), Error> {
        check_padded(len, buffer)?;
        buffer[8 + len..].fill(0);
        let (a, r) = split(buffer);
        let [.., b4, b5, b6, b7] = (len as u64).to_be_bytes();
        *a = [ICV2[0], ICV2[1], ICV2[2], ICV2[3], b4, b5, b6, b7];
        self.engine.wrap(a, r);
        Ok(())
    }

    /// Wraps `key`, padded, to `wrapped`.
    ///
    /// # Errors
    /// [`Error::Length`] unless `key` has from 1 to 2^32 − 1 bytes and `wrapped` as many as
    /// [`padded_len`]`(key.len())`; it is then untouched.
    pub fn wrap_padded_to(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        check_padded(key.len(), wrapped)?;
        wrapped[8..][..key.len()].copy_from_slice(key);
        self.wrap_padded(wrapped, key.len())
    }

    /// Unwraps `buffer` in place, and returns the key without its padding.
    ///
    /// # Errors
    /// [`Error::Forged`] as [`Key::unwrap`], whatever the fault; `buffer` is then zeroed.
    /// [`Error::Length`] unless it has whole semiblocks of eight bytes, at least two; it is then untouched.
    pub fn unwrap_padded<'a>(&self, buffer: &'a mut [u8]) -> Result<&'a mut [u8], Error> {
        check_padded_wrapped(buffer)?;
        let (a, r) = split(buffer);
        self.engine.unwrap(a, r);
        match unpadded_len(a, r) {
            Some(len) => Ok(&mut buffer[8..][..len]),
            None => {
                buffer.fill(0);
                Err(Error::Forged)
            }
        }
    }

    /// Unwraps `wrapped` to `key`, and returns how many bytes of it are not padding.
    ///
    /// # Errors
    /// As [`Key::unwrap_padded`], and [`Error::Length`] unless `key` is shorter by eight bytes: it needs space for the padding
    /// too.
    pub fn unwrap_padded_to(&self, wrapped: &[u8], key: &mut [u8]) -> Result<usize, Error> {
        check_padded_wrapped(wrapped)?;
        check_shorter(wrapped, key.len())?;
        let mut a = self.unwrap_rest(wrapped, key);
        let len = unpadded_len(&a, key.as_chunks().0);
        a.fill(0);
        len.ok_or_else(|| {
            key.fill(0);
            Error::Forged
        })
    }

    /// Unwraps to `key`, which is shorter by a semiblock, and returns A.
    fn unwrap_rest(&self, wrapped: &[u8], key: &mut [u8]) -> Semiblock {
        let (a, rest) = wrapped.split_first_chunk().expect("at least two semiblocks");
        let mut a = *a;
        key.copy_from_slice(rest);
        self.engine.unwrap(&mut a, key.as_chunks_mut().0);
        a
    }
}

/// ICV1 and ICV2 (sections 6.2 and 6.3).
const ICV1: Semiblock = [0xa6; 8];
const ICV2: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];

fn split(buffer: &mut [u8]) -> (&mut Semiblock, &mut [Semiblock]) {
    buffer.as_chunks_mut().0.split_first_mut().expect("at least two semiblocks")
}

/// The length of the key in `r` without its padding, if all checks succeed (section 6.3, algorithm 6, steps 5 to 9). In constant
/// time: the length is secret until then.
fn unpadded_len(a: &Semiblock, r: &[Semiblock]) -> Option<usize> {
    let [.., b4, b5, b6, b7] = *a;
    let len = u32::from_be_bytes([b4, b5, b6, b7]);
    let all = 8 * r.len() as u64;
    let padding = all.wrapping_sub(u64::from(len));
    let mut right = a[..4].ct_eq(&ICV2) & !padding.ct_gt(&7);
    let last = r.last().map_or([0; 8], |last| *last);
    for (i, byte) in (0_u64..8).zip(last.iter().rev()) {
        right &= byte.ct_eq(&0) | !padding.ct_gt(&i);
    }
    told(right, [b4, b5, b6, b7])
}

fn told(right: Choice, len: [u8; 4]) -> Option<usize> {
    ct::verdict(right).then(|| u32::from_be_bytes(len.map(ct::told)) as usize)
}

fn check_wrapped(wrapped: &[u8]) -> Result<(), Error> {
    let (got, allowed) = (wrapped.len(), "a multiple of 8 bytes, from 24 on");
    if got < 24 || !got.is_multiple_of(8) {
        return Err(Error::Length { what: "wrapped key", got, allowed });
    }
    Ok(())
}

fn check_padded_wrapped(wrapped: &[u8]) -> Result<(), Error> {
    let (got, allowed) = (wrapped.len(), "a multiple of 8 bytes, from 16 to 2^32 + 8");
    if got < 16 || !got.is_multiple_of(8) || got as u64 > (1 << 32) + 8 {
        return Err(Error::Length { what: "wrapped key", got, allowed });
    }
    Ok(())
}

fn check_padded(len: usize, wrapped: &[u8]) -> Result<(), Error> {
    if len == 0 || len as u64 >= 1 << 32 {
        let allowed = "1 to 2^32 - 1 bytes";
        return Err(Error::Length { what: "key to wrap", got: len, allowed });
    }
    let (got, allowed) =
        (wrapped.len(), "the next multiple of 8 bytes from the key's on, and 8 more");
    if got != padded_len(len) {
        return Err(Error::Length { what: "wrapped key", got, allowed });
    }
    Ok(())
}

fn check_longer(len: usize, wrapped: &[u8]) -> Result<(), Error> {
    if len.checked_add(8) != Some(wrapped.len()) {
        let allowed = "that of the key and 8 bytes";
        return Err(Error::Length { what: "wrapped key", got: wrapped.len(), allowed });
    }
    Ok(())
}

fn check_shorter(wrapped: &[u8], len: usize) -> Result<(), Error> {
    if wrapped.len() - 8 != len {
        let allowed = "that of the input less 8 bytes";
        return Err(Error::Length { what: "output", got: len, allowed });
    }
    Ok(())
}

/// RFC 3394, section 4.1.
const EXAMPLE_KEY: [u8; 16] = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
const EXAMPLE_DATA: [u8; 16] = 0x00112233445566778899aabbccddeeff_u128.to_be_bytes();
const EXAMPLE_WRAPPED: [u8; 24] =
    *b"\x1f\xa6\x8b\x0a\x81\x12\xb4\x47\xae\xf3\x4b\xd8\xfb\x5a\x7b\x82\x9d\x3e\x86\x23\x71\xd2\xcf\xe5";
