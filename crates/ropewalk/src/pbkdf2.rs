//! PBKDF2 (RFC 8018, section 5.2): keys from passwords.
//!
//! Whoever guesses passwords has chips that do nothing else. Where another function may be chosen, one that
//! needs memory too is better.
//!
//! ```
//! use ropewalk::{hmac, pbkdf2, sha256::Sha256};
//!
//! let password = hmac::Key::<Sha256>::new(b"correct horse battery staple");
//! let mut key = [0; 32];
//! pbkdf2::derive(&password, b"sixteen or more!", 600, &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{Error, hash::Hash, hmac, secret::Wiped};

/// Fills `out`, given a key that was made of the password. An iteration costs two blocks.
///
/// # Errors
/// [`Error::Length`] for no iteration, and where `out` is longer than 2^32 − 1 digests; it is then
/// untouched.
pub fn derive<H: Hash>(
    password: &hmac::Key<H>,
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), Error> {
    if iterations == 0 {
        return Err(Error::Length { what: "iterations", got: 0, allowed: "from 1 on" });
    }
    if out.len().div_ceil(H::DIGEST_LEN) as u64 > u64::from(u32::MAX) {
        return Err(Error::Length {
            what: "key",
            got: out.len(),
            allowed: "up to 2^32 - 1 digests",
        });
    }
    for (i, piece) in out.chunks_mut(H::DIGEST_LEN).enumerate() {
        let mut first = password.start();
        first.update(salt);
        first.update(&(i as u32 + 1).to_be_bytes());
        let mut last = Wiped::new(first.finish());
        let mut sum = Wiped::new(*last);
        for _ in 1..iterations {
            *last = password.mac((*last).as_ref());
            for (sum, byte) in (*sum).as_mut().iter_mut().zip((*last).as_ref()) {
                *sum ^= byte;
            }
        }
        piece.copy_from_slice(&(*sum).as_ref()[..piece.len()]);
    }
    Ok(())
}
