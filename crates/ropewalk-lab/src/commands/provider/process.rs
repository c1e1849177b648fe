//! `provider status --pid`: whether a running process has loaded the module, and its counts.
//!
//! The memory of the counts is described in `stats/shared.rs` of the provider.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Write},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use anstyle::AnsiColor;
use anyhow::Context as _;
use procfs::process::{MMapPath, Process};
use serde::Serialize;

use super::loader;
use crate::{
    commands::{Exit, Usage},
    filename::shown,
    stdio::write_json,
};

const MAGIC: &[u8] = b"ropewalk-stats format 1\n";
const MAPPED: &str = "memfd:ropewalk-stats";
const HEAD: usize = 64;
const NAME: usize = 40;
const ENTRY: usize = 64;

#[derive(Debug, Serialize)]
struct Running {
    pid: i32,
    name: String,
    /// The loaded module.
    module: Option<PathBuf>,
    /// Why there is none.
    reason: Option<String>,
    /// The counts of this process and of those that it has forked.
    counts: Option<Vec<Count>>,
    /// Why they cannot be read.
    uncounted: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Count {
    name: String,
    messages: u64,
    calls: u64,
    bytes: u64,
}

pub(super) fn status(pid: i32, json: bool, out: &mut impl Write) -> anyhow::Result<Exit> {
    let running = look(pid)?;
    if json {
        write_json(&running, out)?;
    } else {
        print(&running, out)?;
    }
    Ok(if running.module.is_some() { Exit::Fine } else { Exit::Wrong })
}

fn look(pid: i32) -> anyhow::Result<Running> {
    let process =
        Process::new(pid).map_err(|_| Usage(format!("no process has the number {pid}")))?;
    let maps = process.maps();
    let maps =
        maps.with_context(|| format!("looking into process {pid}: its user may, and root"))?;
    let mut running = Running {
        pid,
        name: process.stat().map(|stat| stat.comm).unwrap_or_default(),
        module: None,
        reason: None,
        counts: None,
        uncounted: None,
    };
    let (mut has_loader, mut has_openssl, mut shared) = (false, false, None);
    for map in &maps {
        let MMapPath::Path(path) = &map.pathname else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // A replaced file is still the one that the process has mapped.
        let name = name.strip_suffix(" (deleted)").unwrap_or(&name);
        match name {
            _ if is_module(path) => running.module = Some(path.clone()),
            loader::NAME | loader::BUILT => has_loader = true,
            MAPPED => shared = Some(map.address),
            _ => has_openssl |= name.starts_with("libcrypto.so."),
        }
    }
    if running.module.is_none() {
        running.reason = Some(match (has_loader, has_openssl) {
            (true, _) => "it has the loader only, which has said on its standard error why".into(),
            (false, true) => format!("it has OpenSSL, and {}", configuration(&process)),
            (false, false) => {
                "it has not loaded libcrypto: an OpenSSL within the program itself is not seen here"
                    .into()
            }
        });
        return Ok(running);
    }
    match shared.map(|address| counts(pid, address)) {
        Some(Ok(counts)) => running.counts = Some(counts),
        Some(Err(why)) => running.uncounted = Some(format!("they cannot be read: {why}")),
        None => running.uncounted = Some("it was started without ROPEWALK_STATS=1".into()),
    }
    Ok(running)
}

/// Whether a mapped file is the provider's module, by its name when installed or built.
pub(in crate::commands) fn is_module(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(" (deleted)").unwrap_or(&name);
    ["ropewalk.so", "libropewalk_openssl.so"].contains(&name)
}

/// The configuration that a process was started with.
fn configuration(process: &Process) -> String {
    match process.environ() {
        Ok(variables) => match variables.get(OsStr::new("OPENSSL_CONF")) {
            Some(file) => format!("was started with OPENSSL_CONF={}", shown(file)),
            None => "was started without OPENSSL_CONF".into(),
        },
        Err(_) => "not ropewalk".into(),
    }
}

/// Reads the counts: from a file if this user may open the mapped files of the process, and otherwise from
/// its memory.
fn counts(pid: i32, (start, end): (u64, u64)) -> io::Result<Vec<Count>> {
    let mut bytes = vec![0; (end - start) as usize];
    let file = format!("/proc/{pid}/map_files/{start:x}-{end:x}");
    let read = match File::open(file) {
        Ok(file) => file.read_at(&mut bytes, 0),
        Err(_) => File::open(format!("/proc/{pid}/mem"))?.read_at(&mut bytes, start),
    };
    bytes.truncate(read?);
    parse(&bytes).ok_or_else(|| io::Error::other("they are of another version of ropewalk"))
}

fn parse(bytes: &[u8]) -> Option<Vec<Count>> {
    let (head, entries) = bytes.split_at_checked(HEAD)?;
    let head = head.strip_prefix(MAGIC)?;
    let count = u64::from_ne_bytes(*head.first_chunk()?);
    let (entries, _) = entries.as_chunks::<ENTRY>();
    let entries = entries.iter().take(usize::try_from(count).ok()?).map(|entry| {
        let (name, counts) = entry.split_at(NAME);
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let (counts, _) = counts.as_chunks::<8>();
        let [messages, calls, bytes] = [0, 1, 2].map(|at| u64::from_ne_bytes(counts[at]));
        Count { name: String::from_utf8_lossy(name).into_owned(), messages, calls, bytes }
    });
    // Programs set up algorithms that they never call.
    Some(entries.filter(|count| count.calls > 0).collect())
}

fn print(running: &Running, out: &mut impl Write) -> io::Result<()> {
    let Running { pid, name, module, reason, counts, uncounted } = running;
    let (good, bad) = (AnsiColor::Green.on_default(), AnsiColor::Red.on_default());
    match module {
        Some(module) => writeln!(
            out,
            "{good}process {pid} ({name}) has loaded ropewalk{good:#}: {}",
            shown(module)
        )?,
        None => {
            let reason = reason.as_deref().unwrap_or_default();
            writeln!(out, "{bad}process {pid} ({name}) does not run on ropewalk{bad:#}: {reason}")?;
        }
    }
    if let Some(why) = uncounted {
        writeln!(out, "there are no counts: {why}")?;
    }
    if counts.as_ref().is_some_and(Vec::is_empty) {
        writeln!(out, "it was not called yet")?;
    }
    for Count { name, messages, calls, bytes } in counts.iter().flatten() {
        writeln!(out, "  counted: {name}: {messages} messages, {calls} calls, {bytes} bytes")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(counts: &[(&str, [u64; 3])]) -> Vec<u8> {
        let mut bytes = [MAGIC, &(counts.len() as u64).to_ne_bytes()].concat();
        bytes.resize(HEAD, 0);
        for (name, counts) in counts {
            let mut padded = name.as_bytes().to_vec();
            padded.resize(NAME, 0);
            bytes.extend(padded);
            bytes.extend(counts.iter().flat_map(|count| count.to_ne_bytes()));
        }
        bytes
    }

    #[test]
    fn counts_are_read() {
        let mut bytes = memory(&[("SHA-1", [0; 3]), ("MD5", [1, 0, 0]), ("SHA-256", [1, 2, 3])]);
        // A page is longer.
        bytes.resize(4096, 0);
        let count = Count { name: "SHA-256".into(), messages: 1, calls: 2, bytes: 3 };
        assert_eq!(parse(&bytes), Some(vec![count]));
        assert_eq!(parse(&memory(&[])), Some(vec![]));
        bytes[15] ^= 1;
        assert_eq!(parse(&bytes), None);
        assert_eq!(parse(&bytes[..20]), None);
        assert_eq!(parse(&memory(&[])[..40]), None);
    }
}
