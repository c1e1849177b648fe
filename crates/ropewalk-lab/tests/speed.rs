//! The command `ropewalk`, through its command line.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Output, Stdio},
};

use serde_json::Value;

mod common;
use common::runs::{command, records, stderr, wait_until};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

fn ropewalk(words: &str) -> Output {
    common::runs::run(Path::new(PROGRAM), words)
}

const QUICK: &str = "speed sha256 --seconds 0.001 --bytes 16,64 --peers none";

#[test]
fn sizes_are_those_that_a_task_has() {
    let sizes = |task: &str| {
        let words =
            format!("speed {task} --seconds 0.001 --bytes 16,1350,1360 --peers none --json -");
        let records = records(&ropewalk(&words).stdout);
        let portable =
            records.iter().filter(|r| r["backend"].as_str().unwrap().ends_with("portable"));
        portable.map(|record| record["bytes"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(sizes("aes-128-cbc/encrypt"), [16, 1360]);
    assert_eq!(sizes("aes-128-gcm/open"), [16, 1350, 1360]);
    assert_eq!(sizes("aes-256-gcm/rekey"), [32]);
}

#[test]
fn additional_work_of_a_peer_is_noted() {
    let words = "speed aes-128-gcm/open aes-128-gcm/seal --seconds 0.001 --bytes 16 --peers graviola --json -";
    let records = records(&ropewalk(words).stdout);
    let timed = records.iter().filter(|r| r["peer"] == "graviola" && r["answer"] == "right");
    for record in timed {
        let noted = record["note"].as_str().unwrap().contains("copy");
        assert_eq!(noted, record["op"] == "open", "{record}");
    }
    let table = ropewalk("speed aes-128-gcm/rekey --seconds 0.001 --peers none --wide").stdout;
    let table = String::from_utf8(table).unwrap();
    assert!(table.contains("k/s") && table.contains("keys a second"), "{table}");
    assert!(!table.contains("MB/s"), "{table}");
}

#[test]
fn records_have_the_fields_of_the_schema_in_order() {
    const FIELDS: [&str; 26] = [
        "schema",
        "task",
        "op",
        "bytes",
        "count",
        "mode",
        "peer",
        "version",
        "library",
        "backend",
        "mask",
        "threads",
        "answer",
        "ns",
        "ns_low",
        "ns_high",
        "user_ns",
        "sys_ns",
        "cycles",
        "cycles_per_byte",
        "limit_cycles",
        "share_of_limit",
        "mb_per_s",
        "ops_per_s",
        "note",
        "",
    ];
    let output = ropewalk("speed --seconds 0.001 --bytes 16,64 --peers none --json -");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    // The first line is the machine's, and the last has the warnings of the run.
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[1..lines.len() - 1] {
        let places = FIELDS[..25].iter().map(|field| line.find(&format!("\"{field}\":")));
        let places: Vec<usize> = places.map(|place| place.expect(line)).collect();
        assert!(places.is_sorted(), "{line}");
        // The remaining fields are of the timed turns, and last.
        let value = serde_json::from_str::<Value>(line).unwrap();
        let rest: Vec<&str> =
            value.as_object().unwrap().keys().skip(25).map(String::as_str).collect();
        match value["answer"] == "right" {
            true => assert_eq!(rest, ["turns", "others_ns", "switches", "messages", "verdict"]),
            false => assert!(rest.is_empty(), "{line}"),
        }
    }
    for record in records(&output.stdout) {
        assert_eq!(record["schema"], 1);
        assert_eq!((&record["peer"], &record["threads"]), (&"ropewalk".into(), &1.into()));
        assert_eq!(record["mode"], "message");
        match record["answer"].as_str().unwrap() {
            "right" => {
                let [ns, low, high] =
                    ["ns", "ns_low", "ns_high"].map(|f| record[f].as_f64().unwrap());
                assert!(low <= ns && ns <= high && low > 0.0, "{record}");
                let turns = record["turns"]["ns"].as_array().unwrap();
                let within = |turn: &&Value| turn.as_f64().unwrap() > 0.0;
                assert!((1..=24).contains(&turns.iter().filter(within).count()), "{record}");
                let note = record["note"].as_str().unwrap();
                // Other load can make a figure seem to beat its bound.
                assert!(note.is_empty() || note.contains("than its bound"), "{record}");
            }
            "none" => assert!(record["ns"].is_null() && record["note"] != "", "{record}"),
            other => panic!("{other}: {record}"),
        }
    }
}

#[test]
fn each_backend_is_a_row_at_each_size_and_count() {
    let output = ropewalk(&format!("{QUICK} --count 1,3 --json -"));
    let records = records(&output.stdout);
    for (primitive, count) in
        [(ropewalk::sha256::PRIMITIVE, 1), (ropewalk::sha256::PRIMITIVE_MANY, 3)]
    {
        for info in primitive.backends {
            for bytes in [16, 64] {
                let mut found = records.iter().filter(|record| {
                    record["backend"] == info.name
                        && record["count"] == count
                        && record["bytes"] == bytes
                });
                let record =
                    found.next().unwrap_or_else(|| panic!("{} {count} {bytes}", info.name));
                assert_eq!(record["answer"] == "right", (info.available)(), "{record}");
                assert!(found.next().is_none());
            }
        }
    }
    // A batch has a row of serial calls for comparison, and a single message has none.
    for (count, rows) in [(1, 0), (3, 2)] {
        let mut beside = records.iter().filter(|record| record["backend"] == "one by one");
        let right = |record: &&Value| record["count"] == count && record["answer"] == "right";
        assert_eq!(beside.by_ref().filter(right).count(), rows, "{count}");
    }
}

#[test]
fn messages_may_have_a_key_each() {
    let words = "speed hmac-sha256 --seconds 0.001 --bytes 16 --count 3 --keys each";
    let output = ropewalk(&format!("{words} --peers rustcrypto --json -"));
    let records = records(&output.stdout);
    assert!(records.iter().all(|record| record["keys"] == "each"), "{records:?}");
    for peer in ["ropewalk", "rustcrypto"] {
        assert!(records.iter().any(|r| r["peer"] == peer && r["answer"] == "right"), "{peer}");
    }
    let table = ropewalk(&format!("{words} --peers none")).stdout;
    let table = String::from_utf8(table).unwrap();
    assert!(table.contains("3 messages a call, each with its key"), "{table}");
}

#[test]
fn streams_are_measured_too() {
    let output = ropewalk(&format!("{QUICK} --mode stream --json -"));
    let records = records(&output.stdout);
    assert!(records.iter().any(|record| record["answer"] == "right"));
    assert!(records.iter().all(|record| record["mode"] == "stream"));
}

#[test]
fn one_backend_only() {
    let output = ropewalk(&format!("{QUICK} --backend sha256/portable --json -"));
    let records = records(&output.stdout);
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|record| record["backend"] == "sha256/portable"));
}

/// Whether its backend has instructions for SHA-256.
fn has_sha(record: &Value) -> bool {
    ["sha256/x86_64/shani", "sha256/aarch64/sha2"].map(Value::from).contains(&record["backend"])
}

#[test]
fn masks_are_rows_of_their_own() {
    let output = ropewalk(&format!("{QUICK} --mask none --mask -sha,-sha2 --mask all --json -"));
    let records = records(&output.stdout);
    let of_mask =
        |mask: &str| records.iter().filter(|record| record["mask"] == mask).collect::<Vec<_>>();
    let masked = of_mask("-sha,-sha2");
    assert!(masked.len() >= 2, "a row or more, at two sizes");
    assert!(masked.iter().all(|record| !has_sha(record) && record["answer"] == "right"));
    let portable = of_mask("-all");
    assert_eq!(portable.len(), 2, "one row at two sizes");
    assert!(portable.iter().all(|r| r["backend"] == "sha256/portable" && r["answer"] == "right"));
    assert!(!of_mask("").is_empty());
}

/// Rows of tuning exist only for ropewalk. If two differ in the preferred backend, so do their rows.
#[test]
fn tuning_is_a_row_of_its_own() {
    let words = "speed sha3-256 --bytes 64 --seconds 0.002 --tuning none,zen4,golden-cove --json -";
    let records = records(&ropewalk(words).stdout);
    let of = |mask: &str| -> Vec<&Value> {
        records.iter().filter(|record| record["mask"] == mask).collect()
    };
    assert!(of("").iter().any(|record| record["peer"] != "ropewalk"));
    let backends = ["tuning:zen4", "tuning:golden-cove"].map(|mask| {
        let rows = of(mask);
        assert!(
            rows.iter()
                .all(|row| row["peer"].as_str().is_some_and(|peer| peer.starts_with("ropewalk")))
        );
        let ours = rows.iter().find(|row| row["peer"] == "ropewalk").expect("a row");
        assert_eq!(ours["answer"], "right");
        ours["backend"].to_string()
    });
    if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("avx512vl") {
        assert_ne!(backends[0], backends[1]);
    }
    let refused = ropewalk("speed --tuning zen9");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("zen4"), "{refused:?}");
}

