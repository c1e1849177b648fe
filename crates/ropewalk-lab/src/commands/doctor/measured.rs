//! Measures which instructions libraries use: each is timed unchanged, and again with instructions hidden
//! from it.

use std::{path::Path, sync::atomic::AtomicBool};

use serde::Serialize;

use crate::{
    filename::shown,
    measure::{
        entrant::{Entrant, Failed, Library, Start},
        field,
        race::{Effort, Measured, Outcome, race},
        reference::{self, OURS},
        way::Way,
    },
    peers::Peer,
    tasks::{Cell, Keys, Mode, TASKS, Task},
};

/// The speed of a library at a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Speed {
    /// `aes-128-gcm/seal`.
    pub(super) task: String,
    /// 10^6 bytes a second; none if it could not be measured.
    pub(super) mb_per_s: Option<f64>,
    /// The same for ropewalk in the same run.
    pub(super) ropewalk_mb_per_s: Option<f64>,
    /// Whether its answer was wrong; it is then not timed.
    pub(super) wrong: bool,
    /// Its time relative to ropewalk's in the same run, with nothing hidden from either.
    pub(super) slower: Option<Times>,
    /// Its use of the instructions of this processor.
    pub(super) uses: Vec<Uses>,
    /// Why there is no figure.
    pub(super) note: Option<String>,
}

/// The ratio of two times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Times {
    /// Of medians.
    pub(super) times: f64,
    /// Whether their intervals do not overlap.
    pub(super) beyond_noise: bool,
}

/// A library's use of some instructions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Uses {
    /// In words.
    pub(super) instructions: &'static str,
    /// The processor feature, as `rustc` spells it.
    pub(super) feature: &'static str,
    /// How many times as long it takes without them.
    pub(super) faster: Option<Times>,
    /// Why it is not known.
    pub(super) note: Option<String>,
}

/// The least slowdown without instructions that are used. If they are not used, the code is the same with and
/// without a mask: medians of processes then differ by a few hundredths.
const USED: f64 = 1.1;

impl Uses {
    /// Whether it uses them; none if not known.
    pub(super) fn used(&self) -> Option<bool> {
        self.faster.map(|faster| faster.beyond_noise && faster.times >= USED)
    }
}

/// A feature that is hidden to determine whether it is used, and the tasks that would use it.
struct Probe {
    instructions: &'static str,
    feature: &'static str,
    of: Of,
}

/// The purpose of instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Aes,
    Ghash,
    Sha256,
}

/// Features of the other architecture are absent.
const PROBES: &[Probe] = &[
    Probe { instructions: "AES instructions", feature: "aes", of: Of::Aes },
    Probe { instructions: "VAES", feature: "vaes", of: Of::Aes },
    Probe { instructions: "carry-less products", feature: "pclmulqdq", of: Of::Ghash },
    Probe { instructions: "SHA instructions", feature: "sha", of: Of::Sha256 },
    Probe { instructions: "SHA instructions", feature: "sha2", of: Of::Sha256 },
];

/// The measured tasks, in this order. The second and later of AES are for libraries that lack those before.
const MEASURED: [(&str, &[Of]); 4] = [
    ("aes-128-gcm/seal", &[Of::Aes, Of::Ghash]),
    ("aes-128-cbc/decrypt", &[Of::Aes]),
    ("aes-256-gcm/seal", &[Of::Aes, Of::Ghash]),
    ("sha256/digest", &[Of::Sha256]),
];

/// A message that is long compared with the cost of a call.
const BYTES: usize = 16 << 10;

/// Seconds of all samples together, of a row at most, and the least for a stable figure.
const WHOLE: f64 = 3.0;
const EACH: f64 = 0.06;
const LEAST: f64 = 0.02;

/// A library to measure, and its peer.
pub(super) struct Candidate<'a> {
    pub(super) peer: &'static dyn Peer,
    pub(super) path: &'a Path,
}

/// A process: of ropewalk, or of a candidate, with or without a hidden feature.
struct Entered {
    candidate: Option<usize>,
    probe: Option<&'static Probe>,
}

