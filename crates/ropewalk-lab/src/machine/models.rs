//! The features of processors, by model.
//!
//! Only certain facts are here, and only features of [`ropewalk::cpu::FEATURES`]. Models of Intel and AMD are
//! those of Linux (`arch/x86/include/asm/intel-family.h`, `arch/x86/kernel/cpu/amd.c`), numbers of Arm those
//! of its `arch/arm64/include/asm/cputype.h`. Their features are from Intel's Software Developer's Manual and
//! Intrinsics Guide, AMD's Programmer's Manual, and GCC's `-march` (x86 Options). Features of Arm's cores are
//! from the Technical Reference Manuals, which call the Cryptographic Extension an option, and of other cores
//! from GCC's `aarch64-cores.def`.

use std::ops::RangeInclusive;

/// A core.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Core {
    /// Its name.
    pub(super) name: &'static str,
    /// The features of all cores of this model.
    pub(super) has: &'static [&'static str],
    /// The features of some of them: cheaper ones lack them, or their licence is separate.
    pub(super) may: &'static [&'static str],
}

/// Features in the order in which Intel and AMD added them.
const WESTMERE: &[&str] = &["aes", "pclmulqdq"];
const SANDY_BRIDGE: &[&str] = &["aes", "pclmulqdq", "avx"];
const HASWELL: &[&str] = &["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2"];
const BROADWELL: &[&str] = &["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "adx"];
const SKYLAKE_SERVER: &[&str] = &[
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
];
const ICE_LAKE: &[&str] = &[
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha",
    "gfni",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
];
/// AVX-512 is disabled in these.
const ALDER_LAKE: &[&str] = &[
    "aes",
    "pclmulqdq",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "adx",
    "sha",
    "gfni",
    "vaes",
    "vpclmulqdq",
];
const GOLDMONT: &[&str] = &["aes", "pclmulqdq", "sha"];
const TREMONT: &[&str] = &["aes", "pclmulqdq", "sha", "gfni"];
const ZEN: &[&str] = &["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "adx", "sha"];
const ZEN_3: &[&str] =
    &["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "adx", "sha", "vaes", "vpclmulqdq"];
/// The features of Ice Lake.
const ZEN_4: &[&str] = ICE_LAKE;

const NOTHING: &[&str] = &[];

/// A line for x86: the vendor, the family, the models, and the core.
type Line = (&'static str, u32, &'static [RangeInclusive<u32>], Core);

const INTEL: &str = "GenuineIntel";
const AMD: &str = "AuthenticAMD";

/// The cheapest client processors of a generation have fewer features than the others.
const X86: &[Line] = &[
    (INTEL, 6, &[0x25..=0x25], some("Westmere", WESTMERE)),
    (INTEL, 6, &[0x2c..=0x2c, 0x2f..=0x2f], all("Westmere-EP", WESTMERE)),
    (INTEL, 6, &[0x2a..=0x2a], some("Sandy Bridge", SANDY_BRIDGE)),
    (INTEL, 6, &[0x2d..=0x2d], all("Sandy Bridge-EP", SANDY_BRIDGE)),
    (INTEL, 6, &[0x3a..=0x3a], some("Ivy Bridge", SANDY_BRIDGE)),
    (INTEL, 6, &[0x3e..=0x3e], all("Ivy Bridge-EP", SANDY_BRIDGE)),
    (INTEL, 6, &[0x3c..=0x3c, 0x45..=0x46], some("Haswell", HASWELL)),
    (INTEL, 6, &[0x3f..=0x3f], all("Haswell-EP", HASWELL)),
    (INTEL, 6, &[0x3d..=0x3d, 0x47..=0x47], some("Broadwell", BROADWELL)),
    (INTEL, 6, &[0x4f..=0x4f, 0x56..=0x56], all("Broadwell-EP", BROADWELL)),
    (INTEL, 6, &[0x4e..=0x4e, 0x5e..=0x5e], core("Skylake", WESTMERE, BROADWELL)),
    (INTEL, 6, &[0x8e..=0x8e, 0x9e..=0x9e], core("Kaby Lake", WESTMERE, BROADWELL)),
    (INTEL, 6, &[0xa5..=0xa6], core("Comet Lake", WESTMERE, BROADWELL)),
    // Cascade Lake and Cooper Lake too.
    (INTEL, 6, &[0x55..=0x55], all("Skylake-SP", SKYLAKE_SERVER)),
    (INTEL, 6, &[0x7d..=0x7e], core("Ice Lake", TREMONT, ICE_LAKE)),
    (INTEL, 6, &[0x6a..=0x6a, 0x6c..=0x6c], all("Ice Lake-SP", ICE_LAKE)),
    (INTEL, 6, &[0x8c..=0x8d], core("Tiger Lake", TREMONT, ICE_LAKE)),
    (INTEL, 6, &[0xa7..=0xa7], all("Rocket Lake", ICE_LAKE)),
    (INTEL, 6, &[0x8f..=0x8f], all("Sapphire Rapids", ICE_LAKE)),
    (INTEL, 6, &[0xcf..=0xcf], all("Emerald Rapids", ICE_LAKE)),
    (INTEL, 6, &[0xad..=0xae], all("Granite Rapids", ICE_LAKE)),
    (INTEL, 6, &[0x97..=0x97, 0x9a..=0x9a], all("Alder Lake", ALDER_LAKE)),
    (INTEL, 6, &[0xb7..=0xb7, 0xba..=0xba, 0xbf..=0xbf], all("Raptor Lake", ALDER_LAKE)),
    (INTEL, 6, &[0xaa..=0xaa, 0xac..=0xac], all("Meteor Lake", ALDER_LAKE)),
    (INTEL, 6, &[0xb5..=0xb5, 0xc5..=0xc6], all("Arrow Lake", ALDER_LAKE)),
    (INTEL, 6, &[0xbd..=0xbd], all("Lunar Lake", ALDER_LAKE)),
    (INTEL, 6, &[0xbe..=0xbe], all("Alder Lake-N", ALDER_LAKE)),
    (INTEL, 6, &[0xaf..=0xaf], all("Sierra Forest", ALDER_LAKE)),
    (INTEL, 6, &[0x5c..=0x5c, 0x5f..=0x5f], all("Goldmont", GOLDMONT)),
    (INTEL, 6, &[0x7a..=0x7a], all("Goldmont Plus", GOLDMONT)),
    (INTEL, 6, &[0x86..=0x86, 0x96..=0x96, 0x9c..=0x9c], all("Tremont", TREMONT)),
    (AMD, 0x15, &[0x00..=0x7f], all("Bulldozer", SANDY_BRIDGE)),
    (AMD, 0x16, &[0x00..=0x3f], all("Jaguar", SANDY_BRIDGE)),
    (AMD, 0x17, &[0x00..=0x2f, 0x50..=0x5f], all("Zen", ZEN)),
    (AMD, 0x17, &[0x30..=0x4f, 0x60..=0x7f, 0x90..=0x91, 0xa0..=0xaf], all("Zen 2", ZEN)),
    (AMD, 0x19, &[0x00..=0x0f, 0x20..=0x5f], all("Zen 3", ZEN_3)),
    (AMD, 0x19, &[0x10..=0x1f, 0x60..=0xaf], all("Zen 4", ZEN_4)),
    (AMD, 0x1a, &[0x00..=0x2f, 0x40..=0x4f, 0x60..=0x7f], all("Zen 5", ZEN_4)),
];

const ARMV8: &[&str] = &["aes", "sha2"];
const ARMV8_4: &[&str] = &["aes", "sha2", "sha3"];

/// Arm's own cores and others: implementer, part, and the core. Graviton, Altra and Grace use Neoverse cores
/// with Arm's number.
const ARM: &[(u32, u32, Core)] = &[
    (0x41, 0xd03, some("Cortex-A53", ARMV8)),
    (0x41, 0xd04, some("Cortex-A35", ARMV8)),
    (0x41, 0xd05, some("Cortex-A55", ARMV8)),
    (0x41, 0xd07, some("Cortex-A57", ARMV8)),
    (0x41, 0xd08, some("Cortex-A72", ARMV8)),
    (0x41, 0xd09, some("Cortex-A73", ARMV8)),
    (0x41, 0xd0a, some("Cortex-A75", ARMV8)),
    (0x41, 0xd0b, some("Cortex-A76", ARMV8)),
    (0x41, 0xd0c, some("Neoverse N1", ARMV8)),
    (0x41, 0xd0d, some("Cortex-A77", ARMV8)),
    (0x41, 0xd40, some("Neoverse V1", ARMV8_4)),
    (0x41, 0xd41, some("Cortex-A78", ARMV8)),
    (0x41, 0xd44, some("Cortex-X1", ARMV8)),
    (0x41, 0xd49, some("Neoverse N2", ARMV8_4)),
    (0x41, 0xd4f, some("Neoverse V2", ARMV8_4)),
    (0x41, 0xd84, some("Neoverse V3", ARMV8_4)),
    (0x41, 0xd8e, some("Neoverse N3", ARMV8_4)),
    // Microsoft's own number.
    (0x6d, 0xd49, some("Cobalt 100", ARMV8_4)),
    // Apple's.
    (0x61, 0x022, all("M1 Icestorm", ARMV8_4)),
    (0x61, 0x023, all("M1 Firestorm", ARMV8_4)),
    (0x61, 0x024, all("M1 Pro Icestorm", ARMV8_4)),
    (0x61, 0x025, all("M1 Pro Firestorm", ARMV8_4)),
    (0x61, 0x028, all("M1 Max Icestorm", ARMV8_4)),
    (0x61, 0x029, all("M1 Max Firestorm", ARMV8_4)),
    (0x61, 0x032, all("M2 Blizzard", ARMV8_4)),
    (0x61, 0x033, all("M2 Avalanche", ARMV8_4)),
    (0x61, 0x034, all("M2 Pro Blizzard", ARMV8_4)),
    (0x61, 0x035, all("M2 Pro Avalanche", ARMV8_4)),
    (0x61, 0x038, all("M2 Max Blizzard", ARMV8_4)),
    (0x61, 0x039, all("M2 Max Avalanche", ARMV8_4)),
    // Ampere's own.
    (0xc0, 0xac3, all("Ampere-1", ARMV8_4)),
    (0xc0, 0xac4, all("Ampere-1A", ARMV8_4)),
];

/// Chips with Arm's cores and without the Cryptographic Extension, by the names of their boards in the device
/// tree.
const WITHOUT: &[&str] = &[
    "Raspberry Pi 3",
    "Raspberry Pi Compute Module 3",
    "Raspberry Pi 4",
    "Raspberry Pi Compute Module 4",
    "Raspberry Pi Zero 2",
];

const fn all(name: &'static str, has: &'static [&'static str]) -> Core {
    core(name, has, NOTHING)
}

const fn some(name: &'static str, may: &'static [&'static str]) -> Core {
    core(name, NOTHING, may)
}

const fn core(
    name: &'static str,
    has: &'static [&'static str],
    may: &'static [&'static str],
) -> Core {
    Core { name, has, may }
}

/// The core of an x86 processor of that maker, family and model.
pub(super) fn x86(vendor: &str, family: u32, model: u32) -> Option<&'static Core> {
    let of = |line: &&Line| {
        (line.0, line.1) == (vendor, family) && line.2.iter().any(|models| models.contains(&model))
    };
    X86.iter().find(of).map(|line| &line.3)
}

/// The core of that implementer and part, in a board of that name.
pub(super) fn arm(implementer: u32, part: u32, board: &str) -> Option<&'static Core> {
    let without = WITHOUT.iter().any(|name| board.starts_with(name));
    let core = ARM.iter().find(|(by, of, _)| (*by, *of) == (implementer, part));
    core.filter(|_| !without).map(|(.., core)| core)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_told_apart() {
        let name = |vendor, family, model| x86(vendor, family, model).map(|core| core.name);
        assert_eq!(name(AMD, 0x19, 0x11), Some("Zen 4"));
        assert_eq!(name(AMD, 0x19, 0x01), Some("Zen 3"));
        assert_eq!(name(AMD, 0x17, 0x31), Some("Zen 2"));
        assert_eq!(name(AMD, 0x17, 0x50), Some("Zen"));
        assert_eq!(name(AMD, 0x17, 0x80), None);
        assert_eq!(name(INTEL, 6, 0xbe), Some("Alder Lake-N"));
        assert_eq!(name(INTEL, 6, 0xaa), Some("Meteor Lake"));
        assert_eq!(name(AMD, 0x1a, 0x02), Some("Zen 5"));
        assert_eq!(name(INTEL, 6, 0xcf), Some("Emerald Rapids"));
        assert_eq!(name(INTEL, 6, 0x55), Some("Skylake-SP"));
        // The emulator's default model, and an old one.
        assert_eq!(name(INTEL, 6, 6), None);
        assert_eq!(name(AMD, 0x0f, 0x41), None);
        assert_eq!(arm(0x41, 0xd0c, "").map(|core| core.name), Some("Neoverse N1"));
        assert_eq!(arm(0x6d, 0xd49, "").map(|core| core.name), Some("Cobalt 100"));
        assert_eq!(arm(0x41, 0xd08, "Raspberry Pi 4 Model B Rev 1.4"), None);
        assert!(arm(0x41, 0xd0b, "Raspberry Pi 5 Model B Rev 1.0").is_some());
    }

    /// No model is in two lines, and all features exist.
    #[test]
    fn lists_are_sound() {
        for (i, (vendor, family, models, _)) in X86.iter().enumerate() {
            for model in models.iter().cloned().flatten() {
                let first = X86.iter().position(|line| {
                    (line.0, line.1) == (*vendor, *family)
                        && line.2.iter().any(|m| m.contains(&model))
                });
                assert_eq!(first, Some(i), "{vendor} {family} {model}");
            }
        }
        let known = |arch, name| {
            ropewalk::cpu::FEATURES
                .iter()
                .any(|feature| (feature.arch, feature.name) == (arch, name))
        };
        let x86 = X86.iter().map(|line| ("x86_64", &line.3));
        for (arch, core) in x86.chain(ARM.iter().map(|line| ("aarch64", &line.2))) {
            for name in core.has.iter().chain(core.may) {
                assert!(known(arch, *name), "{}: {name}", core.name);
            }
        }
    }
}
