//! All findings of `doctor` on this machine, and the conclusions.

use std::{collections::BTreeSet, path::Path};

use ropewalk::tuning::{self, Reason};
use serde::Serialize;

use super::{
    super::provider,
    backends::{Backends, Choice, Feature, features, primitives, wrong_backends},
    compared::Found,
    libraries::Library,
    newer::number,
    packages::Offers,
    remedies::{self, Remedy},
    verdict::{Cause, Verdict},
};
use crate::{
    filename::shown,
    machine::{Machine, hidden::Hidden, masks::Mask},
    measure::environment::Variable,
};

/// The whole report.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) machine: Machine,
    /// All faults.
    pub(super) wrong: Vec<Complaint>,
    /// Features that the processor has or may have, and that are hidden.
    pub(super) hidden: Vec<Hidden>,
    /// Settings that disable processor features here.
    pub(super) masks: Vec<Mask>,
    /// Variables of this environment that change what libraries do, and that were removed for the
    /// examination.
    pub(super) not_given: Vec<Variable>,
    /// The installed libraries.
    pub(super) libraries: Vec<Library>,
    pub(super) tuning: Tuned,
    pub(super) features: Vec<Feature>,
    pub(super) primitives: Vec<Backends>,
    /// The libraries that `ropewalk speed` compares with.
    pub(super) peers: Vec<Found>,
    /// Whether ropewalk's provider serves programs with OpenSSL; none without OpenSSL 3.
    pub(super) provider: Option<provider::Here>,
    /// The offers of the package manager; none without one, or if there was nothing to query.
    pub(super) packages: Option<Offers>,
    /// The remedies, the most useful first.
    pub(super) remedies: Vec<Remedy>,
    /// A summary in one sentence.
    pub(super) answer: String,
}

/// The words before the first remedy.
pub(super) const FIRST: &str = "; first: ";

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Complaint {
    /// The subject: a library, or part of the machine.
    pub(super) what: String,
    pub(super) why: String,
    pub(super) remedy: Option<String>,
}

/// The row of tuning that ropewalk uses.
#[derive(Debug, Serialize)]
pub(super) struct Tuned {
    pub(super) row: &'static str,
    pub(super) cores: &'static str,
    pub(super) why: &'static str,
}

impl Tuned {
    fn here() -> Self {
        let row = tuning::current();
        let why = match tuning::reason() {
            Reason::Forced => "as ROPEWALK_TUNING says",
            Reason::Model => "by the model of the processor",
            _ => "by its instruction sets: no row has its model",
        };
        Self { row: row.name(), cores: row.cores(), why }
    }
}

impl Report {
    /// The findings of this process itself, with those peers.
    pub(super) fn of_this_process(peers: Vec<Found>) -> Self {
        let features = features();
        Self {
            machine: Machine::read(),
            wrong: Vec::new(),
            hidden: Vec::new(),
            masks: Vec::new(),
            not_given: Vec::new(),
            libraries: Vec::new(),
            tuning: Tuned::here(),
            primitives: primitives(ropewalk::PRIMITIVES, &features, &wrong_backends()),
            features,
            peers,
            provider: None,
            packages: None,
            remedies: Vec::new(),
            answer: String::new(),
        }
    }

    /// Marks the library whose work is done by ropewalk's provider, if it is.
    pub(super) fn mark_served(&mut self) {
        let serves = self.provider.as_ref().is_some_and(|provider| provider.at_work);
        if let Some(library) = self.openssl().filter(|_| serves) {
            self.libraries[library].served_by = Some("ropewalk");
        }
    }

    /// The OpenSSL of version 3 or later that programs find by its name, as an index into the libraries. It
    /// supports providers.
    pub(super) fn openssl(&self) -> Option<usize> {
        let names = ["libcrypto.so.3", "libcrypto.so.4"];
        let is_found = |library: &Library| {
            library.names.iter().any(|name| names.iter().any(|soname| name.ends_with(soname)))
        };
        let takes_providers = |library: &Library| {
            let version = library.words.version.as_deref();
            version.and_then(|said| number(said, "OpenSSL")).is_some_and(|(major, _)| major >= 3)
        };
        self.libraries.iter().position(|library| is_found(library) && takes_providers(library))
    }

    /// The libraries that are not part of another one.
    pub(super) fn whole_libraries(&self) -> impl Iterator<Item = &Library> {
        const OF_NSS: [&str; 2] = ["freebl", "softokn"];
        self.libraries.iter().filter(|library| {
            let folder = library.path.parent();
            let is_whole = |other: &&Library| {
                let whole = other.path.parent();
                other.kind == "nss" && (folder == whole || folder.and_then(Path::parent) == whole)
            };
            let is_part =
                OF_NSS.contains(&library.kind) && self.libraries.iter().any(|it| is_whole(&it));
            !is_part || library.judgement.is_fault()
        })
    }

