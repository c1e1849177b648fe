//! What one class of cores needs and another does not: one row per microarchitecture.
//!
//! Backends are chosen by instructions, in the order of their lists. Latencies, widths of units and break-even points follow from
//! no instruction. They are here, and nothing else in the library looks at a vendor or a model.
//!
//! The row is chosen once per process: by vendor, family and model, else by instruction sets. [`force`] chooses another one, for
//! tests and comparisons. A row never enables an instruction that the processor lacks.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::core::Error;

/// One class of cores.
#[derive(Debug)]
pub struct Tuning {
    /// Its name: `zen5`.
    name: &'static str,
    /// The processors that it is for.
    cores: &'static str,
    /// Where its figures come from.
    source: &'static str,
    /// Cycles until the result of one AES round can be used by the next one.
    pub(crate) aes_latency: u32,
    /// Bytes from which AES on 512 bits is faster than on 256, where nothing else is done.
    pub(crate) aes_512_from: usize,
    /// Whether an instruction of 512 bits takes two places of 256.
    pub(crate) halves_of_512: bool,
    /// Whether an instruction of 256 bits takes two places of 128.
    pub(crate) halves_of_256: bool,
    /// Vectors of 512 bits in a step of AES-GCM: four, with four products for each; or eight, with six products for a pair
    /// (Karatsuba), where four do not fill the AES units. Eight need more powers of H.
    pub(crate) gcm_vectors: usize,
    /// Vectors of 512 bits in a step of AES-CBC decryption: 8, with the rest of a text on 256 bits; or 12, with the rest on 512,
    /// where 256 bits process half as many blocks a cycle.
    pub(crate) cbc_vectors: usize,
    /// Groups of 16 blocks of ChaCha20 on 512 bits with interleaved rounds: one; or two, where a sum takes two cycles and one group
    /// waits for its own results.
    pub(crate) chacha_groups: usize,
    /// Whether SHA-3 of one message is faster on 128 to 256 bits of AVX-512 than on 512: a shuffle across 128 bits waits long.
    pub(crate) keccak_by_256: bool,
    /// Whether SHA-3 of one message is faster with Arm's SHA-3 instructions than with integers.
    pub(crate) keccak_by_sha3: bool,
    /// Whether three blocks of SHA-1 one after the other are faster than in four lanes of its instructions.
    pub(crate) serial_sha1_x3: bool,
    /// Cycles of a message of chained AES that overlap with the next message.
    pub(crate) chain_overlap: u64,
    /// The same of AES-CCM.
    pub(crate) ccm_overlap: u64,
    /// The same of a hash function.
    pub(crate) hash_overlap: u64,
    /// Cycles that a few interleaved hash computations lose where messages end at different times.
    pub(crate) hash_turns: u64,
    /// Cycles that a group of a few lanes loses where one lane has no message.
    pub(crate) hash_idle: u64,
    /// Cycles, at most, to move the state of one message to a lane and back.
    pub(crate) lane_move: u64,
}

/// The row of a processor that none is for: what is right for most, or costs least where it is wrong.
const GENERIC: Tuning = Tuning {
    name: "generic",
    cores: "all others",
    source: "the figures of golden-cove",
    ..GOLDEN_COVE
};

/// The processor that the lists were measured on.
const GOLDEN_COVE: Tuning = Tuning {
    name: "golden-cove",
    cores: "Sapphire, Emerald and Granite Rapids; Alder and Raptor Lake",
    source: "BENCHMARKS.md, Emerald Rapids and Granite Rapids",
    aes_latency: 3,
    aes_512_from: 2048,
    halves_of_512: false,
    halves_of_256: false,
    gcm_vectors: 4,
    cbc_vectors: 8,
    chacha_groups: 1,
    keccak_by_256: false,
    keccak_by_sha3: true,
    serial_sha1_x3: true,
    chain_overlap: 210,
    ccm_overlap: 150,
    hash_overlap: 15,
    hash_turns: 360,
    hash_idle: 100,
    lane_move: 350,
};

const ZEN3: Tuning = Tuning {
    name: "zen3",
    cores: "Zen 2 and Zen 3",
    source: "BENCHMARKS.md, Zen 3",
    aes_latency: 4,
    aes_512_from: 0,
    keccak_by_256: true,
    serial_sha1_x3: false,
    // Until Zen 5 no core of AMD has units of 512 bits.
    halves_of_512: true,
    ..GOLDEN_COVE
};

