//! The state of each backend of ropewalk on this processor.

use std::env;

use ropewalk::{
    backend::{self, Info, Primitive},
    cpu,
};
use serde::Serialize;

/// A processor feature that some backend requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Feature {
    pub(super) name: &'static str,
    pub(super) state: Presence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Presence {
    Visible,
    Masked,
    NotHere,
}

/// The backends of a primitive, most preferred first.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Backends {
    pub(super) name: &'static str,
    pub(super) standard: &'static str,
    pub(super) backends: Vec<Backend>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Backend {
    pub(super) name: &'static str,
    pub(super) state: Choice,
    /// Required features that are missing or masked.
    pub(super) lacks: Vec<Feature>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Choice {
    Chosen,
    Available,
    /// It computes wrong answers here, and is not used.
    Wrong,
    NotHere,
}

/// The names of the backends that compute wrong answers on this processor.
pub(super) fn wrong_backends() -> Vec<&'static str> {
    backend::wrong().map(|info| info.name).collect()
}

/// The features of this architecture.
pub(super) fn features() -> Vec<Feature> {
    let of_this = cpu::FEATURES.iter().filter(|feature| feature.arch == env::consts::ARCH);
    of_this
        .map(|feature| Feature {
            name: feature.name,
            state: match (feature.present(), feature.masked()) {
                (true, false) => Presence::Visible,
                (true, true) => Presence::Masked,
                (false, _) => Presence::NotHere,
            },
        })
        .collect()
}

/// The state of each backend on a processor with these features, on which these backends compute wrong
/// answers.
pub(super) fn primitives(all: &[Primitive], features: &[Feature], wrong: &[&str]) -> Vec<Backends> {
    all.iter()
        .map(|primitive| {
            let mut backends: Vec<Backend> =
                primitive.backends.iter().map(|info| Backend::new(info, features, wrong)).collect();
            // The portable backend is used even if it is wrong.
            let fits = primitive.backends.iter().map(Info::fits_tuning);
            let first = backends
                .iter()
                .zip(fits)
                .position(|(backend, fits)| fits && backend.state == Choice::Available);
            if let Some(first) = backends.get_mut(first.unwrap_or(usize::MAX)) {
                first.state = Choice::Chosen;
            }
            Backends { name: primitive.name, standard: primitive.standard, backends }
        })
        .collect()
}

impl Backend {
    fn new(info: &Info, features: &[Feature], wrong: &[&str]) -> Self {
        let of = |name: &&'static str| {
            let known = features.iter().find(|feature| feature.name == *name).copied();
            known.unwrap_or(Feature { name, state: Presence::NotHere })
        };
        let needed = info.features.iter().map(of);
        let lacks: Vec<Feature> =
            needed.filter(|feature| feature.state != Presence::Visible).collect();
        let state = match lacks.is_empty() {
            false => Choice::NotHere,
            true if wrong.contains(&info.name) => Choice::Wrong,
            true => Choice::Available,
        };
        Self { name: info.name, state, lacks }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::commands::doctor::{
        compared::Found,
        report::{Complaint, Report},
    };

    /// This processor's features, some of them masked as well.
    fn masked(list: &str) -> Vec<Feature> {
        let off: Vec<&str> = cpu::masked_by(list).unwrap().map(|feature| feature.name).collect();
        let mut features = features();
        for feature in &mut features {
            if feature.state == Presence::Visible && off.contains(&feature.name) {
                feature.state = Presence::Masked;
            }
        }
        features
    }

    pub(in crate::commands::doctor) fn report(mask: &str, peers: Vec<Found>) -> Report {
        let features = masked(mask);
        let primitives = primitives(ropewalk::PRIMITIVES, &features, &[]);
        Report { features, primitives, ..Report::of_this_process(peers) }
    }

    fn chosen(primitive: &Backends) -> Vec<&'static str> {
        let chosen = primitive.backends.iter().filter(|backend| backend.state == Choice::Chosen);
        chosen.map(|backend| backend.name).collect()
    }

    /// The states are those that the library itself computes.
    #[test]
    fn tells_what_the_library_chooses() {
        for (told, primitive) in report("", Vec::new()).primitives.iter().zip(ropewalk::PRIMITIVES)
        {
            assert_eq!(chosen(told), [primitive.chosen().unwrap().name]);
            for (backend, info) in told.backends.iter().zip(primitive.backends) {
                assert_eq!(backend.state != Choice::NotHere, (info.available)(), "{}", info.name);
            }
        }
    }

    #[test]
    fn with_all_masked_portable_is_left() {
        for primitive in report("all", Vec::new()).primitives {
            let [name] = chosen(&primitive)[..] else { panic!("{primitive:?}") };
            assert!(name.ends_with("/portable"), "{name}");
        }
    }

    /// The next backend is chosen in its place, and the report names both.
    #[test]
    fn a_wrong_backend_is_reported() {
        let primitive = ropewalk::PRIMITIVES.iter().find(|all| all.name == "aes-cbc-hmac-sha1");
        let primitive = primitive.expect("it is there");
        let available: Vec<&str> =
            primitive.backends.iter().filter(|i| (i.available)()).map(|i| i.name).collect();
        for wrong in 0..available.len() {
            let wrong = &available[..wrong];
            let mut report = report("", Vec::new());
            report.primitives =
                primitives(std::slice::from_ref(primitive), &report.features, wrong);
            let told = &report.primitives[0];
            assert_eq!(chosen(told), [available[wrong.len()]]);
            let states = told.backends.iter().filter(|backend| backend.state == Choice::Wrong);
            assert_eq!(states.map(|backend| backend.name).collect::<Vec<_>>(), wrong);
            let complaints = report.complaints();
            let fault = complaints.iter().find(|complaint| complaint.what == "wrong answers");
            assert_eq!(fault.is_some(), !wrong.is_empty());
            let names = |fault: &Complaint| wrong.iter().all(|name| fault.why.contains(name));
            assert!(fault.is_none_or(names), "{fault:?}");
        }
    }

    /// No backend that needs a masked feature is chosen or offered, and the report says so.
    #[test]
    fn mask_takes_backends_away() {
        for feature in cpu::FEATURES {
            let report = report(feature.name, Vec::new());
            let off: Vec<&Feature> =
                report.features.iter().filter(|f| f.state == Presence::Masked).collect();
            for (told, primitive) in report.primitives.iter().zip(ropewalk::PRIMITIVES) {
                assert_eq!(chosen(told).len(), 1);
                for (backend, info) in told.backends.iter().zip(primitive.backends) {
                    let masked = info.features.iter().any(|f| off.iter().any(|off| off.name == *f));
                    assert!(!masked || backend.state == Choice::NotHere, "{backend:?}");
                    let told = |f: &Feature| f.state == Presence::Masked;
                    assert!(!masked || backend.lacks.iter().any(told), "{backend:?}");
                }
            }
        }
    }
}
