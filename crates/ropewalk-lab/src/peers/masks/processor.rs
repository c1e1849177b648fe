//! The processor that a mask is for: this machine's, or another that the user describes.

use std::env::consts::ARCH;

use ropewalk::cpu::FEATURES;

use crate::names;

/// The architectures with known masks.
pub(crate) const ARCHITECTURES: [&str; 2] = ["x86_64", "aarch64"];

/// The processor that a mask is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Processor {
    /// As `rustc` spells it.
    pub(super) arch: &'static str,
    /// Its features, if the user has given them.
    has: Option<Vec<String>>,
}

/// Features of an Arm processor, as `rustc` and Linux spell them.
const ARM: [&str; 12] =
    ["neon", "aes", "pmull", "sha1", "sha2", "sha512", "sha3", "sm3", "sm4", "rand", "sve", "sve2"];

/// Features that include others on Arm, as in `rustc`.
const INCLUDES: [(&str, &str); 4] =
    [("aes", "pmull"), ("sha2", "sha1"), ("sha3", "sha512"), ("sm4", "sm3")];

impl Processor {
    /// This machine's processor.
    pub(crate) fn this() -> Self {
        Self { arch: ARCH, has: None }
    }

    /// A processor of that architecture: this machine's, if it matches, or one with unknown features.
    pub(super) fn elsewhere(arch: &'static str) -> Self {
        Self { arch, has: None }
    }

    /// A processor of that architecture, with those features if given.
    ///
    /// # Errors
    /// If one of the names is not known.
    pub(crate) fn new(arch: &str, has: Option<&[String]>) -> Result<Self, String> {
        let known = ARCHITECTURES.into_iter().find(|known| *known == arch);
        let arch = known.ok_or_else(|| names::unknown("architecture", arch, ARCHITECTURES))?;
        for name in has.unwrap_or_default() {
            let of_x86 = || FEATURES.iter().filter(|f| f.arch == "x86_64").map(|f| f.name);
            let known: Vec<&str> =
                if arch == "aarch64" { ARM.to_vec() } else { of_x86().collect() };
            if !known.contains(&name.as_str()) {
                return Err(names::unknown(&format!("feature of {arch}"), name, known));
            }
        }
        Ok(Self { arch, has: has.map(<[String]>::to_vec) })
    }

    /// Whether its features are those of this machine.
    pub(super) fn is_this(&self) -> bool {
        self.arch == ARCH && self.has.is_none()
    }

    /// Whether it has a feature; none if unknown.
    pub(super) fn has(&self, name: &str) -> Option<bool> {
        let given = |has: &Vec<String>| {
            let listed = |name: &str| has.iter().any(|has| has == name);
            let included = INCLUDES.iter().any(|(by, part)| *part == name && listed(by));
            // Each 64-bit Arm processor has it.
            listed(name) || self.arch == "aarch64" && (name == "neon" || included)
        };
        let here = || match self.arch {
            "aarch64" => here(name),
            _ => FEATURES.iter().any(|f| f.arch == ARCH && f.name == name && f.present()),
        };
        match &self.has {
            Some(has) => Some(given(has)),
            None => self.is_this().then(here),
        }
    }
}

/// Whether this machine's processor has a feature of Arm.
fn here(name: &str) -> bool {
    let includes = INCLUDES.iter().find(|(_, part)| *part == name);
    let name = includes.map_or(name, |(by, _)| by);
    macro_rules! any {
        ($($feature:tt)+) => {
            match name {
                $( #[cfg(target_arch = "aarch64")]
                $feature => std::arch::is_aarch64_feature_detected!($feature), )+
                _ => false,
            }
        };
    }
    any! { "neon" "aes" "sha2" "sha3" "rand" "sm4" "sve" "sve2" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn described_as_rustc_does() {
        let list =
            |names: &[&str]| names.iter().map(|name| (*name).into()).collect::<Vec<String>>();
        let n1 = Processor::new("aarch64", Some(&list(&["aes", "sha2"]))).unwrap();
        for (name, has) in [("neon", true), ("pmull", true), ("sha1", true), ("sha512", false)] {
            assert_eq!(n1.has(name), Some(has), "{name}");
        }
        let told = Processor::new("aarch64", Some(&list(&["avx2"]))).unwrap_err();
        assert!(told.contains("`avx2`") && told.contains("sha512"), "{told}");
        assert!(Processor::new("sparc", None).unwrap_err().contains("aarch64"));
        assert!(Processor::new("x86_64", Some(&list(&["vaes"]))).is_ok());
    }

    #[test]
    fn this_machine_knows_itself() {
        let this = Processor::this();
        assert!(this.is_this());
        for feature in FEATURES.iter().filter(|feature| feature.arch == ARCH) {
            assert_eq!(this.has(feature.name), Some(feature.present()), "{}", feature.name);
        }
        let other = ARCHITECTURES.into_iter().find(|arch| *arch != ARCH).unwrap();
        assert_eq!(Processor::new(other, None).unwrap().has("aes"), None);
    }
}
