//! Every operation that touches a secret. A new primitive has a line here for each of its own; a hash function has two in all.

mod cbc;
mod ccm;
mod chacha;
mod cmac;
mod ctr;
mod ecb;
mod ed25519;
mod gcm;
mod hash;
mod hmac;
mod kw;
mod p256;
mod random;
mod records;
mod rsa;
mod sealing_many;
mod sha3;
mod x25519;
mod xts;

pub(crate) use rsa::file as rsa_file;

use std::{
    array,
    error::Error,
    iter, ops,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use ropewalk::{sha1::Sha1, sha256::Sha256};

use subtle::ConstantTimeEq;

use crate::marks;

/// One operation of a primitive.
pub(crate) struct Operation {
    /// The primitive, by its name in [`ropewalk::PRIMITIVES`].
    pub(crate) primitive: &'static str,
    /// What it does.
    pub(crate) name: &'static str,
    /// Bytes of the keys to run it with; a zero where it takes none.
    pub(crate) keys: &'static [usize],
    /// How many verdicts and lengths it tells in a case.
    pub(crate) tells: usize,
    /// Runs a case.
    pub(crate) run: fn(&Case) -> Outcome,
}

/// What an operation is run with.
#[derive(Debug)]
pub(crate) struct Case {
    /// The name of a backend.
    pub(crate) backend: &'static str,
    /// Bytes of its key.
    pub(crate) key: usize,
    /// Bytes of its text.
    pub(crate) len: usize,
}

pub(crate) type Outcome = Result<(), Box<dyn Error>>;

/// All operations.
pub(crate) fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().chain(HASHES.as_flattened()).chain(HMACS.as_flattened())
}

macro_rules! hashes {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        /// Those of each hash function but SHA-3, by the type for many messages.
        static HASHES: &[[Operation; hash::OPERATIONS]] = &[
            $( hash::operations::<ropewalk::$module::$Many>($name, concat!($name, "-many")), )+
        ];
    };
}

ropewalk::merkle_damgard_functions! { hashes! {} }

macro_rules! hmacs {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        /// Those of HMAC with each hash function.
        static HMACS: &[[Operation; hmac::OPERATIONS]] = &[
            $( hmac::operations::<ropewalk::$module::$Many>(
                concat!("hmac-", $name), concat!("hmac-", $name, "-many"),
            ), )+
        ];
    };
}

ropewalk::hash_functions! { hmacs! {} }

