//! Sequences of calls that no test lists, each made from bytes: those of a file, or those that follow from a seed.

mod case;
#[allow(dead_code, reason = "the nets use more of it")]
#[path = "../../ropewalk/tests/nets/ciphers.rs"]
mod ciphers;
#[path = "../../ropewalk/tests/common/mod.rs"]
mod common;
#[path = "../../ropewalk/tests/nets/hashers.rs"]
mod hashers;
#[allow(dead_code, reason = "the nets compare with it")]
#[path = "../../ropewalk/tests/nets/independent.rs"]
mod independent;
// Modules of the lab and not the lab, which has libraries in C that take minutes to build.
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the lab uses more of it")]
#[path = "../../ropewalk-lab/src/inspect/mod.rs"]
mod inspect;
#[allow(dead_code, reason = "the nets use more of it")]
#[path = "../../ropewalk/tests/nets/kinds.rs"]
mod kinds;
#[allow(dead_code, unreachable_pub, reason = "the lab uses more of it")]
#[path = "../../ropewalk-lab/src/names.rs"]
mod names;
#[allow(dead_code, reason = "the nets use more of it")]
#[path = "../../ropewalk/tests/nets/pieces.rs"]
mod pieces;
#[allow(dead_code, unused_imports, unreachable_pub, reason = "the lab uses more of it")]
#[path = "../../ropewalk-lab/src/recipes/mod.rs"]
mod recipes;
pub mod run;
mod targets;
mod text;

pub use case::Case;
pub use targets::{TARGETS, Target, c_header, primitives};
