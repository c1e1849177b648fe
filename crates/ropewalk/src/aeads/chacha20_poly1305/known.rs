//! Known answers of ChaCha20-Poly1305.

use super::{
    Key, Stream, Tag,
    many::{Many, Message},
};
use crate::{aeads::known::aead, core::known::SECRET};

aead! {
    keys [0, 16, 32].map(|from| &SECRET[from..][..32]); nonces [12];
    [(0, 16), (5, 64), (16, 1), (20, 100)],
    wide [(0, 47), (13, 145), (70, 200), (16, 256), (3, 330), (280, 0), (0, 450), (12, 600), (33, 2150)], up to 2150;
    pieces by Stream; many: [(13, 64, 1), (20, 0, 3)]
}

const ONE: u64 = 0xf0f5_6cc7_07ae_c910;
const WIDE: u64 = 0x1777_f6a1_a730_a995;
const MANY: u64 = 0x1428_289d_8bd9_d3b5;
