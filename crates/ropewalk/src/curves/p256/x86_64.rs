//! Multiples of points with IFMA, for eight scalars or for one.

mod spread;

use super::{BASE, BASE_WINDOWS, BaseWindow, digits};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::weierstrass::{Affine, Point, Sum},
    fields::{
        lanes::Word as _,
        p256::{lanes::Numbers, number::Number},
        words::Words,
        x86_64::Ifma,
    },
};

pub(crate) use spread::multiple;

/// Numbers of eight lanes.
pub(crate) type Lanes = Numbers<Ifma>;

/// Digits of eight scalars, those of one place together, and the lanes of which the opposite point is taken at the end.
type Digits<const COUNT: usize> = ([[u64; 8]; COUNT], u8);

fn digits_of<const BITS: usize, const COUNT: usize>(k: &[Words; 8]) -> Wiped<Digits<COUNT>> {
    let mut all = Wiped::new(([[0; 8]; COUNT], 0));
    for (lane, k) in k.iter().enumerate() {
        let (digits, even) = &*Wiped::new(digits::<BITS, COUNT>(*k));
        for (to, digit) in all.0.iter_mut().zip(digits) {
            to[lane] = u64::from(*digit);
        }
        all.1 |= (*even as u8 & 1) << lane;
    }
    all
}

/// k G for each of eight k below n. In constant time.
pub(crate) fn base_multiples(cpu: Avx512Ifma, k: &[Words; 8]) -> Point<Lanes> {
    const LAST: usize = BASE_WINDOWS - 1;
    let digits = digits_of::<5, BASE_WINDOWS>(k);
    let (digits, negative) = &*digits;
    let mut sum = first_entries(cpu, &BASE.0[0], &digits[0]);
    for (window, digits) in BASE.0[1..LAST].iter().zip(&digits[1..]) {
        add_entries(cpu, &mut sum, window, digits);
    }
    let last = first_entries(cpu, &BASE.0[LAST], &digits[LAST]);
    negated(cpu, &add(cpu, &sum, &last), *negative)
}

fn first_entries(cpu: Avx512Ifma, window: &BaseWindow, digits: &[u64; 8]) -> Point<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, window: &BaseWindow, digits: &[u64; 8]) -> Point<Lanes> {
        entries(window, Ifma::load(cpu, digits)).point()
    })
}

fn add_entries(cpu: Avx512Ifma, sum: &mut Point<Lanes>, window: &BaseWindow, digits: &[u64; 8]) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, sum: &mut Point<Lanes>, window: &BaseWindow, digits: &[u64; 8]) -> () {
        *sum = sum.add_affine(&entries(window, Ifma::load(cpu, digits)));
    });
}

/// The multiple that the digit of each lane selects.
#[inline(always)]
fn entries(window: &BaseWindow, digits: Ifma) -> Affine<Lanes> {
    let (index, negative) = places::<5>(digits);
    let mut words = [index; 8];
    for (word, row) in words.iter_mut().zip(window) {
        *word = index.look_up_16(row);
    }
    affine(words, negative)
}

/// The places of multiples in a window, modulo their number, and the lanes with an opposite point: of four bits, 2 e - 15 is
/// positive from 8 on.
#[inline(always)]
fn places<const BITS: u32>(digits: Ifma) -> (Ifma, u8) {
    let negative = digits.and(1 << (BITS - 1)).is_zero();
    (digits.or_where(negative, digits.xor((1 << BITS) - 1)), negative)
}

#[inline(always)]
fn affine([a, b, c, d, e, f, g, h]: [Ifma; 8], negative: u8) -> Affine<Lanes> {
    let (x, y) = (Lanes::from_words([a, b, c, d]), Lanes::from_words([e, f, g, h]));
    Affine { x, y }.negated_where(negative)
}

/// k P for each of eight k below n and P that are not infinite. In constant time.
pub(crate) fn multiples(cpu: Avx512Ifma, p: &[Affine<Number>; 8], k: &[Words; 8]) -> Point<Lanes> {
    let digits = digits_of::<4, 64>(k);
    let (digits, negative) = &*digits;
    let table = odd_multiples(cpu, p);
    let mut acc = table[0];
    look_up(cpu, &mut acc, &table, &digits[63]);
    let mut multiple = acc;
    for digits in digits[1..63].iter().rev() {
        times_16(cpu, &mut acc);
        look_up(cpu, &mut multiple, &table, digits);
        acc = sum(cpu, &acc, &multiple).point;
    }
    times_16(cpu, &mut acc);
    look_up(cpu, &mut multiple, &table, &digits[0]);
    negated(cpu, &add(cpu, &acc, &multiple), *negative)
}

