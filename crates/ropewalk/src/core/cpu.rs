//! The features of the processor, as types.
//!
//! A token is a zero-sized value that exists only where the processor has the features it names,
//! and where none of them has been switched off. Holding one is the proof that a kernel may run.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::core::Error;

/// Proof that the running processor has certain features.
pub trait Token: Copy + Send + Sync + 'static {
    /// The features, as `rustc` spells them.
    const FEATURES: &'static [&'static str];

    /// The token, if this processor has all of its features and none is switched off.
    fn detect() -> Option<Self>;

    /// The token, given the detected features.
    #[doc(hidden)]
    fn among(known: Known) -> Option<Self>;
}

/// The features that this processor was found to have and that are not masked; none before detection.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Known(u64);

impl Known {
    #[inline(always)]
    pub(crate) fn now() -> Self {
        Self(AVAILABLE.load(Relaxed))
    }
}

/// A processor feature that some backend requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// Its name, as `rustc` spells it.
    pub name: &'static str,
    /// The architecture it belongs to, as `rustc` spells it.
    pub arch: &'static str,
    /// The features it builds on: where one of these is switched off, so is this.
    pub builds_on: &'static [&'static str],
}

impl Feature {
    /// Whether the running processor has it, masked or not.
    pub fn present(&self) -> bool {
        bit(self.arch, self.name) & (available() | MASKED.load(Relaxed)) != 0
    }

    /// Whether the running processor has it and it has been switched off.
    pub fn masked(&self) -> bool {
        bit(self.arch, self.name) & MASKED.load(Relaxed) != 0
    }
}

/// Writes the table of features and their detection from one list.
macro_rules! feature_table {
    ($( $arch:tt { $( $name:tt on [$($on:tt)*]; )+ } )+) => {
        /// Every feature that some backend requires, of every architecture.
        pub const FEATURES: &[Feature] = &[
            $($( Feature { name: $name, arch: $arch, builds_on: &[$($on),*] }, )+)+
        ];

        /// The bits of the features that this processor has.
        fn detected() -> u64 {
            let mut bits = 0;
            $(
                #[cfg(target_arch = $arch)]
                { $( if has!($arch, $name) { bits |= const { bit($arch, $name) }; } )+ }
            )+
            bits
        }
    };
}

#[cfg(feature = "std")]
macro_rules! has {
    ("x86_64", $feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
    ("aarch64", $feature:tt) => {
        std::arch::is_aarch64_feature_detected!($feature)
    };
    ("arm", "neon") => {
        hwcap() & HWCAP_NEON != 0
    };
}

/// Detection without the operating system's library: by CPUID, or by the features the target is compiled for where only the
/// system can report them.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ("aarch64", "neon") => {
        true
    };
    // Only the system can report it, and no target that Rust compiles for has it by default.
    ("arm", "neon") => {
        false
    };
    // `cpufeatures` requires AVX-512 for these, which many processors that have them lack.
    ("x86_64", "gfni") => {
        seventh_leaf() & 1 << 8 != 0
    };
    ("x86_64", "vaes") => {
        seventh_leaf() & 1 << 9 != 0 && has!("x86_64", "avx")
    };
    ("x86_64", "vpclmulqdq") => {
        seventh_leaf() & 1 << 10 != 0 && has!("x86_64", "avx")
    };
    ($arch:tt, $feature:tt) => {{
        cpufeatures::new!(has, $feature);
        has::get()
    }};
}

/// In the first word that the kernel reports: NEON.
#[cfg(all(target_arch = "arm", feature = "std"))]
const HWCAP_NEON: core::ffi::c_ulong = 1 << 12;

/// The first word of features that the kernel reports to each process. `is_arm_feature_detected!` is unstable.
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android"),
    feature = "std"
))]
fn hwcap() -> core::ffi::c_ulong {
    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn getauxval(kind: core::ffi::c_ulong) -> core::ffi::c_ulong;
    }
    const AT_HWCAP: core::ffi::c_ulong = 16;
    // SAFETY: any number is a kind, and one that is not there gives zero.
    #[allow(unsafe_code)]
    unsafe {
        getauxval(AT_HWCAP)
    }
}