#[test]
fn a_masked_run_has_nothing_unmasked() {
    let output = ropewalk(&format!("{QUICK} --mask -sha,-sha2 --json -"));
    let records = records(&output.stdout);
    assert!(records.iter().all(|record| record["mask"] == "-sha,-sha2"));
    let right: Vec<_> = records.iter().filter(|record| record["answer"] == "right").collect();
    assert!(right.iter().any(|record| record["backend"] == "sha256/portable"));
    assert!(right.iter().all(|record| !has_sha(record)));
}

#[test]
fn the_environment_masks_every_row_of_ropewalk() {
    let words = format!("{QUICK} --mask -vaes --json -");
    let mut command = command(Path::new(PROGRAM));
    let output = command.args(words.split(' ')).env("ROPEWALK_CPU", "sha,sha2").output().unwrap();
    let records = records(&output.stdout);
    let masks: Vec<_> = records.iter().map(|record| record["mask"].as_str().unwrap()).collect();
    assert!(masks.iter().all(|mask| *mask == "-sha,-sha2,-vaes"), "{masks:?}");
    assert!(records.iter().filter(|record| has_sha(record)).all(|r| r["answer"] == "none"));
    assert!(records.iter().any(|record| record["answer"] == "right"));
}

#[test]
fn tables_show_what_was_measured() {
    let output = ropewalk(&format!("{QUICK} --wide"));
    let text = String::from_utf8(output.stdout).unwrap();
    for want in
        ["sha256/digest, one message a call", "16 B", "64 B", "sha256/portable", "B/s", "▸ sha256/"]
    {
        assert!(text.contains(want), "no {want} in\n{text}");
    }
    assert!(!text.contains('\x1b'), "colours are for terminals");
}