/// All rows. The first is for processors that no other is for.
static ROWS: [Tuning; 9] = [
    GENERIC,
    GOLDEN_COVE,
    Tuning {
        name: "sunny-cove",
        cores: "Ice Lake, Tiger Lake and Rocket Lake",
        source: "the figures of golden-cove",
        ..GOLDEN_COVE
    },
    Tuning {
        name: "zen1",
        cores: "Zen, Zen+ and Hygon Dhyana; Bulldozer to Excavator",
        source: "BENCHMARKS.md, Zen 1",
        halves_of_256: true,
        ..ZEN3
    },
    ZEN3,
    Tuning { name: "zen4", cores: "Zen 4", source: "BENCHMARKS.md, Zen 4", ..ZEN3 },
    Tuning {
        name: "zen5",
        cores: "Zen 5",
        source: "BENCHMARKS.md, Zen 5; a prototype (docs/microarchitecture/zen5.md)",
        halves_of_512: false,
        gcm_vectors: 8,
        cbc_vectors: 12,
        chacha_groups: 2,
        ..ZEN3
    },
    Tuning {
        name: "neoverse-n1",
        cores: "Neoverse N1, Cortex-A76",
        source: "predicted by llvm-mca",
        ..GENERIC
    },
    Tuning {
        name: "neoverse-v1",
        cores: "Neoverse V1, N2 and V2",
        source: "predicted by llvm-mca",
        keccak_by_sha3: false,
        ..GENERIC
    },
];

impl Tuning {
    /// Its name: `zen5`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The processors that it is for.
    pub fn cores(&self) -> &'static str {
        self.cores
    }

    /// Where its figures come from.
    pub fn source(&self) -> &'static str {
        self.source
    }

    /// Its fields: name, value and unit.
    pub fn fields(&self) -> [(&'static str, u64, &'static str); 16] {
        [
            ("aes_latency", self.aes_latency.into(), "cycles"),
            ("aes_512_from", self.aes_512_from as u64, "bytes"),
            ("halves_of_512", self.halves_of_512.into(), "yes or no"),
            ("halves_of_256", self.halves_of_256.into(), "yes or no"),
            ("gcm_vectors", self.gcm_vectors as u64, "vectors"),
            ("cbc_vectors", self.cbc_vectors as u64, "vectors"),
            ("chacha_groups", self.chacha_groups as u64, "groups"),
            ("keccak_by_256", self.keccak_by_256.into(), "yes or no"),
            ("keccak_by_sha3", self.keccak_by_sha3.into(), "yes or no"),
            ("serial_sha1_x3", self.serial_sha1_x3.into(), "yes or no"),
            ("chain_overlap", self.chain_overlap, "cycles"),
            ("ccm_overlap", self.ccm_overlap, "cycles"),
            ("hash_overlap", self.hash_overlap, "cycles"),
            ("hash_turns", self.hash_turns, "cycles"),
            ("hash_idle", self.hash_idle, "cycles"),
            ("lane_move", self.lane_move, "cycles"),
        ]
    }
}

/// Why a row is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The processor is one of its cores, as vendor, family and model say.
    Model,
    /// No row has the model. This one fits the instruction sets.
    Instructions,
    /// [`force`] chose it.
    Forced,
}

/// All rows.
pub fn rows() -> &'static [Tuning] {
    &ROWS
}

/// The row in use.
///
/// ```
/// let row = ropewalk::tuning::current();
/// println!("tuned for {} ({})", row.name(), row.cores());
/// ```
pub fn current() -> &'static Tuning {
    row()
}

/// Why that row is used.
pub fn reason() -> Reason {
    row();
    match CHOSEN.load(Relaxed) & WHY {
        FORCED => Reason::Forced,
        BY_MODEL => Reason::Model,
        _ => Reason::Instructions,
    }
}

/// Uses another row, for keys and hashers made afterwards and for calls for many messages.
///
/// # Errors
/// [`Error::Unknown`] where no row has this name; the row in use remains.
///
/// ```
/// ropewalk::tuning::force("zen5")?;
/// assert_eq!(ropewalk::tuning::current().name(), "zen5");
/// # Ok::<(), ropewalk::Error>(())
/// ```
pub fn force(name: &str) -> Result<(), Error> {
    let at = ROWS.iter().position(|row| row.name == name);
    let at = at.ok_or(Error::Unknown { what: "row of tuning" })?;
    CHOSEN.store((at as u8 + 1) | FORCED, Relaxed);
    Ok(())
}

