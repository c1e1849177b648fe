//! Keys of RFC 8410, section 10, and of OpenSSL, in every form, and damaged.

mod rsa;

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
    assert_eq!(
        refused(PUBLIC_PEM),
        Some(private("its label is not PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY"))
    );
    let encrypted = PRIVATE_PEM.replace("PRIVATE", "ENCRYPTED PRIVATE");
    assert_eq!(refused(&encrypted), Some(private("it is encrypted")));
    assert_eq!(
        PublicKey::from_pem(PRIVATE_PEM).err(),
        Some(public("its label is not PUBLIC KEY or RSA PUBLIC KEY"))
    );
    let (_, document) = pkcs8::SecretDocument::from_pem(PRIVATE_PEM).unwrap();
    let bytes = document.as_bytes();
    damaged(bytes, &PrivateKey::from_der(bytes).unwrap());
    // Ed448, and a key of 33 bytes.
    let mut other = bytes.to_vec();
    other[11] += 1;
    assert_eq!(PrivateKey::from_der(&other).err(), Some(private(NO_ALGORITHM)));
}

fn damaged(bytes: &[u8], key: &PrivateKey) {
    // Cut short, with bytes behind it, with any bit flipped: an error or a key, and no panic.
    for len in 0..bytes.len() {
        assert!(PrivateKey::from_der(&bytes[..len]).is_err(), "{len}");
    }
    assert!(PrivateKey::from_der(&[bytes, &[0]].concat()).is_err());
    let public = key.public().to_der().unwrap();
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
}

/// Made by OpenSSL 3.0: `openssl ecparam -name prime256v1 -genkey -noout`, and what `openssl pkcs8` and `openssl pkey` make of it.
const SEC1_PEM: &str = "-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIPzv2YxaJv39Iz6HebE7SdJMYb4IcdJcNpcDNQrEpl0soAoGCCqGSM49
AwEHoUQDQgAEYaaQpCvVWvL1BmCenbWXfRuJ54OWgwakSEC57bbpjgPXTxqc5JOv
nDkPsgYf4tESdera/iN5eK5qy8n9xjyllA==
-----END EC PRIVATE KEY-----
";
const P256_PEM: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/O/ZjFom/f0jPod5
sTtJ0kxhvghx0lw2lwM1CsSmXSyhRANCAARhppCkK9Va8vUGYJ6dtZd9G4nng5aD
BqRIQLnttumOA9dPGpzkk6+cOQ+yBh/i0RJ16tr+I3l4rmrLyf3GPKWU
-----END PRIVATE KEY-----
";
const P256_PUBLIC_PEM: &str = "-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYaaQpCvVWvL1BmCenbWXfRuJ54OW
gwakSEC57bbpjgPXTxqc5JOvnDkPsgYf4tESdera/iN5eK5qy8n9xjyllA==
-----END PUBLIC KEY-----
";
const COMPRESSED_PEM: &str = "-----BEGIN PUBLIC KEY-----
MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACYaaQpCvVWvL1BmCenbWXfRuJ54OW
gwakSEC57bbpjgM=
-----END PUBLIC KEY-----
";
const P384_PEM: &str = "-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAvMjiNASZPulFZmIi6
Kv3tqmXqL1Mw/aZKpnZxeGgIyt/dadVINJ5bZ3xg3T+8EeahZANiAARFZAD60ONW
5PxBfDOq95hkd2S7oS5Zw7CvwaiOCTzVIfAbtHRdyYyOtVBFuhJniYjVzaP4g7vs
eeyuq4LNaXUpdvupvUmKWfMAhQqEOoPN5JVTaVPs1jMr5s5rABGuLuU=
-----END PRIVATE KEY-----
";
const P384_SEC1_PEM: &str = "-----BEGIN EC PRIVATE KEY-----
MIGkAgEBBDD+CA8NdawFlMp/n/bS2N2nS2WmnjC9d4Wj6OK9OJPr5dUoGqvlQY0f
xAa3hWHJAOegBwYFK4EEACKhZANiAAQR3UWG/YW8YogZST5By/FmbAEsQtFHg8hX
kRjsk0vGdbjFFUNbN4ug3kKXSmJCznGfq91fXNh5XMJpARTVZpCP2jfQZFhzpZAa
yZb/YTv0qpFJXUYgzH1VUNU60WhVX/k=
-----END EC PRIVATE KEY-----
";
/// With the numbers of the curve in place of its name.
const EXPLICIT_PEM: &str = "-----BEGIN EC PRIVATE KEY-----
MIIBaAIBAQQgDX3768mDFp03rlm99ZSxVUQGe1qxUUQ4YzeQ2iJosDeggfowgfcC
AQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAAAAAAAAAAAAAA////////////////
MFsEIP////8AAAABAAAAAAAAAAAAAAAA///////////////8BCBaxjXYqjqT57Pr
vVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSdNgiG5wSTamZ44ROdJreBn36QBEEE
axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54W
K84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA//////////+85vqtpxeehPO5ysL8
YyVRAgEBoUQDQgAEhGlDQiv//nUSLAw17Xk6DtdfiK2a27jUfsfJjB2MMSSnAUIY
BRPWRtCqnjSeKC08Ef66xuU2GJBgvbP7L+aRZA==
-----END EC PRIVATE KEY-----
";

