use std::collections::BTreeSet;

use ropewalk::aes_ecb::Key;

use super::{bytes::Sbox, *};

/// The options that can run here, with this key.
fn keys(key: &Block) -> impl Iterator<Item = (&'static str, Box<dyn Encrypt>)> {
    OPTIONS.iter().filter_map(move |option| Some((option.name, (option.key)(key)?)))
}

fn example(key: u128, plaintext: u128, ciphertext: u128) {
    for (name, key) in keys(&key.to_be_bytes()) {
        let mut blocks = [plaintext.to_be_bytes(); 5];
        key.encrypt(&mut blocks);
        assert_eq!(blocks, [ciphertext.to_be_bytes(); 5], "{name}");
    }
}

/// FIPS 197, appendix B and appendix C.1.
#[test]
fn every_option_has_the_answers_of_the_standard() {
    example(
        0x2b7e151628aed2a6abf7158809cf4f3c,
        0x3243f6a8885a308d313198a2e0370734,
        0x3925841d02dc09fbdc118597196a0b32,
    );
    example(
        0x000102030405060708090a0b0c0d0e0f,
        0x00112233445566778899aabbccddeeff,
        0x69c4e0d86a7b0430d8cdb78070b4c55a,
    );
}

/// Random keys and texts; 37 blocks are more than a step of the widest backend, and a rest of each length below it.
#[test]
fn every_option_has_the_answers_of_the_library() {
    let mut random = 1_u64;
    let mut byte = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 56) as u8
    };
    for _ in 0..20 {
        let secret: Block = std::array::from_fn(|_| byte());
        let texts: Vec<Vec<Block>> =
            (0..=37).map(|n| (0..n).map(|_| std::array::from_fn(|_| byte())).collect()).collect();
        let model = Key::with_backend(&secret, "aes_ecb/portable").unwrap();
        for (name, key) in keys(&secret) {
            for text in &texts {
                let (mut want, mut is) = (text.clone(), text.clone());
                model.encrypt(want.as_flattened_mut()).unwrap();
                key.encrypt(&mut is);
                assert_eq!(is, want, "{name}, {} blocks", text.len());
            }
        }
    }
}

/// FIPS 197, table 4: the corners of the table, and the S-box of 0x53, which section 5.1.1 gives.
#[test]
fn the_boolean_s_box_is_the_table() {
    let table = field::sbox(1);
    for (byte, want) in [(0x00, 0x63), (0x0f, 0x76), (0x53, 0xed), (0xf0, 0x8c), (0xff, 0x16)] {
        assert_eq!(table[byte], want);
    }
    for byte in 0..=255 {
        assert_eq!(Tower.sub(byte), table[usize::from(byte)], "{byte:#x}");
        assert_eq!(ComputedTable::new().sub(byte), table[usize::from(byte)]);
    }
}

#[test]
fn tables_and_keys_have_their_sizes() {
    let of = |name| OPTIONS.iter().find(|option| option.name == name).unwrap();
    for (name, tables, ram) in [
        ("sbox-table", 256, 176),
        ("sbox-table-fly", 256, 16),
        ("sbox-computed", 0, 176 + 256),
        ("sbox-boolean", 0, 176),
        ("tables-4k", 4096, 176),
        ("tables-1k", 1024, 176),
    ] {
        assert_eq!((of(name).tables, of(name).ram), (Some(tables), ram), "{name}");
    }
}

#[test]
fn each_option_has_its_own_name() {
    let names: BTreeSet<_> = OPTIONS.iter().map(|option| option.name).collect();
    assert_eq!(names.len(), OPTIONS.len());
}
