//! Kinds of primitives, as the nets see them: one trait a kind, which names every entry point, and the
//! implementation by others that it is compared with.

use ropewalk::{
    Error, InMessage, aes_cbc, aes_ccm, aes_cmac,
    aes_ctr::{self, Counter},
    aes_ecb, aes_gcm, aes_xts,
    backend::Primitive,
    cbc_hmac, chacha20, chacha20_poly1305, hmac,
    poly1305::{self, Poly1305},
    sha1::Sha1,
    sha3::{Reader, Shake128, Shake128Many, Shake256, Shake256Many},
    sha256::Sha256,
};

use crate::independent;

/// A key that seals and opens.
pub(crate) trait Aead: Sized {
    /// What an error says a key is.
    const KEY: &str = "AES key";
    const PORTABLE: &str;
    const KEY_LENS: &[usize];
    const TAG_LENS: &[usize];
    /// Lengths of nonces that [`Aead::independent`] takes; the first is the usual one.
    const NONCE_LENS: &[usize];

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    fn rekey(&mut self, secret: &[u8]) -> Result<(), Error>;
    fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Vec<u8>, Error>;
    fn seal_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<Vec<u8>, Error>;
    fn seal_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<(), Error>;
    fn seal_appended_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Error>;
    fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error>;
    fn open_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error>;
    /// The length of the text.
    fn open_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<usize, Error>;
    fn open_appended_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Error>;

    /// What another implementation seals, and its whole tag.
    fn independent(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8>;

    /// The same with a tag of that length, where it is not just what begins the whole one.
    fn independent_of_len(
        secret: &[u8],
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag_len: usize,
    ) -> Vec<u8> {
        let mut tag = Self::independent(secret, nonce, aad, text);
        tag.truncate(tag_len);
        tag
    }

    /// Whether nonces of that length are taken.
    fn takes_nonce(len: usize) -> bool {
        len > 0 && Self::NONCE_LENS.len() > 1
    }

    /// Bytes of a text that may go with a nonce of that length.
    fn longest_text(_nonce_len: usize) -> u64 {
        u64::MAX
    }

    /// A nonce with which the counter of blocks wraps after so many, where there is such.
    fn wrapping_nonce(secret: &[u8], blocks: u32) -> Option<Vec<u8>>;
}

/// One of many messages that are sealed or opened in a call.
pub(crate) struct Sealing<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) nonce: &'a [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) text: &'a mut [u8],
}

/// What seals and opens many messages in a call.
pub(crate) trait AeadMany: Sized {
    type Key: Aead;
    /// That of its keys.
    const ONE: Primitive;