/// Without such a kernel, and for big-endian programs, there are the portable backends.
#[cfg(all(
    target_arch = "arm",
    feature = "std",
    not(all(target_endian = "little", any(target_os = "linux", target_os = "android")))
))]
fn hwcap() -> core::ffi::c_ulong {
    0
}

/// ECX of leaf 7, where there is one.
#[cfg(all(target_arch = "x86_64", not(feature = "std")))]
fn seventh_leaf() -> u32 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ecx } else { 0 }
}

feature_table! {
    "x86_64" {
        "sse2" on [];
        "ssse3" on ["sse2"];
        "sse4.1" on ["ssse3"];
        "avx" on ["sse4.1"];
        "avx2" on ["avx"];
        "bmi1" on [];
        "bmi2" on [];
        "adx" on [];
        "aes" on ["sse2"];
        "pclmulqdq" on ["sse2"];
        "sha" on ["sse2"];
        "gfni" on ["sse2"];
        "vaes" on ["aes" "avx2"];
        "vpclmulqdq" on ["pclmulqdq" "avx"];
        "avx512f" on ["avx2"];
        "avx512bw" on ["avx512f"];
        "avx512dq" on ["avx512f"];
        "avx512vl" on ["avx512f"];
        "avx512ifma" on ["avx512f"];
        "avx512vbmi" on ["avx512bw"];
    }
    "aarch64" {
        "neon" on [];
        "aes" on ["neon"];
        "sha2" on ["neon"];
        "sha3" on ["sha2"];
        "sm4" on ["neon"];
    }
    "arm" {
        "neon" on [];
    }
}

