//! `GNUTLS_CPUID_OVERRIDE`: the features that GnuTLS's own code may use, as bits of one number.
//!
//! The bits for x86 are those of its manual, "Debugging and auditing"; those for Arm, and their effects, are
//! from `lib/accelerated/x86/x86-common.c` and `lib/accelerated/aarch64/aarch64-common.[ch]` of 3.7.9 and
//! 3.8.13.

use super::{
    CPUID_OVERRIDE, FAT_OVERRIDE, Processor, Unavailable, armcap,
    explain::{Explained, Part},
};

/// A bit of the number.
struct Bit {
    bit: u32,
    name: &'static str,
    /// The feature that the processor must have, as `rustc` or Linux spells it.
    needs: &'static str,
    /// The feature whose mask clears it.
    feature: &'static str,
}

const fn bit(bit: u32, name: &'static str, needs: &'static str, feature: &'static str) -> Bit {
    Bit { bit, name, needs, feature }
}

const X86_64: [Bit; 5] = [
    bit(1, "AES-NI", "aes", "aes"),
    bit(2, "SSSE3", "ssse3", "ssse3"),
    bit(3, "PCLMUL", "pclmulqdq", "pclmulqdq"),
    bit(4, "AVX", "avx", "avx"),
    bit(5, "SHA_NI", "sha", "sha"),
];

const AARCH64: [Bit; 5] = [
    bit(2, "AES", "aes", "aes"),
    bit(3, "SHA1", "sha1", "sha2"),
    bit(4, "SHA256", "sha2", "sha2"),
    bit(5, "PMULL", "pmull", "aes"),
    bit(6, "SHA512", "sha512", "sha3"),
];

fn bits(arch: &str) -> &'static [Bit] {
    match arch {
        "x86_64" => &X86_64,
        "aarch64" => &AARCH64,
        _ => &[],
    }
}

/// The bit that means no features.
const NOTHING: u32 = 1;

/// Features that it detects without a bit: they are disabled by every value but zero. Its SHA code requires
/// all three.
const NEVER: [&str; 3] = ["avx2", "bmi1", "bmi2"];

/// The bits of VIA's and Zhaoxin's processors.
const PADLOCK: u32 = 0x70_0000;

/// The remaining bits; none if it detects none of the features.
pub(super) fn value(
    processor: &Processor,
    features: &[&'static str],
) -> Result<Option<String>, Unavailable> {
    let bits = bits(processor.arch);
    if bits.is_empty() {
        return Err(Unavailable("cannot be masked on this processor".into()));
    }
    let looked_for = |name: &&str| {
        bits.iter().any(|bit| bit.feature == *name) || never(processor.arch).contains(name)
    };
    if !features.iter().any(looked_for) {
        return Ok(None);
    }
    let mut left = 0_u32;
    for bit in bits.iter().filter(|bit| !features.contains(&bit.feature)) {
        // On x86 it detects the features itself. On Arm it takes the value for them.
        let has = match processor.arch {
            "x86_64" => true,
            _ => processor.has(bit.needs).ok_or_else(|| {
                Unavailable(
                    "takes its mask for what the processor has, and that is not this machine's: \
                     say it with --has aes,pmull,sha2"
                        .into(),
                )
            })?,
        };
        left |= u32::from(has) << bit.bit;
    }
    // Zero would not be a mask.
    Ok(Some(format!("{:#x}", if left == 0 { NOTHING } else { left })))
}

fn never(arch: &str) -> &'static [&'static str] {
    if arch == "x86_64" { &NEVER } else { &[] }
}

