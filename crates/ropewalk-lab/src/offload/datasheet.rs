//! The rate in a datasheet, and where the rest of the time goes.

use std::fmt;

use super::{OFTEN, Spent, Verdict};

/// A rate in the notation of datasheets: `66c/64B@266MHz`, `4.2c/B@1.5GHz`, `800MB/s`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Bytes that are processed at once.
    block: f64,
    /// Nanoseconds for them.
    ns: f64,
    text: String,
}

/// How rates are written.
pub const FORMS: &str = "write cycles for so many bytes at a clock, such as 66c/64B@266MHz or 4.2c/B@1.5GHz, or a speed, such as \
                         800MB/s, 1.2GB/s or 10Gbit/s";

impl Rate {
    /// Parses the user's input.
    ///
    /// # Errors
    /// The error, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (block, ns) = match text.split_once('@') {
            Some((cycles, clock)) => cycles_at(cycles, clock),
            None => speed(text),
        }
        .map_err(|why| format!("`{text}` is no rate: {why}"))?;
        Ok(Self { block, ns, text: text.into() })
    }

    /// Nanoseconds for a message, in whole blocks.
    pub fn ns(&self, bytes: f64) -> f64 {
        (bytes / self.block).ceil() * self.ns
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `66c/64B` or `4.2c/B`, and `266MHz`.
fn cycles_at(cycles: &str, clock: &str) -> Result<(f64, f64), String> {
    let (cycles, bytes) = cycles.split_once("c/").ok_or_else(|| format!("{cycles}: {FORMS}"))?;
    let count = bytes.strip_suffix('B').ok_or_else(|| format!("{bytes}: {FORMS}"))?;
    let block = match count {
        "" => 1.0,
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => amount(digits, "bytes")?,
        _ => return Err(format!("{bytes} are not whole bytes")),
    };
    let units = [("kHz", 1e-6), ("MHz", 1e-3), ("GHz", 1.0)];
    let ghz = with_unit(clock, &units, "clock")?;
    Ok((block, amount(cycles, "cycles")? / ghz))
}

/// `800MB/s`: a byte at a time.
fn speed(text: &str) -> Result<(f64, f64), String> {
    let units = [
        ("kB/s", 1e-6),
        ("MB/s", 1e-3),
        ("GB/s", 1.0),
        ("Mbit/s", 1e-3 / 8.0),
        ("Gbit/s", 1.0 / 8.0),
    ];
    Ok((1.0, 1.0 / with_unit(text, &units, "speed")?))
}

fn with_unit(text: &str, units: &[(&str, f64)], what: &str) -> Result<f64, String> {
    let of = |(unit, worth): &(&str, f64)| Some((text.strip_suffix(unit)?, *worth));
    let known = units.iter().find_map(of);
    let (number, worth) = known.ok_or_else(|| format!("{text} is no {what}; {FORMS}"))?;
    Ok(amount(number, what)? * worth)
}

/// Digits, and digits after a decimal point.
fn amount(text: &str, what: &str) -> Result<f64, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = text.parse().ok().filter(|number: &f64| plain && number.is_finite());
    match number {
        Some(number) if number > 0.0 => Ok(number),
        Some(_) => Err(format!("{text} is nothing, of {what}")),
        None => Err(format!("`{text}` is no number, of {what}")),
    }
}

/// The parts of the time of a message, as fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// The expected part; above 1 if the message took less.
    pub expected: f64,
    /// The rest, in user space.
    pub user: f64,
    /// The rest, in the kernel.
    pub system: f64,
    /// The rest, while the thread did not run.
    pub idle: f64,
}

