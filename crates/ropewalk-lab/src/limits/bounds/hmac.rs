//! HMAC (FIPS 198-1) with a key that is ready, and AES-CBC with HMAC.

use super::{Rates, aes_cbc, aes_ctr, hash};
use crate::tasks::{AeadOp, Cell, Function, Mode};

/// The assumptions, in words.
pub(super) const ASSUMES: &str = "As the hash of the message, and a block more that hashes that; the key is ready. Of records, AES \
    or HMAC, whichever takes longer, as they run beside each other.";

/// The header that is authenticated before the text of a record: number, type, version and length.
const HEADER: usize = 13;

/// As the hash of the message, with an additional block for the outer hash.
pub(super) fn least(rates: &Rates, cell: &Cell, function: Function) -> Option<f64> {
    let outer = match cell.mode {
        Mode::Message | Mode::Setup => function.block_len(),
        Mode::Stream => 0,
    };
    hash(rates, &Cell { bytes: cell.bytes + outer, ..*cell }, function)
}

/// A TLS record: the larger of AES of text, tag and padding, and of HMAC. Both are interleaved, except in the
/// last blocks. Opening may hash more, to hide the length.
pub(super) fn least_of_records(
    rates: &Rates,
    cell: &Cell,
    op: AeadOp,
    function: Function,
    key_len: usize,
) -> Option<f64> {
    let authentic = Cell { bytes: HEADER + cell.bytes, ..*cell };
    let padded = (cell.bytes + function.output_len() + 1).next_multiple_of(16);
    let encrypted = Cell { bytes: padded, ..*cell };
    let rounds = match op {
        AeadOp::Open => aes_ctr::least(rates, &encrypted, key_len)?,
        _ => aes_cbc::least_to_encrypt(rates, &encrypted, key_len)?,
    };
    Some(rounds.max(least(rates, &authentic, function)?))
}

#[cfg(test)]
mod tests {
    use crate::{
        limits::bounds::tests::{cell, golden_cove},
        tasks::Mode::{Message, Stream},
    };

    #[test]
    fn a_block_more_than_the_hash() {
        let rates = golden_cove();
        let least = |name, bytes, mode| rates.least_cycles(&cell(name, bytes, 1, mode)).unwrap();
        for (mac, hash, block) in [
            ("hmac-md5", "md5", 64),
            ("hmac-sha1", "sha1", 64),
            ("hmac-sha256", "sha256", 64),
            ("hmac-sha384", "sha384", 128),
            ("hmac-sha3-256", "sha3-256", 136),
        ] {
            for bytes in [0, 16, 1000] {
                let want = least(hash, bytes + block, Message);
                assert_eq!(least(mac, bytes, Message), want, "{mac} {bytes}");
            }
            assert_eq!(least(mac, 1000, Stream), least(hash, 1000, Stream), "{mac}");
        }
    }

    #[test]
    fn the_longer_of_two_chains() {
        let rates = golden_cove();
        let least = |name| rates.least_cycles(&cell(name, 16384, 1, Message)).unwrap();
        let hash = 2.0 * 96.0 + (16384.0 / 64.0) * 128.0;
        assert_eq!(least("aes-128-cbc-hmac-sha256"), hash);
        assert_eq!(least("aes-256-cbc-hmac-sha1"), 14.0 * 3.0 * (1026.0 - 40.0));
    }
}
