//! Progress bars.

use std::{io, thread, time::Duration};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// A bar for that many steps. It is hidden if it is not wanted, and on a terminal that cannot draw it.
pub fn progress(steps: usize, quiet: bool) -> ProgressBar {
    if quiet || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} to go");
    let bar = ProgressBar::new(steps as u64)
        .with_style(style.expect("a sound template"))
        .with_finish(ProgressFinish::AndClear);
    tick(&bar);
    bar
}

/// Draws a bar again periodically. If the system starts no thread for that, each step still draws it.
fn tick(bar: &ProgressBar) {
    const PAUSE: Duration = Duration::from_millis(200);
    if bar.is_hidden() {
        return;
    }
    let bar = bar.downgrade();
    let draw = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(PAUSE);
        }
    };
    let _: io::Result<_> = thread::Builder::new().name("tick".into()).spawn(draw);
}
