//! GHASH of many blocks, without interleaved AES.

use core::arch::x86_64::*;

use super::{fold_1x, keep_order_128, load_128, reverse_1x};

/// The hash after groups of eight blocks, byte-reversed, given the powers by which such a group is multiplied. A product takes
/// three instructions instead of four (Karatsuba), since port 5 executes one a cycle; the sums of halves that this needs are
/// computed for two blocks at once, on other ports.
#[inline]
#[target_feature(enable = "pclmulqdq,sse4.1")]
pub(crate) fn hash_groups_1x(mut hash: __m128i, data: &[[u8; 16]], powers: &[[u8; 16]]) -> __m128i {
    let Some(powers) = powers.first_chunk::<8>() else { return hash };
    let (powers, []) = powers.as_chunks() else { return hash };
    let zero = _mm_setzero_si128();
    for group in data.as_chunks::<8>().0 {
        let (pairs, []) = group.as_chunks() else { return hash };
        let [mut low, mut middle, mut high] = [zero; 3];
        // The first pair depends on the hash, and comes last.
        for i in [1, 2, 3, 0] {
            let (mut x, y) = (reverse_1x(halves_added(&pairs[i])), halves_added(&powers[i]));
            let (mut a, c) =
                (reverse_1x(load_128(&pairs[i][0])), reverse_1x(load_128(&pairs[i][1])));
            let (b, d) = (load_128(&powers[i][0]), load_128(&powers[i][1]));
            if i == 0 {
                a = _mm_xor_si128(a, hash);
                // Both halves of the hash, added, at the position of those of the first block.
                let sum = _mm_xor_si128(hash, _mm_bslli_si128::<8>(hash));
                x = _mm_xor_si128(x, _mm_and_si128(sum, _mm_set_epi64x(-1, 0)));
            }
            // Byte reversal has also swapped the halves.
            let m = _mm_clmulepi64_si128::<0x01>(x, y);
            middle = xor3(middle, m, _mm_clmulepi64_si128::<0x10>(x, y));
            let l = _mm_clmulepi64_si128::<0x00>(a, b);
            low = xor3(low, l, _mm_clmulepi64_si128::<0x00>(c, d));
            let h = _mm_clmulepi64_si128::<0x11>(a, b);
            high = xor3(high, h, _mm_clmulepi64_si128::<0x11>(c, d));
        }
        middle = xor3(middle, low, high);
        hash = fold_1x(fold_1x(low, middle), high);
    }
    hash
}

/// Both halves of each of two blocks, added: the lower half is that of the first block, the upper one that of the second. A load
/// aligns the halves, without a shuffle.
#[inline]
#[target_feature(enable = "sse4.1")]
fn halves_added(two: &[[u8; 16]; 2]) -> __m128i {
    let outer = _mm_blend_epi16::<0b1111_0000>(load_128(&two[0]), load_128(&two[1]));
    let inner = two.as_flattened()[8..].first_chunk();
    let inner = load_128(inner.unwrap_or_else(|| unreachable!("16 more")));
    let mut added = _mm_xor_si128(outer, inner);
    // LLVM would otherwise reverse both before the addition.
    keep_order_128(&mut added);
    added
}

#[inline]
#[target_feature(enable = "sse2")]
fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    _mm_xor_si128(a, _mm_xor_si128(b, c))
}
