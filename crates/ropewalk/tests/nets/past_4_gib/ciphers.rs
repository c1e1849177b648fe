//! Ciphers that do not authenticate.

use ropewalk::{Error, aes_cbc, aes_ctr, aes_ecb, aes_xts, chacha20};

use super::{
    BLOCKS, Batch, LEN, assert_windows, has_instructions, is_chosen,
    known::{Form, cbc_encrypted, ctr_in_place, windows_of},
    pieces, secret, through,
};
use crate::{
    ciphers::{CipherMany, CtrMany, Vectored},
    common::{
        all,
        repeated::{PERIOD, Room, text, window_offsets, windows},
    },
    independent,
    kinds::{AesCtr, Stream, counter},
};

pub(super) fn aes_cbc(backend: &'static str) {
    let (secret, iv) = (secret(16), &[5; 16]);
    let key = aes_cbc::Key::with_backend(&secret, backend).unwrap();
    // Padded texts are copied first, and then encrypted in place, which `Room` does not allow.
    let (mut room, text) = (Room::new(), text(BLOCKS));
    let out = &mut room[..BLOCKS];
    key.encrypt_to(iv, text, out).unwrap();
    assert_windows(out, &cbc_encrypted(&secret, iv, BLOCKS, Form::Copied), backend);
    if !all() && !has_instructions(backend) {
        return;
    }
    let want = windows_of(BLOCKS, |from, out| {
        let before = [&text[from - 16..from], out].concat();
        independent::ecb_decrypt(&secret, out);
        out.iter_mut().zip(before).for_each(|(byte, of)| *byte ^= of);
    });
    key.decrypt_to(iv, text, out).unwrap();
    assert_windows(out, &want, backend);
}

pub(super) fn aes_cbc_many(backend: &'static str) {
    let (secret, iv) = (secret(16), &[5; 16]);
    let key = aes_cbc::Key::new(&secret).unwrap();
    let many = aes_cbc::Many::with_backend(backend).unwrap();
    let want = cbc_encrypted(&secret, iv, BLOCKS, Form::InPlace);
    let mut batch = Batch::new(&[1; 48]);
    let texts = batch.texts(BLOCKS);
    many.encrypt(&mut texts.map(|text| aes_cbc::Message { key: &key, iv, text })).unwrap();
    let [_, first, second, ..] = batch.texts(BLOCKS);
    assert_windows(first, &want, backend);
    assert_windows(second, &want, backend);
    let mut short = [1; 48];
    independent::cbc_encrypt(&secret, iv, &mut short);
    assert_eq!(batch.short, [(); 3].map(|()| short.to_vec()), "{backend}");
}

pub(super) fn aes_ecb(backend: &'static str) {
    let secret = secret(16);
    let key = aes_ecb::Key::with_backend(&secret, backend).unwrap();
    let (mut room, text) = (Room::new(), text(BLOCKS));
    let out = &mut room[..BLOCKS];
    key.encrypt_to(text, out).unwrap();
    let want = windows_of(BLOCKS, |_, out| independent::ecb_encrypt(&secret, out));
    assert_windows(out, &want, backend);
    if !all() && !has_instructions(backend) {
        return;
    }
    key.decrypt_to(text, out).unwrap();
    let want = windows_of(BLOCKS, |_, out| independent::ecb_decrypt(&secret, out));
    assert_windows(out, &want, backend);
}

const SECTOR: usize = 4096;

/// Sectors, each of them a data unit, whose numbers pass 2^32 after 2 GiB.
pub(super) fn aes_xts(backend: &'static str) {
    let (secret, len, first) = (secret(32), LEN / SECTOR * SECTOR, (1 << 32) - (1 << 19));
    let key = aes_xts::Key::with_backend(&secret, backend).unwrap();
    let (mut room, text) = (Room::new(), text(len));
    let out = &mut room[..len];
    key.encrypt_sectors_to(first, SECTOR, text, out).unwrap();
    let sectors = |from: usize, out: &mut [u8], crypt: fn(&[u8], &[u8; 16], &mut [u8])| {
        for (number, sector) in (first + (from / SECTOR) as u64..).zip(out.chunks_mut(SECTOR)) {
            crypt(&secret, &u128::from(number).to_le_bytes(), sector);
        }
    };
    let want = windows_of(len, |from, out| sectors(from, out, independent::xts_encrypt));
    assert_windows(out, &want, backend);
    if !all() && !has_instructions(backend) {
        return;
    }
    // Encrypting the plaintext gives the text.
    key.decrypt_sectors_to(first, SECTOR, text, out).unwrap();
    for (at, windows) in window_offsets(len).into_iter().zip(windows(out)) {
        let mut encrypted = windows.to_vec();
        sectors(at, &mut encrypted, independent::xts_encrypt);
        assert!(encrypted == text[at..][..PERIOD], "{backend}");
    }
}

/// A counter block whose last `bits` bits wrap after 2 GiB.
pub(super) const fn wrapping(bits: u32) -> [u8; 16] {
    let ones = u128::MAX >> (128 - bits);
    ((0x5eed << 112 & !ones) | (ones - (1 << 27) + 1)).to_be_bytes()
}

/// The counter block of the byte at that offset, with a counter of `BITS` bits.
pub(super) fn later<const BITS: u32>(iv: &[u8; 16], byte: usize) -> [u8; 16] {
    let (iv, ones) = (u128::from_be_bytes(*iv), u128::MAX >> (128 - BITS));
    ((iv & !ones) | (iv.wrapping_add(byte as u128 / 16) & ones)).to_be_bytes()
}

