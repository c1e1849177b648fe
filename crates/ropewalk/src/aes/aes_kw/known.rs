//! Known answers of AES key wrap.

use super::{Key, Semiblock};
use crate::core::{
    Error,
    known::{Sum, aes_keys, bytes},
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut a: Semiblock = bytes();
    let mut r: [Semiblock; 3] = [bytes(); 3];
    for (secret, [wrap, unwrap]) in aes_keys().into_iter().zip([[3, 1], [1, 2], [1, 1]]) {
        let key = Key::with_backend(secret, backend)?;
        key.engine.wrap(&mut a, &mut r[..wrap]);
        key.engine.unwrap(&mut a, &mut r[..unwrap]);
    }
    let mut sum = Sum::of(&a);
    sum.add(r.as_flattened());
    Ok(sum.is(ONE))
}

const ONE: u64 = 0x858f_e072_35fb_3e61;
