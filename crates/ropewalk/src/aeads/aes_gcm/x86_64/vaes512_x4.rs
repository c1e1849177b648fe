//! AES-GCM of four messages at a time, in the quarters of vectors of 512 bits.

use super::super::{
    Engine, Key, Tag,
    lanes::{self, LaneKey, Lanes, lanes_backend},
    many::Message,
    order::{Alike, Order},
};
use crate::core::simd::x86_64::Gcm4x;

mod alike;

lanes_backend! { Vaes512x4 of Vaes512 needs VaesClmul512: Gcm4x, 4, from 3, to 256, 24 powers, alike::fours }
