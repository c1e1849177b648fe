//! Nets: what every backend of every primitive must pass, now and later.
//!
//! Each net is a table of primitives. A primitive of `ropewalk::PRIMITIVES` that a table leaves out
//! fails there, so that none can be forgotten; one that a net is not for says why. A test is one net
//! and one backend: `cargo test --test nets wycheproof:aes-gcm:aes_gcm/portable`. Where a guard page
//! ends the program, `-- --test-threads 1` names the test.

mod ciphers;
#[path = "../common/mod.rs"]
mod common;
mod contracts;
#[cfg(unix)]
mod guards;
mod independent;
mod kinds;
#[cfg(all(unix, target_pointer_width = "64"))]
mod limits;
mod pieces;
mod published;
mod random;
mod wiped;
mod wycheproof;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use ropewalk::PRIMITIVES;

/// A net, and what it does with each primitive.
pub(crate) struct Net {
    name: &'static str,
    primitives: &'static [(&'static str, Cover)],
}

/// What a net does with a primitive.
pub(crate) enum Cover {
    /// Puts a backend through it.
    Backend(fn(backend: &'static str)),
    /// Nothing, and why.
    None(&'static str),
}

const NETS: &[Net] = &[
    wycheproof::NET,
    published::NET,
    random::NET,
    contracts::NET,
    wiped::NET,
    #[cfg(unix)]
    guards::NET,
    #[cfg(all(unix, target_pointer_width = "64"))]
    limits::NET,
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for net in NETS {
        let name = net.name;
        trials.push(trial(format!("{name}: every primitive"), || every_primitive(net)));
        for (primitive, cover) in net.primitives {
            let Cover::Backend(test) = cover else { continue };
            let Some(primitive) = PRIMITIVES.iter().find(|p| p.name == *primitive) else {
                continue;
            };
            for backend in common::backends(primitive) {
                let name = format!("{name}:{}:{backend}", primitive.name);
                trials.push(trial(name, move || test(backend)));
            }
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: String, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        test();
        Ok(())
    })
}

/// No primitive is left out, none is there twice, and none has gone.
fn every_primitive(net: &Net) {
    for primitive in PRIMITIVES {
        let rows: Vec<_> =
            net.primitives.iter().filter(|(name, _)| *name == primitive.name).collect();
        let [(_, cover)] = rows[..] else {
            panic!("{}: {} rows for {}", net.name, rows.len(), primitive.name)
        };
        assert!(
            !matches!(cover, Cover::None("")),
            "{}: why is {} left out?",
            net.name,
            primitive.name
        );
    }
    assert_eq!(
        net.primitives.len(),
        PRIMITIVES.len(),
        "{}: a row for what is no primitive",
        net.name
    );
}
