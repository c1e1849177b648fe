//! The encodings of a digest: EMSA-PKCS1-v1_5 and EMSA-PSS (RFC 8017, sections 9.2 and 9.1).

use crate::{
    bignum::Bits,
    core::Error,
    hashes::Hash,
    sha1::Sha1,
    sha256::{Sha224, Sha256},
    sha512::{Sha384, Sha512, Sha512_256},
};

/// A hash function of signatures.
///
/// SHA-1 is for signatures that exist: colliding messages are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashFunction {
    /// SHA-1, 20 bytes.
    Sha1,
    /// SHA-224, 28 bytes.
    Sha224,
    /// SHA-256, 32 bytes.
    Sha256,
    /// SHA-384, 48 bytes.
    Sha384,
    /// SHA-512, 64 bytes.
    Sha512,
    /// SHA-512/256, 32 bytes.
    Sha512_256,
}

/// The encoding of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Padding {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    Pkcs1v15,
    /// RSASSA-PSS (section 8.1).
    Pss {
        /// Bytes of the salt.
        salt_len: usize,
    },
}

/// Bytes of the longest digest.
const LONGEST: usize = 64;

impl HashFunction {
    /// Bytes in a digest (hLen).
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 | Self::Sha512_256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// DigestInfo without its digest (section 9.2, note 1).
    const fn digest_info(self) -> &'static [u8] {
        match self {
            Self::Sha1 => b"\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14",
            Self::Sha224 => {
                b"\x30\x2d\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x04\x05\x00\x04\x1c"
            }
            Self::Sha256 => {
                b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"
            }
            Self::Sha384 => {
                b"\x30\x41\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x02\x05\x00\x04\x30"
            }
            Self::Sha512 => {
                b"\x30\x51\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03\x05\x00\x04\x40"
            }
            Self::Sha512_256 => {
                b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x06\x05\x00\x04\x20"
            }
        }
    }

    /// The hash value of all parts, in the first bytes of `out`.
    fn hash(self, parts: &[&[u8]], out: &mut [u8; LONGEST]) {
        fn all<H: Hash>(parts: &[&[u8]], out: &mut [u8; LONGEST]) {
            let mut hasher = H::default();
            parts.iter().for_each(|part| hasher.update(part));
            out[..H::DIGEST_LEN].copy_from_slice(hasher.finish().as_ref());
        }
        match self {
            Self::Sha1 => all::<Sha1>(parts, out),
            Self::Sha224 => all::<Sha224>(parts, out),
            Self::Sha256 => all::<Sha256>(parts, out),
            Self::Sha384 => all::<Sha384>(parts, out),
            Self::Sha512 => all::<Sha512>(parts, out),
            Self::Sha512_256 => all::<Sha512_256>(parts, out),
        }
    }

    /// Adds MGF1 of a seed to `masked` (section B.2.1).
    fn add_mgf1(self, seed: &[u8], masked: &mut [u8]) {
        let mut mask = [0; LONGEST];
        for (counter, chunk) in (0_u32..).zip(masked.chunks_mut(self.digest_len())) {
            self.hash(&[seed, &counter.to_be_bytes()], &mut mask);
            chunk.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        }
    }

    fn check(self, digest: &[u8]) -> Result<(), Error> {
        if digest.len() != self.digest_len() {
            let allowed = "that of the hash function";
            return Err(Error::Length { what: "digest", got: digest.len(), allowed });
        }
        Ok(())
    }
}

/// An encoded message EM.
pub(super) struct Encoded {
    bytes: [u8; 512],
    len: usize,
}

