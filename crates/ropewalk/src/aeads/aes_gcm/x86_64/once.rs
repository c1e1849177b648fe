//! AES-GCM of a short message with a key that is used only once. The key schedule is interleaved with the encryption of three
//! blocks: the hash key, the mask of the tag, the key stream. Of the powers of the hash key only the square is computed.

use core::arch::x86_64::*;

use super::{
    super::Nonce,
    ghash512::{Sum, mul, reverse, times_x},
};
use crate::{
    aes::{
        Rounds,
        x86_64::{encrypt, expand_to},
    },
    core::{
        block::{Block, load_12},
        secret::Wiped,
        simd::x86_64 as simd,
        text::Text,
    },
};

/// Whether the message qualifies: a text and additional data of at most a block each.
#[inline]
pub(in crate::aeads::aes_gcm) fn takes(aad: &[u8], text: &Text<'_>) -> bool {
    aad.len() <= 16 && text.len() <= 16
}

kernel! { VaesClmul512: pub(in crate::aeads::aes_gcm) fn crypt(cpu, secret: &[u8], nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block, open: bool) = crypt_kernel }

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn crypt_kernel(
    secret: &[u8],
    nonce: &Nonce,
    aad: &[u8],
    mut text: Text<'_>,
    tag: &mut Block,
    open: bool,
) {
    let nonce = simd::from_u128(load_12(nonce));
    let counter = |count: i64| _mm_or_si128(nonce, _mm_set_epi64x(count << 56, 0));
    let blocks = [_mm_setzero_si128(), counter(1), counter(2)];
    let mut keys = Wiped::new([[0; 16]; 15]);
    let rounds = expand_to(secret, &mut keys);
    let [h, pad, key_stream] = encrypt(Rounds { keys: &keys, rounds }, blocks);

    let len = text.len();
    let input = simd::load_part_128(text.input());
    let output = _mm_xor_si128(input, key_stream);
    simd::store_part_128(text.output(), output);
    let ciphertext = if open { input } else { simd::first_of_128(output, len) };

    // Where there is no text, additional data is the only block.
    let zero = _mm_setzero_si128();
    let aad_block = simd::load_part_128(aad);
    let (first, last) = if len == 0 { (zero, aad_block) } else { (aad_block, ciphertext) };

    // ((A·H + C)·H + L)·H as (A·H + C)·H² + L·H: two dependent products instead of three. A·H and H² are computed in parallel.
    let order = simd::reversal();
    let h = times_x(_mm_shuffle_epi8(h, order));
    let aad_and_h =
        _mm512_inserti32x4::<1>(_mm512_zextsi128_si512(_mm_shuffle_epi8(first, order)), h);
    let products = mul(aad_and_h, _mm512_broadcast_i32x4(h));
    let x = _mm_xor_si128(_mm512_castsi512_si128(products), _mm_shuffle_epi8(last, order));
    let lengths = _mm_set_epi64x(8 * aad.len() as i64, 8 * len as i64);
    let mut sum = Sum::zero();
    let square = _mm512_extracti32x4_epi32::<1>(products);
    sum.add(_mm512_zextsi128_si512(x), _mm512_zextsi128_si512(square));
    sum.add(_mm512_zextsi128_si512(lengths), _mm512_zextsi128_si512(h));
    let hash = _mm512_castsi512_si128(reverse(sum.reduce()));
    simd::store_128(tag, _mm_xor_si128(pad, hash));
}
