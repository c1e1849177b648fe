//! Powers in plain Rust: the model every other backend is tested against.

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
    pub(super) fn new(_: Baseline, _: ()) -> Self {
        Self
    }
}
