//! Remedies, ranked by effect: commands that can be pasted.

use serde::Serialize;

use super::{
    super::provider::quoted,
    libraries::Library,
    newer::newer,
    packages::{Offers, root, upstream},
    report::Report,
    verdict::{Cause, name},
};
use crate::{
    filename::shown,
    recipes::{self, Target},
};

/// A remedy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Remedy {
    /// The command.
    pub(super) command: String,
    /// Its effect.
    pub(super) brings: String,
    /// The speed-up of the slowest task, if measured.
    pub(super) times: Option<f64>,
}

/// The kinds of remedies, the most useful first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// It mends a fault.
    Mends,
    /// It replaces a library by a faster one.
    Replaces,
    /// It shows more information.
    Shows,
}

/// A screen has no space for more.
const MOST: usize = 5;

/// Below this factor, installing another provider is not recommended.
const HELPS: f64 = 1.1;

/// The remedies, the most useful first; ropewalk's provider before the others, as it changes no library.
pub(super) fn ranked(report: &Report) -> Vec<Remedy> {
    let masks = report.masks.iter().filter(|mask| mask.matters()).map(|mask| Remedy {
        command: match mask.is_variable() {
            true => mask.remedy(),
            false => root(&format!("truncate -s 0 {}", mask.name)),
        },
        brings: format!("gives {} its instructions back", mask.of),
        times: None,
    });
    let served = report.openssl().filter(|_| provider(report).is_some());
    let others = report.libraries.iter().enumerate().filter(|(i, library)| {
        let old = library.judgement.could_be_faster();
        library.served_by.is_none() && !(old && Some(*i) == served)
    });
    let others = others.filter_map(|(_, library)| of_library(library, report.packages.as_ref()));
    let mut rest: Vec<(Kind, Remedy)> =
        masks.map(|remedy| (Kind::Mends, remedy)).chain(others).collect();
    // Within a kind, unmeasured ones come last.
    rest.sort_by(|(a_kind, a), (b_kind, b)| {
        let times = |remedy: &Remedy| remedy.times.unwrap_or(0.0);
        a_kind.cmp(b_kind).then(times(b).total_cmp(&times(a)))
    });
    let mut ranked: Vec<Remedy> = provider(report).into_iter().collect();
    for (_, remedy) in rest {
        if ranked.iter().all(|other| other.command != remedy.command) {
            ranked.push(remedy);
        }
    }
    ranked.truncate(MOST);
    ranked
}

/// The command that makes programs with OpenSSL use ropewalk, if that is faster and they do not yet.
fn provider(report: &Report) -> Option<Remedy> {
    let here = report.provider.as_ref().filter(|here| !here.at_work)?;
    let library = report.libraries.get(report.openssl()?)?;
    let slowest = library.slowest();
    let times = slowest.map(|(_, times)| times);
    let helps = match times {
        Some(times) => times >= HELPS,
        None => library.speeds.is_empty() && library.judgement.cause.is_some(),
    };
    helps.then(|| Remedy {
        command: here.command(),
        brings: match slowest {
            Some((task, times)) => {
                format!("{} {} faster for programs that use OpenSSL", name(task), by(times))
            }
            None => "faster for programs that use OpenSSL".into(),
        },
        times,
    })
}

/// A remedy that makes a library faster.
fn of_library(library: &Library, packages: Option<&Offers>) -> Option<(Kind, Remedy)> {
    let cause = library.judgement.cause?;
    let title = library.short_title();
    let slowest = library.slowest();
    let gain = match slowest {
        Some((task, times)) => format!("{} {} faster", name(task), by(times)),
        None => "faster".into(),
    };
    let times = slowest.map(|(_, times)| times);
    let remedy = |command, brings| Remedy { command, brings, times };
    match cause {
        Cause::LeftOut | Cause::Unoptimised | Cause::Unused => {
            let command = format!("ropewalk doctor --recipe {}", quoted(&shown(&library.path)));
            Some((
                Kind::Mends,
                remedy(command, format!("shows how to build {title} right: {gain}")),
            ))
        }
        Cause::Old => {
            let offered = packages.and_then(|packages| offered(library, packages));
            let built = || {
                let newest = newest(library.words.version.as_deref()?)?;
                let command = format!("ropewalk doctor --recipe {newest}");
                Some(remedy(command, format!("shows how to build it, to replace {title}: {gain}")))
            };
            let installed = offered.map(|(command, version)| {
                remedy(command, format!("{gain}: {version} in place of {title}"))
            });
            installed.or_else(built).map(|remedy| (Kind::Replaces, remedy))
        }
        Cause::Unknown => {
            let task = slowest?.0;
            let command = format!("ropewalk speed {task}");
            Some((
                Kind::Shows,
                remedy(command, format!("shows what is faster than {title}: {gain}")),
            ))
        }
        Cause::Masked | Cause::NoRelease | Cause::WrongAnswers => None,
    }
}

/// The command that installs a version of a library with what this one lacks, and that version.
pub(super) fn offered(library: &Library, packages: &Offers) -> Option<(String, String)> {
    let package = packages.packages.iter().find(|package| package.file == library.path)?;
    let said = library.words.version.as_deref()?;
    let project = &said[..said.find(|c: char| c.is_ascii_digit())?];
    let features: Vec<&str> = ropewalk::cpu::FEATURES
        .iter()
        .filter(|feature| feature.present())
        .map(|feature| feature.name)
        .collect();
    let is_old = |said: &str| newer(Some(said), &features, None).is_some();
    let helps = |version: &&String| {
        let upstream = upstream(version);
        !upstream.is_empty() && is_old(said) && !is_old(&format!("{project}{upstream}"))
    };
    let version = package.offered.iter().find(helps)?;
    Some((packages.command(package, version)?, upstream(version).into()))
}

/// The newest recipe of the library with that name.
fn newest(said: &str) -> Option<&'static str> {
    let project = said.split(' ').next()?.to_lowercase();
    let of_it = |name: &&&str| name.split('-').next() == Some(&project);
    let name = *recipes::known().iter().rfind(of_it)?;
    recipes::recipe(name, Target::this()?).is_ok().then_some(name)
}

/// `4.4x`, or `21x`.
pub(super) fn by(times: f64) -> String {
    let digits = if times < 9.95 { 1 } else { 0 };
    format!("{times:.digits$}x")
}
