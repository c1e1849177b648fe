//! Functions by their names: which of them implement AES, SHA-256 or GHASH, and how.

use std::sync::LazyLock;

use regex::bytes::RegexSet;
use serde::Serialize;

use super::kinds::Use::{self, Aes, Ghash, Sha256};

/// How a function is implemented, according to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum With {
    /// With instructions for it.
    Instructions,
    /// With vectors, without such instructions.
    Vectors,
    /// With general instructions; or the name is that of a wrapper, whose implementation is unknown.
    Anything,
}

impl With {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Instructions => "with instructions",
            Self::Vectors => "with vectors",
            Self::Anything => "portable, or a call",
        }
    }
}

/// Functions with the same purpose and implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Functions {
    /// Their purpose.
    #[serde(rename = "use")]
    pub of: Use,
    /// Their implementation.
    pub with: With,
    /// Their number.
    pub count: u64,
    /// The first of them.
    pub names: Vec<String>,
}

/// The number of names that are reported.
const NAMED: usize = 3;

/// Patterns of names; the first match determines the kind.
const KNOWN: &[(Use, With, &str)] = &[
    // Tables of functions, which exist without any assembly too.
    (Aes, With::Anything, r"^ossl_prov_aes_hw_"),
    // OpenSSL, its forks, and libraries with their assembly code.
    (Ghash, With::Instructions, r"gcm_(init|gmult|ghash)_(v8|clmul|avx|vpclmul|p8|zv|rv64)"),
    (Ghash, With::Instructions, r"(aesni|aes_hw)_gcm_|aes_gcm_(enc|dec).*_kernel|eor3_aes_gcm_"),
    (Ghash, With::Vectors, r"gcm_(init|gmult|ghash)_(neon|ssse3)"),
    (Ghash, With::Anything, r"gcm_(init|gmult|ghash)_(4bit|8bit|nohw)|^CRYPTO_gcm128_init$"),
    (
        Aes,
        With::Instructions,
        r"aes_v8_|aes_hw_|aes_gcm_(en|de)crypt_avx|aesv8|rv64i_zk?vkned|rv64i_zkn[ed]",
    ),
    (Aes, With::Vectors, r"vpaes_|bsaes_"),
    (Aes, With::Anything, r"aes_nohw_|^(asm_)?AES_(en|de)crypt$"),
    (Sha256, With::Instructions, r"sha256_block_(armv8|data_order_(hw|shaext|ce|zv))"),
    (Sha256, With::Vectors, r"sha256_block_(neon|data_order_(ssse3|avx|neon))"),
    (Sha256, With::Anything, r"sha256_block_data_order(_nohw|_c)?$|^SHA256_(Update|Transform)$"),
    // Mbed TLS.
    (Ghash, With::Instructions, r"^mbedtls_aes(ni|ce)_gcm_"),
    (Ghash, With::Anything, r"^mbedtls_gcm_"),
    (Aes, With::Instructions, r"^mbedtls_aes(ni|ce)_"),
    (Aes, With::Anything, r"^mbedtls_(internal_)?aes_(en|de)crypt$|^mbedtls_aes_crypt_"),
    (Sha256, With::Instructions, r"sha256_.*_a64_crypto|sha256.*armv8_crypto|_a64_crypto_sha256"),
    (Sha256, With::Anything, r"^mbedtls_(internal_)?sha256_"),
    // wolfSSL.
    (Aes, With::Instructions, r"^AES_.*(AESNI|aesni|AARCH64|_avx[12]|vaes)"),
    (Ghash, With::Instructions, r"^GCM_.*(AARCH64|_avx[12]|aesni)"),
    (Sha256, With::Vectors, r"^Transform_Sha256_(AVX|NEON)"),
    (Aes, With::Anything, r"^wc_Aes(Encrypt|Cbc|Ctr|Ecb)"),
    (Ghash, With::Anything, r"^wc_AesGcm|^GHASH$"),
    (Sha256, With::Anything, r"^wc_Sha256Update$"),
    // libgcrypt.
    (Ghash, With::Instructions, r"_gcry_ghash_.*(pclmul|pmull|armv8|vpclmul)"),
    (Ghash, With::Vectors, r"_gcry_ghash_.*neon"),
    (Aes, With::Instructions, r"_gcry_(aes_(aesni|armv8_ce)|vaes|aes_vaes)"),
    (Aes, With::Vectors, r"_gcry_aes_(ssse3|neon|sse2)"),
    (Aes, With::Anything, r"_gcry_aes_(amd64|arm|aarch64)_(en|de)crypt"),
    (
        Sha256,
        With::Instructions,
        r"_gcry_sha256_transform_(armv8_ce|intel_shaext)|_gcry_sha256_transform_aarch\d+_armv8_ce",
    ),
    (Sha256, With::Vectors, r"_gcry_sha256_transform_(amd64|armv7|neon)"),
    // Nettle, and GnuTLS's copies.
    (Ghash, With::Instructions, r"_nettle_(fat_)?(ghash|gcm)_.*(pclmul|arm64|pmull)"),
    (Ghash, With::Anything, r"_nettle_(fat_)?(ghash|gcm)_|^nettle_gcm_"),
    (Aes, With::Instructions, r"_nettle_(fat_)?aes.*(aesni|arm64|crypto)"),
    (Aes, With::Anything, r"^_?nettle_(fat_)?aes.*(en|de)crypt"),
    (Sha256, With::Instructions, r"_nettle_(fat_)?sha256_.*(sha_ni|arm64|crypto)"),
    (Sha256, With::Anything, r"_nettle_(fat_)?sha256_compress|^nettle_sha256_update$"),
    // libsodium, NSS, Botan.
    (Aes, With::Instructions, r"crypto_aead_aes256gcm_(aesni|armcrypto)|^(intel|arm|x86)_aes_"),
    (Aes, With::Instructions, r"AES_(128|192|256)\d*(aesni|hw_aes|armv8|vaes|x86_vaes|power8)_"),
    (Aes, With::Vectors, r"AES_(128|192|256)\d*vperm_"),
    (Aes, With::Anything, r"^rijndael_?(en|de)crypt|Botan\d+AES_(128|192|256)\d*encrypt_n"),
    (Sha256, With::Instructions, r"SHA_256\d+compress_digest_(x86|armv8)|SHA256_Compress_Native"),
    (
        Sha256,
        With::Anything,
        r"SHA_256\d+compress_digest|SHA256_Compress_Generic|^crypto_hash_sha256_update$",
    ),
    // BearSSL, libtomcrypt, krb5.
    (Aes, With::Instructions, r"^br_aes_x86ni_keysched"),
    (Ghash, With::Instructions, r"^br_ghash_pclmul$"),
    (Aes, With::Anything, r"^br_aes_(big|small|ct|ct64)_|^rijndael_ecb_|^krb5int_aes_(en|de)crypt"),
    (Ghash, With::Anything, r"^br_ghash_ctmul"),
    (Sha256, With::Anything, r"^br_sha256_update$|^sha256_process$|^k5_sha256$"),
    // Linux.
    (Ghash, With::Instructions, r"^pmull_ghash_update_p64|^clmul_ghash_"),
    (Aes, With::Instructions, r"^(__)?(ce_aes|aes_ce)_|^aesni_(ecb|cbc|ctr|xts|enc|dec)"),
    (Aes, With::Vectors, r"^neon_aes_|^aesbs_"),
    (
        Aes,
        With::Anything,
        r"^aesti_(en|de)crypt$|^crypto_aes_(en|de)crypt$|^__aes_arm(64)?_encrypt$",
    ),
    (Sha256, With::Instructions, r"^(__)?sha2_ce_transform$|^sha256_ni_transform$"),
    (Sha256, With::Vectors, r"^(__)?sha256_block_neon$|^sha256_transform_(ssse3|avx|rorx)"),
    // Go.
    (Ghash, With::Instructions, r"^crypto/.*\.gcmAes(Init|Enc|Dec|Data)"),
    (Ghash, With::Anything, r"^crypto/.*gcm\.(ghash|gcmCounterCryptGeneric)"),
    (
        Aes,
        With::Instructions,
        r"^crypto/.*aes\.(encryptBlockAsm|encryptBlocksChain|decryptBlockAsm)",
    ),
    (Aes, With::Anything, r"^crypto/.*aes\.(en|de)crypt(Block)?(Go|Generic)"),
    (Sha256, With::Instructions, r"^crypto/.*sha256\.blockSHA(NI|2)"),
    (Sha256, With::Vectors, r"^crypto/.*sha256\.blockAVX2"),
    (Sha256, With::Anything, r"^crypto/.*sha256\.block(Generic|Asm)?$"),
    // Rust.
    (Aes, With::Instructions, r"3aes2ni|3aes5armv8|3aes3x86|3aes4hazmat.*intrinsics"),
    (Aes, With::Anything, r"3aes4soft"),
    (Sha256, With::Instructions, r"sha256(7aarch64|3x86|10x86_shani|13aarch64_sha2)"),
    (Sha256, With::Anything, r"4sha26sha256(4soft|15compress256)"),
];

