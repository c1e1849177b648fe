//! Nets: what every backend of every primitive must pass, now and later.
//!
//! Each net is a table of primitives. The hash functions, and HMAC of them, have one table for all nets (`functions.rs`).
//! A primitive of `ropewalk::PRIMITIVES` that a net leaves out fails there, so that none can be forgotten; one that a net
//! is not for says why. A test is one net and one backend: `cargo test --test nets wycheproof:aes-gcm:aes_gcm/portable`.
//! Where a guard page ends the program, `-- --test-threads 1` names the test.

mod ciphers;
#[path = "../common/mod.rs"]
mod common;
mod contracts;
mod functions;
#[cfg(unix)]
mod guards;
mod hashers;
mod independent;
mod kinds;
#[cfg(all(unix, target_pointer_width = "64"))]
mod limits;
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod past_4_gib;
mod pieces;
mod public_keys;
mod published;
mod random;
mod wiped;
mod wycheproof;

use std::{
    process::ExitCode,
    sync::{Condvar, Mutex, PoisonError},
};

use common::all;
use functions::{Covers, FUNCTIONS, Suites};
use libtest_mimic::{Arguments, Completion, Trial};
use ropewalk::{
    PRIMITIVES,
    backend::{Info, Primitive},
};

/// A net, and what it does with each primitive.
pub(crate) struct Net {
    name: &'static str,
    primitives: &'static [(&'static str, Cover)],
    /// What it does with each hash function of [`functions`].
    functions: fn(&'static Suites) -> &'static Covers,
}

impl Net {
    /// Every primitive, and what the net does with it.
    fn rows(&self) -> impl Iterator<Item = (String, &'static Cover)> {
        let primitives = self.primitives.iter().map(|(name, cover)| ((*name).to_owned(), cover));
        primitives.chain(FUNCTIONS.iter().flat_map(|function| function.rows(self.functions)))
    }
}

/// What a net does with a primitive.
pub(crate) enum Cover {
    /// Puts a backend through it.
    Backend(fn(backend: &'static str)),
    /// Puts some backends through it, as a function of them says, and the others where `ROPEWALK_ALL` is set. And why not all.
    #[allow(dead_code, reason = "slow nets have it, which not every system runs")]
    Some(fn(backend: &'static str), fn(&Primitive, &Info) -> bool, &'static str),
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

/// Nets that take minutes. The tests of their backends are ignored: `-- --ignored` runs them.
const SLOW_NETS: &[Net] = &[
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    past_4_gib::NET,
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let nets = NETS.iter().map(|net| (net, false)).chain(SLOW_NETS.iter().map(|net| (net, true)));
    for (net, slow) in nets {
        let name = net.name;
        trials.push(trial(format!("{name}: every primitive"), || every_primitive(net)));
        for (primitive, cover) in net.rows() {
            let (test, wanted, why) = match cover {
                Cover::Backend(test) => (*test, None, ""),
                Cover::Some(test, wanted, why) => (*test, Some(wanted), *why),
                Cover::None(_) => continue,
            };
            let Some(primitive) = PRIMITIVES.iter().find(|p| p.name == primitive) else {
                continue;
            };
            for info in primitive.backends.iter().filter(|info| (info.available)()) {
                let name = format!("{name}:{}:{}", primitive.name, info.name);
                let trial = match wanted.is_none_or(|wanted| all() || wanted(primitive, info)) {
                    true => trial(name, move || {
                        let _turn = slow.then(Turn::take);
                        test(info.name);
                    }),
                    false => Trial::ignorable_test(name, move || Ok(Completion::ignored_with(why))),
                };
                trials.push(trial.with_ignored_flag(slow));
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

/// Permission to run a test of a slow net. There are four: a test may map memory 8,000 times, and Linux allows a process 65,530
/// mappings.
struct Turn;

static TURNS: (Mutex<usize>, Condvar) = (Mutex::new(4), Condvar::new());

impl Turn {
    fn take() -> Self {
        let (free, returned) = &TURNS;
        let free = free.lock().unwrap_or_else(PoisonError::into_inner);
        *returned.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner) -= 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (free, returned) = &TURNS;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        returned.notify_one();
    }
}

/// No primitive is left out, none is there twice, and none has gone.
fn every_primitive(net: &Net) {
    let all: Vec<_> = net.rows().collect();
    for primitive in PRIMITIVES {
        let rows: Vec<_> = all.iter().filter(|(name, _)| *name == primitive.name).collect();
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
    assert_eq!(all.len(), PRIMITIVES.len(), "{}: a row for what is no primitive", net.name);
}
