//! AES-GCM with VAES and VPCLMULQDQ on 512 bits: four blocks an instruction.
//!
//! The text goes in steps of 16 blocks. Each step encrypts its blocks and hashes those of the step
//! before: AES runs on port 0, products on port 5, and neither waits for the other.

use core::arch::x86_64::*;

use self::counter::{Ahead, Counter, first_counter, last_bytes};
use super::{
    super::{Aead, Nonce, Parts, Secret, lanes::LaneKey, parts::Place},
    ghash512::{Sum, fold_lanes, powers, reverse},
};
use crate::{
    aes::{
        Block, Rounds, middle_rounds,
        x86_64::{encrypt, expand_then},
    },
    cpu::VaesClmul512 as Cpu,
    sealing::stream::Way,
    simd::x86_64 as simd,
    text::{Piece, Text},
};

mod counter;
mod header;
mod narrow;
mod pieces;

/// Powers of the hash key kept: whatever is at most this many blocks is reduced once.
const POWERS: usize = 52;
/// Steps between reductions. The last reduction has the tail and the lengths too, and a step less.
const STEPS: usize = 3;
/// Blocks in a step.
const STEP: usize = 16;

/// H^52 … H^1, then the round keys, so that reading four powers from the last is reading the table.
type Table = [Block; POWERS + 15];

#[derive(Clone)]
pub(in crate::aes_gcm) struct Vaes512 {
    cpu: Cpu,
    keys: Keys,
}

#[derive(Clone)]
#[repr(align(64))]
struct Keys {
    table: Table,
    rounds: usize,
}

/// What kernels take of them.
#[derive(Clone, Copy)]
struct View<'a> {
    table: &'a Table,
    keys: Rounds<'a>,
}

impl Keys {
    #[inline(always)]
    fn view(&self) -> View<'_> {
        let Self { table, rounds } = self;
        View { table, keys: Rounds { keys: table.last_chunk().unwrap(), rounds: *rounds } }
    }
}

