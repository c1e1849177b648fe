//! ChaCha20-Poly1305 on 256 bits.

use super::super::{
    Aead, Nonce, Secret,
    parts::Parts,
    wide::{self, lengths},
};
#[cfg(not(ropewalk_ct = "msan"))]
use crate::simd::x86_64::Beside;
use crate::{
    chacha20::{
        KeyWords, key_words, nonce_words,
        wide::{add_some, add_words, blocks_in_rows, lanes, lanes_to_blocks},
    },
    cpu::Avx2,
    poly1305::{
        Block, Short, State,
        bulk::{InLanes, Kept},
        x86_64::avx2::Limbs26,
    },
    secret::Wiped,
    simd::{Rows as _, x86_64::U32x8},
    text::Text,
};

/// Bytes of text whose key stream is in three vectors of rows.
const LONGEST_SHORT: usize = 5 * 64;

#[derive(Clone)]
pub(in crate::chacha20_poly1305) struct Wide {
    cpu: Avx2,
    key: KeyWords,
}

impl Aead for Wide {
    kernel! { Avx2: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::kernel::<true> }
    kernel! { Avx2: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Wide::kernel::<false> }
}

impl Parts for Wide {
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
    pub(in crate::chacha20_poly1305) fn new(cpu: Avx2, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret) }
    }

    #[inline]
    pub(in crate::chacha20_poly1305) fn words(&self) -> &KeyWords {
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

    /// Out of line, as what a longer message needs on the stack costs a short one too much. By value, a text would be
    /// copied in halves that wait for the words that have just been stored.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn short(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let (cpu, text) = (self.cpu, text.reborrow());
        wide::short_message::<U32x8, 8>(cpu, &self.key, nonce, aad, text, tag, seal);
    }

    /// Eight blocks at a time, and as much is authenticated beside the rounds of the next: sealing, what the eight
    /// before have become; opening, what these are.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn long(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let mut text = text.reborrow();
        let len = text.len();
        let (mut mac, mut rounds, mut behind);
        if seal || len <= 7 * 64 {
            // Whatever is sealed last is authenticated alone: so the more comes first, the better.
            rounds = self.rounds_from(0, nonce);
            let (words, _) = rounds.rounds([0; 3], &[]);
            let row =
                |i: usize| U32x8::quarter([words[i], words[i + 1], words[i + 2], words[i + 3]])[0];
            let (r, s) = (row(0).first_number(), row(4).first_number());
            mac = Wiped::new(Short::from_numbers(r, s, aad));
            behind = text.take(7 * 64);
            if !seal {
                mac.absorb_many(behind.input());
            }
            add_some(&Wiped::new(lanes_to_blocks(words))[2..], behind.reborrow());
        } else {
            // Whatever is opened first is authenticated alone: so the less comes first, the better, but for what
            // would be a group of its own at the end.
            let over = (len - 64) % (8 * 64);
            let first = if (1..=2 * 64).contains(&over) { 3 } else { 1 };
            let rows = if first == 3 {
                blocks_in_rows::<U32x8, 8, 2>(self.cpu, &self.key, nonce_words(0, nonce))
            } else {
                let [rows] =
                    blocks_in_rows::<U32x8, 8, 1>(self.cpu, &self.key, nonce_words(0, nonce));
                [rows; 2]
            };
            let (r, s) = (rows[0][0].first_number(), rows[0][1].first_number());
            mac = Wiped::new(Short::from_numbers(r, s, aad));
            let text = text.take(64 * first);
            mac.absorb_many(text.input());
            let key_stream = Wiped::new(rows.map(U32x8::rows_to_blocks));
            add_some(&key_stream.as_flattened()[2..], text);
            rounds = self.rounds_from(first as u32 + 1, nonce);
            behind = Text::in_place(&mut []);
        }
        rounds.set_r(mac.r);
        while text.len() > 0 {
            let mut group = text.take(8 * 64);
            let data = if seal { behind.output() } else { group.input() };
            let (threes, _) = data.as_chunks::<16>().0.as_chunks();
            let (words, h) = rounds.rounds(mac.h, threes);
            mac.h = h;
            mac.absorb_filled(&data[48 * threes.len()..]);
            if group.len() == 8 * 64 {
                add_words(words, group.reborrow());
            } else {
                add_some(&*Wiped::new(lanes_to_blocks(words)), group.reborrow());
            }
            behind = group;
        }
        if seal {
            mac.absorb_many(behind.output());
        }
        mac.absorb_number(lengths(aad.len(), len));
        *tag = mac.tag();
    }

    /// Rounds of eight blocks at a time, from that one on.
    #[inline(always)]
    fn rounds_from(&self, counter: u32, nonce: &Nonce) -> Wiped<Beside> {
        let start = lanes(self.cpu, &self.key, nonce_words(counter, nonce));
        Wiped::new(Beside::new(self.cpu, start))
    }
}

/// The same for a tool that does not look into assembly.
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
        use crate::{chacha20::wide::rounds, simd::Words as _};
        let words = rounds(&self.start, &mut ());
        self.start[12] = self.start[12] + U32x8::splat(self.cpu, 8);
        (words, Short::absorbed(h, self.r, blocks.as_flattened()))
    }
}
