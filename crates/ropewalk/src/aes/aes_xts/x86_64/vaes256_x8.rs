//! AES-XTS of eight data units at a time, whose tweaks are encrypted in parallel.

use super::{
    super::{
        lanes::{alike, lanes_backend, tweaks},
        many::{LaneKeys, Message, XtsMany},
    },
    vaes256::unit,
};
use crate::{
    aes::Rounds,
    core::{block::Block, secret::Wiped, simd::x86_64::Gcm2x, text::Text},
};

lanes_backend! { Vaes256x8 needs Vaes256Clmul: Gcm2x, 2 in each of 4 are 8, then unit }
