//! The backends that a processor must offer, by the flags of its operating system or of its data sheet. The library's own
//! detection is under test, and so is never used here.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context, Result};

use crate::{
    sources::{self, ISAS},
    stage::CannotRun,
};

/// The flags that `/proc/cpuinfo` must list where a token exists. A new token needs a line here.
pub const TOKENS: &[(&str, &[&str])] = &[
    ("Aes", &["aes", "pmull", "asimd"]),
    ("AesSha2", &["aes", "pmull", "sha1", "sha2", "asimd"]),
    ("AesSha3", &["aes", "pmull", "sha3", "sha512", "asimd"]),
    ("Aesni", &["aes", "ssse3", "sse4_1"]),
    ("AesniClmul", &["aes", "pclmulqdq", "ssse3", "sse4_1"]),
    ("ArmNeon", &["neon"]),
    ("Avx2", &["avx2", "bmi1", "bmi2"]),
    ("Avx2Aes", &["avx2", "bmi1", "bmi2", "aes", "pclmulqdq"]),
    ("Avx2Clmul", &["avx2", "bmi1", "bmi2", "pclmulqdq"]),
    ("Avx512", &[F, BW, DQ, VL, "bmi2"]),
    ("Avx512By256", &[F, VL, "avx2", "bmi1", "bmi2"]),
    ("Avx512Ifma", &["avx512ifma", "avx512vbmi", F, BW, DQ, VL, "avx2", "bmi1", "bmi2"]),
    ("AvxClmul", &["aes", "pclmulqdq", "avx"]),
    ("Baseline", &[]),
    ("Bmi2", &["bmi1", "bmi2"]),
    ("Neon", &["asimd"]),
    ("Sha2", &["sha1", "sha2", "asimd"]),
    ("Sha3", &["sha3", "sha512", "asimd"]),
    ("ShaNi", &["sha_ni", "ssse3", "sse4_1"]),
    ("ShaNiAes", &["sha_ni", "aes", "pclmulqdq", "ssse3", "sse4_1"]),
    ("Sm4", &["sm3", "sm4", "asimd"]),
    ("Ssse3", &["ssse3"]),
    ("Vaes256", &["vaes", "aes", "avx2"]),
    ("Vaes256Clmul", &["vaes", "vpclmulqdq", "aes", "pclmulqdq", "avx2"]),
    ("Vaes512", &["vaes", "aes", F, BW, DQ, VL, "bmi2"]),
    ("VaesClmul512", &["vaes", "vpclmulqdq", "aes", "pclmulqdq", F, BW, DQ, VL, "bmi2"]),
];

const F: &str = "avx512f";
const BW: &str = "avx512bw";
const DQ: &str = "avx512dq";
const VL: &str = "avx512vl";

/// A processor that the emulator supports.
#[derive(Debug)]
pub struct Model {
    /// Its architecture, as `rustc` spells it.
    pub arch: &'static str,
    /// The name that the emulator has for it.
    pub name: &'static str,
    /// The subset of its flags that some backend needs, as `/proc/cpuinfo` spells them.
    pub flags: &'static [&'static str],
}

/// The emulated processors, from old to new within an architecture.
pub const MODELS: &[Model] = &[
    Model { arch: "aarch64", name: "cortex-a53", flags: ARMV8_CRYPTO },
    Model { arch: "aarch64", name: "cortex-a76", flags: ARMV8_CRYPTO },
    Model { arch: "aarch64", name: "neoverse-n1", flags: ARMV8_CRYPTO },
    Model { arch: "aarch64", name: "neoverse-v1", flags: ARMV8_4_CRYPTO },
    Model { arch: "aarch64", name: "max", flags: ARMV8_4_CRYPTO },
    Model { arch: "arm", name: "cortex-a7", flags: &["neon"] },
    Model { arch: "arm", name: "cortex-a9", flags: &["neon"] },
    Model { arch: "arm", name: "cortex-a15", flags: &["neon"] },
    // Processors that have only the portable backends: words of 32 bits, and of 64.
    Model { arch: "riscv64", name: "rv64", flags: &[] },
    Model { arch: "i386", name: "coreduo", flags: &[] },
    Model { arch: "x86_64", name: "core2duo", flags: &["ssse3"] },
    Model { arch: "x86_64", name: "Westmere", flags: WESTMERE },
    Model { arch: "x86_64", name: "Haswell", flags: HASWELL },
    Model { arch: "x86_64", name: "EPYC-Milan", flags: MILAN },
    // The second edition adds VAES; the emulator has no VPCLMULQDQ.
    Model { arch: "x86_64", name: "EPYC-Milan-v2", flags: MILAN_V2 },
];

