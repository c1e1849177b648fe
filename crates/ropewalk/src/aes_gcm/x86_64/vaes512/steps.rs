//! Texts that go in steps of 16 blocks: each step encrypts its blocks and hashes those of the step before.

use core::arch::x86_64::*;

use super::{
    super::{
        super::Nonce,
        ghash512::{Sum, fold_lanes, reverse},
    },
    Block, Keys, POWERS, View,
    counter::{Ahead, Counter},
    hash_in, hash_out, header,
    last::{Before, How, last},
    of_lengths, powers_at,
};
use crate::{
    aes::middle_rounds,
    simd::x86_64 as simd,
    text::{Piece, Text},
};

/// Blocks in a step.
pub(super) const STEP: usize = 16;
/// Steps between reductions. The last reduction has the tail and the lengths too, and a step less.
const STEPS: usize = 3;

/// The shortest text for which blocks are made ahead where there are ten rounds. That spares port 0 three rounds in a step and
/// costs port 5 one shuffle: more rounds gain by it always, but with ten both ports are full.
const LONG_ENOUGH: usize = 4096;

/// What is left behind steps: a macro, for texts that are hardly long enough to be spared a call.
macro_rules! finish {
    ($keys:expr, $nonce:expr, $text:expr, $tag:expr, $how:expr) => {{
        let (text, how) = ($text, $how);
        match text.len().wrapping_add(15) / 64 {
            0 => last::<1>($keys, $nonce, &[], text, $tag, how),
            1 => last::<2>($keys, $nonce, &[], text, $tag, how),
            2 => last::<3>($keys, $nonce, &[], text, $tag, how),
            3 => last::<4>($keys, $nonce, &[], text, $tag, how),
            _ => last::<5>($keys, $nonce, &[], text, $tag, how),
        }
    }};
}

/// A text of any length; or, of a message that comes in pieces, whole steps behind so many blocks: its hash is then where the tag
/// of others is, and goes on.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
pub(super) fn long<const OPEN: bool>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    piece: Option<u32>,
) {
    match keys.rounds {
        10 => steps::<true, OPEN, false>(keys, nonce, aad, text, tag, piece),
        _ => steps::<false, OPEN, true>(keys, nonce, aad, text, tag, piece),
    }
}

/// The same. Ten rounds have kernels of their own, which keep their keys in registers, and make no blocks ahead. A parameter that
/// is told and not a constant costs port 5 an instruction for each vector, and there is no room for it; a jump in each step, in
/// place of that, takes 2 to 5 % of 1,350 bytes.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn steps<const TEN: bool, const OPEN: bool, const AHEAD: bool>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    piece: Option<u32>,
) {
    let mut view = keys.view();
    if TEN {
        view.keys.rounds = 10;
    }
    let table = view.table;
    if text.len() == 0 {
        return header::mac(table, view.keys.rounds, nonce, aad, tag);
    }
    // In registers: what is behind a reference would be updated there.
    let mut text = text.reborrow();
    let lengths = of_lengths(aad, &text);
    let steps = text.len() / (16 * STEP);
    let tail_blocks = (text.len() % (16 * STEP)).div_ceil(16);
    let plan = Plan::new(steps, if piece.is_none() { tail_blocks + 1 } else { 0 });
    let long = text.len() >= LONG_ENOUGH || piece.is_some();
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

    if let Some(first) = text.next() {
        let mut ahead =
            if AHEAD { Ahead::beginning(table, &mut counter) } else { Ahead::new(table, &counter) };
        let mut behind = step::<TEN, OPEN, AHEAD, false>(
            view,
            &mut counter,
            &mut ahead,
            first,
            [zero; 4],
            &mut sum,
            0,
        );
        behind[0] = _mm512_xor_si512(behind[0], hash);
        if TEN && long {
            let (nonce_block, base, count) = counter.parts();
            counter.skip_to((STEP * steps) as u32);
            let before = Before { counter, sum, hash: zero, lengths };
            let run = &mut Run { before, plan, count, piece: piece.is_some() };
            let [a, b, c, d] = behind;
            return longer::<OPEN>(keys, nonce, &mut text, tag, run, nonce_block, base, a, b, c, d);
        }
        rest::<TEN, OPEN, AHEAD>(view, counter, &mut ahead, &mut text, behind, &mut sum, plan);
        hash = zero;
        counter.skip_to((STEP * steps) as u32);
    }
    if piece.is_some() {
        return hash_out(tag, sum.reduce());
    }
    let before = &Before { counter, sum, hash, lengths };
    finish! { keys, nonce, &mut text, tag, &How { open: OPEN, before: Some(before) } }
}

