//! Backends that compute wrong answers on this processor or emulator. The provider does not use them.

use core::ffi::CStr;
use std::{ffi::CString, sync::OnceLock};

/// Their names, separated by commas.
pub(crate) fn names() -> &'static CStr {
    static NAMES: OnceLock<CString> = OnceLock::new();
    NAMES.get_or_init(|| joined(ropewalk::backend::wrong().map(|info| info.name)))
}

/// What is printed of them, or nothing.
pub(crate) fn line() -> String {
    line_of(&names().to_string_lossy())
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> CString {
    // No name has a zero in it.
    CString::new(names.collect::<Vec<_>>().join(",")).unwrap_or_default()
}

fn line_of(names: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!("ropewalk: wrong answers on this processor or emulator, not used: {names}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_one_line() {
        let names = joined(["aes_ctr/x86_64/vaes256", "sha256/x86_64/shani"].into_iter());
        let want = "ropewalk: wrong answers on this processor or emulator, not used: \
                    aes_ctr/x86_64/vaes256,sha256/x86_64/shani\n";
        assert_eq!(line_of(names.to_str().unwrap()), want);
        assert_eq!(line_of(joined([].into_iter()).to_str().unwrap()), "");
    }
}
