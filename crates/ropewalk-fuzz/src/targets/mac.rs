//! Keys of messages: messages in pieces, copies of what has been absorbed, and tags that are wrong or cut, beside one call of the
//! portable backend.

use ropewalk::{Error, aes_cmac, hmac, poly1305::Poly1305};

use super::{Backends, Calls, Row, run_one, tampered};
use crate::{
    Case,
    kinds::{Hmac, Mac, OneTimeMac},
    text::LONGEST,
};

macro_rules! rows {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        pub(super) const ROWS: &[Row] = &[
            Row { primitive: "aes-cmac", run: cmac::<aes_cmac::Key> },
            $( Row { primitive: concat!("hmac-", $name), run: hmac::<hmac::Key<ropewalk::$module::$Hash>> }, )+
            Row { primitive: "poly1305", run: one_time::<Poly1305> },
        ];
    };
}

ropewalk::hash_functions! { rows! {} }

/// The most messages of a key that are under way.
const MOST: usize = 4;

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

/// What a tag must be taken for, if it may be cut to those lengths.
fn judged(result: Result<(), Error>, (whole, tag): (&[u8], &[u8]), lens: impl Fn(usize) -> bool) {
    if !lens(tag.len()) {
        assert!(matches!(result, Err(Error::Length { what: "tag", .. })), "{result:?}");
    } else if whole.starts_with(tag) {
        assert_eq!(result, Ok(()));
    } else {
        assert_eq!(result, Err(Error::Forged));
    }
}

/// Messages under way, and what each has absorbed.
fn hmac<M: Hmac>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let secret = case.any_text(300);
    calls.begin(|| format!("key of {} bytes", secret.len()));
    let key = M::new(secret, tried).unwrap();
    let right = M::new(secret, portable).unwrap();
    // To half of its length, and 10 bytes at least.
    let lens = |whole: usize| move |len| len <= whole && len >= (whole / 2).max(10);
    let mut open = vec![(key.start(), Vec::new())];
    while case.goes_on() {
        let at = case.below(open.len());
        let (running, message) = &mut open[at];
        match case.below(9) {
            0..3 => {
                let piece = case.any_text(LONGEST - message.len());
                calls.begin(|| format!("{at}: update, {} bytes", piece.len()));
                M::update(running, piece);
                message.extend(piece);
            }
            3 => {
                calls.begin(|| format!("{at}: clone"));
                let copy = open[at].clone();
                open.truncate(MOST - 1);
                open.push(copy);
            }
            4 => {
                let (running, message) = open.swap_remove(at);
                calls.begin(|| format!("{at}: finish of {} bytes", message.len()));
                assert_eq!(M::finish(running), right.mac(&message));
                open.push((key.start(), Vec::new()));
            }
            5 => {
                let (running, message) = open.swap_remove(at);
                let whole = right.mac(&message);
                let tag = tampered(case, whole.clone());
                calls.begin(|| format!("{at}: finish of {} bytes, {tag:02x?}", message.len()));
                judged(M::finish_and_verify(running, &tag), (&whole, &tag), lens(whole.len()));
                open.push((key.start(), Vec::new()));
            }
            6 => {
                let message = case.any_text(LONGEST);
                let whole = right.mac(message);
                let tag = tampered(case, whole.clone());
                calls.begin(|| format!("verify of {} bytes, {tag:02x?}", message.len()));
                judged(key.verify(message, &tag), (&whole, &tag), lens(whole.len()));
            }
            7 => {
                let message = case.any_text(LONGEST);
                calls.begin(|| format!("mac of {} bytes", message.len()));
                assert_eq!(key.mac(message), right.mac(message));
            }
            _ => {
                let (prefix, text) = (case.any_text(200), case.any_text(1200));
                let least = case.below(text.len() + 1);
                let len = least + case.below(text.len() - least + 1);
                calls.begin(|| {
                    let (prefix, most) = (prefix.len(), text.len());
                    format!("mac_of_secret_len, {prefix} and {least} <= {len} <= {most}")
                });
                let message = [prefix, &text[..len]].concat();
                let got = key.mac_of_secret_len(prefix, text, least, len);
                assert_eq!(got, Ok(right.mac(&message)));
            }
        }
    }
    for (at, (running, message)) in open.into_iter().enumerate() {
        calls.begin(|| format!("{at}: finish of {} bytes", message.len()));
        assert_eq!(M::finish(running), right.mac(&message));
    }
}

fn cmac<M: Mac>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let len = case.pick(M::KEY_LENS);
    let secret = case.text(len);
    let [mut key, mut right] = [tried, portable].map(|backend| M::new(secret, backend).unwrap());
    while case.goes_on() {
        if case.rarely(4) {
            let len = case.below(20);
            calls.begin(|| format!("tags of {len} bytes"));
            let done = key.set_tag_len(len);
            assert_eq!(done.is_ok(), M::TAG_LENS.contains(&len));
            assert_eq!(done, right.set_tag_len(len));
        }
        let message = case.any_text(LONGEST);
        let (pieces, whole) = (case.pieces(message), right.mac(message));
        let tag = tampered(case, whole.clone());
        calls.begin(|| {
            let lens: Vec<_> = pieces.iter().map(|piece| piece.len()).collect();
            format!("message in pieces of {lens:?} bytes, {tag:02x?}")
        });
        assert_eq!(key.mac(message), whole);
        assert_eq!(key.mac_pieces(&pieces), whole);
        let is_whole = |len| len == whole.len();
        judged(key.verify(message, &tag), (&whole, &tag), is_whole);
        judged(key.verify_pieces(&pieces, &tag), (&whole, &tag), is_whole);
    }
}

/// A key is for one message.
fn one_time<M: OneTimeMac>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    while case.goes_on() {
        let (key, message) = (case.array(), case.any_text(LONGEST));
        let (pieces, whole) = (case.pieces(message), M::mac(&key, message, portable));
        let mut tag = whole;
        if case.below(2) == 0 {
            tag[case.below(16)] ^= 1 << case.below(8);
        }
        calls.begin(|| {
            let lens: Vec<_> = pieces.iter().map(|piece| piece.len()).collect();
            format!("message in pieces of {lens:?} bytes, {tag:02x?}")
        });
        assert_eq!(M::mac(&key, message, tried), whole);
        let absorbed = || {
            let mut mac = M::new(&key, tried);
            pieces.iter().for_each(|piece| mac.update(piece));
            mac
        };
        assert_eq!(absorbed().finish(), whole);
        judged(absorbed().verify(&tag), (&whole, &tag), |len| len == 16);
    }
}