#[test]
fn an_expected_rate_is_next_to_the_measured_one() {
    let words = format!("{QUICK} --expect 66c/64B@266MHz");
    let text = String::from_utf8(ropewalk(&words).stdout).unwrap();
    // 16 bytes need a block of 64. The distance between columns depends on the figures.
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for want in ["expected 64.5 MB/s 258 MB/s 66c/64B@266MHz", "not running", "--expect"] {
        assert!(said.contains(want), "no {want} in\n{text}");
    }
    for record in records(&ropewalk(&format!("{words} --json -")).stdout) {
        let promised = record["expected_ns"].as_f64().map(f64::round);
        assert_eq!(promised, (record["answer"] == "right").then_some(248.0), "{record}");
    }
}

#[test]
fn each_feature_is_switched_off_in_turn() {
    let words = "speed sha512 --on-off --seconds 0.01 --bytes 1350 --peers none";
    let of_json = records(&ropewalk(&format!("{words} --json -")).stdout);
    let masks: Vec<&str> = of_json.iter().map(|record| record["mask"].as_str().unwrap()).collect();
    let here =
        ropewalk::cpu::FEATURES.iter().filter(|f| f.arch == std::env::consts::ARCH && f.present());
    let want: Vec<String> =
        [String::new()].into_iter().chain(here.map(|f| format!("-{}", f.name))).collect();
    assert_eq!(masks, want);
    assert!(of_json.iter().all(|record| record["answer"] == "right"));

    let text = String::from_utf8(ropewalk(words).stdout).unwrap();
    assert!(text.contains("\nropewalk ") && text.contains("1350 B"), "{text}");
    assert!(text.contains("as fast a library is with"), "{text}");
    for words in ["--mask -vaes", "--backend sha512/portable", "--save it"] {
        assert_eq!(ropewalk(&format!("speed --on-off {words}")).status.code(), Some(2), "{words}");
    }
}