/// P, 3 P, to 15 P.
fn odd_multiples(cpu: Avx512Ifma, p: &[Affine<Number>; 8]) -> [Point<Lanes>; 8] {
    let mut words = [[0; 8]; 8];
    for (lane, Affine { x, y }) in p.iter().enumerate() {
        for (to, word) in words.iter_mut().zip([x.to_raw(), y.to_raw()].as_flattened()) {
            to[lane] = *word;
        }
    }
    let words = &words;
    let first = proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, words: &[[u64; 8]; 8]) -> Point<Lanes> {
        let mut loaded = [Ifma::splat(cpu, 0); 8];
        for (to, words) in loaded.iter_mut().zip(words) {
            *to = Ifma::load(cpu, words);
        }
        affine(loaded, 0).point()
    });
    let mut table = [first; 8];
    let mut twice = first;
    double(cpu, &mut twice);
    for i in 1..8 {
        table[i] = sum(cpu, &table[i - 1], &twice).point;
    }
    table
}

/// The multiple that the digit of each lane selects: all are read.
fn look_up(cpu: Avx512Ifma, to: &mut Point<Lanes>, table: &[Point<Lanes>; 8], digits: &[u64; 8]) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, to: &mut Point<Lanes>, table: &[Point<Lanes>; 8], digits: &[u64; 8]) -> () {
        let (index, negative) = places::<4>(Ifma::load(cpu, digits));
        let index = index.and(7);
        let mut point = table[0];
        for i in 1..8 {
            point = point.or_where(index.xor(i as u64).is_zero(), &table[i]);
        }
        *to = point.negated_where(negative);
    });
}

fn double(cpu: Avx512Ifma, p: &mut Point<Lanes>) {
    proven!(Avx512Ifma: cpu, once fn enter(p: &mut Point<Lanes>) -> () { *p = p.double() });
}

fn times_16(cpu: Avx512Ifma, p: &mut Point<Lanes>) {
    for _ in 0..4 {
        double(cpu, p);
    }
}

fn sum(cpu: Avx512Ifma, p: &Point<Lanes>, q: &Point<Lanes>) -> Sum<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(p: &Point<Lanes>, q: &Point<Lanes>) -> Sum<Lanes> { p.add(q) })
}

/// The sum of any two points in each lane. In constant time.
pub(crate) fn add(cpu: Avx512Ifma, p: &Point<Lanes>, q: &Point<Lanes>) -> Point<Lanes> {
    let (sum, mut doubled) = (sum(cpu, p, q), *p);
    double(cpu, &mut doubled);
    let (sum, doubled) = (&sum, &doubled);
    proven!(Avx512Ifma: cpu, once fn enter(sum: &Sum<Lanes>, p: &Point<Lanes>, q: &Point<Lanes>, doubled: &Point<Lanes>) -> Point<Lanes> {
        sum.settled(p, q, doubled)
    })
}

fn negated(cpu: Avx512Ifma, p: &Point<Lanes>, lanes: u8) -> Point<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(p: &Point<Lanes>, lanes: u8) -> Point<Lanes> { p.negated_where(lanes) })
}

/// The point of each lane.
pub(crate) fn points(cpu: Avx512Ifma, p: &Point<Lanes>) -> [Point<Number>; 8] {
    let [x, y, z] = [&p.x, &p.y, &p.z].map(|coordinate| numbers(cpu, coordinate));
    [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| Point { x: x[lane], y: y[lane], z: z[lane] })
}

/// The number of each lane.
fn numbers(cpu: Avx512Ifma, x: &Lanes) -> [Number; 8] {
    let mut limbs = Wiped::new([[0; 8]; 5]);
    let to = &mut *limbs;
    proven!(Avx512Ifma: cpu, once fn enter(x: &Lanes, to: &mut [[u64; 8]; 5]) -> () {
        for (to, limb) in to.iter_mut().zip(x.to_numbers()) {
            limb.store(to);
        }
    });
    [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| {
        let [a, b, c, d, e] = limbs.each_ref().map(|limb| limb[lane]);
        let words = [a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16];
        Number::below(words, e >> 48 != 0)
    })
}

