//! The module that OpenSSL loads in place of the provider ropewalk. It is installed next to the
//! configuration, and loads the module that its section there names with `ropewalk-module`. If a module
//! cannot be loaded, OpenSSL continues with its own provider without a message. This module does the same,
//! but prints a line to the standard error, once in a process.
//!
//! It is for OpenSSL 3.0 to 4, and not linked to libcrypto. It must load with C libraries that are too old
//! for the provider: so it uses only a few old functions, and nothing of Rust's library that needs newer
//! ones. It allocates nothing and formats nothing, and nothing in it can panic.

#![allow(unsafe_code, reason = "OpenSSL hands in pointers")]

use core::{
    ffi::{CStr, c_int, c_void},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

mod asked;
mod quiet;
mod system;

pub use asked::{CoreHandle, Dispatch};

/// `ropewalk provider install` recognizes the file by this text. `commands/provider/loader.rs` of the lab has
/// the same text.
#[unsafe(no_mangle)]
pub static ROPEWALK_OPENSSL_LOADER: [u8; 62] =
    *b"ropewalk-openssl-loader loads what ropewalk-module names to it";

/// The function of a module that OpenSSL calls first.
type Init = unsafe extern "C" fn(
    *const CoreHandle,
    *const Dispatch,
    *mut *const Dispatch,
    *mut *mut c_void,
) -> c_int;

/// Forwards the call to the module that the configuration names; that module is then the provider.
///
/// # Safety
/// Called by OpenSSL, as provider-base(7) describes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const CoreHandle,
    offered: *const Dispatch,
    out: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    // SAFETY: OpenSSL passes both.
    let Some(file) = (unsafe { asked::parameter(handle, offered, c"ropewalk-module") }) else {
        say([
            b"the configuration names no module",
            b": run `ropewalk provider install` again",
            b"",
            b"",
        ]);
        return 0;
    };
    let begun = load(file).and_then(|init| {
        // SAFETY: the arguments are those that OpenSSL passed.
        let begun = unsafe { init(handle, offered, out, context) };
        if begun == 0 { Err(b"it does not begin") } else { Ok(begun) }
    });
    begun.unwrap_or_else(|why| {
        say([file.to_bytes(), b" cannot be loaded (", why, b")"]);
        0
    })
}

/// Loads a module, which stays loaded: OpenSSL knows only this one, and calls both until the process ends.
/// The text of an error is valid until the next call of the same thread.
fn load(file: &CStr) -> Result<Init, &[u8]> {
    let library = system::open(file).ok_or_else(|| why(file))?;
    // Loading a copy of this module would recurse without end.
    if library.symbol(c"ROPEWALK_OPENSSL_LOADER").is_some() {
        return Err(b"it is no provider, but what loads one");
    }
    let init = library.symbol(c"OSSL_provider_init").ok_or_else(|| why(file))?;
    // SAFETY: `OSSL_provider_init` of every provider has this type.
    Ok(unsafe { core::mem::transmute::<*mut c_void, Init>(init.as_ptr()) })
}

/// The system's reason for not loading a file, without the file name, which is printed anyway.
fn why(file: &CStr) -> &[u8] {
    let said = system::complaint();
    let own = said.strip_prefix(file.to_bytes()).and_then(|said| said.strip_prefix(b": "));
    let said = own.unwrap_or(said);
    match said.strip_prefix(b"cannot open shared object file: ") {
        // glibc reports this for a file of another architecture, since it then searches for another file of
        // the name.
        Some(b"No such file or directory") if system::is_there(file) => {
            b"it is for another processor"
        }
        Some(why) => why,
        None => said,
    }
}

/// Prints a message of four parts, unless one was printed before.
fn say([first, second, third, fourth]: [&[u8]; 4]) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Relaxed) {
        const END: &[u8] = b"; this program goes on with OpenSSL's own provider\n";
        system::write_error([b"ropewalk: ", first, second, third, fourth, END]);
    }
}
