//! Warnings about the figures, with remedies.

use std::fmt;

use crate::{filename::text_shown, measure::race::Measured, stdio, terminal};

/// Every warning. Its text includes the remedy; its number is for scripts and for docs/lab.md, and never
/// changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// This program was built without optimisation.
    DebugBuild,
    /// Nothing pins the work to one core.
    NotPinned(String),
    /// Core cycles cannot be measured on this architecture.
    NoCycles,
    /// The core changes its frequency, or has other work.
    Unsteady,
    /// The frequency governor.
    Governor(String),
    /// Cores may temporarily exceed their frequency.
    Boost,
    /// The clock source of the system.
    ClockSource(String),
    /// The cores that a control group allows.
    Quota(f64),
    /// How often the control group has throttled the process.
    Throttled(u64),
    /// The fraction of time that the host took.
    Stolen(f64),
    /// The fraction of samples in which another thread used the core.
    Neighbour(f64),
    /// The relative drift of the system's clock from the raw one, which time daemons do not adjust.
    Drift(f64),
    /// Rows with fewer samples than an interval needs, and all rows.
    FewSamples(usize, usize),
    /// Rows whose time was used up before they were certain.
    Unsure {
        /// Their number.
        rows: usize,
        /// How many of them are not even roughly known.
        roughly: usize,
        /// The number of all rows.
        of: usize,
    },
    /// Something is faster than its bound.
    BoundBeaten(String),
    /// The list of fetched libraries cannot be read.
    NotListed(String),
}

impl Warning {
    /// Its number.
    pub fn number(&self) -> u32 {
        match self {
            Self::DebugBuild => 1,
            Self::NotPinned(_) => 2,
            Self::NoCycles => 3,
            Self::Unsteady => 4,
            Self::Governor(_) => 5,
            Self::Boost => 6,
            Self::ClockSource(_) => 7,
            Self::Quota(_) => 8,
            Self::Throttled(_) => 9,
            Self::Stolen(_) => 10,
            Self::Neighbour(_) => 11,
            Self::Drift(_) => 12,
            Self::FewSamples(..) => 13,
            Self::Unsure { .. } => 14,
            Self::BoundBeaten(_) => 15,
            Self::NotListed(_) => 16,
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: &f64| part * 100.0;
        match self {
            Self::DebugBuild => f.write_str(
                "this is a debug build, its figures mean nothing; build it with --release",
            ),
            Self::NotPinned(why) => write!(
                f,
                "the work may move from core to core ({why}); figures scatter, try taskset -c 0"
            ),
            Self::NoCycles => f.write_str(
                "core cycles cannot be told on this architecture; compare by time, at one frequency",
            ),
            Self::Unsteady => f.write_str(
                "the core's frequency could not be told; leave the machine alone while it measures",
            ),
            Self::Governor(name) => write!(
                f,
                "the governor is {name}, so cores start slowly; compare cycles, or cpupower frequency-set -g performance"
            ),
            Self::Boost => f.write_str(
                "cores run faster while few of them work; compare cycles, or switch boost off: echo 0 > \
                 /sys/devices/system/cpu/cpufreq/boost (Intel: echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo)",
            ),
            Self::ClockSource(name) => write!(
                f,
                "the system reads its clock from {name}, which takes a microsecond; tsc, if the processor has a steady one: echo \
                 tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource"
            ),
            Self::Quota(cores) => write!(
                f,
                "this control group has {cores:.2} cores, and waits when they are used up; measure outside it, or with fewer threads"
            ),
            Self::Throttled(times) => write!(
                f,
                "the control group's time was used up {times} times meanwhile; measure outside it, or with fewer threads"
            ),
            Self::Stolen(part) => write!(
                f,
                "the host gave {:.0} % of the time to others; measure again, and compare cycles and ratios only",
                percent(part)
            ),
            Self::Neighbour(part) => write!(
                f,
                "beside {:.0} % of the samples another thread used the same core; leave its sibling idle, or switch it off: echo off \
                 > /sys/devices/system/cpu/smt/control",
                percent(part)
            ),
            Self::Drift(part) => write!(
                f,
                "the clock ran {:.2} % {} than it should: times are wrong by as much; let the time daemon settle, and measure again",
                percent(&part.abs()),
                if *part > 0.0 { "faster" } else { "slower" }
            ),
            Self::FewSamples(rows, of) => write!(
                f,
                "{rows} of {of} figures have too few samples to say how sure they are; give --seconds more"
            ),
            Self::Unsure { rows, roughly, of } => write!(
                f,
                "{roughly} of {of} figures are not known to {:.0} %, and {rows} not to 1 %: their time was up; leave the machine \
                 alone, or give --seconds more",
                percent(&ROUGHLY)
            ),
            Self::BoundBeaten(task) => write!(
                f,
                "something is faster at {task} than its bound, which is wrong then; see ropewalk limits --explain {task}"
            ),
            Self::NotListed(why) => {
                write!(f, "the list of fetched libraries is of no use ({why}); run cargo xtask peers")
            }
        }
    }
}

/// Prints a warning to standard error.
pub fn warn(warning: &Warning) {
    const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
    let (head, text) = lines(warning, terminal::error_columns());
    stdio::say(format_args!("{YELLOW}{head}:{YELLOW:#} {text}"));
}

/// Its number, and its text in lines that fit the terminal; in one line without a terminal.
fn lines(warning: &Warning, columns: Option<usize>) -> (String, String) {
    let head = format!("warning {:02}", warning.number());
    let text = text_shown(&warning.to_string()).into_owned();
    let Some(columns) = columns else { return (head, text) };
    let all = textwrap::fill(&format!("{head}: {text}"), terminal::whole_words(columns));
    let text = all.strip_prefix(&format!("{head}: ")).unwrap_or(&text).to_owned();
    (head, text)
}

/// Collects the uncertainty of figures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    figures: usize,
    few: usize,
    unsure: usize,
    rough: usize,
    beside: f64,
}

