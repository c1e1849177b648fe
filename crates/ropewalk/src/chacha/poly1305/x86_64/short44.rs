//! Poly1305 of a few blocks, with products of 52 bits: a number is one vector of 256.
//!
//! Its three limbs of 44 bits are in three lanes; the fourth is unused. The cost is the number of instructions that wait for r,
//! which is not known before the rounds of ChaCha20 end: they fill the scheduler, where the next message could begin. A block has
//! fourteen of them here, or eleven if two are absorbed at once; in words of 64 bits it has thirty. None is on 512 bits: the
//! processor takes a while to power up products of that width, whenever it has had none for some microseconds.

use core::arch::x86_64::*;

use super::{super::Block, avx512ifma::MASK_44, flags::tag_of_sum};
use crate::core::{
    secret::Wiped,
    simd::x86_64::{load_256, load_part_128, load_u64x4, store_u64x4, unseen},
};

/// The bit above a block.
static ABOVE: [u64; 4] = [0, 0, 1 << 40, 0];

/// Rows of a matrix: the factors by which each limb of a number contributes to each limb of its product with r, or with the
/// square of r. 2^132 is congruent to 20.
#[derive(Clone, Copy)]
pub(crate) struct Factor([__m256i; 3]);

/// A number in memory, whose limbs loads broadcast to all lanes. A shuffle would take an entry of the scheduler. It is a struct
/// of its own, as any other field would be in memory too.
#[repr(align(32))]
pub(crate) struct InMemory([u64; 4]);

impl InMemory {
    #[inline(always)]
    pub(crate) fn place() -> Wiped<Self> {
        Wiped::new(Self([0; 4]))
    }
}

/// r, and the accumulator before it is multiplied.
#[derive(Clone, Copy)]
pub(crate) struct Short44 {
    r: Factor,
    h: __m256i,
}

impl Short44 {
    /// From r, which is not yet clamped, and data padded with zeros.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vbmi,avx512bw,avx512vl,avx512f,avx2,bmi2")]
    pub(crate) fn new(r: __m128i, data: &[u8], place: &mut InMemory) -> Self {
        /// Section 2.5.1, in limbs.
        static CLAMP: [u64; 4] = [0xffc_0fff_ffff, 0xfff_ffc0_ffff, 0xf_ffff_fc0f, 0];
        let r = factor(_mm256_and_si256(windows(r), load_u64x4(&CLAMP)));
        let mut mac = Self { r, h: _mm256_setzero_si256() };
        if data.is_empty() {
            return mac;
        }
        let (first, more) = data.split_at(data.len().min(16));
        mac.h = limbs(load_part_128(first));
        for block in more.chunks(16) {
            mac.absorb(limbs(load_part_128(block)), place);
        }
        mac
    }

    /// The square of r.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn square(self, place: &mut InMemory) -> Factor {
        let Factor([r, ..]) = self.r;
        factor(carry(self.r.times(r, _mm256_setzero_si256(), place).sum()))
    }

    /// Absorbs one block: h r + m.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn absorb(&mut self, m: __m256i, place: &mut InMemory) {
        self.h = carry(self.r.times(self.h, m, place).sum());
    }

    /// Absorbs two blocks, with the square of r: h r^2 + m r + n.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn absorb_two(
        &mut self,
        square: Factor,
        m: __m256i,
        n: __m256i,
        place: &mut InMemory,
    ) {
        self.h = carry(self.with_two(square, m, n, place));
    }

    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn with_two(self, square: Factor, m: __m256i, n: __m256i, place: &mut InMemory) -> __m256i {
        // The accumulator comes last.
        let products = self.r.times(m, n, place);
        products.plus(square, self.h, place).sum()
    }

    /// The limbs from which [`end`] computes the tag.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn last(self, place: &mut InMemory) -> __m256i {
        self.r.times(self.h, _mm256_setzero_si256(), place).sum()
    }

    /// The same after another block, with the square of r.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    pub(crate) fn last_after(self, square: Factor, m: __m256i, place: &mut InMemory) -> __m256i {
        self.with_two(square, m, _mm256_setzero_si256(), place)
    }
}

