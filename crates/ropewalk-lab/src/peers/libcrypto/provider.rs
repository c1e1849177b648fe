//! Providers: modules with algorithms, since OpenSSL 3.0.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    path::Path,
    ptr::null_mut,
};

use libloading::os::unix::Library;

use super::{
    api::{self, OSSL_PROVIDER},
    errors,
    source::c_string,
};
use crate::peers::{Unavailable, dl::symbol};

/// Loads a provider, by a name that it searches for or by a path, in addition to the default ones.
pub(super) fn load(
    library: &'static Library,
    name: &str,
) -> Result<*mut OSSL_PROVIDER, Unavailable> {
    const BESIDE_THE_DEFAULT: c_int = 1;
    let api = api::Provider::load(library).map_err(|_| Unavailable("has no providers".into()))?;
    let c_name = c_string(name)?;
    errors::clear(library);
    // SAFETY: null stands for the default context, and the name is a string.
    let provider =
        unsafe { (api.OSSL_PROVIDER_try_load)(null_mut(), c_name.as_ptr(), BESIDE_THE_DEFAULT) };
    match provider.is_null() {
        true => Err(errors::with(library, &format!("cannot load its provider {name}"))),
        false => Ok(provider),
    }
}

/// The property query for that provider: the property `provider` of its own algorithms, since a file may have
/// any name.
pub(super) fn query(
    library: &'static Library,
    provider: *mut OSSL_PROVIDER,
    name: &str,
) -> Result<CString, Unavailable> {
    const OPERATIONS: [c_int; 3] = [1, 2, 3];
    let api = api::Algorithms::load(library)?;
    let own = OPERATIONS.into_iter().find_map(|operation| {
        let mut no_cache = 0;
        // SAFETY: the provider is loaded. It returns a table that ends with null, or null.
        let table =
            unsafe { (api.OSSL_PROVIDER_query_operation)(provider, operation, &mut no_cache) };
        // SAFETY: a table has a first entry, since the end is one too.
        let first = unsafe { table.as_ref() }?;
        let definition = (!first.names.is_null() && !first.properties.is_null())
            // SAFETY: an algorithm's properties are a string.
            .then(|| unsafe { CStr::from_ptr(first.properties) }.to_string_lossy().into_owned());
        // SAFETY: as above; the table is not looked at any more.
        unsafe { (api.OSSL_PROVIDER_unquery_operation)(provider, operation, table) };
        of_definition(&definition?)
    });
    let stem = || {
        let path = Path::new(name);
        path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    };
    c_string(&format!("provider={}", own.unwrap_or_else(stem)))
}

/// `ropewalk` of `provider=ropewalk,fips=no`.
fn of_definition(definition: &str) -> Option<String> {
    let mut properties = definition.split(',').filter_map(|property| property.split_once('='));
    let found = properties.find(|(name, _)| name.trim() == "provider");
    found.map(|(_, value)| value.trim().to_owned())
}

/// The provider of an algorithm, from the function of that name.
///
/// # Safety
/// The function must accept it.
pub(super) unsafe fn of(
    library: &'static Library,
    says: &str,
    algorithm: *const c_void,
) -> Result<*mut OSSL_PROVIDER, Unavailable> {
    type Says = unsafe extern "C" fn(*const c_void) -> *mut OSSL_PROVIDER;
    // SAFETY: the type is the one that the public header gives these names.
    let says: Says = unsafe { symbol(library, says) }?;
    // SAFETY: as the caller promises.
    Ok(unsafe { says(algorithm) })
}

/// The name of the provider of an algorithm, from the function of that name.
///
/// # Safety
/// The function must accept it.
pub(super) unsafe fn name_of(
    library: &'static Library,
    says: &str,
    algorithm: *const c_void,
) -> Option<String> {
    let api = api::ProviderName::load(library).ok()?;
    // SAFETY: as the caller promises.
    let provider = unsafe { of(library, says, algorithm) }.ok()?;
    if provider.is_null() {
        return None;
    }
    // SAFETY: an algorithm's provider lives as long as it does.
    let name = unsafe { (api.OSSL_PROVIDER_get0_name)(provider) };
    // SAFETY: the name of a provider is a string.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_provider_among_its_properties() {
        assert_eq!(of_definition("provider=ropewalk").as_deref(), Some("ropewalk"));
        assert_eq!(of_definition("fips=yes, provider = oqs ,x").as_deref(), Some("oqs"));
        assert_eq!(of_definition("fips=yes"), None);
        assert_eq!(of_definition(""), None);
    }
}
