//! The last screen of `ropewalk doctor` and `ropewalk speed` on terminals, and their output without one.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

mod common;
use common::{
    runs::{command, stderr},
    terminal::last_screen,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ropewalk");

fn doctor(words: &[&str]) -> Command {
    let mut command = command(Path::new(PROGRAM));
    for name in
        ["COLUMNS", "OPENSSL_CONF", "OPENSSL_ia32cap", "OPENSSL_armcap", "NETTLE_FAT_OVERRIDE"]
    {
        command.env_remove(name);
    }
    command.arg("doctor").args(words).env("LC_ALL", "C.UTF-8");
    command
}

fn json(words: &[&str]) -> Value {
    let output = doctor(words).arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
}

/// `OpenSSL 3.0.22`, of each library that is not a part of another.
fn titles(told: &Value) -> Vec<String> {
    let libraries = told["libraries"].as_array().unwrap().iter();
    let whole =
        libraries.filter(|it| !["freebl", "softokn"].contains(&it["kind"].as_str().unwrap()));
    let title = |library: &Value| match library["version"].as_str() {
        None => library["kind"].as_str().unwrap().to_owned(),
        Some(version) => {
            let number = version.find(|c: char| c.is_ascii_digit()).unwrap_or(version.len());
            let end = version[number..].find([' ', ',']).map_or(version.len(), |end| number + end);
            version[..end].to_owned()
        }
    };
    whole.map(title).collect()
}

#[test]
fn last_screen_has_every_verdict_and_the_remedies() {
    let told = json(&["--no-measure"]);
    let titles = titles(&told);
    for (columns, rows) in [(80, 24), (100, 40), (200, 50)] {
        let lines = last_screen(doctor(&[]), columns, rows);
        let text = lines.join("\n");
        let marked = lines.iter().filter(|line| line.starts_with(['✓', '!', '✗', '?']));
        let marked: Vec<&str> = marked.map(String::as_str).collect();
        let is_missing = |title: &&String| {
            let start: String = title.chars().take(20).collect();
            let is_it = |line: &&str| line.chars().skip(2).collect::<String>().starts_with(&start);
            !marked.iter().any(is_it)
        };
        // How many fit depends on how many remedies are shown.
        match titles.iter().filter(is_missing).count() {
            0 => {}
            missing => {
                assert_eq!(rows, 24, "{text}");
                assert!(text.contains(&format!("  {missing} more: ropewalk doctor")), "{text}");
            }
        }
        // The first command to run is in the answer, and above it in a form to paste.
        let answer =
            lines.iter().rposition(|line| line.contains("could be") || line.contains("No library"));
        let answer = answer.unwrap_or_else(|| panic!("no answer: {text}"));
        assert!(lines.len() - answer <= 3 && answer > 0, "{text}");
        let last_library = lines.iter().rposition(|line| line.starts_with(['✓', '!', '✗', '?']));
        if let Some((_, command)) = lines[answer..].join(" ").split_once("first: ") {
            let start: String = command.trim().chars().take(16).collect();
            let is_it = |line: &String| line.trim_start().starts_with(start.trim());
            let at = lines[..answer].iter().position(is_it);
            assert!(at.is_some() && at > last_library, "{command} in\n{text}");
        }
        assert!(text.contains("provider"), "{text}");
    }
}

#[test]
fn terminals_of_forty_columns_and_none() {
    let lines = last_screen(doctor(&["--no-measure"]), 40, 60);
    let text = lines.join("\n");
    assert!(text.contains("could be") || text.contains("No library"), "{text}");
    // `COLUMNS=0` and a word are ignored.
    for columns in ["0", "", "many"] {
        let mut doctor = doctor(&["--no-measure"]);
        let output = doctor.env("COLUMNS", columns).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() <= 40, "{text}");
        let is_wide =
            |line: &&str| line.chars().count() > 80 && line.split_whitespace().count() > 3;
        assert_eq!(text.lines().find(is_wide), None, "COLUMNS={columns}");
        assert!(!text.contains('\u{1b}'), "a style without a terminal: {text}");
    }
}

