//! Kinds of primitives, as the nets see them: one trait a kind, which names every entry point, and the
//! implementation of somebody else that it is compared with.

use ropewalk::{
    Error, aes_cbc,
    aes_ctr::{self, Counter},
    aes_gcm,
    sha3::{Reader, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
    sha256::{Sha256, Sha256Many},
};

use crate::independent;

/// A key that seals and opens.
pub(crate) trait Aead: Sized {
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

    /// What somebody else's implementation seals, and its whole tag.
    fn independent(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8>;

    /// A nonce with which the counter of blocks wraps after so many, where there is such.
    fn wrapping_nonce(secret: &[u8], blocks: u32) -> Option<Vec<u8>>;
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

/// A key whose key stream is added to texts.
pub(crate) trait Stream: Sized {
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

/// A hasher of one message.
pub(crate) trait Hash: Clone {
    fn new(backend: &str) -> Self;
    fn update(&mut self, text: &[u8]);
    fn finish(self) -> Vec<u8>;
    fn digest(&self, message: &[u8]) -> Vec<u8>;

    fn independent(message: &[u8]) -> Vec<u8>;
}

/// A hasher of one message whose output has any length.
pub(crate) trait Extendable: Clone {
    type Reader: Clone;

    fn new(backend: &str) -> Self;
    fn update(&mut self, text: &[u8]);
    fn finish(self) -> Self::Reader;
    fn squeeze(reader: &mut Self::Reader, out: &mut [u8]);
    fn digest(&self, message: &[u8], out: &mut [u8]);

    fn independent(message: &[u8], out: &mut [u8]);
}

/// A hasher of many messages.
pub(crate) trait HashMany {
    type Digest: Copy + Default + PartialEq + AsRef<[u8]>;

    fn new(backend: &str) -> Self;
    /// What is chosen here: it alone weighs lanes against one message at a time, and gives a lane that
    /// is done the next message.
    fn best() -> Self;
    fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error>;

    fn independent(message: &[u8]) -> Vec<u8>;
}

const AES_KEY_LENS: &[usize] = &[16, 24, 32];

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
    fn open_appended(&self, nonce: &[u8], aad: &[u8], message: &mut [u8]) -> Result<usize, Error> {
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

/// AES-CTR with a counter of so many bits.
pub(crate) struct AesCtr<const BITS: u32>(aes_ctr::Key);

const fn counter(bits: u32) -> Counter {
    match bits {
        32 => Counter::Bits32,
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

impl Hash for Sha256 {
    fn new(backend: &str) -> Self {
        Self::with_backend(backend).unwrap()
    }
    fn update(&mut self, text: &[u8]) {
        self.update(text);
    }
    fn finish(self) -> Vec<u8> {
        self.finish().to_vec()
    }
    fn digest(&self, message: &[u8]) -> Vec<u8> {
        self.digest(message).to_vec()
    }

    fn independent(message: &[u8]) -> Vec<u8> {
        independent::sha256(message)
    }
}

impl HashMany for Sha256Many {
    type Digest = [u8; 32];

    fn new(backend: &str) -> Self {
        Self::with_backend(backend).unwrap()
    }
    fn best() -> Self {
        Self::new()
    }
    fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error> {
        self.digest(messages, digests)
    }

    fn independent(message: &[u8]) -> Vec<u8> {
        independent::sha256(message)
    }
}

macro_rules! sha3 {
    ($($Hasher:ident: $independent:ident;)+) => { $(
        impl Hash for $Hasher {
            fn new(backend: &str) -> Self {
                Self::with_backend(backend).unwrap()
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
            }
            fn finish(self) -> Vec<u8> {
                self.finish().to_vec()
            }
            fn digest(&self, message: &[u8]) -> Vec<u8> {
                self.digest(message).to_vec()
            }

            fn independent(message: &[u8]) -> Vec<u8> {
                independent::$independent(message)
            }
        }
    )+ };
}

sha3! {
    Sha3_224: sha3_224;
    Sha3_256: sha3_256;
    Sha3_384: sha3_384;
    Sha3_512: sha3_512;
}

macro_rules! shake {
    ($($Hasher:ident: $independent:ident;)+) => { $(
        impl Extendable for $Hasher {
            type Reader = Reader;

            fn new(backend: &str) -> Self {
                Self::with_backend(backend).unwrap()
            }
            fn update(&mut self, text: &[u8]) {
                self.update(text);
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
