//! AES-GCM with VAES and VPCLMULQDQ on 512 bits: four blocks an instruction.
//!
//! The text is processed in steps of 16 blocks. Each step encrypts its blocks and hashes those of the step before: AES runs on
//! port 0, products on port 5, and both are independent. Where the row of tuning says so, steps have 32 blocks ([`eights`]).

use core::{arch::x86_64::*, mem::MaybeUninit};

use self::{
    last::{How, last},
    steps::long,
};
use super::{
    super::{CtrGhash, Gcm, Nonce, Secret, lanes::LaneKey, parts::Place},
    ghash512::{fold_lanes, powers},
};
use crate::{
    aeads::stream::Way,
    aes::{
        Rounds,
        x86_64::{encrypt, expand_to},
    },
    core::{block::Block, cpu::VaesClmul512 as Cpu, simd::x86_64 as simd, text::Text, tuning},
};

mod counter;
mod eights;
mod header;
mod last;
mod narrow;
mod pieces;
mod steps;

/// Powers of the hash key: up to this many blocks take one reduction.
const POWERS: usize = 52;

/// The same where steps have 32 blocks: two steps; or one, eight vectors and the lengths.
const POWERS_FOR_EIGHTS: usize = 68;

/// H^52 … H^1, then the round keys, so that a load of four powers from the last stays within the table.
type Table = [Block; POWERS + 15];

/// The same from H^68 on.
type LongTable = [Block; POWERS_FOR_EIGHTS + 15];

#[derive(Clone)]
pub(in crate::aeads::aes_gcm) struct Vaes512 {
    cpu: Cpu,
    keys: Keys,
}

#[derive(Clone)]
#[repr(align(64))]
struct Keys {
    /// With zeros for the highest powers, unless steps have eight vectors.
    table: LongTable,
    rounds: usize,
    /// Whether steps have eight vectors, as the row of tuning said when the key was made.
    eights: bool,
}

/// The parts that kernels use.
#[derive(Clone, Copy)]
struct View<'a> {
    table: &'a Table,
    keys: Rounds<'a>,
}

impl Keys {
    #[inline(always)]
    fn view(&self) -> View<'_> {
        let Self { table, rounds, .. } = self;
        let table: &Table = table.last_chunk().unwrap();
        View { table, keys: Rounds { keys: table.last_chunk().unwrap(), rounds: *rounds } }
    }
}

