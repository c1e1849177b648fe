//! Numbers modulo n, the order of the group.

use crate::fields::words::{Modulus, Residue, Words};

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
