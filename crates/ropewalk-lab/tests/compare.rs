//! `ropewalk speed --save` and `ropewalk compare`, as their users meet them.

use std::{
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::{Value, json};
use tempfile::TempDir;

mod common;
use common::runs::{command, records, stderr};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// A user with a folder.
struct User(TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn run(&self, words: &str) -> Output {
        let mut command = command(Path::new(PROGRAM));
        command.env("XDG_DATA_HOME", self.0.path()).current_dir(self.0.path());
        command.args(words.split_whitespace()).output().unwrap()
    }

    fn kept(&self, name: &str) -> PathBuf {
        self.0.path().join("ropewalk/runs").join(format!("{name}.jsonl"))
    }

    /// Keeps an artificial run.
    fn keep(&self, name: &str, lines: &[Value]) -> PathBuf {
        let path = self.kept(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Its JSON lines: the header, the rows, and the sum.
fn told(output: &Output) -> (Value, Vec<Value>, Value) {
    let text = text(output);
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let sum = lines.pop().expect("a sum");
    let head = lines.remove(0);
    assert_eq!((&head["record"], &sum["record"]), (&"comparison".into(), &"summary".into()));
    (head, lines, sum)
}

/// Noise as in real turns: most within half a per cent, and some far above. A seed gives the same noise on every machine.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    fn turns(&mut self, middle: f64) -> Vec<f64> {
        let turn = |_| {
            let far = if self.next() > 0.9 { 0.3 * self.next() } else { 0.0 };
            middle * (1.0 + 0.01 * (self.next() - 0.5) + far)
        };
        (0..12).map(turn).collect()
    }
}

fn machine(brand: &str) -> Value {
    json!({
        "schema": 1, "record": "machine", "date": "2026-01-02T03:04:05Z", "ropewalk": "0.1.0",
        "processor": {"brand": brand, "model": 1, "features": ["aes"]}, "kernel": "6.1", "rates": {}
    })
}

/// A row without turns, as in older files.
fn old_row(bytes: u64, ns: f64, noise: f64) -> Value {
    json!({
        "schema": 1, "task": "sha256", "op": "digest", "bytes": bytes, "count": 1, "mode": "message",
        "peer": "ropewalk", "version": "ropewalk 0.1.0", "library": null, "backend": "sha256/portable",
        "mask": "", "threads": 1, "answer": "right", "ns": ns, "ns_low": ns - noise, "ns_high": ns + noise,
        "user_ns": null, "sys_ns": null, "cycles": 3.0 * ns, "cycles_per_byte": null, "limit_cycles": null,
        "share_of_limit": null, "mb_per_s": null, "ops_per_s": null, "note": ""
    })
}

fn row(bytes: u64, turns: &[f64]) -> Value {
    let mut sorted = turns.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut row = old_row(bytes, sorted[6], 1.0);
    let cycles: Vec<f64> = turns.iter().map(|ns| 3.0 * ns).collect();
    row["turns"] = json!({"ns": turns, "cycles": cycles});
    row
}

/// Twenty rows, of which some take `factor` times as long.
fn run(seed: u64, changed: &[u64], factor: f64) -> Vec<Value> {
    let mut noise = Noise(seed);
    let rows = (1..=20).map(|bytes| {
        let middle = 100.0 * bytes as f64 * if changed.contains(&bytes) { factor } else { 1.0 };
        row(bytes, &noise.turns(middle))
    });
    [machine("X")].into_iter().chain(rows).collect()
}

#[test]
fn a_run_is_kept_and_compared_with_itself() {
    let user = User::new();
    let words = "speed sha256 --seconds 0.01 --bytes 16,64 --peers none";
    let output = user.run(&format!("{words} --save before --json -"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let path = user.kept("before");
    assert!(stderr(&output).contains(path.to_str().unwrap()), "{}", stderr(&output));
    assert_eq!(std::fs::read(&path).unwrap(), output.stdout, "the same lines as --json");
    let measured = records(&output.stdout);
    let right = measured.iter().filter(|record| record["answer"] == "right").count();

    let output = user.run("compare before before --fail-on 0% --json -");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (head, rows, sum) = told(&output);
    assert_eq!(head["differences"], json!([]));
    assert_eq!((rows.len(), &sum["even"]), (right, &right.into()));
    assert_eq!(sum["geometric_mean"], 1.0);
    assert!(rows.iter().all(|row| row["verdict"] == "~" && row["by"] == "turns"), "{rows:?}");

    let list = text(&user.run("compare --list"));
    assert!(list.contains("before") && list.contains(&format!(" {right}\n")), "{list}");

    // Kept in addition to its tables, and without replacing another run.
    let output = user.run(&format!("{words} --save before"));
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("already") && said.contains("--replace"), "{said}");
    let output = user.run(&format!("{words} --backend sha256/portable --save before --replace"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text(&output).contains("sha256/digest, one message a call"));
    assert_eq!(records(&std::fs::read(&path).unwrap()).len(), 2);
}

#[test]
fn names_are_plain() {
    let user = User::new();
    for name in ["../up", "a/b", ".hidden", "é"] {
        let output = user.run(&format!("speed sha256 --seconds 0.001 --peers none --save {name}"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("no name") && said.lines().count() == 1, "{name}: {said}");
    }
    assert_eq!(std::fs::read_dir(user.0.path()).unwrap().count(), 0, "nothing is written");
    assert!(text(&user.run("compare --list")).starts_with("no run is kept in"));
}

#[test]
fn only_a_regression_is_reported() {
    let user = User::new();
    let path = user.keep("before", &run(1, &[], 1.0));
    user.keep("after", &run(2, &[7], 1.08));
    let output = user.run("compare before after --fail-on 5% --json -");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let (_, rows, sum) = told(&output);
    assert_eq!((&sum["slower"], &sum["faster"], &sum["even"]), (&1.into(), &0.into(), &19.into()));
    let slower = rows.iter().find(|row| row["verdict"] == "slower").unwrap();
    assert_eq!((&slower["bytes"], &slower["unit"]), (&7.into(), &"cycles".into()));
    let [ratio, low, high, p] = ["ratio", "low", "high", "p"].map(|f| slower[f].as_f64().unwrap());
    assert!((ratio - 1.08).abs() < 0.01 && low <= ratio && ratio <= high && low > 1.05, "{slower}");
    assert!(p < 0.001, "{slower}");

    assert_eq!(user.run("compare before after --fail-on 10%").status.code(), Some(0));
    assert_eq!(user.run("compare before after").status.code(), Some(0));
    // In the other direction it is faster, which is no reason to fail. A file is equivalent to a name.
    let output = user.run(&format!("compare after {} --fail-on 5", path.display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    assert!(said.contains("1 faster, 0 slower, 19 ~; 0 missing in A, 0 missing in B"), "{said}");
    let line = said.lines().find(|line| line.ends_with("faster")).unwrap();
    for want in ["sha256/portable", "7 B", "cycles", "<.001", ".92"] {
        assert!(line.contains(want), "no {want} in {line}");
    }
    assert!(said.contains("sha256/digest, one message a call") && !said.contains('\x1b'), "{said}");
}

#[test]
fn noise_is_no_difference() {
    let user = User::new();
    for seed in 10..20 {
        user.keep("a", &run(seed, &[], 1.0));
        user.keep("b", &run(seed + 100, &[], 1.0));
        let (_, rows, sum) = told(&user.run("compare a b --json -"));
        assert_eq!(sum["even"], 20, "seed {seed}: {rows:?}");
        let mean = sum["geometric_mean"].as_f64().unwrap();
        assert!((mean - 1.0).abs() < 0.002, "{mean}");
    }
}

#[test]
fn damaged_lines_are_reported_and_whole_ones_used() {
    let user = User::new();
    user.keep("before", &run(1, &[], 1.0));
    let path = user.keep("after", &run(2, &[], 1.0));
    let mut lines: Vec<String> =
        std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let half = lines[4].len() / 2;
    lines[4].truncate(half);
    std::fs::write(&path, lines.join("\n")).unwrap();
    let output = user.run("compare before after --json -");
    assert_eq!(output.status.code(), Some(0));
    let said = stderr(&output);
    assert!(said.contains("after.jsonl, line 5: EOF") && said.lines().count() == 1, "{said}");
    let (head, rows, sum) = told(&output);
    assert_eq!((&head["b"]["damaged_lines"], &sum["missing_in_b"]), (&1.into(), &1.into()));
    assert_eq!((rows.len(), &sum["even"]), (20, &19.into()));
    assert!(text(&user.run("compare --list")).contains("19, 1 damaged"));

    std::fs::write(&path, "no measurement\n").unwrap();
    let output = user.run("compare before after");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no line is a measurement"), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
}

#[test]
fn machines_that_differ_are_reported_first() {
    let user = User::new();
    let (mut a, b) = (run(1, &[], 1.0), run(2, &[], 1.0));
    a[0] = machine("Y");
    a[0]["kernel"] = "6.2".into();
    user.keep("a", &a);
    user.keep("b", &b);
    let output = user.run("compare a b");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "A: a, 2026-01-02T03:04:05Z, Y");
    assert_eq!(lines[2..4], ["  processor: Y in A, X in B", "  kernel: 6.2 in A, 6.1 in B"]);
    // A file may have lost its first line.
    user.keep("b", &b[1..]);
    assert!(text(&user.run("compare a b")).contains("  machine: unknown in B\n"));
}

#[test]
fn rows_of_one_run_only_are_reported() {
    let user = User::new();
    let (mut a, mut b) = (run(1, &[], 1.0), run(2, &[], 1.0));
    a.remove(3);
    for field in ["ns", "ns_low", "ns_high", "cycles"] {
        b[5][field] = Value::Null;
    }
    b[5]["answer"] = "wrong".into();
    b[5]["note"] = "its answer is wrong".into();
    b[5].as_object_mut().unwrap().remove("turns");
    user.keep("a", &a);
    user.keep("b", &b);
    let output = user.run("compare a b --fail-on 5%");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    assert!(said.contains("18 ~; 1 missing in A, 1 missing in B"), "{said}");
    assert!(said.contains("missing in B: its answer is wrong\n"), "{said}");
    assert!(
        said.lines().any(|line| line.contains("3 B") && line.ends_with("missing in A")),
        "{said}"
    );
    // A comparison of nothing is a failure.
    user.keep("b", &[machine("X"), row(999, &[10.0; 12])]);
    let output = user.run("compare a b --fail-on 5%");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no row is in both a and b"), "{}", stderr(&output));
}

#[test]
fn files_of_before_are_compared_by_interval() {
    let user = User::new();
    user.keep("a", &[machine("X"), old_row(1, 100.0, 3.0), old_row(2, 100.0, 3.0)]);
    let b = [machine("X"), old_row(1, 105.0, 3.0), old_row(2, 107.0, 3.0)];
    user.keep("b", &b);
    let output = user.run("compare a b --fail-on 5%");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = text(&output);
    let of = |size: &str| said.lines().find(|line| line.contains(size)).expect(size).to_owned();
    assert!(of(" 1 B").contains("by interval") && of(" 1 B").ends_with('~'), "{said}");
    assert!(of(" 2 B").contains("by interval") && of(" 2 B").ends_with("slower"), "{said}");
}

/// Turns, intervals, and rows of one run only, read in four ways from the same two runs.
#[test]
fn exported_runs_are_compared_as_the_runs_are() {
    let user = User::new();
    let (mut a, mut b) = (run(1, &[], 1.0), run(2, &[3, 7], 1.08));
    b.insert(4, row(999, &[10.0; 12]));
    // Rows with an interval only, which one run lacks at every size or at one of them.
    for (run, ns) in [(&mut a, 100.0), (&mut b, 107.0)] {
        let of = |mut row: Value, task: &str, peer: &str| {
            (row["task"], row["peer"]) = (task.into(), peer.into());
            row
        };
        run.push(of(old_row(16, ns, 3.0), "sha1", "ropewalk"));
        let died = of(old_row(16, ns, 3.0), "sha1", "ring");
        run.push(if ns > 100.0 { missing(died, "it died") } else { died });
        run.push(of(old_row(64, ns + 3.0, 3.0), "sha1", "ropewalk"));
        run.push(of(old_row(64, ns, 3.0), "sha1", "ring"));
        for bytes in (1..=20).chain([999]) {
            let row = of(old_row(bytes, ns, 3.0), "sha256", "nettle");
            run.push(if ns > 100.0 { missing(row, "has no SHA-256") } else { row });
        }
    }
    b.push(json!({"schema": 1, "record": "warnings", "warnings": [{"number": 5, "text": "x"}]}));
    // Turns have as many digits as measured ones: all of these are kept.
    for row in a.iter_mut().chain(&mut b) {
        let Some(turns) = row.get_mut("turns").and_then(Value::as_object_mut) else { continue };
        for turn in turns.values_mut().filter_map(Value::as_array_mut).flatten() {
            *turn = ((turn.as_f64().unwrap() * 1e3).round() / 1e3).into();
        }
    }
    user.keep("a", &a);
    user.keep("b", &b);
    for name in ["a", "b"] {
        let output = user.run(&format!("compare {name} --export light-{name}"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.starts_with(&format!("written: light-{name}, ")) && text(&output).is_empty());
    }
    let without_names = |output: Output, a: &str, b: &str| {
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).is_empty(), "{}", stderr(&output));
        let text = text(&output);
        [a, b].iter().fold(text, |text, name| {
            let text = text.replace(&format!("\"name\":\"{name}\""), "");
            text.replace(&format!(": {name}, 2026"), ": 2026")
        })
    };
    for form in ["--json -", ""] {
        let said = |a: &str, b: &str| {
            without_names(user.run(&format!("compare {a} {b} --fail-on 5% {form}")), a, b)
        };
        let want = said("a", "b");
        assert!(want.contains("has no SHA-256") && want.contains("it died"), "{want}");
        assert!(want.contains("interval") && want.contains("turns") != form.is_empty(), "{want}");
        for (a, b) in [("light-a", "light-b"), ("a", "light-b"), ("light-a", "b")] {
            assert_eq!(said(a, b), want, "{a} {b}");
        }
    }

    let output = user.run("compare b --export light-b");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write light-b"), "{}", stderr(&output));
    for (words, want) in [
        ("compare none --export it", "no kept run is called `none`"),
        ("compare a b --export it", "--export"),
        ("compare a --export it --bytes 64", "--bytes=64"),
    ] {
        let output = user.run(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(stderr(&output).contains(want), "{words}: {}", stderr(&output));
    }
    assert!(!user.0.path().join("it").exists());
}

/// The row without its figures.
fn missing(mut row: Value, why: &str) -> Value {
    for field in ["ns", "ns_low", "ns_high", "cycles"] {
        row[field] = Value::Null;
    }
    (row["answer"], row["note"]) = ("none".into(), why.into());
    row
}

#[test]
fn tasks_narrow() {
    let user = User::new();
    let mut a = run(1, &[], 1.0);
    a.push(old_row(64, 1.0, 0.1));
    a.last_mut().unwrap()["task"] = "sha1".into();
    user.keep("a", &a);
    let sum =
        |words: &str| told(&user.run(&format!("compare a a {words} --json -"))).2["even"].clone();
    assert_eq!([sum(""), sum("sha1"), sum("sha256/digest"), sum("all")], [21, 1, 20, 21]);
}

#[test]
fn what_there_is_not_is_one_line_and_status_2() {
    let user = User::new();
    user.keep("before", &run(1, &[], 1.0));
    for (words, want) in [
        ("compare before befor", "before"),
        ("compare before before sha255", "sha256"),
        ("compare before before --fail-on five", "per cent"),
    ] {
        let output = user.run(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(want) && said.lines().count() == 1, "{words}: {said}");
        assert!(output.stdout.is_empty(), "{words}");
    }
    for words in ["compare", "compare before", "compare --list before"] {
        assert_eq!(user.run(words).status.code(), Some(2), "{words}");
    }
    let output = user.run("compare before none.jsonl");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot read none.jsonl"), "{}", stderr(&output));
}

/// Which one is faster depends on the machine and its load: the exit status follows from the same figures as the rows.
#[test]
fn masks_are_compared_as_they_run() {
    let user = User::new();
    let words = "compare mask:none mask:all sha512 --bytes 1350,4096 --seconds 0.03 --fail-on 5%";
    let output = user.run(&format!("{words} --json -"));
    let (head, rows, sum) = told(&output);
    assert_eq!((&head["a"]["name"], &head["b"]["name"]), (&"mask:none".into(), &"mask:all".into()));
    let bytes: Vec<_> = rows.iter().map(|row| row["bytes"].as_u64()).collect();
    assert_eq!(bytes, [Some(1350), Some(4096)], "{rows:?}");
    let count = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count();
    for (name, verdict) in [("slower", "slower"), ("faster", "faster"), ("even", "~")] {
        assert_eq!(sum[name], count(verdict), "{rows:?} {sum}");
    }
    let ratio = |row: &Value| row["ratio"].as_f64().unwrap();
    assert!(rows.iter().all(|row| ratio(row) > 0.0), "{rows:?}");
    let slower = rows.iter().any(|row| row["verdict"] == "slower" && ratio(row) > 1.05);
    assert_eq!(output.status.code(), Some(if slower { 3 } else { 0 }), "{rows:?}");

    let text = text(&user.run(words));
    assert!(text.contains("A: mask:none") && text.contains("B: mask:all"), "{text}");
    // This comparison keeps no runs.
    assert!(!user.0.path().join("ropewalk").exists());
}

#[test]
fn libraries_are_compared_as_they_run() {
    let user = User::new();
    let words = "compare peer:ropewalk peer:rustcrypto sha256 --bytes 64 --seconds 0.02 --json -";
    let (head, rows, sum) = told(&user.run(words));
    assert!(sum["geometric_mean_of_the_same"].is_null(), "none is the same in both: {sum}");
    assert_eq!(
        (&head["a"]["name"], &head["b"]["name"]),
        (&"peer:ropewalk".into(), &"peer:rustcrypto".into())
    );
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0]["ratio"].as_f64().unwrap() > 0.0, "{rows:?}");
}

#[test]
fn inputs_that_cannot_be_compared_live_are_reported() {
    let user = User::new();
    for (words, want) in [
        ("compare mask:none mask:none", "compared with itself"),
        ("compare mask:-vae mask:none", "vaes"),
        ("compare mask:none peer:ring", "with another mask"),
        ("compare mask:none before", "both"),
        ("compare peer:ropewlk peer:ring", "ropewalk"),
        ("compare lib:/no/such/file peer:ring", "/no/such/file"),
        ("compare before after --bytes 64", "--bytes=64"),
        ("compare mask:none mask:all sha257", "sha256"),
        ("compare mask:none mask:all --bytes 0", "`0`"),
    ] {
        let output = user.run(words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(want) && said.lines().count() == 1, "{words}: {said}");
    }
}
