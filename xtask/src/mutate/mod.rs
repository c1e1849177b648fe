//! `cargo xtask mutate`: a score for the tests. Faults are planted in a copy of the library, each behind a number, and each must
//! be caught by the suite that its line in `faults/` names.
//!
//! The copy is built once. A suite counts a fault as caught where it fails, crashes or hangs with it, and passes without any.

mod copy;
mod faults;
mod filters;
mod suites;
mod table;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{process::SOON, sources, stage::CannotRun};
use suites::{End, Suites, has_run};
use table::{Fault, Suite};

/// Plants the faults that have one of the words in their names, or all, and has each suite try to catch its own.
///
/// # Errors
/// Where a fault is not caught and no reason is known for it, or a suite does not pass without one.
pub fn run(root: &Path, words: &[String]) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(CannotRun("faults are switched on by the loader of Linux".into()).into());
    }
    let all = faults::all();
    let copy = root.join("target/mutate");
    copy::make(root, &copy, &all)?;
    let numbered = all.iter().enumerate().map(|(i, fault)| (i + 1, *fault));
    let mut wanted: Vec<_> = numbered.filter(|(_, fault)| has_one_of(fault.name, words)).collect();
    if wanted.is_empty() {
        bail!("no fault has one of these words in its name: {}", words.join(", "));
    }
    let suites = Suites::build(&copy, &wanted.iter().map(|(_, fault)| fault.suite).collect())?;
    let available = suites.available()?;
    let widths = widths(&wanted);
    let count = wanted.len();
    wanted.retain(|(_, fault)| {
        let lacks = fault.needs.filter(|needs| !available.contains(*needs));
        lacks
            .iter()
            .for_each(|needs| print_line(fault, widths, &format!("not here: needs {needs}")));
        lacks.is_none()
    });
    let limits = limits(&suites, &wanted)?;
    let verdicts = side_by_side(&wanted, |(number, fault)| {
        let (end, took) = suites.run(fault.suite, *number, limits[&fault.suite])?;
        let verdict = Verdict::of(fault, &end);
        print_line(fault, widths, &verdict.in_words(fault, took));
        if let (Verdict::Survives, End::Passes { said }) = (&verdict, &end) {
            println!("{said}")
        }
        Ok(verdict)
    })?;
    judge(&verdicts, count - wanted.len())
}

/// Backends that no fault is for. A new one brings three, so that this number never grows.
const WITHOUT: usize = 75;

/// What is wrong with the table: names that are there twice, backends that there are none of, snippets that are not where they
/// should be, and backends without a fault.
///
/// # Errors
/// Where a source cannot be read.
pub fn complaints(root: &Path) -> Result<Vec<String>> {
    let faults = faults::all();
    let mut complaints = copy::complaints(root, &faults);
    complaints.extend(filters::complaints(root, &faults)?);
    let backends = sources::lists(root)?.into_iter().flat_map(|list| list.backends);
    let backends: BTreeMap<_, _> = backends.map(|backend| (backend.file(), backend.name)).collect();
    let mut without: BTreeSet<_> = backends.values().map(String::as_str).collect();
    let mut names = BTreeSet::new();
    for fault in faults {
        let Fault { name, needs, .. } = *fault;
        if !names.insert(name) {
            complaints.push(format!("{name}: two faults have this name in {TABLE}"));
        }
        if let Some(needs) = needs.filter(|needs| !backends.values().any(|known| known == needs)) {
            complaints.push(format!("{name}: needs {needs}, which is in no list of backends"));
        }
        let of_file = backends.get(&fault.path()).map(String::as_str);
        let of_suite = fault.suite.filter.split([':', ',']);
        for backend in of_suite.chain(needs).chain(of_file) {
            without.remove(backend);
        }
    }
    if without.len() > WITHOUT {
        let names = without.into_iter().collect::<Vec<_>>().join(", ");
        complaints.push(format!("more than {WITHOUT} backends have no fault in {TABLE}: {names}"));
    } else if without.len() < WITHOUT {
        let is = without.len();
        complaints.push(format!(
            "{is} backends have no fault: WITHOUT of xtask/src/mutate/mod.rs is to be that"
        ));
    }
    Ok(complaints)
}

/// Where the faults are.
const TABLE: &str = "xtask/src/mutate/faults";

fn has_one_of(name: &str, words: &[String]) -> bool {
    words.is_empty() || words.iter().any(|word| name.contains(word))
}

/// How long names of faults and suites are.
fn widths(faults: &[(usize, &Fault)]) -> (usize, usize) {
    let longest =
        |of: fn(&Fault) -> usize| faults.iter().map(|(_, fault)| of(fault)).max().unwrap_or(0);
    (longest(|fault| fault.name.len()), longest(|fault| fault.suite.to_string().len()))
}

fn print_line(fault: &Fault, (name, suite): (usize, usize), said: &str) {
    println!("{:name$}  {:suite$}  {said}", fault.name, fault.suite);
}

