//! Versions of libraries whose projects no longer support them, with the date and the source of each.
//!
//! The table has published dates only. Nettle, libsodium, wolfSSL, GnuTLS and NSS publish none: their
//! projects support the newest release. A distribution may support a version for longer.

use serde::Serialize;

/// The day on which this table was last compared with its sources.
pub const CHECKED: &str = "2026-11-30";

/// The end of a version's support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// The name in the version, and the beginning of its number.
    pub version: &'static str,
    /// The last day, as `2026-09-07`.
    pub on: &'static str,
    /// The publication.
    pub source: &'static str,
}

/// Versions, and the last days of their support.
pub const TABLE: &[Ended] = &[
    ended("OpenSSL 1.0.1", "2016-12-31", OPENSSL),
    ended("OpenSSL 1.0.2", "2019-12-31", OPENSSL),
    ended("OpenSSL 1.1.0", "2019-09-11", OPENSSL),
    ended("OpenSSL 1.1.1", "2023-09-11", OPENSSL),
    ended("OpenSSL 3.0", "2026-09-07", OPENSSL),
    ended("OpenSSL 3.1", "2025-03-14", OPENSSL),
    ended("OpenSSL 3.2", "2025-11-23", OPENSSL),
    ended("OpenSSL 3.3", "2026-04-09", OPENSSL),
    ended("OpenSSL 3.4", "2026-10-22", OPENSSL),
    ended("OpenSSL 3.5", "2030-04-08", OPENSSL),
    ended("Mbed TLS 2.28", "2024-12-31", "release notes of Mbed TLS 2.28.0"),
    ended("Mbed TLS 3.6", "2027-03-31", "BRANCHES.md of Mbed TLS"),
    ended("libgcrypt 1.7", "2019-06-30", LIBGCRYPT),
    ended("libgcrypt 1.8", "2024-12-31", LIBGCRYPT),
    ended("Botan 1.10", "2018-12-31", BOTAN),
    ended("Botan 2", "2024-12-31", BOTAN),
];

const OPENSSL: &str = "https://openssl-library.org/policies/releasestrat/";
const LIBGCRYPT: &str = "https://gnupg.org/software/libgcrypt/";
const BOTAN: &str = "https://botan.randombit.net/handbook/support.html";

const fn ended(version: &'static str, on: &'static str, source: &'static str) -> Ended {
    Ended { version, on, source }
}

/// The end of a version's support, if it was before this day: `2026-11-30`.
pub fn ended_before(version: &str, today: &str) -> Option<Ended> {
    TABLE.iter().copied().find(|ended| ended.is_of(version) && ended.on < today)
}

impl Ended {
    /// Whether a version, as a library reports it, is one of these.
    fn is_of(&self, version: &str) -> bool {
        let rest = version.strip_prefix(self.version);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_past_its_support_after_the_last_day() {
        let on = |version, today| ended_before(version, today).map(|ended| ended.on);
        let debian = "OpenSSL 3.0.22 25 Aug 2026";
        assert_eq!(on(debian, "2026-09-07"), None);
        assert_eq!(on(debian, "2026-09-08"), Some("2026-09-07"));
        assert_eq!(on("OpenSSL 1.1.1w  11 Sep 2023", "2026-11-30"), Some("2023-09-11"));
        assert_eq!(on("OpenSSL 3.5.4", "2026-11-30"), None);
        assert_eq!(on("Botan 2.19.5", "2026-11-30"), Some("2024-12-31"));
        assert_eq!(on("libgcrypt 1.10.1", "2026-11-30"), None);
    }

    /// 3.10 is not 3.1, and other libraries are not in the table.
    #[test]
    fn numbers_are_whole() {
        for version in ["OpenSSL 3.10.1", "Botan 20", "Botan 3.13.0", "nettle 3.8", "BoringSSL", ""]
        {
            assert_eq!(ended_before(version, "2099-01-01"), None, "{version}");
        }
    }

    #[test]
    fn every_date_is_one_and_has_a_source() {
        for ended in TABLE.iter().map(|ended| (ended.on, ended.source)).chain([(CHECKED, "here")]) {
            let parts: Vec<usize> = ended.0.split('-').map(str::len).collect();
            let midnight = format!("{}T00:00:00Z", ended.0);
            assert_eq!(parts, [4, 2, 2]);
            assert!(
                humantime::parse_rfc3339(&midnight).is_ok() && !ended.1.is_empty(),
                "{ended:?}"
            );
        }
    }
}
