//! The predicted operations: one message each, with AES-128 if AES is used.

use ropewalk::{
    Hash, PRIMITIVES, aes_cbc, aes_ccm, aes_cmac,
    aes_ctr::{self, Counter},
    aes_ecb, aes_gcm, aes_kw, aes_xts,
    backend::Primitive,
    cbc_hmac::{self, Key as Records},
    chacha20, chacha20_poly1305, ed25519, p256, poly1305,
    rsa::{self, HashFunction},
    sha1::Sha1,
    sha3::Sha3_256,
    sha256::Sha256,
    sha512::Sha512,
    sm3::Sm3,
    x25519,
};

/// The names of plain loops in place of a backend's: with AES instructions, and with table lookups.
pub(crate) const LOOPS: [&str; 2] = ["loop", "loop-of-lookups"];

/// One operation.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    /// The folder of its backends.
    pub(crate) folder: &'static str,
    /// A message of that length, in the operation's format.
    pub(crate) message: fn(usize) -> Message,
    /// The operation on a backend.
    on: fn(&str) -> Work,
    plain: Plain,
}

/// A text, and its tag or digest if there is one.
#[derive(PartialEq, Eq)]
pub(crate) struct Message {
    /// With room after the text if the result is longer: a record or a wrapped key.
    pub(crate) text: Vec<u8>,
    /// Bytes of the text only.
    pub(crate) len: usize,
    pub(crate) tag: Vec<u8>,
}

pub(crate) type Work = Box<dyn FnOnce(&mut Message)>;

/// The code that backends of Arm64 are compared with.
#[derive(Clone, Copy)]
enum Plain {
    /// A loop over one block, with AES instructions and with table lookups, if they exist.
    #[cfg_attr(not(target_arch = "aarch64"), expect(dead_code))]
    Loop { aes: fn(&mut Message), lookups: Option<fn(&mut Message)> },
    /// The standard in plain Rust, which is the portable backend.
    Portable,
    /// Nothing: blocks depend on each other, and the kernel is itself a plain loop.
    Nothing,
}

/// The loops of that name in both modules, or in one.
macro_rules! plain {
    ($name:ident) => {{
        #[cfg(target_arch = "aarch64")]
        let plain = Plain::Loop {
            aes: crate::plain::aes::$name,
            lookups: Some(crate::plain::lookups::$name),
        };
        #[cfg(not(target_arch = "aarch64"))]
        let plain = Plain::Nothing;
        plain
    }};
    (aes $name:ident) => {{
        #[cfg(target_arch = "aarch64")]
        let plain = Plain::Loop { aes: crate::plain::aes::$name, lookups: None };
        #[cfg(not(target_arch = "aarch64"))]
        let plain = Plain::Nothing;
        plain
    }};
}

