//! The interface to OpenSSL, as in `core.h` and `core_dispatch.h` of OpenSSL 3.0 to 4: the numbers of
//! functions, their types, and the structures that contain them. Nothing here is linked to libcrypto.

use core::{
    ffi::{c_char, c_int, c_uint, c_void},
    marker::PhantomData,
};

/// `OSSL_DISPATCH`: a function and its number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Dispatch {
    id: c_int,
    function: Option<unsafe extern "C" fn()>,
}

// SAFETY: the functions can be called by every thread.
unsafe impl Sync for Dispatch {}

impl Dispatch {
    /// Ends a list.
    pub(crate) const END: Self = Self { id: 0, function: None };
}

/// The common functions, the optional ones, and the end.
pub(crate) const fn list<const N: usize, const M: usize, const ALL: usize>(
    functions: [Dispatch; N],
    more: [Dispatch; M],
) -> [Dispatch; ALL] {
    let mut all = [Dispatch::END; ALL];
    let mut i = 0;
    while i < N + M {
        all[i] = if i < N { functions[i] } else { more[i - N] };
        i += 1;
    }
    all
}

/// The number of a function of the type `F`.
pub(crate) struct Function<F>(c_int, PhantomData<F>);

union Pointer<F: Copy> {
    typed: F,
    untyped: unsafe extern "C" fn(),
}

impl<F: Copy> Function<F> {
    const fn new(id: c_int) -> Self {
        assert!(size_of::<F>() == size_of::<unsafe extern "C" fn()>(), "a function pointer");
        Self(id, PhantomData)
    }

    /// The list entry for that function.
    pub(crate) const fn is(self, function: F) -> Dispatch {
        // SAFETY: both are pointers to functions, and OpenSSL determines the type by the number.
        let untyped = unsafe { Pointer { typed: function }.untyped };
        Dispatch { id: self.0, function: Some(untyped) }
    }

    /// Finds the function of that number in a list from OpenSSL.
    ///
    /// # Safety
    /// `list` is null, or such a list, which ends with an entry of number 0.
    pub(crate) unsafe fn find(self, mut list: *const Dispatch) -> Option<F> {
        if list.is_null() {
            return None;
        }
        loop {
            // SAFETY: the entry of number 0 has not been reached.
            let entry = unsafe { *list };
            if entry.id == 0 {
                return None;
            }
            if let (true, Some(untyped)) = (entry.id == self.0, entry.function) {
                // SAFETY: the number determines the type.
                return Some(unsafe { Pointer { untyped }.typed });
            }
            // SAFETY: this was not the last entry.
            list = unsafe { list.add(1) };
        }
    }
}

/// `OSSL_ALGORITHM`: an algorithm and its names.
#[repr(C)]
pub(crate) struct Algorithm {
    names: *const c_char,
    properties: *const c_char,
    implementation: *const Dispatch,
    description: *const c_char,
}

// SAFETY: all pointers are to constants.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// Ends a list.
    pub(crate) const END: Self = Self {
        names: core::ptr::null(),
        properties: core::ptr::null(),
        implementation: core::ptr::null(),
        description: core::ptr::null(),
    };

    /// Whether it has that name, without regard to case.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.names().split(':').any(|own| own.eq_ignore_ascii_case(name))
    }

    /// The first of its names.
    pub(crate) fn first_name(&self) -> &str {
        self.names().split(':').next().unwrap_or_default()
    }

    fn names(&self) -> &str {
        if self.names.is_null() {
            return "";
        }
        // SAFETY: it was made of a string constant.
        unsafe { core::ffi::CStr::from_ptr(self.names) }.to_str().unwrap_or_default()
    }

    /// An algorithm of this provider. `functions` ends with [`Dispatch::END`].
    pub(crate) const fn new(
        names: &'static core::ffi::CStr,
        functions: &'static [Dispatch],
    ) -> Self {
        Self {
            names: names.as_ptr(),
            // A query may name `provider` only once. The second property lets programs that prefer another
            // provider prefer this one too. OpenSSL accepts only new names that contain a dot.
            properties: c"provider=ropewalk,ropewalk.provider=yes".as_ptr(),
            implementation: functions.as_ptr(),
            description: core::ptr::null(),
        }
    }
}

/// `OSSL_ITEM`: a reason code and its text.
#[repr(C)]
pub(crate) struct Item {
    pub(crate) id: c_uint,
    pub(crate) text: *const c_char,
}

// SAFETY: the texts are constants.
unsafe impl Sync for Item {}

/// The handle of OpenSSL's callbacks.
pub enum CoreHandle {}
/// `OSSL_LIB_CTX`.
pub(crate) enum LibContext {}

/// A pointer that this provider, or one of its functions, returned to OpenSSL.
pub(crate) type Context = *mut c_void;
/// 1 or 0.
pub(crate) type Success = c_int;

use crate::params::Param;

