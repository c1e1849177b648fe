//! One scalar: the products of a sum of two points are spread over lanes, in three rounds.
//!
//! The formulas are those of Renes, Costello and Batina ("Complete addition formulas for prime order elliptic curves", algorithm
//! 4, for a = -3). They are right for all points, also for equal, opposite and infinite ones, so that doublings have them too.
//! A point is (X : Y : Z) with x = X / Z and y = Y / Z, in lanes 0, 2 and 4. Other lanes have anything.

use super::{Lanes, numbers};
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    curves::{
        p256::{B_WORDS, digits, place},
        weierstrass::{Affine, Point},
    },
    fields::{
        Field as _, Product as _,
        lanes::Word as _,
        p256::{
            lanes::Columns,
            number::{Number, P},
        },
        words::{Modulus as _, Words, times_power_of_two},
        x86_64::Ifma,
    },
};

/// The Montgomery form of b in lanes.
const B: Words = times_power_of_two(P::WORDS, B_WORDS, 260);

/// k P, for k below n and a P that is not infinite. In constant time.
pub(crate) fn multiple(cpu: Avx512Ifma, p: &Affine<Number>, k: Words) -> Point<Number> {
    let (digits, negative) = &*Wiped::new(digits::<4, 64>(k));
    let table = odd_multiples(cpu, p);
    let mut acc = selected(cpu, &table, digits[63]);
    for &digit in digits[..63].iter().rev() {
        times_16(cpu, &mut acc);
        add(cpu, &mut acc, &selected(cpu, &table, digit));
    }
    let [x, _, y, _, z, ..] = numbers(cpu, &acc);
    Point { x: x.times(z), y: y.times(z.square()), z }.negated_where(*negative)
}

/// P, 3 P, to 15 P.
fn odd_multiples(cpu: Avx512Ifma, p: &Affine<Number>) -> [Lanes; 8] {
    let mut table = [point(cpu, p); 8];
    let mut twice = table[0];
    let first = twice;
    add(cpu, &mut twice, &first);
    for i in 1..8 {
        table[i] = table[i - 1];
        add(cpu, &mut table[i], &twice);
    }
    table
}

fn point(cpu: Avx512Ifma, Affine { x, y }: &Affine<Number>) -> Lanes {
    let mut words = [[0; 8]; 4];
    for (word, (x, y)) in words.iter_mut().zip(x.to_raw().into_iter().zip(y.to_raw())) {
        (word[0], word[2]) = (x, y);
    }
    let words = &words;
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, words: &[[u64; 8]; 4]) -> Lanes {
        let mut loaded = [Ifma::splat(cpu, 0); 4];
        for (to, words) in loaded.iter_mut().zip(words) {
            *to = Ifma::load(cpu, words);
        }
        let point = Lanes::from_words(loaded).in_form_of_lanes();
        blended::<{ 1 << 4 }>(point, point.like(1))
    })
}

/// The multiple that a digit selects: all are read.
fn selected(cpu: Avx512Ifma, table: &[Lanes; 8], digit: u8) -> Lanes {
    let (place, negative) = place::<4>(digit);
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, table: &[Lanes; 8], place: u64, negative: u64) -> Lanes {
        let index = Ifma::splat(cpu, place);
        let mut point = table[0];
        for i in 1..8 {
            point = point.or_where(index.xor(i as u64).is_zero(), table[i]);
        }
        // Of lane 2.
        point.or_where(negative as u8 & 1 << 2, point.negated())
    })
}

fn times_16(cpu: Avx512Ifma, p: &mut Lanes) {
    proven!(Avx512Ifma: cpu, once fn enter(p: &mut Lanes) -> () {
        let mut sum = *p;
        for _ in 0..4 {
            sum = doubled(sum);
        }
        *p = sum;
    });
}

#[inline(always)]
fn doubled(p: Lanes) -> Lanes {
    // t_0 to t_5: XX, YY, ZZ, 2 XY, 2 YZ, 2 XZ.
    let mut t = rearranged(p, [0, 2, 4, 0, 2, 0, 0, 0]) * rearranged(p, [0, 2, 4, 2, 4, 4, 0, 0]);
    for column in &mut t.0 {
        *column = column.blended::<FROM_3>(column.plus(*column));
    }
    completed(t.reduced())
}

