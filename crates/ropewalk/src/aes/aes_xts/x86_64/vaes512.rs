//! AES-XTS with AES instructions on 512 bits: four blocks, and four tweaks, in each vector.

use core::arch::x86_64::*;

use super::super::{
    Block, Secret, Xts,
    units::{self, MANY},
};
use crate::{
    aes::{
        RoundKeys, Rounds,
        aes_ecb::x86_64::vaes512::{tail, vectors, whole},
        middle_rounds,
        x86_64::{
            expand as expand_kernel, expand_both as expand_both_kernel, xex_1x, xex_2x, xex_4x,
        },
    },
    core::{
        cpu::VaesClmul512 as Cpu,
        secret::Wiped,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_xts) struct Vaes512 {
    cpu: Cpu,
    /// The text keys for encryption, and those for decryption.
    pub(in crate::aes::aes_xts) text: [RoundKeys; 2],
    pub(in crate::aes::aes_xts) tweak: RoundKeys,
}

impl Xts for Vaes512 {
    kernel! { VaesClmul512: fn encrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Vaes512::kernel::<true> }
    kernel! { VaesClmul512: fn decrypt(&self, tweak: &Block, unit: usize, text: Text<'_>) = Vaes512::kernel::<false> }
}

kernel! { VaesClmul512: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }
kernel! { VaesClmul512: fn expand_both(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both_kernel }

impl Vaes512 {
    #[inline]
    pub(in crate::aes::aes_xts) fn new(cpu: Cpu, [text, tweak]: Secret<'_>) -> Self {
        Self { cpu, text: expand_both(cpu, text), tweak: expand(cpu, tweak) }
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn kernel<const ENCRYPT: bool>(&self, tweak: &Block, unit: usize, mut text: Text<'_>) {
        let keys = self.text[usize::from(!ENCRYPT)].view().ten_or_fourteen();
        let tweak_keys = Rounds { keys: &self.tweak.keys, rounds: keys.rounds };
        if text.len() == 16 {
            let Some(piece) = text.next() else { return };
            return single(keys, tweak_keys, simd::load_128(tweak), piece, ENCRYPT);
        }
        if text.len() == 64 && unit >= 64 {
            return one_vector(keys, tweak_keys, tweak, &mut text, ENCRYPT);
        }
        if text.len() > unit {
            return units(keys, tweak_keys, tweak, unit, &mut text, ENCRYPT);
        }
        apply(keys, tweak_keys, tweak, &mut text, ENCRYPT);
    }
}

/// A unit of four blocks: a separate path, as calls and stack accesses would count.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn one_vector(
    keys: Rounds<'_>,
    tweak_keys: Rounds<'_>,
    tweak: &Block,
    text: &mut Text<'_>,
    encrypt: bool,
) {
    let Some(mut piece) = text.next::<64>() else { return };
    let none = _mm_setzero_si128();
    let [first] = xex_1x::<Vaes512, 1>(tweak_keys, [simd::load_128(tweak)], [none], true);
    let tweaks = four_tweaks(_mm512_broadcast_i32x4(first));
    let x = simd::load_512(piece.input());
    let [x] = xex_4x::<Vaes512, 1>(keys, [x], [tweaks], encrypt);
    simd::store_512(piece.output(), x);
}

/// The first four tweaks, given the first one in all lanes.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn four_tweaks(first: __m512i) -> __m512i {
    times(first, _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0))
}

#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn apply(
    keys: Rounds<'_>,
    tweak_keys: Rounds<'_>,
    tweak: &Block,
    text: &mut Text<'_>,
    encrypt: bool,
) {
    let none = _mm_setzero_si128();
    let [first] = xex_1x::<Vaes512, 1>(tweak_keys, [simd::load_128(tweak)], [none], true);
    one_unit(keys, first, text, encrypt);
}

/// More than one unit; encryption and decryption.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn units(
    keys: Rounds<'_>,
    tweak_keys: Rounds<'_>,
    tweak: &Block,
    unit: usize,
    text: &mut Text<'_>,
    encrypt: bool,
) {
    let (mut text, mut number) = (text.reborrow(), u128::from_le_bytes(*tweak));
    // In memory, so that the code has a single call of `one_unit`.
    let (mut firsts, mut i) = (Wiped::new([[0; 16]; MANY]), 0);
    while text.len() > 0 {
        if i % MANY == 0 {
            let numbers = units::numbers(number).map(u128::from_le_bytes);
            let numbers = four(numbers.map(|number| simd::from_u128(number)));
            let none = _mm512_setzero_si512();
            let [tweaks] = xex_4x::<Vaes512, 1>(tweak_keys.unseen(), [numbers], [none], true);
            simd::store_512(&mut firsts.as_flattened_mut().as_chunks_mut().0[0], tweaks);
            number = number.wrapping_add(MANY as u128);
        }
        one_unit(keys, simd::load_128(&firsts[i % MANY]), &mut text.take(unit), encrypt);
        i += 1;
    }
}

