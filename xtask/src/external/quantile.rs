//! Quantiles of measurements.

/// The quantile for a part from 0 to 1, interpolated between two values.
///
/// # Panics
/// Panics if there are no values.
pub(crate) fn quantile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let place = part * (values.len() - 1) as f64;
    let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

/// For an even number of values, the mean of the middle two.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[3.0, 1.0]), 2.0);
        assert_eq!(median(&[5.0]), 5.0);
    }

    #[test]
    fn quartiles() {
        let values = [5.0, 1.0, 2.0, 4.0, 3.0];
        assert_eq!(
            [0.0, 0.25, 0.75, 1.0].map(|part| quantile(&values, part)),
            [1.0, 2.0, 4.0, 5.0]
        );
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), 1.75);
    }
}
