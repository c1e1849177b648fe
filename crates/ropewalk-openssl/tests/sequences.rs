//! Random sequences of calls, legal and illegal, with the module and with OpenSSL's default provider in one process: what they
//! return and write agrees, but for what `tests/sequences/known.h` lists with its reason. `ROPEWALK_SEED` begins at that
//! sequence of each algorithm, and `ROPEWALK_CASES` says how many follow; `ROPEWALK_SECONDS` says for how long others follow those.

mod common;

use std::{
    env,
    time::{Duration, Instant},
};

use common::{Module, counts, running::run};

/// Sequences of each algorithm, where nobody says how many: a few seconds.
const CASES: u64 = 150;

#[test]
fn sequences_agree_with_the_default_provider() {
    let few = if env::var_os("ROPEWALK_SAMPLE").is_some() { 15 } else { CASES };
    let (mut seed, cases) = (given("ROPEWALK_SEED", 1), given("ROPEWALK_CASES", few));
    let time = Duration::from_secs(given("ROPEWALK_SECONDS", 0));
    let (module, start) = (Module::new(), Instant::now());
    let compiled = module.compile("sequences");
    loop {
        let mut program = module.command(&compiled);
        program.args([seed, cases].map(|number| number.to_string()));
        let ended = run(program, b"").well();
        // Each algorithm was asked of the module.
        let counts = counts(&ended.err);
        for name in ["SHAKE128", "AES-256-GCM", "AES-128-WRAP", "HMAC", "TLS13-KDF"] {
            assert!(counts.get(name).is_some_and(|count| count.messages > 0), "{name}");
        }
        if start.elapsed() >= time {
            return;
        }
        seed += cases;
    }
}

/// The number of a variable.
fn given(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |number| number.parse().expect(name))
}
