//! Public keys.

use super::{Engine, Point, Signature, arithmetic::joined, leftmost};
use crate::{
    core::Error,
    curves::{
        p256::{is_on_curve, right_side},
        weierstrass::Affine,
    },
    fields::{
        Field as _, ones_if,
        p256::{
            number::{Number, P},
            root,
        },
        words::{Modulus as _, from_bytes, is_below},
    },
};

/// The bytes of an uncompressed public key: 4, x and y.
pub const UNCOMPRESSED_LEN: usize = 65;

/// The bytes of a compressed public key: 2 or 3 for an even or odd y, and x.
pub const COMPRESSED_LEN: usize = 33;

/// A public key: a point on the curve that is not infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(Point);

impl PublicKey {
    /// From the bytes of SEC 1, section 2.3.4: uncompressed or compressed.
    ///
    /// # Errors
    /// [`Error::Length`] for another length than 33 or 65; [`Error::Invalid`] for another form, as that of both coordinates with a
    /// sign, and for a point that is not on the curve.
    ///
    /// # Example
    /// ```
    /// use ropewalk::p256::{PrivateKey, PublicKey};
    ///
    /// let key = PrivateKey::from_bytes(&[7; 32])?.public();
    /// assert_eq!(PublicKey::from_bytes(&key.to_bytes())?, key);
    /// assert_eq!(PublicKey::from_bytes(&key.to_compressed())?, key);
    /// # Ok::<(), ropewalk::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        match (bytes, bytes.len()) {
            ([4, point @ ..], UNCOMPRESSED_LEN) => {
                let (halves, _) = point.as_chunks::<32>();
                Self::uncompressed(&halves[0], &halves[1])
            }
            ([sign @ (2 | 3), x @ ..], COMPRESSED_LEN) => {
                Self::compressed(*sign & 1, &x.as_chunks::<32>().0[0])
            }
            (_, UNCOMPRESSED_LEN | COMPRESSED_LEN) => {
                Err(invalid("its first byte is of another form or length"))
            }
            (_, got) => Err(Error::Length { what: "public key", got, allowed: "33 or 65 bytes" }),
        }
    }

    fn uncompressed(x: &[u8; 32], y: &[u8; 32]) -> Result<Self, Error> {
        let point = Affine { x: coordinate(x)?, y: coordinate(y)? };
        if is_on_curve(&point) == 0 {
            return Err(invalid("it is not on the curve"));
        }
        Ok(Self(joined(*x, *y)))
    }

    /// Section 2.3.4, step 2.4.
    fn compressed(sign: u8, bytes: &[u8; 32]) -> Result<Self, Error> {
        let x = coordinate(bytes)?;
        let square = right_side(x);
        let y = root(square);
        if y.square().is(square) == 0 {
            return Err(invalid("it is not on the curve"));
        }
        let parity = y.to_words()[0] & 1;
        let y = y.or_where(ones_if(parity != u64::from(sign)), y.negated());
        // The curve has no point with y = 0, as its order is an odd prime.
        Ok(Self(joined(*bytes, y.to_bytes())))
    }

    /// A point that has been computed.
    pub(super) fn known(point: Point) -> Self {
        Self(point)
    }

    pub(super) fn point(&self) -> &Point {
        &self.0
    }

    /// Uncompressed: 4, x and y.
    pub fn to_bytes(&self) -> [u8; UNCOMPRESSED_LEN] {
        let mut bytes = [4; UNCOMPRESSED_LEN];
        bytes[1..].copy_from_slice(&self.0);
        bytes
    }

    /// Compressed: 2 or 3, and x.
    pub fn to_compressed(&self) -> [u8; COMPRESSED_LEN] {
        let mut bytes = [2 | self.0[63] & 1; COMPRESSED_LEN];
        bytes[1..].copy_from_slice(&self.0[..32]);
        bytes
    }

    /// Verifies the signature of a message with that digest, of 20 bytes or more.
    ///
    /// # Errors
    /// [`Error::Forged`] where it is not valid; [`Error::Length`] for a shorter digest.
    pub fn verify(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_by(&Engine::best(()), digest, signature)
    }

    /// The same with the backend of that name in [`PRIMITIVE`](super::PRIMITIVE).
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here; as [`PublicKey::verify`].
    pub fn verify_with_backend(
        &self,
        digest: &[u8],
        signature: &Signature,
        name: &str,
    ) -> Result<(), Error> {
        self.verify_by(&Engine::named(name)?(()), digest, signature)
    }

    fn verify_by(
        &self,
        engine: &Engine,
        digest: &[u8],
        signature: &Signature,
    ) -> Result<(), Error> {
        let (e, mut valid) = (leftmost(digest)?, false);
        engine.verify(&self.0, &e, signature.as_bytes(), &mut valid);
        if valid { Ok(()) } else { Err(Error::Forged) }
    }
}

fn coordinate(bytes: &[u8; 32]) -> Result<Number, Error> {
    let words = from_bytes(bytes);
    if is_below(words, P::WORDS) == 0 {
        return Err(invalid("a coordinate is p or more"));
    }
    Ok(Number::new(words))
}

fn invalid(why: &'static str) -> Error {
    Error::Invalid { what: "public key", why }
}
