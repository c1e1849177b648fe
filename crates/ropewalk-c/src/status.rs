//! The result of a call: a status, and an error that names the offending value.

use std::{
    ffi::{CStr, c_char, c_void},
    fmt::{self, Write},
};

use crate::{
    algorithms,
    enter::{Failure, Why},
    memory,
};

/// The result of a call. All but ROPEWALK_OK and ROPEWALK_FORGED mean that nothing was done, and that nothing was written but the
/// error.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ropewalk_status {
    /// Done.
    ROPEWALK_OK = 0,
    /// A message is not what its sender sealed; its output is zeroed. No more is said, on purpose.
    ROPEWALK_FORGED = 1,
    /// A buffer, a key or a message has a length that is not allowed: `what`, `got`, `allowed`.
    ROPEWALK_LENGTH = 2,
    /// A pointer is NULL and must not be: `what`.
    ROPEWALK_NULL = 3,
    /// Memory that is written overlaps other memory of the call: `what`, `index`.
    ROPEWALK_OVERLAP = 4,
    /// An unknown name: `what`, `name`.
    ROPEWALK_UNKNOWN = 5,
    /// No algorithm has that name or number: `what`, `name` or `got`.
    ROPEWALK_NO_ALGORITHM = 6,
    /// The halves of a key of AES-XTS are the same.
    ROPEWALK_EQUAL_HALVES = 7,
    /// A key has sealed as many messages as it may, or a generator has answered as many requests.
    ROPEWALK_EXHAUSTED = 8,
    /// The operating system gave no random bytes.
    ROPEWALK_NO_RANDOMNESS = 9,
    /// There is no such backend on this processor.
    ROPEWALK_NO_BACKEND = 10,
    /// An object was not made, has been wiped or finished, or was moved: `what`.
    ROPEWALK_NOT_READY = 11,
    /// A key is of another algorithm than the function requires: `what`.
    ROPEWALK_WRONG_KIND = 12,
    /// A fault of the library, which has been caught. Do not use the output of the call, and wipe the objects that it used.
    ROPEWALK_INTERNAL = 13,
    /// Additional data came after the first chunk of a text. It must come before.
    ROPEWALK_TEXT_HAS_BEGUN = 14,
    /// A key was made anew or changed after a message in chunks was started with it: `what`.
    ROPEWALK_KEY_CHANGED = 15,
    /// A value is not allowed: `what`, and the reason in `allowed`. Of a batch of agreements, the others are done.
    ROPEWALK_INVALID = 16,
}

use ropewalk_status::*;

/// The space for words in an error in bytes, including a zero at the end.
pub const ROPEWALK_WORDS_LEN: usize = 72;

/// The space for a name in an error in bytes, including a zero at the end. A longer name is truncated.
pub const ROPEWALK_NAME_LEN: usize = 24;

/// Details of an error. It is written where a call fails, and left unchanged where it does not. A member that does not apply to a
/// status is zero or empty.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_error {
    /// The status that the call has returned.
    pub status: u32,
    /// Whether `index` is valid: 1, or 0.
    pub has_index: u32,
    /// In a batch, the index of the message, from 0 on.
    pub index: usize,
    /// The invalid length or number.
    pub got: usize,
    /// The name of the invalid value.
    pub what: [c_char; ROPEWALK_WORDS_LEN],
    /// The allowed values in words, or the reason why a value is not allowed.
    pub allowed: [c_char; ROPEWALK_WORDS_LEN],
    /// The requested name.
    pub name: [c_char; ROPEWALK_NAME_LEN],
}

/// The status in words, such as "forged message". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn ropewalk_status_text(status: u32) -> *const c_char {
    let status = KNOWN.iter().find(|(known, _)| *known as u32 == status);
    status.map_or(NONE, |(_, text)| text).as_ptr()
}

