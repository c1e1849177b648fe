//! What hides processor features from the libraries that can be told.
//!
//! What is hidden is the same in each: the features that `ropewalk::cpu::masked_by` names, and
//! those of the library's own that build on them. What code that leaves it is its own choice.

use std::{env::consts::ARCH, num::ParseIntError};

use ropewalk::cpu::FEATURES;

use super::Unavailable;

/// The variable and its value for a libcrypto of that version.
pub(super) fn libcrypto(
    version: &str,
    features: &[&'static str],
) -> Result<(String, String), Unavailable> {
    let family = Family::of(version)?;
    if let Some(name) = features.iter().find(|name| FEATURES.iter().all(|f| f.name != **name)) {
        return Err(Unavailable(format!("{name} is not known")));
    }
    match ARCH {
        "x86_64" => Ok(("OPENSSL_ia32cap".into(), ia32cap(family, features))),
        "aarch64" => Ok(("OPENSSL_armcap".into(), armcap(family, features, present)?)),
        _ => Err(Unavailable("cannot be masked on this processor".into())),
    }
}

/// Those whose masks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    OpenSsl { major: u32, minor: u32 },
    AwsLc,
    BoringSsl,
}

impl Family {
    fn of(version: &str) -> Result<Self, Unavailable> {
        // Older ones say `OpenSSL 1.1.1 (compatible; AWS-LC 1.2.0)`.
        if version.contains("AWS-LC") {
            return Ok(Self::AwsLc);
        }
        if version.starts_with("BoringSSL") {
            return Ok(Self::BoringSsl);
        }
        let numbers = version.strip_prefix("OpenSSL ").and_then(|rest| major_minor(rest).ok());
        match numbers {
            // Nobody knows how many words a later one will read.
            Some((major @ (1 | 3 | 4), minor)) if (major, minor) >= (1, 1) => {
                Ok(Self::OpenSsl { major, minor })
            }
            _ => Err(Unavailable(format!("the mask of {version} is not known"))),
        }
    }

    /// How many 64-bit words of `OPENSSL_ia32cap` it reads.
    fn words(self) -> usize {
        match self {
            Self::OpenSsl { major, minor } if (major, minor) >= (3, 5) => 5,
            _ => 2,
        }
    }
}

fn major_minor(numbers: &str) -> Result<(u32, u32), ParseIntError> {
    let mut numbers = numbers.split(['.', ' ', '-']);
    let mut next = || numbers.next().unwrap_or_default().parse();
    Ok((next()?, next()?))
}

/// Where OPENSSL_ia32cap(3) has the bits that go with each feature: word, bit.
///
/// The words are registers of CPUID, low half then high half: 0 is leaf 1, EDX and ECX; 1 is leaf
/// 7, EBX and ECX; 2 is leaf 7, EDX, and leaf 7.1, EAX; 3 is leaf 7.1, EDX and EBX; 4 is leaf 7.1,
/// ECX, and leaf 24, EBX.
const IA32CAP: &[(&str, &[(usize, u32)])] = &[
    ("sse2", &[(0, 26)]),
    ("ssse3", &[(0, 41)]),
    ("sse4.1", &[(0, 51)]),
    // No word has it, for no code there asks for it.
    ("sse4a", &[]),
    // XOP, FMA and SM3 build on it.
    ("avx", &[(0, 60), (0, 43), (0, 44), (2, 33)]),
    // SHA-512, SM4 and IFMA without AVX-512 build on it.
    ("avx2", &[(1, 5), (2, 32), (2, 34), (2, 55)]),
    ("bmi1", &[(1, 3)]),
    ("bmi2", &[(1, 8)]),
    ("adx", &[(1, 19)]),
    // It is not enough from OpenSSL 3.1 on, whose GCM and XTS on 512 bits do not ask for it. They
    // ask for VAES, and `vaes` comes along with `aes`; VPCLMULQDQ may then stay, for no code here
    // encrypts with it.
    ("aes", &[(0, 57)]),
    ("pclmulqdq", &[(0, 33)]),
    ("sha", &[(1, 29)]),
    ("gfni", &[(1, 40)]),
    ("vaes", &[(1, 41)]),
    ("vpclmulqdq", &[(1, 42)]),
    // AVX10 promises all of AVX-512. OpenSSL clears its details with it.
    ("avx512f", &[(1, 16), (3, 19)]),
    ("avx512bw", &[(1, 30)]),
    ("avx512dq", &[(1, 17)]),
    ("avx512vl", &[(1, 31)]),
    ("avx512ifma", &[(1, 21)]),
    ("avx512vbmi", &[(1, 33)]),
];

