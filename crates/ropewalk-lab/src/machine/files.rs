//! The files in which a kernel tells about itself.

use std::{fs, path::Path, str::FromStr};

/// The text of a file.
pub(super) fn text(root: &Path, path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(root.join(path)).ok()
}

/// The text of a file of one line, unless that is empty.
pub(super) fn line(root: &Path, path: impl AsRef<Path>) -> Option<String> {
    // Some end their line with a zero.
    let text = text(root, path)?;
    let line = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!line.is_empty()).then(|| line.into())
}

/// The number in a file.
pub(super) fn number<T: FromStr>(root: &Path, path: impl AsRef<Path>) -> Option<T> {
    line(root, path)?.parse().ok()
}

/// How many numbers a list of ranges has: `0-3,8` has five.
pub(super) fn count(list: &str) -> Option<usize> {
    list.split(',')
        .map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            Some(last.checked_sub(first)? + 1)
        })
        .sum()
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
    }
}