    fn with_backend(backend: &str) -> Result<Self, Error>;
    /// What is chosen here: it alone weighs lanes against one message at a time.
    fn best() -> Self;
    fn backend(&self) -> &'static str;
    /// That many tags, where it is not refused.
    fn seal(
        &self,
        messages: &mut [Sealing<'_, Self::Key>],
        tags: usize,
    ) -> Result<Vec<Vec<u8>>, InMessage>;
    fn open(
        &self,
        messages: &mut [Sealing<'_, Self::Key>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), InMessage>;
    /// By the functions that need no such object, as the best one does.
    fn seal_many(
        messages: &mut [Sealing<'_, Self::Key>],
        tags: usize,
    ) -> Result<Vec<Vec<u8>>, InMessage>;
    fn open_many(
        messages: &mut [Sealing<'_, Self::Key>],
        tags: &[&[u8]],
        results: &mut [Result<(), Error>],
    ) -> Result<(), InMessage>;
}

/// A key that encrypts whole blocks, or texts that it pads.
pub(crate) trait BlockMode: Sized {
    const KEY_LENS: &[usize];

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn encrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error>;
    fn encrypt_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error>;
    fn decrypt_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;
    fn padded_len(text: usize) -> usize;
    fn encrypt_padded(&self, iv: &[u8; 16], buffer: &mut [u8], len: usize) -> Result<(), Error>;
    fn encrypt_padded_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;
    /// The length of the text.
    fn decrypt_padded(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<usize, Error>;
    fn decrypt_padded_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<usize, Error>;

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]);
}

/// A key that seals and opens records of TLS.
pub(crate) trait Records: Sized {
    const MAC_LEN: usize;
    const MAC_KEY_LENS: &[usize];

    fn new(secret: &[u8], mac: &[u8], backend: &str) -> Result<Self, Error>;
    fn sealed_len(text: usize) -> usize;
    fn seal(
        &self,
        iv: &[u8; 16],
        header: &[u8; 11],
        record: &mut [u8],
        len: usize,
    ) -> Result<(), Error>;
    fn seal_to(
        &self,
        iv: &[u8; 16],
        header: &[u8; 11],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), Error>;
    /// The length of the text.
    fn open(&self, iv: &[u8; 16], header: &[u8; 11], record: &mut [u8]) -> Result<usize, Error>;
    fn open_to(
        &self,
        iv: &[u8; 16],
        header: &[u8; 11],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<usize, Error>;

    /// What is to be encrypted: the text, its MAC, and so many bytes of padding, the last one among them.
    fn independent(mac: &[u8], header: &[u8; 11], text: &[u8], padding: usize) -> Vec<u8>;
}

/// A key that makes texts of others that are as long, each block for itself, without padding.
pub(crate) trait Codebook: Sized {
    const KEY_LENS: &[usize];
    /// What an error says a key is.
    const KEY: &str;

    /// Whether a text can be so long.
    fn takes(len: usize) -> bool;
    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn encrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error>;
    fn encrypt_to(&self, tweak: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error>;
    fn decrypt_to(&self, tweak: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;

    fn independent(secret: &[u8], tweak: &[u8; 16], text: &mut [u8]);
}

/// A key whose key stream is added to texts.
pub(crate) trait Stream: Sized {
    /// What an error says a key is.
    const KEY: &str = "AES key";
    const KEY_LENS: &[usize];
    /// A place in the key stream.
    type Place;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn apply(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error>;
    fn apply_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error>;
    fn start(iv: &[u8; 16]) -> Self::Place;
    fn next(&self, place: &mut Self::Place, text: &mut [u8]) -> Result<(), Error>;

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]);
}

/// A key that makes tags of messages.
pub(crate) trait Mac: Sized {
    const KEY_LENS: &[usize];
    const TAG_LENS: &[usize];

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    fn mac(&self, message: &[u8]) -> Vec<u8>;
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error>;
    fn mac_pieces(&self, pieces: &[&[u8]]) -> Vec<u8>;
    fn verify_pieces(&self, pieces: &[&[u8]], tag: &[u8]) -> Result<(), Error>;

    /// The whole tag.
    fn independent(secret: &[u8], message: &[u8]) -> Vec<u8>;
}

/// A key for one message, which comes in pieces or whole.
pub(crate) trait OneTimeMac: Sized {
    fn new(key: &[u8; 32], backend: &str) -> Self;
    fn update(&mut self, text: &[u8]);
    fn finish(self) -> [u8; 16];
    fn verify(self, tag: &[u8; 16]) -> Result<(), Error>;
    fn mac(key: &[u8; 32], message: &[u8], backend: &str) -> [u8; 16];

    fn independent(key: &[u8; 32], message: &[u8]) -> [u8; 16];
}

/// A hasher of one message.
pub(crate) trait Hash: Clone {
    /// The name of [`Hash::independent`] among others.
    #[cfg_attr(target_pointer_width = "32", allow(dead_code, reason = "of messages past 4 GiB"))]
    const INDEPENDENT: &str;

    fn new(backend: &str) -> Self;
    fn update(&mut self, text: &[u8]);
    fn finish(self) -> Vec<u8>;
    fn finish_reset(&mut self) -> Vec<u8>;
    fn reset(&mut self);
    fn digest(&self, message: &[u8]) -> Vec<u8>;

    fn independent(message: &[u8]) -> Vec<u8>;
}

/// A key of HMAC, whose tags are truncated by the code that compares them.
pub(crate) trait Hmac: Sized {
    const KEY_LENS: &[usize];
    /// Lengths to which a tag may be cut; the first is the whole.
    const TAG_LENS: &[usize];
    type Running: Clone;
    /// The name of [`Hmac::independent`] among others.
    #[cfg_attr(target_pointer_width = "32", allow(dead_code, reason = "of messages past 4 GiB"))]
    const INDEPENDENT: &str;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error>;
    fn mac(&self, message: &[u8]) -> Vec<u8>;
    fn mac_of_secret_len(
        &self,
        prefix: &[u8],
        text: &[u8],
        least: usize,
        len: usize,
    ) -> Result<Vec<u8>, Error>;
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error>;
    fn start(&self) -> Self::Running;
    fn update(running: &mut Self::Running, text: &[u8]);
    fn finish(running: Self::Running) -> Vec<u8>;
    fn finish_and_verify(running: Self::Running, tag: &[u8]) -> Result<(), Error>;

    fn independent(secret: &[u8], message: &[u8]) -> Vec<u8>;
}

/// A hasher of one message whose output has any length.
pub(crate) trait Extendable: Clone {
    type Reader: Clone;
    /// The name of [`Extendable::independent`] among others.
    #[cfg_attr(target_pointer_width = "32", allow(dead_code, reason = "of messages past 4 GiB"))]
    const INDEPENDENT: &str;

    fn new(backend: &str) -> Self;
    fn update(&mut self, text: &[u8]);
    fn reset(&mut self);
    fn finish(self) -> Self::Reader;
    fn squeeze(reader: &mut Self::Reader, out: &mut [u8]);
    fn digest(&self, message: &[u8], out: &mut [u8]);

    fn independent(message: &[u8], out: &mut [u8]);
}

/// A hasher of many messages.
pub(crate) trait HashMany {
    type Digest: Copy + PartialEq + AsRef<[u8]>;
    const NOTHING: Self::Digest;
    /// What an error calls them.
    const WHAT: &'static str = "digests";
    /// The name of [`HashMany::independent`] among others.
    #[cfg_attr(target_pointer_width = "32", allow(dead_code, reason = "of messages past 4 GiB"))]
    const INDEPENDENT: &str;

    fn new(backend: &str) -> Self;
    /// What is chosen here: it alone weighs lanes against one message at a time, and gives a lane that
    /// is done the next message.
    fn best() -> Self;
    fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error>;

    fn independent(message: &[u8]) -> Vec<u8>;
}

const AES_KEY_LENS: &[usize] = &[16, 24, 32];

/// Every call of a key that seals and opens, as the library names it.
macro_rules! sealing {
    () => {
        fn seal(&self, nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Result<Vec<u8>, Error> {
            self.seal(nonce, aad, text).map(|tag| tag.to_vec())
        }
        fn seal_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            from: &[u8],
            to: &mut [u8],
        ) -> Result<Vec<u8>, Error> {
            self.seal_to(nonce, aad, from, to).map(|tag| tag.to_vec())
        }
        fn seal_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<(), Error> {
            self.seal_appended(nonce, aad, message)
        }
        fn seal_appended_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            from: &[u8],
            to: &mut [u8],
        ) -> Result<(), Error> {
            self.seal_appended_to(nonce, aad, from, to)
        }
        fn open(&self, nonce: &[u8], aad: &[u8], text: &mut [u8], tag: &[u8]) -> Result<(), Error> {
            self.open(nonce, aad, text, tag)
        }
        fn open_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            from: &[u8],
            to: &mut [u8],
            tag: &[u8],
        ) -> Result<(), Error> {
            self.open_to(nonce, aad, from, to, tag)
        }
        fn open_appended(
            &self,
            nonce: &[u8],
            aad: &[u8],
            message: &mut [u8],
        ) -> Result<usize, Error> {
            self.open_appended(nonce, aad, message).map(|text| text.len())
        }
        fn open_appended_to(
            &self,
            nonce: &[u8],
            aad: &[u8],
            from: &[u8],
            to: &mut [u8],
        ) -> Result<(), Error> {
            self.open_appended_to(nonce, aad, from, to)
        }
    };
}

impl Aead for aes_gcm::Key {
    const PORTABLE: &str = "aes_gcm/portable";
    const KEY_LENS: &[usize] = AES_KEY_LENS;
    const TAG_LENS: &[usize] = &[16, 15, 14, 13, 12];
    const NONCE_LENS: &[usize] = independent::GCM_NONCE_LENS;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.set_tag_len(len)
    }
    fn rekey(&mut self, secret: &[u8]) -> Result<(), Error> {
        self.rekey(secret)
    }
    sealing!();

    fn independent(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8> {
        independent::gcm_seal(secret, nonce, aad, text)
    }
    fn wrapping_nonce(secret: &[u8], blocks: u32) -> Option<Vec<u8>> {
        Some(independent::gcm_nonce_of(
            secret,
            0x5eed << 64 | u128::from(0_u32.wrapping_sub(blocks)),
        ))
    }
}

impl Aead for aes_ccm::Key {
    const PORTABLE: &str = "aes_ccm/portable";
    const KEY_LENS: &[usize] = AES_KEY_LENS;
    const TAG_LENS: &[usize] = &[16, 14, 12, 10, 8, 6, 4];
    const NONCE_LENS: &[usize] = independent::CCM_NONCE_LENS;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.set_tag_len(len)
    }
    fn rekey(&mut self, secret: &[u8]) -> Result<(), Error> {
        self.rekey(secret)
    }
    sealing!();

    fn independent(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8> {
        independent::ccm_seal(secret, nonce, aad, text, 16)
    }
    fn independent_of_len(
        secret: &[u8],
        nonce: &[u8],
        aad: &[u8],
        text: &mut [u8],
        tag_len: usize,
    ) -> Vec<u8> {
        independent::ccm_seal(secret, nonce, aad, text, tag_len)
    }
    fn takes_nonce(len: usize) -> bool {
        (7..=13).contains(&len)
    }
    fn longest_text(nonce_len: usize) -> u64 {
        aes_ccm::longest_text(nonce_len)
    }
    fn wrapping_nonce(_: &[u8], _: u32) -> Option<Vec<u8>> {
        None
    }
}

macro_rules! sealing_many {
    ($($module:ident)+) => { $(
        impl AeadMany for $module::Many {
            type Key = $module::Key;
            const ONE: Primitive = $module::PRIMITIVE;

            fn with_backend(backend: &str) -> Result<Self, Error> {
                Self::with_backend(backend)
            }
            fn best() -> Self {
                Self::new()
            }
            fn backend(&self) -> &'static str {
                self.backend()
            }
            fn seal(
                &self,
                messages: &mut [Sealing<'_, $module::Key>],
                tags: usize,
            ) -> Result<Vec<Vec<u8>>, InMessage> {
                let mut messages: Vec<_> = messages.iter_mut().map($module::Message::from).collect();
                let mut tags = vec![$module::Tag::default(); tags];
                self.seal(&mut messages, &mut tags)?;
                Ok(tags.iter().map(|tag| tag.to_vec()).collect())
            }
            fn open(
                &self,
                messages: &mut [Sealing<'_, $module::Key>],
                tags: &[&[u8]],
                results: &mut [Result<(), Error>],
            ) -> Result<(), InMessage> {
                let mut messages: Vec<_> = messages.iter_mut().map($module::Message::from).collect();
                self.open(&mut messages, tags, results)
            }
            fn seal_many(
                messages: &mut [Sealing<'_, $module::Key>],
                tags: usize,
            ) -> Result<Vec<Vec<u8>>, InMessage> {
                let mut messages: Vec<_> = messages.iter_mut().map($module::Message::from).collect();
                let mut tags = vec![$module::Tag::default(); tags];
                $module::seal_many(&mut messages, &mut tags)?;
                Ok(tags.iter().map(|tag| tag.to_vec()).collect())
            }
            fn open_many(
                messages: &mut [Sealing<'_, $module::Key>],
                tags: &[&[u8]],
                results: &mut [Result<(), Error>],
            ) -> Result<(), InMessage> {
                let mut messages: Vec<_> = messages.iter_mut().map($module::Message::from).collect();
                $module::open_many(&mut messages, tags, results)
            }
        }

        impl<'a> From<&'a mut Sealing<'_, $module::Key>> for $module::Message<'a> {
            fn from(Sealing { key, nonce, aad, text }: &'a mut Sealing<'_, $module::Key>) -> Self {
                Self { key, nonce, aad, text }
            }
        }
    )+ };
}

sealing_many! { aes_ccm aes_gcm chacha20_poly1305 }

/// The state's last sixteen bytes: a counter, little-endian, and a nonce. What would wrap is refused, so
/// the counter is as high as it may be for the longest text.
fn counter_and_nonce(iv: &[u8; 16]) -> (u32, &[u8; 12]) {
    let (counter, nonce) = iv.split_first_chunk().unwrap();
    (u32::from_le_bytes(*counter).min(u32::MAX - 1100), nonce.try_into().unwrap())
}

impl Stream for chacha20::Key {
    const KEY: &str = "ChaCha20 key";
    const KEY_LENS: &[usize] = &[32];
    type Place = chacha20::Stream;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn apply(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        let (counter, nonce) = counter_and_nonce(iv);
        self.apply_keystream(counter, nonce, text)
    }
    fn apply_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        let (counter, nonce) = counter_and_nonce(iv);
        self.apply_keystream_to(counter, nonce, from, to)
    }
    fn start(iv: &[u8; 16]) -> Self::Place {
        let (counter, nonce) = counter_and_nonce(iv);
        chacha20::Stream::new(counter, nonce)
    }
    fn next(&self, place: &mut Self::Place, text: &mut [u8]) -> Result<(), Error> {
        place.apply_keystream(self, text)
    }

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
        let (counter, nonce) = counter_and_nonce(iv);
        independent::chacha20(counter, secret, nonce, text);
    }
}

impl Mac for aes_cmac::Key {
    const KEY_LENS: &[usize] = AES_KEY_LENS;
    const TAG_LENS: &[usize] = &[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4];

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.set_tag_len(len)
    }
    fn mac(&self, message: &[u8]) -> Vec<u8> {
        self.mac(message).to_vec()
    }
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.verify(message, tag)
    }
    fn mac_pieces(&self, pieces: &[&[u8]]) -> Vec<u8> {
        self.pieces(pieces).finish().to_vec()
    }
    fn verify_pieces(&self, pieces: &[&[u8]], tag: &[u8]) -> Result<(), Error> {
        self.pieces(pieces).verify(tag)
    }

    fn independent(secret: &[u8], message: &[u8]) -> Vec<u8> {
        independent::cmac(secret, message)
    }
}

trait Pieces {
    fn pieces(&self, pieces: &[&[u8]]) -> aes_cmac::Pieces<'_>;
}

impl Pieces for aes_cmac::Key {
    fn pieces(&self, pieces: &[&[u8]]) -> aes_cmac::Pieces<'_> {
        let mut message = self.start();
        pieces.iter().for_each(|piece| message.update(piece));
        message
    }
}

impl Aead for chacha20_poly1305::Key {
    const KEY: &str = "ChaCha20-Poly1305 key";
    const PORTABLE: &str = "chacha20_poly1305/portable";
    const KEY_LENS: &[usize] = &[32];
    const TAG_LENS: &[usize] = &[16];
    const NONCE_LENS: &[usize] = &[12];

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    /// It has tags of one length.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        match len {
            16 => Ok(()),
            got => Err(Error::Length { what: "tag", got, allowed: "16 bytes" }),
        }
    }
    /// There is nothing to be saved.
    fn rekey(&mut self, secret: &[u8]) -> Result<(), Error> {
        *self = Self::with_backend(secret, self.backend())?;
        Ok(())
    }
    sealing!();

