//! Keys may be shared by threads and sent to others; so may states and what works on many messages.

use std::thread;

use ropewalk::{
    aead, aes_cbc, aes_ccm, aes_cmac, aes_ctr, aes_ecb, aes_gcm, aes_kw, aes_xts, cbc_hmac,
    chacha20, chacha20_poly1305, cipher, ed25519, hash, hmac, mac, p256, poly1305::Poly1305,
    random::CtrDrbg, rsa, sha1::Sha1, sha3::Sha3_256, sha256::Sha256, x25519,
};

/// That it compiles is the test.
#[test]
fn types_are_send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<aes_cbc::Key>();
    both::<aes_ccm::Key>();
    both::<aes_cmac::Key>();
    both::<aes_ctr::Key>();
    both::<aes_ctr::Stream>();
    both::<aes_ecb::Key>();
    both::<aes_gcm::Key>();
    both::<aes_gcm::Many>();
    both::<aes_gcm::Sealer>();
    both::<aes_gcm::Stream>();
    both::<aes_kw::Key>();
    both::<aes_xts::Key>();
    both::<cbc_hmac::Key<Sha1>>();
    both::<chacha20::Key>();
    both::<chacha20_poly1305::Key>();
    both::<hmac::Key<Sha3_256>>();
    both::<hmac::Mac<Sha256>>();
    both::<aead::Key>();
    both::<cipher::Key>();
    both::<mac::Key>();
    both::<hash::Hasher>();
    both::<Poly1305>();
    both::<CtrDrbg>();
    both::<ed25519::PrivateKey>();
    both::<ed25519::PublicKey>();
    both::<ed25519::Many>();
    both::<p256::PrivateKey>();
    both::<p256::PublicKey>();
    both::<p256::SharedSecret>();
    both::<p256::Many>();
    both::<rsa::PrivateKey>();
    both::<rsa::PublicKey>();
    both::<rsa::Many>();
    both::<x25519::PrivateKey>();
    both::<x25519::SharedSecret>();
    both::<x25519::Many>();
}

#[test]
fn keys_are_shared_by_threads() {
    let key = aes_gcm::Key::new(&[7; 32]).unwrap();
    let seal = |n: u8| {
        let mut text = [n; 1350];
        let tag = key.seal(&[n; 12], b"header", &mut text).unwrap();
        (text, tag.to_vec())
    };
    let serial: Vec<_> = (0..8).map(seal).collect();
    thread::scope(|scope| {
        for n in 0..8 {
            let (seal, serial) = (&seal, &serial);
            scope.spawn(move || (0..50).for_each(|_| assert!(seal(n) == serial[usize::from(n)])));
        }
    });
}
