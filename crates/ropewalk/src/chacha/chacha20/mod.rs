//! ChaCha20 (RFC 8439, section 2.4): a nonce of 96 bits and a counter of 32.
//!
//! Encryption and decryption are the same operation. A nonce must never be used twice with one key, except with disjoint ranges
//! of the counter: that is up to the caller.
//!
//! ```
//! use ropewalk::chacha20::{Key, Stream};
//!
//! let key = Key::new(&[7; 32])?;
//! let nonce = [0; 12];
//! let mut text = *b"attack at dawn";
//! key.apply_keystream(1, &nonce, &mut text)?;
//!
//! let mut stream = Stream::new(1, &nonce);
//! let (head, rest) = text.split_at_mut(6);
//! stream.apply_keystream(&key, head)?;
//! stream.apply_keystream(&key, rest)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::core::{
    Error,
    backend::{Info, Primitive},
    secret::{Contents, Kept, Wiped, swept},
    text::Text,
};

mod known;
pub(crate) mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod wide;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod avx2;
    pub(super) mod avx512;
    pub(super) mod ssse3;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod neon;
}

#[cfg(target_arch = "arm")]
pub(crate) mod arm {
    pub(crate) mod neon;
}

/// The nonce.
pub type Nonce = [u8; 12];

/// A block of key stream.
type Block = [u8; 64];

/// A key of 32 bytes.
type Secret<'a> = &'a [u8; 32];

/// The operation of a backend. The caller has checked that the counter does not wrap.
trait ChaCha20: Send + Sync {
    /// XORs the key stream, from the block of that counter on, into the text (section 2.4.1).
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>);
}

backends! {
    calls Entries {
        fn apply(counter: u32, nonce: &Nonce; text);
    }
    tested by known::one;

    /// ChaCha20, most preferred first.
    enum Engine(Secret<'_>): ChaCha20 in "chacha20" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512" needs Avx512 => Avx512(x86_64::avx512::Avx512By16),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2 => Avx2(x86_64::avx2::Avx2By8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3By4),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::NeonBy4),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::NeonBy4),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

/// ChaCha20 and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "chacha20",
    standard: "RFC 8439, section 2.4",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut text = EXAMPLE_PLAINTEXT;
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        key.apply_keystream(1, &EXAMPLE_NONCE, &mut text)?;
        Ok(text == EXAMPLE_CIPHERTEXT && known::one(backend)?)
    },
};

/// A ChaCha20 key. It is wiped when it is dropped.
pub struct Key {
    engine: Kept<Engine>,
}

impl Contents for Engine {
    const USED: [usize; 2] = [3072, 3072];

    fn info(&self) -> &'static Info {
        Engine::info(self)
    }
}

impl Key {
    /// Makes a key of 32 bytes, with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] for any other length.
    #[inline(always)]
    pub fn new(secret: &[u8]) -> Result<Self, Error> {
        Ok(Self::of_checked(check_key(secret)?))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        let secret = check_key(secret)?;
        let make = Engine::named(name)?;
        Ok(swept(256, || Self::of(make(secret))))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(secret: Secret<'_>) -> Self {
        swept(256, || Self::of(Engine::best(secret)))
    }

    #[inline(always)]
    fn of(engine: Engine) -> Self {
        Self { engine: Kept::new(engine) }
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.public().info().name
    }

    /// Encrypts or decrypts `text` in place, from the block of that counter on.
    ///
    /// # Errors
    /// [`Error::Length`] for more text than there are blocks up to the last counter, 2^32 − 1; `text` is
    /// then untouched.
    #[inline]
    pub fn apply_keystream(
        &self,
        counter: u32,
        nonce: &Nonce,
        text: &mut [u8],
    ) -> Result<(), Error> {
        check(counter, text.len() as u64)?;
        self.engine.apply(counter, nonce, Text::in_place(text));
        Ok(())
    }

    /// Encrypts or decrypts `input` to `output`, from the block of that counter on.
    ///
    /// # Errors
    /// [`Error::Length`] where `output` is not as long as `input`, and as [`Key::apply_keystream`];
    /// `output` is then untouched.
    #[inline]
    pub fn apply_keystream_to(
        &self,
        counter: u32,
        nonce: &Nonce,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        check(counter, input.len() as u64)?;
        self.engine.apply(counter, nonce, Text::copying(input, output)?);
        Ok(())
    }
}

/// A position in the key stream, for a text in chunks. A clone continues where the original stands; both are wiped when they are
/// dropped.
#[derive(Clone)]
pub struct Stream(Wiped<Parts>);

#[derive(Clone)]
struct Parts {
    counter: u32,
    nonce: Nonce,
    /// Key stream; the bytes from `used` to `made` are for the next chunks.
    key_stream: [u8; AHEAD],
    used: usize,
    made: usize,
    /// Bytes so far.
    len: u64,
}

/// Bytes of key stream that are generated at once for chunks shorter than a block: a vector of rows takes no longer for four
/// blocks than for one.
const AHEAD: usize = 256;

impl Stream {
    /// Starts at the block of that counter.
    pub fn new(counter: u32, nonce: &Nonce) -> Self {
        let (key_stream, nonce) = ([0; AHEAD], *nonce);
        Self(Wiped::new(Parts { counter, nonce, key_stream, used: 0, made: 0, len: 0 }))
    }

