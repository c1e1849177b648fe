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
    /// The waits of the stage that this thread runs; none outside of a stage and within a wait.
    static WAITS: RefCell<Option<Vec<Wait>>> = const { RefCell::new(None) };
}

/// Does what is not the stage's own work, such as a download. The summary prints its time after that of the stage.
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
    /// Parts of the names of the stages that run; all run if there is none.
    only: Vec<String>,
}

#[derive(Debug)]
struct Done {
    name: String,
    outcome: Outcome,
    /// From the start of the command.
    start: f64,
    seconds: f64,
    /// Seconds in which a stage of another row ran.
    beside: f64,
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
    /// No stage yet. The environment variable `CI` decides whether a stage that cannot run has failed.
    pub fn new() -> Self {
        Self::strict(is_ci())
    }

    /// As [`new`](Self::new). Only stages run whose names contain one of these words.
    pub fn only(words: &[String]) -> Self {
        Self { only: words.to_vec(), ..Self::new() }
    }

    fn strict(ci: bool) -> Self {
        Self { ci, start: Instant::now(), done: Vec::new(), together: 0.0, only: Vec::new() }
    }

    /// Runs a stage, if its name is wanted. The stages after a failed one run all the same.
    pub fn run(&mut self, name: &str, stage: impl FnOnce() -> Result<()>) {
        if self.is_wanted(name) {
            self.done.push(Done::of((self.ci, self.start), name, stage));
        }
    }

    /// Runs two rows of stages at the same time, each in its order. Their output is mixed.
    pub fn run_rows(&mut self, one: impl FnOnce(&mut Self) + Send, other: impl FnOnce(&mut Self)) {
        let row = || Self { done: Vec::new(), only: self.only.clone(), ..*self };
        let (mut first, mut second) = (row(), row());
        thread::scope(|scope| {
            let first = &mut first;
            scope.spawn(move || one(first));
            other(&mut second);
        });
        for one in &mut first.done {
            for other in &mut second.done {
                let both = one.together(other);
                one.beside += both;
                other.beside += both;
                self.together += both;
            }
        }
        self.done.extend(first.done.into_iter().chain(second.done));
    }

    fn is_wanted(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| is_in(word, name))
    }

    /// Prints the errors once more, since much may have been printed after them, and the summary.
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
        for Done { name, outcome, seconds, beside, waits, .. } in &self.done {
            let beside = Wait { what: "at the same time as others".into(), seconds: *beside };
            let parts = told(&[&waits[..], &[beside]].concat());
            println!("{name:width$}  {outcome:7}  {seconds:7.1} s{parts}");
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
    /// Why the times of the stages do not sum to the whole time, if they do not.
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

/// Shorter times, in seconds, are not printed.
const LEAST: f64 = 0.1;

/// The parts of a stage's time, after that time.
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
    /// Runs a stage of a command that began at `began`.
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
        Self { name: name.into(), outcome, start, seconds, beside: 0.0, waits, error }
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

/// Whether a name contains a word. A number at its end is whole: `cortex-a7` is not in `cortex-a76`.
fn is_in(word: &str, name: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    name.match_indices(word)
        .any(|(at, _)| !(word.ends_with(is_digit) && name[at + word.len()..].starts_with(is_digit)))
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    fn outcomes(ci: bool) -> Vec<Outcome> {
        let mut stages = Stages::strict(ci);
        stages.run("passes", || Ok(()));
        stages.run("lacks", || Err(CannotRun("no such tool".into()).into()));
        stages.run_rows(
            |row| row.run("fails", || bail!("wrong")),
            |row| row.run("passes in another row", || Ok(())),
        );
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
            beside: 0.0,
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
    }

    #[test]
    fn rows_run_at_the_same_time() {
        let (to_first, in_first) = mpsc::channel();
        let (to_second, in_second) = mpsc::channel();
        let mut stages = Stages::strict(false);
        stages.run_rows(
            move |row| {
                row.run("one", move || Ok(to_second.send(())?));
                row.run("two", move || Ok(in_first.recv()?));
            },
            |row| {
                row.run("three", || {
                    in_second.recv()?;
                    thread::sleep(Duration::from_millis(2));
                    Ok(to_first.send(())?)
                });
            },
        );
        let names: Vec<_> = stages.done.iter().map(|done| done.name.as_str()).collect();
        assert_eq!(names, ["one", "two", "three"]);
        let [_, two, three] = &stages.done[..] else { panic!("three stages") };
        assert!(two.beside > 0.0 && three.beside >= two.beside, "{two:?}, {three:?}");
        assert!(stages.together > 0.0);
        assert!(stages.finish().is_ok());
    }

    #[test]
    fn those_that_are_named_are_run() {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let run = |only: &[&str]| {
            let mut stages = Stages::only(&words(only));
            stages.run("tests on max", || Ok(()));
            stages.run("tests on max without AES", || Ok(()));
            stages.run_rows(
                |row| row.run("sizes", || bail!("wrong")),
                |row| row.run("other row", || Ok(())),
            );
            let names: Vec<_> = stages.done.iter().map(|done| done.name.clone()).collect();
            (names, stages.finish().is_ok())
        };
        assert_eq!(run(&["AES"]), (words(&["tests on max without AES"]), true));
        assert_eq!(run(&["max"]).0.len(), 2);
        assert_eq!(run(&[]).0.len(), 4);
        assert_eq!(run(&["other"]), (words(&["other row"]), true));
        assert_eq!(run(&["none"]), (Vec::new(), false));
    }

    #[test]
    fn number_at_the_end_of_a_word_is_whole() {
        assert!(is_in("cortex-a7", "tests on cortex-a7 without NEON"));
        assert!(is_in("cortex-a7", "cortex-a76 and cortex-a7"));
        assert!(!is_in("cortex-a7", "tests on cortex-a76"));
        assert!(is_in("past 4", "messages past 4 GiB"));
        assert!(is_in("verdict", "verdicts"));
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
