//! AES-XTS of eight data units at a time, whose tweaks are encrypted in parallel.

use super::{
    super::{
        lanes::{alike, lanes_backend, tweaks},
        many::{LaneKeys, Message, XtsMany},
    },
    aes::unit,
};
use crate::{
    aes::Rounds,
    core::{block::Block, secret::Wiped, simd::aarch64::Aes1x, text::Text},
};

lanes_backend! { Aesx8 needs Aes: Aes1x, 1 in each of 8 are 8, then unit }
