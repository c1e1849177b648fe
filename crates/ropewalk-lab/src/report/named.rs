//! Paragraphs with a name before their first line.

use std::io::{self, Write};

use anstyle::Style;

use crate::{filename::text_shown, terminal::Size};

/// Columns without a terminal.
pub const COLUMNS: usize = 80;

/// The most columns of a paragraph: longer lines are hard to read.
pub const WIDTH: usize = 80;

/// Columns of a line here.
pub fn width() -> usize {
    Size::here(COLUMNS).columns.min(WIDTH)
}

/// Writes the words of `text` in lines. A name of this style is in the first `columns` columns of the first
/// line. No words give no line.
///
/// # Errors
/// If it cannot be written.
pub fn below(
    out: &mut impl Write,
    style: Style,
    name: &str,
    columns: usize,
    text: &str,
) -> io::Result<()> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let mut name = name;
    for line in wrapped(&words, width() - columns - 2) {
        writeln!(out, "  {style}{name:columns$}{style:#}{line}")?;
        name = "";
    }
    Ok(())
}

/// Words in lines no longer than `width`, without terminal control sequences.
pub fn wrapped(words: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.iter().map(|word| text_shown(word)) {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped() {
        assert_eq!(wrapped(&["aes", "avx", "sha"], 7), ["aes avx", "sha"]);
        assert_eq!(wrapped(&["aes"], 1), ["aes"]);
        assert!(wrapped(&[], 7).is_empty());
    }
}
