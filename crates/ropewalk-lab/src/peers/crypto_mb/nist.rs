//! P-256, eight at once. Numbers are words, the least significant first; digests and the halves of signatures are big-endian.

use std::{
    array::from_fn,
    ptr::{null, null_mut},
};

use libloading::os::unix::Library;
use ropewalk::{random, sha256};

use super::curves::{LANES, clear_failed, each, failed, fills_lanes, groups, places};
use crate::{
    peers::{
        Job, Unavailable,
        dl::functions,
        jobs::{self, CurveKey, HashCalls, Signature, Text, Turn, VerifyingCalls, p256::POINT},
    },
    tasks::{AgreementOp, CURVE_KEY, Cell, SignatureOp},
};

functions! {
    /// ECDH and ECDSA. Without z, points are affine; without a buffer, the stack serves. A status has four bits for each, of which
    /// 0 is no error.
    P256 {
        fn mbx_nistp256_ecpublic_key_mb8(
            x: *const *mut u64,
            y: *const *mut u64,
            z: *const *mut u64,
            privates: *const *const u64,
            buffer: *mut u8,
        ) -> u32;
        fn mbx_nistp256_ecdh_mb8(
            secrets: *const *mut u8,
            privates: *const *const u64,
            x: *const *const u64,
            y: *const *const u64,
            z: *const *const u64,
            buffer: *mut u8,
        ) -> u32;
        fn mbx_nistp256_ecdsa_sign_mb8(
            r: *const *mut u8,
            s: *const *mut u8,
            digests: *const *const u8,
            nonces: *const *const u64,
            privates: *const *const u64,
            buffer: *mut u8,
        ) -> u32;
        fn mbx_nistp256_ecdsa_verify_mb8(
            r: *const *const u8,
            s: *const *const u8,
            digests: *const *const u8,
            x: *const *const u64,
            y: *const *const u64,
            z: *const *const u64,
            buffer: *mut u8,
        ) -> u32;
    }
}

/// A job of ECDH.
pub(super) fn ecdh(
    cell: &Cell,
    library: &'static Library,
    op: AgreementOp,
) -> Result<Box<dyn Job>, Unavailable> {
    fills_lanes(cell)?;
    let api = P256::load(library)?;
    match op {
        AgreementOp::Agree => jobs::p256::agreement_calls(cell, |pair| {
            Ok(Box::new(Agreements { api, key: words(pair.private) }))
        }),
        AgreementOp::Generate => jobs::p256::generation_calls(cell, Box::new(Generations(api))),
    }
}

/// A job of ECDSA.
pub(super) fn ecdsa(
    cell: &Cell,
    library: &'static Library,
    op: SignatureOp,
) -> Result<Box<dyn Job>, Unavailable> {
    fills_lanes(cell)?;
    let api = P256::load(library)?;
    match op {
        SignatureOp::Sign => jobs::p256::signing_calls(cell, |pair| {
            Ok(Box::new(Signatures { api, key: words(pair.private) }))
        }),
        SignatureOp::Verify => jobs::p256::verifying_calls(cell, |public| {
            Ok(Box::new(Verifications(api, coordinates(public))))
        }),
    }
}

type Words = [u64; 4];

/// A number of big-endian bytes.
fn words(bytes: &[u8]) -> Words {
    let words = bytes.as_chunks().0;
    from_fn(|i| u64::from_be_bytes(words[3 - i]))
}

/// Big-endian bytes of a number.
fn put(bytes: &mut [u8], words: &Words) {
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words.iter().rev()) {
        *bytes = word.to_be_bytes();
    }
}

/// x and y of a public key.
fn coordinates(public: &[u8]) -> [Words; 2] {
    assert_eq!(public.len(), POINT);
    [words(&public[1..1 + CURVE_KEY]), words(&public[1 + CURVE_KEY..])]
}

struct Agreements {
    api: P256,
    key: Words,
}

impl HashCalls for Agreements {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |publics, out| {
            let (places, privates) = (places(out, CURVE_KEY), [self.key.as_ptr(); LANES]);
            let publics: [_; LANES] = each(|i| coordinates(&publics[i]));
            let [x, y] = [0, 1].map(|which| each(|i| publics[i][which].as_ptr()));
            let agree = self.api.mbx_nistp256_ecdh_mb8;
            let (places, privates) = (places.as_ptr(), privates.as_ptr());
            let buffer = null_mut();
            // SAFETY: each of them has eight pointers, to 32 bytes or four words; null stands for affine points and no buffer.
            let status = unsafe { agree(places, privates, x.as_ptr(), y.as_ptr(), null(), buffer) };
            clear_failed(status, out, CURVE_KEY);
        });
    }
}

