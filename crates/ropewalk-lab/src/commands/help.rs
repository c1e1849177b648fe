//! Help: commands in groups, two examples of each, and references to documents.

/// The help of the whole command.
pub(super) const TEMPLATE: &str =
    "{about}\n\n{usage-heading} {usage}\n\n{before-help}Options:\n{options}{after-help}";

/// Commands by purpose, with a description of each.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Measure",
        &[
            ("speed", "how fast this machine encrypts and hashes, with which library"),
            ("scale", "how speed grows with cores"),
            ("limits", "how fast this processor could be"),
            ("compare", "what has become faster or slower from one run to another"),
            ("advise", "which cipher, key and library to use, and how many cores"),
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
            ("completions", "completions of this command for a shell"),
            ("man", "a manual page for each command"),
        ],
    ),
];

/// Two examples of each command, and the document with more.
const EXAMPLES: &[(&str, [&str; 2], &str)] = &[
    (
        "speed",
        ["ropewalk speed", "ropewalk speed aes-256-gcm chacha20-poly1305 --bytes 64,1350,16K"],
        LAB,
    ),
    (
        "scale",
        ["ropewalk scale aes-128-gcm/seal", "ropewalk scale sha256 --threads 1,2,4"],
        MEASURING,
    ),
    ("limits", ["ropewalk limits", "ropewalk limits --explain sha256 --bytes 64,16K"], MEASURING),
    (
        "compare",
        ["ropewalk compare before after", "ropewalk compare mask:none mask:-avx512f aes-128-gcm"],
        MEASURING,
    ),
    (
        "advise",
        [
            "ropewalk advise",
            "ropewalk advise --protect aead --message 50KB --rate 20MB/s --link 1Gbit/s",
        ],
        ADVISE,
    ),
    ("calibrate", ["ropewalk calibrate", "ropewalk calibrate sha256"], MEASURING),
    ("doctor", ["ropewalk doctor", "ropewalk doctor /usr/bin/curl ./libcrypto.so.3"], DOCTOR),
    ("tasks", ["ropewalk tasks aead", "ropewalk tasks --names | fzf"], LAB),
    (
        "mask",
        [
            "env $(ropewalk mask --for openssl-3.0 -aes,-sha) openssl speed -evp aes-128-gcm",
            "ropewalk mask --explain '~0x200000200000000'",
        ],
        DOCTOR,
    ),
    ("selftest", ["ropewalk selftest", "ROPEWALK_CPU=-vaes ropewalk selftest"], LAB),
    ("sum", ["ropewalk sum -r folder > list", "ropewalk sum --check list"], LAB),
    ("provider", ["ropewalk provider install", "ropewalk provider status"], OPENSSL),
    (
        "completions",
        ["ropewalk completions bash > ropewalk.bash", "ropewalk completions fish | source"],
        LAB,
    ),
    ("man", ["ropewalk man man1", "man -l man1/ropewalk-speed.1"], LAB),
];

/// The same for the commands of `provider`.
const EXAMPLES_BELOW: &[(&str, [&str; 2], &str)] = &[
    (
        "install",
        ["ropewalk provider install", "ropewalk provider install --system --prefix /usr/local"],
        OPENSSL,
    ),
    (
        "status",
        ["ropewalk provider status --all", "ropewalk provider status --system --user www-data"],
        OPENSSL,
    ),
    ("uninstall", ["ropewalk provider uninstall", "ropewalk provider uninstall --system"], OPENSSL),
];

const LAB: &str = "docs/lab.md";
const ADVISE: &str = "docs/advise.md";
const MEASURING: &str = "docs/measuring.md";
const OPENSSL: &str = "docs/openssl.md";
const DOCTOR: &str = "docs/doctor.md";

/// Commands to begin with.
pub(super) const BEGIN: &str = "\
ROPEWALK_CPU=-vaes,-avx512f in the environment hides processor features.

Read more: README.md, docs/lab.md, docs/doctor.md

Begin with:
  ropewalk doctor   which libraries here are slow, and what to do about it
  ropewalk speed    how fast ropewalk and the other libraries are here";

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
    with(words, EXAMPLES)
}

/// A command whose subcommands have their examples.
pub(super) fn with_examples_below(words: clap::Command) -> clap::Command {
    words.mut_subcommands(|command| with(command, EXAMPLES_BELOW))
}

fn with(words: clap::Command, examples: &[(&str, [&str; 2], &str)]) -> clap::Command {
    let known = examples.iter().find(|(name, ..)| *name == words.get_name());
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
        assert!(BEGIN.lines().all(|line| line.len() < 80), "{BEGIN}");
    }

    /// All help texts, of each command: its examples once, and only ASCII characters.
    #[test]
    fn help_is_plain() {
        fn check(words: &mut clap::Command) {
            let name = words.get_name().to_owned();
            let help = words.render_long_help().to_string();
            assert!(help.is_ascii(), "{name}: {help}");
            let examples = help.matches("Examples:").count();
            let has_some = name != "ropewalk" && name != "help" && !words.is_hide_set();
            assert_eq!(examples, usize::from(has_some), "{name}: {help}");
            assert!(!help.contains("subcommands"), "{name}: {help}");
            words.get_subcommands_mut().for_each(check);
        }
        check(&mut super::super::words());
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

    /// Examples are valid command lines.
    #[test]
    fn examples_are_understood() {
        for (name, examples, document) in EXAMPLES.iter().chain(EXAMPLES_BELOW) {
            for example in examples {
                let line = example.split([';', '|', '>', ')']).next().unwrap_or_default();
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