    /// Encrypts or decrypts the next chunk of the text in place. All chunks take the same key.
    ///
    /// # Errors
    /// [`Error::Length`] once the text has more bytes than there are up to the last counter; `text` is
    /// then untouched.
    pub fn apply_keystream(&mut self, key: &Key, text: &mut [u8]) -> Result<(), Error> {
        self.apply(key, Text::in_place(text))
    }

    /// Encrypts or decrypts the next chunk, `input`, to `output`.
    ///
    /// # Errors
    /// [`Error::Length`] where `output` is not as long as `input`, and as [`Stream::apply_keystream`]; `output` is then
    /// untouched.
    pub fn apply_keystream_to(
        &mut self,
        key: &Key,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.apply(key, Text::copying(input, output)?)
    }

    fn apply(&mut self, key: &Key, mut text: Text<'_>) -> Result<(), Error> {
        let Parts { counter, nonce, key_stream, used, made, len } = &mut *self.0;
        check(*counter, len.saturating_add(text.len() as u64))?;

        let head = text.take(*made - *used);
        let spent = head.len();
        head.add(&key_stream[*used..*made]);
        *used += spent;
        *len += spent as u64;

        // From here on, there are whole blocks, or nothing is left.
        let at = |len: u64| counter.wrapping_add((len / 64) as u32);
        let whole = text.len() / 64 * 64;
        let blocks = text.take(whole);
        if whole > 0 {
            key.engine.apply(at(*len), nonce, blocks);
            *len += whole as u64;
        }
        if text.len() > 0 {
            // After one short chunk no other may follow; after a second one, more do.
            let goes_on = *made > 0 && whole == 0;
            let left = LIMIT - u64::from(*counter) - *len / 64;
            let made_now = if goes_on && left >= (AHEAD / 64) as u64 { AHEAD } else { 64 };
            let key_stream = &mut key_stream[..made_now];
            key_stream.fill(0);
            key.engine.apply(at(*len), nonce, Text::in_place(key_stream));
            (*used, *made) = (text.len(), made_now);
            *len += text.len() as u64;
            text.add(key_stream);
        }
        Ok(())
    }
}

/// The number of counter values.
const LIMIT: u64 = 1 << 32;

/// Whether there is so much key stream from that counter on.
#[inline]
fn check(counter: u32, len: u64) -> Result<(), Error> {
    if len > 64 * (LIMIT - u64::from(counter)) {
        let got = len.try_into().unwrap_or(usize::MAX);
        let allowed = "64 bytes for each counter up to 2^32 - 1";
        return Err(Error::Length { what: "text", got, allowed });
    }
    Ok(())
}

#[inline]
fn check_key(secret: &[u8]) -> Result<Secret<'_>, Error> {
    let got = secret.len();
    secret.try_into().map_err(|_| Error::Length { what: "ChaCha20 key", got, allowed: "32 bytes" })
}

/// The state before the rounds (section 2.3): constants, key, counter, nonce.
pub(crate) type State = [u32; 16];

/// The constants and the words of a key.
pub(crate) type KeyWords = [u32; 12];

/// The first words of each state with that key.
#[inline(always)]
pub(crate) fn key_words(secret: Secret<'_>) -> KeyWords {
    // "expand 32-byte k"
    let mut words = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0, 0, 0, 0, 0, 0, 0, 0];
    for (word, bytes) in words[4..].iter_mut().zip(secret.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

/// The words of a nonce, after a counter.
#[inline(always)]
pub(crate) fn nonce_words(counter: u32, nonce: &Nonce) -> [u32; 4] {
    let [a, b, c] = nonce.as_chunks().0 else { unreachable!("three times four") };
    // The caller has often just written eight bytes of it, the first or the last. A wide load of two stores would stall until
    // both have reached the cache, and delay the whole message.
    let word = |bytes: &[u8; 4]| {
        #[cfg(target_arch = "x86_64")]
        let bytes: &[u8; 4] = crate::core::simd::x86_64::unseen(bytes);
        u32::from_le_bytes(*bytes)
    };
    [counter, word(a), word(b), word(c)]
}

/// Section 2.4.2: the first 64 bytes.
const EXAMPLE_KEY: [u8; 32] = *b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\
       \x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f";
const EXAMPLE_NONCE: Nonce = [0, 0, 0, 0, 0, 0, 0, 0x4a, 0, 0, 0, 0];
const EXAMPLE_PLAINTEXT: Block =
    *b"Ladies and Gentlemen of the class of '99: If I could offer you o";
const EXAMPLE_CIPHERTEXT: Block =
    *b"\x6e\x2e\x35\x9a\x25\x68\xf9\x80\x41\xba\x07\x28\xdd\x0d\x69\x81\
       \xe9\x7e\x7a\xec\x1d\x43\x60\xc2\x0a\x27\xaf\xcc\xfd\x9f\xae\x0b\
       \xf9\x1b\x65\xc5\x52\x47\x33\xab\x8f\x59\x3d\xab\xcd\x62\xb3\x57\
       \x16\x39\xd6\x24\xe6\x51\x52\xab\x8f\x53\x0c\x35\x9f\x08\x61\xd8";
