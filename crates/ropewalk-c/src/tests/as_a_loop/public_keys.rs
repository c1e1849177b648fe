//! Agreements and signatures.

use std::ptr::{from_mut, null_mut};

use super::{CASES, LENS, Places, ROOM, compare, fill, read, status, words};
use crate::public_keys::{
    ed25519::{many::*, *},
    x25519::{many::*, *},
};

/// Some public keys have small order, and some secrets go where public keys are.
#[test]
fn agreements() {
    let mut keys = [words::<ropewalk_x25519_key>(), words()];
    for (i, key) in keys.iter_mut().enumerate() {
        let secret = [i as u8; 32];
        assert_eq!(status!(ropewalk_x25519_key_init(key, read(&secret), null_mut())), 0);
    }
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, 64);
        let (mut items, mut publics) = (Vec::new(), Vec::new());
        for i in 0..places.count() {
            let key = &raw const keys[places.random.below(2)];
            let secret = places.of(i, 5, 32);
            let public_key = if case % 3 == 0 { secret } else { places.of(i, 3, 32) };
            if places.random.below(20) == 0 {
                // SAFETY: they lie in the memory of the case.
                unsafe { public_key.cast::<[u8; 32]>().write([0; 32]) };
            }
            items.push(ropewalk_x25519_item { key, public_key, secret, status: 99 });
            publics.push(ropewalk_x25519_public_item { key, public_key });
        }
        let agree = |m: &mut ropewalk_x25519_item| {
            status!(ropewalk_x25519_agree(m.key, m.public_key, m.secret, null_mut()))
        };
        let agree_many = |all: &mut [ropewalk_x25519_item], error: *mut _| {
            status!(ropewalk_x25519_agree_many(all.as_mut_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut items, agree_many, agree, |m| Some(m.status));
        let public = |m: &mut ropewalk_x25519_public_item| {
            status!(ropewalk_x25519_public(m.key, m.public_key, null_mut()))
        };
        let public_many = |all: &mut [ropewalk_x25519_public_item], error: *mut _| {
            status!(ropewalk_x25519_public_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut publics, public_many, public, |_| None);
    }
}

#[test]
fn signatures() {
    let mut keys = [words::<ropewalk_ed25519_key>(), words()];
    let mut public_keys = [words::<ropewalk_ed25519_public_key>(), words()];
    for (i, (key, public_key)) in keys.iter_mut().zip(&mut public_keys).enumerate() {
        let (secret, mut bytes) = ([i as u8; 32], [0_u8; 32]);
        assert_eq!(status!(ropewalk_ed25519_key_init(key, read(&secret), null_mut())), 0);
        let to = from_mut(&mut bytes).cast();
        assert_eq!(status!(ropewalk_ed25519_public(key, to, null_mut())), 0);
        let made = status!(ropewalk_ed25519_public_key_init(public_key, to, null_mut()));
        assert_eq!(made, 0);
    }
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        let len = LENS[case % 5];
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, len + 64);
        let (mut to_sign, mut signed) = (Vec::new(), Vec::new());
        for i in 0..places.count() {
            let (which, message_len) = (places.random.below(2), places.len(len));
            let (message, signature) = (places.of(i, 5, message_len), places.of(i, 0, 64));
            let key = &raw const keys[which];
            to_sign.push(ropewalk_ed25519_to_sign { key, message, message_len, signature });
            let key = &raw const public_keys[which];
            signed.push(ropewalk_ed25519_signed {
                key,
                message,
                message_len,
                signature,
                status: 99,
            });
        }
        let sign = |m: &mut ropewalk_ed25519_to_sign| {
            status!(ropewalk_ed25519_sign(m.key, m.message, m.message_len, m.signature, null_mut()))
        };
        let sign_many = |all: &mut [ropewalk_ed25519_to_sign], error: *mut _| {
            status!(ropewalk_ed25519_sign_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut to_sign, sign_many, sign, |_| None);
        let verify = |m: &mut ropewalk_ed25519_signed| {
            status!(ropewalk_ed25519_verify(
                m.key,
                m.message,
                m.message_len,
                m.signature,
                null_mut()
            ))
        };
        let verify_many = |all: &mut [ropewalk_ed25519_signed], error: *mut _| {
            status!(ropewalk_ed25519_verify_many(all.as_mut_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut signed, verify_many, verify, |m| Some(m.status));
    }
}
