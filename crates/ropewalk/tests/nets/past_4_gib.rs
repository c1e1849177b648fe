//! Messages past 4 GiB, at once and in pieces: lengths, counters and offsets of more than 32 bits. Texts and outputs are a few
//! pages that are mapped repeatedly, so that no test allocates 4 GiB.
//!
//! Every form of every call, by every backend, takes an hour: `ROPEWALK_ALL=1` runs them. `cargo xtask deep` runs those of which
//! the code differs, in ten minutes on two cores: the table and `all()` say which those are.

mod ciphers;
mod hashes;
mod known;
mod sealing;

use std::ops::Range;

use ropewalk::{
    PRIMITIVES, aes_gcm,
    backend::{Info, Primitive},
    chacha20_poly1305,
};

use crate::{
    Cover, Net,
    common::{
        Random,
        repeated::{PERIOD, Room, windows},
    },
    functions::{Covers, Function, Long},
    kinds::CmacMany,
};
use ciphers::{aes_cbc, aes_cbc_many, aes_ctr, aes_ctr_many, aes_ecb, aes_xts, chacha20};
use hashes::{aes_cmac, hash, hash_many, hash_many_and_mixed, hmac, poly1305, sha3, sha3_many};
use sealing::{aead_many, aes_ccm, aes_ccm_many, aes_gcm, chacha20_poly1305};

pub(crate) const NET: Net = Net {
    name: "past-4-gib",
    primitives: &[
        ("aes-gcm", Cover::Backend(aes_gcm)),
        ("aes-ctr", Cover::Some(aes_ctr, not_portable, BITSLICED)),
        ("aes-ccm", Cover::Some(aes_ccm, not_portable, BITSLICED)),
        ("aes-cbc", Cover::Some(aes_cbc, not_portable, BITSLICED)),
        ("aes-ecb", Cover::Some(aes_ecb, not_portable, BITSLICED)),
        ("aes-xts", Cover::Some(aes_xts, not_portable, BITSLICED)),
        ("aes-cmac", Cover::Some(aes_cmac, not_portable, BITSLICED)),
        ("sha3", Cover::Backend(sha3)),
        ("sha3-many", Cover::Some(sha3_many, in_lanes, ONE_BY_ONE)),
        ("chacha20-poly1305", Cover::Backend(chacha20_poly1305)),
        ("chacha20-poly1305-many", Cover::Backend(aead_many::<chacha20_poly1305::Many>)),
        ("chacha20", Cover::Backend(chacha20)),
        ("p256", Cover::None("a digest is read up to 32 bytes")),
        ("p256-many", Cover::None("a digest is read up to 32 bytes")),
        ("rsa", Cover::None("digests have at most 64 bytes")),
        ("rsa-many", Cover::None("digests have at most 64 bytes")),
        ("poly1305", Cover::Backend(poly1305)),
        ("aes-ccm-many", Cover::Backend(aes_ccm_many)),
        ("aes-gcm-many", Cover::Backend(aead_many::<aes_gcm::Many>)),
        ("aes-cbc-many", Cover::Backend(aes_cbc_many)),
        ("aes-ctr-many", Cover::Backend(aes_ctr_many)),
        ("aes-cmac-many", Cover::Backend(hash_many::<CmacMany>)),
        ("aes-xts-many", Cover::None("a data unit has up to 2^20 blocks, and each message is one")),
        (
            "aes-kw",
            Cover::None("it goes over a text six times, for which there would have to be memory"),
        ),
        ("aes-cbc-hmac-sha1", Cover::None("a record has up to 2^14 bytes")),
        ("aes-cbc-hmac-sha1-many", Cover::None("a record has up to 2^14 bytes")),
        ("aes-cbc-hmac-sha256", Cover::None("a record has up to 2^14 bytes")),
        ("aes-cbc-hmac-sha256-many", Cover::None("a record has up to 2^14 bytes")),
        ("ctr-drbg", Cover::None("a request is for up to 2^16 bytes")),
        ("ed25519", Cover::None("a text goes to SHA-512 only")),
        ("ed25519-many", Cover::None("a text goes to SHA-512 only")),
        ("x25519", Cover::None("its arguments are arrays of one length")),
        ("x25519-many", Cover::None("its arguments are arrays of one length")),
    ],
    functions: |suites| &suites.past_4_gib,
};

