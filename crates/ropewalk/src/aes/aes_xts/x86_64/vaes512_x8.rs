//! AES-XTS of eight data units at a time, whose tweaks are encrypted in parallel.

use super::{
    super::{
        lanes::{alike, lanes_backend, tweaks},
        many::{LaneKeys, Message, XtsMany},
    },
    vaes512::unit,
};
use crate::{
    aes::Rounds,
    core::{block::Block, secret::Wiped, simd::x86_64::Gcm4x, text::Text},
};

lanes_backend! { Vaes512x8 needs VaesClmul512: Gcm4x, 4 in each of 2 are 8, then unit }
