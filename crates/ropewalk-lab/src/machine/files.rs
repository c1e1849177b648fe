//! The files in which a kernel describes the machine.

use std::{fs, path::Path, str::FromStr};

/// The text of a file.
pub(super) fn text(root: &Path, path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(root.join(path)).ok()
}

/// The text of a file of one line, unless that is empty.
pub(super) fn line(root: &Path, path: impl AsRef<Path>) -> Option<String> {
    // Some end with a zero byte.
    let text = text(root, path)?;
    let line = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!line.is_empty()).then(|| line.into())
}

/// The number in a file.
pub(super) fn number<T: FromStr>(root: &Path, path: impl AsRef<Path>) -> Option<T> {
    line(root, path)?.parse().ok()
}

/// The length of a list of ranges: `0-3,8` has five numbers.
pub(super) fn count(list: &str) -> Option<usize> {
    Some(ranges(list)?.iter().map(|(first, last)| last - first + 1).sum())
}

/// The numbers of a list of ranges.
pub(super) fn numbers(list: &str) -> Option<Vec<usize>> {
    Some(ranges(list)?.into_iter().flat_map(|(first, last)| first..=last).collect())
}

fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    let ranges = list.split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let range = (first.parse().ok()?, last.parse().ok()?);
        (range.0 <= range.1).then_some(range)
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(count("0"), Some(1));
        assert_eq!(count("0-3,8"), Some(5));
        assert_eq!(count("0,64"), Some(2));
        assert_eq!(count(""), None);
        assert_eq!(count("3-0"), None);
        assert_eq!(numbers("0-3,8"), Some(vec![0, 1, 2, 3, 8]));
        assert_eq!(numbers("0,x"), None);
    }
}
