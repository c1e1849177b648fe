//! The readers of a mask, by their names in `--for`.

use ropewalk::cpu::{FEATURES, masked_by};

use super::{
    BOTAN_CLEAR_CPUID, CPUID_OVERRIDE, DISABLE_HWF, FAT_OVERRIDE, Family, Processor, ROPEWALK_CPU,
    Unavailable, botan, gnutls, libgcrypt, nettle,
};
use crate::names;

/// A library whose use of processor features can be masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Libcrypto(Family),
    Libgcrypt,
    Nettle,
    GnuTls,
    Botan,
    Ropewalk,
}

/// A mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    /// The variable, if there is one.
    pub(crate) variable: Option<&'static str>,
    /// Its value.
    pub(crate) value: String,
    /// A note.
    pub(crate) note: Option<String>,
}

const fn openssl(major: u32, minor: u32) -> Reader {
    Reader::Libcrypto(Family::OpenSsl { major, minor })
}

impl Reader {
    pub(super) const BORINGSSL: Self = Self::Libcrypto(Family::BoringSsl);

    /// The readers of `--for all`.
    pub(crate) const ALL: [Self; 11] = [
        openssl(1, 1),
        openssl(3, 0),
        openssl(3, 5),
        openssl(4, 0),
        Self::Libcrypto(Family::AwsLc),
        Self::BORINGSSL,
        Self::Libgcrypt,
        Self::Nettle,
        Self::GnuTls,
        Self::Botan,
        Self::Ropewalk,
    ];

    /// The same, with all versions between them that differ.
    pub(super) fn all_that_differ() -> Vec<Self> {
        let mut all = Self::ALL.to_vec();
        all.insert(2, openssl(3, 1));
        all
    }

    /// The reader of that name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn of(name: &str) -> Result<Self, String> {
        if let Some(reader) = Self::ALL.into_iter().find(|reader| reader.name() == name) {
            return Ok(reader);
        }
        // Any version of it.
        let version = name.strip_prefix("openssl-").unwrap_or_default();
        Family::of(&format!("OpenSSL {version}")).map(Self::Libcrypto).map_err(|_| {
            let known: Vec<String> = Self::ALL.iter().map(|reader| reader.name()).collect();
            names::unknown("library with a mask", name, known.iter().map(String::as_str))
        })
    }

    /// Its name.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Libcrypto(Family::OpenSsl { major, minor }) => format!("openssl-{major}.{minor}"),
            Self::Libcrypto(Family::AwsLc) => "aws-lc".into(),
            Self::Libcrypto(Family::BoringSsl) => "boringssl".into(),
            Self::Libgcrypt => "libgcrypt".into(),
            Self::Nettle => "nettle".into(),
            Self::GnuTls => "gnutls".into(),
            Self::Botan => "botan".into(),
            Self::Ropewalk => "ropewalk".into(),
        }
    }

    /// The mask that hides the features from it.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn mask(
        self,
        processor: &Processor,
        features: &[&'static str],
    ) -> Result<Mask, Unavailable> {
        let of = |variable, value| Mask { variable: Some(variable), value, note: None };
        Ok(match self {
            Self::Libcrypto(family) => {
                let (variable, value) = family.mask(processor, features)?;
                of(variable, value)
            }
            Self::Libgcrypt => {
                let names = libgcrypt::names(processor.arch, features);
                if names.is_empty() {
                    let why = "has no name for these features: it does not look for them";
                    return Err(Unavailable(why.into()));
                }
                let value = names.join(":");
                let note = format!(
                    "libgcrypt reads no variable: a program says gcry_control ({DISABLE_HWF}, \
                     \"{value}\", NULL) before gcry_check_version, and for all programs the names \
                     stand in /etc/gcrypt/hwf.deny, one on a line"
                );
                Mask { variable: None, value, note: Some(note) }
            }
            Self::Nettle => of(FAT_OVERRIDE, nettle::value(processor, features)?),
            Self::GnuTls => {
                let Some(value) = gnutls::value(processor, features)? else {
                    return Err(Unavailable("does not look for these features".into()));
                };
                let nettle = nettle::value(processor, features).map(|value| {
                    format!(
                        "{}: {FAT_OVERRIDE}={value}",
                        gnutls::BESIDE.replace("{}", FAT_OVERRIDE)
                    )
                });
                Mask { note: nettle.ok(), ..of(CPUID_OVERRIDE, value) }
            }
            Self::Botan => {
                let names = botan::names(processor.arch, features);
                if names.is_empty() {
                    let why = "has no name for these features: it does not look for them";
                    return Err(Unavailable(why.into()));
                }
                let note = format!("{BOTAN_CLEAR_CPUID} is read by Botan 3.1 and later ones");
                Mask { note: Some(note), ..of(BOTAN_CLEAR_CPUID, names.join(",")) }
            }
            Self::Ropewalk => {
                let names: Vec<_> = features.iter().map(|name| format!("-{name}")).collect();
                of(ROPEWALK_CPU, names.join(","))
            }
        })
    }
}

