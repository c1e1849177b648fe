//! Names of files, which are bytes, in lists and in messages.

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// The name for standard input.
pub(super) const STDIN: &str = "-";

/// A name in a list, and whether it is escaped there: then the line begins with a backslash.
pub(super) fn escape(name: &OsStr) -> (Cow<'_, [u8]>, bool) {
    let name = name.as_bytes();
    if !name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r')) {
        return (Cow::Borrowed(name), false);
    }
    let mut escaped = Vec::with_capacity(name.len() + 2);
    for byte in name {
        match byte {
            b'\\' => escaped.extend(b"\\\\"),
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            _ => escaped.push(*byte),
        }
    }
    (Cow::Owned(escaped), true)
}

/// The inverse, or none if it is not a valid escape.
pub(super) fn unescape(text: &[u8]) -> Option<OsString> {
    let mut name = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => *byte,
        });
    }
    Some(OsString::from_vec(name))
}

/// The reason of the operating system, without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in [&b"a"[..], b"a b", b"\\", b"a\nb", b"\r\n\\n", b"\xff\xfe", b"", b" ", b"*x"] {
            let name = OsStr::from_bytes(name);
            let (text, escaped) = escape(name);
            assert!(!text.contains(&b'\n') && !text.contains(&b'\r'));
            match escaped {
                true => assert_eq!(unescape(&text).unwrap(), name),
                false => assert_eq!(*text, *name.as_bytes()),
            }
        }
        assert_eq!(escape(OsStr::new("a\\b\nc")), (Cow::Borrowed(&b"a\\\\b\\nc"[..]), true));
    }

    #[test]
    fn what_nobody_escapes_is_no_name() {
        for text in [&b"\\"[..], b"a\\", b"\\t", b"\\x41", b"\\\\\\"] {
            assert_eq!(unescape(text), None);
        }
    }

    #[test]
    fn reasons_have_no_number() {
        assert_eq!(reason(&io::Error::from_raw_os_error(2)), "No such file or directory");
        assert_eq!(reason(&io::Error::other("odd")), "odd");
    }
}
