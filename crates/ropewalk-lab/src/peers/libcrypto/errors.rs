//! The library's own error messages.

use std::{
    ffi::{CStr, c_char},
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;

use super::api;
use crate::peers::Unavailable;

/// Clears earlier errors.
pub(super) fn clear(library: &'static Library) {
    if let Ok(api) = api::Errors::load(library) {
        // SAFETY: it takes no arguments.
        unsafe { (api.ERR_clear_error)() }
    }
}

/// The failed operation, with the library's message.
pub(super) fn with(library: &'static Library, what: &str) -> Unavailable {
    Unavailable(match said(library) {
        Some(said) => format!("{what}: {said}"),
        None => what.into(),
    })
}

/// The first error, which caused the others.
fn said(library: &'static Library) -> Option<String> {
    let (mut about, mut flags) = (null(), 0);
    let error = match api::NewError::load(library) {
        // SAFETY: null means that a value is not wanted, and there is space for the others.
        Ok(api) => unsafe {
            (api.ERR_get_error_all)(null_mut(), null_mut(), null_mut(), &mut about, &mut flags)
        },
        Err(_) => {
            let api = api::OldError::load(library).ok()?;
            // SAFETY: as above.
            unsafe { (api.ERR_get_error_line_data)(null_mut(), null_mut(), &mut about, &mut flags) }
        }
    };
    if error == 0 {
        return None;
    }
    let reason = api::Errors::load(library).ok()?.ERR_reason_error_string;
    // SAFETY: it takes any number.
    let reason = text(unsafe { reason(error) }).unwrap_or_else(|| format!("error {error:#x}"));
    const IS_TEXT: i32 = 2;
    let about = text(about).filter(|about| flags & IS_TEXT != 0 && !about.is_empty());
    Some(match about {
        Some(about) => format!("{reason}: {about}"),
        None => reason,
    })
}

/// A string of the library, if there is one.
fn text(string: *const c_char) -> Option<String> {
    // SAFETY: what is not null is a string, which lives until the next error.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}