impl Aead for Vaes512 {
    kernel! { VaesClmul512: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes512::crypt_kernel::<false> }
    kernel! { VaesClmul512: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Vaes512::crypt_kernel::<true> }
    kernel! { VaesClmul512: fn piece(&self, place: &mut Place, text: Text<'_>, way: Way) = Vaes512::piece_kernel }
}

impl Parts for Vaes512 {
    kernel! { VaesClmul512: fn ctr(&self, counter: &Block, text: Text<'_>) = Vaes512::ctr_kernel }
    kernel! { VaesClmul512: fn absorb(&self, hash: &mut Block, data: &[u8]) = Vaes512::absorb_kernel }

    fn rekey(&mut self, secret: Secret<'_>) {
        set_key(self.cpu, &mut self.keys, secret);
    }
}

kernel! { VaesClmul512: fn make(cpu, secret: &[u8]) -> Keys = make_kernel }
kernel! { VaesClmul512: fn set_key(cpu, keys: &mut Keys, secret: &[u8]) = set_key_kernel }

impl Vaes512 {
    #[inline(always)]
    pub(in crate::aes_gcm) fn lane_key<const P: usize>(&self) -> Option<LaneKey<'_, P>> {
        let View { table, keys } = self.keys.view();
        let powers = table[..POWERS].last_chunk()?;
        Some(LaneKey { keys: keys.keys, rounds: keys.rounds, powers })
    }

    #[inline]
    pub(in crate::aes_gcm) fn new(cpu: Cpu, secret: Secret<'_>) -> Self {
        Self { cpu, keys: make(cpu, secret) }
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
        if text.len() > LONGEST_SHORT || aad.len() > 64 {
            return match keys.rounds {
                10 if text.len() < LONG_ENOUGH => {
                    long::<true, OPEN, false>(keys, nonce, aad, text, tag)
                }
                10 => long::<true, OPEN, true>(keys, nonce, aad, text, tag),
                _ => long::<false, OPEN, true>(keys, nonce, aad, text, tag),
            };
        }
        // By blocks, for those lengths to ask nothing that are not on fewer bits.
        match text.len().wrapping_add(15) / 16 {
            1 if aad.len() <= 16 => narrow::one::<OPEN>(keys, nonce, aad, text, tag),
            4 if text.len() == 64 && aad.len() <= 16 => {
                narrow::four::<OPEN>(keys, nonce, aad, text, tag)
            }
            0..=3 => short::<OPEN, 1>(keys, nonce, aad, text, tag),
            4..=7 => short::<OPEN, 2>(keys, nonce, aad, text, tag),
            8..=11 => short::<OPEN, 3>(keys, nonce, aad, text, tag),
            12..=15 => short::<OPEN, 4>(keys, nonce, aad, text, tag),
            16..=19 => short::<OPEN, 5>(keys, nonce, aad, text, tag),
            20..=23 => short::<OPEN, 6>(keys, nonce, aad, text, tag),
            24..=27 => short::<OPEN, 7>(keys, nonce, aad, text, tag),
            _ => short::<OPEN, 8>(keys, nonce, aad, text, tag),
        }
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn piece_kernel(&self, place: &mut Place, mut text: Text<'_>, way: Way) {
        pieces::piece(&self.keys, place, &mut text, way);
    }

    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn ctr_kernel(&self, counter: &Block, text: Text<'_>) {
        crate::aes_ctr::x86_64::vaes512::apply(self.keys.view().keys, counter, text);
    }

    #[inline]
    #[target_feature(
        enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2"
    )]
    fn absorb_kernel(&self, hash: &mut Block, data: &[u8]) {
        let before = _mm_shuffle_epi8(simd::load_128(hash), simd::reversal());
        let after = match data.len() {
            // As pieces of messages leave it again and again, and as their lengths are.
            1..=16 => pieces::hash_block(&self.keys.table, before, data),
            _ => header::hash(&self.keys.table, before, data),
        };
        simd::store_128(hash, _mm_shuffle_epi8(after, simd::reversal()));
    }
}

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn make_kernel(secret: &[u8]) -> Keys {
    make_then(secret, |keys| keys)
}

#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn set_key_kernel(place: &mut Keys, secret: &[u8]) {
    make_then(secret, |keys| *place = keys);
}

/// All keys are in registers when `then` gets them, and stored once, where it wants them: a table that
/// is filled behind a reference would first be zeroed, and then be copied.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,aes,pclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn make_then<T>(secret: &[u8], then: impl FnOnce(Keys) -> T) -> T {
    let ([h], keys, rounds) = expand_then(secret, |keys, rounds| {
        let zero = [_mm_setzero_si128()];
        let h = encrypt(Rounds { keys: &keys, rounds }, zero);
        (h, keys, rounds)
    });
    let mut table = [[0; 16]; POWERS + 15];
    let (fours, place) = table.split_at_mut(POWERS);
    place.copy_from_slice(&keys);
    let (fours, []) = fours.as_flattened_mut().as_chunks_mut::<64>() else { unreachable!() };
    powers::<{ POWERS / 4 }>(h, |i, four| simd::store_512(&mut fours[POWERS / 4 - 1 - i], four));
    then(Keys { table, rounds })
}

/// Consecutive powers, from H^(52-at) down.
#[inline]
fn powers_at<const N: usize>(table: &Table, at: usize) -> &[[u8; 64]; N] {
    table[at..at + 4 * N].as_flattened().as_chunks().0.try_into().unwrap()
}

/// The longest text that eight vectors hold beside a block: steps do not pay before.
const LONGEST_SHORT: usize = 16 * (4 * 8 - 1);

