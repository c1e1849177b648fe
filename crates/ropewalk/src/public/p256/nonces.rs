//! Nonces of signatures (RFC 6979, section 3.2, in its letters).

use super::is_scalar;
use crate::{
    core::{ct, secret::Wiped},
    hashes::{Hash, function::HashFunction},
    keyed::hmac,
    sha256::{Sha224, Sha256},
    sha512::{Sha384, Sha512},
};

/// A generator of the numbers k of a message.
pub(super) enum Nonces {
    Sha224(HmacDrbg<Sha224>),
    Sha256(HmacDrbg<Sha256>),
    Sha384(HmacDrbg<Sha384>),
    Sha512(HmacDrbg<Sha512>),
}

impl Nonces {
    /// For a key x and a digest of that length. `h_1` is the digest in the form of bits2octets. `more` is the additional data k'
    /// of section 3.6, or empty. HMAC is of the function of SHA-2 that has digests of that length, or else of SHA-256.
    pub(super) fn new(x: &[u8; 32], len: usize, h_1: &[u8; 32], more: &[u8]) -> Self {
        match len {
            28 => Self::Sha224(HmacDrbg::new(x, h_1, more)),
            48 => Self::Sha384(HmacDrbg::new(x, h_1, more)),
            64 => Self::Sha512(HmacDrbg::new(x, h_1, more)),
            _ => Self::Sha256(HmacDrbg::new(x, h_1, more)),
        }
    }

    /// The next k with 0 < k < n (step h).
    pub(super) fn next(&mut self) -> Wiped<[u8; 32]> {
        first_scalar(|| match self {
            Self::Sha224(drbg) => drbg.next(),
            Self::Sha256(drbg) => drbg.next(),
            Self::Sha384(drbg) => drbg.next(),
            Self::Sha512(drbg) => drbg.next(),
        })
    }
}

/// The first number with 0 < k < n. Another is drawn again, whatever it is: the numbers are independent, and that one was not in
/// range says nothing of the next.
pub(super) fn first_scalar(mut draw: impl FnMut() -> Wiped<[u8; 32]>) -> Wiped<[u8; 32]> {
    loop {
        let k = draw();
        if ct::told(is_scalar(&k)) != 0 {
            return k;
        }
    }
}

/// K and V.
pub(super) struct HmacDrbg<H: Hash> {
    k: hmac::Key<H>,
    v: Wiped<H::Digest>,
    /// Whether a number has been drawn since the last update of K.
    drawn: bool,
}

impl<H: Hash> HmacDrbg<H> {
    fn new(x: &[u8; 32], h_1: &[u8; 32], more: &[u8]) -> Self {
        // Steps b to g. All digests of SHA-2 have at most 64 bytes.
        let mut v = Wiped::new(<H::Function as HashFunction>::ZERO);
        v.as_mut().fill(1);
        let k = hmac::Key::new(&[0; 64][..H::DIGEST_LEN]);
        let mut drbg = Self { k, v, drawn: false };
        for separator in [0, 1] {
            drbg.update(separator, &[x, h_1, more]);
        }
        drbg
    }

    /// K = HMAC_K(V || separator || parts), V = HMAC_K(V). The parts have 96 bytes at most.
    fn update(&mut self, separator: u8, parts: &[&[u8]]) {
        let mut text = Wiped::new([0; 64 + 1 + 96]);
        let mut len = 0;
        for part in [(*self.v).as_ref(), &[separator]].iter().chain(parts) {
            text[len..][..part.len()].copy_from_slice(part);
            len += part.len();
        }
        self.k = self.k.again((*Wiped::new(self.k.mac(&text[..len]))).as_ref());
        self.step();
    }

    fn step(&mut self) {
        self.v = Wiped::new(self.k.mac((*self.v).as_ref()));
    }

    /// Step h: the leftmost 256 bits of T.
    fn next(&mut self) -> Wiped<[u8; 32]> {
        if self.drawn {
            self.update(0, &[]);
        }
        self.drawn = true;
        let (mut t, mut filled) = (Wiped::new([0; 32]), 0);
        while filled < t.len() {
            self.step();
            let (to, v) = (&mut t[filled..], (*self.v).as_ref());
            let len = to.len().min(v.len());
            to[..len].copy_from_slice(&v[..len]);
            filled += len;
        }
        t
    }
}
