//! Who does the work of a row: the thread that asks for it, or something else that it waits for.

use serde::{Deserialize, Serialize};

use crate::measure::usage::Usage;

pub mod breakeven;
pub mod datasheet;

/// Who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The thread itself.
    Cpu,
    /// The thread itself, and most of it in the kernel.
    Kernel,
    /// Other threads of the same process: the library's own.
    Threads,
    /// A device, or workers of the kernel, while the thread sleeps.
    Offloaded,
    /// The figures do not tell.
    Unclear,
}

/// From this part of a message's time on, a thread that runs does the work itself.
pub const BUSY: f64 = 0.9;

/// From this part of a message's time on, a thread that sleeps leaves the work to a device or the kernel.
pub const SLEPT: f64 = 0.25;

/// From so many voluntary switches a call on, waiting is a part of the call. A driver may gather some calls, and a
/// thread that works by itself has none in thousands.
pub const OFTEN: f64 = 0.5;

/// From this part of a message's time on, other threads of the process do not merely tidy up.
pub const OTHERS: f64 = 0.25;

/// From this part of a thread's processor time on, the kernel does the work.
pub const IN_KERNEL: f64 = 0.5;

/// Nanoseconds of processor time in all that tell user space from the kernel: the kernel looks some times in a hundredth
/// of a second where a thread is.
pub const TOLD: f64 = 15e6;

/// What must be the kernel's besides, where there is no more time than that, and the less the more time there is: of the four
/// looks of that time, an interrupt may have had two.
pub const CHANCE: f64 = 0.4;

/// What a message of a row takes.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Wall-clock nanoseconds: the median, which excludes interruptions by other threads.
    pub ns: f64,
    /// What the kernel has counted.
    pub usage: Usage,
    /// Messages in each call.
    pub count: usize,
    /// Messages that were timed, in all.
    pub messages: f64,
}

impl Spent {
    /// Who does it. Other threads are told first: whatever this one does meanwhile, it is no device that works.
    pub fn verdict(&self) -> Verdict {
        if self.others() >= OTHERS {
            return Verdict::Threads;
        }
        let waits = self.waits() >= OFTEN;
        if self.ran() >= BUSY && !waits {
            return if self.in_kernel() { Verdict::Kernel } else { Verdict::Cpu };
        }
        // Who is preempted more often than it waits may have slept no longer than it had to.
        let sleeps = waits && self.usage.preempted <= self.usage.waits;
        match sleeps && self.ran() <= 1.0 - SLEPT {
            true => Verdict::Offloaded,
            false => Verdict::Unclear,
        }
    }

    /// The part of its time that the thread ran.
    pub fn ran(&self) -> f64 {
        self.usage.busy_ns() / self.ns
    }

    /// The processor time of other threads of the process over its time.
    pub fn others(&self) -> f64 {
        self.usage.others_ns / self.ns
    }

    /// How often the thread waits in a call.
    pub fn waits(&self) -> f64 {
        self.usage.waits * self.count as f64
    }

    /// The part of its processor time that is the kernel's.
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

    /// A message of 1000 ns, of which the thread ran so many in user space and in the kernel, with so many waits a call.
    pub(crate) fn spent(user_ns: f64, sys_ns: f64, waits: f64) -> Spent {
        let usage = Usage { user_ns, sys_ns, waits, ..Usage::default() };
        Spent { ns: 1000.0, usage, count: 1, messages: 1e6 }
    }

    #[test]
    fn who_runs_all_the_time_works() {
        assert_eq!(spent(990.0, 5.0, 0.0).verdict(), Verdict::Cpu);
        // What is timed around a sample is not known to the last part.
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

    /// The case that the check is for: 62.3 s, of which .18 in user space and 2.08 in the kernel.
    #[test]
    fn a_hash_engine_of_a_board() {
        let usage = Usage { user_ns: 0.18e9, sys_ns: 2.08e9, waits: 25_600.0, ..Usage::default() };
        let spent = Spent { ns: 62.3e9, usage, count: 1, messages: 1.0 };
        assert_eq!(spent.verdict(), Verdict::Offloaded);
    }

    #[test]
    fn what_is_between_is_unclear() {
        // Taken away by another process, or by the host.
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

    /// A run of a moment has seen the kernel once, or not.
    #[test]
    fn a_moment_does_not_tell_the_kernel() {
        let moment = Spent { messages: 10.0, ..spent(0.0, 1000.0, 0.0) };
        assert_eq!(moment.verdict(), Verdict::Cpu);
        assert_eq!(Spent { messages: 20_000.0, ..moment }.verdict(), Verdict::Kernel);
        // Two looks of four, which is an interrupt; and half of many.
        let half = Spent { messages: 16_000.0, ..spent(450.0, 550.0, 0.0) };
        assert_eq!(half.verdict(), Verdict::Cpu);
        assert_eq!(Spent { messages: 300_000.0, ..half }.verdict(), Verdict::Kernel);
    }
}
