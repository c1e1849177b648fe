//! AES-GCM of eight messages at a time, four in each of two vectors of 512 bits.

use super::super::{
    AeadMany, Engine, Key, Tag,
    lanes::{Alike, LaneKey, Lanes, Order, lanes_backend},
    many::Message,
};
use crate::simd::{Two, x86_64::Gcm4x};

lanes_backend! { Vaes512x8 of Vaes512 needs VaesClmul512: Two<Gcm4x>, 8, from 4, to 64 }
