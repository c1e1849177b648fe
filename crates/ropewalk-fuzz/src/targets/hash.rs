//! Hashers of one message: pieces, copies, and hashers that begin anew, beside one call of the portable backend.

use ropewalk::sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

use super::{Backends, Calls, Row, run_one};
use crate::{
    Case,
    kinds::{Extendable, Hash},
    text::LONGEST,
};

macro_rules! rows {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        pub(super) const ROWS: &[Row] = &[
            $( Row { primitive: $name, run: hash::<ropewalk::$module::$Hash> }, )+
            Row { primitive: "sha3", run: sha3 },
        ];
    };
}

ropewalk::merkle_damgard_functions! { rows! {} }

/// The most hashers of a case.
const MOST: usize = 4;

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

fn sha3(case: &mut Case<'_>, backends: Backends) {
    match case.below(6) {
        0 => hash::<Sha3_224>(case, backends),
        1 => hash::<Sha3_256>(case, backends),
        2 => hash::<Sha3_384>(case, backends),
        3 => hash::<Sha3_512>(case, backends),
        4 => extendable::<Shake128>(case, backends),
        _ => extendable::<Shake256>(case, backends),
    }
}

/// Hashers, and what each has absorbed.
fn hash<H: Hash>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let want = |message: &[u8]| H::new(portable).digest(message);
    let (mut calls, mut open) = (Calls::new(tried), vec![(H::new(tried), Vec::new())]);
    while case.goes_on() {
        let at = case.below(open.len());
        let (hasher, message) = &mut open[at];
        match case.below(9) {
            0..4 => {
                let piece = case.any_text(LONGEST - message.len());
                calls.begin(|| format!("{at}: update, {} bytes", piece.len()));
                hasher.update(piece);
                message.extend(piece);
            }
            4 => {
                calls.begin(|| format!("{at}: clone"));
                let copy = open[at].clone();
                open.truncate(MOST - 1);
                open.push(copy);
            }
            5 => {
                calls.begin(|| format!("{at}: finish_reset of {} bytes", message.len()));
                assert_eq!(hasher.finish_reset(), want(message));
                message.clear();
            }
            6 => {
                calls.begin(|| format!("{at}: reset"));
                hasher.reset();
                message.clear();
            }
            7 => {
                let whole = case.any_text(LONGEST);
                calls.begin(|| format!("{at}: digest of {} bytes", whole.len()));
                assert_eq!(hasher.digest(whole), want(whole));
            }
            _ => {
                let (hasher, message) = open.swap_remove(at);
                calls.begin(|| format!("{at}: finish of {} bytes", message.len()));
                assert_eq!(hasher.finish(), want(&message));
                open.push((H::new(tried), Vec::new()));
            }
        }
    }
    for (at, (hasher, message)) in open.into_iter().enumerate() {
        calls.begin(|| format!("{at}: finish of {} bytes", message.len()));
        assert_eq!(hasher.finish(), want(&message));
    }
}

/// Hashers whose output comes in pieces too.
fn extendable<H: Extendable>(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let want = |message: &[u8], len| {
        let mut out = vec![0; len];
        H::new(portable).digest(message, &mut out);
        out
    };
    let (mut calls, mut hasher, mut message) = (Calls::new(tried), H::new(tried), Vec::new());
    while case.goes_on() {
        match case.below(7) {
            0..3 => {
                let piece = case.any_text(LONGEST - message.len());
                calls.begin(|| format!("update, {} bytes", piece.len()));
                hasher.update(piece);
                message.extend(piece);
            }
            3 => {
                calls.begin(|| "reset".into());
                hasher.reset();
                message.clear();
            }
            4 => {
                let (whole, len) = (case.any_text(LONGEST), case.len(5000));
                calls.begin(|| format!("digest of {} bytes to {len}", whole.len()));
                let mut out = vec![0xee; len];
                hasher.digest(whole, &mut out);
                assert_eq!(out, want(whole, len));
            }
            _ => {
                calls.begin(|| format!("finish of {} bytes", message.len()));
                squeeze::<H>(case, &mut calls, hasher.clone().finish(), |len| want(&message, len));
            }
        }
    }
}

/// Reads an output in pieces, and what a copy of the reader gives.
fn squeeze<H: Extendable>(
    case: &mut Case<'_>,
    calls: &mut Calls,
    mut reader: H::Reader,
    want: impl Fn(usize) -> Vec<u8>,
) {
    let mut all = Vec::new();
    let mut copy = (reader.clone(), 0);
    for _ in 0..=case.below(6) {
        let mut out = vec![0xee; case.len(2000)];
        calls.begin(|| format!("squeeze, {} bytes", out.len()));
        H::squeeze(&mut reader, &mut out);
        all.extend(out);
        if case.rarely(3) {
            calls.begin(|| format!("clone of the reader after {} bytes", all.len()));
            copy = (reader.clone(), all.len());
        }
    }
    assert_eq!(all, want(all.len()));
    let (mut reader, from) = copy;
    let mut out = vec![0xee; all.len() - from];
    H::squeeze(&mut reader, &mut out);
    assert_eq!(out, all[from..], "by the copy");
}