/// The lab's overhead per call is a separate task, in which no library takes part.
#[test]
fn the_lab_measures_itself() {
    let of_json = records(&ropewalk("speed no-op --seconds 0.02 --json -").stdout);
    assert_eq!(of_json.len(), 1, "{of_json:?}");
    assert_eq!((&of_json[0]["peer"], &of_json[0]["answer"]), (&"ropewalk".into(), &"right".into()));
    assert!(of_json[0]["ns"].as_f64().unwrap() > 0.0);
    let streamed = records(&ropewalk("speed no-op --mode stream --seconds 0.02 --json -").stdout);
    assert_eq!(streamed[0]["answer"], "none");
}

/// A run ends with its warnings.
#[test]
fn warnings_have_numbers_and_are_kept() {
    let output = ropewalk(&format!("{QUICK} --json -"));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last["record"], "warnings");
    let warnings = last["warnings"].as_array().unwrap();
    let said = stderr(&output);
    if cfg!(debug_assertions) {
        assert!(said.contains("warning 01: this is a debug build"), "{said}");
    }
    for warning in warnings {
        let line = format!(
            "warning {:02}: {}",
            warning["number"].as_u64().unwrap(),
            warning["text"].as_str().unwrap()
        );
        assert!(said.contains(&line), "{line} is not in\n{said}");
    }
}

#[test]
fn a_narrow_screen_gets_narrow_tables() {
    let words = "speed sha256 --seconds 0.001 --peers none";
    let mut command = command(Path::new(PROGRAM));
    let output = command.args(words.split(' ')).env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let below = text.lines().skip_while(|line| !line.starts_with("sha256/digest"));
    let widest = below.map(|line| line.chars().count());
    assert!(widest.max().unwrap() <= 80, "{text}");
    assert!(text.contains("16 KiB"), "{text}");
}

#[test]
fn what_there_is_not_is_one_line_and_status_2() {
    let cases = [
        ("speed aes-128-ct", "aes-128-ctr"),
        ("speed sha256/digset", "sha256/digest"),
        ("speed --bytes 16,0", "`0`"),
        ("speed --bytes 2GiB", "1 GiB"),
        ("speed --bytes sixteen", "`sixteen`"),
        ("speed --peers ropewlk", "ropewalk"),
        ("speed --backend sha256/portabel", "sha256/portable"),
        ("speed --mask -avx513f", "avx512f"),
        ("speed --lib no-such-library.so", "no-such-library.so"),
        ("speed --seconds 0", "--seconds"),
        ("speed --expect 66c/64B", "66c/64B@266MHz"),
        ("speed --count 0", "--count"),
        ("speed sha256 --count 2 --keys each", "sha256/digest"),
        ("speed hmac-sha256 --keys each", "--count 2"),
        ("worker --peer ropewlk", "ropewalk"),
    ];
    for (words, want) in cases {
        let output = ropewalk(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(want) && said.lines().count() == 1, "{words}: {said}");
        assert!(output.stdout.is_empty(), "{words}");
    }
}

#[test]
fn a_mask_that_means_nothing_is_refused() {
    let mut command = command(Path::new(PROGRAM));
    let output = command.arg("selftest").env("ROPEWALK_CPU", "-vase").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("vaes"), "{}", stderr(&output));
}

#[test]
fn options_that_there_are_not_have_status_2() {
    for words in ["", "sped", "speed --sekonds 1", "speed --mode fast", "speed --count many"] {
        assert_eq!(ropewalk(words).status.code(), Some(2), "{words}");
    }
}

#[test]
fn a_run_that_fails_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    std::fs::write(&path, "kept").unwrap();
    let output = ropewalk(&format!("speed nothing --json {}", path.display()));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");

    let output = ropewalk(&format!("{QUICK} --json {}", folder.path().display()));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("it is a directory"), "{}", stderr(&output));

    let output = ropewalk(&format!("{QUICK} --json {}", path.display()));
    assert_eq!(output.status.code(), Some(0));
    assert!(!records(&std::fs::read(&path).unwrap()).is_empty());
    assert!(!output.stdout.is_empty(), "a file does not replace the tables");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_closed_pipe_ends_the_run_without_an_error() {
    let tables = "speed sha256 sha512 md5 --peers none --seconds 0.01";
    for words in ["speed sha256 --peers none --seconds 0.01 --json -", tables] {
        let mut child = command(Path::new(PROGRAM))
            .args(words.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
        assert!(!stderr(&output).contains("error"), "{words}: {}", stderr(&output));
    }
}

#[test]
fn workers_die_with_the_command() {
    let words = "speed sha256 --seconds 5 --peers none --json -";
    let mut child =
        command(Path::new(PROGRAM)).args(words.split(' ')).stdout(Stdio::piped()).spawn().unwrap();
    let workers = || -> Vec<i32> {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|process| parent(*process) == Some(child.id())).collect()
    };
    wait_until(|| !workers().is_empty());
    let workers = workers();
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until(|| workers.iter().all(|worker| gone(*worker)));
}

