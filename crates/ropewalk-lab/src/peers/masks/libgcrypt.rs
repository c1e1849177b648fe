//! The masks of libgcrypt: names of features that it must not use.

use super::explain::{Explained, Part};

/// The names that libgcrypt has for the features.
///
/// It does not detect features without a name.
pub(super) fn names(arch: &str, features: &[&'static str]) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    let hidden = NAMES.iter().filter(|(of, _)| *of == arch);
    for (_, rows) in hidden {
        let rows = rows.iter().filter(|(feature, _)| features.contains(feature));
        names.extend(rows.flat_map(|(_, names)| *names));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// A feature, and libgcrypt's names for it and for dependent features.
type Names = (&'static str, &'static [&'static str]);

const NAMES: [(&str, &[Names]); 2] = [
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
            ("sm4", &["arm-sm3", "arm-sm4"]),
        ],
    ),
];

/// Other names in its manual, of either architecture.
const OTHERS: [&str; 21] = [
    "padlock-rng",
    "padlock-aes",
    "padlock-sha",
    "padlock-mmul",
    "intel-cpu",
    "intel-fast-shld",
    "intel-rdrand",
    "intel-rdtsc",
    "intel-sha512",
    "intel-sm3",
    "intel-sm4",
    "arm-sha3",
    "arm-sha512",
    "arm-sve",
    "arm-sve2",
    "arm-sveaes",
    "arm-svepmull",
    "arm-svesha3",
    "arm-svesm4",
    "arm-neon",
    "all",
];

/// The effect of a list. Names are separated by colons and commas.
pub(super) fn explain(list: &str) -> Explained {
    let known = |name: &str| {
        let rows = NAMES.iter().flat_map(|(_, rows)| *rows);
        rows.flat_map(|(_, names)| *names).chain(&OTHERS).any(|known| *known == name)
    };
    let mut explained = Explained::of(&["libgcrypt"]);
    for name in list.split([':', ',']).filter(|name| !name.is_empty()) {
        if known(name) {
            explained.takes.push(Part::named(name));
        } else {
            explained.warnings.push(format!(
                "it has no feature `{name}`: gcry_control fails and reads no further; hwf.deny \
                 goes on with the next line"
            ));
        }
    }
    explained
}
