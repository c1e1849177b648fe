//! Figures, with as many digits as they are precise.

/// `817 MB/s`, `20.4 GB/s`, of 10^6 bytes.
pub fn speed(mb_per_s: f64) -> String {
    match mb_per_s {
        ..1000.0 => format!("{} MB/s", three(mb_per_s)),
        ..1e6 => format!("{} GB/s", three(mb_per_s / 1e3)),
        _ => format!("{} TB/s", three(mb_per_s / 1e6)),
    }
}

/// `817`, `20.4`: without its unit.
pub fn plain(value: f64) -> String {
    three(value)
}

/// `817 k/s`, `20.4 M/s`.
pub fn calls(per_s: f64) -> String {
    match per_s {
        ..1e3 => format!("{}/s", three(per_s)),
        ..1e6 => format!("{} k/s", three(per_s / 1e3)),
        _ => format!("{} M/s", three(per_s / 1e6)),
    }
}

/// `1.25x`, `0.08x`.
pub fn ratio(ratio: f64) -> String {
    match ratio {
        ..99.95 => format!("{:.*}x", if ratio < 9.995 { 2 } else { 1 }, ratio),
        _ => format!("{ratio:.0}x"),
    }
}

/// `98%`.
pub fn share(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// `.985`, `1.00`: a fraction.
pub fn part(part: f64) -> String {
    three(part).trim_start_matches('0').to_owned()
}

/// `2.06`, `.161`: cycles a byte, in the usual short form, since columns are narrow.
pub fn cycles(cycles: f64) -> String {
    three(cycles).trim_start_matches('0').to_owned()
}

/// `12.34`, `1234`: the time of a message, in comparisons.
pub fn time(time: f64) -> String {
    match time {
        ..9.9995 => format!("{time:.3}"),
        ..99.995 => format!("{time:.2}"),
        ..999.95 => format!("{time:.1}"),
        _ => format!("{time:.0}"),
    }
}

/// `.987`, `1.083`: the ratio of two times.
pub fn change(ratio: f64) -> String {
    match ratio {
        ..9.9995 => format!("{ratio:.3}").trim_start_matches('0').to_owned(),
        _ => three(ratio),
    }
}

/// `360 B`, `8.2 KiB`: a size between measured ones.
pub fn about(bytes: f64) -> String {
    let (bytes, unit) = match bytes {
        ..999.5 => (bytes, "B"),
        ..1_043_333.0 => (bytes / 1024.0, "KiB"),
        _ => (bytes / 1_048_576.0, "MiB"),
    };
    match bytes {
        ..9.95 if unit != "B" => format!("{bytes:.1} {unit}"),
        ..99.5 => format!("{bytes:.0} {unit}"),
        _ => format!("{:.0} {unit}", (bytes / 10.0).round() * 10.0),
    }
}

/// `.031`, `<.001`: a probability.
pub fn chance(p: f64) -> String {
    match p {
        ..0.001 => "<.001".into(),
        _ => change(p),
    }
}

/// Three digits, and never more than three after the point.
fn three(value: f64) -> String {
    match value {
        ..0.9995 => format!("{value:.3}"),
        ..9.995 => format!("{value:.2}"),
        ..99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(speed(0.5), "0.500 MB/s");
        assert_eq!(speed(816.7), "817 MB/s");
        assert_eq!(speed(20_449.0), "20.4 GB/s");
        assert_eq!(calls(20_449_000.0), "20.4 M/s");
        assert_eq!(calls(816_700.0), "817 k/s");
        assert_eq!(calls(12.0), "12.0/s");
        assert_eq!(three(0.1614), "0.161");
        assert_eq!(three(9.999), "10.0");
        assert_eq!(three(99.97), "100");
        assert_eq!(cycles(2.064), "2.06");
        assert_eq!(cycles(0.1614), ".161");
        assert_eq!(ratio(0.0849), "0.08x");
        assert_eq!(ratio(12.34), "12.3x");
        assert_eq!(ratio(250.4), "250x");
        assert_eq!(share(0.984), "98%");
        assert_eq!(part(0.9849), ".985");
        assert_eq!(part(1.0), "1.00");
        assert_eq!(time(1.23456), "1.235");
        assert_eq!(time(138.53), "138.5");
        assert_eq!(time(16384.4), "16384");
        assert_eq!(change(0.98714), ".987");
        assert_eq!(change(1.0834), "1.083");
        assert_eq!(change(12.34), "12.3");
        assert_eq!(chance(0.0004), "<.001");
        assert_eq!(chance(0.0312), ".031");
        assert_eq!(chance(1.0), "1.000");
        assert_eq!(about(9.4), "9 B");
        assert_eq!(about(355.7), "360 B");
        assert_eq!(about(999.7), "1.0 KiB");
        assert_eq!(about(8400.0), "8.2 KiB");
        assert_eq!(about(300_000.0), "290 KiB");
        assert_eq!(about(1_043_400.0), "1.0 MiB");
        assert_eq!(about(99e6), "94 MiB");
    }
}