/// Every word that is read is written: OpenSSL clears those that are left out. No word more:
/// BoringSSL takes its second only where it is the last.
fn ia32cap(family: Family, features: &[&'static str]) -> String {
    let mut words = [0_u64; 5];
    for (_, bits) in IA32CAP.iter().filter(|(name, _)| features.contains(name)) {
        bits.iter().for_each(|(word, bit)| words[*word] |= 1 << bit);
    }
    let words = words[..family.words()].iter().map(|word| format!("~{word:#x}"));
    words.collect::<Vec<_>>().join(":")
}

/// The bits of `OPENSSL_armcap`: what the processor must have, as `rustc` spells it, the bit, and
/// the feature whose mask takes it.
///
/// `aes` is AES and PMULL, `sha2` is SHA-1 and SHA-256, and `sha3` is SHA-512 and SHA-3, as `rustc`
/// has them.
const ARMCAP: &[(&str, u32, &str)] = &[
    ("neon", 0, "neon"),
    ("aes", 2, "aes"),
    ("sha2", 3, "sha2"),
    ("sha2", 4, "sha2"),
    ("pmull", 5, "aes"),
    ("sha3", 6, "sha3"),
    ("rand", 8, ""),
    ("sm4", 9, "neon"),
    ("sm4", 10, "neon"),
    ("sha3", 11, "sha3"),
    ("sve", 13, "neon"),
    ("sve2", 14, "neon"),
];

/// AWS-LC can take bits away. OpenSSL takes the value for what the processor has, and dies of a bit
/// too many; it then chooses no code by the processor's model, so that a mask may cost more than
/// what it hides.
fn armcap(
    family: Family,
    features: &[&'static str],
    present: impl Fn(&str) -> bool,
) -> Result<String, Unavailable> {
    let bits = |chosen: &dyn Fn(&str, &str) -> bool| {
        let rows = ARMCAP.iter().filter(|(needs, _, feature)| chosen(needs, feature));
        rows.fold(0_u32, |bits, (_, bit, _)| bits | 1 << bit)
    };
    match family {
        Family::OpenSsl { .. } => {
            let left = bits(&|needs, feature| present(needs) && !features.contains(&feature));
            Ok(format!("{left:#x}"))
        }
        Family::AwsLc => Ok(format!("~{:#x}", bits(&|_, feature| features.contains(&feature)))),
        Family::BoringSsl => Err(Unavailable("cannot be masked on this processor".into())),
    }
}

/// Whether this processor has what a row of [`ARMCAP`] needs.
fn present(name: &str) -> bool {
    macro_rules! any {
        ($($feature:tt)+) => {
            match name {
                $( #[cfg(target_arch = "aarch64")]
                $feature => std::arch::is_aarch64_feature_detected!($feature), )+
                _ => false,
            }
        };
    }
    any! { "neon" "aes" "pmull" "sha2" "sha3" "rand" "sm4" "sve" "sve2" }
}

/// The names that libgcrypt has for the features, with colons: a list for `GCRYCTL_DISABLE_HWF`.
///
/// A feature that it has no name for is one that it does not look for.
pub(super) fn libgcrypt(features: &[&'static str]) -> String {
    let mut names: Vec<&str> = Vec::new();
    let hidden = LIBGCRYPT.iter().filter(|(of, _)| *of == ARCH);
    for (_, rows) in hidden {
        let rows = rows.iter().filter(|(feature, _)| features.contains(feature));
        names.extend(rows.flat_map(|(_, names)| *names));
    }
    names.sort_unstable();
    names.dedup();
    names.join(":")
}

/// A feature, and libgcrypt's names of what it has of it and of what builds on that.
type Names = (&'static str, &'static [&'static str]);

const LIBGCRYPT: [(&str, &[Names]); 2] = [
    (
        "x86_64",
        &[
            ("ssse3", &["intel-ssse3"]),
            ("sse4.1", &["intel-sse4.1"]),
            ("avx", &["intel-avx"]),
            ("avx2", &["intel-avx2", "intel-fast-vpgather"]),
            ("bmi2", &["intel-bmi2"]),
            ("aes", &["intel-aesni"]),
            ("pclmulqdq", &["intel-pclmul"]),
            ("sha", &["intel-shaext"]),
            ("gfni", &["intel-gfni"]),
            ("vaes", &["intel-vaes-vpclmul"]),
            ("vpclmulqdq", &["intel-vaes-vpclmul"]),
            ("avx512f", &["intel-avx512"]),
            ("avx512bw", &["intel-avx512"]),
            ("avx512dq", &["intel-avx512"]),
            ("avx512vl", &["intel-avx512"]),
            ("avx512ifma", &["intel-avx512"]),
            ("avx512vbmi", &["intel-avx512"]),
        ],
    ),
    (
        "aarch64",
        &[
            ("neon", &["arm-neon"]),
            ("aes", &["arm-aes", "arm-pmull"]),
            ("sha2", &["arm-sha1", "arm-sha2"]),
        ],
    ),
];

/// The value of `NETTLE_FAT_OVERRIDE`: all that is left, for it takes the value for what the
/// processor has.
pub(super) fn nettle(features: &[&'static str]) -> Result<String, Unavailable> {
    let rows: &[(&str, &str)] = match ARCH {
        "x86_64" => &[("aes", "aesni"), ("sha", "sha_ni"), ("pclmulqdq", "pclmul")],
        "aarch64" => &[("aes", "aes"), ("aes", "pmull"), ("sha2", "sha1"), ("sha2", "sha2")],
        _ => return Err(Unavailable("cannot be masked on this processor".into())),
    };
    let present = |name: &str| {
        let is = |feature: &&ropewalk::cpu::Feature| feature.arch == ARCH && feature.name == name;
        FEATURES.iter().find(is).is_some_and(|feature| feature.present())
    };
    let left = rows.iter().filter(|(name, _)| present(name) && !features.contains(name));
    let left: Vec<_> = vendor().into_iter().chain(left.map(|(_, flag)| *flag)).collect();
    // Something must be said, and what it does not know it passes over.
    Ok(if left.is_empty() { "none".into() } else { left.join(",") })
}

/// What nettle calls the processor's maker: it chooses code by that too.
fn vendor() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    return match raw_cpuid::CpuId::new().get_vendor_info()?.as_str() {
        "GenuineIntel" => Some("vendor:intel"),
        "AuthenticAMD" => Some("vendor:amd"),
        _ => None,
    };
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Words for the manager of ipsec-mb. It has a manager for each width of vectors, and flags against
/// SHA-NI and GFNI. Its code with VAES asks for both, and so goes with either of them.
pub(super) fn ipsec_mb(features: &[&'static str]) -> Result<String, Unavailable> {
    let any = |names: &[&str]| names.iter().any(|name| features.contains(name));
    if any(&["sse2", "ssse3", "sse4.1", "aes", "pclmulqdq"]) {
        return Err(Unavailable("does not run without the AES instructions".into()));
    }
    if any(&["adx", "bmi1"]) {
        return Err(Unavailable("has no mask for these features".into()));
    }
    let mut words = Vec::new();
    if any(&["avx", "avx2", "bmi2"]) {
        words.push("sse");
    } else if features.iter().any(|name| name.starts_with("avx512")) {
        words.push("avx2");
    }
    if any(&["sha"]) {
        words.push("no-sha");
    }
    if any(&["gfni", "vaes", "vpclmulqdq"]) {
        words.push("no-gfni");
    }
    Ok(words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPENSSL_1_1: Family = Family::OpenSsl { major: 1, minor: 1 };
    const OPENSSL_3_0: Family = Family::OpenSsl { major: 3, minor: 0 };
    const OPENSSL_3_5: Family = Family::OpenSsl { major: 3, minor: 5 };
    const OPENSSL_4_0: Family = Family::OpenSsl { major: 4, minor: 0 };

    fn masked(list: &str) -> Vec<&'static str> {
        ropewalk::cpu::masked_by(list).unwrap().map(|feature| feature.name).collect()
    }

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

    #[test]
    fn ia32cap_is_as_documented() {
        for (family, list, value) in [
            (OPENSSL_1_1, "-aes", "~0x200000000000000:~0x20000000000"),
            (OPENSSL_3_0, "-aes", "~0x200000000000000:~0x20000000000"),
            (Family::AwsLc, "-aes", "~0x200000000000000:~0x20000000000"),
            (Family::BoringSsl, "-aes", "~0x200000000000000:~0x20000000000"),
            (OPENSSL_3_5, "-aes", "~0x200000000000000:~0x20000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-sha", "~0x0:~0x20000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-aes,-pclmulqdq", "~0x200000200000000:~0x60000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-vaes", "~0x0:~0x20000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-avx512f", "~0x0:~0x2c0230000:~0x0:~0x80000:~0x0"),
            (OPENSSL_3_0, "-avx512f", "~0x0:~0x2c0230000"),
            (
                OPENSSL_4_0,
                "-avx",
                "~0x1000180000000000:~0x602c0230020:~0x80000700000000:~0x80000:~0x0",
            ),
            (
                OPENSSL_4_0,
                "all",
                "~0x12081a0204000000:~0x702e02b0128:~0x80000700000000:~0x80000:~0x0",
            ),
            (OPENSSL_3_0, "", "~0x0:~0x0"),
        ] {
            assert_eq!(ia32cap(family, &masked(list)), value, "{family:?} {list}");
        }
    }

    /// On a Neoverse N1, and on a processor that has everything.
    #[test]
    fn armcap_has_only_what_the_processor_has() {
        let n1 = |name: &str| ["neon", "aes", "pmull", "sha2"].contains(&name);
        for (list, of_n1, of_all, aws_lc) in [
            ("", "0x3d", "0x6f7d", "~0x0"),
            ("-aes", "0x19", "0x6f59", "~0x24"),
            ("-sha2", "0x25", "0x6725", "~0x858"),
            ("-sha3", "0x3d", "0x673d", "~0x840"),
            ("-neon", "0x0", "0x100", "~0x6e7d"),
            ("-sha", "0x3d", "0x6f7d", "~0x0"),
        ] {
            let features = masked(list);
            assert_eq!(armcap(OPENSSL_3_0, &features, n1).unwrap(), of_n1, "{list}");
            assert_eq!(armcap(OPENSSL_4_0, &features, |_| true).unwrap(), of_all, "{list}");
            assert_eq!(armcap(Family::AwsLc, &features, |_| true).unwrap(), aws_lc, "{list}");
        }
        assert!(armcap(Family::BoringSsl, &[], n1).is_err());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn others_are_as_documented() {
        for (list, names, manager) in [
            ("", "", Ok("")),
            ("-sha", "intel-shaext", Ok("no-sha")),
            ("-vaes", "intel-vaes-vpclmul", Ok("no-gfni")),
            ("-avx512f", "intel-avx512", Ok("avx2")),
            ("-adx", "", Err("has no mask for these features")),
        ] {
            let features = masked(list);
            assert_eq!(libgcrypt(&features), names, "{list}");
            let manager = manager.map(String::from).map_err(|why| Unavailable(why.into()));
            assert_eq!(ipsec_mb(&features), manager, "{list}");
        }
        let names = libgcrypt(&masked("-avx"));
        assert!(
            names.contains("intel-avx2:") && names.contains("vaes") && !names.contains("aesni")
        );
        assert_eq!(ipsec_mb(&masked("-avx")).map(|words| words.contains("sse")), Ok(true));
        assert!(ipsec_mb(&masked("all")).is_err());
        let nothing = nettle(&masked("all")).unwrap();
        assert!(nothing.starts_with("vendor:") && !nothing.contains(',') || nothing == "none");
        assert!(!nettle(&masked("-sha")).unwrap().contains("sha"));
    }

    #[test]
    fn every_feature_has_its_bit() {
        for feature in FEATURES {
            let there = match feature.arch {
                "x86_64" => IA32CAP.iter().any(|(name, _)| *name == feature.name),
                _ => ARMCAP.iter().any(|(_, _, name)| *name == feature.name),
            };
            assert!(there, "{} of {}", feature.name, feature.arch);
        }
        let unknown = libcrypto("OpenSSL 3.0.19", &["avx513"]);
        assert_eq!(unknown, Err(Unavailable("avx513 is not known".into())));
    }
}
