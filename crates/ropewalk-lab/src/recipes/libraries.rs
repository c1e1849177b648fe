//! The libraries without code from OpenSSL.

use super::{Build, Library, Never, never};

const ARM64: &str = "AESE, PMULL and SHA256H";
const MAKE: &str = "make -j\"$(nproc)\"";

const MBEDTLS: &[&str] = &[
    "cmake -B build -DCMAKE_BUILD_TYPE=Release -DUSE_SHARED_MBEDTLS_LIBRARY=On -DENABLE_TESTING=Off \
     -DENABLE_PROGRAMS=Off {cmake} {more}",
];
const MBEDTLS_BUILD: &str = "cmake --build build -j\"$(nproc)\"";
const MBEDTLS_RESULT: &str = "build/library/libmbedcrypto.so";
const MBEDTLS_NEVER: &[Never] = &[
    never("unset MBEDTLS_AESCE_C", "leaves out the AES instructions of Arm"),
    never("unset MBEDTLS_AESNI_C", "leaves out AES-NI"),
    never("unset MBEDTLS_HAVE_ASM", "leaves out AES-NI where the compiler has no flags for it"),
];
/// In one place, since both `scripts/config.py` of the sources and a compiler flag can set it.
const MBEDTLS_SHA256: &str = "SHA-256 is off unless MBEDTLS_SHA256_USE_ARMV8_A_CRYPTO_IF_PRESENT says \
                              otherwise; before 3.6 that was MBEDTLS_SHA256_USE_A64_CRYPTO_IF_PRESENT";
const MBEDTLS_X86: &str = "it has no code for SHA instructions on x86: doctor says `partly`, and there is \
                           no more";
const MBEDTLS_RISCV: Build = Build::Not("Mbed TLS has no code for RISC-V's instructions");

const LIBGCRYPT: &[&str] = &["./configure {host} --with-libgpg-error-prefix=\"$PREFIX\" {more}"];
const LIBGCRYPT_NEVER: &[Never] = &[
    never("--disable-asm", "leaves all assembly out"),
    never("--disable-arm-crypto-support", "leaves out the instructions of Armv8"),
    never("--disable-neon-support", "leaves out NEON"),
    never("--disable-aesni-support", "leaves out AES-NI; pclmul, shaext, avx2 have the like"),
];
const LIBGCRYPT_NOTE: &str = "PREFIX is where libgpg-error for the same target is installed; instructions are chosen at run time";
const LIBGCRYPT_ASK: &str = "mpicalc --print-config on the device: hwflist is what it uses";

const LIBGCRYPT_AARCH64: Build = Build::With { more: "", expect: ARM64, note: LIBGCRYPT_NOTE };
const LIBGCRYPT_ARMV4: Build = Build::With {
    more: "",
    expect: "AESE and SHA256H, which run where the processor has them",
    note: LIBGCRYPT_NOTE,
};
const LIBGCRYPT_X86_64: Build =
    Build::With { more: "", expect: "AESENC, PCLMULQDQ and SHA256RNDS2", note: LIBGCRYPT_NOTE };
const LIBGCRYPT_X86: Build =
    Build::With { more: "", expect: "AESENC and PCLMULQDQ", note: LIBGCRYPT_NOTE };

const NETTLE: &[&str] = &["./configure {host} {more}"];
const NETTLE_NEVER: &[Never] = &[
    never("--disable-assembler", "leaves all assembly out"),
    never(
        "--disable-fat",
        "leaves the choice to the compiler's flags: no instruction for AES is then used",
    ),
];
const NETTLE_ASK: &str = "NETTLE_FAT_VERBOSE=1 before a program on the device says what it uses";
const NETTLE_ARMV4: Build =
    Build::Not("nettle has NEON for 32-bit Arm, and no instructions for AES or SHA-2 there");
const NETTLE_X86: Build = Build::Not("nettle's AES and SHA instructions are for x86-64 alone");
const NETTLE_RISCV: Build = Build::Not("nettle has no assembly for RISC-V");
const NETTLE_X86_64: Build = Build::With {
    more: "",
    expect: "AESENC and SHA256RNDS2",
    note: "m4 must be there, and GMP for the same target or --enable-mini-gmp; without --disable-fat, \
           instructions are chosen at run time, since 3.7",
};

const SODIUM: &[&str] = &["./configure {host} {more}"];
const SODIUM_NEVER: &[Never] = &[
    never("--disable-asm", "leaves out what is for certain processors, not assembly alone"),
    never("--enable-opt", "builds for the processor of the machine that builds"),
];
const SODIUM_NOTE: &str = "its SHA-256 has no instructions of its own on any processor: doctor says \
                           `partly`, and there is no more";
const SODIUM_X86: Build = Build::With { more: "", expect: "AESENC", note: SODIUM_NOTE };
const SODIUM_ARMV4: Build = Build::Not(
    "libsodium has AES for 64-bit Arm alone; on 32 bits ChaCha20-Poly1305 is what it has",
);
const SODIUM_RISCV: Build = Build::Not("libsodium has no code for RISC-V's instructions");

