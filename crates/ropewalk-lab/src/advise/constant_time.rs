//! Whether code takes the same time for all secrets: by a test, and not by belief.

use serde::Serialize;

use super::offers::Library;
use crate::measure::reference::is_ours;

/// What is known of the code of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConstantTime {
    /// Tests of its own check it.
    Checked,
    /// It is known not to.
    Tables,
    /// Nothing here has tested it.
    NotTested,
}

impl ConstantTime {
    /// Of a library's algorithm. `tables` are files of libraries whose AES is by tables.
    pub fn of(library: &Library, task: &str, tables: &[String]) -> Self {
        let file = library.path.as_ref();
        match () {
            () if is_ours(&library.peer) => Self::Checked,
            () if task.starts_with("aes-") && file.is_some_and(|file| tables.contains(file)) => {
                Self::Tables
            }
            () => Self::NotTested,
        }
    }

    /// In words, with the test.
    pub fn words(self) -> &'static str {
        match self {
            Self::Checked => {
                "checked by `cargo xtask ct`: memcheck, MemorySanitizer, and a trace of the shipped library"
            }
            Self::Tables => {
                "no: its AES is by tables, whose addresses depend on the key (Bernstein, Cache-timing attacks on AES, 2005)"
            }
            Self::NotTested => "not tested here",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_tested_is_said_to_be_constant_time() {
        let of = |peer: &str, task: &str| {
            let library = Library { peer: peer.into(), version: None, path: Some("a.so".into()) };
            ConstantTime::of(&library, task, &["a.so".into()])
        };
        assert_eq!(of("ropewalk", "aes-128-gcm"), ConstantTime::Checked);
        assert_eq!(of("ropewalk-c", "aes-128-gcm"), ConstantTime::Checked);
        assert_eq!(of("mbedtls", "aes-128-gcm"), ConstantTime::Tables);
        assert_eq!(of("mbedtls", "chacha20-poly1305"), ConstantTime::NotTested);
        let other = Library { peer: "nettle".into(), version: None, path: None };
        assert_eq!(ConstantTime::of(&other, "aes-128-gcm", &[]), ConstantTime::NotTested);
    }
}
