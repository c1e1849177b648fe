//! Names of files, which are bytes, as text: in JSON, from which they must be recoverable, and on terminals,
//! which must not interpret them.

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    fmt::Write as _,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

use serde::{Serializer, ser::SerializeSeq};

/// A name on one line: a backslash is `\\`, and a byte of a control sequence or of invalid UTF-8 is `\x` and
/// two hexadecimal digits. [`parse`] is the inverse.
pub fn shown(name: impl AsRef<OsStr>) -> String {
    escaped(name.as_ref().as_bytes(), |c| c == '\\' || acts(c))
}

/// The inverse of [`shown`]. A backslash that begins neither form stands for itself.
pub fn parse(text: &str) -> OsString {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        name.extend(before.as_bytes());
        let digits = after.strip_prefix('x').and_then(|digits| digits.get(..2));
        let byte = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                name.push(byte);
                rest = &after[3..];
            }
            None => {
                name.push(b'\\');
                rest = after.strip_prefix('\\').unwrap_or(after);
            }
        }
    }
    name.extend(rest.as_bytes());
    OsString::from_vec(name)
}

/// A text for a terminal, parts of which come from other sources. Line ends and backslashes are kept.
pub fn text_shown(text: &str) -> Cow<'_, str> {
    let is = |c| acts(c) && c != '\n';
    match text.contains(is) {
        true => escaped(text.as_bytes(), is).into(),
        false => text.into(),
    }
}

/// A line for a terminal. Its last byte, the line end, and its backslashes are kept.
pub fn line_shown(line: &[u8]) -> Vec<u8> {
    let Some((end, line)) = line.split_last() else { return Vec::new() };
    let mut line = escaped(line, acts).into_bytes();
    line.push(*end);
    line
}

/// Whether a terminal interprets the character instead of drawing it.
fn acts(c: char) -> bool {
    // Direction marks move the text that follows, and these separators end a line.
    let moves =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || moves
}

fn escaped(name: &[u8], is: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' if is(c) => text.push_str(r"\\"),
                c if is(c) => push_bytes(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => text.push(c),
            }
        }
        push_bytes(&mut text, chunk.invalid());
    }
    text
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        write!(text, r"\x{byte:02x}").expect("a string takes all");
    }
}

/// A field of a record that is a path.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(
    path: &(impl AsRef<Path> + ?Sized),
    to: S,
) -> Result<S::Ok, S::Error> {
    to.serialize_str(&shown(path.as_ref()))
}

/// A field of a record that is a list of paths.
///
/// # Errors
/// Those of the serializer.
pub fn serialize_all<S: Serializer>(paths: &[impl AsRef<Path>], to: S) -> Result<S::Ok, S::Error> {
    let mut list = to.serialize_seq(Some(paths.len()))?;
    paths.iter().try_for_each(|path| list.serialize_element(&shown(path.as_ref())))?;
    list.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for (name, text) in [
            (&b"a b"[..], "a b"),
            ("ein Näme".as_bytes(), "ein Näme"),
            (b"b\xe4r", r"b\xe4r"),
            (b"C:\\x41", r"C:\\x41"),
            (b"\\", r"\\"),
            (b"\xff\\\xfe\\\\", r"\xff\\\xfe\\\\"),
            (b"a\nb\x1b[2J", r"a\x0ab\x1b[2J"),
            ("\u{9b}31m gpj.\u{202e}exe".as_bytes(), r"\xc2\x9b31m gpj.\xe2\x80\xaeexe"),
            (b"cut \xe2\x82", r"cut \xe2\x82"),
            (b"", ""),
        ] {
            let name = OsStr::from_bytes(name);
            assert_eq!(shown(name), text);
            assert_eq!(parse(text), name);
        }
        for text in [r"\", r"a\b", r"\x4", r"\xg0", r"\x+1", r"\xä"] {
            assert_eq!(parse(text), text, "it was not written so");
        }
    }

    #[test]
    fn nothing_that_is_shown_acts() {
        assert_eq!(text_shown("one\ntwo \\ three\x07"), "one\ntwo \\ three\\x07");
        assert_eq!(line_shown(b"\\00  a\\\\\x1bb\xe4\n"), b"\\00  a\\\\\\x1bb\\xe4\n");
        assert_eq!(line_shown(b"00  a\0"), b"00  a\0");
        assert_eq!(line_shown(b""), b"");
    }

    #[test]
    fn fields_are_strings() {
        #[derive(serde::Serialize)]
        struct Record<'a> {
            #[serde(serialize_with = "serialize")]
            path: &'a Path,
            #[serde(serialize_with = "serialize_all")]
            names: Vec<&'a Path>,
        }
        let path = Path::new(OsStr::from_bytes(b"\xe4"));
        let json = serde_json::to_string(&Record { path, names: vec![path, Path::new("b")] });
        assert_eq!(json.unwrap(), r#"{"path":"\\xe4","names":["\\xe4","b"]}"#);
    }
}
