//! The command with fewer resources than usual: closed or full standard files, no more threads or processes, and file
//! names that are not UTF-8.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt,
    path::Path,
    process::{Command, Output},
};

use ropewalk_lab::{commands::COMMANDS, filename};
use serde_json::Value;
use tempfile::TempDir;

mod common;
use common::{
    fakes::{Fake, compile},
    runs::{command, stderr},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// The command in a folder, with redirections of a shell.
fn redirected(folder: &TempDir, redirection: &str, words: &[&str]) -> Output {
    let bare = command(Path::new(PROGRAM));
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec \"$@\" {redirection}")).arg("sh").arg(bare.get_program());
    shell.args(bare.get_args()).args(words).current_dir(folder.path());
    let variables = bare.get_envs().filter_map(|(name, value)| Some((name, value?)));
    shell.envs(variables).env_remove("ROPEWALK_CPU").env_remove("OPENSSL_CONF");
    shell.output().unwrap()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a"), "x\n").unwrap();
    folder
}

/// All commands that write to standard output and are quick.
fn writers() -> Vec<Vec<&'static str>> {
    let helps = COMMANDS.iter().map(|command| {
        let name: &'static str = command.words().get_name().to_owned().leak();
        vec![name, "--help"]
    });
    let works = [
        "--help",
        "--version",
        "sum a",
        "doctor a",
        "doctor --json a",
        "doctor --recipe openssl-3.5",
        "doctor --recipe --json openssl-3.5",
        "mask --for openssl-3.0 -aes --arch x86_64",
        "mask --json --for openssl-3.0 -aes --arch x86_64",
        "selftest",
        "limits --explain sha256",
        "compare --list",
        "speed sha256 --bytes 64 --seconds 0.001 --peers none",
        "speed sha256 --bytes 64 --seconds 0.001 --peers none --json -",
        "scale sha256 --bytes 64 --seconds 0.001 --peers none --threads 1",
    ];
    helps.chain(works.map(|words| words.split(' ').collect())).collect()
}