#[rustfmt::skip]
pub(crate) const TASKS: &[Task] = &[
    Task { name: "aes-128-ctr/encrypt", folder: "aes_ctr", message: text, on: ctr, plain: plain!(ctr) },
    Task { name: "aes-128-cbc/encrypt", folder: "aes_cbc", message: text, on: cbc_encrypt, plain: plain!(cbc_encrypt) },
    Task { name: "aes-128-cbc/decrypt", folder: "aes_cbc", message: text, on: cbc_decrypt, plain: plain!(cbc_decrypt) },
    Task { name: "aes-128-ecb/encrypt", folder: "aes_ecb", message: text, on: ecb_encrypt, plain: plain!(ecb_encrypt) },
    Task { name: "aes-128-ecb/decrypt", folder: "aes_ecb", message: text, on: ecb_decrypt, plain: plain!(ecb_decrypt) },
    Task { name: "aes-128-xts/encrypt", folder: "aes_xts", message: text, on: xts_encrypt, plain: plain!(xts_encrypt) },
    Task { name: "aes-128-xts/decrypt", folder: "aes_xts", message: text, on: xts_decrypt, plain: plain!(xts_decrypt) },
    Task { name: "aes-128-gcm/seal", folder: "aes_gcm", message: text, on: gcm_seal, plain: plain!(aes seal) },
    Task { name: "aes-128-gcm/open", folder: "aes_gcm", message: gcm_sealed, on: gcm_open, plain: plain!(aes open) },
    Task { name: "aes-128-ccm/seal", folder: "aes_ccm", message: text, on: ccm_seal, plain: plain!(ccm_seal) },
    Task { name: "aes-128-ccm/open", folder: "aes_ccm", message: ccm_sealed, on: ccm_open, plain: plain!(ccm_open) },
    Task { name: "aes-128-cmac/mac", folder: "aes_cmac", message: text, on: cmac, plain: plain!(cmac) },
    Task { name: "aes-128-kw/wrap", folder: "aes_kw", message: with_room, on: wrap, plain: Plain::Nothing },
    Task { name: "aes-128-cbc-hmac-sha1/seal", folder: "cbc_hmac", message: record_room::<Sha1>, on: record_seal::<Sha1>, plain: plain!(record_seal_sha1) },
    Task { name: "aes-128-cbc-hmac-sha1/open", folder: "cbc_hmac", message: record::<Sha1>, on: record_open::<Sha1>, plain: plain!(record_open_sha1) },
    Task { name: "aes-128-cbc-hmac-sha256/seal", folder: "cbc_hmac", message: record_room::<Sha256>, on: record_seal::<Sha256>, plain: plain!(record_seal_sha256) },
    Task { name: "aes-128-cbc-hmac-sha256/open", folder: "cbc_hmac", message: record::<Sha256>, on: record_open::<Sha256>, plain: plain!(record_open_sha256) },
    Task { name: "chacha20/encrypt", folder: "chacha20", message: text, on: chacha, plain: Plain::Portable },
    Task { name: "poly1305/mac", folder: "poly1305", message: text, on: poly, plain: Plain::Portable },
    Task { name: "chacha20-poly1305/seal", folder: "chacha20_poly1305", message: text, on: chacha_seal, plain: Plain::Portable },
    Task { name: "chacha20-poly1305/open", folder: "chacha20_poly1305", message: chacha_sealed, on: chacha_open, plain: Plain::Portable },
    Task { name: "sha1/digest", folder: "sha1", message: text, on: digest::<Sha1>, plain: Plain::Portable },
    Task { name: "sha256/digest", folder: "sha256", message: text, on: digest::<Sha256>, plain: Plain::Portable },
    Task { name: "sha512/digest", folder: "sha512", message: text, on: digest::<Sha512>, plain: Plain::Portable },
    Task { name: "sha3-256/digest", folder: "sha3", message: text, on: digest::<Sha3_256>, plain: Plain::Portable },
    Task { name: "x25519/agree", folder: "x25519", message: text, on: agree, plain: Plain::Nothing },
    Task { name: "p256/agree", folder: "p256", message: text, on: agree_p256, plain: Plain::Nothing },
    Task { name: "p256/sign", folder: "p256", message: text, on: sign_p256, plain: Plain::Nothing },
    Task { name: "rsa-2048/sign", folder: "rsa", message: text, on: sign_rsa, plain: Plain::Nothing },
    Task { name: "rsa-2048/verify", folder: "rsa", message: text, on: verify_rsa, plain: Plain::Nothing },
    Task { name: "ed25519/sign", folder: "ed25519", message: text, on: sign, plain: Plain::Nothing },
    Task { name: "sm3/digest", folder: "sm3", message: text, on: digest::<Sm3>, plain: Plain::Portable },
];

pub(crate) const KEY: [u8; 16] = *b"one key for many";
/// The same, and one for tweaks.
pub(crate) const LONG_KEY: [u8; 32] = *b"one key for manyanother for them";
pub(crate) const MAC_KEY: &[u8] = b"a key of the MAC";
pub(crate) const IV: [u8; 16] = [7; 16];
pub(crate) const NONCE: [u8; 12] = [7; 12];
pub(crate) const HEADER: [u8; 11] = *b"\0\0\0\0\0\0\0\x01\x17\x03\x03";

impl Task {
    /// The backends of this processor for one message, each with the code that it is compared with: those
    /// of Arm64, or the portable one if there is none.
    pub(crate) fn pairs(&self) -> Vec<(&'static str, Option<&'static str>)> {
        let ours = |name: &str| name.split('/').next() == Some(self.folder);
        let lists = PRIMITIVES.iter().flat_map(|primitive| primitive.backends);
        let mut all: Vec<_> = lists
            .filter(|info| ours(info.name) && info.lanes == 1 && (info.available)())
            .map(|info| info.name)
            .collect();
        all.sort();
        all.dedup();
        let portable = all.iter().copied().find(|name| name.ends_with("/portable"));
        all.retain(|name| name.contains("/aarch64/"));
        if all.is_empty() {
            return portable.map(|name| (name, None)).into_iter().collect();
        }
        let plain = |backend: &str| match (self.plain, backend.ends_with("/neon")) {
            (Plain::Loop { .. }, false) => Some(LOOPS[0]),
            (Plain::Loop { lookups: Some(_), .. }, true) => Some(LOOPS[1]),
            (Plain::Portable, _) => portable,
            _ => None,
        };
        all.into_iter().map(|backend| (backend, plain(backend))).collect()
    }

