//! New keys: FIPS 186-5, appendix A.1.3 (random primes that are probably prime).
//!
//! Candidates are 3 modulo 4, so that a round of the Miller-Rabin test (appendix B.3.1) is one power: a^((w − 1)/2) is 1 or −1. Two
//! candidates are tested at a time, as the two halves of a signature are.

use super::{Engine, Halves, Parts, PrivateKey, blinding::random_below};
use crate::{
    bignum::{Bits, Limbs, Modulus, Number},
    core::{
        Error, ct,
        secret::{Sweep, Wiped, below},
    },
    random,
};

/// The public exponent.
const E: u64 = 65537;

impl PrivateKey {
    /// Makes a new key: a modulus of `bits` bits, and the public exponent 65537. The best backend of this processor is used.
    ///
    /// # Errors
    /// [`Error::Length`] unless `bits` is even, and from 2048 to 4096; [`Error::NoRandomness`] where the operating system has none.
    ///
    /// # Example
    /// ```
    /// use ropewalk::rsa::PrivateKey;
    ///
    /// let key = PrivateKey::generate(2048)?;
    /// assert_eq!((key.public().bits(), key.public().exponent()), (2048, 65537));
    /// # Ok::<(), ropewalk::Error>(())
    /// ```
    pub fn generate(bits: usize) -> Result<Self, Error> {
        Self::generate_with(bits, Engine::best(()))
    }

    /// With the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; otherwise as [`PrivateKey::generate`].
    pub fn generate_with_backend(bits: usize, name: &str) -> Result<Self, Error> {
        Self::generate_with(bits, Engine::named(name)?(()))
    }

    fn generate_with(bits: usize, engine: Engine) -> Result<Self, Error> {
        if !(2048..=4096).contains(&bits) || !bits.is_multiple_of(2) {
            let allowed = "2048 to 4096, and even";
            return Err(Error::Length { what: "modulus in bits", got: bits, allowed });
        }
        let _sweep = Sweep(super::private::STACK);
        below(|| {
            let size = Bits(bits / 2);
            let [p, q] = &*primes(size, &engine)?;
            let n = Number::product(p, q, size.limbs().doubled());
            let mut bytes = [Wiped::new([0; 256]), Wiped::new([0; 256])];
            for (bytes, prime) in bytes.iter_mut().zip([p, q]) {
                prime.to_be_bytes(&mut **bytes);
            }
            let mut of_n = [0; 512];
            n.to_be_bytes(&mut of_n);
            // The modulus is public.
            let n = &of_n.map(ct::told);
            let [p, q] = &bytes;
            Self::of(&Parts { n, e: &E.to_be_bytes(), p: &**p, q: &**q }, engine)
        })
    }
}

/// Two primes whose product has twice as many bits.
fn primes(size: Bits, engine: &Engine) -> Result<Wiped<Halves>, Error> {
    let mut first: Option<Wiped<Number>> = None;
    // About 80 candidates are tested for each prime.
    for _ in 0..1 << 16 {
        let candidates = [candidate(size)?, candidate(size)?];
        let passed = round(&candidates, engine)?;
        for (candidate, passed) in candidates.into_iter().zip(passed) {
            if !passed || !is_confirmed(&candidate, engine)? {
                continue;
            }
            match first.take() {
                Some(p) if are_apart(&p, &candidate, size) => {
                    return Ok(Wiped::new([Number::clone(&p), Number::clone(&candidate)]));
                }
                Some(p) => first = Some(p),
                None => first = Some(candidate),
            }
        }
    }
    Err(Error::NoRandomness)
}

/// A random number of that size that is 3 modulo 4 and has no small divisor. The two highest bits are ones, so that the product of
/// two has twice the size. E does not divide the number below it.
fn candidate(size: Bits) -> Result<Wiped<Number>, Error> {
    let mut bytes = Wiped::new([0; 256]);
    let bytes = &mut bytes[..size.bytes()];
    // One in 19 of them passes.
    for _ in 0..1 << 16 {
        random::fill(bytes)?;
        let Some(number) = Number::from_be_bytes(bytes, size.limbs()) else { continue };
        let mut number = Wiped::new(number);
        set_shape(&mut number, size);
        if ct::same(divisors(&number)) {
            return Ok(number);
        }
    }
    Err(Error::NoRandomness)
}

/// Sets the two highest and the two lowest bits, and clears those above the size.
fn set_shape(number: &mut Number, Bits(size): Bits) {
    let limbs = number.as_mut_slice();
    limbs[0] |= 3;
    if let Some(top) = limbs.last_mut() {
        *top &= u64::MAX >> (63 - (size - 1) % 64);
    }
    for bit in [size - 1, size - 2] {
        limbs[bit / 64] |= 1 << (bit % 64);
    }
}

