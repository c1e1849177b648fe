//! AES-CTR with AES instructions on 512 bits: four blocks of a message in each vector.

use core::arch::x86_64::*;

use super::{
    super::{Block, Ctr32, CtrRekey, Secret},
    vaes256,
};
use crate::{
    aes::{
        RoundKeys, Rounds, middle_rounds,
        x86_64::{encrypt as encrypt_1x, expand as expand_kernel},
    },
    core::{
        cpu::Vaes512 as Cpu,
        simd::{
            each,
            x86_64::{self as simd, Tail},
        },
        text::{Piece, Text},
    },
};

pub(in crate::aes::aes_ctr) struct Vaes512 {
    cpu: Cpu,
    pub(in crate::aes::aes_ctr) keys: RoundKeys,
}

impl Ctr32 for Vaes512 {
    kernel! { Vaes512: fn apply(&self, counter: &Block, text: Text<'_>) = Vaes512::kernel }
}

kernel! { Vaes512: fn expand(cpu, secret: &[u8]) -> RoundKeys = expand_kernel }

impl CtrRekey for Vaes512 {
    fn rekey(&mut self, secret: Secret<'_>) {
        *self = Self::new(self.cpu, secret);
    }
}

impl Vaes512 {
    #[inline]
    pub(in crate::aes::aes_ctr) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: expand(cpu, secret) }
    }

    #[inline]
    #[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn kernel(&self, counter: &Block, mut text: Text<'_>) {
        let keys = self.keys.view();
        // Without a call, which takes as long as the rounds in a stream of such chunks.
        if text.len() == 16
            && let Some(mut block) = text.next::<16>()
        {
            let input = simd::load_128(block.input());
            let [x] = encrypt_1x(keys, [simd::load_128(counter)]);
            return simd::store_128(block.output(), _mm_xor_si128(x, input));
        }
        apply(keys, counter, text.reborrow());
    }
}

/// XORs the key stream into the text.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(crate) fn apply(keys: Rounds<'_>, counter: &Block, mut text: Text<'_>) {
    // Passed by reference: by value, it would be copied in halves, which stall on the words just stored.
    let text = &mut text;
    // 256-bit vectors do as many blocks a cycle, without a lower clock on any processor; but they have no masks for other
    // lengths.
    let short = matches!(text.len(), 0..=16 | 64);
    if short {
        // The counter may be secret here; for so short a text both ways take the same time.
        vaes256::run(keys, counter, text, true);
    } else {
        run(keys, counter, text);
    }
}

#[inline(never)]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn run(keys: Rounds<'_>, counter: &Block, text: &mut Text<'_>) {
    let mut text = text.reborrow();
    let mut counters = Counters::new(simd::load_128(counter));
    while let Some(piece) = text.next::<512>() {
        whole::<8, 512>(keys, &mut counters, piece);
    }
    // By the last of the tails, 256 bytes would take 54 cycles instead of 49.
    if let Some(piece) = text.next::<256>() {
        whole::<4, 256>(keys, &mut counters, piece);
    }
    match text.len() {
        0 => {}
        1..=64 => tail::<1, 0>(keys, &mut counters, text),
        65..=128 => tail::<2, 64>(keys, &mut counters, text),
        129..=192 => tail::<3, 128>(keys, &mut counters, text),
        _ => tail::<4, 192>(keys, &mut counters, text),
    }
}

/// `N` vectors, which are `BYTES` bytes.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw")]
fn whole<const N: usize, const BYTES: usize>(
    keys: Rounds<'_>,
    counters: &mut Counters,
    mut text: Piece<'_, BYTES>,
) {
    let input = each(|i| simd::load_512(&text.input().as_chunks().0[i]));
    let output = encrypt::<N>(keys, counters.next(), input);
    for (out, v) in text.output().as_chunks_mut().0.iter_mut().zip(output) {
        simd::store_512(out, v);
    }
}

/// The last `N` vectors, the last of which may be short.
#[inline]
#[target_feature(enable = "vaes,aes,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn tail<const N: usize, const HEAD: usize>(
    keys: Rounds<'_>,
    counters: &mut Counters,
    text: Text<'_>,
) {
    let tail = Tail::<HEAD>::new(text);
    let output = encrypt(keys, counters.next(), tail.load());
    tail.store::<N>(output);
}

/// Encrypts `N` vectors of counters and XORs them into `input`.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn encrypt<const N: usize>(
    keys: Rounds<'_>,
    mut x: [__m512i; N],
    input: [__m512i; N],
) -> [__m512i; N] {
    let k = simd::splat_4x(keys.key(0));
    for i in 0..N {
        x[i] = _mm512_xor_si512(x[i], k);
    }
    middle_rounds!(keys.rounds; r => {
        let k = simd::splat_4x(keys.key(r));
        for i in 0..N {
            x[i] = _mm512_aesenc_epi128(x[i], k);
        }
    });
    let k = simd::splat_4x(keys.last());
    for i in 0..N {
        // The text is added to the last round key, off the critical path.
        x[i] = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(k, input[i]));
    }
    x
}

/// Counter blocks with their bytes reversed, so that the counter is the lowest word of each: the next four.
struct Counters {
    next: __m512i,
}

impl Counters {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(counter: __m128i) -> Self {
        let reversed = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(counter), reverse());
        let ahead = _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0);
        Self { next: _mm512_add_epi32(reversed, ahead) }
    }

    /// The next `N` vectors of four, in the byte order of AES.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn next<const N: usize>(&mut self) -> [__m512i; N] {
        let four = _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4);
        let mut x = [self.next; N];
        for i in 0..N {
            x[i] = _mm512_shuffle_epi8(self.next, reverse());
            self.next = _mm512_add_epi32(self.next, four);
        }
        x
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn reverse() -> __m512i {
    _mm512_broadcast_i32x4(simd::reversal())
}