/// Writes the tokens and `features!`, through which `#[target_feature]` is spelt, from one list:
/// detection and code generation cannot disagree.
macro_rules! tokens {
    ($dollar:tt $( $(#[$doc:meta])* $name:ident: $arch:tt [$($feature:tt)+]; )+) => {
        macro_rules! features {
            (Baseline, $dollar then:ident! { $dollar ($dollar args:tt)* }) => {
                $dollar then! { "any" [] $dollar ($dollar args)* }
            };
            $( ($name, $dollar then:ident! { $dollar ($dollar args:tt)* }) => {
                enabled! { $arch [$($feature)+] $dollar then! { $dollar ($dollar args)* } }
            }; )+
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name(());

            impl Token for $name {
                const FEATURES: &'static [&'static str] = &[$($feature),+];

                #[inline]
                fn detect() -> Option<Self> {
                    Self::among(Known(available()))
                }

                #[inline(always)]
                fn among(Known(available): Known) -> Option<Self> {
                    const BITS: u64 = bits($arch, <$name as Token>::FEATURES);
                    (cfg!(target_arch = $arch) && available & BITS == BITS).then_some(Self(()))
                }
            }
        )+
    };
}

/// The features that `#[target_feature]` can name. Those of 32-bit Arm are unstable there: its kernels are assembly that goes through
/// [`neon_asm!`](crate::core::simd::arm), which takes the token.
macro_rules! enabled {
    ("arm" $features:tt $then:ident! { $($args:tt)* }) => {
        $then! { "arm" [] $($args)* }
    };
    ($arch:tt $features:tt $then:ident! { $($args:tt)* }) => {
        $then! { $arch $features $($args)* }
    };
}

tokens! { $
    /// AES instructions on 128 bits (Westmere, Bulldozer), as every CPU that has them offers them.
    Aesni: "x86_64" ["aes" "sse4.1" "ssse3"];
    /// AES instructions and carry-less products on 128 bits (Westmere, Bulldozer).
    AesniClmul: "x86_64" ["aes" "pclmulqdq" "sse4.1" "ssse3"];
    /// AES instructions and carry-less products with the encodings of AVX (Sandy Bridge, Bulldozer).
    AvxClmul: "x86_64" ["aes" "pclmulqdq" "avx"];
    /// AES instructions on 256 bits (Alder Lake, Zen 3).
    Vaes256: "x86_64" ["vaes" "aes" "avx2"];
    /// AES instructions and carry-less products on 256 bits (Alder Lake, Zen 3).
    Vaes256Clmul: "x86_64" ["vaes" "vpclmulqdq" "aes" "pclmulqdq" "avx2"];
    /// AES instructions on 512 bits (Ice Lake, Zen 4).
    Vaes512: "x86_64" ["vaes" "aes" "avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi2"];
    /// AES instructions and carry-less products on 512 bits (Ice Lake, Zen 4).
    VaesClmul512: "x86_64" ["vaes" "vpclmulqdq" "aes" "pclmulqdq" "avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi2"];
    /// Intel SHA Extensions, with AES instructions and carry-less products (Goldmont, Zen).
    ShaNiAes: "x86_64" ["sha" "aes" "pclmulqdq" "sse4.1" "ssse3"];
    /// Intel SHA Extensions (Goldmont, Zen).
    ShaNi: "x86_64" ["sha" "sse4.1" "ssse3"];
    /// 128-bit shuffles of bytes (Merom, Bobcat).
    Ssse3: "x86_64" ["ssse3"];
    /// Rotations and and-not that leave their operands unchanged (Haswell, Zen).
    Bmi2: "x86_64" ["bmi1" "bmi2"];
    /// Registers of 256 bits (Sandy Bridge, Bulldozer).
    Avx: "x86_64" ["avx"];
    /// Registers of 512 bits, and 32 of them (Skylake-X, Zen 4).
    Avx512F: "x86_64" ["avx512f"];
    /// 256-bit integer SIMD (Haswell, Zen).
    Avx2: "x86_64" ["avx2" "bmi1" "bmi2"];
    /// 256-bit integer SIMD and carry-less products (Haswell, Zen).
    Avx2Clmul: "x86_64" ["avx2" "bmi1" "bmi2" "pclmulqdq"];
    /// 256-bit integer SIMD, with AES instructions and carry-less products (Haswell, Zen).
    Avx2Aes: "x86_64" ["avx2" "bmi1" "bmi2" "aes" "pclmulqdq"];
    /// 512-bit integer SIMD (Skylake-X, Zen 4).
    Avx512: "x86_64" ["avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi2"];
    /// 256-bit SIMD with the instructions that AVX-512 adds for it, and general registers (Skylake-X, Zen 4).
    Avx512By256: "x86_64" ["avx512f" "avx512vl" "avx2" "bmi1" "bmi2"];
    /// 512-bit integer SIMD and products of 52 bits (Ice Lake, Zen 4).
    Avx512Ifma: "x86_64" ["avx512ifma" "avx512vbmi" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "bmi1" "bmi2"];
    /// 128-bit SIMD: every 64-bit Arm processor.
    Neon: "aarch64" ["neon"];
    /// Armv8 AES instructions.
    Aes: "aarch64" ["aes" "neon"];
    /// Armv8 AES instructions, and three-way XOR (Neoverse V1, Apple M1).
    AesSha3: "aarch64" ["aes" "sha3" "neon"];
    /// Armv8 SHA-2 instructions.
    Sha2: "aarch64" ["sha2" "neon"];
    /// Armv8 AES and SHA-2 instructions.
    AesSha2: "aarch64" ["aes" "sha2" "neon"];
    /// Armv8.2 SHA-3 and SHA-512 instructions (Neoverse V1, Apple M1), which come together.
    Sha3: "aarch64" ["sha3" "neon"];
    /// Armv8.2 SM3 and SM4 instructions (Neoverse N2, Yitian 710), which Rust knows by one name.
    Sm4: "aarch64" ["sm4" "neon"];
    /// 128-bit SIMD of 32-bit Arm processors (Cortex-A5 to A17, and 64-bit ones with a 32-bit system).
    ArmNeon: "arm" ["neon"];
}

/// Declares which tokens imply which.
macro_rules! included {
    ($( $arch:tt: $All:ident has $($Some:ident)+; )+) => { $($(
        impl From<$All> for $Some {
            #[inline]
            fn from(_: $All) -> Self {
                const { assert!(includes($arch, $All::FEATURES, Self::FEATURES)) }
                Self(())
            }
        }
    )+)+ };
}

included! {
    "x86_64": AesniClmul has Aesni Ssse3;
    "x86_64": ShaNiAes has Aesni AesniClmul ShaNi;
    "x86_64": Avx2 has Ssse3 Bmi2;
    "x86_64": Avx2Clmul has Avx2;
    "x86_64": Avx2Aes has Aesni AvxClmul Avx2;
    "x86_64": Avx512Ifma has Avx512 Avx512By256 Bmi2;
    "aarch64": AesSha2 has Aes Sha2;
}

/// The baseline of every build target. The portable backends require only this.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Token for Baseline {
    const FEATURES: &'static [&'static str] = &[];

    #[inline]
    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn among(_: Known) -> Option<Self> {
        Some(Self)
    }
}

