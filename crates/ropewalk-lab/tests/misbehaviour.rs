//! Libraries that crash, hang, give wrong results or print: the run continues, and reports it.
//!
//! This program is the command with such libraries among its peers, and so its own workers; without an argument of the
//! command, it is the tests.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::fd::AsRawFd,
    path::PathBuf,
    process::{Child, ChildStdout, ExitCode, Output, Stdio},
};

use libtest_mimic::{Arguments, Trial};
use ropewalk_lab::{
    commands,
    peers::{self, Peer},
    record::Record,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

mod common;
#[path = "misbehaviour/libraries.rs"]
mod libraries;
use common::runs::{records, stderr, wait_until};
use libraries::{Fake, Loaded};

fn main() -> ExitCode {
    if matches!(std::env::args().nth(1).as_deref(), Some("speed" | "scale" | "worker")) {
        return commands::run(std::env::args_os(), PEERS);
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

static PEERS: &[&dyn Peer] = &[
    peers::PEERS[0],
    &Fake("honest"),
    &Fake("liar"),
    &Fake("crasher"),
    &Fake("crasher-at-64"),
    &Fake("crasher-later"),
    &Fake("hanger"),
    &Fake("hanger-of-many"),
    &Fake("leaver"),
    &Fake("panicker"),
    &Fake("talker"),
    &Fake("crasher-on-open"),
    &Fake("hanger-on-open"),
    &Fake("absentee"),
    &Fake("one-of-two"),
    &Fake("incapable"),
    &Fake("maskable"),
    &Fake("sleeper"),
    &Fake("spinner"),
    &Fake("delegator"),
    &Fake("caller"),
    &Fake("keeper"),
    &Loaded,
];

fn trials() -> Vec<Trial> {
    let tests: &[(&str, fn())] = &[
        ("an_honest_library_is_timed", an_honest_library_is_timed),
        ("a_wrong_answer_is_never_timed", a_wrong_answer_is_never_timed),
        ("libraries_that_misbehave_are_not_scaled", libraries_that_misbehave_are_not_scaled),
        ("a_library_with_an_old_key_is_detected", a_library_with_an_old_key_is_detected),
        ("each_way_of_measuring_goes_on", each_way_of_measuring_goes_on),
        ("a_crash_is_named", a_crash_is_named),
        ("a_crash_at_one_size_costs_that_size", a_crash_at_one_size_costs_that_size),
        ("a_crash_costs_one_backend", a_crash_costs_one_backend),
        ("a_hang_ends", a_hang_ends),
        ("an_exit_is_reported", an_exit_is_reported),
        ("a_panic_is_quoted", a_panic_is_quoted),
        ("talk_does_not_disturb", talk_does_not_disturb),
        ("opening_goes_wrong", opening_goes_wrong),
        ("the_place_of_the_work_is_reported", the_place_of_the_work_is_reported),
        ("what_it_cannot_do_is_a_row", what_it_cannot_do_is_a_row),
        ("masks_reach_the_worker", masks_reach_the_worker),
        ("libraries_are_found_by_name", libraries_are_found_by_name),
        ("libraries_are_found_by_path", libraries_are_found_by_path),
        ("fetched_libraries_take_part", fetched_libraries_take_part),
        ("workers_start_when_the_file_of_the_program_is_gone", workers_start_when_the_file_is_gone),
        ("tables_say_it_all", tables_say_it_all),
        ("ctrl_c_keeps_what_was_measured", ctrl_c_keeps_what_was_measured),
        ("ctrl_c_before_anything_leaves_the_file", ctrl_c_before_anything_leaves_the_file),
        ("nothing_but_wrong_answers_is_status_4", nothing_but_wrong_answers_is_status_4),
    ];
    let trial = |(name, test): &(&str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    tests.iter().map(trial).collect()
}

fn an_honest_library_is_timed() {
    for record in of("honest", "") {
        assert_eq!((&record["answer"], &record["version"]), (&"right".into(), &"fake ".into()));
    }
}

fn a_wrong_answer_is_never_timed() {
    for record in of("liar", "") {
        assert_eq!(record["answer"], "wrong");
        assert!(record["ns"].is_null() && record["cycles"].is_null());
    }
}

fn a_library_with_an_old_key_is_detected() {
    let answers = |mode: &str| {
        let words =
            "speed hmac-sha256 --bytes 16,64 --seconds 0.001 --peers honest,keeper --json -";
        let records = records(&run(&format!("{words} --mode {mode}")).stdout);
        let of = |peer: &str| {
            let of_it: Vec<_> = records.iter().filter(|record| record["peer"] == peer).collect();
            assert_eq!(of_it.len(), 2, "{of_it:?}");
            assert!(of_it.iter().all(|record| record["mode"] == mode));
            of_it[1]["answer"].clone()
        };
        (of("honest"), of("keeper"))
    };
    assert_eq!(answers("message"), ("right".into(), "right".into()));
    assert_eq!(answers("setup"), ("right".into(), "wrong".into()));
}

/// A crash during a turn costs one row, in every mode; rows with right results have the requested figures.
fn each_way_of_measuring_goes_on() {
    for (way, field) in [("--cold", "cold"), ("--latency", "latency"), ("--neighbour", "neighbour")]
    {
        let words = "speed sha256 --bytes 64 --seconds 0.001 --peers honest,crasher-later,liar";
        let output = run(&format!("{words} --backend sha256/portable {way} --json -"));
        let records = records(&output.stdout);
        // A run without measurements is a failure.
        let right = records.iter().any(|record| record["answer"] == "right");
        let want = if right { 0 } else { 4 };
        assert_eq!(output.status.code(), Some(want), "{}", stderr(&output));
        for record in records {
            match record["peer"].as_str() {
                Some("liar") => assert_eq!(record["answer"], "wrong"),
                Some("crasher-later") => assert_crash(&record),
                _ if record["answer"] == "right" => {
                    assert!(
                        !record[field].is_null() && record["ns"].as_f64() > Some(0.0),
                        "{record}"
                    );
                    assert!(record["user_ns"].is_null() && record["sys_ns"].is_null(), "{record}");
                }
                // Another architecture may lack the mode, and reports that.
                _ => assert!(!cfg!(target_arch = "x86_64") && record["note"] != "", "{record}"),
            }
        }
    }
}

fn libraries_that_misbehave_are_not_scaled() {
    let words = "scale sha256 --bytes 64 --seconds 0.01 --threads 1 --peers honest,liar,crasher";
    let output = run(&format!("{words} --json -"));
    let records = records(&output.stdout);
    let of = |peer: &str| records.iter().find(|record| record["peer"] == peer).unwrap();
    assert_eq!(of("honest")["answer"], "right");
    assert!(of("honest")["efficiency"].as_f64().unwrap() > 0.0);
    assert_eq!(of("liar")["answer"], "wrong");
    assert!(of("liar")["ns"].is_null() && of("liar")["efficiency"].is_null());
    assert_eq!(of("crasher")["answer"], "none");
    assert_crash(of("crasher"));
}

fn a_crash_is_named() {
    for record in of("crasher", "") {
        assert_eq!(record["answer"], "none");
        assert_crash(&record);
    }
}

fn a_crash_at_one_size_costs_that_size() {
    for record in of("crasher-at-64", "") {
        let want = if record["bytes"] == 64 { "none" } else { "right" };
        assert_eq!(record["answer"], want, "{record}");
    }
}

fn a_crash_costs_one_backend() {
    for record in of("one-of-two", "") {
        let want = if record["backend"] == "bad" { "none" } else { "right" };
        assert_eq!(record["answer"], want, "{record}");
    }
}

fn a_hang_ends() {
    let notes: Vec<_> = of("hanger", "--patience 2").iter().map(|r| r["note"].clone()).collect();
    assert_eq!(notes[..2], ["no answer in 2.0 s, killed", "no answer in 2.0 s, killed"]);
    assert!(notes[2].as_str().unwrap().starts_with("not tried"), "{notes:?}");
}

fn an_exit_is_reported() {
    for record in of("leaver", "") {
        assert_eq!(record["note"], "ended by itself with status 0");
    }
}

fn a_panic_is_quoted() {
    for record in of("panicker", "") {
        assert_eq!(record["note"], "ended by itself with status 101: something is rotten");
    }
}

fn talk_does_not_disturb() {
    for record in of("talker", "") {
        assert_eq!(record["answer"], "right");
    }
}

fn opening_goes_wrong() {
    for record in of("crasher-on-open", "") {
        assert_crash(&record);
    }
    for record in of("hanger-on-open", "--patience 2") {
        assert_eq!(record["note"], "no answer in 2.0 s, killed");
    }
    for record in of("absentee", "") {
        assert_eq!((&record["note"], &record["version"]), (&"it is not here".into(), &Value::Null));
    }
}

fn the_place_of_the_work_is_reported() {
    let words = "speed sha256 --seconds 0.1 --bytes 64 --peers sleeper,spinner,delegator,caller";
    let output = run(&format!("{words} --json -"));
    let records = records(&output.stdout);
    let of = |peer: &str| records.iter().find(|record| record["peer"] == peer).unwrap();
    // The attribution of time depends on the load of the machine. The verdict follows from the figures of its row; the
    // rules are tested with given figures.
    for peer in ["sleeper", "spinner", "delegator", "caller"] {
        let record: Record = serde_json::from_value(of(peer).clone()).unwrap();
        let verdict = record.spent().map(|spent| spent.verdict());
        assert!(verdict.is_some() && verdict == record.verdict, "{}", of(peer));
    }
    let figure = |peer: &str, name: &str| of(peer)[name].as_f64().unwrap();
    // Each call sleeps, or another thread works in it.
    assert!(of("sleeper")["switches"]["voluntary"].as_f64() > Some(0.5), "{}", of("sleeper"));
    assert!(figure("delegator", "others_ns") > 0.0, "{}", of("delegator"));
    assert!(figure("spinner", "user_ns") > 0.0 && figure("caller", "sys_ns") > 0.0, "{records:?}");
}

fn what_it_cannot_do_is_a_row() {
    for record in of("incapable", "") {
        assert_eq!(record["note"], "it never learnt this");
    }
}

fn masks_reach_the_worker() {
    for record in of("maskable", "--mask -vaes") {
        let version = if record["mask"] == "-vaes" { "fake vaes" } else { "fake " };
        assert_eq!(record["answer"], "right");
        if std::env::consts::ARCH == "x86_64" {
            assert_eq!(record["version"], version);
        }
    }
    let of_honest = of("honest", "--mask -vaes");
    let masked: Vec<_> = of_honest.iter().filter(|record| record["mask"] == "-vaes").collect();
    assert_eq!(masked.len(), 3);
    assert!(masked.iter().all(|record| record["note"] == "cannot be masked"));
}

fn libraries_are_found_by_name() {
    // Of its three names one exists, and is listed twice.
    for record in of("loaded", "") {
        assert_eq!(
            (&record["answer"], &record["library"]),
            (&"right".into(), &"/proc/version".into())
        );
    }
    assert_eq!(of("loaded", "").len(), 3);
}

fn libraries_are_found_by_path() {
    let all = run(
        "speed sha256 --seconds 0.001 --bytes 16 --peers none --lib /proc/stat --lib /proc/uptime --json -",
    );
    let of_it: Vec<_> =
        records(&all.stdout).into_iter().filter(|r| r["peer"] == "loaded").collect();
    assert_eq!(
        (&of_it[0]["answer"], &of_it[0]["library"]),
        (&"right".into(), &"/proc/stat".into())
    );
    assert_eq!(
        (&of_it[1]["answer"], &of_it[1]["note"]),
        (&"none".into(), &"no such thing as /proc/uptime".into())
    );
}

fn fetched_libraries_take_part() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    // The arguments of a loader are a folder of libraries, and then the program with its arguments.
    let loader = folder.path().join("loader");
    let script = "#!/bin/sh\n[ \"$1\" = --library-path ] || exit 9\nexport FAKE_MASK=\"from $(basename $2)\"\n\
        shift 2\nexec \"$@\"\n";
    fs::write(&loader, script).unwrap();
    fs::set_permissions(&loader, fs::Permissions::from_mode(0o755)).unwrap();
    let list = folder.path().join("peers.json");
    let entries = r#"[{"peer": "loaded", "library": "/proc/stat", "loader": "loader"},
        {"peer": "loaded", "library": "/proc/uptime", "loader": null},
        {"peer": "nobody", "library": "/proc/stat", "loader": null}]"#;
    fs::write(&list, entries).unwrap();
    let program = std::env::current_exe().unwrap();
    let mut command = common::runs::command(&program);
    let words = "speed sha256 --seconds 0.001 --bytes 16 --peers loaded --json -";
    command.args(words.split_whitespace()).env("ROPEWALK_PEERS", list);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let of_it: Vec<_> =
        records(&output.stdout).into_iter().filter(|r| r["peer"] == "loaded").collect();
    let said = |i: usize, field: &str| of_it[i][field].as_str().unwrap_or_default().to_owned();
    let at = folder.path().file_name().unwrap().to_string_lossy();
    assert_eq!(
        (said(0, "answer"), said(0, "version")),
        ("right".into(), format!("fake from {at}"))
    );
    assert_eq!(said(1, "note"), "no such thing as /proc/uptime");
    assert_eq!((said(2, "answer"), said(2, "library")), ("right".into(), "/proc/version".into()));
    assert_eq!(of_it.len(), 3);
}

/// An upgrade replaces the file of a program that runs.
fn workers_start_when_the_file_is_gone() {
    let program = std::env::current_exe().unwrap();
    let folder = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
    let other = folder.path().join("ropewalk");
    fs::hard_link(&program, &other).unwrap();
    let file = fs::File::open(&other).unwrap();
    fs::remove_file(&other).unwrap();
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    let output = common::runs::run(&path, "speed sha256 --seconds 0.001 --bytes 16 --json -");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(records(&output.stdout).iter().any(|record| record["answer"] == "right"));
}

fn tables_say_it_all() {
    let of = |view: &str| {
        let words = "speed sha256 --seconds 0.001 --bytes 16,64 --peers honest,liar,crasher-at-64,absentee,loaded";
        String::from_utf8(run(&format!("{words} {view}")).stdout).unwrap()
    };
    let has = |text: &str, wanted: &[&str]| {
        wanted.iter().for_each(|want| assert!(text.contains(want), "no {want} in\n{text}"));
    };
    let crash = "crasher-at-64 fake at 64 B: killed by SIGILL";
    let away = "absentee: it is not here";
    has(&of("--wide"), &["WRONG", crash, away, "1.00x", "/proc/version"]);
    has(&of("--why"), &["WRONG", crash, away, "/proc/version"]);
    let plain = of("");
    has(&plain, &["WRONG", "not here: absentee", "crasher-at-64", "(why: --why)"]);
    assert!(!plain.contains("SIGILL") && !plain.contains("/proc/version"), "{plain}");
}

/// The command, with its standard output to read.
fn start(words: &str, more: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut command = common::runs::command(&std::env::current_exe().unwrap());
    command.args(words.split_whitespace().chain(more.iter().copied())).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// The second table is never printed.
fn ctrl_c_keeps_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    let words = "speed sha256 --count 1,2 --bytes 64 --seconds 0.01 --patience 3600 --peers hanger-of-many --csv - --json";
    let (mut child, mut output) = start(words, &[path.to_str().unwrap()]);
    let mut line = String::new();
    while !line.contains("hanger-of-many") {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the first rows are there");
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let records = records(&fs::read(&path).unwrap());
    let of = |count: u64| {
        let of_it =
            |record: &&Value| record["peer"] == "hanger-of-many" && record["count"] == count;
        records.iter().find(of_it).map(|record| record["answer"].clone())
    };
    assert_eq!(of(1), Some("right".into()));
    assert_ne!(of(2), Some("right".into()));
}

/// A library that hangs while it is opened delays the first figure.
fn ctrl_c_before_anything_leaves_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "kept").unwrap();
    let words = "speed sha256 --patience 3600 --peers hanger-on-open --json";
    let (mut child, _output) = start(words, &[path.to_str().unwrap()]);
    wait_until(|| workers(child.id()).iter().any(|words| words.contains("hanger-on-open")));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

/// The command lines of the processes that this one has started.
fn workers(parent: u32) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let of_it = processes.filter_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let its = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok();
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        (its == Some(parent)).then(|| String::from_utf8_lossy(&words).into_owned())
    });
    of_it.collect()
}

