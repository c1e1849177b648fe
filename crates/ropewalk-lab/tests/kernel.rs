//! The kernel puts out what the portable backend does. Where a kernel has no AF_ALG there is nothing to test, unless
//! `ROPEWALK_EXPECT_KERNEL` is set: `cargo xtask deep` has one that has it.

mod common;

use std::{collections::BTreeSet, env};

use common::{cells, peer, wrong_cells};
use ropewalk_lab::{
    peers::Opened,
    tasks::{Kind, Mac, TASKS},
};

/// Why a cell may have no answer.
const MAY_BE: [&str; 17] = [
    "a message goes through whole",
    "a stream goes on in whole blocks",
    "its ChaCha20 takes messages whole",
    "has no AES key wrap",
    "has no AES-CBC with HMAC in one call",
    "has no Poly1305 alone",
    "has no SHA-512/256",
    "has no HMAC of SHA-512/256",
    "its generator is not called here",
    "has no X25519",
    "has no Ed25519",
    // Of the device.
    "its AES-GCM is not called here",
    "its records are not called here",
    "has no AES-CCM",
    "has no AES-CMAC",
    "has no ChaCha20",
    "has no random bytes",
];

/// Hash functions that only newer interfaces have.
const NEWER: [&str; 4] =
    ["has no SHAKE", "has no SHA3-", "has no HMAC of SHA3-", "has no Poly1305"];

#[test]
fn answers_of_the_kernel_are_right() {
    let expected = env::var_os("ROPEWALK_EXPECT_KERNEL").is_some();
    let Some(kernel) = open("af_alg", "this kernel has no AF_ALG") else {
        assert!(!expected, "it should be here");
        return;
    };
    let has_driver = |kind: Kind| {
        let none = [Kind::Fill, Kind::NoOp, Kind::Mac(Mac::Poly1305)];
        let curve = matches!(kind, Kind::X25519(_) | Kind::Ed25519(_));
        let wraps = matches!(kind, Kind::KeyWrap { .. } | Kind::Records { .. });
        !(none.contains(&kind) || curve || wraps)
    };
    for task in TASKS.iter().filter(|task| has_driver(task.kind)) {
        eprintln!("{}: {}", task.full_name(), kernel.backends(task, 1).join(", "));
    }
    // A kernel of somebody else's may have been built with less.
    assert_right("af_alg", &*kernel, |why| !expected && why.starts_with("this kernel lacks"));
}

#[test]
fn answers_of_the_device_are_right() {
    let Some(device) = open("cryptodev", "no /dev/crypto: ") else { return };
    assert_right("cryptodev", &*device, |why| why == "the kernel behind it lacks the algorithm");
}

fn open(name: &str, absent: &str) -> Option<Box<dyn Opened>> {
    match peer(name).open("") {
        Ok(opened) => {
            eprintln!("{}", opened.version());
            Some(opened)
        }
        Err(reason) => {
            eprintln!("{reason}");
            assert!(reason.0.starts_with(absent), "{reason}");
            None
        }
    }
}

fn assert_right(name: &str, opened: &dyn Opened, lacks: impl Fn(&str) -> bool) {
    let wrong: BTreeSet<_> = wrong_cells(name, opened, cells()).into_iter().collect();
    let is_fine = |why: &str| {
        MAY_BE.contains(&why) || NEWER.iter().any(|start| why.starts_with(start)) || lacks(why)
    };
    let wrong: Vec<_> = wrong
        .into_iter()
        .filter(|wrong| !wrong.split_once(": ").is_some_and(|(_, why)| is_fine(why)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
