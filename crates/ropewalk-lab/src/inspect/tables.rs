//! Evidence of algorithms in data: tables, constants, and credit lines of assembly code.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

/// The name of SHA-256's constants, in a table or not.
pub(super) const SHA256: &str = "SHA-256 constants";
pub(super) const SHA256_IN_CODE: &str = "SHA-256 constants in its code";

/// Each of these by itself is no evidence of AES: its S-box is used to shuffle numbers, and powers of two are
/// in other fields too.
pub(super) const WEAK: &[&str] = &[S_BOX, "AES inverse S-box", "AES round constants"];
pub(super) const S_BOX: &str = "AES S-box";

/// The first bytes of tables of algorithms, as words of either byte order.
const TABLES: &[(&str, &str)] = &[
    (S_BOX, r"\x63\x7c\x77\x7b\xf2\x6b\x6f\xc5\x30\x01\x67\x2b\xfe\xd7\xab\x76"),
    ("AES inverse S-box", r"\x52\x09\x6a\xd5\x30\x36\xa5\x38\xbf\x40\xa3\x9e\x81\xf3\xd7\xfb"),
    // As bytes, and as words of either byte order.
    (
        "AES round constants",
        r"\x01\x02\x04\x08\x10\x20\x40\x80\x1b\x36|\x40\x00{3}\x80\x00{3}\x1b\x00{3}\x36",
    ),
    ("AES encryption tables", r"\xa5\x63\x63\xc6\x84\x7c\x7c\xf8|\xc6\x63\x63\xa5\xf8\x7c\x7c\x84"),
    ("AES decryption tables", r"\x50\xa7\xf4\x51\x53\x65\x41\x7e|\x51\xf4\xa7\x50\x7e\x41\x65\x53"),
    // The input transform of Hamburg's.
    (
        "AES by vector permutation",
        r"\x00\x70\x2a\x5a\x98\xe8\xb2\xc2\x08\x78\x22\x52\x90\xe0\xba\xca",
    ),
    (SHA256, r"\x98\x2f\x8a\x42\x91\x44\x37\x71|\x42\x8a\x2f\x98\x71\x37\x44\x91"),
    (
        "SHA-512 constants",
        r"\x22\xae\x28\xd7\x98\x2f\x8a\x42\xcd\x65\xef\x23|\x42\x8a\x2f\x98\xd7\x28\xae\x22\x71\x37\x44\x91",
    ),
    // The reductions of four bits, or of eight, in 16 bits or at the top of 64.
    ("GHASH remainders", r"\x20\x1c\x40\x38\x60\x24\x80\x70|\xc2\x01\x84\x03\x46\x02\x08\x07"),
    (
        "GHASH remainders",
        r"\x01\xc2\x03\x84\x02\x46\x07\x08|\x00{6}\x20\x1c\x00{6}\x40\x38\x00{6}\x60\x24",
    ),
    ("GHASH remainders", r"\x00{6}\xc2\x01\x00{6}\x84\x03\x00{6}\x46\x02"),
    // The aliases with which Linux finds its modules; the last is the name of an implementation.
    ("AES by its name in Linux", r"alias=crypto-(?:[a-z0-9]+\()*aes|\x00aes-fixed-time\x00"),
    ("SHA-256 by its name in Linux", r"alias=crypto-sha256"),
    (GCM, r"(?i:AES[-_]?(128|192|256)?[-_/]?GCM)"),
];

const GCM: &str = "AES-GCM by its name";

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = TABLES.iter().map(|(_, pattern)| format!("(?-u){pattern}"));
    RegexSet::new(patterns).expect("they were tried")
});

/// Adds the tables in a file to those that were found.
pub(super) fn find(bytes: &[u8], found: &mut Vec<&'static str>) {
    for known in SET.matches(bytes) {
        let (name, _) = TABLES[known];
        if !found.contains(&name) && (name != GCM || names_gcm(bytes)) {
            found.push(name);
        }
    }
    found.sort_by_key(|name| TABLES.iter().position(|(known, _)| known == name));
}

/// The name of AES-GCM.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let (_, name) = TABLES[TABLES.len() - 1];
    Regex::new(&format!("(?-u){name}")).expect("it was tried")
});

/// The number of bytes on either side of a name that are examined.
const AROUND: usize = 200;

/// The name of a source file, or of a folder of sources.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    let endings = "c|cc|cpp|cxx|h|hh|hpp|rs|go|s|asm|inc|o|lo|pl|py|java|swift|zig";
    Regex::new(&format!(
        r"(?i-u)\.(?:{endings})$|^\.{{0,2}}/|[a-z]/src/|/[^/]+/.*/|-\d+\.\d+\.\d+/"
    ))
    .expect("it was tried")
});

/// Whether AES-GCM is named as an algorithm, and not only in the names of source files.
fn names_gcm(bytes: &[u8]) -> bool {
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
    NAME.find_iter(bytes).any(|name| {
        let before = &bytes[name.start().saturating_sub(AROUND)..name.start()];
        let behind = &bytes[name.end()..bytes.len().min(name.end() + AROUND)];
        let before = before.iter().rev().take_while(|byte| is_path(byte)).count();
        let behind = behind.iter().take_while(|byte| is_path(byte)).count();
        !SOURCE.is_match(&bytes[name.start() - before..name.end() + behind])
    })
}

