//! Backends that compute wrong answers, in a program of its own since they stay so.

mod common;

use std::{collections::BTreeSet, ops::Deref};

use ropewalk::{
    Hash, HashMany, PRIMITIVES, aes_cbc, aes_ccm, aes_cmac, aes_ctr, aes_ecb, aes_gcm, aes_kw,
    aes_xts,
    backend::{self, Info, Primitive},
    cbc_hmac, chacha20, chacha20_poly1305, ed25519, p256, poly1305,
    rsa::{self, HashFunction},
    sha1, x25519,
};

/// A backend's name, and what it makes of a text.
type Made = (&'static str, Vec<u8>);

type List = (Primitive, fn() -> Made);

/// Each list of backends of ciphers and of Poly1305, and what a new key has of it.
const CIPHERS: &[List] = &[
    (aes_cbc::PRIMITIVE, || {
        let (key, mut text) = (aes_cbc::Key::new(&KEY[..16]).unwrap(), TEXT);
        key.encrypt(&IV, &mut text).unwrap();
        key.decrypt(&NEXT_IV, &mut text).unwrap();
        (key.backend(), text.into())
    }),
    (aes_cbc::PRIMITIVE_MANY, || {
        let (key, many) = (aes_cbc::Key::new(&KEY[..16]).unwrap(), aes_cbc::Many::new());
        let mut texts = [TEXT; COUNT];
        let mut messages =
            texts.each_mut().map(|text| aes_cbc::Message { key: &key, iv: &IV, text });
        many.encrypt(&mut messages).unwrap();
        // Few messages go to a backend of fewer lanes.
        many.encrypt(&mut messages[..4]).unwrap();
        (many.backend(), texts.concat())
    }),
    (aes_ccm::PRIMITIVE, || {
        let (key, mut text) = (aes_ccm::Key::new(&KEY).unwrap(), TEXT);
        let tag = key.seal(&IV[..12], b"", &mut text).unwrap();
        (key.backend(), [&text[..], &tag].concat())
    }),
    (aes_ccm::PRIMITIVE_MANY, || {
        let (key, many) = (aes_ccm::Key::new(&KEY).unwrap(), aes_ccm::Many::new());
        let mut texts = [TEXT; COUNT];
        let mut messages = texts.each_mut().map(|text| aes_ccm::Message {
            key: &key,
            nonce: &IV[..12],
            aad: b"",
            text,
        });
        let mut tags = [aes_ccm::Tag::default(); COUNT];
        many.seal(&mut messages, &mut tags).unwrap();
        (many.backend(), [texts.concat(), together(&tags)].concat())
    }),
    (aes_cmac::PRIMITIVE, || {
        let key = aes_cmac::Key::new(&KEY).unwrap();
        (key.backend(), key.mac(&TEXT).to_vec())
    }),
    (aes_cmac::PRIMITIVE_MANY, || {
        let (key, many) = (aes_cmac::Key::new(&KEY).unwrap(), aes_cmac::Many::new());
        let messages = [aes_cmac::Message { key: &key, text: &TEXT }; COUNT];
        let mut tags = [aes_cmac::Tag::default(); COUNT];
        many.mac(&messages, &mut tags).unwrap();
        many.mac(&messages[..4], &mut tags[..4]).unwrap();
        (many.backend(), together(&tags))
    }),
    (aes_ctr::PRIMITIVE, || {
        let (key, mut text) = (aes_ctr::Key::new(&KEY).unwrap(), TEXT);
        key.apply_keystream(aes_ctr::Counter::Bits128, &IV, &mut text).unwrap();
        (key.backend(), text.into())
    }),
    (aes_ctr::PRIMITIVE_MANY, || {
        let (key, many) = (aes_ctr::Key::new(&KEY).unwrap(), aes_ctr::Many::new());
        let mut texts = [[7; 32]; COUNT];
        let mut messages =
            texts.each_mut().map(|text| aes_ctr::Message { key: &key, iv: &IV, text });
        many.apply_keystream(aes_ctr::Counter::Bits128, &mut messages).unwrap();
        (many.backend(), texts.concat())
    }),
    (aes_ecb::PRIMITIVE, || {
        let (key, mut text) = (aes_ecb::Key::new(&KEY).unwrap(), TEXT);
        key.encrypt(&mut text).unwrap();
        (key.backend(), text.into())
    }),
    (aes_gcm::PRIMITIVE, || {
        let (key, mut text) = (aes_gcm::Key::new(&KEY).unwrap(), TEXT);
        let tag = key.seal(&IV[..12], b"", &mut text).unwrap();
        // It has a kernel of its own.
        let once = aes_gcm::seal_once(&KEY, &IV[..12], b"", &mut text[..16]).unwrap();
        (key.backend(), [&text[..], &tag, &once].concat())
    }),
    (aes_gcm::PRIMITIVE_MANY, || {
        let (key, many) = (aes_gcm::Key::new(&KEY).unwrap(), aes_gcm::Many::new());
        let mut texts = [[7; 40]; COUNT];
        let mut messages = texts.each_mut().map(|text| aes_gcm::Message {
            key: &key,
            nonce: &IV[..12],
            aad: b"",
            text,
        });
        let mut tags = [aes_gcm::Tag::default(); COUNT];
        many.seal(&mut messages, &mut tags).unwrap();
        (many.backend(), [texts.concat(), together(&tags)].concat())
    }),
    (aes_kw::PRIMITIVE, || {
        let (key, mut wrapped) = (aes_kw::Key::new(&KEY).unwrap(), [0; 40]);
        key.wrap_to(&KEY, &mut wrapped).unwrap();
        (key.backend(), wrapped.into())
    }),
    (aes_xts::PRIMITIVE, || {
        let (key, mut text) = (aes_xts::Key::new(&KEY).unwrap(), TEXT);
        key.encrypt(&IV, &mut text).unwrap();
        (key.backend(), text.into())
    }),
    (aes_xts::PRIMITIVE_MANY, || {
        let (key, many) = (aes_xts::Key::new(&KEY).unwrap(), aes_xts::Many::new());
        let mut texts = [TEXT; COUNT];
        let mut messages =
            texts.each_mut().map(|text| aes_xts::Message { key: &key, tweak: &IV, text });
        many.encrypt(&mut messages).unwrap();
        (many.backend(), texts.concat())
    }),
    (cbc_hmac::PRIMITIVE_SHA1, || {
        type Key = cbc_hmac::Key<sha1::Sha1>;
        let key = Key::new(&KEY, &KEY).unwrap();
        let mut record = [0; Key::sealed_len(TEXT.len())];
        key.seal_to(&IV, b"\0\0\0\0\0\0\0\x01\x17\x03\x03", &TEXT, &mut record).unwrap();
        (key.backend(), record.into())
    }),
    (chacha20::PRIMITIVE, || {
        let (key, mut text) = (chacha20::Key::new(&KEY).unwrap(), TEXT);
        key.apply_keystream(1, &[7; 12], &mut text).unwrap();
        (key.backend(), text.into())
    }),
    (chacha20_poly1305::PRIMITIVE, || {
        let (key, mut text) = (chacha20_poly1305::Key::new(&KEY).unwrap(), TEXT);
        let tag = key.seal(&IV[..12], b"", &mut text).unwrap();
        (key.backend(), [&text[..], &tag[..]].concat())
    }),
    (chacha20_poly1305::PRIMITIVE_MANY, || {
        let key = chacha20_poly1305::Key::new(&KEY).unwrap();
        let (many, mut texts) = (chacha20_poly1305::Many::new(), [TEXT; COUNT]);
        let mut messages = texts.each_mut().map(|text| chacha20_poly1305::Message {
            key: &key,
            nonce: &IV[..12],
            aad: b"",
            text,
        });
        let mut tags = [chacha20_poly1305::Tag::default(); COUNT];
        many.seal(&mut messages, &mut tags).unwrap();
        (many.backend(), [texts.concat(), together(&tags)].concat())
    }),
    (ed25519::PRIMITIVE, || {
        let key = ed25519::PrivateKey::from_seed(&KEY);
        let signature = key.sign(&TEXT);
        key.public().verify(&TEXT, &signature).unwrap();
        (key.backend(), signature.to_vec())
    }),
    (ed25519::PRIMITIVE_MANY, || {
        let (key, many) = (ed25519::PrivateKey::from_seed(&KEY), ed25519::Many::new());
        let mut signatures = [[0; 64]; COUNT];
        let to_sign = [ed25519::ToSign { key: &key, message: &TEXT }; COUNT];
        many.sign(&to_sign, &mut signatures).unwrap();
        (many.backend(), signatures.concat())
    }),
    (p256::PRIMITIVE, || {
        let key = p256::PrivateKey::from_bytes(&KEY).unwrap();
        let signature = key.sign_deterministic(&TEXT).unwrap();
        key.public().verify(&TEXT, &signature).unwrap();
        (key.backend(), [&signature.to_bytes(), &key.agree(&key.public()).as_bytes()[..]].concat())
    }),
    (p256::PRIMITIVE_MANY, || {
        let (key, many) = (p256::PrivateKey::from_bytes(&KEY).unwrap(), p256::Many::new());
        let mut signatures = [None; COUNT];
        let to_sign = [p256::ToSign { key: &key, digest: &TEXT }; COUNT];
        many.sign_deterministic(&to_sign, &mut signatures).unwrap();
        (many.backend(), signatures.map(|it| it.unwrap().to_bytes()).concat())
    }),
    (rsa::PRIMITIVE, || {
        let (key, mut signature) = (rsa_key(), [0; 256]);
        key.sign_pkcs1v15(HashFunction::Sha256, &KEY, &mut signature).unwrap();
        key.public().verify_pkcs1v15(HashFunction::Sha256, &KEY, &signature).unwrap();
        (key.backend(), signature.to_vec())
    }),
    (rsa::PRIMITIVE_MANY, || {
        let (key, many, mut signatures) = (&rsa_key(), rsa::Many::new(), [[0; 256]; COUNT]);
        let (padding, function) = (rsa::Padding::Pkcs1v15, HashFunction::Sha256);
        let mut to_sign = signatures.each_mut().map(|signature| rsa::ToSign {
            key,
            padding,
            function,
            digest: &KEY,
            signature,
        });
        let mut results = [Ok(()); COUNT];
        many.sign(&mut to_sign, &mut results).unwrap();
        assert_eq!(results, [Ok(()); COUNT]);
        (many.backend(), signatures.concat())
    }),
    (x25519::PRIMITIVE, || {
        let key = x25519::PrivateKey::from_bytes(&KEY);
        let secret = key.agree(&key.public()).unwrap();
        (key.backend(), secret.as_bytes().to_vec())
    }),
    (x25519::PRIMITIVE_MANY, || {
        let (key, many) = (x25519::PrivateKey::from_bytes(&KEY), x25519::Many::new());
        let mut public = [x25519::PublicKey([0; 32]); COUNT];
        many.public(&[&key; COUNT], &mut public).unwrap();
        let mut secrets = [const { None::<x25519::SharedSecret> }; COUNT];
        many.agree(&public.each_ref().map(|public| (&key, public)), &mut secrets).unwrap();
        let bytes = secrets.iter().flatten().flat_map(|secret| secret.as_bytes());
        (many.backend(), bytes.copied().collect())
    }),
    (poly1305::PRIMITIVE, || {
        let mut mac = poly1305::Poly1305::new(&KEY);
        mac.update(&TEXT);
        (mac.backend(), [*mac.finish(), *poly1305::mac(&KEY, &TEXT)].concat())
    }),
];

fn rsa_key() -> rsa::PrivateKey {
    let [n, e, p, q] = &common::rsa_keys()[0];
    rsa::PrivateKey::new(&rsa::Parts { n, e, p, q }).unwrap()
}

macro_rules! hashes {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt ($one:ident $many:ident)
        $calls:tt $hmac:tt; )+) => {
        /// The same of hash functions, of which some have one list.
        const HASHES: &[List] = &[
            $(
                (ropewalk::$module::$one, hash::<ropewalk::$module::$Hash>),
                (ropewalk::$module::$many, hash_many::<ropewalk::$module::$Many>),
            )+
        ];
    };
}

