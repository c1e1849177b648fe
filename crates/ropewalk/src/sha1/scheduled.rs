//! SHA-1 on words, its schedule in vectors (FIPS 180-4, section 6.1.2).
//!
//! Rounds wait for each other and leave vector units idle, which make the schedule beside them: four words
//! at once, and of as many blocks as a vector has room for. Those words are in memory when the rounds of
//! the later blocks come. A block that is left alone, which is all that a short message has, takes a vector of
//! its own and leaves a fifth as much in memory, all of which has to be zeroed and wiped.

#[cfg(ropewalk_ct = "msan")]
use super::rounds::round;
use super::{Block, K, State, rounds::add};
use crate::{
    beside::Beside,
    cpu::{Avx2, Ssse3},
    hash::groups,
    lines::lines,
    secret::Wiped,
    simd::{Quads, each},
};

/// W_t + K_t, four of each block in a row.
pub(super) type Schedule<const L: usize> = [Row<L>; 20];

type Row<const L: usize> = [[u32; 4]; L];

/// What a processor does a round with.
pub(super) trait Round: Copy {
    /// One of the twenty rounds that begin at 20 `F`, given four K_t + W_t of which
    /// the `I`th is its own.
    fn round<const F: usize, const I: usize>(self, s: State, wk: &[u32; 4]) -> State;
}

/// Writes rounds. Compilers add wk last, which nothing waits for, and what all waits for before it. Of some hundreds of
/// orders, none is faster than these.
macro_rules! round {
    ($Cpu:ident, $ror:ident, $($ch:tt)+) => {
        impl Round for $Cpu {
            #[inline(always)]
            #[cfg_attr(ropewalk_ct = "msan", allow(unreachable_code, unused_variables))]
            #[allow(unsafe_code)]
            fn round<const F: usize, const I: usize>(self, s: State, wk: &[u32; 4]) -> State {
                // MemorySanitizer does not look into it.
                #[cfg(ropewalk_ct = "msan")]
                return round::<F>(s, wk[I]);
                let [a, b, c, d, mut e] = s;
                let q: u32;
                match F {
                    // SAFETY: `self` exists, so the processor has these instructions. They do nothing but write to
                    // their operands.
                    0 => unsafe {
                        lines! { "e", [add e [wk at]] $($ch)+ [$ror r a 27] [mov t b] [and t c] [$ror q b 2] [add e t] [add e r];
                            wk = in(reg) wk, at = const 4 * I, a = in(reg) a, b = in(reg) b, c = in(reg) c, d = in(reg) d, e = inout(reg) e, q = out(reg) q,
                            r = out(reg) _, t = out(reg) _, options(pure, readonly, nostack), }
                    },
                    // SAFETY: as above.
                    2 => unsafe {
                        lines! { "e", [$ror q b 2] [add e [wk at]] [mov r c] [xor r d] [and r b] [mov t c] [and t d] [add e t] [add e r]
                            [$ror r a 27] [add e r];
                            wk = in(reg) wk, at = const 4 * I, a = in(reg) a, b = in(reg) b, c = in(reg) c, d = in(reg) d, e = inout(reg) e, q = out(reg) q,
                            r = out(reg) _, t = out(reg) _, options(pure, readonly, nostack), }
                    },
                    // SAFETY: as above.
                    _ => unsafe {
                        lines! { "e", [$ror q b 2] [add e [wk at]] [mov t c] [xor t d] [xor t b] [add e t] [$ror r a 27] [add e r];
                            wk = in(reg) wk, at = const 4 * I, a = in(reg) a, b = in(reg) b, c = in(reg) c, d = in(reg) d, e = inout(reg) e, q = out(reg) q,
                            r = out(reg) _, t = out(reg) _, options(pure, readonly, nostack), }
                    },
                }
                [e, a, q, c, d]
            }
        }
    };
}
round! { Avx2, rorx, [andn t b d] [add e t] }
round! { Ssse3, ror, [mov t b] [not t] [and t d] [add e t] }

/// Absorbs whole blocks, and then more, one after the other. What is not left alone is absorbed `apart`.
#[inline(always)]
pub(super) fn compress<One: Quads<1>, const L: usize>(
    cpu: impl Round + Into<One::Cpu>,
    state: &mut State,
    blocks: &[Block],
    more: &[Block],
    apart: impl FnOnce(&mut State, &[Block], &[Block]),
) {
    let (mut blocks, mut more) = (blocks, more);
    if L > 1 && blocks.len() + more.len() >= L {
        let [[of_blocks, of_more], left] = groups::<_, L>(blocks, more);
        apart(state, of_blocks, of_more);
        [blocks, more] = left;
    }
    for block in blocks.iter().chain(more) {
        // A constant is not made elsewhere and copied, in pieces that wait for each other.
        let mut wk: Wiped<[Row<1>; 8]> = Wiped::new(const { [[[0; 4]; 1]; 8] });
        let w = words::<One, 1>(cpu.into(), &[block]);
        *state = add(*state, scheduling::<One, 1, 8>(cpu, *state, &mut wk, w, &mut ()));
    }
}

