//! ChaCha20-Poly1305 on 256 bits.

use super::super::{
    ChaChaPoly, Nonce, Secret,
    parts::CipherAndMac,
    wide::{self, lengths},
};
#[cfg(not(ropewalk_ct = "msan"))]
use super::interleaved::Beside;
use crate::{
    chacha::{
        chacha20::{
            KeyWords, key_words, nonce_words,
            wide::{KeyStream as _, Others, add_words, lanes, others, up_to_three_in_rows},
        },
        poly1305::{
            Block, Short, State,
            bulk::{InLanes, Kept},
            x86_64::avx2::Limbs26,
        },
    },
    core::{
        cpu::Avx2,
        secret::Wiped,
        simd::{Rows as _, Words as _, x86_64::U32x8},
        text::Text,
    },
};

/// The longest text whose key stream is in three vectors of rows.
const LONGEST_SHORT: usize = 5 * 64;

#[derive(Clone)]
pub(in crate::aeads::chacha20_poly1305) struct Wide {
    cpu: Avx2,
    key: KeyWords,
}

impl ChaChaPoly for Wide {
    kernel! { Avx2: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::kernel::<true> }
    kernel! { Avx2: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::kernel::<false> }
}

impl CipherAndMac for Wide {
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x8::apply_key_stream(self.cpu, &self.key, counter, nonce, text);
    }

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        self.absorb_piece(state, &mut Wiped::new(Kept::NOTHING), blocks);
    }

    fn absorb_piece(&self, state: &mut State, kept: &mut Kept, blocks: &[Block]) {
        InLanes::<Limbs26, 4>(self.cpu).absorb_piece(state, kept, blocks);
    }
}

impl Wide {
    pub(in crate::aeads::chacha20_poly1305) fn new(cpu: Avx2, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    pub(in crate::aeads::chacha20_poly1305) fn words(&self) -> &KeyWords {
        &self.key
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn kernel<const SEAL: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        if text.len() <= LONGEST_SHORT {
            self.short(nonce, aad, &mut text, tag, SEAL);
        } else {
            self.long(nonce, aad, &mut text, tag, SEAL);
        }
    }

    /// Computes the first blocks in one to three vectors of rows, the third of which is only begun; returns r, which is not yet
    /// clamped, and s. Out of line, for both functions below.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn begin(&self, nonce: &Nonce, vectors: usize, first: &mut [U32x8; 16]) -> [u128; 2] {
        let place = nonce_words(0, nonce);
        let (rows, Others { x, start }) =
            up_to_three_in_rows::<U32x8, 8>(self.cpu, &self.key, place, vectors);
        let [a, b] = [U32x8::rows_to_blocks(rows[0]), U32x8::rows_to_blocks(rows[1])];
        unroll!(i in 0 1 2 3 => {
            (first[i], first[4 + i], first[8 + i], first[12 + i]) = (a[i], b[i], x[i], start[i]);
        });
        [rows[0][0].first_number(), rows[0][1].first_number()]
    }

