//! `OPENSSL_armcap`: one word of bits, some of which OpenSSL and AWS-LC share.

use super::{
    Family, Processor, Unavailable,
    explain::{Explained, Part},
};

/// A bit of the word.
struct Bit {
    bit: u32,
    name: &'static str,
    /// The feature that the processor must have, as [`Processor::has`] spells it; empty if the bit is not an
    /// instruction.
    needs: &'static str,
    /// The feature whose mask clears it, as in `rustc`: `aes` is AES and PMULL, `sha2` is SHA-1 and SHA-256,
    /// `sha3` is SHA-512 and SHA-3, `sm4` is SM3 and SM4.
    feature: &'static str,
    /// The first OpenSSL with it.
    since: (u32, u32),
}

const fn bit(
    bit: u32,
    name: &'static str,
    needs: &'static str,
    feature: &'static str,
    since: (u32, u32),
) -> Bit {
    Bit { bit, name, needs, feature, since }
}

const OPENSSL: [Bit; 18] = [
    bit(0, "NEON", "neon", "neon", (1, 1)),
    bit(1, "TICK", "", "", (1, 1)),
    bit(2, "AES", "aes", "aes", (1, 1)),
    bit(3, "SHA1", "sha1", "sha2", (1, 1)),
    bit(4, "SHA256", "sha2", "sha2", (1, 1)),
    bit(5, "PMULL", "pmull", "aes", (1, 1)),
    bit(6, "SHA512", "sha512", "sha3", (1, 1)),
    bit(7, "CPUID", "", "", (3, 0)),
    bit(8, "RNG", "rand", "", (3, 1)),
    bit(9, "SM3", "sm3", "sm4", (3, 1)),
    bit(10, "SM4", "sm4", "sm4", (3, 1)),
    bit(11, "SHA3", "sha3", "sha3", (3, 1)),
    bit(12, "UNROLL8_EOR3", "", "", (3, 1)),
    bit(13, "SVE", "sve", "neon", (3, 1)),
    bit(14, "SVE2", "sve2", "neon", (3, 1)),
    bit(15, "HAVE_SHA3_AND_WORTH_USING", "", "", (3, 1)),
    bit(16, "UNROLL12_EOR3", "", "", (3, 1)),
    bit(17, "SVE2_POLY1305", "", "", (3, 1)),
];

const AWS_LC: [Bit; 15] = [
    bit(0, "NEON", "neon", "neon", (1, 1)),
    bit(2, "AES", "aes", "aes", (1, 1)),
    bit(3, "SHA1", "sha1", "sha2", (1, 1)),
    bit(4, "SHA256", "sha2", "sha2", (1, 1)),
    bit(5, "PMULL", "pmull", "aes", (1, 1)),
    bit(6, "SHA512", "sha512", "sha3", (1, 1)),
    bit(7, "NEOVERSE_N1", "", "", (1, 1)),
    bit(11, "SHA3", "sha3", "sha3", (1, 1)),
    bit(12, "NEOVERSE_V1", "", "", (1, 1)),
    bit(13, "APPLE_M", "", "", (1, 1)),
    bit(14, "NEOVERSE_V2", "", "", (1, 1)),
    bit(15, "DIT", "", "", (1, 1)),
    bit(16, "DIT_ALLOWED", "", "", (1, 1)),
    bit(17, "RNG", "rand", "", (1, 1)),
    bit(18, "NEOVERSE_V3", "", "", (1, 1)),
];

fn bits(family: Family) -> impl Iterator<Item = &'static Bit> {
    let rows: &[Bit] = match family {
        Family::OpenSsl { .. } => &OPENSSL,
        Family::AwsLc => &AWS_LC,
        Family::BoringSsl => &[],
    };
    rows.iter().filter(move |bit| family == Family::AwsLc || family.is_openssl_since(bit.since))
}

/// Whether there is a row for the feature.
#[cfg(test)]
pub(super) fn has(feature: &str) -> bool {
    OPENSSL.iter().any(|bit| bit.feature == feature)
}