/// A processor that no user-mode emulator supports: a whole machine is emulated.
#[derive(Debug)]
pub struct Whole {
    /// The processor.
    pub model: Model,
    /// Further features, as that emulator spells them.
    pub added: &'static str,
}

/// One with all of AVX-512, and one of AMD with it.
pub const WHOLE: &[Whole] = &[
    Whole { model: Model { arch: "x86_64", name: "tigerlake", flags: TIGER_LAKE }, added: "" },
    Whole {
        model: Model { arch: "x86_64", name: "ryzen", flags: ZEN_WITH_AVX512 },
        added: "avx512 avx512bw avx512dq",
    },
];

/// Features that `ROPEWALK_CPU` removes from a processor.
#[derive(Debug)]
pub struct Mask {
    /// Its part of the name of a stage.
    pub name: &'static str,
    /// The features, as `ROPEWALK_CPU` names them.
    pub features: &'static str,
    /// The flags of `/proc/cpuinfo` that go with them.
    pub flags: &'static [&'static str],
}

/// Removes nothing.
pub const NO_MASK: Mask = Mask { name: "", features: "", flags: &[] };

/// AES instructions, and the carry-less products that Rust has in the same feature on Arm.
pub const NO_AES: Mask =
    Mask { name: " without AES", features: "aes", flags: &["aes", "pmull", "vaes"] };

/// The instructions of SHA-256, and on Arm those of SHA-1, which are the same feature in Rust; and those that
/// depend on them there.
pub const NO_SHA2: Mask =
    Mask { name: " without SHA-2", features: "sha2", flags: &["sha1", "sha2", "sha3", "sha512"] };

/// The instructions of SHA-3 and SHA-512, which are one feature in Rust.
pub const NO_SHA3: Mask =
    Mask { name: " without SHA-3", features: "sha3", flags: &["sha3", "sha512"] };

/// NEON of 32-bit Arm, without which only the portable backends are left. The emulator cannot take it from a processor: it would
/// take half of the registers along, which Rust's standard library uses.
pub const NO_NEON: Mask = Mask { name: " without NEON", features: "neon", flags: &["neon"] };

/// The instructions of SHA-1 and SHA-256 on x86-64.
const NO_SHA: Mask = Mask { name: " without SHA", features: "sha", flags: &["sha_ni"] };

/// AES instructions on vectors of more than 128 bits.
const NO_VAES: Mask = Mask { name: " without VAES", features: "vaes", flags: &["vaes"] };

/// Vectors of 512 bits, and shorter vectors with the same instructions.
const NO_AVX512: Mask = Mask {
    name: " without AVX-512",
    features: "avx512f",
    flags: &[F, BW, DQ, VL, "avx512ifma", "avx512vbmi"],
};

/// Vectors of 256 bits and more.
const NO_AVX2: Mask = Mask {
    name: " without AVX2",
    features: "avx2",
    flags: &["avx2", "vaes", "vpclmulqdq", F, BW, DQ, VL, "avx512ifma", "avx512vbmi"],
};

/// Each mask changes which backends the library selects for batches, and for their remainder.
pub const CHOICES: [&Mask; 7] =
    [&NO_AVX512, &NO_AVX2, &NO_VAES, &NO_AES, &NO_SHA, &NO_SHA2, &NO_SHA3];

const ARMV8_CRYPTO: &[&str] = &["asimd", "aes", "pmull", "sha1", "sha2"];
const ARMV8_4_CRYPTO: &[&str] =
    &["asimd", "aes", "pmull", "sha1", "sha2", "sha3", "sha512", "sm3", "sm4"];
const WESTMERE: &[&str] = &["ssse3", "sse4_1", "aes", "pclmulqdq"];
const HASWELL: &[&str] = &["ssse3", "sse4_1", "aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2"];
const MILAN: &[&str] =
    &["ssse3", "sse4_1", "aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "adx", "sha_ni"];
const MILAN_V2: &[&str] = &[
    "ssse3",
    "sse4_1",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha_ni",
    "vaes",
];
const TIGER_LAKE: &[&str] = &[
    "ssse3",
    "sse4_1",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha_ni",
    "vaes",
    "vpclmulqdq",
    F,
    BW,
    DQ,
    VL,
    "avx512ifma",
    "avx512vbmi",
];
const ZEN_WITH_AVX512: &[&str] = &[
    "ssse3",
    "sse4_1",
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha_ni",
    F,
    BW,
    DQ,
    VL,
];

impl Model {
    /// The model of that name in `-cpu`.
    pub fn named(name: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| model.name == name)
    }

    /// The backends under `root` that it must offer without the flags in `masked`.
    ///
    /// # Errors
    /// Where the lists of backends cannot be read.
    pub fn expected(&self, root: &Path, masked: &[&str]) -> Result<Vec<String>> {
        expected(root, self.arch, self.flags.iter().copied().collect(), masked)
    }
}