struct Generations(P256);

impl HashCalls for Generations {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |privates, out| {
            let privates: [_; LANES] = each(|i| words(&privates[i]));
            let privates = privates.each_ref().map(|private| private.as_ptr());
            let (mut x, mut y) = ([Words::default(); LANES], [Words::default(); LANES]);
            let places = [&mut x, &mut y].map(|all| all.each_mut().map(|place| place.as_mut_ptr()));
            let [x_places, y_places] = places.each_ref().map(|places| places.as_ptr());
            let (generate, buffer) = (self.0.mbx_nistp256_ecpublic_key_mb8, null_mut());
            // SAFETY: each of them has eight pointers to four words; null stands for affine points and no buffer.
            let status = unsafe { generate(x_places, y_places, null(), privates.as_ptr(), buffer) };
            for (i, out) in out.chunks_exact_mut(POINT).enumerate() {
                out[0] = 4;
                put(&mut out[1..1 + CURVE_KEY], &x[i]);
                put(&mut out[1 + CURVE_KEY..], &y[i]);
            }
            clear_failed(status, out, POINT);
        });
    }
}

struct Signatures {
    api: P256,
    key: Words,
}

impl HashCalls for Signatures {
    fn messages(&mut self, calls: usize, turn: &mut Turn, texts: &[Text], digests: &mut [u8]) {
        groups((calls, turn), texts, digests, |messages, out| {
            let hashed = hashed(each(|i| &messages[i][..]));
            let hashed = hashed.each_ref().map(|digest| digest.as_ptr());
            let mut nonces = [[0; CURVE_KEY]; LANES];
            random::fill(nonces.as_flattened_mut()).expect("the system has random bytes");
            let nonces = nonces.map(|nonce| words(&nonce));
            let nonces = nonces.each_ref().map(|nonce| nonce.as_ptr());
            let mut halves = out.chunks_exact_mut(CURVE_KEY);
            let mut half = || halves.next().expect("sixteen of them").as_mut_ptr();
            let places: [_; LANES] = each(|_| [half(), half()]);
            let [r, s] = [0, 1].map(|half| places.map(|place| place[half]));
            let (r, s, hashed, nonces) = (r.as_ptr(), s.as_ptr(), hashed.as_ptr(), nonces.as_ptr());
            let (keys, buffer) = ([self.key.as_ptr(); LANES], null_mut());
            let sign = self.api.mbx_nistp256_ecdsa_sign_mb8;
            // SAFETY: each of them has eight pointers, to 32 bytes or four words; null stands for no buffer.
            let status = unsafe { sign(r, s, hashed, nonces, keys.as_ptr(), buffer) };
            clear_failed(status, out, 2 * CURVE_KEY);
        });
    }

    fn note(&self) -> &'static str {
        "has neither SHA-256 nor nonces: those of ropewalk count"
    }
}

pub(super) fn hashed(messages: [&[u8]; LANES]) -> [CurveKey; LANES] {
    let mut digests = [[0; CURVE_KEY]; LANES];
    sha256::digest_many(&messages, &mut digests).expect("a place for each");
    digests
}

struct Verifications(P256, [Words; 2]);

impl VerifyingCalls for Verifications {
    fn verify(
        &mut self,
        calls: usize,
        turn: &mut Turn,
        signed: &[(Text, Signature)],
        right: &mut [bool],
    ) {
        let [x, y] = self.1.each_ref().map(|number| [number.as_ptr(); LANES]);
        let (x, y, buffer) = (x.as_ptr(), y.as_ptr(), null_mut());
        for _ in 0..calls {
            let signed = signed[turn.take(signed.len())].chunks_exact(LANES);
            for (signed, right) in signed.zip(right.chunks_exact_mut(LANES)) {
                let hashed = hashed(each(|i| &signed[i].0[..]));
                let hashed = hashed.each_ref().map(|digest| digest.as_ptr());
                let half = |at| each(|i| signed[i].1[at..at + CURVE_KEY].as_ptr());
                let (r, s): ([_; LANES], [_; LANES]) = (half(0), half(CURVE_KEY));
                let (r, s, hashed) = (r.as_ptr(), s.as_ptr(), hashed.as_ptr());
                let verify = self.0.mbx_nistp256_ecdsa_verify_mb8;
                // SAFETY: as for what signs; null stands for affine points too.
                let status = unsafe { verify(r, s, hashed, x, y, null(), buffer) };
                for (i, right) in right.iter_mut().enumerate() {
                    *right = !failed(status, i);
                }
            }
        }
    }

    fn note(&self) -> &'static str {
        "has no SHA-256: that of ropewalk counts"
    }
}
