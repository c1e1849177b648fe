//! SHA-3 of several independent messages in lanes.
//!
//! FIPS 202, section 3.3, with its notation. Each lane of a vector is a lane of the state of a different message.

use super::{LANES, ManyTexts, RC, RHO, States};
use crate::core::simd::{Words, each};

/// XORs the texts of the first `L` lanes, all as long as the first, into their states, and permutes these after each block of
/// `rate` bytes.
#[inline(always)]
pub(super) fn absorb<W: Words<L, u64>, const L: usize>(
    cpu: W::Cpu,
    states: &mut States,
    rate: usize,
    texts: &ManyTexts<'_>,
) {
    let mut a = load::<W, L>(cpu, states);
    for at in (0..texts[0].len() / rate).map(|block| block * rate) {
        add::<W, L>(cpu, &mut a, &each(|lane| &texts[lane][at..at + rate]));
        permute::<W, L>(cpu, &mut a);
    }
    store::<W, L>(&a, states);
}

/// Permutes the states of the first `L` lanes.
#[inline(always)]
pub(super) fn permute_states<W: Words<L, u64>, const L: usize>(cpu: W::Cpu, states: &mut States) {
    let mut a = load::<W, L>(cpu, states);
    permute::<W, L>(cpu, &mut a);
    store::<W, L>(&a, states);
}

/// XORs a block into each state. Every block consists of the four-word groups of the shortest, some further groups, and one word
/// or two.
#[inline(always)]
fn add<W: Words<L, u64>, const L: usize>(cpu: W::Cpu, a: &mut [W; 25], blocks: &[&[u8]; L]) {
    let words = |at: usize| W::words::<32, false>(cpu, &each(|lane| piece_of(blocks[lane], at)), 0);
    let rate = blocks[0].len();
    macro_rules! four {
        ($i:literal) => {
            let w = words(8 * $i);
            unroll!(t in 0 1 2 3 => a[$i + t] = a[$i + t] ^ w[t]);
        };
    }
    // The last four words, some of which have been added before.
    macro_rules! last {
        ($rate:literal: $($t:literal)+) => {
            if rate == $rate {
                let w = words($rate - 32);
                $( a[$rate / 8 - 4 + $t] = a[$rate / 8 - 4 + $t] ^ w[$t]; )+
                return;
            }
        };
    }
    four!(0);
    four!(4);
    last!(72: 3);
    four!(8);
    last!(104: 3);
    four!(12);
    last!(136: 3);
    last!(144: 2 3);
    four!(16);
    last!(168: 3);
}

/// The permutation: two rounds a step, so that the second reads what the first has written.
#[inline(always)]
fn permute<W: Words<L, u64>, const L: usize>(cpu: W::Cpu, a: &mut [W; 25]) {
    for [first, second] in RC.as_chunks().0 {
        *a = round(a, W::splat(cpu, *first));
        *a = round(a, W::splat(cpu, *second));
    }
}

/// One round, row by row of its result.
#[inline(always)]
fn round<W: Words<L, u64>, const L: usize>(a: &[W; 25], constant: W) -> [W; 25] {
    let c: [W; 5] = each(|x| a[x].sum(a[x + 5], a[x + 10]).sum(a[x + 15], a[x + 20]));
    let d: [W; 5] = each(|x| c[(x + 4) % 5].add_rotl_1(c[(x + 1) % 5]));
    let mut out = *a;
    // A rotation count is an immediate, so each lane needs code of its own.
    macro_rules! row {
        ($y:literal: $($x:literal)+) => {{
            // Lane (x, y) after π comes from lane (x + 3 y, x).
            let b = [$({
                const FROM: usize = ($x + 3 * $y) % 5;
                const I: usize = FROM + 5 * $x;
                a[I].add_rotr::<{ (64 - RHO[I] as i32) % 64 }>(d[FROM])
            }),+];
            $( out[$x + 5 * $y] = b[$x].add_where_not(b[($x + 1) % 5], b[($x + 2) % 5]); )+
        }};
    }
    row!(0: 0 1 2 3 4);
    row!(1: 0 1 2 3 4);
    row!(2: 0 1 2 3 4);
    row!(3: 0 1 2 3 4);
    row!(4: 0 1 2 3 4);
    out[0] = out[0] ^ constant;
    out
}

#[inline(always)]
fn load<W: Words<L, u64>, const L: usize>(cpu: W::Cpu, states: &States) -> [W; 25] {
    each(|i| W::load(cpu, states.0[i].first_chunk().expect("L lanes at most")))
}

#[inline(always)]
fn store<W: Words<L, u64>, const L: usize>(a: &[W; 25], states: &mut States) {
    unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 => {
        let words: &mut [u64; LANES] = &mut states.0[i];
        a[i].store(words.first_chunk_mut().expect("L lanes at most"));
    });
}

#[inline(always)]
fn piece_of(block: &[u8], at: usize) -> &[u8; 32] {
    block[at..].first_chunk().expect("it is in the block")
}