/// What it does with a hash function, and with HMAC of it.
pub(crate) const fn of_function<F: Function<N>, const N: usize>() -> Covers {
    let Long { shared, mixed, hmac, hmac_many } = F::ROW.long;
    let one = match shared {
        true => Cover::Some(hash::<F>, chosen, "its backends are those of another hash function"),
        false => Cover::Backend(hash::<F>),
    };
    let many = match (shared, mixed) {
        (true, _) => Cover::Some(hash_many_and_mixed::<F::Lanes>, none, SHARED),
        (_, true) => Cover::Some(hash_many_and_mixed::<F::Lanes>, in_lanes, ONE_BY_ONE),
        (_, false) => Cover::Some(hash_many::<F::Lanes>, in_lanes, ONE_BY_ONE),
    };
    let hmac = match hmac {
        true => Cover::Some(self::hmac::<F::Mac>, chosen, OF_ITS_HASH),
        false => Cover::Some(self::hmac::<F::Mac>, none, SHARED),
    };
    let hmac_many = match hmac_many {
        true => Cover::Some(hash_many::<F::MacLanes>, chosen, OF_ITS_HASH),
        false => Cover::Some(hash_many::<F::MacLanes>, none, "as hmac-sha256-many"),
    };
    Covers { one, many, hmac, hmac_many }
}

const SHARED: &str = "as of the hash function that has the same code";

/// Of AES-GCM, the portable backend has the counters and the cipher of all others.
const BITSLICED: &str = "portable AES takes 40 to 150 s a text: AES-GCM has one, by the same code";
const ONE_BY_ONE: &str = "it works one by one, by the code of the primitive for one message";
const OF_ITS_HASH: &str = "its backends are those of its hash function";

fn not_portable(_: &Primitive, info: &Info) -> bool {
    !info.name.ends_with("/portable")
}

fn in_lanes(_: &Primitive, info: &Info) -> bool {
    info.lanes > 1
}

fn chosen(primitive: &Primitive, info: &Info) -> bool {
    primitive.chosen().is_some_and(|chosen| chosen.name == info.name)
}

fn none(_: &Primitive, _: &Info) -> bool {
    false
}

/// A multiple of no block.
const LEN: usize = (1 << 32) + (1 << 20) + 77;

/// The same, in whole blocks of AES.
const BLOCKS: usize = LEN / 16 * 16;

/// More than 2^32 bits, as hash functions encode lengths.
const BITS: usize = (1 << 29) + 77;

const AAD: &[u8] = b"header";

/// The windows of an output that is wiped.
const ZERO_WINDOWS: [&[u8]; 2] = [&[0; PERIOD]; 2];

fn secret(len: usize) -> Vec<u8> {
    (0..len as u8).collect()
}

/// Whether some primitive chooses that backend here.
fn is_chosen(backend: &str) -> bool {
    let chosen =
        |primitive: &Primitive| primitive.chosen().is_some_and(|info| info.name == backend);
    PRIMITIVES.iter().any(chosen)
}

/// Whether it uses instructions for AES.
fn has_instructions(backend: &str) -> bool {
    let mut all = PRIMITIVES.iter().flat_map(|primitive| primitive.backends);
    all.any(|info| info.name == backend && info.features.contains(&"aes"))
}

/// Pieces of 1 to 65,536 bytes, and one of more than 2^32 bytes among them.
fn pieces() -> Vec<Range<usize>> {
    const LONG: Range<usize> = 654_321..654_321 + (1 << 32) + 5;
    let (mut random, mut at, mut cuts) = (Random(33), 0, vec![0]);
    while at < LEN {
        let bits = 1 + random.below(16);
        at = LEN.min(at + 1 + random.below(1 << bits));
        if LONG.contains(&at) {
            cuts.push(LONG.start);
            at = LONG.end;
        }
        cuts.push(at);
    }
    cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
}

/// It does not print the windows, which have megabytes.
#[track_caller]
fn assert_windows(out: &[u8], want: &[Vec<u8>], case: &str) {
    assert!(windows(out) == want, "{case}");
}

/// The texts of a batch: two long ones, which a call changes in place, among short ones.
struct Batch {
    long: [Room; 2],
    short: [Vec<u8>; 3],
}

impl Batch {
    fn new(short: &[u8]) -> Self {
        Self { long: [(); 2].map(|()| Room::new()), short: [(); 3].map(|()| short.to_vec()) }
    }

    fn texts(&mut self, len: usize) -> [&mut [u8]; 5] {
        let Self { long: [first, second], short: [a, b, c] } = self;
        [a, &mut first[..len], &mut second[..len], b, c]
    }
}

/// The last piece of a text that is longer than `LEN`, and what a call returned of it.
struct Last {
    len: usize,
    output: Vec<u8>,
}

/// Calls `next` for pieces of `LEN` bytes, and for the rest of `len` bytes.
fn through(len: usize, mut next: impl FnMut(usize) -> Vec<u8>) -> Last {
    (0..len / LEN).for_each(|_| drop(next(LEN)));
    let len = len % LEN;
    Last { len, output: next(len) }
}
