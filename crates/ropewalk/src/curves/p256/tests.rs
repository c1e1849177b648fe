//! Multiples against an affine model in big integers.

use num_bigint::BigUint;

use super::*;
use crate::curves::tables::tests::hold;

/// A point of the model: x and y, or infinite.
pub(super) type Model = Option<(BigUint, BigUint)>;

fn big(words: &Words) -> BigUint {
    words.iter().rev().fold(BigUint::from(0_u32), |sum, &word| (sum << 64_u32) + word)
}

pub(super) fn words(number: &BigUint) -> Words {
    let mut words = number.to_u64_digits();
    words.resize(4, 0);
    words.try_into().expect("256 bits")
}

fn p() -> BigUint {
    big(&crate::fields::p256::number::P::WORDS)
}

fn n() -> BigUint {
    big(&N::WORDS)
}

fn base_point() -> Model {
    let Affine { x, y } = BASE_POINT;
    Some((big(&x.to_words()), big(&y.to_words())))
}

/// The group law, with an inversion each time.
fn sum(a: &Model, b: &Model) -> Model {
    let (Some((x_1, y_1)), Some((x_2, y_2))) = (a, b) else {
        return a.clone().or_else(|| b.clone());
    };
    let p = p();
    let inverse = |x: BigUint| x.modinv(&p).expect("not a multiple of p");
    let slope = if x_1 != x_2 {
        (y_2 + &p - y_1) * inverse(x_2 + &p - x_1)
    } else if y_1 == y_2 {
        3_u32 * (x_1 * x_1 + &p - 1_u32) * inverse(2_u32 * y_1)
    } else {
        return None;
    } % &p;
    let x = (&slope * &slope + 2_u32 * &p - x_1 - x_2) % &p;
    let y = (slope * (x_1 + &p - &x) + &p - y_1) % &p;
    Some((x, y))
}

/// Multiples of a point.
struct Multiples {
    /// The point times 2^i.
    powers: Vec<Model>,
}

impl Multiples {
    fn of(point: Model) -> Self {
        let double = |point: &Model| Some(sum(point, point));
        Self { powers: std::iter::successors(Some(point), double).take(256).collect() }
    }

    fn times(&self, k: &BigUint) -> Model {
        let powers = (0..k.bits()).zip(&self.powers).filter(|&(i, _)| k.bit(i));
        powers.fold(None, |product, (_, power)| sum(&product, power))
    }
}

fn of(point: &Point<Number>) -> Model {
    if point.z.is_zero() != 0 {
        return None;
    }
    let Affine { x, y } = affine(point);
    Some((big(&x.to_words()), big(&y.to_words())))
}

fn number(x: &BigUint) -> Number {
    Number::new(words(x))
}

fn point(model: &Model) -> Affine<Number> {
    let (x, y) = model.as_ref().expect("not infinite");
    Affine { x: number(x), y: number(y) }
}

/// 0 to 2000 and n - 2000 to n - 1, each with its multiple of G.
pub(super) fn small_and_large() -> Vec<(BigUint, Model)> {
    let (mut at, g) = (None, base_point());
    let mut all = Vec::new();
    for k in 0..=2000_u32 {
        let opposite = at.as_ref().map(|(x, y): &(BigUint, BigUint)| (x.clone(), p() - y));
        all.push((BigUint::from(k), at.clone()));
        if k > 0 {
            all.push((n() - k, opposite));
        }
        at = sum(&at, &g);
    }
    all
}

/// Scalars whose sums meet points that are close: powers of 2, digits of one value, and edges of the last sum.
pub(super) fn close() -> Vec<BigUint> {
    let mut all = Vec::new();
    for bit in 0..256_u32 {
        let power = BigUint::from(1_u32) << bit;
        all.extend([&power - 1_u32, power.clone(), power + 1_u32]);
    }
    for digit in 1..32_u32 {
        let ones = ((BigUint::from(1_u32) << 255_u32) - 1_u32) / 31_u32 * digit;
        all.extend([ones.clone(), ones + 1_u32]);
    }
    for digit in 1..16_u32 {
        let ones = ((BigUint::from(1_u32) << 256_u32) - 1_u32) / 15_u32 * digit;
        all.extend([ones.clone(), ones + 1_u32]);
    }
    // Those whose last sum is of equal points, and their neighbours: 2^256 - n, and n - 2 (n mod 16^63).
    let equal = (BigUint::from(1_u32) << 256_u32) - n();
    all.extend([&equal - 1_u32, equal.clone(), equal + 1_u32]);
    let rest = n() % (BigUint::from(1_u32) << 252_u32);
    let equal = n() - 2_u32 * rest;
    all.extend([&equal - 1_u32, equal.clone(), equal + 1_u32, n() / 2_u32, n() / 2_u32 + 1_u32]);
    all.into_iter().filter(|k| *k < n()).collect()
}

