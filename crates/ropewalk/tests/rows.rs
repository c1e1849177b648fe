//! Whatever row of tuning is in use, results are those of the portable backends. A program of its own, as the row is that of the
//! process.

mod common;

use std::sync::{Mutex, MutexGuard, PoisonError};

use common::{Random, thin};
use ropewalk::{aes_cbc, aes_gcm, chacha20, chacha20_poly1305, tuning};

/// The longest text of those whose lengths are all tried.
const LONGEST: usize = 3000;

/// Longer ones, and what is added to each: steps have up to 2,048 bytes, and rests are in blocks and bytes.
const LONG: [usize; 3] = [4 << 10, 8 << 10, 16 << 10];
const EDGES: [isize; 15] = [-513, -257, -65, -64, -17, -16, -1, 0, 1, 15, 16, 48, 64, 257, 513];

/// Sizes of chunks: less than a block, less than a step, whole steps of 16 and 32 blocks, and more.
const CHUNKS: [usize; 12] = [1024, 1, 512, 768, 16, 2048, 100, 1040, 3, 4096, 528, 2064];

/// Lengths of additional data: none, up to a block, up to four, and more than the powers of a key.
const AADS: [usize; 9] = [0, 13, 16, 17, 48, 64, 65, 530, 1105];

fn lengths() -> impl Iterator<Item = usize> {
    let long = LONG.iter().flat_map(|len| EDGES.iter().map(|edge| len.strict_add_signed(*edge)));
    thin(0..=LONGEST, 37).chain(long)
}

/// Runs a test with each row, one test at a time.
fn with_each_row(test: impl Fn(&str)) {
    static ONE: Mutex<()> = Mutex::new(());
    let _one: MutexGuard<'_, ()> = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    for row in tuning::rows() {
        tuning::force(row.name()).unwrap();
        test(row.name());
    }
}

/// Where each chunk of a text ends, beginning with that size.
fn ends(len: usize, first: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut at = 0;
    let sizes = CHUNKS.iter().cycle().skip(first);
    sizes.map_while(move |size| {
        let from = at;
        at = (at + size).min(len);
        (from < at).then_some(from..at)
    })
}

