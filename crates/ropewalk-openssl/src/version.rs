//! The version of the OpenSSL that has loaded the module. Where the behaviour of OpenSSL's own provider
//! changed in a minor version, this provider changes in the same version: each such place compares with one
//! of the versions here.

use core::{
    ffi::{CStr, c_char},
    ptr,
};

use crate::{
    abi::{CoreHandle, Success},
    params::{List, Param},
};

/// The major number times 100, plus the minor number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(pub(crate) u32);

impl Version {
    /// The first with providers.
    pub(crate) const V3_0: Self = Self(300);
    pub(crate) const V3_3: Self = Self(303);
    pub(crate) const V3_4: Self = Self(304);
    pub(crate) const V3_6: Self = Self(306);
    pub(crate) const V4_0: Self = Self(400);

    /// Queries the version. If OpenSSL does not report one, it is taken for the first.
    ///
    /// # Safety
    /// OpenSSL passed both.
    pub(crate) unsafe fn of(
        handle: *const CoreHandle,
        get_params: unsafe extern "C" fn(*const CoreHandle, *mut Param) -> Success,
    ) -> Self {
        let mut text: *const c_char = ptr::null();
        let mut list = List::new();
        list.text_place(c"openssl-version", &mut text);
        // SAFETY: the list has space for a pointer.
        let success = unsafe { get_params(handle, list.as_mut_ptr()) };
        if success != 1 || text.is_null() {
            return Self::V3_0;
        }
        // SAFETY: OpenSSL returned a string of its own.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_str().ok().and_then(Self::parse).unwrap_or(Self::V3_0)
    }

    /// Parses `3.0.19`, or `4.1.0-dev`.
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| number.parse::<u8>().ok());
        Some(Self(100 * u32::from(numbers.next()??) + u32::from(numbers.next()??)))
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_read() {
        assert_eq!(Version::parse("3.0.19"), Some(Version::V3_0));
        assert_eq!(Version::parse("4.0.0-dev"), Some(Version::V4_0));
        assert!(Version::parse("3.10.0") > Some(Version::V3_4));
        for wrong in ["", "3", "three.zero", "3.-1.0"] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }
}
