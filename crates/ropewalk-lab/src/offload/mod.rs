//! Where the work of a row is done: in the calling thread, or elsewhere while it waits.

use serde::{Deserialize, Serialize};

use crate::measure::usage::Usage;

pub mod breakeven;
pub mod datasheet;

/// Where the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// In the calling thread.
    Cpu,
    /// In the calling thread, most of it in the kernel.
    Kernel,
    /// In other threads of the same process: the library's own.
    Threads,
    /// In a device, or in workers of the kernel, while the thread sleeps.
    Offloaded,
    /// The figures do not show it.
    Unclear,
}

/// The fraction of a message's time from which on a running thread is taken to do the work itself.
pub const BUSY: f64 = 0.9;

/// The fraction of a message's time from which on a sleeping thread is taken to have passed the work to a
/// device or the kernel.
pub const SLEPT: f64 = 0.25;

/// Voluntary switches per call from which on waiting is a part of the call. A driver may gather some calls,
/// and a thread that works by itself has none in thousands.
pub const OFTEN: f64 = 0.5;

/// The fraction of a message's time from which on other threads of the process are taken to do work.
pub const OTHERS: f64 = 0.25;

/// The fraction of a thread's processor time from which on the kernel is taken to do the work.
pub const IN_KERNEL: f64 = 0.5;

/// Nanoseconds of processor time that are needed to distinguish user space from the kernel: the kernel
/// samples threads some times in a hundredth of a second.
pub const TOLD: f64 = 15e6;

/// The additional fraction of system time that is required with the least time, and decreases with more time:
/// of the four samples in that time, an interrupt may account for two.
pub const CHANCE: f64 = 0.4;

/// The costs of a message of a row.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Wall-clock nanoseconds: the median, which excludes interruptions by other threads.
    pub ns: f64,
    /// The kernel's counts.
    pub usage: Usage,
    /// Messages in each call.
    pub count: usize,
    /// Messages that were timed, in all.
    pub messages: f64,
}

impl Spent {
    /// The verdict. Other threads come first: whatever this one does meanwhile, the work is not done by a
    /// device.
    pub fn verdict(&self) -> Verdict {
        if self.others() >= OTHERS {
            return Verdict::Threads;
        }
        let waits = self.waits() >= OFTEN;
        if self.ran() >= BUSY && !waits {
            return if self.in_kernel() { Verdict::Kernel } else { Verdict::Cpu };
        }
        // A thread that is preempted more often than it waits may have slept only because of that.
        let sleeps = waits && self.usage.preempted <= self.usage.waits;
        match sleeps && self.ran() <= 1.0 - SLEPT {
            true => Verdict::Offloaded,
            false => Verdict::Unclear,
        }
    }

    /// The fraction of its time in which the thread ran.
    pub fn ran(&self) -> f64 {
        self.usage.busy_ns() / self.ns
    }

    /// The processor time of other threads of the process relative to its time.
    pub fn others(&self) -> f64 {
        self.usage.others_ns / self.ns
    }

    /// The number of waits in a call.
    pub fn waits(&self) -> f64 {
        self.usage.waits * self.count as f64
    }

    /// The fraction of its processor time in the kernel.
    pub fn kernels(&self) -> f64 {
        self.usage.sys_ns / self.usage.busy_ns().max(f64::MIN_POSITIVE)
    }

    fn in_kernel(&self) -> bool {
        let busy = self.usage.busy_ns() * self.messages;
        busy >= TOLD && self.kernels() >= IN_KERNEL + CHANCE * TOLD / busy
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A message of 1000 ns, with that time in user space and in the kernel, and that many waits a call.
    pub(crate) fn spent(user_ns: f64, sys_ns: f64, waits: f64) -> Spent {
        let usage = Usage { user_ns, sys_ns, waits, ..Usage::default() };
        Spent { ns: 1000.0, usage, count: 1, messages: 1e6 }
    }

    #[test]
    fn who_runs_all_the_time_works() {
        assert_eq!(spent(990.0, 5.0, 0.0).verdict(), Verdict::Cpu);
        // The error of the time around a sample.
        assert_eq!(spent(1080.0, 5.0, 0.0001).verdict(), Verdict::Cpu);
        assert_eq!(spent(120.0, 880.0, 0.0).verdict(), Verdict::Kernel);
    }

    #[test]
    fn who_sleeps_in_every_call_leaves_it_to_others() {
        assert_eq!(spent(10.0, 40.0, 1.0).verdict(), Verdict::Offloaded);
        assert_eq!(spent(100.0, 640.0, 0.8).verdict(), Verdict::Offloaded);
        // One wait for all messages of a call.
        let many = Spent { count: 64, ..spent(10.0, 40.0, 1.0 / 64.0) };
        assert_eq!(many.verdict(), Verdict::Offloaded);
        assert_eq!(Spent { count: 1, ..many }.verdict(), Verdict::Unclear);
    }

    /// The case that the check is for: 62.3 s, of which 0.18 in user space and 2.08 in the kernel.
    #[test]
    fn a_hash_engine_of_a_board() {
        let usage = Usage { user_ns: 0.18e9, sys_ns: 2.08e9, waits: 25_600.0, ..Usage::default() };
        let spent = Spent { ns: 62.3e9, usage, count: 1, messages: 1.0 };
        assert_eq!(spent.verdict(), Verdict::Offloaded);
    }

    #[test]
    fn what_is_between_is_unclear() {
        // The core was taken by another process, or by the host.
        assert_eq!(spent(600.0, 0.0, 0.0).verdict(), Verdict::Unclear);
        assert_eq!(spent(700.0, 100.0, 1.0).verdict(), Verdict::Unclear);
        assert_eq!(spent(950.0, 20.0, 1.0).verdict(), Verdict::Unclear);
        let usage = Usage { preempted: 3.0, ..spent(300.0, 50.0, 1.0).usage };
        assert_eq!(Spent { usage, ..spent(0.0, 0.0, 0.0) }.verdict(), Verdict::Unclear);
    }

    #[test]
    fn threads_of_the_library_are_no_device() {
        for (own, waits) in [(20.0, 1.0), (990.0, 0.0)] {
            let usage = Usage { others_ns: 900.0, ..spent(own, 0.0, waits).usage };
            assert_eq!(Spent { usage, ..spent(0.0, 0.0, 0.0) }.verdict(), Verdict::Threads);
        }
        let usage = Usage { others_ns: 30.0, ..spent(980.0, 0.0, 0.0).usage };
        assert_eq!(Spent { usage, ..spent(0.0, 0.0, 0.0) }.verdict(), Verdict::Cpu);
    }

    /// A short run has at most one sample in the kernel.
    #[test]
    fn a_moment_does_not_tell_the_kernel() {
        let moment = Spent { messages: 10.0, ..spent(0.0, 1000.0, 0.0) };
        assert_eq!(moment.verdict(), Verdict::Cpu);
        assert_eq!(Spent { messages: 20_000.0, ..moment }.verdict(), Verdict::Kernel);
        // Two of four samples, which may be an interrupt; and half of many.
        let half = Spent { messages: 16_000.0, ..spent(450.0, 550.0, 0.0) };
        assert_eq!(half.verdict(), Verdict::Cpu);
        assert_eq!(Spent { messages: 300_000.0, ..half }.verdict(), Verdict::Kernel);
    }
}