/// A message, and what it becomes: ciphertext and tag, or key stream added.
struct Case {
    secret: Vec<u8>,
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

macro_rules! aead {
    ($test:ident: $module:ident, keys of $($bytes:literal)+) => {
        #[test]
        fn $test() {
            let mut random = Random(1);
            let mut cases = Vec::new();
            for bytes in [$($bytes),+] {
                let secret = random.bytes(bytes);
                let name = concat!(stringify!($module), "/portable");
                let portable = $module::Key::with_backend(&secret, name).unwrap();
                let all = |len: usize| LONG.contains(&len) || matches!(len, 500..=530 | 750..=780);
                let aads = |len: usize| if all(len) { 0..AADS.len() } else { len % 9..len % 9 + 1 };
                for (len, aad) in lengths().flat_map(|len| aads(len).map(move |aad| (len, AADS[aad]))) {
                    let (nonce, aad, text) = (random.bytes(12), random.bytes(aad), random.bytes(len));
                    let mut ciphertext = text.clone();
                    let tag = portable.seal(&nonce, &aad, &mut ciphertext).unwrap().to_vec();
                    let secret = secret.clone();
                    cases.push(Case { secret, nonce, aad, text, ciphertext, tag });
                }
            }
            with_each_row(|row| {
                let keys = [$($bytes),+].map(|bytes| {
                    let secret = &cases.iter().find(|case| case.secret.len() == bytes).unwrap().secret;
                    (bytes, $module::Key::new(secret).unwrap())
                });
                for (i, Case { secret, nonce, aad, text, ciphertext, tag }) in cases.iter().enumerate() {
                    let key = &keys.iter().find(|(bytes, _)| *bytes == secret.len()).unwrap().1;
                    let (bits, len) = (8 * secret.len(), text.len());
                    let what = format!("{row}: {bits} bits, {len} bytes, {} of data", aad.len());
                    let mut place = text.clone();
                    let got = key.seal(nonce, aad, &mut place).unwrap();
                    assert!(place == *ciphertext && *got == tag[..], "seal: {what}");
                    key.open(nonce, aad, &mut place, tag).unwrap();
                    assert!(place == *text, "open: {what}");
                    let mut copy = vec![0; len];
                    key.open_to(nonce, aad, ciphertext, &mut copy, tag).unwrap();
                    assert!(copy == *text, "open to another place: {what}");

                    let mut stream = $module::Stream::new(key, nonce).unwrap();
                    stream.absorb_aad(key, aad).unwrap();
                    for chunk in ends(len, i % CHUNKS.len()) {
                        stream.seal(key, &mut place[chunk]).unwrap();
                    }
                    assert!(place == *ciphertext, "seal in chunks: {what}");
                    assert!(*stream.tag(key) == tag[..], "tag of chunks: {what}");
                    let mut stream = $module::Stream::new(key, nonce).unwrap();
                    stream.absorb_aad(key, aad).unwrap();
                    for chunk in ends(len, i % CHUNKS.len()) {
                        stream.open_unverified(key, &mut place[chunk]).unwrap();
                    }
                    assert!(place == *text, "open in chunks: {what}");
                    stream.verify(key, tag).unwrap();
                }
            });
        }
    };
}

aead! { aes_gcm_is_the_same: aes_gcm, keys of 16 24 32 }
aead! { chacha20_poly1305_is_the_same: chacha20_poly1305, keys of 32 }

/// A key keeps the powers that it was made with.
#[test]
fn keys_outlive_the_row_that_made_them() {
    let mut text = vec![7; 2500];
    let portable = aes_gcm::Key::with_backend(&[1; 32], "aes_gcm/portable").unwrap();
    let right = portable.seal(&[2; 12], b"data", &mut text).unwrap();
    with_each_row(|before| {
        let key = aes_gcm::Key::new(&[1; 32]).unwrap();
        for after in tuning::rows() {
            tuning::force(after.name()).unwrap();
            let (mut rekeyed, cloned) = (key.clone(), key.clone());
            rekeyed.rekey(&[1; 32]).unwrap();
            for key in [&key, &rekeyed, &cloned] {
                let mut text = vec![7; 2500];
                let tag = key.seal(&[2; 12], b"data", &mut text).unwrap();
                assert_eq!(*tag, *right, "{before}, then {}", after.name());
            }
        }
    });
}

#[test]
fn chacha20_is_the_same() {
    let mut random = Random(2);
    let secret = random.bytes(32);
    let portable = chacha20::Key::with_backend(&secret, "chacha20/portable").unwrap();
    let mut cases = Vec::new();
    for len in lengths() {
        let last = 0_u32.wrapping_sub(len.div_ceil(64) as u32);
        let counters = [0, 1, 0xffff, if len == 0 { 0 } else { last }];
        let (nonce, counter) = (random.bytes(12).try_into().unwrap(), counters[random.below(4)]);
        let text = random.bytes(len);
        let mut ciphertext = text.clone();
        portable.apply_keystream(counter, &nonce, &mut ciphertext).unwrap();
        cases.push((counter, nonce, text, ciphertext));
    }
    with_each_row(|row| {
        let key = chacha20::Key::new(&secret).unwrap();
        for (i, (counter, nonce, text, ciphertext)) in cases.iter().enumerate() {
            let len = text.len();
            let mut place = text.clone();
            key.apply_keystream(*counter, nonce, &mut place).unwrap();
            assert!(place == *ciphertext, "{row}: {len} bytes from {counter}");
            let mut copy = vec![0; len];
            key.apply_keystream_to(*counter, nonce, ciphertext, &mut copy).unwrap();
            assert!(copy == *text, "{row}: {len} bytes from {counter} to another place");
            let mut stream = chacha20::Stream::new(*counter, nonce);
            for chunk in ends(len, i % CHUNKS.len()) {
                stream.apply_keystream(&key, &mut place[chunk]).unwrap();
            }
            assert!(place == *text, "{row}: {len} bytes from {counter} in chunks");
        }
    });
}

#[test]
fn aes_cbc_is_the_same() {
    let mut random = Random(3);
    for bytes in [16, 24, 32] {
        let secret = random.bytes(bytes);
        let portable = aes_cbc::Key::with_backend(&secret, "aes_cbc/portable").unwrap();
        let mut cases = Vec::new();
        for len in lengths().filter(|len| len.is_multiple_of(16)) {
            let (iv, text) = (random.bytes(16).try_into().unwrap(), random.bytes(len));
            let mut ciphertext = text.clone();
            portable.encrypt(&iv, &mut ciphertext).unwrap();
            cases.push((iv, text, ciphertext));
        }
        with_each_row(|row| {
            let key = aes_cbc::Key::new(&secret).unwrap();
            for (iv, text, ciphertext) in &cases {
                let what = format!("{row}: {} bits, {} bytes", 8 * bytes, text.len());
                let mut place = text.clone();
                key.encrypt(iv, &mut place).unwrap();
                assert!(place == *ciphertext, "encrypt: {what}");
                key.decrypt(iv, &mut place).unwrap();
                assert!(place == *text, "decrypt: {what}");
                let mut copy = vec![0; text.len()];
                key.decrypt_to(iv, ciphertext, &mut copy).unwrap();
                assert!(copy == *text, "decrypt to another place: {what}");
            }
        });
    }
}
