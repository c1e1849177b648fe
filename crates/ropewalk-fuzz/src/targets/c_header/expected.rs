//! What calls that need no object must give, by the library in Rust.

use ropewalk::{
    Error, aes_ccm, aes_gcm, chacha20_poly1305, hash, poly1305,
    sha3::{Shake128, Shake256},
};

use super::{
    calls::World,
    header::Function,
    judged::{FORGED, OK},
    library::hash_name,
};

/// Holds a call against it, where there is something to hold it against.
pub(super) fn judge(world: &mut World, function: &Function, arguments: &[usize], status: usize) {
    let a = |name: &str| {
        let at = function.parameters.iter().position(|parameter| parameter.name == name);
        arguments[at.expect("a parameter of that name")]
    };
    let mut read =
        |what: &str| world.before(a(what), a(&format!("{what}_len"))).expect("it was read");
    let (want, output) = match (function.name.as_str(), status) {
        ("hash_digest", OK) => {
            let message = read("message");
            (digest(a("algorithm"), &message, a("digest_len")), "digest")
        }
        ("poly1305", OK) => {
            let (key, message) = (read("key"), read("message"));
            (poly1305::mac(&key.try_into().expect("32 bytes"), &message).to_vec(), "tag")
        }
        ("aead_seal_once", OK) => {
            let (secret, nonce, aad, tag_len) =
                (read("secret"), read("nonce"), read("aad"), a("tag_len"));
            let mut text = world.before(a("in"), a("len")).expect("it was read");
            let tag =
                seal(a("algorithm"), &secret, (&nonce, &aad), &mut text).expect("it was sealed");
            assert!(world.now(a("out"), a("len")).is_some_and(|out| out == text), "what is sealed");
            assert_eq!(tag.len(), tag_len);
            (tag, "tag")
        }
        ("aead_open_once", OK | FORGED) => {
            let (secret, nonce, aad, tag) =
                (read("secret"), read("nonce"), read("aad"), read("tag"));
            let mut text = world.before(a("in"), a("len")).expect("it was read");
            let opened = open(a("algorithm"), &secret, (&nonce, &aad), &mut text, &tag);
            let want = if status == OK { Ok(()) } else { Err(Error::Forged) };
            assert_eq!(opened, want, "whether it is forged");
            assert!(world.now(a("out"), a("len")).is_some_and(|out| out == text), "what is opened");
            return;
        }
        ("hash_digest_many", OK) => return digests(world, a("algorithm"), a("digest_len")),
        _ => return,
    };
    assert_eq!(world.now(a(output), want.len()), Some(want), "what {} gives", function.name);
}

fn digests(world: &mut World, algorithm: usize, len: usize) {
    let Some(rows) = world.rows().first() else { return };
    let rows: Vec<_> = rows
        .members
        .iter()
        .map(|row| (row["message"], row["message_len"], row["digest"]))
        .collect();
    // A digest may go where a later message lies.
    let mut written = Vec::<(usize, Vec<u8>)>::new();
    for (message, message_len, at) in rows {
        let mut text = world.before(message, message_len).expect("it was read");
        written.iter().for_each(|one| put(one, message, &mut text));
        written.push((at, digest(algorithm, &text, len)));
    }
    for i in 0..written.len() {
        let (at, mut want) = written[i].clone();
        written[i + 1..].iter().for_each(|one| put(one, at, &mut want));
        assert_eq!(world.now(at, len), Some(want), "what hash_digest_many gives");
    }
}

/// Writes what of some bytes goes where others lie.
fn put((from, bytes): &(usize, Vec<u8>), at: usize, others: &mut [u8]) {
    for (i, byte) in bytes.iter().enumerate() {
        let place = (from + i).checked_sub(at).and_then(|place| others.get_mut(place));
        place.into_iter().for_each(|place| *place = *byte);
    }
}

fn digest(algorithm: usize, message: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    match algorithm {
        12 => Shake128::new().digest(message, &mut out),
        13 => Shake256::new().digest(message, &mut out),
        other => {
            let algorithm = hash::Algorithm::named(hash_name(other)).expect("a name of its own");
            let digest = hash::Hasher::new(algorithm).digest(message);
            out.copy_from_slice(&digest);
        }
    }
    out
}

fn seal(
    algorithm: usize,
    secret: &[u8],
    (nonce, aad): (&[u8], &[u8]),
    text: &mut [u8],
) -> Result<Vec<u8>, Error> {
    let tag = match algorithm {
        1..=3 => aes_gcm::Key::new(secret)?.seal(nonce, aad, text)?,
        4..=6 => aes_ccm::Key::new(secret)?.seal(nonce, aad, text)?,
        _ => chacha20_poly1305::Key::new(secret)?.seal(nonce, aad, text)?,
    };
    Ok(tag.to_vec())
}

fn open(
    algorithm: usize,
    secret: &[u8],
    (nonce, aad): (&[u8], &[u8]),
    text: &mut [u8],
    tag: &[u8],
) -> Result<(), Error> {
    match algorithm {
        1..=3 => aes_gcm::Key::new(secret)?.open(nonce, aad, text, tag),
        4..=6 => aes_ccm::Key::new(secret)?.open(nonce, aad, text, tag),
        _ => chacha20_poly1305::Key::new(secret)?.open(nonce, aad, text, tag),
    }
}
