//! What the lab sees of a processor that it has for itself. The tests of a program run side by side, and where cores
//! are siblings no core is quiet then: this is a program of one test.

use std::{thread::sleep, time::Duration};

use ropewalk_lab::{
    limits::Rates,
    measure::clock::{Clock, TELLS_CYCLES},
};

/// Whoever calibrates and whoever times must see the same core, wherever their code lies; and whoever has seen a
/// quiet core, and how quiet, must see in it what instructions cost.
#[test]
fn cycles_and_rates_are_told() {
    // Others on the machine may change the frequency for a while, or be the sibling.
    fn soon(mut told: impl FnMut() -> bool) -> bool {
        (0..TRIES).any(|_| {
            let told = told();
            if !told {
                sleep(PAUSE);
            }
            told
        })
    }
    let cycles = soon(|| Clock::calibrate(None).ghz().is_some());
    assert!(cycles || !TELLS_CYCLES);

    // The least of many, as a run has it of its workers.
    let quiet = (0..20).filter_map(|_| Clock::calibrate(None).quiet()).reduce(f64::min);
    let rates = soon(move || Rates::measure(quiet).x86_64.is_some());
    assert!(rates || !TELLS_CYCLES);
}

const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(100);
