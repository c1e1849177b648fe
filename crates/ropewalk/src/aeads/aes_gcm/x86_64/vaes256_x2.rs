//! AES-GCM of two messages at a time, in the halves of vectors of 256 bits.

use super::super::{
    Engine, Key, Tag,
    lanes::{self, LaneKey, Lanes, lanes_backend},
    many::Message,
    order::{Alike, Order},
};
use crate::core::simd::x86_64::Gcm2x;

lanes_backend! { Vaes256x2 of Vaes256 needs Vaes256Clmul: Gcm2x, 2, from 2, to 64, 16 powers }
