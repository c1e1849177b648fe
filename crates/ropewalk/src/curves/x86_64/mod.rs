//! Multiples of points with IFMA, for eight scalars.

pub(crate) mod spread;

use super::{
    digits,
    edwards::{Affine, Point},
    edwards25519::BASE,
    tables::Window,
};
#[cfg(all(feature = "ed25519", feature = "many"))]
use alloc::vec::Vec;

#[cfg(all(feature = "ed25519", feature = "many"))]
use super::edwards25519::{D, ROOT_OF_MINUS_1, Term};
#[cfg(feature = "ed25519")]
use super::{edwards::Addend, edwards25519::TWICE_D};
#[cfg(all(feature = "ed25519", feature = "many"))]
use crate::fields::p25519::root_power;
use crate::{
    core::{cpu::Avx512Ifma, secret::Wiped},
    fields::{
        Field as _,
        lanes::Word as _,
        p25519::{inverse, lanes::Numbers, number::Number},
        x86_64::Ifma,
    },
};

/// Numbers of eight lanes.
pub(crate) type Lanes = Numbers<Ifma>;

/// k B for each of eight little-endian k below 2^255. In constant time.
pub(crate) fn base_multiples(cpu: Avx512Ifma, k: &[&[u8; 32]; 8]) -> Point<Lanes> {
    let mut sum = Point::neutral(one(cpu));
    let digits = Wiped::new(k.map(digits::signed_16));
    for (at, window) in BASE.0.iter().enumerate() {
        add_multiples(cpu, &mut sum, window, &words_at(&digits, at));
    }
    sum
}

fn add_multiples(cpu: Avx512Ifma, sum: &mut Point<Lanes>, window: &Window<12>, digits: &[u64; 8]) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, sum: &mut Point<Lanes>, window: &Window<12>, digits: &[u64; 8]) -> () {
        let digits = Digits::new(cpu, digits);
        let mut words = [digits.index; 12];
        for (word, row) in words.iter_mut().zip(window) {
            *word = digits.index.look_up(Ifma::load(cpu, row));
        }
        *sum = sum.add_affine(&digits.multiples(words)).point();
    });
}

/// Digits of -8 to 8, one a lane.
struct Digits {
    /// The place of the multiple in a window. All ones for zero, which has none.
    index: Ifma,
    negative: u8,
}

impl Digits {
    /// Of words.
    #[inline(always)]
    fn new(cpu: Avx512Ifma, digits: &[u64; 8]) -> Self {
        let digits = Ifma::load(cpu, digits);
        let negative = digits.and(1 << 63).nonzero();
        let magnitude = digits.or_where(negative, digits.like(0).minus(digits));
        Self { index: magnitude.minus(magnitude.like(1)), negative }
    }

    /// The multiples, given the words of the window at that index.
    #[inline(always)]
    fn multiples(&self, mut words: [Ifma; 12]) -> Affine<Lanes> {
        // 0 times is the point (0, 1). Not by a mask register: the compiler would load constants under the mask.
        let zero = self.index.shr::<63>();
        let some = zero.minus(zero.like(1)).opaque();
        for word in &mut words {
            *word = word.both(some);
        }
        words[0] = words[0].plus(zero);
        words[4] = words[4].plus(zero);
        let [a, b, c, d, e, f, g, h, i, j, k, l] = words;
        Affine {
            sum: Lanes::from_words([a, b, c, d]),
            difference: Lanes::from_words([e, f, g, h]),
            product: Lanes::from_words([i, j, k, l]),
        }
        .negated_where(self.negative)
    }
}

/// 1 in each lane.
pub(crate) fn one(cpu: Avx512Ifma) -> Lanes {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma) -> Lanes { Lanes::splat(Ifma::splat(cpu, 0), Number::ONE) })
}

/// The number of each lane, from 32 little-endian bytes without their highest bit.
pub(crate) fn lanes(cpu: Avx512Ifma, bytes: &[&[u8; 32]; 8]) -> Lanes {
    let mut words = Wiped::new([[0; 8]; 4]);
    for (lane, bytes) in bytes.iter().enumerate() {
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            word[lane] = u64::from_le_bytes(*bytes);
        }
    }
    let words = &*words;
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, words: &[[u64; 8]; 4]) -> Lanes {
        let [a, b, c, d] = words;
        Lanes::from_words([Ifma::load(cpu, a), Ifma::load(cpu, b), Ifma::load(cpu, c), Ifma::load(cpu, d)])
    })
}