#[test]
fn closed_output_is_an_error() {
    let folder = folder();
    for words in writers() {
        let output = redirected(&folder, ">&-", &words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(last, "error: standard output: Bad file descriptor (os error 9)", "{words:?}");
    }
    // A command without output needs no standard output.
    let list = redirected(&folder, "", &["sum", "a"]).stdout;
    fs::write(folder.path().join("list"), list).unwrap();
    let silent = redirected(&folder, ">&-", &["sum", "--check", "--status", "list"]);
    assert_eq!(silent.status.code(), Some(0), "{}", stderr(&silent));
    let silent = redirected(&folder, ">&-", &["sum", "nothing"]);
    assert_eq!(stderr(&silent), "ropewalk: nothing: No such file or directory\n");
    // Other programs open /dev/null for reading and writing.
    for words in [&["sum", "a"][..], &["--version"]] {
        let output = redirected(&folder, "<>/dev/null 1<>/dev/null", words);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn full_output_is_an_error() {
    let folder = folder();
    for words in writers() {
        let output = redirected(&folder, ">/dev/full", &words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains("No space left on device"), "{words:?}: {said}");
        assert!(!said.contains("panicked"), "{words:?}: {said}");
    }
    // Errors and warnings that cannot be written change nothing else.
    for (words, status) in
        [("sum a nothing", 1), ("sped", 2), ("doctor nothing", 1), ("compare a b", 2)]
    {
        for redirection in ["2>/dev/full", "2>&-"] {
            let words: Vec<_> = words.split(' ').collect();
            let output = redirected(&folder, redirection, &words);
            assert_eq!(output.status.code(), Some(status), "{words:?} {redirection}");
        }
    }
    let words = "speed sha256 --bytes 64 --seconds 0.001 --peers none";
    let output = redirected(&folder, "2>/dev/full", &words.split(' ').collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn closed_input_is_an_error() {
    let folder = folder();
    for words in [&["sum"][..], &["sum", "-"], &["sum", "-c"], &["sum", "/dev/stdin"]] {
        let output = redirected(&folder, "<&-", words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let said = stderr(&output);
        assert!(said.ends_with(": Bad file descriptor\n") && said.lines().count() == 1, "{said}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
    let output = redirected(&folder, "<&-", &["sum", "a", "-"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.ends_with(b"  a\n"));
    // A command that does not read standard input runs without it.
    assert_eq!(redirected(&folder, "<&-", &["sum", "a"]).status.code(), Some(0));
    let empty = redirected(&folder, "<>/dev/null", &["sum"]);
    assert_eq!((empty.status.code(), empty.stdout.ends_with(b"  -\n")), (Some(0), true));
}

/// A library in front of the C library that starts no process, and at most `SPARE_THREADS` threads.
const NO_MORE: &str = "
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdlib.h>
    int fork(void) { errno = EAGAIN; return -1; }
    int vfork(void) { errno = EAGAIN; return -1; }
    int posix_spawn(void *a, void *b, void *c, void *d, void *e, void *f) { return EAGAIN; }
    int posix_spawnp(void *a, void *b, void *c, void *d, void *e, void *f) { return EAGAIN; }
    int pidfd_spawnp(void *a, void *b, void *c, void *d, void *e, void *f) { return EAGAIN; }
    int pthread_create(void *a, void *b, void *c, void *d) {
        static int started;
        int (*real)(void *, void *, void *, void *) = dlsym(RTLD_NEXT, \"pthread_create\");
        const char *spare = getenv(\"SPARE_THREADS\");
        if (!spare || started >= atoi(spare)) return EAGAIN;
        started++;
        return real(a, b, c, d);
    }
";

/// The command with at most `threads` threads and no child process; `None` through an emulator.
fn alone(folder: &TempDir, threads: usize, words: &str) -> Option<Output> {
    let mut alone = command(Path::new(PROGRAM));
    if alone.get_program() != PROGRAM {
        eprintln!("skipped: the emulator has threads of its own");
        return None;
    }
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libno-more.so");
    if !library.exists() {
        // Under a name of this process first: a parallel test may load it already.
        let name = format!("no-more-{}-{:?}", std::process::id(), std::thread::current().id());
        let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect();
        fs::rename(compile(&name, NO_MORE), &library).unwrap();
    }
    alone.env("LD_PRELOAD", library).env("SPARE_THREADS", threads.to_string());
    alone.args(words.split(' ')).current_dir(folder.path()).env_remove("OPENSSL_CONF");
    Some(alone.output().unwrap())
}

#[test]
fn sum_goes_on_with_the_threads_that_it_has() {
    let folder = folder();
    let large: Vec<u8> = (0..(5 << 20) as u32).map(|i| i.wrapping_mul(i) as u8).collect();
    fs::create_dir(folder.path().join("t")).unwrap();
    fs::write(folder.path().join("t/large"), &large).unwrap();
    for i in 0..300 {
        fs::write(folder.path().join(format!("t/{i}")), &large[..i * 50]).unwrap();
    }
    let list = redirected(&folder, "", &["sum", "-r", "t"]).stdout;
    fs::write(folder.path().join("list"), list).unwrap();
    fs::write(folder.path().join("wrong"), format!("{}  a\n", "0".repeat(64))).unwrap();
    for words in
        ["sum a", "sum -r t a", "sum --threads 1 a", "sum -c list wrong nothing", "sum nothing t a"]
    {
        let want = redirected(&folder, "", &words.split(' ').collect::<Vec<_>>());
        for threads in 0..4 {
            let Some(output) = alone(&folder, threads, words) else { return };
            assert_eq!(stderr(&output), stderr(&want), "{words} {threads}");
            assert_eq!(output.status, want.status, "{words} {threads}");
            assert!(output.stdout == want.stdout, "{words} {threads}");
        }
    }
}

#[test]
fn other_commands_report_what_they_cannot_start() {
    let folder = folder();
    for words in [
        "speed sha256 --bytes 64 --seconds 0.001 --peers none",
        "speed sha256 --bytes 64 --seconds 0.001 --peers all --json -",
        "scale sha256 --bytes 64 --seconds 0.001 --threads 1",
        "compare mask:none mask:all sha256 --bytes 64 --seconds 0.001",
        "doctor --no-measure",
        "doctor --json",
        "provider status",
    ] {
        for threads in 0..2 {
            let Some(output) = alone(&folder, threads, words) else { return };
            let said = stderr(&output);
            let errors: Vec<_> =
                said.lines().filter(|line| !line.starts_with("warning ")).collect();
            assert_eq!(output.status.code(), Some(1), "{words}: {said}");
            let [error] = errors[..] else { panic!("{words}: {said}") };
            assert!(error.starts_with("error: cannot start a "), "{words}: {said}");
            assert!(error.contains("Resource temporarily unavailable"), "{words}: {said}");
            assert!(output.stdout.is_empty(), "{words}");
        }
    }
}

/// A name that is not UTF-8, with a backslash and an escape sequence that clears a screen.
fn odd() -> &'static OsStr {
    OsStr::from_bytes(b"b\xe4r\\x41\x1b[2J")
}

const ODD: &str = r"b\xe4r\\x41\x1b[2J";

fn run(words: &[&OsStr], folder: &Path) -> Output {
    let mut command = command(Path::new(PROGRAM));
    // Styles as on a terminal, where escape sequences in names would also take effect.
    command.args(words).current_dir(folder).env("CLICOLOR_FORCE", "1").env_remove("OPENSSL_CONF");
    command.env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(output)))
}

#[test]
fn names_in_json_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(odd());
    fs::copy(Fake::Lying.build("edges"), &path).unwrap();
    assert_eq!(filename::parse(ODD), odd());

    let told = json(&run(&["doctor".as_ref(), "--json".as_ref(), odd()], folder.path()));
    assert_eq!(told[0]["path"], ODD);

    // A library is opened by such a name, too.
    let words = "speed sha256 --bytes 64 --seconds 0.001 --peers none --json - --lib";
    let words: Vec<&OsStr> = words.split(' ').map(OsStr::new).chain([odd()]).collect();
    let output = run(&words, folder.path());
    let records = common::runs::records(&output.stdout);
    let of_it = records.iter().find(|record| record["peer"] == "libcrypto").unwrap();
    assert_eq!((&of_it["library"], &of_it["answer"]), (&ODD.into(), &"wrong".into()), "{of_it}");

    // And a run of that name is read.
    let run_of_it = folder.path().join(OsStr::from_bytes(b"r\xfcn.jsonl"));
    fs::write(&run_of_it, &output.stdout).unwrap();
    let words = ["compare".as_ref(), run_of_it.as_os_str(), run_of_it.as_os_str()];
    let output = run(&[&words[..], &["--json".as_ref(), "-".as_ref()]].concat(), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let head: Value =
        serde_json::from_slice(output.stdout.split(|b| *b == b'\n').next().unwrap()).unwrap();
    let name = head["a"]["name"].as_str().unwrap();
    assert_eq!(filename::parse(name), run_of_it);

    let words = ["provider", "status", "--json", "--config"].map(OsStr::new);
    let output = run(&[&words[..], &[odd()]].concat(), folder.path());
    if !output.stdout.is_empty() {
        assert_eq!(json(&output)["config"], folder.path().join(ODD).to_str().unwrap());
    }
}

#[test]
fn a_process_with_such_names_is_reported() {
    let mut bare = command(Path::new(PROGRAM));
    if bare.get_program() != PROGRAM {
        return eprintln!("skipped: through an emulator, the host's processes are seen");
    }
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join(odd());
    fs::create_dir(&inside).unwrap();
    let program = inside.join("r\u{fc}n\n");
    fs::copy(PROGRAM, &program).unwrap();
    // It waits for its standard input.
    let mut child = Command::new(&program)
        .arg("sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let output =
        bare.args(["doctor", "--json", "--pid", &child.id().to_string()]).output().unwrap();
    let told = json(&output);
    let want = folder.path().join(ODD).join(r"rün\x0a");
    assert_eq!(told["program"], want.to_str().unwrap());
    assert!(told["mapped"].as_array().unwrap().iter().any(|it| it["path"] == told["program"]));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn no_command_shows_what_a_terminal_obeys() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy("/bin/true", folder.path().join(odd())).unwrap();
    let missing = OsStr::from_bytes(b"no\x1b[2J\xff\n");
    let lists: [(&str, &OsStr); 20] = [
        ("doctor", odd()),
        ("doctor", missing),
        ("doctor --json", odd()),
        ("doctor --recipe", missing),
        ("sum", missing),
        ("sum -c", odd()),
        ("compare x", missing),
        ("advise", missing),
        ("advise --from", missing),
        ("advise --fixed", OsStr::new("\x1b[2J")),
        ("compare lib:/bin/true", missing),
        ("speed sha256 --lib", missing),
        ("speed sha256 --lib", odd()),
        ("speed sha256 --json", OsStr::from_bytes(b"no\x1b[2J/x")),
        ("speed", missing),
        ("scale sha256 --mask", missing),
        ("limits --explain", missing),
        ("provider status --config", odd()),
        ("provider install --module", missing),
        ("", OsStr::new("\x1b[2J")),
    ];
    for (words, name) in lists {
        let words = words.split_whitespace().map(OsStr::new).chain([name]);
        let quick = ["--seconds", "0.001", "--bytes", "64", "--peers", "none"].map(OsStr::new);
        let mut words: Vec<&OsStr> = words.collect();
        if words[0] == "speed" {
            words.extend(quick);
        }
        let output = run(&words, folder.path());
        for text in [&output.stdout, &output.stderr] {
            let obeyed = text.windows(4).any(|window| window == b"\x1b[2J");
            assert!(!obeyed, "{words:?}: {}", String::from_utf8_lossy(text).escape_debug());
        }
        assert!(!stderr(&output).contains("panicked"), "{words:?}: {}", stderr(&output));
    }
}

/// `script`, of util-linux, makes a terminal.
#[test]
fn digests_on_a_terminal_have_harmless_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a\x1b[2J"), "").unwrap();
    let words = format!("{} sum a*", command(Path::new(PROGRAM)).get_program().to_string_lossy());
    let mut script = Command::new("script");
    script.args(["-qec", &words, "/dev/null"]).current_dir(folder.path());
    let Ok(output) = script.output() else { return eprintln!("skipped: there is no `script`") };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(r"  a\x1b[2J"), "{}", said.escape_debug());
    // In a pipe, names are unchanged.
    let piped = run(&["sum".as_ref(), "a\x1b[2J".as_ref()], folder.path());
    assert!(piped.stdout.ends_with(b"  a\x1b[2J\n"));
}

#[test]
fn a_run_that_measures_nothing_fails() {
    let folder = folder();
    let absent = ropewalk::sha256::PRIMITIVE_MANY.backends[0].name;
    for command in ["speed", "scale --threads 1"] {
        let words =
            format!("{command} sha256 --bytes 64 --seconds 0.001 --peers none --backend {absent}");
        for more in ["", " --json -", " --json a"] {
            let words = format!("{words}{more}");
            let words: Vec<_> = words.split(' ').collect();
            let output = redirected(&folder, "", &words);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
            let want = "error: nothing was measured; ropewalk: is no backend of this operation";
            assert_eq!(said.lines().last(), Some(want), "{words:?}");
            // Records give the reason, and those of an earlier run stay.
            assert_eq!(output.stdout.starts_with(b"{"), more == " --json -", "{words:?}");
            assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "x\n");
        }
    }
}

#[test]
fn processes_that_cannot_be_looked_at_are_no_success() {
    let bare = command(Path::new(PROGRAM));
    if bare.get_program() != PROGRAM {
        return eprintln!("skipped: through an emulator, the host's processes are seen");
    }
    let of = |pid: String| {
        let words: Vec<OsString> =
            ["doctor".into(), "--json".into(), "--pid".into(), pid.into()].into();
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        run(&words, Path::new("/"))
    };
    let output = of(i32::MAX.to_string());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && stderr(&output).contains("there is no process"));
    // A zombie: it has ended, and its parent has not waited for it.
    let mut ends = Command::new("true").spawn().unwrap();
    let pid = ends.id();
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    common::runs::wait_until(|| state().contains(") Z "));
    let output = of(pid.to_string());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(output.stdout.is_empty() && stderr(&output).contains("has ended"));
    ends.wait().unwrap();
}
