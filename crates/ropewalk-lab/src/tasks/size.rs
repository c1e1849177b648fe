//! Sizes of messages, as users write them.

/// The largest message, and the largest total of the messages of one call.
pub const LARGEST: usize = 1 << 30;

/// Bytes from `1350`, `16K`, `16KiB`, `100MiB`, `1G`.
///
/// # Errors
/// If it is invalid, in one line.
pub fn parse(text: &str) -> Result<usize, String> {
    let wrong = |why: &str| format!("`{text}` is no size of a message: {why}");
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        _ => return Err(wrong("write bytes, or a number with K, M or G (KiB, MiB, GiB)")),
    };
    if number.is_empty() {
        return Err(wrong("it has no number"));
    }
    let bytes = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    match bytes {
        Some(0) => Err(wrong("an empty message takes no time to speak of")),
        Some(bytes) if bytes <= LARGEST => Ok(bytes),
        _ => Err(wrong("it is more than 1 GiB")),
    }
}

/// The shortest notation of a size.
pub fn format(bytes: usize) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_people_write_them() {
        let cases = [
            ("16", 16),
            ("1350B", 1350),
            ("1K", 1024),
            ("16KiB", 16384),
            ("16 kib", 16384),
            ("100MiB", 104_857_600),
            ("1g", 1 << 30),
            (" 64 ", 64),
        ];
        for (text, want) in cases {
            assert_eq!(parse(text).unwrap(), want, "{text}");
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        for text in [
            "",
            "0",
            "0K",
            "-1",
            "1.5K",
            "K",
            "16KB",
            "2G",
            "1073741825",
            "99999999999999999999",
            "sha256",
        ] {
            let why = parse(text).unwrap_err();
            assert!(why.contains(&format!("`{text}`")), "{why}");
        }
    }

    #[test]
    fn sizes_are_written_short() {
        assert_eq!(format(16), "16 B");
        assert_eq!(format(1350), "1350 B");
        assert_eq!(format(8192), "8 KiB");
        assert_eq!(format(100 << 20), "100 MiB");
        assert_eq!(format(1 << 30), "1 GiB");
    }
}
