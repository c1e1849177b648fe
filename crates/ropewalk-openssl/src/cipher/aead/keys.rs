//! The keys of authenticated ciphers: the differences between AES-GCM and ChaCha20-Poly1305.

use ropewalk::{aes_gcm, chacha20_poly1305};

use super::{
    super::{Way, io::Buffers, key::OfSecret, mode},
    EXPLICIT, LONGEST_NONCE, MOST_PIPES, TAG,
};
use crate::error::Reason;

/// The differences between the ciphers.
pub(crate) trait Sealing: OfSecret + 'static {
    const MODE: u32;
    const KEY_LEN: usize;
    /// The shortest and the longest nonce, in bytes.
    const NONCE_LENS: (usize, usize);
    /// The length of the explicit nonce of a record of TLS 1.2.
    const RECORD_NONCE: usize;
    /// The tag length that OpenSSL's own provider reports before a tag is set.
    const UNSET_TAG_LEN: usize;
    type Stream: Clone;

    fn begin(&self, nonce: &[u8]) -> Result<Self::Stream, Reason>;
    /// Starts another message in place of the last one.
    fn restart(&self, stream: &mut Self::Stream, nonce: &[u8]) -> Result<(), Reason>;
    fn absorb(&self, stream: &mut Self::Stream, aad: &[u8]) -> Result<(), Reason>;
    fn crypt(&self, way: Way, stream: &mut Self::Stream, text: Buffers<'_>) -> Result<(), Reason>;
    fn finish(&self, stream: &mut Self::Stream, tag: &mut [u8; TAG]);
    /// Processes the text of a message in one call, with its tag or the expected tag. The tag is an argument:
    /// returned with an error code it would be stored in parts, and a vector load of it would stall.
    fn whole(
        &self,
        way: Way,
        nonce: &[u8],
        aad: &[u8],
        text: Buffers<'_>,
        tag: &mut [u8; TAG],
    ) -> Result<(), Reason>;
    /// Seals messages of a batch in parallel.
    fn seal_many(&self, pieces: &mut [Piece<'_>]) -> Result<(), Reason>;
    fn open_record(
        &self,
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Reason>;
}

macro_rules! sealing {
    ($module:ident: $($associated:tt)*) => {
        $($associated)*
        type Stream = $module::Stream;

        #[inline]
        fn begin(&self, nonce: &[u8]) -> Result<Self::Stream, Reason> {
            let nonce = nonce.try_into().map_err(|_| Reason::InvalidIvLength)?;
            $module::Stream::new(&self.0, nonce).map_err(|_| Reason::InvalidIvLength)
        }
        #[inline]
        fn restart(&self, stream: &mut Self::Stream, nonce: &[u8]) -> Result<(), Reason> {
            stream.restart(&self.0, nonce).map_err(|_| Reason::InvalidIvLength)
        }
        #[inline]
        fn absorb(&self, stream: &mut Self::Stream, aad: &[u8]) -> Result<(), Reason> {
            Ok(stream.absorb_aad(&self.0, aad)?)
        }
        #[inline]
        fn crypt(
            &self,
            way: Way,
            stream: &mut Self::Stream,
            text: Buffers<'_>,
        ) -> Result<(), Reason> {
            match (way, text) {
                (Way::Encrypt, Buffers::InPlace(text)) => stream.seal(&self.0, text),
                (Way::Encrypt, Buffers::Apart(from, to)) => stream.seal_to(&self.0, from, to),
                (Way::Decrypt, Buffers::InPlace(text)) => stream.open_unverified(&self.0, text),
                (Way::Decrypt, Buffers::Apart(from, to)) => {
                    stream.open_unverified_to(&self.0, from, to)
                }
            }?;
            Ok(())
        }
        #[inline]
        fn finish(&self, stream: &mut Self::Stream, tag: &mut [u8; TAG]) {
            *tag = untruncated(&stream.finish(&self.0));
        }
        #[inline]
        fn whole(
            &self,
            way: Way,
            nonce: &[u8],
            aad: &[u8],
            text: Buffers<'_>,
            tag: &mut [u8; TAG],
        ) -> Result<(), Reason> {
            let key = &self.0;
            *tag = untruncated(&match (way, text) {
                (Way::Encrypt, Buffers::InPlace(text)) => key.seal(nonce, aad, text),
                (Way::Encrypt, Buffers::Apart(from, to)) => key.seal_to(nonce, aad, from, to),
                (Way::Decrypt, Buffers::InPlace(text)) => key.open_unverified(nonce, aad, text),
                (Way::Decrypt, Buffers::Apart(from, to)) => {
                    key.open_unverified_to(nonce, aad, from, to)
                }
            }?);
            Ok(())
        }
        fn seal_many(&self, pieces: &mut [Piece<'_>]) -> Result<(), Reason> {
            let mut tags = [Default::default(); MOST_PIPES];
            let tags = tags.get_mut(..pieces.len()).ok_or(Reason::CipherOperationFailed)?;
            let messages = pieces.iter_mut().map(|Piece { nonce, aad, text, .. }| {
                $module::Message { key: &self.0, nonce, aad, text }
            });
            $module::seal_many(&mut messages.collect::<Vec<_>>(), tags).map_err(|wrong| wrong.error)?;
            for (piece, tag) in pieces.iter_mut().zip(tags) {
                *piece.tag = untruncated(tag);
            }
            Ok(())
        }
        #[inline]
        fn open_record(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Reason> {
            let nonce = nonce.try_into().map_err(|_| Reason::InvalidIvLength)?;
            Ok(self.0.open(nonce, aad, text, tag)?)
        }
    };
}

/// A message of a batch.
pub(crate) struct Piece<'a> {
    pub(super) nonce: &'a [u8],
    pub(super) aad: &'a [u8],
    pub(super) text: &'a mut [u8],
    pub(super) tag: &'a mut [u8; TAG],
}

/// Keys here always have the full tag length.
#[inline]
fn untruncated(tag: &[u8]) -> [u8; TAG] {
    tag.try_into().expect("16 bytes")
}

pub(crate) struct GcmKey<const LEN: usize>(aes_gcm::Key);
pub(crate) struct ChaCha20Poly1305Key(chacha20_poly1305::Key);

impl<const LEN: usize> OfSecret for GcmKey<LEN> {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(aes_gcm::Key::new(secret)?))
    }

    fn renew(&mut self, secret: &[u8]) -> Result<(), Reason> {
        Ok(self.0.rekey(secret)?)
    }
}

impl OfSecret for ChaCha20Poly1305Key {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(chacha20_poly1305::Key::new(secret)?))
    }
}

impl<const LEN: usize> Sealing for GcmKey<LEN> {
    sealing! { aes_gcm:
        const MODE: u32 = mode::GCM;
        const KEY_LEN: usize = LEN;
        const NONCE_LENS: (usize, usize) = (1, LONGEST_NONCE);
        const RECORD_NONCE: usize = EXPLICIT;
        const UNSET_TAG_LEN: usize = TAG;
    }
}

impl Sealing for ChaCha20Poly1305Key {
    sealing! { chacha20_poly1305:
        const MODE: u32 = mode::STREAM;
        const KEY_LEN: usize = 32;
        const NONCE_LENS: (usize, usize) = (12, 12);
        const RECORD_NONCE: usize = 0;
        const UNSET_TAG_LEN: usize = 0;
    }
}
