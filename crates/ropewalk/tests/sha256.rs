//! SHA-256: published vectors, and batches against one by one. `hashes.rs` has what all hashes have.

mod common;

use common::{Random, backends, hex, thin};
use ropewalk::{
    Error,
    sha256::{self, Digest, PRIMITIVE, PRIMITIVE_MANY, Sha256, Sha256Many},
};

const PORTABLE: &str = "sha256/portable";
const LONGEST: usize = 4200;

/// FIPS 180-4's examples, and messages of NIST's SHA-256 validation suite.
fn published() -> Vec<(Vec<u8>, Vec<u8>)> {
    [
        (b"".to_vec(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_vec(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        (
            b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu".to_vec(),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
        ),
        (vec![b'a'; 1_000_000], "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (hex("d3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        (hex("11af"), "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
    ]
    .map(|(message, digest)| (message, hex(digest)))
    .to_vec()
}

#[test]
fn published_vectors() {
    let cases = published();
    for name in backends(&PRIMITIVE) {
        let hasher = Sha256::with_backend(name).unwrap();
        for (message, digest) in &cases {
            assert_eq!(hasher.digest(message).as_slice(), digest, "{name} {}", message.len());
        }
    }
    let messages: Vec<&[u8]> = cases.iter().map(|(message, _)| message.as_slice()).collect();
    for name in backends(&PRIMITIVE_MANY) {
        let mut digests = vec![[0; 32]; messages.len()];
        Sha256Many::with_backend(name).unwrap().digest(&messages, &mut digests).unwrap();
        assert!(
            digests.iter().zip(&cases).all(|(got, (_, want))| got.as_slice() == want),
            "{name}"
        );
    }
}

/// Any message is a part of one text, so that the model hashes each once.
fn texts() -> (Vec<u8>, Vec<Digest>) {
    let text = Random(1).bytes(LONGEST + 64);
    let model = Sha256::with_backend(PORTABLE).unwrap();
    let digests = (0..=LONGEST).map(|len| model.digest(&text[len % 64..][..len])).collect();
    (text, digests)
}

/// Messages of one length, with every count around every number of lanes.
#[test]
fn batches_of_one_length_equal_one_by_one() {
    let (text, want) = texts();
    for name in backends(&PRIMITIVE_MANY) {
        let many = Sha256Many::with_backend(name).unwrap();
        for len in [0, 1, 16, 55, 56, 63, 64, 65, 119, 120, 128, 256, 1000, 1024] {
            for count in thin(0..=50, 7) {
                let messages = vec![&text[len % 64..][..len]; count];
                let mut digests = vec![[0; 32]; count];
                many.digest(&messages, &mut digests).unwrap();
                assert_eq!(digests, vec![want[len]; count], "{name} {count} of {len}");
            }
        }
    }
}

/// Messages of all lengths, in orders where lanes end together, one after the other, and last.
#[test]
fn mixed_batches_equal_one_by_one() {
    let (text, want) = texts();
    let mut random = Random(3);
    let mut batches: Vec<Vec<usize>> = vec![
        (0..=LONGEST).step_by(if common::sampled() { 29 } else { 1 }).collect(),
        (0..400).rev().collect(),
        [vec![LONGEST], vec![3; 40]].concat(),
        [vec![3; 40], vec![LONGEST; 2]].concat(),
        (0..100).map(|i| if i % 2 == 0 { 64 } else { 2000 }).collect(),
    ];
    for _ in 0..if common::sampled() { 20 } else { 300 } {
        let (count, longest) = (random.below(70), 1 + random.below(LONGEST));
        batches.push((0..count).map(|_| random.below(longest)).collect());
    }
    // The choice between lanes and one by one is tested too.
    let mut all: Vec<_> =
        backends(&PRIMITIVE_MANY).map(Sha256Many::with_backend).map(Result::unwrap).collect();
    all.push(Sha256Many::new());
    for (i, many) in all.iter().enumerate() {
        for lens in &batches {
            let messages: Vec<&[u8]> = lens.iter().map(|&len| &text[len % 64..][..len]).collect();
            let mut digests = vec![[0; 32]; lens.len()];
            many.digest(&messages, &mut digests).unwrap();
            for (digest, &len) in digests.iter().zip(lens) {
                assert_eq!(*digest, want[len], "{} ({i}): {len} of {lens:?}", many.backend());
            }
        }
    }
}

#[test]
fn a_batch_needs_a_place_for_each_digest() {
    for len in [0, 1, 3] {
        let mut digests = vec![[7; 32]; len];
        let result = sha256::digest_many(&[b"a", b"b"], &mut digests);
        assert!(matches!(result, Err(Error::Length { what: "digests", got, .. }) if got == len));
        assert_eq!(digests, vec![[7; 32]; len]);
    }
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_messages_is_read() {
    let mut buffer = common::guarded::Guarded::new(4096);
    buffer.at_start(4096).fill(0x3c);
    buffer.read_only();
    let model = Sha256::with_backend(PORTABLE).unwrap();
    for len in thin((0..=600).chain([4095, 4096]), 17) {
        let want = model.digest(&vec![0x3c; len]);
        for name in backends(&PRIMITIVE_MANY) {
            let many = Sha256Many::with_backend(name).unwrap();
            for at_end in [false, true] {
                let message: &[u8] = if at_end { buffer.at_end(len) } else { buffer.at_start(len) };
                let mut digests = [[0; 32]; 17];
                many.digest(&[message; 17], &mut digests).unwrap();
                assert_eq!(digests, [want; 17], "{name} {len}");
            }
        }
    }
}