/// The tag of limbs that are not carried.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn end(h: __m256i, s: __m128i, place: &mut InMemory) -> Block {
    // The part of each limb in the word where it ends, and the part below.
    let (high, low) = (
        _mm256_srlv_epi64(h, _mm256_setr_epi64x(0, 20, 40, 0)),
        _mm256_sllv_epi64(h, _mm256_setr_epi64x(0, 44, 24, 0)),
    );
    store_u64x4(&mut place.0, high);
    let [a, b, c, _] = unseen(place).0;
    store_u64x4(&mut place.0, low);
    let [_, d, e, _] = unseen(place).0;
    store_u64x4(&mut place.0, _mm256_zextsi128_si256(s));
    let [s0, s1, ..] = unseen(place).0;
    tag_of_sum([a, b, c], [d, e], [s0, s1])
}

impl Factor {
    /// The products with a number, added to `beside`.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn times(self, number: __m256i, beside: __m256i, place: &mut InMemory) -> Products {
        Products { low: beside, high: _mm256_setzero_si256() }.plus(self, number, place)
    }
}

/// Sums of halves of products, by the limb of the low ones. A high half has 2^52 times that weight, which is 2^8 times that of
/// the next limb.
struct Products {
    low: __m256i,
    high: __m256i,
}

impl Products {
    /// Adds the products of a factor and a number whose limbs have at most 48 bits, or hardly more than 44 if the factor is a
    /// square.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn plus(self, Factor(rows): Factor, number: __m256i, place: &mut InMemory) -> Self {
        let Self { mut low, mut high } = self;
        store_u64x4(&mut place.0, number);
        let limbs = &unseen(place).0;
        let mut all = [_mm256_setzero_si256(); 3];
        unroll!(i in 0 1 2 => { all[i] = _mm256_set1_epi64x(limbs[i].cast_signed()); });
        unroll!(i in 0 1 2 => { high = _mm256_madd52hi_epu64(high, all[i], rows[i]); });
        unroll!(i in 0 1 2 => { low = _mm256_madd52lo_epu64(low, all[i], rows[i]); });
        Self { low, high }
    }

    /// Limbs of at most 55 bits.
    #[inline]
    #[target_feature(enable = "avx512ifma,avx512vl,avx2")]
    fn sum(self) -> __m256i {
        let counts = _mm256_setr_epi64x(20 << 8, 1 << 8, 1 << 8, 0);
        _mm256_madd52lo_epu64(self.low, to_next_limb(self.high), counts)
    }
}

/// Limbs of hardly more than 44 bits.
#[inline]
#[target_feature(enable = "avx512ifma,avx512vl,avx2")]
fn carry(h: __m256i) -> __m256i {
    let above = to_next_limb(_mm256_srli_epi64::<44>(h));
    let below = _mm256_and_si256(h, _mm256_set1_epi64x(MASK_44.cast_signed()));
    _mm256_madd52lo_epu64(below, above, _mm256_setr_epi64x(20, 1, 1, 0))
}

/// Moves each lane to the next, and the last to the first.
#[inline]
#[target_feature(enable = "avx2")]
fn to_next_limb(x: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_00_10>(x)
}

#[inline]
#[target_feature(enable = "avx512ifma,avx512vl,avx2")]
fn factor(r: __m256i) -> Factor {
    // Opaque indices: otherwise LLVM would make two instructions of each shuffle.
    static SECOND: [u64; 4] = [4 + 2, 0, 1, 3];
    static THIRD: [u64; 4] = [4 + 1, 4 + 2, 0, 3];
    let r20 = _mm256_madd52lo_epu64(_mm256_setzero_si256(), r, _mm256_set1_epi64x(20));
    let second = _mm256_permutex2var_epi64(r, load_u64x4(unseen(&SECOND)), r20);
    Factor([r, second, _mm256_permutex2var_epi64(r, load_u64x4(unseen(&THIRD)), r20)])
}

