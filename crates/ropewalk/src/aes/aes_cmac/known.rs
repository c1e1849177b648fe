//! Known answers of AES-CMAC.

use super::{Each, Key, ManyEngine, Tag};
use crate::{
    aes::groups::Groups,
    core::{
        Error,
        known::{Sum, aes_keys, bytes, numbered},
    },
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let (text, mut sum) = (bytes::<80>(), Sum::new());
    for (secret, lens) in aes_keys().into_iter().zip([[0, 7], [16, 33], [17, 80]]) {
        let key = Key::with_backend(secret, backend)?;
        let mut pieces = key.start();
        for len in lens {
            sum.add(&key.mac(&text[..len]));
            pieces.update(&text[..len]);
        }
        sum.add(&pieces.finish());
    }
    Ok(sum.is(ONE))
}

/// Whether that batch backend computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let secrets = aes_keys();
    let keys = [Key::new(secrets[0])?, Key::new(secrets[0])?, Key::new(secrets[1])?];
    let many = ManyEngine::named(backend)?(());
    let (texts, mut sum) = (numbered::<96, COUNT>(), Sum::new());
    // With one key, and with different keys and lengths.
    for of in [1, 3] {
        let messages: [_; COUNT] = core::array::from_fn(|i| {
            let len = if of == 1 { 40 } else { i * 5 };
            Each { key: &keys[i % of], text: &texts[i][..len] }
        });
        let mut tags = [Tag::default(); COUNT];
        let mut groups = Groups::new();
        let all = messages.iter().map(|Each { key, text }| (*key, super::many::blocks(text)));
        groups.count(all, many.info(), None);
        for number in 0..3 {
            if let Some(chosen) = groups.chosen(number) {
                many.mac_many(chosen, &messages, &mut tags);
            }
        }
        for (Each { key, text }, tag) in messages.iter().zip(&tags) {
            sum.add(&if groups.leave(*key) { key.mac(text) } else { *tag });
        }
    }
    Ok(sum.is(MANY))
}

/// A full group of lanes, and part of a second one.
const COUNT: usize = 19;

const ONE: u64 = 0x7f09_0bff_aa3b_b4d0;
const MANY: u64 = 0xdfec_6685_d1aa_dfcf;
