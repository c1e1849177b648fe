//! The pseudorandom function of TLS 1.2 (RFC 5246, section 5), for TLS libraries.

use crate::{
    core::{Error, secret::Wiped},
    hashes::Hash,
    keyed::hmac,
};

/// PRF(secret, label, seed): fills `out`, given a key made of the secret. The seed may be in parts.
///
/// # Errors
/// [`Error::Length`] for an empty label; `out` is then untouched.
///
/// # Example
/// ```
/// # use ropewalk::{hmac, sha256::Sha256, tls12};
/// # let (premaster, client_random, server_random) = ([1; 48], [2; 32], [3; 32]);
/// let premaster = hmac::Key::<Sha256>::new(&premaster);
/// let mut master = [0; 48];
/// tls12::prf(&premaster, b"master secret", &[&client_random, &server_random], &mut master)?;
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn prf<H: Hash>(
    secret: &hmac::Key<H>,
    label: &[u8],
    seed: &[&[u8]],
    out: &mut [u8],
) -> Result<(), Error> {
    if label.is_empty() {
        return Err(Error::Length { what: "label", got: 0, allowed: "from 1 on" });
    }
    // A(1) from the label and the seed; A(i) from the one before.
    let mac = |a: Option<&H::Digest>| {
        let mut mac = secret.start();
        if let Some(a) = a {
            mac.update(a.as_ref());
        }
        mac.update(label);
        seed.iter().for_each(|part| mac.update(part));
        Wiped::new(mac.finish())
    };
    let mut a = mac(None);
    for piece in out.chunks_mut(H::DIGEST_LEN) {
        let bytes = mac(Some(&a));
        piece.copy_from_slice(&(*bytes).as_ref()[..piece.len()]);
        *a = secret.mac((*a).as_ref());
    }
    Ok(())
}
