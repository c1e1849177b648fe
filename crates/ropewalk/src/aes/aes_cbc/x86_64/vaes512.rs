//! AES-CBC with AES instructions on 512 bits: four blocks of a message in each vector when decrypting.

use core::arch::x86_64::*;

use super::{
    super::{Block, Cbc, CbcLaneKey, Secret},
    chain, vaes256,
};
use crate::{
    aes::{
        RoundKeys, Rounds, middle_rounds,
        x86_64::{expand_both, inv_rounds_4x},
    },
    core::{
        cpu::Vaes512 as Cpu,
        simd::{each, x86_64 as simd},
        text::{Piece, Text},
        tuning,
    },
};

pub(in crate::aes::aes_cbc) struct Vaes512 {
    cpu: Cpu,
    /// The keys for encryption, and those for decryption.
    keys: [RoundKeys; 2],
}

impl Cbc for Vaes512 {
    kernel! { Vaes512: fn encrypt(&self, iv: &Block, text: Text<'_>) = Vaes512::encrypt_kernel }
    kernel! { Vaes512: fn decrypt(&self, iv: &Block, text: Text<'_>) = Vaes512::decrypt_kernel }
    kernel! { Vaes512: fn encrypt_block(&self, iv: &mut Block, block: Piece<'_, 16>) = Vaes512::block_kernel }
}

impl CbcLaneKey for Vaes512 {
    fn round_keys(&self) -> Option<&RoundKeys> {
        Some(&self.keys[0])
    }
}

kernel! { Vaes512: fn make(cpu, secret: &[u8]) -> [RoundKeys; 2] = expand_both }

impl Vaes512 {
    #[inline]
    pub(in crate::aes::aes_cbc) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn block_kernel(&self, iv: &mut Block, block: Piece<'_, 16>) {
        chain::block(self.keys[0].view(), iv, block);
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn encrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[0].view();
        if text.len() <= 16 {
            return chain::single(keys, iv, text);
        }
        // Reborrowed: otherwise the path for one block would store the buffer in memory too.
        encrypt_more(keys, iv, &mut text.reborrow());
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn decrypt_kernel(&self, iv: &Block, mut text: Text<'_>) {
        let keys = self.keys[1].view();
        if text.len() <= 16 {
            // A separate path for one block has fewer jumps.
            return single(keys, simd::load_128(iv), text);
        }
        if text.len() == 64 {
            return one_vector(keys, iv, &mut text);
        }
        decrypt_more(keys, iv, &mut text.reborrow());
    }
}

/// More than one block. A single block has a path of its own, which needs no registers for keys.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn encrypt_more(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    chain::encrypt::<Vaes512>(keys, iv, text.reborrow());
}

/// Four blocks: a separate path, as calls and stack accesses would count.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn one_vector(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let Some(mut piece) = text.next::<64>() else { return };
    let input = simd::load_512(piece.input());
    let [x] = middle(keys, [input]);
    let before = _mm512_broadcast_i32x4(simd::load_128(iv));
    // The ciphertext before is added with the last round key, off the critical path.
    let before = _mm512_alignr_epi64::<6>(input, before);
    let last = _mm512_xor_si512(simd::splat_4x(keys.last()), before);
    simd::store_512(piece.output(), _mm512_aesdeclast_epi128(x, last));
}

/// More than one block. The buffer is passed by reference: by value it would be copied in halves, which stall on the words just
/// stored.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn decrypt_more(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let row = tuning::row();
    if row.cbc_vectors > 8 {
        return decrypt_whole(keys, iv, text);
    }
    if text.len() < row.aes_512_from.max(512) {
        return vaes256::decrypt_long(keys, iv, text);
    }
    decrypt_long(keys, iv, text);
}

/// Whole steps, and the rest on 256 bits, which do as many blocks a cycle.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn decrypt_long(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let mut text = text.reborrow();
    let mut before = _mm512_broadcast_i32x4(simd::load_128(iv));
    while let Some(piece) = text.next::<512>() {
        before = step::<8, 512, false>(keys, before, piece);
    }
    if text.len() > 0 {
        let mut last = [0; 16];
        simd::store_128(&mut last, _mm512_extracti32x4_epi32::<3>(before));
        vaes256::decrypt_long(keys, &last, &mut text);
    }
}

/// The same where 256 bits take as long as 512: steps of twelve vectors, at most one of eight, and the rest on 512 bits too.
#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn decrypt_whole(keys: Rounds<'_>, iv: &Block, text: &mut Text<'_>) {
    let mut text = text.reborrow();
    let mut before = _mm512_broadcast_i32x4(simd::load_128(iv));
    while let Some(piece) = text.next::<768>() {
        before = step::<12, 768, true>(keys, before, piece);
    }
    if let Some(piece) = text.next::<512>() {
        before = step::<8, 512, true>(keys, before, piece);
    }
    match text.len().div_ceil(64) {
        0 => {}
        1 => rest::<1>(keys, before, text),
        2 => rest::<2>(keys, before, text),
        3 => rest::<3>(keys, before, text),
        4 => rest::<4>(keys, before, text),
        5 => rest::<5>(keys, before, text),
        6 => rest::<6>(keys, before, text),
        7 => rest::<7>(keys, before, text),
        _ => rest::<8>(keys, before, text),
    }
}

/// Decrypts `N` vectors, given the ciphertext before them, and returns the last of theirs. Each of the two callers has an instance
/// of its own (`WHOLE`): LLVM would not inline a shared one.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn step<const N: usize, const BYTES: usize, const WHOLE: bool>(
    keys: Rounds<'_>,
    before: __m512i,
    mut piece: Piece<'_, BYTES>,
) -> __m512i {
    // Keys stay in registers, so the ciphertext before each vector but the first is loaded again.
    let blocks = piece.input();
    let input: [_; N] = each(|i| simd::load_512(&blocks.as_chunks().0[i]));
    let mut x = middle(keys, input);
    let (shifted, _) = blocks[48..].as_chunks();
    let k = simd::splat_4x(keys.last());
    for i in 0..N {
        let before = match i {
            0 => _mm512_alignr_epi64::<6>(input[0], before),
            _ => simd::load_512(&shifted[i - 1]),
        };
        x[i] = _mm512_aesdeclast_epi128(x[i], _mm512_xor_si512(k, before));
    }
    let last = input[N - 1];
    for (out, v) in piece.output().as_chunks_mut().0.iter_mut().zip(x) {
        simd::store_512(out, v);
    }
    last
}

/// Decrypts the rest of a text: `N` vectors, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw,bmi2")]
fn rest<const N: usize>(keys: Rounds<'_>, before: __m512i, mut text: Text<'_>) {
    let blocks = text.input();
    let (whole, last) = blocks.split_at(64 * (N - 1));
    let vectors = whole.as_chunks().0;
    let input: [_; N] = each(|i| match vectors.get(i) {
        Some(vector) => simd::load_512(vector),
        None => simd::load_part_512(last),
    });
    let mut x = middle(keys, input);
    // From the last block of the first vector on, all but the last block.
    let shifted = blocks.get(48..blocks.len() - 16).unwrap_or_default();
    let (shifted, last_shifted) = shifted.split_at(shifted.len().min(64 * N.saturating_sub(2)));
    let shifted = shifted.as_chunks().0;
    let k = simd::splat_4x(keys.last());
    for i in 0..N {
        let before = match i {
            0 => _mm512_alignr_epi64::<6>(input[0], before),
            _ if i == N - 1 => simd::load_part_512(last_shifted),
            _ => simd::load_512(&shifted[i - 1]),
        };
        x[i] = _mm512_aesdeclast_epi128(x[i], _mm512_xor_si512(k, before));
    }
    let (whole, last) = text.output().split_at_mut(64 * (N - 1));
    for (out, v) in whole.as_chunks_mut().0.iter_mut().zip(x) {
        simd::store_512(out, v);
    }
    simd::store_part_512(last, x[N - 1]);
}

/// One block, or none.
#[inline]
#[target_feature(enable = "aes,avx512vl")]
fn single(keys: Rounds<'_>, before: __m128i, mut text: Text<'_>) {
    let Some(mut piece) = text.next::<16>() else { return };
    let mut x = _mm_xor_si128(simd::load_128(piece.input()), simd::load_128(keys.key(0)));
    middle_rounds!(keys.rounds; r => x = _mm_aesdec_si128(x, simd::load_128(keys.key(r))));
    let last = _mm_xor_si128(simd::load_128(keys.last()), before);
    simd::store_128(piece.output(), _mm_aesdeclast_si128(x, last));
}

/// All rounds of `N` vectors but the last.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn middle<const N: usize>(keys: Rounds<'_>, mut x: [__m512i; N]) -> [__m512i; N] {
    let k = simd::splat_4x(keys.key(0));
    for i in 0..N {
        x[i] = _mm512_xor_si512(x[i], k);
    }
    inv_rounds_4x(keys, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::cpu::Token;

    /// How a text is decrypted.
    #[derive(Clone, Copy, Debug)]
    enum Way {
        Narrow,
        Long,
        Whole,
    }

    kernel! { Vaes512: fn by(cpu, keys: Rounds<'_>, way: Way, text: &mut [u8]) = by_kernel }

    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn by_kernel(keys: Rounds<'_>, way: Way, text: &mut [u8]) {
        let text = &mut Text::in_place(text);
        match way {
            Way::Narrow => vaes256::decrypt_long(keys, &[3; 16], text),
            Way::Long => decrypt_long(keys, &[3; 16], text),
            Way::Whole => decrypt_whole(keys, &[3; 16], text),
        }
    }

    /// All ways are right, whichever the row of tuning prefers.
    #[test]
    fn all_ways_agree() {
        let Some(cpu) = Cpu::detect() else { return };
        for secret in [&[7; 16][..], &[7; 24], &[7; 32]] {
            let key = Vaes512::new(cpu, secret);
            for blocks in 2..150 {
                let text: Vec<u8> = (0..16 * blocks).map(|i| (i * i) as u8).collect();
                let decrypted = |way| {
                    let mut text = text.clone();
                    by(cpu, key.keys[1].view(), way, &mut text);
                    text
                };
                let right = decrypted(Way::Narrow);
                for way in [Way::Long, Way::Whole] {
                    let bits = 8 * secret.len();
                    assert_eq!(
                        decrypted(way),
                        right,
                        "{way:?}, key of {bits} bits, {blocks} blocks"
                    );
                }
            }
        }
    }
}
