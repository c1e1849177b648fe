//! `provider status --pid`: programs that do not end.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::{common::runs::command, installed::Installed};

/// A program that prints a hash for each line of its input, and waits for more.
struct Hasher(Child);

impl Hasher {
    fn start(configuration: Option<&Path>, counts: bool) -> Self {
        let program = "import hashlib, sys\n\
                       for line in sys.stdin:\n \
                       print(hashlib.new('sha512_256', line.encode()).hexdigest(), flush=True)";
        let mut python = Command::new("python3");
        python.args(["-c", program]).env_remove("OPENSSL_CONF").env_remove("ROPEWALK_STATS");
        if let Some(configuration) = configuration {
            python.env("OPENSSL_CONF", configuration);
        }
        if counts {
            python.env("ROPEWALK_STATS", "1");
        }
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut started = Self(python.spawn().unwrap());
        started.hash();
        started
    }

    fn hash(&mut self) {
        self.0.stdin.as_mut().unwrap().write_all(b"abc\n").unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line.len(), 65, "{line}");
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn status(installed: &Installed, hasher: &Hasher) -> (Value, i32) {
    let pid = hasher.0.id().to_string();
    let output = installed.provider("status").args(["--json", "--pid", &pid]).output().unwrap();
    let code = output.status.code().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), code)
}

#[test]
fn a_program_that_runs() {
    let Some(installed) = Installed::with_configuration() else { return };
    // It must use the system's OpenSSL, which `status` looks for.
    let linked = Command::new("python3")
        .args(["-c", "import _hashlib; assert 'libcrypto.so' in open('/proc/self/maps').read()"])
        .output();
    if !linked.is_ok_and(|linked| linked.status.success()) {
        eprintln!("skipped: there is no python3 with the system's OpenSSL");
        return;
    }
    let configuration = installed.configuration();
    let mut hasher = Hasher::start(Some(&configuration), true);
    for messages in 1..4 {
        let (status, code) = status(&installed, &hasher);
        assert_eq!(code, 0, "{status}");
        assert_eq!(status["module"], installed.module().to_str().unwrap());
        let counts = status["counts"].as_array().unwrap();
        let of_it = counts.iter().find(|count| count["name"] == "SHA-512/256").expect("it hashes");
        assert_eq!(of_it["bytes"], 4 * messages, "{status}");
        // Python sets up others without calling them.
        assert!(counts.iter().all(|count| count["calls"].as_u64() > Some(0)), "{status}");
        hasher.hash();
    }
    // `doctor` names it too.
    let pid = hasher.0.id().to_string();
    let mut doctor = command(Path::new(env!("CARGO_BIN_EXE_ropewalk")));
    let output = doctor.args(["doctor", "--json", "--pid", &pid]).output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["provider"], installed.module().to_str().unwrap());
    drop(hasher);

    let (silent, code) = status(&installed, &Hasher::start(Some(&configuration), false));
    assert_eq!((code, &silent["counts"]), (0, &Value::Null));
    assert!(silent["uncounted"].as_str().unwrap().contains("ROPEWALK_STATS=1"), "{silent}");

    let (without, code) = status(&installed, &Hasher::start(None, true));
    assert_eq!((code, &without["module"]), (4, &Value::Null));
    let reason = without["reason"].as_str().unwrap();
    assert_eq!(reason, "it has OpenSSL, and was started without OPENSSL_CONF");

    std::fs::remove_file(installed.module()).unwrap();
    let (gone, code) = status(&installed, &Hasher::start(Some(&configuration), true));
    assert_eq!(code, 4);
    assert!(gone["reason"].as_str().unwrap().contains("the loader only"), "{gone}");

    let output = installed.provider("status").args(["--pid", "999999999"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
