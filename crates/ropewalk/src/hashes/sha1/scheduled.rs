//! SHA-1 on words, its schedule in vectors (FIPS 180-4, section 6.1.2).
//!
//! Rounds are a dependency chain that leaves vector units idle. These compute the schedule, interleaved: four words at once, for
//! as many blocks as a vector holds. The schedules of later blocks are in memory when their rounds begin. A single last block,
//! which is all that a short message has, is the first in such vectors, and leaves a third as much in memory, all of which has to
//! be zeroed and wiped.

use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

#[cfg(ropewalk_ct = "msan")]
use super::rounds::round;
use super::{Block, K, State, rounds::add};
use crate::{
    core::{
        beside::Beside,
        cpu::{Avx2, Ssse3},
        lines::lines,
        opaque::unknown,
        secret::Wiped,
        simd::{Quads, each},
    },
    hashes::groups::groups,
};

/// W_t + K_t of the first block, in a ring buffer, and of so many others.
#[repr(align(64))]
pub(crate) struct Schedule<const OTHERS: usize> {
    pub(crate) first: Ring,
    pub(crate) others: [Row; OTHERS],
}

/// For forty rounds, and then for the next forty.
pub(super) type Ring = [u32; 40];
/// For all rounds.
pub(super) type Row = [u32; 80];

impl<const OTHERS: usize> Schedule<OTHERS> {
    pub(super) const EMPTY: Self = Self { first: [0; 40], others: [[0; 80]; OTHERS] };
}

/// K_t for each four rounds.
const KS: [[u32; 4]; 20] = {
    let mut ks = [[0; 4]; 20];
    let mut i = 0;
    while i < 20 {
        ks[i] = [K[i / 5]; 4];
        i += 1;
    }
    ks
};

/// The instructions of a round on some processor.
pub(super) trait Sha1Round: Copy {
    /// One of the twenty rounds that begin at 20 `F`, given five K_t + W_t, of which the `I`th belongs to it.
    fn round<const F: usize, const I: usize>(self, s: State, wk: &[u32; 5]) -> State;
}