/// k G, for k below n: eight windows next to each other, and the sum of all lanes at the end. In constant time.
///
/// Two partial sums i G and j G have different windows, so that i and j differ in size, and neither is 0. As long as i and j are
/// of four lanes at most together, the sum of their sizes is below n, so that the points are neither equal nor opposite. The last
/// sum of all is [settled](Sum::settled).
pub(crate) fn base_multiple(cpu: Avx512Ifma, k: Words) -> Point<Number> {
    let (digits, negative) = &*Wiped::new(digits::<5, BASE_WINDOWS>(k));
    let windows = BASE.0.as_chunks::<8>();
    let (windows, last): (_, &[BaseWindow; 4]) = (windows.0, windows.1.as_array().expect("four"));
    let mut rounds = Wiped::new([[0; 8]; 7]);
    for (to, digits) in rounds.iter_mut().zip(digits.chunks(8)) {
        for (to, digit) in to.iter_mut().zip(digits) {
            *to = u64::from(*digit);
        }
    }
    let mut acc = first_of_each(cpu, &windows[0].each_ref(), &rounds[0]);
    for (windows, digits) in windows[1..].iter().zip(&rounds[1..]) {
        add_of_each(cpu, &mut acc, &windows.each_ref(), digits);
    }
    // The last four windows: in the other lanes the sum stays.
    let [a, b, c, d] = last.each_ref();
    let mut sum = acc;
    add_of_each(cpu, &mut sum, &[a, b, c, d, a, b, c, d], &rounds[6]);
    acc = upper_of(cpu, &sum, &acc);
    for distance in [4, 2] {
        acc = self::sum(cpu, &acc, &moved(cpu, &acc, distance)).point;
    }
    acc = add(cpu, &acc, &moved(cpu, &acc, 1));
    points(cpu, &acc)[0].negated_where(*negative)
}

fn first_of_each(cpu: Avx512Ifma, windows: &[&BaseWindow; 8], digits: &[u64; 8]) -> Point<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, windows: &[&BaseWindow; 8], digits: &[u64; 8]) -> Point<Lanes> {
        of_each(windows, Ifma::load(cpu, digits)).point()
    })
}

fn add_of_each(
    cpu: Avx512Ifma,
    sum: &mut Point<Lanes>,
    windows: &[&BaseWindow; 8],
    digits: &[u64; 8],
) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, sum: &mut Point<Lanes>, windows: &[&BaseWindow; 8], digits: &[u64; 8]) -> () {
        *sum = sum.add_affine(&of_each(windows, Ifma::load(cpu, digits)));
    });
}

/// In each lane a multiple of the window of that lane.
#[inline(always)]
fn of_each(windows: &[&BaseWindow; 8], digits: Ifma) -> Affine<Lanes> {
    let (index, negative) = places::<5>(digits);
    let mut words = [index; 8];
    for (i, word) in words.iter_mut().enumerate() {
        let of = |lane: usize| index.look_up_16(&windows[lane][i]);
        *word = of(0)
            .blended::<{ 1 << 1 }>(of(1))
            .blended::<{ 1 << 2 }>(of(2))
            .blended::<{ 1 << 3 }>(of(3))
            .blended::<{ 1 << 4 }>(of(4))
            .blended::<{ 1 << 5 }>(of(5))
            .blended::<{ 1 << 6 }>(of(6))
            .blended::<{ 1 << 7 }>(of(7));
    }
    affine(words, negative)
}

/// The points of the lower lanes of `p`, and of the upper four lanes of `q`.
fn upper_of(cpu: Avx512Ifma, p: &Point<Lanes>, q: &Point<Lanes>) -> Point<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(p: &Point<Lanes>, q: &Point<Lanes>) -> Point<Lanes> { p.or_where(0xf0, q) })
}

/// In each lane the point of a lane further on.
fn moved(cpu: Avx512Ifma, p: &Point<Lanes>, distance: u64) -> Point<Lanes> {
    let from: [u64; 8] = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| lane + distance);
    let from = &from;
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, p: &Point<Lanes>, from: &[u64; 8]) -> Point<Lanes> {
        let from = Ifma::load(cpu, from);
        let mut point = *p;
        for coordinate in [&mut point.x, &mut point.y, &mut point.z] {
            for limb in &mut coordinate.0 {
                *limb = from.look_up(*limb);
            }
        }
        point
    })
}

#[cfg(test)]
mod tests;