pub(super) const LIBRARIES: &[Library] = &[
    Library {
        project: "mbedtls",
        since: (2, 28, 0),
        name: "mbedtls-2.28",
        configure: MBEDTLS,
        build: MBEDTLS_BUILD,
        never: MBEDTLS_NEVER,
        result: MBEDTLS_RESULT,
        ask: "",
        targets: [
            Build::Not(
                "2.28 has no code for Armv8's instructions: build mbedtls-3.6, which has AES (since \
                 3.4, MBEDTLS_AESCE_C) and SHA-256 (since 3.2)",
            ),
            Build::Not(
                "2.28 has no code for Armv8's instructions: build mbedtls-3.6, which has AES and \
                 SHA-256 on 32 bits as well",
            ),
            Build::With { more: "", expect: "AESENC and PCLMULQDQ", note: MBEDTLS_X86 },
            Build::With {
                more: "-DCMAKE_C_FLAGS=\"-msse2 -maes -mpclmul\"",
                expect: "AESENC and PCLMULQDQ",
                note: "on 32 bits 2.28 needs the compiler's flags, and then a processor that has AES-NI",
            },
            MBEDTLS_RISCV,
        ],
    },
    Library {
        project: "mbedtls",
        since: (3, 4, 0),
        name: "mbedtls-3.4",
        configure: MBEDTLS,
        build: MBEDTLS_BUILD,
        never: MBEDTLS_NEVER,
        result: MBEDTLS_RESULT,
        ask: "",
        targets: [
            Build::With {
                more: "-DCMAKE_C_FLAGS=-DMBEDTLS_SHA256_USE_A64_CRYPTO_IF_PRESENT",
                expect: ARM64,
                note: MBEDTLS_SHA256,
            },
            Build::Not("AES and SHA-256 on 32-bit Arm came with 3.6: build mbedtls-3.6"),
            Build::With { more: "", expect: "AESENC and PCLMULQDQ", note: MBEDTLS_X86 },
            Build::With {
                more: "-DCMAKE_C_FLAGS=\"-msse2 -maes -mpclmul\"",
                expect: "AESENC and PCLMULQDQ",
                note: "with the compiler's flags, and then for processors that have AES-NI",
            },
            MBEDTLS_RISCV,
        ],
    },
    Library {
        project: "mbedtls",
        since: (3, 6, 0),
        name: "mbedtls-3.6",
        configure: MBEDTLS,
        build: MBEDTLS_BUILD,
        never: MBEDTLS_NEVER,
        result: MBEDTLS_RESULT,
        ask: "",
        targets: [
            Build::With {
                more: "-DCMAKE_C_FLAGS=-DMBEDTLS_SHA256_USE_ARMV8_A_CRYPTO_IF_PRESENT",
                expect: ARM64,
                note: MBEDTLS_SHA256,
            },
            Build::With {
                more: "-DCMAKE_C_FLAGS=\"-march=armv8-a+simd \
                       -DMBEDTLS_SHA256_USE_ARMV8_A_CRYPTO_IF_PRESENT\"",
                expect: "AESE and SHA256H",
                note: "for 64-bit processors with a 32-bit system: an Armv7 one cannot run it, and \
                       without -march the code is left out",
            },
            Build::With { more: "", expect: "AESENC and PCLMULQDQ", note: MBEDTLS_X86 },
            Build::With { more: "", expect: "AESENC and PCLMULQDQ", note: MBEDTLS_X86 },
            MBEDTLS_RISCV,
        ],
    },
    Library {
        project: "wolfssl",
        since: (5, 0, 0),
        name: "wolfssl-5.0",
        configure: &["./configure {host} {more}"],
        build: MAKE,
        never: WOLFSSL_NEVER,
        result: "src/.libs/libwolfssl.so",
        ask: "",
        targets: [
            WOLFSSL_AARCH64,
            WOLFSSL_ARMV4,
            WOLFSSL_X86_64,
            WOLFSSL_X86,
            Build::Not("its AES for RISC-V came with 5.7.2"),
        ],
    },
    Library {
        project: "wolfssl",
        since: (5, 7, 2),
        name: "wolfssl-5.7.2",
        configure: &["./configure {host} {more}"],
        build: MAKE,
        never: WOLFSSL_NEVER,
        result: "src/.libs/libwolfssl.so",
        ask: "",
        targets: [
            WOLFSSL_AARCH64,
            WOLFSSL_ARMV4,
            WOLFSSL_X86_64,
            WOLFSSL_X86,
            Build::With {
                more: "--enable-riscv-asm=zkn",
                expect: "the instructions of Zkn",
                note: "what is named is used without a look at the processor: zkned where it has AES \
                       alone, zvkned for vectors, yes where it has neither",
            },
        ],
    },
    Library {
        project: "libgcrypt",
        since: (1, 8, 0),
        name: "libgcrypt-1.8",
        configure: LIBGCRYPT,
        build: MAKE,
        never: LIBGCRYPT_NEVER,
        result: "src/.libs/libgcrypt.so.20",
        ask: LIBGCRYPT_ASK,
        targets: [
            LIBGCRYPT_AARCH64,
            LIBGCRYPT_ARMV4,
            LIBGCRYPT_X86_64,
            LIBGCRYPT_X86,
            Build::Not("its code for RISC-V's vector cryptography came with 1.12"),
        ],
    },
    Library {
        project: "libgcrypt",
        since: (1, 12, 0),
        name: "libgcrypt-1.12",
        configure: LIBGCRYPT,
        build: MAKE,
        never: LIBGCRYPT_NEVER,
        result: "src/.libs/libgcrypt.so.20",
        ask: LIBGCRYPT_ASK,
        targets: [
            LIBGCRYPT_AARCH64,
            LIBGCRYPT_ARMV4,
            LIBGCRYPT_X86_64,
            LIBGCRYPT_X86,
            Build::With {
                more: "",
                expect: "the instructions of Zvkned and Zvknh",
                note: "the compiler must know the vector cryptography of RISC-V",
            },
        ],
    },
    Library {
        project: "nettle",
        since: (3, 7, 0),
        name: "nettle-3.7",
        configure: NETTLE,
        build: MAKE,
        never: NETTLE_NEVER,
        result: ".lib/libnettle.so",
        ask: NETTLE_ASK,
        targets: [
            Build::Not("its code for Armv8's instructions came with 3.8"),
            NETTLE_ARMV4,
            NETTLE_X86_64,
            NETTLE_X86,
            NETTLE_RISCV,
        ],
    },
    Library {
        project: "nettle",
        since: (3, 8, 0),
        name: "nettle-3.8",
        configure: NETTLE,
        build: MAKE,
        never: NETTLE_NEVER,
        result: ".lib/libnettle.so",
        ask: NETTLE_ASK,
        targets: [
            Build::With {
                more: "",
                expect: ARM64,
                note: "m4 must be there, and GMP for the same target or --enable-mini-gmp; without \
                       --disable-fat, instructions are chosen at run time",
            },
            NETTLE_ARMV4,
            NETTLE_X86_64,
            NETTLE_X86,
            NETTLE_RISCV,
        ],
    },
    Library {
        project: "libsodium",
        since: (1, 0, 4),
        name: "libsodium-1.0.4",
        configure: SODIUM,
        build: MAKE,
        never: SODIUM_NEVER,
        result: "src/libsodium/.libs/libsodium.so",
        ask: "",
        targets: [
            Build::Not(
                "up to 1.0.18 its AES-256-GCM is for x86 alone: build 1.0.22, or use \
                 ChaCha20-Poly1305",
            ),
            SODIUM_ARMV4,
            SODIUM_X86,
            SODIUM_X86,
            SODIUM_RISCV,
        ],
    },
    Library {
        project: "libsodium",
        since: (1, 0, 19),
        name: "libsodium-1.0.19",
        configure: SODIUM,
        build: MAKE,
        never: SODIUM_NEVER,
        result: "src/libsodium/.libs/libsodium.so",
        ask: "",
        targets: [
            Build::With {
                more: "{clang}",
                expect: "AESE and PMULL",
                note: "until 1.0.21 its AES-256-GCM for Arm is for clang alone; 1.0.22 has it with gcc \
                       as well",
            },
            SODIUM_ARMV4,
            SODIUM_X86,
            SODIUM_X86,
            SODIUM_RISCV,
        ],
    },
    Library {
        project: "libsodium",
        since: (1, 0, 22),
        name: "libsodium-1.0.22",
        configure: SODIUM,
        build: MAKE,
        never: SODIUM_NEVER,
        result: "src/libsodium/.libs/libsodium.so",
        ask: "",
        targets: [
            Build::With { more: "", expect: "AESE and PMULL", note: SODIUM_NOTE },
            SODIUM_ARMV4,
            SODIUM_X86,
            SODIUM_X86,
            SODIUM_RISCV,
        ],
    },
];

const WOLFSSL_NEVER: &[Never] = &[
    never("--disable-asm", "leaves all assembly out"),
    never(
        "a configure line without --enable-armasm, or on x86 --enable-intelasm",
        "both are off by themselves",
    ),
];
const WOLFSSL_AARCH64: Build = Build::With {
    more: "--enable-armasm",
    expect: "AESE, PMULL and SHA256H",
    note: "SHA-512 and SHA-3 as well with --enable-armasm=sha512-crypto,sha3-crypto, for processors \
           that have them",
};
const WOLFSSL_ARMV4: Build = Build::With {
    more: "--enable-armasm",
    expect: "AESE and SHA256H",
    note: "with this host it uses Armv8's instructions, and an Armv7 processor cannot run it: for that \
           one, a host that begins with armv7a, and the same compiler as CC, with NEON and no AES \
           instructions",
};
const WOLFSSL_X86_64: Build = Build::With {
    more: "--enable-intelasm",
    expect: "AESENC and PCLMULQDQ",
    note: "instructions are chosen at run time",
};
const WOLFSSL_X86: Build = Build::Not(
    "its assembly for 32-bit x86 belongs to a host called x86, which configure gives no machine; on \
     x86-64 there is --enable-intelasm",
);
