//! The medians of the turns of a row in one short cell.
//!
//! They are sorted, since a comparison uses only their ranks. The first is written in full, and each other
//! one as the difference from the one before it, in units of the last digit: 17.019, 17.028, 17.111 is
//! `17.019 9 83`.

/// Further digits are rounding errors.
const DIGITS: usize = 7;

/// The most decimals that are restored exactly: 10^22 is the largest exact power of ten of a float.
const MOST_DECIMALS: usize = 22;

/// Whole numbers below this are exact in a float.
const EXACT: u64 = 1 << 53;

/// Writes times above zero.
pub(super) fn pack(values: &[f64]) -> String {
    let plain = |value: &f64| {
        let rounded = format!("{value:.*e}", DIGITS - 1).parse::<f64>();
        rounded.unwrap_or(*value).to_string()
    };
    let texts: Vec<String> = values.iter().map(plain).collect();
    let decimals = texts.iter().map(|text| decimals(text)).max().unwrap_or(0);
    let mut units: Vec<u64> = texts.iter().filter_map(|text| whole(text, decimals)).collect();
    units.sort_unstable();
    let Some(first) = units.first() else { return String::new() };
    let gaps = units.windows(2).map(|pair| format!(" {}", pair[1] - pair[0]));
    let digits = format!("{first:0width$}", width = decimals + 1);
    let (before, after) = digits.split_at(digits.len() - decimals);
    let point = if decimals > 0 { "." } else { "" };
    [before, point, after].into_iter().map(str::to_owned).chain(gaps).collect()
}

/// The inverse, with each value the float nearest to its digits; none if the format is not that of [`pack`].
pub(super) fn unpack(cell: &str) -> Option<Vec<f64>> {
    let mut words = cell.split(' ');
    let first = words.next()?;
    let decimals = decimals(first);
    if decimals > MOST_DECIMALS {
        return None;
    }
    let mut at = whole(first, decimals)?;
    let mut values = vec![at];
    for word in words {
        at = at.checked_add(digits(word)?).filter(|at| *at < EXACT)?;
        values.push(at);
    }
    let unit = 10f64.powi(decimals as i32);
    Some(values.into_iter().map(|value| value as f64 / unit).collect())
}

fn decimals(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, after)| after.len())
}

/// A number in units of its last decimal.
fn whole(number: &str, decimals: usize) -> Option<u64> {
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    digits(&format!("{before}{after:0<decimals$}")).filter(|units| *units < EXACT)
}

/// Digits, and no sign.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_short() {
        for (values, want) in [
            (&[17.111, 17.019, 17.028][..], "17.019 9 83"),
            (&[3.0, 3.0], "3 0"),
            (&[1234.5, 12.0], "12.0 12225"),
            (&[0.00012346, 0.0002], "0.00012346 7654"),
            (&[], ""),
        ] {
            assert_eq!(pack(values), want);
        }
    }

    /// Bit for bit, since equal ranks must stay equal.
    #[test]
    fn turns_come_back_as_json_reads_them() {
        let mut seed = 1u64;
        for exponent in -9..9 {
            let texts: Vec<String> = (0..24)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    format!("{}e{exponent}", 10_000 + (seed >> 40) % 90_000)
                })
                .collect();
            let read = |text: &String| serde_json::from_str::<f64>(text).unwrap();
            let mut values: Vec<f64> = texts.iter().map(read).collect();
            let again = unpack(&pack(&values)).unwrap();
            values.sort_by(f64::total_cmp);
            assert_eq!(again, values);
        }
        // The median of two values, without the rounding error of the sum.
        assert_eq!(unpack(&pack(&[0.1 + 0.2])), Some(vec![0.3]));
    }

    #[test]
    fn other_cells_are_refused() {
        let long = format!("0.{}1", "0".repeat(22));
        for cell in [
            "",
            " ",
            "1 ",
            "a",
            "1 a",
            "-1",
            "+1",
            "1 -1",
            "1e3",
            "1.2.3",
            "1  2",
            "99999999999999999999",
            "9007199254740991 1",
            &long,
        ] {
            assert_eq!(unpack(cell), None, "{cell}");
        }
    }
}
