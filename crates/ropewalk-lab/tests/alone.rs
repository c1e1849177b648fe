//! What the lab sees of a processor that it has for itself. The tests of a program run side by side, and where cores
//! are siblings no core is quiet then: this is a program of one test. It says something of a quiet machine only, so
//! that `cargo test` leaves it out, and `cargo xtask deep quiet` runs it.

use std::{thread::sleep, time::Duration};

use ropewalk_lab::{
    limits::Rates,
    measure::clock::{Clock, TELLS_CYCLES},
};

/// Calibration and timing must see the same core, wherever their code lies; and where the core seems quiet,
/// it must run instructions at their rates.
#[test]
#[ignore = "needs a machine that does nothing else"]
fn cycles_and_rates_are_told() {
    if !TELLS_CYCLES {
        return;
    }
    // Others on the machine may change the frequency for a while.
    let told = (0..50).any(|_| {
        let told = Clock::calibrate(None).ghz().is_some();
        if !told {
            sleep(PAUSE);
        }
        told
    });
    assert!(told);

    // The least of many, as a run has it of its workers.
    let quiet = (0..20).filter_map(|_| Clock::calibrate(None).quiet()).reduce(f64::min);
    let mut missed = 0;
    for _ in 0..TRIES {
        let before = share_alone(quiet);
        if Rates::measure(quiet).x86_64.is_some() {
            return;
        }
        // Load from outside the test does not fail it.
        missed += u32::from(before.min(share_alone(quiet)) > MOSTLY);
        assert!(missed < MOST_MISSED, "{missed} times nothing is told of a quiet core");
        sleep(PAUSE);
    }
    println!("others keep this machine too busy to tell what instructions cost");
}

/// How often the core is seen to run steadily, and alone.
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
