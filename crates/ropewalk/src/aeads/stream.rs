//! A message in chunks, for any cipher: chunks become whole blocks here.

use super::key::{Cipher, Key};
use crate::core::{
    Error,
    block::{load_short, store_short},
    secret::Wiped,
    tag::{Tag, check_tag, same},
    text::Text,
};

/// The direction of a text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Seal,
    Open,
}

/// The state of a cipher in a message. Its key stream comes in blocks of `N` bytes.
pub(crate) trait Place<const N: usize> {
    /// The cipher.
    type Cipher: Cipher;

    /// Whether so many bytes of additional data are allowed.
    fn check_aad(len: u64) -> Result<(), Error>;

    /// Whether so many bytes of text are allowed.
    fn check_text(len: u64) -> Result<(), Error>;

    /// Authenticates data; its last block is padded with zeros.
    fn absorb(&mut self, key: &Key<Self::Cipher>, data: &[u8]);

    /// Encrypts or decrypts whole blocks of the text, at least one, and authenticates the ciphertext.
    fn crypt(&mut self, key: &Key<Self::Cipher>, text: Text<'_>, way: Way);

    /// The next block of key stream, for a text that ends or continues within it.
    fn key_stream(&mut self, key: &Key<Self::Cipher>, block: &mut [u8; N]);

    /// The tag, given the lengths.
    fn tag(&mut self, key: &Key<Self::Cipher>, aad: u64, text: u64) -> Tag;
}

/// A message of which some chunks have been processed.
#[derive(Clone)]
pub(crate) struct Running<P, const N: usize> {
    place: P,
    /// Lengths of additional data and of text in bytes.
    aad: u64,
    text: u64,
    /// The partial block of additional data or ciphertext, as it is authenticated.
    part: [u8; N],
    /// The key stream of the partial block.
    key_stream: [u8; N],
}

impl<P: Place<N>, const N: usize> Running<P, N> {
    #[inline]
    pub(crate) fn new(place: P) -> Self {
        Self { place, aad: 0, text: 0, part: [0; N], key_stream: [0; N] }
    }

    /// Starts another message in the same place: remains of the last one are never read before they are overwritten.
    #[inline]
    pub(crate) fn restart(&mut self, place: P) {
        (self.place, self.aad, self.text) = (place, 0, 0);
    }

    /// The tag. No further chunk is accepted.
    #[inline]
    pub(crate) fn finish(&mut self, key: &Key<P::Cipher>) -> Tag {
        let tag = self.tag(key);
        self.text = u64::MAX;
        tag
    }

    #[inline]
    pub(crate) fn absorb_aad(&mut self, key: &Key<P::Cipher>, mut aad: &[u8]) -> Result<(), Error> {
        if self.text > 0 {
            return Err(Error::TextHasBegun);
        }
        let len = self.aad.saturating_add(aad.len() as u64);
        P::check_aad(len)?;
        let used = filled::<N>(self.aad);
        self.aad = len;
        if used > 0 {
            let head;
            (head, aad) = aad.split_at(aad.len().min(N - used));
            self.part[used..][..head.len()].copy_from_slice(head);
            if used + head.len() < N {
                return Ok(());
            }
            self.place.absorb(key, &self.part);
        }
        let (whole, rest) = aad.split_at(aad.len() - aad.len() % N);
        if !whole.is_empty() {
            self.place.absorb(key, whole);
        }
        self.part[..rest.len()].copy_from_slice(rest);
        Ok(())
    }

