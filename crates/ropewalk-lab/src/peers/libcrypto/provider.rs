//! Modules that algorithms come from, since OpenSSL 3.0.

use std::{ffi::CString, ptr::null_mut};

use libloading::os::unix::Library;

use super::{
    api::{self, OSSL_PROVIDER},
    errors,
};
use crate::peers::Unavailable;

/// Loads a provider, by a name that it looks for or by a path, beside those that are there already or would be.
pub(super) fn load(
    library: &'static Library,
    name: &str,
) -> Result<*mut OSSL_PROVIDER, Unavailable> {
    const BESIDE_THE_DEFAULT: i32 = 1;
    let api = api::Provider::load(library)?;
    let c_name = CString::new(name).map_err(|error| Unavailable(error.to_string()))?;
    errors::clear(library);
    // SAFETY: null stands for the default context, and the name is a string.
    let provider =
        unsafe { (api.OSSL_PROVIDER_try_load)(null_mut(), c_name.as_ptr(), BESIDE_THE_DEFAULT) };
    match provider.is_null() {
        true => Err(errors::with(library, &format!("cannot load its provider {name}"))),
        false => Ok(provider),
    }
}
