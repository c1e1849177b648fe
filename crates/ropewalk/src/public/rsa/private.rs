//! Private keys.

use alloc::boxed::Box;
#[cfg(feature = "keys")]
use alloc::{vec, vec::Vec};
use core::fmt;

use subtle::Choice;
#[cfg(feature = "keys")]
use zeroize::Zeroizing;

#[cfg(test)]
use super::tests::fault::{self, Place};
use super::{
    Engine, Halves, HashFunction, Padding, Primes, PublicKey,
    blinding::Blinding,
    encoding::{self, Encoded},
    public::number,
};
use crate::{
    bignum::{Bits, Limbs, Modulus, Number, Room, inverse_of_small},
    core::{
        Error,
        backend::Info,
        ct,
        secret::{Contents, Kept, Sweep, Wiped, below},
    },
    random,
};

/// The parts of a private key: numbers, the most significant byte first. Leading zeros are allowed.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The modulus: pq.
    pub n: &'a [u8],
    /// The public exponent.
    pub e: &'a [u8],
    /// A prime.
    pub p: &'a [u8],
    /// The other prime.
    pub q: &'a [u8],
}

/// A private key. It is wiped when it is dropped.
pub struct PrivateKey {
    /// It does not move, so that no copy is left behind.
    inner: Box<Kept<Inner>>,
}

/// A key, in the letters of RFC 8017, section 3.2.
pub(super) struct Inner {
    pub(super) public: PublicKey,
    pub(super) primes: Primes,
    /// dP and dQ.
    d: Halves,
    /// p − 2 and q − 2: exponents of inverses.
    pub(super) inversion: Halves,
    /// The Montgomery form of qInv modulo p.
    q_inverse: Number,
    blinding: Blinding,
}

impl Contents for Inner {
    // Each operation overwrites what it took of the stack.
    const USED: [usize; 2] = [0; 2];

    fn info(&self) -> &'static Info {
        self.public.engine.info()
    }
}

/// Bytes of stack that an operation takes. It overwrites them, which takes a hundredth of its time.
pub(super) const STACK: usize = 80 << 10;

/// Bits of the random multiple that blinds an exponent.
const BLINDED: usize = 64;

