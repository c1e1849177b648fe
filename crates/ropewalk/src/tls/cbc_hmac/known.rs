//! Known answers of AES-CBC with HMAC.

use super::{Hash, Key};
use crate::{
    core::{
        Error,
        known::{SECRET, Sum, bytes, is_portable},
    },
    hashes::{sha1::Sha1, sha256::Sha256},
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let (mut sum, some) = (Sum::new(), [(16, 20, 51)]);
    let right =
        records::<Sha1>(backend, &mut sum, &some)? && records::<Sha256>(backend, &mut sum, &some)?;
    let right = right && sum.is(ONE);
    if is_portable(backend) {
        return Ok(right);
    }
    let (mut sum, wide) = (Sum::new(), [(32, 64, 64), (16, 20, 0), (32, 20, 620)]);
    let wide =
        records::<Sha1>(backend, &mut sum, &wide)? && records::<Sha256>(backend, &mut sum, &wide)?;
    Ok(right && wide && sum.is(WIDE))
}

/// Seals and opens records of keys and texts of these lengths.
fn records<H: Hash>(
    backend: &str,
    sum: &mut Sum,
    lens: &[(usize, usize, usize)],
) -> Result<bool, Error> {
    let (mut record, iv, header) = (bytes::<704>(), &bytes(), &bytes());
    for &(aes, mac, len) in lens {
        let key = Key::<H>::with_backend(&SECRET[..aes], &SECRET[..mac], backend)?;
        let sealed = &mut record[..Key::<H>::sealed_len(len)];
        key.seal(iv, header, sealed, len)?;
        sum.add(sealed);
        if key.open(iv, header, sealed).map(|text| text.len()) != Ok(len) {
            return Ok(false);
        }
        sum.add(sealed);
    }
    Ok(true)
}

const WIDE: u64 = 0x51bb_f330_6254_df12;
const ONE: u64 = 0xd023_217d_b0cc_53ca;
