//! Counts: printed to a standard error that cannot be written, and read while a program runs.

use std::{
    fs::{self, File},
    process::Command,
    time::{Duration, Instant},
};

use super::{
    Module,
    common::running::{LIMIT, Running, has, run},
    python::python,
};

/// The digest of "abc".
const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A shell limits a program's files, or closes the reading end. The program must give its result, and the same exit code as
/// without the module.
#[test]
fn a_standard_error_that_takes_nothing_changes_nothing() {
    if !has(Command::new("bash").arg("--version")) {
        return;
    }
    let module = Module::new();
    let file = module.path("err");
    let file = file.display();
    let hash = "openssl dgst -sha256 -r";
    let lines = [
        ("a file that may not grow", format!("ulimit -f 0; {hash} 2>'{file}'")),
        ("a file without end", format!("{hash} 2>/dev/full")),
        ("no file", format!("{hash} 2>&-")),
        // The reader ends before the program begins.
        ("a pipe that is not read", format!("{{ sleep 0.2; {hash} 2>&3; echo $? >&4; }} 3> >(:)")),
    ];
    for ours in [true, false] {
        for (what, line) in &lines {
            let mut bash =
                if ours { module.command("bash") } else { module.command_without("bash") };
            bash.args(["-c", &format!("exec 4>&1; {line}")]);
            let ended = run(bash, b"abc").well();
            let said = ended.text();
            assert!(said.starts_with(DIGEST), "{what}: {ended:?}");
            if line.contains(">&4") {
                assert!(said.ends_with("\n0\n"), "{what}: it ended otherwise: {said}");
            }
        }
    }
    // The loader and a wrong mask write at the start of the program.
    let mut bash = module.command("bash");
    bash.args(["-c", &lines[0].1]).env("ROPEWALK_CPU", "no-such-feature");
    assert!(run(bash, b"abc").well().text().starts_with(DIGEST));
}

/// Python sets up every digest when its module is loaded. Unused algorithms are not printed.
#[test]
fn unused_algorithms_are_not_printed() {
    let module = Module::new();
    let names = |mut command: Command, input: &[u8]| -> Vec<String> {
        command.env("ROPEWALK_STATS", "1");
        let ended = run(command, input).well();
        let text = String::from_utf8_lossy(&ended.err).into_owned();
        let lines = text.lines().filter_map(|line| line.strip_prefix("ropewalk: "));
        let names = lines.filter_map(|line| line.split_once(':')).map(|(name, _)| name.to_owned());
        names.collect()
    };
    if has(Command::new("openssl").arg("version")) {
        let mut openssl = module.command("openssl");
        openssl.args(["dgst", "-sha256"]);
        assert_eq!(names(openssl, b"abc"), ["SHA-256"]);
        // An empty message is a message.
        let mut openssl = module.command("openssl");
        openssl.args(["dgst", "-sha256"]);
        assert_eq!(names(openssl, b""), ["SHA-256"]);
    }
    if let Some(python) = python() {
        let mut command = module.command(python);
        command.args(["-c", "import hashlib; hashlib.sha512(b'abc').digest()"]);
        assert_eq!(names(command, b""), ["SHA-512"]);
    }
}

/// The counts of a server that never ends can be read.
#[test]
fn counts_are_in_memory_that_others_can_read() {
    if !has(Command::new("openssl").arg("version")) {
        return;
    }
    let module = Module::new();
    let mut openssl = module.command("openssl");
    openssl.args(["dgst", "-sha256"]);
    let mut running = Running::start(openssl);
    running.send(&[b'r'; 1 << 16]);
    let end = Instant::now() + LIMIT;
    let counted = loop {
        // An entry is 40 bytes of name, then the numbers of messages, calls and bytes.
        let memory = memory(running.id()).unwrap_or_default();
        let name = b"SHA-256\0";
        let at = memory.windows(name.len()).position(|window| window == name);
        let numbers = at.map(|at| memory[at + 40..at + 64].as_chunks::<8>().0);
        let numbers = numbers.map(|numbers| numbers.iter().map(|bytes| u64::from_ne_bytes(*bytes)));
        let numbers: Vec<_> = numbers.into_iter().flatten().collect();
        if numbers.last().is_some_and(|bytes| *bytes >= 1 << 15) {
            break numbers;
        }
        assert!(running.is_running() && Instant::now() < end, "{}", running.complaint());
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(counted[0] >= 1 && counted[1] >= 1, "{counted:?}");
    running.close();
    running.end().well();

    // Without the variable, this memory does not exist.
    let mut openssl = module.command("openssl");
    openssl.args(["dgst", "-sha256"]).env_remove("ROPEWALK_STATS");
    let running = Running::start(openssl);
    running.send(&[b'r'; 1 << 16]);
    let loaded = || {
        let maps = fs::read_to_string(format!("/proc/{}/maps", running.id())).unwrap_or_default();
        maps.contains("/ropewalk.so")
    };
    while !loaded() {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(memory(running.id()).is_none());
}

/// The shared memory with the counts of a process, if any.
fn memory(process: u32) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let line = maps.lines().find(|line| line.contains("/memfd:ropewalk-stats"))?;
    let (start, rest) = line.split_once('-')?;
    let end = rest.split(' ').next()?;
    let [start, end] = [start, end].map(|number| u64::from_str_radix(number, 16));
    let mut bytes = vec![0; (end.ok()? - start.clone().ok()?) as usize];
    let file = File::open(format!("/proc/{process}/mem")).ok()?;
    let len = file.read_at(&mut bytes, start.ok()?).ok()?;
    bytes.truncate(len);
    bytes.starts_with(b"ropewalk-stats format 1\n").then_some(bytes)
}
