//! The provider of an algorithm, as the library reports it: whatever is configured, a record names it.

use std::ffi::c_void;

use super::{
    api, digest,
    evp::{Evp, Mode},
    mac, provider,
    source::Source,
};
use crate::{
    peers::Unavailable,
    tasks::{Direction, Kind, Mac, TRIPLE_DES_KEY, Task},
};

/// The name of the provider, since OpenSSL 3.0; none in other libraries.
pub(super) fn provider(source: Source, task: &Task) -> Option<String> {
    if !source.fetches() || api::ProviderName::load(source.library).is_err() {
        return None;
    }
    let (says, algorithm) = match task.kind {
        Kind::Mac(Mac::Poly1305) => mac(source, c"POLY1305"),
        Kind::Mac(Mac::Hmac(_)) if source.is_provider() => mac(source, c"HMAC"),
        Kind::Mac(Mac::Cmac { .. }) if source.is_provider() => mac(source, c"CMAC"),
        Kind::Hash(function) | Kind::Mac(Mac::Hmac(function)) => {
            digest::function(source, function).map(|hash| ("EVP_MD_get0_provider", hash.cast()))
        }
        kind => {
            let (mode, direction, key_len) = cipher(kind)?;
            let evp = Evp::new(source, mode, direction, key_len);
            evp.map(|evp| ("EVP_CIPHER_get0_provider", evp.cipher().cast()))
        }
    }
    .ok()?;
    // SAFETY: each is an algorithm of the kind that its function takes, and was fetched.
    unsafe { provider::name_of(source.library, says, algorithm) }
}

type Algorithm = (&'static str, *const c_void);

fn mac(source: Source, name: &std::ffi::CStr) -> Result<Algorithm, Unavailable> {
    Ok(("EVP_MAC_get0_provider", mac::fetched(source, name)?.cast_const().cast()))
}

/// The underlying cipher of a task.
fn cipher(kind: Kind) -> Option<(Mode, Direction, usize)> {
    Some(match kind {
        Kind::Ctr { key_len } => (Mode::Ctr, Direction::Encrypt, key_len),
        Kind::Cbc { direction, key_len } => (Mode::Cbc, direction, key_len),
        Kind::Mac(Mac::Cmac { key_len }) => (Mode::Cbc, Direction::Encrypt, key_len),
        Kind::Ecb { direction, key_len } => (Mode::Ecb, direction, key_len),
        Kind::Xts { direction, key_len } => (Mode::Xts, direction, key_len),
        Kind::KeyWrap { direction, key_len } => (Mode::Wrap, direction, key_len),
        Kind::Gcm { op, key_len } => (Mode::Gcm, op.direction(), key_len),
        Kind::Gmac { key_len } => (Mode::Gcm, Direction::Encrypt, key_len),
        Kind::Ccm { op, key_len } => (Mode::Ccm, op.direction(), key_len),
        Kind::Records { op, function, key_len } => {
            (Mode::CbcHmac(function), op.direction(), key_len)
        }
        Kind::TripleDes { direction } => (Mode::TripleDes, direction, TRIPLE_DES_KEY),
        Kind::Rc4 => (Mode::Rc4, Direction::Encrypt, crate::tasks::RC4_KEY),
        Kind::ChaCha20 => (Mode::ChaCha20, Direction::Encrypt, 32),
        Kind::ChaChaPoly { op } => (Mode::ChaChaPoly, op.direction(), 32),
        _ => return None,
    })
}
