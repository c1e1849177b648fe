//! Eight powers at a time, with products of 52 bits.

use alloc::vec::Vec;
use core::{arch::x86_64::*, array, mem::swap};

use super::super::{EIGHT, Lanes, Moduli, PowerMany};
use crate::{
    bignum::{Bits, Limbs, Number},
    core::{
        cpu::Avx512Ifma,
        secret::Wiped,
        simd::x86_64::{load_u64x8, store_u64x8},
    },
};
use blocks::{Block, MOST, Room, V, WORDS, multiply, square};

mod blocks;

pub(in crate::public::rsa) struct Ifmax8 {
    cpu: Avx512Ifma,
}

impl PowerMany for Ifmax8 {
    fn secret(&self, moduli: &Moduli<'_>, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes) {
        proven!(Avx512Ifma: self.cpu, once fn enter(moduli: &Moduli<'_>, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes) -> () {
            Powers::new(moduli).secret(e, bits, x)
        });
    }

    fn public(&self, moduli: &Moduli<'_>, e: &[u64; EIGHT], x: &mut Lanes) {
        proven!(Avx512Ifma: self.cpu, once fn enter(moduli: &Moduli<'_>, e: &[u64; EIGHT], x: &mut Lanes) -> () {
            Powers::new(moduli).public(e, x)
        });
    }
}

impl Ifmax8 {
    pub(in crate::public::rsa) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }
}

/// Bits of a secret exponent that are processed at a time. With one more the table would have 80 KiB.
const WINDOW: u32 = 4;

/// Eight numbers. Those of fewer blocks leave the last ones unused.
type Wide = [Block; MOST];

/// Half of the longest length: that of primes.
type Row = [Block; MOST / 2];

/// Moduli of the same length in limbs.
struct Powers<'a> {
    moduli: &'a Moduli<'a>,
    /// Bits of 2^64 to the number of limbs.
    s: usize,
    /// Bits of R. A block of words has a few bits more than eight limbs.
    r: usize,
    blocks: usize,
    m: Wiped<Wide>,
    k: V,
    room: Wiped<Room>,
}

impl<'a> Powers<'a> {
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new(moduli: &'a Moduli<'a>) -> Self {
        let len = moduli[0].len();
        let blocks = len.get().div_ceil(8);
        let mut m = Wiped::new(zero());
        put(&mut m[..blocks], &moduli.map(|modulus| modulus.number()));
        let k = load_u64x8(&moduli.map(|modulus| modulus.negative_inverse()));
        let (s, r) = (len.bits().0, 52 * WORDS * blocks);
        Self { moduli, s, r, blocks, m, k, room: Wiped::new(Room::new()) }
    }

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn secret(mut self, e: &[&Number; EIGHT], bits: Bits, x: &mut Lanes) {
        if self.moduli[0].len() > Limbs::HALF {
            return x.iter_mut().for_each(|x| x.as_mut_slice().fill(0));
        }
        let mut places = Wiped::new([zero(); 2]);
        let [first, second] = &mut *places;
        let mut power = Running { now: first, next: second };
        let mut base = Wiped::new(zero());
        self.enter(x, &mut power);
        *base = *power.now;
        // 40 KiB, on the heap: stacks of threads may be small.
        let mut table = Vec::with_capacity(1 << WINDOW);
        self.set_power_of_two(self.r, &mut power);
        for _ in 0..1 << WINDOW {
            table.push(Wiped::new([zero_block(); MOST / 2]));
        }
        for row in &mut table {
            row.copy_from_slice(&power.now[..MOST / 2]);
            self.multiply(&mut power, &base[..]);
        }
        power.now[..MOST / 2].copy_from_slice(&table[0][..]);
        let mut row = Wiped::new(*table[0]);
        for i in (0..bits.0.div_ceil(WINDOW as usize)).rev() {
            for _ in 0..WINDOW {
                self.square(&mut power);
            }
            let at = Bits(i * WINDOW as usize);
            let index = load_u64x8(&array::from_fn(|lane| e[lane].window(at, WINDOW)));
            read(&table, index, &mut row[..self.blocks]);
            self.multiply(&mut power, &row[..]);
        }
        self.leave(&mut power, x);
    }

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn public(mut self, e: &[u64; EIGHT], x: &mut Lanes) {
        let mut places = [zero(); 2];
        let [first, second] = &mut places;
        let mut power = Running { now: first, next: second };
        self.enter(x, &mut power);
        let base = *power.now;
        self.set_power_of_two(self.r, &mut power);
        let one = *power.now;
        // In lanes with a shorter exponent, one is squared first.
        let top = e.iter().fold(0, |all, e| all | e).checked_ilog2().unwrap_or(0);
        for i in (0..=top).rev() {
            let mask = e.iter().rev().fold(0, |mask, e| mask << 1 | (e >> i & 1) as u8);
            if i == top {
                select(power.now, &one, mask, &base);
                continue;
            }
            self.square(&mut power);
            if mask == 0xff {
                self.multiply(&mut power, &base[..]);
            } else if mask != 0 {
                let before = *power.now;
                self.multiply(&mut power, &base[..]);
                let after = *power.now;
                select(power.now, &before, mask, &after);
            }
        }
        self.leave(&mut power, x);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn multiply(&mut self, power: &mut Running<'_>, factor: &[Block]) {
        let blocks = self.blocks;
        let moduli = blocks::Moduli { m: &self.m[..blocks], k: self.k };
        multiply(
            &mut power.next[..blocks],
            &power.now[..blocks],
            &factor[..blocks],
            &moduli,
            &mut self.room,
        );
        swap(&mut power.now, &mut power.next);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn square(&mut self, power: &mut Running<'_>) {
        let blocks = self.blocks;
        let moduli = blocks::Moduli { m: &self.m[..blocks], k: self.k };
        square(&mut power.next[..blocks], &power.now[..blocks], &moduli, &mut self.room);
        swap(&mut power.now, &mut power.next);
    }

    /// The Montgomery forms of these numbers.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn enter(&mut self, x: &Lanes, power: &mut Running<'_>) {
        self.set_power_of_two(2 * self.r, power);
        let mut factor = Wiped::new(zero());
        put(&mut factor[..self.blocks], &x.each_ref());
        self.multiply(power, &factor[..]);
    }

    /// 2^`exponent` modulo each m. The moduli have 2^2s, of which a product is 2^(4s − r).
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn set_power_of_two(&mut self, exponent: usize, power: &mut Running<'_>) {
        let (s, r) = (self.s, self.r);
        let mut rr = Wiped::new(zero());
        put(&mut rr[..self.blocks], &self.moduli.map(|modulus| modulus.square_of_r()));
        *power.now = *rr;
        let least = self.moduli.iter().map(|modulus| modulus.bits().0).min().unwrap_or(0);
        let mut left = (exponent + r).saturating_sub(2 * s);
        // A factor 2^left is below 2m.
        while left > least {
            self.multiply(power, &rr[..]);
            left -= 2 * s - r;
        }
        let mut factor = zero();
        factor[left / 52 / WORDS][left / 52 % WORDS] = _mm512_set1_epi64(1 << (left % 52));
        self.multiply(power, &factor);
    }

    /// The numbers of which these are the Montgomery forms.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn leave(&mut self, power: &mut Running<'_>, x: &mut Lanes) {
        let mut one = zero();
        one[0][0] = _mm512_set1_epi64(1);
        self.multiply(power, &one);
        let mut words = Wiped::new([[0; MOST * WORDS]; EIGHT]);
        for (i, word) in power.now[..self.blocks].as_flattened().iter().enumerate() {
            let mut lanes = [0; 8];
            store_u64x8(&mut lanes, _mm512_and_si512(*word, _mm512_set1_epi64((1 << 52) - 1)));
            for (words, lane) in words.iter_mut().zip(lanes) {
                words[i] = lane;
            }
        }
        for ((x, modulus), words) in x.iter_mut().zip(self.moduli).zip(&*words) {
            x.set(&Wiped::new(Number::of_words(words, modulus.len())));
            modulus.normalize(x);
        }
    }
}