/// The features of an architecture that a list disables, with dependent ones.
///
/// # Errors
/// If the architecture has no such feature.
pub(crate) fn features(arch: &str, list: &str) -> Result<Vec<&'static str>, String> {
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        features_of_list(arch, name)?;
    }
    let masked = masked_by(list).map_err(|error| error.to_string())?;
    Ok(masked.filter(|feature| feature.arch == arch).map(|feature| feature.name).collect())
}

/// Whether the architecture has the feature, with or without a minus before it.
pub(super) fn features_of_list(arch: &str, name: &str) -> Result<(), String> {
    let name = name.strip_prefix('-').unwrap_or(name);
    let known = FEATURES.iter().filter(|feature| feature.arch == arch).map(|feature| feature.name);
    let known: Vec<&str> = known.chain(["all"]).collect();
    match known.contains(&name) {
        true => Ok(()),
        false => Err(names::unknown(&format!("feature of {arch}"), name, known)),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::explain::{self, explain},
        *,
    };

    #[test]
    fn everyone_by_name() {
        for reader in Reader::ALL {
            assert_eq!(Reader::of(&reader.name()), Ok(reader));
        }
        assert_eq!(Reader::of("openssl-3.6"), Ok(openssl(3, 6)));
        assert_eq!(Reader::of("openssl-3.0.19").unwrap().name(), "openssl-3.0");
        for name in ["openssl", "openssl-2.0", "openssl-5.0", "gmp", "", "openssl-"] {
            let why = Reader::of(name).unwrap_err();
            assert!(why.contains(&format!("`{name}`")) && why.contains("mask"), "{why}");
        }
    }

    #[test]
    fn features_of_each_architecture() {
        assert_eq!(features("x86_64", "-aes").unwrap(), ["aes", "vaes"]);
        assert_eq!(features("aarch64", "aes, -sha3").unwrap(), ["aes", "sha3"]);
        let why = features("aarch64", "-sha").unwrap_err();
        assert!(why.contains("aarch64") && why.contains("sha2"), "{why}");
        assert!(features("x86_64", "all").unwrap().len() > 15);
    }

    /// Each output, and that its explanation names the requested features.
    #[test]
    fn masks_of_everyone() {
        let has = ["aes", "sha2"].map(String::from);
        let arm = Processor::new("aarch64", Some(&has)).unwrap();
        let x86 =
            Processor::new("x86_64", Some(&["aes", "sha", "vaes"].map(String::from))).unwrap();
        for (name, processor, line) in [
            ("openssl-3.0", &x86, "OPENSSL_ia32cap=~0x200000000000000:~0x20000000000"),
            ("openssl-3.0", &arm, "OPENSSL_armcap=0x19"),
            ("aws-lc", &arm, "OPENSSL_armcap=~0x24"),
            ("nettle", &arm, "NETTLE_FAT_OVERRIDE=sha1,sha2"),
            ("nettle", &x86, "NETTLE_FAT_OVERRIDE=sha_ni"),
            ("gnutls", &arm, "GNUTLS_CPUID_OVERRIDE=0x18"),
            ("gnutls", &x86, "GNUTLS_CPUID_OVERRIDE=0x3c"),
            ("botan", &arm, "BOTAN_CLEAR_CPUID=armv8aes,armv8pmull"),
            ("botan", &x86, "BOTAN_CLEAR_CPUID=aesni,avx2_vaes,avx512_aes"),
            ("ropewalk", &arm, "ROPEWALK_CPU=-aes"),
            ("ropewalk", &x86, "ROPEWALK_CPU=-aes,-vaes"),
        ] {
            let reader = Reader::of(name).unwrap();
            let hidden = features(processor.arch, "aes").unwrap();
            let mask = reader.mask(processor, &hidden).unwrap();
            let variable = mask.variable.unwrap();
            assert_eq!(format!("{variable}={}", mask.value), line);
            let told = explain(variable, &mask.value, &[reader], processor).unwrap();
            let taken = |part: &explain::Part| {
                part.name.as_deref().is_some_and(|name| {
                    name.to_lowercase().trim_start_matches("armv8").starts_with("aes")
                })
            };
            assert!(told[0].takes.iter().any(taken), "{name}: {told:?}");
            assert_eq!(told[0].gives, [], "{name}");
        }
        let gcrypt = Reader::Libgcrypt.mask(&arm, &["aes"]).unwrap();
        assert_eq!((gcrypt.variable, gcrypt.value.as_str()), (None, "arm-aes:arm-pmull"));
        assert!(gcrypt.note.unwrap().contains("hwf.deny"));
        assert!(Reader::Libgcrypt.mask(&x86, &["adx"]).is_err());
        assert!(Reader::BORINGSSL.mask(&arm, &["aes"]).is_err());
        let gnutls = |features: &[&'static str]| Reader::GnuTls.mask(&x86, features);
        assert!(gnutls(&["aes"]).unwrap().note.unwrap().contains("NETTLE_FAT_OVERRIDE=sha_ni"));
        assert!(gnutls(&["vaes"]).unwrap_err().0.contains("does not look"));
    }

    #[test]
    fn values_are_told_by_their_variable() {
        let this = Processor::this();
        let of_some = |text: &str, readers: &[Reader]| {
            let (variable, value) = explain::parse(text, &this)?;
            Ok((variable, explain(variable, value, readers, &this)?))
        };
        let of = |text: &str| of_some(text, &[]);
        let (variable, told) = of("OPENSSL_ia32cap=~0x200000200000000").unwrap();
        assert_eq!(variable, "OPENSSL_ia32cap");
        let of_1_1 = told.iter().find(|told| told.readers.contains(&"openssl-1.1".into())).unwrap();
        // These two read it in the same way, and the later ones do not.
        assert_eq!(of_1_1.readers, ["openssl-1.1", "openssl-3.0", "openssl-3.1"]);
        let (_, told) = of("GCRYCTL_DISABLE_HWF=intel-aesni,nonsense").unwrap();
        assert_eq!(told[0].takes, [explain::Part::named("intel-aesni")]);
        assert!(told[0].warnings[0].contains("`nonsense`"));
        let (_, told) = of("ROPEWALK_CPU=aes,nonsense").unwrap();
        assert!(told[0].warnings[0].contains("`nonsense`") && !told[0].takes.is_empty());
        assert_eq!(of("OPENSSL_armcap=0x3d").unwrap().1[0].readers[0], "openssl-1.1");
        for wrong in ["OPENSSL_ia64cap=1", "aesni", ""] {
            let Err(Unavailable(why)) = of(wrong) else { panic!("{wrong} is known") };
            assert!(why.contains("NETTLE_FAT_OVERRIDE"), "{why}");
        }
        let Err(Unavailable(why)) = of_some("~1", &[Reader::Nettle]) else {
            panic!("nettle reads no numbers")
        };
        assert!(why.contains("not read by nettle"), "{why}");
    }
}
