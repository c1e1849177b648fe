//! Public keys: agreements of one key and of many, compared with one call of the portable backend.

use ropewalk::x25519::{self, PrivateKey, PublicKey, SharedSecret};

use super::{Backends, Calls, Row, run_one};
use crate::Case;

pub(super) const ROWS: &[Row] = &[
    Row { primitive: "x25519", run: x25519_one },
    Row { primitive: "x25519-many", run: x25519_many },
];

pub(super) fn run(case: &mut Case<'_>) {
    run_one(case, ROWS);
}

/// A number, often one close to a power of two.
fn number(case: &mut Case<'_>) -> [u8; 32] {
    let mut bytes: [u8; 32] = case.array();
    let from = case.pick(&[0, 8, 16, 24, 31]);
    match case.below(4) {
        0 => bytes[from..].fill(0xff),
        1 => bytes[from..].fill(0),
        _ => {}
    }
    bytes
}

fn x25519_one(case: &mut Case<'_>, Backends { tried, portable }: Backends) {
    let mut calls = Calls::new(tried);
    let bytes = number(case);
    let [key, right] =
        [tried, portable].map(|backend| PrivateKey::with_backend(&bytes, backend).unwrap());
    calls.begin(|| "public".into());
    assert_eq!(key.public(), right.public());
    while case.goes_on() {
        let with = PublicKey(number(case));
        calls.begin(|| format!("agree, {with:02x?}"));
        let bytes = |secret: SharedSecret| *secret.as_bytes();
        assert_eq!(key.agree(&with).map(bytes), right.agree(&with).map(bytes));
    }
}

fn x25519_many(case: &mut Case<'_>, Backends { tried, .. }: Backends) {
    let mut calls = Calls::new(tried);
    let many = x25519::Many::with_backend(tried).unwrap();
    while case.goes_on() {
        let count = case.below(18);
        let new = |bytes| PrivateKey::with_backend(&bytes, "x25519/portable").unwrap();
        let keys: Vec<_> = (0..count).map(|_| new(number(case))).collect();
        let with: Vec<_> = (0..count).map(|_| PublicKey(number(case))).collect();
        let pairs: Vec<_> = keys.iter().zip(&with).collect();
        calls.begin(|| format!("agree, {count} pairs"));
        let mut secrets: Vec<Option<SharedSecret>> = pairs.iter().map(|_| None).collect();
        many.agree(&pairs, &mut secrets).unwrap();
        for ((key, with), secret) in pairs.iter().zip(&secrets) {
            let want = key.agree(with).ok();
            let bytes = |secret: &SharedSecret| *secret.as_bytes();
            assert_eq!(secret.as_ref().map(bytes), want.as_ref().map(bytes));
        }
        calls.begin(|| format!("public, {count} keys"));
        let mut public = vec![PublicKey([0; 32]); count];
        many.public(&keys.iter().collect::<Vec<_>>(), &mut public).unwrap();
        assert!(keys.iter().zip(public).all(|(key, public)| key.public() == public));
    }
}
