//! `NSS_DISABLE_HW_AES` and similar variables of NSS, each of which disables one feature.

use super::Unavailable;

/// A feature, and the variables that disable it in NSS. From `lib/freebl/blinit.c` of NSS 3.87 and later,
/// which only checks whether they are set.
type Row = (&'static str, &'static [&'static str]);

fn rows(arch: &str) -> &'static [Row] {
    match arch {
        "x86_64" => &[
            ("aes", &["NSS_DISABLE_HW_AES"]),
            ("pclmulqdq", &["NSS_DISABLE_PCLMUL"]),
            ("sha", &["NSS_DISABLE_HW_SHA"]),
            ("avx", &["NSS_DISABLE_AVX"]),
            ("avx2", &["NSS_DISABLE_AVX2"]),
            ("adx", &["NSS_DISABLE_ADX"]),
            ("ssse3", &["NSS_DISABLE_SSSE3"]),
            ("sse4.1", &["NSS_DISABLE_SSE4_1"]),
        ],
        "aarch64" => &[
            ("neon", &["NSS_DISABLE_ARM_NEON"]),
            ("aes", &["NSS_DISABLE_HW_AES", "NSS_DISABLE_PMULL"]),
            ("sha2", &["NSS_DISABLE_HW_SHA1", "NSS_DISABLE_HW_SHA2"]),
        ],
        _ => &[],
    }
}

/// The variables to set. NSS does not detect features without a name.
pub(super) fn variables(
    arch: &str,
    features: &[&'static str],
) -> Result<Vec<(String, String)>, Unavailable> {
    let rows = rows(arch);
    if rows.is_empty() {
        return Err(Unavailable("cannot be masked on this processor".into()));
    }
    let has = |name: &str| features.contains(&name);
    if (has("bmi1") || has("bmi2")) && !has("avx2") {
        return Err(Unavailable("looks for BMI with AVX2 alone".into()));
    }
    let hidden = rows.iter().filter(|(feature, _)| has(feature));
    let names = hidden.flat_map(|(_, names)| *names);
    Ok(names.map(|name| ((*name).into(), "1".into())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_features() {
        for (arch, features, names) in [
            ("x86_64", &["aes", "vaes"][..], "NSS_DISABLE_HW_AES"),
            ("x86_64", &["pclmulqdq", "sha"], "NSS_DISABLE_PCLMUL NSS_DISABLE_HW_SHA"),
            ("x86_64", &["vaes"], ""),
            ("x86_64", &["avx2", "bmi2"], "NSS_DISABLE_AVX2"),
            ("aarch64", &["aes"], "NSS_DISABLE_HW_AES NSS_DISABLE_PMULL"),
            ("aarch64", &["sha2", "sha3"], "NSS_DISABLE_HW_SHA1 NSS_DISABLE_HW_SHA2"),
        ] {
            let variables = variables(arch, features).unwrap();
            assert!(variables.iter().all(|(_, value)| value == "1"));
            let told: Vec<_> = variables.into_iter().map(|(name, _)| name).collect();
            assert_eq!(told.join(" "), names);
        }
        assert!(variables("x86_64", &["bmi2"]).is_err());
        assert!(variables("riscv64", &["aes"]).is_err());
    }
}