/// Declares rounds. Compilers add wk last, although it is ready first, and the critical operand before it. Of some hundreds of
/// orders, none is faster than these.
macro_rules! round {
    ($Cpu:ident, $ror:ident, $($ch:tt)+) => {
        impl Sha1Round for $Cpu {
            #[inline(always)]
            #[cfg_attr(ropewalk_ct = "msan", allow(unreachable_code, unused_variables))]
            #[allow(unsafe_code)]
            fn round<const F: usize, const I: usize>(self, s: State, wk: &[u32; 5]) -> State {
                // MemorySanitizer does not track assembly.
                #[cfg(ropewalk_ct = "msan")]
                return round::<F>(s, wk[I]);
                let [a, b, c, d, mut e] = s;
                let q: u32;
                match F {
                    // SAFETY: `self` exists, so the processor has these instructions. They only write to their operands.
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

/// Absorbs whole blocks, and then more, one after the other: `group` takes a block for each lane, or only the first, if there is
/// no memory for others.
#[inline(always)]
pub(super) fn compress<const L: usize>(
    state: &mut State,
    blocks: &[Block],
    more: &[Block],
    group: impl Fn(&mut State, &mut Ring, &mut [Row], &[&Block; L]),
) {
    let (mut blocks, mut more) = (blocks, more);
    if L > 1 && blocks.len() + more.len() >= L {
        let [[of_blocks, of_more], left] = groups::<_, L>(blocks, more);
        let mut wk = Wiped::new(const { Schedule::<1>::EMPTY });
        let mut of_all = of_blocks.iter().chain(of_more);
        while let Some(first) = of_all.next() {
            let mut blocks = [first; L];
            for (place, block) in blocks[1..].iter_mut().zip(&mut of_all) {
                *place = block;
            }
            let Schedule { first, others } = &mut *wk;
            group(state, first, others, &blocks);
        }
        [blocks, more] = left;
    }
    for block in blocks.iter().chain(more) {
        // A constant is written in place, not made elsewhere and copied in parts that stall on each other.
        let mut wk = Wiped::new(const { Schedule::<0>::EMPTY });
        group(state, &mut wk.first, &mut [], &[block; L]);
    }
}

/// The words of a block in each lane, the input of its schedule.
#[inline(always)]
pub(super) fn words<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, blocks: &[&Block; L]) -> [Q; 4] {
    each(|i| Q::big_endian(cpu, blocks, i))
}

/// Absorbs the first block and others, with four parts of other work interleaved with each.
///
/// Five rounds a step, after which the working variables are back in place.
#[inline(always)]
pub(super) fn rounds<Q: Quads<L, Cpu: Sha1Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    words: [Q; 4],
    first: &mut Ring,
    others: &mut [Row],
    beside: &mut impl Beside,
) {
    // The last eight vectors of the schedule, the first four of which do not exist yet.
    let mut w = [words[0], words[0], words[0], words[0], words[0], words[1], words[2], words[3]];
    let mut put = |first: &mut Ring, row: usize, place: usize, w: Q| {
        let mut sums = [[0; 4]; L];
        (w + Q::splat(cpu, &KS[row])).store(&mut sums);
        first.as_chunks_mut().0[place] = sums[0];
        for (other, sums) in others.iter_mut().zip(&sums[1..]) {
            other.as_chunks_mut().0[row] = *sums;
        }
        compiler_fence(SeqCst);
    };
    unroll!(i in 0 1 2 3 => put(first, i, i, words[i]));
    let mut s = *state;
    // The rounds of the first block, interleaved with the schedule of all, twenty rounds each. LLVM would unroll them further.
    beside.part(0, 4);
    for n in 0..unknown(2).min(2) as usize {
        unroll!(i in 0 1 => {
            s = five_rounds::<0>(cpu, s, &first.as_chunks().0[2 * n + i]);
            w = next(w, second_16(cpu, &w));
            put(first, 4 + 2 * n + i, 4 + 2 * n + i, w[7]);
        });
    }
    beside.part(1, 4);
    for n in 0..unknown(2).min(2) as usize {
        unroll!(i in 0 1 => {
            s = five_rounds::<1>(cpu, s, &first.as_chunks().0[4 + 2 * n + i]);
            unroll!(j in 0 1 => {
                w = next(w, later(&w));
                let place = if i == 0 { 8 + j - 6 * n } else { j + 4 * n };
                put(first, 8 + 4 * n + 2 * i + j, place, w[7]);
            });
        });
    }
    beside.part(2, 4);
    for n in 0..unknown(2).min(2) as usize {
        unroll!(i in 0 1 => {
            s = five_rounds::<2>(cpu, s, &first.as_chunks().0[2 * n + i]);
            w = next(w, later(&w));
            put(first, 16 + 2 * n + i, 6 + 2 * n + i, w[7]);
        });
    }
    // The remaining rounds, whose schedule is complete.
    let (mut sums, mut f, mut others) = (&first[20..], 3, others.iter());
    loop {
        for twenty in sums.as_chunks::<20>().0 {
            s = match f {
                0 => twenty_rounds::<0, L>(cpu, s, twenty, beside),
                2 => twenty_rounds::<2, L>(cpu, s, twenty, beside),
                _ => twenty_rounds::<1, L>(cpu, s, twenty, beside),
            };
            f += 1;
        }
        *state = add(*state, s);
        let Some(other) = others.next() else { return };
        (s, sums, f) = (*state, other, 0);
    }
}

/// Twenty rounds with such sums, ten a step. Those of two blocks with other work interleaved are fully unrolled: with larger
/// parts it takes up to 4 % longer.
#[inline(always)]
fn twenty_rounds<const F: usize, const L: usize>(
    cpu: impl Sha1Round,
    mut s: State,
    wk: &[u32; 20],
    beside: &mut impl Beside,
) -> State {
    let five = wk.as_chunks().0;
    if L == 1 || beside.is_nothing() {
        beside.part(0, 4);
        for step in five.as_chunks::<2>().0.iter().take(unknown(2) as usize) {
            unroll!(i in 0 1 => s = five_rounds::<F>(cpu, s, &step[i]));
        }
    } else {
        unroll!(i in 0 1 2 3 => { beside.part(i, 16); s = five_rounds::<F>(cpu, s, &five[i]) });
    }
    s
}

/// Shifts one more vector into the last eight.
#[inline(always)]
fn next<Q: Copy>([_, a, b, c, d, e, f, g]: [Q; 8], w: Q) -> [Q; 8] {
    [a, b, c, d, e, f, g, w]
}

/// The next four words of the second sixteen, from the last sixteen.
#[inline(always)]
fn second_16<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, w: &[Q; 8]) -> Q {
    let [_, _, _, _, w16, w12, w8, w4] = *w;
    let zero = Q::splat(cpu, &[0; 4]);
    let sum = w16 ^ w16.shift_in::<8>(w12) ^ w8 ^ w4.shift_in::<4>(zero);
    // The last word depends on the first.
    let first = zero.shift_in::<4>(sum);
    sum.shl::<1>() ^ sum.shr::<31>() ^ first.shl::<2>() ^ first.shr::<30>()
}

/// The next four words after those, from the last thirty-two: the recurrence is substituted into itself, so that no rotated word
/// is from this vector.
#[inline(always)]
fn later<Q: Quads<L>, const L: usize>(w: &[Q; 8]) -> Q {
    let [w32, w28, _, _, w16, _, w8, w4] = *w;
    let sum = w32 ^ w28 ^ w16 ^ w8.shift_in::<8>(w4);
    sum.shl::<2>() ^ sum.shr::<30>()
}

/// Five rounds with such sums.
#[inline(always)]
fn five_rounds<const F: usize>(cpu: impl Sha1Round, mut s: State, wk: &[u32; 5]) -> State {
    s = cpu.round::<F, 0>(s, wk);
    s = cpu.round::<F, 1>(s, wk);
    s = cpu.round::<F, 2>(s, wk);
    s = cpu.round::<F, 3>(s, wk);
    cpu.round::<F, 4>(s, wk)
}
