//! SM3 of one message on words, its schedule in vectors (GB/T 32905-2016, sections 5.3.2 and 5.3.3).
//!
//! Rounds are a dependency chain that leaves vector units idle. These expand the message meanwhile: four words at once, for as
//! many blocks as a vector holds. W_j and W'_j of later blocks are in memory when their rounds begin.

use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::{Block, State, T, lanes::round};
use crate::core::{
    cpu::{Avx2, Ssse3},
    lines::lines,
    opaque::unknown,
    secret::Wiped,
    simd::{Quads, each, scalar::U32x1},
};

/// The instructions of a round on some processor.
pub(super) trait Round: Copy {
    /// With the `I`th of T_j, of W_j and of W'_j; from round 16 on with the other boolean functions.
    fn round<const LATER: bool, const I: usize>(self, s: State, words: [&[u32; 4]; 3]) -> State;
}

impl Round for Ssse3 {
    #[inline(always)]
    fn round<const LATER: bool, const I: usize>(self, s: State, words: [&[u32; 4]; 3]) -> State {
        let [t, w, w_prime] = words.map(|words| U32x1(words[I]));
        round::<U32x1, 1, LATER>(s.map(U32x1), t, w, w_prime).map(|word| word.0)
    }
}

impl Round for Avx2 {
    #[inline(always)]
    fn round<const LATER: bool, const I: usize>(self, s: State, words: [&[u32; 4]; 3]) -> State {
        // MemorySanitizer does not track assembly.
        if cfg!(ropewalk_ct = "msan") {
            let [t, w, w_prime] = words.map(|words| U32x1(words[I]));
            return round::<U32x1, 1, LATER>(s.map(U32x1), t, w, w_prime).map(|word| word.0);
        }
        match LATER {
            false => {
                proven!(Avx2: self, fn enter<const I: usize>(s: State, words: [&[u32; 4]; 3]) -> State { first_round::<I>(s, words) })
            }
            true => {
                proven!(Avx2: self, fn enter<const I: usize>(s: State, words: [&[u32; 4]; 3]) -> State { later_round::<I>(s, words) })
            }
        }
    }
}

/// Declares a round in instructions of BMI2, given those of FF and GG. Operands that are ready early are added first, since a
/// round waits for the E of the previous one. From one E to the next there are seven instructions, six in the first rounds.
macro_rules! round_rorx {
    ($round:ident: $([$($line:tt)+])+) => {
        #[inline]
        #[target_feature(enable = "bmi1,bmi2")]
        #[allow(unsafe_code)]
        fn $round<const I: usize>(s: State, [t, w, w_prime]: [&[u32; 4]; 3]) -> State {
            let [a, mut b, c, mut d, e, mut f, g, mut h] = s;
            // SAFETY: it reads the `I`th words of three arrays, and only writes its operands.
            unsafe {
                lines! {
                    "e", [rorx s a "20"] [mov u s] [add u [t at]] [add d [p at]] [add h [w at]] $([$($line)+])+
                        [rorx b b "23"] [rorx f f "13"]
                        [add u e] [rorx u u "25"] [xor s u] [add d s] [add h u]
                        [rorx s h "23"] [rorx u h "15"] [xor h s] [xor h u];
                    a = in(reg) a, b = inout(reg) b, c = in(reg) c, d = inout(reg) d, e = in(reg) e, f = inout(reg) f,
                    g = in(reg) g, h = inout(reg) h, s = out(reg) _, u = out(reg) _, x = out(reg) _, t = in(reg) t.as_ptr(),
                    w = in(reg) w.as_ptr(), p = in(reg) w_prime.as_ptr(), at = const 4 * I,
                    options(pure, readonly, nostack),
                }
            }
            [d, a, b, c, h, e, f, g]
        }
    };
}

round_rorx! { first_round: [mov x b] [xor x c] [xor x a] [add d x] [mov x f] [xor x g] [xor x e] [add h x] }

round_rorx! {
    later_round: [mov x b] [and x c] [add d x] [mov x b] [xor x c] [and x a] [add d x]
        [mov x f] [xor x g] [and x e] [xor x g] [add h x]
}

/// W_j and W'_j, four words of each block in a row.
type Schedule<const L: usize> = [[[[u32; 4]; L]; 2]; 16];

/// Absorbs whole blocks, and then more, one after the other.
#[inline(always)]
pub(super) fn compress<Q: Quads<L, Cpu: Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    blocks: &[Block],
    more: &[Block],
) {
    let mut schedule: Wiped<Schedule<L>> = Wiped::new(const { [[[[0; 4]; L]; 2]; 16] });
    let mut blocks = blocks.iter().chain(more);
    while let Some(first) = blocks.next() {
        // Missing blocks are replaced by the first.
        let (mut group, mut count) = ([first; L], 1);
        for (place, block) in group[1..].iter_mut().zip(&mut blocks) {
            *place = block;
            count += 1;
        }
        let w = each(|i| Q::big_endian(cpu, &group, i));
        rounds::<Q, L>(cpu, state, w, &mut schedule, count);
    }
}