    /// Out of line, as the stack frame of longer messages costs short ones too much. The buffer is passed by reference: by value,
    /// it would be copied in halves, which stall on the words just stored.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn short(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let mut text = text.reborrow();
        let len = text.len();
        let vectors = len.div_ceil(64) / 2 + 1;
        let mut first = Wiped::new([U32x8::splat(self.cpu, 0); 16]);
        let [r, s] = self.begin(nonce, vectors, &mut first);
        let mut mac = Short::from_numbers(0, 0, &[]);
        mac.begin(r, s, aad);
        // The first block is the key of Poly1305.
        let mut from = 2;
        if vectors > 2 {
            let mut text = text.take(3 * 64);
            if seal {
                U32x8::add_some(&first[2..8], &mut text.reborrow());
            }
            // The first blocks, sealed or about to be opened, are authenticated interleaved with the rounds of the last.
            let data = if seal { text.output() } else { text.input() };
            let Some(blocks) = data.as_chunks().0.first_chunk() else {
                unreachable!("there are so many bytes")
            };
            let [.., x, start] = first.as_chunks().0 else { unreachable!("four") };
            let rows = others(Others { x: *x, start: *start }, &mut mac.beside(blocks));
            if !seal {
                U32x8::add_some(&first[2..8], &mut text);
            }
            let blocks = U32x8::rows_to_blocks(rows);
            unroll!(i in 0 1 2 3 => { first[i] = blocks[i]; });
            from = 0;
        }
        let key_stream = first.get(from..8).unwrap_or_default();
        wide::end_of_short(&mut mac, key_stream, text, seal);
        *tag = mac.tag_after(lengths(aad.len(), len));
    }

    /// Eight blocks at a time, with as many authenticated during the rounds of the next: when sealing, the output of the eight
    /// before; when opening, the input of these.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn long(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let mut text = text.reborrow();
        let len = text.len();
        let mut mac = Wiped::new(Short::from_numbers(0, 0, &[]));
        // The key stream of a group that goes through memory.
        let mut key_stream = Wiped::new([U32x8::splat(self.cpu, 0); 16]);
        // The last sealed group is authenticated without interleaving: a larger first group makes it smaller.
        let mut with_key = seal || len <= 7 * 64;
        let mut counter = 0;
        if !with_key {
            // The first opened group is authenticated without interleaving: it is as small as possible, unless that would leave a
            // small group at the end.
            let over = (len - 64) % (8 * 64);
            let three = (1..=2 * 64).contains(&over);
            let [r, s] = self.begin(nonce, 1 + usize::from(three), &mut key_stream);
            mac.begin(r, s, aad);
            counter = if three { 4 } else { 2 };
            let mut text = text.take(64 * (counter as usize - 1));
            mac.absorb_many(text.input());
            U32x8::add_some(&key_stream[2..8], &mut text);
        }
        let start = lanes(self.cpu, &self.key, nonce_words(counter, nonce));
        let mut rounds = Wiped::new(Beside::new(self.cpu, start));
        rounds.set_r(mac.r);
        let mut behind = Text::in_place(&mut []);
        while text.len() > 0 {
            let mut group = text.take(if with_key { 7 * 64 } else { 8 * 64 });
            let data = match (with_key, seal) {
                (true, _) => &[],
                (_, true) => &*behind.output(),
                (_, false) => group.input(),
            };
            let (threes, _) = data.as_chunks::<16>().0.as_chunks();
            let (words, h) = rounds.rounds(mac.h, threes);
            mac.h = h;
            let (blocks, rest) = data.get(48 * threes.len()..).unwrap_or_default().as_chunks();
            for block in blocks {
                mac.absorb_number(u128::from_le_bytes(*block));
            }
            if !rest.is_empty() {
                mac.absorb_many(rest);
            }
            if group.len() == 8 * 64 {
                add_words(words, group.reborrow());
            } else {
                if with_key {
                    let row = |i: usize| {
                        U32x8::quarter([words[i], words[i + 1], words[i + 2], words[i + 3]])[0]
                    };
                    mac.begin(row(0).first_number(), row(4).first_number(), aad);
                    rounds.set_r(mac.r);
                    if !seal {
                        mac.absorb_many(group.input());
                    }
                }
                let from = if with_key { 2 } else { 0 };
                *key_stream = words;
                U32x8::add_some_words(&mut key_stream, from, &mut group);
            }
            behind = group;
            with_key = false;
        }
        if seal {
            mac.absorb_many(behind.output());
        }
        *tag = mac.tag_after(lengths(aad.len(), len));
    }
}

/// The same for MemorySanitizer, which does not track assembly.
#[cfg(ropewalk_ct = "msan")]
struct Beside {
    cpu: Avx2,
    start: [U32x8; 16],
    r: [u64; 2],
}

#[cfg(ropewalk_ct = "msan")]
impl Beside {
    fn new(cpu: Avx2, start: [U32x8; 16]) -> Self {
        Self { cpu, start, r: [0; 2] }
    }

    fn set_r(&mut self, r: [u64; 2]) {
        self.r = r;
    }

    fn rounds(&mut self, h: [u64; 3], blocks: &[[Block; 3]]) -> ([U32x8; 16], [u64; 3]) {
        use crate::chacha::chacha20::wide::rounds;
        let words = rounds(&self.start, &mut ());
        self.start[12] = self.start[12] + U32x8::splat(self.cpu, 8);
        (words, Short::absorbed(h, self.r, blocks.as_flattened()))
    }
}
