//! Known answers of AES-CBC.

use super::{Each, Key, ManyEngine};
use crate::{
    aes::groups::Groups,
    core::{
        Error,
        block::Block,
        known::{SECRET, Sum, aes_keys, bytes, is_portable, numbered},
        text::Text,
    },
};

/// Whether that backend computes them.
pub(super) fn one(backend: &str) -> Result<bool, Error> {
    let mut text = bytes::<2320>();
    texts(backend, &mut text, &[16, 32, 64, 112])?;
    let right = Sum::of(&text[..112]).is(ONE);
    if is_portable(backend) {
        return Ok(right);
    }
    texts(backend, &mut text, &[128, 208, 272, 560])?;
    let right = right && Sum::of(&text[..560]).is(WIDE);
    // The widest kernel runs for long texts only, and only where that is faster.
    if !backend.ends_with("/vaes512") {
        return Ok(right);
    }
    texts(backend, &mut text, &[2048, 2320, 2320])?;
    Ok(right && Sum::of(&text).is(LONG))
}

/// Decrypts texts of these lengths, encrypts the beginning of each result, and then single blocks.
fn texts(backend: &str, text: &mut [u8], lens: &[usize]) -> Result<(), Error> {
    let mut iv: Block = bytes();
    for (turn, secret) in aes_keys().into_iter().enumerate() {
        let key = Key::with_backend(secret, backend)?;
        for len in lens.iter().skip(turn).step_by(2) {
            key.engine.decrypt(&iv, Text::in_place(&mut text[..*len]));
        }
        key.engine.encrypt(&iv, Text::in_place(&mut text[..lens[turn]]));
        if let Some(block) = Text::in_place(text).next::<16>() {
            key.engine.encrypt_block(&mut iv, block);
        }
        let mut blocks = text.as_chunks_mut::<16>().0.iter_mut();
        let (key, iv) = (&key, &iv);
        let mut next = || Each { key, iv, text: blocks.next().map_or(&mut [], |block| block) };
        key.engine.encrypt_each(&mut [next(), next(), next()]);
    }
    Ok(())
}

/// Whether that batch backend computes them.
pub(super) fn many(backend: &str) -> Result<bool, Error> {
    let secrets = aes_keys();
    let keys = [Key::new(secrets[0])?, Key::new(secrets[0])?, Key::new(secrets[1])?];
    let many = ManyEngine::named(backend)?(());
    let ivs = numbered::<16, COUNT>();
    let mut sum = Sum::new();
    // With one key, and with different keys and lengths.
    for of in [1, 3] {
        let (mut texts, mut i) = ([bytes::<96>(); COUNT], 0);
        let mut messages = texts.each_mut().map(|text| {
            let len = if of == 1 { 32 } else { i % 7 * 16 };
            i += 1;
            Each { key: &keys[i % of], iv: &ivs[i - 1], text: &mut text[..len] }
        });
        let mut groups = Groups::new();
        let all = messages.iter().map(|Each { key, text, .. }| (*key, text.len() / 16));
        groups.count(all, many.info(), None);
        for number in 0..3 {
            if let Some(chosen) = groups.chosen(number) {
                many.encrypt_many(chosen, &mut messages);
            }
        }
        for Each { key, iv, text } in messages {
            if groups.leave(key) {
                key.engine.encrypt(iv, Text::in_place(text));
            }
        }
        sum.add(texts.as_flattened());
    }
    #[cfg(all(feature = "cbc-hmac", feature = "many"))]
    {
        let mut sum = Sum::new();
        for len in [16, 32] {
            let key = Key::new(&SECRET[..len])?;
            let engine: &super::Engine = &key.engine;
            parts(&many, &**engine, &mut sum);
        }
        if !sum.is(PARTS) {
            return Ok(false);
        }
    }
    Ok(sum.is(MANY))
}

/// The operations that TLS records use.
#[cfg(all(feature = "cbc-hmac", feature = "many"))]
fn parts(many: &ManyEngine, cbc: &dyn super::Cbc, sum: &mut Sum) {
    use crate::aes::groups::Chosen;

    let mut texts = numbered::<48, COUNT>();
    let before = &bytes();
    let mut all = texts.iter_mut().map(|text| super::many::Part { cbc, before, text });
    match cbc.round_keys() {
        Some(keys) => many.encrypt_parts(Chosen::all_of(keys.rounds, Some(keys)), &mut all),
        None => all.for_each(|part| cbc.encrypt(before, Text::in_place(part.text))),
    }
    sum.add(texts.as_flattened());
    for len in [64, 304] {
        let text = &mut texts.as_flattened_mut()[..len];
        many.decrypt_part(super::many::Part { cbc, before, text });
    }
    sum.add(texts.as_flattened());
}

/// A full group of lanes, and part of a second one.
const COUNT: usize = 19;

const ONE: u64 = 0x9093_56ec_f0f3_e217;
const LONG: u64 = 0x91a4_1302_84b9_c4dd;
const WIDE: u64 = 0x09c9_0dec_b446_0356;
const MANY: u64 = 0xab7c_0216_2ab4_ecad;
#[cfg(all(feature = "cbc-hmac", feature = "many"))]
const PARTS: u64 = 0x44fb_8caa_2cc6_45c0;
