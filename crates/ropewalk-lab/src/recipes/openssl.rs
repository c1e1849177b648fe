//! OpenSSL, and BoringSSL and AWS-LC, which were forked from it.

use super::{Build, Library, Never, never, with};

const ARM64: &str = "AESE, PMULL and SHA256H";
const X86_64: &str = "AESENC, PCLMULQDQ and SHA256RNDS2";
const X86_64_WIDE: &str = "AESENC, VAESENC zmm, VPCLMULQDQ zmm and SHA256RNDS2";

const CONFIGURE: &[&str] = &["./Configure {target} {cross} {more}"];
const MAKE: &str = "make -j\"$(nproc)\" build_sw";

const NEVER: &[Never] = &[
    never("no-asm", "leaves all assembly out, and with it every instruction for cryptography"),
    never("linux-generic", "a target without assembly, as no-asm"),
    never("no-sse2", "leaves out what is for SSE2, on 32-bit x86"),
];

const ASK: &str = "openssl version -a on the device: CPUINFO names the processor's words; N/A means no \
                   assembly";

/// For 32-bit Arm, where the compiler's default may be too old for any useful instruction.
const ARMV4: Build = Build::With {
    more: "-D__ARM_MAX_ARCH__=8",
    expect: "AESE and SHA256H, which run where the processor has them",
    note: "NEON and Armv8 are chosen at run time; with a compiler for Armv6 or older they are in the \
           library with __ARM_MAX_ARCH__ alone",
};

/// Instructions that the modules enable in their assembler.
const NO_MARCH: &str =
    "-march is not needed: each module names what it uses, and is chosen at run time";

const AARCH64: Build = Build::With { more: "", expect: ARM64, note: NO_MARCH };

pub(super) const LIBRARIES: &[Library] = &[
    Library {
        project: "openssl",
        since: (1, 1, 0),
        name: "openssl-1.1",
        configure: CONFIGURE,
        build: "make -j\"$(nproc)\"",
        never: NEVER,
        result: "libcrypto.so.1.1",
        ask: "openssl version -f on the device: it names -DAES_ASM and -DOPENSSL_CPUID_OBJ",
        targets: [
            AARCH64,
            ARMV4,
            Build::With {
                more: "",
                expect: X86_64,
                note: "1.1 has no AES-GCM on 512 bits: that is in 3.1 and later",
            },
            with(X86_64),
            Build::Not("1.1 has no assembly for RISC-V: build 3.3 or later"),
        ],
    },
    Library {
        project: "openssl",
        since: (3, 0, 0),
        name: "openssl-3.0",
        configure: CONFIGURE,
        build: MAKE,
        never: NEVER,
        result: "libcrypto.so.3",
        ask: ASK,
        targets: [
            AARCH64,
            ARMV4,
            Build::With {
                more: "",
                expect: X86_64,
                note: "3.0 has no AES-GCM on 512 bits: that is in 3.1 and later",
            },
            with(X86_64),
            Build::Not("3.0 has no assembly for RISC-V: build 3.3 or later"),
        ],
    },
    Library {
        project: "openssl",
        since: (3, 3, 0),
        name: "openssl-3.3",
        configure: CONFIGURE,
        build: MAKE,
        never: NEVER,
        result: "libcrypto.so.3",
        ask: ASK,
        targets: [
            AARCH64,
            ARMV4,
            with(X86_64_WIDE),
            with(X86_64),
            with("the instructions of Zvkned and Zvknh"),
        ],
    },
    Library {
        project: "openssl",
        since: (4, 0, 0),
        name: "openssl-4.0",
        configure: CONFIGURE,
        build: MAKE,
        never: NEVER,
        result: "libcrypto.so.4",
        ask: ASK,
        targets: [
            AARCH64,
            ARMV4,
            with(X86_64_WIDE),
            with(X86_64),
            with("the instructions of Zvkned and Zvknh"),
        ],
    },
    Library {
        project: "boringssl",
        since: (0, 0, 0),
        name: "boringssl",
        configure: &[
            "cmake -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=1 {cmake} {cxx} {more}",
        ],
        build: "cmake --build build -j\"$(nproc)\" --target crypto",
        never: &[
            never("-DOPENSSL_NO_ASM", "leaves all assembly out"),
            never(
                "CMAKE_BUILD_TYPE=Debug",
                "is what one gets without a type: nothing is optimised",
            ),
            never("-DOPENSSL_SMALL", "leaves out what is large and fast"),
        ],
        result: "build/libcrypto.so",
        ask: "",
        targets: [
            with(ARM64),
            with("AESE and SHA256H, which run where the processor has them"),
            with(X86_64_WIDE),
            with(X86_64),
            Build::Not("BoringSSL has no assembly for RISC-V"),
        ],
    },
    Library {
        project: "aws-lc",
        since: (0, 0, 0),
        name: "aws-lc",
        configure: &[
            "cmake -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=1 -DDISABLE_GO=ON \
             -DDISABLE_PERL=ON -DBUILD_TESTING=OFF -DBUILD_TOOL=OFF {cmake} {cxx} {more}",
        ],
        build: "cmake --build build -j\"$(nproc)\" --target crypto",
        never: &[
            never("-DOPENSSL_NO_ASM", "leaves all assembly out"),
            never(
                "a toolchain file without CMAKE_SYSTEM_PROCESSOR",
                "cmake then says `Unknown processor found`, and takes no assembly",
            ),
            never("-DOPENSSL_SMALL", "leaves AVX-512 out"),
            never("-DMY_ASSEMBLER_IS_TOO_OLD_FOR_512AVX", "leaves AVX-512 out"),
        ],
        result: "build/crypto/libcrypto.so",
        ask: "",
        targets: [
            with(ARM64),
            with("AESE and SHA256H, which run where the processor has them"),
            with(X86_64_WIDE),
            with(X86_64),
            Build::Not("AWS-LC has no assembly for RISC-V"),
        ],
    },
];
