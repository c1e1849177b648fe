//! The key schedule of TLS 1.3 (RFC 8446, section 7.1), for TLS and QUIC libraries.
//!
//! ```
//! use ropewalk::{hkdf, hmac, sha256::{self, Sha256}, tls13};
//!
//! let none = hmac::Key::<Sha256>::new(&[]);
//! let early = hkdf::extract(&none, &[0; 32]);
//! let derived = tls13::derive_secret(&early, b"derived", &sha256::digest(b""))?;
//! let mut key = [0; 16];
//! tls13::expand_label(&derived, b"key", b"", &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::Error,
    hashes::{Hash, function::HashFunction},
    keyed::hkdf::Prk,
};

/// The prefix of every label.
const PREFIX: &[u8] = b"tls13 ";

/// HKDF-Expand-Label(secret, label, context, length of `out`).
///
/// # Errors
/// [`Error::Length`] for an empty label or one of more than 249 bytes, for a context of more than 255, and as [`Prk::expand`];
/// `out` is then untouched.
pub fn expand_label<H: Hash>(
    secret: &Prk<H>,
    label: &[u8],
    context: &[u8],
    out: &mut [u8],
) -> Result<(), Error> {
    let error = |what, got, allowed| Err(Error::Length { what, got, allowed });
    let label_len = match u8::try_from(PREFIX.len() + label.len()) {
        Ok(len) if !label.is_empty() => [len],
        _ => return error("label", label.len(), "1 to 249"),
    };
    let Ok(context_len) = u8::try_from(context.len()) else {
        return error("context", context.len(), "up to 255");
    };
    let Ok(len) = u16::try_from(out.len()) else {
        return error("key", out.len(), "up to 65535, and 255 digests");
    };
    let info = [&len.to_be_bytes(), &label_len[..], PREFIX, label, &[context_len], context];
    secret.expand(&info, out)
}

/// Derive-Secret(secret, label, messages), given the digest of the messages.
///
/// # Errors
/// [`Error::Length`] as [`expand_label`].
pub fn derive_secret<H: Hash>(
    secret: &Prk<H>,
    label: &[u8],
    transcript: &H::Digest,
) -> Result<Prk<H>, Error> {
    let mut bytes = <H::Function as HashFunction>::ZERO;
    expand_label(secret, label, transcript.as_ref(), bytes.as_mut())?;
    Ok(Prk::of(secret.key(), bytes))
}
