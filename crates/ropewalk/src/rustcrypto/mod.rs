//! Replacements for the types of RustCrypto's crates: with their names and traits (`aead` 0.6, `cipher` 0.5, `digest` 0.11) and
//! the backends of this library. They require the cargo feature `rustcrypto`.
//!
//! A module has the name of a crate, so that a program changes a line:
//!
//! ```
//! // use aes_gcm::{AeadInOut, Aes256Gcm, KeyInit};
//! // use sha2::{Digest, Sha256};
//! use ropewalk::rustcrypto::aes_gcm::{AeadInOut, Aes256Gcm, KeyInit};
//! use ropewalk::rustcrypto::sha2::{Digest, Sha256};
//!
//! let key = Aes256Gcm::new(&Sha256::digest(b"a secret"));
//! let mut message = b"attack at dawn".to_vec();
//! key.encrypt_in_place(&[0; 12].into(), b"header", &mut message)?;
//! key.decrypt_in_place(&[0; 12].into(), b"header", &mut message)?;
//! assert_eq!(message, b"attack at dawn");
//! # Ok::<(), ropewalk::rustcrypto::aes_gcm::Error>(())
//! ```
//!
//! Adding `use ropewalk::rustcrypto::{aes_gcm, sha2};` above lines that use those crates changes their meaning: the example
//! `swap` compiles one program both ways. The types are here too.
//!
//! # What is different
//!
//! * A text whose tag is wrong is zeroed; `aes-gcm` and `chacha20poly1305` leave it encrypted.
//! * From one buffer to another, key streams and authenticated encryption copy the text first: in place they are faster.
//! * Modes of AES take the [`aes`] of this module only, and its key rather than a cipher (`InnerInit`,
//!   `From`). [`Hmac`] takes the hash functions of this module only.
//! * All types are wiped when they are dropped, and are `ZeroizeOnDrop`, without a further feature.
//! * Hash functions and MACs have no block-level interface (`CoreProxy`), and cannot be serialized.
//!   A generic [`EagerHash`](hmac::EagerHash) is that of this module, not the one of `digest`.

use aead::{array::Array, consts::U16, inout::InOutBuf};

pub mod aes;
pub mod aes_gcm;
pub mod cbc;
pub mod ccm;
pub mod chacha20;
pub mod chacha20poly1305;
pub mod cmac;
pub mod ctr;
mod hashes;
pub mod hmac;
mod seal;
mod stream;

/// MD5, as in the crate `md-5`.
pub mod md5 {
    pub use super::hashes::Md5;
    pub use digest::{self, Digest};
}

/// SHA-1, as in the crate `sha1`.
pub mod sha1 {
    pub use super::hashes::Sha1;
    pub use digest::{self, Digest};
}

/// SHA-2, as in the crate `sha2`.
pub mod sha2 {
    pub use super::hashes::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
    pub use digest::{self, Digest};
}

/// SHA-3 and SHAKE, as in the crate `sha3`.
pub mod sha3 {
    pub use super::hashes::{
        Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake128Reader, Shake256, Shake256Reader,
    };
    pub use digest::{self, CollisionResistance, Digest};
}

/// SM3, as in the crate `sm3`.
pub mod sm3 {
    pub use super::hashes::Sm3;
    pub use digest::{self, Digest};
}

pub use aes::{Aes128, Aes192, Aes256};
pub use aes_gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm};
pub use ccm::{Aes128Ccm, Aes192Ccm, Aes256Ccm, Ccm};
pub use chacha20::ChaCha20;
pub use chacha20poly1305::ChaCha20Poly1305;
pub use cmac::Cmac;
pub use ctr::{Ctr32BE, Ctr64BE, Ctr128BE};
pub use hmac::{Hmac, HmacReset};
pub use md5::Md5;
pub use sha1::Sha1;
pub use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
pub use sm3::Sm3;

/// A block of AES, as in RustCrypto's traits.
type Block = Array<u8, U16>;

/// The blocks as bytes to be written.
#[inline]
fn in_place<'a>(blocks: InOutBuf<'_, 'a, Block>) -> &'a mut [u8] {
    Array::slice_as_flattened_mut(blocks.into_out_with_copied_in())
}