#[test]
fn selftest_tries_every_backend() {
    let output = ropewalk("selftest");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    for primitive in ropewalk::PRIMITIVES {
        for info in primitive.backends {
            let said = |line: &str| {
                let rest = line.strip_prefix(primitive.name)?.strip_prefix(' ')?;
                Some(
                    rest.trim_start().strip_prefix(info.name)?.strip_prefix(' ')?.trim().to_owned(),
                )
            };
            let said = text.lines().find_map(said);
            let want = if (info.available)() { "ok" } else { "not here" };
            assert_eq!(said.as_deref(), Some(want), "{} {}", primitive.name, info.name);
        }
    }
}

/// The state of a process and its parent.
fn stat(process: i32) -> Option<(String, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    Some((fields.next()?.into(), fields.next()?.parse().ok()?))
}

fn parent(process: i32) -> Option<u32> {
    Some(stat(process)?.1)
}

fn gone(process: i32) -> bool {
    stat(process).is_none_or(|(state, _)| state == "Z")
}

/// Tasks are found by their usual spellings; for an unmeasured task, one line gives the reason.
#[test]
fn tasks_have_the_names_that_people_write() {
    for (word, task) in [
        ("AES-256-GCM", "aes-256-gcm"),
        ("sha-256", "sha256"),
        ("aes256gcm", "aes-256-gcm"),
        ("gcm", "aes-128-gcm"),
        ("chacha", "chacha20-poly1305"),
        ("sha2", "sha512"),
        ("aes-256-gcm/encrypt", "aes-256-gcm"),
    ] {
        let words = format!("speed {word} --bytes 16 --seconds 0.0001 --peers none --json -");
        let output = ropewalk(&words);
        assert_eq!(output.status.code(), Some(0), "{word}: {}", stderr(&output));
        assert!(records(&output.stdout).iter().any(|record| record["task"] == task), "{word}");
    }
    for (word, want) in
        [("ecdsap384", "is not measured yet"), ("AES-512-GCM", "the nearest are aes-")]
    {
        let output = ropewalk(&format!("speed {word}"));
        assert_eq!(output.status.code(), Some(2), "{word}");
        let said = stderr(&output);
        assert!(said.contains(want) && said.trim_end().lines().count() == 1, "{said}");
    }
}

/// Several files of one run, and the run again from its records.
#[test]
fn results_go_to_several_files_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [json, csv, markdown] = ["run.jsonl", "run.csv", "run.md"].map(path);
    let words = format!("{QUICK} --json {json} --csv {csv} --markdown {markdown}");
    let output = ropewalk(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let screen = String::from_utf8(output.stdout).unwrap();
    assert!(screen.contains("again: ropewalk speed sha256"), "{screen}");
    let rows = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(rows.lines().next().map(|line| line.starts_with("task,op,bytes")), Some(true));
    let records = records(&std::fs::read(&json).unwrap());
    assert_eq!(csv::Reader::from_reader(rows.as_bytes()).records().count(), records.len());
    let tables = std::fs::read_to_string(&markdown).unwrap();
    assert!(tables.contains("### sha256/digest") && tables.contains("| ropewalk |"), "{tables}");
    // A copy of a kept run has the same outputs, with its machine and its warnings.
    let copied = ropewalk(&format!("speed sha256 --from {json} --json -"));
    let lines = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        let values = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let fields = ["record", "date", "warnings", "backend", "bytes", "answer"];
        let mut lines: Vec<String> =
            values.map(|it| fields.map(|field| it[field].to_string()).join(" ")).collect();
        // Rows of one library are adjacent.
        lines.sort();
        lines
    };
    assert_eq!(lines(&copied.stdout), lines(&std::fs::read(&json).unwrap()));
    let wrong = ropewalk(&format!("speed sha256 --from {json} --seconds 1"));
    assert_eq!(wrong.status.code(), Some(2), "nothing is measured again");
    let again = ropewalk(&format!("speed sha256 --from {json}"));
    let again = String::from_utf8(again.stdout).unwrap();
    let figures =
        |text: &str| text.lines().find(|line| line.starts_with("ropewalk  ")).map(str::to_owned);
    assert!(figures(&again).is_some(), "{again}");
    assert_eq!(figures(&again), figures(&screen));

    let twice = ropewalk(&format!("{QUICK} --json - --csv -"));
    assert_eq!(twice.status.code(), Some(2));
    assert!(stderr(&twice).contains("standard output"), "{}", stderr(&twice));
    let quiet = ropewalk(&format!("{QUICK} --quiet"));
    let quiet_text = String::from_utf8(quiet.stdout.clone()).unwrap();
    assert!(!quiet_text.contains("again:") && stderr(&quiet).is_empty(), "{}", stderr(&quiet));
    assert!(figures(&quiet_text).is_some(), "{quiet_text}");
}

