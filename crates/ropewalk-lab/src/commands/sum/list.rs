//! Lists of digests, in the formats of sha256sum and similar tools.

use std::{
    ffi::{OsStr, OsString},
    io::{self, BufRead},
    ops::ControlFlow,
    os::unix::ffi::OsStringExt,
    sync::Arc,
};

use ropewalk::hash::Algorithm;

use super::{
    guess::{Guess, usual},
    hash::Digest,
    names::{STDIN, unescape},
    work::{Entry, Feed, Item},
};

/// The result of reading a list.
pub(super) struct Count {
    pub(super) list: OsString,
    pub(super) proper: u64,
    pub(super) improper: u64,
}

/// The options for reading lists.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The only accepted function. Without it, the name or the length of a digest determines it.
    pub(super) algorithm: Option<Algorithm>,
    /// Whether each malformed line is reported.
    pub(super) each: bool,
}

/// Passes all files of a list on to be hashed, and then its end.
///
/// # Errors
/// If the list cannot be read further.
pub(super) fn read(
    list: &OsStr,
    text: impl BufRead,
    rules: Rules,
    feed: &mut Feed<'_>,
) -> io::Result<()> {
    let mut count = Count { list: list.to_owned(), proper: 0, improper: 0 };
    let guess = Arc::new(Guess::new(list));
    let (mut number, mut form) = (0, Form::default());
    lines(text, |text| {
        number += 1;
        let entry = match text {
            Line::Text([] | [b'#', ..]) => return,
            Line::Text(text) => entry(text, rules.algorithm, &mut form),
            Line::TooLong => None,
        };
        // Standard input itself contains the list.
        match entry.filter(|(entry, _)| list != STDIN || entry.name != STDIN) {
            Some((entry, is_sure)) => {
                count.proper += 1;
                let guess = (!is_sure).then(|| guess.clone());
                feed.push(Item::Entry(Entry { guess, ..entry }));
            }
            None => {
                count.improper += 1;
                if rules.each {
                    feed.push(Item::Improper(list.to_owned(), number));
                }
            }
        }
    })?;
    feed.push(Item::End(count));
    Ok(())
}

/// What a tag is called.
pub(super) fn tag(algorithm: Algorithm) -> String {
    algorithm.name().to_ascii_uppercase()
}

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
enum Line<'a> {
    Text(&'a [u8]),
    TooLong,
}

/// More than the longest path with every byte escaped, and a digest.
const LONGEST: usize = 16 << 10;

/// Reads all lines, with one in memory.
fn lines(mut text: impl BufRead, mut each: impl FnMut(Line<'_>)) -> io::Result<()> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let there = match text.fill_buf() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            there => there?,
        };
        let end = there.iter().position(|byte| *byte == b'\n');
        let part = &there[..end.unwrap_or(there.len())];
        too_long |= line.len() + part.len() > LONGEST;
        if !too_long {
            line.extend_from_slice(part);
        }
        let (last, used) = (there.is_empty(), end.map_or(part.len(), |end| end + 1));
        if end.is_some() || last {
            each(match too_long {
                true => Line::TooLong,
                false => Line::Text(line.strip_suffix(b"\r").unwrap_or(&line)),
            });
            line.clear();
            too_long = false;
        }
        text.consume(used);
        if last {
            return Ok(());
        }
    }
}

/// The separator of digest and name in all lines of a list. If lines could differ, a name that begins with a
/// space could be confused with another.
#[derive(Default)]
enum Form {
    #[default]
    Unknown,
    /// A space, and a space or `*`.
    Two,
    /// A space, as in BSD's tools.
    One,
}

/// The entry in a line, if any, and whether it states its function.
fn entry(line: &[u8], algorithm: Option<Algorithm>, form: &mut Form) -> Option<(Entry, bool)> {
    let line = line.trim_ascii_start();
    let (line, escaped) = match line.strip_prefix(b"\\") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let ((algorithm, digest, name), is_sure) = match tagged(line) {
        ControlFlow::Break(parts) => {
            let (tagged, digest, name) = parts?;
            if algorithm.is_some_and(|algorithm| algorithm != tagged) {
                return None;
            }
            ((tagged, digest, name), true)
        }
        ControlFlow::Continue(()) => (untagged(line, algorithm, form)?, algorithm.is_some()),
    };
    let name = match escaped {
        true => unescape(name)?,
        false => OsString::from_vec(name.to_vec()),
    };
    // No file has such a name.
    if name.is_empty() || name.as_encoded_bytes().contains(&0) {
        return None;
    }
    Some((Entry { listed: Some(digest), ..Entry::new(name, algorithm) }, is_sure))
}

type Parts<'a> = (Algorithm, Digest, &'a [u8]);

/// Parses `SHA256 (name) = digest`, or OpenSSL's form, `SHA2-256(name)= digest`. Continues if the line has no
/// tag.
fn tagged(line: &[u8]) -> ControlFlow<Option<Parts<'_>>> {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'('));
    let (tag, rest) = line.split_at(end.unwrap_or(0));
    let Some(algorithm) = tags(tag) else { return ControlFlow::Continue(()) };
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let parts = || {
        let rest = rest.strip_prefix(b"(")?;
        let end = rest.iter().rposition(|byte| *byte == b')')?;
        let digest = rest[end + 1..].trim_ascii_start().strip_prefix(b"=")?;
        Some((algorithm, digits(digest.trim_ascii_start(), algorithm)?, &rest[..end]))
    };
    ControlFlow::Break(parts())
}

fn tags(text: &[u8]) -> Option<Algorithm> {
    let text = match text {
        b"SHA2-512/256" => b"SHA512-256",
        text => text,
    };
    let text = text.strip_prefix(b"SHA2-").map_or_else(|| text.to_vec(), |n| [b"SHA", n].concat());
    Algorithm::ALL.iter().copied().find(|algorithm| tag(*algorithm).as_bytes() == text)
}

/// `digest  name`, `digest *name` or `digest name`.
fn untagged<'a>(
    line: &'a [u8],
    algorithm: Option<Algorithm>,
    form: &mut Form,
) -> Option<Parts<'a>> {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (text, rest) = (&line[..end], &line[end + 1..]);
    let algorithm = algorithm.or_else(|| usual(text.len() / 2))?;
    let digest = digits(text, algorithm)?;
    let name = match (rest, &form) {
        ([b' ' | b'*', _, ..], Form::One) => rest,
        ([b' ' | b'*', name @ ..], _) if !name.is_empty() => {
            *form = Form::Two;
            name
        }
        (_, Form::Two) => return None,
        (name, _) => {
            *form = Form::One;
            name
        }
    };
    Some((algorithm, digest, name))
}

fn digits(text: &[u8], algorithm: Algorithm) -> Option<Digest> {
    if text.len() != 2 * algorithm.digest_len() {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, _) = text.as_chunks();
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8)).collect()
}

#[cfg(test)]
mod tests;
