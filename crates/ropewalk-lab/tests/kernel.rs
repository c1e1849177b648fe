//! The kernel's results equal those of the portable backend. Without AF_ALG there is nothing to test, unless
//! `ROPEWALK_EXPECT_KERNEL` is set: `cargo xtask deep` has a kernel with it.

mod common;

use std::{collections::BTreeSet, env};

use common::{Outcomes, cells, outcomes, peer};
use ropewalk_lab::{
    peers::{Opened, Unavailable, has},
    tasks::TASKS,
};

/// Reasons for a cell without a result, other than that the kernel lacks the task.
const MAY_BE: [&str; 6] = [
    "a message goes through whole",
    "a stream goes on in whole blocks",
    "its ChaCha20 takes messages whole",
    "its generator is not called here",
    // For /dev/crypto.
    "its AES-GCM is not called here",
    "its records are not called here",
];

#[test]
fn answers_of_the_kernel_are_right() {
    let expected = env::var_os("ROPEWALK_EXPECT_KERNEL").is_some();
    let Some(kernel) = open("af_alg", "this kernel has no AF_ALG") else {
        assert!(!expected, "it should be here");
        return;
    };
    for task in TASKS.iter().filter(|task| has(peer("af_alg"), task)) {
        eprintln!("{}: {}", task.full_name(), kernel.backends(task, 1).join(", "));
    }
    // Another kernel may have fewer algorithms.
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
    let peer = peer(name);
    let Outcomes { wrong, right } = outcomes(name, opened, cells());
    let lacking = TASKS.iter().filter(|task| !has(peer, task));
    let default: BTreeSet<_> = lacking
        .map(|task| {
            assert!(!right.contains(task.name), "{name} has {}, and does not say so", task.name);
            format!("{}: {}", task.name, Unavailable::lacks(peer, task))
        })
        .collect();
    let is_fine = |wrong: &str| {
        let why = wrong.split_once(": ").map_or("", |(_, why)| why);
        default.contains(wrong) || MAY_BE.contains(&why) || lacks(why)
    };
    let wrong: BTreeSet<_> = wrong.into_iter().filter(|wrong| !is_fine(wrong)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