#[rustfmt::skip]
static OPERATIONS: &[Operation] = &[
    Operation { primitive: "aes-cbc", name: "in place", keys: AES, tells: 0, run: cbc::in_place },
    Operation { primitive: "aes-cbc", name: "to another place", keys: AES, tells: 0, run: cbc::to },
    Operation { primitive: "aes-cbc", name: "encrypt, padded", keys: AES, tells: 0, run: cbc::encrypt_padded },
    Operation { primitive: "aes-cbc", name: "decrypt, padded", keys: AES, tells: 4, run: cbc::decrypt_padded },
    Operation { primitive: "aes-cbc", name: "decrypt, badly padded", keys: AES, tells: 4, run: cbc::decrypt_badly_padded },
    Operation { primitive: "aes-cbc-many", name: "of one length", keys: AES, tells: 0, run: cbc::many_alike },
    Operation { primitive: "aes-cbc-many", name: "of many lengths and keys", keys: AES, tells: 0, run: cbc::many_mixed },
    Operation { primitive: "aes-cbc-hmac-sha1", name: "seal", keys: RECORDS, tells: 0, run: records::seal::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1", name: "open", keys: RECORDS, tells: 4, run: records::open::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1", name: "open what is badly padded", keys: RECORDS, tells: 6, run: records::badly_padded::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1", name: "open what has a wrong MAC", keys: RECORDS, tells: 4, run: records::wrong_mac::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1-many", name: "seal those of one length", keys: RECORDS, tells: 0, run: records::seal_many_alike::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1-many", name: "seal those of many lengths and keys", keys: RECORDS, tells: 0, run: records::seal_many_mixed::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha1-many", name: "open", keys: RECORDS, tells: records::TOLD_OF_MANY, run: records::open_many::<Sha1> },
    Operation { primitive: "aes-cbc-hmac-sha256", name: "seal", keys: RECORDS, tells: 0, run: records::seal::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256", name: "open", keys: RECORDS, tells: 4, run: records::open::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256", name: "open what is badly padded", keys: RECORDS, tells: 6, run: records::badly_padded::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256", name: "open what has a wrong MAC", keys: RECORDS, tells: 4, run: records::wrong_mac::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256-many", name: "seal those of one length", keys: RECORDS, tells: 0, run: records::seal_many_alike::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256-many", name: "seal those of many lengths and keys", keys: RECORDS, tells: 0, run: records::seal_many_mixed::<Sha256> },
    Operation { primitive: "aes-cbc-hmac-sha256-many", name: "open", keys: RECORDS, tells: records::TOLD_OF_MANY, run: records::open_many::<Sha256> },
    Operation { primitive: "aes-ccm", name: "seal", keys: AES, tells: 0, run: ccm::seal },
    Operation { primitive: "aes-ccm", name: "open", keys: AES, tells: 6, run: ccm::open },
    Operation { primitive: "aes-ccm", name: "open what is forged", keys: AES, tells: 6, run: ccm::open_forged },
    Operation { primitive: "aes-ccm", name: "more additional data than text", keys: AES, tells: 1, run: ccm::long_aad },
    Operation { primitive: "aes-ccm", name: "messages with tags", keys: AES, tells: 2, run: ccm::appended },
    Operation { primitive: "aes-ccm", name: "another key", keys: AES, tells: 1, run: ccm::rekey },
    Operation { primitive: "aes-ccm-many", name: "of one length", keys: AES, tells: 0, run: sealing_many::aes_ccm::alike },
    Operation { primitive: "aes-ccm-many", name: "of many lengths and keys", keys: AES, tells: 0, run: sealing_many::aes_ccm::mixed },
    Operation { primitive: "aes-ccm-many", name: "open", keys: AES, tells: sealing_many::COUNT, run: sealing_many::aes_ccm::open },
    Operation { primitive: "aes-cmac", name: "in one piece", keys: AES, tells: 1, run: cmac::mac },
    Operation { primitive: "aes-cmac", name: "in pieces", keys: AES, tells: 1, run: cmac::pieces },
    Operation { primitive: "aes-cmac", name: "what is forged", keys: AES, tells: 2, run: cmac::forged },
    Operation { primitive: "aes-cmac-many", name: "of one length", keys: AES, tells: 0, run: cmac::many_alike },
    Operation { primitive: "aes-cmac-many", name: "of many lengths and keys", keys: AES, tells: 0, run: cmac::many_mixed },
    Operation { primitive: "aes-cmac-many", name: "verify", keys: AES, tells: COUNT, run: cmac::verify_many },
    Operation { primitive: "aes-ctr", name: "in place", keys: AES, tells: 0, run: ctr::in_place },
    Operation { primitive: "aes-ctr", name: "to another place", keys: AES, tells: 0, run: ctr::to },
    Operation { primitive: "aes-ctr", name: "in pieces", keys: AES, tells: 0, run: ctr::stream },
    Operation { primitive: "aes-ctr-many", name: "of one length", keys: AES, tells: 0, run: ctr::many_alike },
    Operation { primitive: "aes-ctr-many", name: "of many lengths and keys", keys: AES, tells: 0, run: ctr::many_mixed },
    Operation { primitive: "aes-ecb", name: "in place", keys: AES, tells: 0, run: ecb::in_place },
    Operation { primitive: "aes-ecb", name: "to another place", keys: AES, tells: 0, run: ecb::to },
    Operation { primitive: "aes-gcm", name: "seal", keys: AES, tells: 0, run: gcm::seal },
    Operation { primitive: "aes-gcm", name: "open", keys: AES, tells: 4, run: gcm::open },
    Operation { primitive: "aes-gcm", name: "open what is forged", keys: AES, tells: 4, run: gcm::open_forged },
    Operation { primitive: "aes-gcm", name: "in pieces", keys: AES, tells: 12, run: gcm::in_pieces },
    Operation { primitive: "aes-gcm", name: "more additional data than text", keys: AES, tells: 1, run: gcm::long_aad },
    Operation { primitive: "aes-gcm", name: "messages with tags", keys: AES, tells: 4, run: gcm::appended },
    Operation { primitive: "aes-gcm", name: "messages with nonces", keys: AES, tells: 2, run: gcm::sealer },
    Operation { primitive: "aes-gcm", name: "compare tags", keys: AES, tells: 2, run: gcm::compare },
    Operation { primitive: "aes-gcm", name: "another key", keys: AES, tells: 2, run: gcm::rekey },
    Operation { primitive: "aes-gcm", name: "a key used once", keys: AES, tells: 4, run: gcm::once },
    Operation { primitive: "aes-gcm-many", name: "of one length", keys: AES, tells: 0, run: sealing_many::aes_gcm::alike },
    Operation { primitive: "aes-gcm-many", name: "of many lengths and keys", keys: AES, tells: 0, run: sealing_many::aes_gcm::mixed },
    Operation { primitive: "aes-gcm-many", name: "open", keys: AES, tells: sealing_many::COUNT, run: sealing_many::aes_gcm::open },

    Operation { primitive: "aes-xts", name: "in place", keys: XTS, tells: 1, run: xts::in_place },
    Operation { primitive: "aes-xts", name: "to another place", keys: XTS, tells: 1, run: xts::to },
    Operation { primitive: "aes-xts", name: "sectors", keys: XTS, tells: 1, run: xts::sectors },
    Operation { primitive: "aes-xts-many", name: "of one length", keys: XTS, tells: 1, run: xts::many_alike },
    Operation { primitive: "aes-xts-many", name: "of many lengths and keys", keys: XTS, tells: 4, run: xts::many_mixed },

    Operation { primitive: "aes-gcm", name: "without a text", keys: AES, tells: 2, run: gcm::gmac },
    Operation { primitive: "aes-kw", name: "wrap", keys: AES, tells: 0, run: kw::wrap },
    Operation { primitive: "aes-kw", name: "unwrap", keys: AES, tells: 2, run: kw::unwrap },
    Operation { primitive: "aes-kw", name: "wrap, padded", keys: AES, tells: 0, run: kw::wrap_padded },
    Operation { primitive: "aes-kw", name: "unwrap, padded", keys: AES, tells: 10, run: kw::unwrap_padded },
    Operation { primitive: "aes-kw", name: "unwrap what is forged", keys: AES, tells: 4, run: kw::forged },
    Operation { primitive: "chacha20", name: "in place", keys: CHACHA, tells: 0, run: chacha::in_place },
    Operation { primitive: "chacha20", name: "to another place", keys: CHACHA, tells: 0, run: chacha::to },
    Operation { primitive: "chacha20", name: "in pieces", keys: CHACHA, tells: 0, run: chacha::stream },
    Operation { primitive: "chacha20-poly1305", name: "seal", keys: CHACHA, tells: 0, run: chacha::seal },
    Operation { primitive: "chacha20-poly1305", name: "open", keys: CHACHA, tells: 2, run: chacha::open },
    Operation { primitive: "chacha20-poly1305", name: "open what is forged", keys: CHACHA, tells: 2, run: chacha::open_forged },
    Operation { primitive: "chacha20-poly1305", name: "in pieces", keys: CHACHA, tells: 6, run: chacha::in_pieces },
    Operation { primitive: "chacha20-poly1305", name: "more additional data than text", keys: CHACHA, tells: 1, run: chacha::long_aad },
    Operation { primitive: "chacha20-poly1305", name: "messages with tags", keys: CHACHA, tells: 2, run: chacha::appended },
    Operation { primitive: "chacha20-poly1305-many", name: "of one length", keys: CHACHA, tells: 0, run: sealing_many::chacha20_poly1305::alike },
    Operation { primitive: "chacha20-poly1305-many", name: "of many lengths and keys", keys: CHACHA, tells: 0, run: sealing_many::chacha20_poly1305::mixed },
    Operation { primitive: "chacha20-poly1305-many", name: "open", keys: CHACHA, tells: sealing_many::COUNT, run: sealing_many::chacha20_poly1305::open },
    Operation { primitive: "poly1305", name: "in one piece", keys: CHACHA, tells: 0, run: chacha::mac },
    Operation { primitive: "poly1305", name: "in pieces", keys: CHACHA, tells: 0, run: chacha::mac_in_pieces },
    Operation { primitive: "poly1305", name: "verify", keys: CHACHA, tells: 4, run: chacha::verify },
    Operation { primitive: "ctr-drbg", name: "generate", keys: SEED, tells: 0, run: random::generate },
    Operation { primitive: "ctr-drbg", name: "reseed", keys: SEED, tells: 0, run: random::reseed },
    Operation { primitive: "sha3-many", name: "of one length", keys: NONE, tells: 0, run: sha3::many_alike },
    Operation { primitive: "sha3-many", name: "of many lengths", keys: NONE, tells: 0, run: sha3::many_mixed },
    Operation { primitive: "sha3-many", name: "output of any length", keys: NONE, tells: 0, run: sha3::shake_many },
    Operation { primitive: "sha3", name: "in one piece", keys: NONE, tells: 0, run: sha3::digest },
    Operation { primitive: "sha3", name: "in pieces", keys: NONE, tells: 0, run: sha3::in_pieces },
    Operation { primitive: "sha3", name: "output of any length", keys: NONE, tells: 0, run: sha3::shake },
    Operation { primitive: "sha3", name: "output in pieces", keys: NONE, tells: 0, run: sha3::shake_in_pieces },
    Operation { primitive: "ed25519", name: "make keys", keys: SCALAR, tells: 32, run: ed25519::make },
    Operation { primitive: "ed25519", name: "sign", keys: SCALAR, tells: 32 + 64, run: ed25519::sign },
    Operation { primitive: "ed25519", name: "sign in a context", keys: SCALAR, tells: 32 + 64, run: ed25519::sign_in_context },
    Operation { primitive: "ed25519-many", name: "sign", keys: SCALAR, tells: ed25519::TOLD_OF_MANY, run: ed25519::sign_many },
    Operation { primitive: "p256", name: "public", keys: SCALAR, tells: p256::PUBLIC, run: p256::public },
    Operation { primitive: "p256", name: "agree", keys: SCALAR, tells: p256::OF_KEY, run: p256::agree },
    Operation { primitive: "p256", name: "sign", keys: SCALAR, tells: p256::SIGNATURE, run: p256::sign },
    Operation { primitive: "p256", name: "sign with random bytes", keys: SCALAR, tells: p256::SIGNATURE, run: p256::sign_hedged },
    Operation { primitive: "p256-many", name: "public", keys: SCALAR, tells: p256::PUBLIC_MANY, run: p256::public_many },
    Operation { primitive: "p256-many", name: "agree", keys: SCALAR, tells: p256::OF_KEY, run: p256::agree_many },
    Operation { primitive: "p256-many", name: "sign", keys: SCALAR, tells: p256::SIGNATURES, run: p256::sign_many },
    Operation { primitive: "rsa", name: "make keys", keys: PRIME, tells: rsa::OF_KEY, run: rsa::make },
    Operation { primitive: "rsa", name: "sign, PKCS #1 v1.5", keys: PRIME, tells: rsa::SIGNATURE, run: rsa::sign_pkcs1v15 },
    Operation { primitive: "rsa", name: "sign, PSS", keys: PRIME, tells: rsa::SIGNATURE, run: rsa::sign_pss },
    Operation { primitive: "rsa-many", name: "sign", keys: PRIME, tells: rsa::SIGNATURES, run: rsa::sign_many },
    Operation { primitive: "x25519", name: "agree", keys: SCALAR, tells: 1, run: x25519::agree },
    Operation { primitive: "x25519", name: "public", keys: SCALAR, tells: x25519::PUBLIC, run: x25519::public },
    Operation { primitive: "x25519-many", name: "agree", keys: SCALAR, tells: x25519::KEYS, run: x25519::agree_many },
    Operation { primitive: "x25519-many", name: "public", keys: SCALAR, tells: x25519::KEYS * x25519::PUBLIC, run: x25519::public_many },
];

const AES: &[usize] = &[16, 24, 32];
/// No cipher suite has 24.
const RECORDS: &[usize] = &[16, 32];
/// Less than a block, and more than any.
const HMAC: &[usize] = &[20, 150];
/// Whether its halves are the same is told.
const XTS: &[usize] = &[32, 64];
const CHACHA: &[usize] = &[32];
/// Of an elliptic curve: there is no text.
const SCALAR: &[usize] = &[32];
/// Of RSA: there is no text.
const PRIME: &[usize] = &[128];
const SEED: &[usize] = &[48];
const NONE: &[usize] = &[0];

impl Operation {
    /// Its cases on a backend, with texts of these lengths.
    pub(crate) fn cases(
        &self,
        backend: &'static str,
        lengths: &'static [usize],
    ) -> impl Iterator<Item = Case> {
        let lengths = if self.has_text() { lengths } else { LENGTHS_WITHOUT };
        let case = move |key| lengths.iter().map(move |&len| Case { backend, key, len });
        self.keys.iter().flat_map(move |&key| case(key))
    }

    /// Whether it takes texts of any length.
    pub(crate) fn has_text(&self) -> bool {
        !matches!(
            self.primitive,
            "ed25519"
                | "ed25519-many"
                | "p256"
                | "p256-many"
                | "rsa"
                | "rsa-many"
                | "x25519"
                | "x25519-many"
        )
    }
}

fn whole(len: usize) -> usize {
    len / 16 * 16
}

const IV: [u8; 16] = [7; 16];

/// In place of a length where there is no text: every tool takes it.
pub(crate) const LENGTHS_WITHOUT: &[usize] = &[17];

/// More than two groups of the widest lanes.
const COUNT: usize = 35;

/// A digest and the length of its message.
fn digest_of(digest: &mut impl AsMut<[u8]>, len: usize) -> (&mut [u8], usize) {
    (digest.as_mut(), len)
}

/// Nothing is secret in the digest of nothing; and in SHA instructions MemorySanitizer does not follow
/// less than a word to all words.
fn tell_digests(digests: &mut [(&mut [u8], usize)]) -> Outcome {
    digests.iter_mut().filter(|(_, len)| *len >= 4).try_for_each(|(digest, _)| tell(digest))
}

fn must_be_forged(outcome: Result<(), ropewalk::Error>) -> Outcome {
    match outcome {
        Err(ropewalk::Error::Forged) => Ok(()),
        other => Err(format!("forged, and comes out as {other:?}").into()),
    }
}

/// Bytes that are secret while this lives.
pub(crate) struct Secret(Vec<u8>);

/// Not inlined: its frame begins where the operation's ends.
#[inline(never)]
pub(crate) fn secret(len: usize) -> Secret {
    let here = 0_u8;
    FRAME.fetch_max((&raw const here).addr(), Relaxed);
    // What this leaves is not the library's.
    let mut bytes = ropewalk::swept(512, || {
        let mut bytes = vec![0; len.next_multiple_of(8)];
        let (places, _) = bytes.as_chunks_mut();
        places.iter_mut().zip(&WORDS).for_each(|(place, word)| {
            *place = word.load(Relaxed).to_le_bytes();
        });
        bytes.truncate(len);
        bytes
    });
    // The halves of a key of AES-XTS differ.
    if let Some(last) = bytes.last_mut() {
        *last ^= 0x5a;
    }
    marks::mark(&mut bytes);
    Secret(bytes)
}

/// Those bytes as a secret.
#[inline(never)]
pub(crate) fn secret_of(bytes: &[u8]) -> Secret {
    let here = 0_u8;
    FRAME.fetch_max((&raw const here).addr(), Relaxed);
    let mut bytes = ropewalk::swept(512, || bytes.to_vec());
    marks::mark(&mut bytes);
    Secret(bytes)
}

/// Bytes that a secret is made of.
pub(crate) fn some_bytes<const N: usize>() -> [u8; N] {
    array::from_fn(|i| WORDS[i / 8].load(Relaxed).to_le_bytes()[i % 8])
}

/// What secrets are made of.
static WORDS: [AtomicU64; LONGEST / 8] =
    [const { AtomicU64::new(0x3d3d_3d3d_3d3d_3d3d) }; LONGEST / 8];
/// The longest text with what is added to it.
const LONGEST: usize = 8192;
/// A small number that is another one for each class.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// A class of secrets, which are the same each time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    Zeros,
    Ones,
    /// A bit in 64.
    LowWeight,
    /// All bits but one in 64.
    HighWeight,
    Random(u64),
    Repeated,
}