/// s B + k P for each of eight, all of which are public.
#[cfg(feature = "ed25519")]
pub(crate) fn public_sums(
    cpu: Avx512Ifma,
    s: &[&[u8; 32]; 8],
    k: &[[u8; 32]; 8],
    p: &[&Point<Number>; 8],
) -> Point<Lanes> {
    let multiples = multiples_of(cpu, &points(cpu, p));
    let (s, k) = (s.map(digits::signed_16), k.each_ref().map(digits::signed_16));
    let mut sum = Point::neutral(one(cpu));
    for at in (0..64).rev() {
        double_four_times(cpu, &mut sum);
        add_chosen(cpu, &mut sum, &multiples, &words_at(&k, at));
        add_multiples(cpu, &mut sum, &BASE.0[0], &words_at(&s, at));
    }
    sum
}

#[cfg(feature = "ed25519")]
fn double_four_times(cpu: Avx512Ifma, sum: &mut Point<Lanes>) {
    proven!(Avx512Ifma: cpu, once fn enter(sum: &mut Point<Lanes>) -> () {
        for _ in 0..3 {
            *sum = sum.double().without_t();
        }
        *sum = sum.double().point();
    });
}

/// Adds a multiple for each lane, of digits -8 to 8 as words.
#[cfg(feature = "ed25519")]
fn add_chosen(
    cpu: Avx512Ifma,
    sum: &mut Point<Lanes>,
    multiples: &[Addend<Lanes>; 9],
    digits: &[u64; 8],
) {
    proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, sum: &mut Point<Lanes>, multiples: &[Addend<Lanes>; 9], digits: &[u64; 8]) -> () {
        let digits = Digits::new(cpu, digits);
        let mut chosen = multiples[0];
        for i in 1..9 {
            let others = digits.index.minus(digits.index.like(i as u64 - 1)).nonzero();
            chosen = multiples[i].or_where(others, &chosen);
        }
        *sum = sum.add(&chosen.negated_where(digits.negative)).point();
    });
}

#[cfg(feature = "ed25519")]
fn add(cpu: Avx512Ifma, sum: &mut Point<Lanes>, addend: &Addend<Lanes>) {
    proven!(Avx512Ifma: cpu, once fn enter(sum: &mut Point<Lanes>, addend: &Addend<Lanes>) -> () {
        *sum = sum.add(addend).point();
    });
}