/// The most modules that are kept.
const MODULES: usize = 256;

/// The credit line in assembly modules of OpenSSL and its forks.
static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?-u)([ -~]{4,80}), ?CRYPTOGAMS by [ -~]+|(Vector Permut[a-z]+ AES for [ -+.-~]{3,40}),",
    )
    .expect("it was tried")
});

/// Adds the assembly modules in a file.
pub(super) fn modules(bytes: &[u8], found: &mut Vec<String>) {
    for module in MODULE.captures_iter(bytes) {
        let module = module.get(1).or(module.get(2)).expect("it is one of them");
        let module = String::from_utf8_lossy(module.as_bytes());
        // On 32-bit Arm the instruction before the line, a return, can be printable.
        let module = module.strip_prefix("pG").unwrap_or(&module).trim().to_owned();
        if found.len() < MODULES && !found.contains(&module) {
            found.push(module);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_in_either_order() {
        let found = |bytes: &[u8]| {
            let mut found = Vec::new();
            find(bytes, &mut found);
            found
        };
        let k256 = [0x428a_2f98_u32, 0x7137_4491, 0xb5c0_fbcf];
        let k512 = [0x428a_2f98_d728_ae22_u64, 0x7137_4491_23ef_65cd];
        assert_eq!(found(&k256.map(u32::to_le_bytes).concat()), ["SHA-256 constants"]);
        assert_eq!(found(&k256.map(u32::to_be_bytes).concat()), ["SHA-256 constants"]);
        assert_eq!(found(&k512.map(u64::to_le_bytes).concat()), ["SHA-512 constants"]);
        assert_eq!(found(&k512.map(u64::to_be_bytes).concat()), ["SHA-512 constants"]);
        let (four, eight) =
            ([0, 0x1c20_u16, 0x3840, 0x2460, 0x7080], [0, 0x01c2_u16, 0x0384, 0x0246, 0x0708]);
        for remainders in [four, eight] {
            let wide = remainders.map(|it| u64::from(it) << 48);
            assert_eq!(found(&remainders.map(u16::to_le_bytes).concat()), ["GHASH remainders"]);
            assert_eq!(found(&wide.map(u64::to_le_bytes).concat()), ["GHASH remainders"]);
        }
        assert!(found(b"AES, and GCM").is_empty());
        let bytes = b"\x01\x02\x04\x08\x10\x20\x40\x80\x1b\x36";
        let words = [1_u32, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];
        assert_eq!(found(bytes), ["AES round constants"]);
        assert_eq!(found(&words.map(u32::to_le_bytes).concat()), ["AES round constants"]);
        assert_eq!(found(&words.map(u32::to_be_bytes).concat()), ["AES round constants"]);
        assert_eq!(found(b"alias=crypto-ecb(aes)\0"), ["AES by its name in Linux"]);
        assert_eq!(found(b"alias=crypto-cts(cbc(aes))\0"), ["AES by its name in Linux"]);
        assert_eq!(found(b"alias=crypto-essiv(cbc(aes),sha256)"), ["AES by its name in Linux"]);
        assert_eq!(found(b"alias=crypto-sha256\0"), ["SHA-256 by its name in Linux"]);
        assert!(found(b"alias=crypto-aegis128\0alias=crypto-sha1\0").is_empty());
    }

    #[test]
    fn gcm_is_an_algorithm_and_not_a_source_file() {
        let found = |bytes: &[u8]| {
            let mut found = Vec::new();
            find(bytes, &mut found);
            !found.is_empty()
        };
        for name in [
            "id-aes256-GCM",
            "aes-256-gcm@openssh.com",
            "TLS_AES_128_GCM_SHA256",
            "ECDHE-RSA-AES128-GCM-SHA256:ECDHE",
            "AES/GCM/NoPadding",
            "AES128GCM",
        ] {
            assert!(found(name.as_bytes()), "{name}");
        }
        for name in [
            "aes_gcm.c",
            "crypto/aes-gcm.c:120",
            "../../lib/crypto/aesgcm.h",
            "/home/user/.cargo/registry/src/index/aes-gcm-0.10.3/src/lib.rs",
            "aes-gcm-0.10.3/src/lib.rs",
            "crypto/internal/fips140/aes/gcm/gcm_nonces.go",
            "aes_gcm_arm64.S",
        ] {
            assert!(!found(name.as_bytes()), "{name}");
            assert!(found(format!("{name}\0AES-GCM").as_bytes()), "{name}");
        }
    }

    #[test]
    fn modules_are_told_once() {
        let mut found = Vec::new();
        let line = b"\0AES for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0".repeat(3);
        modules(&line, &mut found);
        modules(b"Vector Permutation AES for x86_64/SSSE3, Mike Hamburg (Stanford)", &mut found);
        modules(b"\0\x70\x47GHASH for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0", &mut found);
        let right = ["AES for ARMv8", "Vector Permutation AES for x86_64/SSSE3", "GHASH for ARMv8"];
        assert_eq!(found, right);
    }
}
