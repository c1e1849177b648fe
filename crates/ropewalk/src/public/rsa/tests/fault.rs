//! Faults in the computation of a signature.

use std::cell::Cell;

use crate::bignum::Number;

/// Where a bit is flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Place {
    /// The blinded base.
    Base,
    /// The power modulo p.
    P,
    /// The power modulo q.
    Q,
    /// What the inverse of q has been multiplied with.
    QInverse,
}

std::thread_local! {
    static PLANTED: Cell<Option<Place>> = const { Cell::new(None) };
}

pub(in super::super) fn plant(place: Place, number: &mut Number) {
    if PLANTED.get() == Some(place) {
        number.as_mut_slice()[0] ^= 1;
    }
}

/// Runs a function with a fault.
pub(super) fn with<T>(place: Place, run: impl FnOnce() -> T) -> T {
    PLANTED.set(Some(place));
    let result = run();
    PLANTED.set(None);
    result
}
