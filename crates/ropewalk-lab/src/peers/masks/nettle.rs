//! `NETTLE_FAT_OVERRIDE`: all features of the processor, by nettle's names.

use super::{
    FAT_OVERRIDE, Processor, Unavailable,
    explain::{Explained, Part},
};

/// The features that nettle detects: the feature, as `rustc` or Linux spells it, the feature whose mask
/// clears it, and nettle's name.
type Row = (&'static str, &'static str, &'static str);

fn rows(arch: &str) -> &'static [Row] {
    match arch {
        "x86_64" => &[
            ("aes", "aes", "aesni"),
            ("sha", "sha", "sha_ni"),
            ("pclmulqdq", "pclmulqdq", "pclmul"),
        ],
        "aarch64" => &[
            ("aes", "aes", "aes"),
            ("pmull", "aes", "pmull"),
            ("sha1", "sha2", "sha1"),
            ("sha2", "sha2", "sha2"),
        ],
        _ => &[],
    }
}

/// All remaining features, since it takes the value for those of the processor.
pub(super) fn value(
    processor: &Processor,
    features: &[&'static str],
) -> Result<String, Unavailable> {
    let rows = rows(processor.arch);
    if rows.is_empty() {
        return Err(Unavailable("cannot be masked on this processor".into()));
    }
    let mut left: Vec<&str> = vendor(processor).into_iter().collect();
    for (needs, feature, word) in rows {
        let has = processor.has(needs).ok_or_else(|| {
            Unavailable(
                "takes its mask for what the processor has, and that is not this machine's: say it \
                 with --has aes,pmull,sha2"
                    .into(),
            )
        })?;
        if has && !features.contains(feature) {
            left.push(word);
        }
    }
    // The value must not be empty, and it ignores unknown names.
    Ok(if left.is_empty() { "none".into() } else { left.join(",") })
}

/// Nettle's name of the processor's maker: it also selects code by that.
fn vendor(processor: &Processor) -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    if processor.is_this() {
        return match raw_cpuid::CpuId::new().get_vendor_info()?.as_str() {
            "GenuineIntel" => Some("vendor:intel"),
            "AuthenticAMD" => Some("vendor:amd"),
            _ => None,
        };
    }
    let _ = processor;
    None
}

/// The effect of a value.
pub(super) fn explain(value: &str, processor: &Processor) -> Explained {
    let mut explained = Explained::of(&["nettle"]);
    let words: Vec<&str> = value.split(',').collect();
    let mut lacks = Vec::new();
    for (needs, _, word) in rows(processor.arch) {
        let has = processor.has(needs);
        match words.contains(word) {
            true if has == Some(true) => {}
            true => {
                explained.gives.push(Part::named(word));
                lacks.extend((has == Some(false)).then_some(*word));
            }
            false if has == Some(false) => {}
            false => explained.takes.push(Part::named(word)),
        }
    }
    if !lacks.is_empty() {
        explained.warnings.push(format!(
            "this processor lacks {}: the first such instruction ends the program (SIGILL)",
            lacks.join(", ")
        ));
    }
    for word in words {
        let known = rows(processor.arch).iter().any(|(.., known)| *known == word);
        let vendor = processor.arch == "x86_64" && ["vendor:intel", "vendor:amd"].contains(&word);
        if !known && !vendor && word != "none" {
            explained.warnings.push(format!("it knows no `{word}`, and passes it over"));
        }
    }
    explained.warnings.push(format!(
        "{FAT_OVERRIDE} says all that the processor has: what it does not name is off"
    ));
    explained
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(arch: &str, has: &[&str]) -> Processor {
        let has: Vec<String> = has.iter().map(|name| (*name).into()).collect();
        Processor::new(arch, Some(&has)).unwrap()
    }

    #[test]
    fn what_is_left() {
        let arm = with("aarch64", &["aes", "sha2"]);
        for (features, want) in [
            (&[][..], "aes,pmull,sha1,sha2"),
            (&["aes"], "sha1,sha2"),
            (&["sha2", "sha3"], "aes,pmull"),
            (&["aes", "sha2"], "none"),
        ] {
            assert_eq!(value(&arm, features).unwrap(), want);
        }
        let x86 = with("x86_64", &["aes", "pclmulqdq"]);
        assert_eq!(value(&x86, &["pclmulqdq"]).unwrap(), "aesni");
    }

    #[test]
    fn a_mask_explains_itself() {
        let arm = with("aarch64", &["aes", "sha2"]);
        let told = explain(&value(&arm, &["aes"]).unwrap(), &arm);
        assert_eq!(told.takes, [Part::named("aes"), Part::named("pmull")]);
        assert_eq!(told.gives, []);
        let told = explain("sha_ni,avx2", &with("x86_64", &["aes"]));
        assert_eq!(told.takes, [Part::named("aesni")]);
        assert_eq!(told.gives, [Part::named("sha_ni")]);
        assert!(told.warnings[0].contains("SIGILL") && told.warnings[1].contains("`avx2`"));
    }
}
