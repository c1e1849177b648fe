//! Parameters of the configuration section of this module, read through OpenSSL: numbers, types and
//! structures as in `core.h` and `core_dispatch.h` of OpenSSL 3.0 to 4.

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

/// The handle of OpenSSL's callbacks.
pub enum CoreHandle {}

/// `OSSL_DISPATCH`: a function and its number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    id: c_int,
    function: Option<unsafe extern "C" fn()>,
}

/// `OSSL_PARAM`: a named value, to be written.
#[repr(C)]
struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    return_size: usize,
}

type GetParams = unsafe extern "C" fn(*const CoreHandle, *mut Param) -> c_int;

/// The number of the function that reads parameters.
const GET_PARAMS: c_int = 2;
/// The type of a parameter that is a pointer to a string.
const UTF8_PTR: c_uint = 6;

/// The value of a key in the section of this module. None if there is none, or if OpenSSL has no such
/// function.
///
/// # Safety
/// OpenSSL passed both.
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
    // A null name ends the list.
    let mut params = [param(key.as_ptr(), UTF8_PTR, room), param(ptr::null(), 0, ptr::null_mut())];
    // SAFETY: OpenSSL passed the function and its handle; the list has space for a pointer.
    let answered = unsafe { get(handle, params.as_mut_ptr()) };
    if answered != 1 || text.is_null() {
        return None;
    }
    // SAFETY: it is a string of the configuration, which outlives the call of `OSSL_provider_init`.
    Some(unsafe { CStr::from_ptr(text) })
}

/// Finds that function in the list that OpenSSL passes.
///
/// # Safety
/// `list` is null, or ends with an entry of number 0.
unsafe fn get_params(mut list: *const Dispatch) -> Option<GetParams> {
    if list.is_null() {
        return None;
    }
    loop {
        // SAFETY: the entry of number 0 has not been reached.
        let Dispatch { id, function } = unsafe { *list };
        if id == 0 {
            return None;
        }
        if let (GET_PARAMS, Some(function)) = (id, function) {
            // SAFETY: the number determines the type.
            return Some(unsafe {
                core::mem::transmute::<unsafe extern "C" fn(), GetParams>(function)
            });
        }
        // SAFETY: this was not the last entry.
        list = unsafe { list.add(1) };
    }
}
