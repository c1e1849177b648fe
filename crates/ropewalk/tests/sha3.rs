//! SHA-3 and SHAKE: every backend against portable.

mod common;

use common::{Random, backends, thin};
use ropewalk::{
    Error,
    sha3::{self, PRIMITIVE, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
};

const PORTABLE: &str = "sha3/portable";
/// More blocks than any kernel has in its loop, of any rate.
const LONGEST: usize = 1200;

/// The same test for each function with digests of one length.
macro_rules! for_each_hash {
    ($test:ident) => {
        $test!(Sha3_224, sha3_224, 144);
        $test!(Sha3_256, sha3_256, 136);
        $test!(Sha3_384, sha3_384, 104);
        $test!(Sha3_512, sha3_512, 72);
    };
}

/// The same test for each function with output of any length.
macro_rules! for_each_shake {
    ($test:ident) => {
        $test!(Shake128, shake128, 168);
        $test!(Shake256, shake256, 136);
    };
}

#[test]
fn every_length_equals_portable() {
    let text = Random(1).bytes(LONGEST + 64);
    macro_rules! hash {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            let model = $Hasher::with_backend(PORTABLE).unwrap();
            for name in backends(&PRIMITIVE) {
                let hasher = $Hasher::with_backend(name).unwrap();
                assert_eq!(hasher.backend(), name);
                for len in thin(0..=LONGEST, 13) {
                    let message = &text[len % 64..][..len];
                    let want = model.digest(message);
                    assert_eq!(hasher.digest(message), want, "{name} {len}");
                    assert_eq!(sha3::$digest(message), want, "{len}");
                    let mut pieces = hasher.clone();
                    pieces.update(message);
                    assert_eq!(pieces.finish(), want, "{name} {len}");
                }
            }
        };
    }
    for_each_hash!(hash);
}

#[test]
fn every_length_of_output_equals_portable() {
    let text = Random(2).bytes(LONGEST);
    macro_rules! shake {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            let mut want = [0; LONGEST];
            $Hasher::with_backend(PORTABLE).unwrap().digest(&text[..77], &mut want);
            for name in backends(&PRIMITIVE) {
                let mut hasher = $Hasher::with_backend(name).unwrap();
                let digest = |len: usize| {
                    let mut out = vec![0xee; len];
                    hasher.digest(&text[..77], &mut out);
                    out
                };
                for len in thin(0..=LONGEST, 7) {
                    assert_eq!(digest(len), want[..len], "{name} {len}");
                }
                hasher.update(&text[..77]);
                let reader = hasher.finish();
                assert_eq!(reader.backend(), name);
                for len in thin(0..=LONGEST, 7) {
                    let mut out = vec![0xee; len];
                    reader.clone().squeeze(&mut out);
                    assert_eq!(out, want[..len], "{name} {len}, of a reader");
                }
            }
            let mut out = [0; LONGEST];
            sha3::$digest(&text[..77], &mut out);
            assert_eq!(out, want);
            for len in thin(0..=LONGEST, 13) {
                let mut want = [0; 64];
                $Hasher::with_backend(PORTABLE).unwrap().digest(&text[..len], &mut want);
                for name in backends(&PRIMITIVE) {
                    let mut out = [0; 64];
                    $Hasher::with_backend(name).unwrap().digest(&text[..len], &mut out);
                    assert_eq!(out, want, "{name} {len}");
                }
            }
        };
    }
    for_each_shake!(shake);
}

#[test]
fn a_mebibyte_equals_portable() {
    let text = Random(3).bytes(if common::sampled() { 1 << 14 } else { 1 << 20 });
    macro_rules! hash {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            let want = $Hasher::with_backend(PORTABLE).unwrap().digest(&text);
            for name in backends(&PRIMITIVE) {
                let mut hasher = $Hasher::with_backend(name).unwrap();
                assert_eq!(hasher.digest(&text), want, "{name}");
                hasher.update(&text);
                assert_eq!(hasher.finish(), want, "{name}");
            }
        };
    }
    for_each_hash!(hash);
}

#[test]
fn every_split_is_one_message() {
    let text = Random(4).bytes(600);
    macro_rules! hash {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            let model = $Hasher::with_backend(PORTABLE).unwrap();
            let around = [$rate, 2 * $rate, 3 * $rate].map(|len| [len - 1, len, len + 1]);
            for len in [0, 1, 7, 8, 9].into_iter().chain(around.into_iter().flatten()) {
                let message = &text[..len];
                let want = model.digest(message);
                for name in backends(&PRIMITIVE) {
                    let splits = (0..=len)
                        .flat_map(|a| (a..=len).step_by(1 + len / 16).map(move |b| (a, b)));
                    for (a, b) in thin(splits, 37) {
                        let mut hasher = $Hasher::with_backend(name).unwrap();
                        for range in [0..a, a..b, b..len] {
                            hasher.update(&message[range]);
                        }
                        let clone = hasher.clone();
                        assert_eq!(hasher.finish(), want, "{name} {len} split at {a} and {b}");
                        assert_eq!(clone.finish(), want, "{name} {len}, a clone");
                    }
                }
            }
        };
    }
    for_each_hash!(hash);
}

#[test]
fn every_split_is_one_output() {
    macro_rules! shake {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            let mut want = [0; 3 * $rate + 9];
            sha3::$digest(b"abc", &mut want);
            for name in backends(&PRIMITIVE) {
                let mut hasher = $Hasher::with_backend(name).unwrap();
                hasher.update(b"abc");
                let reader = hasher.finish();
                let len = want.len();
                let splits = (0..=len).flat_map(|a| (a..=len).step_by(23).map(move |b| (a, b)));
                for (a, b) in thin(splits, 37) {
                    let (mut reader, mut out) = (reader.clone(), [0xee; 3 * $rate + 9]);
                    for range in [0..a, a..b, b..len] {
                        reader.squeeze(&mut out[range]);
                    }
                    assert_eq!(out, want, "{name} split at {a} and {b}");
                }
            }
        };
    }
    for_each_shake!(shake);
}

#[test]
fn clones_go_their_own_ways() {
    let mut hasher = Sha3_256::new();
    hasher.update(b"ab");
    let mut other = hasher.clone();
    hasher.update(b"c");
    other.update(b"d");
    assert_eq!(hasher.finish(), sha3::sha3_256(b"abc"));
    assert_eq!(other.finish(), sha3::sha3_256(b"abd"));
}

#[test]
fn unknown_backends_are_refused() {
    macro_rules! any {
        ($Hasher:ident, $digest:ident, $rate:literal) => {
            for name in ["", "sha3", "sha256/portable", "sha3/x86_64/none"] {
                assert!(matches!($Hasher::with_backend(name), Err(Error::NoBackend)), "{name}");
            }
        };
    }
    for_each_hash!(any);
    for_each_shake!(any);
}
