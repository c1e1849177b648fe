//! AES-CBC and HMAC of the records of TLS 1.0 to 1.2 (RFC 5246, section 6.2.3.2; RFC 3268, RFC 5246,
//! appendix A.5): first the MAC, then the cipher.
//!
//! The cipher encrypts the text, its MAC, and padding of 1 to 16 bytes, each of which is the number of those before it. The MAC
//! covers a pseudo header and the text. The caller provides eleven bytes of that header: the sequence number, eight bytes, the
//! type, and the version, two. The last two are the length of the text. The receiver does not know it before decryption, and must
//! not reveal it, so this module adds it on both sides.
//!
//! In TLS 1.1 and 1.2 a record begins with its initialization vector, which must be unpredictable and new for
//! each record. It is an argument of its own here. In TLS 1.0 it is the last block of the record before.
//!
//! The time of opening a record depends on its length, but not on that of its padding, whether padding and MAC are right or wrong
//! (CVE-2013-0169, "Lucky 13"): the same number of blocks is hashed, and the same bytes are read. The handling of errors is up to
//! the caller: one alert for every forged record, and no further record with that key (RFC 5246, section 7.2.2). Use AES-GCM or
//! ChaCha20-Poly1305 where there is a choice.
//!
//! ```
//! use ropewalk::{cbc_hmac::Key, sha256::Sha256};
//!
//! let key = Key::<Sha256>::new(&[7; 16], &[8; 32])?;
//! let (iv, header) = ([0; 16], *b"\0\0\0\0\0\0\0\x01\x17\x03\x03");
//! let mut record = vec![0; Key::<Sha256>::sealed_len(14)];
//! key.seal_to(&iv, &header, b"attack at dawn", &mut record)?;
//! assert_eq!(key.open(&iv, &header, &mut record)?, b"attack at dawn");
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! For batches of records, see [`seal_many`] and [`open_many`].

use subtle::ConstantTimeEq;

use crate::{
    aes::{
        RoundKeys,
        aes_cbc::{Cbc, padded_len},
    },
    core::{
        Error,
        backend::{Info, Primitive},
        block::Block,
        ct,
        secret::{Contents, Kept, Wiped, swept},
        text::Text,
    },
    hashes::{Described, StateOf, function::BlockHash, sha1::Sha1, sha256::Sha256},
};

pub use hash::RecordHash as Hash;
#[cfg(feature = "many")]
pub use many::{Many, Message, open_many, seal_many};

mod backends;
mod hash;
mod known;
#[cfg(feature = "many")]
mod many;
mod open;
mod portable;
mod seal;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod stitched;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod aesni;
    pub(super) mod avx2;
    pub(super) mod shani;
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

/// The sequence number, the type and the version of a record.
pub type Header = [u8; 11];

/// The longest text of a record in bytes (RFC 5246, section 6.2.1). Compression could add to it, and is obsolete.
pub const LONGEST_TEXT: usize = 1 << 14;

/// The longest record in bytes, without its initialization vector (section 6.2.3).
const LONGEST_RECORD: usize = (1 << 14) + 2048;

/// The result of opening a record. Both numbers are secret until the verdict is public.
struct Opened {
    /// 1 or 0.
    right: u8,
    /// Bytes of padding but the last, if the record is right.
    padding: u8,
}

