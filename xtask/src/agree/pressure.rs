//! Whether other programs wanted the cores while something was measured. What a tool says is a mean, in which that is; the lab
//! says a median of short samples, in which it is not.

use std::{fs, time::Instant};

use anyhow::Result;

/// The part of the time in which some program may have waited for a core.
const MOST: f64 = 0.03;

/// How often something is measured until it was left alone.
const TIMES: usize = 3;

/// Measures, again where it was not left alone, and says in which part of the time some program waited for a core. None where
/// the system does not tell.
pub(super) fn undisturbed<T>(measure: impl Fn() -> Result<T>) -> Result<(T, Option<f64>)> {
    repeated(|| {
        let (start, before) = (Instant::now(), waited());
        let measured = measure()?;
        let waited = before.zip(waited()).map(|(before, after)| after - before);
        Ok((measured, waited.map(|waited| waited / start.elapsed().as_secs_f64())))
    })
}

fn repeated<T>(mut measure: impl FnMut() -> Result<(T, Option<f64>)>) -> Result<(T, Option<f64>)> {
    let mut measured = measure()?;
    for _ in 1..TIMES {
        if measured.1.is_none_or(|waited| waited <= MOST) {
            break;
        }
        let again = measure()?;
        if again.1 < measured.1 {
            measured = again;
        }
    }
    Ok(measured)
}

/// Seconds since the system has started.
fn waited() -> Option<f64> {
    total(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

fn total(pressure: &str) -> Option<f64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    let microseconds: f64 = some.split_once("total=")?.1.trim().parse().ok()?;
    Some(microseconds * 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let said = "some avg10=95.67 avg60=86.08 avg300=62.95 total=10143944564\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(total(said), Some(10143.944564));
        assert_eq!(total(""), None);
    }

    #[test]
    fn what_was_disturbed_is_measured_again() {
        let of = |shares: &[Option<f64>]| {
            let mut left = shares.iter().copied().enumerate();
            let measured = repeated(|| Ok(left.next().expect("not that often"))).unwrap();
            (measured.0, left.count())
        };
        assert_eq!(of(&[Some(0.01), Some(0.0)]), (0, 1));
        assert_eq!(of(&[Some(0.5), Some(0.01), Some(0.0)]), (1, 1));
        assert_eq!(of(&[Some(0.5), Some(0.2), Some(0.9)]), (1, 0));
        assert_eq!(of(&[None, Some(0.0)]), (0, 1));
    }
}
