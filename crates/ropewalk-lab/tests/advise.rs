//! `ropewalk advise`, as its users meet it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::{Value, json};
use tempfile::TempDir;

mod common;
use common::runs::{command, stderr};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

/// A user with a folder.
struct User(TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn run(&self, words: &str) -> Output {
        self.run_in(words, "140")
    }

    fn run_in(&self, words: &str, columns: &str) -> Output {
        let mut command = command(Path::new(PROGRAM));
        command.env("XDG_DATA_HOME", self.0.path()).current_dir(self.0.path());
        command.env("COLUMNS", columns).args(words.split_whitespace()).output().unwrap()
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn kept(&self) -> Vec<String> {
        let folder = self.0.path().join("ropewalk/runs");
        let names = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            names.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn row(task: &str, op: &str, bytes: u64, ns: f64) -> Value {
    json!({
        "schema": 1, "task": task, "op": op, "bytes": bytes, "count": 1, "mode": "message",
        "peer": "libcrypto", "version": "OpenSSL 3.5.4", "library": "/usr/lib/libcrypto.so.3",
        "backend": "", "mask": "", "threads": 1, "answer": "right", "ns": ns, "ns_low": 0.99 * ns,
        "ns_high": 1.01 * ns, "user_ns": null, "sys_ns": null, "cycles": null,
        "cycles_per_byte": null, "limit_cycles": null, "share_of_limit": null, "mb_per_s": null,
        "ops_per_s": null, "note": ""
    })
}

/// A board's run: ChaCha20-Poly1305 has 47 MB/s, AES-GCM 16.6, P-256 982 signatures a second, RSA-2048 34.8.
fn board() -> Vec<Value> {
    vec![
        json!({
            "schema": 1, "record": "machine", "date": "2026-11-01T03:04:05Z", "ropewalk": "0.1.0",
            "processor": {"brand": "Cortex-A7", "features": []}, "cores": {"online": 4}
        }),
        row("chacha20-poly1305", "seal", 16384, 16384e3 / 47.0),
        row("aes-128-gcm", "seal", 16384, 16384e3 / 16.56),
        row("p256", "sign", 64, 1e9 / 982.0),
        row("rsa-2048", "sign", 64, 1e9 / 34.8),
        row("md5", "digest", 16384, 100.0),
    ]
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// A user with the run of a board.
fn at_a_desk() -> User {
    let user = User::new();
    user.write("board.jsonl", &lines(&board()));
    user
}

#[test]
fn a_board_is_judged_at_a_desk() {
    let user = at_a_desk();
    let output = user.run("advise --from board.jsonl --protect aead --message 50KB --rate 20MB/s");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    for want in [
        "Cortex-A7, 4 processors, 2026-11-01\n",
        "ChaCha20-Poly1305 with OpenSSL 3.5.4: 47.0 MB/s on one core",
        "2.33x the rate",
        "AES-128-GCM with OpenSSL 3.5.4 takes 2.84x the time",
        "from 16384 B",
    ] {
        assert!(said.contains(want), "{want}: {said}");
    }
    assert_eq!(user.kept(), [""; 0], "nothing is measured");
    // Without needs the same run is one of a few lines.
    let output = user.run("advise --from board.jsonl");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        text(&output).contains("ChaCha20-Poly1305 with OpenSSL 3.5.4: 47.0 MB/s"),
        "{output:?}"
    );
    assert!(text(&output).lines().count() <= 4, "{}", text(&output));
}

#[test]
fn needs_that_nothing_meets_have_a_status() {
    let user = at_a_desk();
    let output = user.run("advise --from board.jsonl --protect signature --ops 4000/s");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = text(&output);
    for want in [
        "nothing meets the need; nearest: ECDSA on P-256",
        "4.11x as much",
        "5 cores at the same speed each; there are 4",
    ] {
        assert!(said.contains(want), "{want}: {said}");
    }
    let output = user.run("advise --from board.jsonl --fixed rsa-2048/sign --ops 500/s");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output).contains("another algorithm: ECDSA on P-256"), "{}", text(&output));
    // What is never recommended is refused, whatever its speed.
    let output = user.run("advise --from board.jsonl --fixed md5");
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output);
    assert!(
        said.contains("md5/digest is never recommended") && said.contains("RFC 6151"),
        "{said}"
    );
    // Limits without figures are not judged, and rows that are not there neither.
    let output = user.run("advise --from board.jsonl --protect aead --max-code 64KB");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("max-code: rows do not have"), "{}", text(&output));
    let output = user.run("advise --from board.jsonl --protect key-agreement");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("no row has a figure of x25519/agree"), "{}", text(&output));
    let output = user.run("advise --from board.jsonl --tls 10Mbit/s --requests 5/s");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("key-agreement: no row meets the needs"), "{}", text(&output));
}

#[test]
fn a_file_has_the_needs_and_options_replace_them() {
    let user = at_a_desk();
    user.write(
        "needs.toml",
        "protect = \"aead\"\nmessage = \"50KB\"\nrate = \"60MB/s\"\nmust = [\"tls13\"]\n",
    );
    let output = user.run("advise needs.toml --from board.jsonl");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let output = user.run("advise needs.toml --from board.jsonl --rate 20MB/s --json -");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["record"], &answer["schema"]), (&json!("advice"), &json!(1)));
    assert_eq!(answer["machine"], "Cortex-A7, 4 processors, 2026-11-01");
    assert_eq!(answer["needs"]["rate"], 20e6);
    assert_eq!(answer["needs"]["must"], json!(["tls13"]));
    assert_eq!(answer["chosen"]["offer"]["title"], "ChaCha20-Poly1305");
    assert_eq!(answer["refused"][0]["rule"]["id"], "md5");
}

