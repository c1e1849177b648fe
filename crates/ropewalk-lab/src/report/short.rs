//! Long names of processors and libraries, cut to the part that tells them apart.

/// `Intel Xeon`, `AMD EPYC 9R45`: the brand of a processor without generic words.
pub fn brand(name: &str) -> String {
    let name = name.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
    let name = name.split('@').next().unwrap_or_default();
    let noise = ["CPU", "Processor", "processor"];
    name.split_whitespace().filter(|word| !noise.contains(word)).collect::<Vec<_>>().join(" ")
}

/// The name and the number of a version, without the date and the platform; for several crates, their number.
pub fn version(version: &str) -> String {
    let crates = version.split(", ").count();
    if crates > 1 {
        return format!("{crates} crates");
    }
    let short = |part: &str| {
        let words: Vec<_> = part.split_whitespace().collect();
        // The name may have two words.
        let number = words.iter().position(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        words[..number.map_or(2, |at| at + 1).min(words.len())].join(" ")
    };
    short(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_are_short() {
        for (name, want) in [
            ("Intel(R) Xeon(R) Processor", "Intel Xeon"),
            ("AMD EPYC 9R45 96-Core Processor", "AMD EPYC 9R45 96-Core"),
            ("Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz", "Intel Core i7-8650U"),
        ] {
            assert_eq!(brand(name), want);
        }
    }

    #[test]
    fn versions_are_names_and_numbers() {
        for (full, label) in [
            ("OpenSSL 3.0.19 27 Jan 2026", "OpenSSL 3.0.19"),
            ("Mbed TLS 3.6.7", "Mbed TLS 3.6.7"),
            ("BoringSSL", "BoringSSL"),
            ("aes 0.9.4, sha2 0.11.1", "2 crates"),
        ] {
            assert_eq!(version(full), label);
        }
    }
}
