//! Help: commands in groups, two examples of each, and where to read on.

/// The help of the whole command.
pub(super) const TEMPLATE: &str =
    "{about}\n\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// Commands by what they are for, and what each does.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Measure",
        &[
            ("speed", "how fast this machine encrypts and hashes, with which library"),
            ("scale", "how speed grows with cores"),
            ("limits", "how fast this processor could be"),
            ("compare", "what has become faster or slower from one run to another"),
            ("calibrate", "from how many messages on SIMD lanes are faster"),
        ],
    ),
    (
        "Look",
        &[
            ("doctor", "what this processor has, and which libraries and programs use it"),
            ("tasks", "what can be measured, and which libraries can do it"),
            ("mask", "how to hide instructions from another library"),
            ("selftest", "a known answer through every backend of ropewalk"),
        ],
    ),
    (
        "Use",
        &[
            ("sum", "hash files, and verify lists of sha256sum and its like"),
            ("provider", "run programs that use OpenSSL on ropewalk"),
            ("completions", "what a shell completes of this command"),
            ("man", "a manual page for each command"),
        ],
    ),
];

/// Two examples of each command, and the document that has more.
const EXAMPLES: &[(&str, [&str; 2], &str)] = &[
    (
        "speed",
        ["ropewalk speed", "ropewalk speed aes-256-gcm chacha20-poly1305 --bytes 64,1350,16K"],
        LAB,
    ),
    ("scale", ["ropewalk scale aes-128-gcm/seal", "ropewalk scale sha256 --threads 1,2,4"], LAB),
    ("limits", ["ropewalk limits", "ropewalk limits --explain sha256 --bytes 64,16K"], LAB),
    (
        "compare",
        ["ropewalk compare before after", "ropewalk compare mask:none mask:-avx512f aes-128-gcm"],
        LAB,
    ),
    ("calibrate", ["ropewalk calibrate", "ropewalk calibrate --help"], LAB),
    ("doctor", ["ropewalk doctor", "ropewalk doctor /usr/bin/curl ./libcrypto.so.3"], DOCTOR),
    ("tasks", ["ropewalk tasks aead", "ropewalk tasks --names"], LAB),
    ("mask", ["ropewalk mask -avx512f", "ropewalk mask -aes --for libcrypto"], LAB),
    ("selftest", ["ropewalk selftest", "ROPEWALK_CPU=-vaes ropewalk selftest"], LAB),
    ("sum", ["ropewalk sum -r . > list", "ropewalk sum --check list"], LAB),
    ("provider", ["ropewalk provider install", "ropewalk provider status"], "docs/openssl.md"),
    (
        "completions",
        ["ropewalk completions bash > ropewalk.bash", "ropewalk completions fish | source"],
        LAB,
    ),
    ("man", ["ropewalk man man1", "man -l man1/ropewalk-speed.1"], LAB),
];

const LAB: &str = "docs/lab.md";
const DOCTOR: &str = "docs/doctor.md";

/// What to begin with.
pub(super) const BEGIN: &str = "\
ROPEWALK_CPU=-vaes,-avx512f in the environment hides processor features.

Begin with:
  ropewalk doctor                what this processor has, and which libraries use it
  ropewalk speed                 how fast ropewalk and the other libraries are here";

/// The commands in their groups.
pub(super) fn groups() -> String {
    let mut text = String::new();
    for (group, commands) in GROUPS {
        text += &format!("{group}:\n");
        commands.iter().for_each(|(name, does)| text += &format!("  {name:<12} {does}\n"));
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// A command with its examples at the end of its help.
pub(super) fn with_examples(words: clap::Command) -> clap::Command {
    let known = EXAMPLES.iter().find(|(name, ..)| *name == words.get_name());
    let Some((_, examples, document)) = known else { return words };
    let before = words.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
    let examples = examples.map(|example| format!("  {example}\n")).concat();
    words.after_help(format!("{before}Examples:\n{examples}\nRead more: {document}"))
}

#[cfg(test)]
mod tests {
    use super::{super::COMMANDS, *};

    /// A terminal of 80 columns wraps no line, and 40 lines have all.
    #[test]
    fn the_first_help_is_one_screen() {
        let help = groups();
        assert!(help.lines().all(|line| line.len() < 80) && help.lines().count() < 30, "{help}");
    }

    #[test]
    fn every_command_is_in_a_group_and_has_examples() {
        let all = GROUPS.iter().flat_map(|(_, commands)| *commands);
        let names: Vec<&str> = all.map(|(name, _)| *name).collect();
        for command in COMMANDS.iter().map(|command| command.words()) {
            let name = command.get_name();
            let hidden = command.is_hide_set();
            assert_eq!(names.contains(&name), !hidden, "{name}");
            assert_eq!(EXAMPLES.iter().any(|(of, ..)| *of == name), !hidden, "{name}");
        }
        assert_eq!(names.len(), EXAMPLES.len());
    }

    /// Examples are command lines that the command takes.
    #[test]
    fn examples_are_understood() {
        for (name, examples, document) in EXAMPLES {
            for example in examples {
                let line = example.split([';', '|', '>']).next().unwrap_or_default();
                let line = line.split_once("ropewalk ").map_or("", |(_, rest)| rest);
                if example.starts_with("man ") {
                    continue;
                }
                let words = shlex::split(&format!("ropewalk {line}")).unwrap();
                let taken = super::super::words().try_get_matches_from(words);
                let help = taken.as_ref().is_err_and(|e| !e.use_stderr());
                assert!(taken.is_ok() || help, "{name}: {example}");
            }
            let path = format!("{}/../../{document}", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&path).is_file(), "{document}");
        }
    }
}