/// The operations of a backend. The beginning and end of a record are the same for all of them, in `seal.rs` and `open.rs`. There
/// are separate functions for each hash function.
trait Records: Send + Sync {
    /// Encrypts or decrypts whole blocks, at least one. `chain` does not change.
    fn encrypt(&self, chain: &Block, text: Text<'_>);
    fn decrypt(&self, chain: &Block, text: Text<'_>);

    /// Absorbs blocks, one after the other.
    fn absorb_sha1(&self, state: &mut [u32; 5], blocks: &[[u8; 64]]);
    fn absorb_sha256(&self, state: &mut [u32; 8], blocks: &[[u8; 64]]);

    /// Absorbs the digest of a state, which follows one block and ends the message, and the padding.
    fn chain_sha1(&self, state: &mut [u32; 5], digest: &[u32; 5]);
    fn chain_sha256(&self, state: &mut [u32; 8], digest: &[u32; 8]);

    /// Absorbs the text from its fourth byte on while there is a whole block, and encrypts as much from its first byte on; there
    /// is at least one block.
    ///
    /// The offset is three bytes, since the pseudo header has thirteen. So the hash is ahead of the in-place encryption by as
    /// little as whole blocks of the cipher allow.
    fn seal_blocks_sha1(&self, state: &mut [u32; 5], chain: &mut Block, text: Text<'_>);
    fn seal_blocks_sha256(&self, state: &mut [u32; 8], chain: &mut Block, text: Text<'_>);

    /// Decrypts `blocks` times 64 bytes of the text from [`seal::DECRYPTED`] on, and absorbs as many from its fourth byte on.
    fn open_blocks_sha1(
        &self,
        state: &mut [u32; 5],
        chain: &mut Block,
        blocks: usize,
        text: Text<'_>,
    );
    fn open_blocks_sha256(
        &self,
        state: &mut [u32; 8],
        chain: &mut Block,
        blocks: usize,
        text: Text<'_>,
    );
}

/// The parts of a key that batches use.
trait Inside: Send + Sync {
    fn cbc(&self) -> &dyn Cbc;
    /// The round keys of its cipher, if lanes can use them.
    fn round_keys(&self) -> Option<&RoundKeys>;
}

backends! {
    calls Entries {
        fn encrypt(chain: &Block; text);
        fn decrypt(chain: &Block; text);
        fn absorb_sha1(state: &mut [u32; 5], blocks: &[[u8; 64]]);
        fn absorb_sha256(state: &mut [u32; 8], blocks: &[[u8; 64]]);
        fn chain_sha1(state: &mut [u32; 5], digest: &[u32; 5]);
        fn chain_sha256(state: &mut [u32; 8], digest: &[u32; 8]);
        fn seal_blocks_sha1(state: &mut [u32; 5], chain: &mut Block; text);
        fn seal_blocks_sha256(state: &mut [u32; 8], chain: &mut Block; text);
        fn open_blocks_sha1(state: &mut [u32; 5], chain: &mut Block, blocks: usize; text);
        fn open_blocks_sha256(state: &mut [u32; 8], chain: &mut Block, blocks: usize; text);
    }
    dyn Inside
    tested by known::one;

    /// AES-CBC with HMAC, most preferred first.
    enum Engine(&[u8]): Records in "cbc_hmac" sweeps 1536 or 4096 {
        #[cfg(target_arch = "x86_64")]
        "x86_64/shani" needs ShaNiAes => Shani(x86_64::shani::Shani),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2" needs Avx2Aes => Avx2(x86_64::avx2::Avx2),
        #[cfg(target_arch = "x86_64")]
        "x86_64/aesni" needs AesniClmul => Aesni(x86_64::aesni::Aesni),
        #[cfg(target_arch = "x86_64")]
        "x86_64/ssse3" needs Ssse3 => Ssse3(x86_64::ssse3::Ssse3),
        #[cfg(target_arch = "aarch64")]
        "aarch64/aes" needs AesSha2 => Aes(aarch64::aes::Aes),
        #[cfg(target_arch = "aarch64")]
        "aarch64/neon" needs Neon => Neon(aarch64::neon::Neon),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

macro_rules! primitives {
    ($($PRIMITIVE:ident, $PRIMITIVE_MANY:ident = $name:literal of $Hash:ty, listed in $module:ident, $answer:literal;)+) => { $(
        #[doc = concat!($name, " in [`PRIMITIVES`](crate::PRIMITIVES).")]
        pub const $PRIMITIVE: Primitive = Primitive {
            name: $name,
            standard: "RFC 5246, section 6.2.3.2",
            backends: Engine::ALL,
            self_test: |backend| {
                let key = Key::<$Hash>::with_backend(&EXAMPLE_KEY, &EXAMPLE_MAC_KEY, backend)?;
                let mut record = [0x61; Key::<$Hash>::sealed_len(EXAMPLE_LEN)];
                key.seal(&EXAMPLE_IV, EXAMPLE_HEADER, &mut record, EXAMPLE_LEN)?;
                let sealed = record.last_chunk() == Some(&($answer as u128).to_be_bytes());
                let opened = key.open(&EXAMPLE_IV, EXAMPLE_HEADER, &mut record);
                Ok(sealed && opened.is_ok_and(|text| text == [0x61; EXAMPLE_LEN]) && known::one(backend)?)
            },
        };

        #[cfg(feature = "many")]
        #[doc = concat!($name, " of many records in [`PRIMITIVES`](crate::PRIMITIVES).")]
        pub const $PRIMITIVE_MANY: Primitive = Primitive {
            name: concat!($name, "-many"),
            standard: "RFC 5246, section 6.2.3.2",
            backends: crate::$module::PRIMITIVE_MANY.backends,
            self_test: |backend| {
                let many = Many::<$Hash>::with_backend(backend)?;
                let key = Key::<$Hash>::new(&EXAMPLE_KEY, &EXAMPLE_MAC_KEY)?;
                let mut records = [[0x61; Key::<$Hash>::sealed_len(EXAMPLE_LEN)]; 3];
                let mut messages = records.each_mut().map(|record| {
                    let (iv, header) = (&EXAMPLE_IV, EXAMPLE_HEADER);
                    Message { key: &key, iv, header, record, len: EXAMPLE_LEN }
                });
                many.seal(&mut messages).map_err(|wrong| wrong.error)?;
                let answer = ($answer as u128).to_be_bytes();
                let sealed = messages.iter().all(|message| message.record.last_chunk() == Some(&answer));
                let mut results = [Err(Error::Forged); 3];
                many.open(&mut messages, &mut results).map_err(|wrong| wrong.error)?;
                let opened = messages.iter().all(|message| message.record[..EXAMPLE_LEN] == [0x61; EXAMPLE_LEN]);
                Ok(sealed && opened && results == [Ok(()); 3])
            },
        };
    )+ };
}

// No standard has an example: these are the results of OpenSSL's command and Python's HMAC.
primitives! {
    PRIMITIVE_SHA1, PRIMITIVE_SHA1_MANY = "aes-cbc-hmac-sha1" of Sha1, listed in sha1, 0x33ba_edc3_53fc_3cb0_ae9e_653c_8099_1ef6;
    PRIMITIVE_SHA256, PRIMITIVE_SHA256_MANY = "aes-cbc-hmac-sha256" of Sha256, listed in sha256, 0xe8f4_dde7_42d6_271e_7304_b0d7_65c3_39c6;
}

const EXAMPLE_KEY: [u8; 16] = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
const EXAMPLE_MAC_KEY: [u8; 20] = [0x0b; 20];
const EXAMPLE_IV: Block = 0x101112131415161718191a1b1c1d1e1f_u128.to_be_bytes();
const EXAMPLE_HEADER: &Header = b"\0\0\0\0\0\0\0\x01\x17\x03\x03";
const EXAMPLE_LEN: usize = 600;

/// The AES key and the MAC key for one direction. They are wiped when they are dropped.
pub struct Key<H: Hash>(Kept<Inner<StateOf<H>>>);

struct Inner<State> {
    engine: Engine,
    mac: Mac<State>,
}

/// The HMAC of a key.
struct Mac<State> {
    /// The state after K0 ⊕ ipad (FIPS 198-1, table 1, step 4).
    inner: State,
    /// The state after K0 ⊕ opad (step 7).
    outer: State,
}

impl<State> Inner<State> {
    #[inline]
    fn new<H>(engine: Engine, mac: &[u8]) -> Self
    where
        H: Hash + Described<Function: BlockHash<State = State>>,
    {
        // FIPS 198-1, table 1, steps 1 to 3.
        let mut block = Wiped::new([0; 64]);
        if mac.len() > block.len() {
            let digest = Wiped::new(H::default().digest(mac));
            block[..H::DIGEST_LEN].copy_from_slice((*digest).as_ref());
        } else {
            block[..mac.len()].copy_from_slice(mac);
        }
        let mut mac = Mac { inner: H::Function::START, outer: H::Function::START };
        for (state, pad) in [(&mut mac.inner, 0x36), (&mut mac.outer, 0x36 ^ 0x5c)] {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            H::absorb(&engine, state, core::slice::from_ref(&*block));
        }
        Self { engine, mac }
    }
}

impl<State> Contents for Inner<State> {
    const USED: [usize; 2] = [1024, 2048];
    const MANY: usize = 24 << 10;

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl<H: Hash> Key<H> {
    /// Makes a key of an AES key of 16 or 32 bytes, and a MAC key, which should have as many bytes as a MAC, with the best
    /// backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] for an AES key of any other length.
    #[inline(always)]
    pub fn new(aes: &[u8], mac: &[u8]) -> Result<Self, Error> {
        check_key(aes)?;
        Ok(Self::of_checked(aes, mac))
    }

    /// With the backend of that name in the list of the primitive.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Length`] as [`Key::new`].
    #[inline(always)]
    pub fn with_backend(aes: &[u8], mac: &[u8], name: &str) -> Result<Self, Error> {
        check_key(aes)?;
        let make = Engine::named(name)?;
        Ok(swept(2048, || Self(Kept::new(Inner::new::<H>(make(aes), mac)))))
    }

    /// Makes a key of a secret whose length has been checked; otherwise the process ends. It is not part of `new`, which is inlined
    /// so that the key is made in the caller's place.
    #[doc(hidden)]
    #[inline(never)]
    pub fn of_checked(aes: &[u8], mac: &[u8]) -> Self {
        swept(2048, || Self(Kept::new(Inner::new::<H>(Engine::best(aes), mac))))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.0.public().engine.info().name
    }

    /// The length of a record, without its initialization vector, for a text of that length.
    pub const fn sealed_len(text: usize) -> usize {
        padded_len(text.saturating_add(H::DIGEST_LEN))
    }

    /// Encrypts the first `len` bytes of `record` in place; their MAC and the padding fill the rest.
    ///
    /// # Errors
    /// [`Error::Length`] past [`LONGEST_TEXT`], and unless `record` has [`Key::sealed_len`]`(len)` bytes; it
    /// is then untouched.
    #[inline]
    pub fn seal(
        &self,
        iv: &[u8; 16],
        header: &Header,
        record: &mut [u8],
        len: usize,
    ) -> Result<(), Error> {
        Self::check_text(len, record.len())?;
        self.seal_checked(iv, header, record, len);
        Ok(())
    }

    #[inline]
    fn seal_checked(&self, iv: &Block, header: &Header, record: &mut [u8], len: usize) {
        let (text, rest) = record.split_at_mut(len);
        H::seal(self, iv, header, &mut Text::in_place(text), rest);
    }

    /// Encrypts `plaintext`, its MAC and the padding to `record`.
    ///
    /// # Errors
    /// [`Error::Length`] past [`LONGEST_TEXT`], and unless `record` has
    /// [`Key::sealed_len`]`(plaintext.len())` bytes; it is then untouched.
    #[inline]
    pub fn seal_to(
        &self,
        iv: &[u8; 16],
        header: &Header,
        plaintext: &[u8],
        record: &mut [u8],
    ) -> Result<(), Error> {
        Self::check_text(plaintext.len(), record.len())?;
        let (text, rest) = record.split_at_mut(plaintext.len());
        H::seal(self, iv, header, &mut Text::copying(plaintext, text)?, rest);
        Ok(())
    }

    /// Decrypts `record` in place, and returns its text. Padding may have up to 256 bytes.
    ///
    /// # Errors
    /// [`Error::Forged`] where the MAC or the padding is wrong, in whatever way, and where the text is longer than
    /// [`LONGEST_TEXT`]; `record` is then zeroed. [`Error::Length`] unless it consists of whole blocks of 16 bytes, with space
    /// for a MAC and padding, and has at most 2^14 + 2048 bytes; it is then untouched.
    #[inline]
    pub fn open<'a>(
        &self,
        iv: &[u8; 16],
        header: &Header,
        record: &'a mut [u8],
    ) -> Result<&'a mut [u8], Error> {
        Self::check_record(record.len())?;
        let len = self.open_text(iv, header, Text::in_place(record))?;
        Ok(&mut record[..len])
    }

    /// Decrypts `record` to `plaintext`, and returns how many bytes of it are the text: it needs space for the MAC and the
    /// padding too.
    ///
    /// # Errors
    /// As [`Key::open`], where `plaintext` is then zeroed or untouched, and [`Error::Length`] unless both are equally long.
    #[inline]
    pub fn open_to(
        &self,
        iv: &[u8; 16],
        header: &Header,
        record: &[u8],
        plaintext: &mut [u8],
    ) -> Result<usize, Error> {
        Self::check_record(record.len())?;
        self.open_text(iv, header, Text::copying(record, plaintext)?)
    }

    #[inline]
    fn open_text(&self, iv: &Block, header: &Header, mut record: Text<'_>) -> Result<usize, Error> {
        let opened = H::open(self, iv, header, &mut record);
        Self::tell(&opened, record.output())
    }

    /// Declassifies whether a record is right, and the length of its text; wipes it if it is not.
    #[inline]
    fn tell(opened: &Opened, record: &mut [u8]) -> Result<usize, Error> {
        if ct::verdict(opened.right.ct_eq(&1)) {
            let padding = usize::from(ct::told(opened.padding)) + 1;
            return Ok(record.len() - H::DIGEST_LEN - padding);
        }
        record.fill(0);
        Err(Error::Forged)
    }

    /// Steps 8 and 9, from the inner digest: the bytes of a MAC, padded with zeros.
    #[inline(always)]
    fn outer(&self, inner: &StateOf<H>) -> [u8; 32] {
        let mut state = Wiped::new(self.0.mac.outer);
        H::absorb_digest(&self.0.engine, &mut state, inner);
        mac_bytes(&*state)
    }

    #[inline]
    fn check_text(text: usize, record: usize) -> Result<(), Error> {
        if text > LONGEST_TEXT {
            return Err(Error::Length { what: "text", got: text, allowed: "up to 2^14 bytes" });
        }
        if record != Self::sealed_len(text) {
            let allowed = "the next multiple of 16 bytes above that of the text and a MAC";
            return Err(Error::Length { what: "record", got: record, allowed });
        }
        Ok(())
    }

    #[inline]
    fn check_record(got: usize) -> Result<(), Error> {
        let lens = Self::sealed_len(0)..=LONGEST_RECORD;
        if !lens.contains(&got) || !got.is_multiple_of(16) {
            let allowed =
                "a multiple of 16 bytes, with room for a MAC and padding, up to 2^14 + 2048";
            return Err(Error::Length { what: "record", got, allowed });
        }
        Ok(())
    }
}

/// Inlined, like [`crate::aes::check_key`].
#[doc(hidden)]
#[inline]
pub fn check_key(aes: &[u8]) -> Result<(), Error> {
    match aes.len() {
        16 | 32 => Ok(()),
        got => Err(Error::Length { what: "AES key", got, allowed: "16 or 32 bytes" }),
    }
}

/// The bytes of a MAC, padded with zeros.
#[inline(always)]
fn mac_bytes(state: &impl AsRef<[u32]>) -> [u8; 32] {
    let mut mac = [0; 32];
    for (bytes, word) in mac.as_chunks_mut().0.iter_mut().zip(state.as_ref()) {
        *bytes = word.to_be_bytes();
    }
    mac
}

/// The pseudo header of a text of that length (section 6.2.3.1).
#[inline(always)]
fn pseudo_header(header: &Header, len: u16) -> [u8; 13] {
    let mut pseudo = [0; 13];
    pseudo[..11].copy_from_slice(header);
    pseudo[11..].copy_from_slice(&len.to_be_bytes());
    pseudo
}
