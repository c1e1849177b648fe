//! Texts in steps of 32 blocks, for cores that start two AES rounds of 512 bits in a cycle, with a latency of four, and one
//! carry-less product in two cycles (Zen 5). Four vectors would wait for the rounds, and four products of each take longer than
//! everything else: so there are eight vectors, and six products for two of them.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Pairs, Sum, fold_lanes, reverse},
    },
    Block, Keys, LongTable, POWERS_FOR_EIGHTS as POWERS, Rounds, View,
    counter::Counter,
    hash_in, hash_out, header,
    last::last_round,
    of_lengths, powers_at,
    steps::Plan,
};
use crate::{
    aes::middle_rounds,
    core::{
        simd::x86_64 as simd,
        text::{Piece, Text},
    },
};

/// Blocks in a step.
pub(super) const STEP: usize = 32;

/// A text of more than 31 blocks; or whole steps of a message in chunks, as in [`super::steps::long`].
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
    let View { table: short_table, keys: round_keys } = keys.view();
    // A local copy stays in registers; a reference would be updated in memory.
    let mut text = text.reborrow();
    let lengths = of_lengths(aad, &text);
    let steps = text.len() / (16 * STEP);
    let tail_blocks = (text.len() % (16 * STEP)).div_ceil(16);
    let plan = Plan::new::<POWERS, STEP>(steps, if piece.is_none() { tail_blocks + 1 } else { 0 });
    let piece_blocks = piece.unwrap_or(0);
    let mut counter = Counter::after(short_table, nonce, piece_blocks);
    let mut sum = Sum::zero();
    let zero = _mm512_setzero_si512();
    let mut hash = if piece.is_some() { hash_in(tag) } else { zero };
    let aad_blocks = aad.len().div_ceil(16);
    if aad_blocks > plan.at {
        hash = _mm512_zextsi128_si512(header::hash(short_table, _mm_setzero_si128(), aad));
    } else {
        let mut at = plan.at - aad_blocks;
        for piece in aad.chunks(64) {
            let [power] = powers_at(&keys.table, at);
            sum.add(reverse(simd::load_part_512(piece)), simd::load_512(power));
            at += 4;
        }
    }

    // Without a step, the hash is hashed like the ciphertext of one.
    let behind = [hash, zero, zero, zero, zero, zero, zero, zero];
    let (zeroth, base, count) = counter.parts();
    let run = &mut Run { sum, plan, zeroth, base, count, behind };
    let whole = &mut text.take(16 * STEP * steps);
    match (round_keys.rounds, open) {
        (10, false) => all::<10, false>(keys, whole, run),
        (10, true) => all::<10, true>(keys, whole, run),
        (12, false) => all::<12, false>(keys, whole, run),
        (12, true) => all::<12, true>(keys, whole, run),
        (_, false) => all::<14, false>(keys, whole, run),
        (_, true) => all::<14, true>(keys, whole, run),
    }
    if piece.is_some() {
        return hash_out(tag, run.last_sum(&keys.table).reduce());
    }
    counter.skip_to((STEP * steps) as u32);
    (_, run.base, run.count) = counter.parts();
    let (text, end) = (&mut text, &End { run, lengths, open });
    match text.len().wrapping_add(15) / 64 {
        0 => ending::<1>(keys, text, tag, end),
        1 => ending::<2>(keys, text, tag, end),
        2 => ending::<3>(keys, text, tag, end),
        3 => ending::<4>(keys, text, tag, end),
        4 => ending::<5>(keys, text, tag, end),
        5 => ending::<6>(keys, text, tag, end),
        6 => ending::<7>(keys, text, tag, end),
        7 => ending::<8>(keys, text, tag, end),
        _ => ending::<9>(keys, text, tag, end),
    }
}

/// The state that is passed to the steps and from them to the last vectors. The counter is in parts: a copy of all of it would be a
/// load that stalls on the word just stored.
struct Run {
    sum: Sum,
    plan: Plan,
    zeroth: __m512i,
    base: __m512i,
    count: u32,
    /// The blocks that the last step leaves to be hashed.
    behind: [__m512i; 8],
}

impl Run {
    /// The sum after the products of the last step.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f")]
    fn last_sum(&self, table: &LongTable) -> Sum {
        let mut pairs = Pairs::after(self.sum);
        for i in [6, 4, 2, 0] {
            self.add_pair(&mut pairs, table, i);
        }
        pairs.sum()
    }

    /// Adds the products of two of its vectors.
    #[inline]
    #[target_feature(enable = "vpclmulqdq,avx512f")]
    fn add_pair(&self, pairs: &mut Pairs, table: &LongTable, i: usize) {
        let powers = powers_at::<8, _>(table, self.plan.at);
        pairs.add2(
            [self.behind[i], self.behind[i | 1]],
            [simd::load_512(&powers[i]), simd::load_512(&powers[i | 1])],
        );
    }
}