/// Every error has one line, names the thing, and says what is allowed.
#[test]
fn bad_needs_are_named() {
    let user = at_a_desk();
    user.write("key.toml", "rtae = \"20MB/s\"\n");
    user.write("value.toml", "protect = \"privacy\"\n");
    user.write("broken.toml", "rate = \"20\nbits = 1\n");
    user.write("empty.toml", "# nothing\n");
    fs::write(user.0.path().join("bytes.toml"), b"rate = \"\xff\"\n").unwrap();
    for (words, wants) in [
        ("--rate 20", ["--rate: `20`", "20MB/s"]),
        ("--rate 20Mb/s", ["--rate: `20Mb/s`", "bit/s or B/s"]),
        ("--protect privacy", ["--protect: `privacy`", "aead, confidentiality"]),
        ("--bits 100", ["--bits: `100`", "112, 128, 192 or 256"]),
        ("--must tls14", ["--must: `tls14`", "tls13, constant-time, fips"]),
        ("--latency 1hour", ["--latency: `1hour`", "ms"]),
        ("--resumed 120%", ["--resumed: `120%`", "100%"]),
        ("--fixed aes-256-gmc", ["--fixed: ", "nearest"]),
        ("--rate 20MB/s --link 10Mbit/s", ["rate is 20.0 MB/s", "link carries 1.25 MB/s"]),
        ("--fixed ed25519/sign --protect aead", ["ed25519/sign", "protect is aead"]),
        ("key.toml", ["key.toml: no need is called `rtae`", "rate"]),
        ("value.toml", ["value.toml: protect: `privacy`", "aead"]),
        ("broken.toml", ["broken.toml: line 1", ""]),
        ("empty.toml", ["empty.toml: it has no needs", "protect"]),
        ("bytes.toml", ["bytes.toml: it is not UTF-8", ""]),
    ] {
        let output = user.run(&format!("advise {words} --from board.jsonl"));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(wants.iter().all(|want| said.contains(want)), "{words}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{words}: {said}");
        assert!(output.stdout.is_empty(), "{words}");
    }
    let output = user.run("advise no-such.toml --from board.jsonl");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot read no-such.toml"), "{}", stderr(&output));
    let output = user.run("advise --from no-such-run");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

/// Whole lines of a damaged run count, and the others are reported.
#[test]
fn damaged_runs_still_answer() {
    let user = User::new();
    let mut rows = board();
    let mut newer = row("aes-128-gcm", "seal", 16384, 1.0);
    newer["schema"] = json!(7);
    let mut negative = row("aes-128-gcm", "seal", 16384, 1.0);
    negative["ns"] = json!(-1.0);
    rows.extend([newer, negative]);
    let whole = lines(&rows);
    user.write("damaged.jsonl", &format!("{whole}{}", &whole[..200]));
    let output = user.run("advise --from damaged.jsonl --protect aead");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text(&output).contains("ChaCha20-Poly1305 with"), "{}", text(&output));
    let said = stderr(&output);
    assert!(
        said.contains("line 7: ") && said.contains("line 8: ") && said.contains("line 9: "),
        "{said}"
    );
    user.write("nothing.jsonl", "no JSON\n");
    let output = user.run("advise --from nothing.jsonl");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no line is a measurement"), "{}", stderr(&output));
}

#[test]
fn answers_fit_a_narrow_terminal() {
    let user = at_a_desk();
    let words = "advise --from board.jsonl --protect aead --message 50KB --rate 20MB/s --explain";
    let output = user.run_in(words, "40");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    let long: Vec<&str> = said.lines().filter(|line| line.chars().count() > 60).collect();
    assert_eq!(long, [""; 0], "{said}");
}

/// What this machine has measured is kept for a day, and not measured again.
#[test]
fn rows_of_the_day_are_used_again() {
    let user = User::new();
    let words = "advise --fixed sha256 --message 64 --seconds 0.001";
    let output = user.run(words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text(&output).contains("sha256/digest with "), "{}", text(&output));
    assert!(stderr(&output).contains("kept as advise-sha256-digest-64"), "{}", stderr(&output));
    assert_eq!(user.kept(), ["advise-sha256-digest-64.jsonl"]);
    let path = user.0.path().join("ropewalk/runs/advise-sha256-digest-64.jsonl");
    let before = fs::read(&path).unwrap();

    let again = user.run(words);
    assert_eq!(text(&again), text(&output), "{}", stderr(&again));
    assert!(!stderr(&again).contains("kept as"), "{}", stderr(&again));
    assert_eq!(fs::read(&path).unwrap(), before);

    let fresh = user.run(&format!("{words} --fresh"));
    assert!(stderr(&fresh).contains("kept as"), "{}", stderr(&fresh));
    // A run of another day, or of another machine, is not used.
    for (from, to) in [(r#""date":"2"#, r#""date":"1"#), (r#""cores":{"#, r#""cores":{"other":1,"#)]
    {
        let other = String::from_utf8(before.clone()).unwrap().replacen(from, to, 1);
        assert_ne!(other.as_bytes(), before);
        fs::write(&path, other).unwrap();
        let output = user.run(words);
        assert!(stderr(&output).contains("kept as"), "{from}: {}", stderr(&output));
    }
}

#[test]
fn without_needs_the_answer_is_short() {
    let user = User::new();
    let output = user.run("advise --seconds 0.001 --quiet");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = text(&output);
    assert!(said.lines().count() <= 8 && said.contains(" with "), "{said}");
    assert!(said.contains("16384 B a message, one core"), "{said}");
    let output = user.run("advise --quiet --json -");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["record"], "short-advice");
    assert_eq!(answer["advice"]["needs"]["bits"], 256);
}