    fn independent(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8> {
        independent::chacha20_poly1305_seal(secret, nonce, aad, text)
    }
    fn wrapping_nonce(_: &[u8], _: u32) -> Option<Vec<u8>> {
        None
    }
}

impl BlockMode for aes_cbc::Key {
    const KEY_LENS: &[usize] = AES_KEY_LENS;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn encrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.encrypt(iv, text)
    }
    fn encrypt_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.encrypt_to(iv, from, to)
    }
    fn decrypt(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.decrypt(iv, text)
    }
    fn decrypt_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.decrypt_to(iv, from, to)
    }
    fn padded_len(text: usize) -> usize {
        aes_cbc::padded_len(text)
    }
    fn encrypt_padded(&self, iv: &[u8; 16], buffer: &mut [u8], len: usize) -> Result<(), Error> {
        self.encrypt_padded(iv, buffer, len)
    }
    fn encrypt_padded_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.encrypt_padded_to(iv, from, to)
    }
    fn decrypt_padded(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<usize, Error> {
        self.decrypt_padded(iv, text).map(|text| text.len())
    }
    fn decrypt_padded_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<usize, Error> {
        self.decrypt_padded_to(iv, from, to)
    }

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
        independent::cbc_encrypt(secret, iv, text);
    }
}

macro_rules! records {
    ($($Hasher:ident as $Other:ty,)+) => { $(
        impl Records for cbc_hmac::Key<$Hasher> {
            const MAC_LEN: usize = <$Hasher as ropewalk::Hash>::DIGEST_LEN;
            const MAC_KEY_LENS: &[usize] = &[Self::MAC_LEN, Self::MAC_LEN, 0, 1, 64, 65, 200];

            fn new(secret: &[u8], mac: &[u8], backend: &str) -> Result<Self, Error> {
                Self::with_backend(secret, mac, backend)
            }
            fn sealed_len(text: usize) -> usize {
                Self::sealed_len(text)
            }
            fn seal(
                &self,
                iv: &[u8; 16],
                header: &[u8; 11],
                record: &mut [u8],
                len: usize,
            ) -> Result<(), Error> {
                self.seal(iv, header, record, len)
            }
            fn seal_to(
                &self,
                iv: &[u8; 16],
                header: &[u8; 11],
                from: &[u8],
                to: &mut [u8],
            ) -> Result<(), Error> {
                self.seal_to(iv, header, from, to)
            }
            fn open(
                &self,
                iv: &[u8; 16],
                header: &[u8; 11],
                record: &mut [u8],
            ) -> Result<usize, Error> {
                self.open(iv, header, record).map(|text| text.len())
            }
            fn open_to(
                &self,
                iv: &[u8; 16],
                header: &[u8; 11],
                from: &[u8],
                to: &mut [u8],
            ) -> Result<usize, Error> {
                self.open_to(iv, header, from, to)
            }

            fn independent(mac: &[u8], header: &[u8; 11], text: &[u8], padding: usize) -> Vec<u8> {
                let len = (text.len() as u16).to_be_bytes();
                let mac = independent::hmac::<independent::Hmac<$Other>>(mac, &[header, &len[..], text].concat());
                [text, &mac, &vec![(padding - 1) as u8; padding]].concat()
            }
        }
    )+ };
}

