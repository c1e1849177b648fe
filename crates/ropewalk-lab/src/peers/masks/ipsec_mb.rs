//! The masks of ipsec-mb.

use super::Unavailable;

/// Words for the manager of ipsec-mb. It has a manager for each width of vectors, and flags to disable SHA-NI
/// and GFNI. Its code with VAES requires both, and so is disabled by either of them.
pub(in crate::peers) fn ipsec_mb(features: &[&'static str]) -> Result<String, Unavailable> {
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