/// How long each suite may take with a fault: much longer than without one.
fn limits(suites: &Suites, faults: &[(usize, &Fault)]) -> Result<BTreeMap<Suite, Duration>> {
    let used: BTreeSet<_> = faults.iter().map(|(_, fault)| fault.suite).collect();
    let used: Vec<_> = used.into_iter().collect();
    let limits = side_by_side(&used, |suite| {
        let (end, took) = suites.run(*suite, 0, SOON)?;
        Ok(match end {
            End::Passes { said } if has_run(&said) => {
                Ok((*suite, 20 * took + Duration::from_secs(60)))
            }
            End::Passes { .. } => Err(format!("{suite}: no test has this in its name")),
            End::Fails { said } => Err(format!("{suite} fails without a fault:\n{said}")),
            End::Hangs => {
                Err(format!("{suite} is not done without a fault after {} s", SOON.as_secs()))
            }
        })
    })?;
    let (limits, wrong): (Vec<_>, Vec<_>) = limits.into_iter().partition(|limit| limit.is_ok());
    if !wrong.is_empty() {
        let wrong: Vec<_> = wrong.into_iter().filter_map(std::result::Result::err).collect();
        bail!("{}", wrong.join("\n"));
    }
    let limits: BTreeMap<_, _> = limits.into_iter().flatten().collect();
    println!("{} suites pass without a fault", limits.len());
    Ok(limits)
}

/// Does something with each, as many at a time as there are processors.
fn side_by_side<T: Sync, R: Send>(
    of: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some(one) = of.get(next.fetch_add(1, Relaxed)) {
            done.push(work(one)?);
        }
        Ok(done)
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        let mut all = Vec::new();
        for worker in workers {
            let done: Result<Vec<R>> = worker.join().ok().context("a worker does not panic")?;
            all.extend(done?);
        }
        Ok(all)
    })
}

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Caught,
    Hangs,
    Survives,
    /// As its line says.
    SurvivesAsKnown,
    /// Its line has a reason why it should not be.
    CaughtAllTheSame,
}

impl Verdict {
    fn of(fault: &Fault, end: &End) -> Self {
        match (end, fault.survives) {
            (End::Passes { .. }, None) => Self::Survives,
            (End::Passes { .. }, Some(_)) => Self::SurvivesAsKnown,
            (_, Some(_)) => Self::CaughtAllTheSame,
            (End::Fails { .. }, None) => Self::Caught,
            (End::Hangs, None) => Self::Hangs,
        }
    }

    fn in_words(self, fault: &Fault, took: Duration) -> String {
        let seconds = took.as_secs_f64();
        match self {
            Self::Caught => format!("caught in {seconds:.1} s"),
            Self::Hangs => format!("caught: hangs, {seconds:.0} s"),
            Self::Survives => "SURVIVES".into(),
            Self::SurvivesAsKnown => format!("survives: {}", fault.survives.unwrap_or_default()),
            Self::CaughtAllTheSame => {
                format!("CAUGHT in {seconds:.1} s, and its line has a reason why it is not")
            }
        }
    }
}

/// Prints the score, of which so many faults are no part, since they are not for this processor.
fn judge(verdicts: &[Verdict], not_here: usize) -> Result<()> {
    let count = |of: &[Verdict]| verdicts.iter().filter(|verdict| of.contains(verdict)).count();
    let caught = count(&[Verdict::Caught, Verdict::Hangs]);
    let known = count(&[Verdict::SurvivesAsKnown]);
    let mut score = format!("{caught} of {} caught", verdicts.len() - known);
    if known > 0 {
        score += &format!(", {known} survive with a reason");
    }
    println!("{score}, {not_here} not here");
    match count(&[Verdict::Survives, Verdict::CaughtAllTheSame]) {
        0 => Ok(()),
        1 => bail!("1 fault is not caught as its line says"),
        wrong => bail!("{wrong} faults are not caught as their lines say"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::FAULT;

    const KNOWN: Fault = Fault { survives: Some("it is equivalent"), ..FAULT };

    fn passes() -> End {
        End::Passes { said: String::new() }
    }

    fn fails() -> End {
        End::Fails { said: String::new() }
    }

    #[test]
    fn a_fault_is_caught_or_survives() {
        assert_eq!(Verdict::of(&FAULT, &fails()), Verdict::Caught);
        assert_eq!(Verdict::of(&FAULT, &End::Hangs), Verdict::Hangs);
        assert_eq!(Verdict::of(&FAULT, &passes()), Verdict::Survives);
        assert_eq!(Verdict::of(&KNOWN, &passes()), Verdict::SurvivesAsKnown);
        assert_eq!(Verdict::of(&KNOWN, &fails()), Verdict::CaughtAllTheSame);
    }

    #[test]
    fn survivors_fail_and_reasons_that_do_not_hold() {
        use Verdict::*;
        assert!(judge(&[Caught, Hangs, SurvivesAsKnown], 3).is_ok());
        for wrong in [Survives, CaughtAllTheSame] {
            let error = judge(&[Caught, wrong], 0).unwrap_err().to_string();
            assert!(error.contains("1 fault is not caught"), "{error}");
        }
    }

    #[test]
    fn words_choose_by_name() {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        assert!(
            has_one_of("aes-gcm/tag", &[]) && has_one_of("aes-gcm/tag", &words(&["xts", "gcm"]))
        );
        assert!(!has_one_of("aes-gcm/tag", &words(&["xts"])));
    }

    #[test]
    fn all_are_worked_on_once() {
        let numbers: Vec<usize> = (0..100).collect();
        let mut done = side_by_side(&numbers, |number| Ok(2 * number)).unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..100).map(|number| 2 * number).collect::<Vec<_>>());
        assert!(
            side_by_side(&numbers, |number| if *number == 7 { bail!("seven") } else { Ok(()) })
                .is_err()
        );
    }
}