    #[inline]
    pub(crate) fn crypt(
        &mut self,
        key: &Key<P::Cipher>,
        mut text: Text<'_>,
        way: Way,
    ) -> Result<(), Error> {
        let len = self.text.saturating_add(text.len() as u64);
        P::check_text(len)?;
        if text.len() == 0 {
            return Ok(());
        }
        if self.text == 0 {
            self.absorb_part(key, filled::<N>(self.aad));
        }
        let used = filled::<N>(self.text);
        self.text = len;
        if used > 0 {
            let head = text.take(N - used);
            let whole = head.len() == N - used;
            self.add(used, head, way);
            if !whole {
                return Ok(());
            }
            self.place.absorb(key, &self.part);
        }
        let rest = text.len() % N;
        let whole = text.take(text.len() - rest);
        if whole.len() > 0 {
            self.place.crypt(key, whole, way);
        }
        if rest > 0 {
            self.place.key_stream(key, &mut self.key_stream);
            self.add(0, text, way);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn tag(&mut self, key: &Key<P::Cipher>) -> Tag {
        let begun = if self.text > 0 { self.text } else { self.aad };
        self.absorb_part(key, filled::<N>(begun));
        self.place.tag(key, self.aad, self.text)
    }

    #[inline]
    pub(crate) fn verify(&mut self, key: &Key<P::Cipher>, tag: &[u8]) -> Result<(), Error> {
        check_tag(tag, key.tag_len())?;
        if same(&self.tag(key).bytes, tag) { Ok(()) } else { Err(Error::Forged) }
    }

    #[inline]
    fn absorb_part(&mut self, key: &Key<P::Cipher>, len: usize) {
        if len > 0 {
            self.place.absorb(key, &self.part[..len]);
        }
    }

    /// Encrypts or decrypts within a block, from byte `from` on.
    #[inline]
    fn add(&mut self, from: usize, mut text: Text<'_>, way: Way) {
        let to = from + text.len();
        let (key_stream, rest) = self.key_stream[from..to].as_chunks::<16>();
        let (sealed, sealed_rest) = self.part[from..to].as_chunks_mut::<16>();
        for (key_stream, sealed) in key_stream.iter().zip(sealed) {
            let Some(mut piece) = text.next::<16>() else { return };
            let input = *piece.input();
            let sum = u128::from_ne_bytes(input) ^ u128::from_ne_bytes(*key_stream);
            let output = sum.to_ne_bytes();
            *piece.output() = output;
            *sealed = if way == Way::Seal { output } else { input };
        }
        let input = load_short(text.input());
        let output = input ^ load_short(rest);
        store_short(text.output(), output);
        store_short(sealed_rest, if way == Way::Seal { output } else { input });
    }
}

/// Bytes of a partial last block.
#[inline]
fn filled<const N: usize>(len: u64) -> usize {
    (len % N as u64) as usize
}

/// A message in chunks: additional data, and then the text, which is sealed or opened. All calls for it take the same key. A
/// clone continues from the same position. Both are wiped when they are dropped.
///
/// A nonce must never be used twice with one key to seal, not even by a clone that is given another text.
#[derive(Clone)]
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Stream<C: Cipher, P: Place<N, Cipher = C>, const N: usize>(Wiped<Running<P, N>>);

// Not inlined: each caller would have a copy of all of it.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Cipher, P: Place<N, Cipher = C>, const N: usize> Stream<C, P, N> {
    #[inline]
    pub(crate) fn at(place: P) -> Self {
        Self(Wiped::new(Running::new(place)))
    }

    #[inline]
    pub(crate) fn restart_at(&mut self, place: P) {
        self.0.restart(place);
    }

    /// Takes the next chunk of the additional data, of any length. All of it comes before the text.
    ///
    /// # Errors
    /// [`Error::TextHasBegun`] after a chunk of the text that was not empty, and [`Error::Length`] for more than the cipher
    /// allows; nothing has then changed.
    pub fn absorb_aad(&mut self, key: &Key<C>, aad: &[u8]) -> Result<(), Error> {
        self.0.absorb_aad(key, aad)
    }

    /// Encrypts the next chunk of the text in place, of any length.
    ///
    /// # Errors
    /// [`Error::Length`] where all chunks together are longer than the cipher allows; nothing has then changed.
    pub fn seal(&mut self, key: &Key<C>, text: &mut [u8]) -> Result<(), Error> {
        self.0.crypt(key, Text::in_place(text), Way::Seal)
    }

    /// Encrypts `plaintext`, the next chunk of the text, to `ciphertext`.
    ///
    /// # Errors
    /// [`Error::Length`] as [`Stream::seal`], and unless both are equally long; nothing has then changed.
    pub fn seal_to(
        &mut self,
        key: &Key<C>,
        plaintext: &[u8],
        ciphertext: &mut [u8],
    ) -> Result<(), Error> {
        self.0.crypt(key, Text::copying(plaintext, ciphertext)?, Way::Seal)
    }

    /// Decrypts the next chunk of the text in place, of any length.
    ///
    /// The text is **unauthenticated** until [`Stream::verify`] has found the tag right. Do not use it before, and discard it if
    /// the tag is wrong. [`Key::open`] is for a message that is there as a whole.
    ///
    /// # Errors
    /// As [`Stream::seal`].
    pub fn open_unverified(&mut self, key: &Key<C>, text: &mut [u8]) -> Result<(), Error> {
        self.0.crypt(key, Text::in_place(text), Way::Open)
    }

    /// Decrypts `ciphertext`, the next chunk of the text, to `plaintext`, which is unauthenticated: see
    /// [`Stream::open_unverified`].
    ///
    /// # Errors
    /// As [`Stream::seal_to`].
    pub fn open_unverified_to(
        &mut self,
        key: &Key<C>,
        ciphertext: &[u8],
        plaintext: &mut [u8],
    ) -> Result<(), Error> {
        self.0.crypt(key, Text::copying(ciphertext, plaintext)?, Way::Open)
    }

    /// The tag of all chunks.
    pub fn tag(mut self, key: &Key<C>) -> Tag {
        self.0.tag(key)
    }

    /// The tag of all chunks, where the stream stays in place for another message: until it is restarted, it accepts no further
    /// chunk, and has no other tag.
    pub fn finish(&mut self, key: &Key<C>) -> Tag {
        self.0.finish(key)
    }

    /// Whether `tag` is the tag of all chunks, in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] if it is not; [`Error::Length`] for a tag that is not as long as this key's.
    pub fn verify(mut self, key: &Key<C>, tag: &[u8]) -> Result<(), Error> {
        self.0.verify(key, tag)
    }
}
