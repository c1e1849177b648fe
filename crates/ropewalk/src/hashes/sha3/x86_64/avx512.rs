//! SHA-3 on 512 bits: five lanes of the state in each of five vectors.
//!
//! θ needs each lane at the place of its x, so that columns are sums of vectors. χ needs the neighbours of a lane at the same
//! place of other vectors, so that it takes no shuffles: its lanes are at the places of their y. Lane (x, y) is in vector α x + β
//! y modulo 5. A round then changes from one order to the other, and back, by shuffles within vectors. Each round changes the
//! coefficients, and after three rounds they are unsuitable for χ. Then lanes move to other vectors: by blends, during the
//! latency of the column shuffles of θ.

use core::{arch::x86_64::*, hint::black_box};

use super::super::{Function, RC, RHO, Sponge, State};
use crate::core::{
    cpu::Avx512 as Cpu,
    simd::{each, x86_64 as simd},
};

#[derive(Clone)]
pub(in crate::hashes::sha3) struct Avx512 {
    cpu: Cpu,
}

impl Sponge for Avx512 {
    kernel! { Avx512: fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) = Avx512::absorb_kernel }
    kernel! { Avx512: fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) = Avx512::squeeze_kernel }
    kernel! { Avx512: fn permute(&self, state: &mut State) = Avx512::permute_kernel }
    kernel! { Avx512: fn digest(&self, function: Function, message: &[u8], out: &mut [u8]) = Avx512::digest_kernel }
}

