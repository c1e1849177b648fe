//! Events on a machine during a measurement that make figures less certain.

use std::path::Path;

use nix::time::{ClockId, clock_gettime};

use super::{Frequency, Steal, files::line, quota::Quota};
use crate::warn::Warning;

/// A machine that is observed from now on.
pub struct Watch {
    began: Moment,
}

/// The observed values.
#[derive(Clone, Debug, Default, PartialEq)]
struct Moment {
    steal: Option<Steal>,
    quota: Option<Quota>,
    /// Seconds by the clock that the system adjusts, and by the raw clock.
    clocks: [f64; 2],
}

/// A lower share of stolen time is normal.
const STOLEN: f64 = 0.02;
/// With fewer ticks of the kernel a share is not meaningful.
const TICKS: u64 = 100;
/// A larger drift is not an adjustment of the time of day, which is at most 500 ppm and constant: the clock
/// is wrong.
const DRIFT: f64 = 600e-6;
/// The seconds that are needed to measure such a drift.
const TELLS: f64 = 0.5;

impl Watch {
    /// Starts, and returns the warnings that are known before anything is measured.
    pub fn begin() -> (Self, Vec<Warning>) {
        let root = Path::new("/");
        (Self { began: Moment::now(root) }, standing(root))
    }

    /// Returns the warnings for events since.
    pub fn end(&self) -> Vec<Warning> {
        happened(&self.began, &Moment::now(Path::new("/")))
    }
}

impl Moment {
    fn now(root: &Path) -> Self {
        let seconds = |clock| {
            let now = clock_gettime(clock).expect("every system has this clock");
            now.tv_sec() as f64 + now.tv_nsec() as f64 * 1e-9
        };
        Self {
            steal: Steal::read(root),
            quota: Quota::read(root),
            clocks: [seconds(ClockId::CLOCK_MONOTONIC), seconds(ClockId::CLOCK_MONOTONIC_RAW)],
        }
    }
}

/// The permanent conditions.
fn standing(root: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let frequency = Frequency::read(root);
    match frequency.governor {
        Some(governor) if governor != "performance" => warnings.push(Warning::Governor(governor)),
        _ => {}
    }
    if frequency.boost == Some(true) {
        warnings.push(Warning::Boost);
    }
    // These clocks are read through the kernel or a device, in a microsecond.
    let source = line(root, "sys/devices/system/clocksource/clocksource0/current_clocksource");
    if let Some(slow) =
        source.filter(|name| ["hpet", "acpi_pm", "jiffies", "xen"].contains(&name.as_str()))
    {
        warnings.push(Warning::ClockSource(slow));
    }
    if let Some(Quota { cores, .. }) = Quota::read(root) {
        warnings.push(Warning::Quota(cores));
    }
    warnings
}

fn happened(began: &Moment, ended: &Moment) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let (Some(a), Some(b)) = (&began.steal, &ended.steal) {
        let since =
            Steal { stolen: b.stolen.saturating_sub(a.stolen), all: b.all.saturating_sub(a.all) };
        if since.all >= TICKS && since.share() > STOLEN {
            warnings.push(Warning::Stolen(since.share()));
        }
    }
    if let (Some(a), Some(b)) = (&began.quota, &ended.quota) {
        let times = b.throttled.saturating_sub(a.throttled);
        if times > 0 {
            warnings.push(Warning::Throttled(times));
        }
    }
    let [trimmed, alone] = [0, 1].map(|i| ended.clocks[i] - began.clocks[i]);
    let drift = trimmed / alone - 1.0;
    if alone >= TELLS && drift.abs() > DRIFT {
        warnings.push(Warning::Drift(drift));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_machine_is_told_before() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(standing(root.path()), []);
        put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        put("sys/devices/system/cpu/cpufreq/boost", "0\n");
        put("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        put("proc/self/cgroup", "0::/\n");
        put("sys/fs/cgroup/cpu.max", "max 100000\n");
        assert_eq!(standing(root.path()), []);
        put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        put("sys/devices/system/cpu/cpufreq/boost", "1\n");
        put("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
        put("sys/fs/cgroup/cpu.max", "150000 100000\n");
        let want = [
            Warning::Governor("powersave".into()),
            Warning::Boost,
            Warning::ClockSource("hpet".into()),
            Warning::Quota(1.5),
        ];
        assert_eq!(standing(root.path()), want);
    }

    #[test]
    fn what_happens_meanwhile_is_told() {
        let moment = |stolen, throttled, clocks| Moment {
            steal: Some(Steal { stolen, all: 1000 + 10 * stolen }),
            quota: Some(Quota { cores: 1.0, throttled }),
            clocks,
        };
        let began = moment(10, 3, [5.0, 5.0]);
        assert_eq!(happened(&began, &moment(10, 3, [15.0, 15.0])), []);
        let ended = happened(&began, &moment(60, 5, [15.1, 15.0]));
        let want = [Warning::Stolen(0.1), Warning::Throttled(2), Warning::Drift(0.01)];
        assert_eq!(ended.len(), 3);
        for (found, want) in ended.iter().zip(&want) {
            assert_eq!(found.to_string(), want.to_string());
        }
        // Too short to measure, and nothing known.
        assert_eq!(happened(&began, &moment(11, 3, [5.11, 5.1])), []);
        assert_eq!(happened(&Moment::default(), &Moment::default()), []);
    }
}