/// All steps, except for the products of the last one. The number of rounds is a constant: as a variable it would add a jump to
/// each step, and leave products to the first nine rounds.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn all<const ROUNDS: usize, const OPEN: bool>(keys: &Keys, text: &mut Text<'_>, run: &mut Run) {
    // A local copy stays in registers, as before.
    let mut text = text.reborrow();
    let Plan { mut at, mut groups, last_at } = run.plan;
    let mut counter = Counter::of(run.zeroth, run.base, run.count);
    let Some(first) = text.next() else { return };
    let mut pairs = Pairs::after(run.sum);
    let mut behind = [_mm512_setzero_si512(); 8];
    behind = step::<ROUNDS, OPEN, false>(keys, &mut counter, first, behind, &mut pairs, 0);
    behind[0] = _mm512_xor_si512(behind[0], run.behind[0]);
    while let Some(piece) = text.next() {
        behind = step::<ROUNDS, OPEN, true>(keys, &mut counter, piece, behind, &mut pairs, at);
        at += STEP;
        if at == POWERS {
            let hash = _mm512_zextsi128_si512(fold_lanes(pairs.sum().reduce()));
            behind[0] = _mm512_xor_si512(behind[0], hash);
            pairs = Pairs::zero();
            groups -= 1;
            at = if groups == 0 { last_at } else { POWERS - STEP * (POWERS / STEP) };
        }
    }
    run.behind = behind;
    run.plan.at = at;
    run.sum = pairs.sum();
}

/// Encrypts or decrypts 32 blocks, hashes the 32 `behind` if `HASH` is set, and returns those to hash next.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn step<const ROUNDS: usize, const OPEN: bool, const HASH: bool>(
    keys: &Keys,
    counter: &mut Counter,
    mut text: Piece<'_, { 16 * STEP }>,
    behind: [__m512i; 8],
    pairs: &mut Pairs,
    at: usize,
) -> [__m512i; 8] {
    let powers = powers_at::<8, _>(&keys.table, at);
    let keys = Rounds { rounds: ROUNDS, ..keys.view().keys };
    let mut state = counter.next_eight();
    // LLVM broadcasts the round keys once and keeps them on the stack: a broadcast in each step would take an instruction of the
    // four in a cycle, and a plain load does not.
    middle_rounds!(ROUNDS; round => {
        let key = simd::splat_4x(keys.key(round));
        for i in 0..8 {
            state[i] = _mm512_aesenc_epi128(state[i], key);
        }
        // The first pair is the last, as it depends on the hash of the group before.
        let apart = (ROUNDS - 2) / 4;
        if HASH && round.is_multiple_of(apart) && round / apart <= 4 {
            let i = (8 - 2 * (round / apart)) % 8;
            pairs.add2(
                [behind[i], behind[i | 1]],
                [simd::load_512(&powers[i]), simd::load_512(&powers[i | 1])],
            );
        }
        for block in &mut state {
            simd::keep_order_512(block);
        }
    });
    let last = simd::splat_4x(keys.last());
    let mut hashed = state;
    for i in 0..8 {
        let input = simd::load_512(&text.input().as_chunks().0[i]);
        let output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
        simd::store_512(&mut text.output().as_chunks_mut().0[i], output);
        hashed[i] = reverse(if OPEN { input } else { output });
    }
    hashed
}

/// The state before the last vectors.
struct End<'a> {
    run: &'a Run,
    lengths: __m128i,
    open: bool,
}

/// The last vectors, as in [`super::last::last`], with the products of the last step between their rounds: one after the other, rounds
/// and products would each wait for their own results.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn ending<const N: usize>(keys: &Keys, text: &mut Text<'_>, tag: &mut Block, end: &End<'_>) {
    // A local copy stays in registers, as before.
    let mut text = text.reborrow();
    let (table, View { keys, .. }) = (&keys.table, keys.view());
    let &End { run, lengths, open } = end;
    let part = text.len().wrapping_add(15) / 16 % 4;
    let at = POWERS - 1 - (4 * (N - 1) + part);
    let mut counter = Counter::of(run.zeroth, run.base, run.count);
    let spare = 0b11 << (2 * part);
    let mut state = counter.next::<N>();
    state[N - 1] = _mm512_mask_blend_epi64(spare, state[N - 1], counter.first());
    let mut pairs = Pairs::after(run.sum);
    // Loaded in each round: registers do not suffice for keys.
    let unseen = keys.unseen();
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(unseen.key(round));
        for i in 0..N {
            state[i] = _mm512_aesenc_epi128(state[i], key);
        }
        if matches!(round, 2 | 4 | 6 | 8) {
            run.add_pair(&mut pairs, table, 8_usize.saturating_sub(round));
            pairs.keep_order();
        }
        // LLVM would move products before the rounds, and vectors to memory.
        for block in &mut state {
            simd::keep_order_512(block);
        }
    });
    let header = _mm_setzero_si128();
    let pad = last_round::<N, false>(keys, &mut state, &mut text, spare, lengths, header, open);
    let powers = powers_at::<N, _>(table, at);
    for i in (0..N - 1).step_by(2) {
        pairs.add2(
            [state[i], state[i + 1]],
            [simd::load_512(&powers[i]), simd::load_512(&powers[i + 1])],
        );
    }
    let mut sum = pairs.sum();
    if N % 2 == 1 {
        sum.add(state[N - 1], simd::load_512(&powers[N - 1]));
    }
    simd::store_128(tag, fold_lanes(_mm512_xor_si512(reverse(sum.reduce()), pad)));
}
