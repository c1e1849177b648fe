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
    simd::{Rows as _, Words as _, x86_64::U32x8},
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
        wide::short_message::<U32x8, 8, 2, true>(cpu, &self.key, nonce, aad, text, tag, seal);
    }

    /// Eight blocks at a time, and as much is authenticated beside the rounds of the next: sealing, what the eight
    /// before have become; opening, what these are.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn long(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let mut text = text.reborrow();
        let len = text.len();
        let mut mac = Wiped::new(Short::from_numbers(0, 0, &[]));
        // Whatever is sealed last is authenticated alone: so the more comes first, the better.
        let mut with_key = seal || len <= 7 * 64;
        let mut counter = 0;
        if !with_key {
            // Whatever is opened first is authenticated alone: so the less comes first, the better, but for what
            // would be a group of its own at the end.
            let over = (len - 64) % (8 * 64);
            let three = (1..=2 * 64).contains(&over);
            let mut key_stream = Wiped::new([[U32x8::splat(self.cpu, 0); 4]; 2]);
            let place = nonce_words(0, nonce);
            let [row, next] = if three {
                let rows = blocks_in_rows::<U32x8, 8, 2>(self.cpu, &self.key, place);
                *key_stream = rows.map(U32x8::rows_to_blocks);
                [rows[0][0], rows[0][1]]
            } else {
                let [rows] = blocks_in_rows::<U32x8, 8, 1>(self.cpu, &self.key, place);
                key_stream[0] = U32x8::rows_to_blocks(rows);
                [rows[0], rows[1]]
            };
            begin(&mut mac, row.first_number(), next.first_number(), aad);
            counter = if three { 4 } else { 2 };
            let text = text.take(64 * (counter as usize - 1));
            mac.absorb_many(text.input());
            add_some(&key_stream.as_flattened()[2..], text);
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
            mac.absorb_filled(data.get(48 * threes.len()..).unwrap_or_default());
            if group.len() == 8 * 64 {
                add_words(words, group.reborrow());
            } else {
                let key_stream = Wiped::new(lanes_to_blocks(words));
                let mut from = 0;
                if with_key {
                    let row = |i: usize| {
                        U32x8::quarter([words[i], words[i + 1], words[i + 2], words[i + 3]])[0]
                    };
                    begin(&mut mac, row(0).first_number(), row(4).first_number(), aad);
                    rounds.set_r(mac.r);
                    if !seal {
                        mac.absorb_many(group.input());
                    }
                    from = 2;
                }
                add_some(key_stream.get(from..).unwrap_or_default(), group.reborrow());
            }
            behind = group;
            with_key = false;
        }
        if seal {
            mac.absorb_many(behind.output());
        }
        mac.absorb_number(lengths(aad.len(), len));
        *tag = mac.tag();
    }
}

/// With r, which is not yet clamped, s, and what is not encrypted.
#[inline(never)]
fn begin(mac: &mut Short, r: u128, s: u128, aad: &[u8]) {
    *mac = Short::from_numbers(r, s, aad);
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
        use crate::chacha20::wide::rounds;
        let words = rounds(&self.start, &mut ());
        self.start[12] = self.start[12] + U32x8::splat(self.cpu, 8);
        (words, Short::absorbed(h, self.r, blocks.as_flattened()))
    }
}
