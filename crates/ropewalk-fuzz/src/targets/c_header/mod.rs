//! Every function of the C library, in any order: objects in any state, buffers that end where memory does, overlaps of every kind,
//! NULL, and lengths that nothing has.
//!
//! Nothing may end the process; no call may find a fault of the library; where one fails nothing has been written, and where it does
//! not, nothing but its outputs, which overlap nothing else, but what other messages of the call have.

mod arguments;
mod calls;
mod expected;
mod files;
mod header;
mod inverse;
mod judged;
mod library;
mod memory;
mod objects;

pub use library::{load, never_succeeded};

/// The functions that are called, but those that are left out, and the header.
pub fn functions() -> (Vec<&'static str>, &'static str) {
    let functions = &header::Header::get().functions;
    (functions.iter().map(|function| function.name.as_str()).collect(), header::TEXT)
}

use super::Calls;
use crate::Case;

/// Functions that are left out, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("disable", "what it switches off stays off for each case that follows"),
    ("rsa_key_generate", "it takes as long as a thousand others"),
];

pub(super) fn run(case: &mut Case<'_>) {
    calls::WORLD.with_borrow_mut(|world| {
        let mut calls = Calls::new("the C library");
        world.begin(case);
        while case.goes_on() {
            world.call(case, &mut calls);
        }
    });
}
