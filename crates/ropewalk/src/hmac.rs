//! HMAC (FIPS 198-1, RFC 2104) with any hash function of the library.
//!
//! A key has absorbed its secret: a message then costs the blocks it has and two more.
//!
//! ```
//! use ropewalk::{hmac, sha256::Sha256};
//!
//! let key = hmac::Key::<Sha256>::new(b"a secret");
//! let tag = key.mac(b"attack at dawn");
//! key.verify(b"attack at dawn", &tag)?;
//!
//! let mut mac = key.start();
//! mac.update(b"attack at ");
//! mac.update(b"dawn");
//! assert_eq!(mac.finish(), tag);
//! # Ok::<(), ropewalk::Error>(())
//! ```

use subtle::ConstantTimeEq;

use crate::{
    Error,
    backend::Primitive,
    ct,
    hash::{self, Hash},
    secret::Wiped,
};

/// A key for messages. It is wiped when it is dropped.
pub struct Key<H: Hash>(Wiped<Inner<H>>);

struct Inner<H: Hash> {
    engine: H::Engine,
    /// After K0 ⊕ ipad (FIPS 198-1, table 1, step 4).
    inner: H::State,
    /// After K0 ⊕ opad (step 7).
    outer: H::State,
}

impl<H: Hash> Key<H> {
    /// From a secret of any length, with the best backend of this processor. It should have as many
    /// bytes as a digest.
    pub fn new(secret: &[u8]) -> Self {
        Self::from_engine(H::best(), secret)
    }

    /// With one backend, by its name in the hash function's list.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(secret: &[u8], name: &str) -> Result<Self, Error> {
        Ok(Self::from_engine(H::named(name)?, secret))
    }

    fn from_engine(engine: H::Engine, secret: &[u8]) -> Self {
        // Steps 1 to 3.
        let mut block = Wiped::new(H::EMPTY);
        if secret.len() > H::BLOCK_LEN {
            let digest = Wiped::new(hash::digest::<H>(&engine, secret));
            block.as_mut()[..H::DIGEST_LEN].copy_from_slice((*digest).as_ref());
        } else {
            block.as_mut()[..secret.len()].copy_from_slice(secret);
        }
        let (mut inner, mut outer) = (H::START, H::START);
        for (state, pad) in [(&mut inner, 0x36), (&mut outer, 0x36 ^ 0x5c)] {
            block.as_mut().iter_mut().for_each(|byte| *byte ^= pad);
            H::compress(&engine, state, core::slice::from_ref(&*block));
        }
        Self(Wiped::new(Inner { engine, inner, outer }))
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        H::info(&self.0.engine).name
    }

    /// The tag of a message.
    #[inline]
    pub fn mac(&self, message: &[u8]) -> H::Digest {
        let mut state = Wiped::new(self.0.inner);
        let len = (H::BLOCK_LEN as u64).wrapping_add(message.len() as u64);
        H::complete(&self.0.engine, &mut state, message, len);
        outer::<H>(&self.0.engine, &self.0.outer, &state)
    }

    /// Whether the tag is that of the message. It may be cut short, to half a digest and ten bytes at the
    /// least (RFC 2104, section 5).
    ///
    /// # Errors
    /// [`Error::Forged`] where it is not; [`Error::Length`] for a tag that is shorter or longer.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        check_tag::<H>(tag)?;
        compare::<H>(&self.mac(message), tag)
    }

    /// For a message that comes in pieces.
    pub fn start(&self) -> Mac<H> {
        let Inner { engine, inner, outer } = &*self.0;
        let pieces = hash::Pieces::after(engine.clone(), *inner, H::BLOCK_LEN as u64);
        Mac(Wiped::new(Parts { pieces, outer: *outer }))
    }

    /// The same with another secret, and this key's backend.
    pub(crate) fn again(&self, secret: &[u8]) -> Self {
        Self::from_engine(self.0.engine.clone(), secret)
    }
}

impl<H: Hash> Clone for Key<H> {
    fn clone(&self) -> Self {
        let Inner { engine, inner, outer } = &*self.0;
        Self(Wiped::new(Inner { engine: engine.clone(), inner: *inner, outer: *outer }))
    }
}

/// A message that comes in pieces. A clone goes on from where the original stands; both are wiped when they
/// are dropped.
pub struct Mac<H: Hash>(Wiped<Parts<H>>);

struct Parts<H: Hash> {
    pieces: hash::Pieces<H>,
    outer: H::State,
}

impl<H: Hash> Mac<H> {
    /// Takes the next piece of the message, of any length.
    pub fn update(&mut self, text: &[u8]) {
        self.0.pieces.update(text);
    }

