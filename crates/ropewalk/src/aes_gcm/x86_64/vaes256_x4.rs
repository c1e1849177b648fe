//! AES-GCM of four messages at a time, two in each of two vectors of 256 bits.

use super::super::{
    AeadMany, Engine, Key, Tag,
    lanes::{Alike, LaneKey, Lanes, Order, lanes_backend},
    many::Message,
};
use crate::simd::{Two, x86_64::Gcm2x};

lanes_backend! { Vaes256x4 of Vaes256 needs Vaes256Clmul: Two<Gcm2x>, 4, from 3, to 64 }