/// Writes the error in words to `text`, of `text_len` bytes: truncated to fit, with a zero at the end. Returns the length of the
/// whole text without the zero, as snprintf does. `text` may be NULL where `text_len` is 0.
///
/// # Safety
/// `error` was written by a call of this library, or all of it is zero; `text` has `text_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_error_text(
    error: *const ropewalk_error,
    text: *mut c_char,
    text_len: usize,
) -> usize {
    let mut words = Words { text: [0; 1024], len: 0 };
    // Text that does not fit is left out.
    // SAFETY: an error that the caller lends for reading, or NULL; any bytes are one.
    let _ = match unsafe { error.as_ref() } {
        Some(error) => write!(words, "{error}"),
        None => write!(words, "no error"),
    };
    let room = words.len.min(text_len.saturating_sub(1));
    if text_len > 0 && !text.is_null() {
        // SAFETY: as much of `text` as it has, which the caller lends for writing.
        let text = unsafe { memory::bytes_mut(text.cast::<c_void>(), room + 1) };
        text[..room].copy_from_slice(&words.text[..room]);
        text[room] = 0;
    }
    words.len
}

const NONE: &CStr = c"no such status";

/// Every status, in words.
const KNOWN: [(ropewalk_status, &CStr); 17] = [
    (ROPEWALK_OK, c"done"),
    (ROPEWALK_FORGED, c"forged message"),
    (ROPEWALK_LENGTH, c"a length that is not allowed"),
    (ROPEWALK_NULL, c"a pointer is NULL"),
    (ROPEWALK_OVERLAP, c"memory overlaps"),
    (ROPEWALK_UNKNOWN, c"an unknown word"),
    (ROPEWALK_NO_ALGORITHM, c"no such algorithm"),
    (ROPEWALK_EQUAL_HALVES, c"the halves of the key are the same"),
    (ROPEWALK_EXHAUSTED, c"the key or the seed has served as often as it may"),
    (ROPEWALK_NO_RANDOMNESS, c"the operating system gave no random bytes"),
    (ROPEWALK_NO_BACKEND, c"no such backend on this processor"),
    (ROPEWALK_NOT_READY, c"not made, or wiped, finished or moved since"),
    (ROPEWALK_WRONG_KIND, c"a key of another algorithm"),
    (ROPEWALK_INTERNAL, c"a fault of the library"),
    (ROPEWALK_TEXT_HAS_BEGUN, c"additional data comes before the text"),
    (ROPEWALK_KEY_CHANGED, c"made anew or changed since the message was begun"),
    (ROPEWALK_INVALID, c"a value that is not allowed"),
];

impl Failure {
    /// Writes it, unless the caller does not want it.
    #[cold]
    pub(crate) fn tell(&self, error: *mut ropewalk_error) -> ropewalk_status {
        let status = self.status();
        let mut told = ropewalk_error {
            status: status as u32,
            has_index: self.index.is_some().into(),
            index: self.index.unwrap_or(0),
            got: 0,
            what: [0; ROPEWALK_WORDS_LEN],
            allowed: [0; ROPEWALK_WORDS_LEN],
            name: [0; ROPEWALK_NAME_LEN],
        };
        match &self.why {
            Why::Library(ropewalk::Error::Length { what, got, allowed }) => {
                put(&mut told.what, what);
                put(&mut told.allowed, allowed);
                told.got = *got;
            }
            Why::Library(ropewalk::Error::Invalid { what, why }) => {
                put(&mut told.what, what);
                put(&mut told.allowed, why);
            }
            Why::Library(ropewalk::Error::Unknown { what }) => put(&mut told.what, what),
            Why::Library(ropewalk::Error::NoAlgorithm { asked, exist }) => {
                put(&mut told.what, exist.kind);
                put(&mut told.name, asked);
            }
            Why::NoNumber { what, got } => {
                put(&mut told.what, what);
                told.got = *got as usize;
            }
            Why::Unknown { what, name } => {
                put(&mut told.what, what);
                put(&mut told.name, name);
            }
            Why::Null(what) | Why::NotReady(what) | Why::Broken(what) => put(&mut told.what, what),
            Why::Overlap(what) | Why::Changed(what) => put(&mut told.what, what),
            Why::Kind { what, allowed } => {
                put(&mut told.what, what);
                put(&mut told.allowed, allowed);
            }
            Why::Library(_) | Why::Panicked => {}
        }
        if !error.is_null() {
            // SAFETY: the caller lends an error for writing, or NULL.
            unsafe { error.write(told) };
        }
        status
    }

