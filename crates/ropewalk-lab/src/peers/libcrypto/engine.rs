//! Engines: modules with algorithms, up to OpenSSL 3.

use std::{ffi::CStr, ptr::null};

use libloading::os::unix::Library;

use super::{
    api::{self, ENGINE},
    errors,
    source::c_string,
};
use crate::peers::Unavailable;

/// Loads an engine, by a name that it searches for or by a path, and initializes it.
pub(super) fn load(library: &'static Library, name: &str) -> Result<*mut ENGINE, Unavailable> {
    let api = api::Engines::load(library).map_err(|_| Unavailable("has no engines".into()))?;
    let cannot = |what: &str| errors::with(library, &format!("cannot {what} its engine {name}"));
    if let Ok(api) = api::Start::load(library) {
        // SAFETY: it takes no arguments more.
        unsafe { (api.OPENSSL_init_crypto)(ALL_ENGINES, null()) };
    }
    errors::clear(library);
    let c_name = c_string(name)?;
    let id = if name.contains('/') { c"dynamic" } else { &*c_name };
    // SAFETY: the name is a string.
    let engine = unsafe { (api.ENGINE_by_id)(id.as_ptr()) };
    if engine.is_null() {
        return Err(cannot("load"));
    }
    if name.contains('/') {
        let tell = |command: &CStr, argument| {
            // SAFETY: the engine is there, and both are strings or null.
            unsafe { (api.ENGINE_ctrl_cmd_string)(engine, command.as_ptr(), argument, 0) == 1 }
        };
        if !(tell(c"SO_PATH", c_name.as_ptr()) && tell(c"LOAD", null())) {
            return Err(cannot("load"));
        }
    }
    // SAFETY: the engine is there. It is never given back.
    match unsafe { (api.ENGINE_init)(engine) } {
        1 => Ok(engine),
        _ => Err(cannot("begin with")),
    }
}

/// `OPENSSL_INIT_ENGINE_ALL_BUILTIN` and `OPENSSL_INIT_ENGINE_AFALG`.
const ALL_ENGINES: u64 = 0xf600;
