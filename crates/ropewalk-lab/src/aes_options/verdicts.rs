//! What the tools that follow secrets report of each option. `cargo xtask ct --fix` runs them and writes the file.

use serde::Serialize;

/// A line for each option and tool, after the digest of the sources.
const FILE: &str = include_str!("verdicts.txt");

/// What one tool found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The name of the tool: `memcheck` or `trace`.
    pub tool: &'static str,
    /// Whether a branch or an address depends on a secret.
    pub leaks: bool,
}

/// The verdicts on an option; none if no tool has run it.
pub fn of(option: &str) -> Vec<Verdict> {
    read(FILE, option)
}

/// `yes` if no tool reports a leak, `no` if one does, `-` if none has run it.
pub fn in_a_word(verdicts: &[Verdict]) -> &'static str {
    match verdicts {
        [] => "-",
        verdicts if verdicts.iter().any(|verdict| verdict.leaks) => "no",
        _ => "yes",
    }
}

fn read(file: &'static str, option: &str) -> Vec<Verdict> {
    let verdict = |line: &'static str| match line.split(' ').collect::<Vec<_>>()[..] {
        [name, tool, found] if name == option => Some(Verdict { tool, leaks: found == "leaks" }),
        _ => None,
    };
    file.lines().filter_map(verdict).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "sources 00\na memcheck clean\na trace leaks\nb trace clean\n";

    #[test]
    fn verdicts_are_those_of_the_tools() {
        let of = |tool, leaks| Verdict { tool, leaks };
        assert_eq!(read(LINES, "a"), [of("memcheck", false), of("trace", true)]);
        assert_eq!(in_a_word(&read(LINES, "a")), "no", "one leak decides");
        assert_eq!(in_a_word(&read(LINES, "b")), "yes");
        assert_eq!(in_a_word(&read(LINES, "c")), "-");
    }

    /// Both tools run on x86-64 only.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_option_has_a_verdict_and_every_table_leaks() {
        for option in crate::aes_options::ciphers::OPTIONS {
            let verdicts = of(option.name);
            assert!(!verdicts.is_empty(), "{}: no verdict", option.name);
            let has_table = option.name.contains("table") || option.name == "sbox-computed";
            assert!(verdicts.iter().all(|v| v.leaks == has_table), "{}: {verdicts:?}", option.name);
        }
    }
}