    pub(crate) fn status(&self) -> ropewalk_status {
        match &self.why {
            Why::Library(error) => match error {
                ropewalk::Error::Forged => ROPEWALK_FORGED,
                ropewalk::Error::Length { .. } => ROPEWALK_LENGTH,
                ropewalk::Error::Invalid { .. } => ROPEWALK_INVALID,
                ropewalk::Error::Unknown { .. } => ROPEWALK_UNKNOWN,
                ropewalk::Error::NoAlgorithm { .. } => ROPEWALK_NO_ALGORITHM,
                ropewalk::Error::EqualHalves => ROPEWALK_EQUAL_HALVES,
                ropewalk::Error::Exhausted => ROPEWALK_EXHAUSTED,
                ropewalk::Error::NoRandomness => ROPEWALK_NO_RANDOMNESS,
                ropewalk::Error::NoBackend => ROPEWALK_NO_BACKEND,
                ropewalk::Error::TextHasBegun => ROPEWALK_TEXT_HAS_BEGUN,
                _ => ROPEWALK_INTERNAL,
            },
            Why::Null(_) => ROPEWALK_NULL,
            Why::Overlap(_) => ROPEWALK_OVERLAP,
            Why::NotReady(_) => ROPEWALK_NOT_READY,
            Why::Changed(_) => ROPEWALK_KEY_CHANGED,
            Why::Kind { .. } => ROPEWALK_WRONG_KIND,
            Why::Unknown { .. } => ROPEWALK_UNKNOWN,
            Why::NoNumber { .. } => ROPEWALK_NO_ALGORITHM,
            Why::Broken(_) | Why::Panicked => ROPEWALK_INTERNAL,
        }
    }
}

/// Copies as much as fits, and a zero.
fn put(to: &mut [c_char], text: &str) {
    let room = text.floor_char_boundary(to.len() - 1);
    for (to, byte) in to.iter_mut().zip(&text.as_bytes()[..room]) {
        *to = *byte as c_char;
    }
}

impl fmt::Display for ropewalk_error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, index, got, .. } = *self;
        let [what, allowed, name] = [&self.what[..], &self.allowed, &self.name].map(Quoted);
        if self.has_index != 0 {
            write!(f, "message {index}: ")?;
        }
        match KNOWN.iter().find(|(known, _)| *known as u32 == status) {
            Some((ROPEWALK_LENGTH, _)) => {
                write!(f, "{what} has length {got}, allowed is {allowed}")
            }
            Some((ROPEWALK_NULL, _)) => write!(f, "{what} is NULL"),
            Some((ROPEWALK_OVERLAP, _)) => write!(f, "{what} overlaps other memory of the call"),
            Some((ROPEWALK_UNKNOWN, _)) => write!(f, "unknown {what} \"{name}\""),
            Some((ROPEWALK_NO_ALGORITHM, _)) => {
                match self.name[0] {
                    0 => write!(f, "no {what} has the number {got}")?,
                    _ => write!(f, "no {what} is called \"{name}\"")?,
                }
                let mut before = ", there are ";
                algorithms::names_of(&self.what).iter().try_for_each(|name| {
                    write!(f, "{}{name}", std::mem::replace(&mut before, ", "))
                })
            }
            Some((ROPEWALK_INTERNAL, text)) if self.what[0] != 0 => {
                write!(f, "{what}: {}", text.to_string_lossy())
            }
            Some((ROPEWALK_NOT_READY | ROPEWALK_KEY_CHANGED, text)) => {
                write!(f, "{what}: {}", text.to_string_lossy())
            }
            Some((ROPEWALK_INVALID, _)) => write!(f, "{what} is invalid: {allowed}"),
            Some((ROPEWALK_WRONG_KIND, _)) => write!(f, "{what} is not one of {allowed}"),
            known => f.write_str(&known.map_or(NONE, |(_, text)| text).to_string_lossy()),
        }
    }
}

/// Characters up to a zero or the end.
struct Quoted<'a>(&'a [c_char]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0);
        text.into_iter().try_for_each(|byte| {
            // A requested name may be anything, and may be printed to a terminal.
            f.write_char(if byte.is_ascii_graphic() || byte == b' ' { byte.into() } else { '?' })
        })
    }
}

/// Collects written text as far as it fits.
struct Words {
    text: [u8; 1024],
    len: usize,
}

impl Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.text[self.len..];
        let text = &text.as_bytes()[..text.len().min(room.len())];
        room[..text.len()].copy_from_slice(text);
        self.len += text.len();
        Ok(())
    }
}
