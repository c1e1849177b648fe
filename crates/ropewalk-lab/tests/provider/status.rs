//! The screens of `provider status`, and the lines of `doctor` about an installed provider.

use std::path::Path;

use serde_json::Value;

use crate::{
    common::runs::{command, stderr},
    installed::{Installed, text},
};

#[test]
fn status_is_five_lines_and_all_has_each_algorithm() {
    let Some(installed) = Installed::with_configuration() else { return };
    let output = installed.provider("status").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output), stderr(&output));
    let said = text(&output);
    let lines: Vec<&str> = said.lines().collect();
    let starts = ["OpenSSL 3", "served ", "not served ", "self-test ", "configuration "];
    assert_eq!(lines.len(), starts.len(), "{said}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{said}");
    }
    assert!(lines[1].contains("43 of 43 algorithms are served by ropewalk"), "{said}");
    assert!(lines[3].contains("passed; 43 of 43 known answers are right"), "{said}");
    assert!(lines[4].contains(installed.configuration().to_str().unwrap()), "{said}");

    let output = installed.provider("status").arg("--all").output().unwrap();
    let all = text(&output);
    assert!(all.starts_with(&said), "{all}");
    let rows = all.lines().filter(|line| line.contains("  ropewalk  "));
    assert_eq!(rows.clone().count(), 43, "{all}");
    assert!(rows.clone().all(|row| row.ends_with("  right")), "{all}");
    assert!(all.contains("  counted: PBKDF2: "), "{all}");

    let status = installed.status();
    assert_eq!(status["self_test"], true);
    let algorithms = status["algorithms"].as_array().unwrap();
    assert!(algorithms.iter().all(|algorithm| algorithm["right"] == true), "{status}");
}

/// Before the installation, without use, and in use.
#[test]
fn doctor_reports_whether_the_provider_is_in_use() {
    let Some(installed) = Installed::new() else { return };
    let doctor = |used: bool, words: &[&str]| {
        let mut doctor = command(Path::new(env!("CARGO_BIN_EXE_ropewalk")));
        doctor.args(["doctor", "--no-measure"]).args(words).env_remove("OPENSSL_CONF");
        doctor.env("XDG_CONFIG_HOME", installed.home());
        if used {
            doctor.env("OPENSSL_CONF", installed.configuration());
        }
        doctor.output().unwrap()
    };
    let told = |used| -> Value {
        let output = doctor(used, &["--json"]);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
    };
    let system = Path::new("/usr/local/etc/ropewalk/openssl.cnf").exists();
    let before = told(false);
    assert_eq!(before["provider"]["at_work"], false);
    assert_eq!(before["provider"]["installed"], system);

    let install = installed.provider("install").arg("--module").arg(installed.module()).output();
    assert!(install.is_ok_and(|output| output.status.success()));
    let there = told(false);
    assert_eq!(there["provider"]["installed"], true, "{}", there["provider"]);
    assert_eq!(there["provider"]["at_work"], false);
    assert!(text(&doctor(false, &[])).contains("provider: installed, and programs"));

    let at_work = told(true);
    assert_eq!(at_work["provider"]["at_work"], true, "{}", at_work["provider"]);
    assert_eq!(at_work["provider"]["served"], 43);
    let served = at_work["libraries"].as_array().unwrap().iter();
    assert_eq!(served.filter(|library| library["served_by"] == "ropewalk").count(), 1);
    let screen = text(&doctor(true, &[]));
    assert!(screen.contains("ropewalk's provider serves here"), "{screen}");
    assert!(!screen.contains("provider install"), "{screen}");
}
