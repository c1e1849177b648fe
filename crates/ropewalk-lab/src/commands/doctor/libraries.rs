//! Every installed cryptographic library, and the verdict on it.

use std::{
    env,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use serde::Serialize;

use super::{
    super::World,
    measured::{Candidate, Speed, measure},
    verdict::{Case, Cause, Content, Judgement, Verdict, judge},
};
use crate::{
    filename,
    inspect::{Finding, Use, Verdict as InFile, inspect},
    installed::{By, Installed, Kind, says::Words},
    machine::masks::Mask,
    measure::{
        entrant::{Failed, Start, nonsense, this_program},
        pin::{Cores, pin},
        protocol::Reply,
        worker::{Lost, Worker},
    },
    terminal::progress::progress,
    warn::{Warning, warn},
};

/// An installed library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Library {
    /// Its kind: `libcrypto`.
    pub(super) kind: &'static str,
    /// Its file.
    #[serde(serialize_with = "filename::serialize")]
    pub(super) path: PathBuf,
    /// The names that refer to it.
    #[serde(serialize_with = "filename::serialize_all")]
    pub(super) names: Vec<PathBuf>,
    /// How the loader finds it.
    pub(super) by: By,
    /// Its own report: `version`, `compiler`, and `goes_by`, the processor features that it has detected.
    #[serde(flatten)]
    pub(super) words: Words,
    /// The contents of its file, as `doctor FILE` reports them.
    pub(super) contains: Option<Finding>,
    /// Its speeds, if measured.
    pub(super) speeds: Vec<Speed>,
    /// The provider that does its work in programs that are started here, if not its own.
    pub(super) served_by: Option<&'static str>,
    /// What could not be examined, with the reasons.
    pub(super) notes: Vec<String>,
    /// `verdict`, `why` and `remedy`.
    #[serde(flatten)]
    pub(super) judgement: Judgement,
}

/// The time limit of a library's own report.
const PATIENCE: Duration = Duration::from_secs(10);

/// Examines each of them, and measures those that can be measured, if requested. `masks` are those that
/// cannot be removed from a process.
///
/// # Errors
/// If the user interrupts.
pub(super) fn examine(
    installed: Vec<Installed>,
    masks: &[Mask],
    world: &World,
    measuring: bool,
    stop: &AtomicBool,
) -> Result<Vec<Library>, Failed> {
    let mut libraries = Vec::new();
    for installed in installed {
        if stop.load(Relaxed) {
            return Err(Failed::Interrupted);
        }
        libraries.push((installed.kind, look_at(installed, stop)?));
    }
    if measuring {
        time(&mut libraries, world, stop)?;
    }
    let features: Vec<&str> = ropewalk::cpu::FEATURES
        .iter()
        .filter(|feature| feature.present())
        .map(|feature| feature.name)
        .collect();
    let judged = libraries.into_iter().map(|(kind, mut library)| {
        let masks: Vec<&Mask> =
            masks.iter().filter(|mask| mask.kinds.contains(&kind.name)).collect();
        library.judgement = judge(&Case {
            version: library.words.version.as_deref(),
            compiler: library.words.compiler.as_deref(),
            contains: library.contains.as_ref().map(|finding| content(finding, &library.words)),
            speeds: &library.speeds,
            masks: &masks,
            features: &features,
        });
        library
    });
    Ok(judged.collect())
}

/// The results without a measurement.
fn look_at(installed: Installed, stop: &AtomicBool) -> Result<Library, Failed> {
    let Installed { kind, path, names, by } = installed;
    let mut library = Library {
        kind: kind.name,
        path,
        names,
        by,
        words: Words::default(),
        contains: None,
        speeds: Vec::new(),
        served_by: None,
        notes: Vec::new(),
        judgement: judge(&Case::default()),
    };
    let code = kind.code_of(&library.path);
    if code != library.path {
        library.notes.push(format!("what it contains is in {}", filename::shown(&code)));
    }
    match inspect(&code) {
        Ok(finding) => library.contains = Some(finding),
        Err(why) => library.notes.push(format!("its file: {why:#}")),
    }
    if library.contains.is_some() && !library.is_for_this_processor() {
        library.notes.push("for another processor than this".into());
        return Ok(library);
    }
    match ask(kind, &library.path, stop)? {
        Ok(words) => library.words = words,
        Err(why) => library.notes.push(why),
    }
    if let Some(contains) = &library.contains {
        let said = library.words.version.take();
        library.words.version = said.or_else(|| contains.library().map(str::to_owned));
        let said = library.words.compiler.take();
        library.words.compiler = said.or_else(|| contains.compiler.clone());
    }
    Ok(library)
}