/// A short text, with additional data of at most 4 blocks: no loop, one reduction. By value, a text would be copied in
/// halves that wait for the words that have just been stored.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn short<const OPEN: bool, const N: usize>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
) {
    // In registers: what is behind a reference would be updated there.
    let mut text = text.reborrow();
    let View { table, keys } = keys.view();
    let part = text.len().wrapping_add(15) / 16 % 4;
    let at = POWERS - 1 - (4 * (N - 1) + part);
    let mut sum = Sum::zero();
    // The last vector has a lane for additional data that is one block, unless the others fill it.
    let mut header = _mm_setzero_si128();
    if aad.len() <= 16 && part < 3 {
        header = simd::load_part_128(aad);
    } else if !aad.is_empty() {
        let [power] = powers_at(table, at - aad.len().div_ceil(16));
        sum.add(reverse(simd::load_part_512(aad)), simd::load_512(power));
    }

    let spare = 0b11 << (2 * part);
    let constants = [
        last_bytes(2, 3, 4, 5),
        last_bytes(6, 7, 8, 9),
        last_bytes(10, 11, 12, 13),
        last_bytes(14, 15, 16, 17),
        last_bytes(18, 19, 20, 21),
        last_bytes(22, 23, 24, 25),
        last_bytes(26, 27, 28, 29),
        last_bytes(30, 31, 32, 33),
    ];
    let base = first_counter(table, nonce);
    let mut state = [base; N];
    unroll!(i in 0 1 2 3 4 5 6 7 => if i < N {
        let constant = if i + 1 < N {
            constants[i]
        } else {
            _mm512_mask_blend_epi64(spare, constants[i], last_bytes(1, 1, 1, 1))
        };
        state[i] = _mm512_xor_si512(base, constant);
    });
    rounds(keys, &mut state);
    let lengths = lengths(aad, &text);
    let pad = last_round::<OPEN, N>(keys, &mut state, &mut text, spare, lengths, header);
    let powers = powers_at::<N>(table, at);
    for i in 0..N {
        let mut power = simd::load_512(&powers[i]);
        if i == N - 1 {
            // Where that lane is not free, what it has is the lengths.
            let of_header = if part < 3 { &table[at - 1] } else { &table[POWERS - 1] };
            power = _mm512_mask_broadcast_i32x4(power, 0xf000, simd::load_128(of_header));
        }
        sum.add(state[i], power);
    }
    simd::store_128(tag, fold_lanes(_mm512_xor_si512(reverse(sum.reduce()), pad)));
}

/// The shortest text for which blocks are made ahead where there are ten rounds. That spares port 0 three
/// rounds in a step and costs port 5 one shuffle: more rounds gain by it always, but with ten both ports
/// are full.
const LONG_ENOUGH: usize = 4096;

/// A text of any length. Ten rounds have a kernel of their own, which keeps their keys in registers.
#[inline(never)]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn long<const TEN: bool, const OPEN: bool, const AHEAD: bool>(
    keys: &Keys,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
) {
    let mut view = keys.view();
    if TEN {
        view.keys.rounds = 10;
    }
    let View { table, keys } = view;
    if text.len() == 0 {
        return header::mac(table, keys.rounds, nonce, aad, tag);
    }
    // In registers, likewise.
    let mut text = text.reborrow();
    let lengths = lengths(aad, &text);
    let mut counter = Counter::new(table, nonce);
    let mut ahead = Ahead::new(table, &counter);
    let mut sum = Sum::zero();
    let mut hash = _mm512_setzero_si512();

    // Steps are hashed in groups that are reduced once. The first group may be short; all but the last
    // end with H^1, and that ends where the tail begins.
    let steps = text.len() / (16 * STEP);
    let tail_blocks = (text.len() % (16 * STEP)).div_ceil(16);
    let last_steps = steps.min(STEPS - 1);
    let last = POWERS - 1 - tail_blocks - STEP * last_steps;
    let mut groups = (steps - last_steps).div_ceil(STEPS);
    let mut at = match groups {
        0 => last,
        _ => POWERS - STEP * (steps - last_steps - STEPS * (groups - 1)),
    };
    let aad_blocks = aad.len().div_ceil(16);
    if aad_blocks > at {
        hash = _mm512_zextsi128_si512(header::hash(table, _mm_setzero_si128(), aad));
    } else {
        let mut at = at - aad_blocks;
        for piece in aad.chunks(64) {
            let [power] = powers_at(table, at);
            sum.add(reverse(simd::load_part_512(piece)), simd::load_512(power));
            at += 4;
        }
    }

    if let Some(first) = text.next() {
        let mut behind = step::<TEN, OPEN, AHEAD, false, false>(
            view,
            &mut counter,
            &mut ahead,
            first,
            [hash; 4],
            &mut sum,
            0,
        );
        behind[0] = _mm512_xor_si512(behind[0], hash);
        hash = _mm512_setzero_si512();
        while let Some(piece) = text.next() {
            behind = step::<TEN, OPEN, AHEAD, true, false>(
                view,
                &mut counter,
                &mut ahead,
                piece,
                behind,
                &mut sum,
                at,
            );
            at += STEP;
            if at == POWERS {
                let hash = _mm512_zextsi128_si512(fold_lanes(sum.reduce()));
                behind[0] = _mm512_xor_si512(behind[0], hash);
                sum = Sum::zero();
                groups -= 1;
                at = if groups == 0 { last } else { POWERS - STEP * STEPS };
            }
        }
        let powers = powers_at::<4>(table, at);
        for i in 0..4 {
            sum.add(behind[i], simd::load_512(&powers[i]));
        }
        at += STEP;
        if AHEAD {
            counter.skip_to(STEP * steps);
        }
    }
    let right = match tail_blocks / 4 {
        0 => finish::<OPEN, 1>(view, &mut counter, text, hash, sum, at, lengths),
        1 => finish::<OPEN, 2>(view, &mut counter, text, hash, sum, at, lengths),
        2 => finish::<OPEN, 3>(view, &mut counter, text, hash, sum, at, lengths),
        3 => finish::<OPEN, 4>(view, &mut counter, text, hash, sum, at, lengths),
        _ => finish::<OPEN, 5>(view, &mut counter, text, hash, sum, at, lengths),
    };
    simd::store_128(tag, right);
}

