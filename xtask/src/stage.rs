//! Stages: parts of a command that are announced, timed and summed up.

use std::{fmt, thread, time::Instant};

use anyhow::{Result, bail};

/// What a stage lacks on this machine, and how to get it. Where `CI=true`, it is a failure.
#[derive(Debug)]
pub struct CannotRun(pub String);

impl fmt::Display for CannotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotRun {}

/// Whether what cannot run is a failure.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// The stages of a command.
pub struct Stages {
    ci: bool,
    start: Instant,
    done: Vec<Done>,
    /// Parts of the names of those that are run; all, if there is none.
    only: Vec<String>,
}

struct Done {
    name: String,
    outcome: Outcome,
    seconds: f64,
    /// What was wrong.
    error: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped,
    Failed,
}

impl Stages {
    /// None yet. The environment variable `CI` decides what a stage that cannot run means.
    pub fn new() -> Self {
        Self::strict(is_ci())
    }

    /// The same, of which only those are run whose names have one of these words in them.
    pub fn only(words: &[String]) -> Self {
        Self { only: words.to_vec(), ..Self::new() }
    }

    fn strict(ci: bool) -> Self {
        Self { ci, start: Instant::now(), done: Vec::new(), only: Vec::new() }
    }

    /// Runs one, if it is to be run. A failure does not keep the next ones from running.
    pub fn run(&mut self, name: &str, stage: impl FnOnce() -> Result<()>) {
        if self.is_wanted(name) {
            self.done.push(Done::of(self.ci, name, stage));
        }
    }

    /// Runs two, one beside the other: what they print is mixed.
    pub fn run_both(
        &mut self,
        one: (&str, impl FnOnce() -> Result<()> + Send),
        other: (&str, impl FnOnce() -> Result<()>),
    ) {
        match (self.is_wanted(one.0), self.is_wanted(other.0)) {
            (true, true) => {}
            (true, false) => return self.run(one.0, one.1),
            (false, _) => return self.run(other.0, other.1),
        }
        let ci = self.ci;
        self.done.extend(thread::scope(|scope| {
            let one = scope.spawn(move || Done::of(ci, one.0, one.1));
            let other = Done::of(ci, other.0, other.1);
            [one.join().expect("a stage does not panic"), other]
        }));
    }

    fn is_wanted(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| name.contains(word))
    }

    /// Prints what has failed once more, for much may have been printed since, and the summary.
    ///
    /// # Errors
    /// Where a stage has failed, or none was run.
    pub fn finish(self) -> Result<()> {
        if self.done.is_empty() {
            bail!("no stage has one of these words in its name: {}", self.only.join(", "));
        }
        let width = self.done.iter().map(|done| done.name.len()).max().unwrap_or(0);
        for Done { name, error, .. } in &self.done {
            error.iter().for_each(|error| println!("\n{name}: {error}"));
        }
        println!();
        for Done { name, outcome, seconds, .. } in &self.done {
            println!("{name:width$}  {outcome:7}  {seconds:7.1} s");
        }
        let total = self.start.elapsed().as_secs_f64();
        println!("{:width$}           {total:7.1} s", "all");
        let failed = |done: &&Done| done.outcome == Outcome::Failed;
        let failed: Vec<_> =
            self.done.iter().filter(failed).map(|done| done.name.as_str()).collect();
        if !failed.is_empty() {
            bail!("failed: {}", failed.join(", "));
        }
        Ok(())
    }
}

impl Done {
    fn of(ci: bool, name: &str, stage: impl FnOnce() -> Result<()>) -> Self {
        println!("\n{name}: starts");
        let start = Instant::now();
        let result = stage();
        let seconds = start.elapsed().as_secs_f64();
        let outcome = match &result {
            Ok(()) => Outcome::Passed,
            Err(error) if error.is::<CannotRun>() && !ci => Outcome::Skipped,
            Err(_) => Outcome::Failed,
        };
        println!("{name}: {outcome} after {seconds:.1} s");
        let error = result.err().map(|error| format!("{error:#}"));
        error.iter().for_each(|error| println!("{error}"));
        Self { name: name.into(), outcome, seconds, error }
    }
}

impl Default for Stages {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed => "FAILED",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(ci: bool) -> Vec<Outcome> {
        let mut stages = Stages::strict(ci);
        stages.run("passes", || Ok(()));
        stages.run("lacks", || Err(CannotRun("no such tool".into()).into()));
        stages.run_both(("fails", || bail!("wrong")), ("passes beside it", || Ok(())));
        let outcomes = stages.done.iter().map(|done| done.outcome).collect();
        assert!(stages.finish().is_err());
        outcomes
    }

    #[test]
    fn those_that_are_named_are_run() {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let run = |only: &[&str]| {
            let mut stages = Stages::only(&words(only));
            stages.run("tests on max", || Ok(()));
            stages.run("tests on max without AES", || Ok(()));
            stages.run_both(("sizes", || bail!("wrong")), ("beside it", || Ok(())));
            let names: Vec<_> = stages.done.iter().map(|done| done.name.clone()).collect();
            (names, stages.finish().is_ok())
        };
        assert_eq!(run(&["AES"]), (words(&["tests on max without AES"]), true));
        assert_eq!(run(&["max"]).0.len(), 2);
        assert_eq!(run(&[]).0.len(), 4);
        assert_eq!(run(&["beside"]), (words(&["beside it"]), true));
        assert_eq!(run(&["none"]), (Vec::new(), false));
    }

    #[test]
    fn what_cannot_run_fails_only_in_ci() {
        assert_eq!(
            outcomes(false),
            [Outcome::Passed, Outcome::Skipped, Outcome::Failed, Outcome::Passed]
        );
        assert_eq!(
            outcomes(true),
            [Outcome::Passed, Outcome::Failed, Outcome::Failed, Outcome::Passed]
        );
    }
}
