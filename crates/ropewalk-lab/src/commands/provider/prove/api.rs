//! Declarations of the public headers of OpenSSL 3 and 4.

use std::{
    ffi::{c_char, c_int, c_long, c_ulong, c_void},
    ptr::null,
};

use crate::peers::dl::functions;

/// `CONF_VALUE`.
#[repr(C)]
pub(super) struct Value {
    section: *const c_char,
    pub(super) name: *const c_char,
    pub(super) value: *const c_char,
}

/// The callback for each provider.
pub(super) type EachProvider = unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int;

functions! {
    /// The library itself.
    Library {
        fn OpenSSL_version(which: c_int) -> *const c_char;
        fn OPENSSL_init_crypto(options: u64, settings: *const c_void) -> c_int;
        fn ERR_clear_error();
        fn ERR_get_error_all(
            file: *mut *const c_char,
            line: *mut c_int,
            function: *mut *const c_char,
            data: *mut *const c_char,
            flags: *mut c_int,
        ) -> c_ulong;
        fn ERR_reason_error_string(error: c_ulong) -> *const c_char;
        fn OPENSSL_sk_num(stack: *const c_void) -> c_int;
        fn OPENSSL_sk_value(stack: *const c_void, index: c_int) -> *mut c_void;
    }

    /// Configurations.
    Configuration {
        fn CONF_get1_default_config_file() -> *const c_char;
        fn CONF_modules_load_file(file: *const c_char, name: *const c_char, flags: c_ulong) -> c_int;
        fn NCONF_new(method: *const c_void) -> *mut c_void;
        fn NCONF_load(configuration: *mut c_void, file: *const c_char, line: *mut c_long) -> c_int;
        fn NCONF_get_section_names(configuration: *const c_void) -> *mut c_void;
        fn NCONF_get_section(configuration: *const c_void, name: *const c_char) -> *mut c_void;
    }

    /// Providers.
    Providers {
        fn OSSL_PROVIDER_do_all(context: *mut c_void, each: EachProvider, to: *mut c_void) -> c_int;
        fn OSSL_PROVIDER_get0_name(provider: *const c_void) -> *const c_char;
        fn OSSL_PROVIDER_self_test(provider: *const c_void) -> c_int;
        fn EVP_default_properties_is_fips_enabled(context: *mut c_void) -> c_int;
    }

    /// TLS contexts, in libssl.
    Contexts {
        fn TLS_method() -> *const c_void;
        fn SSL_CTX_new(method: *const c_void) -> *mut c_void;
        fn SSL_CTX_ctrl(context: *mut c_void, what: c_int, more: c_long, to: *mut c_void) -> c_long;
        fn SSL_CTX_get_security_level(context: *const c_void) -> c_int;
        fn SSL_CTX_get_options(context: *const c_void) -> u64;
        fn SSL_CTX_get_ciphers(context: *const c_void) -> *const c_void;
        fn SSL_CIPHER_get_name(cipher: *const c_void) -> *const c_char;
    }
}

impl Library {
    /// The values of a stack; none if it is null.
    pub(super) fn values(&self, stack: *const c_void) -> Vec<*mut c_void> {
        // SAFETY: it accepts null, and returns -1 for it.
        let count = unsafe { (self.OPENSSL_sk_num)(stack) };
        let value = |index| {
            // SAFETY: the stack has more than `index` values.
            unsafe { (self.OPENSSL_sk_value)(stack, index) }
        };
        (0..count).map(value).collect()
    }

    /// The errors, from first to last. The queue is then empty.
    pub(super) fn errors(&self) -> Vec<String> {
        const IS_TEXT: c_int = 2;
        let mut errors = Vec::new();
        loop {
            let (mut file, mut line, mut function) = (null(), 0, null());
            let (mut data, mut flags) = (null(), 0);
            // SAFETY: there is space for each.
            let error = unsafe {
                (self.ERR_get_error_all)(&mut file, &mut line, &mut function, &mut data, &mut flags)
            };
            if error == 0 {
                return errors;
            }
            // SAFETY: it accepts any number.
            let reason = super::text(unsafe { (self.ERR_reason_error_string)(error) });
            let reason = reason.unwrap_or_else(|| format!("error {error:#x}"));
            let data = super::text(data).filter(|data| flags & IS_TEXT != 0 && !data.is_empty());
            errors.push(match data {
                Some(data) => format!("{reason} ({})", data.trim()),
                None => reason,
            });
        }
    }
}
