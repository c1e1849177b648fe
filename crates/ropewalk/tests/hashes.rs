//! Hash functions: every backend against portable, at every length, offset and split.

#[macro_use]
mod common;

use common::{Random, backends, thin};
use ropewalk::{Hash, backend::Primitive};

const LONGEST: usize = 4200;

fn portable<H: Hash>(primitive: &Primitive) -> H {
    let last = primitive.backends.last().expect("a primitive has backends");
    H::with_backend(last.name).expect("portable runs everywhere")
}

/// Any message is a part of one text, so that the model hashes each once.
fn texts<H: Hash>(primitive: &Primitive) -> (Vec<u8>, Vec<H::Digest>) {
    let text = Random(1).bytes(LONGEST + 64);
    let model = portable::<H>(primitive);
    let digests = (0..=LONGEST).map(|len| model.digest(&text[len % 64..][..len])).collect();
    (text, digests)
}

/// What a list says of a function is what its type says.
#[test]
fn names_and_lengths_agree() {
    fn test<H: Hash>(primitive: &Primitive) {
        assert_eq!(H::NAME, primitive.name);
        assert_eq!(H::default().digest(b"").as_ref().len(), H::DIGEST_LEN);
        assert_eq!(Some(H::default().backend()), primitive.chosen().map(|info| info.name));
    }
    each_hash_function!(test with its list);
}

#[test]
fn every_length_equals_portable() {
    fn test<H: Hash>(primitive: &Primitive) {
        let (text, want) = texts::<H>(primitive);
        for name in backends(primitive) {
            let hasher = H::with_backend(name).unwrap();
            for len in thin(0..=LONGEST, 13) {
                let digest = hasher.digest(&text[len % 64..][..len]);
                assert_eq!(digest, want[len], "{name} {} {len}", H::NAME);
            }
        }
    }
    each_hash_function!(test with its list);
}

#[test]
fn every_offset_and_a_mebibyte_equal_portable() {
    fn test<H: Hash>(primitive: &Primitive) {
        let text = Random(2).bytes(if common::sampled() { 1 << 16 } else { 1 << 20 });
        let model = portable::<H>(primitive);
        let want = model.digest(&text);
        // A block whose padding just fits, and one whose padding just does not.
        let full = H::BLOCK_LEN - H::BLOCK_LEN / 8;
        for name in backends(primitive) {
            let hasher = H::with_backend(name).unwrap();
            assert_eq!(hasher.digest(&text), want, "{name} {}", H::NAME);
            let lens = [16, full - 1, full, H::BLOCK_LEN, 3 * H::BLOCK_LEN + 8];
            for (offset, len) in (0..64).flat_map(|offset| lens.map(|len| (offset, len))) {
                let message = &text[offset..offset + len];
                let want = model.digest(message);
                assert_eq!(hasher.digest(message), want, "{name} {} {len} at {offset}", H::NAME);
            }
        }
    }
    each_hash_function!(test with its list);
}

#[test]
fn every_split_is_one_message() {
    fn test<H: Hash>(primitive: &Primitive) {
        let (text, want) = texts::<H>(primitive);
        let (block, full) = (H::BLOCK_LEN, H::BLOCK_LEN - H::BLOCK_LEN / 8);
        let ends = [full - 1, full, block - 1, block, block + 1];
        let lens = [0, 1].into_iter().chain(ends).chain(ends.map(|end| block + end));
        let lens: Vec<_> = lens.chain([3 * block + 8, 4 * block]).collect();
        for name in backends(primitive) {
            for &len in &lens {
                let message = &text[len % 64..][..len];
                let splits =
                    (0..=len).flat_map(|a| (a..=len).step_by(1 + len / 16).map(move |b| (a, b)));
                for (a, b) in thin(splits, 5) {
                    let mut hasher = H::with_backend(name).unwrap();
                    for range in [0..a, a..b, b..len] {
                        hasher.update(&message[range]);
                    }
                    let clone = hasher.clone();
                    let which = H::NAME;
                    let digest = hasher.finish_reset();
                    assert_eq!(digest, want[len], "{name} {which} {len} at {a} and {b}");
                    assert_eq!(hasher.finish(), want[0], "{name} {which} after {len}");
                    assert_eq!(clone.finish(), want[len], "{name} {which} {len}, a clone");
                }
            }
        }
    }
    each_hash_function!(test with its list);
}

#[test]
fn a_clone_goes_its_own_way() {
    fn test<H: Hash>(_: &Primitive) {
        let mut hasher = H::default();
        hasher.update(b"ab");
        let mut other = hasher.clone();
        hasher.update(b"c");
        other.update(b"d");
        assert_eq!(hasher.finish(), H::default().digest(b"abc"));
        assert_eq!(other.finish(), H::default().digest(b"abd"));
    }
    each_hash_function!(test with its list);
}

#[cfg(unix)]
#[test]
fn nothing_beyond_the_message_is_read() {
    fn test<H: Hash>(primitive: &Primitive) {
        let mut buffer = common::guarded::Guarded::new(4096);
        buffer.at_start(4096).fill(0x3c);
        buffer.read_only();
        let model = portable::<H>(primitive);
        for len in thin((0..=600).chain([4095, 4096]), 17) {
            let want = model.digest(&vec![0x3c; len]);
            for name in backends(primitive) {
                let hasher = H::with_backend(name).unwrap();
                assert_eq!(hasher.digest(buffer.at_start(len)), want, "{name} {} {len}", H::NAME);
                assert_eq!(hasher.digest(buffer.at_end(len)), want, "{name} {} {len}", H::NAME);
            }
        }
    }
    each_hash_function!(test with its list);
}
