//! Multiples of points with IFMA, for eight scalars.

pub(crate) mod spread;

use super::{
    digits,
    edwards::{Affine, Point},
    edwards25519::BASE,
    tables::Window,
};
#[cfg(feature = "ed25519")]
use super::{edwards::Addend, edwards25519::TWICE_D};
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
        let digits = digits.each_ref().map(|digits| i64::from(digits[at]).cast_unsigned());
        add_multiples(cpu, &mut sum, window, &digits);
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
    /// The place of the multiple in a window.
    index: Ifma,
    /// Those that are not zero.
    some: u8,
    negative: u8,
}

impl Digits {
    /// Of words.
    #[inline(always)]
    fn new(cpu: Avx512Ifma, digits: &[u64; 8]) -> Self {
        let digits = Ifma::load(cpu, digits);
        let negative = digits.and(1 << 63).nonzero();
        let magnitude = digits.or_where(negative, digits.like(0).minus(digits));
        Self { index: magnitude.minus(magnitude.like(1)), some: magnitude.nonzero(), negative }
    }

    /// The multiples, given the words of the window at that index.
    #[inline(always)]
    fn multiples(&self, words: [Ifma; 12]) -> Affine<Lanes> {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = words;
        let one = Lanes::splat(self.index, Number::ONE);
        // 0 times is the point (0, 1).
        Affine {
            sum: one.or_where(self.some, Lanes::from_words([a, b, c, d])),
            difference: one.or_where(self.some, Lanes::from_words([e, f, g, h])),
            product: one.like(0).or_where(self.some, Lanes::from_words([i, j, k, l])),
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
    let words = |digits: &[[i8; 64]; 8], at: usize| {
        digits.each_ref().map(|digits| i64::from(digits[at]).cast_unsigned())
    };
    let mut sum = Point::neutral(one(cpu));
    for at in (0..64).rev() {
        double_four_times(cpu, &mut sum);
        add_chosen(cpu, &mut sum, &multiples, &words(&k, at));
        add_multiples(cpu, &mut sum, &BASE.0[0], &words(&s, at));
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
    let inverse = proven!(Avx512Ifma: cpu, once fn enter(b: &Lanes) -> Lanes { inverse(*b) });
    for (a, out) in a.into_iter().zip(out) {
        let mut limbs = Wiped::new([[0; 8]; 5]);
        let limbs_of = &mut *limbs;
        proven!(Avx512Ifma: cpu, once fn enter(a: &Lanes, inverse: Lanes, limbs_of: &mut [[u64; 8]; 5]) -> () {
            for (to, limb) in limbs_of.iter_mut().zip(a.times(inverse).0) {
                limb.store(to);
            }
        });
        for (lane, out) in out.iter_mut().enumerate() {
            *out = Number([0, 1, 2, 3, 4].map(|limb| limbs[limb][lane])).to_bytes();
        }
    }
}
