//! Agreements and signatures.

use std::ptr::{from_mut, null_mut};

use super::{CASES, LENS, Places, ROOM, compare, fill, read, status, words};
use crate::algorithms::{ROPEWALK_SHA1, ROPEWALK_SHA256, ROPEWALK_SHA512, ROPEWALK_SM3};
use crate::public_keys::{
    ed25519::{many::*, *},
    p256::{
        many::*,
        signatures::{many::*, *},
        *,
    },
    rsa::{
        signatures::{many::*, *},
        *,
    },
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

/// Two private keys of P-256, and their public keys in both forms.
struct OfP256 {
    keys: [ropewalk_p256_key; 2],
    public_keys: [ropewalk_p256_public_key; 2],
    bytes: [[u8; 65]; 2],
    compressed: [[u8; 33]; 2],
}

impl OfP256 {
    /// Keys are bound to their addresses.
    fn new() -> Box<Self> {
        let mut all = Box::new(Self {
            keys: [words(), words()],
            public_keys: [words(), words()],
            bytes: [[0; 65]; 2],
            compressed: [[0; 33]; 2],
        });
        let Self { keys, public_keys, bytes, compressed } = &mut *all;
        for i in 0..2 {
            let secret = [i as u8 + 1; 32];
            let init = status!(ropewalk_p256_key_init(&mut keys[i], read(&secret), null_mut()));
            let [to, short] = [from_mut(&mut bytes[i]).cast(), from_mut(&mut compressed[i]).cast()];
            let public = status!(ropewalk_p256_public(&keys[i], to, 65, null_mut()));
            let short = status!(ropewalk_p256_public(&keys[i], short, 33, null_mut()));
            let key = &mut public_keys[i];
            let made = status!(ropewalk_p256_public_key_init(key, to, 65, null_mut()));
            assert_eq!([init, public, short, made], [0; 4]);
        }
        all
    }
}

/// Public keys have both forms, some are no points, and some secrets go where public keys are.
#[test]
fn agreements_of_p256() {
    let of = OfP256::new();
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, 97);
        let (mut items, mut publics) = (Vec::new(), Vec::new());
        for i in 0..places.count() {
            let key = &raw const of.keys[places.random.below(2)];
            let (which, is_short) = (places.random.below(2), places.random.below(3) == 0);
            let public_key_len = if is_short { 33 } else { 65 };
            let public_key = places.of(i, 3, public_key_len);
            let secret = if case % 3 == 0 { public_key } else { places.of(i, 5, 32) };
            let source = match is_short {
                true => &of.compressed[which][..],
                false => &of.bytes[which][..],
            };
            if places.random.below(20) > 0 {
                // SAFETY: they lie in the memory of the case, which has no reference to it.
                unsafe { public_key.cast::<u8>().copy_from(source.as_ptr(), source.len()) };
            }
            // Rarely a length of neither form.
            let public_key_len = public_key_len - usize::from(places.random.below(500) == 0);
            items.push(ropewalk_p256_item { key, public_key, public_key_len, secret, status: 99 });
            publics.push(ropewalk_p256_public_item { key, public_key, public_key_len });
        }
        let agree = |m: &mut ropewalk_p256_item| {
            status!(ropewalk_p256_agree(
                m.key,
                m.public_key,
                m.public_key_len,
                m.secret,
                null_mut()
            ))
        };
        let agree_many = |all: &mut [ropewalk_p256_item], error: *mut _| {
            status!(ropewalk_p256_agree_many(all.as_mut_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut items, agree_many, agree, |m| Some(m.status));
        let public = |m: &mut ropewalk_p256_public_item| {
            status!(ropewalk_p256_public(m.key, m.public_key, m.public_key_len, null_mut()))
        };
        let public_many = |all: &mut [ropewalk_p256_public_item], error: *mut _| {
            status!(ropewalk_p256_public_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut publics, public_many, public, |_| None);
    }
}

/// Digests have several lengths, rarely too short ones. Some signatures are no pairs of numbers below the order.
#[test]
fn signatures_of_p256() {
    let of = OfP256::new();
    let mut memory = vec![0; ROOM];
    for case in 0..CASES {
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, 64 + 64);
        let (mut to_sign, mut signed) = (Vec::new(), Vec::new());
        for i in 0..places.count() {
            let which = places.random.below(2);
            let digest_len = match places.random.below(1000) {
                0 => 19,
                any => [32, 20, 28, 48, 64][any % 5],
            };
            let (digest, signature) = (places.of(i, 5, digest_len), places.of(i, 0, 64));
            let key = &raw const of.keys[which];
            to_sign.push(ropewalk_p256_to_sign { key, digest, digest_len, signature });
            let key = &raw const of.public_keys[which];
            signed.push(ropewalk_p256_signed { key, digest, digest_len, signature, status: 99 });
        }
        let sign = |m: &mut ropewalk_p256_to_sign| {
            status!(ropewalk_p256_sign_deterministic(
                m.key,
                m.digest,
                m.digest_len,
                m.signature,
                null_mut()
            ))
        };
        let sign_many = |all: &mut [ropewalk_p256_to_sign], error: *mut _| {
            status!(ropewalk_p256_sign_deterministic_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut to_sign, sign_many, sign, |_| None);
        for one in &to_sign {
            if places.random.below(20) == 0 {
                // SAFETY: it lies in the memory of the case, which has no reference to it.
                unsafe { one.signature.cast::<[u8; 32]>().write([0; 32]) };
            }
        }
        let verify = |m: &mut ropewalk_p256_signed| {
            status!(ropewalk_p256_verify(m.key, m.digest, m.digest_len, m.signature, null_mut()))
        };
        let verify_many = |all: &mut [ropewalk_p256_signed], error: *mut _| {
            status!(ropewalk_p256_verify_many(all.as_mut_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut signed, verify_many, verify, |m| Some(m.status));
    }
}

/// Signatures of one digest differ, as their nonces have random bytes, and verify.
#[test]
fn hedged_signatures_of_p256() {
    let of = OfP256::new();
    let (digest, count) = ([7_u8; 32], if cfg!(miri) { 3 } else { 70 });
    let mut signatures = vec![[0_u8; 64]; count];
    let to = signatures.as_mut_ptr();
    let to_sign: Vec<_> = (0..count)
        .map(|i| ropewalk_p256_to_sign {
            key: &raw const of.keys[i % 2],
            digest: read(&digest),
            digest_len: 32,
            signature: to.wrapping_add(i).cast(),
        })
        .collect();
    assert_eq!(status!(ropewalk_p256_sign_many(to_sign.as_ptr(), to_sign.len(), null_mut())), 0);
    for (i, one) in to_sign.iter().enumerate() {
        let key = &raw const of.public_keys[i % 2];
        let is = status!(ropewalk_p256_verify(key, one.digest, 32, one.signature, null_mut()));
        assert_eq!(is, 0, "{i}");
    }
    let mut distinct = signatures.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), signatures.len());
}

/// Private keys of RSA of two sizes, and their public keys.
struct OfRsa {
    keys: [ropewalk_rsa_key; 2],
    public_keys: [ropewalk_rsa_public_key; 2],
}

impl OfRsa {
    const BITS: [usize; 2] = [2048, 2560];

    /// Keys are bound to their addresses.
    fn new() -> Box<Self> {
        let mut all = Box::new(Self { keys: [words(), words()], public_keys: [words(), words()] });
        let Self { keys, public_keys } = &mut *all;
        for i in 0..2 {
            let made = status!(ropewalk_rsa_key_generate(&mut keys[i], Self::BITS[i], null_mut()));
            let public = status!(ropewalk_rsa_public(&mut public_keys[i], &keys[i], null_mut()));
            assert_eq!([made, public], [0; 2]);
        }
        all
    }
}

impl Drop for OfRsa {
    fn drop(&mut self) {
        for key in &mut self.keys {
            // SAFETY: nothing refers to the key.
            unsafe { ropewalk_rsa_key_wipe(key) };
        }
    }
}

/// Keys, hash functions and encodings differ. Rarely a length or a number is one that is refused. Without a salt, signatures of
/// RSASSA-PSS of one digest are the same.
#[test]
#[cfg_attr(miri, ignore = "a signature of RSA takes Miri minutes")]
fn signatures_of_rsa() {
    let of = OfRsa::new();
    let mut memory = vec![0; ROOM];
    for case in 0..CASES / 4 {
        fill(&mut memory, case);
        let mut places = Places::new(case, &mut memory, 320 + 64);
        let (mut to_sign, mut signed) = (Vec::new(), Vec::new());
        for i in 0..places.count() {
            let which = places.random.below(2);
            let (hash, digest_len) =
                [(ROPEWALK_SHA256, 32), (ROPEWALK_SHA512, 64), (ROPEWALK_SHA1, 20)]
                    [places.random.below(3)];
            let padding = 1 + places.random.below(2) as u32;
            let signature_len = OfRsa::BITS[which] / 8;
            let (digest, signature) = (places.of(i, 5, digest_len), places.of(i, 0, signature_len));
            let (mut hash, mut digest_len, mut salt_len) = (hash, digest_len, 0);
            match places.random.below(1500) {
                0 => digest_len += 1,
                1 => hash = ROPEWALK_SM3,
                2 if padding == ROPEWALK_RSA_PSS => salt_len = 1000,
                _ => {}
            }
            let key = &raw const of.keys[which];
            to_sign.push(ropewalk_rsa_to_sign {
                key,
                padding,
                hash,
                salt_len,
                digest,
                digest_len,
                signature,
                // Rarely one byte too few.
                signature_len: signature_len - usize::from(places.random.below(1000) == 0),
            });
            let key = &raw const of.public_keys[which];
            signed.push(ropewalk_rsa_signed {
                key,
                padding,
                hash,
                salt_len,
                digest,
                digest_len,
                signature,
                signature_len,
                status: 99,
            });
        }
        let sign = |m: &mut ropewalk_rsa_to_sign| match m.padding {
            ROPEWALK_RSA_PSS => status!(ropewalk_rsa_sign_pss(
                m.key,
                m.hash,
                m.salt_len,
                m.digest,
                m.digest_len,
                m.signature,
                m.signature_len,
                null_mut()
            )),
            _ => status!(ropewalk_rsa_sign_pkcs1v15(
                m.key,
                m.hash,
                m.digest,
                m.digest_len,
                m.signature,
                m.signature_len,
                null_mut()
            )),
        };
        let sign_many = |all: &mut [ropewalk_rsa_to_sign], error: *mut _| {
            status!(ropewalk_rsa_sign_many(all.as_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut to_sign, sign_many, sign, |_| None);
        for one in &to_sign {
            if places.random.below(20) == 0 {
                // SAFETY: it lies in the memory of the case, which has no reference to it.
                unsafe { one.signature.cast::<[u8; 32]>().write([0xff; 32]) };
            }
        }
        let verify = |m: &mut ropewalk_rsa_signed| match m.padding {
            ROPEWALK_RSA_PSS => status!(ropewalk_rsa_verify_pss(
                m.key,
                m.hash,
                m.salt_len,
                m.digest,
                m.digest_len,
                m.signature,
                m.signature_len,
                null_mut()
            )),
            _ => status!(ropewalk_rsa_verify_pkcs1v15(
                m.key,
                m.hash,
                m.digest,
                m.digest_len,
                m.signature,
                m.signature_len,
                null_mut()
            )),
        };
        let verify_many = |all: &mut [ropewalk_rsa_signed], error: *mut _| {
            status!(ropewalk_rsa_verify_many(all.as_mut_ptr(), all.len(), error))
        };
        compare(&mut memory, &mut signed, verify_many, verify, |m| Some(m.status));
    }
}