records! {
    Sha1 as sha1::Sha1,
    Sha256 as sha2::Sha256,
}

/// It has no tweak.
impl Codebook for aes_ecb::Key {
    const KEY_LENS: &[usize] = AES_KEY_LENS;
    const KEY: &str = "AES key";

    fn takes(len: usize) -> bool {
        len.is_multiple_of(16)
    }
    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn encrypt(&self, _: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.encrypt(text)
    }
    fn encrypt_to(&self, _: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.encrypt_to(from, to)
    }
    fn decrypt(&self, _: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.decrypt(text)
    }
    fn decrypt_to(&self, _: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.decrypt_to(from, to)
    }

    fn independent(secret: &[u8], _: &[u8; 16], text: &mut [u8]) {
        independent::ecb_encrypt(secret, text);
    }
}

impl Codebook for aes_xts::Key {
    const KEY_LENS: &[usize] = &[32, 64];
    const KEY: &str = "AES-XTS key";

    fn takes(len: usize) -> bool {
        (16..=aes_xts::LONGEST_UNIT).contains(&len)
    }
    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        Self::with_backend(secret, backend)
    }
    fn encrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.encrypt(tweak, text)
    }
    fn encrypt_to(&self, tweak: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.encrypt_to(tweak, from, to)
    }
    fn decrypt(&self, tweak: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.decrypt(tweak, text)
    }
    fn decrypt_to(&self, tweak: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.decrypt_to(tweak, from, to)
    }

    fn independent(secret: &[u8], tweak: &[u8; 16], text: &mut [u8]) {
        independent::xts_encrypt(secret, tweak, text);
    }
}

