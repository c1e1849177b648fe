//! The sizes from which one row is faster than another.

/// A figure at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The length of a message.
    pub bytes: f64,
    /// Nanoseconds a message.
    pub ns: f64,
    /// Its interval, if known.
    pub interval: (f64, f64),
}

/// The ranges of sizes in which `row` is faster than `other`, from the first up to the second; an open end is
/// none. Between two sizes, the cost of a message is taken to be linear, and a difference below the noise
/// does not count as faster. None if they have no size in common.
pub fn ranges(row: &[Point], other: &[Point]) -> Option<Vec<(Option<f64>, Option<f64>)>> {
    let mut pairs: Vec<(Point, Point)> = row
        .iter()
        .filter_map(|point| Some((*point, *other.iter().find(|other| other.bytes == point.bytes)?)))
        .collect();
    pairs.sort_by(|a, b| a.0.bytes.total_cmp(&b.0.bytes));
    let mut ranges = Vec::new();
    let mut open = is_faster(pairs.first()?).then_some(None);
    for two in pairs.windows(2) {
        match (open, is_faster(&two[1])) {
            (None, true) => open = Some(Some(crossing(two))),
            (Some(from), false) => {
                ranges.push((from, Some(crossing(two))));
                open = None;
            }
            _ => {}
        }
    }
    ranges.extend(open.map(|from| (from, None)));
    Some(ranges)
}

fn is_faster((row, other): &(Point, Point)) -> bool {
    row.ns < other.ns && row.interval.1 < other.interval.0
}

/// The intersection of two lines, the first of which is above the other at the first size, and below it at
/// the second.
fn crossing(two: &[(Point, Point)]) -> f64 {
    let [before, after] = [0, 1].map(|i| two[i].0.ns - two[i].1.ns);
    let [from, to] = [0, 1].map(|i| two[i].0.bytes);
    // If they differ by less than the noise, the lines may have met before.
    let part = (before / (before - after)).clamp(0.0, 1.0);
    from + (to - from) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 6] = [16.0, 64.0, 256.0, 1350.0, 8192.0, 16384.0];

    fn row(ns: impl Fn(f64) -> f64) -> Vec<Point> {
        let point = |bytes| {
            let ns = ns(bytes);
            Point { bytes, ns, interval: (0.99 * ns, 1.01 * ns) }
        };
        SIZES.into_iter().map(point).collect()
    }

    /// A call that costs 5 us, and bytes that cost a tenth: faster from 5535 bytes on.
    #[test]
    fn a_device_pays_from_the_size_where_the_lines_meet() {
        let device = row(|bytes| 5000.0 + 0.1 * bytes);
        let core = row(|bytes| 18.5 + bytes);
        let ranges = ranges(&device, &core).unwrap();
        let [(Some(from), None)] = ranges[..] else { panic!("{ranges:?}") };
        assert!((from - 5535.0).abs() < 0.1, "{from}");
    }

    #[test]
    fn some_pay_never_and_some_always() {
        let core = row(|bytes| 18.5 + bytes);
        assert_eq!(ranges(&row(|bytes| 5000.0 + bytes), &core).unwrap(), []);
        assert_eq!(ranges(&row(|bytes| 10.0 + 0.5 * bytes), &core).unwrap(), [(None, None)]);
        assert_eq!(ranges(&core, &core).unwrap(), []);
        // A difference below the noise does not count.
        assert_eq!(ranges(&row(|bytes| 0.985 * (18.5 + bytes)), &core).unwrap(), []);
    }

    #[test]
    fn some_pay_between_two_sizes_or_up_to_one() {
        let core = row(|bytes| 18.5 + bytes);
        let between = row(|bytes| 100.0 + 0.5 * bytes + bytes * bytes / 8192.0);
        let [(Some(from), Some(to))] = ranges(&between, &core).unwrap()[..] else { panic!() };
        assert!((64.0..256.0).contains(&from) && (1350.0..8192.0).contains(&to), "{from} {to}");
        let short = row(|bytes| 5.0 + 1.5 * bytes);
        let [(None, Some(to))] = ranges(&short, &core).unwrap()[..] else { panic!() };
        assert!((16.0..64.0).contains(&to), "{to}");
    }

    #[test]
    fn only_sizes_of_both_count() {
        let (core, device) = (row(|bytes| 18.5 + bytes), row(|bytes| 5000.0 + 0.1 * bytes));
        assert_eq!(ranges(&device[5..], &core).unwrap(), [(None, None)]);
        assert_eq!(ranges(&device[..3], &core[3..]), None);
        assert_eq!(ranges(&[], &core), None);
    }
}
