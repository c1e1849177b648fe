//! The mode for data-independent timing, where the processor has one. Emulated models with FEAT_DIT run this too.

use std::{panic, thread};

use ropewalk::timing::{DataIndependent, is_here, is_on};

#[test]
fn guards_nest_and_restore() {
    assert!(!is_on());
    let outer = DataIndependent::begin();
    assert_eq!(is_on(), is_here());
    {
        let _inner = DataIndependent::begin();
        assert_eq!(is_on(), is_here());
    }
    assert_eq!(is_on(), is_here());
    drop(outer);
    assert!(!is_on());
}

#[test]
fn panic_ends_the_mode() {
    let outcome = panic::catch_unwind(|| {
        let _timing = DataIndependent::begin();
        assert_eq!(is_on(), is_here());
        panic::resume_unwind(Box::new(()));
    });
    assert!(outcome.is_err() && !is_on());
}

#[test]
fn other_threads_keep_theirs() {
    let _timing = DataIndependent::begin();
    let other = thread::spawn(|| {
        let before = is_on();
        let _timing = DataIndependent::begin();
        (before, is_on())
    });
    let (before, during) = other.join().unwrap();
    // A new thread may begin with the mode of the one that started it.
    assert!(!before || is_here());
    assert_eq!(during, is_here());
    assert_eq!(is_on(), is_here());
}

#[test]
fn mode_is_there_where_the_processor_is_listed_with_it() {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let listed = info.lines().any(|line| {
        line.starts_with("Features") && line.split_whitespace().any(|word| word == "dit")
    });
    // An emulator may not write the file for the processor that it emulates: what it lists must be there.
    assert!(!listed || is_here());
}
