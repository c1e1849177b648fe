//! X25519: key agreement (RFC 7748, sections 5 and 6.1).
//!
//! Both sides make a private key, send each other the public one, and compute the same shared secret. Derive keys from it with
//! [`hkdf`](crate::hkdf) together with both public keys; it is not a key itself.
//!
//! ```
//! # #[cfg(feature = "random")] {
//! use ropewalk::x25519::PrivateKey;
//!
//! let (ours, theirs) = (PrivateKey::generate()?, PrivateKey::generate()?);
//! let secret = ours.agree(&theirs.public())?;
//! assert_eq!(secret.as_bytes(), theirs.agree(&ours.public())?.as_bytes());
//! # }
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! [`agree_many`] and [`public_many`] compute eight at a time in SIMD lanes.
//!
//! Every 32 bytes are a public key: the highest bit is ignored, and numbers from p = 2^255 - 19 on are taken modulo p, as the RFC
//! requires. A public key of small order, with which every shared secret is zero, is refused by [`PrivateKey::agree`].

mod known;
#[cfg(feature = "many")]
mod many;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod ifma;
    #[cfg(feature = "many")]
    pub(super) mod ifma_x8;
}

use core::fmt;

use subtle::ConstantTimeEq as _;

#[cfg(feature = "many")]
use crate::public::eights::EIGHT;
use crate::{
    core::{
        Error,
        backend::{Info, Primitive},
        ct,
        secret::{Contents, Kept, Wiped},
    },
    curves::edwards::Point,
    fields::{Field as _, p25519::number::Number},
};
#[cfg(feature = "many")]
pub use many::{Many, Pair, agree_many, public_many};

/// The bytes of a private key, of a public key, and of a shared secret.
pub const LEN: usize = 32;

/// X25519 of one key. A scalar has been decoded: its bits are as section 5 sets them.
trait Agreement {
    /// X25519(k, u).
    fn agree(&self, k: &[u8; 32], u: &[u8; 32], out: &mut [u8; 32]);
    /// X25519(k, 9).
    fn public(&self, k: &[u8; 32], out: &mut [u8; 32]);
}

/// The same of eight keys.
#[cfg(feature = "many")]
trait AgreementMany {
    fn agree(&self, k: &[&[u8; 32]; EIGHT], u: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
    fn public(&self, k: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
}

backends! {
    calls Entries {
        fn agree(k: &[u8; 32], u: &[u8; 32], out: &mut [u8; 32]);
        fn public(k: &[u8; 32], out: &mut [u8; 32]);
    }
    tested by known::one;

    // The costs are those of a public key; agreements pay from fewer keys on.
    enum Engine(()): Agreement in "x25519" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma" (18000 cycles) needs Avx512Ifma => Ifma(x86_64::ifma::Ifma),
        "portable" (37000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// X25519 of one key at a time.
pub const PRIMITIVE: Primitive = Primitive {
    name: "x25519",
    standard: "RFC 7748",
    backends: Engine::ALL,
    self_test: |backend| {
        let _ = Engine::named(backend)?;
        known::one(backend)
    },
};

#[cfg(feature = "many")]
backends! {
    calls ManyEntries {
        fn agree(k: &[&[u8; 32]; EIGHT], u: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
        fn public(k: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
    }
    tested by known::many;

    enum ManyEngine(()): AgreementMany in "x25519" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma_x8" (49000 cycles, 0 at the start, 8 lanes) needs Avx512Ifma => IfmaX8(x86_64::ifma_x8::IfmaX8),
        "portable" (37000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// X25519 of many keys.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "x25519-many",
    standard: "RFC 7748",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let _ = ManyEngine::named(backend)?;
        known::many(backend)
    },
};

/// The u-coordinate of a point of the equivalent Edwards curve (section 4.1): (1 + y) / (1 - y).
fn public_of(point: &Point<Number>) -> [u8; LEN] {
    (point.z + point.y).times((point.z - point.y).inverse()).to_bytes()
}

/// A private key. It is wiped when it is dropped.
pub struct PrivateKey {
    secret: Kept<Scalar>,
}

struct Scalar {
    engine: Engine,
    /// The bytes as they were given: they are decoded when they are used.
    bytes: [u8; LEN],
}

impl Scalar {
    /// decodeScalar25519 (section 5).
    fn decoded(&self) -> Wiped<[u8; LEN]> {
        let mut k = Wiped::new(self.bytes);
        k[0] &= 248;
        k[31] = k[31] & 127 | 64;
        k
    }
}

impl Contents for Scalar {
    const USED: [usize; 2] = [6144, 6144];
    const MANY: usize = 16 << 10;

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl PrivateKey {
    /// A new key of random bytes.
    ///
    /// # Errors
    /// [`Error::NoRandomness`] if the operating system gives no random bytes.
    #[cfg(feature = "random")]
    pub fn generate() -> Result<Self, Error> {
        let bytes = Wiped::new(crate::random::array()?);
        Ok(Self::from_bytes(&bytes))
    }

    /// Any 32 bytes are a key. Five of its bits are fixed by the RFC, and ignored.
    pub fn from_bytes(bytes: &[u8; LEN]) -> Self {
        Self { secret: Kept::new(Scalar { engine: Engine::best(()), bytes: *bytes }) }
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(bytes: &[u8; LEN], name: &str) -> Result<Self, Error> {
        let engine = Engine::named(name)?(());
        Ok(Self { secret: Kept::new(Scalar { engine, bytes: *bytes }) })
    }

    /// The bytes of the key: a secret, which the caller wipes.
    pub fn to_bytes(&self) -> [u8; LEN] {
        self.secret.bytes
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.secret.public().engine.info().name
    }

    /// The public key: X25519(k, 9).
    pub fn public(&self) -> PublicKey {
        let mut out = [0; LEN];
        self.secret.engine.public(&self.secret.decoded(), &mut out);
        PublicKey(out.map(ct::told))
    }

    /// The secret that both sides share.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is zero, as with the public keys of small order (section 6.1).
    pub fn agree(&self, with: &PublicKey) -> Result<SharedSecret, Error> {
        let mut out = Wiped::new([0; LEN]);
        self.secret.engine.agree(&self.secret.decoded(), &with.0, &mut out);
        SharedSecret::checked(&out)
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.backend()).finish_non_exhaustive()
    }
}

/// A public key: 32 bytes of any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(pub [u8; LEN]);

/// A shared secret, which is not zero. It is wiped when it is dropped.
pub struct SharedSecret(Wiped<[u8; LEN]>);

impl SharedSecret {
    /// The secret, unless it is zero.
    fn checked(secret: &[u8; LEN]) -> Result<Self, Error> {
        if ct::verdict(secret.ct_eq(&[0; LEN])) {
            return Err(Error::Invalid { what: "public key", why: "it has small order" });
        }
        Ok(Self(Wiped::new(*secret)))
    }

    /// Its bytes, for a key derivation function.
    pub fn as_bytes(&self) -> &[u8; LEN] {
        &self.0
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSecret(..)")
    }
}