impl Avx512 {
    #[inline]
    pub(in crate::hashes::sha3) fn new(cpu: Cpu, (): ()) -> Self {
        Self { cpu }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    fn absorb_kernel(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        run(Some(state), rate, blocks, None, &mut []);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    fn squeeze_kernel(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        run(Some(state), rate, &[], None, blocks);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    fn permute_kernel(&self, state: &mut State) {
        run(Some(state), size_of::<State>(), &[], None, &mut []);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
    fn digest_kernel(&self, function: Function, message: &[u8], out: &mut [u8]) {
        run(None, function.rate, message, Some(function.suffix), out);
    }
}

/// Absorbs a message, which it pads if there is a suffix, and which otherwise has whole blocks, and squeezes; it permutes at
/// least once. Without a state it starts from zeros.
///
/// This is the only function with the rounds, so that they are inlined and vectors stay in registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn run(state: Option<&mut State>, rate: usize, message: &[u8], suffix: Option<u8>, out: &mut [u8]) {
    let mut vectors = match &state {
        Some(state) => Vectors::load(state.as_flattened()),
        None => Vectors([_mm512_setzero_si512(); 5]),
    };
    let (mut message, mut suffix, mut out) = (message, suffix, out);
    loop {
        if let Some((block, rest)) = message.split_at_checked(rate) {
            vectors.add(&Vectors::load(block));
            message = rest;
        } else if let Some(suffix) = suffix.take() {
            vectors.add(&Vectors::load_last(message, rate, suffix));
        }
        vectors.permute();
        if message.len() < rate && suffix.is_none() {
            let (block, rest) = out.split_at_mut(out.len().min(rate));
            vectors.store(block);
            if rest.is_empty() {
                break;
            }
            out = rest;
        }
    }
    if let Some(state) = state {
        vectors.store(state.as_flattened_mut());
    }
}

/// The state, or a block: lane (x, y) at place x of vector 4 x + y, and zeros beyond place 4.
struct Vectors([__m512i; 5]);

impl Vectors {
    /// Loads up to the bytes of a state, padded with zeros.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn load(bytes: &[u8]) -> Self {
        let mut planes = [_mm512_setzero_si512(); 5];
        unroll!(y in 0 1 2 3 4 => planes[y] = simd::load_less_512(plane(bytes, y)));
        Self(skew::<1>(&planes))
    }

    /// The partial last block of a message, padded (section 5.1).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn load_last(bytes: &[u8], rate: usize, suffix: u8) -> Self {
        let suffix = _mm512_set1_epi8(suffix.cast_signed());
        let end = _mm512_set1_epi8(i8::MIN);
        // A mask bit for a byte, if it is in the plane.
        let place = |byte: usize, y: usize| {
            let byte = byte.wrapping_sub(PLANE * y);
            if byte < PLANE { 1_u64 << byte } else { 0 }
        };
        let mut planes = [_mm512_setzero_si512(); 5];
        unroll!(y in 0 1 2 3 4 => {
            let suffix = _mm512_maskz_mov_epi8(place(bytes.len(), y), suffix);
            let end = _mm512_maskz_mov_epi8(place(rate - 1, y), end);
            let text = simd::load_less_512(plane(bytes, y));
            planes[y] = simd::ternary_512::<XOR>(text, suffix, end);
        });
        Self(skew::<1>(&planes))
    }

    /// Stores the first bytes, as many as there is room for.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn store(&self, bytes: &mut [u8]) {
        let planes = skew::<4>(&self.0);
        let n = bytes.len();
        unroll!(y in 0 1 2 3 4 => {
            let bytes = &mut bytes[n.min(PLANE * y)..n.min(PLANE * (y + 1))];
            simd::store_less_512(bytes, planes[y]);
        });
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add(&mut self, other: &Self) {
        unroll!(v in 0 1 2 3 4 => self.0[v] = _mm512_xor_si512(self.0[v], other.0[v]));
    }

    /// Keccak-f[1600] (section 3.3).
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn permute(&mut self) {
        for constants in RC.as_chunks::<3>().0 {
            // Loaded when needed: otherwise they would be copied to the stack.
            let [first, second, third] = black_box(&ROUNDS);
            self.round::<0>(first, constants[0]);
            self.round::<1>(second, constants[1]);
            self.round::<2>(third, constants[2]);
        }
    }

    /// One round, from one order of lanes to the next.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn round<const ORDER: usize>(&mut self, tables: &Round, constant: u64) {
        let Self(a) = self;
        // θ
        let c = simd::ternary_512::<XOR>(a[0], a[1], a[2]);
        let c = simd::ternary_512::<XOR>(c, a[3], a[4]);
        let left = permuted(tables.left.load(), c);
        let right = permuted(tables.right.load(), _mm512_rol_epi64::<1>(c));
        if ORDER == 0 {
            let skewed = skew::<2>(a);
            *a = each(|v| skewed[2 * v % 5]);
        }
        unroll!(v in 0 1 2 3 4 => a[v] = simd::ternary_512::<XOR>(a[v], left, right));
        // ρ, π
        unroll!(v in 0 1 2 3 4 => {
            a[v] = _mm512_rolv_epi64(a[v], tables.turns[v].load());
            if v > 0 {
                a[v] = permuted(tables.to_rows[v - 1].load(), a[v]);
            }
        });
        // χ; and ι off the critical path: vector 0 is ready before the others.
        let step = const { ORDERS[ORDER].step() };
        let b = *a;
        let constant = _mm512_zextsi128_si512(_mm_cvtsi64_si128(constant.cast_signed()));
        a[0] = _mm512_xor_si512(a[0], constant);
        unroll!(v in 0 1 2 3 4 => {
            a[v] = simd::ternary_512::<CHI>(a[v], b[(v + step) % 5], b[(v + 2 * step) % 5]);
            if v > 0 || ORDER == 2 {
                a[v] = permuted(tables.to_columns[v].load(), a[v]);
            }
        });
    }
}

/// Bytes of the lanes with one y.
const PLANE: usize = 40;

/// The bytes that belong to plane y.
#[inline(always)]
fn plane(bytes: &[u8], y: usize) -> &[u8] {
    &bytes[bytes.len().min(PLANE * y)..bytes.len().min(PLANE * (y + 1))]
}

/// Vector `v` gets place `x` of vector `v + STEP x` modulo 5.
#[inline]
#[target_feature(enable = "avx512f")]
fn skew<const STEP: usize>(a: &[__m512i; 5]) -> [__m512i; 5] {
    // A bit for each place whose distance has that bit.
    let places =
        |bit: usize| (0..5).fold(0, |mask, x| mask | ((x * STEP % 5) >> bit & 1) << x) as u8;
    let mut skewed = *a;
    unroll!(bit in 0 1 2 => {
        let before = skewed;
        let from = if bit == 2 { a } else { &before };
        unroll!(v in 0 1 2 3 4 => {
            let other = from[(v + (1 << bit)) % 5];
            skewed[v] = _mm512_mask_blend_epi64(places(bit), before[v], other);
        });
    });
    skewed
}

/// Truth tables: the XOR of three; and χ, which XORs the third into the first where the second is zero.
const XOR: i32 = 0x96;
const CHI: i32 = 0xd2;

