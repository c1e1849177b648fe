//! `OPENSSL_ia32cap`: words of CPUID, as OPENSSL_ia32cap(3) numbers them.
//!
//! The words are registers of CPUID, low half then high half: 0 is leaf 1, EDX and ECX; 1 is leaf
//! 7, EBX and ECX; 2 is leaf 7, EDX, and leaf 7.1, EAX; 3 is leaf 7.1, EDX and EBX; 4 is leaf 7.1,
//! ECX, and leaf 24, EBX.

mod explain;

use super::Family;

pub(super) use explain::explain;

/// The most words that any version reads.
const WORDS: usize = 5;

/// The bits of each feature: word, bit.
const BITS: &[(&str, &[(usize, u32)])] = &[
    ("sse2", &[(0, 26)]),
    ("ssse3", &[(0, 41)]),
    ("sse4.1", &[(0, 51)]),
    // XOP, FMA and SM3 depend on it.
    ("avx", &[(0, 60), (0, 43), (0, 44), (2, 33)]),
    // SHA-512, SM4 and IFMA without AVX-512 depend on it.
    ("avx2", &[(1, 5), (2, 32), (2, 34), (2, 55)]),
    ("bmi1", &[(1, 3)]),
    ("bmi2", &[(1, 8)]),
    ("adx", &[(1, 19)]),
    // It is not sufficient from OpenSSL 3.1 on, whose GCM and XTS on 512 bits do not check it. They check
    // VAES, and the mask of `aes` includes `vaes`; VPCLMULQDQ may then stay, since no code here encrypts with
    // it.
    ("aes", &[AES]),
    ("pclmulqdq", &[(0, 33)]),
    ("sha", &[(1, 29)]),
    ("gfni", &[(1, 40)]),
    ("vaes", &[VAES]),
    ("vpclmulqdq", &[(1, 42)]),
    // AVX10 implies all of AVX-512. OpenSSL clears its details with it.
    ("avx512f", &[(1, 16), (3, 19)]),
    ("avx512bw", &[(1, 30)]),
    ("avx512dq", &[(1, 17)]),
    ("avx512vl", &[(1, 31)]),
    ("avx512ifma", &[(1, 21)]),
    ("avx512vbmi", &[(1, 33)]),
];

const AES: (usize, u32) = (0, 57);
const VAES: (usize, u32) = (1, 41);

/// The names of further bits, as far as the manual or CPUID has them.
const NAMES: &[(usize, u32, &str)] = &[
    (0, 4, "TSC"),
    (0, 19, "CLFLUSH"),
    (0, 20, "RC4 of characters"),
    (0, 23, "MMX"),
    (0, 24, "FXSR"),
    (0, 25, "SSE"),
    (0, 26, "SSE2"),
    (0, 28, "Hyperthreading"),
    (0, 30, "Intel"),
    (0, 33, "PCLMULQDQ"),
    (0, 41, "SSSE3"),
    (0, 43, "XOP"),
    (0, 44, "FMA"),
    (0, 51, "SSE4.1"),
    (0, 54, "MOVBE"),
    (0, 57, "AES-NI"),
    (0, 58, "XSAVE"),
    (0, 59, "OSXSAVE"),
    (0, 60, "AVX"),
    (0, 62, "RDRAND"),
    (1, 3, "BMI1"),
    (1, 5, "AVX2"),
    (1, 8, "BMI2"),
    (1, 16, "AVX512F"),
    (1, 17, "AVX512DQ"),
    (1, 18, "RDSEED"),
    (1, 19, "ADX"),
    (1, 21, "AVX512IFMA"),
    (1, 29, "SHA"),
    (1, 30, "AVX512BW"),
    (1, 31, "AVX512VL"),
    (1, 33, "AVX512VBMI"),
    (1, 40, "GFNI"),
    (1, 41, "VAES"),
    (1, 42, "VPCLMULQDQ"),
    (2, 15, "Hybrid"),
    (2, 29, "ARCH_CAPABILITIES"),
    (2, 32, "SHA512"),
    (2, 33, "SM3"),
    (2, 34, "SM4"),
    (2, 55, "AVX-IFMA"),
    (3, 19, "AVX10"),
    (3, 21, "APX_F"),
    (4, 48, "AVX10 on XMM"),
    (4, 49, "AVX10 on YMM"),
    (4, 50, "AVX10 on ZMM"),
];