    /// The tag of all pieces.
    pub fn finish(self) -> H::Digest {
        let Parts { pieces, outer: state } = &*self.0;
        outer::<H>(&pieces.engine, state, &Wiped::new(pieces.last_state()))
    }

    /// Whether the tag is that of all pieces, as [`Key::verify`].
    ///
    /// # Errors
    /// As [`Key::verify`].
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        check_tag::<H>(tag)?;
        compare::<H>(&self.finish(), tag)
    }
}

impl<H: Hash> Clone for Mac<H> {
    fn clone(&self) -> Self {
        let Parts { pieces, outer } = &*self.0;
        Self(Wiped::new(Parts { pieces: pieces.clone(), outer: *outer }))
    }
}

/// Steps 8 and 9, of what the inner hash has at its end.
#[inline]
fn outer<H: Hash>(engine: &H::Engine, outer: &H::State, inner: &H::State) -> H::Digest {
    let mut state = Wiped::new(*outer);
    H::chain(engine, &mut state, inner);
    H::output(&state)
}

fn check_tag<H: Hash>(tag: &[u8]) -> Result<(), Error> {
    let got = tag.len();
    if got < 10.max(H::DIGEST_LEN / 2) || got > H::DIGEST_LEN {
        let allowed = "half a digest, and 10 bytes, up to a digest";
        return Err(Error::Length { what: "tag", got, allowed });
    }
    Ok(())
}

fn compare<H: Hash>(right: &H::Digest, tag: &[u8]) -> Result<(), Error> {
    match ct::verdict(right.as_ref()[..tag.len()].ct_eq(tag)) {
        true => Ok(()),
        false => Err(Error::Forged),
    }
}

macro_rules! primitives {
    ($($PRIMITIVE:ident = $name:literal of $Hash:ident in $module:ident ($feature:literal), $backends:ident, $answer:literal;)+) => { $(
        #[cfg(feature = $feature)]
        #[doc = concat!($name, ", for those who walk the list.")]
        pub const $PRIMITIVE: Primitive = Primitive {
            name: $name,
            standard: "FIPS 198-1",
            backends: crate::$module::$backends.backends,
            self_test: |backend| {
                let tag = Key::<crate::$module::$Hash>::with_backend(&[0x0b; 20], backend)?.mac(b"Hi There");
                Ok(tag[..8] == ($answer as u64).to_be_bytes())
            },
        };
    )+ };
}

// What they should give: RFC 4231, test case 1, and the same of the others.
primitives! {
    PRIMITIVE_MD5 = "hmac-md5" of Md5 in md5 ("md5"), PRIMITIVE, 0x5cce_c34e_a965_6392;
    PRIMITIVE_SHA1 = "hmac-sha1" of Sha1 in sha1 ("sha1"), PRIMITIVE, 0xb617_3186_5505_7264;
    PRIMITIVE_SHA224 = "hmac-sha224" of Sha224 in sha256 ("sha256"), PRIMITIVE_224, 0x896f_b112_8abb_df19;
    PRIMITIVE_SHA256 = "hmac-sha256" of Sha256 in sha256 ("sha256"), PRIMITIVE, 0xb034_4c61_d8db_3853;
    PRIMITIVE_SHA384 = "hmac-sha384" of Sha384 in sha512 ("sha512"), PRIMITIVE_384, 0xafd0_3944_d848_9562;
    PRIMITIVE_SHA512 = "hmac-sha512" of Sha512 in sha512 ("sha512"), PRIMITIVE, 0x87aa_7cde_a5ef_619d;
    PRIMITIVE_SHA512_256 = "hmac-sha512-256" of Sha512_256 in sha512 ("sha512"), PRIMITIVE_512_256, 0x9f91_26c3_d9c3_c330;
    PRIMITIVE_SHA3_224 = "hmac-sha3-224" of Sha3_224 in sha3 ("sha3"), PRIMITIVE, 0x3b16_546b_bc7b_e270;
    PRIMITIVE_SHA3_256 = "hmac-sha3-256" of Sha3_256 in sha3 ("sha3"), PRIMITIVE, 0xba85_1923_10df_fa96;
    PRIMITIVE_SHA3_384 = "hmac-sha3-384" of Sha3_384 in sha3 ("sha3"), PRIMITIVE, 0x68d2_dcf7_fd4d_dd0a;
    PRIMITIVE_SHA3_512 = "hmac-sha3-512" of Sha3_512 in sha3 ("sha3"), PRIMITIVE, 0xeb3f_bd4b_2eaa_b8f5;
}
