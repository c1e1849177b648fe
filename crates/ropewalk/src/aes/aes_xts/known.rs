//! Known answers of AES-XTS.

use super::{Each, Key, ManyEngine};
use crate::core::{
    Error,
    known::{SECRET, Sum, bytes, is_portable, numbered},
    text::Text,
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let keys = [Key::with_backend(&SECRET[..32], backend)?, Key::with_backend(&SECRET, backend)?];
    let mut text = bytes::<830>();
    // Whole and partial blocks; sectors.
    texts(&keys, &mut text, &[(16, 16), (17, 17), (47, 47), (64, 32)]);
    let right = Sum::of(&text[..64]).is(ONE);
    if is_portable(backend) {
        return Ok(right);
    }
    let lens = [32, 64, 112, 192, 272, 830];
    texts(&keys, &mut text, &lens.map(|len| (len, len)));
    texts(&keys, &mut text, &[(120, 40), (384, 128)]);
    Ok(right && Sum::of(&text).is(WIDE))
}

/// Encrypts and decrypts texts of these lengths, in units of these, and then single blocks.
fn texts(keys: &[Key; 2], text: &mut [u8], all: &[(usize, usize)]) {
    let tweak = &bytes();
    for &(len, unit) in all {
        keys[0].engine.encrypt(tweak, unit, Text::in_place(&mut text[..len]));
        keys[1].engine.decrypt(tweak, unit, Text::in_place(&mut text[..len]));
    }
    for key in keys {
        let mut blocks = text.as_chunks_mut::<16>().0.iter_mut();
        let mut next = || Each { key, tweak, text: blocks.next().map_or(&mut [], |block| block) };
        key.engine.encrypt_each(&mut [next(), next()]);
        key.engine.decrypt_each(&mut [next(), next()]);
    }
}

/// Whether that batch backend computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let keys = [Key::new(&SECRET[..32])?, Key::new(&SECRET[8..40])?, Key::new(&SECRET)?];
    let many = ManyEngine::named(backend)?(());
    let tweaks = numbered::<16, COUNT>();
    let mut sum = Sum::new();
    // With one key and with two, and then with any lengths and rounds.
    for (len, of) in [(16, 1), (32, 2), (48, 1), (41, 2), (64, 1), (64, 2), (0, 3)] {
        let (mut texts, mut i) = ([bytes::<80>(); COUNT], 0);
        let mut messages = texts.each_mut().map(|text| {
            let len = if len == 0 { 16 + 3 * i } else { len };
            i += 1;
            Each { key: &keys[i % of], tweak: &tweaks[i - 1], text: &mut text[..len] }
        });
        many.encrypt_many(&mut messages);
        messages.iter().for_each(|message| sum.add(message.text));
        many.decrypt_many(&mut messages);
        sum.add(texts.as_flattened());
    }
    Ok(sum.is(MANY))
}

/// A full group of lanes, and part of a second one.
const COUNT: usize = 19;

const ONE: u64 = 0x1aaf_8809_d24d_bc96;
const WIDE: u64 = 0xae38_5c6f_cf75_d91e;
const MANY: u64 = 0x0eb0_9ae1_dc52_20e2;