    /// The operation on a backend, or by a plain loop.
    pub(crate) fn work(&self, backend: &str) -> Work {
        match (self.plain, LOOPS.iter().position(|name| *name == backend)) {
            (Plain::Loop { aes, .. }, Some(0)) => Box::new(aes),
            (Plain::Loop { lookups: Some(lookups), .. }, Some(1)) => Box::new(lookups),
            _ => (self.on)(backend),
        }
    }
}

fn text(len: usize) -> Message {
    let text = (0..len).map(|i| (i * 7) as u8).collect();
    Message { text, len, tag: Vec::new() }
}

/// With room for the block that key wrap adds in front.
fn with_room(len: usize) -> Message {
    let mut message = text(len);
    message.text.resize(len + 8, 0);
    message
}

fn record_room<H: cbc_hmac::Hash>(len: usize) -> Message {
    let mut message = text(len);
    message.text.resize(Records::<H>::sealed_len(len), 0);
    message
}

fn record<H: cbc_hmac::Hash>(len: usize) -> Message {
    sealed(record_room::<H>(len), record_seal::<H>(best(&cbc_hmac::PRIMITIVE_SHA256)))
}

fn gcm_sealed(len: usize) -> Message {
    sealed(text(len), gcm_seal(best(&aes_gcm::PRIMITIVE)))
}

fn ccm_sealed(len: usize) -> Message {
    sealed(text(len), ccm_seal(best(&aes_ccm::PRIMITIVE)))
}

fn chacha_sealed(len: usize) -> Message {
    sealed(text(len), chacha_seal(best(&chacha20_poly1305::PRIMITIVE)))
}

/// The backend that a key selects by default.
fn best(primitive: &Primitive) -> &'static str {
    primitive.chosen().expect("one that runs everywhere").name
}

fn sealed(mut message: Message, seal: Work) -> Message {
    seal(&mut message);
    message
}

/// The operations: the key is made for a given backend, and used for each message.
macro_rules! operations {
    ($( $name:ident $(<$H:ident: $Hash:path>)? = $key:expr, |$k:ident, $m:ident| $work:expr; )+) => { $(
        fn $name $(<$H: $Hash>)? (backend: &str) -> Work {
            let $k = $key(backend).expect("a backend that can run here");
            Box::new(move |$m| $work)
        }
    )+ };
}

const RIGHT: &str = "of a length that is allowed, and not forged";

/// A private key, and a public one.
fn p256_pair(name: &str) -> Result<(p256::PrivateKey, p256::PublicKey), ropewalk::Error> {
    let key = p256::PrivateKey::with_backend(&LONG_KEY, name)?;
    let public = key.public();
    Ok((key, public))
}

/// The first key of the vectors.
fn rsa_key(name: &str) -> Result<rsa::PrivateKey, ropewalk::Error> {
    let line =
        include_str!("../../../vectors/rsa.txt").lines().find(|line| line.starts_with("key "));
    let number = |name: &str| {
        let digits =
            line.and_then(|line| line.split(' ').find_map(|field| field.strip_prefix(name)));
        let pairs = digits.unwrap_or_default().as_bytes().as_chunks::<2>().0;
        let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        pairs.iter().map(|&[high, low]| digit(high) << 4 | digit(low)).collect::<Vec<u8>>()
    };
    let [n, e, p, q] = &["n=", "e=", "p=", "q="].map(number);
    rsa::PrivateKey::with_backend(&rsa::Parts { n, e, p, q }, name)
}

fn signed(key: &rsa::PrivateKey) -> Vec<u8> {
    let mut signature = vec![0; key.public().signature_len()];
    key.sign_pkcs1v15(HashFunction::Sha256, &LONG_KEY, &mut signature).expect(RIGHT);
    signature
}