/// Encrypts or decrypts 16 blocks, hashes the 16 `behind`, and returns those to hash next. What has two callers may not be
/// inlined, and would then go through memory: so each has its own.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn step<
    const TEN: bool,
    const OPEN: bool,
    const AHEAD: bool,
    const HASH: bool,
    const CALLER: bool,
>(
    View { table, keys }: View<'_>,
    counter: &mut Counter,
    ahead: &mut Ahead,
    mut text: Piece<'_, { 16 * STEP }>,
    behind: [__m512i; 4],
    sum: &mut Sum,
    at: usize,
) -> [__m512i; 4] {
    let powers = powers_at::<4>(table, at);
    let mut state = if AHEAD && HASH { ahead.blocks } else { counter.next::<4>() };
    let mut others = [state[0]; 2];
    if AHEAD {
        others = ahead.others(table, counter);
        ahead.columns();
    }
    // Fifteen round keys do not stay in registers beside the rest: kept there, LLVM reorders each
    // chain of AES into a queue. A table it cannot see through is read again each step.
    let keys = if TEN { keys } else { keys.unseen() };
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        if !(AHEAD && HASH && round == 1) {
            for i in 0..4 {
                state[i] = _mm512_aesenc_epi128(state[i], key);
            }
        }
        if HASH && (round == 4 || round == 8) {
            let i = round / 8 * 2;
            sum.add2(
                [behind[i], behind[i + 1]],
                [simd::load_512(&powers[i]), simd::load_512(&powers[i + 1])],
            );
        }
        // With keys from memory, LLVM would queue the rounds of one vector behind those of another.
        if !TEN {
            for block in &mut state {
                simd::keep_order_512(block);
            }
        }
        if AHEAD && round == 8 {
            ahead.merge(others);
        }
    });
    let last = simd::splat_4x(keys.last());
    let mut hashed = state;
    for i in 0..4 {
        let input = simd::load_512(&text.input().as_chunks().0[i]);
        let output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
        simd::store_512(&mut text.output().as_chunks_mut().0[i], output);
        hashed[i] = reverse(if OPEN { input } else { output });
    }
    hashed
}

/// Encrypts or decrypts the last 0 to 15 blocks, and makes the tag. `N` is one more than the whole
/// vectors of text: the last vector has room for a block that is counter 1 for AES, and the
/// lengths for GHASH.
#[inline]
#[target_feature(enable = "vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn finish<const OPEN: bool, const N: usize>(
    View { table, keys }: View<'_>,
    counter: &mut Counter,
    mut text: Text<'_>,
    hash: __m512i,
    mut sum: Sum,
    at: usize,
    lengths: __m128i,
) -> __m128i {
    let part_blocks = text.len().div_ceil(16) % 4;
    let spare = 0b11 << (2 * part_blocks);

    let mut state = counter.next::<N>();
    state[N - 1] = _mm512_mask_blend_epi64(spare, state[N - 1], counter.first());
    rounds(keys, &mut state);
    let none = _mm_setzero_si128();
    let pad = last_round::<OPEN, N>(keys, &mut state, &mut text, spare, lengths, none);
    state[0] = _mm512_xor_si512(state[0], hash);
    let powers = powers_at::<N>(table, at);
    for i in 0..N {
        sum.add(state[i], simd::load_512(&powers[i]));
    }
    fold_lanes(_mm512_xor_si512(reverse(sum.reduce()), pad))
}