/// Eight bytes for each limb, with its bits at the bottom, followed by others.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vl,avx2")]
fn windows(x: __m128i) -> __m256i {
    static FROM: [u8; 32] = bytes_from([0, 5, 8]);
    let bytes = _mm256_permutexvar_epi8(load_256(&FROM), _mm256_castsi128_si256(x));
    _mm256_srlv_epi64(bytes, _mm256_setr_epi64x(0, 4, 24, 0))
}

/// The limbs of a block.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512vl,avx512f,avx2")]
pub(crate) fn limbs(block: __m128i) -> __m256i {
    let limbs = _mm256_and_si256(windows(block), _mm256_set1_epi64x(MASK_44.cast_signed()));
    _mm256_or_si256(limbs, load_u64x4(&ABOVE))
}

/// The limbs of the first of two blocks, or of the second; the first limb has 48 bits, as it takes whole bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512bw,avx512vl,avx2")]
pub(crate) fn loose_limbs<const SECOND: bool>(blocks: __m256i) -> __m256i {
    static FROM: [[u8; 32]; 2] = [bytes_from([0, 6, 11]), bytes_from([16, 22, 27])];
    // Opaque: otherwise LLVM would use a shuffle of two vectors, which is three instructions.
    static LENGTHS: u32 = 0b11111 << 16 | 0b11111 << 8 | 0b111111;
    let from = load_256(&FROM[usize::from(SECOND)]);
    let bytes = _mm256_mask_permutexvar_epi8(load_u64x4(&ABOVE), *unseen(&LENGTHS), from, blocks);
    _mm256_sllv_epi64(bytes, _mm256_setr_epi64x(0, 4, 0, 0))
}

/// Eight consecutive bytes from each index.
const fn bytes_from(firsts: [u8; 3]) -> [u8; 32] {
    let (mut from, mut i) = ([0; 32], 0);
    while i < 24 {
        from[i] = firsts[i / 8] + (i % 8) as u8;
        i += 1;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::{super::super::State, *};
    use crate::{
        chacha::poly1305::Plain,
        core::{
            cpu::{Avx512Ifma, Token},
            simd::x86_64::{from_u128, load_128},
        },
    };

    /// Limbs that are full, empty or random, of r too: keys of ChaCha20-Poly1305 do not give such r.
    #[test]
    fn equals_words() {
        let Some(cpu) = Avx512Ifma::detect() else { return };
        let mut next = crate::core::simd::edges();
        for _ in 0..20_000 {
            let (r, s) = (next(), next());
            let blocks: [Block; 7] = core::array::from_fn(|_| next().to_le_bytes());
            let data = &blocks.as_flattened()[..next() as usize % 49];
            let mut words = State::from_numbers(r, s);
            words.absorb_filled::<Plain>(data);
            words.absorb::<Plain>(&blocks[3..]);
            let blocks = &blocks;
            let tags = proven!(Avx512Ifma: cpu, fn enter(r: u128, s: u128, data: &[u8], blocks: &[Block; 7]) -> [Block; 2] {
                tags(from_u128(r), from_u128(s), data, blocks)
            });
            assert_eq!(tags, [words.tag::<Plain>(); 2], "{r:x} {data:x?} {blocks:x?}");
        }
    }

    /// Absorbs blocks singly, and two at once.
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn tags(r: __m128i, s: __m128i, data: &[u8], blocks: &[Block; 7]) -> [Block; 2] {
        let place = &mut *InMemory::place();
        let mac = Short44::new(r, data, place);
        let mut one_by_one = mac;
        for block in &blocks[3..] {
            one_by_one.absorb(limbs(load_128(block)), place);
        }
        let (two, _) = blocks[3..].as_flattened().as_chunks();
        let two = load_256(&two[0]);
        let mut at_once = mac;
        let square = at_once.square(place);
        at_once.absorb_two(square, loose_limbs::<false>(two), loose_limbs::<true>(two), place);
        at_once.absorb(limbs(load_128(&blocks[5])), place);
        let last = limbs(load_128(&blocks[6]));
        let ends = [one_by_one.last(place), at_once.last_after(square, last, place)];
        ends.map(|h| end(h, s, place))
    }
}
