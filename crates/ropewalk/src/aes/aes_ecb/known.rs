//! Known answers of AES-ECB.

use super::Key;
use crate::core::{
    Error,
    known::{Sum, aes_keys, bytes, is_portable},
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut text = bytes::<2320>();
    texts(backend, &mut text, &[16, 32, 64, 112])?;
    let right = Sum::of(&text[..112]).is(ONE);
    if is_portable(backend) {
        return Ok(right);
    }
    texts(backend, &mut text, &[128, 208, 272, 560])?;
    let right = right && Sum::of(&text[..560]).is(WIDE);
    // The widest kernel runs for long texts only, and only where that is faster.
    if !backend.ends_with("/vaes512") {
        return Ok(right);
    }
    texts(backend, &mut text, &[2048, 2320, 2320])?;
    Ok(right && Sum::of(&text).is(LONG))
}

/// Encrypts texts of these lengths, and decrypts the results with another key.
fn texts(backend: &str, text: &mut [u8], lens: &[usize]) -> Result<(), Error> {
    for (turn, secret) in aes_keys().into_iter().enumerate() {
        let key = Key::with_backend(secret, backend)?;
        for (i, len) in lens.iter().enumerate() {
            match (turn + i) % 3 {
                0 => key.encrypt(&mut text[..*len])?,
                1 => key.decrypt(&mut text[..*len])?,
                _ => {}
            }
        }
    }
    Ok(())
}

const ONE: u64 = 0xcfb0_cd4c_ad97_8611;
const LONG: u64 = 0xe316_08f6_76cb_0040;
const WIDE: u64 = 0x95df_2097_21de_d4e6;
