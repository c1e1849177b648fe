//! P-256: signatures by ECDSA (FIPS 186-5, section 6) and key agreement by ECDH (SP 800-56A Rev. 3, section 5.7.1.2).
//!
//! ```
//! # #[cfg(feature = "random")] {
//! use ropewalk::{p256::PrivateKey, sha256};
//!
//! let key = PrivateKey::generate()?;
//! let digest = sha256::digest(b"a message");
//! let signature = key.sign(&digest)?;
//! key.public().verify(&digest, &signature)?;
//!
//! let other = PrivateKey::generate()?;
//! let secret = key.agree(&other.public());
//! assert_eq!(secret.as_bytes(), other.agree(&key.public()).as_bytes());
//! # }
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! [`sign_many`], [`verify_many`], [`agree_many`] and [`public_many`] compute eight at a time in SIMD lanes.
//!
//! * Messages are hashed by the caller: of a digest with more than 256 bits, the leftmost 256 count.
//! * The nonce of a signature is derived from the key, the digest, and fresh random bytes ([`PrivateKey::sign`]), or from the
//!   first two ([`PrivateKey::sign_deterministic`]). A signature with a nonce that an attacker knows, or that was used twice,
//!   reveals the key.
//! * For each signature (r, s) there is another, (r, n - s), of the same message: both are valid.
//! * A public key is validated when it is made: it is on the curve, and not infinite. As all such points have order n, no
//!   agreement fails. Derive keys from a shared secret with [`hkdf`](crate::hkdf); it is not a key itself.

mod arithmetic;
mod der;
mod known;
#[cfg(feature = "many")]
mod many;
mod nonces;
mod portable;
mod public;
mod signature;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod ifma;
    #[cfg(feature = "many")]
    pub(super) mod ifma_x8;
}

use core::fmt;

#[cfg(feature = "many")]
use crate::public::eights::EIGHT;
use crate::{
    core::{
        Error,
        backend::{Info, Primitive},
        ct,
        secret::{Contents, Kept, Wiped},
    },
    fields::{
        p256::order::{N, Scalar as Residue},
        words::{Modulus as _, from_bytes, is_below},
        zeros,
    },
};
pub use der::{Der, LONGEST};
#[cfg(all(feature = "many", feature = "random"))]
pub use many::sign_many;
#[cfg(feature = "many")]
pub use many::{Many, Pair, Signed, ToSign, agree_many, public_many, verify_many};
use nonces::Nonces;
pub use public::{COMPRESSED_LEN, PublicKey, UNCOMPRESSED_LEN};
pub use signature::{SIGNATURE_LEN, Signature};

/// The bytes of a private key, and of a shared secret.
pub const LEN: usize = 32;

/// The bytes of the shortest digest that is signed: of SHA-1.
pub const SHORTEST_DIGEST: usize = 20;

/// A number of 256 bits, big-endian.
type Scalar = [u8; 32];
/// The coordinates x and y of a point that is not infinite, big-endian.
type Point = [u8; 64];
/// r and s, big-endian.
type SignatureBytes = [u8; 64];

/// Operations of one key. d and k are scalars with 0 < d, k < n; e is any number of 256 bits.
trait Operations {
    /// d G.
    fn public(&self, d: &Scalar, out: &mut Point);
    /// x of d Q.
    fn agree(&self, d: &Scalar, q: &Point, out: &mut Scalar);
    /// The signature with nonce k (FIPS 186-5, section 6.4.1), in which r or s may be 0.
    fn sign(&self, d: &Scalar, k: &Scalar, e: &Scalar, out: &mut SignatureBytes);
    /// Whether a signature with 0 < r, s < n is valid (section 6.4.2).
    fn verify(&self, q: &Point, e: &Scalar, signature: &SignatureBytes, valid: &mut bool);
}

/// The same of eight keys.
#[cfg(feature = "many")]
trait OperationsMany {
    fn public(&self, d: &[&Scalar; EIGHT], out: &mut [Point; EIGHT]);
    fn agree(&self, d: &[&Scalar; EIGHT], q: &[&Point; EIGHT], out: &mut [Scalar; EIGHT]);
    fn sign(
        &self,
        d: &[&Scalar; EIGHT],
        k: &[&Scalar; EIGHT],
        e: &[&Scalar; EIGHT],
        out: &mut [SignatureBytes; EIGHT],
    );
    fn verify(
        &self,
        q: &[&Point; EIGHT],
        e: &[&Scalar; EIGHT],
        signatures: &[&SignatureBytes; EIGHT],
        valid: &mut [bool; EIGHT],
    );
}

