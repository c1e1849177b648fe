//! SHA-3 with the Armv8 SHA-3 instructions: a lane in the low half of each vector.

use core::arch::aarch64::*;

use super::super::{RC, RHO, Sponge, State, lanes};
use crate::core::cpu::Sha3 as Cpu;

#[derive(Clone)]
pub(in crate::hashes::sha3) struct Sha3 {
    cpu: Cpu,
}

impl Sponge for Sha3 {
    kernel! { Sha3: fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) = Sha3::absorb_kernel }
    kernel! { Sha3: fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) = Sha3::squeeze_kernel }
    kernel! { Sha3: fn permute(&self, state: &mut State) = Sha3::permute_kernel }
}

impl Sha3 {
    #[inline]
    pub(in crate::hashes::sha3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sha3,neon")]
    fn absorb_kernel(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        for block in blocks.chunks_exact(rate) {
            lanes::add(state, block);
            self.permute_kernel(state);
        }
    }

    #[inline]
    #[target_feature(enable = "sha3,neon")]
    fn squeeze_kernel(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut(rate) {
            self.permute_kernel(state);
            lanes::copy(state, block);
        }
    }

    /// One copy of the rounds for all callers.
    #[inline(never)]
    #[target_feature(enable = "sha3,neon")]
    fn permute_kernel(&self, state: &mut State) {
        let mut a = [vdupq_n_u64(0); 25];
        for i in 0..25 {
            a[i] = vdupq_n_u64(u64::from_le_bytes(state[i]));
        }
        for constant in RC {
            a = round(&a, constant);
        }
        for i in 0..25 {
            state[i] = vgetq_lane_u64::<0>(a[i]).to_le_bytes();
        }
    }
}

/// One round (section 3.3), row by row of its result.
#[inline]
#[target_feature(enable = "sha3,neon")]
fn round(a: &[uint64x2_t; 25], constant: u64) -> [uint64x2_t; 25] {
    let mut c = [vdupq_n_u64(0); 5];
    for x in 0..5 {
        c[x] = veor3q_u64(veor3q_u64(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
    }
    let mut d = c;
    for x in 0..5 {
        d[x] = vrax1q_u64(c[(x + 4) % 5], c[(x + 1) % 5]);
    }
    let mut out = *a;
    // A rotation count is an immediate, so each lane needs code of its own.
    macro_rules! row {
        ($y:literal: $($x:literal)+) => {{
            let b = [$({
                const FROM: usize = ($x + 3 * $y) % 5;
                const I: usize = FROM + 5 * $x;
                vxarq_u64::<{ (64 - RHO[I] as i32) % 64 }>(a[I], d[FROM])
            }),+];
            $( out[$x + 5 * $y] = vbcaxq_u64(b[$x], b[($x + 2) % 5], b[($x + 1) % 5]); )+
        }};
    }
    row!(0: 0 1 2 3 4);
    row!(1: 0 1 2 3 4);
    row!(2: 0 1 2 3 4);
    row!(3: 0 1 2 3 4);
    row!(4: 0 1 2 3 4);
    out[0] = veorq_u64(out[0], vdupq_n_u64(constant));
    out
}