impl Gcm for Vaes512 {
    kernel! { VaesClmul512: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes512::crypt_kernel::<false> }
    kernel! { VaesClmul512: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes512::crypt_kernel::<true> }
    kernel! { VaesClmul512: fn piece(&self, place: &mut Place, text: Text<'_>, way: Way) = Vaes512::piece_kernel }
    kernel! { VaesClmul512: fn finish(&self, place: &Place, aad: u64, text: u64, tag: &mut Block) = Vaes512::finish_kernel }
}

impl CtrGhash for Vaes512 {
    kernel! { VaesClmul512: fn ctr(&self, counter: &Block, text: Text<'_>) = Vaes512::ctr_kernel }
    kernel! { VaesClmul512: fn absorb(&self, hash: &mut Block, data: &[u8]) = Vaes512::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        // SAFETY: the function that gets it writes a key there, and does nothing else.
        #[allow(unsafe_code)]
        let place = unsafe { &mut *(&raw mut self.keys).cast() };
        set_key(self.cpu, place, secret);
    }
}

kernel! { VaesClmul512: fn set_key(cpu, place: &mut MaybeUninit<Keys>, secret: &[u8]) = set_key_kernel }

impl Vaes512 {
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn lane_key<const P: usize>(&self) -> Option<LaneKey<'_, P>> {
        let View { table, keys } = self.keys.view();
        let powers = table[..POWERS].last_chunk()?;
        Some(LaneKey { keys: keys.keys, rounds: keys.rounds, powers })
    }

    /// Bytes of stack that a message takes more than with steps of four vectors: spilled round keys, and ciphertext to hash.
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn more_stack(&self) -> usize {
        if self.keys.eights { 512 } else { 0 }
    }

    #[inline]
    pub(in crate::aeads::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        let mut keys = MaybeUninit::uninit();
        set_key(cpu, &mut keys, secret);
        // SAFETY: it has just been written.
        #[allow(unsafe_code)]
        let keys = unsafe { keys.assume_init() };
        Self { cpu, keys }
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn crypt_kernel<const OPEN: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        let (keys, text) = (&self.keys, &mut text);
        // Texts for narrow kernels take no further checks.
        match text.len() {
            1..=16 if aad.len() <= 16 => narrow::one::<OPEN>(keys, nonce, aad, text, tag),
            64 if aad.len() <= 16 => narrow::four::<OPEN>(keys, nonce, aad, text, tag),
            _ => wide(keys, nonce, aad, text, tag, const { &How { open: OPEN, before: None } }),
        }
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn piece_kernel(&self, place: &mut Place, mut text: Text<'_>, way: Way) {
        pieces::piece(&self.keys, place, &mut text, way);
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn finish_kernel(&self, place: &Place, aad: u64, text: u64, tag: &mut Block) {
        pieces::finish(&self.keys, place, aad, text, tag);
    }

    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        crate::aes::aes_ctr::x86_64::vaes512::apply(self.keys.view().keys, counter, text);
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let View { table, .. } = self.keys.view();
        let before = _mm_shuffle_epi8(simd::load_128(hash), simd::reversal());
        let after = match data.len() {
            // The two common cases: chunks of messages end so, and lengths have this form.
            1..=16 => pieces::hash_block(table, before, data),
            _ => header::hash(table, before, data),
        };
        simd::store_128(hash, _mm_shuffle_epi8(after, simd::reversal()));
    }
}

/// Any text, on 512 bits. A function of its own, so that its caller needs no stack for it.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn wide(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    how: &How<'_>,
) {
    if text.len() > LONGEST_SHORT || aad.len() > 64 {
        if keys.eights && text.len() > LONGEST_SHORT {
            return before_eights(keys, nonce, aad, text, tag, how);
        }
        return long(keys, nonce, aad, text, tag, how.open, None);
    }
    match text.len().wrapping_add(15) / 16 {
        0..=3 => last::<1>(keys, nonce, aad, text, tag, how),
        4..=7 => last::<2>(keys, nonce, aad, text, tag, how),
        8..=11 => last::<3>(keys, nonce, aad, text, tag, how),
        12..=15 => last::<4>(keys, nonce, aad, text, tag, how),
        16..=19 => last::<5>(keys, nonce, aad, text, tag, how),
        20..=23 => last::<6>(keys, nonce, aad, text, tag, how),
        24..=27 => last::<7>(keys, nonce, aad, text, tag, how),
        _ => last::<8>(keys, nonce, aad, text, tag, how),
    }
}

/// The same for longer texts, where steps have 32 blocks.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn before_eights(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    how: &How<'_>,
) {
    if text.len() > LONGEST_BEFORE_EIGHTS || aad.len() > 64 {
        return eights::long(keys, nonce, aad, text, tag, how.open, None);
    }
    match text.len().wrapping_add(15) / 16 {
        0..=35 => last::<9>(keys, nonce, aad, text, tag, how),
        36..=39 => last::<10>(keys, nonce, aad, text, tag, how),
        40..=43 => last::<11>(keys, nonce, aad, text, tag, how),
        _ => last::<12>(keys, nonce, aad, text, tag, how),
    }
}

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn set_key_kernel(place: &mut MaybeUninit<Keys>, secret: &[u8]) {
    // All of it is computed in its final place.
    let eights = tuning::row().gcm_vectors > 4;
    let table = [[0; 16]; POWERS_FOR_EIGHTS + 15];
    let Keys { table, rounds, .. } = place.write(Keys { table, rounds: 0, eights });
    let (fours, keys) = table.split_at_mut(POWERS_FOR_EIGHTS);
    let Ok(keys): Result<&mut [Block; 15], _> = keys.try_into() else {
        unreachable!("fifteen behind powers")
    };
    *rounds = expand_to(secret, keys);
    let [h] = encrypt(Rounds { keys, rounds: *rounds }, [_mm_setzero_si128()]);
    let unused = if eights { 0 } else { POWERS_FOR_EIGHTS - POWERS };
    powers(h, fours[unused..].as_flattened_mut().as_chunks_mut().0);
}

/// Consecutive powers of a table, from that index on.
#[inline]
fn powers_at<const N: usize, const T: usize>(table: &[Block; T], at: usize) -> &[[u8; 64]; N] {
    table[at..at + 4 * N].as_flattened().as_chunks().0.try_into().unwrap()
}

/// The longest text that eight vectors hold together with one block: steps are slower up to here.
const LONGEST_SHORT: usize = 16 * (4 * 8 - 1);

/// The same for twelve vectors, where steps have 32 blocks.
const LONGEST_BEFORE_EIGHTS: usize = 16 * (4 * 12 - 1);

/// A hash, byte-reversed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn hash_in(hash: &Block) -> __m512i {
    _mm512_zextsi128_si512(_mm_shuffle_epi8(simd::load_128(hash), simd::reversal()))
}

/// The inverse.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn hash_out(place: &mut Block, hash: __m512i) {
    simd::store_128(place, _mm_shuffle_epi8(fold_lanes(hash), simd::reversal()));
}

/// The last block of GHASH, byte-reversed.
#[inline]
#[target_feature(enable = "sse2")]
fn of_lengths(aad: &[u8], text: &Text<'_>) -> __m128i {
    _mm_set_epi64x(8 * aad.len() as i64, 8 * text.len() as i64)
}