/// All backends of ropewalk are masked: no row has a figure, and the liar's result is wrong.
fn nothing_but_wrong_answers_is_status_4() {
    let absent = ropewalk::sha256::PRIMITIVE_MANY.backends[0].name;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "kept").unwrap();
    let words = |peers: &str| {
        let words = "speed sha256 --bytes 64 --seconds 0.001 --patience 600";
        format!("{words} --backend {absent} --peers {peers} --json {}", path.display())
    };
    for (peers, status, want) in [
        ("incapable,liar", 4, "nothing was measured; liar: its answer is wrong"),
        ("incapable", 1, "error: nothing was measured; ropewalk: is no backend of this operation"),
    ] {
        let output = run(&words(peers));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(said.lines().last().is_some_and(|line| line.starts_with(want)), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    }
}

/// An emulator may append its own words.
fn assert_crash(record: &Value) {
    assert!(record["note"].as_str().unwrap().starts_with("killed by SIGILL"), "{record}");
}

/// The records of one peer at 16, 64 and 256 bytes, after a check that it did not disturb the others.
fn of(peer: &str, more: &str) -> Vec<Value> {
    let words =
        format!("speed sha256 --seconds 0.001 --bytes 16,64,256 --json - --peers {peer} {more}");
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (of_it, others): (Vec<_>, Vec<_>) =
        records(&output.stdout).into_iter().partition(|record| record["peer"] == peer);
    assert!(
        others.iter().filter(|r| r["backend"] == "sha256/portable").all(|r| r["answer"] == "right")
    );
    assert!(of_it.len() >= 3 && others.len() >= 3, "{of_it:?}");
    of_it
}

fn run(words: &str) -> Output {
    let program: PathBuf = std::env::current_exe().unwrap();
    common::runs::run(&program, words)
}
