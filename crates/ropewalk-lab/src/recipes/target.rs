//! What a library is built for.

use serde::Serialize;

use crate::names;

/// What a library is built for, by OpenSSL's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "&'static str")]
pub enum Target {
    /// 64-bit Arm.
    Aarch64,
    /// 32-bit Arm with hardware floats (armhf).
    Armv4,
    /// x86-64.
    X86_64,
    /// 32-bit x86.
    X86,
    /// 64-bit RISC-V.
    Riscv64,
}

impl Target {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Aarch64, Self::Armv4, Self::X86_64, Self::X86, Self::Riscv64];

    /// Its name, the triple of its compiler, the processor as CMake has it, and what else it is called.
    fn row(self) -> (&'static str, &'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Aarch64 => {
                ("linux-aarch64", "aarch64-linux-gnu", "aarch64", &["aarch64", "arm64"])
            }
            Self::Armv4 => (
                "linux-armv4",
                "arm-linux-gnueabihf",
                "armv7l",
                &["arm", "armhf", "armv7", "armv4"],
            ),
            Self::X86_64 => {
                ("linux-x86_64", "x86_64-linux-gnu", "x86_64", &["x86-64", "x86_64", "amd64"])
            }
            Self::X86 => ("linux-x86", "i686-linux-gnu", "i686", &["i386", "x86", "i686"]),
            Self::Riscv64 => ("linux64-riscv64", "riscv64-linux-gnu", "riscv64", &["riscv64"]),
        }
    }

    /// OpenSSL's name.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    pub(super) fn triple(self) -> &'static str {
        self.row().1
    }

    pub(super) fn processor(self) -> &'static str {
        self.row().2
    }

    /// The one that is called so: by OpenSSL, by Debian, or as the architecture of a file.
    ///
    /// # Errors
    /// Where none is.
    pub fn of(name: &str) -> Result<Self, String> {
        let is = |target: &Self| {
            let (own, triple, _, others) = target.row();
            own == name || triple == name || others.contains(&name)
        };
        Self::ALL
            .into_iter()
            .find(is)
            .ok_or_else(|| names::unknown("target", name, Self::ALL.map(Self::name)))
    }

    /// The one that this program was built for.
    pub fn this() -> Option<Self> {
        Self::of(std::env::consts::ARCH).ok()
    }
}

impl From<Target> for &'static str {
    fn from(target: Target) -> Self {
        target.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_any_of_their_names() {
        for target in Target::ALL {
            let (name, triple, _, others) = target.row();
            for name in [name, triple].iter().chain(others) {
                assert_eq!(Target::of(name), Ok(target));
            }
        }
        let why = Target::of("linux-mips").unwrap_err();
        assert!(why.contains("`linux-mips`") && why.contains("linux-"), "{why}");
        assert!(Target::this().is_some());
    }
}
