//! One scalar: its products are spread over lanes, as far as they do not depend on each other.

use super::{Digits, Lanes, one};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::{digits, edwards::Point, edwards25519::BASE, tables::Window},
    fields::{
        Field as _, Product as _,
        lanes::Word as _,
        p25519::{lanes::Columns, number::Number},
        x86_64::Ifma,
    },
};

/// Lanes of a step of the ladder.
const LANE_0: u8 = 1 << 0;
const LANES_1_3: u8 = 1 << 1 | 1 << 3;
const LANES_2_3: u8 = 1 << 2 | 1 << 3;

/// 2 x and 2 z of k times the point with that u-coordinate, for a little-endian k below 2^255 (RFC 7748, section 5). In constant
/// time.
#[cfg(feature = "x25519")]
pub(crate) fn ladder(cpu: Avx512Ifma, k: &[u8; 32], u: &[u8; 32]) -> (Number, Number) {
    let mut state = Wiped::new([[0; 8]; 5]);
    let to = &mut *state;
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, k: &[u8; 32], u: &[u8; 32], to: &mut [[u64; 8]; 5]) -> () {
        let x_1 = Lanes::splat(Ifma::splat(cpu, 0), Number::from_bytes(u));
        let one = x_1.like(1);
        // a and b of infinity; c and d of the point.
        let mut state = one.or_where(1 << 2, x_1 + one).or_where(1 << 3, x_1 - one);
        let x_1 = one.or_where(1 << 1, x_1);
        let mut swap = 0;
        for t in (0..255).rev() {
            let k_t = u64::from(k[t / 8] >> (t % 8) & 1);
            state = step(swapped(state, swap ^ k_t), x_1);
            swap = k_t;
        }
        let state = swapped(state, swap);
        // a + b and a - b.
        let other = rearranged(state, [1, 0, 3, 2, 4, 5, 6, 7]);
        let sum = state + other;
        for (to, limb) in to.iter_mut().zip(sum.or_where(1 << 1, other - state).0) {
            limb.store(to);
        }
    });
    let number = |lane: usize| Number([0, 1, 2, 3, 4].map(|limb| state[limb][lane]));
    (number(0), number(1))
}

/// A step, as [`Ladder::step`](crate::curves::montgomery::Ladder::step) has it, on a, b, c and d in four lanes.
#[inline(always)]
fn step(state: Lanes, x_1: Lanes) -> Lanes {
    const A24: u64 = 121665;
    // DA, CB, AA, BB.
    let left = rearranged(state, [3, 2, 0, 1, 4, 5, 6, 7]);
    let first = left * rearranged(state, [0, 1, 0, 1, 4, 5, 6, 7]);
    // DA + CB, DA - CB, AA, E.
    let other = columns(first, [1, 0, 3, 2, 4, 5, 6, 7]);
    let difference = other - first;
    let mut left = first;
    for i in 0..5 {
        left.0[i] = left.0[i]
            .or_where(LANE_0, first.0[i].plus(other.0[i]))
            .or_where(LANES_1_3, difference.0[i]);
    }
    let left = left.reduced();
    // The same, the same, BB, AA + a24 E.
    let right = columns(first, [0, 1, 3, 2, 4, 5, 6, 7]).reduced();
    let e = left.like(0).or_where(1 << 3, left);
    let right = left.or_where(LANES_2_3, right.plus_small_times(A24, e));
    // x_3, (DA - CB)^2, x_2, z_2; with a product more, x_3, z_3, x_2, z_2.
    let second = (left * right).reduced() * x_1;
    let x = columns(second, [2, 2, 0, 0, 4, 5, 6, 7]);
    let z = columns(second, [3, 3, 1, 1, 4, 5, 6, 7]);
    let (mut sum, difference) = (x + z, x - z);
    for i in 0..5 {
        sum.0[i] = sum.0[i].or_where(LANES_1_3, difference.0[i]);
    }
    sum.reduced()
}

/// Swaps a with c and b with d, if `swap` is 1.
#[inline(always)]
fn swapped(state: Lanes, swap: u64) -> Lanes {
    let index = Ifma::load(
        state.0[0].cpu(),
        &[2 * swap, 1 + 2 * swap, 2 - 2 * swap, 3 - 2 * swap, 4, 5, 6, 7],
    );
    let mut out = state;
    for limb in &mut out.0 {
        *limb = index.look_up(*limb);
    }
    out
}

