//! Random sequences of calls, legal and illegal, with the module and with OpenSSL's default provider in one process: what they
//! return and write agrees, but for what `tests/sequences/known.h` lists with its reason. `ROPEWALK_SEED` begins at that
//! sequence of each algorithm, and `ROPEWALK_CASES` says how many follow; `ROPEWALK_SECONDS` says for how long others follow those.

mod common;

use std::{
    env,
    time::{Duration, Instant},
};

use common::{Module, counts, running::run};

/// Sequences of each algorithm at a time, and in all where no variable says how many: a few seconds.
const CASES: u64 = 150;
/// In as many, each algorithm comes to the end of a message.
const FEWEST: u64 = 15;

/// The exit status where OpenSSL's own provider has crashed.
const CRASHED: i32 = 4;

#[test]
fn sequences_agree_with_the_default_provider() {
    let few = if env::var_os("ROPEWALK_SAMPLE").is_some() { FEWEST } else { CASES };
    let (mut seed, cases) = (given("ROPEWALK_SEED", 1), given("ROPEWALK_CASES", few));
    let time = Duration::from_secs(given("ROPEWALK_SECONDS", 0));
    let (module, start) = (Module::new(), Instant::now());
    let (compiled, end) = (module.compile("sequences"), seed + cases);
    // Of many sequences, OpenSSL's own provider crashes in a few.
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

/// The number of a variable.
fn given(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |number| number.parse().expect(name))
}
