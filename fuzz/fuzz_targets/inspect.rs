//! Whatever a file holds, `ropewalk doctor FILE` tells it or refuses it: no panic, in bounded memory and time.
//!
//! `cargo +nightly fuzz run inspect -- -timeout=5 -rss_limit_mb=512 -max_len=65536` goes on from `fuzz/corpus/inspect`, which
//! is also a test of the lab. What it finds goes there.

#![no_main]

// Its modules and not the lab, which has libraries in C that take minutes to build with a sanitizer.
#[allow(dead_code, unused_imports)]
#[path = "../../crates/ropewalk-lab/src/inspect/mod.rs"]
mod inspect;
#[allow(dead_code)]
#[path = "../../crates/ropewalk-lab/src/names.rs"]
mod names;
#[allow(dead_code, unused_imports)]
#[path = "../../crates/ropewalk-lab/src/recipes/mod.rs"]
mod recipes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = inspect::of_bytes(bytes);
});
