//! Powers in plain Rust: the model every other backend is tested against.

#[cfg(feature = "many")]
use super::{EIGHT, Lanes, Moduli, PowerMany};
use super::{Halves, Power, Primes};
use crate::{
    bignum::{Bits, Modulus, Number, Room},
    core::{cpu::Baseline, secret::Wiped},
};

#[derive(Clone)]
pub(super) struct Portable;

impl Power for Portable {
    fn secret(&self, primes: &Primes, e: &Halves, bits: Bits, x: &mut Halves) {
        let mut room = Wiped::new(Room::new());
        for ((prime, e), x) in primes.iter().zip(e).zip(x) {
            prime.power(x, e, bits, &mut room);
        }
    }

    fn public(&self, n: &Modulus, e: u64, x: &mut Number) {
        n.power_vartime(x, e, &mut Wiped::new(Room::new()));
    }
}

impl Portable {
    pub(super) fn new(_: Baseline, (): ()) -> Self {
        Self
    }
}

#[cfg(feature = "many")]
impl PowerMany for Portable {
    fn secret(&self, moduli: &Moduli<'_>, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes) {
        let mut room = Wiped::new(Room::new());
        for ((modulus, e), x) in moduli.iter().zip(e).zip(x) {
            modulus.power(x, e, bits, &mut room);
        }
    }

    fn public(&self, moduli: &Moduli<'_>, e: &[u64; EIGHT], x: &mut Lanes) {
        let mut room = Wiped::new(Room::new());
        for ((modulus, e), x) in moduli.iter().zip(e).zip(x) {
            modulus.power_vartime(x, *e, &mut room);
        }
    }
}
