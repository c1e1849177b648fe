//! How often each algorithm was called, counted where `ROPEWALK_STATS` is set. `ROPEWALK_STATS=1` has the counts printed when
//! OpenSSL gives the provider back, or the process ends, of what was called and not only set up; with `ROPEWALK_STATS=all`, what was not called is printed too.
//! `ropewalk provider status --pid` reads them while the process runs.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::{
    fmt::Write as _,
    io::Write as _,
    sync::{Once, OnceLock},
};

use crate::quiet::{Then, quietly};

mod shared;

use shared::Entry;

/// Whether `ROPEWALK_STATS` is set. Otherwise nothing is written that threads share.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether what was not called is to be printed.
static ALL: AtomicBool = AtomicBool::new(false);

/// What is counted of an algorithm: messages begun, pieces of them, and their bytes.
pub(crate) struct Counter {
    name: &'static str,
    begun: AtomicU64,
    calls: AtomicU64,
    bytes: AtomicU64,
    /// The same where other processes can read it; never set back, and counted with what forked processes do.
    shared: OnceLock<&'static Entry>,
}

impl Counter {
    pub(crate) const fn new(name: &'static str) -> Self {
        let [begun, calls, bytes] = [const { AtomicU64::new(0) }; 3];
        Self { name, begun, calls, bytes, shared: OnceLock::new() }
    }

    /// A message has begun.
    #[inline]
    pub(crate) fn begin(&self) {
        if ASKED.load(Relaxed) {
            self.add(1, 0, 0);
        }
    }

    /// So many bytes went through.
    #[inline]
    pub(crate) fn count(&self, bytes: usize) {
        if ASKED.load(Relaxed) {
            self.add(0, 1, bytes as u64);
        }
    }

    /// A message has ended. One without bytes is a call too where there was no other, since programs set up algorithms that
    /// they never call.
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
    /// Of the C library, which calls it at the end, or before this module is unloaded.
    safe fn atexit(function: extern "C" fn()) -> core::ffi::c_int;
}

/// Reads `ROPEWALK_STATS`, once. Programs that keep what they fetched never give the provider back.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = std::env::var_os("ROPEWALK_STATS");
        if let Some(value) = asked.filter(|value| !value.is_empty() && value != "0") {
            let counters: Vec<_> = crate::counters().collect();
            // Where the system gives no such memory, counts are printed at the end and cannot be read before. A limit on the
            // size of files holds for it too.
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
            // Where it has no room for one more, the end of the provider is the only one.
            _ = atexit(at_exit);
        }
    });
}

extern "C" fn at_exit() {
    print(Then::Ends);
}

/// A line on the standard error for each algorithm that was called. What is printed is not printed again.
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
    if !lines.is_empty() {
        say(&lines, then);
    }
}

/// Writes to the standard error. An error of it is not reported: there is no other place.
pub(crate) fn say(text: &str, then: Then) {
    quietly(then, || std::io::stderr().write_all(text.as_bytes()).is_ok());
}