#[test]
fn keys_of_p256_go_both_ways() {
    for pem in [SEC1_PEM, P256_PEM] {
        let key = PrivateKey::from_pem(pem).unwrap();
        assert!(matches!(key, PrivateKey::P256(_)));
        assert_eq!(key.to_pem().unwrap().as_str(), P256_PEM);
        assert_eq!(key.public().to_pem().unwrap(), P256_PUBLIC_PEM);
    }
    for pem in [P256_PUBLIC_PEM, COMPRESSED_PEM] {
        assert_eq!(PublicKey::from_pem(pem).unwrap().to_pem().unwrap(), P256_PUBLIC_PEM);
    }
    let PrivateKey::P256(key) = PrivateKey::from_pem(P256_PEM).unwrap() else { panic!("of P-256") };
    let PublicKey::P256(public) = PublicKey::from_pem(COMPRESSED_PEM).unwrap() else {
        panic!("of P-256")
    };
    public.verify(&[7; 32], &key.sign_deterministic(&[7; 32]).unwrap()).unwrap();
}

#[test]
fn keys_of_other_curves_are_refused() {
    let refused = |pem: &str| PrivateKey::from_pem(pem).err();
    assert_eq!(refused(P384_PEM), Some(private("its curve is not P-256")));
    assert_eq!(refused(P384_SEC1_PEM), Some(private("its curve is not P-256")));
    let (_, explicit) = pkcs8::SecretDocument::from_pem(EXPLICIT_PEM).unwrap();
    assert!(PrivateKey::from_sec1_der(explicit.as_bytes()).is_err());
    // The ECPrivateKey inside of PKCS#8 does not name its curve.
    let (_, document) = pkcs8::SecretDocument::from_pem(P256_PEM).unwrap();
    let inner = PrivateKeyInfoRef::try_from(document.as_bytes()).unwrap().private_key;
    let why = Some(private("it names no curve"));
    assert_eq!(PrivateKey::from_sec1_der(inner.as_bytes()).err(), why);
    // The last byte is of the public key, and the first of the number.
    let mut bytes = document.as_bytes().to_vec();
    damaged(&bytes, &PrivateKey::from_der(&bytes).unwrap());
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(PrivateKey::from_der(&bytes).err(), Some(private(HALVES)));
    *bytes.last_mut().unwrap() ^= 1;
    let at = bytes.windows(2).position(|pair| pair == [0xfc, 0xef]).unwrap();
    bytes[at..at + 4].fill(0xff);
    bytes[at + 4] = 1;
    let why = "it is not from 1 to n - 1";
    assert_eq!(PrivateKey::from_der(&bytes).err(), Some(private(why)));
}