#[inline(always)]
fn rearranged(x: Lanes, of: [u64; 8]) -> Lanes {
    let mut out = x;
    for limb in &mut out.0 {
        *limb = limb.lanes(of);
    }
    out
}

#[inline(always)]
fn columns(x: Columns<Ifma>, of: [u64; 8]) -> Columns<Ifma> {
    let mut out = x;
    for column in &mut out.0 {
        *column = column.lanes(of);
    }
    out
}

/// k B, for a little-endian k below 2^255: a sum of 64 windows, eight in parallel. In constant time.
pub(crate) fn base_multiple(cpu: Avx512Ifma, k: &[u8; 32]) -> Point<Number> {
    let mut sum = Point::neutral(one(cpu));
    let digits = Wiped::new(digits::signed_16(k));
    for (windows, digits) in BASE.0.as_chunks().0.iter().zip(digits.as_chunks().0) {
        add_windows(cpu, &mut sum, windows, &digits.map(|digit| i64::from(digit).cast_unsigned()));
    }
    sum_of_lanes(cpu, sum)
}

/// Adds a multiple to each lane, each of a window of its own.
fn add_windows(
    cpu: Avx512Ifma,
    sum: &mut Point<Lanes>,
    windows: &[Window<12>; 8],
    digits: &[u64; 8],
) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, sum: &mut Point<Lanes>, windows: &[Window<12>; 8], digits: &[u64; 8]) -> () {
        let digits = Digits::new(cpu, digits);
        let mut words = [digits.index; 12];
        for (row, word) in words.iter_mut().enumerate() {
            *word = of_each_window(cpu, digits.index, windows, row);
        }
        *sum = sum.add_affine(&digits.multiples(words)).point();
    });
}

/// A word of the window of each lane, by its index.
#[inline(always)]
fn of_each_window(cpu: Avx512Ifma, index: Ifma, windows: &[Window<12>; 8], row: usize) -> Ifma {
    let words = |lane: usize| Ifma::load(cpu, &windows[lane][row]);
    let word = index.look_up(words(0));
    let word = word.look_up_in::<1>(index, words(1));
    let word = word.look_up_in::<2>(index, words(2));
    let word = word.look_up_in::<3>(index, words(3));
    let word = word.look_up_in::<4>(index, words(4));
    let word = word.look_up_in::<5>(index, words(5));
    let word = word.look_up_in::<6>(index, words(6));
    word.look_up_in::<7>(index, words(7))
}

/// The sum of all lanes.
pub(crate) fn sum_of_lanes(cpu: Avx512Ifma, mut sum: Point<Lanes>) -> Point<Number> {
    for lanes in [[4, 5, 6, 7, 0, 1, 2, 3], [2, 3, 0, 1, 6, 7, 4, 5], [1, 0, 3, 2, 5, 4, 7, 6]] {
        add_rearranged(cpu, &mut sum, lanes);
    }
    let first = |number: &Lanes| {
        let mut limbs = Wiped::new([[0; 8]; 5]);
        store(cpu, number, &mut limbs);
        Number([0, 1, 2, 3, 4].map(|limb| limbs[limb][0]))
    };
    Point { x: first(&sum.x), y: first(&sum.y), z: first(&sum.z), t: first(&sum.t) }
}

fn add_rearranged(cpu: Avx512Ifma, sum: &mut Point<Lanes>, lanes: [u64; 8]) {
    proven!(Avx512Ifma: cpu, once fn enter(sum: &mut Point<Lanes>, lanes: [u64; 8]) -> () {
        let Point { x, y, z, t } = *sum;
        let other = Point {
            x: rearranged(x, lanes),
            y: rearranged(y, lanes),
            z: rearranged(z, lanes),
            t: rearranged(t, lanes),
        };
        let twice_d = Lanes::splat(x.0[0], crate::curves::edwards25519::TWICE_D);
        *sum = sum.add(&other.addend(twice_d)).point();
    });
}

/// The limbs of a number in all lanes.
pub(super) fn store(cpu: Avx512Ifma, number: &Lanes, limbs: &mut [[u64; 8]; 5]) {
    proven!(Avx512Ifma: cpu, once fn enter(number: &Lanes, limbs: &mut [[u64; 8]; 5]) -> () {
        for (to, limb) in limbs.iter_mut().zip(number.0) {
            limb.store(to);
        }
    });
}