#[test]
fn base_point_is_on_the_curve() {
    assert_eq!(is_on_curve(&BASE_POINT), !0);
    assert_eq!(Multiples::of(base_point()).times(&n()), None);
}

/// Every entry of the table is the multiple that the model has. `ROPEWALK_TABLES` names a folder to write it to.
#[test]
fn table_has_the_multiples() {
    let mut first = base_point();
    let mut windows = Vec::new();
    for _ in 0..BASE_WINDOWS {
        let twice = sum(&first, &first);
        let (mut at, mut rows) = (first.clone(), [[0; 16]; 8]);
        for entry in 0..16 {
            let Affine { x, y } = point(&at);
            for (row, word) in rows.iter_mut().zip([x.to_raw(), y.to_raw()].as_flattened()) {
                row[entry] = *word;
            }
            at = sum(&at, &twice);
        }
        windows.push(rows);
        first = Multiples::of(first).times(&BigUint::from(32_u32));
    }
    hold("p256.bin", &windows, &BASE.0);
}

#[test]
fn multiples_equal_the_model() {
    let g = Multiples::of(base_point());
    for (k, want) in small_and_large() {
        assert_eq!(of(&base_multiple(words(&k))), want, "{k} G");
        assert_eq!(of(&multiple(&BASE_POINT, words(&k))), want, "{k} G");
    }
    for k in close() {
        let want = g.times(&k);
        assert_eq!(of(&base_multiple(words(&k))), want, "{k} G");
        assert_eq!(of(&multiple(&BASE_POINT, words(&k))), want, "{k} G");
    }
}

#[test]
fn double_multiples_equal_the_model() {
    let g = Multiples::of(base_point());
    let scalars: Vec<_> =
        close().into_iter().step_by(97).chain([0_u32, 1, 2, 3].map(BigUint::from)).collect();
    let small: Vec<_> =
        [1_u32, 2, 3, 16].map(BigUint::from).into_iter().chain([n() - 1_u32]).collect();
    for times in &small {
        // Q is a small multiple of G, so that both sums meet.
        let q = g.times(times);
        for u in &scalars {
            for v in [&scalars[..3], &small[..]].concat() {
                let want = g.times(&((u + times * &v) % n()));
                let got = double_multiple_vartime(words(u), &point(&q), words(&v));
                assert_eq!(of(&got), want, "{u} G + {v} {times} G");
            }
        }
        let opposite = n() - times;
        let got =
            double_multiple_vartime(words(&opposite), &point(&q), words(&BigUint::from(1_u32)));
        assert_eq!(of(&got), None);
    }
}

/// Sums of all pairs of some points, infinite, equal and opposite ones too, each with several Z.
#[test]
fn sums_are_exact() {
    let (g, two) = (Multiples::of(base_point()), Number::ONE + Number::ONE);
    let models: Vec<_> = [0_u32, 1, 2, 3, 7].map(|k| g.times(&BigUint::from(k))).into();
    let mut points = Vec::new();
    for model in &models {
        for z in [Number::ONE, two, two.square() - Number::ONE] {
            let (zz, infinite) = (z.square(), Point { x: z, y: two, z: Number::ZERO });
            let of = |model: &Model| Point {
                x: point(model).x.times(zz),
                y: point(model).y.times(zz.times(z)),
                z,
            };
            let one = if model.is_some() { of(model) } else { infinite };
            points.extend([one, one.negated_where(!0)]);
        }
    }
    for a in &points {
        assert_eq!(of(&a.double()), sum(&of(a), &of(a)));
        for b in &points {
            assert_eq!(of(&add(a, b)), sum(&of(a), &of(b)));
        }
    }
}