pub(super) fn aes_ctr(backend: &'static str) {
    ctr::<128>(backend, &wrapping(64));
    ctr_in_pieces::<128>(backend, &wrapping(32));
    if all() || has_instructions(backend) {
        ctr::<64>(backend, &wrapping(64));
        ctr::<32>(backend, &wrapping(32));
    }
    if is_chosen(backend) && has_instructions(backend) {
        aes_ctr_to_the_end(backend);
    }
}

pub(super) fn ctr<const BITS: u32>(backend: &'static str, iv: &[u8; 16]) {
    let secret = secret(16);
    let (key, mut room) = (AesCtr::<BITS>::new(&secret, backend).unwrap(), Room::new());
    key.apply_to(iv, text(LEN), &mut room[..LEN]).unwrap();
    assert_windows(
        &room[..LEN],
        &ctr_windows::<BITS>(&secret, iv),
        &format!("{backend}, {BITS} bits"),
    );
}

pub(super) fn ctr_in_pieces<const BITS: u32>(backend: &'static str, iv: &[u8; 16]) {
    let secret = secret(16);
    let (key, mut room) = (aes_ctr::Key::with_backend(&secret, backend).unwrap(), Room::new());
    let mut stream = aes_ctr::Stream::new(counter(BITS), iv);
    for piece in pieces() {
        let (from, to) = (&text(LEN)[piece.clone()], &mut room[piece]);
        stream.apply_keystream_to(&key, from, to).unwrap();
    }
    assert_windows(
        &room[..LEN],
        &ctr_windows::<BITS>(&secret, iv),
        &format!("{backend} in pieces"),
    );
}

/// The longest text of a counter of 32 bits, 2^36 bytes, and one byte more.
pub(super) fn aes_ctr_to_the_end(backend: &'static str) {
    let (secret, iv) = (secret(16), &wrapping(32));
    let key = aes_ctr::Key::with_backend(&secret, backend).unwrap();
    let (mut stream, mut room) = (aes_ctr::Stream::new(counter(32), iv), Room::new());
    let last = through(1 << 36, |len| {
        stream.apply_keystream_to(&key, text(len), &mut room[..len]).unwrap();
        room[len - 32..len].to_vec()
    });
    let mut want = text(last.len).last_chunk::<32>().unwrap().to_vec();
    independent::ctr(32, &secret, &later::<32>(iv, (1 << 36) - 32), &mut want);
    assert_eq!(last.output, want, "{backend}");
    let refused = stream.apply_keystream(&key, &mut [0]);
    assert!(matches!(refused, Err(Error::Length { what: "text", .. })), "{backend}: {refused:?}");
}

pub(super) fn ctr_windows<const BITS: u32>(secret: &[u8], iv: &[u8; 16]) -> Vec<Vec<u8>> {
    windows_of(LEN, |from, out| independent::ctr(BITS, secret, &later::<BITS>(iv, from), out))
}

pub(super) fn aes_ctr_many(backend: &'static str) {
    let (secret, iv) = (secret(16), &wrapping(64));
    let (key, many) =
        (aes_ctr::Key::new(&secret).unwrap(), CtrMany::<128>::with_backend(backend).unwrap());
    let want = ctr_in_place(&secret, iv, LEN);
    let mut batch = Batch::new(&[1; 40]);
    many.encrypt(&mut batch.texts(LEN).map(|text| Vectored { key: &key, iv, text })).unwrap();
    let [_, first, second, ..] = batch.texts(LEN);
    assert_windows(first, &want, backend);
    assert_windows(second, &want, backend);
    let mut short = [1; 40];
    independent::ctr(128, &secret, iv, &mut short);
    assert_eq!(batch.short, [(); 3].map(|()| short.to_vec()), "{backend}");
}

/// The text ends in the last block but one of the key stream: RustCrypto refuses the last.
pub(super) fn chacha20(backend: &'static str) {
    let (secret, nonce) = (secret(32), &[9; 12]);
    let counter = u32::MAX - LEN.div_ceil(64) as u32;
    let want = windows_of(LEN, |from, out| {
        independent::chacha20(counter + (from / 64) as u32, &secret, nonce, out);
    });
    let (key, mut room) = (chacha20::Key::with_backend(&secret, backend).unwrap(), Room::new());
    key.apply_keystream_to(counter, nonce, text(LEN), &mut room[..LEN]).unwrap();
    assert_windows(&room[..LEN], &want, backend);
    drop(room);
    let (mut stream, mut room) = (chacha20::Stream::new(counter, nonce), Room::new());
    for piece in pieces() {
        let (from, to) = (&text(LEN)[piece.clone()], &mut room[piece]);
        stream.apply_keystream_to(&key, from, to).unwrap();
    }
    assert_windows(&room[..LEN], &want, &format!("{backend} in pieces"));

    let mut rest = vec![0; LEN.next_multiple_of(64) - LEN + 64];
    stream.apply_keystream(&key, &mut rest).unwrap();
    let mut last = [0; 64];
    key.apply_keystream(u32::MAX, nonce, &mut last).unwrap();
    assert!(rest.ends_with(&last), "{backend}");
    let refused = stream.apply_keystream(&key, &mut [0]);
    assert!(
        matches!(refused, Err(Error::Length { what: "text", got, .. }) if got == LEN + rest.len() + 1),
        "{backend}: {refused:?}"
    );
}
