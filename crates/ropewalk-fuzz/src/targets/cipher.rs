//! Ciphers that notice nothing: texts whole and in pieces, in place and copied, of lengths that are wrong; records; wrapped keys;
//! and the generator of random bytes, beside one call of the portable backend.

use ropewalk::{
    Error, aes_cbc, aes_ecb, aes_kw, aes_xts, cbc_hmac, chacha20, random::CtrDrbg, sha1::Sha1,
    sha256::Sha256,
};

use super::{Backends, Calls, Row, run_one, tampered};
use crate::{
    Case,
    kinds::{AesCtr, BlockMode, Codebook, Records, Stream},
    text::{LONGEST, filled},
};

pub(super) const ROWS: &[Row] = &[
    Row { primitive: "aes-cbc", run: block_mode::<aes_cbc::Key> },
    Row { primitive: "aes-cbc-hmac-sha1", run: records::<cbc_hmac::Key<Sha1>> },
    Row { primitive: "aes-cbc-hmac-sha256", run: records::<cbc_hmac::Key<Sha256>> },
    Row { primitive: "aes-ctr", run: counters },
    Row { primitive: "aes-ecb", run: codebook::<aes_ecb::Key> },
    Row { primitive: "aes-kw", run: key_wrap },
    Row { primitive: "aes-xts", run: codebook::<aes_xts::Key> },
    Row { primitive: "chacha20", run: stream::<chacha20::Key> },
    Row { primitive: "ctr-drbg", run: drbg },
];

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

fn counters(case: &mut Case<'_>, backends: Backends) {
    match case.below(3) {
        0 => stream::<AesCtr<32>>(case, backends),
        1 => stream::<AesCtr<64>>(case, backends),
        _ => stream::<AesCtr<128>>(case, backends),
    }
}

/// A counter block; often one that is soon to wrap.
fn counter(case: &mut Case<'_>) -> [u8; 16] {
    let mut block = case.array();
    let ones = case.pick(&[0, 4, 8, 12, 16]);
    block[16 - ones..].fill(0xff);
    block[15] ^= case.below(256) as u8;
    block
}

/// A key stream at some places of which a text is, in pieces.
fn stream<S: Stream>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(S::KEY_LENS);
    let secret = case.text(len);
    let [key, right] = [tried, portable].map(|backend| S::new(secret, backend).unwrap());
    while case.goes_on() {
        let (iv, text) = (counter(case), case.any_text(LONGEST));
        let mut want = text.to_vec();
        right.apply(&iv, &mut want).unwrap();
        let pieces = case.pieces(text);
        calls.begin(|| {
            let lens: Vec<_> = pieces.iter().map(|piece| piece.len()).collect();
            format!("counter {iv:02x?}, pieces of {lens:?} bytes")
        });
        let mut out = filled(text.len(), case.below(64));
        key.apply_to(&iv, text, out.get_mut()).unwrap();
        assert!(out.unharmed() == Some(&want), "to another place");
        key.apply(&iv, out.get_mut()).unwrap();
        assert!(out.unharmed() == Some(text), "in place, back");
        let (mut place, mut at) = (S::start(&iv), 0);
        for piece in pieces {
            let to = at + piece.len();
            key.next(&mut place, &mut out.get_mut()[at..to]).unwrap();
            at = to;
        }
        assert!(out.unharmed() == Some(&want), "in pieces");
    }
}

fn block_mode<B: BlockMode>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(B::KEY_LENS);
    let secret = case.text(len);
    let [key, right] = [tried, portable].map(|backend| B::new(secret, backend).unwrap());
    while case.goes_on() {
        let (iv, text) = (case.array(), case.any_text(LONGEST));
        let (len, at) = (text.len(), case.below(64));
        let mut out = filled(len, at);
        match case.below(4) {
            0 => {
                calls.begin(|| format!("encrypt_to, {len} bytes"));
                let done = key.encrypt_to(&iv, text, out.get_mut());
                assert_eq!(done.is_ok(), len.is_multiple_of(16));
                let mut want = if done.is_ok() { text.to_vec() } else { vec![0xee; len] };
                assert_eq!(right.encrypt(&iv, &mut want), done);
                assert!(out.unharmed() == Some(&want), "what it writes");
            }
            1 => {
                calls.begin(|| format!("decrypt, {len} bytes"));
                out.get_mut().copy_from_slice(text);
                let done = key.decrypt(&iv, out.get_mut());
                let mut want = filled(len, at);
                assert_eq!(right.decrypt_to(&iv, text, want.get_mut()), done);
                let want = if done.is_ok() { want.get_mut() } else { text };
                assert!(out.unharmed() == Some(want), "what it writes");
            }
            2 => {
                calls.begin(|| format!("padded, {len} bytes"));
                let mut out = filled(B::padded_len(len), at);
                key.encrypt_padded_to(&iv, text, out.get_mut()).unwrap();
                let mut want = vec![0; B::padded_len(len)];
                right.encrypt_padded_to(&iv, text, &mut want).unwrap();
                assert!(out.unharmed() == Some(&want), "what it writes");
                assert_eq!(key.decrypt_padded(&iv, out.get_mut()), Ok(len));
                assert!(out.unharmed().is_some_and(|out| out[..len] == *text), "and back");
            }
            // Whatever the padding is.
            _ => {
                calls.begin(|| format!("decrypt_padded_to, {len} bytes"));
                let mut want = vec![0xee; len];
                let done = key.decrypt_padded_to(&iv, text, out.get_mut());
                assert_eq!(done, right.decrypt_padded_to(&iv, text, &mut want));
                assert!(out.unharmed() == Some(&want), "what it writes");
            }
        }
    }
}

