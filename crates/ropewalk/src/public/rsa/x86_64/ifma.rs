//! Powers with products of 52 bits: modulo both primes at a time.

use alloc::vec::Vec;
use core::{arch::x86_64::*, mem::swap};

use super::super::{Halves, Power, Primes, portable::Portable};
use crate::{
    bignum::{Bits, Modulus, Number, Room, WINDOW, Words},
    core::{
        cpu::{Avx512Ifma, Baseline},
        secret::Wiped,
        simd::x86_64::{load_u64x8, store_u64x8},
    },
};
use dual::{Copies, Multiply, Row, V, copies};

mod dual;

#[derive(Clone)]
pub(in crate::public::rsa) struct Ifma {
    cpu: Avx512Ifma,
}

impl Power for Ifma {
    fn secret(&self, primes: &Primes, e: &Halves, bits: Bits, x: &mut Halves) {
        let [p, q] = primes;
        match p.bits().max(q.bits()) {
            size if size <= longest::<6>() => Pair::<6>::new(self.cpu, [p, q]).secret(e, bits, x),
            size if size <= longest::<9>() => Pair::<9>::new(self.cpu, [p, q]).secret(e, bits, x),
            size if size <= longest::<11>() => Pair::<11>::new(self.cpu, [p, q]).secret(e, bits, x),
            _ => Portable::new(Baseline, ()).secret(primes, e, bits, x),
        }
    }

    fn public(&self, n: &Modulus, e: u64, x: &mut Number) {
        match n.bits() {
            size if size <= longest::<6>() => Pair::<6>::new(self.cpu, [n, n]).public(e, x),
            size if size <= longest::<9>() => Pair::<9>::new(self.cpu, [n, n]).public(e, x),
            size if size <= longest::<11>() => Pair::<11>::new(self.cpu, [n, n]).public(e, x),
            // Accumulators of longer numbers would not fit into the registers.
            _ => Portable::new(Baseline, ()).public(n, e, x),
        }
    }
}

impl Ifma {
    pub(in crate::public::rsa) fn new(cpu: Avx512Ifma, (): ()) -> Self {
        Self { cpu }
    }
}

/// The words of a number in B blocks (n).
const fn words<const B: usize>() -> Words {
    Words(4 * (B - 1) + 1)
}

/// The longest modulus N for B blocks: 4M, which is longer by 54 bits, is at most R.
const fn longest<const B: usize>() -> Bits {
    Bits(words::<B>().bits().0 - 54)
}

/// Words of the longest number, and those that pad its last block.
const MOST: usize = 44;

/// Two moduli.
struct Pair<'a, const B: usize> {
    cpu: Avx512Ifma,
    moduli: [&'a Modulus; 2],
    m: Wiped<Copies<B>>,
}

impl<'a, const B: usize> Pair<'a, B>
where
    Copies<B>: Multiply<Row = Row<B>>,
{
    fn new(cpu: Avx512Ifma, moduli: [&'a Modulus; 2]) -> Self {
        let m = Wiped::new(moduli.map(|modulus| {
            // M' is M / 2^52, rounded up: all lower bits of M are ones.
            let k = modulus.negative_inverse() & ((1 << 52) - 1);
            let len = Bits(modulus.bits().0 + 53).limbs();
            let mut m = Wiped::new(Number::product(modulus.number(), &Number::word(k, len), len));
            m.add(&Number::word(1, len));
            let mut words: [u64; MOST + 1] = m.words();
            words.copy_within(1.., 0);
            let [words @ .., _] = words;
            words
        }));
        Self { cpu, moduli, m: Wiped::new(wide(cpu, &m)) }
    }

    // Inlined, each size would have room of its own on the stack.
    #[inline(never)]
    fn secret(&self, e: &Halves, bits: Bits, x: &mut Halves) {
        let [mut first, mut second] = [self.places(), self.places()];
        let mut base = Running::new(&mut first, self.wide([&x[0], &x[1]]));
        let mut power = Running::new(&mut second, self.power_of_two(self.r()));
        base.multiply(self, &self.power_of_two(2 * self.r())[0]);
        let one = Wiped::new(power.now[0]);
        // On the heap, as stacks of threads may be small.
        let mut table: Vec<_> = (0..1 << WINDOW).map(|_| Wiped::new(*one)).collect();
        for row in &mut table[1..] {
            power.multiply(self, &base.now[0]);
            **row = power.now[0];
        }
        power.now.clone_from(&copied(self.cpu, &one));
        for i in (0..bits.0.div_ceil(WINDOW as usize)).rev() {
            for _ in 0..WINDOW {
                power.square(self);
            }
            let at = Bits(i * WINDOW as usize);
            let [p, q] = [e[0].window(at, WINDOW), e[1].window(at, WINDOW)];
            let row = Wiped::new(read(self.cpu, &table, p, q));
            power.multiply(self, &row);
        }
        *x = self.left(power);
    }

    #[inline(never)]
    fn public(&self, e: u64, x: &mut Number) {
        let Some(top) = e.checked_ilog2() else {
            x.set(&Number::word(1, x.len()));
            return;
        };
        let mut places = self.places();
        let mut power = Running::new(&mut places, self.wide([&*x, &*x]));
        power.multiply(self, &self.power_of_two(2 * self.r())[0]);
        let base = Wiped::new(power.now[0]);
        for i in (0..top).rev() {
            power.square(self);
            if e >> i & 1 == 1 {
                power.multiply(self, &base);
            }
        }
        let [left, _] = self.left(power);
        x.set(&left);
    }

    /// Bits of R.
    fn r(&self) -> usize {
        words::<B>().bits().0
    }

    /// 2^`exponent` modulo M. The moduli have the square of their own R, 2^2s, of which a product is 2^(4s − r).
    #[inline(never)]
    fn power_of_two(&self, exponent: usize) -> Wiped<Copies<B>> {
        let [p, q] = self.moduli;
        let (s, r) = (p.len().bits().0, self.r());
        let mut places = self.places();
        let mut power = Running::new(&mut places, self.wide([p.square_of_r(), q.square_of_r()]));
        let rr = Wiped::new(power.now[0]);
        let mut left = (exponent + r).saturating_sub(2 * s);
        // A factor 2^left is below 2M.
        while left > p.bits().min(q.bits()).0 + 51 {
            power.multiply(self, &rr);
            left -= 2 * s - r;
        }
        let mut words = [0; MOST];
        words[left / 52] = 1 << (left % 52);
        power.multiply(self, &wide(self.cpu, &[words; 2])[0]);
        Wiped::new(*power.now)
    }

    /// Two numbers, which are below 2M.
    fn wide(&self, numbers: [&Number; 2]) -> Wiped<Copies<B>> {
        Wiped::new(wide(self.cpu, &Wiped::new(numbers.map(Number::words))))
    }

    fn places(&self) -> Wiped<[Copies<B>; 2]> {
        Wiped::new([wide(self.cpu, &[[0; MOST]; 2]); 2])
    }

    /// The numbers of which these are the Montgomery forms. Their words are those of a number up to M.
    fn left(&self, mut power: Running<'_, B>) -> Halves {
        let mut one = [0; MOST];
        one[0] = 1;
        power.multiply(self, &wide(self.cpu, &[one; 2])[0]);
        let words = Wiped::new(narrow(self.cpu, &power.now[0]));
        let mut room = Wiped::new(Room::new());
        let [p, q] = self.moduli;
        [(p, &words[0]), (q, &words[1])].map(|(modulus, words)| {
            let len = Bits(modulus.bits().0 + 53).limbs();
            modulus.remainder(&Wiped::new(Number::of_words(words, len)), &mut room)
        })
    }
}

/// A factor that is replaced by its products: a kernel writes to another place than it reads from.
struct Running<'a, const B: usize> {
    now: &'a mut Copies<B>,
    next: &'a mut Copies<B>,
}