fn add(cpu: Avx512Ifma, p: &mut Lanes, q: &Lanes) {
    proven!(Avx512Ifma: cpu, once fn enter(p: &mut Lanes, q: &Lanes) -> () {
        // X_1 X_2, Y_1 Y_2, Z_1 Z_2, and products of sums, of which two of these are subtracted.
        let t = with_sums(*p).times(with_sums(*q));
        let two = plus(rearranged(t, [0, 0, 0, 0, 1, 0, 0, 0]), rearranged(t, [0, 0, 0, 1, 2, 2, 0, 0]));
        // t_0 to t_5: the first three, X_1 Y_2 + X_2 Y_1, Y_1 Z_2 + Y_2 Z_1, X_1 Z_2 + X_2 Z_1.
        *p = completed(blended::<FROM_3>(t, t.less(two)));
    });
}

/// X, Y, Z, X + Y, Y + Z, X + Z.
#[inline(always)]
fn with_sums(p: Lanes) -> Lanes {
    let of = rearranged(p, [0, 2, 4, 0, 2, 0, 0, 0]);
    blended::<FROM_3>(of, of + rearranged(p, [0, 0, 0, 2, 4, 4, 0, 0]))
}

/// The lanes from 3 on.
const FROM_3: u8 = 0b1111_1000;

/// The sum, from t_0 to t_5 in their lanes. With
///
/// * u = 3 (t_5 - b t_2),
/// * v = 3 (t_0 - t_2),
/// * w = 3 (b t_5 - 3 t_2 - t_0),
///
/// it is X = t_3 (t_1 + u) - t_4 w, Y = (t_1 - u) (t_1 + u) + v w, Z = t_4 (t_1 - u) + t_3 v.
#[inline(always)]
fn completed(t: Lanes) -> Lanes {
    let bt = t.times(Lanes::splat(t.0[0], B));
    let of_2 = rearranged(t, [2; 8]);
    let y = plus(plus(of_2, of_2), plus(of_2, rearranged(t, [0; 8])));
    // t_0, t_1, t_2, y = 3 t_2 + t_0, -, t_5, b t_2, b t_5.
    let parts = blended::<{ 1 << 3 }>(t, y);
    let parts = blended::<0b1100_0000>(parts, rearranged(bt, [0, 0, 0, 0, 0, 0, 2, 5]));
    // (t_1 + u) twice, with -w and w between, t_1 - u, v.
    let positive = rearranged(parts, [5, 3, 5, 7, 6, 0, 0, 0]);
    let negative = rearranged(parts, [6, 7, 6, 3, 5, 2, 0, 0]);
    let t_1 = blended::<0b1110_1010>(rearranged(t, [1; 8]), t.like(0));
    let right = plus(t_1, thrice(positive)).less(thrice(negative));
    let left = blended::<0b1100>(
        rearranged(t, [3, 4, 0, 0, 4, 3, 0, 0]),
        rearranged(right, [0, 0, 4, 5, 0, 0, 0, 0]),
    );
    let products = left * right;
    (products + columns(products, [1, 0, 3, 2, 5, 4, 7, 6])).reduced()
}

/// A sum without carries.
#[inline(always)]
fn plus(mut x: Lanes, y: Lanes) -> Lanes {
    for (a, b) in x.0.iter_mut().zip(y.0) {
        *a = a.plus(b);
    }
    x
}

#[inline(always)]
fn thrice(x: Lanes) -> Lanes {
    plus(plus(x, x), x)
}

/// `y` in the lanes of the mask.
#[inline(always)]
fn blended<const MASK: u8>(mut x: Lanes, y: Lanes) -> Lanes {
    for (a, b) in x.0.iter_mut().zip(y.0) {
        *a = a.blended::<MASK>(b);
    }
    x
}

/// Lane `i` has what lane `of[i]` had.
#[inline(always)]
fn rearranged(mut x: Lanes, of: [u64; 8]) -> Lanes {
    for limb in &mut x.0 {
        *limb = limb.lanes(of);
    }
    x
}

#[inline(always)]
fn columns(mut x: Columns<Ifma>, of: [u64; 8]) -> Columns<Ifma> {
    for column in &mut x.0 {
        *column = column.lanes(of);
    }
    x
}
