//! Features that a processor has but does not report, and the cause.

use std::{env::consts::ARCH, path::Path};

use serde::Serialize;

use super::{
    Processor, files,
    models::{self, Core},
};

/// Features that the system or its host hides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hidden {
    /// Their names, as `rustc` spells them.
    pub features: Vec<&'static str>,
    /// The cause.
    pub by: Who,
    /// Whether they are certainly present.
    pub sure: bool,
    /// The evidence.
    pub why: String,
}

/// The cause of hidden features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The hypervisor.
    Hypervisor,
    /// The firmware.
    Firmware,
    /// The kernel, which has not enabled their registers, or does not know them.
    Kernel,
}

impl Who {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Hypervisor => "the hypervisor",
            Self::Firmware => "the firmware",
            Self::Kernel => "the kernel",
        }
    }
}

impl Hidden {
    /// The remedy.
    pub fn remedy(&self) -> &'static str {
        match (self.by, ARCH) {
            (Who::Hypervisor, "x86_64") => {
                "let the host pass its processor on (QEMU: -cpu host; libvirt: mode='host-passthrough')"
            }
            (Who::Hypervisor, _) => "let the host pass its processor on (QEMU: -cpu host)",
            (Who::Firmware, _) => {
                "look for a switch in the firmware's settings, or for a newer one"
            }
            (Who::Kernel, _) => "start a newer kernel, or this one without what switches them off",
        }
    }
}

/// The known facts about a machine.
#[derive(Debug, Default)]
struct Evidence<'a> {
    core: Option<&'a Core>,
    /// Features that the processor reports.
    said: Vec<&'static str>,
    /// Features that programs may use.
    usable: Vec<&'static str>,
    /// Features that a kernel of this age does not report to programs, and the first version that does.
    untold: Vec<(&'static str, Version)>,
    /// Whether it is a virtual machine.
    hypervisor: bool,
}

/// The hidden features of this machine, for the release of its kernel.
pub fn look(processor: &Processor, hypervisor: Option<&str>, kernel: Option<&str>) -> Vec<Hidden> {
    let here = || ropewalk::cpu::FEATURES.iter().filter(|feature| feature.arch == ARCH);
    let usable = here().filter(|feature| feature.present()).map(|feature| feature.name).collect();
    tell(&Evidence {
        core: core(processor),
        said: said(),
        usable,
        untold: kernel.and_then(version).map(|kernel| untold(ARCH, kernel)).unwrap_or_default(),
        hypervisor: hypervisor.is_some_and(|name| name != "none"),
    })
}

/// The version of a kernel: 4.15.
type Version = (u32, u32);

/// The first versions of Linux that report a feature to programs (`arch/arm64/include/uapi/asm/hwcap.h`). On
/// x86 programs query the processor.
const FIRST_TOLD: &[(&str, &str, Version)] =
    &[("aarch64", "aes", (3, 14)), ("aarch64", "sha2", (3, 14)), ("aarch64", "sha3", (4, 15))];

/// Features that a kernel is too old to report.
fn untold(arch: &str, kernel: Version) -> Vec<(&'static str, Version)> {
    let later = FIRST_TOLD.iter().filter(|(of, _, first)| *of == arch && *first > kernel);
    later.map(|(_, name, first)| (*name, *first)).collect()
}

/// The start of a release: `4.9.118-custom` is 4.9.
fn version(release: &str) -> Option<Version> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn core(processor: &Processor) -> Option<&'static Core> {
    let vendor = processor.vendor.as_deref()?;
    match ARCH {
        "x86_64" => models::x86(vendor, processor.family?, processor.model?),
        "aarch64" => {
            let implementer = u32::from_str_radix(vendor.strip_prefix("0x")?, 16).ok()?;
            let board = files::line(Path::new("/"), "proc/device-tree/model");
            models::arm(implementer, processor.family?, &board.unwrap_or_default())
        }
        _ => None,
    }
}

