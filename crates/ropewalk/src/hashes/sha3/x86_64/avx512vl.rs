//! SHA-3 with AVX-512 on 128 bits: a lane of the state in the low half of each of 25 vectors, of which there are 32.
//!
//! Without shuffles there is no long latency, and a round is 95 instructions at four a cycle. Where a shuffle across a vector has
//! a latency of four cycles and 512-bit instructions are split, as on Zen 4, that is faster than five lanes a vector: 31 cycles a
//! round instead of 41.
//!
//! The limit is the number of operands that are read. A ternary function takes one and a half times as long as a binary one if
//! all its operands have just been computed. χ is shorter with it, as it would otherwise take two instructions, but θ is not,
//! whose sums are used five times.

use core::arch::x86_64::*;

use super::super::{Function, RC, RHO, Sponge, State, add_at, pad};
use crate::core::{
    block::store_short,
    cpu::Avx512 as Cpu,
    secret::Wiped,
    simd::{each, x86_64 as simd},
};

#[derive(Clone)]
pub(in crate::hashes::sha3) struct Avx512Vl {
    cpu: Cpu,
}

impl Sponge for Avx512Vl {
    kernel! { Avx512: fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) = Avx512Vl::absorb_kernel }
    kernel! { Avx512: fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) = Avx512Vl::squeeze_kernel }
    kernel! { Avx512: fn permute(&self, state: &mut State) = Avx512Vl::permute_kernel }
    kernel! { Avx512: fn digest(&self, function: Function, message: &[u8], out: &mut [u8]) = Avx512Vl::digest_kernel }
}

impl Avx512Vl {
    #[inline]
    pub(in crate::hashes::sha3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn absorb_kernel(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        run(Some(state), rate, blocks, None, &mut []);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn squeeze_kernel(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        run(Some(state), rate, &[], None, blocks);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn permute_kernel(&self, state: &mut State) {
        run(Some(state), size_of::<State>(), &[], None, &mut []);
    }

    /// The partial block is padded in memory, before the rest is loaded to registers: it is then loaded by the same lanes by
    /// which it was stored.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn digest_kernel(&self, function: Function, message: &[u8], out: &mut [u8]) {
        let Function { rate, suffix } = function;
        let mut last = Wiped::new([[0; 8]; 25]);
        let rest = &message[message.len() - message.len() % rate..];
        add_at(&mut last, 0, rest);
        pad(&mut last, rest.len(), rate, suffix);
        run(None, rate, message, Some(&last.as_flattened()[..rate]), out);
    }
}

/// Absorbs the whole blocks of a message, and then the last one if there is one, and squeezes; it permutes at least once. Without
/// a state it starts from zeros.
///
/// This is the only function with the rounds, so that they are inlined and lanes stay in registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl")]
fn run(
    state: Option<&mut State>,
    rate: usize,
    message: &[u8],
    last: Option<&[u8]>,
    out: &mut [u8],
) {
    let mut lanes = match &state {
        Some(state) => Lanes(each(|i| splat(&state[i]))),
        None => Lanes([_mm_setzero_si128(); 25]),
    };
    let (mut message, mut last, mut out) = (message, last, out);
    loop {
        let block = match message.split_at_checked(rate) {
            Some((block, rest)) => {
                message = rest;
                Some(block)
            }
            None => last.take(),
        };
        if let Some(block) = block {
            lanes.add(block);
        }
        lanes.permute();
        if message.len() < rate && last.is_none() {
            let (block, rest) = out.split_at_mut(out.len().min(rate));
            lanes.store(block);
            if rest.is_empty() {
                break;
            }
            out = rest;
        }
    }
    if let Some(state) = state {
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
            => state[i] = lanes.word(i));
    }
}

/// Lane (x, y) in the low half of vector x + 5 y. The other half is secret too, and not used.
struct Lanes([__m128i; 25]);

impl Lanes {
    /// XORs a block. Every block consists of the lanes of the shortest, and some further groups.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn add(&mut self, block: &[u8]) {
        let Self(a) = self;
        let (words, _) = block.as_chunks();
        macro_rules! group {
            ($n:literal: $($i:literal)+) => {
                if words.len() < $n {
                    return;
                }
                $( a[$i] = _mm_xor_si128(a[$i], splat(&words[$i])); )+
            };
        }
        group!(9: 0 1 2 3 4 5 6 7 8);
        group!(13: 9 10 11 12);
        group!(17: 13 14 15 16);
        group!(18: 17);
        group!(21: 18 19 20);
    }

    /// Stores the first bytes, as many as there is room for.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn store(&self, bytes: &mut [u8]) {
        let (words, short) = bytes.as_chunks_mut();
        let last = 'last: {
            unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 => {
                let Some(word) = words.get_mut(i) else { break 'last self.word(i) };
                *word = self.word(i);
            });
            return;
        };
        if !short.is_empty() {
            store_short(short, u64::from_le_bytes(last).into());
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn word(&self, i: usize) -> [u8; 8] {
        _mm_cvtsi128_si64(self.0[i]).to_le_bytes()
    }

    /// Keccak-f[1600] (section 3.3): two rounds a step, so that the second reads what the first has written. The number of steps
    /// is opaque, or LLVM would unroll all of them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn permute(&mut self) {
        for [first, second] in simd::unseen(&RC.as_slice()).as_chunks().0 {
            self.round(*first);
            self.round(*second);
        }
    }

    /// One round (section 3.3), row by row of its result: rotations, which have two ports, are then interleaved with instructions
    /// that have four. LLVM would compute all sums of θ first, which takes too many vectors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn round(&mut self, constant: u64) {
        let Self(out) = self;
        let a = *out;
        let c: [__m128i; 5] = {
            let mut c = [a[0]; 5];
            for x in 0..5 {
                let three = simd::ternary_128::<XOR>(a[x], a[x + 5], a[x + 10]);
                c[x] = simd::ternary_128::<XOR>(three, a[x + 15], a[x + 20]);
            }
            c
        };
        let mut d = c;
        for x in 0..5 {
            d[x] = _mm_xor_si128(c[(x + 4) % 5], _mm_rol_epi64::<1>(c[(x + 1) % 5]));
        }
        // A rotation count is an immediate, so each lane needs code of its own.
        macro_rules! row {
            ($y:literal: $($x:literal)+) => {{
                // Lane (x, y) after π comes from lane (x + 3 y, x).
                let mut b = [$({
                    const FROM: usize = ($x + 3 * $y) % 5;
                    const I: usize = FROM + 5 * $x;
                    _mm_rol_epi64::<{ RHO[I] as i32 }>(_mm_xor_si128(a[I], d[FROM]))
                }),+];
                $( simd::keep_order_128(&mut b[$x]); )+
                $( out[$x + 5 * $y] = simd::ternary_128::<CHI>(b[$x], b[($x + 1) % 5], b[($x + 2) % 5]); )+
            }};
        }
        row!(0: 0 1 2 3 4);
        row!(1: 0 1 2 3 4);
        row!(2: 0 1 2 3 4);
        row!(3: 0 1 2 3 4);
        row!(4: 0 1 2 3 4);
        out[0] = _mm_xor_si128(out[0], _mm_set1_epi64x(constant.cast_signed()));
    }
}

/// Truth tables: the XOR of three; and χ, which XORs the third into the first where the second is zero.
const XOR: i32 = 0x96;
const CHI: i32 = 0xd2;

/// A lane, broadcast: with a memory operand, the XOR is one instruction.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn splat(lane: &[u8; 8]) -> __m128i {
    _mm_set1_epi64x(i64::from_le_bytes(*lane))
}