/// An order of lanes: for θ, lane (x, y) is in vector α x + β y and place γ x; for χ, in place δ y.
#[derive(Clone, Copy)]
struct Order {
    alpha: usize,
    beta: usize,
    gamma: usize,
    delta: usize,
}

const ORDERS: [Order; 3] = {
    // In vector 0 lanes are already at the places that χ needs, and mostly at those of the next θ.
    let first = Order { alpha: 1, beta: 3, gamma: 1, delta: 1 };
    let second = Order { alpha: 4, beta: 3, gamma: 2, delta: 4 };
    let third = Order { alpha: 2, beta: 2, gamma: 1, delta: 4 };
    [first, second, third]
};

/// A vector in memory.
#[repr(align(64))]
struct Lanes([u64; 8]);

impl Lanes {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(&self) -> __m512i {
        simd::load_u64x8(&self.0)
    }
}

/// The tables of a round in one of the orders.
struct Round {
    /// The columns before and after that of a place.
    left: Lanes,
    right: Lanes,
    /// The rotation counts of ρ by place.
    turns: [Lanes; 5],
    /// The source places for χ; vector 0 does not move.
    to_rows: [Lanes; 4],
    /// The source places for the next θ; that of vector 0 is used after the third order only.
    to_columns: [Lanes; 5],
}

static ROUNDS: [Round; 3] = {
    let [first, second, third] = ORDERS;
    let rounds = [first.round(second), second.round(third), third.round(first)];
    let mut place = 0;
    while place < 8 {
        let stay = [rounds[0].to_columns[0].0[place], rounds[1].to_columns[0].0[place]];
        assert!(stay[0] == place as u64 && stay[1] == place as u64, "what is in vector 0 stays");
        place += 1;
    }
    rounds
};

impl Order {
    /// By how much the index of the vector grows with x' = y after π, where y' = 2 x + 3 y.
    const fn step(self) -> usize {
        (self.alpha + self.beta) % 5
    }

    /// The tables, where the next θ has its lanes in another order.
    const fn round(self, next: Self) -> Round {
        const STAY: Lanes = Lanes([0, 1, 2, 3, 4, 5, 6, 7]);
        let mut round = Round {
            left: STAY,
            right: STAY,
            turns: [const { Lanes([0; 8]) }; 5],
            to_rows: [STAY; 4],
            to_columns: [STAY; 5],
        };
        let Self { alpha, beta, gamma, delta } = self;
        let mut x = 0;
        while x < 5 {
            round.left.0[gamma * x % 5] = (gamma * (x + 4) % 5) as u64;
            round.right.0[gamma * x % 5] = (gamma * (x + 1) % 5) as u64;
            let mut y = 0;
            while y < 5 {
                let (v, place) = ((alpha * x + beta * y) % 5, gamma * x % 5);
                round.turns[v].0[place] = RHO[x + 5 * y] as u64;
                // After π, it is lane (y, 2 x + 3 y).
                let in_row = delta * (2 * x + 3 * y) % 5;
                if v == 0 {
                    assert!(in_row == place, "what is in vector 0 stays");
                } else {
                    round.to_rows[v - 1].0[in_row] = place as u64;
                }
                round.to_columns[v].0[next.gamma * y % 5] = in_row as u64;
                y += 1;
            }
            x += 1;
        }
        round
    }
}

/// The lane at each index.
#[inline]
#[target_feature(enable = "avx512f")]
fn permuted(indices: __m512i, lanes: __m512i) -> __m512i {
    #[cfg(not(ropewalk_ct = "msan"))]
    return _mm512_permutexvar_epi64(indices, lanes);
    // MemorySanitizer does not move the secrecy of lanes with them.
    #[cfg(ropewalk_ct = "msan")]
    {
        let of = |v: __m512i| {
            let (low, high) = (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            let lanes = |v: __m256i| {
                let (low, high) = (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
                [low, high].map(|v| [_mm_extract_epi64::<0>(v), _mm_extract_epi64::<1>(v)])
            };
            [lanes(low), lanes(high)]
        };
        let (indices, lanes) = (of(indices), of(lanes));
        let [a, b, c, d, e, f, g, h]: [i64; 8] = each(|i| {
            let from = indices.as_flattened().as_flattened()[i] as usize % 8;
            lanes.as_flattened().as_flattened()[from]
        });
        _mm512_setr_epi64(a, b, c, d, e, f, g, h)
    }
}