/// How often a number of that size is tested: with fewer rounds the error would exceed 2^−112 (FIPS 186-5, table B.1).
const ROUNDS: usize = 5;

/// Whether a number that has passed one round passes the others, two at a time.
fn is_confirmed(number: &Number, engine: &Engine) -> Result<bool, Error> {
    let both = [(); 2].map(|()| Wiped::new(number.clone()));
    for _ in 0..ROUNDS.div_ceil(2) {
        if round(&both, engine)? != [true; 2] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A round of the Miller-Rabin test of two numbers w: whether a^((w − 1)/2) is 1 or w − 1 for a random a.
fn round(numbers: &[Wiped<Number>; 2], engine: &Engine) -> Result<[bool; 2], Error> {
    let [w, v] = numbers.each_ref().map(|number| Modulus::new(number, None));
    let (Some(w), Some(v)) = (w, v) else { return Ok([false; 2]) };
    let size = w.bits();
    let moduli = Wiped::new([w, v]);
    let mut powers: Wiped<Halves> = Wiped::new(numbers.each_ref().map(|number| half(number)));
    let exponents = Wiped::new(Halves::clone(&powers));
    for (power, number) in powers.iter_mut().zip(numbers) {
        power.set(&*random_below(number, size.bytes())?);
    }
    engine.secret(&moduli, &exponents, size, &mut powers);
    let one = Number::word(1, Limbs::new(1));
    let passed = |i: usize| {
        let mut last = Wiped::new(Number::clone(&numbers[i]));
        last.subtract(&Number::word(1, numbers[i].len()));
        ct::verdict(powers[i].equals(&one) | powers[i].equals(&last))
    };
    Ok([passed(0), passed(1)])
}

/// x / 2, rounded down.
fn half(x: &Number) -> Number {
    let mut x = x.clone();
    let mut above = 0;
    for limb in x.as_mut_slice().iter_mut().rev() {
        (*limb, above) = (*limb >> 1 | above << 63, *limb & 1);
    }
    x
}

/// Whether the highest 100 bits differ.
fn are_apart(p: &Number, q: &Number, Bits(size): Bits) -> bool {
    let differ = |at: usize| p.window(Bits(at), 50) ^ q.window(Bits(at), 50);
    !ct::same(differ(size - 50) | differ(size - 100))
}

/// Not zero where one of some small primes divides x, or E divides x − 1. Of random odd numbers, one in 4 passes.
fn divisors(x: &Number) -> u64 {
    let mut found = 0;
    for (bits, primes) in FOLDS {
        let rest = folded(x, *bits);
        for prime in *primes {
            found |= prime.divides(rest);
        }
    }
    // 65537 divides 2^32 − 1.
    let rest = folded(x, 32);
    found | Prime::new(E).divides(rest + ((1 << 32) - 2))
}

/// A number below 2^(bits + 7) that is x modulo 2^bits − 1.
fn folded(x: &Number, bits: u32) -> u64 {
    let chunks = (0..x.len().bits().0).step_by(bits as usize);
    chunks.map(|at| x.window(Bits(at), bits)).sum()
}

/// Small primes, by a power of 2 that is 1 modulo each.
#[rustfmt::skip]
const FOLDS: &[(u32, &[Prime])] = &[
    (24, &primes_of([3, 5, 7, 13, 17, 241])),
    (28, &primes_of([29, 43, 113, 127])),
    (30, &primes_of([11, 31, 151, 331])),
    (36, &primes_of([19, 37, 73, 109])),
    (40, &primes_of([41, 61681])),
    (44, &primes_of([23, 89, 397, 683, 2113])),
    (46, &primes_of([47])),
    (48, &primes_of([97, 257, 673])),
    (50, &primes_of([251, 601, 1801, 4051])),
    (51, &primes_of([103, 2143, 11119])),
    (52, &primes_of([53, 157, 1613, 2731, 8191])),
];

/// An odd prime, with what tells its multiples.
#[derive(Clone, Copy)]
struct Prime {
    /// Its inverse modulo 2^64.
    inverse: u64,
    /// The largest number whose product with it is below 2^64.
    most: u64,
}

impl Prime {
    const fn new(prime: u64) -> Self {
        // Newton's method: three bits are right, and twice as many after each step.
        let (mut inverse, mut bits) = (prime, 3);
        while bits < 64 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(prime.wrapping_mul(inverse)));
            bits *= 2;
        }
        Self { inverse, most: u64::MAX / prime }
    }

    /// One where it divides x, else zero.
    #[inline(always)]
    fn divides(self, x: u64) -> u64 {
        let (_, above) = self.most.overflowing_sub(x.wrapping_mul(self.inverse));
        u64::from(!above)
    }
}