/// The rounds between the first and the last.
#[inline]
#[target_feature(enable = "vaes,avx512f")]
fn rounds<const N: usize>(keys: Rounds<'_>, state: &mut [__m512i; N]) {
    middle_rounds!(keys.rounds; round => {
        let key = simd::splat_4x(keys.key(round));
        for i in 0..N {
            state[i] = _mm512_aesenc_epi128(state[i], key);
        }
    });
}

/// The last round of up to `N` vectors, the last of which is not whole: adds them to the text, leaves
/// in `state` what is to be hashed, with the lengths in the `spare` lane, and returns that lane's
/// encrypted counter.
#[inline]
#[target_feature(enable = "vaes,avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn last_round<const OPEN: bool, const N: usize>(
    keys: Rounds<'_>,
    state: &mut [__m512i; N],
    text: &mut Text<'_>,
    spare: u8,
    lengths: __m128i,
    header: __m128i,
) -> __m512i {
    let last = simd::splat_4x(keys.last());
    let mut pad = last;
    unroll!(i in 0 1 2 3 4 5 6 7 => if i < N {
        // Of the last two vectors, one may be short, and nothing is left for the other.
        let whole = if i + 2 < N {
            let Some(piece) = text.next::<64>() else { unreachable!("there are two more") };
            Some(piece)
        } else if i + 1 < N {
            text.next::<64>()
        } else {
            None
        };
        let (output, mut hashed);
        if let Some(mut piece) = whole {
            let input = simd::load_512(piece.input());
            output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
            simd::store_512(piece.output(), output);
            hashed = if OPEN { input } else { output };
        } else if 1 < N && N < 5 && text.len() == 0 {
            // What is hashed here waits for no cipher. (With more vectors, LLVM would keep all in memory.)
            hashed = _mm512_setzero_si512();
            output = _mm512_aesenclast_epi128(state[i], last);
        } else {
            let mut rest = text.take(64);
            // A masked store hands nothing on to a load that follows: who has one block or two, and goes
            // on with them, would wait.
            let blocks = if N == 1 { rest.len() } else { 0 };
            let input = match blocks {
                16 => _mm512_zextsi128_si512(simd::load_128(rest.input().first_chunk().unwrap())),
                32 => _mm512_zextsi256_si512(simd::load_256(rest.input().first_chunk().unwrap())),
                _ => simd::load_less_512(rest.input()),
            };
            output = _mm512_aesenclast_epi128(state[i], _mm512_xor_si512(last, input));
            hashed = if OPEN {
                input
            } else {
                _mm512_maskz_mov_epi8(simd::first_bytes(rest.len()), output)
            };
            match blocks {
                16 => simd::store_128(
                    rest.output().first_chunk_mut().unwrap(),
                    _mm512_castsi512_si128(output),
                ),
                32 => simd::store_256(
                    rest.output().first_chunk_mut().unwrap(),
                    _mm512_castsi512_si256(output),
                ),
                _ => simd::store_less_512(rest.output(), output),
            }
        }
        if i == N - 1 {
            // Of its last lane, nothing is text.
            hashed = reverse(_mm512_inserti32x4::<3>(hashed, header));
            let lengths = _mm512_broadcast_i32x4(lengths);
            state[i] = _mm512_mask_mov_epi64(hashed, spare, lengths);
            pad = _mm512_maskz_mov_epi64(spare, output);
        } else {
            state[i] = reverse(hashed);
        }
    });
    pad
}

/// The last block of GHASH, byte-reversed.
#[inline]
#[target_feature(enable = "sse2")]
fn lengths(aad: &[u8], text: &Text<'_>) -> __m128i {
    _mm_set_epi64x(8 * aad.len() as i64, 8 * text.len() as i64)
}