impl Parts {
    /// The parts of a row with the expected time `expected_ns`. The expected time is subtracted from where
    /// the work takes place: sleep, the kernel, or user space.
    pub fn of(spent: &Spent, expected_ns: f64) -> Self {
        let part = |ns: f64| ns / spent.ns;
        let expected = part(expected_ns);
        let without = |part: f64| (part - expected).max(0.0);
        let (user, system) = (part(spent.usage.user_ns), part(spent.usage.sys_ns));
        let idle = (1.0 - user - system).max(0.0);
        let whole = Self { expected, user, system, idle };
        match spent.verdict() {
            Verdict::Offloaded => Self { idle: without(idle), ..whole },
            Verdict::Kernel => Self { system: without(system), ..whole },
            Verdict::Cpu => Self { user: without(user), ..whole },
            Verdict::Threads | Verdict::Unclear if spent.waits() >= OFTEN => {
                Self { idle: without(idle), ..whole }
            }
            Verdict::Threads | Verdict::Unclear => Self { user: without(user), ..whole },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{measure::usage::Usage, offload::tests::spent};

    fn near(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-9
    }

    #[test]
    fn rates_as_datasheets_have_them() {
        let cases = [
            ("66c/64B@266MHz", 64.0, 66.0 / 0.266),
            ("66c/64B@266MHz", 65.0, 132.0 / 0.266),
            ("66c/64B@266MHz", 1.0, 66.0 / 0.266),
            ("4.2c/B@1.5GHz", 1000.0, 2800.0),
            ("10c/16B@500kHz", 32.0, 40_000.0),
            ("800MB/s", 16_000.0, 20_000.0),
            ("1.25GB/s", 10.0, 8.0),
            ("10Gbit/s", 10.0, 8.0),
            ("80Mbit/s", 10.0, 1000.0),
            ("500kB/s", 1.0, 2000.0),
        ];
        for (text, bytes, ns) in cases {
            let rate = Rate::parse(text).unwrap();
            assert!(near(rate.ns(bytes), ns), "{text}: {bytes} bytes take {}", rate.ns(bytes));
            assert_eq!(rate.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_rate_is_told() {
        let cases = [
            ("", "800MB/s"),
            ("66", "66c/64B@266MHz"),
            ("66c/64B", "66c/64B@266MHz"),
            ("66c/64B@266", "266 is no clock"),
            ("66c/64B@MHz", "`` is no number, of clock"),
            ("66c/64B@266MHz@1GHz", "is no number, of clock"),
            ("66/64B@266MHz", "66c/64B@266MHz"),
            ("66c/64@266MHz", "66c/64B@266MHz"),
            ("66c/1.5B@266MHz", "whole bytes"),
            ("66c/-1B@266MHz", "whole bytes"),
            ("66c/0B@266MHz", "0 is nothing, of bytes"),
            ("0c/64B@266MHz", "0 is nothing, of cycles"),
            ("-66c/64B@266MHz", "`-66` is no number, of cycles"),
            ("c/64B@266MHz", "`` is no number, of cycles"),
            ("1e3c/64B@266MHz", "is no number"),
            ("infc/64B@266MHz", "is no number"),
            ("66c/64B@0GHz", "0 is nothing, of clock"),
            ("800mb/s", "is no speed"),
            ("800MB", "is no speed"),
            ("8 00MB/s", "is no number"),
            ("0MB/s", "0 is nothing, of speed"),
        ];
        for (text, want) in cases {
            let why = Rate::parse(text).unwrap_err();
            let one = !why.contains('\n') && why.contains(&format!("`{text}` is no rate"));
            assert!(one && why.contains(want), "{text}: {why}");
        }
    }

    /// 40 messages of 100 MiB in 62.3 s, of which 0.18 in user space and 2.08 in the kernel, by an engine of
    /// a board that needs 66 cycles of 266 MHz for 64 bytes: 16 s of hashing, and 44 are lost in its driver
    /// and on the bus.
    #[test]
    fn an_engine_that_waits_for_its_driver() {
        let rate = Rate::parse("66c/64B@266MHz").unwrap();
        let of_all = |seconds: f64| seconds * 1e9 / 40.0;
        let (user_ns, sys_ns) = (of_all(0.18), of_all(2.08));
        let usage = Usage { user_ns, sys_ns, waits: 25_600.0, ..Usage::default() };
        let spent = Spent { ns: of_all(62.3), usage, count: 1, messages: 40.0 };
        let parts = Parts::of(&spent, rate.ns(100.0 * 1_048_576.0));
        let seconds = |part: f64| (part * 62.3 * 10.0).round() / 10.0;
        assert_eq!((seconds(parts.expected), seconds(parts.idle)), (16.3, 43.8));
        assert_eq!((seconds(parts.user), seconds(parts.system)), (0.2, 2.1));
        let all = parts.expected + parts.user + parts.system + parts.idle;
        assert!(near(all, 1.0), "{parts:?}");
    }

    #[test]
    fn what_is_expected_goes_on_where_the_work_is_done() {
        let of = |spent: Spent| {
            let Parts { expected, user, system, idle } = Parts::of(&spent, 300.0);
            [expected, user, system, idle].map(|part| (part * 100.0).round())
        };
        assert_eq!(of(spent(100.0, 200.0, 1.0)), [30.0, 10.0, 20.0, 40.0]);
        assert_eq!(of(spent(900.0, 100.0, 0.0)), [30.0, 60.0, 10.0, 0.0]);
        assert_eq!(of(spent(100.0, 900.0, 0.0)), [30.0, 10.0, 60.0, 0.0]);
        assert_eq!(of(spent(500.0, 0.0, 0.0)), [30.0, 20.0, 0.0, 50.0]);
        // Faster than promised.
        assert_eq!(of(spent(950.0, 50.0, 0.0).taking(250.0)), [120.0, 0.0, 20.0, 0.0]);
    }

    impl Spent {
        fn taking(self, ns: f64) -> Self {
            let usage = Usage { user_ns: ns * 0.8, sys_ns: ns * 0.2, ..self.usage };
            Self { ns, usage, ..self }
        }
    }
}
