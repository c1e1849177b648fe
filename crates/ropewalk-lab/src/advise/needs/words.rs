//! The needs by name: their values, and how each is read.

use super::{Fixed, Must, Needs, Protect, file, units};
use crate::{
    advise::{candidates::CHOICES, rules::refusal},
    names,
    tasks::{TASKS, words},
};

/// A need on the command line and in files.
pub struct Word {
    /// `max-code`.
    pub name: &'static str,
    /// What it is, for help.
    pub help: &'static str,
    /// What may follow it.
    pub allowed: &'static str,
    pub(super) set: fn(&mut Needs, &str) -> Result<(), String>,
}

/// Every need.
pub const WORDS: &[Word] = &[
    word(
        "protect",
        "The goal [default: aead]",
        "aead, confidentiality, integrity, signature, key-agreement or password",
        |n, text| one_of(&mut n.protect, text, "goal", PROTECT),
    ),
    word("bits", "The least strength in bits [default: 128]", "112, 128, 192 or 256", |n, text| {
        n.bits = Some(bits(text)?);
        Ok(())
    }),
    word(
        "message",
        "Bytes of a message [default: 16KiB; of a signature: 64]",
        units::SIZE,
        |n, text| put(&mut n.message, units::size(text)),
    ),
    word("rate", "Bytes that must be done", units::RATE, |n, text| {
        put(&mut n.rate, units::rate(text))
    }),
    word("ops", "Messages, signatures or exchanges that must be done", units::OPS, |n, text| {
        put(&mut n.ops, units::ops(text))
    }),
    word("latency", "The longest time of one message", units::TIME, |n, text| {
        put(&mut n.latency, units::time(text))
    }),
    word("max-code", "The most bytes of code", units::SIZE, |n, text| {
        put(&mut n.max_code, units::size(text))
    }),
    word("max-ram", "The most bytes of memory", units::SIZE, |n, text| {
        put(&mut n.max_ram, units::size(text))
    }),
    word(
        "link",
        "The link or the disk behind it, to find the bottleneck",
        units::RATE,
        |n, text| put(&mut n.link, units::rate(text)),
    ),
    word(
        "cores",
        "The number of cores that may be used [default: 1]",
        "a number from 1 to 4096",
        |n, text| put(&mut n.cores, cores(text)),
    ),
    word(
        "must",
        "Properties that it must have",
        "tls13, constant-time and fips, with commas between them",
        must,
    ),
    word(
        "fixed",
        "The algorithm, if it cannot be changed: then libraries are compared",
        "a task, such as aes-256-gcm or rsa-2048/sign",
        |n, text| put(&mut n.fixed, fixed(text)),
    ),
    word(
        "tls",
        "Counts the cores of a server of TLS 1.3 with that throughput",
        units::RATE,
        |n, text| put(&mut n.tls, units::rate(text)),
    ),
    word("requests", "New connections of that server", units::OPS, |n, text| {
        put(&mut n.requests, units::ops(text))
    }),
    word("record", "Bytes in a record [default: 16KiB]", units::SIZE, |n, text| {
        put(&mut n.record, units::size(text))
    }),
    word(
        "resumed",
        "The share of its connections that resume an earlier one",
        units::SHARE,
        |n, text| put(&mut n.resumed, units::share(text)),
    ),
];

const fn word(
    name: &'static str,
    help: &'static str,
    allowed: &'static str,
    set: fn(&mut Needs, &str) -> Result<(), String>,
) -> Word {
    Word { name, help, allowed, set }
}

pub(super) const PROTECT: &[(&str, Protect)] = &[
    ("aead", Protect::Aead),
    ("confidentiality", Protect::Confidentiality),
    ("integrity", Protect::Integrity),
    ("signature", Protect::Signature),
    ("key-agreement", Protect::KeyAgreement),
    ("password", Protect::Password),
];

pub(super) const MUST: &[(&str, Must)] =
    &[("tls13", Must::Tls13), ("constant-time", Must::ConstantTime), ("fips", Must::Fips)];

pub(super) fn known(name: &str) -> Result<&'static Word, String> {
    let known: Vec<&str> = WORDS.iter().map(|word| word.name).collect();
    let unknown = || {
        let name = name.escape_debug().to_string();
        let nearest = match names::nearest(&name, &known)[..] {
            [] => String::new(),
            [nearest, ..] => format!("; the nearest is {nearest}"),
        };
        format!("no need is called `{name}`{nearest}; there is {}", file::names())
    };
    WORDS.iter().find(|word| word.name == name).ok_or_else(unknown)
}

fn put<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *place = Some(value?);
    Ok(())
}

fn one_of<T: Copy>(
    place: &mut Option<T>,
    text: &str,
    what: &str,
    all: &[(&str, T)],
) -> Result<(), String> {
    let found = all.iter().find(|(name, _)| *name == text.trim());
    let known: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let unknown =
        || format!("`{}` is no {what}; there is {}", text.escape_debug(), known.join(", "));
    *place = Some(found.ok_or_else(unknown)?.1);
    Ok(())
}

fn must(needs: &mut Needs, text: &str) -> Result<(), String> {
    for word in text.split(',') {
        let mut one = None;
        one_of(&mut one, word, "property", MUST)?;
        needs.must.extend(one.filter(|one| !needs.must.contains(one)));
    }
    Ok(())
}

fn bits(text: &str) -> Result<u32, String> {
    let bits = text.trim().parse().ok().filter(|bits| [112, 128, 192, 256].contains(bits));
    bits.ok_or_else(|| {
        format!("`{}` is no strength: write 112, 128, 192 or 256", text.escape_debug())
    })
}

fn cores(text: &str) -> Result<u32, String> {
    let cores = text.trim().parse().ok().filter(|cores| (1..=4096).contains(cores));
    cores.ok_or_else(|| {
        format!("`{}` is no number of cores: write a number from 1 to 4096", text.escape_debug())
    })
}

/// A task of the lab, or an algorithm that only runs of other programs have.
fn fixed(text: &str) -> Result<Fixed, String> {
    let text = text.trim().to_ascii_lowercase();
    let (task, op) = text.split_once('/').unwrap_or((&text, ""));
    let is_task = |name: &str| TASKS.iter().any(|task| task.name == name);
    let choice = CHOICES.iter().find(|choice| choice.task == task);
    if let Some(choice) = choice.filter(|choice| !is_task(choice.task)) {
        let op = if op.is_empty() { choice.op } else { op };
        return match ["sign", "verify", "agree", "generate", choice.op].contains(&op) {
            true => Ok(Fixed { task: task.into(), op: op.into() }),
            false => Err(format!("`{text}` is no operation; there is {task}/{}", choice.op)),
        };
    }
    if refusal(task, op).is_some() && !is_task(task) {
        return Ok(Fixed { task: task.into(), op: if op.is_empty() { "sign" } else { op }.into() });
    }
    let found = words::find(&text)?;
    let once = |op: &str| found.iter().filter(|task| task.op == op).count() == 1;
    let same = found.iter().all(|task| task.name == found[0].name);
    let whole = ["seal", "encrypt", "digest", "mac", "wrap", "fill", "call"];
    let op = match &found[..] {
        [one] => Some(one.op),
        _ if same => whole.into_iter().find(|op| once(op)),
        _ => None,
    };
    let op = op.ok_or_else(|| {
        let all: Vec<String> = found.iter().take(4).map(|task| task.full_name()).collect();
        let dots = if found.len() > 4 { ", …" } else { "" };
        format!("`{text}` is several tasks: name one of {}{dots}", all.join(", "))
    })?;
    Ok(Fixed { task: found[0].name.into(), op: op.into() })
}