backends! {
    calls Entries {
        fn public(d: &Scalar, out: &mut Point);
        fn agree(d: &Scalar, q: &Point, out: &mut Scalar);
        fn sign(d: &Scalar, k: &Scalar, e: &Scalar, out: &mut SignatureBytes);
        fn verify(q: &Point, e: &Scalar, signature: &SignatureBytes, valid: &mut bool);
    }
    tested by known::one;

    // The costs are those of a public key; agreements and verifications pay from fewer keys on.
    enum Engine(()): Operations in "p256" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma" (18000 cycles) needs Avx512Ifma => Ifma(x86_64::ifma::Ifma),
        "portable" (46000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// P-256 of one key at a time.
pub const PRIMITIVE: Primitive = Primitive {
    name: "p256",
    standard: "FIPS 186-5, SP 800-56A Rev. 3",
    backends: Engine::ALL,
    self_test: |backend| {
        let _ = Engine::named(backend)?;
        known::one(backend)
    },
};

#[cfg(feature = "many")]
backends! {
    calls ManyEntries {
        fn public(d: &[&Scalar; EIGHT], out: &mut [Point; EIGHT]);
        fn agree(d: &[&Scalar; EIGHT], q: &[&Point; EIGHT], out: &mut [Scalar; EIGHT]);
        fn sign(d: &[&Scalar; EIGHT], k: &[&Scalar; EIGHT], e: &[&Scalar; EIGHT], out: &mut [SignatureBytes; EIGHT]);
        fn verify(q: &[&Point; EIGHT], e: &[&Scalar; EIGHT], signatures: &[&SignatureBytes; EIGHT], valid: &mut [bool; EIGHT]);
    }
    tested by known::many;

    enum ManyEngine(()): OperationsMany in "p256" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma_x8" (55000 cycles, 0 at the start, 8 lanes) needs Avx512Ifma => IfmaX8(x86_64::ifma_x8::IfmaX8),
        "portable" (46000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// P-256 of many keys.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "p256-many",
    standard: "FIPS 186-5, SP 800-56A Rev. 3",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let _ = ManyEngine::named(backend)?;
        known::many(backend)
    },
};

/// A private key: a number d with 0 < d < n. It is wiped when it is dropped.
pub struct PrivateKey {
    secret: Kept<Secret>,
}

struct Secret {
    engine: Engine,
    d: Scalar,
}

impl Contents for Secret {
    const USED: [usize; 2] = [11 << 10, 11 << 10];
    const MANY: usize = 26 << 10;

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl PrivateKey {
    /// A new random key.
    ///
    /// # Errors
    /// [`Error::NoRandomness`] if the operating system gives no random bytes.
    #[cfg(feature = "random")]
    pub fn generate() -> Result<Self, Error> {
        let mut failed = Ok(());
        let d = nonces::first_scalar(|| {
            let mut d = Wiped::new([0; LEN]);
            failed = crate::random::fill(&mut *d);
            if failed.is_err() {
                // In range, so that the loop ends.
                d[LEN - 1] = 1;
            }
            d
        });
        failed?;
        Ok(Self { secret: Kept::new(Secret { engine: Engine::best(()), d: *d }) })
    }

    /// From a big-endian number.
    ///
    /// # Errors
    /// [`Error::Invalid`] where it is 0, or n or more.
    ///
    /// # Example
    /// ```
    /// use ropewalk::p256::PrivateKey;
    ///
    /// assert!(PrivateKey::from_bytes(&[7; 32]).is_ok());
    /// assert!(PrivateKey::from_bytes(&[0; 32]).is_err());
    /// ```
    pub fn from_bytes(bytes: &[u8; LEN]) -> Result<Self, Error> {
        Self::new(Engine::best(()), bytes)
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Invalid`] as [`PrivateKey::from_bytes`].
    pub fn with_backend(bytes: &[u8; LEN], name: &str) -> Result<Self, Error> {
        Self::new(Engine::named(name)?(()), bytes)
    }

    fn new(engine: Engine, bytes: &[u8; LEN]) -> Result<Self, Error> {
        if ct::told(is_scalar(bytes)) == 0 {
            return Err(Error::Invalid { what: "private key", why: "it is not from 1 to n - 1" });
        }
        Ok(Self { secret: Kept::new(Secret { engine, d: *bytes }) })
    }

    /// The number, big-endian: a secret, which the caller wipes.
    pub fn to_bytes(&self) -> [u8; LEN] {
        self.secret.d
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.secret.public().engine.info().name
    }

    /// The public key: d G.
    pub fn public(&self) -> PublicKey {
        let mut out = [0; 64];
        self.secret.engine.public(&self.secret.d, &mut out);
        PublicKey::known(out.map(ct::told))
    }

    /// The secret that both sides share: the x-coordinate of d Q.
    pub fn agree(&self, with: &PublicKey) -> SharedSecret {
        let mut shared = SharedSecret(Wiped::new([0; LEN]));
        self.secret.engine.agree(&self.secret.d, with.point(), &mut shared.0);
        shared
    }

    /// The signature of a message with that digest, of 20 bytes or more. Its nonce is of RFC 6979 with 32 random bytes as
    /// additional data (section 3.6): neither a weak source nor a fault in a computation that is repeated reveals the key.
    ///
    /// # Errors
    /// [`Error::Length`] for a shorter digest; [`Error::NoRandomness`] if the operating system gives no random bytes.
    #[cfg(feature = "random")]
    pub fn sign(&self, digest: &[u8]) -> Result<Signature, Error> {
        let e = leftmost(digest)?;
        let fresh = Wiped::new(crate::random::array::<32>()?);
        let mut nonces = self.nonces(digest.len(), &e, &*fresh);
        let k = nonces.next();
        Ok(self.sign_with(&e, &mut nonces, k))
    }

    /// The same with the nonce of RFC 6979, without random bytes: a digest always has the same signature. The RFC takes HMAC of
    /// the function that made the digest. Its length decides: 28, 48 or 64 bytes are of SHA-224, SHA-384 or SHA-512, and any other
    /// length is taken for SHA-256.
    ///
    /// # Errors
    /// [`Error::Length`] for a digest of less than 20 bytes.
    ///
    /// # Example
    /// ```
    /// use ropewalk::{p256::PrivateKey, sha256};
    ///
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let digest = sha256::digest(b"a message");
    /// assert_eq!(key.sign_deterministic(&digest)?, key.sign_deterministic(&digest)?);
    /// # Ok::<(), ropewalk::Error>(())
    /// ```
    pub fn sign_deterministic(&self, digest: &[u8]) -> Result<Signature, Error> {
        let e = leftmost(digest)?;
        let mut nonces = self.nonces(digest.len(), &e, &[]);
        let k = nonces.next();
        Ok(self.sign_with(&e, &mut nonces, k))
    }

    fn nonces(&self, len: usize, e: &Scalar, more: &[u8]) -> Nonces {
        Nonces::new(&self.secret.d, len, &Residue::from_bytes(e).to_bytes(), more)
    }

    fn sign_with(&self, e: &Scalar, nonces: &mut Nonces, mut k: Wiped<Scalar>) -> Signature {
        loop {
            let mut out = [0; SIGNATURE_LEN];
            self.secret.engine.sign(&self.secret.d, &k, e, &mut out);
            // Where r or s is 0, the next nonce is taken.
            if let Ok(signature) = Signature::from_bytes(&out.map(ct::told)) {
                return signature;
            }
            k = nonces.next();
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.backend()).finish_non_exhaustive()
    }
}

/// A shared secret: an x-coordinate, big-endian. It is wiped when it is dropped.
pub struct SharedSecret(Wiped<[u8; LEN]>);

impl SharedSecret {
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

/// The number of the leftmost 256 bits of a digest (FIPS 186-5, section 6.4.1, step 2).
fn leftmost(digest: &[u8]) -> Result<Scalar, Error> {
    let got = digest.len();
    if got < SHORTEST_DIGEST {
        return Err(Error::Length { what: "digest", got, allowed: "20 bytes or more" });
    }
    let (mut e, len) = ([0; 32], got.min(32));
    e[32 - len..].copy_from_slice(&digest[..len]);
    Ok(e)
}

/// 1 for a number from 1 to n - 1, 0 for others. In constant time.
fn is_scalar(bytes: &Scalar) -> u8 {
    let words = from_bytes(bytes);
    let [a, b, c, d] = words;
    (is_below(words, N::WORDS) & !zeros(a | b | c | d)) as u8 & 1
}
