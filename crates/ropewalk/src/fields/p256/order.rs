//! Numbers modulo n, the order of the group.

use crate::fields::{
    Field as _,
    words::{Modulus, Residue, Words},
};

/// A number modulo n.
pub(crate) type Scalar = Residue<N>;

/// n.
#[derive(Clone, Copy)]
pub(crate) struct N;

impl Modulus for N {
    const WORDS: Words = [
        0xf3b9_cac2_fc63_2551,
        0xbce6_faad_a717_9e84,
        0xffff_ffff_ffff_ffff,
        0xffff_ffff_0000_0000,
    ];
}

/// x^(n - 2): the inverse of x, or 0 of 0. The time does not depend on x.
pub(crate) fn inverse(x: Scalar) -> Scalar {
    const EXPONENT: Words = [N::WORDS[0] - 2, N::WORDS[1], N::WORDS[2], N::WORDS[3]];
    let mut powers = [Scalar::ONE; 16];
    for i in 1..16 {
        powers[i] = powers[i - 1].times(x);
    }
    let mut y = Scalar::ONE;
    for word in EXPONENT.iter().rev() {
        for shift in (0..64).step_by(4).rev() {
            for _ in 0..4 {
                y = y.square();
            }
            y = y.times(powers[(word >> shift & 15) as usize]);
        }
    }
    y
}
