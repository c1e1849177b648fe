//! AES-XTS of eight data units at a time, whose tweaks are encrypted in parallel.

use super::{
    super::{
        lanes::{alike, lanes_backend, tweaks},
        many::{LaneKeys, Message, XtsMany},
    },
    aesni::unit,
};
use crate::{
    aes::Rounds,
    core::{block::Block, secret::Wiped, simd::x86_64::Aes1x, text::Text},
};

lanes_backend! { Aesnix8 needs AesniClmul: Aes1x, 1 in each of 8 are 8, then unit }
