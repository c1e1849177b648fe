//! The lab's peer of the Linux kernel, on a kernel that has every measured algorithm.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{
    process,
    stage::CannotRun,
    tools::{Uml, must_be_installed},
};

/// The modules that offer algorithms to programs, which the kernel does not load by itself.
const MODULES: [&str; 3] = ["algif_hash", "algif_skcipher", "algif_aead"];

/// Runs the lab's tests of that peer there, and measures it as a user would.
///
/// # Errors
/// Fails if a result is wrong, or an algorithm of the tests is missing.
pub fn run(root: &Path) -> Result<()> {
    if std::env::consts::ARCH != "x86_64" {
        return Err(CannotRun("User Mode Linux is for x86-64".into()).into());
    }
    must_be_installed(&["strip"])?;
    let uml = Uml::get(root)?;
    let mut cargo = process::cargo();
    cargo.args(["test", "--no-run", "--package", "ropewalk-lab", "--test", "kernel"]);
    // The test, and the command that it could call.
    let programs = process::executables(cargo.current_dir(root), |_| true)?;
    let named = |start: &str| {
        let mut names = programs.iter().filter_map(|path| path.file_name()?.to_str());
        names.find(|name| name.starts_with(start)).context("cargo has not built it")
    };
    let script = format!(
        "export ROPEWALK_EXPECT_KERNEL=1 ROPEWALK_PEERS=\n\
         /tests/{} --test-threads 1 --nocapture 2>&1\n\
         /tests/{} speed {} --peers af_alg --bytes 64,1350 --seconds 0.02 --json - 2>/dev/null",
        named("kernel-")?,
        named("ropewalk")?,
        MEASURED.join(" ")
    );
    let said = uml.run(&MODULES, &programs, &script)?;
    for line in said.lines().filter(|line| !line.starts_with('{')) {
        println!("{line}");
    }
    judge(&said)
}

/// One of each type.
const MEASURED: [&str; 3] = ["sha256/digest", "aes-128-cbc/encrypt", "aes-128-gcm/seal"];

/// Checks that each was measured at both sizes, with a named driver and the kernel's time.
fn judge(said: &str) -> Result<()> {
    let records = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let records: Vec<_> = records.filter(|record| record["peer"] == "af_alg").collect();
    for task in MEASURED {
        let (name, op) = task.split_once('/').context("a task has an operation")?;
        let of_task = records.iter().filter(|record| record["task"] == name && record["op"] == op);
        let right = of_task.filter(|record| {
            record["answer"] == "right"
                && record["backend"].as_str().is_some_and(|driver| !driver.is_empty())
                && record["ns"].as_f64() > Some(0.0)
        });
        ensure!(right.count() >= 2, "{task} of af_alg was not measured:\n{said}");
    }
    println!("af_alg: measured {}", MEASURED.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_must_be_right_at_each_size() {
        let record = |task: &str, op: &str, answer: &str, driver: &str| {
            format!(
                "{{\"peer\":\"af_alg\",\"task\":\"{task}\",\"op\":\"{op}\",\"answer\":\"{answer}\",\
                 \"backend\":\"{driver}\",\"ns\":1.5}}\n"
            )
        };
        let all = |answer: &str, driver: &str| -> String {
            let tasks = MEASURED.iter().map(|task| task.split_once('/').unwrap());
            tasks.map(|(name, op)| record(name, op, answer, driver)).collect()
        };
        let right = all("right", "generic");
        assert!(judge(&format!("noise\n{right}{right}")).is_ok());
        assert!(judge(&right).is_err());
        assert!(judge(&format!("{right}{}", all("wrong", "generic"))).is_err());
        assert!(judge(&format!("{right}{}", all("right", ""))).is_err());
        assert!(judge("").is_err());
    }
}
