//! One number modulo p, in words.

use crate::fields::words::{Modulus, Residue, Words};

/// A number modulo p.
pub(crate) type Number = Residue<P>;

/// p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
#[derive(Clone, Copy)]
pub(crate) struct P;

impl Modulus for P {
    const WORDS: Words = [0xffff_ffff_ffff_ffff, 0xffff_ffff, 0, TOP];

    /// p is -1 modulo 2^64, so that the multiple is the lowest word itself, and adding p + 1 - 1 times it leaves shifts and one
    /// product.
    #[inline(always)]
    fn cancel([a, b, c, d, e]: [u64; 5], over: bool) -> (Words, bool) {
        let (low, high) = a.carrying_mul_add(TOP, 0, 0);
        let (b, up) = b.carrying_add(a << 32, false);
        let (c, up) = c.carrying_add(a >> 32, up);
        let (d, up) = d.carrying_add(low, up);
        // `high` is below 2^64 - 2^32.
        let (e, over) = e.carrying_add(high.wrapping_add(up.into()), over);
        ([b, c, d, e], over)
    }
}

/// The highest word of p.
const TOP: u64 = 0xffff_ffff_0000_0001;