/// A factor that is replaced by its products: a kernel writes to another place than it reads from.
struct Running<'a> {
    now: &'a mut Wide,
    next: &'a mut Wide,
}

#[inline]
#[target_feature(enable = "avx512f")]
fn zero_block() -> Block {
    [_mm512_setzero_si512(); WORDS]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn zero() -> Wide {
    [zero_block(); MOST]
}

/// Eight numbers side by side.
#[target_feature(enable = "avx512f")]
fn put(to: &mut [Block], numbers: &[&Number; EIGHT]) {
    let mut words = Wiped::new([[0; MOST * WORDS]; EIGHT]);
    for (words, number) in words.iter_mut().zip(numbers) {
        words_of(number, words);
    }
    for (i, to) in to.as_flattened_mut().iter_mut().enumerate() {
        *to = load_u64x8(&array::from_fn(|lane| words[lane][i]));
    }
}

/// Not inlined: eight copies would have 20 KiB.
#[inline(never)]
fn words_of(number: &Number, words: &mut [u64; MOST * WORDS]) {
    *words = number.words();
}

/// The rows of eight indices: all rows are read.
#[inline]
#[target_feature(enable = "avx512f")]
fn read(table: &[Wiped<Row>], index: V, out: &mut [Block]) {
    for (i, out) in out.iter_mut().enumerate() {
        let mut found = zero_block();
        let mut here = _mm512_setzero_si512();
        for row in table {
            let mask = _mm512_cmpeq_epi64_mask(index, here);
            for (found, word) in found.iter_mut().zip(&row[i]) {
                *found = _mm512_mask_mov_epi64(*found, mask, *word);
            }
            here = _mm512_add_epi64(here, _mm512_set1_epi64(1));
        }
        *out = found;
    }
}

/// Lanes of `yes` where the mask has a bit, and others of `no`.
#[target_feature(enable = "avx512f")]
fn select(to: &mut Wide, no: &Wide, mask: u8, yes: &Wide) {
    let both = no.as_flattened().iter().zip(yes.as_flattened());
    for (to, (no, yes)) in to.as_flattened_mut().iter_mut().zip(both) {
        *to = _mm512_mask_mov_epi64(*no, mask, *yes);
    }
}