impl From<Neon> for Baseline {
    #[inline]
    fn from(_: Neon) -> Self {
        Self
    }
}

impl From<ArmNeon> for Baseline {
    #[inline]
    fn from(_: ArmNeon) -> Self {
        Self
    }
}

/// Switches features off, for keys and hashers made afterwards.
///
/// `list` holds names of [`FEATURES`], separated by commas, each with or without a minus in front; `all` stands for every one.
/// Features that build on a listed one go too: `aes` removes `vaes`, `avx512f` everything on 512 bits. A name of another
/// architecture has no effect. A mask never adds a feature, so a program cannot run instructions that its processor lacks.
///
/// # Errors
/// [`Error::Unknown`] where a name is not in [`FEATURES`]; nothing is then switched off.
///
/// # Example
/// ```
/// ropewalk::cpu::disable("-vaes,-avx512f")?;
/// assert!(ropewalk::cpu::disable("avx513").is_err());
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn disable(list: &str) -> Result<(), Error> {
    let off = off(list)?;
    let here = available();
    MASKED.fetch_or(here & off, Relaxed);
    AVAILABLE.fetch_and(!off, Relaxed);
    Ok(())
}

/// The features that [`disable`] would switch off: those of `list`, and what builds on them.
///
/// # Errors
/// [`Error::Unknown`] where a name is not in [`FEATURES`].
pub fn masked_by(list: &str) -> Result<impl Iterator<Item = &'static Feature>, Error> {
    let off = off(list)?;
    Ok(FEATURES.iter().filter(move |f| off & bit(f.arch, f.name) != 0))
}

/// The token of a feature that this processor has, masked or not: other code may have used it.
#[cfg(any(all(target_arch = "x86_64", not(ropewalk_ct = "msan"), not(miri)), target_arch = "arm"))]
#[inline]
pub(crate) fn present<T: Token>() -> Option<T> {
    T::among(Known(available() | MASKED.load(Relaxed)))
}

/// The features that this processor has and that are not masked, and [`KNOWN`]. Zero before detection.
static AVAILABLE: AtomicU64 = AtomicU64::new(0);

/// The features that this processor has and that are masked.
static MASKED: AtomicU64 = AtomicU64::new(0);

/// Set once features have been detected.
const KNOWN: u64 = 1 << 63;

const _: () = assert!(FEATURES.len() < 63, "one bit a feature, and one for that");

