//! Bounds of lanes, and edges of numbers.

use num_bigint::BigUint;

use super::{
    lanes::{LIMB, Numbers},
    number::{Number, P},
    order::{N, Scalar},
    *,
};
use crate::{
    curves::weierstrass::{Affine, Point},
    fields::{
        Coordinate as _, Product as _,
        lanes::{Bounds, Word as _},
        safegcd,
        words::{Modulus, Residue, Words},
    },
};

type Model = Numbers<Bounds>;

/// What carries leave of limbs: numbers below 1.9 p.
fn carried() -> Model {
    let [limb, last] = [LIMB, 15 << 45].map(Bounds::up_to);
    Numbers([limb, limb, limb, limb, last])
}

fn is_carried(x: Model) {
    for (i, limb) in x.0.iter().enumerate() {
        let most = carried().0[i].most;
        assert!(limb.most <= most, "limb {i}: {limb:x?}");
    }
}

fn is_point(Point { x, y, z }: Point<Model>) {
    [x, y, z].into_iter().for_each(is_carried);
}

/// From carried limbs, no operand of a product has more than 52 bits, no column more than 64, no difference is negative, and the
/// results are carried again.
#[test]
fn formulas_keep_their_bounds() {
    let x = carried();
    is_carried(x - x);
    is_carried(x - (x + x));
    is_carried(x.negated());
    is_carried(x.times(x));
    is_carried(x.square());
    is_carried((x * x - (x * x + x * x)).reduced());
    is_carried(x.like(5));
    is_carried(root(x));
    let words = Numbers::from_numbers([Bounds::up_to(u64::MAX); 4]);
    is_carried(words);
    is_carried(Numbers(words.to_numbers()));
    x.is_zero();
    let point = Point { x, y: x, z: x };
    is_point(point.double());
    is_point(point.add(&point).point);
    is_point(point.negated_where(()));
    // Complete formulas: t_1 + 3 (3 t_2 + t_0) - 3 (3 t_2 + t_0), without carries between.
    let plus = |a: Model, b: Model| Numbers([0, 1, 2, 3, 4].map(|i| a.0[i].plus(b.0[i])));
    let four = plus(plus(x, x), plus(x, x));
    let twelve = plus(plus(four, four), four);
    is_carried(plus(x, twelve).less(twelve));
    is_carried((x * x + x * x).reduced());
    is_carried((x + x).times(x + x).less(plus(x, x)));
    // A table has any 256 bits.
    let tabled = Numbers::from_words([Bounds::up_to(u64::MAX); 4]);
    let tabled = Affine { x: tabled, y: tabled }.negated_where(());
    is_point(point.add_affine(&tabled));
    is_point(tabled.point());
}

/// The model does fail.
#[test]
#[should_panic(expected = "an operand of 52 bits")]
fn sums_of_many_are_too_large() {
    let sum = (0..9).fold(carried(), |sum, _| sum + carried());
    let _ = sum.square();
}

/// 0, 1, m - 1, m, m + 1, all ones, powers of 2 and others.
fn edges<M: Modulus>() -> Vec<Words> {
    let mut edges = Vec::new();
    for bit in 0..256 {
        let mut words = [0; 4];
        words[bit / 64] = 1 << (bit % 64);
        edges.push(words);
    }
    for fill in [0, 1, u64::MAX, 1 << 63, 0xffff_ffff] {
        for i in 0..5 {
            let mut words = [fill; 4];
            if i < 4 {
                words[i] = !fill;
            }
            edges.push(words);
        }
    }
    let m = big(&M::WORDS);
    for more in 0..8_u32 {
        for number in [&m + more, &m - more, (&m + 1_u32) / 2_u32 + more] {
            let mut words = number.to_u64_digits();
            words.resize(4, 0);
            edges.push(words.try_into().expect("four words"));
        }
    }
    edges
}

fn big(words: &Words) -> BigUint {
    words.iter().rev().fold(BigUint::from(0_u32), |sum, &word| (sum << 64_u32) + word)
}