/// Steps behind the first, and the products of the last one.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn rest<const TEN: bool, const OPEN: bool, const AHEAD: bool>(
    view: View<'_>,
    mut counter: Counter,
    ahead: &mut Ahead,
    text: &mut Text<'_>,
    mut behind: [__m512i; 4],
    sum: &mut Sum,
    Plan { mut at, mut groups, last_at }: Plan,
) {
    while let Some(piece) = text.next() {
        behind = step::<TEN, OPEN, AHEAD, true>(view, &mut counter, ahead, piece, behind, sum, at);
        at += STEP;
        if at == POWERS {
            let hash = _mm512_zextsi128_si512(fold_lanes(sum.reduce()));
            behind[0] = _mm512_xor_si512(behind[0], hash);
            *sum = Sum::zero();
            groups -= 1;
            at = if groups == 0 { last_at } else { POWERS - STEP * STEPS };
        }
    }
    let powers = powers_at::<4>(view.table, at);
    for i in 0..4 {
        sum.add(behind[i], simd::load_512(&powers[i]));
    }
}

/// What goes from short texts to long ones, but for what is in registers.
struct Run {
    /// The counter is that behind all steps.
    before: Before,
    plan: Plan,
    /// That of the next step.
    count: u32,
    piece: bool,
}

/// Goes on behind the first step of a long text, where there are ten rounds, with blocks made ahead. What is before is that of
/// shorter texts; in memory, vectors would be waited for.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
#[allow(
    improper_ctypes_definitions,
    reason = "nobody else calls it, and only so do vectors come in registers"
)]
#[allow(clippy::too_many_arguments, reason = "vectors in registers")]
extern "C" fn longer<const OPEN: bool>(
    keys: &Keys,
    nonce: &Nonce,
    text: &mut Text<'_>,
    tag: &mut Block,
    run: &mut Run,
    nonce_block: __m512i,
    base: __m512i,
    a: __m512i,
    b: __m512i,
    c: __m512i,
    d: __m512i,
) {
    let mut view = keys.view();
    view.keys.rounds = 10;
    let mut text = text.reborrow();
    let mut sum = run.before.sum;
    let mut counter = Counter::of(nonce_block, base, run.count);
    let mut ahead = Ahead::beginning(view.table, &mut counter);
    let behind = [a, b, c, d];
    rest::<true, OPEN, true>(view, counter, &mut ahead, &mut text, behind, &mut sum, run.plan);
    if run.piece {
        return hash_out(tag, sum.reduce());
    }
    run.before.sum = sum;
    finish! { keys, nonce, &mut text, tag, &How { open: OPEN, before: Some(&run.before) } }
}

/// Which powers steps meet. They are hashed in groups that are reduced once. The first group may be short; all but the last end
/// with H^1, and that ends where what is after it begins.
#[derive(Clone, Copy)]
struct Plan {
    /// Where the first group begins.
    at: usize,
    groups: usize,
    /// Where the last group begins.
    last_at: usize,
}

impl Plan {
    /// For steps, and so many blocks that are reduced with the last ones.
    #[inline]
    fn new(steps: usize, after: usize) -> Self {
        let last_steps = steps.min(STEPS - 1);
        let last_at = POWERS - after - STEP * last_steps;
        let groups = (steps - last_steps).div_ceil(STEPS);
        let at = match groups {
            0 => last_at,
            _ => POWERS - STEP * (steps - last_steps - STEPS * (groups - 1)),
        };
        Self { at, groups, last_at }
    }
}

/// Encrypts or decrypts 16 blocks, hashes the 16 `behind`, and returns those to hash next.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn step<const TEN: bool, const OPEN: bool, const AHEAD: bool, const HASH: bool>(
    View { table, keys }: View<'_>,
    counter: &mut Counter,
    ahead: &mut Ahead,
    mut text: Piece<'_, { 16 * STEP }>,
    behind: [__m512i; 4],
    sum: &mut Sum,
    at: usize,
) -> [__m512i; 4] {
    let powers = powers_at::<4>(table, at);
    let mut state = if AHEAD { ahead.blocks } else { counter.next::<4>() };
    let mut others = [state[0]; 2];
    if AHEAD {
        others = ahead.others(table, counter);
        ahead.columns();
    }
    // Fifteen round keys do not stay in registers beside the rest: kept there, LLVM reorders each
    // chain of AES into a queue. A table it cannot see through is read again each step.
    let keys = if TEN { keys } else { keys.unseen() };
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        if !AHEAD || round != 1 {
            for i in 0..4 {
                state[i] = _mm512_aesenc_epi128(state[i], key);
            }
        }
        if HASH && (round == 4 || round == 8) {
            let i = round / 8 * 2;
            sum.add2(
                [behind[i], behind[i + 1]],
                [simd::load_512(&powers[i]), simd::load_512(&powers[i + 1])],
            );
        }
        // With keys from memory, LLVM would queue the rounds of one vector behind those of another.
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