macro_rules! functions {
    ($( $(#[$doc:meta])* $name:ident = $id:literal: ($($arg:ty),* $(,)?) $(-> $out:ty)?; )+) => { $(
        $(#[$doc])*
        pub(crate) const $name: Function<unsafe extern "C" fn($($arg),*) $(-> $out)?> = Function::new($id);
    )+ };
}

/// Functions that OpenSSL provides.
pub(crate) mod core_functions {
    use super::*;
    functions! {
        GET_PARAMS = 2: (*const CoreHandle, *mut Param) -> Success;
        GET_LIBCTX = 4: (*const CoreHandle) -> *mut LibContext;
        NEW_ERROR = 5: (*const CoreHandle);
        /// The last argument is a `va_list`, which every supported processor passes by address.
        VSET_ERROR = 7: (*const CoreHandle, u32, *const c_char, *mut c_void);
    }
}

/// Functions of a provider.
pub(crate) mod provider {
    use super::*;
    functions! {
        TEARDOWN = 1024: (Context);
        GETTABLE_PARAMS = 1025: (Context) -> *const Param;
        GET_PARAMS = 1026: (Context, *mut Param) -> Success;
        QUERY_OPERATION = 1027: (Context, c_int, *mut c_int) -> *const Algorithm;
        GET_REASON_STRINGS = 1029: (Context) -> *const Item;
        SELF_TEST = 1031: (Context) -> Success;
    }
}

/// Operations.
pub(crate) const OP_DIGEST: c_int = 1;
pub(crate) const OP_CIPHER: c_int = 2;
pub(crate) const OP_MAC: c_int = 3;
pub(crate) const OP_KDF: c_int = 4;

pub(crate) mod digest {
    use super::*;
    functions! {
        NEWCTX = 1: (Context) -> Context;
        INIT = 2: (Context, *const Param) -> Success;
        UPDATE = 3: (Context, *const u8, usize) -> Success;
        FINAL = 4: (Context, *mut u8, *mut usize, usize) -> Success;
        DIGEST = 5: (Context, *const u8, usize, *mut u8, *mut usize, usize) -> Success;
        FREECTX = 6: (Context);
        DUPCTX = 7: (Context) -> Context;
        GET_PARAMS = 8: (*mut Param) -> Success;
        SET_CTX_PARAMS = 9: (Context, *const Param) -> Success;
        GET_CTX_PARAMS = 10: (Context, *mut Param) -> Success;
        GETTABLE_PARAMS = 11: (Context) -> *const Param;
        SETTABLE_CTX_PARAMS = 12: (Context, Context) -> *const Param;
        GETTABLE_CTX_PARAMS = 13: (Context, Context) -> *const Param;
        /// Since OpenSSL 3.3.
        SQUEEZE = 14: (Context, *mut u8, *mut usize, usize) -> Success;
        /// Since OpenSSL 3.5.
        COPYCTX = 15: (Context, Context);
    }
}

pub(crate) mod cipher {
    use super::*;
    functions! {
        NEWCTX = 1: (Context) -> Context;
        ENCRYPT_INIT = 2: (Context, *const u8, usize, *const u8, usize, *const Param) -> Success;
        DECRYPT_INIT = 3: (Context, *const u8, usize, *const u8, usize, *const Param) -> Success;
        UPDATE = 4: (Context, *mut u8, *mut usize, usize, *const u8, usize) -> Success;
        FINAL = 5: (Context, *mut u8, *mut usize, usize) -> Success;
        CIPHER = 6: (Context, *mut u8, *mut usize, usize, *const u8, usize) -> Success;
        FREECTX = 7: (Context);
        DUPCTX = 8: (Context) -> Context;
        GET_PARAMS = 9: (*mut Param) -> Success;
        GET_CTX_PARAMS = 10: (Context, *mut Param) -> Success;
        SET_CTX_PARAMS = 11: (Context, *const Param) -> Success;
        GETTABLE_PARAMS = 12: (Context) -> *const Param;
        GETTABLE_CTX_PARAMS = 13: (Context, Context) -> *const Param;
        SETTABLE_CTX_PARAMS = 14: (Context, Context) -> *const Param;
        /// Since OpenSSL 3.5, like the following: batches of messages with one key, which OpenSSL calls
        /// pipes.
        PIPELINE_ENCRYPT_INIT = 15: (Context, *const u8, usize, usize, *const *const u8, usize, *const Param) -> Success;
        PIPELINE_DECRYPT_INIT = 16: (Context, *const u8, usize, usize, *const *const u8, usize, *const Param) -> Success;
        PIPELINE_UPDATE = 17: (Context, usize, *const *mut u8, *mut usize, *const usize, *const *const u8, *const usize) -> Success;
        PIPELINE_FINAL = 18: (Context, usize, *const *mut u8, *mut usize, *const usize) -> Success;
    }
}

pub(crate) mod mac {
    use super::*;
    functions! {
        NEWCTX = 1: (Context) -> Context;
        DUPCTX = 2: (Context) -> Context;
        FREECTX = 3: (Context);
        INIT = 4: (Context, *const u8, usize, *const Param) -> Success;
        UPDATE = 5: (Context, *const u8, usize) -> Success;
        FINAL = 6: (Context, *mut u8, *mut usize, usize) -> Success;
        GET_PARAMS = 7: (*mut Param) -> Success;
        GET_CTX_PARAMS = 8: (Context, *mut Param) -> Success;
        SET_CTX_PARAMS = 9: (Context, *const Param) -> Success;
        GETTABLE_PARAMS = 10: (Context) -> *const Param;
        GETTABLE_CTX_PARAMS = 11: (Context, Context) -> *const Param;
        SETTABLE_CTX_PARAMS = 12: (Context, Context) -> *const Param;
    }
}

pub(crate) mod kdf {
    use super::*;
    functions! {
        NEWCTX = 1: (Context) -> Context;
        DUPCTX = 2: (Context) -> Context;
        FREECTX = 3: (Context);
        RESET = 4: (Context);
        DERIVE = 5: (Context, *mut u8, usize, *const Param) -> Success;
        GETTABLE_CTX_PARAMS = 7: (Context, Context) -> *const Param;
        SETTABLE_CTX_PARAMS = 8: (Context, Context) -> *const Param;
        GET_CTX_PARAMS = 10: (Context, *mut Param) -> Success;
        SET_CTX_PARAMS = 11: (Context, *const Param) -> Success;
    }
}
