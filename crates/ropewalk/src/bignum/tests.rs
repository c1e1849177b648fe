//! Numbers against those of `num-bigint`.

use num_bigint::BigUint;

use super::{Bits, Limbs, Modulus, Number, Room, Words, inverse_of_small};

/// Random numbers that lean towards edges.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn limb(&mut self) -> u64 {
        match self.word() % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (self.word() % 64),
            3 => (1 << (self.word() % 64)) - 1,
            _ => self.word(),
        }
    }

    /// Of at most so many bits.
    pub(crate) fn number(&mut self, bits: usize) -> BigUint {
        let limbs: Vec<u32> = (0..bits.div_ceil(64))
            .flat_map(|_| {
                let limb = self.limb();
                [limb as u32, (limb >> 32) as u32]
            })
            .collect();
        BigUint::new(limbs) & ((BigUint::from(1_u8) << bits) - 1_u8)
    }

    /// Odd, of exactly so many bits.
    pub(crate) fn odd(&mut self, bits: usize) -> BigUint {
        let ends = (BigUint::from(1_u8) << (bits - 1)) | BigUint::from(1_u8);
        self.number(bits) | ends
    }

    /// Below m: often an edge.
    pub(crate) fn below(&mut self, m: &BigUint) -> BigUint {
        let words = m.bits() / 52 + 1;
        let one = BigUint::from(1_u8);
        let edge = match self.word() % 10 {
            0 => BigUint::ZERO,
            1 => one,
            2 => m - 1_u8,
            3 => (one << m.bits()) - 1_u8,
            4 => one << (52 * (self.word() % words)),
            5 => (one << (52 * (self.word() % words))) + 1_u8,
            6 => (one << (52 * (1 + self.word() % words))) - 1_u8,
            _ => self.number(m.bits() as usize),
        };
        edge % m
    }
}

pub(crate) fn ours(x: &BigUint, len: Limbs) -> Number {
    Number::from_be_bytes(&x.to_bytes_be(), len).unwrap()
}

pub(crate) fn theirs(x: &Number) -> BigUint {
    let mut bytes = [0; 512];
    x.to_be_bytes(&mut bytes);
    BigUint::from_bytes_be(&bytes)
}

fn modulus(m: &BigUint) -> Modulus {
    Modulus::new(&ours(m, Limbs::MOST), None).unwrap()
}

const SIZES: [usize; 14] = [2, 3, 63, 64, 65, 127, 128, 129, 521, 1023, 1024, 2048, 2049, 4096];

#[test]
fn montgomery_of_every_length() {
    let mut draw = Draw::new(1);
    let mut room = Room::new();
    for size in SIZES.into_iter().chain((1..64).map(|limbs| 64 * limbs + 7)) {
        let m = draw.odd(size);
        let modulus = modulus(&m);
        assert_eq!(modulus.bits(), Bits(size));
        let len = modulus.len();
        for _ in 0..12 {
            let [a, b] = [draw.below(&m), draw.below(&m)];
            let mut x = ours(&a, len);
            modulus.enter(&mut x, &mut room);
            assert_eq!(theirs(&x), (&a << (64 * len.get())) % &m);
            modulus.multiply(&mut x, &ours(&b, len), &mut room);
            assert_eq!(theirs(&x), &a * &b % &m, "{size}");
            let mut x = ours(&a, len);
            modulus.square(&mut x, &mut room);
            modulus.enter(&mut x, &mut room);
            assert_eq!(theirs(&x), &a * &a % &m, "{size}");
            modulus.leave(&mut x, &mut room);
            modulus.enter(&mut x, &mut room);
            assert_eq!(theirs(&x), &a * &a % &m, "{size}");
            modulus.subtract(&mut x, &ours(&b, len));
            assert_eq!(theirs(&x), (&a * &a % &m + &m - &b) % &m);
        }
    }
}

#[test]
fn remainders_of_twice_the_length() {
    let mut draw = Draw::new(2);
    let mut room = Room::new();
    for size in [64, 100, 1024, 1030, 1536, 2048] {
        for _ in 0..50 {
            let [m, other] = [draw.odd(size), draw.odd(size)];
            let modulus = modulus(&m);
            let len = modulus.len().doubled();
            for x in
                [&m * &other - 1_u8, draw.below(&(&m * &other)), &m * draw.below(&other), m.clone()]
            {
                assert_eq!(theirs(&modulus.remainder(&ours(&x, len), &mut room)), x % &m, "{size}");
            }
        }
    }
}

