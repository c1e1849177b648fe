//! Natural numbers of up to 4096 bits, and arithmetic modulo odd ones.
//!
//! Lengths are public, values are secret: no function branches on a value, takes an address from it or divides by it, except those
//! that end in `_vartime`. A size is a type: [`Limbs`], [`Bits`] and [`Words`] cannot be taken for each other.

mod modulus;
mod number;
mod power;
mod size;
mod small;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use modulus::{Modulus, Room};
pub(crate) use number::Number;
#[cfg(target_arch = "x86_64")]
pub(crate) use power::WINDOW;
#[cfg(any(target_arch = "x86_64", test))]
pub(crate) use size::Words;
pub(crate) use size::{Bits, Limbs};
pub(crate) use small::inverse_of_small;
