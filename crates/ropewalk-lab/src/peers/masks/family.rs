//! The kinds of libcrypto with different masks.

use std::num::ParseIntError;

use super::{ARMCAP, IA32CAP, Processor, Unavailable, armcap, ia32cap};

/// The kinds with different masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    OpenSsl { major: u32, minor: u32 },
    AwsLc,
    BoringSsl,
}

impl Family {
    pub(super) fn of(version: &str) -> Result<Self, Unavailable> {
        // Older ones say `OpenSSL 1.1.1 (compatible; AWS-LC 1.2.0)`.
        if version.contains("AWS-LC") {
            return Ok(Self::AwsLc);
        }
        if version.starts_with("BoringSSL") {
            return Ok(Self::BoringSsl);
        }
        let numbers = version.strip_prefix("OpenSSL ").and_then(|rest| major_minor(rest).ok());
        match numbers {
            // The number of words of later versions is not known.
            Some((major @ (1 | 3 | 4), minor)) if (major, minor) >= (1, 1) => {
                Ok(Self::OpenSsl { major, minor })
            }
            _ => Err(Unavailable(format!("the mask of {version} is not known"))),
        }
    }

    /// Whether it is OpenSSL of that version or a later one.
    pub(super) fn is_openssl_since(self, since: (u32, u32)) -> bool {
        matches!(self, Self::OpenSsl { major, minor } if (major, minor) >= since)
    }

    /// The number of 64-bit words of `OPENSSL_ia32cap` that it reads.
    pub(super) fn words(self) -> usize {
        if self.is_openssl_since((3, 5)) { 5 } else { 2 }
    }

    /// The variable and its value, for a processor.
    pub(super) fn mask(
        self,
        processor: &Processor,
        features: &[&'static str],
    ) -> Result<(&'static str, String), Unavailable> {
        match processor.arch {
            "x86_64" => Ok((IA32CAP, ia32cap::value(self, features))),
            "aarch64" => Ok((ARMCAP, armcap::value(self, processor, features)?)),
            _ => Err(Unavailable("cannot be masked on this processor".into())),
        }
    }
}

fn major_minor(numbers: &str) -> Result<(u32, u32), ParseIntError> {
    let mut numbers = numbers.split(['.', ' ', '-']);
    let mut next = || numbers.next().unwrap_or_default().parse();
    Ok((next()?, next()?))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::*, *};

    #[test]
    fn versions_are_told_apart() {
        for (version, family) in [
            ("OpenSSL 1.1.1w  11 Sep 2023", OPENSSL_1_1),
            ("OpenSSL 3.0.19 27 Jan 2026", OPENSSL_3_0),
            ("OpenSSL 3.5.7 9 Jun 2026", OPENSSL_3_5),
            ("OpenSSL 4.0.3 29 Sep 2026", OPENSSL_4_0),
            ("OpenSSL 4.1-dev", Family::OpenSsl { major: 4, minor: 1 }),
            ("OpenSSL 1.1.1 (compatible; AWS-LC 1.2.0)", Family::AwsLc),
            ("AWS-LC 5.5.0", Family::AwsLc),
            ("AWS-LC FIPS 3.0.0", Family::AwsLc),
            ("BoringSSL", Family::BoringSsl),
        ] {
            assert_eq!(Family::of(version), Ok(family), "{version}");
        }
        for version in
            ["OpenSSL 1.0.2u  20 Dec 2019", "OpenSSL 5.0.0", "LibreSSL 4.2.0", "", "OpenSSL"]
        {
            let reason = format!("the mask of {version} is not known");
            assert_eq!(Family::of(version), Err(Unavailable(reason)));
        }
    }
}