/// Absorbs whole blocks, and then more: a multiple of `L`.
#[inline(always)]
pub(super) fn compress_groups<Q: Quads<L, Cpu: Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    blocks: &[Block],
    more: &[Block],
) {
    let mut wk: Wiped<Schedule<L>> = Wiped::new([[[0; 4]; L]; 20]);
    let mut blocks = blocks.iter().chain(more);
    while let Some(first) = blocks.next() {
        let mut group = [first; L];
        for (place, block) in group[1..].iter_mut().zip(&mut blocks) {
            *place = block;
        }
        let w = words::<Q, L>(cpu, &group);
        rounds(cpu, state, w, &mut wk, &mut ());
    }
}

/// The words of a block in each lane, from which its schedule is made.
#[inline(always)]
pub(super) fn words<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, blocks: &[&Block; L]) -> [Q; 4] {
    each(|i| Q::big_endian(cpu, blocks, i))
}

/// Absorbs the blocks of all lanes, with twenty parts of something else beside each.
#[inline(always)]
pub(super) fn rounds<Q: Quads<L, Cpu: Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    words: [Q; 4],
    wk: &mut Schedule<L>,
    beside: &mut impl Beside,
) {
    *state = add(*state, scheduling::<Q, L, 20>(cpu, *state, wk, words, beside));
    for lane in 1..L {
        *state = add(*state, scheduled(cpu, *state, wk, lane, beside));
    }
}

/// The rounds of the first block, and the schedule of all beside them. Of a block alone, what has been used makes
/// room.
#[inline(always)]
fn scheduling<Q: Quads<L>, const L: usize, const ROWS: usize>(
    round: impl Round + Into<Q::Cpu>,
    state: State,
    wk: &mut [Row<L>; ROWS],
    words: [Q; 4],
    beside: &mut impl Beside,
) -> State {
    let (cpu, mut s) = (round.into(), state);
    // The last eight vectors of the schedule.
    let mut w = [Q::splat(cpu, &[0; 4]); 8];
    for i in 0..4 {
        w[i] = words[i];
        (w[i] + Q::splat(cpu, &[K[0]; 4])).store(&mut wk[i]);
    }
    unroll!(i in 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
        w[i % 8] = schedule(cpu, &w, i);
        (w[i % 8] + Q::splat(cpu, &[K[i / 5]; 4])).store(&mut wk[i % ROWS]);
        s = four_rounds_of(round, s, &wk[(i - 4) % ROWS][0], i - 4);
        beside.part(i - 4, 20);
    });
    unroll!(i in 16 17 18 19 => {
        s = four_rounds_of(round, s, &wk[i % ROWS][0], i);
        beside.part(i, 20);
    });
    s
}

/// The rounds of a block whose schedule is there.
#[inline(always)]
fn scheduled<const L: usize>(
    cpu: impl Round,
    mut s: State,
    wk: &Schedule<L>,
    lane: usize,
    beside: &mut impl Beside,
) -> State {
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
        s = four_rounds_of(cpu, s, &wk[i][lane], i);
        beside.part(i, 20);
    });
    s
}

/// The `i`th four words of the schedule from the last thirty-two, of which the first twelve may be missing
/// where `i` is below eight.
#[inline(always)]
fn schedule<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, w: &[Q; 8], i: usize) -> Q {
    let [w32, w28, _, _, w16, w12, w8, w4] = each(|n| w[(i + n) % 8]);
    if i >= 8 {
        // The recurrence put into itself: nothing that is rotated has been made in this vector.
        let sum = w32 ^ w28 ^ w16 ^ w8.shift_in::<8>(w4);
        return sum.shl::<2>() ^ sum.shr::<30>();
    }
    let zero = Q::splat(cpu, &[0; 4]);
    let sum = w16 ^ w16.shift_in::<8>(w12) ^ w8 ^ w4.shift_in::<4>(zero);
    // The last word needs the first.
    let first = zero.shift_in::<4>(sum);
    sum.shl::<1>() ^ sum.shr::<31>() ^ first.shl::<2>() ^ first.shr::<30>()
}

/// The `i`th four rounds.
#[inline(always)]
fn four_rounds_of(cpu: impl Round, s: State, wk: &[u32; 4], i: usize) -> State {
    match i / 5 {
        0 => four_rounds::<0>(cpu, s, wk),
        1 => four_rounds::<1>(cpu, s, wk),
        2 => four_rounds::<2>(cpu, s, wk),
        _ => four_rounds::<3>(cpu, s, wk),
    }
}

#[inline(always)]
fn four_rounds<const F: usize>(cpu: impl Round, mut s: State, wk: &[u32; 4]) -> State {
    s = cpu.round::<F, 0>(s, wk);
    s = cpu.round::<F, 1>(s, wk);
    s = cpu.round::<F, 2>(s, wk);
    cpu.round::<F, 3>(s, wk)
}