impl<'a, const B: usize> Running<'a, B>
where
    Copies<B>: Multiply<Row = Row<B>>,
{
    fn new([now, next]: &'a mut [Copies<B>; 2], factor: Wiped<Copies<B>>) -> Self {
        *now = *factor;
        Self { now, next }
    }

    #[inline(always)]
    fn multiply(&mut self, pair: &Pair<'_, B>, row: &Row<B>) {
        Copies::multiply(pair.cpu, self.now, row, &pair.m, self.next);
        swap(&mut self.now, &mut self.next);
    }

    #[inline(always)]
    fn square(&mut self, pair: &Pair<'_, B>) {
        Copies::square(pair.cpu, self.now, &pair.m, self.next);
        swap(&mut self.now, &mut self.next);
    }
}

fn copied<const B: usize>(cpu: Avx512Ifma, row: &Row<B>) -> Wiped<Copies<B>> {
    Wiped::new(
        proven!(Avx512Ifma: cpu, once fn enter<const B: usize>(row: &Row<B>) -> Copies<B> { copies(row) }),
    )
}

/// Two numbers side by side.
fn wide<const B: usize>(cpu: Avx512Ifma, words: &[[u64; MOST]; 2]) -> Copies<B> {
    proven!(Avx512Ifma: cpu, once fn enter<const B: usize>(words: &[[u64; MOST]; 2]) -> Copies<B> {
        let mut row = [_mm512_setzero_si512(); B];
        for (i, block) in row.iter_mut().enumerate() {
            let [p, q] = [0, 1].map(|half| &words[half].as_chunks::<4>().0[i]);
            *block = load_u64x8(&[p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3]]);
        }
        copies(&row)
    })
}

fn narrow<const B: usize>(cpu: Avx512Ifma, row: &Row<B>) -> [[u64; MOST]; 2] {
    proven!(Avx512Ifma: cpu, once fn enter<const B: usize>(row: &Row<B>) -> [[u64; MOST]; 2] {
        let mut words = [[0; MOST]; 2];
        for (i, block) in row.iter().enumerate() {
            let mut both = [0; 8];
            store_u64x8(&mut both, *block);
            let [low, high] = [0, 1].map(|half| both.as_chunks::<4>().0[half]);
            words[0].as_chunks_mut::<4>().0[i] = low;
            words[1].as_chunks_mut::<4>().0[i] = high;
        }
        words
    })
}

/// The rows of two indices, one for each half: all rows are read.
#[inline(always)]
fn read<const B: usize>(cpu: Avx512Ifma, table: &[Wiped<Row<B>>], p: u64, q: u64) -> Row<B> {
    proven!(Avx512Ifma: cpu, fn enter<const B: usize>(table: &[Wiped<Row<B>>], p: u64, q: u64) -> Row<B> {
        let (p, q) = (p.cast_signed(), q.cast_signed());
        let index = _mm512_setr_epi64(p, p, p, p, q, q, q, q);
        let mut found: [V; B] = [_mm512_setzero_si512(); B];
        let mut here = _mm512_setzero_si512();
        for row in table {
            let mask = _mm512_cmpeq_epi64_mask(index, here);
            for (found, block) in found.iter_mut().zip(&**row) {
                *found = _mm512_mask_mov_epi64(*found, mask, *block);
            }
            here = _mm512_add_epi64(here, _mm512_set1_epi64(1));
        }
        found
    })
}
