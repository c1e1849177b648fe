//! SHA-256 of one message on words, its schedule in vectors (FIPS 180-4, section 6.2.2).
//!
//! Rounds are a dependency chain that leaves vector units idle. These compute the schedule, interleaved: four words at once, for
//! as many blocks as a vector holds. The schedules of later blocks are in memory when their rounds begin.

use core::sync::atomic::{Ordering::SeqCst, compiler_fence};

use super::{Block, K, State};
use crate::{
    core::{
        beside::Beside,
        cpu::{Avx2, Ssse3},
        opaque::unknown,
        secret::Wiped,
        simd::{Quads, each},
    },
    hashes::sha2,
};

type Working = sha2::Working<u32>;

/// The instructions of a round on some processor.
pub(super) trait Sha2Round: Copy {
    fn round(self, working: Working, wk: u32) -> Working;
}

impl Sha2Round for Ssse3 {
    #[inline(always)]
    fn round(self, working: Working, wk: u32) -> Working {
        proven!(Ssse3: self, fn enter(working: Working, wk: u32) -> Working { round_ror(working, wk) })
    }
}

impl Sha2Round for Avx2 {
    #[inline(always)]
    fn round(self, working: Working, wk: u32) -> Working {
        proven!(Avx2: self, fn enter(working: Working, wk: u32) -> Working { round_rorx(working, wk) })
    }
}

/// W_t + K_t, four words of each block in a row.
pub(super) type Schedule<const L: usize> = [[[u32; 4]; L]; 16];

/// Absorbs whole blocks, and then more, one after the other.
#[inline(always)]
pub(super) fn compress<Q: Quads<L, Cpu: Sha2Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    blocks: &[Block],
    more: &[Block],
) {
    let mut wk: Wiped<Schedule<L>> = Wiped::new(const { [[[0; 4]; L]; 16] });
    let mut blocks = blocks.iter().chain(more);
    while let Some(first) = blocks.next() {
        // Missing blocks are replaced by the first.
        let (mut group, mut count) = ([first; L], 1);
        for (place, block) in group[1..].iter_mut().zip(&mut blocks) {
            *place = block;
            count += 1;
        }
        let w = words::<Q, L>(cpu, &group);
        rounds(cpu, state, w, &mut wk, count, &mut ());
    }
}

/// The words of a block in each lane, the input of its schedule.
#[inline(always)]
pub(super) fn words<Q: Quads<L>, const L: usize>(cpu: Q::Cpu, blocks: &[&Block; L]) -> [Q; 4] {
    each(|i| Q::big_endian(cpu, blocks, i))
}

/// Absorbs the blocks of the first lanes, with four parts of other work interleaved with each.
///
/// Eight rounds a step, after which the working variables are back in place.
#[inline(always)]
pub(super) fn rounds<Q: Quads<L, Cpu: Sha2Round>, const L: usize>(
    cpu: Q::Cpu,
    state: &mut State,
    mut w: [Q; 4],
    wk: &mut Schedule<L>,
    count: usize,
    beside: &mut impl Beside,
) {
    let (k, []) = K.as_chunks::<4>() else { unreachable!() };
    let (k, []) = k.as_chunks::<2>() else { unreachable!() };
    let (wk, []) = wk.as_chunks_mut::<2>() else { unreachable!() };
    let sum = |k: &[u32; 4], w: Q, to: &mut [[u32; 4]; L]| (w + Q::splat(cpu, k)).store(to);
    for i in 0..2 {
        sum(&k[0][i], w[i], &mut wk[0][i]);
    }
    let mut s = Working::new(*state);
    // The rounds of the first block, interleaved with the schedule of all. LLVM would unroll the loop six times.
    for n in 0..unknown(6).min(6) as usize {
        if n % 2 == 0 {
            beside.part(n / 2, 4);
        }
        unroll!(i in 0 1 => {
            s = four_rounds(cpu, s, &wk[n][i][0]);
            w[i] = schedule(w[i], w[i + 1], w[i + 2], w[(i + 3) % 4]);
            sum(&k[n + 1][i], w[i + 2], &mut wk[n + 1][i]);
            compiler_fence(SeqCst);
        });
        w = [w[2], w[3], w[0], w[1]];
    }
    for i in 0..2 {
        sum(&k[7][i], w[i + 2], &mut wk[7][i]);
    }
    // The remaining rounds, whose schedule is complete.
    let mut from = 6;
    for lane in 0..count.min(L) {
        for n in from..unknown(8).min(8) as usize {
            if n % 2 == 0 {
                beside.part(n / 2, 4);
            }
            unroll!(i in 0 1 => s = four_rounds(cpu, s, &wk[n][i][lane]));
        }
        *state = add(*state, s.state);
        (s, from) = (Working::new(*state), 0);
    }
}

/// W_t to W_t+3 from the sixteen words before.
#[inline(always)]
fn schedule<Q: Quads<L>, const L: usize>(w16: Q, w12: Q, w8: Q, w4: Q) -> Q {
    let w15 = w16.shift_in::<4>(w12);
    // XOR and addition agree, as the shifted values have no bit in common.
    let rotr_7 = w15.shr::<7>() ^ w15.shl::<25>();
    let rotr_18 = w15.shr::<18>() ^ w15.shl::<14>();
    let s0 = rotr_7 ^ rotr_18 ^ w15.shr::<3>();
    let sum = w16 + w8.shift_in::<4>(w4) + s0;
    // The last two words depend on the first two.
    let sum = sum + sigma_1(w4.high_twice()).to_low();
    sum + sigma_1(sum.low_twice()).to_high()
}

/// σ1 of words that are present twice; the result is in the first of each two.
#[inline(always)]
fn sigma_1<Q: Quads<L>, const L: usize>(w: Q) -> Q {
    w.shr_pairs::<17>() ^ w.shr_pairs::<19>() ^ w.shr::<10>()
}

#[inline(always)]
fn four_rounds(cpu: impl Sha2Round, mut s: Working, wk: &[u32; 4]) -> Working {
    unroll!(i in 0 1 2 3 => s = cpu.round(s, wk[i]));
    s
}

sha2::round! { round_rorx needs "bmi1,bmi2", u32, "e", rorx, [6 11 25], [2 13 22] }
sha2::round! { round_ror needs "sse2", u32, "e", ror, [6 11 25], [2 13 22] }

/// One round, for MemorySanitizer: the working variables a … h after it.
#[cfg(ropewalk_ct = "msan")]
#[inline(always)]
fn round([a, b, c, d, e, f, g, h]: State, wk: u32) -> State {
    let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let t1 = h.wrapping_add(wk).wrapping_add(!e & g).wrapping_add(e & f).wrapping_add(s1);
    let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let maj = b ^ ((a ^ b) & (b ^ c));
    let t2 = s0.wrapping_add(maj);
    [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g]
}

/// Word by word: otherwise they would be assembled in vectors and taken apart again, which stalls.
#[inline(always)]
fn add(state: State, variables: State) -> State {
    each(|i| unknown(state[i].wrapping_add(variables[i]).into()) as u32)
}
