//! Runs what was built under an emulator, in a folder that has nothing else.

use std::{collections::BTreeSet, process::Command, time::Duration};

use super::*;
use crate::expect::expected_here;

/// Long enough for an emulator on a slow machine.
const LIMIT: Duration = Duration::from_secs(300);

/// A short measurement. Under an emulator the figures mean nothing; that the command runs does.
const SPEED: &[&str] =
    &["speed", "aes-128-gcm", "sha256", "--wide", "--bytes", "64,1350", "--seconds", "0.02"];

impl Dist {
    /// Runs every backend on every emulated processor, and on this one if the target has its architecture.
    ///
    /// # Errors
    /// Fails where a result is wrong, or a processor lacks something that its data sheet promises.
    pub fn try_answers(&self) -> Result<()> {
        let target = self.toolchain.target;
        if std::env::consts::ARCH == target.arch {
            let program = process::program(self.folder.join(BUILT[0].file));
            answers(program, &expected_here(&self.root, &[])?)?;
            println!("selftest here: every backend is right that runs here");
        }
        for model in models(target) {
            let expected = model.expected(&self.root, &[])?;
            let found = answers(self.on(model, &self.folder), &expected);
            found.with_context(|| format!("selftest on {}", model.name))?;
            println!(
                "selftest on {}: right, all {} backends that it must have",
                model.name,
                expected.len()
            );
        }
        Ok(())
    }

    /// Copies the folder elsewhere, and runs the lab's commands in it on one processor.
    ///
    /// # Errors
    /// Where one does not do its work.
    pub fn try_commands(&self, model: &Model) -> Result<()> {
        let elsewhere = tempfile::tempdir()?;
        copy(&self.folder, elsewhere.path())?;
        let page = elsewhere.path().join(shell::PAGES).join("ropewalk-speed.1");
        ensure!(fs::read_to_string(page)?.contains("openssl speed"), "a manual page is empty");
        let command = || {
            let mut command = self.on(model, elsewhere.path());
            command.current_dir(elsewhere.path());
            command
        };
        let expected = model.expected(&self.root, &[])?;
        answers(command(), &expected)?;
        // Whether it calls a library of this machine slow is not asked.
        let said = process::answer(command().args(["doctor", "--all"]), LIMIT)?;
        let silent: Vec<_> = expected.iter().filter(|name| !said.contains(name.as_str())).collect();
        ensure!(silent.is_empty(), "doctor does not speak of {silent:?}: {said}");
        let said = process::output(command().args(SPEED), LIMIT)?;
        ensure!(said.contains("aes_gcm/"), "speed has no row of ours: {said}");
        println!("selftest, doctor and speed on {}: fine", model.name);
        Ok(())
    }

    fn on(&self, model: &Model, folder: &Path) -> Command {
        let mut command = self.toolchain.emulated(&self.qemu, model);
        command.arg(folder.join(BUILT[0].file));
        command
    }
}

/// Copies all that is in a folder into another that there is.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => {
                fs::create_dir(&to)?;
                copy(&entry.path(), &to)?;
            }
            false => _ = fs::copy(entry.path(), to)?,
        }
    }
    Ok(())
}

/// Runs the self test of a lab, and holds what ran against what must.
fn answers(mut lab: Command, expected: &[String]) -> Result<()> {
    holds(&process::output(lab.arg("selftest"), LIMIT)?, expected)
}

/// `sha256  sha256/aarch64/sha2  ok` is a backend that is right.
fn holds(said: &str, expected: &[String]) -> Result<()> {
    let ran: BTreeSet<_> = said
        .lines()
        .filter_map(|line| line.split_whitespace().collect::<Vec<_>>().get(1..3)?.try_into().ok())
        .filter_map(|[name, word]: [&str; 2]| (word == "ok").then_some(name))
        .collect();
    let expected: BTreeSet<_> = expected.iter().map(String::as_str).collect();
    let list = |names: Vec<&&str>| names.into_iter().copied().collect::<Vec<_>>().join(", ");
    let missing = list(expected.difference(&ran).collect());
    ensure!(missing.is_empty(), "not run: {missing}");
    let more = list(ran.difference(&expected).collect());
    ensure!(more.is_empty(), "nothing promises {more}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_what_is_promised() {
        let said = "sha256       sha256/aarch64/sha2    ok\n\
                    sha256       sha256/portable        ok\n\
                    sha256-many  sha256/aarch64/neon_x4 not here\n";
        let [sha2, neon, portable] =
            ["sha256/aarch64/sha2", "sha256/aarch64/neon_x4", "sha256/portable"];
        assert!(holds(said, &[portable, sha2].map(String::from)).is_ok());
        let why = |expected: &[&str]| {
            let expected: Vec<_> = expected.iter().map(|name| String::from(*name)).collect();
            holds(said, &expected).unwrap_err().to_string()
        };
        assert_eq!(why(&[portable, sha2, neon]), "not run: sha256/aarch64/neon_x4");
        assert_eq!(why(&[portable]), "nothing promises sha256/aarch64/sha2");
    }
}