/// AWS-LC clears bits. OpenSSL takes the value for the features of the processor, and crashes with a bit too
/// many; it then selects no code by the processor's model, so that a mask may cost more than the hidden
/// features.
pub(super) fn value(
    family: Family,
    processor: &Processor,
    features: &[&'static str],
) -> Result<String, Unavailable> {
    let hidden = |bit: &&Bit| features.contains(&bit.feature);
    match family {
        Family::OpenSsl { .. } => {
            let mut left = 0_u32;
            for bit in bits(family).filter(|bit| !bit.needs.is_empty()) {
                let has = processor.has(bit.needs).ok_or_else(|| {
                    Unavailable(
                        "takes its mask for what the processor has, and that is not this machine's: \
                         say it with --has aes,pmull,sha2"
                            .into(),
                    )
                })?;
                if has && !hidden(&bit) {
                    left |= 1 << bit.bit;
                }
            }
            Ok(format!("{left:#x}"))
        }
        Family::AwsLc => {
            let mask = bits(family).filter(hidden).fold(0_u32, |mask, bit| mask | 1 << bit.bit);
            Ok(format!("~{mask:#x}"))
        }
        Family::BoringSsl => Err(Unavailable("reads no mask on this processor".into())),
    }
}

/// The effect of a value on a library of that family.
pub(super) fn explain(family: Family, value: &str, processor: &Processor) -> Explained {
    let mut explained = Explained::default();
    let warnings = &mut explained.warnings;
    let (operation, digits) = match (family, value.split_at_checked(1)) {
        (Family::AwsLc, Some((operation @ ("~" | "|"), rest))) => (operation, rest),
        _ => ("", value),
    };
    let read = if family == Family::AwsLc { scanned(digits) } else { strtoul(digits) };
    let (word, rest) = read.unwrap_or((0, digits));
    if read.is_none() && family == Family::AwsLc {
        warnings.push(format!("`{digits}` is no number, and nothing changes"));
        return explained;
    }
    if family != Family::AwsLc && value.starts_with('~') {
        warnings.push("OpenSSL knows no ~ here: the value is 0, and everything is off".into());
    } else if !rest.is_empty() || read.is_none() {
        warnings.push(format!("`{value}` is read as far as its digits go: {word:#x}"));
    }
    if operation.is_empty() {
        warnings.push(
            "it is all that the processor is said to have: code is no longer chosen by its model"
                .into(),
        );
    }
    let mut lacks = Vec::new();
    for at in 0..u32::BITS {
        let row = bits(family).find(|row| row.bit == at);
        let part = || Part { name: row.map(|row| row.name.into()), word: None, bit: Some(at) };
        let needed = row.map(|row| row.needs).filter(|needs| !needs.is_empty());
        let has = needed.and_then(|needs| processor.has(needs));
        let is_set = word & 1 << at != 0;
        match operation {
            "~" if is_set => explained.takes.push(part()),
            "~" => {}
            _ if is_set => {
                if has == Some(false) {
                    lacks.extend(row.map(|row| row.name));
                }
                if has != Some(true) || operation == "|" {
                    explained.gives.push(part());
                }
            }
            "" if needed.is_some() && has != Some(false) => explained.takes.push(part()),
            _ => {}
        }
    }
    if !lacks.is_empty() {
        let lacks = lacks.join(", ");
        explained.warnings.push(if family == Family::AwsLc {
            format!("this processor lacks {lacks}: AWS-LC says so and ends the program")
        } else {
            format!(
                "this processor lacks {lacks}: the first such instruction ends the program (SIGILL)"
            )
        });
    }
    if family != Family::AwsLc && word & 1 << 1 != 0 {
        explained
            .warnings
            .push("bit 1, TICK, reads a counter that most systems do not let programs read".into());
    }
    explained
}

/// Parses a number of any base like C, with blanks and a sign before it.
pub(super) fn strtoul(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, base) = match hexadecimal {
        Some(digits) => (digits, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    let (number, rest) = digits_of(digits, base)?;
    Some((if negative { number.wrapping_neg() } else { number }, rest))
}

/// Hexadecimal after `0x`, otherwise decimal.
fn scanned(text: &str) -> Option<(u32, &str)> {
    match text.strip_prefix("0x") {
        Some(digits) => digits_of(digits, 16),
        None => digits_of(text, 10),
    }
}

fn digits_of(text: &str, base: u32) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_digit(base)).unwrap_or(text.len());
    let digits = text[..end].chars().filter_map(|c| c.to_digit(base));
    let sum = |sum: u64, digit| sum.saturating_mul(base.into()).saturating_add(u64::from(digit));
    // The high half of the number that C reads is dropped.
    (end > 0).then(|| (digits.fold(0, sum) as u32, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::*, *};

    fn with(has: &[&str]) -> Processor {
        let has: Vec<String> = has.iter().map(|name| (*name).into()).collect();
        Processor::new("aarch64", Some(&has)).unwrap()
    }

    const ALL: [&str; 8] = ["aes", "pmull", "sha2", "sha3", "rand", "sm4", "sve", "sve2"];

    fn names(parts: &[Part]) -> Vec<&str> {
        parts.iter().map(|part| part.name.as_deref().unwrap_or("?")).collect()
    }

    /// On a Neoverse N1, and on a processor with everything.
    #[test]
    fn armcap_has_only_what_the_processor_has() {
        let (n1, all) = (with(&["aes", "pmull", "sha2"]), with(&ALL));
        for (list, of_n1, of_all, of_3_0, aws_lc) in [
            ("", "0x3d", "0x6f7d", "0x7d", "~0x0"),
            ("-aes", "0x19", "0x6f59", "0x59", "~0x24"),
            ("-sha2", "0x25", "0x6725", "0x25", "~0x858"),
            ("-sha3", "0x3d", "0x673d", "0x3d", "~0x840"),
            ("-neon", "0x0", "0x100", "0x0", "~0x87d"),
            ("-sha", "0x3d", "0x6f7d", "0x7d", "~0x0"),
        ] {
            let features = masked(list);
            assert_eq!(value(OPENSSL_3_0, &n1, &features).unwrap(), of_n1, "{list}");
            assert_eq!(value(OPENSSL_4_0, &all, &features).unwrap(), of_all, "{list}");
            assert_eq!(value(OPENSSL_3_0, &all, &features).unwrap(), of_3_0, "{list}");
            assert_eq!(value(Family::AwsLc, &all, &features).unwrap(), aws_lc, "{list}");
        }
        assert!(value(Family::BoringSsl, &n1, &[]).is_err());
    }

    #[test]
    #[cfg(not(target_arch = "aarch64"))]
    fn another_processor_must_be_described() {
        let unknown = Processor::new("aarch64", None).unwrap();
        let Err(Unavailable(why)) = value(OPENSSL_3_0, &unknown, &[]) else { panic!("a value") };
        assert!(why.contains("--has"), "{why}");
        assert_eq!(value(Family::AwsLc, &unknown, &["aes"]).unwrap(), "~0x24");
    }

    #[test]
    fn a_mask_explains_itself() {
        let all = with(&ALL);
        for feature in ["aes", "sha2", "sha3", "neon"] {
            for family in [OPENSSL_1_1, OPENSSL_3_0, OPENSSL_4_0, Family::AwsLc] {
                let features = masked(feature);
                let told = explain(family, &value(family, &all, &features).unwrap(), &all);
                let hidden = bits(family).filter(|bit| features.contains(&bit.feature));
                let want: Vec<_> = hidden.map(|bit| bit.name).collect();
                assert_eq!(names(&told.takes), want, "{family:?} {feature}");
                assert_eq!(told.gives, [], "{family:?} {feature}");
            }
        }
    }

    #[test]
    fn oddities_are_told() {
        let n1 = with(&["aes", "pmull", "sha2"]);
        let of = |family, value: &str| {
            let told = explain(family, value, &n1);
            (names(&told.gives).join(" "), told.warnings.join("; "))
        };
        let (gives, warnings) = of(OPENSSL_4_0, "0xffffffff");
        assert!(gives.contains("SHA512") && gives.contains('?'), "{gives}");
        assert!(warnings.contains("SHA512") && warnings.contains("SIGILL"), "{warnings}");
        assert!(warnings.contains("TICK"), "{warnings}");
        assert_eq!(of(OPENSSL_4_0, "-1"), of(OPENSSL_4_0, "4294967295"));
        assert_eq!(of(OPENSSL_3_0, "075").0, "");
        assert!(of(OPENSSL_3_0, "~0x4").1.contains("knows no ~"));
        assert!(of(Family::AwsLc, "0x7d").1.contains("AWS-LC says so"));
        assert!(of(Family::AwsLc, "x").1.contains("nothing changes"));
        assert!(of(OPENSSL_3_0, "0x3dz").1.contains("`0x3dz`"));
        assert_eq!(names(&explain(Family::AwsLc, "~0x24", &n1).takes), ["AES", "PMULL"]);
    }
}
