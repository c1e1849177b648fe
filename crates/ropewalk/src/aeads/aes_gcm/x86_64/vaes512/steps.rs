//! Texts in steps of 16 blocks: each step encrypts its blocks and hashes those of the step before.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Sum, fold_lanes, reverse},
    },
    Block, Keys, POWERS, Rounds, Table, View,
    counter::{Ahead, Counter},
    hash_in, hash_out, header,
    last::{Before, How, either, last, rounds},
    of_lengths, powers_at,
};
use crate::{
    aes::middle_rounds,
    core::{
        simd::x86_64 as simd,
        text::{Piece, Text},
    },
};

/// Blocks in a step.
pub(super) const STEP: usize = 16;
/// Steps per reduction. The last reduction includes the tail and the lengths, and one step less.
const STEPS: usize = POWERS / STEP;

/// With ten rounds, the shortest text for which blocks are computed ahead. That spares port 0 three rounds in a step and costs
/// port 5 one shuffle: more rounds always gain by it, but with ten both ports are saturated.
const LONG_ENOUGH: usize = 4096;

/// A text of any length; or whole steps of a message in chunks, with so many blocks before them: the tag buffer then holds the
/// hash, before and after. Setup and end of steps are here, and the first step, which has nothing to hash.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn long(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    open: bool,
    piece: Option<u32>,
) {
    let View { table, keys: round_keys } = keys.view();
    if text.len() == 0 {
        return header::mac(table, round_keys.rounds, nonce, aad, tag);
    }
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let lengths = of_lengths(aad, &text);
    let steps = text.len() / (16 * STEP);
    let tail_blocks = (text.len() % (16 * STEP)).div_ceil(16);
    let plan = Plan::new::<POWERS, STEP>(steps, if piece.is_none() { tail_blocks + 1 } else { 0 });
    let ahead = round_keys.rounds > 10 || text.len() >= LONG_ENOUGH || piece.is_some();
    let mut counter = Counter::after(table, nonce, piece.unwrap_or(0));
    let mut sum = Sum::zero();
    let zero = _mm512_setzero_si512();
    let mut hash = if piece.is_some() { hash_in(tag) } else { zero };
    let aad_blocks = aad.len().div_ceil(16);
    if aad_blocks > plan.at {
        hash = _mm512_zextsi128_si512(header::hash(table, _mm_setzero_si128(), aad));
    } else {
        let mut at = plan.at - aad_blocks;
        for piece in aad.chunks(64) {
            let [power] = powers_at(table, at);
            sum.add(reverse(simd::load_part_512(piece)), simd::load_512(power));
            at += 4;
        }
    }

    let mut before = Before { counter, sum, hash, lengths };
    let mut whole = text.take(16 * STEP * steps);
    if let Some(first) = whole.next() {
        let mut behind = first_step(round_keys, &mut counter, first, open);
        behind[0] = _mm512_xor_si512(behind[0], hash);
        before.hash = zero;
        before.counter.skip_to((STEP * steps) as u32);
        if steps == 1 {
            add_products(&mut before.sum, table, plan.at, behind);
        } else {
            let ([a, b, c, d], (zeroth, base, count)) = (behind, counter.parts());
            let (text, run) = (&mut whole, &mut Run { sum: &mut before.sum, plan, count });
            macro_rules! go {
                ($ten:literal, $open:literal, $ahead:literal) => {
                    others::<$ten, $open, $ahead>(keys, text, run, zeroth, base, a, b, c, d)
                };
            }
            match (round_keys.rounds == 10, open, ahead) {
                (true, false, false) => go!(true, false, false),
                (true, true, false) => go!(true, true, false),
                (true, false, true) => go!(true, false, true),
                (true, true, true) => go!(true, true, true),
                (false, false, _) => go!(false, false, true),
                (false, true, _) => go!(false, true, true),
            }
        }
    }
    if piece.is_some() {
        return hash_out(tag, before.sum.reduce());
    }
    let how = &How { open, before: Some(&before) };
    let text = &mut text;
    match text.len().wrapping_add(15) / 64 {
        0 => last::<1>(keys, nonce, &[], text, tag, how),
        1 => last::<2>(keys, nonce, &[], text, tag, how),
        2 => last::<3>(keys, nonce, &[], text, tag, how),
        3 => last::<4>(keys, nonce, &[], text, tag, how),
        _ => last::<5>(keys, nonce, &[], text, tag, how),
    }
}

/// Encrypts or decrypts 16 blocks, and returns the blocks to hash. Its rounds are unrolled: a loop took 4 % of 1,350 bytes.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw")]
fn first_step(
    keys: Rounds<'_>,
    counter: &mut Counter,
    mut text: Piece<'_, { 16 * STEP }>,
    open: bool,
) -> [__m512i; 4] {
    let mut state = counter.next::<4>();
    rounds(keys, &mut state);
    let last = simd::splat_4x(keys.last());
    let mut hashed = state;
    for i in 0..4 {
        let input = simd::load_512(&text.input().as_chunks().0[i]);
        let output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
        simd::store_512(&mut text.output().as_chunks_mut().0[i], output);
        hashed[i] = reverse(either(input, output, open));
    }
    hashed
}

