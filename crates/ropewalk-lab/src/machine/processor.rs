//! The identification of the processor.

use std::path::Path;

use ropewalk::cpu;

use super::files;

/// A processor.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Processor {
    /// The vendor: `GenuineIntel`; on Arm the number of the implementer.
    pub vendor: Option<String>,
    /// The brand name, which hosts often hide.
    pub brand: Option<String>,
    /// Its family; on Arm the number of the part.
    pub family: Option<u32>,
    /// Its model; on Arm the variant.
    pub model: Option<u32>,
    /// Its stepping; on Arm the revision.
    pub stepping: Option<u32>,
    /// The revision of its microcode.
    pub microcode: Option<String>,
    /// Features that ropewalk may use, of those in [`ropewalk::cpu::FEATURES`].
    pub features: Vec<&'static str>,
    /// Features that it has but that are disabled.
    pub masked: Vec<&'static str>,
}

impl Processor {
    pub(super) fn read(root: &Path) -> Self {
        let info = files::text(root, "proc/cpuinfo").unwrap_or_default();
        let here = || cpu::FEATURES.iter().filter(|feature| feature.present());
        Self {
            microcode: field(&info, "microcode"),
            features: here().filter(|feature| !feature.masked()).map(|f| f.name).collect(),
            masked: here().filter(|feature| feature.masked()).map(|f| f.name).collect(),
            ..identity(&info)
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn identity(_: &str) -> Processor {
    let cpuid = raw_cpuid::CpuId::new();
    let info = cpuid.get_feature_info();
    let info = info.as_ref();
    let brand = cpuid.get_processor_brand_string();
    Processor {
        vendor: cpuid.get_vendor_info().map(|vendor| vendor.as_str().into()),
        brand: brand.map(|brand| brand.as_str().trim().into()),
        family: info.map(|info| info.family_id().into()),
        model: info.map(|info| info.model_id().into()),
        stepping: info.map(|info| info.stepping_id().into()),
        ..Processor::default()
    }
}

/// As Linux reports it.
#[cfg(not(target_arch = "x86_64"))]
fn identity(info: &str) -> Processor {
    identity_in(info)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn identity_in(info: &str) -> Processor {
    let number = |name| {
        let text = field(info, name)?;
        let hex = text.strip_prefix("0x").map(|digits| u32::from_str_radix(digits, 16));
        hex.unwrap_or_else(|| text.parse()).ok()
    };
    Processor {
        vendor: field(info, "CPU implementer").or_else(|| field(info, "vendor_id")),
        brand: field(info, "model name").or_else(|| field(info, "Model")),
        family: number("CPU part"),
        model: number("CPU variant"),
        stepping: number("CPU revision"),
        ..Processor::default()
    }
}

/// The first field of that name.
fn field(info: &str, name: &str) -> Option<String> {
    let mut fields = info.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(key, _)| key.trim() == name)?;
    Some(value.trim().into())
}

#[cfg(target_arch = "x86_64")]
pub(super) fn tsc_hz() -> Option<u64> {
    let cpuid = raw_cpuid::CpuId::new();
    let own = cpuid.get_tsc_info().and_then(|tsc| tsc.tsc_frequency());
    own.or_else(|| Some(u64::from(cpuid.get_hypervisor_info()?.tsc_frequency()?) * 1000))
        .filter(|hz| *hz > 0)
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn tsc_hz() -> Option<u64> {
    None
}

#[cfg(target_arch = "x86_64")]
pub(super) fn hypervisor() -> Option<String> {
    use raw_cpuid::{CpuId, Hypervisor::Unknown};
    let cpuid = CpuId::new();
    if !cpuid.get_feature_info()?.has_hypervisor() {
        return Some("none".into());
    }
    Some(match cpuid.get_hypervisor_info()?.identify() {
        // The name is three words of four letters.
        Unknown(b, c, d) => {
            let name = [b, c, d].map(u32::to_le_bytes).concat();
            String::from_utf8_lossy(&name).trim_matches(['\0', ' ']).into()
        }
        known => format!("{known:?}"),
    })
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn hypervisor() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arm() {
        let info = "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd aes\n\
                    CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n\
                    CPU part\t: 0xd0c\nCPU revision\t: 1\n\nprocessor\t: 1\nCPU part\t: 0xd0d\n";
        let want = Processor {
            vendor: Some("0x41".into()),
            family: Some(0xd0c),
            model: Some(3),
            stepping: Some(1),
            ..Processor::default()
        };
        assert_eq!(identity_in(info), want);
        assert_eq!(identity_in(""), Processor::default());
    }

    /// A feature is visible or masked, never both, and no other architecture has any here.
    #[test]
    fn features_of_this_processor() {
        let processor = Processor::read(Path::new("/"));
        for feature in cpu::FEATURES {
            let both = processor.features.iter().chain(&processor.masked);
            let seen = both.filter(|name| **name == feature.name).count();
            let here = cpu::FEATURES.iter().any(|f| f.name == feature.name && f.present());
            assert_eq!(seen, usize::from(here), "{}", feature.name);
        }
    }
}