/// AES-CTR with a counter of so many bits.
pub(crate) struct AesCtr<const BITS: u32>(aes_ctr::Key);

pub(crate) const fn counter(bits: u32) -> Counter {
    match bits {
        32 => Counter::Bits32,
        64 => Counter::Bits64,
        128 => Counter::Bits128,
        _ => panic!("no such counter"),
    }
}

impl<const BITS: u32> Stream for AesCtr<BITS> {
    const KEY_LENS: &[usize] = AES_KEY_LENS;
    type Place = aes_ctr::Stream;

    fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
        aes_ctr::Key::with_backend(secret, backend).map(Self)
    }
    fn apply(&self, iv: &[u8; 16], text: &mut [u8]) -> Result<(), Error> {
        self.0.apply_keystream(counter(BITS), iv, text)
    }
    fn apply_to(&self, iv: &[u8; 16], from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        self.0.apply_keystream_to(counter(BITS), iv, from, to)
    }
    fn start(iv: &[u8; 16]) -> Self::Place {
        aes_ctr::Stream::new(counter(BITS), iv)
    }
    fn next(&self, place: &mut Self::Place, text: &mut [u8]) -> Result<(), Error> {
        place.apply_keystream(&self.0, text)
    }

    fn independent(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
        independent::ctr(BITS, secret, iv, text);
    }
}

