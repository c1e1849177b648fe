//! Valid and hostile lines of lists.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use super::*;

const MD5: &str = "d41d8cd98f00b204e9800998ecf8427e";
const SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The function and the name of a single line.
fn parsed(line: &[u8]) -> Option<(Algorithm, Vec<u8>)> {
    let (entry, _) = entry(line, None, &mut Form::default())?;
    let digest = entry.listed.expect("a list says it");
    assert!(MD5.starts_with(&hex(&digest)) || SHA256.starts_with(&hex(&digest)));
    Some((entry.algorithm, entry.name.as_bytes().to_vec()))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_form_is_read() {
    let (md5, sha256) = (Algorithm::Md5, Algorithm::Sha256);
    let upper = SHA256.to_uppercase();
    for (line, algorithm, name) in [
        (format!("{SHA256}  a"), sha256, "a"),
        (format!("{SHA256} *a b"), sha256, "a b"),
        (format!("{SHA256} a"), sha256, "a"),
        (format!("{upper}  a "), sha256, "a "),
        (format!("  {MD5}  a"), md5, "a"),
        (format!("{MD5}   a"), md5, " a"),
        (format!("{MD5}\t a"), md5, "a"),
        (format!("\\{MD5}  a\\nb\\\\c\\rd"), md5, "a\nb\\c\rd"),
        (format!("{MD5}  a\\nb"), md5, "a\\nb"),
        (format!("MD5 (a) = {MD5}"), md5, "a"),
        (format!("MD5(a)= {MD5}"), md5, "a"),
        (format!("SHA2-256(a)= {SHA256}"), sha256, "a"),
        (format!("SHA256 (a) = b) = {SHA256}"), sha256, "a) = b"),
        (format!("\\SHA256 (a\\n) = {SHA256}"), sha256, "a\n"),
        (format!("SHA3-256 (a) = {SHA256}"), Algorithm::Sha3_256, "a"),
        (format!("SHA512-256 (a) = {SHA256}"), Algorithm::Sha512_256, "a"),
        (format!("SHA2-512/256(a)= {SHA256}"), Algorithm::Sha512_256, "a"),
    ] {
        assert_eq!(parsed(line.as_bytes()), Some((algorithm, name.into())), "{line}");
    }
    let latin = [SHA256.as_bytes(), b"  \xe4\xff"].concat();
    assert_eq!(parsed(&latin), Some((sha256, b"\xe4\xff".to_vec())));
}

#[test]
fn what_is_no_line_is_refused() {
    for line in [
        String::new(),
        " ".into(),
        "\\".into(),
        MD5.into(),
        format!("{MD5} "),
        format!("{MD5}x a"),
        format!("{MD5}0  a"),
        format!("{}  a", &MD5[1..]),
        format!("{}g  a", &MD5[1..]),
        format!("\\{MD5}  a\\"),
        format!("\\{MD5}  a\\t"),
        format!("{MD5}  a\0b"),
        format!("MD5 a = {MD5}"),
        format!("MD5 (a = {MD5}"),
        format!("MD5 (a) {MD5}"),
        format!("MD5 () = {MD5}"),
        format!("MD5 (a) = {SHA256}"),
        format!("MD4 (a) = {MD5}"),
        format!("md5 (a) = {MD5}"),
        "MD5 (a) =".into(),
        "MD5".into(),
        "(".into(),
        "é".repeat(32) + "  a",
        "+".to_owned() + &MD5[1..] + "  a",
    ] {
        assert_eq!(parsed(line.as_bytes()), None, "{line:?}");
    }
    // Every prefix of a good line is either valid or not, and nothing panics.
    let line = format!("\\SHA256 (a\\n) = {SHA256}");
    for end in 0..line.len() {
        assert_eq!(parsed(&line.as_bytes()[..end]), None, "{end}");
    }
    let line = [MD5.as_bytes(), b"  name"].concat();
    for flipped in 0..line.len() {
        for byte in 0..=255 {
            let mut line = line.clone();
            line[flipped] = byte;
            let _ = entry(&line, None, &mut Form::default());
            let _ = entry(&line[flipped..], Some(Algorithm::Md5), &mut Form::default());
        }
    }
}

#[test]
fn one_function_may_be_asked_for() {
    let line = |line: &str, algorithm| {
        let (entry, is_sure) = entry(line.as_bytes(), Some(algorithm), &mut Form::default())?;
        assert!(is_sure);
        Some(entry.algorithm)
    };
    let sha3 = Algorithm::Sha3_256;
    assert_eq!(line(&format!("{SHA256}  a"), sha3), Some(sha3));
    assert_eq!(line(&format!("{MD5}  a"), sha3), None);
    assert_eq!(line(&format!("SHA256 (a) = {SHA256}"), sha3), None);
    assert_eq!(line(&format!("SHA256 (a) = {SHA256}"), Algorithm::Sha256), Some(Algorithm::Sha256));
}

#[test]
fn a_list_has_one_form() {
    let names = |lines: [&str; 3]| {
        let mut form = Form::default();
        lines.map(|line| {
            let line = format!("{MD5}{line}");
            entry(line.as_bytes(), None, &mut form).map(|(entry, _)| entry.name)
        })
    };
    let some = |name: &str| Some(OsStr::new(name).to_owned());
    assert_eq!(names(["  a", " b", " *c"]), [some("a"), None, some("c")]);
    assert_eq!(names([" a", "  b", " *c"]), [some("a"), some(" b"), some("*c")]);
}

#[test]
fn lines_end_as_they_may() {
    let split = |text: &[u8], step: usize| {
        let mut all = Vec::new();
        let text = io::BufReader::with_capacity(step, text);
        lines(text, |line| {
            all.push(match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::TooLong => "too long".into(),
            });
        })
        .unwrap();
        all
    };
    let long = "x".repeat(LONGEST);
    for step in [1, 2, 3, 7, 1 << 16] {
        assert_eq!(split(b"", step), [""]);
        assert_eq!(split(b"a\r\nb\n\nc", step), ["a", "b", "", "c"]);
        let text = format!("{long}\n{long}y\nz\n{long}yy");
        assert_eq!(split(text.as_bytes(), step), [&long, "too long", "z", "too long"]);
    }
}

/// A line without an end is not kept.
#[test]
fn endless_lines_take_no_memory() {
    let endless = io::BufReader::new(io::Read::take(io::repeat(b'x'), 1 << 30));
    let mut seen = 0;
    lines(endless, |line| {
        assert_eq!(line, Line::TooLong);
        seen += 1;
    })
    .unwrap();
    assert_eq!(seen, 1);
}
