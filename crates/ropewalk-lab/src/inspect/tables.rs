//! What algorithms leave in data: tables, constants, and the lines of authors of assembly language.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

/// What tables of algorithms begin with, as words of either order.
const TABLES: &[(&str, &str)] = &[
    ("AES S-box", r"\x63\x7c\x77\x7b\xf2\x6b\x6f\xc5\x30\x01\x67\x2b\xfe\xd7\xab\x76"),
    ("AES encryption tables", r"\xa5\x63\x63\xc6\x84\x7c\x7c\xf8|\xc6\x63\x63\xa5\xf8\x7c\x7c\x84"),
    ("AES decryption tables", r"\x50\xa7\xf4\x51\x53\x65\x41\x7e|\x51\xf4\xa7\x50\x7e\x41\x65\x53"),
    ("SHA-256 constants", r"\x98\x2f\x8a\x42\x91\x44\x37\x71|\x42\x8a\x2f\x98\x71\x37\x44\x91"),
    (
        "SHA-512 constants",
        r"\x22\xae\x28\xd7\x98\x2f\x8a\x42\xcd\x65\xef\x23|\x42\x8a\x2f\x98\xd7\x28\xae\x22\x71\x37\x44\x91",
    ),
    // What is left of four bits, or of eight, in 16 bits or on top of 64.
    ("GHASH remainders", r"\x20\x1c\x40\x38\x60\x24\x80\x70|\xc2\x01\x84\x03\x46\x02\x08\x07"),
    (
        "GHASH remainders",
        r"\x01\xc2\x03\x84\x02\x46\x07\x08|\x00{6}\x20\x1c\x00{6}\x40\x38\x00{6}\x60\x24",
    ),
    ("GHASH remainders", r"\x00{6}\xc2\x01\x00{6}\x84\x03\x00{6}\x46\x02"),
    ("AES-GCM by its name", r"(?i:AES[-_]?(128|192|256)?[-_/]?GCM)"),
];

static SET: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = TABLES.iter().map(|(_, pattern)| format!("(?-u){pattern}"));
    RegexSet::new(patterns).expect("they were tried")
});

/// Adds those that are in a file to those that were found.
pub(super) fn find(bytes: &[u8], found: &mut Vec<&'static str>) {
    for known in SET.matches(bytes) {
        if !found.contains(&TABLES[known].0) {
            found.push(TABLES[known].0);
        }
    }
    found.sort_by_key(|name| TABLES.iter().position(|(known, _)| known == name));
}

/// So many modules are kept.
const MODULES: usize = 256;

/// The line that modules of OpenSSL's assembly and its descendants' have.
static MODULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u)([ -~]{4,80}), ?CRYPTOGAMS by [ -~]+").expect("it was tried")
});

/// Adds the modules in assembly language that are in a file.
pub(super) fn modules(bytes: &[u8], found: &mut Vec<String>) {
    for module in MODULE.captures_iter(bytes) {
        let module = String::from_utf8_lossy(&module[1]);
        // On 32-bit Arm the instruction before the line, a return, can be printed.
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
        assert_eq!(found(b"id-aes256-GCM"), ["AES-GCM by its name"]);
        assert!(found(b"AES, and GCM").is_empty());
    }

    #[test]
    fn modules_are_told_once() {
        let mut found = Vec::new();
        let line = b"\0AES for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0".repeat(3);
        modules(&line, &mut found);
        modules(b"\0\x70\x47GHASH for ARMv8, CRYPTOGAMS by <appro@openssl.org>\0", &mut found);
        assert_eq!(found, ["AES for ARMv8", "GHASH for ARMv8"]);
    }
}