/// Whether there is a row for the feature.
#[cfg(test)]
pub(super) fn has(feature: &str) -> bool {
    BITS.iter().any(|(name, _)| *name == feature)
}

/// Every word that is read is written, since OpenSSL clears those that are left out; but no further word, since
/// BoringSSL reads its second only if it is the last.
pub(super) fn value(family: Family, features: &[&'static str]) -> String {
    let mut words = [0_u64; WORDS];
    for (_, bits) in BITS.iter().filter(|(name, _)| features.contains(name)) {
        bits.iter().for_each(|(word, bit)| words[*word] |= 1 << bit);
    }
    let words = words[..family.words()].iter().map(|word| format!("~{word:#x}"));
    words.collect::<Vec<_>>().join(":")
}

/// The words of this machine's processor.
fn here() -> Option<[u64; WORDS]> {
    #[cfg(target_arch = "x86_64")]
    {
        use raw_cpuid::native_cpuid::cpuid_count;
        let most = cpuid_count(0, 0).eax;
        let leaf = |leaf: u32, sub: u32| {
            let there = leaf <= most && (leaf != 7 || sub <= cpuid_count(7, 0).eax);
            there.then(|| cpuid_count(leaf, sub))
        };
        let word = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        let (one, seven) = (leaf(1, 0)?, leaf(7, 0));
        let (seven_one, ten) = (leaf(7, 1), leaf(0x24, 0));
        let of = |found: &Option<raw_cpuid::CpuIdResult>,
                  register: fn(&raw_cpuid::CpuIdResult) -> u32| {
            found.as_ref().map_or(0, register)
        };
        Some([
            word(one.edx, one.ecx),
            word(of(&seven, |r| r.ebx), of(&seven, |r| r.ecx)),
            word(of(&seven, |r| r.edx), of(&seven_one, |r| r.eax)),
            word(of(&seven_one, |r| r.edx), of(&seven_one, |r| r.ebx)),
            word(of(&seven_one, |r| r.ecx), of(&ten, |r| r.ebx)),
        ])
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

#[cfg(test)]
mod tests {
    use super::{super::tests::*, *};

    #[test]
    fn ia32cap_is_as_documented() {
        for (family, list, want) in [
            (OPENSSL_1_1, "-aes", "~0x200000000000000:~0x20000000000"),
            (OPENSSL_3_0, "-aes", "~0x200000000000000:~0x20000000000"),
            (OPENSSL_3_0, "-aes,-sha", "~0x200000000000000:~0x20020000000"),
            (Family::AwsLc, "-aes", "~0x200000000000000:~0x20000000000"),
            (Family::BoringSsl, "-aes", "~0x200000000000000:~0x20000000000"),
            (OPENSSL_3_5, "-aes", "~0x200000000000000:~0x20000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-sha", "~0x0:~0x20000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-aes,-pclmulqdq", "~0x200000200000000:~0x60000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-vaes", "~0x0:~0x20000000000:~0x0:~0x0:~0x0"),
            (OPENSSL_4_0, "-avx512f", "~0x0:~0x2c0230000:~0x0:~0x80000:~0x0"),
            (OPENSSL_3_0, "-avx512f", "~0x0:~0x2c0230000"),
            (
                OPENSSL_4_0,
                "-avx",
                "~0x1000180000000000:~0x602c0230020:~0x80000700000000:~0x80000:~0x0",
            ),
            (
                OPENSSL_4_0,
                "all",
                "~0x12081a0204000000:~0x702e02b0128:~0x80000700000000:~0x80000:~0x0",
            ),
            (OPENSSL_3_0, "", "~0x0:~0x0"),
        ] {
            assert_eq!(value(family, &masked(list)), want, "{family:?} {list}");
        }
    }

    /// The explanation matches the hidden features.
    #[test]
    fn every_bit_has_a_name() {
        for (feature, bits) in BITS {
            for at in *bits {
                assert!(
                    NAMES.iter().any(|(word, bit, _)| (*word, *bit) == *at),
                    "{feature} {at:?}"
                );
            }
        }
    }

    /// By the names of its own flags.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn this_processor_has_what_it_has() {
        let here = here().unwrap();
        for feature in ropewalk::cpu::FEATURES.iter().filter(|f| f.arch == "x86_64" && f.present())
        {
            let (_, bits) = BITS.iter().find(|(name, _)| *name == feature.name).unwrap();
            if let Some((word, bit)) = bits.first() {
                assert_ne!(here[*word] & 1 << bit, 0, "{}", feature.name);
            }
        }
    }
}
