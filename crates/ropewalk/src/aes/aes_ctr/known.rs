//! Known answers of AES-CTR.

use super::{Counter, Each, Key, ManyEngine};
use crate::core::{
    Error,
    known::{Sum, aes_keys, bytes, is_portable, numbered},
    text::Text,
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut text = bytes::<832>();
    let mut key = Key::with_backend(&[0; 16], backend)?;
    // Wide kernels add to the last byte of a counter only, where it does not wrap.
    texts(&mut key, &mut text, [(0, &[16, 64]), (250, &[7, 47])]);
    let right = Sum::of(&text[..64]).is(ONE);
    if is_portable(backend) {
        return Ok(right);
    }
    texts(&mut key, &mut text, [(0, &[128, 192, 832]), (250, &[145, 300, 590])]);
    Ok(right && Sum::of(&text).is(WIDE))
}

/// Encrypts texts of these lengths, from counters that end with these bytes, and then single blocks.
fn texts(key: &mut Key, text: &mut [u8; 832], all: [(u8, &[usize]); 2]) {
    for (turn, secret) in aes_keys().into_iter().enumerate() {
        key.engine.rekey(secret);
        for (i, (last_byte, lens)) in all.into_iter().enumerate() {
            let mut counter = bytes();
            counter[15] = last_byte;
            let len = lens[(turn + i) % lens.len()];
            key.engine.apply(&counter, Text::in_place(&mut text[..len]));
        }
    }
    let mut blocks = text.as_chunks_mut::<16>().0.iter_mut();
    let (key, iv) = (&*key, &bytes());
    let mut next = || Each { key, iv, text: blocks.next().map_or(&mut [], |block| block) };
    key.engine.apply_each(&mut [next(), next(), next()]);
}

/// Whether that batch backend computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let secrets = aes_keys();
    let keys = [Key::new(secrets[0])?, Key::new(secrets[0])?, Key::new(secrets[1])?];
    let many = ManyEngine::named(backend)?(());
    let ivs = numbered::<16, COUNT>();
    let mut sum = Sum::new();
    // With one key and with two, for each number of blocks; then with any lengths and rounds.
    for (len, of) in [(16, 1), (9, 2), (32, 1), (25, 2), (48, 1), (41, 2), (64, 1), (57, 2), (0, 3)]
    {
        let (mut texts, mut i) = ([bytes::<64>(); COUNT], 0);
        let mut messages = texts.each_mut().map(|text| {
            let len = if len == 0 { 3 * i } else { len };
            i += 1;
            Each { key: &keys[i % of], iv: &ivs[i - 1], text: &mut text[..len] }
        });
        many.apply_many(Counter::Bits128, &mut messages);
        sum.add(texts.as_flattened());
    }
    Ok(sum.is(MANY))
}

/// A full group of lanes, and part of a second one.
const COUNT: usize = 19;

const ONE: u64 = 0x1102_dc54_2828_130c;
const WIDE: u64 = 0xaf5b_c06b_8d5f_579c;
const MANY: u64 = 0x7aea_53c7_6d99_93a2;