impl OneTimeMac for Poly1305 {
    fn new(key: &[u8; 32], backend: &str) -> Self {
        Self::with_backend(key, backend).unwrap()
    }
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn finish(self) -> [u8; 16] {
        *self.finish()
    }
    fn verify(self, tag: &[u8; 16]) -> Result<(), Error> {
        self.verify(tag)
    }
    fn mac(key: &[u8; 32], message: &[u8], backend: &str) -> [u8; 16] {
        *poly1305::mac_with_backend(key, message, backend).unwrap()
    }

    fn independent(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
        independent::poly1305(key, message)
    }
}

/// No secret, half a block, one, a byte more, and much more.
pub(crate) const HMAC_KEY_LENS: &[usize] = &[32, 0, 1, 63, 64, 65, 127, 128, 129, 136, 145, 300];

/// HMAC of many messages, with three keys among them.
pub(crate) struct HmacMany<M: ropewalk::HashMany> {
    many: hmac::Many<M>,
    keys: [hmac::Key<M::One>; 3],
}

/// None, one of less than a block, and one of more.
const SECRETS: [&[u8]; 3] = [b"", &[0x61; 20], &[0xaa; 200]];

/// Which of them a message has: messages of one length have one or several.
fn key_of(message: &[u8]) -> usize {
    (message.len() + usize::from(message.first().copied().unwrap_or(0))) % 3
}

