//! Standard input, output and error in the state in which the process got them.
//!
//! Rust's start-up code opens `/dev/null` in place of each closed one, so that reading nothing and writing
//! nowhere would look like success. This module checks before that code runs.

use std::{
    borrow::Cow,
    fmt::Display,
    fs::{File, OpenOptions},
    io::{self, Write as _},
    os::fd::AsFd,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use anyhow::Context;
use rustix::{io::fcntl_getfd, stdio};
use serde::Serialize;

use crate::filename::text_shown;

static INPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[used]
// SAFETY: the loader calls each function of this section once, before `main`, and this one ignores its
// arguments.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look;

extern "C" fn look() {
    INPUT_IS_CLOSED.store(fcntl_getfd(stdio::stdin()).is_err(), Relaxed);
    OUTPUT_IS_CLOSED.store(fcntl_getfd(stdio::stdout()).is_err(), Relaxed);
}

/// Standard input, without the buffer of the standard library.
///
/// # Errors
/// If the system has no more file descriptors. A closed standard input is an error when it is read.
pub fn input() -> io::Result<File> {
    match INPUT_IS_CLOSED.load(Relaxed) {
        false => Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?)),
        true => OpenOptions::new().write(true).open("/dev/null"),
    }
}

/// Whether standard input is closed and this path refers to it.
pub fn is_closed_input(path: &std::path::Path) -> bool {
    const PATHS: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    INPUT_IS_CLOSED.load(Relaxed) && PATHS.iter().any(|known| path == *known)
}

/// The error of reading a closed file.
pub fn closed() -> io::Error {
    rustix::io::Errno::BADF.into()
}

/// Standard output, without the buffer of the standard library.
///
/// # Errors
/// If the system has no more file descriptors. A closed standard output is an error when it is written.
pub fn output() -> io::Result<File> {
    match OUTPUT_IS_CLOSED.load(Relaxed) {
        false => Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?)),
        true => File::open("/dev/null"),
    }
}

/// Checks that standard output is open.
///
/// # Errors
/// If it is closed.
pub fn needs_output() -> anyhow::Result<()> {
    match OUTPUT_IS_CLOSED.load(Relaxed) {
        false => Ok(()),
        true => Err(closed()).context("standard output"),
    }
}

/// Writes a value as JSON, completely or not at all, and a line end.
///
/// # Errors
/// If it cannot be written.
pub fn write_json(value: &impl Serialize, out: &mut impl io::Write) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    out.write_all(&text)?;
    out.flush()
}

/// A text that the terminal can draw: in ASCII, if the locale is not UTF-8.
pub fn drawn(text: &str) -> Cow<'_, str> {
    static UTF_8: LazyLock<bool> = LazyLock::new(|| {
        let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(of).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    if *UTF_8 { Cow::Borrowed(text) } else { ascii(text) }
}

/// A writer that converts texts to what the terminal can draw.
pub struct Drawn<W>(pub W);

impl<W: io::Write> io::Write for Drawn<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(drawn(text).as_bytes())?,
            // A part of a character, or no text at all.
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Converts to ASCII, with the same width for each character.
fn ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '▸' => '>',
        '─' | '–' | '—' | '−' => '-',
        'µ' => 'u',
        '×' => 'x',
        '…' => '~',
        '✓' => '+',
        '✗' => 'x',
        '█' | '▇' | '▆' | '▅' => '#',
        '▒' => '+',
        '░' => '.',
        '•' | '·' => '*',
        '“' | '”' | '„' => '"',
        '‘' | '’' => '\'',
        '\u{a0}' => ' ',
        c if c.is_ascii() => c,
        _ => '?',
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// Prints a message to standard error. Errors are ignored: there is no other place to report them.
pub fn say(text: impl Display) {
    let _: io::Result<()> = writeln!(anstream::stderr().lock(), "{text}");
}

/// The same, after styled words; the text may have parts from other sources.
pub fn say_styled(style: anstyle::Style, words: &str, text: impl Display) {
    say(format_args!("{style}{words}:{style:#} {}", text_shown(&text.to_string())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_one_of_ascii_each() {
        assert_eq!(ascii("▸ 5 µs – 1×…"), "> 5 us - 1x~");
        assert_eq!(ascii("plain"), "plain");
        assert_eq!(ascii("日"), "?");
        // The parts of a bar must differ.
        assert_eq!(ascii("██▒░"), "##+.");
    }
}