/// A unit of one block: text and first text key are added together with the last tweak key.
#[inline]
#[target_feature(enable = "aes,avx512vl")]
fn single(
    keys: Rounds<'_>,
    tweak_keys: Rounds<'_>,
    number: __m128i,
    mut text: Piece<'_, 16>,
    encrypt: bool,
) {
    let key = |r: usize| simd::load_128(keys.key(r));
    let mut t = _mm_xor_si128(number, simd::load_128(tweak_keys.key(0)));
    middle_rounds!(keys.rounds; r => t = _mm_aesenc_si128(t, simd::load_128(tweak_keys.key(r))));
    let last = simd::load_128(tweak_keys.last());
    let with_text = _mm_xor_si128(_mm_xor_si128(last, key(0)), simd::load_128(text.input()));
    let mut x = _mm_aesenclast_si128(t, with_text);
    let last = _mm_xor_si128(_mm_aesenclast_si128(t, last), simd::load_128(keys.last()));
    middle_rounds!(keys.rounds; r => x = if encrypt {
        _mm_aesenc_si128(x, key(r))
    } else {
        _mm_aesdec_si128(x, key(r))
    });
    let x = if encrypt { _mm_aesenclast_si128(x, last) } else { _mm_aesdeclast_si128(x, last) };
    simd::store_128(text.output(), x);
}

/// A data unit whose tweak is already encrypted.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn unit(keys: Rounds<'_>, first: &Block, mut text: Text<'_>, encrypt: bool) {
    one_unit(keys, simd::load_128(first), &mut text, encrypt);
}

/// A data unit, given its first tweak. The buffer is passed by reference: by value, it would be copied in halves, which stall on
/// the words just stored.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn one_unit(keys: Rounds<'_>, first: __m128i, text: &mut Text<'_>, encrypt: bool) {
    // A local copy stays in registers, as above.
    let mut text = text.reborrow();
    let first = _mm512_broadcast_i32x4(first);
    let a = four_tweaks(first);
    if text.len() == 32
        && let Some(mut piece) = text.next::<32>()
    {
        // A masked store would stall the load of the next reader.
        let (x, around) = (simd::load_256(piece.input()), _mm512_castsi512_si256(a));
        let [x] = xex_2x::<Vaes512, 1>(keys, [x], [around], encrypt);
        return simd::store_256(piece.output(), x);
    }
    if text.len() <= 64 && text.len().is_multiple_of(16) {
        return vectors::<Vaes512, 1, 0>(keys, [a], text, encrypt);
    }
    let b = times(first, _mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4));
    let mut tweaks = [a, b, times_bytes::<1, 15>(a), times_bytes::<1, 15>(b)];
    // The block that ciphertext stealing needs is in the last step, which has space for it.
    let stolen = if text.len().is_multiple_of(16) { 0 } else { 16 + text.len() % 16 };
    while text.len() >= 512 + stolen {
        let Some(piece) = text.next::<512>() else { break };
        let [a, b, c, d] = tweaks;
        let [e, f, g, h] = later(tweaks);
        tweaks = later([e, f, g, h]);
        let around = [a, b, c, d, e, f, g, h];
        whole::<Vaes512, 8, 512>(keys.unseen(), around, piece, encrypt);
    }
    if text.len() >= 256 + stolen
        && let Some(piece) = text.next::<256>()
    {
        whole::<Vaes512, 4, 256>(keys, tweaks, piece, encrypt);
        tweaks = later(tweaks);
    }
    if stolen == 0 {
        return tail::<Vaes512>(keys, tweaks, text, encrypt);
    }
    end(keys, tweaks, text, encrypt);
}