fn equal_big_integers<M: Modulus>() {
    let m = big(&M::WORDS);
    let edges = edges::<M>();
    for (i, a) in edges.iter().enumerate() {
        let (x, v) = (Residue::<M>::new(*a), big(a));
        assert_eq!(big(&x.to_words()), &v % &m);
        for b in edges.iter().skip(i % 5).step_by(5) {
            let (y, w) = (Residue::<M>::new(*b), big(b));
            let same = |got: Residue<M>, want: BigUint, what: &str| {
                assert_eq!(big(&got.to_words()), want % &m, "{what} of {a:x?} and {b:x?}");
            };
            same(x.times(y), &v * &w, "product");
            same(x + y, &v + &w, "sum");
            same(x - y, &v + &m * 2_u32 - &w % &m, "difference");
            assert_eq!(x.is(y) != 0, &v % &m == &w % &m);
        }
        assert_eq!(big(&x.square().to_words()), &v * &v % &m, "square of {a:x?}");
        let one = x.times(safegcd::inverse(x)).to_words();
        assert_eq!(one, [u64::from(x.is_zero() == 0), 0, 0, 0], "inverse of {a:x?}");
        assert_eq!(x.is(Residue::ZERO), x.is_zero());
        assert_eq!(Residue::<M>::constant(x.to_words()).to_raw(), x.to_raw());
    }
}

/// Edges through lanes, in all pairs of lanes.
#[cfg(target_arch = "x86_64")]
#[test]
fn lanes_equal_numbers() {
    use crate::{
        core::cpu::{Avx512Ifma, Token as _},
        fields::{lanes::Word as _, x86_64::Ifma},
    };
    let Some(cpu) = Avx512Ifma::detect() else { return };
    let load = |lanes: &[Number; 8]| {
        let word = |i: usize| Ifma::load(cpu, &lanes.map(|number| number.to_raw()[i]));
        Numbers::from_numbers([word(0), word(1), word(2), word(3)])
    };
    let same = |got: Numbers<Ifma>, want: [Number; 8], what: &str| {
        let mut limbs = [[0; 8]; 5];
        for (to, limb) in limbs.iter_mut().zip(got.to_numbers()) {
            limb.store(to);
        }
        for (lane, want) in want.iter().enumerate() {
            let limb = |i: usize| limbs[i][lane];
            let value = (0..5).rev().fold(BigUint::from(0_u32), |sum, i| (sum << 52_u32) + limb(i));
            assert_eq!(value % big(&P::WORDS), big(&want.to_raw()), "{what}");
        }
    };
    let edges: Vec<_> = edges::<P>().into_iter().map(|words| Number::below(words, false)).collect();
    for (i, a) in edges.chunks_exact(8).enumerate() {
        let a: [Number; 8] = a.try_into().expect("eight");
        let x = load(&a);
        for b in edges.chunks_exact(8).skip(i % 3).step_by(3) {
            let b: [Number; 8] = b.try_into().expect("eight");
            let y = load(&b);
            let both = |of: fn(Number, Number) -> Number| {
                core::array::from_fn(|lane| of(a[lane], b[lane]))
            };
            same(x.times(y), both(|a, b| a.times(b)), "product");
            same(x + y, both(|a, b| a + b), "sum");
            same(x - y, both(|a, b| a - b), "difference");
            same(
                (x * y - y * y).reduced(),
                both(|a, b| (a - b).times(b)),
                "difference of products",
            );
            let zeros = (0..8).map(|lane| u8::from(a[lane].is(b[lane]) != 0) << lane).sum::<u8>();
            assert_eq!((x - y).is_zero(), zeros);
            assert_eq!((x - y - (x - y)).is_zero(), 0xff);
        }
        same(x.square(), a.map(|a| a.square()), "square");
        same(x.like(1), [Number::ONE; 8], "one");
        same(x.like(7), [Number::new([7, 0, 0, 0]); 8], "seven");
        assert_eq!(x.0[0].xor(0).is_zero(), x.0[0].is_zero());
    }
}

#[test]
fn numbers_equal_big_integers() {
    equal_big_integers::<P>();
}

#[test]
fn scalars_equal_big_integers() {
    equal_big_integers::<N>();
    assert_eq!(Scalar::ONE.to_words(), [1, 0, 0, 0]);
}

/// 2^255 - 19, whose reduction is the general one.
#[derive(Clone, Copy)]
struct P25519;

impl Modulus for P25519 {
    const WORDS: Words = [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1];
}

#[test]
fn any_modulus_equals_big_integers() {
    equal_big_integers::<P25519>();
}

#[test]
fn inverses_of_several() {
    let mut x = [3, 0, 7, 0].map(|small| Scalar::new([small, 0, 0, 0]));
    crate::fields::words::inverses(&mut x);
    for (x, small) in x.iter().zip([3, 0, 7, 0]) {
        let product = x.times(Scalar::new([small, 0, 0, 0])).to_words();
        assert_eq!(product, [u64::from(small != 0), 0, 0, 0]);
    }
}

#[test]
fn squares_have_roots() {
    for words in edges::<P>() {
        let square = Number::new(words).square();
        assert_eq!(root(square).square().is(square), !0);
    }
}