operations! {
    ctr = |name: &str| aes_ctr::Key::with_backend(&KEY, name),
        |key, m| key.apply_keystream(Counter::Bits32, &IV, &mut m.text).expect(RIGHT);
    cbc_encrypt = |name: &str| aes_cbc::Key::with_backend(&KEY, name),
        |key, m| key.encrypt(&IV, &mut m.text).expect(RIGHT);
    cbc_decrypt = |name: &str| aes_cbc::Key::with_backend(&KEY, name),
        |key, m| key.decrypt(&IV, &mut m.text).expect(RIGHT);
    ecb_encrypt = |name: &str| aes_ecb::Key::with_backend(&KEY, name),
        |key, m| key.encrypt(&mut m.text).expect(RIGHT);
    ecb_decrypt = |name: &str| aes_ecb::Key::with_backend(&KEY, name),
        |key, m| key.decrypt(&mut m.text).expect(RIGHT);
    xts_encrypt = |name: &str| aes_xts::Key::with_backend(&LONG_KEY, name),
        |key, m| key.encrypt(&IV, &mut m.text).expect(RIGHT);
    xts_decrypt = |name: &str| aes_xts::Key::with_backend(&LONG_KEY, name),
        |key, m| key.decrypt(&IV, &mut m.text).expect(RIGHT);
    gcm_seal = |name: &str| aes_gcm::Key::with_backend(&KEY, name),
        |key, m| m.tag = key.seal(&NONCE, b"", &mut m.text).expect(RIGHT).to_vec();
    gcm_open = |name: &str| aes_gcm::Key::with_backend(&KEY, name),
        |key, m| key.open(&NONCE, b"", &mut m.text, &m.tag).expect(RIGHT);
    ccm_seal = |name: &str| aes_ccm::Key::with_backend(&KEY, name),
        |key, m| m.tag = key.seal(&NONCE, b"", &mut m.text).expect(RIGHT).to_vec();
    ccm_open = |name: &str| aes_ccm::Key::with_backend(&KEY, name),
        |key, m| key.open(&NONCE, b"", &mut m.text, &m.tag).expect(RIGHT);
    cmac = |name: &str| aes_cmac::Key::with_backend(&KEY, name),
        |key, m| m.tag = key.mac(&m.text).to_vec();
    wrap = |name: &str| aes_kw::Key::with_backend(&KEY, name),
        |key, m| key.wrap(&mut m.text).expect(RIGHT);
    record_seal<H: cbc_hmac::Hash> = |name: &str| Records::<H>::with_backend(&KEY, MAC_KEY, name),
        |key, m| key.seal(&IV, &HEADER, &mut m.text, m.len).expect(RIGHT);
    record_open<H: cbc_hmac::Hash> = |name: &str| Records::<H>::with_backend(&KEY, MAC_KEY, name),
        |key, m| assert_eq!(key.open(&IV, &HEADER, &mut m.text).expect(RIGHT).len(), m.len);
    chacha = |name: &str| chacha20::Key::with_backend(&LONG_KEY, name),
        |key, m| key.apply_keystream(1, &NONCE, &mut m.text).expect(RIGHT);
    poly = |name: &str| poly1305::Poly1305::with_backend(&LONG_KEY, name),
        |mac, m| {
            let mut mac = mac;
            mac.update(&m.text);
            m.tag = mac.finish().to_vec();
        };
    chacha_seal = |name: &str| chacha20_poly1305::Key::with_backend(&LONG_KEY, name),
        |key, m| m.tag = key.seal(&NONCE, b"", &mut m.text).expect(RIGHT).to_vec();
    chacha_open = |name: &str| chacha20_poly1305::Key::with_backend(&LONG_KEY, name),
        |key, m| key.open(&NONCE, b"", &mut m.text, &m.tag).expect(RIGHT);
    agree = |name: &str| x25519::PrivateKey::with_backend(&LONG_KEY, name),
        |key, m| m.tag = key.agree(&x25519::PublicKey(LONG_KEY)).expect(RIGHT).as_bytes().to_vec();
    agree_p256 = |name: &str| p256_pair(name),
        |pair, m| m.tag = pair.0.agree(&pair.1).as_bytes().to_vec();
    sign_p256 = |name: &str| p256::PrivateKey::with_backend(&LONG_KEY, name),
        |key, m| m.tag = key.sign_deterministic(&LONG_KEY).expect(RIGHT).to_bytes().to_vec();
    sign_rsa = |name: &str| rsa_key(name),
        |key, m| {
            m.tag.resize(256, 0);
            key.sign_pkcs1v15(HashFunction::Sha256, &LONG_KEY, &mut m.tag).expect(RIGHT);
        };
    verify_rsa = |name: &str| rsa_key(name).map(|key| (signed(&key), key)),
        |pair, m| {
            let verified = pair.1.public().verify_pkcs1v15(HashFunction::Sha256, &LONG_KEY, &pair.0);
            m.tag = vec![u8::from(verified.is_ok())];
        };
    sign = |name: &str| ed25519::PrivateKey::with_backend(&LONG_KEY, name),
        |key, m| m.tag = key.sign(&m.text).to_vec();
    digest<H: Hash> = |name: &str| H::with_backend(name),
        |hash, m| m.tag = hash.digest(&m.text).as_ref().to_vec();
}