#[test]
fn shells_and_man_have_their_files() {
    for shell in ["bash", "zsh", "fish"] {
        let output = ropewalk(&format!("completions {shell}"));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("ropewalk") && text.contains("--against"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let output = ropewalk(&format!("man {}", pages.to_str().unwrap()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(pages.join("ropewalk-speed.1")).unwrap();
    assert!(page.contains("against"), "{page}");
}

#[test]
fn tasks_name_the_libraries_that_can_do_them() {
    let output = ropewalk("tasks sha256 3des-cbc --json");
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |task: &str| {
        let listed = listed.as_array().unwrap();
        listed.iter().find(|it| it["task"] == task).unwrap_or_else(|| panic!("{task}"))
    };
    assert_eq!(
        (&of("sha256")["ropewalk"], &of("3des-cbc")["ropewalk"]),
        (&true.into(), &false.into())
    );
    let libraries = of("sha256")["libraries"].as_array().unwrap();
    assert!(libraries.contains(&"rustcrypto".into()), "{libraries:?}");
    assert!(!libraries.contains(&"dalek".into()), "it has signatures only: {libraries:?}");
    let names = ropewalk("tasks --names aead");
    let names = String::from_utf8(names.stdout).unwrap();
    assert!(names.starts_with("aes-128-gcm/seal\naes-128-gcm/open\n"), "{names}");
    assert!(names.lines().all(|name| name.contains('/')), "{names}");
    // Groups follow the list of all tasks.
    let some = String::from_utf8(ropewalk("tasks sha256").stdout).unwrap();
    assert!(some.starts_with("sha256  ") && !some.contains("Groups:"), "{some}");
}

/// A named library that is missing is reported, before the measurement or with its results.
#[test]
fn libraries_that_are_not_here_are_named() {
    let output = ropewalk(&format!("{QUICK} --against nonsense"));
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("--against: no library here is called `nonsense`"), "{said}");
    let output =
        ropewalk(&format!("{QUICK} --lib {}", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("Cargo.toml: not a library\n"), "{said}");
    let output = ropewalk("speed sha256 --backend whirlpool/portable/of/nothing");
    assert!(output.status.code() == Some(2) && stderr(&output).len() < 200, "{}", stderr(&output));
    let output = ropewalk("speed sha256 --backend portable");
    let said = stderr(&output);
    let names: Vec<&str> = said.split_once(" are ").unwrap().1.trim().split(", ").collect();
    assert!(names.len() == 3 && names[0] != names[1] && names[1] != names[2], "{said}");
}

/// Examples that measure nothing work as documented.
#[test]
fn examples_of_help_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for name in ["mask", "tasks", "selftest", "completions", "man"] {
        let help = ropewalk(&format!("{name} --help"));
        let help = String::from_utf8(help.stdout).unwrap();
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{help}"));
        for line in examples.lines().take_while(|line| line.starts_with("  ")) {
            let words = line.split(['|', '>', ')']).next().unwrap();
            let Some((before, words)) = words.split_once("ropewalk ") else { continue };
            if before.contains("man ") {
                continue;
            }
            let words = shlex::split(words).unwrap();
            let mut ropewalk = command(Path::new(PROGRAM));
            let output = ropewalk.args(&words).current_dir(folder.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
            ran += 1;
        }
    }
    assert_eq!(ran, 9);
}