/// The number of the row in use plus one, and why it is used; 0 until it is looked for.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

const WHY: u8 = 0xc0;
const BY_MODEL: u8 = 0x40;
const FORCED: u8 = 0x80;

/// The row in use.
#[inline(always)]
pub(crate) fn row() -> &'static Tuning {
    match CHOSEN.load(Relaxed) & !WHY {
        0 => choose(),
        at => &ROWS[usize::from(at - 1) % ROWS.len()],
    }
}

#[cold]
#[inline(never)]
fn choose() -> &'static Tuning {
    let (name, why) = match by_model() {
        Some(name) => (name, BY_MODEL),
        None => (by_instructions(), 0),
    };
    let at = ROWS.iter().position(|row| row.name == name).unwrap_or(0);
    // A row that was forced meanwhile stays.
    let _ = CHOSEN.compare_exchange(0, (at as u8 + 1) | why, Relaxed, Relaxed);
    row()
}

/// By what a processor can do, where no row has its model or a hypervisor disguises it.
fn by_instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::__cpuid_count;
        if vendor() == *b"AuthenticAMD" && __cpuid_count(0, 0).eax >= 7 {
            let [avx512, avx_vnni] = [__cpuid_count(7, 0).ebx >> 16, __cpuid_count(7, 1).eax >> 4];
            return of_amd_with(avx512 & 1 != 0, avx_vnni & 1 != 0);
        }
    }
    "generic"
}

/// The row of an AMD processor of unknown model with AVX-512 or not, with AVX-VNNI or not: Zen 4 was the first with the one, Zen 5 with
/// the other.
#[cfg(target_arch = "x86_64")]
fn of_amd_with(avx512: bool, avx_vnni: bool) -> &'static str {
    match (avx512, avx_vnni) {
        (_, true) => "zen5",
        (true, _) => "zen4",
        _ => "zen3",
    }
}

#[cfg(target_arch = "x86_64")]
fn by_model() -> Option<&'static str> {
    of_signature(vendor(), core::arch::x86_64::__cpuid(1).eax)
}

#[cfg(target_arch = "x86_64")]
fn vendor() -> [u8; 12] {
    let leaf = core::arch::x86_64::__cpuid(0);
    let mut name = [0; 12];
    for (part, register) in name.chunks_exact_mut(4).zip([leaf.ebx, leaf.edx, leaf.ecx]) {
        part.copy_from_slice(&register.to_le_bytes());
    }
    name
}

/// The row of an x86 processor with these results of CPUID: the vendor of leaf 0, EAX of leaf 1.
#[cfg(target_arch = "x86_64")]
fn of_signature(vendor: [u8; 12], signature: u32) -> Option<&'static str> {
    let family = (signature >> 8 & 15) + (signature >> 20 & 255);
    let model = signature >> 4 & 15 | (signature >> 16 & 15) << 4;
    Some(match (&vendor, family, model) {
        (b"GenuineIntel", 6, 0x8f | 0xcf | 0xad | 0xae | 0x97 | 0x9a | 0xb7 | 0xba | 0xbf) => {
            "golden-cove"
        }
        (b"GenuineIntel", 6, 0x6a | 0x6c | 0x7d | 0x7e | 0x8c | 0x8d | 0xa7) => "sunny-cove",
        (b"AuthenticAMD", 0x15, _) | (b"AuthenticAMD", 0x17, ..0x30) => "zen1",
        (b"HygonGenuine", 0x18, _) => "zen1",
        (b"AuthenticAMD", 0x17, _) => "zen3",
        (b"AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0xaf) => "zen4",
        (b"AuthenticAMD", 0x19, _) => "zen3",
        (b"AuthenticAMD", 0x1a, _) => "zen5",
        _ => return None,
    })
}

#[cfg(target_arch = "aarch64")]
fn by_model() -> Option<&'static str> {
    of_midr(midr()?)
}

