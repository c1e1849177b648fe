//! The provider as OpenSSL sees it: its name, its algorithms, and its errors.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};
use std::sync::{Once, OnceLock};

use crate::{
    abi::{
        self, Algorithm, Context, CoreHandle, Dispatch, LibContext, Success, core_functions,
        provider,
    },
    call::{answer, be_quiet, plain, version_of},
    cipher, digest,
    error::{REASONS, Reason},
    kdf, mac,
    params::Param,
    quiet::Then,
    stats,
    theirs::Theirs,
    version::Version,
    wrong,
};

/// The state of the provider for the OpenSSL that has loaded it.
pub(crate) struct Provider {
    handle: *const CoreHandle,
    new_error: Option<unsafe extern "C" fn(*const CoreHandle)>,
    set_error: Option<unsafe extern "C" fn(*const CoreHandle, u32, *const c_char, *mut c_void)>,
    get_params: Option<unsafe extern "C" fn(*const CoreHandle, *mut Param) -> Success>,
    get_libctx: Option<unsafe extern "C" fn(*const CoreHandle) -> *mut LibContext>,
    theirs: OnceLock<Option<Theirs>>,
    version: Version,
}

impl Provider {
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Functions of the libcrypto that has loaded this module, looked up once.
    pub(crate) fn theirs(&self) -> Option<&Theirs> {
        let find = || {
            // SAFETY: OpenSSL passed the function and its handle.
            let context = unsafe { self.get_libctx?(self.handle) };
            Theirs::find(self.get_params? as *const c_void, context)
        };
        self.theirs.get_or_init(find).as_ref()
    }

    /// Puts the reason on OpenSSL's error queue.
    pub(crate) fn raise(&self, reason: Reason) {
        if let (Some(new_error), Some(set_error)) = (self.new_error, self.set_error) {
            // No argument is read, as there is no format; but some processors copy a `va_list` when it is
            // passed on, so there must be one.
            let mut none = [0_u64; 8];
            // SAFETY: OpenSSL passed both functions and the handle.
            unsafe { new_error(self.handle) };
            // SAFETY: likewise.
            unsafe {
                set_error(self.handle, reason.number(), ptr::null(), none.as_mut_ptr().cast());
            }
        }
    }
}

/// The first function of a module that OpenSSL calls. If it fails, the program continues with its other
/// providers.
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
    plain(|| {
        be_quiet();
        configured_by_environment();
        stats::begin();
        // SAFETY: OpenSSL passes such a list.
        let get_params = unsafe { core_functions::GET_PARAMS.find(offered) };
        let provider = Box::new(Provider {
            handle,
            // SAFETY: OpenSSL passes such a list.
            new_error: unsafe { core_functions::NEW_ERROR.find(offered) },
            // SAFETY: likewise.
            set_error: unsafe { core_functions::VSET_ERROR.find(offered) },
            get_params,
            // SAFETY: likewise.
            get_libctx: unsafe { core_functions::GET_LIBCTX.find(offered) },
            theirs: OnceLock::new(),
            // SAFETY: likewise, and its handle.
            version: get_params.map_or(Version::V3_0, |ask| unsafe { Version::of(handle, ask) }),
        });
        // SAFETY: OpenSSL has space for both.
        unsafe { *out = FUNCTIONS.as_ptr() };
        // SAFETY: likewise.
        unsafe { *context = Box::into_raw(provider).cast() };
        Ok(())
    })
}

/// Disables the instruction sets in `ROPEWALK_CPU` and uses the row of tuning in `ROPEWALK_TUNING`, once.
fn configured_by_environment() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Ok(name) = std::env::var("ROPEWALK_TUNING")
            && let Err(error) = ropewalk::tuning::force(&name)
        {
            let line = format!("ropewalk: ROPEWALK_TUNING={name}: {error}; it changes nothing\n");
            stats::say(&line, Then::RunsOn);
        }
        let Ok(list) = std::env::var("ROPEWALK_CPU") else { return };
        if let Err(error) = ropewalk::cpu::disable(&list) {
            stats::say(
                &format!("ropewalk: ROPEWALK_CPU={list}: {error}; nothing is switched off\n"),
                Then::RunsOn,
            );
        }
    });
}

static FUNCTIONS: &[Dispatch] = &[
    provider::TEARDOWN.is(teardown),
    provider::GETTABLE_PARAMS.is(gettable_params),
    provider::GET_PARAMS.is(get_params),
    provider::QUERY_OPERATION.is(query_operation),
    provider::GET_REASON_STRINGS.is(reason_strings),
    provider::SELF_TEST.is(self_test),
    Dispatch::END,
];

unsafe extern "C" fn teardown(context: Context) {
    stats::print(Then::RunsOn);
    // SAFETY: `OSSL_provider_init` made it from a box, and OpenSSL does not use it any more.
    drop(unsafe { Box::from_raw(context.cast::<Provider>()) });
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("no zero in a version"),
    };

unsafe extern "C" fn gettable_params(_: Context) -> *const Param {
    static PARAMS: &[Param] = &[
        Param::text_pointer(c"name"),
        Param::text_pointer(c"version"),
        Param::text_pointer(c"buildinfo"),
        Param::number(c"status"),
        Param::text_pointer(c"wrong-backends"),
        Param::END,
    ];
    PARAMS.as_ptr()
}

unsafe extern "C" fn get_params(_: Context, params: *mut Param) -> Success {
    plain(|| {
        // SAFETY: OpenSSL passes such a list.
        unsafe {
            answer(params, |param| match param.name() {
                b"name" => param.set_text(c"Ropewalk provider"),
                b"version" | b"buildinfo" => param.set_text(VERSION),
                // On such a processor the provider works too, with other backends.
                b"status" => param.set_number(1),
                b"wrong-backends" => param.set_text(wrong::names()),
                _ => Ok(()),
            })
        }
    })
}

unsafe extern "C" fn query_operation(
    context: Context,
    operation: c_int,
    no_store: *mut c_int,
) -> *const Algorithm {
    if !no_store.is_null() {
        // SAFETY: OpenSSL has space for it.
        unsafe { *no_store = 0 };
    }
    match operation {
        // SAFETY: OpenSSL passes what `OSSL_provider_init` returned.
        abi::OP_DIGEST => digest::algorithms(unsafe { version_of(context) }).as_ptr(),
        abi::OP_CIPHER => cipher::ALGORITHMS.as_ptr(),
        abi::OP_MAC => mac::ALGORITHMS.as_ptr(),
        abi::OP_KDF => kdf::ALGORITHMS.as_ptr(),
        _ => ptr::null(),
    }
}

unsafe extern "C" fn reason_strings(_: Context) -> *const abi::Item {
    REASONS.as_ptr()
}

/// Tests the backends that would be chosen with known answers.
unsafe extern "C" fn self_test(_: Context) -> Success {
    plain(|| {
        for primitive in ropewalk::PRIMITIVES {
            let Some(chosen) = primitive.chosen() else { continue };
            if !matches!((primitive.self_test)(chosen.name), Ok(true)) {
                return Err(Reason::Internal);
            }
        }
        Ok(())
    })
}
