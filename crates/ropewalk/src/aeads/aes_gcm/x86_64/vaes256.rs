//! AES-GCM with AES instructions and carry-less products on 256 bits: two blocks an
//! instruction.

use super::super::{
    CtrGhash, Gcm, Nonce,
    lanes::LaneKey,
    parts::{self, Place},
    wide::{
        Key, STEP, Way, absorb_or_mac, any, crypt, piece, short, short_text, short_texts, wide,
    },
};
use crate::{
    aeads::stream,
    aes::{Rounds, aes_ctr, x86_64::expand_to},
    core::{block::Block, simd::x86_64::Avx2x, text::Text},
};

// The counters that it gets here were computed from nonces by GHASH.
wide! { Vaes256 needs Vaes256Clmul: Avx2x of 2, short texts [apart up to 8], pieces of steps, expand_to, aes_ctr::x86_64::vaes256::apply_secret }

impl Vaes256 {
    #[inline(always)]
    pub(in crate::aeads::aes_gcm) fn lane_key<const P: usize>(&self) -> Option<LaneKey<'_, P>> {
        self.key.lane_key()
    }
}
