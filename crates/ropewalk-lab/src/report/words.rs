//! Sentences below tables, no wider than the screen.

use super::column::DIM;
use crate::terminal::whole_words as options;

/// A note on a row.
pub(super) fn note(text: &str, width: usize) -> String {
    indented(text, width).lines().map(|line| format!("{DIM}{line}{DIM:#}\n")).collect()
}

/// A note on the line above, with its last line end.
pub fn indented(text: &str, width: usize) -> String {
    let options = options(width).initial_indent("  ").subsequent_indent("    ");
    textwrap::fill(text, options) + "\n"
}

/// A note on all tables, without a last line end.
pub fn paragraph(text: &str, width: usize) -> String {
    textwrap::fill(text, options(width))
}

/// A head, and text in a column next to it.
pub fn hanging(head: &str, text: &str, width: usize) -> String {
    let indent = " ".repeat(head.chars().count());
    let options = options(width).initial_indent(head).subsequent_indent(&indent);
    textwrap::fill(text, options) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_the_screen_does() {
        let text = "2 of 24 figures are of aes-128-gcm/seal and of others";
        let noted = anstream::adapter::strip_str(&note(text, 30)).to_string();
        assert_eq!(noted, "  2 of 24 figures are of\n    aes-128-gcm/seal and of\n    others\n");
        assert!(note(text, 10).contains("    aes-128-gcm/seal"), "a name is not cut");
        assert_eq!(paragraph("as it is", 80), "as it is");
    }
}