impl PrivateKey {
    /// Makes a key, with the best backend of this processor. dP, dQ and qInv are computed.
    ///
    /// # Errors
    /// [`Error::Length`] unless `n` has from 2048 to 4096 bits, `e` from 2 to 64, and `p` and `q` at most 2048, with a difference of
    /// at most 64; [`Error::Invalid`] where a number is even, n is not pq, p or q is not prime, or e has no inverse modulo p − 1 and
    /// q − 1; [`Error::NoRandomness`] where the operating system has none.
    ///
    /// # Example
    /// ```
    /// use ropewalk::rsa::{Parts, PrivateKey};
    ///
    /// let parts = Parts { n: &[0xd5; 256], e: &[1, 0, 1], p: &[0x99; 128], q: &[0x99; 128] };
    /// assert_eq!(PrivateKey::new(&parts).err().unwrap().to_string(), "modulus is invalid: it is not the product of the primes");
    /// ```
    pub fn new(parts: &Parts<'_>) -> Result<Self, Error> {
        Self::of(parts, Engine::best(()))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; otherwise as [`PrivateKey::new`].
    pub fn with_backend(parts: &Parts<'_>, name: &str) -> Result<Self, Error> {
        Self::of(parts, Engine::named(name)?(()))
    }

    pub(super) fn of(parts: &Parts<'_>, engine: Engine) -> Result<Self, Error> {
        let _sweep = Sweep(STACK);
        below(|| {
            let inner = Inner::new(parts, engine)?;
            Ok(Self { inner: Box::new(Kept::new(inner)) })
        })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.inner.public().info().name
    }

    /// Its public key.
    pub fn public(&self) -> &PublicKey {
        &self.inner.public().public
    }

    /// RSASSA-PKCS1-V1_5-SIGN (RFC 8017, section 8.2.1).
    ///
    /// # Errors
    /// [`Error::Length`] unless `digest` has the length of the hash function and `signature` that of the modulus;
    /// [`Error::NoRandomness`] where the operating system has none; [`Error::Invalid`] where the result fails its check, by a
    /// fault of the machine. `signature` is then zeroed.
    pub fn sign_pkcs1v15(
        &self,
        function: HashFunction,
        digest: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        self.sign(Padding::Pkcs1v15, function, digest, signature)
    }

    /// RSASSA-PSS-SIGN (RFC 8017, section 8.1.1), with a random salt of that many bytes: usually as many as a digest has.
    ///
    /// # Errors
    /// As [`PrivateKey::sign_pkcs1v15`], and [`Error::Length`] where the salt is too long for the modulus.
    pub fn sign_pss(
        &self,
        function: HashFunction,
        digest: &[u8],
        salt_len: usize,
        signature: &mut [u8],
    ) -> Result<(), Error> {
        self.sign(Padding::Pss { salt_len }, function, digest, signature)
    }

    pub(super) fn sign(
        &self,
        padding: Padding,
        function: HashFunction,
        digest: &[u8],
        signature: &mut [u8],
    ) -> Result<(), Error> {
        let _sweep = Sweep(STACK);
        let signed = below(|| self.sign_encoded(self.encode(padding, function, digest), signature));
        signed.inspect_err(|_| signature.fill(0))
    }

    pub(super) fn encode(
        &self,
        padding: Padding,
        function: HashFunction,
        digest: &[u8],
    ) -> Result<Encoded, Error> {
        let n = self.public().n.bits();
        match padding {
            Padding::Pkcs1v15 => encoding::pkcs1v15(function, digest, n),
            Padding::Pss { salt_len } => {
                let mut salt = [0; 512];
                // One that is too long is refused by its length.
                let salt = &mut salt[..salt_len.min(512)];
                if salt_len <= encoding::longest_salt(function, n) {
                    random::fill(salt)?;
                }
                encoding::pss(function, digest, salt, n)
            }
        }
    }

    /// RSASP1 (section 5.2.1) of an encoded message.
    fn sign_encoded(&self, em: Result<Encoded, Error>, signature: &mut [u8]) -> Result<(), Error> {
        let (mut begun, key) = (Begun::new(self, em?, signature.len())?, &*self.inner);
        let Begun { exponents, halves, .. } = &mut begun;
        key.public.engine.secret(&key.primes, exponents, key.exponent_bits(), halves);
        let s = begun.joined(key);
        let mut power = Wiped::new(Number::clone(&s));
        key.public.engine.public(&key.public.n, key.public.e, &mut power);
        begun.output(&s, &power, signature)
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// The numbers of RSAPrivateKey (appendix A.1.2) after n and e.
    #[cfg(feature = "keys")]
    pub(crate) fn numbers(&self) -> Numbers {
        let _sweep = Sweep(STACK);
        below(|| self.inner.numbers())
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey")
            .field("backend", &self.backend())
            .field("bits", &self.public().bits())
            .finish_non_exhaustive()
    }
}

/// Secret numbers, the most significant byte first.
#[cfg(feature = "keys")]
pub(crate) struct Numbers {
    /// An inverse of e modulo (p - 1)(q - 1). There may be a smaller one.
    pub(crate) d: Zeroizing<Vec<u8>>,
    pub(crate) p: Zeroizing<Vec<u8>>,
    pub(crate) q: Zeroizing<Vec<u8>>,
    pub(crate) d_p: Zeroizing<Vec<u8>>,
    pub(crate) d_q: Zeroizing<Vec<u8>>,
    pub(crate) q_inverse: Zeroizing<Vec<u8>>,
}

/// A signature, before its powers are computed.
pub(super) struct Begun {
    m: Wiped<Number>,
    unblinding: Wiped<Number>,
    pub(super) exponents: Wiped<Halves>,
    /// The blinded number modulo p and q, which are then replaced by their powers.
    pub(super) halves: Wiped<Halves>,
}

impl Begun {
    pub(super) fn new(key: &PrivateKey, em: Encoded, signature_len: usize) -> Result<Self, Error> {
        let key = key.inner();
        let n = &key.public.n;
        if signature_len != key.public.signature_len() {
            let allowed = "that of the modulus";
            return Err(Error::Length { what: "signature", got: signature_len, allowed });
        }
        let long = Error::Invalid { what: "encoded message", why: "it is too long" };
        let m = Wiped::new(Number::from_be_bytes(em.as_slice(), n.len()).ok_or(long)?);
        let [blinding, unblinding] = key.blinding.factors(key)?;
        let mut room = Wiped::new(Room::new());
        let mut blinded = m.clone();
        n.multiply(&mut blinded, &blinding, &mut room);
        #[cfg(test)]
        fault::plant(Place::Base, &mut blinded);
        let halves = key.halves(&blinded, &mut room);
        Ok(Self { m, unblinding, exponents: key.exponents(&key.d)?, halves })
    }

    /// The signature, before it is checked.
    pub(super) fn joined(&mut self, key: &Inner) -> Wiped<Number> {
        let mut room = Wiped::new(Room::new());
        let mut s = key.joined(&mut self.halves, &mut room);
        key.public.n.multiply(&mut s, &self.unblinding, &mut room);
        s
    }

    /// Outputs a signature if its power is right.
    pub(super) fn output(
        &self,
        s: &Number,
        power: &Number,
        signature: &mut [u8],
    ) -> Result<(), Error> {
        if !ct::verdict(power.equals(&self.m)) {
            return Err(Error::Invalid { what: "computed signature", why: "it does not verify" });
        }
        s.to_be_bytes(signature);
        Ok(())
    }
}

impl Inner {
    fn new(parts: &Parts<'_>, engine: Engine) -> Result<Self, Error> {
        let public = PublicKey::of(parts.n, parts.e, Bits(2048), engine)?;
        let p = Wiped::new(number("prime in bits", parts.p)?);
        let q = Wiped::new(number("prime in bits", parts.q)?);
        let len = check_primes(&p, &q)?;
        let product = Wiped::new(Number::product(&p.resized(len), &q.resized(len), len.doubled()));
        if !ct::verdict(product.equals(public.n.number())) {
            return Err(Error::Invalid {
                what: "modulus",
                why: "it is not the product of the primes",
            });
        }
        let prime = |number| {
            let even = Error::Invalid { what: "prime", why: "it is even" };
            Modulus::new(number, Some(len)).ok_or(even)
        };
        let primes = [prime(&p)?, prime(&q)?];
        let less = |prime: &Modulus, less: u64| {
            let mut number = prime.number().clone();
            number.subtract(&Number::word(less, len));
            number
        };
        let exponent = |prime: &Modulus| {
            let none = Error::Invalid {
                what: "public exponent",
                why: "it shares a factor with p - 1 or q - 1",
            };
            inverse_of_small(public.e, &less(prime, 1)).ok_or(none)
        };
        let d = [Number::clone(&*exponent(&primes[0])?), Number::clone(&*exponent(&primes[1])?)];
        let inversion = [less(&primes[0], 2), less(&primes[1], 2)];
        let q_inverse = Number::zero(len);
        let mut key = Self { public, primes, d, inversion, q_inverse, blinding: Blinding::new() };
        key.set_inverse()?;
        Ok(key)
    }

    #[cfg(feature = "keys")]
    fn numbers(&self) -> Numbers {
        let bytes = |number: &Number| {
            let mut bytes = Zeroizing::new(vec![0; number.len().bits().bytes()]);
            number.to_be_bytes(&mut bytes);
            bytes
        };
        let orders = Wiped::new(self.primes.each_ref().map(|prime| {
            let mut order = prime.number().clone();
            order.subtract(&Number::word(1, prime.len()));
            order
        }));
        let [p, q] = &self.primes;
        let order = Wiped::new(Number::product(&orders[0], &orders[1], p.len().doubled()));
        // dP and dQ are inverses of e, so that there is one modulo the product.
        let d = inverse_of_small(self.public.e, &order);
        let mut q_inverse = Wiped::new(self.q_inverse.clone());
        p.leave(&mut q_inverse, &mut Wiped::new(Room::new()));
        Numbers {
            d: d.map_or_else(Zeroizing::default, |d| bytes(&d)),
            p: bytes(p.number()),
            q: bytes(q.number()),
            d_p: bytes(&self.d[0]),
            d_q: bytes(&self.d[1]),
            q_inverse: bytes(&q_inverse),
        }
    }

    /// q^−1 mod p. With the inverse of p mod q it shows that neither number is composite, or both are rare pseudoprimes.
    fn set_inverse(&mut self) -> Result<(), Error> {
        let [p, q] = &self.primes;
        let mut room = Wiped::new(Room::new());
        let bases =
            Wiped::new([p.remainder(q.number(), &mut room), q.remainder(p.number(), &mut room)]);
        let mut inverses = Wiped::new(Halves::clone(&bases));
        let exponents = self.exponents(&self.inversion)?;
        self.public.engine.secret(&self.primes, &exponents, self.exponent_bits(), &mut inverses);
        let mut right = Choice::from(1);
        for ((prime, base), inverse) in self.primes.iter().zip(&*bases).zip(&mut *inverses) {
            prime.enter(inverse, &mut room);
            let mut one = Wiped::new(base.clone());
            prime.multiply(&mut one, inverse, &mut room);
            right &= one.equals(&Number::word(1, Limbs::new(1)));
        }
        if !ct::verdict(right) {
            return Err(Error::Invalid { what: "prime", why: "it is not prime" });
        }
        self.q_inverse = inverses[0].clone();
        Ok(())
    }

    pub(super) fn exponent_bits(&self) -> Bits {
        let [Bits(p), Bits(q)] = [self.primes[0].bits(), self.primes[1].bits()];
        Bits(p.max(q) + BLINDED)
    }

    /// Exponents with random multiples of p − 1 and q − 1 added.
    pub(super) fn exponents(&self, e: &Halves) -> Result<Wiped<Halves>, Error> {
        let random: [u8; 16] = random::array()?;
        let mut blinded = Wiped::new(Halves::clone(e));
        for ((blinded, prime), random) in
            blinded.iter_mut().zip(&self.primes).zip(random.as_chunks::<8>().0)
        {
            let len = Limbs::new(prime.len().get() + 1);
            let mut order = Wiped::new(prime.number().clone());
            order.subtract(&Number::word(1, prime.len()));
            let factor = Wiped::new(Number::word(u64::from_le_bytes(*random), Limbs::new(1)));
            let mut sum = Wiped::new(Number::product(&order, &factor, len));
            sum.add(blinded);
            *blinded = Number::clone(&sum);
        }
        Ok(blinded)
    }

    /// x mod p and x mod q.
    pub(super) fn halves(&self, x: &Number, room: &mut Room) -> Wiped<Halves> {
        let [p, q] = &self.primes;
        Wiped::new([p.remainder(x, room), q.remainder(x, room)])
    }

    /// The number with these remainders, which are overwritten (section 5.1.2, step 2.b, with i up to 2).
    pub(super) fn joined(&self, halves: &mut Halves, room: &mut Room) -> Wiped<Number> {
        let [p, q] = &self.primes;
        let [of_p, of_q] = halves;
        #[cfg(test)]
        fault::plant(Place::P, of_p);
        #[cfg(test)]
        fault::plant(Place::Q, of_q);
        let mut h = Wiped::new(of_q.clone());
        p.multiply(&mut h, &self.q_inverse, room);
        p.multiply(of_p, &self.q_inverse, room);
        #[cfg(test)]
        fault::plant(Place::QInverse, of_p);
        p.subtract(of_p, &h);
        let len = self.public.n.len();
        let mut joined = Wiped::new(Number::product(of_p, q.number(), len));
        joined.add(of_q);
        joined
    }
}

/// The length of both primes.
fn check_primes(p: &Number, q: &Number) -> Result<Limbs, Error> {
    let what = "prime in bits";
    let [p, q] = [p, q].map(|prime| prime.size());
    for got in [p, q] {
        if got > Limbs::HALF.bits() || got.0.abs_diff(p.0) > 64 || got.0 < 64 {
            let allowed = "at most 2048, and as many as the other prime or up to 64 more or less";
            return Err(Error::Length { what, got: got.0, allowed });
        }
    }
    Ok(p.max(q).limbs())
}
