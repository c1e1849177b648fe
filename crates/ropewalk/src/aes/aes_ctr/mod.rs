//! AES in counter mode (NIST SP 800-38A, section 6.5).
//!
//! Encryption and decryption are the same operation. A counter block must never be used twice with one key, not even as one of
//! the blocks that follow another: that is up to the caller.
//!
//! ```
//! use ropewalk::aes_ctr::{Counter, Key, Stream};
//!
//! let key = Key::new(&[7; 32])?;
//! let iv = [0; 16];
//! let mut text = *b"attack at dawn";
//! key.apply_keystream(Counter::Bits128, &iv, &mut text)?;
//!
//! let mut stream = Stream::new(Counter::Bits128, &iv);
//! let (head, rest) = text.split_at_mut(6);
//! stream.apply_keystream(&key, head)?;
//! stream.apply_keystream(&key, rest)?;
//! assert_eq!(&text, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    aes::{self, join, split},
    core::{
        Error,
        backend::{HeldBy, Info, Primitive},
        block::Block,
        secret::{Contents, Kept, Wiped},
        simd::store_whole,
        text::Text,
    },
};

mod known;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
mod many;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64 {
    pub(crate) mod aesni;
    pub(super) mod aesni_x8;
    pub(crate) mod avx2;
    pub(crate) mod ssse3;
    pub(crate) mod vaes256;
    pub(super) mod vaes256_x8;
    pub(crate) mod vaes512;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64 {
    pub(crate) mod aes;
    pub(super) mod aes_x8;
    pub(crate) mod neon;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

use many::{CtrMany, Message as Each};
#[cfg(feature = "many")]
pub use many::{Many, Message, apply_keystream_many};

/// A key of 16, 24 or 32 bytes.
type Secret<'a> = &'a [u8];

/// Counter mode where the counter is the last four bytes of the block, big-endian, and wraps within them. Wider counters are
/// built on it: they carry once in 2^32 blocks.
trait Ctr32: CtrRekey {
    /// XORs the encrypted counter blocks, from `counter` on, into the text.
    fn apply(&self, counter: &Block, text: Text<'_>);

    /// Texts of one block each, serially, without a call between messages whose keys have this backend. At the first other key,
    /// another function takes the rest, so that this one need not preserve registers.
    #[inline(always)]
    fn apply_each(&self, messages: &mut [Each<'_>])
    where
        Self: HeldBy<Engine> + Sized,
    {
        for i in 0..messages.len() {
            let Each { key, iv, text } = &mut messages[i];
            match (Self::held_by(&key.engine), <&mut Block>::try_from(&mut **text)) {
                (Some(ctr), Ok(block)) => ctr.apply(iv, Text::in_place(block)),
                _ => return Each::all_alone(&mut messages[i..]),
            }
        }
    }
}

/// The functions that are not called for each text.
trait CtrRekey: Send + Sync {
    /// Replaces the key.
    fn rekey(&mut self, secret: Secret<'_>);
}

backends! {
    calls Entries {
        fn apply(counter: &Block; text);
        fn apply_each(messages: &mut [Each<'_>]);
    }
    dyn CtrRekey
    tested by known::one;

    /// AES-CTR, most preferred first.
    enum Engine(Secret<'_>): Ctr32 in "aes_ctr" sweeps 512 or 1536 {
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

backends! {
    calls ManyEntries {
        fn apply_many(counter: Counter, messages: &mut [Each<'_>]);
    }
    tested by known::many;

    /// AES-CTR of many messages, most preferred first. Messages that gain nothing from lanes go to the backend of their key.
    enum ManyEngine(()): CtrMany in "aes_ctr" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/vaes256_x8" (0 cycles, 0 at the start, 8 lanes) needs Vaes256 => Vaes256x8(x86_64::vaes256_x8::Vaes256x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni_x8" (0 cycles, 0 at the start, 8 lanes) needs Aesni => Aesnix8(x86_64::aesni_x8::Aesnix8),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes_x8" (0 cycles, 0 at the start, 8 lanes) needs Aes => Aesx8(aarch64::aes_x8::Aesx8),
        "portable" needs Baseline => OneByOne(portable::OneByOne),
    }
}

/// AES-CTR and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "aes-ctr",
    standard: "NIST SP 800-38A, section 6.5",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut text = EXAMPLE_PLAINTEXT;
        let key = Key::with_backend(&EXAMPLE_KEY, backend)?;
        key.apply_keystream(Counter::Bits128, &EXAMPLE_COUNTER, &mut text)?;
        Ok(text == EXAMPLE_CIPHERTEXT && known::one(backend)?)
    },
};

/// AES-CTR of many messages and its backends.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "aes-ctr-many",
    standard: "NIST SP 800-38A, section 6.5",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let key = Key::new(&EXAMPLE_KEY)?;
        // With two blocks, the counter would wrap in its last byte, and lanes would not be used.
        let (plaintext, ciphertext): (Block, Block) =
            (EXAMPLE_PLAINTEXT.as_chunks().0[0], EXAMPLE_CIPHERTEXT.as_chunks().0[0]);
        let mut texts = [plaintext; 33];
        let mut messages =
            texts.each_mut().map(|text| Message { key: &key, iv: &EXAMPLE_COUNTER, text });
        let many = Many::with_backend(backend)?;
        many.apply_keystream(Counter::Bits128, &mut messages).map_err(|wrong| wrong.error)?;
        Ok(texts == [ciphertext; 33] && known::many(backend)?)
    },
};

/// The width of the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counter {
    /// The last four bytes, big-endian; they wrap without touching the twelve before, as in GCM.
    /// One counter block serves for 2^36 bytes.
    Bits32,
    /// The last eight bytes, big-endian; they wrap without touching the eight before.
    Bits64,
    /// All sixteen bytes, big-endian, as in most protocols and libraries.
    Bits128,
}

impl Counter {
    /// Whether bytes before the last four change within a text of that length.
    #[inline]
    fn carries(self, iv: &Block, len: usize) -> bool {
        self != Self::Bits32 && len.div_ceil(16) as u64 > before_wrap(iv)
    }
}

/// An AES key for counter mode. It is wiped when it is dropped.
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

    /// AES-128.
    pub fn new_128(secret: &[u8; 16]) -> Self {
        Self::of_checked(secret)
    }

    /// AES-192.
    pub fn new_192(secret: &[u8; 24]) -> Self {
        Self::of_checked(secret)
    }

    /// AES-256.
    pub fn new_256(secret: &[u8; 32]) -> Self {
        Self::of_checked(secret)
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

    /// Replaces the key by another AES-256 key, with the same backend.
    pub(crate) fn rekey_256(&mut self, secret: &[u8; 32]) {
        self.engine.rekey(secret);
    }

    /// Encrypts or decrypts `text` in place, from the counter block `iv` on.
    ///
    /// # Errors
    /// [`Error::Length`] for a text of more than 2^36 bytes with [`Counter::Bits32`], whose key
    /// stream would repeat; `text` is then untouched.
    #[inline]
    pub fn apply_keystream(
        &self,
        counter: Counter,
        iv: &[u8; 16],
        text: &mut [u8],
    ) -> Result<(), Error> {
        counter.check(text.len() as u64)?;
        self.apply(counter, iv, Text::in_place(text));
        Ok(())
    }

    /// Encrypts or decrypts `input` to `output`, from the counter block `iv` on.
    ///
    /// # Errors
    /// [`Error::Length`] where `output` is not as long as `input`, and as
    /// [`Key::apply_keystream`]; `output` is then untouched.
    #[inline]
    pub fn apply_keystream_to(
        &self,
        counter: Counter,
        iv: &[u8; 16],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        counter.check(input.len() as u64)?;
        self.apply(counter, iv, Text::copying(input, output)?);
        Ok(())
    }

    #[inline]
    pub(crate) fn apply(&self, counter: Counter, iv: &Block, text: Text<'_>) {
        if counter.carries(iv, text.len()) {
            return self.apply_with_carry(counter, iv, text);
        }
        self.engine.apply(iv, text);
    }

    /// As `apply`, where the last four bytes of a wider counter wrap before the text ends.
    #[cold]
    fn apply_with_carry(&self, counter: Counter, iv: &Block, mut text: Text<'_>) {
        let mut iv = *iv;
        while text.len() > 0 {
            let blocks = before_wrap(&iv);
            let len = usize::try_from(16 * blocks).unwrap_or(usize::MAX);
            self.engine.apply(&iv, text.take(len));
            iv = counter.add(&iv, blocks);
        }
    }
}

/// A position in the key stream, for a text in chunks. A clone continues where the original stands; both are wiped when they are
/// dropped.
#[derive(Clone)]
pub struct Stream(Wiped<Parts>);

#[derive(Clone)]
struct Parts {
    counter: Counter,
    /// The counter block after the last one used.
    next: Block,
    /// The last block of key stream; its first `used` bytes are spent.
    key_stream: Block,
    used: usize,
    /// Bytes so far.
    len: u64,
}

impl Stream {
    /// Starts at the counter block `iv`.
    pub fn new(counter: Counter, iv: &[u8; 16]) -> Self {
        Self(Wiped::new(Parts { counter, next: *iv, key_stream: [0; 16], used: 16, len: 0 }))
    }

    /// The counter block after the last one used, and how many bytes of the last block of key stream are spent: 16 where none is
    /// left.
    pub fn place(&self) -> (&[u8; 16], usize) {
        (&self.0.next, self.0.used)
    }

    /// Encrypts or decrypts the next chunk of the text in place. All chunks take the same key.
    ///
    /// # Errors
    /// [`Error::Length`] once the text has more than 2^36 bytes with [`Counter::Bits32`]; `text` is
    /// then untouched.
    #[inline]
    pub fn apply_keystream(&mut self, key: &Key, text: &mut [u8]) -> Result<(), Error> {
        self.apply(key, Text::in_place(text))
    }

    /// Encrypts or decrypts the next chunk, `input`, to `output`.
    ///
    /// # Errors
    /// [`Error::Length`] where `output` is not as long as `input`, and as [`Stream::apply_keystream`]; `output` is then
    /// untouched.
    #[inline]
    pub fn apply_keystream_to(
        &mut self,
        key: &Key,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.apply(key, Text::copying(input, output)?)
    }

    #[inline]
    fn apply(&mut self, key: &Key, mut text: Text<'_>) -> Result<(), Error> {
        let Parts { counter, next, used, len, .. } = &mut *self.0;
        let new_len = len.saturating_add(text.len() as u64);
        counter.check(new_len)?;
        *len = new_len;

        let blocks = (text.len() / 16) as u64;
        let whole = *used == 16 && text.len().is_multiple_of(16);
        // The common case: the next counter differs in the last four bytes only.
        if whole && blocks < before_wrap(next) {
            let (nonce, count) = split(next);
            key.engine.apply(next, text);
            store_whole(next, join(nonce, count + blocks as u32));
        } else {
            self.apply_any(key, text.reborrow());
        }
        Ok(())
    }

    /// A chunk that begins or ends within a block, or whose counter carries.
    #[inline(never)]
    fn apply_any(&mut self, key: &Key, mut text: Text<'_>) {
        let Parts { counter, next, key_stream, used, .. } = &mut *self.0;
        let head = text.take(16 - *used);
        let spent = head.len();
        head.add(&key_stream[*used..]);
        *used += spent;

        let whole = text.len() / 16 * 16;
        let blocks = text.take(whole);
        if whole > 0 {
            key.apply(*counter, next, blocks);
            store_whole(next, counter.add(next, (whole / 16) as u64));
        }
        if text.len() > 0 {
            *key_stream = [0; 16];
            key.apply(*counter, next, Text::in_place(key_stream));
            store_whole(next, counter.add(next, 1));
            *used = text.len();
            text.add(key_stream);
        }
    }
}

impl Counter {
    /// Whether one counter block suffices for so many bytes.
    #[inline]
    pub(crate) fn check(self, len: u64) -> Result<(), Error> {
        if self == Self::Bits32 && len > 1 << 36 {
            let got = len.try_into().unwrap_or(usize::MAX);
            let allowed = "up to 2^36 bytes from one block of a 32-bit counter";
            return Err(Error::Length { what: "text", got, allowed });
        }
        Ok(())
    }

    /// The counter block that is `blocks` further.
    fn add(self, block: &Block, blocks: u64) -> Block {
        match self {
            Self::Bits32 => {
                let (nonce, count) = split(block);
                join(nonce, count.wrapping_add(blocks as u32))
            }
            Self::Bits64 => {
                let [nonce, count] = [0, 8].map(|from| {
                    u64::from_be_bytes(block[from..][..8].try_into().expect("half a block"))
                });
                (u128::from(nonce) << 64 | u128::from(count.wrapping_add(blocks))).to_be_bytes()
            }
            Self::Bits128 => u128::from_be_bytes(*block).wrapping_add(blocks.into()).to_be_bytes(),
        }
    }
}

/// Blocks from this one on, until the last four bytes are zero.
#[inline]
fn before_wrap(block: &Block) -> u64 {
    (1 << 32) - u64::from(split(block).1)
}

/// SP 800-38A, F.5.1: the first two blocks.
const EXAMPLE_KEY: [u8; 16] = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
const EXAMPLE_COUNTER: Block = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff_u128.to_be_bytes();
const EXAMPLE_PLAINTEXT: [u8; 32] =
    *b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a\
       \xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51";
const EXAMPLE_CIPHERTEXT: [u8; 32] =
    *b"\x87\x4d\x61\x91\xb6\x20\xe3\x26\x1b\xef\x68\x64\x99\x0d\xb6\xce\
       \x98\x06\xf6\x6b\x79\x70\xfd\xff\x86\x17\x18\x7b\xb9\xff\xfd\xff";
