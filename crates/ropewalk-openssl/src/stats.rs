//! Counts of the calls of each algorithm, if `ROPEWALK_STATS` is set. With `ROPEWALK_STATS=1` the counts of
//! algorithms that were called, and not only set up, are printed when OpenSSL frees the provider or the
//! process ends; with `ROPEWALK_STATS=all`, the others are printed too. `ropewalk provider status --pid`
//! reads them while the process runs.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::{
    fmt::Write as _,
    io::Write as _,
    sync::{Once, OnceLock},
};

use crate::quiet::{Then, quietly};

mod shared;

use shared::Entry;

/// Whether `ROPEWALK_STATS` is set. Otherwise nothing that threads share is written.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether algorithms without calls are printed.
static ALL: AtomicBool = AtomicBool::new(false);

/// The counts of an algorithm: messages begun, chunks of them, and their bytes.
pub(crate) struct Counter {
    name: &'static str,
    begun: AtomicU64,
    calls: AtomicU64,
    bytes: AtomicU64,
    /// The same counts where other processes can read them; they are never reset, and include those of forked
    /// processes.
    shared: OnceLock<&'static Entry>,
}

impl Counter {
    pub(crate) const fn new(name: &'static str) -> Self {
        let [begun, calls, bytes] = [const { AtomicU64::new(0) }; 3];
        Self { name, begun, calls, bytes, shared: OnceLock::new() }
    }

    /// Counts the beginning of a message.
    #[inline]
    pub(crate) fn begin(&self) {
        if ASKED.load(Relaxed) {
            self.add(1, 0, 0);
        }
    }

    /// Counts a call with that many bytes.
    #[inline]
    pub(crate) fn count(&self, bytes: usize) {
        if ASKED.load(Relaxed) {
            self.add(0, 1, bytes as u64);
        }
    }

    /// Counts the end of a message. An empty message counts as a call if there was no other, since programs
    /// set up algorithms that they never call.
    #[inline]
    pub(crate) fn end(&self) {
        if ASKED.load(Relaxed) && self.calls.load(Relaxed) == 0 {
            self.add(0, 1, 0);
        }
    }

    #[cold]
    fn add(&self, begun: u64, calls: u64, bytes: u64) {
        let own = [&self.begun, &self.calls, &self.bytes];
        let shared = self.shared.get().map(|entry| entry.counts());
        for counters in [Some(own), shared].into_iter().flatten() {
            for (counter, more) in counters.into_iter().zip([begun, calls, bytes]) {
                if more > 0 {
                    counter.fetch_add(more, Relaxed);
                }
            }
        }
    }
}

unsafe extern "C" {
    /// From the C library, which calls the function at the end, or before this module is unloaded.
    safe fn atexit(function: extern "C" fn()) -> core::ffi::c_int;
}

/// Reads `ROPEWALK_STATS`, once. Programs that keep fetched algorithms never free the provider.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = std::env::var_os("ROPEWALK_STATS");
        if let Some(value) = asked.filter(|value| !value.is_empty() && value != "0") {
            let counters: Vec<_> = crate::counters().collect();
            // If the system does not provide such memory, counts are only printed at the end. A limit on the
            // size of files applies to it too.
            let mut entries = None;
            quietly(Then::RunsOn, || {
                entries = shared::entries(counters.len());
                entries.is_some()
            });
            for (counter, entry) in counters.into_iter().zip(entries.unwrap_or_default()) {
                entry.set_name(counter.name);
                _ = counter.shared.set(entry);
            }
            ALL.store(value == "all", Relaxed);
            ASKED.store(true, Relaxed);
            // If it has no space for one more function, counts are printed only when the provider is freed.
            _ = atexit(at_exit);
        }
    });
}

extern "C" fn at_exit() {
    print(Then::Ends);
}

/// Prints a line to the standard error for each algorithm that was called. Counts are printed once.
pub(crate) fn print(then: Then) {
    if !ASKED.load(Relaxed) {
        return;
    }
    static SAID: AtomicBool = AtomicBool::new(false);
    let first = !SAID.swap(true, Relaxed);
    let all = first && ALL.load(Relaxed);
    let mut lines = String::new();
    for counter in crate::counters() {
        let Counter { name, begun, calls, bytes, .. } = counter;
        let [begun, calls, bytes] = [begun, calls, bytes].map(|counter| counter.swap(0, Relaxed));
        if calls > 0 || all {
            // Writing to a string cannot fail.
            _ = writeln!(lines, "ropewalk: {name}: {begun} messages, {calls} calls, {bytes} bytes");
        }
    }
    if lines.is_empty() && first {
        lines.push_str("ropewalk: loaded, and nothing was asked of it\n");
    }
    if first {
        lines.push_str(&crate::wrong::line());
    }
    if !lines.is_empty() {
        say(&lines, then);
    }
}

/// Writes to the standard error. Errors are ignored: there is no other place to report them.
pub(crate) fn say(text: &str, then: Then) {
    quietly(then, || std::io::stderr().write_all(text.as_bytes()).is_ok());
}
