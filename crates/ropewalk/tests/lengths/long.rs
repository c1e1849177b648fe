//! The tests.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use ropewalk::{
    Hash,
    aes_gcm::{self, Stream},
    backend::Primitive,
    chacha20, chacha20_poly1305,
    md5::{self, Md5},
    poly1305::Poly1305,
    sha1::{self, Sha1},
    sha256::{self, Sha256},
    sha512::{self, Sha512},
};

use crate::common::{
    backends,
    guarded::{End, Guarded},
};

type Test = fn(backend: &'static str);

const TESTS: &[(&Primitive, Test)] = &[
    (&aes_gcm::PRIMITIVE, aes_gcm),
    (&chacha20_poly1305::PRIMITIVE, chacha20_poly1305),
    (&md5::PRIMITIVE, hash::<Md5, ::md5::Md5>),
    (&sha1::PRIMITIVE, hash::<Sha1, ::sha1::Sha1>),
    (&sha256::PRIMITIVE, hash::<Sha256, ::sha2::Sha256>),
    (&sha512::PRIMITIVE, hash::<Sha512, ::sha2::Sha512>),
];

pub(crate) fn main() -> ExitCode {
    let mut trials = Vec::new();
    for (primitive, test) in TESTS {
        for backend in backends(primitive) {
            let run = || {
                test(backend);
                Ok(())
            };
            let trial = Trial::test(format!("{}:{backend}", primitive.name), run);
            trials.push(trial.with_ignored_flag(true));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// So many bits take more than 32 bits.
const LONG: usize = 1 << 29;

/// So many zeros, which lie nowhere until they are written.
fn with_zeros(len: usize, test: impl FnOnce(&[u8])) {
    let mut vast = Guarded::vast(len).expect("memory that is promised, and not there");
    test(vast.room(End::Start, len));
}

/// Of zeros GHASH is zero, so that a tag is that of nothing and the lengths times H.
fn aes_gcm(backend: &'static str) {
    const PIECE: usize = 1 << 20;
    let key = aes_gcm::Key::with_backend(&[7; 16], backend).unwrap();
    let mut h = [0; 16];
    ropewalk::aes_ecb::Key::new(&[7; 16]).unwrap().encrypt(&mut h).unwrap();
    let number = |tag: &[u8]| u128::from_be_bytes(tag.try_into().unwrap());
    let nothing = number(&key.seal(&[1; 12], b"", &mut []).unwrap());
    let of = |lengths: u128| nothing ^ product(lengths, number(&h));
    let bits = 8 * LONG as u128;
    with_zeros(LONG, |zeros| {
        let tag = key.seal(&[1; 12], zeros, &mut []).unwrap();
        assert_eq!(number(&tag), of(bits << 64), "{backend}: additional data");
        if backend.ends_with("/portable") {
            return;
        }
        let (mut stream, mut text) = (Stream::new(&key, &[1; 12]).unwrap(), vec![0; PIECE]);
        stream.absorb_aad(&key, zeros).unwrap();
        for piece in zeros.chunks(PIECE) {
            stream.open_unverified_to(&key, piece, &mut text).unwrap();
        }
        assert_eq!(number(&stream.tag(&key)), of(bits << 64 | bits), "{backend}: in pieces");
    });
}

/// SP 800-38D, section 6.3, bit by bit.
fn product(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    z
}

fn chacha20_poly1305(backend: &'static str) {
    let key = chacha20_poly1305::Key::with_backend(&[7; 32], backend).unwrap();
    let mut one_time = [0; 32];
    let chacha = chacha20::Key::new(&[7; 32]).unwrap();
    chacha.apply_keystream(0, &[1; 12], &mut one_time).unwrap();
    let len = 1 << 32;
    with_zeros(len, |zeros| {
        let mut mac = Poly1305::new(&one_time);
        mac.update(zeros);
        mac.update(&(len as u128).to_le_bytes());
        let tag = key.seal(&[1; 12], zeros, &mut []).unwrap();
        assert_eq!(*tag, *mac.finish(), "{backend}");
    });
}

fn hash<H: Hash, Other: sha2::Digest>(backend: &'static str) {
    with_zeros(LONG + 1, |zeros| {
        let mut hasher = H::with_backend(backend).unwrap();
        let want = Other::digest(zeros);
        assert_eq!(hasher.digest(zeros).as_ref(), &want[..], "{backend}");
        zeros.chunks(1 << 24).for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.finish().as_ref(), &want[..], "{backend}: in pieces");
    });
}
