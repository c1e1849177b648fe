//! RSA signatures (RFC 8017): RSASSA-PKCS1-v1_5 (section 8.2) and RSASSA-PSS (section 8.1), with MGF1 of the same hash function.
//!
//! ```
//! use ropewalk::{
//!     rsa::{HashFunction, PrivateKey},
//!     sha256,
//! };
//!
//! let key = PrivateKey::generate(2048)?;
//! let digest = sha256::digest(b"attack at dawn");
//! let mut signature = vec![0; key.public().signature_len()];
//! key.sign_pss(HashFunction::Sha256, &digest, 32, &mut signature)?;
//! key.public().verify_pss(HashFunction::Sha256, &digest, 32, &signature)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Numbers are byte strings, the most significant byte first; a signature has as many bytes as the modulus. Messages are given by
//! their digests.
//!
//! * Private keys have moduli of 2048 to 4096 bits, public keys of 1024 to 4096. Public exponents are odd, from 3 to 2^64 − 1.
//! * The two primes may differ in length by up to 64 bits; neither is longer than 2048 bits.
//! * A signature is computed modulo each prime, with a blinded base and blinded exponents. It is checked with the public
//!   exponent before it is output.
//! * Keys in files are read and written by the module `keys`, with the cargo feature of that name.
//! * A private key, and the tables of a signature, are on the heap. An operation takes up to 80 KiB of stack, and one on many keys
//!   104 KiB, which it overwrites.
//! * Verification builds the encoded message that it expects and compares all of it.

#[cfg(feature = "many")]
use crate::public::eights::EIGHT;
use crate::{
    bignum::{Bits, Limbs, Modulus, Number},
    core::backend::Primitive,
};

mod blinding;
mod encoding;
mod generate;
mod known;
#[cfg(feature = "many")]
mod many;
mod portable;
mod private;
mod public;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod ifma;
    #[cfg(feature = "many")]
    pub(super) mod ifma_x8;
}

pub use encoding::{HashFunction, Padding};
#[cfg(feature = "many")]
pub use many::{Many, Signed, ToSign, sign_many, verify_many};
pub use private::{Parts, PrivateKey};
pub use public::PublicKey;

/// Bytes of the longest signature, and of the longest modulus.
pub const LONGEST: usize = Limbs::MOST.bits().bytes();

/// p and q. Both have as many limbs as the longer one.
type Primes = [Modulus; 2];
/// A number modulo p, and one modulo q.
type Halves = [Number; 2];

/// The operations of a backend.
trait Power: Send + Sync {
    /// x^e modulo p and modulo q, in place of x, which is below them. The exponents are secret, and have at most `bits` bits.
    fn secret(&self, primes: &Primes, e: &Halves, bits: Bits, x: &mut Halves);

    /// x^e mod n, in place of x, which is below n. The exponent is public.
    fn public(&self, n: &Modulus, e: u64, x: &mut Number);
}

backends! {
    calls Entries {
        fn secret(primes: &Primes, e: &Halves, bits: Bits, x: &mut Halves);
        fn public(n: &Modulus, e: u64, x: &mut Number);
    }
    tested by known::one;

    /// Powers, most preferred first.
    #[derive(Clone)]
    enum Engine(()): Power in "rsa" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma" (600_000 cycles) needs Avx512Ifma => Ifma(x86_64::ifma::Ifma),
        "portable" (2_000_000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// RSA and its backends.
pub const PRIMITIVE: Primitive = Primitive {
    name: "rsa",
    standard: "RFC 8017",
    backends: Engine::ALL,
    self_test: known::self_test,
};

/// A modulus for each lane. All have as many limbs.
#[cfg(feature = "many")]
type Moduli<'a> = [&'a Modulus; EIGHT];
#[cfg(feature = "many")]
type Lanes = [Number; EIGHT];

/// The operations of a backend for many powers.
#[cfg(feature = "many")]
trait PowerMany: Send + Sync {
    /// x^e mod m in each lane, in place of x, which is below m. The exponents are secret, and have at most `bits` bits. The moduli
    /// have at most half of the longest length.
    fn secret(&self, moduli: &Moduli<'_>, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes);

    /// x^e mod m in each lane, in place of x, which is below m. The exponents are public, and not zero.
    fn public(&self, moduli: &Moduli<'_>, e: &[u64; EIGHT], x: &mut Lanes);
}

#[cfg(feature = "many")]
backends! {
    calls ManyEntries {
        fn secret(moduli: &Moduli<'_>, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes);
        fn public(moduli: &Moduli<'_>, e: &[u64; EIGHT], x: &mut Lanes);
    }
    tested by known::many;

    /// Many powers, most preferred first.
    enum ManyEngine(()): PowerMany in "rsa" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/ifma_x8" (2_500_000 cycles, 0 at the start, 8 lanes) needs Avx512Ifma => Ifmax8(x86_64::ifma_x8::Ifmax8),
        "portable" (2_000_000 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// Many signatures, and the backends for them.
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "rsa-many",
    standard: "RFC 8017",
    backends: ManyEngine::ALL,
    self_test: known::many,
};