/// MIDR_EL1, where the kernel says that programs may read it.
#[cfg(all(target_arch = "aarch64", target_os = "linux", feature = "std"))]
fn midr() -> Option<u64> {
    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn getauxval(kind: core::ffi::c_ulong) -> core::ffi::c_ulong;
    }
    const AT_HWCAP: core::ffi::c_ulong = 16;
    const HWCAP_CPUID: core::ffi::c_ulong = 1 << 11;
    // SAFETY: any number is a kind, and one that is not there gives zero.
    #[allow(unsafe_code)]
    if unsafe { getauxval(AT_HWCAP) } & HWCAP_CPUID == 0 {
        return None;
    }
    let midr;
    // SAFETY: the flag says that the kernel answers for this register.
    #[allow(unsafe_code)]
    unsafe {
        core::arch::asm!("mrs {}, MIDR_EL1", out(reg) midr, options(nomem, nostack, preserves_flags));
    }
    Some(midr)
}

#[cfg(all(target_arch = "aarch64", not(all(target_os = "linux", feature = "std"))))]
fn midr() -> Option<u64> {
    None
}

/// The row of an Arm core with this MIDR_EL1: implementer and part number.
#[cfg(target_arch = "aarch64")]
fn of_midr(midr: u64) -> Option<&'static str> {
    const ARM: u64 = 0x41;
    Some(match (midr >> 24 & 0xff, midr >> 4 & 0xfff) {
        // Neoverse N1; Cortex-A76, A76AE, A77.
        (ARM, 0xd0c | 0xd0b | 0xd0e | 0xd0d) => "neoverse-n1",
        // Neoverse V1, N2, V2; Cortex-X1, A710, X2.
        (ARM, 0xd40 | 0xd49 | 0xd4f | 0xd44 | 0xd47 | 0xd48) => "neoverse-v1",
        _ => return None,
    })
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn by_model() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures as vendors' manuals and `cpuid` have them.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn models_have_rows() {
        let cases: &[(&[u8; 12], u32, Option<&str>)] = &[
            (b"AuthenticAMD", 0x0060_0f20, Some("zen1")), // Piledriver
            (b"AuthenticAMD", 0x0080_0f12, Some("zen1")), // Zen
            (b"AuthenticAMD", 0x0080_0f82, Some("zen1")), // Zen+
            (b"HygonGenuine", 0x0090_0f02, Some("zen1")), // Dhyana
            (b"AuthenticAMD", 0x0083_0f10, Some("zen3")), // Zen 2
            (b"AuthenticAMD", 0x00a0_0f11, Some("zen3")), // Zen 3, Milan
            (b"AuthenticAMD", 0x00a1_0f11, Some("zen4")), // Zen 4, Genoa
            (b"AuthenticAMD", 0x00a6_0f12, Some("zen4")), // Zen 4, Raphael
            (b"AuthenticAMD", 0x00b0_0f21, Some("zen5")), // Zen 5, Turin
            (b"GenuineIntel", 0x000c_06f2, Some("golden-cove")), // Emerald Rapids
            (b"GenuineIntel", 0x000a_0671, Some("sunny-cove")), // Rocket Lake
            (b"GenuineIntel", 0x0005_0654, None),         // Skylake-SP
            (b"GenuineTMx86", 0x00a1_0f11, None),
        ];
        for (vendor, signature, row) in cases {
            assert_eq!(of_signature(**vendor, *signature), *row, "{signature:x}");
        }
    }

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn models_have_rows() {
        let cases = [
            (0x413f_d0c1, Some("neoverse-n1")),
            (0x411f_d401, Some("neoverse-v1")),
            (0x410f_d034, None), // Cortex-A53
            (0x610f_0220, None), // Apple M1
        ];
        for (midr, row) in cases {
            assert_eq!(of_midr(midr), row, "{midr:x}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn disguised_processors_have_rows() {
        let rows = [(false, false), (true, false), (true, true), (false, true)];
        let rows = rows.map(|(avx512, avx_vnni)| of_amd_with(avx512, avx_vnni));
        assert_eq!(rows, ["zen3", "zen4", "zen5", "zen5"]);
    }

    #[test]
    fn names_are_unique() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..at].iter().all(|other| other.name != row.name), "{}", row.name);
        }
        assert!(ROWS.len() < usize::from(BY_MODEL));
    }

    #[test]
    fn no_other_row_can_be_forced() {
        let before = row().name;
        assert_eq!(force("zen9"), Err(Error::Unknown { what: "row of tuning" }));
        assert_eq!(row().name, before);
    }
}