fn tell(evidence: &Evidence<'_>) -> Vec<Hidden> {
    let Evidence { core, said, usable, untold, hypervisor } = evidence;
    let mut hidden = Vec::new();
    let unusable: Vec<_> = said.iter().filter(|name| !usable.contains(name)).copied().collect();
    if !unusable.is_empty() {
        hidden.push(Hidden {
            features: unusable,
            by: Who::Kernel,
            sure: true,
            why:
                "the processor says that it has them, and the kernel does not let programs use them"
                    .into(),
        });
    }
    let Some(core) = core else { return hidden };
    let is_untold = |name: &str| untold.iter().any(|(of, _)| *of == name);
    let missing = |names: &[&'static str]| -> Vec<_> {
        let gone = |name: &&&'static str| {
            !said.contains(*name) && !usable.contains(*name) && !is_untold(name)
        };
        names.iter().filter(gone).copied().collect()
    };
    for (feature, (major, minor)) in untold {
        let (has, may) = (core.has.contains(feature), core.may.contains(feature));
        if (has || may) && !said.contains(feature) && !usable.contains(feature) {
            let whether = if has { "has" } else { "may have" };
            hidden.push(Hidden {
                features: vec![*feature],
                by: Who::Kernel,
                sure: has,
                why: format!(
                    "{} {whether} it, and kernels tell programs of it from {major}.{minor} on",
                    core.name
                ),
            });
        }
    }
    let by = if *hypervisor { Who::Hypervisor } else { Who::Firmware };
    let mut add = |features: Vec<_>, sure, why: String| {
        if !features.is_empty() {
            hidden.push(Hidden { features, by, sure, why });
        }
    };
    let name = core.name;
    add(missing(core.has), true, format!("each {name} has them"));
    let may: Vec<_> =
        core.may.iter().filter(|feature| !core.has.contains(feature)).copied().collect();
    add(missing(&may), false, format!("{name} may have them: not every one does"));
    hidden
}

/// Features that the processor reports, independent of the kernel.
#[cfg(target_arch = "x86_64")]
fn said() -> Vec<&'static str> {
    let cpuid = raw_cpuid::CpuId::new();
    let mut said = Vec::new();
    if let Some(info) = cpuid.get_feature_info() {
        let has = [
            ("aes", info.has_aesni()),
            ("pclmulqdq", info.has_pclmulqdq()),
            ("avx", info.has_avx()),
        ];
        said.extend(has.into_iter().filter(|(_, has)| *has).map(|(name, _)| name));
    }
    if let Some(info) = cpuid.get_extended_feature_info() {
        let has = [
            ("avx2", info.has_avx2()),
            ("bmi1", info.has_bmi1()),
            ("bmi2", info.has_bmi2()),
            ("adx", info.has_adx()),
            ("sha", info.has_sha()),
            ("gfni", info.has_gfni()),
            ("vaes", info.has_vaes()),
            ("vpclmulqdq", info.has_vpclmulqdq()),
            ("avx512f", info.has_avx512f()),
            ("avx512bw", info.has_avx512bw()),
            ("avx512dq", info.has_avx512dq()),
            ("avx512vl", info.has_avx512vl()),
            ("avx512ifma", info.has_avx512_ifma()),
            ("avx512vbmi", info.has_avx512vbmi()),
        ];
        said.extend(has.into_iter().filter(|(_, has)| *has).map(|(name, _)| name));
    }
    said
}

/// The features in the identification registers, as the kernel emulates them; it omits those that it does not
/// know.
#[cfg(target_arch = "aarch64")]
fn said() -> Vec<&'static str> {
    use rustix::param::linux_hwcap;

    /// HWCAP_CPUID: the kernel lets programs read them.
    const CPUID: usize = 1 << 11;
    if linux_hwcap().0 & CPUID == 0 {
        return Vec::new();
    }
    let isar0: u64;
    // SAFETY: the kernel has reported that it emulates the read, which has no other effect.
    unsafe {
        std::arch::asm!("mrs {}, ID_AA64ISAR0_EL1", out(reg) isar0, options(nomem, nostack));
    }
    in_isar0(isar0)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn said() -> Vec<&'static str> {
    Vec::new()
}

