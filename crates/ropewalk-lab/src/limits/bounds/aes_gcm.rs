//! AES-GCM.
//!
//! As counter mode, with a block more that hides the tag. The products of GHASH run on another port
//! than AES rounds, and are fewer.

use super::{Rates, aes_ctr};
use crate::tasks::{Cell, Mode};

pub(super) fn least(rates: &Rates, cell: &Cell, key_len: usize) -> Option<f64> {
    match cell.mode {
        Mode::Message => {
            let with_tag = Cell { bytes: cell.bytes.next_multiple_of(16) + 16, ..*cell };
            aes_ctr::least(rates, &with_tag, key_len)
        }
        Mode::Stream => aes_ctr::least(rates, cell, key_len),
    }
}