/// Measures each of them. `tick` gets the name of each task before it is measured.
///
/// # Errors
/// If the user interrupts.
pub(super) fn measure(
    candidates: &[Candidate<'_>],
    start: &Start,
    stop: &AtomicBool,
    mut tick: impl FnMut(&str),
) -> Result<Vec<Vec<Speed>>, Failed> {
    let (mut entrants, entered) = enter(candidates, start, stop)?;
    let mut speeds: Vec<Vec<Speed>> = candidates.iter().map(|_| Vec::new()).collect();
    let seconds = (WHOLE / entrants.len() as f64).clamp(LEAST, EACH);
    for (name, uses) in MEASURED {
        tick(name);
        let task = task(name);
        let of_aes = uses.contains(&Of::Aes);
        let has =
            |speeds: &[Speed]| speeds.iter().any(|speed| speed.mb_per_s.is_some() || speed.wrong);
        let takes_part: Vec<bool> = speeds.iter().map(|speeds| !(of_aes && has(speeds))).collect();
        if !takes_part.contains(&true) {
            continue;
        }
        let wanted = |entered: &Entered| {
            entered.candidate.is_none_or(|candidate| takes_part[candidate])
                && entered.probe.is_none_or(|probe| uses.contains(&probe.of))
        };
        // The first row of each is its default.
        let mut rows = field::rows(&mut entrants, task, 1, None, stop)?;
        rows.dedup_by_key(|row| row.entrant);
        rows.retain(|row| wanted(&entered[row.entrant]));
        let cell = Cell {
            task,
            bytes: BYTES,
            count: 1,
            mode: Mode::Message,
            mix: None,
            keys: Keys::One,
            stride: None,
        };
        let answer = reference::answer(&cell).map_err(|why| why.0);
        let answer = answer.as_ref().map(String::as_str).map_err(String::as_str);
        let effort = Effort::of(seconds);
        let outcomes = race(&mut entrants, &rows, &cell, answer, (effort, Way::Warm), stop);
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Failed::Interrupted);
        }
        let told: Vec<(&Entered, &Outcome)> =
            rows.iter().map(|row| &entered[row.entrant]).zip(&outcomes).collect();
        for (candidate, speeds) in speeds.iter_mut().enumerate().filter(|(i, _)| takes_part[*i]) {
            if of_aes {
                // Missing tasks do not matter if there is another one.
                speeds.clear();
            }
            speeds.push(speed_at(name, candidate, &told));
        }
    }
    Ok(speeds)
}

/// Starts ropewalk, and each candidate unchanged and with each of the [`PROBES`] hidden from it.
fn enter(
    candidates: &[Candidate<'_>],
    start: &Start,
    stop: &AtomicBool,
) -> Result<(Vec<Entrant>, Vec<Entered>), Failed> {
    // The full processor, without the mask of this process.
    let unmasked = vec![("ROPEWALK_CPU".to_owned(), String::new())];
    let ours = Entrant::enter(OURS, &Library::default(), "", unmasked, start, stop)?;
    let mut entrants = vec![ours];
    let mut entered = vec![Entered { candidate: None, probe: None }];
    for (i, Candidate { peer, path }) in candidates.iter().enumerate() {
        let library = Library::named(&shown(path));
        let bare = Entrant::enter(peer.name(), &library, "", Vec::new(), start, stop)?;
        let version = bare.opened.as_ref().ok().map(|opened| opened.version.clone());
        entrants.push(bare);
        entered.push(Entered { candidate: Some(i), probe: None });
        let Some(version) = version else { continue };
        for probe in PROBES.iter().filter(|probe| is_here(probe.feature)) {
            let mask = format!("-{}", probe.feature);
            let entrant = match peer.mask(&version, &with_dependents(&mask)) {
                Ok(mask_of_it) => {
                    Entrant::enter(peer.name(), &library, &mask, mask_of_it, start, stop)?
                }
                Err(why) => Entrant::absent(peer.name(), &library, &mask, why.0),
            };
            entrants.push(entrant);
            entered.push(Entered { candidate: Some(i), probe: Some(probe) });
        }
    }
    Ok((entrants, entered))
}

fn speed_at(task: &str, candidate: usize, told: &[(&Entered, &Outcome)]) -> Speed {
    let of = |candidate| {
        let found = told.iter().find(|(e, _)| e.candidate == candidate && e.probe.is_none());
        found.map(|(_, outcome)| *outcome)
    };
    let (ours, bare) = (of(None).and_then(measured), of(Some(candidate)));
    let mut speed = Speed { task: task.into(), ..Speed::default() };
    let bare = match bare {
        Some(Outcome::Measured(bare)) => bare,
        Some(Outcome::Wrong) => return Speed { wrong: true, ..speed },
        Some(Outcome::Absent(why)) => return Speed { note: Some(why.clone()), ..speed },
        None => return speed,
    };
    speed.mb_per_s = Some(BYTES as f64 * 1e3 / bare.ns.value);
    speed.ropewalk_mb_per_s = ours.map(|ours| BYTES as f64 * 1e3 / ours.ns.value);
    speed.slower = ours.map(|ours| Times::of(bare, ours));
    let masked = told.iter().filter(|(entered, _)| entered.candidate == Some(candidate));
    speed.uses = masked
        .filter_map(|(entered, outcome)| {
            let Probe { instructions, feature, .. } = *entered.probe?;
            let (faster, note) = match outcome {
                Outcome::Measured(without) => (Some(Times::of(without, bare)), None),
                Outcome::Wrong => (None, Some("its answer without them is wrong".into())),
                Outcome::Absent(why) => (None, Some(why.clone())),
            };
            Some(Uses { instructions, feature, faster, note })
        })
        .collect();
    speed
}

fn measured(outcome: &Outcome) -> Option<&Measured> {
    match outcome {
        Outcome::Measured(measured) => Some(measured),
        _ => None,
    }
}

impl Times {
    fn of(slow: &Measured, fast: &Measured) -> Self {
        let apart = match (slow.ns.interval, fast.ns.interval) {
            (Some((least, _)), Some((_, most))) => least > most,
            _ => false,
        };
        Self { times: slow.ns.value / fast.ns.value, beyond_noise: apart }
    }
}

fn task(name: &str) -> &'static Task {
    TASKS.iter().find(|task| task.full_name() == name).expect("it is in the list")
}

