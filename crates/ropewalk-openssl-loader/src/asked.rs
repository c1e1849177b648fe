//! What the configuration says of this module, asked of OpenSSL: numbers, types and structures as `core.h` and
//! `core_dispatch.h` of OpenSSL 3.0 to 4 have them.

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

/// What OpenSSL is called back with.
pub enum CoreHandle {}

/// `OSSL_DISPATCH`: a function by its number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    id: c_int,
    function: Option<unsafe extern "C" fn()>,
}

/// `OSSL_PARAM`: a value by its name, to be written.
#[repr(C)]
struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    return_size: usize,
}

type GetParams = unsafe extern "C" fn(*const CoreHandle, *mut Param) -> c_int;

/// The number of the function that answers parameters.
const GET_PARAMS: c_int = 2;
/// The kind of a parameter that is a pointer to words.
const UTF8_PTR: c_uint = 6;

/// What the section of this module says of a key. None where it does not, or where OpenSSL has no such function.
///
/// # Safety
/// OpenSSL has handed in both.
pub(crate) unsafe fn parameter<'a>(
    handle: *const CoreHandle,
    offered: *const Dispatch,
    key: &CStr,
) -> Option<&'a CStr> {
    // SAFETY: as the caller says.
    let get = unsafe { get_params(offered) }?;
    let mut text = ptr::null::<c_char>();
    let room = (&raw mut text).cast();
    let param = |key, kind, data| Param { key, kind, data, size: 0, return_size: usize::MAX };
    // A name that is null ends the list.
    let mut params = [param(key.as_ptr(), UTF8_PTR, room), param(ptr::null(), 0, ptr::null_mut())];
    // SAFETY: OpenSSL gave the function, and its handle; the list has room for a pointer.
    let answered = unsafe { get(handle, params.as_mut_ptr()) };
    if answered != 1 || text.is_null() {
        return None;
    }
    // SAFETY: it is a string of the configuration, which stays for longer than the call that this is for.
    Some(unsafe { CStr::from_ptr(text) })
}

/// The function among those that OpenSSL offers.
///
/// # Safety
/// `list` is null, or a list that an entry of number 0 ends.
unsafe fn get_params(mut list: *const Dispatch) -> Option<GetParams> {
    if list.is_null() {
        return None;
    }
    loop {
        // SAFETY: the end was not reached yet.
        let Dispatch { id, function } = unsafe { *list };
        if id == 0 {
            return None;
        }
        if let (GET_PARAMS, Some(function)) = (id, function) {
            // SAFETY: the number says the type.
            return Some(unsafe {
                core::mem::transmute::<unsafe extern "C" fn(), GetParams>(function)
            });
        }
        // SAFETY: this was not the last entry.
        list = unsafe { list.add(1) };
    }
}
