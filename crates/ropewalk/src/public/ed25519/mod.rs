//! Ed25519: signatures (RFC 8032, section 5.1), and its variants Ed25519ctx and Ed25519ph.
//!
//! ```
//! use ropewalk::ed25519::{PrivateKey, PublicKey};
//!
//! let key = PrivateKey::from_seed(&[7; 32]);
//! let signature = key.sign(b"message");
//! let public = PublicKey::from_bytes(&key.public().to_bytes())?;
//! public.verify(b"message", &signature)?;
//! assert!(public.verify(b"another message", &signature).is_err());
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! # What verifies
//!
//! The rules are those of the TLS libraries: S is below L; A decodes as section 5.1.3 says; and the bytes of \[S\]B - \[k\]A are
//! those of R. So R is canonical, and no multiple of the cofactor is left out. These are the twelve cases of "Taming the many
//! EdDSAs" (Chalkias, Garillot, Nikolaenko, 2020), in its order:
//!
//! | case | is | verifies |
//! | --- | --- | --- |
//! | 0 | A and R of small order, S = 0 | yes |
//! | 1 | A of small order, R of mixed order | yes |
//! | 2 | A of mixed order, R of small order | yes |
//! | 3 | A and R of mixed order, which fit without the cofactor | yes |
//! | 4 | A and R of mixed order, which fit only times the cofactor | no |
//! | 5 | the same, with 8 k in place of k | no |
//! | 6 | S above L | no |
//! | 7 | S far above L | no |
//! | 8, 9 | R of small order with an encoding that is not canonical | no |
//! | 10, 11 | A of small order with an encoding that is not canonical | no |

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

#[cfg(feature = "many")]
pub use many::{Many, Signed, ToSign, sign_many, verify_all, verify_many};

use crate::{
    core::{
        Error,
        backend::{Info, Primitive},
        ct,
        secret::{Contents, Kept, Wiped, swept},
    },
    curves::{edwards::Point, edwards25519::decode},
    fields::{
        p25519::number::Number,
        words::{Modulus, Residue, from_le_bytes, is_below, to_le_bytes},
    },
    hashes::sha512::{self, Sha512},
};
#[cfg(feature = "many")]
use crate::{curves::edwards25519::Term, public::eights::EIGHT};

/// The bytes of a seed, and of a public key.
pub const KEY_LEN: usize = 32;

/// The bytes of a signature.
pub const SIGNATURE_LEN: usize = 64;

/// The bytes of a context, at most.
pub const LONGEST_CONTEXT: usize = 255;

/// A signature: the bytes of R, and S.
pub type Signature = [u8; SIGNATURE_LEN];

/// Multiples of points, for one key.
trait Multiply {
    /// The bytes of \[r\]B, for r below 2^255.
    fn base(&self, r: &[u8; 32], out: &mut [u8; 32]);
    /// The bytes of \[s\]B + \[k\]P, for s and k below 2^255 that are public.
    fn public_sum(&self, s: &[u8; 32], k: &[u8; 32], p: &Point<Number>, out: &mut [u8; 32]);
}