impl Encoded {
    /// One of zeros, of at most 512 bytes.
    pub(super) fn zero(len: usize) -> Self {
        Self { bytes: [0; 512], len: len.min(512) }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

/// EMSA-PKCS1-v1_5-ENCODE (section 9.2), for a modulus of that size, which has at least 1024 bits.
pub(super) fn pkcs1v15(function: HashFunction, digest: &[u8], n: Bits) -> Result<Encoded, Error> {
    function.check(digest)?;
    let mut em = Encoded::zero(n.bytes());
    let (padding, t) = {
        let info = function.digest_info();
        let at = em.len - digest.len();
        let (front, hash) = em.as_mut_slice().split_at_mut(at);
        hash.copy_from_slice(digest);
        front.split_at_mut(at - info.len())
    };
    t.copy_from_slice(function.digest_info());
    // 0x00 0x01 PS 0x00
    padding.fill(0xff);
    if let [first, second, .., last] = padding {
        (*first, *second, *last) = (0, 1, 0);
    }
    Ok(em)
}

/// Bytes of an encoded message for a modulus of that size, and how many bits of the first one are zero (emBits is one less than
/// the size).
fn pss_shape(Bits(n): Bits) -> (usize, u32) {
    let len = Bits(n - 1).bytes();
    (len, (8 * len - (n - 1)) as u32)
}

/// EMSA-PSS-ENCODE (section 9.1.1), given the salt.
pub(super) fn pss(
    function: HashFunction,
    digest: &[u8],
    salt: &[u8],
    n: Bits,
) -> Result<Encoded, Error> {
    function.check(digest)?;
    let (len, zero_bits) = pss_shape(n);
    let hash_len = function.digest_len();
    if salt.len() > longest_salt(function, n) {
        let allowed = "at most the modulus's less that of a digest and 2 bytes";
        return Err(Error::Length { what: "salt", got: salt.len(), allowed });
    }
    let mut em = Encoded::zero(len);
    let (db, rest) = em.as_mut_slice().split_at_mut(len - hash_len - 1);
    let mut h = [0; LONGEST];
    function.hash(&[&[0; 8], digest, salt], &mut h);
    let (hash, last) = rest.split_at_mut(hash_len);
    hash.copy_from_slice(&h[..hash_len]);
    last[0] = 0xbc;
    let (padding, place) = db.split_at_mut(db.len() - salt.len());
    if let Some(one) = padding.last_mut() {
        *one = 1;
    }
    place.copy_from_slice(salt);
    function.add_mgf1(&h[..hash_len], db);
    db[0] &= 0xff >> zero_bits;
    Ok(em)
}

/// Bytes of the longest salt.
pub(super) fn longest_salt(function: HashFunction, n: Bits) -> usize {
    let (len, _) = pss_shape(n);
    len.saturating_sub(function.digest_len() + 2)
}

/// EMSA-PSS-VERIFY (section 9.1.2) of an encoded message that has as many bytes as the modulus.
pub(super) fn verify_pss(
    function: HashFunction,
    digest: &[u8],
    salt_len: usize,
    em: &Encoded,
    n: Bits,
) -> Result<(), Error> {
    function.check(digest)?;
    let (len, zero_bits) = pss_shape(n);
    let hash_len = function.digest_len();
    if salt_len > longest_salt(function, n) {
        return Err(Error::Forged);
    }
    let (above, em) = em.as_slice().split_at(em.len - len);
    let (masked, rest) = em.split_at(len - hash_len - 1);
    let (h, last) = rest.split_at(hash_len);
    if above.iter().any(|byte| *byte != 0)
        || last != [0xbc]
        || masked[0] & !(0xff >> zero_bits) != 0
    {
        return Err(Error::Forged);
    }
    let mut db = Encoded::zero(masked.len());
    db.as_mut_slice().copy_from_slice(masked);
    function.add_mgf1(h, db.as_mut_slice());
    db.as_mut_slice()[0] &= 0xff >> zero_bits;
    let (padding, salt) = db.as_slice().split_at(db.len - salt_len);
    let Some((one, zeros)) = padding.split_last() else { return Err(Error::Forged) };
    let mut expected = [0; LONGEST];
    function.hash(&[&[0; 8], digest, salt], &mut expected);
    let right = zeros.iter().all(|byte| *byte == 0) && *one == 1 && h == &expected[..hash_len];
    if right { Ok(()) } else { Err(Error::Forged) }
}