static PATTERNS: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = KNOWN.iter().map(|(.., pattern)| format!("(?-u){pattern}"));
    RegexSet::new(patterns).expect("they were tried")
});

/// All functions that were found.
#[derive(Debug, Default)]
pub(super) struct Met(pub(super) Vec<Functions>);

impl Met {
    /// Adds a name.
    pub(super) fn add(&mut self, name: &[u8]) {
        let Some(known) = PATTERNS.matches(name).iter().next() else { return };
        let (of, with, _) = KNOWN[known];
        // Escaped: a name can contain control sequences.
        let name = name.escape_ascii().to_string();
        match self.0.iter_mut().find(|met| met.of == of && met.with == with) {
            Some(met) => {
                met.count += 1;
                if met.names.len() < NAMED && !met.names.contains(&name) {
                    met.names.push(name);
                }
            }
            None => self.0.push(Functions { of, with, count: 1, names: vec![name] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_functions_do() {
        for (name, of, with) in [
            ("aes_v8_encrypt", Aes, With::Instructions),
            ("aesni_gcm_encrypt", Ghash, With::Instructions),
            ("gcm_ghash_4bit", Ghash, With::Anything),
            ("gcm_ghash_clmul", Ghash, With::Instructions),
            ("vpaes_encrypt", Aes, With::Vectors),
            ("ossl_prov_aes_hw_gcm", Aes, With::Anything),
            ("ring_core_0_17_14__aes_nohw_encrypt", Aes, With::Anything),
            ("ring_core_0_17_14__aes_hw_encrypt", Aes, With::Instructions),
            ("AES_encrypt", Aes, With::Anything),
            ("rv64i_zvkned_encrypt", Aes, With::Instructions),
            ("rv64i_zkne_encrypt", Aes, With::Instructions),
            ("sha256_block_data_order", Sha256, With::Anything),
            ("sha256_block_armv8", Sha256, With::Instructions),
            ("sha256_block_data_order_avx2", Sha256, With::Vectors),
            ("mbedtls_aes_encrypt", Aes, With::Anything),
            ("mbedtls_aesni_crypt_ecb", Aes, With::Instructions),
            ("mbedtls_aesce_gcm_mult", Ghash, With::Instructions),
            ("mbedtls_internal_sha256_process", Sha256, With::Anything),
            ("AES_CBC_encrypt_AESNI", Aes, With::Instructions),
            ("wc_AesCbcEncrypt", Aes, With::Anything),
            ("_gcry_aes_armv8_ce_cbc_enc", Aes, With::Instructions),
            ("_gcry_sha256_transform_armv8_ce", Sha256, With::Instructions),
            ("_nettle_aes_encrypt_aesni", Aes, With::Instructions),
            ("_nettle_aes128_encrypt_c", Aes, With::Anything),
            ("_nettle_ghash_update_arm64", Ghash, With::Instructions),
            ("crypto/internal/fips140/aes.encryptBlockAsm", Aes, With::Instructions),
            ("crypto/aes.encryptBlockGo", Aes, With::Anything),
            ("crypto/sha256.blockGeneric", Sha256, With::Anything),
            ("br_aes_ct64_ctr_run", Aes, With::Anything),
            ("br_aes_x86ni_keysched_enc", Aes, With::Instructions),
            ("krb5int_aes_encrypt", Aes, With::Anything),
            ("k5_sha256", Sha256, With::Anything),
            ("neon_aes_ecb_encrypt", Aes, With::Vectors),
            ("aesbs_cbc_decrypt", Aes, With::Vectors),
            ("aesti_encrypt", Aes, With::Anything),
            ("ce_aes_ecb_encrypt", Aes, With::Instructions),
            ("__aes_ce_encrypt", Aes, With::Instructions),
            ("__sha2_ce_transform", Sha256, With::Instructions),
            ("__sha256_block_neon", Sha256, With::Vectors),
            ("_ZN5Botan7AES_12811hw_aes_encrypt_nEPKhPhm", Aes, With::Instructions),
            ("_ZN5Botan7SHA_25621compress_digest_armv8E", Sha256, With::Instructions),
        ] {
            let mut met = Met::default();
            met.add(name.as_bytes());
            let right = Functions { of, with, count: 1, names: vec![name.into()] };
            assert_eq!(met.0, [right], "{name}");
        }
        let mut met = Met::default();
        for name in ["main", "SSL_CTX_new", "aes", "laesst", "shake256", "gcm", "", "\u{fffd}"] {
            met.add(name.as_bytes());
        }
        assert_eq!(met.0, []);
    }

    #[test]
    fn many_are_counted_and_some_are_named() {
        let mut met = Met::default();
        for i in 0..9 {
            met.add(format!("aes_v8_{i}").as_bytes());
        }
        assert_eq!((met.0[0].count, met.0[0].names.len()), (9, NAMED));
        let mut met = Met::default();
        met.add(b"aes_v8_\x1b[2J\n");
        assert_eq!(met.0[0].names, ["aes_v8_\\x1b[2J\\n"]);
    }
}
