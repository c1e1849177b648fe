//! Bars of text.

/// Consecutive parts, each as long as its share of `width` columns, and drawn with its sign. The ends are
/// rounded, not the lengths: bars of the same sum have the same length.
pub fn draw(parts: &[(f64, char)], width: usize) -> String {
    let column = |sum: f64| ((sum * width as f64).round() as usize).min(width);
    let mut sum = 0.0;
    let mut bar = String::new();
    for (length, sign) in parts {
        let from = column(sum);
        sum += length.max(0.0);
        bar.extend(std::iter::repeat_n(*sign, column(sum) - from));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        assert_eq!(draw(&[(0.5, '#'), (0.25, '+'), (0.25, '.')], 8), "####++..");
        // A third each: no column is lost.
        assert_eq!(draw(&[(1.0 / 3.0, '#'), (1.0 / 3.0, '+'), (1.0 / 3.0, '.')], 10), "###++++...");
        assert_eq!(draw(&[(0.01, '#'), (0.5, '+')], 10), "+++++");
    }

    #[test]
    fn nothing_is_longer_than_the_room() {
        assert_eq!(draw(&[(0.9, '#'), (0.9, '+')], 10), "#########+");
        assert_eq!(draw(&[(-1.0, '#'), (0.2, '+')], 10), "++");
        assert_eq!(draw(&[], 10), "");
        assert_eq!(draw(&[(1.0, '#')], 0), "");
    }
}
