//! Blinding of the base: a signature is computed of m·r^e, and multiplied by r^−1.
//!
//! A pair of factors is used once, and then squared, which gives another pair. After 32 uses a new one is drawn. A key has a few
//! places for pairs. A thread takes the first place that no other thread holds; where all are held, it draws a pair of its own, so
//! that it never waits. A child after a fork does not use the pairs of its parent.

use std::sync::{Mutex, TryLockError};

use super::{Halves, private::Inner};
use crate::{
    bignum::{Number, Room},
    core::{Error, ct, secret::Wiped},
    random::{self, Process},
};

/// How often a pair is used, squared each time.
const USES: u32 = 32;

/// Threads that take pairs at the same moment without drawing their own. A place is held while a pair is copied and squared.
const PLACES: usize = 4;

pub(super) struct Blinding([Mutex<Option<Pair>>; PLACES]);

struct Pair {
    process: Process,
    left: u32,
    factors: Factors,
}

/// The Montgomery forms of r^e and r^−1.
type Factors = [Wiped<Number>; 2];

impl Blinding {
    pub(super) const fn new() -> Self {
        Self([const { Mutex::new(None) }; PLACES])
    }

    /// Factors that no other call gets.
    pub(super) fn factors(&self, key: &Inner) -> Result<Factors, Error> {
        for place in &self.0 {
            let mut place = match place.try_lock() {
                Ok(place) => place,
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Poisoned(poisoned)) => {
                    let mut place = poisoned.into_inner();
                    *place = None;
                    place
                }
            };
            return match &mut *place {
                Some(pair) if pair.left > 0 && pair.process.is_current() => {
                    pair.square(key);
                    Ok(pair.factors.clone())
                }
                place => {
                    let pair = place.insert(Pair::new(key)?);
                    Ok(pair.factors.clone())
                }
            };
        }
        Ok(Pair::new(key)?.factors)
    }
}

impl Pair {
    fn new(key: &Inner) -> Result<Self, Error> {
        let process = Process::current();
        let n = &key.public.n;
        let mut room = Wiped::new(Room::new());
        let r = random_below(n.number(), n.bits().bytes())?;
        let mut power = Wiped::new(Number::clone(&r));
        key.public.engine.public(n, key.public.e, &mut power);
        let mut inverse: Wiped<Halves> = key.halves(&r, &mut room);
        let exponents = key.exponents(&key.inversion)?;
        key.public.engine.secret(&key.primes, &exponents, key.exponent_bits(), &mut inverse);
        let mut inverse = key.joined(&mut inverse, &mut room);
        n.enter(&mut power, &mut room);
        n.enter(&mut inverse, &mut room);
        Ok(Self { process, left: USES - 1, factors: [power, inverse] })
    }

    #[cfg(test)]
    fn age(&mut self) -> u32 {
        USES - self.left
    }

    fn square(&mut self, key: &Inner) {
        let mut room = Wiped::new(Room::new());
        for factor in &mut self.factors {
            key.public.n.square(factor, &mut room);
        }
        self.left -= 1;
    }
}

/// A random number from 1 to n − 1. Numbers that are not below n are drawn again.
pub(super) fn random_below(n: &Number, bytes: usize) -> Result<Wiped<Number>, Error> {
    let mut random = Wiped::new([0; 512]);
    let random = &mut random[..bytes.min(512)];
    let top = n.size().0 % 8;
    // Each try succeeds with a probability of at least one half.
    for _ in 0..256 {
        random::fill(random)?;
        if top > 0 {
            random[0] &= 0xff >> (8 - top);
        }
        if let Some(r) = Number::from_be_bytes(random, n.len()) {
            let r = Wiped::new(r);
            // A rejected number is not used.
            if ct::verdict(r.is_less(n) & !r.is_zero()) {
                return Ok(r);
            }
        }
    }
    Err(Error::NoRandomness)
}

#[cfg(test)]
mod tests {
    use super::{super::tests::keys::Key, *};

    /// Whether the factors cancel: the power of the second one is the inverse of the first.
    fn cancel(key: &Inner, [blinding, unblinding]: &Factors) -> bool {
        let (n, mut room) = (&key.public.n, Room::new());
        let mut power = Number::clone(unblinding);
        n.leave(&mut power, &mut room);
        key.public.engine.public(n, key.public.e, &mut power);
        n.multiply(&mut power, blinding, &mut room);
        bool::from(power.equals(&Number::word(1, n.len())))
    }

    #[test]
    fn factors_are_used_once_and_renewed() {
        let private = Key::named("2048").private("rsa/portable");
        let (key, blinding) = (private.inner(), Blinding::new());
        let mut seen: Vec<Factors> = Vec::new();
        for call in 0..USES + 3 {
            let factors = blinding.factors(key).unwrap();
            assert!(cancel(key, &factors), "{call}");
            assert!(
                seen.iter()
                    .flatten()
                    .all(|old| !bool::from(old.equals(&factors[0]) | old.equals(&factors[1])))
            );
            let mut squared =
                seen.last().map_or_else(|| factors[0].clone(), |last| last[0].clone());
            key.public.n.square(&mut squared, &mut Room::new());
            assert_eq!(bool::from(squared.equals(&factors[0])), call % USES != 0, "{call}");
            assert_eq!(blinding.0[0].lock().unwrap().as_mut().unwrap().age(), call % USES + 1);
            seen.push(factors);
        }
    }

    /// A child does not use the pair of its parent, which it does not change.
    #[test]
    fn factors_after_a_fork() {
        let private = Key::named("2048").private("rsa/portable");
        let (key, blinding) = (private.inner(), Blinding::new());
        let first = blinding.factors(key).unwrap();
        let place = || blinding.0[0].lock().unwrap();
        let process = place().as_ref().unwrap().process;
        place().as_mut().unwrap().process = process.forked();
        let second = blinding.factors(key).unwrap();
        assert!(cancel(key, &second));
        let mut squared = first[0].clone();
        key.public.n.square(&mut squared, &mut Room::new());
        assert!(!bool::from(squared.equals(&second[0])));
        assert!(place().as_ref().unwrap().process.is_current());
    }

    /// No call waits for a place that another thread holds.
    #[test]
    fn factors_while_all_places_are_held() {
        let private = Key::named("2048").private("rsa/portable");
        let (key, blinding) = (private.inner(), Blinding::new());
        let mut held = Vec::new();
        for place in &blinding.0 {
            assert!(cancel(key, &blinding.factors(key).unwrap()));
            held.push(place.lock().unwrap());
        }
        let [first, second] = [(); 2].map(|()| blinding.factors(key).unwrap());
        assert!(cancel(key, &first) && cancel(key, &second));
        assert!(!bool::from(first[0].equals(&second[0])));
        assert!(held.iter().all(|place| place.as_ref().is_some_and(|pair| pair.left == USES - 1)));
    }
}
