//! The target of a library.

use serde::Serialize;

use super::Abi;
use crate::names;

/// The target of a library. Names are OpenSSL's, if it has one.
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
    /// 32-bit Arm that passes floats in integer registers (armel).
    Armel,
    /// Android on 64-bit Arm.
    AndroidAarch64,
    /// Android on 32-bit Arm.
    AndroidArm,
    /// Android on x86-64.
    AndroidX86_64,
    /// Android on 32-bit x86.
    AndroidX86,
    /// Android on 64-bit RISC-V.
    AndroidRiscv64,
}

/// The names of a target.
struct Row {
    name: &'static str,
    /// Its name in OpenSSL's `Configure`.
    openssl: &'static str,
    /// The prefix of its compiler.
    triple: &'static str,
    /// CMake's name of the processor; for Android, the NDK's name of the ABI.
    processor: &'static str,
    /// Other names.
    others: &'static [&'static str],
}

const fn row(
    name: &'static str,
    triple: &'static str,
    processor: &'static str,
    others: &'static [&'static str],
) -> Row {
    Row { name, openssl: name, triple, processor, others }
}

/// The lowest version of Android's interface that the NDK builds for, on each architecture.
const ANDROID_API: &str = "21";
const ANDROID_API_RISCV: &str = "35";

impl Target {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Aarch64,
        Self::Armv4,
        Self::X86_64,
        Self::X86,
        Self::Riscv64,
        Self::Armel,
        Self::AndroidAarch64,
        Self::AndroidArm,
        Self::AndroidX86_64,
        Self::AndroidX86,
        Self::AndroidRiscv64,
    ];

    fn row(self) -> Row {
        match self {
            Self::Aarch64 => {
                row("linux-aarch64", "aarch64-linux-gnu", "aarch64", &["aarch64", "arm64"])
            }
            Self::Armv4 => row(
                "linux-armv4",
                "arm-linux-gnueabihf",
                "armv7l",
                &["arm", "armhf", "armv7", "armv4"],
            ),
            Self::X86_64 => {
                row("linux-x86_64", "x86_64-linux-gnu", "x86_64", &["x86-64", "x86_64", "amd64"])
            }
            Self::X86 => row("linux-x86", "i686-linux-gnu", "i686", &["i386", "x86", "i686"]),
            Self::Riscv64 => row("linux64-riscv64", "riscv64-linux-gnu", "riscv64", &["riscv64"]),
            Self::Armel => Row {
                openssl: "linux-armv4",
                ..row("linux-armel", "arm-linux-gnueabi", "armv7l", &["armel"])
            },
            Self::AndroidAarch64 => {
                row("android-arm64", "aarch64-linux-android", "arm64-v8a", &["android-aarch64"])
            }
            Self::AndroidArm => row(
                "android-arm",
                "armv7a-linux-androideabi",
                "armeabi-v7a",
                &["android-armeabi", "android-armv7"],
            ),
            Self::AndroidX86_64 => {
                row("android-x86_64", "x86_64-linux-android", "x86_64", &["android-x86-64"])
            }
            Self::AndroidX86 => row("android-x86", "i686-linux-android", "x86", &["android-i386"]),
            Self::AndroidRiscv64 => row("android-riscv64", "riscv64-linux-android", "riscv64", &[]),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The prefix of its compiler.
    #[cfg(test)]
    pub(super) fn triple(self) -> &'static str {
        self.row().triple
    }

    /// Its place in the tables of libraries, which have one entry for each architecture.
    pub(super) fn architecture(self) -> usize {
        match self {
            Self::Aarch64 | Self::AndroidAarch64 => 0,
            Self::Armv4 | Self::Armel | Self::AndroidArm => 1,
            Self::X86_64 | Self::AndroidX86_64 => 2,
            Self::X86 | Self::AndroidX86 => 3,
            Self::Riscv64 | Self::AndroidRiscv64 => 4,
        }
    }

    /// Whether it is built with Android's NDK.
    pub(super) fn is_android(self) -> bool {
        self.name().starts_with("android-")
    }

    /// The compiler's packages on Debian; empty if it is not from a package.
    pub(super) fn packages(self) -> String {
        let Row { triple, .. } = self.row();
        match (self.is_android(), Self::this() == Some(self)) {
            (true, _) => String::new(),
            // Its compiler has the long names as well.
            (false, true) => "gcc g++".into(),
            (false, false) => format!("gcc-{0} g++-{0}", triple.replace('_', "-")),
        }
    }

    /// A line of a recipe with all placeholders replaced.
    pub(super) fn fill(self, line: &str) -> String {
        let Row { openssl, triple, processor, .. } = self.row();
        let api = if self == Self::AndroidRiscv64 { ANDROID_API_RISCV } else { ANDROID_API };
        let gnu = |text: &str| text.replace("{triple}", triple).replace("{processor}", processor);
        let (cross, host, cmake, cxx, clang) = match self.is_android() {
            false => (
                gnu("--cross-compile-prefix={triple}-"),
                gnu("--host={triple}"),
                gnu("-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR={processor} \
                     -DCMAKE_C_COMPILER={triple}-gcc"),
                gnu("-DCMAKE_CXX_COMPILER={triple}-g++"),
                gnu("CC=\"clang --target={triple}\""),
            ),
            true => (
                format!("-D__ANDROID_API__={api}"),
                format!(
                    "--host={} CC={triple}{api}-clang AR=llvm-ar RANLIB=llvm-ranlib",
                    // A host for Armv7 makes some libraries omit Armv8's instructions.
                    triple.replace("armv7a", "arm")
                ),
                format!(
                    "-DCMAKE_TOOLCHAIN_FILE=\"$ANDROID_NDK_ROOT/build/cmake/android.toolchain.cmake\" \
                     -DANDROID_ABI={processor} -DANDROID_PLATFORM=android-{api}"
                ),
                String::new(),
                // The NDK has no other compiler.
                String::new(),
            ),
        };
        let holes = [
            ("{target}", openssl),
            ("{cross}", &cross),
            ("{host}", &host),
            ("{cmake}", &cmake),
            ("{cxx}", &cxx),
            ("{clang}", &clang),
        ];
        let mut line = line.to_owned();
        for (hole, text) in holes {
            line = line.replace(hole, text);
        }
        // If a placeholder is replaced by nothing.
        line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The target of that name: OpenSSL's, Debian's, or the architecture of a file.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(name: &str) -> Result<Self, String> {
        let is = |target: &Self| {
            let Row { name: own, triple, others, .. } = target.row();
            own == name || triple == name || others.contains(&name)
        };
        Self::ALL
            .into_iter()
            .find(is)
            .ok_or_else(|| names::unknown("target", name, Self::ALL.map(Self::name)))
    }

    /// The target of a file, by its architecture and its ABI.
    ///
    /// # Errors
    /// If there is none.
    pub fn of_file(architecture: &str, abi: Option<Abi>) -> Result<Self, String> {
        let target = Self::of(architecture)?;
        Ok(match (abi, target) {
            (Some(Abi::Android), Self::Aarch64) => Self::AndroidAarch64,
            (Some(Abi::Android), Self::Armv4) => Self::AndroidArm,
            (Some(Abi::Android), Self::X86_64) => Self::AndroidX86_64,
            (Some(Abi::Android), Self::X86) => Self::AndroidX86,
            (Some(Abi::Android), Self::Riscv64) => Self::AndroidRiscv64,
            (Some(Abi::SoftFloat), Self::Armv4) => Self::Armel,
            (_, target) => target,
        })
    }

    /// The target of this program.
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
            let Row { name, triple, others, .. } = target.row();
            for name in [name, triple].iter().chain(others) {
                assert_eq!(Target::of(name), Ok(target));
            }
        }
        let why = Target::of("linux-mips").unwrap_err();
        assert!(why.contains("`linux-mips`") && why.contains("linux-"), "{why}");
        assert!(Target::this().is_some());
    }

    #[test]
    fn abi_of_a_file_decides() {
        for (architecture, abi, target) in [
            ("arm", None, Target::Armv4),
            ("arm", Some(Abi::HardFloat), Target::Armv4),
            ("arm", Some(Abi::SoftFloat), Target::Armel),
            ("arm", Some(Abi::Android), Target::AndroidArm),
            ("aarch64", None, Target::Aarch64),
            ("aarch64", Some(Abi::Android), Target::AndroidAarch64),
            ("x86-64", Some(Abi::Android), Target::AndroidX86_64),
            ("i386", Some(Abi::Android), Target::AndroidX86),
            ("riscv64", Some(Abi::Android), Target::AndroidRiscv64),
        ] {
            assert_eq!(Target::of_file(architecture, abi), Ok(target));
        }
        assert!(Target::of_file("sparc", None).is_err());
    }
}