/// The bits of a list of names, and of what builds on them.
fn off(list: &str) -> Result<u64, Error> {
    let mut off = 0;
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let name = name.strip_prefix('-').unwrap_or(name);
        let mut known = name == "all";
        for feature in FEATURES.iter().filter(|feature| name == "all" || feature.name == name) {
            off |= dependents(feature);
            known = true;
        }
        if !known {
            return Err(Error::Unknown { what: "processor feature" });
        }
    }
    Ok(off)
}

#[inline]
pub(crate) fn available() -> u64 {
    match AVAILABLE.load(Relaxed) {
        0 => detect_once(),
        bits => bits,
    }
}

#[cold]
fn detect_once() -> u64 {
    // The first thread decides: a mask that was applied in the meantime must not be undone.
    let bits = KNOWN | detected();
    match AVAILABLE.compare_exchange(0, bits, Relaxed, Relaxed) {
        Ok(_) => AVAILABLE.load(Relaxed),
        Err(bits) => bits,
    }
}

/// The bits of `feature` and of all that build on it, directly or not.
fn dependents(feature: &Feature) -> u64 {
    let mut off = bit(feature.arch, feature.name);
    loop {
        let more = FEATURES
            .iter()
            .filter(|f| off & bits(f.arch, f.builds_on) != 0)
            .fold(off, |off, f| off | bit(f.arch, f.name));
        if more == off {
            return off;
        }
        off = more;
    }
}

const fn bits(arch: &str, names: &[&str]) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < names.len() {
        bits |= bit(arch, names[i]);
        i += 1;
    }
    bits
}

/// Whether the features `all`, and those that they build on, include all of `some`.
const fn includes(arch: &str, all: &[&str], some: &[&str]) -> bool {
    // A feature builds on those before it.
    let (mut all, mut i) = (bits(arch, all), FEATURES.len());
    while i > 0 {
        i -= 1;
        if all & 1 << i != 0 {
            all |= bits(FEATURES[i].arch, FEATURES[i].builds_on);
        }
    }
    all & bits(arch, some) == bits(arch, some)
}

/// The bit of a feature. A name that is not in the table does not compile, where this is a constant.
const fn bit(arch: &str, name: &str) -> u64 {
    let mut i = 0;
    while i < FEATURES.len() {
        if same(FEATURES[i].arch, arch) && same(FEATURES[i].name, name) {
            return 1 << i;
        }
        i += 1;
    }
    panic!("not in the table of features")
}

pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut same, mut i) = (a.len() == b.len(), 0);
    while same && i < a.len() {
        same = a[i] == b[i];
        i += 1;
    }
    same
}

/// Turns a `#[target_feature]` function of a backend into a trait method, or one that takes a token into a plain function.
///
/// `enter` has exactly the features of the token and calls the kernel *safely*: a kernel that requires more than its token proves
/// does not compile.
macro_rules! kernel {
    ($token:ident: fn $name:ident(&self $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? = $Backend:ident::$kernel:ident $(::<$flag:tt>)?) => {
        features! { $token, kernel_of_backend! { $Backend $kernel [$(::<$flag>)?] $token $name ($($arg: $ty),*) ($($ret)?) } }
    };
    ($token:ident: $vis:vis fn $name:ident(cpu $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? = $kernel:ident) => {
        features! { $token, kernel_of_token! { $vis $kernel $token $name ($($arg: $ty),*) ($($ret)?) } }
    };
}

macro_rules! kernel_of_backend {
    ($arch:tt [] $Backend:ident $kernel:ident [$($flag:tt)*] $token:ident $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?)) => {
        #[inline]
        fn $name(&self $(, $arg: $ty)*) $(-> $ret)? {
            $Backend::$kernel $($flag)* (self $(, $arg)*)
        }
    };
    ($arch:tt [$($feature:tt)+] $Backend:ident $kernel:ident [$($flag:tt)*] $token:ident $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?)) => {
        #[inline]
        fn $name(&self $(, $arg: $ty)*) $(-> $ret)? {
            #[inline]
            #[target_feature($(enable = $feature),+)]
            fn enter(backend: &$Backend $(, $arg: $ty)*) $(-> $ret)? {
                $Backend::$kernel $($flag)* (backend $(, $arg)*)
            }
            let _proof: crate::core::cpu::$token = self.cpu;
            // SAFETY: `_proof` exists, so the processor has the features of its line in
            // `tokens!`, which are the ones `enter` enables.
            #[allow(unsafe_code)]
            unsafe { enter(self $(, $arg)*) }
        }
    };
}

