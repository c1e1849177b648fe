//! Masks that hide processor features from libraries.
//!
//! The hidden features are the same for each library: those that `ropewalk::cpu::masked_by` names, and the
//! library's own dependent features. The remaining code is the library's choice.

mod armcap;
mod botan;
mod explain;
mod family;
mod gnutls;
mod ia32cap;
mod ipsec_mb;
mod libgcrypt;
mod nettle;
mod nss;
mod processor;
mod reader;

use std::env::consts::ARCH;

use ropewalk::cpu::FEATURES;

use super::Unavailable;

pub(super) use botan::botan;
pub(crate) use explain::{Explained, explain, parse};
use family::Family;
pub(super) use ipsec_mb::ipsec_mb;
pub(crate) use processor::Processor;
pub(crate) use reader::{Mask, Reader, features};

/// The variable of OpenSSL and its forks on x86-64.
const IA32CAP: &str = "OPENSSL_ia32cap";

/// And on Arm.
const ARMCAP: &str = "OPENSSL_armcap";

/// The variable of nettle.
const FAT_OVERRIDE: &str = "NETTLE_FAT_OVERRIDE";

/// The variable of GnuTLS.
const CPUID_OVERRIDE: &str = "GNUTLS_CPUID_OVERRIDE";

/// The variable of Botan.
const BOTAN_CLEAR_CPUID: &str = "BOTAN_CLEAR_CPUID";

/// Libgcrypt's name for the list that a program passes; it reads no variable.
const DISABLE_HWF: &str = "GCRYCTL_DISABLE_HWF";

/// Ropewalk's own.
const ROPEWALK_CPU: &str = "ROPEWALK_CPU";

/// Every variable that masks features.
pub(crate) const VARIABLES: [&str; 6] =
    [IA32CAP, ARMCAP, FAT_OVERRIDE, CPUID_OVERRIDE, BOTAN_CLEAR_CPUID, ROPEWALK_CPU];

/// The variable and its value for a libcrypto of that version.
pub(super) fn libcrypto(
    version: &str,
    features: &[&'static str],
) -> Result<(String, String), Unavailable> {
    let family = Family::of(version)?;
    if let Some(name) = features.iter().find(|name| FEATURES.iter().all(|f| f.name != **name)) {
        return Err(Unavailable(format!("{name} is not known")));
    }
    let (variable, value) = family.mask(&Processor::this(), features)?;
    Ok((variable.into(), value))
}

/// Libgcrypt's names for the features, separated by colons: a list for `GCRYCTL_DISABLE_HWF`.
pub(super) fn libgcrypt(features: &[&'static str]) -> String {
    libgcrypt::names(ARCH, features).join(":")
}

/// The value of `NETTLE_FAT_OVERRIDE`.
pub(super) fn nettle(features: &[&'static str]) -> Result<String, Unavailable> {
    nettle::value(&Processor::this(), features)
}

/// The values of `GNUTLS_CPUID_OVERRIDE` and, for the nettle that it calls, `NETTLE_FAT_OVERRIDE`. Zero
/// changes nothing, if it detects none of the features.
pub(super) fn gnutls(features: &[&'static str]) -> Result<Vec<(String, String)>, Unavailable> {
    let own = gnutls::value(&Processor::this(), features)?.unwrap_or_else(|| "0".into());
    Ok(vec![(CPUID_OVERRIDE.into(), own), (FAT_OVERRIDE.into(), nettle(features)?)])
}

/// The variables of NSS, all of which must be set.
pub(super) fn nss(features: &[&'static str]) -> Result<Vec<(String, String)>, Unavailable> {
    nss::variables(ARCH, features)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const OPENSSL_1_1: Family = Family::OpenSsl { major: 1, minor: 1 };
    pub(super) const OPENSSL_3_0: Family = Family::OpenSsl { major: 3, minor: 0 };
    pub(super) const OPENSSL_3_5: Family = Family::OpenSsl { major: 3, minor: 5 };
    pub(super) const OPENSSL_4_0: Family = Family::OpenSsl { major: 4, minor: 0 };

    pub(super) fn masked(list: &str) -> Vec<&'static str> {
        ropewalk::cpu::masked_by(list).unwrap().map(|feature| feature.name).collect()
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
        let both = gnutls(&masked("-sha")).unwrap();
        assert_eq!(both[0], ("GNUTLS_CPUID_OVERRIDE".into(), "0x1e".into()));
        assert_eq!(both[1], ("NETTLE_FAT_OVERRIDE".into(), nettle(&masked("-sha")).unwrap()));
        assert_eq!(gnutls(&masked("-adx")).unwrap()[0].1, "0");
    }

    #[test]
    fn every_feature_has_its_bit() {
        for feature in FEATURES {
            let there = match feature.arch {
                "x86_64" => ia32cap::has(feature.name),
                _ => armcap::has(feature.name),
            };
            assert!(there, "{} of {}", feature.name, feature.arch);
        }
        let unknown = libcrypto("OpenSSL 3.0.19", &["avx513"]);
        assert_eq!(unknown, Err(Unavailable("avx513 is not known".into())));
    }
}
