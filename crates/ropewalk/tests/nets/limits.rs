//! Lengths at which a standard ends, in memory that is not there until it is touched. What is longer
//! is refused before anything of it is.

use ropewalk::{Error, aes_ctr, aes_gcm};

use crate::{
    Cover, Net,
    common::guarded::{End, Guarded},
};

pub(crate) const NET: Net = Net {
    name: "limits",
    primitives: &[
        ("aes-cbc", Cover::None("the standard has no limit that memory can reach")),
        ("aes-ctr", Cover::Backend(aes_ctr)),
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("sha256", Cover::None("the limit is 2^61 bytes, which no memory has")),
        ("sha256-many", Cover::None("the limit is 2^61 bytes, which no memory has")),
        ("sha3", Cover::None("the standard has no limit")),
    ],
};

/// So many bytes that nobody has touched.
fn with_vast(len: u64, test: impl FnOnce(&mut [u8])) {
    let len = usize::try_from(len).expect("64 bits");
    let mut vast = Guarded::vast(len).expect("memory that is promised, and not there");
    test(vast.room(End::Start, len));
}

fn aes_gcm(backend: &'static str) {
    let key = aes_gcm::Key::with_backend(&[7; 16], backend).unwrap();
    assert_eq!(aes_gcm::LONGEST_TEXT, (1 << 36) - 32);
    for more in [1, 16, 32, 1 << 32] {
        with_vast(aes_gcm::LONGEST_TEXT + more, |text| {
            let got = text.len();
            let refused = Error::Length { what: "text", got, allowed: "up to 2^36 - 32 bytes" };
            for nonce in [[1; 12].as_slice(), &[1; 16]] {
                assert_eq!(key.seal(nonce, b"", text), Err(refused), "{backend}");
                assert_eq!(key.open(nonce, b"", text, &[0; 16]), Err(refused), "{backend}");
            }
        });
    }
}

fn aes_ctr(backend: &'static str) {
    use aes_ctr::{Counter, Key, Stream};
    let key = Key::with_backend(&[7; 16], backend).unwrap();
    with_vast((1 << 36) + 1, |text| {
        let too_long = |result: Result<(), Error>| {
            let Err(Error::Length { what: "text", got, .. }) = result else { panic!("{result:?}") };
            assert_eq!(got, (1 << 36) + 1, "{backend}");
        };
        too_long(key.apply_keystream(Counter::Bits32, &[0; 16], text));
        // What has gone through a stream counts.
        let mut stream = Stream::new(Counter::Bits32, &[0; 16]);
        let (head, rest) = text.split_at_mut(100);
        stream.apply_keystream(&key, head).unwrap();
        let before = head.to_vec();
        too_long(stream.apply_keystream(&key, rest));
        assert_eq!(rest[..100], [0; 100], "{backend}");
        // What was refused took nothing of the key stream.
        let mut whole = vec![0; 200];
        key.apply_keystream(Counter::Bits32, &[0; 16], &mut whole).unwrap();
        stream.apply_keystream(&key, &mut rest[..100]).unwrap();
        assert_eq!([before.as_slice(), &rest[..100]].concat(), whole, "{backend}");
    });
}
