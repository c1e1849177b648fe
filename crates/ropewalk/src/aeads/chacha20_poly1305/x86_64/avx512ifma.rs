//! ChaCha20-Poly1305 on 512 bits, with products of 52 bits.

use super::{
    super::{ChaChaPoly, Nonce, Secret, parts::CipherAndMac, wide::lengths},
    short256, some256, some512,
};
use crate::{
    chacha::{
        chacha20::{
            KeyWords, key_words, nonce_words,
            wide::{KeyStream as _, blocks_in_rows, row_and_lanes},
        },
        poly1305::{
            Block, Carried, State,
            bulk::{InLanes, Kept},
            x86_64::avx512ifma::Limbs44,
        },
    },
    core::{
        cpu::Avx512Ifma,
        secret::Wiped,
        simd::{Rows as _, Words as _, x86_64::U32x16},
        text::Text,
        tuning,
    },
};

/// Bytes that are encrypted before they are authenticated, or the reverse: few enough to stay in the L1 cache in between.
const PIECE: usize = 16 * 64 * 16;

#[derive(Clone)]
pub(in crate::aeads::chacha20_poly1305) struct Ifma {
    cpu: Avx512Ifma,
    key: KeyWords,
    /// Whether texts of a few blocks are processed on 256 bits only.
    halves: bool,
}

impl ChaChaPoly for Ifma {
    kernel! { Avx512Ifma: fn seal(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::kernel::<true> }
    kernel! { Avx512Ifma: fn open(&self, nonce: &Nonce, aad: &[u8], text: Text<'_>, tag: &mut Block) = Ifma::kernel::<false> }
}

impl CipherAndMac for Ifma {
    fn apply(&self, counter: u32, nonce: &Nonce, text: Text<'_>) {
        U32x16::apply_key_stream(self.cpu.into(), &self.key, counter, nonce, text);
    }

    fn absorb(&self, state: &mut State, blocks: &[Block]) {
        self.absorb_piece(state, &mut Wiped::new(Kept::NOTHING), blocks);
    }

    fn absorb_piece(&self, state: &mut State, kept: &mut Kept, blocks: &[Block]) {
        InLanes::<Limbs44, 8>(self.cpu).absorb_piece(state, kept, blocks);
    }
}

impl Ifma {
    pub(in crate::aeads::chacha20_poly1305) fn new(cpu: Avx512Ifma, secret: Secret<'_>) -> Self {
        Self { cpu, key: key_words(secret), halves: tuning::row().halves_of_512 }
    }

    #[inline]
    pub(in crate::aeads::chacha20_poly1305) fn words(&self) -> &KeyWords {
        &self.key
    }

    #[inline]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn kernel<const SEAL: bool>(
        &self,
        nonce: &Nonce,
        aad: &[u8],
        mut text: Text<'_>,
        tag: &mut Block,
    ) {
        if text.len() <= short256::LONGEST {
            return self.block(nonce, aad, &mut text, tag, SEAL);
        }
        if self.halves && some256::LENGTHS.contains(&text.len()) {
            self.some(nonce, aad, &mut text, tag, SEAL);
        } else if text.len() <= some512::LONGEST {
            self.whole(nonce, aad, &mut text, tag, SEAL);
        } else {
            self.long(nonce, aad, &mut text, tag, SEAL);
        }
    }

    #[inline(never)]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn block(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        short256::message(self.cpu, &self.key, nonce, aad, text.reborrow(), tag, seal);
    }

    /// Out of line, as a shorter message needs little stack. The buffer is passed by reference: by value, it would be copied in
    /// halves, which stall on the words just stored.
    #[inline(never)]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn whole(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        some512::message(self.cpu, &self.key, nonce, aad, text.reborrow(), tag, seal);
    }

