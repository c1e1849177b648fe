//! Algorithms of a provider that no task measures: key derivations, and key wrap with padding. `provider
//! status` compares them with known answers.

use std::{ffi::CStr, ptr::null_mut};

use super::{
    api::{self, OSSL_PARAM},
    errors,
    evp::{Evp, Mode},
    made,
    source::Source,
};
use crate::{
    peers::{Unavailable, dl},
    tasks::Direction,
};

/// A named parameter of a derivation.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Text(&'a CStr),
    Octets(&'a [u8]),
    Number(&'a u64),
}

/// Derives a key with the algorithm of that name of the provider `by` of a library.
///
/// # Errors
/// If it has no such algorithm, or refuses.
pub(crate) fn derive(
    library: &str,
    by: &str,
    name: &CStr,
    given: &[(&'static CStr, Given<'_>)],
    out: &mut [u8],
) -> Result<(), Unavailable> {
    let source = source(library, by)?;
    let api = api::FetchKdf::load(source.library)?;
    // SAFETY: both are strings, and null stands for the default. What is fetched stays.
    let fetch = |name, query| unsafe { (api.EVP_KDF_fetch)(null_mut(), name, query) };
    let kdf = source.fetch(name, fetch, "EVP_KDF_get0_provider")?;
    let params = given.iter().map(|(key, given)| match given {
        Given::Text(text) => OSSL_PARAM::string(key, text),
        Given::Octets(bytes) => OSSL_PARAM::octets(key, bytes),
        Given::Number(number) => OSSL_PARAM::number(key, number),
    });
    let params: Vec<OSSL_PARAM> = params.chain([OSSL_PARAM::end()]).collect();
    errors::clear(source.library);
    // SAFETY: it was fetched.
    let context = made(unsafe { (api.EVP_KDF_CTX_new)(kdf) }, "EVP_KDF_CTX_new")?;
    // SAFETY: the context is alive, there is space for as much as it says, and what the parameters point to is too.
    let done =
        unsafe { (api.EVP_KDF_derive)(context, out.as_mut_ptr(), out.len(), params.as_ptr()) };
    // SAFETY: no other code has the context.
    unsafe { (api.EVP_KDF_CTX_free)(context) };
    match done {
        1 => Ok(()),
        _ => Err(errors::with(source.library, "EVP_KDF_derive fails")),
    }
}

/// Wraps a key with padding (RFC 5649), with the provider `by` of a library. `out` has the length of the
/// result.
///
/// # Errors
/// If it has no such algorithm, or refuses.
pub(crate) fn wrap_padded(
    library: &str,
    by: &str,
    key: &[u8],
    text: &[u8],
    out: &mut [u8],
) -> Result<(), Unavailable> {
    let source = source(library, by)?;
    let cipher = Evp::new(source, Mode::PaddedWrap, Direction::Encrypt, key.len())?;
    match cipher.context(key)?.rewrap(text, out) {
        true => Ok(()),
        false => Err(errors::with(source.library, "EVP_EncryptUpdate fails")),
    }
}

fn source(library: &str, by: &str) -> Result<Source, Unavailable> {
    Source::by(dl::open(library)?, &format!("provider={by}"))
}
