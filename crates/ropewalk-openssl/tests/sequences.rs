//! Random sequences of calls, legal and illegal, with the module and with OpenSSL's default provider in one process: what they
//! return and write agrees, but for what `tests/sequences/known.h` lists with its reason. `ROPEWALK_SEED` begins at that
//! sequence of each algorithm, and `ROPEWALK_CASES` says how many follow.

mod common;

use std::env;

use common::{Module, counts, running::run};

/// Sequences of each algorithm, where nobody says how many: a few seconds.
const CASES: &str = "150";

#[test]
fn sequences_agree_with_the_default_provider() {
    let given = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    let few = if env::var_os("ROPEWALK_SAMPLE").is_some() { "15" } else { CASES };
    let module = Module::new();
    let mut program = module.command(module.compile("sequences"));
    program.args([given("ROPEWALK_SEED", "1"), given("ROPEWALK_CASES", few)]);
    let ended = run(program, b"").well();
    // Each algorithm was asked of the module.
    let counts = counts(&ended.err);
    for name in ["SHAKE128", "AES-256-GCM", "AES-128-WRAP", "HMAC", "TLS13-KDF"] {
        assert!(counts.get(name).is_some_and(|count| count.messages > 0), "{name}");
    }
}
