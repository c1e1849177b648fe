//! Keys and states, made as programs make them.

use ropewalk::{aead, cipher, hash, mac};

use super::{
    calls::{SMALL, World},
    files,
    header::Header,
    library,
};
use crate::Case;

/// Objects of each kind.
pub(super) const OF_A_KIND: usize = 3;

impl World {
    /// Makes an object, and the key that it is begun with.
    pub(super) fn make(&mut self, case: &mut Case<'_>, kind: &str, at: usize) {
        let text = self.some_bytes(case);
        let plain = |name: &str, arguments: &[usize]| {
            library::call(Header::get().function(name), arguments)
        };
        match kind {
            "aead_key" => {
                let algorithm = 1 + case.below(aead::Algorithm::ALL.len());
                let secret_len = plain("aead_key_len", &[algorithm]);
                plain("aead_key_init", &[at, algorithm, text, secret_len, 0]);
            }
            "sealer" => {
                let key = self.slot(case, "aead_key");
                plain("aead_key_init", &[key, 1, text, 16, 0]);
                plain("sealer_init_counter", &[at, key, text, 0, 1 + case.below(9), 0]);
            }
            "aead_stream" => {
                let key = self.made(case, "aead_key");
                plain("aead_stream_init", &[at, key, text, 12, 0]);
            }
            "cipher_key" => {
                let algorithm = 1 + case.below(cipher::Algorithm::ALL.len());
                let secret_len = plain("cipher_key_len", &[algorithm]);
                plain("cipher_key_init", &[at, algorithm, text, secret_len, 0]);
            }
            "stream" => {
                let key = self.made(case, "cipher_key");
                let bits = case.pick(&[32, 64, 128]);
                if plain("stream_init_ctr", &[at, key, bits, text, 16, 0]) != 0 {
                    plain("stream_init_chacha20", &[at, key, 0, text, 12, 0]);
                }
            }
            "ecb_key" => {
                plain("ecb_key_init", &[at, text, case.pick(&[16, 24, 32]), 0]);
            }
            "hash_state" => {
                plain("hash_init", &[at, 1 + case.below(hash::Algorithm::ALL.len()), 0]);
            }
            "prk" => {
                // HKDF has no SHAKE, whose numbers are 12 and 13.
                let hash = 1 + case.below(hash::Algorithm::ALL.len() - 2);
                let hash = if hash < 12 { hash } else { hash + 2 };
                let secret_len = plain("hash_digest_len", &[hash]);
                plain("prk_init", &[at, hash, text, secret_len, 0]);
            }
            "wrap_key" => {
                plain("wrap_key_init", &[at, text, case.pick(&[16, 24, 32]), 0]);
            }
            "mac_key" => {
                let algorithm = 1 + case.below(mac::Algorithm::ALL.len());
                let secret_len = plain("mac_key_len", &[algorithm]);
                plain("mac_key_init", &[at, algorithm, text, secret_len, 0]);
            }
            "mac_state" => {
                let key = self.made(case, "mac_key");
                plain("mac_init", &[at, key, 0]);
            }
            "drbg" => {
                plain("drbg_init", &[at, text, 48, text, case.below(49), 0]);
            }
            "record_key" => {
                let (hash, aes) = case.pick(&[(2, 16), (4, 16), (2, 32), (4, 32)]);
                plain("record_key_init", &[at, hash, text, aes, text, case.below(70), 0]);
            }
            "x25519_key" => {
                plain("x25519_key_init", &[at, text, 0]);
            }
            "ed25519_key" => {
                plain("ed25519_key_init", &[at, text, 0]);
            }
            "ed25519_public_key" => {
                // Every other number is the y of a point.
                (0..20).any(|i| plain("ed25519_public_key_init", &[at, text + i, 0]) == 0);
            }
            "p256_key" => {
                // Nearly all numbers of 32 bytes are.
                (0..20).any(|i| plain("p256_key_init", &[at, text + i, 0]) == 0);
            }
            "p256_public_key" => {
                let (key, bytes) = (self.slot(case, "p256_key"), self.arenas[SMALL].start());
                plain("p256_key_init", &[key, text, 0]);
                plain("p256_public", &[key, bytes, 65, 0]);
                plain("p256_public_key_init", &[at, bytes, 65, 0]);
            }
            "rsa_key" => {
                let file = files::rsa();
                plain("rsa_key_read", &[at, file.as_ptr().expose_provenance(), file.len(), 0]);
            }
            "rsa_public_key" => {
                let key = self.made(case, "rsa_key");
                plain("rsa_public", &[at, key, 0]);
            }
            other => panic!("the header has objects that no case makes: {other}"),
        }
    }
}
