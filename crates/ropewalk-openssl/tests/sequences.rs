//! Random sequences of calls, legal and illegal, with the module and with OpenSSL's default provider in one process. Their
//! results and outputs agree, except for the cases in `tests/sequences/known.h`. `ROPEWALK_SEED` is the first sequence of each
//! algorithm, `ROPEWALK_CASES` their number; `ROPEWALK_SECONDS` is the time for further ones.

mod common;

use std::{
    env,
    time::{Duration, Instant},
};

use common::{Module, counts, running::run};

/// Sequences of each algorithm per run, and the total without variables: a few seconds.
const CASES: u64 = 150;
/// With this number, each algorithm completes a message.
const FEWEST: u64 = 15;

/// The exit status after a crash of OpenSSL's own provider.
const CRASHED: i32 = 4;

#[test]
fn sequences_agree_with_the_default_provider() {
    let few = if env::var_os("ROPEWALK_SAMPLE").is_some() { FEWEST } else { CASES };
    let (mut seed, cases) = (given("ROPEWALK_SEED", 1), given("ROPEWALK_CASES", few));
    let time = Duration::from_secs(given("ROPEWALK_SECONDS", 0));
    let (module, start) = (Module::new(), Instant::now());
    let (compiled, end) = (module.compile("sequences"), seed + cases);
    // OpenSSL's own provider crashes in a few of many sequences.
    let survives = cases > CASES || !time.is_zero();
    while seed < end || start.elapsed() < time {
        let count = if seed < end { CASES.min(end - seed) } else { CASES };
        let mut program = module.command(&compiled);
        program.args([seed, count].map(|number| number.to_string()));
        seed += count;
        let ended = run(program, b"");
        if ended.status.code() == Some(CRASHED) && survives {
            eprintln!("OpenSSL's own provider has crashed, others follow: {}", ended.text());
            continue;
        }
        let ended = ended.well();
        // Each algorithm was used, unless a few sequences are replayed.
        let counts = counts(&ended.err);
        for name in ["SHAKE128", "AES-256-GCM", "AES-128-WRAP", "HMAC", "TLS13-KDF"] {
            let is_used = counts.get(name).is_some_and(|count| count.messages > 0);
            assert!(is_used || count < FEWEST, "{name}");
        }
    }
}

/// The number in a variable.
fn given(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |number| number.parse().expect(name))
}
