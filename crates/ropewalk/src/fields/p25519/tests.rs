//! Bounds of lanes, and edges of numbers.

use super::{LIMB, lanes::Numbers, number::Number, *};
use crate::{
    curves::{
        edwards::{Affine, Point},
        montgomery::Ladder,
    },
    fields::lanes::{Bounds, Word as _},
};

type Model = Numbers<Bounds>;

/// What carries leave of limbs.
fn carried() -> Model {
    Numbers([Bounds::up_to(LIMB + (1 << 14)); 5])
}

fn is_carried(x: Model) {
    for (i, limb) in x.0.iter().enumerate() {
        assert!(limb.most <= LIMB + (1 << 14), "limb {i}: {limb:?}");
    }
}

fn point() -> Point<Model> {
    Point { x: carried(), y: carried(), z: carried(), t: carried() }
}

fn is_point(Point { x, y, z, t }: Point<Model>) {
    [x, y, z, t].into_iter().for_each(is_carried);
}

/// From carried limbs, no operand of a product has more than 52 bits, no column more than 64, no difference is negative, and the
/// results are carried again.
#[test]
fn formulas_keep_their_bounds() {
    let x = carried();
    is_carried(x + x);
    is_carried(x - x);
    is_carried(x.negated());
    is_carried(x.times(x));
    is_carried(x.square());
    is_carried(x.plus_small_times(121665, x));
    is_carried(inverse(x));
    is_carried(root_power(x));
    let addend = point().negated().addend(x).negated_where(());
    for sum in [
        point().double(),
        point().add(&addend),
        point().add_affine(&Affine { sum: x, difference: x, product: x }.negated_where(())),
    ] {
        is_point(sum.point());
        is_point(sum.without_t());
    }
}

#[test]
fn ladder_keeps_its_bounds() {
    // All 255 bits are one.
    let mut ladder = Ladder::new(Numbers::from_words([Bounds::up_to(u64::MAX); 4]));
    for _ in 0..3 {
        ladder.swap_where(());
        ladder.step();
        let (x, z) = ladder.end();
        is_carried(x);
        is_carried(z);
    }
}

/// The model does fail.
#[test]
#[should_panic(expected = "an operand of 52 bits")]
fn uncarried_sums_are_too_large() {
    let Numbers([a, ..]) = carried();
    let _ = a.like(0).plus_low(a.plus(a), a);
}

/// 0, 1, p - 1, p, p + 1, 2^255 - 1 and others, as bytes.
fn edges() -> Vec<[u8; 32]> {
    let mut edges = vec![[0; 32], [0xff; 32]];
    let with = |fill: u8, first: u8, last: u8| {
        let mut bytes = [fill; 32];
        (bytes[0], bytes[31]) = (first, last);
        bytes
    };
    edges.extend((0..3).map(|first| with(0, first, 0)));
    edges.extend((0xe8..=0xff).map(|first| with(0xff, first, 0x7f)));
    edges.extend((0..255).map(|bit| {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        bytes
    }));
    edges
}

#[test]
fn numbers_equal_big_integers() {
    let p = num_bigint::BigUint::from(1_u32).pow(1) << 255_u32;
    let p = p - 19_u32;
    let big = |bytes: &[u8; 32]| {
        let mut bytes = *bytes;
        bytes[31] &= 127;
        num_bigint::BigUint::from_bytes_le(&bytes) % &p
    };
    let edges = edges();
    for (i, a) in edges.iter().enumerate() {
        for b in edges.iter().skip(i % 7).step_by(7) {
            let [x, y] = [a, b].map(Number::from_bytes);
            let [v, w] = [a, b].map(big);
            let same = |got: Number, want: num_bigint::BigUint, what: &str| {
                assert_eq!(big(&got.to_bytes()), want % &p, "{what} of {a:?} and {b:?}");
                assert!(got.to_bytes()[31] < 128);
            };
            same(x.times(y), &v * &w, "product");
            same(x.square(), &v * &v, "square");
            same(x + y, &v + &w, "sum");
            same(x - y, &v + &p - &w, "difference");
            same(x.plus_small_times(121665, y), &v + &w * 121665_u32, "sum of a small product");
            assert_eq!(x.is(y) != 0, v == w);
        }
        let x = Number::from_bytes(a);
        assert_eq!(x.inverse().is(inverse(x)), !0);
        let one = x.times(x.inverse()).to_bytes();
        assert_eq!(one[0], u8::from(x.is_zero() == 0));
        assert!(num_bigint::BigUint::from_bytes_le(&x.to_bytes()) < p);
    }
}
