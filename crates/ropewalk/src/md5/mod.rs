//! MD5 (RFC 1321), which is broken, and only for what is old.
//!
//! Collisions take seconds, so nothing may rest on it that somebody could want to forge (RFC 6151). It is
//! here for formats and protocols that name it and cannot be changed: checksums against accidents, names of
//! stored objects, HTTP Digest authentication (RFC 7616), HMAC-MD5 in RADIUS (RFC 2869).
//!
//! ```
//! use ropewalk::md5::{self, Md5};
//!
//! let mut hasher = Md5::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), md5::digest(b"abc"));
//! ```

use crate::{
    backend::Primitive,
    hash::{self, hasher, little_endian_32},
};

mod portable;

/// Bytes in a digest.
pub const DIGEST_LEN: usize = 16;

/// A digest.
pub type Digest = [u8; DIGEST_LEN];

/// The registers A, B, C and D of the standard.
type State = [u32; 4];
type Block = [u8; 64];

trait Compress: Send + Sync {
    /// Absorbs whole blocks, one after the other (section 3.4).
    fn compress(&self, state: &mut State, blocks: &[Block]);

    /// Absorbs the rest of a message of `len` bytes, and the padding (sections 3.1 and 3.2).
    fn finish(&self, state: &mut State, text: &[u8], len: u64) {
        hash::Tail::<64, true>::finish(text, len, |blocks| self.compress(state, blocks));
    }
}

backends! {
    calls Entries {
        fn compress(state: &mut State, blocks: &[Block]);
        fn finish(state: &mut State, text: &[u8], len: u64);
    }

    /// Nothing that processors have shortens its one chain, so there is but one.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Compress in "md5" {
        "portable" needs Baseline => Portable(portable::Portable),
    }
}

/// MD5, for those who walk the list.
pub const PRIMITIVE: Primitive = Primitive {
    name: "md5",
    standard: "RFC 1321",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Md5::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.finish() == ABC)
    },
};

/// The digest of `message`.
#[inline]
pub fn digest(message: &[u8]) -> Digest {
    hash::digest::<Md5>(&Engine::best(()), message)
}

hasher! {
    /// MD5, which is broken: see [the module](self) for what it is still for.
    Md5("md5") starts with START; State, blocks of 64, digest of 16 by little_endian_32
}

/// What the registers are before the first block (section 3.3).
const START: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// The digest of "abc" (section A.5).
const ABC: Digest = [
    0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0, 0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f, 0x72,
];