/// Fields of four bits of ID_AA64ISAR0_EL1, as the Arm Architecture Reference Manual has them.
#[cfg(any(test, target_arch = "aarch64"))]
fn in_isar0(register: u64) -> Vec<&'static str> {
    let field = |from: u32| register >> from & 0xf;
    // SHA-3 and SHA-512 come together.
    let both = field(32) >= 1 && field(12) >= 2;
    // The feature `aes` includes PMULL.
    let has = [("aes", field(4) >= 2), ("sha2", field(12) >= 1), ("sha3", both)];
    has.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZEN_4: fn() -> Option<&'static Core> = || models::x86("AuthenticAMD", 0x19, 0x11);

    fn but(core: &Core, without: &[&str]) -> Vec<&'static str> {
        core.has.iter().filter(|name| !without.contains(name)).copied().collect()
    }

    #[test]
    fn hypervisor_or_firmware_hides_what_each_core_has() {
        let core = ZEN_4().unwrap();
        let left = but(core, &["sha", "vaes"]);
        let (said, usable) = (left.clone(), left);
        let mut evidence =
            Evidence { core: Some(core), said, usable, hypervisor: true, ..Evidence::default() };
        let hidden = tell(&evidence);
        assert_eq!(hidden.len(), 1, "{hidden:?}");
        assert_eq!((hidden[0].by, hidden[0].sure), (Who::Hypervisor, true));
        assert_eq!(hidden[0].features, ["sha", "vaes"]);
        assert_eq!(hidden[0].why, "each Zen 4 has them");
        evidence.hypervisor = false;
        assert_eq!(tell(&evidence)[0].by, Who::Firmware);
        let whole = but(core, &[]);
        assert!(tell(&Evidence { said: whole.clone(), usable: whole, ..evidence }).is_empty());
    }

    /// AVX-512 is in CPUID, and its registers are not in XCR0.
    #[test]
    fn kernel_hides_what_the_processor_says() {
        let core = ZEN_4().unwrap();
        let usable: Vec<_> =
            core.has.iter().filter(|name| !name.starts_with("avx512")).copied().collect();
        let said = but(core, &[]);
        let evidence =
            Evidence { core: Some(core), said, usable, hypervisor: true, ..Evidence::default() };
        let hidden = tell(&evidence);
        assert_eq!(hidden.len(), 1, "{hidden:?}");
        assert_eq!((hidden[0].by, hidden[0].sure), (Who::Kernel, true));
        assert!(hidden[0].features.iter().all(|name| name.starts_with("avx512")));
        assert_eq!(hidden[0].features.len(), 6);
    }

    #[test]
    fn an_option_may_be_missing() {
        let n1 = models::arm(0x41, 0xd0c, "");
        let hidden = tell(&Evidence { core: n1, ..Evidence::default() });
        assert_eq!(hidden[0].features, ["aes", "sha2"]);
        assert!(!hidden[0].sure && hidden[0].why.contains("may"), "{hidden:?}");
        // Skylake: AES in each, AVX in most.
        let skylake = models::x86("GenuineIntel", 6, 0x5e);
        let hidden = tell(&Evidence { core: skylake, ..Evidence::default() });
        assert_eq!(hidden[0].features, ["aes", "pclmulqdq"]);
        assert!(hidden[0].sure && !hidden[1].sure && hidden[1].features.contains(&"avx2"));
        assert!(tell(&Evidence::default()).is_empty());
    }

    /// A kernel that is older than the instructions.
    #[test]
    fn old_kernels_do_not_tell() {
        assert_eq!(version("4.9.118-rockchip"), Some((4, 9)));
        assert_eq!(version("6.1.0-42-arm64"), Some((6, 1)));
        assert_eq!(version("5.10"), Some((5, 10)));
        assert_eq!(version("none"), None);
        assert_eq!(untold("aarch64", (3, 10)).len(), 3);
        assert_eq!(untold("aarch64", (4, 14)), [("sha3", (4, 15))]);
        assert!(untold("aarch64", (4, 15)).is_empty() && untold("x86_64", (2, 6)).is_empty());

        let on_4_9 = |part| Evidence {
            core: models::arm(0x41, part, ""),
            usable: vec!["aes", "sha2"],
            untold: untold("aarch64", (4, 9)),
            ..Evidence::default()
        };
        let hidden = tell(&on_4_9(0xd40));
        assert_eq!(hidden.len(), 1, "{hidden:?}");
        assert_eq!((hidden[0].by, hidden[0].sure), (Who::Kernel, false));
        assert_eq!(hidden[0].features, ["sha3"]);
        let why = "Neoverse V1 may have it, and kernels tell programs of it from 4.15 on";
        assert_eq!(hidden[0].why, why);
        // A core without them has none that are hidden.
        assert!(tell(&on_4_9(0xd0c)).is_empty());
        // An M1 has all three, and such an old Linux does not run on it.
        let m1 = Evidence {
            core: models::arm(0x61, 0x023, ""),
            untold: untold("aarch64", (3, 10)),
            ..Evidence::default()
        };
        let hidden = tell(&m1);
        assert_eq!(hidden.len(), 3, "{hidden:?}");
        assert!(hidden.iter().all(|hidden| hidden.by == Who::Kernel && hidden.sure));
    }

    #[test]
    fn registers_of_arm() {
        // A Neoverse V1, an N1, a Cortex-A72 of a Raspberry Pi.
        assert_eq!(in_isar0(0x0000_0001_0000_2120), ["aes", "sha2", "sha3"]);
        assert_eq!(in_isar0(0x1120), ["aes", "sha2"]);
        assert!(in_isar0(0x0001_0000).is_empty());
    }

    /// The usable features are those that the processor reports, unless they are hidden; never more.
    #[test]
    fn this_machine() {
        let said = said();
        for feature in ropewalk::cpu::FEATURES.iter().filter(|feature| feature.arch == ARCH) {
            let asked = !["sse2", "ssse3", "sse4.1", "neon"].contains(&feature.name);
            let told = said.contains(&feature.name) || said.is_empty();
            assert!(!(asked && feature.present()) || told, "{}", feature.name);
        }
    }
}
