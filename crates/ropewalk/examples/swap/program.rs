// The text of a program that does not say where its cryptography comes from.

use aes::Aes256;
use aes_gcm::{AeadInOut, Aes256Gcm, KeyInit};
use ctr::{
    Ctr128BE,
    cipher::{KeyIvInit, StreamCipher},
};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// Whose hasher it has, and everything that it computes, one after another.
pub(super) fn program() -> (&'static str, Vec<u8>) {
    let secret = Sha256::digest(b"a secret");

    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&secret).expect("of any length");
    mac.update(b"attack at dawn");
    let tag = mac.finalize().into_bytes();

    let key = Aes256Gcm::new(&secret);
    let mut message = b"attack at dawn".to_vec();
    key.encrypt_in_place(&[0; 12].into(), b"header", &mut message).expect("short");

    let mut text = *b"attack at dawn";
    Ctr128BE::<Aes256>::new(&secret, &[0; 16].into()).apply_keystream(&mut text);

    (std::any::type_name::<Sha256>(), [&secret[..], &tag, &message, &text].concat())
}