impl Class {
    /// One of each.
    pub(crate) const ALL: [Self; 6] = [
        Self::Random(1),
        Self::Zeros,
        Self::Ones,
        Self::LowWeight,
        Self::HighWeight,
        Self::Repeated,
    ];

    fn words(self) -> impl Iterator<Item = u64> {
        let mut state = match self {
            Self::Random(seed) => seed,
            _ => 99,
        };
        iter::repeat_with(move || {
            // Knuth's constants; the upper half is the better one.
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                state >> 32
            };
            match self {
                Self::Zeros => 0,
                Self::Ones => !0,
                Self::LowWeight => 1 << (next() % 64),
                Self::HighWeight => !(1 << (next() % 64)),
                Self::Random(_) => next() << 32 | next(),
                Self::Repeated => 0x0707_0707_0707_0707,
            }
        })
    }
}

/// From now on, operations run with secrets of this class.
pub(crate) fn secrets_of(class: Class) {
    WORDS.iter().zip(class.words()).for_each(|(place, word)| place.store(word, Relaxed));
    let number = match class {
        Class::Random(seed) => seed as usize % 8,
        Class::Zeros => 0,
        Class::Ones => 7,
        Class::LowWeight => 2,
        Class::HighWeight => 5,
        Class::Repeated => 4,
    };
    NUMBER.store(number, Relaxed);
}

