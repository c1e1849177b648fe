//! Poly1305 with NEON of 32-bit Arm: two blocks at a time, one in each lane, as numbers of five limbs of 26 bits.
#![allow(unsafe_code)]

use super::super::{
    Block, Mac, Plain, State,
    state::{Number, fold, times},
};
use crate::core::{cpu::ArmNeon, secret::Wiped};

#[derive(Clone)]
pub(in crate::chacha::poly1305) struct Neon {
    cpu: ArmNeon,
}

impl Mac for Neon {
    type Carries = Plain;

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        absorb(self.cpu, state, blocks);
    }
}

impl Neon {
    pub(in crate::chacha::poly1305) fn new(cpu: ArmNeon, (): ()) -> Self {
        Self { cpu }
    }
}

/// From this many blocks on, the kernel and the square of r take fewer instructions than words of 64 bits.
const MANY: usize = 8;

/// Absorbs whole blocks.
pub(crate) fn absorb(cpu: ArmNeon, state: &mut State, mut blocks: &[Block]) {
    if blocks.len() < MANY {
        return state.absorb::<Plain>(blocks);
    }
    if !blocks.len().is_multiple_of(2)
        && let Some((first, more)) = blocks.split_first()
    {
        state.absorb::<Plain>(&[*first]);
        blocks = more;
    }
    let [r0, r1] = state.r;
    let r = limbs([r0, r1, 0]);
    let square = limbs(times::<Plain>([r0, r1, 0], state.r));
    let mut kernel = Wiped::new(Kernel {
        factors: [factors(square, square), factors(square, r)],
        h: limbs(state.h).map(|limb| [limb, 0]),
    });
    kernel.absorb(cpu, blocks.as_chunks().0);
    state.h = fold(number(kernel.h.map(|[a, b]| a + b)));
}

/// Limbs of 26 bits, the lowest first.
fn limbs([h0, h1, h2]: Number) -> [u32; 5] {
    let low = |number: u64| number as u32 & ((1 << 26) - 1);
    [low(h0), low(h0 >> 26), low(h0 >> 52 | h1 << 12), low(h1 >> 14), (h1 >> 40 | h2 << 24) as u32]
}

/// The number of limbs of 28 bits at most.
fn number(limbs: [u32; 5]) -> Number {
    let [a, b, c, d, e] = limbs.map(u128::from);
    let (low, carry) = (a + (b << 26) + (c << 52) + (d << 78)).overflowing_add(e << 104);
    [low as u64, (low >> 64) as u64, (e >> 24) as u64 + u64::from(carry)]
}

/// The limbs of a factor for each lane, and five times those but the first: 2^130 is 5.
type Factors = [[u32; 2]; 9];

fn factors(a: [u32; 5], b: [u32; 5]) -> Factors {
    let (one, five) = (|i: usize| [a[i], b[i]], |i: usize| [5 * a[i], 5 * b[i]]);
    [one(0), one(1), one(2), one(3), one(4), five(1), five(2), five(3), five(4)]
}

#[repr(C)]
struct Kernel {
    /// r² in both lanes; and for the last pair of blocks r² and r.
    factors: [Factors; 2],
    h: [[u32; 2]; 5],
}

/// The carry of a limb, and what stays of it.
macro_rules! carry {
    ($sum:literal to $limb:literal) => {
        steps!(
            concat!("vshrn.i64 d26, ", $sum, ", #26"),
            concat!("vmovn.i64 ", $limb, ", ", $sum),
            concat!("vbic.i32 ", $limb, ", #0xfc000000"),
        )
    };
}

/// A limb of the product: of the limbs in d10 to d14 and five factors.
macro_rules! product {
    ($sum:literal = $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        steps!(
            concat!("vmull.u32 ", $sum, ", d10, ", $a),
            concat!("vmlal.u32 ", $sum, ", d11, ", $b),
            concat!("vmlal.u32 ", $sum, ", d12, ", $c),
            concat!("vmlal.u32 ", $sum, ", d13, ", $d),
            concat!("vmlal.u32 ", $sum, ", d14, ", $e),
        )
    };
}

/// A limb of a block, from two words.
macro_rules! limb {
    ($to:literal = $low:literal >> $right:literal, $high:literal << $left:literal) => {
        steps!(
            concat!("vshr.u32 ", $to, ", ", $low, ", #", $right),
            concat!("vsli.32 ", $to, ", ", $high, ", #", $left),
            concat!("vbic.i32 ", $to, ", #0xfc000000"),
        )
    };
}

