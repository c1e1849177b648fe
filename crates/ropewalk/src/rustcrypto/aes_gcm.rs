//! AES-GCM, as in the crate `aes-gcm`.

use core::marker::PhantomData;

use aead::{
    array::{Array, ArraySize},
    consts::{U12, U13, U14, U15, U16},
};

use super::{
    aes::{Aes, Aes128, Aes192, Aes256, KEY},
    seal::aead_traits,
};
use crate::aeads::aes_gcm;

pub use super::aes;
pub use aead::{self, AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser};

/// A nonce.
pub type Nonce<NonceSize> = Array<u8, NonceSize>;
/// A tag.
pub type Tag<TagSize = U16> = Array<u8, TagSize>;

/// AES-128-GCM with nonces of 96 bits.
pub type Aes128Gcm = AesGcm<Aes128, U12>;
/// AES-192-GCM with nonces of 96 bits.
pub type Aes192Gcm = AesGcm<Aes192, U12>;
/// AES-256-GCM with nonces of 96 bits.
pub type Aes256Gcm = AesGcm<Aes256, U12>;

/// Bytes of a tag: 12 to 16. It is sealed.
pub trait TagSize: sealed::TagSize + ArraySize {}

/// AES-GCM with nonces and tags of some length.
#[derive(Clone)]
pub struct AesGcm<C, NonceSize, TagSize = U16> {
    key: aes_gcm::Key,
    sizes: PhantomData<(C, NonceSize, TagSize)>,
}

impl<C: Aes, N, T> KeySizeUser for AesGcm<C, N, T> {
    type KeySize = C::KeySize;
}

impl<C: Aes, N, T: TagSize> KeyInit for AesGcm<C, N, T> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        let mut key = aes_gcm::Key::new(key).expect(KEY);
        key.set_tag_len(T::USIZE).expect("the trait has the lengths that there are");
        Self { key, sizes: PhantomData }
    }
}

aead_traits! { [C: Aes, N: ArraySize, T: TagSize] "AesGcm" AesGcm<C, N, T>, nonces of N, tags of T }

macro_rules! tags {
    ($($bytes:ident)+) => { $(
        impl sealed::TagSize for $bytes {}
        impl TagSize for $bytes {}
    )+ };
}

tags! { U12 U13 U14 U15 U16 }

mod sealed {
    pub trait TagSize {}
}