#[test]
fn closed_output_is_no_error_of_the_program() {
    let mut child =
        doctor(&["--no-measure"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn views_show_the_rest() {
    let text = |words: &[&str]| {
        let output = doctor(words).arg("--no-measure").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (screen, all) = (text(&[]), text(&["--all"]));
    let (libraries, backends) = (text(&["--libraries"]), text(&["--backends"]));
    let has = |text: &str| {
        [
            "  file  ",
            "Libraries to compare with",
            "Backends, most preferred first",
            "Processor features",
        ]
        .map(|part| text.contains(part))
    };
    let any = !titles(&json(&["--no-measure"])).is_empty();
    assert_eq!(has(&screen), [false; 4]);
    assert_eq!(has(&all), [any, true, true, true]);
    assert_eq!(has(&libraries), [any, true, false, false]);
    assert_eq!(has(&backends), [false, false, true, true]);
    // The answer is last in each output with libraries.
    for text in [&screen, &all, &libraries] {
        let end: Vec<&str> = text.lines().rev().take(3).collect();
        assert!(
            end.iter().any(|line| line.contains("could be") || line.contains("No library")),
            "{end:?}"
        );
    }
    let both = doctor(&["--libraries", "--backends"]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}

/// A library that could be faster is a fault only with `--strict`.
#[test]
fn strict_counts_what_could_be_faster() {
    let told = json(&["--no-measure"]);
    let status = |words: &[&str]| doctor(words).arg("--no-measure").output().unwrap().status.code();
    let wrong = !told["wrong"].as_array().unwrap().is_empty();
    let old = told["libraries"].as_array().unwrap().iter().any(|library| {
        library["served_by"].is_null()
            && ["old", "unknown"].iter().any(|cause| library["cause"] == *cause)
    });
    assert_eq!(status(&[]), Some(if wrong { 4 } else { 0 }));
    assert_eq!(status(&["--strict"]), Some(if wrong || old { 4 } else { 0 }));
    for field in ["provider", "packages", "remedies", "answer"] {
        assert!(told.get(field).is_some(), "{field}");
    }
}

/// The tasks of the first screen of `speed`.
const HEADLINE: [&str; 10] = [
    "AES-128-GCM seal",
    "AES-128-GCM open",
    "AES-256-GCM seal",
    "AES-256-GCM open",
    "AES-128-CTR",
    "AES-256-XTS",
    "ChaCha20-Poly1305",
    "SHA-256",
    "SHA3-256",
    "HMAC-SHA-256",
];

#[test]
fn speed_is_one_screen_with_every_task() {
    let speed = |words: &[&str]| {
        let mut command = command(Path::new(PROGRAM));
        command.env_remove("COLUMNS").env_remove("LINES").env("LC_ALL", "C.UTF-8");
        command.args(["speed", "--seconds", "0.001"]).args(words);
        command
    };
    for (columns, rows, blocks) in [(80, 24, 1), (100, 40, 2), (200, 50, 2)] {
        let lines = last_screen(speed(&["--peers", "libcrypto,ring"]), columns, rows);
        let text = lines.join("\n");
        for task in HEADLINE {
            let is_it = |line: &&String| line.starts_with(task) && line.contains("B/s");
            let of_task: Vec<_> = lines.iter().filter(is_it).collect();
            assert_eq!(of_task.len(), blocks, "{task} on {columns} x {rows}:\n{text}");
            // Ropewalk, libcrypto with its ratio, and the fastest other one with its ratio.
            for line in of_task {
                assert_eq!(line.matches('x').count(), 2, "{line}\n{text}");
                assert!(line.contains("B/s"), "{line}\n{text}");
                assert!(line.contains("ring") || line.contains("SSL"), "{line}\n{text}");
            }
        }
        assert!(text.contains("task") && text.contains("fastest other"), "{text}");
        let again = "again: ropewalk speed --seconds 0.001 --peers libcrypto,ring";
        let at = lines.iter().position(|line| line == again);
        let after = lines[at.unwrap_or_else(|| panic!("{text}")) + 1..].join(" ");
        assert!(after.starts_with("ropewalk is fastest at "), "{text}");
    }
    // A narrow one has the first columns, and no line that is too long.
    let lines = last_screen(speed(&["--peers", "none", "--quiet"]), 40, 24);
    assert!(lines.iter().any(|line| line.starts_with("SHA3-256")), "{lines:?}");
}

/// Signs are ASCII in a locale without UTF-8, and text has colours on request.
#[test]
fn locale_and_colour() {
    let of = |locale: &str, colour: &str| {
        let mut command = command(Path::new(PROGRAM));
        let words = "speed sha256 --bytes 16 --seconds 0.001 --peers none --wide --color";
        command.args(words.split(' ')).arg(colour).env("LC_ALL", locale);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let ascii = of("C", "never");
    assert!(
        ascii.is_ascii() && ascii.contains("> sha256/") && !ascii.contains('\u{1b}'),
        "{ascii}"
    );
    let colour = of("C.UTF-8", "always");
    assert!(colour.contains('▸') && colour.contains("\u{1b}["), "{colour}");
}