    /// The files for which another version may be faster.
    pub(super) fn slow_files(&self) -> Vec<&Path> {
        let may_be = |library: &&Library| {
            let cause = library.judgement.cause;
            library.served_by.is_none()
                && cause.is_some_and(|it| !matches!(it, Cause::NoRelease | Cause::Masked))
        };
        self.libraries.iter().filter(may_be).map(|library| &*library.path).collect()
    }

    /// Whether a library could be faster, without a fault that can be mended here.
    pub(super) fn could_be_faster(&self) -> bool {
        self.libraries.iter().any(Library::could_be_faster)
    }

    /// Draws conclusions from the findings.
    pub(super) fn conclude(&mut self) {
        self.wrong = self.complaints();
        self.remedies = remedies::ranked(self);
        self.answer = self.sentence();
    }

    /// How many libraries are as fast as possible, and the first remedy.
    fn sentence(&self) -> String {
        let known = || self.whole_libraries().filter(|it| it.judgement.verdict != Verdict::NotTold);
        let (fast, all) =
            (known().filter(|it| it.is_as_fast_as_it_could_be()).count(), known().count());
        let count: String = match (fast, all) {
            (_, 0) => "No library of cryptography was found here".into(),
            (1, 1) => "The one library here is as fast as it could be".into(),
            (fast, all) if fast == all => {
                format!("All {all} libraries are as fast as they could be")
            }
            (fast, all) => {
                let are = if fast == 1 { "is as fast as it" } else { "are as fast as they" };
                format!("{fast} of {all} libraries {are} could be")
            }
        };
        // A file shows which instructions it contains, not whether it is fast.
        let measured = self.libraries.iter().any(|library| !library.speeds.is_empty());
        let count = match (all, measured) {
            (0, _) | (_, true) => count,
            (1, false) => format!("{count}, by its file"),
            (_, false) => format!("{count}, by their files"),
        };
        match (self.remedies.first(), self.wrong.first()) {
            (Some(remedy), _) => format!("{count}{FIRST}{}", remedy.command),
            (None, Some(wrong)) => format!("{count}{FIRST}{}", wrong.what),
            (None, None) => format!("{count}."),
        }
    }

    /// The faults: hidden features first, since they make libraries slow.
    pub(super) fn complaints(&self) -> Vec<Complaint> {
        let hidden = self.hidden.iter().filter(|hidden| hidden.sure).map(|hidden| Complaint {
            what: format!("hidden by {}", hidden.by.words()),
            why: format!("{}: {}", hidden.features.join(" "), hidden.why),
            remedy: Some(hidden.remedy().into()),
        });
        let masks = self.masks.iter().filter(|mask| mask.matters()).map(|mask| Complaint {
            what: mask.name.into(),
            why: match mask.is_variable() {
                true => format!(
                    "hides processor features from {}, in programs that are started here; libraries were looked at without it",
                    mask.of
                ),
                false => format!("hides processor features from {}", mask.of),
            },
            remedy: Some(mask.remedy()),
        });
        let bad = self.libraries.iter().filter(|library| library.judgement.is_fault());
        let libraries = bad.map(|library| Complaint {
            what: self.title_of_one(library),
            why: library.judgement.why.clone(),
            remedy: library.judgement.remedy.clone(),
        });
        self.faults().into_iter().chain(hidden).chain(masks).chain(libraries).collect()
    }

    /// The backends that compute wrong answers.
    fn faults(&self) -> Option<Complaint> {
        let all = self.primitives.iter().flat_map(|primitive| &primitive.backends);
        let wrong = all.filter(|backend| backend.state == Choice::Wrong);
        let names: BTreeSet<&str> = wrong.map(|backend| backend.name).collect();
        (!names.is_empty()).then(|| Complaint {
            what: "wrong answers".into(),
            why: format!(
                "on this processor or emulator, from these backends, which ropewalk therefore does not use: {}",
                Vec::from_iter(names).join(" ")
            ),
            remedy: Some(
                "another processor, or another emulator: other libraries may use the same instructions".into(),
            ),
        })
    }

    /// The title of a library, with its file if there are several of that title.
    fn title_of_one(&self, library: &Library) -> String {
        let title = library.title();
        match self.libraries.iter().filter(|other| other.title() == title).count() {
            0 | 1 => title,
            _ => format!("{title}, {}", shown(&library.path)),
        }
    }
}
