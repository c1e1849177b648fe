//! Stages: parts of a command that are announced, timed and summed up.

use std::{cell::RefCell, fmt, thread, time::Instant};

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

/// What a stage has waited for, and how many seconds.
#[derive(Clone, Debug, PartialEq)]
struct Wait {
    what: String,
    seconds: f64,
}

thread_local! {
    /// Those of the stage that this thread runs; none within one of them.
    static WAITS: RefCell<Option<Vec<Wait>>> = const { RefCell::new(None) };
}

/// Does what is not the stage's own work, such as a download, and has its time told beside the stage's.
pub fn waited<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let Some(mut waits) = WAITS.take() else { return work() };
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs_f64();
    match waits.iter_mut().find(|wait| wait.what == what) {
        Some(wait) => wait.seconds += seconds,
        None => waits.push(Wait { what: what.into(), seconds }),
    }
    WAITS.set(Some(waits));
    done
}

/// The stages of a command.
pub struct Stages {
    ci: bool,
    start: Instant,
    done: Vec<Done>,
    /// Seconds in which two of them ran.
    together: f64,
    /// Parts of the names of those that are run; all, if there is none.
    only: Vec<String>,
}

struct Done {
    name: String,
    outcome: Outcome,
    /// From the start of the command.
    start: f64,
    seconds: f64,
    waits: Vec<Wait>,
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
        Self { ci, start: Instant::now(), done: Vec::new(), together: 0.0, only: Vec::new() }
    }

    /// Runs one, if it is to be run. A failure does not keep the next ones from running.
    pub fn run(&mut self, name: &str, stage: impl FnOnce() -> Result<()>) {
        if self.is_wanted(name) {
            self.done.push(Done::of((self.ci, self.start), name, stage));
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
        let of = (self.ci, self.start);
        let [mut one, mut other] = thread::scope(|scope| {
            let one = scope.spawn(move || Done::of(of, one.0, one.1));
            let other = Done::of(of, other.0, other.1);
            [one.join().expect("a stage does not panic"), other]
        });
        let both = one.together(&other);
        one.waits.push(Wait { what: format!("at the same time as {}", other.name), seconds: both });
        other.waits.push(Wait { what: format!("at the same time as {}", one.name), seconds: both });
        self.together += both;
        self.done.extend([one, other]);
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
        for Done { name, outcome, seconds, waits, .. } in &self.done {
            println!("{name:width$}  {outcome:7}  {seconds:7.1} s{}", told(waits));
        }
        let total = self.start.elapsed().as_secs_f64();
        println!("{:width$}           {total:7.1} s{}", "all", self.sum(total));
        let failed = |done: &&Done| done.outcome == Outcome::Failed;
        let failed: Vec<_> =
            self.done.iter().filter(failed).map(|done| done.name.as_str()).collect();
        if !failed.is_empty() {
            bail!("failed: {}", failed.join(", "));
        }
        Ok(())
    }
}

impl Stages {
    /// Why the times of the stages are not the whole time, where they are not.
    fn sum(&self, total: f64) -> String {
        let sum: f64 = self.done.iter().map(|done| done.seconds).sum();
        let between = total + self.together - sum;
        let parts = [
            (self.together, "s in which two stages ran at the same time"),
            (between, "s between stages"),
        ];
        let parts = parts.iter().filter(|(seconds, _)| *seconds >= LEAST);
        let parts: Vec<_> = parts.map(|(seconds, what)| format!("{seconds:.1} {what}")).collect();
        match parts.is_empty() {
            true => String::new(),
            false => format!("; the stages sum to {sum:.1} s: {}", parts.join(", ")),
        }
    }
}

/// Seconds that are told.
const LEAST: f64 = 0.1;

/// What it has waited for, behind its time.
fn told(waits: &[Wait]) -> String {
    let waits = waits.iter().filter(|wait| wait.seconds >= LEAST);
    let waits: Vec<_> =
        waits.map(|Wait { what, seconds }| format!("{seconds:.1} s {what}")).collect();
    match waits.is_empty() {
        true => String::new(),
        false => format!(", of these {}", waits.join(", ")),
    }
}

impl Done {
    /// `began` is when the command did.
    fn of((ci, began): (bool, Instant), name: &str, stage: impl FnOnce() -> Result<()>) -> Self {
        println!("\n{name}: starts");
        let start = Instant::now();
        WAITS.set(Some(Vec::new()));
        let result = stage();
        let waits = WAITS.take().unwrap_or_default();
        let seconds = start.elapsed().as_secs_f64();
        let outcome = match &result {
            Ok(()) => Outcome::Passed,
            Err(error) if error.is::<CannotRun>() && !ci => Outcome::Skipped,
            Err(_) => Outcome::Failed,
        };
        println!("{name}: {outcome} after {seconds:.1} s{}", told(&waits));
        let error = result.err().map(|error| format!("{error:#}"));
        error.iter().for_each(|error| println!("{error}"));
        let start = start.duration_since(began).as_secs_f64();
        Self { name: name.into(), outcome, start, seconds, waits, error }
    }

    /// Seconds in which both ran.
    fn together(&self, other: &Self) -> f64 {
        let end = |done: &Self| done.start + done.seconds;
        (end(self).min(end(other)) - self.start.max(other.start)).max(0.0)
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
    fn what_was_waited_for_is_told() {
        let wait = |what: &str, seconds| Wait { what: what.into(), seconds };
        assert_eq!(told(&[]), "");
        assert_eq!(
            told(&[
                wait("for downloads", 3.04),
                wait("for nothing", 0.01),
                wait("for a lock", 0.1)
            ]),
            ", of these 3.0 s for downloads, 0.1 s for a lock"
        );
        let done = Done::of((false, Instant::now()), "one", || {
            waited("outer", || waited("inner", || ()));
            waited("outer", || ());
            waited("other", || ());
            Ok(())
        });
        let names: Vec<_> = done.waits.iter().map(|wait| wait.what.as_str()).collect();
        assert_eq!(names, ["outer", "other"], "what is waited for within a wait is part of it");
        assert_eq!(waited("no stage", || 7), 7);
    }

    #[test]
    fn times_add_up() {
        let done = |name: &str, start, seconds| Done {
            name: name.into(),
            outcome: Outcome::Passed,
            start,
            seconds,
            waits: Vec::new(),
            error: None,
        };
        let (one, other) = (done("one", 10.0, 90.0), done("other", 20.0, 200.0));
        assert_eq!((one.together(&other), other.together(&one)), (80.0, 80.0));
        assert_eq!(one.together(&done("later", 300.0, 1.0)), 0.0);
        let mut stages = Stages::strict(false);
        stages.done = vec![one, other];
        stages.together = 80.0;
        assert_eq!(
            stages.sum(215.0),
            "; the stages sum to 290.0 s: 80.0 s in which two stages ran at the same time, 5.0 s between stages"
        );
        stages.together = 0.0;
        assert_eq!(stages.sum(290.0), "");
        let mut stages = Stages::strict(false);
        stages.run_both(("one", || Ok(())), ("other", || Ok(())));
        let of = |i: usize| stages.done[i].waits.last().map(|wait| wait.what.clone());
        assert_eq!(of(0).unwrap(), "at the same time as other");
        assert_eq!(of(1).unwrap(), "at the same time as one");
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
