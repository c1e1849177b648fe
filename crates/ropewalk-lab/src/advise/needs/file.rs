//! Needs in a file: TOML, with the words of the command line.

use toml::{Table, Value};

use super::{
    Needs,
    words::{WORDS, known},
};

/// The needs in the text of a file.
///
/// # Errors
/// If it is no TOML, or names a need or a value that does not exist, in one line.
pub(super) fn parse(text: &str) -> Result<Needs, String> {
    let table: Table = text.parse().map_err(|error| syntax(text, &error))?;
    let mut needs = Needs::default();
    for (name, value) in &table {
        let word = known(name)?;
        let text = written(value)
            .ok_or_else(|| format!("{name}: it is {}: write {}", value.type_str(), word.allowed))?;
        needs.set(name, &text).map_err(|why| format!("{name}: {why}"))?;
    }
    match table.is_empty() {
        true => Err(format!("it has no needs; there is {}", names())),
        false => Ok(needs),
    }
}

/// The names of all needs.
pub(super) fn names() -> String {
    WORDS.iter().map(|word| word.name).collect::<Vec<_>>().join(", ")
}

/// A value as it stands on the command line.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Array(items) => {
            let items: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            items.map(|items| items.join(","))
        }
        _ => None,
    }
}

/// The error of the parser in one line, with the number of the line.
fn syntax(text: &str, error: &toml::de::Error) -> String {
    let what = error.message().lines().next().unwrap_or_default();
    match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {what}", before.matches('\n').count() + 1),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Must, *};

    #[test]
    fn a_file_has_the_words_of_the_command_line() {
        let text = "
            # A sensor
            protect = \"aead\"
            bits = 128
            message = \"50KB\"
            rate = \"20MB/s\"
            must = [\"tls13\", \"constant-time\"]
            cores = 2
        ";
        let mut want = Needs::default();
        for (name, text) in [
            ("protect", "aead"),
            ("bits", "128"),
            ("message", "50KB"),
            ("rate", "20MB/s"),
            ("must", "tls13,constant-time"),
            ("cores", "2"),
        ] {
            want.set(name, text).unwrap();
        }
        let needs = parse(text).unwrap();
        assert_eq!(needs, want);
        assert_eq!(needs.must, [Must::Tls13, Must::ConstantTime]);
    }

    /// Errors have one line, name the key, and say what is allowed.
    #[test]
    fn what_is_wrong_is_named() {
        for (text, wants) in [
            ("rtae = \"20MB/s\"", ["`rtae`", "rate"]),
            ("colour = 1", ["`colour`", "protect, bits, message"]),
            ("rate = 20", ["rate: `20`", "20MB/s"]),
            ("rate = true", ["rate: it is boolean", "20MB/s"]),
            ("bits = 1.5", ["bits: it is float", "128"]),
            ("[link]\nspeed = 1", ["link: it is table", "10Mbit/s"]),
            ("must = [1]", ["must: it is array", "tls13"]),
            ("must = [\"tls14\"]", ["`tls14`", "tls13"]),
            ("protect = \"privacy\"", ["`privacy`", "aead"]),
            ("bits = 100", ["`100`", "112, 128, 192 or 256"]),
            ("cores = 0", ["`0`", "from 1"]),
            ("message = \"50 KB", ["line 1", ""]),
            ("bits = 128\nbits = 256", ["line 2", "duplicate"]),
            ("", ["no needs", "protect"]),
        ] {
            let why = parse(text).expect_err(text);
            assert!(wants.iter().all(|want| why.contains(want)), "{text}: {why}");
            assert!(!why.contains('\n'), "{why}");
        }
    }
}