/// The same for eight keys.
#[cfg(feature = "many")]
trait MultiplyMany {
    fn base(&self, r: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
    fn public_sum(
        &self,
        s: &[&[u8; 32]; EIGHT],
        k: &[[u8; 32]; EIGHT],
        p: &[&Point<Number>; EIGHT],
        out: &mut [[u8; 32]; EIGHT],
    );
    /// The sum of -\[z\]R - \[z k\]A of all terms; none if some R is no point.
    fn sum_of_terms(&self, terms: &[Term<'_>], out: &mut Option<Point<Number>>);
}

backends! {
    calls Entries {
        fn base(r: &[u8; 32], out: &mut [u8; 32]);
        fn public_sum(s: &[u8; 32], k: &[u8; 32], p: &Point<Number>, out: &mut [u8; 32]);
    }
    tested by known::one;

    // The costs are those of a signature; verifications pay from fewer messages on.
    enum Engine(()): Multiply in "ed25519" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma" (24000 cycles) needs Avx512Ifma => Ifma(x86_64::ifma::Ifma),
        "portable" (40000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

#[cfg(feature = "many")]
backends! {
    calls ManyEntries {
        fn base(r: &[&[u8; 32]; EIGHT], out: &mut [[u8; 32]; EIGHT]);
        fn public_sum(
            s: &[&[u8; 32]; EIGHT], k: &[[u8; 32]; EIGHT], p: &[&Point<Number>; EIGHT], out: &mut [[u8; 32]; EIGHT]
        );
        fn sum_of_terms(terms: &[Term<'_>], out: &mut Option<Point<Number>>);
    }
    tested by known::many;

    enum ManyEngine(()): MultiplyMany in "ed25519" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma_x8" (70000 cycles, 0 at the start, 8 lanes) needs Avx512Ifma => IfmaX8(x86_64::ifma_x8::IfmaX8),
        "portable" (40000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// Ed25519 of one message at a time.
pub const PRIMITIVE: Primitive = Primitive {
    name: "ed25519",
    standard: "RFC 8032",
    backends: Engine::ALL,
    self_test: |backend| {
        let _ = Engine::named(backend)?;
        known::one(backend)
    },
};

/// Ed25519 of many messages.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "ed25519-many",
    standard: "RFC 8032",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let _ = ManyEngine::named(backend)?;
        known::many(backend)
    },
};

/// L, the order of the base point.
#[derive(Clone, Copy)]
enum Order {}

impl Modulus for Order {
    const WORDS: [u64; 4] = [0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000];
}

type Scalar = Residue<Order>;

/// A private key, with its public key. It is wiped when it is dropped.
pub struct PrivateKey {
    secret: Kept<Secret>,
}

struct Secret {
    engine: Engine,
    seed: [u8; KEY_LEN],
    /// s modulo L, and prefix (section 5.1.5).
    s: Scalar,
    prefix: [u8; 32],
    /// The bytes of the public key.
    public: [u8; KEY_LEN],
}

impl Contents for Secret {
    const USED: [usize; 2] = [6144, 6144];
    const MANY: usize = 24 << 10;

    fn info(&self) -> &'static Info {
        self.engine.info()
    }
}

impl PrivateKey {
    /// A new key of a random seed.
    ///
    /// # Errors
    /// [`Error::NoRandomness`] if the operating system gives no random bytes.
    #[cfg(feature = "random")]
    pub fn generate() -> Result<Self, Error> {
        let seed = Wiped::new(crate::random::array()?);
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed, which RFC 8032 calls the private key.
    pub fn from_seed(seed: &[u8; KEY_LEN]) -> Self {
        Self::with_engine(seed, Engine::best(()))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(seed: &[u8; KEY_LEN], name: &str) -> Result<Self, Error> {
        Ok(Self::with_engine(seed, Engine::named(name)?(())))
    }

    /// The public key is computed below this frame, and what that leaves of the seed is overwritten.
    #[inline(always)]
    fn with_engine(seed: &[u8; KEY_LEN], engine: Engine) -> Self {
        swept(Secret::USED[0], || Self::made(seed, engine))
    }

    /// Section 5.1.5.
    fn made(seed: &[u8; KEY_LEN], engine: Engine) -> Self {
        let h = Wiped::new(sha512::digest(seed));
        let (s, prefix) = h.split_first_chunk().expect("64 bytes");
        let mut s = Wiped::new(*s);
        s[0] &= 248;
        s[31] = s[31] & 127 | 64;
        let mut public = [0; KEY_LEN];
        engine.base(&s, &mut public);
        let s = Scalar::new(from_le_bytes(&*s));
        let prefix = prefix.try_into().expect("32 bytes");
        let public = public.map(ct::told);
        let secret = Kept::new(Secret { engine, seed: *seed, s, prefix, public });
        // A use: when the key is dropped, what moving it left in registers and on the stack is overwritten.
        let _: &Secret = &secret;
        Self { secret }
    }

    /// The seed: a secret, which the caller wipes.
    pub fn to_seed(&self) -> [u8; KEY_LEN] {
        self.secret.seed
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.secret.public().engine.info().name
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey::with_engine(self.public_bytes(), Engine::best(()))
            .expect("a multiple of the base point")
    }

    /// Its use is no use of the secret.
    fn public_bytes(&self) -> &[u8; KEY_LEN] {
        &self.secret.public().public
    }

    /// Signs a message (Ed25519).
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_by(Variant::PURE, message)
    }

    /// Signs a message in a context (Ed25519ctx).
    ///
    /// # Errors
    /// [`Error::Length`] unless the context has 1 to 255 bytes.
    pub fn sign_in_context(&self, context: &[u8], message: &[u8]) -> Result<Signature, Error> {
        Ok(self.sign_by(Variant::context(context)?, message))
    }

    /// Signs the SHA-512 digest of a message (Ed25519ph).
    ///
    /// # Errors
    /// [`Error::Length`] if the context has more than 255 bytes.
    pub fn sign_prehashed(&self, context: &[u8], digest: &[u8; 64]) -> Result<Signature, Error> {
        Ok(self.sign_by(Variant::prehashed(context)?, digest))
    }

    /// Section 5.1.6.
    fn sign_by(&self, variant: Variant<'_>, message: &[u8]) -> Signature {
        let r = self.nonce(variant, message);
        let mut first = [0; 32];
        self.secret.engine.base(&Wiped::new(to_le_bytes(r.to_words())), &mut first);
        let first = first.map(ct::told);
        let k = variant.hash(&[&first, self.public_bytes(), message]);
        self.signature(&r, &first, &k)
    }

    /// r (step 2).
    fn nonce(&self, variant: Variant<'_>, message: &[u8]) -> Wiped<Scalar> {
        Wiped::new(variant.hash(&[&self.secret.prefix, message]))
    }

    /// R and S (steps 5 and 6).
    fn signature(&self, r: &Scalar, first: &[u8; 32], k: &Scalar) -> Signature {
        let s = to_le_bytes((*r + *k * self.secret.s).to_words());
        let mut signature = [0; SIGNATURE_LEN];
        signature[..32].copy_from_slice(first);
        signature[32..].copy_from_slice(&s.map(ct::told));
        signature
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("backend", &self.backend()).finish_non_exhaustive()
    }
}

/// A public key.
pub struct PublicKey {
    engine: Engine,
    bytes: [u8; KEY_LEN],
    /// -A.
    minus_a: Point<Number>,
}

impl PublicKey {
    /// The public key of these bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] unless they are those of a point (section 5.1.3).
    pub fn from_bytes(bytes: &[u8; KEY_LEN]) -> Result<Self, Error> {
        Self::with_engine(bytes, Engine::best(()))
    }

    /// With the backend of that name in [`PRIMITIVE`].
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; [`Error::Invalid`] as [`PublicKey::from_bytes`].
    pub fn with_backend(bytes: &[u8; KEY_LEN], name: &str) -> Result<Self, Error> {
        Self::with_engine(bytes, Engine::named(name)?(()))
    }

    fn with_engine(bytes: &[u8; KEY_LEN], engine: Engine) -> Result<Self, Error> {
        let invalid =
            Error::Invalid { what: "public key", why: "its bytes are not those of a point" };
        let a = decode(bytes).ok_or(invalid)?;
        Ok(Self { engine, bytes: *bytes, minus_a: a.negated() })
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> [u8; KEY_LEN] {
        self.bytes
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.engine.info().name
    }

    /// Verifies the signature of a message (Ed25519).
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not its signature with this key.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_by(Variant::PURE, message, signature)
    }

    /// Verifies the signature of a message in a context (Ed25519ctx).
    ///
    /// # Errors
    /// As [`PublicKey::verify`], and [`Error::Length`] unless the context has 1 to 255 bytes.
    pub fn verify_in_context(
        &self,
        context: &[u8],
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_by(Variant::context(context)?, message, signature)
    }

    /// Verifies the signature of the SHA-512 digest of a message (Ed25519ph).
    ///
    /// # Errors
    /// As [`PublicKey::verify`], and [`Error::Length`] if the context has more than 255 bytes.
    pub fn verify_prehashed(
        &self,
        context: &[u8],
        digest: &[u8; 64],
        signature: &Signature,
    ) -> Result<(), Error> {
        self.verify_by(Variant::prehashed(context)?, digest, signature)
    }

    /// Section 5.1.7.
    fn verify_by(
        &self,
        variant: Variant<'_>,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let (first, s) = parts(signature)?;
        let mut right = [0; 32];
        self.engine.public_sum(
            s,
            &self.challenge(variant, first, message),
            &self.minus_a,
            &mut right,
        );
        if right == *first { Ok(()) } else { Err(Error::Forged) }
    }

    /// k (step 2).
    fn challenge(&self, variant: Variant<'_>, first: &[u8; 32], message: &[u8]) -> [u8; 32] {
        to_le_bytes(variant.hash(&[first, &self.bytes, message]).to_words())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey")
            .field("bytes", &self.bytes)
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}

/// The bytes of R, and S, which must be below L.
fn parts(signature: &Signature) -> Result<(&[u8; 32], &[u8; 32]), Error> {
    let [first, s] = signature.as_chunks().0 else { unreachable!("64 bytes") };
    match is_below(from_le_bytes(s), Order::WORDS) {
        0 => Err(Error::Forged),
        _ => Ok((first, s)),
    }
}

/// dom2(F, C) (section 5.1).
#[derive(Clone, Copy)]
struct Variant<'a> {
    /// Nothing for Ed25519.
    flag: Option<u8>,
    context: &'a [u8],
}

impl<'a> Variant<'a> {
    const PURE: Self = Self { flag: None, context: &[] };

    fn context(context: &'a [u8]) -> Result<Self, Error> {
        match context.len() {
            1..=LONGEST_CONTEXT => Ok(Self { flag: Some(0), context }),
            got => Err(Error::Length { what: "context", got, allowed: "1 to 255 bytes" }),
        }
    }

    fn prehashed(context: &'a [u8]) -> Result<Self, Error> {
        match context.len() {
            0..=LONGEST_CONTEXT => Ok(Self { flag: Some(1), context }),
            got => Err(Error::Length { what: "context", got, allowed: "up to 255 bytes" }),
        }
    }

    /// SHA-512 of dom2 and the parts, modulo L.
    fn hash(self, parts: &[&[u8]]) -> Scalar {
        let mut hasher = Sha512::new();
        if let Some(flag) = self.flag {
            hasher.update(b"SigEd25519 no Ed25519 collisions");
            hasher.update(&[flag, self.context.len() as u8]);
            hasher.update(self.context);
        }
        parts.iter().for_each(|part| hasher.update(part));
        let digest = Wiped::new(hasher.finish());
        Scalar::from_wide(from_le_bytes(&*digest))
    }
}
