//! A message that comes in pieces, whichever cipher seals it: pieces become whole blocks here.

use crate::core::{
    Error,
    block::{load_short, store_short},
    tag::{Tag, check_tag, same},
    text::Text,
};

/// What is done with a text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Seal,
    Open,
}

/// Where a cipher is in a message. Its key stream comes in blocks of `N` bytes.
pub(crate) trait Place<const N: usize> {
    type Key;

    fn check_aad(len: u64) -> Result<(), Error>;

    fn check_text(len: u64) -> Result<(), Error>;

    /// Authenticates data; zeros fill up its last block.
    fn absorb(&mut self, key: &Self::Key, data: &[u8]);

    /// Encrypts or decrypts whole blocks of the text, at least one, and authenticates what is sealed.
    fn crypt(&mut self, key: &Self::Key, text: Text<'_>, way: Way);

    /// The next block of key stream, for a text that ends in it or goes on there.
    fn key_stream(&mut self, key: &Self::Key, block: &mut [u8; N]);

    /// The tag, given the lengths.
    fn tag(&mut self, key: &Self::Key, aad: u64, text: u64) -> Tag;
}

/// A message of which some pieces have come.
#[derive(Clone)]
pub(crate) struct Running<P, const N: usize> {
    place: P,
    /// Bytes of additional data and of text.
    aad: u64,
    text: u64,
    /// The block that is not whole yet, of either, as it is authenticated.
    part: [u8; N],
    /// The key stream for it.
    key_stream: [u8; N],
}

impl<P: Place<N>, const N: usize> Running<P, N> {
    #[inline]
    pub(crate) fn new(place: P) -> Self {
        Self { place, aad: 0, text: 0, part: [0; N], key_stream: [0; N] }
    }

    /// Becomes another message, where it lies: no part that the last one left is read before it is written.
    #[inline]
    pub(crate) fn restart(&mut self, place: P) {
        (self.place, self.aad, self.text) = (place, 0, 0);
    }

    /// The tag, after which no piece is taken.
    #[inline]
    pub(crate) fn finish(&mut self, key: &P::Key) -> Tag {
        let tag = self.tag(key);
        self.text = u64::MAX;
        tag
    }

    #[inline]
    pub(crate) fn absorb_aad(&mut self, key: &P::Key, mut aad: &[u8]) -> Result<(), Error> {
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
        key: &P::Key,
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
    pub(crate) fn tag(&mut self, key: &P::Key) -> Tag {
        let begun = if self.text > 0 { self.text } else { self.aad };
        self.absorb_part(key, filled::<N>(begun));
        self.place.tag(key, self.aad, self.text)
    }

    #[inline]
    pub(crate) fn verify(&mut self, key: &P::Key, tag: &[u8], tag_len: usize) -> Result<(), Error> {
        check_tag(tag, tag_len)?;
        if same(&self.tag(key).bytes, tag) { Ok(()) } else { Err(Error::Forged) }
    }

    #[inline]
    fn absorb_part(&mut self, key: &P::Key, len: usize) {
        if len > 0 {
            self.place.absorb(key, &self.part[..len]);
        }
    }

    /// Encrypts or decrypts within a block, from there on.
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

/// Bytes of the last block, where it is not whole.
#[inline]
fn filled<const N: usize>(len: u64) -> usize {
    (len % N as u64) as usize
}

/// Writes the calls of a stream, given in words how long a text and additional data may be. None is inlined: whoever calls
/// would have all of it.
macro_rules! streaming {
    (text up to $text:literal, additional data $($aad:literal)?) => {
        /// Takes the next piece of the additional data, of any length. All of it comes before the text.
        ///
        /// # Errors
        #[doc = concat!(
            "[`Error::TextHasBegun`](crate::core::Error::TextHasBegun) after a piece of the text that was not empty"
            $(, ", and [`Error::Length`](crate::core::Error::Length) for ", $aad)?, "; nothing has then changed."
        )]
        pub fn absorb_aad(&mut self, key: &Key, aad: &[u8]) -> Result<(), $crate::core::Error> {
            self.0.absorb_aad(key, aad)
        }

        /// Encrypts the next piece of the text in place, of any length.
        ///
        /// # Errors
        #[doc = concat!(
            "[`Error::Length`](crate::core::Error::Length) where all pieces together are longer than ", $text,
            "; nothing has then changed."
        )]
        pub fn seal(&mut self, key: &Key, text: &mut [u8]) -> Result<(), $crate::core::Error> {
            self.0.crypt(key, $crate::core::text::Text::in_place(text), $crate::sealing::stream::Way::Seal)
        }

        /// Encrypts `plaintext`, the next piece of the text, to `ciphertext`.
        ///
        /// # Errors
        /// [`Error::Length`](crate::Error::Length) as [`Stream::seal`], and unless both are equally long; nothing has then
        /// changed.
        pub fn seal_to(
            &mut self,
            key: &Key,
            plaintext: &[u8],
            ciphertext: &mut [u8],
        ) -> Result<(), $crate::core::Error> {
            let text = $crate::core::text::Text::copying(plaintext, ciphertext)?;
            self.0.crypt(key, text, $crate::sealing::stream::Way::Seal)
        }

        /// Decrypts the next piece of the text in place, of any length.
        ///
        /// What it gives may be anybody's until [`Stream::verify`] has found the tag right: nothing may be done with
        /// it before, and it is to be thrown away if the tag is wrong. Who has the whole message takes [`Key::open`].
        ///
        /// # Errors
        /// As [`Stream::seal`].
        pub fn open_unverified(&mut self, key: &Key, text: &mut [u8]) -> Result<(), $crate::core::Error> {
            self.0.crypt(key, $crate::core::text::Text::in_place(text), $crate::sealing::stream::Way::Open)
        }

        /// Decrypts `ciphertext`, the next piece of the text, to `plaintext`, of which nobody knows whether it is right,
        /// as [`Stream::open_unverified`] says.
        ///
        /// # Errors
        /// As [`Stream::seal_to`].
        pub fn open_unverified_to(
            &mut self,
            key: &Key,
            ciphertext: &[u8],
            plaintext: &mut [u8],
        ) -> Result<(), $crate::core::Error> {
            let text = $crate::core::text::Text::copying(ciphertext, plaintext)?;
            self.0.crypt(key, text, $crate::sealing::stream::Way::Open)
        }

        /// The tag of all pieces.
        pub fn tag(mut self, key: &Key) -> $crate::core::tag::Tag {
            self.0.tag(key)
        }

        /// The tag of all pieces, where the stream is to stay where it lies for another message: until
        /// [`Stream::restart`] it takes no further piece, and has no other tag to give.
        pub fn finish(&mut self, key: &Key) -> $crate::core::tag::Tag {
            self.0.finish(key)
        }

        /// Whether `tag` is the tag of all pieces, in constant time.
        ///
        /// # Errors
        /// [`Error::Forged`](crate::Error::Forged) if it is not; [`Error::Length`](crate::Error::Length) for a tag that is
        /// not as long as this key's.
        pub fn verify(mut self, key: &Key, tag: &[u8]) -> Result<(), $crate::core::Error> {
            self.0.verify(key, tag, key.tag_len())
        }
    };
}
pub(crate) use streaming;