#[test]
fn powers() {
    let mut draw = Draw::new(3);
    let mut room = Room::new();
    for size in [64, 65, 512, 1024, 1025, 2048] {
        let m = draw.odd(size);
        let modulus = modulus(&m);
        let len = Limbs::new(modulus.len().get() + 1);
        for bits in [1, 5, 6, 64, size.min(300)] {
            let [a, e] = [draw.below(&m), draw.number(bits)];
            let mut x = ours(&a, modulus.len());
            modulus.power(&mut x, &ours(&e, len), Bits(bits), &mut room);
            assert_eq!(theirs(&x), a.modpow(&e, &m), "{size} {bits}");
        }
    }
    for size in [65, 1024, 2048, 4096] {
        let m = draw.odd(size);
        let modulus = modulus(&m);
        for e in [0, 1, 2, 3, 17, 65537, u64::MAX, draw.word()] {
            let a = draw.below(&m);
            let mut x = ours(&a, modulus.len());
            modulus.power_vartime(&mut x, e, &mut room);
            assert_eq!(theirs(&x), a.modpow(&e.into(), &m), "{size} {e}");
        }
    }
}

#[test]
fn sums_and_products() {
    let mut draw = Draw::new(4);
    for size in SIZES {
        let len = Bits(size).limbs();
        for _ in 0..20 {
            let [a, b] = [draw.number(size), draw.number(size)];
            let [x, y] = [ours(&a, len), ours(&b, len)];
            let top = BigUint::from(1_u8) << (64 * len.get());
            let mut sum = x.clone();
            let carry = sum.add(&y);
            assert_eq!(theirs(&sum) + &top * carry, &a + &b);
            let mut difference = x.clone();
            let borrow = difference.subtract(&y);
            assert_eq!(theirs(&difference) + &b, &top * borrow + &a);
            assert_eq!(bool::from(x.is_less(&y)), a < b);
            assert!(!bool::from(x.is_less(&x)));
            assert_eq!(bool::from(x.equals(&y)), a == b);
            assert!(bool::from(x.equals(&x.resized(Limbs::MOST))));
            assert_eq!(bool::from(x.is_zero()), a == BigUint::ZERO);
            assert_eq!(x.size(), Bits(a.bits() as usize));
            if len <= Limbs::HALF {
                assert_eq!(theirs(&Number::product(&x, &y, len.doubled())), &a * &b);
            }
            let words = x.words::<80>();
            assert!(words.iter().all(|word| *word >> 52 == 0));
            let back = words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << 52) + *word);
            assert_eq!(back, a);
            assert!(bool::from(Number::of_words(&words, len).equals(&x)));
            for at in [0, 1, 52, 63, 64, size - 1, size, 4095] {
                assert_eq!(BigUint::from(x.window(Bits(at), 5)), (&a >> at) % 32_u8, "{at}");
            }
        }
    }
    assert_eq!(Words(21).bits(), Bits(1092));
}

#[test]
fn bytes_that_do_not_fit() {
    let [one, two] = [Limbs::new(1), Limbs::new(2)];
    let mut bytes = [0; 24];
    bytes[15] = 7;
    assert!(Number::from_be_bytes(&bytes, one).is_none());
    assert_eq!(Number::from_be_bytes(&bytes, two).unwrap().as_slice(), [0, 7]);
    bytes[0] = 1;
    assert!(Number::from_be_bytes(&bytes, two).is_none());
    assert!(bool::from(Number::from_be_bytes(&[], one).unwrap().is_zero()));
    let mut back = [9; 3];
    Number::word(0x01_0203, one).to_be_bytes(&mut back);
    assert_eq!(back, [1, 2, 3]);
}

#[test]
fn even_and_tiny_moduli() {
    for word in [0, 1, 2, 4, 65536] {
        assert!(Modulus::new(&Number::word(word, Limbs::MOST), None).is_none());
    }
    assert!(Modulus::new(&Number::word(3, Limbs::MOST), None).is_some());
}

#[test]
fn small_divisors() {
    let mut draw = Draw::new(5);
    // Of the longest length too, whose product with a word is longer.
    for size in [64, 65, 1024, 1056, 4095, 4096] {
        let len = Bits(size).limbs();
        for e in [3, 5, 17, 65537, u64::MAX, u64::MAX - 4, draw.word() | 1] {
            let a = draw.number(size);
            let (quotient, rest) = ours(&a, len).divided_by(e);
            assert_eq!((theirs(&quotient), BigUint::from(rest)), (&a / e, &a % e));
            let m = draw.odd(size) - 1_u8;
            let found = inverse_of_small(e, &ours(&m, len));
            match found {
                Some(x) => assert_eq!(theirs(&x) * e % &m, BigUint::from(1_u8), "{size} {e}"),
                None => assert!(BigUint::from(e).modinv(&m).is_none(), "{size} {e}"),
            }
        }
    }
}
