//! How often what was called, for those who ask by `ROPEWALK_STATS=1`: printed when OpenSSL gives the provider back, or
//! the process ends. With `ROPEWALK_STATS=all`, what was not called is there too.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::{fmt::Write as _, io::Write as _, sync::Once};

/// Whether anybody asks. Otherwise nothing is written that threads share.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether what was not called is to be printed.
static ALL: AtomicBool = AtomicBool::new(false);

/// What is counted of an algorithm: messages begun, pieces of them, and their bytes.
pub(crate) struct Counter {
    name: &'static str,
    begun: AtomicU64,
    calls: AtomicU64,
    bytes: AtomicU64,
}

impl Counter {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, begun: AtomicU64::new(0), calls: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    /// A message has begun.
    #[inline]
    pub(crate) fn begin(&self) {
        if ASKED.load(Relaxed) {
            self.begun.fetch_add(1, Relaxed);
        }
    }

    /// So many bytes went through.
    #[inline]
    pub(crate) fn count(&self, bytes: usize) {
        if ASKED.load(Relaxed) {
            self.calls.fetch_add(1, Relaxed);
            self.bytes.fetch_add(bytes as u64, Relaxed);
        }
    }
}

unsafe extern "C" {
    /// Of the C library, which calls it at the end, or before this module is unloaded.
    safe fn atexit(function: extern "C" fn()) -> core::ffi::c_int;
}

/// Whether anybody asks is asked once. Programs that keep what they fetched never give the provider back.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = std::env::var_os("ROPEWALK_STATS");
        if let Some(value) = asked.filter(|value| !value.is_empty() && value != "0") {
            ALL.store(value == "all", Relaxed);
            ASKED.store(true, Relaxed);
            // Where it has no room for one more, the end of the provider is the only one.
            _ = atexit(at_exit);
        }
    });
}

extern "C" fn at_exit() {
    print();
}

/// A line on the standard error for each algorithm that was called. What is printed is not printed again.
pub(crate) fn print() {
    if !ASKED.load(Relaxed) {
        return;
    }
    static SAID: AtomicBool = AtomicBool::new(false);
    let first = !SAID.swap(true, Relaxed);
    let all = first && ALL.load(Relaxed);
    let mut lines = String::new();
    for counter in crate::counters() {
        let Counter { name, begun, calls, bytes } = counter;
        let [begun, calls, bytes] = [begun, calls, bytes].map(|counter| counter.swap(0, Relaxed));
        if begun + calls > 0 || all {
            // A string takes all.
            _ = writeln!(lines, "ropewalk: {name}: {begun} messages, {calls} calls, {bytes} bytes");
        }
    }
    if lines.is_empty() && first {
        lines.push_str("ropewalk: loaded, and nothing was asked of it\n");
    }
    if first {
        lines.push_str(&crate::wrong::line());
    }
    // Nobody is left to hear of an error.
    _ = std::io::stderr().write_all(lines.as_bytes());
}
