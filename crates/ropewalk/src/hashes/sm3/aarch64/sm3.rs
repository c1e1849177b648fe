//! SM3 with the Armv8.2 SM3 instructions: one message at a time.

use core::arch::{aarch64::*, asm};

use super::super::{Block, Compress, Compression, State, T};
use crate::core::{
    cpu::Sm4 as Cpu,
    simd::{aarch64 as simd, each},
};

#[derive(Clone)]
pub(in crate::hashes::sm3) struct Sm3 {
    cpu: Cpu,
}

impl Compress<Compression> for Sm3 {
    kernel! { Sm4: fn compress(&self, state: &mut State, blocks: &[Block]) = Sm3::kernel }
}

impl Sm3 {
    #[inline]
    pub(in crate::hashes::sm3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "sm4,neon")]
    fn kernel(&self, state: &mut State, blocks: &[Block]) {
        let mut registers = Registers::load(state);
        for block in blocks {
            let (mut w, before) = (words(block), registers);
            unroll!(i in 0 1 2 3 => registers.four_rounds::<false>(&mut w, i));
            unroll!(i in 4 5 6 7 8 9 10 11 12 13 14 15 => registers.four_rounds::<true>(&mut w, i));
            registers.add(before);
        }
        registers.store(state);
    }
}

/// The words of the state as the instructions take them: A and E are the last words of their vectors.
#[derive(Clone, Copy)]
struct Registers {
    dcba: uint32x4_t,
    hgfe: uint32x4_t,
}