ropewalk::hash_functions! { hashes! {} }

fn together(tags: &[impl Deref<Target = [u8]>]) -> Vec<u8> {
    tags.iter().flat_map(|tag| tag.iter()).copied().collect()
}

fn hash<H: Hash>() -> Made {
    (H::default().backend(), H::default().digest(&TEXT).as_ref().to_vec())
}

fn hash_many<M: HashMany>() -> Made {
    let many = M::default();
    let mut digests = vec![M::One::default().digest(b""); COUNT];
    many.digest(&[&TEXT[..]; COUNT], &mut digests).unwrap();
    // Few messages go to a backend of few lanes.
    let (few, _) = digests.split_at_mut(2);
    many.digest(&[&TEXT[..]; 2], few).unwrap();
    (many.backend(), digests.iter().flat_map(|digest| digest.as_ref()).copied().collect())
}

const KEY: [u8; 32] = *b"0123456789abcdefghijklmnopqrstuv";
const IV: [u8; 16] = *b"an initial value";
const NEXT_IV: [u8; 16] = *b"the next initial";
const TEXT: [u8; 640] = [7; 640];
const COUNT: usize = 37;

/// Nothing that was built for this processor is wrong on it. Then each backend in turn counts as wrong: new keys get the next
/// one, the right answers come out of that, and the list of wrong ones has it. Portable is used even so.
#[test]
fn a_wrong_backend_makes_way_for_the_next() {
    assert_eq!(backend::wrong().map(|info| info.name).collect::<Vec<_>>(), [] as [&str; 0]);
    // What others use comes last: their answers hold with right parts and with wrong ones.
    let mut seen = BTreeSet::new();
    for (primitive, make) in CIPHERS.iter().chain(HASHES) {
        let name = primitive.name;
        if !seen.insert(primitive.backends.as_ptr()) {
            continue;
        }
        let available: Vec<&Info> = primitive
            .backends
            .iter()
            .filter(|info| info.fits_tuning() && (info.available)())
            .collect();
        let (first, answer) = make();
        assert_eq!(first, available[0].name, "{name}");
        for (i, info) in available.iter().enumerate() {
            assert!(info.is_usable(), "{name}: {}", info.name);
            info.plant_fault();
            assert!(!info.is_usable(), "{name}: {}", info.name);
            let next = available.get(i + 1).unwrap_or(info).name;
            assert_eq!(primitive.chosen().map(|info| info.name), Some(next), "{name}");
            assert_eq!(make(), (next, answer.clone()), "{name} without {}", info.name);
            assert!(backend::wrong().any(|wrong| wrong.name == info.name), "{name}: {}", info.name);
        }
    }
    // By their names they are there still, and all are listed once.
    let names: Vec<&str> = backend::wrong().map(|info| info.name).collect();
    let fits = |info: &&Info| info.fits_tuning() && (info.available)();
    let all = PRIMITIVES.iter().flat_map(|primitive| primitive.backends).filter(fits);
    let all: BTreeSet<&str> = all.map(|info| info.name).collect();
    assert_eq!(names.len(), all.len());
    assert_eq!(BTreeSet::from_iter(names), all);
    for primitive in PRIMITIVES {
        for name in common::backends(primitive) {
            assert_eq!((primitive.self_test)(name), Ok(true), "{name} of {}", primitive.name);
        }
    }
}