/// The fraction of samples that may have had another thread on the core: an interrupt looks the same.
const BESIDE: f64 = 0.1;
/// A figure whose interval is as wide as this fraction of it is not reliable. On a shared machine most intervals are
/// wider than their target, and still distinguish libraries.
const ROUGHLY: f64 = 0.05;

impl Doubts {
    /// Adds a figure.
    pub fn add(&mut self, measured: &Measured) {
        self.figures += 1;
        self.few += usize::from(measured.ns.interval.is_none());
        self.unsure += usize::from(!measured.is_sure());
        self.rough += usize::from(measured.turns.interval().is_some_and(|wide| wide > ROUGHLY));
        self.beside += measured.beside;
    }

    /// The warnings for all of them. `sure` states whether they had enough time.
    pub fn warnings(&self, sure: bool) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let beside = self.beside / self.figures.max(1) as f64;
        if beside > BESIDE {
            warnings.push(Warning::Neighbour(beside));
        }
        if self.few > 0 {
            warnings.push(Warning::FewSamples(self.few, self.figures));
        }
        if self.rough > 0 && sure {
            let Self { figures: of, unsure: rows, rough: roughly, .. } = *self;
            warnings.push(Warning::Unsure { rows, roughly, of });
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{
        statistics::{Median, Turns},
        usage::Usage,
    };

    fn one_of_each() -> Vec<Warning> {
        vec![
            Warning::DebugBuild,
            Warning::NotPinned("why".into()),
            Warning::NoCycles,
            Warning::Unsteady,
            Warning::Governor("powersave".into()),
            Warning::Boost,
            Warning::ClockSource("hpet".into()),
            Warning::Quota(1.5),
            Warning::Throttled(3),
            Warning::Stolen(0.1),
            Warning::Neighbour(0.5),
            Warning::Drift(-0.01),
            Warning::FewSamples(1, 2),
            Warning::Unsure { rows: 2, roughly: 1, of: 3 },
            Warning::BoundBeaten("sha256/digest".into()),
            Warning::NotListed("why".into()),
        ]
    }

    /// Scripts and readers know warnings by their numbers, and each states a remedy.
    #[test]
    fn every_warning_has_its_number_and_is_in_the_manual() {
        let manual = include_str!("../../../docs/lab.md");
        for (i, warning) in one_of_each().iter().enumerate() {
            assert_eq!(warning.number() as usize, i + 1);
            let row = format!("| {:02} |", warning.number());
            assert!(manual.contains(&row), "docs/lab.md has no warning {row}");
            let text = warning.to_string();
            assert!(text.contains([';', ':', ',']) && !text.contains('\n'), "{text}");
        }
        assert_eq!(
            Warning::Drift(-0.01).to_string().split(':').next(),
            Some("the clock ran 1.00 % slower than it should")
        );
    }

    #[test]
    fn lines_end_between_words() {
        let warning = Warning::Unsure { rows: 24, roughly: 12, of: 30 };
        let whole = warning.to_string();
        assert_eq!(lines(&warning, None), ("warning 14".into(), whole.clone()));
        for columns in [40, 80, 200] {
            let (head, text) = lines(&warning, Some(columns));
            let said = format!("{head}: {text}");
            assert!(said.lines().all(|line| line.chars().count() <= columns), "{said}");
            assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), whole);
        }
    }

    #[test]
    fn doubts_add_up() {
        let of = |turns: &[f64], interval, beside| Measured {
            ns: Median { value: 100.0, interval },
            cycles: None,
            usage: Usage::default(),
            messages: 1.0,
            ghz: None,
            turns: Turns { ns: turns.into(), cycles: Vec::new() },
            beside,
            note: String::new(),
            besides: Box::default(),
        };
        let some = Some((99.0, 101.0));
        let mut doubts = Doubts::default();
        doubts.add(&of(&[100.0; 6], some, 0.0));
        assert_eq!(doubts.warnings(true), []);
        doubts.add(&of(&[100.0, 100.0, 100.0, 100.0, 100.0, 102.0], some, 0.1));
        assert_eq!(doubts.warnings(true), [], "it is known to 2 %");
        doubts.add(&of(&[100.0, 100.0, 100.0, 100.0, 100.0, 106.0], some, 0.1));
        let unsure = Warning::Unsure { rows: 2, roughly: 1, of: 3 };
        assert_eq!(doubts.warnings(true), [unsure]);
        assert_eq!(doubts.warnings(false), []);
        doubts.add(&of(&[100.0; 2], None, 0.8));
        let want = [
            Warning::Neighbour(0.25),
            Warning::FewSamples(1, 4),
            Warning::Unsure { rows: 3, roughly: 1, of: 4 },
        ];
        for (found, want) in doubts.warnings(true).iter().zip(&want) {
            assert_eq!(found.to_string(), want.to_string());
        }
        assert_eq!(doubts.warnings(true).len(), 3);
    }
}