impl Registers {
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(state: &State) -> Self {
        let ([abcd, efgh], []) = state.as_chunks::<4>() else { unreachable!() };
        Self { dcba: reversed(simd::load_u32x4(abcd)), hgfe: reversed(simd::load_u32x4(efgh)) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn store(&self, state: &mut State) {
        let ([abcd, efgh], []) = state.as_chunks_mut::<4>() else { unreachable!() };
        simd::store_u32x4(abcd, reversed(self.dcba));
        simd::store_u32x4(efgh, reversed(self.hgfe));
    }

    /// The rounds 4 `i` … 4 `i` + 3; `w` has the last sixteen words of the expansion, W_4i in the vector `i` % 4.
    #[inline]
    #[target_feature(enable = "sm4,neon")]
    fn four_rounds<const LATER: bool>(&mut self, w: &mut [uint32x4_t; 4], i: usize) {
        let [w0, w1, w2, w3] = [w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]];
        let (wj, w_prime) = (w0, veorq_u32(w0, w1));
        let t = &T.as_chunks::<4>().0[i];
        self.round::<LATER, 0>(t[0], wj, w_prime);
        self.round::<LATER, 1>(t[1], wj, w_prime);
        self.round::<LATER, 2>(t[2], wj, w_prime);
        self.round::<LATER, 3>(t[3], wj, w_prime);
        // W'_63 depends on W_67, and on no later word.
        if i < 13 {
            w[i % 4] = expand(w0, w1, w2, w3);
        }
    }

    /// One round, with T_j as it is added and the `I`th of W_j and of W'_j.
    #[inline]
    #[target_feature(enable = "sm4,neon")]
    fn round<const LATER: bool, const I: usize>(
        &mut self,
        t: u32,
        w: uint32x4_t,
        w_prime: uint32x4_t,
    ) {
        let ss1 = sm3ss1(self.dcba, self.hgfe, vdupq_n_u32(t));
        match LATER {
            false => {
                self.dcba = sm3tt1a::<I>(self.dcba, ss1, w_prime);
                self.hgfe = sm3tt2a::<I>(self.hgfe, ss1, w);
            }
            true => {
                self.dcba = sm3tt1b::<I>(self.dcba, ss1, w_prime);
                self.hgfe = sm3tt2b::<I>(self.hgfe, ss1, w);
            }
        }
    }

    /// V(i+1) is the XOR of what the rounds make and V(i).
    #[inline]
    #[target_feature(enable = "neon")]
    fn add(&mut self, before: Self) {
        self.dcba = veorq_u32(self.dcba, before.dcba);
        self.hgfe = veorq_u32(self.hgfe, before.hgfe);
    }
}

/// Four words in reverse order.
#[inline]
#[target_feature(enable = "neon")]
fn reversed(words: uint32x4_t) -> uint32x4_t {
    let swapped = vrev64q_u32(words);
    vextq_u32::<2>(swapped, swapped)
}

/// The words of a block, which are big-endian.
#[inline]
#[target_feature(enable = "neon")]
fn words(block: &Block) -> [uint32x4_t; 4] {
    let (quarters, []) = block.as_chunks::<16>() else { unreachable!() };
    each(|i| vreinterpretq_u32_u8(vrev32q_u8(simd::load_u8x16(&quarters[i]))))
}

/// W_j … W_j+3 of the sixteen words before them (section 5.3.2 b).
#[inline]
#[target_feature(enable = "sm4,neon")]
fn expand(w0: uint32x4_t, w1: uint32x4_t, w2: uint32x4_t, w3: uint32x4_t) -> uint32x4_t {
    let (w_13, w_9) = (vextq_u32::<3>(w0, w1), vextq_u32::<3>(w1, w2));
    let w_6 = vextq_u32::<2>(w2, w3);
    sm3partw2(sm3partw1(w0, w_9, w3), w_6, w_13)
}

/// Declares an instruction whose first operand is also its result. Its intrinsic is not stable.
macro_rules! instruction {
    ($(#[$doc:meta])* $name:ident($d:ident, $n:ident, $m:ident $(, $index:ident)?)) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "sm4,neon")]
        #[allow(unsafe_code)]
        fn $name$(<const $index: usize>)?(mut $d: uint32x4_t, $n: uint32x4_t, $m: uint32x4_t) -> uint32x4_t {
            // SAFETY: the function has the feature of the instruction, which only writes its first operand.
            unsafe {
                asm!(
                    concat!(stringify!($name), " {d:v}.4s, {n:v}.4s, {m:v}.", instruction!(@last $($index)?)),
                    d = inout(vreg) $d, n = in(vreg) $n, m = in(vreg) $m, $($index = const $index,)?
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            $d
        }
    };
    (@last) => { "4s" };
    (@last $index:ident) => { concat!("s[{", stringify!($index), "}]") };
}

instruction! {
    /// TT1 of the rounds 0 … 15, and the words A … D behind the round.
    sm3tt1a(dcba, ss1, w_prime, I)
}
instruction! {
    /// The same of the rounds from 16 on.
    sm3tt1b(dcba, ss1, w_prime, I)
}
instruction! {
    /// TT2 of the rounds 0 … 15, and the words E … H behind the round.
    sm3tt2a(hgfe, ss1, w, I)
}
instruction! {
    /// The same of the rounds from 16 on.
    sm3tt2b(hgfe, ss1, w, I)
}
instruction! {
    /// P_1 of the XOR of three, except for what the first of the four words contributes to the last.
    sm3partw1(w_16, w_9, w_4)
}
instruction! {
    /// The missing contribution, added: W_j … W_j+3.
    sm3partw2(p1, w_6, w_13)
}

/// SS1, as the last word.
#[inline]
#[target_feature(enable = "sm4,neon")]
#[allow(unsafe_code)]
fn sm3ss1(dcba: uint32x4_t, hgfe: uint32x4_t, t: uint32x4_t) -> uint32x4_t {
    let ss1;
    // SAFETY: the function has the feature of the instruction, which only writes its first operand.
    unsafe {
        asm!(
            "sm3ss1 {ss1:v}.4s, {a:v}.4s, {e:v}.4s, {t:v}.4s",
            ss1 = lateout(vreg) ss1, a = in(vreg) dcba, e = in(vreg) hgfe, t = in(vreg) t,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    ss1
}
