//! The properties of a new TLS context, which the configuration may restrict.

use std::{ffi::c_int, path::Path, ptr::null_mut};

use super::{api, text};
use crate::{
    commands::provider::view::Tls,
    peers::{Unavailable, dl},
};

/// The context of the libssl that belongs to a libcrypto.
pub(super) fn context(libcrypto: &str, openssl: &api::Library) -> Tls {
    tried(libcrypto, openssl)
        .unwrap_or_else(|Unavailable(why)| Tls { none: Some(why), ..Tls::default() })
}

fn tried(libcrypto: &str, openssl: &api::Library) -> Result<Tls, Unavailable> {
    const GET_MIN_PROTO_VERSION: c_int = 130;
    const GET_MAX_PROTO_VERSION: c_int = 131;
    let file = Path::new(libcrypto);
    let name =
        file.file_name().unwrap_or_default().to_string_lossy().replace("libcrypto", "libssl");
    let library = dl::open(&file.with_file_name(name).to_string_lossy())?;
    let api = api::Contexts::load(library)?;
    // SAFETY: it takes no arguments.
    unsafe { (openssl.ERR_clear_error)() };
    // SAFETY: it takes no arguments.
    let method = unsafe { (api.TLS_method)() };
    // SAFETY: the method is static.
    let context = unsafe { (api.SSL_CTX_new)(method) };
    if context.is_null() {
        return Err(Unavailable(openssl.errors().join(", ")));
    }
    let versions = [GET_MIN_PROTO_VERSION, GET_MAX_PROTO_VERSION].map(|which| {
        // SAFETY: the context is not null, and these take nothing else.
        #[allow(clippy::useless_conversion, reason = "elsewhere it has 32 bits")]
        i64::from(unsafe { (api.SSL_CTX_ctrl)(context, which, 0, null_mut()) })
    });
    // SAFETY: as above.
    let security_level = unsafe { (api.SSL_CTX_get_security_level)(context) };
    // SAFETY: as above.
    let options = unsafe { (api.SSL_CTX_get_options)(context) };
    // SAFETY: as above.
    let suites = openssl.values(unsafe { (api.SSL_CTX_get_ciphers)(context) });
    let suites = suites.into_iter().filter_map(|suite| {
        // SAFETY: the stack is one of these.
        text(unsafe { (api.SSL_CIPHER_get_name)(suite) })
    });
    Ok(Tls { none: None, versions, security_level, options, suites: suites.collect() })
}