impl Kernel {
    /// Multiplies and adds pairs of blocks.
    // counted under qemu-arm, Cortex-A7: 70 instructions for a pair
    #[inline(never)]
    fn absorb(&mut self, cpu: ArmNeon, pairs: &[[Block; 2]]) {
        if pairs.is_empty() {
            return;
        }
        // Limbs of blocks and sums are below 2^27.5, the factors below 2^28.5: each sum of five products is below 2^58.5, and its
        // carry is a word.
        // SAFETY: the operands are as long as what is read and written there.
        unsafe {
            neon_asm!(
                cpu;
                "vldmia {factors}!, {{d0-d8}}",
                "vldmia {h}, {{d10-d14}}",
                "vmov.i32 d15, #5",
                "2:",
                "subs {count}, {count}, #1",
                "bne 3f",
                "vldmia {factors}, {{d0-d8}}",
                "3:",
                // A word of both blocks in each of d28 to d31.
                "vld4.32 {{d28[0],d29[0],d30[0],d31[0]}}, [{pairs}]!",
                "vld4.32 {{d28[1],d29[1],d30[1],d31[1]}}, [{pairs}]!",
                limb!("d24" = "d28" >> 26, "d29" << 6),
                limb!("d25" = "d29" >> 20, "d30" << 12),
                limb!("d26" = "d30" >> 14, "d31" << 18),
                "vshr.u32 d31, d31, #8",
                "vbic.i32 d28, #0xfc000000",
                "vorr.i32 d31, #0x01000000",
                "vadd.i32 d10, d10, d28",
                "vadd.i32 d11, d11, d24",
                "vadd.i32 d12, d12, d25",
                "vadd.i32 d13, d13, d26",
                "vadd.i32 d14, d14, d31",
                product!("q11" = "d3" "d2" "d1" "d0" "d8"),
                product!("q12" = "d4" "d3" "d2" "d1" "d0"),
                product!("q8" = "d0" "d8" "d7" "d6" "d5"),
                product!("q9" = "d1" "d0" "d8" "d7" "d6"),
                product!("q10" = "d2" "d1" "d0" "d8" "d7"),
                carry!("q11" to "d13"),
                "vaddw.u32 q12, q12, d26",
                carry!("q12" to "d14"),
                "vmlal.u32 q8, d26, d15",
                carry!("q8" to "d10"),
                "vaddw.u32 q9, q9, d26",
                carry!("q9" to "d11"),
                "vaddw.u32 q10, q10, d26",
                carry!("q10" to "d12"),
                "vadd.i32 d13, d13, d26",
                "vshr.u32 d26, d13, #26",
                "vbic.i32 d13, #0xfc000000",
                "vadd.i32 d14, d14, d26",
                "cmp {count}, #0",
                "bne 2b",
                "vstmia {h}, {{d10-d14}}";
                factors = inout(reg) self.factors.as_ptr() => _,
                h = in(reg) self.h.as_mut_ptr(),
                pairs = inout(reg) pairs.as_ptr() => _,
                count = inout(reg) pairs.len() => _,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::cpu::Token;

    /// Against words of 64 bits, where limbs are as large as they can be: the most that a state, a key and blocks can hold.
    #[test]
    fn largest_numbers_are_right() {
        let Some(cpu) = ArmNeon::detect() else { return };
        let mut keys = vec![[0xff; 32], [0; 32], [0x55; 32]];
        keys.extend((0..32).map(|i| core::array::from_fn(|j| if i == j { 0xff } else { 0 })));
        for key in &keys {
            for h in [[0; 3], [u64::MAX, u64::MAX, 7], [u64::MAX - 5, u64::MAX, 3], [0, 0, 4]] {
                for block in [[0xff; 16], [0; 16]] {
                    for count in [7, 8, 9, 10, 33] {
                        let mut state = State::new(key);
                        state.h = h;
                        let mut other = state;
                        absorb(cpu, &mut state, &vec![block; count]);
                        other.absorb::<Plain>(&vec![block; count]);
                        assert_eq!(
                            state.tag::<Plain>(),
                            other.tag::<Plain>(),
                            "{key:?} {h:?} {count}"
                        );
                    }
                }
            }
        }
    }
}
