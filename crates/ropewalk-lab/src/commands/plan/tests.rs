//! Plans of words, and words that are refused.

use super::*;
use crate::peers::PEERS;

fn plan(words: &str) -> Result<Plan, String> {
    let command = <Options as clap::Args>::augment_args(clap::Command::new("speed"));
    let words = ["speed"].into_iter().chain(words.split_whitespace());
    let given = command.try_get_matches_from(words).map_err(|e| e.to_string())?;
    let options = <Options as clap::FromArgMatches>::from_arg_matches(&given);
    let world = World { peers: PEERS, mask: String::new(), again: String::new(), quiet: false };
    Plan::new(&options.map_err(|e| e.to_string())?, &world).map_err(|e| e.0)
}

fn task_names(words: &str) -> Vec<String> {
    plan(words).unwrap().tasks.iter().map(|task| task.full_name()).collect()
}

#[test]
fn defaults() {
    let plan = plan("").unwrap();
    assert!(plan.tasks.iter().all(|task| task.headline) && !plan.tasks.is_empty());
    assert_eq!(plan.sizes, [16, 64, 256, 1350, 8192, 16384]);
    assert_eq!(plan.counts, [1]);
    assert_eq!(plan.peers.len(), PEERS.len());
    assert_eq!(plan.mode, Mode::Message);
}

#[test]
fn tasks_by_name_and_by_operation() {
    assert_eq!(task_names("aes-128-ctr"), ["aes-128-ctr/encrypt"]);
    assert_eq!(
        task_names("sha256/digest sha256 aes-128-ctr"),
        ["sha256/digest", "aes-128-ctr/encrypt"]
    );
    assert_eq!(task_names("sha256 all").len(), TASKS.len());
}

#[test]
fn what_there_is_not_is_named() {
    let cases = [
        ("aes-128-ct", "aes-128-ctr"),
        ("sha256/encrypt", "sha256/digest"),
        ("--peers libcrypro", "no peer"),
        ("--peers none,all", "`none` excludes others"),
        ("--peers none,libcrypto:provider=x", "`none` excludes others"),
        ("--peers nettle:provider=x", "only libcrypto has"),
        ("--peers libcrypro:provider=x", "only libcrypto has"),
        ("--peers libcrypto:", "libcrypto:engine=NAME"),
        ("--peers libcrypto:provider", "libcrypto:provider=NAME or"),
        ("--peers libcrypto:provider=", "libcrypto:provider=NAME or"),
        ("--peers libcrypto:module=x", "libcrypto:provider=NAME or"),
        ("--backend sha256/x86_64/shany", "sha256/"),
        ("--mask -vae", "vaes"),
        ("--mask ,", "names no"),
        ("--bytes 0", "`0`"),
        ("--bytes 16,", "``"),
        ("--count 0", "at least"),
        ("--mix imux", "imix"),
        ("--mix imix random", "several lengths"),
        ("--mix imix --mode stream", "one message"),
        ("--mix files --count 100000", "1 GiB"),
        ("--bytes 1MiB --count 2048", "1 GiB"),
        ("aes-128-gcm/seal --keys each", "--count 2"),
        ("sha256 --bytes 64 --stride 4096", "--count 2"),
        ("sha256 --bytes 64 --count 1,4 --stride 4096", "--count 2"),
        ("sha256 --bytes 64 --count 4 --stride 48", "multiple of 16"),
        ("sha256 --bytes 64 --count 4 --stride 100", "multiple of 16"),
        ("sha256 --bytes 64 --count 4 --stride 2MiB", "from 64 to 1MiB"),
        ("sha256 --bytes 64 --count 4 --stride far", "multiple of 16"),
        ("sha256 --bytes 64,8K --count 4 --stride 4KiB", "has no room"),
        ("sha256 --mix imix --stride 1024", "has no room"),
        ("sha256 --bytes 64 --count 4096 --stride 1MiB", "1 GiB"),
        ("sha256 --bytes 64 --count 4 --stride 4KiB --mode stream", "--mode message"),
        ("sha256 --keys each --count 4", "sha256/digest have no keys"),
        ("hmac-sha256 --keys each --count 4 --mode stream", "one message"),
        ("x25519/generate --mode setup", "x25519/generate takes no key"),
        ("sha256 --mode setup --count 2", "no --count"),
        ("random --mode setup", "takes no key"),
        ("aes-128-ctr --mode setup --count 2", "no --count"),
        ("aes-128-ctr --mode setup --mix imix", "no --count"),
        ("hmac-sha256 --mode setup --count 2 --keys each", "no --count"),
        ("--seconds 0", "--seconds"),
        ("--seconds -1", "--seconds"),
        ("--seconds nan", "--seconds"),
        ("--lib no/such/file", "no/such/file"),
    ];
    for (words, want) in cases {
        let why = plan(words).err().unwrap_or_else(|| panic!("{words} is accepted"));
        assert!(why.contains(want) && !why.contains('\n'), "{words}: {why}");
    }
}

#[test]
fn parts_are_next_to_peers() {
    let of = |words: &str| {
        let plan = plan(words).unwrap();
        let parts = plan.parts.into_iter().map(|part| part.by).collect::<Vec<_>>();
        (plan.peers.iter().map(|peer| peer.name()).collect::<Vec<_>>(), parts)
    };
    let (peers, parts) =
        of("--peers libcrypto:provider=a,libcrypto:engine=b --peers libcrypto:provider=a");
    assert_eq!(peers, ["ropewalk"], "the library itself is asked for by its name");
    assert_eq!(parts, ["provider=a", "engine=b"]);
    assert_eq!(of("--peers libcrypto,libcrypto:provider=/a/b.so").0, ["ropewalk", "libcrypto"]);
    let here = std::env::current_dir().unwrap().join("x/y.so");
    let parts = of("--peers libcrypto:provider=x/y.so").1;
    assert_eq!(parts, [format!("provider={}", here.display())]);
}

#[test]
fn a_mix_has_many_messages() {
    let of_two = plan("sha256 --mix imix,files").unwrap();
    assert_eq!((of_two.counts, of_two.mixes.len()), (vec![OF_A_MIX], 2));
    assert_eq!(plan("sha256 --mix tls --count 7").unwrap().counts, [7]);
}

#[test]
fn what_has_no_key_is_not_set_up_unless_asked_for() {
    assert_eq!(task_names("sha256 --mode setup"), ["sha256/digest"]);
    let plan = plan("--mode setup").unwrap();
    assert!(!plan.tasks.is_empty() && plan.tasks.iter().all(|task| task.kind.takes_key()));
}

#[test]
fn messages_have_one_key_unless_asked_for() {
    assert_eq!(plan("hmac-sha256 --count 4").unwrap().keys, Keys::One);
    assert_eq!(plan("hmac-sha256 --count 4 --keys each").unwrap().keys, Keys::Each);
}

#[test]
fn messages_lie_anywhere_unless_asked_for() {
    let of = |words: &str| plan(words).unwrap().stride;
    assert_eq!(of("sha256 --count 4"), None);
    assert_eq!(of("sha256 --bytes 64,4K --count 4,64 --stride 4KiB"), Some(4096));
    assert_eq!(of("sha256 --mix imix --stride 2064"), Some(2064));
}

#[test]
fn masks_are_sets_of_their_own() {
    let plan = plan("--mask -vaes --mask=vaes,avx512f --mask vaes").unwrap();
    assert_eq!(plan.masks, ["-vaes", "-vaes,-avx512f"]);
}
