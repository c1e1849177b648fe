//! Detects an emulator of single programs that runs this program.
//!
//! Such an emulator passes a new process to the system unchanged, which cannot run a program of another
//! processor. So the command of the emulator must precede this program when it starts its workers too. An
//! emulator shows a program what it would see without one, but not under less common names.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The words to start this program again with, before its own path: none without an emulator.
pub(super) fn words() -> Vec<OsString> {
    let seen = || {
        let own = std::env::current_exe().ok()?;
        let runs = fs::read_link("/proc/thread-self/exe").ok()?;
        let line = fs::read("/proc/thread-self/cmdline").ok()?;
        before(&own, runs, &line)
    };
    seen().unwrap_or_default()
}

/// The words before `own` on the command line of the process whose file is `runs`.
fn before(own: &Path, runs: PathBuf, line: &[u8]) -> Option<Vec<OsString>> {
    if own == runs {
        return None;
    }
    let words: Vec<_> = line.split(|byte| *byte == 0).map(OsStr::from_bytes).collect();
    let is_own = |word: &&OsStr| fs::canonicalize(word).is_ok_and(|path| path == own);
    let options = words.iter().skip(1).position(is_own)?;
    // Its first word may be a relative name.
    let mut before = vec![runs.into()];
    before.extend(words[1..=options].iter().map(OsString::from));
    Some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emulator_stands_before_its_program() {
        let own = fs::canonicalize(std::env::current_exe().unwrap()).unwrap();
        let emulator = PathBuf::from("/usr/bin/qemu-aarch64");
        let line = |words: &[&str]| words.join("\0") + "\0";
        let ours = own.to_str().unwrap();
        let started = line(&["qemu-aarch64", "-cpu", "max", ours, "speed", ours]);
        let expected = ["/usr/bin/qemu-aarch64", "-cpu", "max"].map(OsString::from);
        assert_eq!(before(&own, emulator.clone(), started.as_bytes()).unwrap(), expected);
        // As the system starts it for a program of that kind.
        let started = line(&["qemu-aarch64", ours, "speed"]);
        assert_eq!(before(&own, emulator.clone(), started.as_bytes()).unwrap(), expected[..1]);
        // No emulator before it, or an unknown one.
        let started = line(&[ours, "speed"]);
        assert_eq!(before(&own, own.clone(), started.as_bytes()), None);
        assert_eq!(before(&own, emulator, line(&["init", "speed"]).as_bytes()), None);
    }
}