fn codebook<C: Codebook>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(C::KEY_LENS);
    let mut secret = case.text(len).to_vec();
    // Halves that are equal are refused.
    secret[0] = secret[len / 2] ^ 1;
    let [key, right] = [tried, portable].map(|backend| C::new(&secret, backend).unwrap());
    while case.goes_on() {
        let (tweak, mut text) = (case.array(), case.any_text(LONGEST));
        if case.below(2) == 0 {
            text = &text[..text.len() / 16 * 16];
        }
        calls.begin(|| format!("{} bytes", text.len()));
        let mut out = filled(text.len(), case.below(64));
        let mut want = text.to_vec();
        let done = right.encrypt(&tweak, &mut want);
        assert_eq!(done.is_ok(), C::takes(text.len()));
        assert_eq!(key.encrypt_to(&tweak, text, out.get_mut()), done);
        if done.is_err() {
            assert!(out.unharmed().is_some_and(|out| out.iter().all(|byte| *byte == 0xee)));
            continue;
        }
        assert!(out.unharmed() == Some(&want), "encrypted");
        key.decrypt(&tweak, out.get_mut()).unwrap();
        assert!(out.unharmed() == Some(text), "and back in place");
        key.encrypt(&tweak, out.get_mut()).unwrap();
        assert!(out.unharmed() == Some(&want), "encrypted in place");
        key.decrypt_to(&tweak, &want, out.get_mut()).unwrap();
        assert!(out.unharmed() == Some(text), "and back");
    }
}

fn records<R: Records>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(&[16, 32]);
    let (secret, mac_secret) = (case.text(len), case.any_text(200));
    let [key, right] =
        [tried, portable].map(|backend| R::new(secret, mac_secret, backend).unwrap());
    while case.goes_on() {
        let (iv, header, text) = (case.array(), case.array(), case.any_text(20_000));
        let (len, record_len) = (text.len(), R::sealed_len(text.len()));
        calls.begin(|| format!("record of {len} bytes"));
        let mut want = vec![0xee; record_len];
        let done = right.seal_to(&iv, &header, text, &mut want);
        let mut out = filled(record_len, case.below(64));
        assert_eq!(key.seal_to(&iv, &header, text, out.get_mut()), done);
        assert!(out.unharmed() == Some(&want), "sealed");
        if done.is_err() {
            continue;
        }
        out.get_mut()[..len].copy_from_slice(text);
        key.seal(&iv, &header, out.get_mut(), len).unwrap();
        assert!(out.unharmed() == Some(&want), "sealed in place");
        let record = tampered(case, want.clone());
        calls.begin(|| format!("opened, {} bytes", record.len()));
        let mut out = filled(record.len(), case.below(64));
        let opened = key.open_to(&iv, &header, &record, out.get_mut());
        let mut text_of_right = vec![0xee; record.len()];
        assert_eq!(opened, right.open_to(&iv, &header, &record, &mut text_of_right));
        match opened {
            Ok(opened) if record == want => {
                assert!(opened == len && out.unharmed().is_some_and(|out| out[..len] == *text));
            }
            Ok(_) => panic!("a record that was changed is opened"),
            Err(Error::Forged) => {
                assert!(out.unharmed().is_some_and(|out| out.iter().all(|byte| *byte == 0)));
            }
            Err(_) => {
                assert!(out.unharmed().is_some_and(|out| out.iter().all(|byte| *byte == 0xee)));
            }
        }
    }
}

fn key_wrap(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(&[16, 24, 32]);
    let secret = case.text(len);
    let [key, right] =
        [tried, portable].map(|backend| aes_kw::Key::with_backend(secret, backend).unwrap());
    while case.goes_on() {
        let text = case.any_text(700);
        calls.begin(|| format!("key of {} bytes", text.len()));
        let [mut out, mut want] = [(); 2].map(|()| vec![0xee; aes_kw::padded_len(text.len())]);
        assert_eq!(key.wrap_padded_to(text, &mut out), right.wrap_padded_to(text, &mut want));
        assert_eq!(out, want);
        let mut given = tampered(case, want.clone());
        calls.begin(|| format!("unwrap_padded of {} bytes", given.len()));
        let opened = key.unwrap_padded(&mut given.clone()).map(|text| text.to_vec());
        assert_eq!(opened, right.unwrap_padded(&mut given).map(|text| text.to_vec()));
        let [mut out, mut want] = [(); 2].map(|()| vec![0xee; text.len() + 8]);
        let done = key.wrap_to(text, &mut out);
        assert_eq!(done, right.wrap_to(text, &mut want));
        assert_eq!(out, want);
        let mut given = tampered(case, want);
        calls.begin(|| format!("unwrap of {} bytes", given.len()));
        let opened = key.unwrap(&mut given.clone()).map(|text| text.to_vec());
        assert_eq!(opened, right.unwrap(&mut given).map(|text| text.to_vec()));
    }
}

fn drbg(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let (entropy, personalization) = (case.array(), case.any_text(48));
    let new = |backend| CtrDrbg::with_backend(&entropy, personalization, backend).unwrap();
    let (mut drbg, mut right) = (new(tried), new(portable));
    while case.goes_on() {
        let additional = case.any_text(60);
        if case.rarely(3) {
            let entropy = case.array();
            calls.begin(|| format!("reseed, {} bytes besides", additional.len()));
            let done = drbg.reseed(&entropy, additional);
            assert_eq!(done, right.reseed(&entropy, additional));
            continue;
        }
        let len = case.len(LONGEST);
        calls.begin(|| format!("generate {len} bytes, {} besides", additional.len()));
        let [mut out, mut want] = [(); 2].map(|()| vec![0xee; len]);
        let done = drbg.generate(additional, &mut out);
        assert_eq!(done, right.generate(additional, &mut want));
        assert!(out == want, "what it gives");
    }
}
