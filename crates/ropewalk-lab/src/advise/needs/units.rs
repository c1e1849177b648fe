//! Quantities as people write them: a number, and a unit.

use crate::tasks::size;

/// What a rate looks like.
pub(super) const RATE: &str = "a number of B/s or bit/s, such as 20MB/s, 1.5GiB/s or 10Mbit/s";
/// What a size looks like.
pub(super) const SIZE: &str = "a number of bytes, such as 1350, 50KB (50000) or 64KiB (65536)";
/// What a number of operations looks like.
pub(super) const OPS: &str = "a number a second or a minute, such as 4000/s, 4k/s or 30/min";
/// What a time looks like.
pub(super) const TIME: &str = "a time in ns, us, ms or s, such as 1ms";
/// What a share looks like.
pub(super) const SHARE: &str = "a share from 0% to 100%, such as 80%";

/// Bytes a second.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    let (number, unit) = split(text).ok_or_else(|| no(text, "rate", RATE))?;
    let (unit, per_second) = unit.strip_suffix("/s").map_or((unit, false), |unit| (unit, true));
    let (prefix, bytes) = match (unit.strip_suffix("bit"), unit.strip_suffix('B')) {
        (Some(prefix), _) => (prefix, 0.125),
        (_, Some(prefix)) => (prefix, 1.0),
        _ if unit.ends_with('b') && per_second => {
            return Err(format!("`{text}` may be bits or bytes: write bit/s or B/s"));
        }
        _ => return Err(no(text, "rate", RATE)),
    };
    match factor(prefix) {
        Some(factor) if per_second => Ok(number * factor * bytes),
        _ => Err(no(text, "rate", RATE)),
    }
}

/// Bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || no(text, "size", SIZE);
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let factor = match unit {
        // As in `speed --bytes`.
        "K" | "k" => Some(1024.0),
        "M" => Some(1_048_576.0),
        "G" => Some(1_073_741_824.0),
        "" => Some(1.0),
        unit => unit.strip_suffix('B').and_then(factor),
    };
    let bytes = number * factor.ok_or_else(wrong)?;
    match bytes.fract() == 0.0 && bytes <= MOST_BYTES {
        true => Ok(bytes as u64),
        false if bytes > MOST_BYTES => Err(format!("`{text}` is more than 1 TiB")),
        false => Err(format!("`{text}` is no whole number of bytes")),
    }
}

const MOST_BYTES: f64 = (size::LARGEST as f64) * 1024.0;

/// Operations a second.
pub(super) fn ops(text: &str) -> Result<f64, String> {
    let wrong = || no(text, "number of operations", OPS);
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let (prefix, every) = unit.split_once('/').ok_or_else(wrong)?;
    let seconds = match every {
        "s" => 1.0,
        "min" => 60.0,
        _ => return Err(wrong()),
    };
    let factor = if prefix.ends_with('i') { None } else { factor(prefix) };
    Ok(number * factor.ok_or_else(wrong)? / seconds)
}

/// Nanoseconds.
pub(super) fn time(text: &str) -> Result<f64, String> {
    let (number, unit) = split(text).ok_or_else(|| no(text, "time", TIME))?;
    let ns = match unit {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return Err(no(text, "time", TIME)),
    };
    Ok(number * ns)
}

/// A share, from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|number| parse(number.trim_end()));
    match number {
        Some(number) if number <= 100.0 => Ok(number / 100.0),
        _ => Err(no(text, "share", SHARE)),
    }
}

fn no(text: &str, what: &str, form: &str) -> String {
    format!("`{}` is no {what}: write {form}", text.escape_debug())
}

/// A number above zero, and what follows it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = parse(&text[..at]).filter(|number| *number > 0.0)?;
    Some((number, text[at..].trim_start()))
}

/// A number without sign or exponent.
fn parse(text: &str) -> Option<f64> {
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

/// The factor of a prefix.
fn factor(prefix: &str) -> Option<f64> {
    Some(match prefix {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "Ki" => 1024.0,
        "Mi" => 1_048_576.0,
        "Gi" => 1_073_741_824.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_as_people_write_them() {
        for (text, want) in [
            ("20MB/s", 20e6),
            ("1.5 GiB/s", 1.5 * 1_073_741_824.0),
            ("10Mbit/s", 1.25e6),
            ("40Gbit/s", 5e9),
            ("100kB/s", 1e5),
            ("8bit/s", 1.0),
        ] {
            assert_eq!(rate(text), Ok(want), "{text}");
        }
        for (text, want) in
            [("1350", 1350), ("50KB", 50_000), ("64KiB", 65_536), ("64K", 65_536), ("1.5kB", 1500)]
        {
            assert_eq!(size(text), Ok(want), "{text}");
        }
        for (text, want) in [("4000/s", 4000.0), ("4k/s", 4000.0), ("30/min", 0.5)] {
            assert_eq!(ops(text), Ok(want), "{text}");
        }
        for (text, want) in [("1ms", 1e6), ("250 us", 250e3), ("2s", 2e9), ("80ns", 80.0)] {
            assert_eq!(time(text), Ok(want), "{text}");
        }
        for (text, want) in [("80%", 0.8), ("0%", 0.0), ("100 %", 1.0)] {
            assert_eq!(share(text), Ok(want), "{text}");
        }
    }

    /// Each is refused in one line that names it and a right form.
    #[test]
    fn bad_units_are_refused() {
        type Parsed = fn(&str) -> Result<f64, String>;
        let of_size: Parsed = |text| size(text).map(|bytes| bytes as f64);
        let cases: [(Parsed, &[&str], &str); 5] = [
            (
                rate,
                &["", "20", "MB/s", "20MB", "0MB/s", "-1MB/s", "1e3MB/s", "20 miles/s", "20MB/min"],
                "20MB/s",
            ),
            (of_size, &["", "KB", "0", "-5", "5Mbit", "50 pages", "1e3", "nan", "inf"], "50KB"),
            (ops, &["", "4000", "4000/h", "/s", "0/s", "4Ki/s", "-1/s", "many/s"], "4000/s"),
            (time, &["", "1", "ms", "0ms", "1 minute", "-1ms", "1.2.3ms"], "1ms"),
            (share, &["", "80", "-1%", "101%", "most%", "%"], "80%"),
        ];
        for (parsed, texts, form) in cases {
            for text in texts {
                let why = parsed(text).expect_err(text);
                assert!(why.contains(&format!("`{text}`")), "{why}");
                assert!(why.contains(form) && !why.contains('\n'), "{why}");
            }
        }
        assert!(rate("20Mb/s").unwrap_err().contains("bits or bytes"));
        assert!(size("1.5").unwrap_err().contains("whole number"));
        assert!(size("5TB").unwrap_err().contains("1 TiB"));
    }
}
