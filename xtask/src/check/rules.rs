//! The rules of reliability of this project, and the tests of each: the table of SECURITY.md.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

/// A rule, and its tests.
struct Rule {
    text: &'static str,
    tests: &'static [Test],
}

/// Where something is tested: a file, and words of it that name the test.
struct Test(&'static str, &'static str);

/// In the order of the table. A new rule is one line, and so is a new test of a rule.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule { text: "Every backend equals portable at every length and split", tests: &[
        Test("crates/ropewalk/tests/nets/random.rs", "NET"),
        Test("crates/ropewalk/tests/aes_gcm.rs", "every_length_equals_portable"),
        Test("crates/ropewalk/tests/hashes.rs", "every_length_equals_portable"),
        Test("crates/ropewalk/tests/nets/wycheproof.rs", "NET"),
        Test("crates/ropewalk/tests/nets/published.rs", "NET") ] },
    Rule { text: "Sizes have one unit and are checked; nothing outside a buffer is touched", tests: &[
        Test("crates/ropewalk/tests/nets/limits.rs", "NET"),
        Test("crates/ropewalk/tests/nets/guards.rs", "NET"),
        Test("xtask/src/sanitizers.rs", "fn addresses"),
        Test("xtask/src/sanitizers.rs", "fn miri") ] },
    Rule { text: "A function keeps what its caller relies on: no assembly but in blocks that the compiler surrounds", tests: &[
        Test("xtask/src/check/unsafety.rs", "OUTSIDE_OF_FUNCTIONS") ] },
    Rule { text: "What `asm!` blocks claim is so", tests: &[
        Test("crates/ropewalk/tests/nets/random.rs", "NET"),
        Test("xtask/src/ct/mod.rs", "fn trace") ] },
    Rule { text: "Carries and last reductions", tests: &[
        Test("crates/ropewalk/tests/common/edges.rs", "pub fn"),
        Test("crates/ropewalk/tests/poly1305.rs", "every_length_equals_portable") ] },
    Rule { text: "No branch, address or division depends on a secret", tests: &[
        Test("xtask/src/ct/mod.rs", "fn memcheck"),
        Test("xtask/src/ct/mod.rs", "fn msan"),
        Test("xtask/src/ct/mod.rs", "fn trace"),
        Test("xtask/src/ct/lint.rs", "fn run") ] },
    Rule { text: "The compiler does not undo that: levels 3, 2 and \"s\", and the code as it ships", tests: &[
        Test("xtask/src/ct/mod.rs", "LEVELS"),
        Test("xtask/src/ct/mod.rs", "fn trace") ] },
    Rule { text: "Data-independent timing of Arm: set, nested, restored", tests: &[
        Test("crates/ropewalk/tests/timing.rs", "guards_nest_and_restore"),
        Test("crates/ropewalk/tests/timing.rs", "panic_ends_the_mode") ] },
    Rule { text: "Tags and paddings are compared in constant time, with one error", tests: &[
        Test("crates/ropewalk-ct/src/operations/mod.rs", "open what is forged"),
        Test("crates/ropewalk-ct/src/operations/mod.rs", "open what is badly padded"),
        Test("crates/ropewalk-openssl/tests/secret.rs", "padding_of_a_record_decides_nothing") ] },
    Rule { text: "No plaintext of a message whose tag is wrong", tests: &[
        Test("crates/ropewalk/tests/nets/contracts.rs", "NET"),
        Test("crates/ropewalk/tests/aes_gcm.rs", "forged_messages_open_to_zeros") ] },
    Rule { text: "The limits of each standard, as errors", tests: &[
        Test("crates/ropewalk/tests/nets/limits.rs", "NET") ] },
    Rule { text: "Nonces: a sealer counts or draws them; wrong lengths are errors", tests: &[
        Test("crates/ropewalk/tests/nets/contracts.rs", "Sealer") ] },
    Rule { text: "Messages past 4 GiB", tests: &[
        Test("crates/ropewalk/tests/nets/past_4_gib.rs", "NET"),
        Test("crates/ropewalk-openssl/tests/past_4_gib.rs", "past_4_gib"),
        Test("crates/ropewalk-lab/tests/sum.rs", "a_file_past_4_gib") ] },
    Rule { text: "Any split is the whole message", tests: &[
        Test("crates/ropewalk/tests/nets/pieces.rs", "pub(crate) fn"),
        Test("crates/ropewalk/tests/hashes.rs", "every_split_is_one_message") ] },
    Rule { text: "Memory that overlaps is refused, and the same place is allowed", tests: &[
        Test("crates/ropewalk-c/examples/tour/misuse.c", "Memory that overlaps"),
        Test("crates/ropewalk-c/src/tests/as_a_loop.rs", "the_array_and_keys_are_not_written"),
        Test("crates/ropewalk-fuzz/src/targets/c_header/judged.rs", "fn apart") ] },
    Rule { text: "RSA: blinding, checked results, capped sizes", tests: PUBLIC_KEYS },
    Rule { text: "ECDSA: nonces without bias, ranges of signatures", tests: PUBLIC_KEYS },
    Rule { text: "Points are on their curves", tests: PUBLIC_KEYS },
    Rule { text: "Everything ends on any input", tests: &[
        Test("crates/ropewalk-lab/src/inspect/corpus.rs", "fn "),
        Test("crates/ropewalk-fuzz/src/run.rs", "MOST_SECONDS") ] },
    Rule { text: "Nothing is left of a key", tests: &[
        Test("crates/ropewalk/tests/nets/wiped.rs", "NET"),
        Test("crates/ropewalk/tests/left.rs", "what_is_not_wiped_is_found"),
        Test("xtask/src/ct/mod.rs", "fn residue") ] },
    Rule { text: "Random bytes: seeded by the system, anew in a child, an error where there are none", tests: &[
        Test("crates/ropewalk/tests/fork.rs", "fn main"),
        Test("crates/ropewalk/tests/random.rs", "no_block_comes_twice") ] },
    Rule { text: "No panic gets into C, and nothing is written on failure", tests: &[
        Test("crates/ropewalk-c/src/enter.rs", "no_panic_gets_out"),
        Test("crates/ropewalk-c/examples/tour/misuse.c", "tour_misuse"),
        Test("crates/ropewalk-fuzz/src/targets/c_header/judged.rs", "fn judge"),
        Test("crates/ropewalk-c/examples/tour/changed.c", "tour_changed") ] },
    Rule { text: "Keys may be shared by threads", tests: &[
        Test("crates/ropewalk/tests/threads.rs", "keys_are_shared_by_threads"),
        Test("xtask/src/sanitizers.rs", "fn threads"),
        Test("crates/ropewalk-openssl/tests/bad_input.rs", "threads") ] },
    Rule { text: "The provider does what OpenSSL's own does, in any order of calls", tests: &[
        Test("crates/ropewalk-openssl/tests/sequences.rs", "sequences_agree_with_the_default_provider"),
        Test("crates/ropewalk-openssl/tests/bad_input.rs", "calls_out_of_order"),
        Test("crates/ropewalk-openssl/tests/bad_input.rs", "unloaded_and_loaded_again") ] },
    Rule { text: "Backends can be masked off, and one that is wrong is not used", tests: &[
        Test("crates/ropewalk/tests/mask.rs", "a_mask_takes_backends_away_and_portable_stays"),
        Test("crates/ropewalk/tests/wrong.rs", "a_wrong_backend_makes_way_for_the_next") ] },
    Rule { text: "A build is the same everywhere and names no path", tests: &[
        Test("xtask/src/shipped.rs", "fn is_reproducible"),
        Test("xtask/src/shipped.rs", "fn names_no_path") ] },
];

/// There are none yet.
const PUBLIC_KEYS: &[Test] = &[];

/// The table, once every test has been found.
pub(super) fn table(root: &Path) -> Result<String> {
    let mut text = "| rule | what holds | tests |\n| ---: | --- | --- |\n".to_string();
    for (i, Rule { text: rule, tests }) in RULES.iter().enumerate() {
        let mut names = Vec::new();
        for Test(file, words) in *tests {
            let read = || fs::read_to_string(root.join(file));
            let found = read().with_context(|| format!("cannot read {file}, of rule {}", i + 1))?;
            ensure!(found.contains(words), "{file} has no `{words}`, which rule {} names", i + 1);
            names.push(match *words {
                "NET" | "fn " | "pub fn" | "pub(crate) fn" | "mod tests" | "fn main" => {
                    format!("`{file}`")
                }
                words => format!("`{file}`: {}", words.trim_start_matches("fn ")),
            });
        }
        let names = if names.is_empty() { "no public keys yet".into() } else { names.join("; ") };
        text += &format!("| {} | {rule} | {names} |\n", i + 1);
    }
    Ok(text)
}