/// The backends under `root` that this machine must offer without the flags in `masked`.
///
/// # Errors
/// [`CannotRun`] where the operating system does not list the flags of its processors, and where the lists of backends cannot be
/// read.
pub fn expected_here(root: &Path, masked: &[&str]) -> Result<Vec<String>> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").ok();
    let flags = cpuinfo.as_deref().and_then(flags).ok_or_else(|| {
        CannotRun("/proc/cpuinfo lists no processor flags: run this on Linux".into())
    })?;
    expected(root, std::env::consts::ARCH, flags, masked)
}

/// The backends of all lists whose token has its flags in the set.
fn expected(
    root: &Path,
    arch: &str,
    mut flags: BTreeSet<&str>,
    masked: &[&str],
) -> Result<Vec<String>> {
    flags.retain(|flag| !masked.contains(flag));
    let mut names = Vec::new();
    for backend in sources::lists(root)?.into_iter().flat_map(|list| list.backends) {
        let needs = needs(&backend.token)
            .with_context(|| format!("{}: TOKENS has no {}", backend.name, backend.token))?;
        let fits = arch_of(&backend.name).is_none_or(|its| its == arch)
            && needs.iter().all(|flag| flags.contains(flag));
        // Lists for one message and for many share a portable backend, and HMAC those of its hash functions.
        if fits && !names.contains(&backend.name) {
            names.push(backend.name);
        }
    }
    Ok(names)
}

/// The flags that go with a token.
pub fn needs(token: &str) -> Option<&'static [&'static str]> {
    TOKENS.iter().find(|(name, _)| *name == token).map(|(_, flags)| *flags)
}

/// The architecture that a backend is for: the folder its file is in.
pub fn arch_of(name: &str) -> Option<&str> {
    let folder = name.rsplit('/').nth(1)?;
    ISAS.contains(&folder).then_some(folder)
}

/// The flags that every processor of the machine has: the cores of one chip can differ.
fn flags(cpuinfo: &str) -> Option<BTreeSet<&str>> {
    let lists = cpuinfo.lines().filter_map(|line| {
        let (key, list) = line.split_once(':')?;
        ["flags", "Features"]
            .contains(&key.trim())
            .then(|| list.split_whitespace().collect::<BTreeSet<_>>())
    });
    lists.reduce(|all, list| all.intersection(&list).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_every_processor() {
        let cpuinfo =
            "processor\t: 0\nflags\t\t: aes avx2 fpu\n\nprocessor\t: 1\nflags\t\t: fpu aes\n";
        assert_eq!(flags(cpuinfo), Some(["aes", "fpu"].into()));
        assert_eq!(flags("Features\t: asimd aes\n"), Some(["aes", "asimd"].into()));
        assert_eq!(flags("processor\t: 0\n"), None);
    }

    #[test]
    fn expectations_follow_lists_flags_and_architecture() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("crates/ropewalk/src/hashes/sha256");
        std::fs::create_dir_all(&folder).unwrap();
        let list = "backends! { enum Engine(()): Compress in \"sha256\" {
            \"x86_64/shani\" needs ShaNi => ShaNi(x86_64::shani::ShaNi),
            \"x86_64/avx2_x8\" needs Avx2 => Avx2(x86_64::avx2_x8::Avx2x8),
            \"aarch64/sha2\" needs Sha2 => Sha2(aarch64::sha2::Sha2),
            \"arm/neon\" needs ArmNeon => Neon(arm::neon::Neon),
            \"portable\" needs Baseline => Portable(portable::Portable),
        } }";
        std::fs::write(folder.join("mod.rs"), list).unwrap();
        let expected = |model: &str, masked: &[&str]| {
            Model::named(model).unwrap().expected(root.path(), masked).unwrap()
        };
        assert_eq!(expected("Haswell", &[]), ["sha256/x86_64/avx2_x8", "sha256/portable"]);
        assert_eq!(expected("Haswell", &["avx2"]), ["sha256/portable"]);
        assert_eq!(expected("cortex-a76", &[]), ["sha256/aarch64/sha2", "sha256/portable"]);
        assert_eq!(expected("cortex-a7", &[]), ["sha256/arm/neon", "sha256/portable"]);
        assert_eq!(expected("cortex-a7", &["neon"]), ["sha256/portable"]);
    }
}