/// At most sixteen blocks, and a partial one.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn end(keys: Rounds<'_>, mut tweaks: [__m512i; 4], mut text: Text<'_>, encrypt: bool) {
    let len = text.len() / 16 * 16;
    let before = (len - 16) / 16 % 16;
    let mut all = [[0; 64]; 4];
    for (bytes, tweaks) in all.iter_mut().zip(tweaks) {
        simd::store_512(bytes, tweaks);
    }
    let tweak = u128::from_le_bytes(all.as_flattened().as_chunks().0[before]);
    let [_, second] = units::last_two(tweak, encrypt);
    if !encrypt {
        // The tweak of the partial block comes first. Permuted as a vector, so that the rounds do not wait for a scalar.
        let [a, b, c, d] = tweaks;
        let next = [b, c, d, times_bytes::<2, 14>(a)];
        let place = 0b11_u32 << (2 * before);
        tweaks = each(|i| {
            let behind = _mm512_alignr_epi64::<2>(next[i], tweaks[i]);
            _mm512_mask_mov_epi64(tweaks[i], (place >> (8 * i)) as u8, behind)
        });
    }
    let mut last = text.reborrow();
    last.take(len - 16);
    let behind = units::behind(&last);
    let mut whole = text.reborrow().take(len);
    if len == 16
        && let Some(mut piece) = whole.next::<16>()
    {
        // A masked store would stall later loads.
        let x = [simd::load_128(piece.input())];
        let [x] = xex_1x::<Vaes512, 1>(keys, x, [_mm512_castsi512_si128(tweaks[0])], encrypt);
        simd::store_128(piece.output(), x);
    } else {
        tail::<Vaes512>(keys, tweaks, whole, encrypt);
    }
    text.take(len - 16);
    let Some(&mut block) = text.output().first_chunk_mut() else { unreachable!("a block") };
    let block = units::steal_from(&mut text, u128::from_le_bytes(block), behind);
    let (tweak, x) = (simd::from_u128(second), simd::from_u128(block));
    let [x] = xex_1x::<Vaes512, 1>(keys, [x], [tweak], encrypt);
    units::finish(&mut text, simd::to_u128(x));
}

#[inline]
#[target_feature(enable = "avx512f")]
fn four([a, b, c, d]: [__m128i; 4]) -> __m512i {
    let v = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
    _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(v, c), d)
}

/// The tweaks of the next four vectors.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn later(tweaks: [__m512i; 4]) -> [__m512i; 4] {
    each(|i| times_bytes::<2, 14>(tweaks[i]))
}

/// Multiplies each block by x^(8 `BYTES`); `REST` is `16 - BYTES`.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn times_bytes<const BYTES: i32, const REST: i32>(v: __m512i) -> __m512i {
    let beyond = _mm512_bsrli_epi128::<REST>(v);
    let back = _mm512_clmulepi64_epi128::<0x00>(beyond, polynomial());
    _mm512_xor_si512(_mm512_bslli_epi128::<BYTES>(v), back)
}

/// Multiplies each block by x to a power below 64, given in both of its halves.
#[inline]
#[target_feature(enable = "vpclmulqdq,avx512f,avx512bw")]
fn times(v: __m512i, powers: __m512i) -> __m512i {
    let moved = _mm512_sllv_epi64(v, powers);
    let beyond = _mm512_srlv_epi64(v, _mm512_sub_epi64(_mm512_set1_epi64(64), powers));
    let back = _mm512_clmulepi64_epi128::<0x01>(beyond, polynomial());
    _mm512_xor_si512(_mm512_xor_si512(moved, _mm512_bslli_epi128::<8>(beyond)), back)
}

/// x^128, which is x^7 + x^2 + x + 1 in the field.
#[inline]
#[target_feature(enable = "avx512f")]
fn polynomial() -> __m512i {
    _mm512_set1_epi64(0x87)
}
