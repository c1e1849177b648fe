//! What cases are made for.

mod aead;
mod batch;
pub mod c_header;
mod cipher;
mod files;
mod hash;
mod mac;
mod public_keys;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ropewalk::{PRIMITIVES, backend::Primitive};

use crate::{Case, common::backends};

/// Something that takes cases.
pub struct Target {
    /// What it is called on the command line, and its folder of `corpus`.
    pub name: &'static str,
    /// Runs a case. It panics where something does not hold.
    pub run: fn(&mut Case<'_>),
    /// The primitives that it reaches on every backend.
    rows: &'static [Row],
}

/// Sequences of calls of a primitive.
struct Row {
    primitive: &'static str,
    run: fn(&mut Case<'_>, backends: Backends),
}

/// That of which a sequence is tried, and that which is right.
#[derive(Clone, Copy)]
struct Backends {
    tried: &'static str,
    portable: &'static str,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "aead", run: aead::run, rows: aead::ROWS },
    Target { name: "batch", run: batch::run, rows: batch::ROWS },
    Target { name: "c-header", run: c_header::run, rows: &[] },
    Target { name: "cipher", run: cipher::run, rows: cipher::ROWS },
    Target { name: "files", run: files::run, rows: &[] },
    Target { name: "hash", run: hash::run, rows: hash::ROWS },
    Target { name: "mac", run: mac::run, rows: mac::ROWS },
    Target { name: "public-keys", run: public_keys::run, rows: public_keys::ROWS },
];

/// The names of the primitives that some target reaches.
pub fn primitives() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().flat_map(|target| target.rows).map(|row| row.primitive)
}

/// Runs the sequences of one of these primitives, on one of its backends that can run here.
fn run_one(case: &mut Case<'_>, rows: &[Row]) {
    let row = &rows[case.below(rows.len())];
    let backends = backends_of(case, primitive(row.primitive));
    (row.run)(case, backends);
}

fn primitive(name: &str) -> &'static Primitive {
    PRIMITIVES.iter().find(|primitive| primitive.name == name).expect("a primitive of that name")
}

fn backends_of(case: &mut Case<'_>, primitive: &Primitive) -> Backends {
    let here: Vec<_> = backends(primitive).collect();
    let portable = here.last().expect("one runs everywhere");
    Backends { tried: case.pick(&here), portable }
}

/// What stands in the place of bytes: a bit of them is another one, or they are more or fewer; or they are as they were.
fn tampered(case: &mut Case<'_>, mut bytes: Vec<u8>) -> Vec<u8> {
    match case.below(5) {
        0 => {}
        1 => bytes.push(case.below(256) as u8),
        2 => bytes.truncate(case.below(bytes.len() + 1)),
        3 => bytes.truncate(bytes.len().saturating_sub(1)),
        _ if bytes.is_empty() => {}
        _ => {
            let at = case.below(bytes.len());
            bytes[at] ^= 1 << case.below(8);
        }
    }
    bytes
}

/// Whether calls are printed before they are made, for one that ends the process to be seen.
static LOUD: AtomicBool = AtomicBool::new(false);

/// Prints calls before they are made, from now on.
pub(crate) fn print_calls() {
    LOUD.store(true, Relaxed);
}

/// Says after which calls a case fails.
struct Calls(Vec<String>);

impl Calls {
    fn new(backend: &str) -> Self {
        Self(vec![format!("with {backend}")])
    }

    fn begin(&mut self, call: impl FnOnce() -> String) {
        let call = call();
        if LOUD.load(Relaxed) {
            eprintln!("  {call}");
        }
        self.0.push(call);
    }

    /// Adds what the last one has returned.
    fn returned(&mut self, number: usize) {
        if let Some(call) = self.0.last_mut() {
            *call += &format!(" -> {number}");
        }
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        if std::thread::panicking() && !LOUD.load(Relaxed) {
            eprintln!("after these calls:\n  {}", self.0.join("\n  "));
        }
    }
}
