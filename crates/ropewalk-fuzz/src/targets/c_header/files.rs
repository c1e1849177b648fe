//! Files of keys: those that functions of the header read.

use std::sync::OnceLock;

use ropewalk::{
    ed25519,
    keys::{ToPkcs8, ToSpki},
    p256, x25519,
};

use super::super::public_keys::rsa_key_of;

/// Private keys of each algorithm, and their public keys, in DER and PEM.
pub(super) fn all() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let rsa = rsa_key_of(0, "rsa/portable");
        let p256 = p256::PrivateKey::from_bytes(&[7; 32]).expect("it is below n");
        let ed25519 = ed25519::PrivateKey::from_seed(&[7; 32]);
        let x25519 = x25519::PrivateKey::from_bytes(&[7; 32]);
        let private: [&dyn ToPkcs8; 4] = [&rsa, &p256, &ed25519, &x25519];
        let public: [&dyn ToSpki; 4] =
            [rsa.public(), &p256.public(), &ed25519.public(), &x25519.public()];
        let mut files = Vec::new();
        for key in private {
            files.push(key.to_der().expect("DER").to_vec());
            files.push(key.to_pem().expect("PEM").as_bytes().to_vec());
        }
        for key in public {
            files.push(key.to_der().expect("DER"));
            files.push(key.to_pem().expect("PEM").into_bytes());
        }
        files
    })
}

/// The private key of RSA, in DER.
pub(super) fn rsa() -> &'static [u8] {
    &all()[0]
}