/// The sum of -z R - z k A of all terms, all of which are public. None if some R is no point.
#[cfg(all(feature = "ed25519", feature = "many"))]
pub(crate) fn sum_of_terms(cpu: Avx512Ifma, terms: &[Term<'_>]) -> Option<Point<Number>> {
    /// Digits of a z, and a carry.
    const OF_Z: usize = 33;
    let groups = terms.len().div_ceil(8);
    let mut all = Vec::with_capacity(2 * groups);
    for group in terms.chunks(8) {
        // Lanes without a term have zeros.
        let first = Term { z: [0; 32], zk: [0; 32], ..group[0] };
        let mut lanes = [first; 8];
        lanes[..group.len()].copy_from_slice(group);
        let minus_r = negated(cpu, &decode(cpu, &lanes.map(|term| term.r))?);
        all.push((lanes.map(|term| digits::signed_16(&term.z)), multiples_of(cpu, &minus_r)));
        let minus_a = points(cpu, &lanes.map(|term| term.minus_a));
        all.push((lanes.map(|term| digits::signed_16(&term.zk)), multiples_of(cpu, &minus_a)));
    }
    let mut sum = Point::neutral(one(cpu));
    for at in (0..64).rev() {
        double_four_times(cpu, &mut sum);
        for (i, (digits, multiples)) in all.iter().enumerate() {
            if i % 2 == 1 || at < OF_Z {
                add_chosen(cpu, &mut sum, multiples, &words_at(digits, at));
            }
        }
    }
    Some(spread::sum_of_lanes(cpu, sum))
}

/// Digits at a place, as words.
fn words_at(digits: &[[i8; 64]; 8], at: usize) -> [u64; 8] {
    digits.each_ref().map(|digits| i64::from(digits[at]).cast_unsigned())
}

/// The point of each lane (section 5.1.3). None if some bytes are those of no point.
#[cfg(all(feature = "ed25519", feature = "many"))]
fn decode(cpu: Avx512Ifma, bytes: &[&[u8; 32]; 8]) -> Option<Point<Lanes>> {
    let y = lanes(cpu, bytes);
    // x^2 = u / v.
    let (u, v, x) = proven!(Avx512Ifma: cpu, once fn enter(y: Lanes) -> (Lanes, Lanes, Lanes) {
        let (one, d) = (y.like(1), Lanes::splat(y.0[0], D));
        let yy = y.square();
        let (u, v) = (yy - one, one + d.times(yy));
        let vvv = v.square().times(v);
        let x = u.times(vvv).times(root_power(u.times(vvv.square()).times(v)));
        (u, v, x)
    });
    let (vxx, other) = proven!(Avx512Ifma: cpu, once fn enter(v: Lanes, x: Lanes) -> (Lanes, Lanes) {
        (v.times(x.square()), x.times(Lanes::splat(x.0[0], ROOT_OF_MINUS_1)))
    });
    let [y_bytes, u_bytes, vxx, x_bytes, other_bytes] =
        [y, u, vxx, x, other].map(|number| to_bytes(cpu, &number));
    let (mut is_other, mut is_negative) = (0, 0);
    for (lane, bytes) in bytes.iter().enumerate() {
        let mut without_sign = **bytes;
        without_sign[31] &= 127;
        let sum = Number::from_bytes(&u_bytes[lane]) + Number::from_bytes(&vxx[lane]);
        let root = match vxx[lane] == u_bytes[lane] {
            true => x_bytes[lane],
            false if sum.is_zero() != 0 => {
                is_other |= 1 << lane;
                other_bytes[lane]
            }
            false => return None,
        };
        let is_odd = bytes[31] >> 7;
        if without_sign != y_bytes[lane] || root == [0; 32] && is_odd == 1 {
            return None;
        }
        is_negative |= ((root[0] & 1) ^ is_odd) << lane;
    }
    let (x, t) = proven!(Avx512Ifma: cpu, once fn enter(x: Lanes, other: Lanes, y: Lanes, is_other: u8, is_negative: u8) -> (Lanes, Lanes) {
        let x = x.or_where(is_other, other);
        let x = x.or_where(is_negative, x.negated());
        (x, x.times(y))
    });
    Some(Point { x, y, z: one(cpu), t })
}

/// The number of each lane, below p, as 32 little-endian bytes.
fn to_bytes(cpu: Avx512Ifma, number: &Lanes) -> [[u8; 32]; 8] {
    let (mut limbs, mut bytes) = (Wiped::new([[0; 8]; 5]), [[0; 32]; 8]);
    spread::store(cpu, number, &mut limbs);
    for (lane, bytes) in bytes.iter_mut().enumerate() {
        *bytes = Number([0, 1, 2, 3, 4].map(|limb| limbs[limb][lane])).to_bytes();
    }
    bytes
}

/// The multiples 0 to 8 of each point.
#[cfg(feature = "ed25519")]
fn multiples_of(cpu: Avx512Ifma, p: &Point<Lanes>) -> [Addend<Lanes>; 9] {
    let mut multiples = [addend(cpu, &Point::neutral(one(cpu))); 9];
    multiples[1] = addend(cpu, p);
    let mut sum = *p;
    for i in 2..9 {
        add(cpu, &mut sum, &multiples[1]);
        multiples[i] = addend(cpu, &sum);
    }
    multiples
}

#[cfg(all(feature = "ed25519", feature = "many"))]
fn negated(cpu: Avx512Ifma, p: &Point<Lanes>) -> Point<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(p: &Point<Lanes>) -> Point<Lanes> { p.negated() })
}

#[cfg(feature = "ed25519")]
fn addend(cpu: Avx512Ifma, p: &Point<Lanes>) -> Addend<Lanes> {
    proven!(Avx512Ifma: cpu, once fn enter(p: &Point<Lanes>) -> Addend<Lanes> {
        p.addend(Lanes::splat(p.x.0[0], TWICE_D))
    })
}

/// A point for each lane.
#[cfg(feature = "ed25519")]
fn points(cpu: Avx512Ifma, p: &[&Point<Number>; 8]) -> Point<Lanes> {
    let number = |of: fn(&Point<Number>) -> Number| {
        let bytes = p.map(|p| of(p).to_bytes());
        lanes(cpu, &bytes.each_ref())
    };
    Point { x: number(|p| p.x), y: number(|p| p.y), z: number(|p| p.z), t: number(|p| p.t) }
}

/// a / b in each lane for each a, below p, as 32 little-endian bytes. 0 where b is 0.
pub(crate) fn quotients<const N: usize>(
    cpu: Avx512Ifma,
    a: [&Lanes; N],
    b: &Lanes,
    out: [&mut [[u8; 32]; 8]; N],
) {
    let inverse = &proven!(Avx512Ifma: cpu, once fn enter(b: &Lanes) -> Lanes { inverse(*b) });
    for (a, out) in a.into_iter().zip(out) {
        let quotient = proven!(Avx512Ifma: cpu, once fn enter(a: &Lanes, inverse: &Lanes) -> Lanes { a.times(*inverse) });
        *out = to_bytes(cpu, &quotient);
    }
}
