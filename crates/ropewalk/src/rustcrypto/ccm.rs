//! AES-CCM, as in the crate `ccm`.
//!
//! ```
//! use ropewalk::rustcrypto::{aes::Aes128, ccm::{AeadInOut, Ccm, KeyInit, consts::{U8, U13}}};
//!
//! let key = Ccm::<Aes128, U8, U13>::new(&[7; 16].into());
//! let mut message = b"attack at dawn".to_vec();
//! key.encrypt_in_place(&[0; 13].into(), b"header", &mut message)?;
//! assert_eq!(message.len(), 14 + 8);
//! # Ok::<(), ropewalk::rustcrypto::ccm::Error>(())
//! ```

use core::marker::PhantomData;

use aead::array::{Array, ArraySize};

use super::{
    aes::{Aes, Aes128, Aes192, Aes256, KEY},
    seal::aead_traits,
};
use crate::aeads::aes_ccm;

pub use aead::{self, AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, consts};

use consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16};

/// A nonce.
pub type Nonce<NonceSize> = Array<u8, NonceSize>;
/// A tag.
pub type Tag<TagSize> = Array<u8, TagSize>;

/// AES-128-CCM with nonces of 12 bytes and tags of 16 (RFC 5116, section 5.3).
pub type Aes128Ccm = Ccm<Aes128, U16, U12>;
/// The same with AES-192.
pub type Aes192Ccm = Ccm<Aes192, U16, U12>;
/// The same with AES-256 (section 5.4).
pub type Aes256Ccm = Ccm<Aes256, U16, U12>;

/// Bytes of a tag: 4, 6, 8, 10, 12, 14 or 16. It is sealed.
pub trait TagSize: sealed::TagSize + ArraySize {}

/// Bytes of a nonce: 7 to 13. It is sealed.
pub trait NonceSize: sealed::NonceSize + ArraySize {}

/// AES-CCM with tags of `M` bytes and nonces of `N`.
#[derive(Clone)]
pub struct Ccm<C, M, N> {
    key: aes_ccm::Key,
    sizes: PhantomData<(C, M, N)>,
}

impl<C: Aes, M, N> KeySizeUser for Ccm<C, M, N> {
    type KeySize = C::KeySize;
}

impl<C: Aes, M: TagSize, N> KeyInit for Ccm<C, M, N> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        let mut key = aes_ccm::Key::new(key).expect(KEY);
        key.set_tag_len(M::USIZE).expect("the trait has the lengths that there are");
        Self { key, sizes: PhantomData }
    }
}

aead_traits! { [C: Aes, M: TagSize, N: NonceSize] "Ccm" Ccm<C, M, N>, nonces of N, tags of M }

macro_rules! sizes {
    ($Size:ident: $($bytes:ident)+) => { $(
        impl sealed::$Size for $bytes {}
        impl $Size for $bytes {}
    )+ };
}

sizes! { TagSize: U4 U6 U8 U10 U12 U14 U16 }
sizes! { NonceSize: U7 U8 U9 U10 U11 U12 U13 }

mod sealed {
    pub trait TagSize {}
    pub trait NonceSize {}
}
