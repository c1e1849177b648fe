//! GHASH (NIST SP 800-38D, section 6.4) with NEON of 32-bit Arm, which multiplies polynomials of eight bits.
//!
//! D. Câmara, C. Gouvêa, J. López and R. Dahab, "Fast software polynomial multiplication on ARM processors using the NEON engine", CD-ARES
//! 2013, section 3: a product of 64 bits is that of eight pairs of bytes, and of seven more such sets of pairs that are some bytes apart.
#![allow(unsafe_code)]

use crate::core::{block::Block, cpu::ArmNeon};

/// x H as a number with the first coefficient at the top: its high half, its low half, and their sum, each rotated by 0 to 3 bytes.
#[derive(Clone)]
pub(super) struct HashKey([[u64; 4]; 3]);

/// The bits of a product that stay in its high half: those of pairs that are 1, 2 and 3 bytes apart.
static MASKS: [u64; 3] = [(1 << 48) - 1, (1 << 32) - 1, (1 << 16) - 1];

impl HashKey {
    pub(super) fn new(h: &Block) -> Self {
        let h = u128::from_be_bytes(*h);
        // The bit that the shift drops has degree -1: x^127 + x^6 + x + 1.
        let beyond = 0_u128.wrapping_sub(h >> 127) & (0xc2 << 120 | 1);
        let h = h << 1 ^ beyond;
        let (high, low) = ((h >> 64) as u64, h as u64);
        let rotated = |half: u64| [0, 8, 16, 24].map(|bits| half.rotate_right(bits));
        Self([high, low, high ^ low].map(rotated))
    }

    /// Absorbs data, padded with zeros to whole blocks.
    pub(super) fn absorb(&self, cpu: ArmNeon, hash: &mut Block, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.absorb_blocks(cpu, hash, blocks);
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            self.absorb_blocks(cpu, hash, &[last]);
        }
    }

    // counted under qemu-arm, Cortex-A7: 127 instructions a block
    #[inline(never)]
    fn absorb_blocks(&self, cpu: ArmNeon, hash: &mut Block, blocks: &[Block]) {
        if blocks.is_empty() {
            return;
        }
        // SAFETY: the operands are as long as what is read and written there.
        unsafe {
            neon_asm!(
                cpu;
                "vldmia {h}, {{d16-d27}}",
                "vldmia {masks}, {{d28-d30}}",
                // The hash as a number: its low half in d12, its high half in d13.
                "vld1.8 {{d12,d13}}, [{hash}]",
                "vrev64.8 q6, q6",
                "vswp d12, d13",
                "2:",
                "vld1.8 {{d0,d1}}, [{data}]!",
                "vrev64.8 q0, q0",
                "veor d0, d0, d13",
                "veor d1, d1, d12",
                // Karatsuba: the products of high halves, of low halves, and of sums.
                product!("q6" = "d0" * "d16" "d17" "d18" "d19"),
                product!("q7" = "d1" * "d20" "d21" "d22" "d23"),
                "veor d0, d0, d1",
                product!("q5" = "d0" * "d24" "d25" "d26" "d27"),
                "veor q5, q5, q6",
                "veor q5, q5, q7",
                "veor d15, d15, d10",
                "veor d12, d12, d11",
                // Modulo x^128 + x^7 + x^2 + x + 1, of which q7 holds the coefficients of x^128 and above: the bits that right shifts of
                // its halves drop, and then the shifts by 1, 2 and 7.
                "vshl.i64 q0, q7, #63",
                "vshl.i64 q1, q7, #62",
                "veor q0, q0, q1",
                "vshl.i64 q1, q7, #57",
                "veor q0, q0, q1",
                "veor d15, d15, d0",
                "veor d12, d12, d1",
                "veor q6, q6, q7",
                "vshr.u64 q1, q7, #5",
                "veor q1, q1, q7",
                "vshr.u64 q1, q1, #1",
                "veor q1, q1, q7",
                "vshr.u64 q1, q1, #1",
                "veor q6, q6, q1",
                "subs {count}, {count}, #1",
                "bne 2b",
                "vswp d12, d13",
                "vrev64.8 q6, q6",
                "vst1.8 {{d12,d13}}, [{hash}]";
                h = in(reg) self.0.as_ptr(),
                masks = in(reg) MASKS.as_ptr(),
                hash = in(reg) hash.as_mut_ptr(),
                data = inout(reg) blocks.as_ptr() => _,
                count = inout(reg) blocks.len() => _,
            );
        }
    }
}

/// A product of 64 bits, given the second factor rotated by 0 to 3 bytes. It overwrites q1 to q5 and d31.
macro_rules! product {
    ($r:literal = $a:literal * $b0:literal $b1:literal $b2:literal $b3:literal) => {
        concat!(
            pairs_apart!("q1" "d2", 1 = $a * $b0 $b1),
            pairs_apart!("q2" "d4", 2 = $a * $b0 $b2),
            pairs_apart!("q3" "d6", 3 = $a * $b0 $b3),
            // Four bytes apart, both sets are one.
            concat!("vext.8 d31, ", $b0, ", ", $b0, ", #4\n"),
            concat!("vmull.p8 q4, ", $a, ", d31\n"),
            concat!("vmull.p8 ", $r, ", ", $a, ", ", $b0, "\n"),
            in_place!("q1" "d2" "d3" "d28", 15),
            in_place!("q2" "d4" "d5" "d29", 14),
            in_place!("q3" "d6" "d7" "d30", 13),
            steps!(
                "veor d8, d8, d9",
                "vmov.i32 d9, #0",
                "vext.8 q4, q4, q4, #12",
                "veor q1, q1, q2",
                "veor q3, q3, q4",
                concat!("veor ", $r, ", ", $r, ", q1"),
                concat!("veor ", $r, ", ", $r, ", q3"),
            ),
        )
    };
}
use product;

/// The sum of the products of bytes that are so many bytes apart, in both directions.
macro_rules! pairs_apart {
    ($t:literal $low:literal, $by:literal = $a:literal * $b0:literal $b:literal) => {
        steps!(
            concat!("vext.8 ", $low, ", ", $a, ", ", $a, ", #", $by),
            concat!("vmull.p8 ", $t, ", ", $low, ", ", $b0),
            concat!("vmull.p8 q5, ", $a, ", ", $b),
            concat!("veor ", $t, ", ", $t, ", q5"),
        )
    };
}
use pairs_apart;

/// Moves such products to their places: those that a rotation has moved around belong to the low half.
macro_rules! in_place {
    ($t:literal $low:literal $high:literal $mask:literal, $by:literal) => {
        steps!(
            concat!("veor ", $low, ", ", $low, ", ", $high),
            concat!("vand ", $high, ", ", $high, ", ", $mask),
            concat!("veor ", $low, ", ", $low, ", ", $high),
            concat!("vext.8 ", $t, ", ", $t, ", ", $t, ", #", $by),
        )
    };
}
use in_place;
