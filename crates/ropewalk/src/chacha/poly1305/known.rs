//! Known answers of Poly1305.

use super::{KEY_LEN, Poly1305, mac_with_backend};
use crate::core::{
    Error,
    known::{Sum, bytes},
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut key: [u8; KEY_LEN] = bytes();
    let mut text = bytes::<1100>();
    let mut sum = Sum::new();
    for len in [0, 5, 16, 33, 100, 200, 400, 530, 1100] {
        sum.add(&*mac_with_backend(&key, &text[..len], backend)?);
        let mut pieces = Poly1305::with_backend(&key, backend)?;
        pieces.update(&text[len / 3..len]);
        pieces.update(&text[..len]);
        key[..16].copy_from_slice(&*pieces.finish());
        sum.add(&key);
        // With all ones, carries propagate as far as possible.
        if len == 400 {
            text.fill(0xff);
        }
    }
    Ok(sum.is(ONE))
}

const ONE: u64 = 0xf0f8_346d_dbed_3d60;
