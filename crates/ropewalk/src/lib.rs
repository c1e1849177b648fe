//! Cryptographic primitives at the speed of the processor they run on, one message at a time or
//! many side by side.
//!
//! ```
//! let digest = ropewalk::sha256::digest(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! Who has the name of an algorithm from a configuration begins with [`aead`], [`cipher`], [`mac`] or [`hash`].
//!
//! Each primitive has a portable backend and one for each instruction set that helps it. The best
//! one that the processor has is chosen when a key or a hasher is made; [`cpu::disable`] takes
//! instruction sets away, and `with_backend` names one backend. [`PRIMITIVES`] lists them all.
//!
//! # In the place of RustCrypto
//!
//! With the cargo feature `rustcrypto` there is the module `ropewalk::rustcrypto`: modules with the names of
//! RustCrypto's crates, and in them types with the names and the traits of theirs. A program that uses
//! `sha2` and `aes-gcm` uses this library after one more line:
//!
//! ```ignore
//! use ropewalk::rustcrypto::{aes_gcm, sha2};
//! ```
#![deny(unsafe_code)]

#[macro_use]
pub mod cpu;
#[macro_use]
pub mod backend;
#[macro_use]
mod simd;
pub mod aead;
mod aes;
pub mod aes_cbc;
pub mod aes_ccm;
pub mod aes_cmac;
pub mod aes_ctr;
pub mod aes_ecb;
pub mod aes_gcm;
pub mod aes_kw;
pub mod aes_xts;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod beside;
pub mod cbc_hmac;
pub mod chacha20;
pub mod chacha20_poly1305;
pub mod cipher;
#[cfg(not(ropewalk_ct))]
mod ct;
#[cfg(ropewalk_ct)]
#[doc(hidden)]
pub mod ct;
mod error;
pub mod hash;
pub mod hkdf;
pub mod hmac;
pub mod mac;
mod many;
pub mod md5;
mod names;
pub mod pbkdf2;
pub mod poly1305;
pub mod random;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
mod sealing;
mod secret;
pub mod sha1;
pub mod sha256;
pub mod sha3;
pub mod sha512;
mod tag;
mod text;
pub mod tls12;
pub mod tls13;

pub use error::Error;
pub use hash::Hash;
pub use names::{Algorithms, Name};

use backend::Primitive;

/// Every primitive of the library. Tests, `doctor`, `selftest` and `speed` walk this list.
pub const PRIMITIVES: &[Primitive] = &[
    aes_cbc::PRIMITIVE,
    aes_ccm::PRIMITIVE,
    aes_cmac::PRIMITIVE,
    aes_ctr::PRIMITIVE,
    aes_ecb::PRIMITIVE,
    aes_gcm::PRIMITIVE,
    aes_kw::PRIMITIVE,
    aes_xts::PRIMITIVE,
    cbc_hmac::PRIMITIVE_SHA1,
    cbc_hmac::PRIMITIVE_SHA256,
    chacha20::PRIMITIVE,
    chacha20_poly1305::PRIMITIVE,
    random::PRIMITIVE,
    hmac::PRIMITIVE_MD5,
    hmac::PRIMITIVE_SHA1,
    hmac::PRIMITIVE_SHA224,
    hmac::PRIMITIVE_SHA256,
    hmac::PRIMITIVE_SHA384,
    hmac::PRIMITIVE_SHA512,
    hmac::PRIMITIVE_SHA512_256,
    hmac::PRIMITIVE_SHA3_224,
    hmac::PRIMITIVE_SHA3_256,
    hmac::PRIMITIVE_SHA3_384,
    hmac::PRIMITIVE_SHA3_512,
    md5::PRIMITIVE,
    poly1305::PRIMITIVE,
    sha1::PRIMITIVE,
    sha256::PRIMITIVE,
    sha256::PRIMITIVE_224,
    sha256::PRIMITIVE_MANY,
    sha3::PRIMITIVE,
    sha512::PRIMITIVE,
    sha512::PRIMITIVE_384,
    sha512::PRIMITIVE_512_256,
];