macro_rules! kernel_of_token {
    ($arch:tt [$($feature:tt)+] $vis:vis $kernel:ident $token:ident $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?)) => {
        #[inline]
        $vis fn $name(_proof: crate::core::cpu::$token $(, $arg: $ty)*) $(-> $ret)? {
            #[target_feature($(enable = $feature),+)]
            fn enter($($arg: $ty),*) $(-> $ret)? {
                $kernel($($arg),*)
            }
            // SAFETY: `_proof` exists, so the processor has the features of its line in
            // `tokens!`, which are the ones `enter` enables.
            #[allow(unsafe_code)]
            unsafe { enter($($arg),*) }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closure(arch: &str, name: &str) -> Vec<&'static str> {
        masked_by(name).unwrap().filter(|f| f.arch == arch).map(|f| f.name).collect()
    }

    /// The features that a mask removes together, as in `rustc` and the manuals.
    #[test]
    fn mask_takes_along_what_builds_on_it() {
        const WITH_AVX512F: [&str; 6] =
            ["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma", "avx512vbmi"];
        let cases: &[(&str, &str, &[&str])] = &[
            ("x86_64", "aes", &["aes", "vaes"]),
            ("x86_64", "pclmulqdq", &["pclmulqdq", "vpclmulqdq"]),
            ("x86_64", "vaes", &["vaes"]),
            ("x86_64", "sha", &["sha"]),
            ("x86_64", "gfni", &["gfni"]),
            ("x86_64", "bmi2", &["bmi2"]),
            ("x86_64", "avx512bw", &["avx512bw", "avx512vbmi"]),
            ("x86_64", "avx512f", &WITH_AVX512F),
            ("aarch64", "aes", &["aes"]),
            ("aarch64", "sha2", &["sha2", "sha3"]),
            ("aarch64", "neon", &["neon", "aes", "sha2", "sha3", "sm4"]),
            ("arm", "neon", &["neon"]),
        ];
        for (arch, name, want) in cases {
            assert_eq!(closure(arch, name), *want, "{arch} {name}");
        }
        let wide = [["vaes", "vpclmulqdq"].as_slice(), WITH_AVX512F.as_slice()].concat();
        assert_eq!(
            closure("x86_64", "avx2"),
            [["avx2", "vaes"].as_slice(), &WITH_AVX512F].concat()
        );
        assert_eq!(closure("x86_64", "avx"), [["avx", "avx2"].as_slice(), &wide].concat());
        assert_eq!(
            closure("x86_64", "sse4.1"),
            [["sse4.1", "avx", "avx2"].as_slice(), &wide].concat()
        );
    }

    /// A feature builds on features of its own architecture that stand before it.
    #[test]
    fn table_is_ordered() {
        for (i, feature) in FEATURES.iter().enumerate() {
            for name in feature.builds_on {
                let on = FEATURES.iter().position(|f| f.arch == feature.arch && f.name == *name);
                assert!(on.is_some_and(|on| on < i), "{} builds on {name}", feature.name);
            }
        }
    }

    #[test]
    fn unknown_feature_switches_nothing_off() {
        let before = available();
        assert_eq!(disable("-aes,avx513"), Err(Error::Unknown { what: "processor feature" }));
        assert_eq!(available(), before);
        assert_eq!(disable(""), Ok(()));
        assert_eq!(available(), before);
    }
}