/// The basis of a verdict. The remedy is for the name that the library reports, if it does.
fn content(finding: &Finding, words: &Words) -> Content {
    let all = finding.is_all_there_is();
    // Compiler flags are judged separately, as the library may report more of them.
    let (verdict, why) = finding.by_instructions();
    Content {
        // Instructions that no build has are not a fault.
        verdict: if all { InFile::Accelerated } else { verdict },
        why: format!("{}{}", why, if all { ", as in every build of it" } else { "" }),
        remedy: finding.remedy_as(words.version.as_deref()),
        instructions: Use::ALL.into_iter().filter(|of| finding.has(*of)).collect(),
    }
}

impl Library {
    /// Its name and version, as far as known.
    pub(super) fn title(&self) -> String {
        match self.words.version.as_deref() {
            // `libsodium 1.0.18` contains both.
            Some(version) if version.starts_with(self.kind) => version.into(),
            Some(version) => format!("{}, {version}", self.kind),
            None => self.kind.into(),
        }
    }

    /// Its short name and version: `OpenSSL 3.0.19`.
    pub(super) fn short_title(&self) -> String {
        let Some(version) = self.words.version.as_deref() else { return self.kind.into() };
        let at = version.find(|c: char| c.is_ascii_digit()).unwrap_or(version.len());
        let end = version[at..].find([' ', ',']).map_or(version.len(), |end| at + end);
        version[..end].into()
    }

    /// The task at which it is the slowest, and its time relative to ropewalk's.
    pub(super) fn slowest(&self) -> Option<(&str, f64)> {
        let all = self.speeds.iter().filter_map(|speed| Some((&*speed.task, speed.slower?)));
        let slower = all.filter(|(_, slower)| slower.beyond_noise);
        let worst = slower.max_by(|(_, a), (_, b)| a.times.total_cmp(&b.times));
        worst.map(|(task, slower)| (task, slower.times))
    }

    /// Whether no command here makes it faster: it is fast, or no released version is faster.
    pub(super) fn is_as_fast_as_it_could_be(&self) -> bool {
        let Judgement { verdict, cause, .. } = &self.judgement;
        let best = *verdict == Verdict::Good || *cause == Some(Cause::NoRelease);
        best || self.served_by.is_some() && !self.judgement.is_fault()
    }

    /// Whether another version or library would be faster, without a fault that can be mended here.
    pub(super) fn could_be_faster(&self) -> bool {
        self.judgement.could_be_faster() && self.served_by.is_none()
    }

    /// Whether the loader would accept it, according to its file.
    fn is_for_this_processor(&self) -> bool {
        let own = match env::consts::ARCH {
            "x86_64" => "x86-64",
            "x86" => "i386",
            other => other,
        };
        self.contains.as_ref().is_some_and(|contains| contains.architecture == own)
    }
}

/// Its own report, or the reason why there is none.
fn ask(
    kind: &Kind,
    path: &std::path::Path,
    stop: &AtomicBool,
) -> Result<Result<Words, String>, Failed> {
    let cannot = |e| Failed::CannotStart(format!("cannot start a process: {e}"));
    let mut command = this_program(None).map_err(cannot)?;
    command.args(["ask", "--kind", kind.name, "--library"]).arg(path);
    let mut worker = Worker::start(&mut command).map_err(cannot)?;
    Ok(match worker.reply(PATIENCE, stop) {
        Ok(Reply::Said(words)) => Ok(words),
        Ok(Reply::Unavailable(why)) => Err(why),
        Ok(_) => Err(nonsense()),
        Err(Lost::Died(why) | Lost::Hung(why)) => Err(why),
        Err(Lost::Interrupted) => return Err(Failed::Interrupted),
    })
}

/// Measures the libraries that have a peer.
fn time(
    libraries: &mut [(&'static Kind, Library)],
    world: &World,
    stop: &AtomicBool,
) -> Result<(), Failed> {
    let peer = |(kind, library): &(&'static Kind, Library)| {
        let of_kind = world.peers.iter().find(|peer| Some(peer.name()) == kind.peer)?;
        library.is_for_this_processor().then_some(*of_kind)
    };
    let mut candidates = Vec::new();
    let mut whose = Vec::new();
    for (i, library) in libraries.iter().enumerate() {
        if let Some(peer) = peer(library) {
            candidates.push(Candidate { peer, path: &library.1.path });
            whose.push(i);
        }
    }
    if candidates.is_empty() {
        return Ok(());
    }
    if cfg!(debug_assertions) {
        warn(&Warning::DebugBuild);
    }
    let cores = Cores::choose().and_then(|cores| pin(cores.command).map(|()| cores));
    if let Err(e) = &cores {
        warn(&Warning::NotPinned(e.to_string()));
    }
    let start = Start {
        core: cores.ok().map(|cores| cores.workers),
        patience: PATIENCE,
        ..Start::default()
    };
    const TASKS: usize = 4;
    let bar = progress(TASKS, world.quiet);
    let speeds = measure(&candidates, &start, stop, |task| {
        bar.set_message(task.to_owned());
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    for (i, speeds) in whose.into_iter().zip(speeds) {
        libraries[i].1.speeds = speeds;
    }
    Ok(())
}