/// Adds the products of four vectors.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f")]
fn add_products(sum: &mut Sum, table: &Table, at: usize, vectors: [__m512i; 4]) {
    let powers = powers_at::<4, _>(table, at);
    for i in 0..4 {
        sum.add(vectors[i], simd::load_512(&powers[i]));
    }
}

/// The state that the first step passes to the others, except for the parts in registers.
struct Run<'a> {
    /// The sum before and after the steps.
    sum: &'a mut Sum,
    plan: Plan,
    /// The counter of the next step.
    count: u32,
}

/// Steps after the first, and the products of the last one. Ten rounds have kernels of their own, which keep their keys in
/// registers. A runtime direction instead of a constant costs port 5 an instruction for each vector, which it has no slot for; a
/// jump in each step instead takes 2 to 5 % of 1,350 bytes. Vectors are passed in registers: in memory they would be waited for.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
#[allow(
    improper_ctypes_definitions,
    reason = "there is no other caller, and only so do vectors come in registers"
)]
#[allow(clippy::too_many_arguments, reason = "vectors in registers")]
extern "C" fn others<const TEN: bool, const OPEN: bool, const AHEAD: bool>(
    keys: &Keys,
    text: &mut Text<'_>,
    run: &mut Run<'_>,
    zeroth: __m512i,
    base: __m512i,
    a: __m512i,
    b: __m512i,
    c: __m512i,
    d: __m512i,
) {
    let mut view = keys.view();
    if TEN {
        view.keys.rounds = 10;
    }
    // A local copy stays in registers, as before.
    let mut text = text.reborrow();
    let Plan { mut at, mut groups, last_at } = run.plan;
    let mut sum = *run.sum;
    let mut counter = Counter::of(zeroth, base, run.count);
    let mut ahead = if AHEAD {
        Ahead::beginning(view.table, &mut counter)
    } else {
        Ahead::new(view.table, &counter)
    };
    let mut behind = [a, b, c, d];
    while let Some(piece) = text.next() {
        behind =
            step::<TEN, OPEN, AHEAD>(view, &mut counter, &mut ahead, piece, behind, &mut sum, at);
        at += STEP;
        if at == POWERS {
            let hash = _mm512_zextsi128_si512(fold_lanes(sum.reduce()));
            behind[0] = _mm512_xor_si512(behind[0], hash);
            sum = Sum::zero();
            groups -= 1;
            at = if groups == 0 { last_at } else { POWERS - STEP * STEPS };
        }
    }
    add_products(&mut sum, view.table, at, behind);
    *run.sum = sum;
}

/// The powers for each step. Steps are hashed in groups that are reduced once. The first group may be short; all but the last end
/// with H^1, and the last ends where the powers of the following blocks begin.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// The index of the power that the first group begins with.
    pub(super) at: usize,
    pub(super) groups: usize,
    /// The index of the power that the last group begins with.
    pub(super) last_at: usize,
}

impl Plan {
    /// For so many steps of `STEP` blocks, and blocks that are reduced with the last ones.
    #[inline]
    pub(super) fn new<const POWERS: usize, const STEP: usize>(steps: usize, after: usize) -> Self {
        let most = POWERS / STEP;
        let last_steps = steps.min(most - 1);
        let last_at = POWERS - after - STEP * last_steps;
        let groups = (steps - last_steps).div_ceil(most);
        let at = match groups {
            0 => last_at,
            _ => POWERS - STEP * (steps - last_steps - most * (groups - 1)),
        };
        Self { at, groups, last_at }
    }
}

/// Encrypts or decrypts 16 blocks, hashes the 16 `behind`, and returns those to hash next.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn step<const TEN: bool, const OPEN: bool, const AHEAD: bool>(
    View { table, keys }: View<'_>,
    counter: &mut Counter,
    ahead: &mut Ahead,
    mut text: Piece<'_, { 16 * STEP }>,
    behind: [__m512i; 4],
    sum: &mut Sum,
    at: usize,
) -> [__m512i; 4] {
    let powers = powers_at::<4, _>(table, at);
    let mut state = if AHEAD { ahead.blocks } else { counter.next::<4>() };
    let mut others = [state[0]; 2];
    if AHEAD {
        others = ahead.others(table, counter);
        ahead.columns();
    }
    // Fifteen round keys do not fit in registers with everything else: LLVM then reorders each chain of AES into a queue. An
    // opaque table is loaded again each step.
    let keys = if TEN { keys } else { keys.unseen() };
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        if !AHEAD || round != 1 {
            for i in 0..4 {
                state[i] = _mm512_aesenc_epi128(state[i], key);
            }
        }
        if round == 4 || round == 8 {
            let i = round / 8 * 2;
            sum.add2(
                [behind[i], behind[i + 1]],
                [simd::load_512(&powers[i]), simd::load_512(&powers[i + 1])],
            );
        }
        // With keys in memory, LLVM would queue the rounds of one vector behind those of another.
        if !TEN {
            for block in &mut state {
                simd::keep_order_512(block);
            }
        }
        if AHEAD && round == 8 {
            ahead.merge(others);
        }
    });
    let last = simd::splat_4x(keys.last());
    let mut hashed = state;
    for i in 0..4 {
        let input = simd::load_512(&text.input().as_chunks().0[i]);
        let output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
        simd::store_512(&mut text.output().as_chunks_mut().0[i], output);
        hashed[i] = reverse(if OPEN { input } else { output });
    }
    hashed
}
