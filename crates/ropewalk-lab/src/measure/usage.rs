//! The kernel's counts for a thread and its process while it works.

use std::{
    iter::Sum,
    ops::{AddAssign, Div, Sub},
};

// Not rustix's clock, which panics if the kernel has no `getcpu`, as in User Mode Linux.
use nix::{
    sys::resource::{UsageWho, getrusage},
    time::{ClockId, clock_gettime},
};
use serde::{Deserialize, Serialize};

/// Processor time and context switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Nanoseconds of processor time of this thread in user space.
    pub user_ns: f64,
    /// Nanoseconds of it in the kernel.
    pub sys_ns: f64,
    /// Nanoseconds of processor time of all other threads of the process.
    pub others_ns: f64,
    /// How often this thread waited for something: voluntary context switches.
    pub waits: f64,
    /// How often its core was given to another thread: involuntary switches.
    pub preempted: f64,
}

impl Usage {
    /// The counts since the start of this thread and its process.
    pub fn now() -> Self {
        // A query of the exact time makes the kernel count up to now, and not to its last tick.
        let clocks = [ClockId::CLOCK_THREAD_CPUTIME_ID, ClockId::CLOCK_PROCESS_CPUTIME_ID];
        let [thread, process] = clocks.map(|clock| {
            let time = clock_gettime(clock).expect("every system has this clock");
            time.tv_sec() as f64 * 1e9 + time.tv_nsec() as f64
        });
        let others_ns = process - thread;
        let Ok(usage) = getrusage(UsageWho::RUSAGE_THREAD) else {
            return Self { others_ns, ..Self::default() };
        };
        let [user_ns, sys_ns] = [usage.user_time(), usage.system_time()]
            .map(|time| time.tv_sec() as f64 * 1e9 + time.tv_usec() as f64 * 1e3);
        Self {
            user_ns,
            sys_ns,
            others_ns,
            waits: usage.voluntary_context_switches() as f64,
            preempted: usage.involuntary_context_switches() as f64,
        }
    }

    /// The total processor time.
    pub fn busy_ns(&self) -> f64 {
        self.user_ns + self.sys_ns
    }

    /// Subtracts nanoseconds in user space. The kernel's estimate of system time for them is subtracted too:
    /// it samples a thread periodically, and attributes the whole time since to one side.
    #[must_use]
    pub fn without(self, ns: f64) -> Self {
        let elsewhere = (ns - self.user_ns).max(0.0);
        Self {
            user_ns: (self.user_ns - ns).max(0.0),
            sys_ns: (self.sys_ns - elsewhere).max(0.0),
            ..self
        }
    }

    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            user_ns: of(self.user_ns, other.user_ns),
            sys_ns: of(self.sys_ns, other.sys_ns),
            others_ns: of(self.others_ns, other.others_ns),
            waits: of(self.waits, other.waits),
            preempted: of(self.preempted, other.preempted),
        }
    }
}

impl Sub for Usage {
    type Output = Self;

    /// The difference from an earlier moment, at least zero.
    fn sub(self, before: Self) -> Self {
        self.with(before, |now, before| (now - before).max(0.0))
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = self.with(other, |a, b| a + b);
    }
}

impl Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| sum.with(one, |a, b| a + b))
    }
}

impl Div<f64> for Usage {
    type Output = Self;

    fn div(self, parts: f64) -> Self {
        self.with(self, |all, _| all / parts)
    }
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, thread, time::Duration};

    use super::*;

    fn count() -> u64 {
        (0..20_000_000).fold(0, |sum, i| black_box(sum ^ i))
    }

    #[test]
    fn who_sleeps_waits() {
        let before = Usage::now();
        (0..20).for_each(|_| thread::sleep(Duration::from_millis(1)));
        let usage = Usage::now() - before;
        assert!(usage.waits >= 20.0, "{usage:?}");
    }

    #[test]
    fn other_threads_are_told_from_this_one() {
        let before = Usage::now();
        count();
        let own = Usage::now() - before;
        assert!(own.busy_ns() > 1e6, "{own:?}");
        let before = Usage::now();
        thread::spawn(count).join().unwrap();
        let other = Usage::now() - before;
        // Tests of the same program are other threads too.
        assert!(other.others_ns > 1e6, "{own:?} {other:?}");
    }

    #[test]
    fn brackets_are_left_out_wherever_the_kernel_has_counted_them() {
        let usage = Usage { user_ns: 30.0, sys_ns: 70.0, ..Usage::default() };
        let parts = |usage: Usage| (usage.user_ns, usage.sys_ns);
        assert_eq!(parts(usage.without(10.0)), (20.0, 70.0));
        assert_eq!(parts(usage.without(50.0)), (0.0, 50.0));
        assert_eq!(parts(usage.without(500.0)), (0.0, 0.0));
    }

    #[test]
    fn parts_add_up() {
        let one = Usage { user_ns: 1.0, sys_ns: 2.0, others_ns: 3.0, waits: 4.0, preempted: 5.0 };
        let mut two: Usage = [one, one].into_iter().sum();
        assert_eq!(two / 2.0, one);
        two += one;
        assert_eq!(two - one, one.with(one, |a, b| a + b));
        assert_eq!(one - two, Usage::default());
    }
}