const fn primes_of<const N: usize>(primes: [u64; N]) -> [Prime; N] {
    let mut all = [Prime { inverse: 1, most: u64::MAX }; N];
    let mut i = 0;
    while i < N {
        all[i] = Prime::new(primes[i]);
        i += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::{
        bignum::tests::{Draw, ours, theirs},
        core::backend::Info,
        public::rsa::HashFunction,
    };

    const SMALL: [u64; 35] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 73, 89, 97, 103, 109, 113, 127,
        151, 157, 241, 251, 257, 331, 397, 601, 673, 683, 1613, 1801, 2113,
    ];

    #[test]
    fn small_divisors_are_those_of_big_integers() {
        let mut draw = Draw::new(5);
        let divides = |prime: u64, x: &BigUint| (x % prime) == BigUint::ZERO;
        let (mut none, mut some) = (0, 0);
        for size in [1024, 1025, 1536, 2047, 2048] {
            for _ in 0..60 {
                let x = draw.odd(size);
                let found = divisors(&ours(&x, Bits(size).limbs())) != 0;
                let by_e = divides(E, &(&x - 1_u32));
                let more = [2143, 2731, 4051, 8191, 11119, 61681];
                let small = SMALL.iter().chain(&more).any(|prime| divides(*prime, &x));
                assert_eq!(found, small || by_e, "{x}");
                if found { some += 1 } else { none += 1 }
            }
            for prime in SMALL {
                let x = draw.odd(size - 16) * prime;
                assert_ne!(divisors(&ours(&x, Bits(size).limbs())), 0, "{prime}");
            }
            let x = draw.odd(size - 20) * (2 * E) + 1_u32;
            assert_ne!(divisors(&ours(&x, Bits(size).limbs())), 0);
        }
        assert!(none > 20 && some > 150, "{none}, {some}");
    }

    #[test]
    fn candidates_have_their_shape() {
        for size in [1024, 1025, 1087, 1088, 2048] {
            let number = theirs(&candidate(Bits(size)).unwrap());
            assert_eq!((number.bits(), &number % 4_u32), (size as u64, 3_u32.into()));
            assert!(number.bit(size as u64 - 2));
            let x = ours(&number, Bits(size).limbs());
            assert_eq!(theirs(&half(&x)), number >> 1);
        }
    }

    /// Primes pass; composites do not, and neither do Carmichael numbers.
    #[test]
    fn rounds_find_composites() {
        let key = &crate::public::rsa::tests::keys::Key::named("2048");
        // Both primes of the key have a low bit pattern of 01 or 11.
        let engine = Engine::best(());
        let [p, q] = [&key.p, &key.q].map(|prime| ours(prime, Bits(1024).limbs()));
        let blum: Vec<_> =
            [p, q].into_iter().filter(|prime| prime.as_slice()[0] & 3 == 3).collect();
        for prime in blum {
            let both = [(); 2].map(|()| Wiped::new(prime.clone()));
            assert_eq!(round(&both, &engine), Ok([true; 2]));
            let mut other = prime.clone();
            other.add(&Number::word(1 << 20, other.len()));
            let mixed = [Wiped::new(prime), Wiped::new(other)];
            assert_eq!(round(&mixed, &engine), Ok([true, false]));
        }
        // (6k + 1)(12k + 1)(18k + 1) with k = 1, which is 3 modulo 4 only by chance: 1729 = 1 modulo 4, 8911 = 3 modulo 4.
        let engine = Engine::named("rsa/portable").unwrap()(());
        let carmichael = || Wiped::new(Number::word(8911, Limbs::new(1)));
        let passed = (0..40).filter(|_| {
            round(&[carmichael(), carmichael()], &engine).is_ok_and(|it| it == [true; 2])
        });
        assert!(passed.count() < 40);
    }

    #[test]
    fn new_keys_sign() {
        let backends = Engine::ALL.iter().filter(|info: &&Info| (info.available)());
        for (bits, info) in [2048, 2050, 3072]
            .into_iter()
            .flat_map(|bits| backends.clone().map(move |info| (bits, info)))
        {
            let key = PrivateKey::generate_with_backend(bits, info.name).unwrap();
            assert_eq!((key.backend(), key.public().bits()), (info.name, bits));
            let mut signature = vec![0; key.public().signature_len()];
            key.sign_pkcs1v15(HashFunction::Sha256, &[7; 32], &mut signature).unwrap();
            key.public().verify_pkcs1v15(HashFunction::Sha256, &[7; 32], &signature).unwrap();
        }
        for bits in [0, 1024, 2046, 2049, 4097, 4098, usize::MAX] {
            let error = PrivateKey::generate(bits).err();
            assert!(matches!(error, Some(Error::Length { got, .. }) if got == bits));
        }
    }
}