/// The key that it has.
pub(crate) fn hmac_secret_of(message: &[u8]) -> &'static [u8] {
    SECRETS[key_of(message)]
}

impl<M: ropewalk::HashMany> HmacMany<M> {
    pub(crate) fn with(many: hmac::Many<M>) -> Self {
        Self { many, keys: SECRETS.map(hmac::Key::new) }
    }

    pub(crate) fn mac(
        &self,
        messages: &[&[u8]],
        tags: &mut [<M::One as ropewalk::Hash>::Digest],
    ) -> Result<(), Error> {
        let with_key = |text| hmac::Message { key: &self.keys[key_of(text)], text };
        let messages: Vec<_> = messages.iter().copied().map(with_key).collect();
        self.many.mac(&messages, tags)
    }
}

/// AES-CMAC of many messages, with keys of each length among them, and one whose backend has no instructions of AES.
pub(crate) struct CmacMany {
    many: aes_cmac::Many,
    keys: [aes_cmac::Key; 4],
}

const CMAC_SECRETS: [&[u8]; 4] = [&[0x61; 16], &[0x62; 24], &[0x63; 32], &[0x64; 16]];

impl CmacMany {
    fn with(many: aes_cmac::Many) -> Self {
        let mut keys = CMAC_SECRETS.map(|secret| aes_cmac::Key::new(secret).unwrap());
        keys[3] = aes_cmac::Key::with_backend(CMAC_SECRETS[3], "aes_cmac/portable").unwrap();
        Self { many, keys }
    }

