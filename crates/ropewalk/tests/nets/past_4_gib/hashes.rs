//! Hash functions and MACs.

use ropewalk::{
    aes_cmac,
    poly1305::Poly1305,
    sha3::{
        Sha3_224, Sha3_224Many, Sha3_256, Sha3_256Many, Sha3_384, Sha3_384Many, Sha3_512,
        Sha3_512Many, Shake128, Shake256,
    },
};

use super::{
    AAD, BITS, LEN, assert_windows, has_instructions, is_chosen,
    known::{once, owned},
    pieces, secret,
};
use crate::{
    common::{
        all,
        repeated::{Room, text, windows},
    },
    kinds::{
        Extendable, Hash, HashMany, Hmac, Mac, OneTimeMac, Short128, Short256, hmac_secret_of,
    },
};

pub(super) fn hash<H: Hash>(backend: &'static str) {
    let hasher = H::new(backend);
    let at_once = [BITS, LEN].map(|len| hasher.digest(text(len)));
    let in_pieces = (all() || is_chosen(backend)).then(|| {
        let mut running = hasher.clone();
        pieces().into_iter().for_each(|piece| running.update(&text(LEN)[piece]));
        running.finish()
    });
    let want = [BITS, LEN].map(|len| {
        once(&format!("{} of {len}", H::INDEPENDENT), || vec![H::independent(text(len))]).remove(0)
    });
    assert_eq!(at_once, want, "{backend}");
    if let Some(digest) = in_pieces {
        assert_eq!(digest, want[1], "{backend} in pieces");
    }
}

pub(super) fn sha3(backend: &'static str) {
    hash::<Sha3_256>(backend);
    if all() || is_chosen(backend) {
        long_output::<Shake128>(backend);
    }
    // They are the same code with another block length and another padding.
    if all() {
        hash::<Sha3_224>(backend);
        hash::<Sha3_384>(backend);
        hash::<Sha3_512>(backend);
        extendable::<Shake128, 30>(backend);
        extendable::<Shake256, 64>(backend);
        long_output::<Shake256>(backend);
    }
}

pub(super) fn extendable<H: Extendable, const N: usize>(backend: &'static str) {
    let (mut hasher, mut digests) = (H::new(backend), [[0; N]; 2]);
    hasher.digest(text(LEN), &mut digests[0]);
    pieces().into_iter().for_each(|piece| hasher.update(&text(LEN)[piece]));
    H::squeeze(&mut hasher.finish(), &mut digests[1]);
    let want = once(&format!("{}-{N} of {LEN}", H::INDEPENDENT), || {
        let mut digest = vec![0; N];
        H::independent(text(LEN), &mut digest);
        vec![digest]
    });
    assert_eq!(digests.map(Vec::from), [&want[0], &want[0]].map(Vec::clone), "{backend}");
}

/// An output of more than 4 GiB.
pub(super) fn long_output<H: Extendable>(backend: &'static str) {
    let want = once(&format!("{LEN} bytes of {}", H::INDEPENDENT), || {
        let mut room = Room::new();
        H::independent(AAD, &mut room[..LEN]);
        owned(windows(&room[..LEN])).to_vec()
    });
    let (mut hasher, mut room) = (H::new(backend), Room::new());
    hasher.digest(AAD, &mut room[..LEN]);
    assert_windows(&room[..LEN], &want, backend);
    if all() {
        let mut room = Room::new();
        hasher.update(AAD);
        let mut reader = hasher.finish();
        pieces().into_iter().for_each(|piece| H::squeeze(&mut reader, &mut room[piece]));
        assert_windows(&room[..LEN], &want, &format!("{backend} in pieces"));
    }
}

pub(super) fn hmac<M: Hmac>(backend: &'static str) {
    let secret = hmac_secret_of(text(LEN));
    let key = M::new(secret, backend).unwrap();
    let mut running = key.start();
    pieces().into_iter().for_each(|piece| M::update(&mut running, &text(LEN)[piece]));
    let in_pieces = M::finish(running);
    let name = format!("{} of {LEN}", M::INDEPENDENT);
    let want = once(&name, || vec![M::independent(secret, text(LEN))]).remove(0);
    assert_eq!(in_pieces, want, "{backend} in pieces");
    if all() {
        assert_eq!(key.mac(text(LEN)), want, "{backend}");
        let (head, rest) = text(LEN).split_at(100);
        let of_secret_len = key.mac_of_secret_len(head, rest, rest.len() - 300, rest.len());
        assert_eq!(of_secret_len, Ok(want), "{backend}");
    }
}

/// Two long messages side by side, among short ones. They have one length, since a forced backend takes messages of one length
/// side by side.
pub(super) fn hash_many<H: HashMany>(backend: &'static str) {
    hash_batch(&H::new(backend), [100, LEN, LEN, 0, 1000], backend);
}

/// And messages of mixed lengths, of which a lane takes the next when its own ends.
pub(super) fn hash_many_and_mixed<H: HashMany>(backend: &'static str) {
    hash_many::<H>(backend);
    if is_chosen(backend) {
        hash_batch(&H::best(), [100, LEN, 70_000, BITS, LEN], "the best");
    }
}

pub(super) fn hash_batch<H: HashMany>(many: &H, lens: [usize; 5], name: &str) {
    let (messages, mut digests) = (lens.map(text), [H::NOTHING; 5]);
    many.digest(&messages, &mut digests).unwrap();
    for (message, digest) in messages.iter().zip(digests) {
        let known = format!("{} of {}", H::INDEPENDENT, message.len());
        let want = once(&known, || vec![H::independent(message)]).remove(0);
        assert_eq!(digest.as_ref(), want, "{name}, {}", message.len());
    }
}

pub(super) fn sha3_many(backend: &'static str) {
    hash_many::<Sha3_256Many>(backend);
    if all() {
        hash_many::<Sha3_224Many>(backend);
        hash_many::<Sha3_384Many>(backend);
        hash_many::<Sha3_512Many>(backend);
        hash_many::<Short128>(backend);
        hash_many::<Short256>(backend);
    }
}

pub(super) fn aes_cmac(backend: &'static str) {
    let secret = secret(16);
    let key = <aes_cmac::Key as Mac>::new(&secret, backend).unwrap();
    let want = once("aes-cmac", || vec![aes_cmac::Key::independent(&secret, text(LEN))]).remove(0);
    assert_eq!(Mac::mac(&key, text(LEN)), want, "{backend}");
    // Without instructions, it takes half a minute.
    if !all() && !has_instructions(backend) {
        return;
    }
    let pieces: Vec<_> = pieces().into_iter().map(|piece| &text(LEN)[piece]).collect();
    assert_eq!(key.verify_pieces(&pieces, &want), Ok(()), "{backend} in pieces");
}

pub(super) fn poly1305(backend: &'static str) {
    let key = secret(32).try_into().unwrap();
    let want = once("poly1305", || vec![Poly1305::independent(&key, text(LEN)).to_vec()]).remove(0);
    assert_eq!(<Poly1305 as OneTimeMac>::mac(&key, text(LEN), backend)[..], want, "{backend}");
    let mut mac = <Poly1305 as OneTimeMac>::new(&key, backend);
    pieces().into_iter().for_each(|piece| mac.update(&text(LEN)[piece]));
    assert_eq!(mac.finish()[..], want, "{backend} in pieces");
}