/// A secret number from 0 to 7.
fn number() -> usize {
    NUMBER.load(Relaxed)
}

/// Flips a bit of one byte: which one is a secret, of those that a comparison goes through.
fn forge(tag: &mut [u8], case: &Case) {
    let at = case.len % tag.len() + number();
    // Where that is past the end, it goes on at the beginning. The shortest tags have 4 bytes.
    let at = [0, 1, 2].map(|times| at.wrapping_sub(times * tag.len()));
    for (i, byte) in tag.iter_mut().enumerate() {
        let is_it = at.map(|at| (i as u64).ct_eq(&(at as u64)));
        *byte ^= (is_it[0] | is_it[1] | is_it[2]).unwrap_u8();
    }
}

/// The lowest address of the frame of the operation that ran last, or of a function that it calls: that of whatever made secrets.
pub(crate) static FRAME: AtomicUsize = AtomicUsize::new(0);

impl ops::Deref for Secret {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl ops::DerefMut for Secret {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        // What is allocated next in its place is not secret.
        marks::unmark(&mut self.0);
    }
}

/// Leaves a copy of a secret on the stack, on purpose.
pub(crate) fn plant(case: &Case) -> Outcome {
    #[inline(never)]
    fn copy(secret: &[u8]) {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(secret);
        std::hint::black_box(&bytes);
    }
    copy(&secret(case.key));
    Ok(())
}

/// Makes a result public. All of it must have been secret: else the tool lost sight of what it
/// follows, and finds nothing.
pub(crate) fn tell(result: &mut [u8]) -> Outcome {
    let all = marks::all_marked(result);
    marks::unmark(result);
    if !all {
        return Err("a part of the result does not depend on a secret".into());
    }
    Ok(())
}
