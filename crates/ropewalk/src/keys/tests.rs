//! Keys of RFC 8410, section 10, in every form, and damaged.

use super::*;

const PRIVATE_PEM: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
/// With attributes and the public key.
const PRIVATE_2_PEM: &str = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
const PUBLIC_PEM: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";

#[test]
fn keys_of_the_rfc() {
    let key = PrivateKey::from_pem(PRIVATE_PEM).unwrap();
    assert_eq!(key.to_pem().unwrap().as_str(), PRIVATE_PEM);
    assert_eq!(key.public().to_pem().unwrap(), PUBLIC_PEM);
    let public = PublicKey::from_pem(PUBLIC_PEM).unwrap();
    assert_eq!(public.to_pem().unwrap(), PUBLIC_PEM);
    let PublicKey::Ed25519(public) = public else { panic!("a key of Ed25519") };
    let PrivateKey::Ed25519(key) = key else { panic!("a key of Ed25519") };
    public.verify(b"message", &key.sign(b"message")).unwrap();
}

#[test]
fn x25519_goes_both_ways() {
    let key = PrivateKey::X25519(x25519::PrivateKey::from_bytes(&[7; 32]));
    let back = PrivateKey::from_pem(&key.to_pem().unwrap()).unwrap();
    let (PrivateKey::X25519(key), PrivateKey::X25519(back)) = (key, back) else {
        panic!("of X25519")
    };
    assert_eq!(key.to_bytes(), back.to_bytes());
    let public = PublicKey::X25519(key.public());
    let PublicKey::X25519(back) = PublicKey::from_der(&public.to_der().unwrap()).unwrap() else {
        panic!("a key of X25519")
    };
    assert_eq!(back, key.public());
}

/// A public key that belongs to another private one is refused.
#[test]
fn both_halves_belong_together() {
    let (_, document) = pkcs8::SecretDocument::from_pem(PRIVATE_2_PEM).unwrap();
    let mut bytes = document.as_bytes().to_vec();
    assert!(matches!(PrivateKey::from_der(&bytes), Ok(PrivateKey::Ed25519(_))));
    *bytes.last_mut().unwrap() ^= 1;
    let why = "its public key belongs to another one";
    assert_eq!(PrivateKey::from_der(&bytes).err(), Some(private(why)));
}

#[test]
fn what_is_no_key_is_refused_with_its_reason() {
    let refused = |text: &str| PrivateKey::from_pem(text).err();
    assert_eq!(refused(""), Some(private(NO_PEM)));
    assert_eq!(refused(PUBLIC_PEM), Some(private("its label is not PRIVATE KEY")));
    let encrypted = PRIVATE_PEM.replace("PRIVATE", "ENCRYPTED PRIVATE");
    assert_eq!(refused(&encrypted), Some(private("it is encrypted")));
    assert_eq!(PublicKey::from_pem(PRIVATE_PEM).err(), Some(public("its label is not PUBLIC KEY")));
    let (_, document) = pkcs8::SecretDocument::from_pem(PRIVATE_PEM).unwrap();
    let bytes = document.as_bytes();
    // Cut short, with bytes behind it, with any bit flipped: an error or a key, and no panic.
    for len in 0..bytes.len() {
        assert!(PrivateKey::from_der(&bytes[..len]).is_err(), "{len}");
    }
    assert!(PrivateKey::from_der(&[bytes, &[0]].concat()).is_err());
    let public = PrivateKey::from_der(bytes).unwrap().public().to_der().unwrap();
    for bit in 0..8 * bytes.len() {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(key) = PrivateKey::from_der(&bytes) {
            assert_eq!(key.to_der().unwrap()[..], bytes, "bit {bit}");
        }
    }
    for bit in 0..8 * public.len() {
        let mut bytes = public.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(key) = PublicKey::from_der(&bytes) {
            assert_eq!(key.to_der().unwrap(), bytes, "bit {bit}");
        }
    }
    // Ed448, and a key of 33 bytes.
    let mut other = bytes.to_vec();
    other[11] += 1;
    assert_eq!(PrivateKey::from_der(&other).err(), Some(private(NO_ALGORITHM)));
}
