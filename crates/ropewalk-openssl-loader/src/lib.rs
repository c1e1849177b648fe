//! What OpenSSL loads in place of its provider ropewalk: a module that lies beside the configuration, and loads the one that
//! its section there names by `ropewalk-module`. OpenSSL goes on with its own provider where a module cannot be loaded, and
//! says nothing. This one does the same, and says so: a line on the standard error, once in a process.
//!
//! It is for OpenSSL 3.0 to 4, and linked to no libcrypto. Where the C library is too old for the provider it must not be too
//! old for this: so it asks for a few functions that are as old as any, and has nothing of Rust's library that asks for
//! more. It allocates nothing and formats nothing, and nothing in it can panic.

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
/// the same.
#[unsafe(no_mangle)]
pub static ROPEWALK_OPENSSL_LOADER: [u8; 62] =
    *b"ropewalk-openssl-loader loads what ropewalk-module names to it";

/// What OpenSSL calls of a module first.
type Init = unsafe extern "C" fn(
    *const CoreHandle,
    *const Dispatch,
    *mut *const Dispatch,
    *mut *mut c_void,
) -> c_int;

/// Hands the call on to the module that the configuration names, which is then the provider.
///
/// # Safety
/// OpenSSL calls it, as provider-base(7) has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const CoreHandle,
    offered: *const Dispatch,
    out: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    // SAFETY: OpenSSL hands in both.
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
        // SAFETY: they are as OpenSSL has handed them in.
        let begun = unsafe { init(handle, offered, out, context) };
        if begun == 0 { Err(b"it does not begin") } else { Ok(begun) }
    });
    begun.unwrap_or_else(|why| {
        say([file.to_bytes(), b" cannot be loaded (", why, b")"]);
        0
    })
}

/// Loads a module, which stays: OpenSSL knows of this one only, and calls both until the process ends. Or says why not, in
/// words that the next call of the same thread may change.
fn load(file: &CStr) -> Result<Init, &[u8]> {
    let library = system::open(file).ok_or_else(|| why(file))?;
    // A copy of this would call itself without end.
    if library.symbol(c"ROPEWALK_OPENSSL_LOADER").is_some() {
        return Err(b"it is no provider, but what loads one");
    }
    let init = library.symbol(c"OSSL_provider_init").ok_or_else(|| why(file))?;
    // SAFETY: modules have a function of this type by this name.
    Ok(unsafe { core::mem::transmute::<*mut c_void, Init>(init.as_ptr()) })
}

/// What the system says of a file that it has not loaded, without what the line says already.
fn why(file: &CStr) -> &[u8] {
    let said = system::complaint();
    let own = said.strip_prefix(file.to_bytes()).and_then(|said| said.strip_prefix(b": "));
    let said = own.unwrap_or(said);
    match said.strip_prefix(b"cannot open shared object file: ") {
        // So glibc says of those, as it looks for others of the same name.
        Some(b"No such file or directory") if system::is_there(file) => {
            b"it is for another processor"
        }
        Some(why) => why,
        None => said,
    }
}

/// Says something in pieces, if nothing was said before.
fn say([first, second, third, fourth]: [&[u8]; 4]) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Relaxed) {
        const END: &[u8] = b"; this program goes on with OpenSSL's own provider\n";
        system::write_error([b"ropewalk: ", first, second, third, fourth, END]);
    }
}