    #[inline(never)]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn some(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        some256::message(self.cpu, &self.key, nonce, aad, text.reborrow(), tag, seal);
    }

    #[inline(never)]
    #[target_feature(
        enable = "avx512ifma,avx512vbmi,avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
    )]
    fn long(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, seal: bool) {
        let (cpu, key, mut text) = (self.cpu.into(), &self.key, text.reborrow());
        let len = text.len();
        let blocks = len.div_ceil(64);
        // Eleven blocks in rows after the key, or sixteen in lanes computed with it. The three blocks in the vector of the key
        // precede those in lanes, if that saves a vector of rows at the end.
        let in_rows = blocks < 12;
        let first = if in_rows || !blocks.is_multiple_of(4) { 3 } else { 0 };
        let mut others = Wiped::new([U32x16::splat(cpu, 0); 16]);
        let rows = if in_rows {
            let [rows, a, b] = blocks_in_rows::<U32x16, 16, 3>(cpu, key, nonce_words(0, nonce));
            let (a, b) = (U32x16::rows_to_blocks(a), U32x16::rows_to_blocks(b));
            unroll!(i in 0 1 2 3 => { (others[i], others[4 + i]) = (a[i], b[i]); });
            rows
        } else {
            let (rows, words) = row_and_lanes::<U32x16, 16>(cpu, key, 1 + first as u32, nonce);
            *others = words;
            rows
        };
        let (r, s) = (rows[0].first_number(), rows[1].first_number());
        let rows = Wiped::new(U32x16::rows_to_blocks(rows));
        let mut mac = Wiped::new(State::from_numbers(r, s));
        let mut kept = Wiped::new(Kept::NOTHING);
        self.absorb_filled(&mut kept, &mut mac, aad);

        // Other code continues after these blocks.
        let mut ready = 64 * (first + if in_rows { 8 } else { 16 });
        let mut counter = 1 + (ready / 64) as u32;
        let mut piece = text.take(PIECE - 1024 + ready);
        loop {
            if !seal {
                self.absorb_filled(&mut kept, &mut mac, piece.input());
            }
            let mut rest = piece.reborrow();
            if ready > 0 {
                U32x16::add_some(&rows[1..], &mut rest.take(64 * first));
                if in_rows {
                    U32x16::add_some(&others[..8], &mut rest.take(64 * 8));
                } else {
                    U32x16::add_some_words(&mut others, 0, &mut rest.take(64 * 16));
                }
            }
            if rest.len() > 0 {
                let blocks = rest.len().div_ceil(64) as u32;
                U32x16::apply_key_stream(cpu, key, counter, nonce, rest);
                counter = counter.wrapping_add(blocks);
            }
            if seal {
                self.absorb_filled(&mut kept, &mut mac, piece.output());
            }
            if text.len() == 0 {
                break;
            }
            ready = 0;
            piece = text.take(PIECE);
        }
        *tag = mac.tag_after::<Carried>(lengths(aad.len(), len));
    }

    #[inline]
    fn absorb_filled(&self, kept: &mut Kept, mac: &mut State, data: &[u8]) {
        let cpu = self.cpu;
        proven!(Avx512Ifma: cpu, once fn enter(cpu: Avx512Ifma, kept: &mut Kept, mac: &mut State, data: &[u8]) -> () {
            InLanes::<Limbs44, 8>(cpu).absorb_filled(kept, mac, data);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::cpu::Token;

    /// Both widths are right, whichever this processor prefers.
    #[test]
    fn halves_and_whole_vectors_agree() {
        let Some(cpu) = Avx512Ifma::detect() else { return };
        let key = key_words(&[7; 32]);
        let [whole, halves] = [false, true].map(|halves| Ifma { cpu, key, halves });
        for len in 0..600 {
            let text: Vec<u8> = (0..len).map(|i| i as u8).collect();
            for aad in [&[][..], &[9; 13], &[9; 40]] {
                let seal = |ifma: &Ifma| {
                    let (mut text, mut tag) = (text.clone(), [0; 16]);
                    ifma.seal(&[3; 12], aad, Text::in_place(&mut text), &mut tag);
                    (text, tag)
                };
                let sealed = seal(&whole);
                assert_eq!(sealed, seal(&halves), "{len} bytes");
                for ifma in [&whole, &halves] {
                    let (mut opened, mut tag) = (sealed.0.clone(), [0; 16]);
                    ifma.open(&[3; 12], aad, Text::in_place(&mut opened), &mut tag);
                    assert_eq!((opened, tag), (text.clone(), sealed.1), "{len} bytes");
                }
            }
        }
    }
}