/// The effect of a value.
pub(super) fn explain(value: &str, processor: &Processor) -> Explained {
    let mut explained = Explained::of(&["gnutls"]);
    let bits = bits(processor.arch);
    let read = armcap::strtoul(value);
    let (number, rest) = read.unwrap_or((0, value));
    let warnings = &mut explained.warnings;
    if !rest.is_empty() || read.is_none() {
        warnings.push(format!("`{value}` is read as far as its digits go: {number:#x}"));
    }
    if number == 0 {
        warnings.push("0 is no mask: GnuTLS goes by what the processor has".into());
        return explained;
    }
    let mut lacks = Vec::new();
    for bit in bits {
        let (has, given) = (processor.has(bit.needs), number >> bit.bit & 1 == 1);
        let part = Part { name: Some(bit.name.into()), word: None, bit: Some(bit.bit) };
        match given && number & NOTHING == 0 {
            true if has == Some(true) => {}
            // It detects them again, and ignores absent ones.
            true if processor.arch == "x86_64" => {}
            true => {
                explained.gives.push(part);
                lacks.extend((has == Some(false)).then_some(bit.name));
            }
            false if has == Some(false) => {}
            false => explained.takes.push(part),
        }
    }
    let off = never(processor.arch).iter().filter(|name| processor.has(name) != Some(false));
    explained.takes.extend(off.map(|name| Part::named(name)));
    if !lacks.is_empty() {
        warnings.push(format!(
            "this processor lacks {}: the first such instruction ends the program (SIGILL)",
            lacks.join(", ")
        ));
    }
    if number & NOTHING != 0 && number != NOTHING {
        warnings.push("bit 0 says that there is nothing, whatever else is set".into());
    }
    let padlock = if processor.arch == "x86_64" { PADLOCK } else { 0 };
    let known = bits.iter().fold(NOTHING | padlock, |known, bit| known | 1 << bit.bit);
    if number & !known != 0 {
        warnings.push(format!("it knows no bits {:#x}, and passes them over", number & !known));
    }
    warnings.push(format!(
        "{CPUID_OVERRIDE} says all that GnuTLS's own code may use: what it does not name is off"
    ));
    warnings.push(BESIDE.replace("{}", FAT_OVERRIDE));
    explained
}

/// The features that remain with only this mask.
pub(super) const BESIDE: &str =
    "for what it has no code of its own for, GnuTLS calls nettle, which reads {} alone";

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
            (&[][..], None),
            (&["neon"], None),
            (&["aes"], Some("0x18")),
            (&["sha2", "sha3"], Some("0x24")),
            (&["sha3"], Some("0x3c")),
            (&["neon", "aes", "sha2", "sha3"], Some("0x1")),
        ] {
            assert_eq!(value(&arm, features).unwrap().as_deref(), want, "{features:?}");
        }
        assert!(value(&Processor::new("aarch64", None).unwrap(), &["adx"]).unwrap().is_none());
        let x86 = with("x86_64", &["aes"]);
        for (features, want) in [
            (&["vaes"][..], None),
            (&["aes", "vaes"], Some("0x3c")),
            (&["avx2"], Some("0x3e")),
            (&["aes", "ssse3", "pclmulqdq", "avx", "sha"], Some("0x1")),
        ] {
            assert_eq!(value(&x86, features).unwrap().as_deref(), want, "{features:?}");
        }
    }

    #[test]
    fn a_mask_explains_itself() {
        let names = |parts: &[Part]| -> Vec<String> {
            parts.iter().filter_map(|part| part.name.clone()).collect()
        };
        let arm = with("aarch64", &["aes"]);
        let told = explain(&value(&arm, &["aes"]).unwrap().unwrap(), &arm);
        assert_eq!(names(&told.takes), ["AES", "PMULL"]);
        let told = explain("0x1c", &arm);
        assert_eq!(names(&told.takes), ["PMULL"]);
        assert_eq!(names(&told.gives), ["SHA1", "SHA256"]);
        assert!(told.warnings[0].contains("SIGILL"));
        let x86 = with("x86_64", &["aes", "ssse3", "avx2"]);
        let told = explain("0x2", &x86);
        assert_eq!(names(&told.takes), ["SSSE3", "avx2"]);
        assert_eq!(names(&explain("0x22", &x86).gives), [""; 0]);
        assert_eq!(names(&explain("0x3f", &x86).takes), ["AES-NI", "SSSE3", "avx2"]);
        assert!(explain("0x3f", &x86).warnings[0].contains("bit 0"));
        assert!(explain("0xbe", &x86).warnings[0].contains("0x80"));
        for nothing in ["0", "", "none", "0x0"] {
            let told = explain(nothing, &x86);
            assert!(told.takes.is_empty(), "{nothing}");
            assert!(told.warnings.last().unwrap().contains("no mask"), "{nothing}");
        }
    }
}