    /// Messages of one length have one or several.
    fn key_of(message: &[u8]) -> usize {
        (message.len() + usize::from(message.first().copied().unwrap_or(0)) / 64) % 4
    }
}

impl HashMany for CmacMany {
    type Digest = [u8; 16];
    const NOTHING: [u8; 16] = [0; 16];
    const WHAT: &'static str = "tags";
    const INDEPENDENT: &str = "aes-cmac-many";

    fn new(backend: &str) -> Self {
        Self::with(aes_cmac::Many::with_backend(backend).unwrap())
    }
    fn best() -> Self {
        Self::with(aes_cmac::Many::new())
    }
    fn digest(&self, messages: &[&[u8]], digests: &mut [[u8; 16]]) -> Result<(), Error> {
        let key = |text: &[u8]| &self.keys[Self::key_of(text)];
        let with_key = |text| aes_cmac::Message { key: key(text), text };
        let messages: Vec<_> = messages.iter().copied().map(with_key).collect();
        let mut tags = vec![aes_cmac::Tag::default(); digests.len()];
        self.many.mac(&messages, &mut tags)?;
        for (digest, tag) in digests.iter_mut().zip(&tags) {
            digest.copy_from_slice(tag);
        }
        Ok(())
    }

    fn independent(message: &[u8]) -> Vec<u8> {
        independent::cmac(CMAC_SECRETS[Self::key_of(message)], message)
    }
}

macro_rules! outputs_of_many {
    ($($(#[$doc:meta])* $Many:ident of $Shake:ident: $independent:ident, $len:literal;)+) => { $(
        $(#[$doc])*
        pub(crate) struct $Many($Shake);

        impl HashMany for $Many {
            type Digest = [u8; $len];
            const NOTHING: [u8; $len] = [0; $len];
            const INDEPENDENT: &str = concat!(stringify!($independent), "-", $len);

            fn new(backend: &str) -> Self {
                Self($Shake::with_backend(backend).unwrap())
            }
            fn best() -> Self {
                Self($Shake::new())
            }
            fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error> {
                self.0.digest(messages, digests)
            }

            fn independent(message: &[u8]) -> Vec<u8> {
                let mut out = vec![0; $len];
                independent::$independent(message, &mut out);
                out
            }
        }
    )+ };
}

outputs_of_many! {
    /// Less than a block of output.
    Short128 of Shake128Many: shake128, 30;
    /// Some blocks of output, and a part of one.
    Long128 of Shake128Many: shake128, 400;
    /// Less than a block of output.
    Short256 of Shake256Many: shake256, 64;
    /// Some blocks of output, and a part of one.
    Long256 of Shake256Many: shake256, 300;
}

macro_rules! shake {
    ($($Hasher:ident: $independent:ident;)+) => { $(
        impl Extendable for $Hasher {
            type Reader = Reader;
            const INDEPENDENT: &str = stringify!($independent);

            fn new(backend: &str) -> Self {
                Self::with_backend(backend).unwrap()
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn reset(&mut self) {
                self.reset();
            }
            fn finish(self) -> Reader {
                self.finish()
            }
            fn squeeze(reader: &mut Reader, out: &mut [u8]) {
                reader.squeeze(out);
            }
            fn digest(&self, message: &[u8], out: &mut [u8]) {
                self.digest(message, out);
            }

            fn independent(message: &[u8], out: &mut [u8]) {
                independent::$independent(message, out);
            }
        }
    )+ };
}

shake! {
    Shake128: shake128;
    Shake256: shake256;
}
