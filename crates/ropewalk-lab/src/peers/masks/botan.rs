//! `BOTAN_CLEAR_CPUID`: names of features that Botan must not use, separated by commas.

use std::env::consts::ARCH;

use super::{
    BOTAN_CLEAR_CPUID, Unavailable,
    explain::{Explained, Part},
};

/// The variable and its value for that version: `Botan 3.13.0`.
pub(in crate::peers) fn botan(
    version: &str,
    features: &[&'static str],
) -> Result<(String, String), Unavailable> {
    let numbers = version.strip_prefix("Botan ").unwrap_or_default();
    let mut numbers = numbers.split('.').map(|number| number.parse::<u32>().ok());
    let (major, minor) = (numbers.next().flatten(), numbers.next().flatten());
    match (major, minor) {
        (Some(3), Some(1..)) => Ok((BOTAN_CLEAR_CPUID.into(), names(ARCH, features).join(","))),
        (Some(2 | 3), _) => Err(Unavailable("has no mask: Botan has one since 3.1".into())),
        _ => Err(Unavailable(format!("the mask of {version} is not known"))),
    }
}

/// Botan's names for the features, in any version: a version ignores unknown names, and does not detect those
/// features.
pub(super) fn names(arch: &str, features: &[&'static str]) -> Vec<&'static str> {
    let hidden = NAMES.iter().filter(|(of, _)| *of == arch).flat_map(|(_, rows)| *rows);
    let hidden = hidden.filter(|(feature, _)| features.contains(feature));
    let mut names: Vec<&str> = hidden.flat_map(|(_, names)| *names).copied().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A feature, and Botan's names for it. Versions before 3.6 do not disable dependent features, so all of them
/// are named.
type Names = (&'static str, &'static [&'static str]);

/// From `src/lib/utils/cpuid` of 3.1, 3.6, 3.7 and 3.9.
const NAMES: [(&str, &[Names]); 2] = [
    (
        "x86_64",
        &[
            ("sse2", &["sse2"]),
            ("ssse3", &["ssse3"]),
            ("avx2", &["avx2"]),
            ("bmi1", &["bmi2"]),
            ("bmi2", &["bmi2"]),
            ("adx", &["adx"]),
            ("aes", &["aesni"]),
            ("pclmulqdq", &["clmul"]),
            ("sha", &["intel_sha"]),
            ("gfni", &["gfni"]),
            ("vaes", &["avx2_vaes", "avx512_aes"]),
            ("vpclmulqdq", &["avx2_clmul", "avx512_clmul"]),
            ("avx512f", AVX512),
            ("avx512bw", AVX512),
            ("avx512dq", AVX512),
            ("avx512vl", AVX512),
            ("avx512ifma", AVX512),
            ("avx512vbmi", AVX512),
        ],
    ),
    (
        "aarch64",
        &[
            ("neon", &["neon"]),
            ("aes", &["armv8aes", "armv8pmull"]),
            ("sha2", &["armv8sha1", "armv8sha2"]),
            ("sha3", &["armv8sha2_512", "armv8sha3"]),
            ("sm4", &["armv8sm3", "armv8sm4"]),
        ],
    ),
];

/// Botan treats it as one feature, including its code on 512 bits for AES and carry-less products.
const AVX512: &[&str] = &["avx512", "avx512_aes", "avx512_clmul"];

/// Other names that it knows, of either architecture.
const OTHERS: [&str; 20] = [
    "simd",
    "aes_ni",
    "avx2_aes",
    "intel_sha512",
    "intel_sm3",
    "intel_sm4",
    "rdrand",
    "rdseed",
    "rdtsc",
    "sha",
    "arm_aes",
    "arm_pmull",
    "arm_sha1",
    "arm_sha2",
    "arm_sha2_512",
    "arm_sha3",
    "arm_sm3",
    "arm_sm4",
    "arm_sve",
    "sve",
];

/// The effect of a list.
pub(super) fn explain(list: &str) -> Explained {
    let known = |name: &str| {
        let rows = NAMES.iter().flat_map(|(_, rows)| *rows);
        rows.flat_map(|(_, names)| *names).chain(&OTHERS).any(|known| *known == name)
    };
    let mut explained = Explained::of(&["botan"]);
    for name in list.split(',').filter(|name| !name.is_empty()) {
        if known(name) {
            explained.takes.push(Part::named(name));
        } else {
            let why = format!("no version knows `{name}`: it is passed over");
            explained.warnings.push(why);
        }
    }
    // Its documentation says so.
    const GROUND: [&str; 4] = ["sse2", "ssse3", "neon", "simd"];
    if let Some(name) = GROUND.iter().find(|name| explained.takes.contains(&Part::named(name))) {
        explained.warnings.push(format!("since 3.6, what builds on {name} goes with it"));
    }
    explained.warnings.push(format!("{BOTAN_CLEAR_CPUID} is read by Botan 3.1 and later ones"));
    explained
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_without_a_mask_say_so() {
        for (version, why) in [
            ("Botan 2.19.3", "has no mask: Botan has one since 3.1"),
            ("Botan 3.0.0", "has no mask: Botan has one since 3.1"),
            ("Botan 4.0.0", "the mask of Botan 4.0.0 is not known"),
            ("", "the mask of  is not known"),
        ] {
            assert_eq!(botan(version, &["aes"]), Err(Unavailable(why.into())));
        }
        let (variable, _) = botan("Botan 3.1.0", &["aes"]).unwrap();
        assert_eq!(variable, "BOTAN_CLEAR_CPUID");
    }

    #[test]
    fn what_builds_on_it_goes_too() {
        assert_eq!(names("x86_64", &["avx512f"]), ["avx512", "avx512_aes", "avx512_clmul"]);
        assert_eq!(names("aarch64", &["sha2"]), ["armv8sha1", "armv8sha2"]);
        assert!(names("x86_64", &["avx"]).is_empty());
    }

    #[test]
    fn a_mask_explains_itself() {
        let told = explain("aesni,ssse3,aes");
        assert_eq!(told.takes, [Part::named("aesni"), Part::named("ssse3")]);
        assert!(told.warnings[0].contains("`aes`") && told.warnings[1].contains("ssse3"));
        for (_, rows) in NAMES {
            for name in rows.iter().flat_map(|(_, names)| *names) {
                assert_eq!(explain(name).takes, [Part::named(name)]);
            }
        }
    }
}
