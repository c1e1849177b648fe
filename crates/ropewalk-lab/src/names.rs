//! Suggestions for mistyped names.

use std::collections::HashSet;

/// The error for an unknown name, with the nearest known names.
pub fn unknown<'a>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = impl Into<&'a str>>,
) -> String {
    let mut known: Vec<&str> = known.into_iter().map(Into::into).collect();
    // Some features exist on two architectures.
    let mut said = HashSet::new();
    known.retain(|name| said.insert(*name));
    let nearest = nearest(name, &known);
    match nearest.as_slice() {
        [] => format!("no {what} is called `{name}`; there is {}", known.join(", ")),
        nearest => not_called(what, name, nearest),
    }
}

/// The same, with the nearest names.
pub(crate) fn not_called(what: &str, name: &str, nearest: &[&str]) -> String {
    let are = if nearest.len() == 1 { "is" } else { "are" };
    format!("no {what} is called `{name}`; the nearest {are} {}", nearest.join(", "))
}

/// At most three names like `name`, the most like it first.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    const LIKE: f64 = 0.6;
    let likeness = |other: &&str| {
        // A part of a name was typed from memory.
        let part = !name.is_empty() && other.contains(name);
        strsim::jaro_winkler(name, other) + if part { 1.0 } else { 0.0 }
    };
    let mut ranked: Vec<_> = known.iter().map(|other| (likeness(other), *other)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.retain(|ranked| ranked.0 > LIKE);
    ranked.into_iter().take(3).map(|ranked| ranked.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["aes-128-ctr", "aes-256-ctr", "sha256", "sha256/x86_64/shani"];

    #[test]
    fn nearest_first() {
        assert_eq!(nearest("sha265", &NAMES)[0], "sha256");
        assert_eq!(nearest("aes", &NAMES), ["aes-128-ctr", "aes-256-ctr"]);
        assert_eq!(nearest("shani", &NAMES)[0], "sha256/x86_64/shani");
        assert_eq!(nearest("qqq", &NAMES), [""; 0]);
    }

    #[test]
    fn one_line_that_helps() {
        assert_eq!(
            unknown("task", "sha255", NAMES),
            "no task is called `sha255`; the nearest are sha256, sha256/x86_64/shani"
        );
        assert_eq!(
            unknown("task", "ctr", ["aes-128-ctr"]),
            "no task is called `ctr`; the nearest is aes-128-ctr"
        );
        assert_eq!(unknown("task", "?", ["a", "b"]), "no task is called `?`; there is a, b");
    }
}