/// Whether this processor has it, even if it is masked in ropewalk.
fn is_here(feature: &str) -> bool {
    let here = |f: &&ropewalk::cpu::Feature| f.name == feature && f.arch == std::env::consts::ARCH;
    ropewalk::cpu::FEATURES.iter().find(here).is_some_and(ropewalk::cpu::Feature::present)
}

/// The features of this architecture that a mask disables.
fn with_dependents(mask: &str) -> Vec<&'static str> {
    let off = ropewalk::cpu::masked_by(mask).expect("probes have names of features");
    off.filter(|feature| feature.arch == std::env::consts::ARCH).map(|f| f.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{
        statistics::{Median, Turns},
        usage::Usage,
    };

    fn taking(ns: f64, noise: f64) -> Measured {
        Measured {
            ns: Median { value: ns, interval: Some((ns - noise, ns + noise)) },
            cycles: None,
            usage: Usage::default(),
            messages: 1.0,
            ghz: None,
            turns: Turns::default(),
            beside: 0.0,
            note: String::new(),
            besides: Box::default(),
        }
    }

    #[test]
    fn every_probe_is_a_feature_and_every_task_there() {
        for probe in PROBES {
            assert!(ropewalk::cpu::FEATURES.iter().any(|f| f.name == probe.feature));
            assert!(MEASURED.iter().any(|(_, of)| of.contains(&probe.of)));
        }
        assert!(MEASURED.iter().all(|(name, _)| task(name).full_name() == *name));
    }

    #[test]
    fn what_is_in_the_noise_is_no_difference() {
        let uses = |without: f64, noise: f64| {
            let faster = Some(Times::of(&taking(without, noise), &taking(100.0, noise)));
            Uses { instructions: "VAES", feature: "vaes", faster, note: None }.used()
        };
        assert_eq!(uses(2100.0, 10.0), Some(true));
        assert_eq!(uses(105.0, 1.0), Some(false));
        assert_eq!(uses(130.0, 20.0), Some(false));
        let unknown = Uses { instructions: "", feature: "", faster: None, note: None };
        assert_eq!(unknown.used(), None);
    }

    #[test]
    fn outcomes_become_speeds() {
        let [ours, bare, masked] = [(None, None), (Some(0), None), (Some(0), Some(&PROBES[0]))]
            .map(|(candidate, probe)| Entered { candidate, probe });
        let outcomes =
            [taking(1000.0, 5.0), taking(2600.0, 5.0), taking(52e3, 90.0)].map(Outcome::Measured);
        let told: Vec<_> = [&ours, &bare, &masked].into_iter().zip(&outcomes).collect();
        let speed = speed_at(MEASURED[0].0, 0, &told);
        assert_eq!(speed.slower, Some(Times { times: 2.6, beyond_noise: true }));
        assert_eq!(speed.uses[0].faster, Some(Times { times: 20.0, beyond_noise: true }));
        assert_eq!(speed.mb_per_s.map(f64::round), Some(6302.0));

        let wrong = speed_at(MEASURED[0].0, 0, &[(&bare, &Outcome::Wrong)]);
        assert!(wrong.wrong && wrong.mb_per_s.is_none());
        let absent = Outcome::Absent("killed by SIGILL".into());
        let absent = speed_at(MEASURED[0].0, 0, &[(&ours, &outcomes[0]), (&bare, &absent)]);
        assert_eq!(absent.note.as_deref(), Some("killed by SIGILL"));
    }
}
