//! Backends that compute wrong answers on this processor or emulator. The provider does not use them.

use core::ffi::CStr;
use std::sync::OnceLock;

use arrayvec::ArrayString;

/// The most bytes of names: further names are left out.
const MOST: usize = 2048;

/// The names and a zero. They are in memory of the module: memory from the heap would leak when OpenSSL
/// unloads it.
type Names = ArrayString<MOST>;

/// Their names, separated by commas.
pub(crate) fn names() -> &'static CStr {
    static NAMES: OnceLock<Names> = OnceLock::new();
    let names = NAMES.get_or_init(|| joined(ropewalk::backend::wrong().map(|info| info.name)));
    CStr::from_bytes_until_nul(names.as_bytes()).unwrap_or_default()
}

/// The line to print, or an empty text.
pub(crate) fn line() -> String {
    line_of(&names().to_string_lossy())
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> Names {
    let mut all = Names::new();
    for name in names {
        // With a comma before it, and a zero after it.
        if all.len() + name.len() + 2 > MOST {
            break;
        }
        if !all.is_empty() {
            all.push(',');
        }
        all.push_str(name);
    }
    all.push('\0');
    all
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
        assert_eq!(line_of(names.trim_end_matches('\0')), want);
        assert_eq!(joined([].into_iter()).as_str(), "\0");
        assert_eq!(line_of(""), "");
        let many = joined(std::iter::repeat_n("a/long/name", 1000));
        assert!(many.len() <= MOST && many.ends_with("name\0"));
    }
}