/// Absorbs the first `count` of the blocks whose words are `w`.
#[inline(always)]
fn rounds<Q: Quads<L, Cpu: Round>, const L: usize>(
    cpu: Q::Cpu,
    v: &mut State,
    mut w: [Q; 4],
    schedule: &mut Schedule<L>,
    count: usize,
) {
    // The rounds of the first block, and the expansion of all blocks.
    let mut s = *v;
    for j in steps(0, 4) {
        put(&w, &mut schedule[j]);
        let next = expand(cpu, &w);
        s = four_rounds::<false>(cpu, s, j, [&schedule[j][0][0], &schedule[j][1][0]]);
        w = [w[1], w[2], w[3], next];
        compiler_fence(SeqCst);
    }
    for j in steps(4, 13) {
        put(&w, &mut schedule[j]);
        let next = expand(cpu, &w);
        s = four_rounds::<true>(cpu, s, j, [&schedule[j][0][0], &schedule[j][1][0]]);
        w = [w[1], w[2], w[3], next];
        compiler_fence(SeqCst);
    }
    for j in 13..16 {
        put(&w, &mut schedule[j]);
        w = [w[1], w[2], w[3], w[3]];
    }
    for j in steps(13, 16) {
        s = four_rounds::<true>(cpu, s, j, [&schedule[j][0][0], &schedule[j][1][0]]);
    }
    *v = each(|i| v[i] ^ s[i]);
    // The rounds of the others.
    for lane in 1..count.min(L) {
        let mut s = *v;
        for j in steps(0, 4) {
            s = four_rounds::<false>(cpu, s, j, [&schedule[j][0][lane], &schedule[j][1][lane]]);
        }
        for j in steps(4, 16) {
            s = four_rounds::<true>(cpu, s, j, [&schedule[j][0][lane], &schedule[j][1][lane]]);
        }
        *v = each(|i| v[i] ^ s[i]);
    }
}

/// A range that the compiler does not unroll.
#[inline(always)]
fn steps(from: usize, to: usize) -> core::ops::Range<usize> {
    from..(unknown(to as u64) as usize).min(to)
}

/// Stores W_j and W'_j of four rounds, of which `w` has W_j … W_j+15.
#[inline(always)]
fn put<Q: Quads<L>, const L: usize>(w: &[Q; 4], to: &mut [[[u32; 4]; L]; 2]) {
    w[0].store(&mut to[0]);
    (w[0] ^ w[1]).store(&mut to[1]);
}

/// W_j … W_j+3 of the sixteen words before them (section 5.3.2 b).
#[inline(always)]
fn expand<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, w: &[Q; 4]) -> Q {
    let zero = Q::splat(cpu, &[0; 4]);
    let (w_13, w_9) = (w[0].shift_in::<12>(w[1]), w[1].shift_in::<12>(w[2]));
    let (w_6, w_3) = (w[2].shift_in::<8>(w[3]), w[3].shift_in::<4>(zero));
    let x = w[0] ^ w_9 ^ rotl::<Q, L, 15, 17>(w_3);
    let words = p1(x) ^ (rotl::<Q, L, 7, 25>(w_13) ^ w_6);
    // P_1 is linear: the contribution of the first of these words to the last one is added afterwards.
    words ^ p1(rotl::<Q, L, 15, 17>(zero.shift_in::<4>(words)))
}

/// The permutation P_1 (section 4.4).
#[inline(always)]
fn p1<Q: Quads<L>, const L: usize>(x: Q) -> Q {
    x ^ rotl::<Q, L, 15, 17>(x) ^ rotl::<Q, L, 23, 9>(x)
}

/// Each word rotated left by `N` bits, which with `M` are 32.
#[inline(always)]
fn rotl<Q: Quads<L>, const L: usize, const N: i32, const M: i32>(x: Q) -> Q {
    const { assert!(N + M == 32) };
    x.shl::<N>() ^ x.shr::<M>()
}

/// The rounds 4 `j` … 4 `j` + 3.
#[inline(always)]
fn four_rounds<const LATER: bool>(
    cpu: impl Round,
    s: State,
    j: usize,
    [w, w_prime]: [&[u32; 4]; 2],
) -> State {
    let words = [&T.as_chunks::<4>().0[j], w, w_prime];
    let s = cpu.round::<LATER, 0>(s, words);
    let s = cpu.round::<LATER, 1>(s, words);
    let s = cpu.round::<LATER, 2>(s, words);
    cpu.round::<LATER, 3>(s, words)
}
