//! The lab's clock and rates on an idle processor. The tests of a program run in parallel, and sibling cores then
//! disturb each other, so this program has a single test. It is meaningful only on a quiet machine: `cargo test`
//! skips it, and `cargo xtask deep quiet` runs it.

use std::{thread::sleep, time::Duration};

use ropewalk_lab::{
    limits::{self, Rates},
    measure::clock::{Clock, TELLS_CYCLES},
};

/// Calibration and timing must agree, wherever their code lies; and on a core that seems quiet, instruction rates
/// must be measured.
#[test]
#[ignore = "needs a machine that does nothing else"]
fn cycles_and_rates_are_measured() {
    if !TELLS_CYCLES {
        return;
    }
    // Other processes may change the frequency for a while.
    let told = (0..50).any(|_| {
        let told = Clock::calibrate(None).ghz().is_some();
        if !told {
            sleep(PAUSE);
        }
        told
    });
    assert!(told);

    // The least of many, as a run takes over its workers.
    let quiet = (0..20).filter_map(|_| Clock::calibrate(None).quiet()).reduce(f64::min);
    let mut missed = 0;
    for _ in 0..TRIES {
        let before = share_alone(quiet);
        if Rates::measure(quiet, limits::TRIES).x86_64.is_some() {
            return;
        }
        // Load from outside the test does not fail it.
        missed += u32::from(before.min(share_alone(quiet)) > MOSTLY);
        assert!(missed < MOST_MISSED, "{missed} times no rates of a quiet core");
        sleep(PAUSE);
    }
    println!("others keep this machine too busy to tell what instructions cost");
}

/// The share of spans with a steady, undisturbed core.
fn share_alone(quiet: Option<f64>) -> f64 {
    const SPANS: u32 = 200;
    let clock = Clock::calibrate(quiet);
    let alone = (0..SPANS).filter(|_| clock.span(|| ()).ghz.is_some()).count();
    alone as f64 / f64::from(SPANS)
}

const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(100);
const MOSTLY: f64 = 0.9;
const MOST_MISSED: u32 = 4;
