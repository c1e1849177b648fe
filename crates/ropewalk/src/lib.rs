//! Cryptographic primitives at the speed of the processor they run on, one message at a time or many in parallel.
//!
//! ```
//! let digest = ropewalk::sha256::digest(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```
//!
//! A program that takes the name of an algorithm from its configuration starts with [`aead`], [`cipher`], [`mac`] or [`hash`].
//!
//! Each primitive has a portable backend and one for each instruction set that helps it. The best one that the processor supports
//! is chosen when a key or a hasher is made; [`cpu::disable`] removes instruction sets, and `with_backend` selects a backend by
//! name. [`PRIMITIVES`] lists them all. A backend computes known answers before its first use in a process. [`backend::wrong`]
//! lists those that computed a wrong one, which are not used.
//!
//! # As a replacement of RustCrypto
//!
//! With the cargo feature `rustcrypto` there is the module `ropewalk::rustcrypto`: modules with the names of RustCrypto's crates,
//! with types of the same names and traits. A program that uses `sha2` and `aes-gcm` uses this library after adding one line:
//!
//! ```ignore
//! use ropewalk::rustcrypto::{aes_gcm, sha2};
//! ```
#![cfg_attr(not(test), no_std)]
#![deny(unsafe_code)]
// Code that several primitives share is compiled for one of them, too.
#![cfg_attr(not(feature = "all"), allow(dead_code, unreachable_pub, unused_imports, unused_macros))]
// So is code that several backends share, where there are only portable ones.
#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, unused_imports, unused_macros, unused_mut)
)]

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod core;

mod aeads;
mod aes;
#[cfg(feature = "rsa")]
mod bignum;
#[cfg(feature = "names")]
mod by_name;
mod chacha;
#[cfg(feature = "many")]
pub mod collector;
// P-256 uses operations that the other curves do not.
#[cfg_attr(not(feature = "p256"), allow(dead_code))]
mod curves;
#[cfg_attr(not(feature = "p256"), allow(dead_code))]
mod fields;
pub mod hash;
mod hashes;
pub mod hashing;
mod keyed;
#[cfg(feature = "keys")]
pub mod keys;
mod public;
#[cfg(feature = "random")]
pub mod random;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
pub mod sealing;
mod tls;

#[cfg(feature = "aes-ccm")]
pub use aeads::aes_ccm;
#[cfg(feature = "aes-gcm")]
pub use aeads::aes_gcm;
#[cfg(feature = "chacha20-poly1305")]
pub use aeads::chacha20_poly1305;
#[cfg(feature = "aes-cbc")]
pub use aes::aes_cbc;
#[cfg(feature = "aes-cmac")]
pub use aes::aes_cmac;
#[cfg(feature = "aes-ctr")]
pub use aes::aes_ctr;
#[cfg(feature = "aes-ecb")]
pub use aes::aes_ecb;
#[cfg(feature = "aes-kw")]
pub use aes::aes_kw;
#[cfg(feature = "aes-xts")]
pub use aes::aes_xts;
#[cfg(feature = "names")]
pub use by_name::{aead, cipher, mac};
#[cfg(feature = "chacha20")]
pub use chacha::chacha20;
#[cfg(feature = "poly1305")]
pub use chacha::poly1305;
#[cfg(ropewalk_ct)]
#[doc(hidden)]
pub use core::ct;
pub use core::{Algorithms, Error, InMessage, Name, backend, cpu, swept, timing, tuning};
#[cfg(feature = "md5")]
pub use hashes::md5;
#[cfg(feature = "sha1")]
pub use hashes::sha1;
#[cfg(feature = "sha3")]
pub use hashes::sha3;
#[cfg(feature = "sha256")]
pub use hashes::sha256;
#[cfg(feature = "sha512")]
pub use hashes::sha512;
#[cfg(feature = "sm3")]
pub use hashes::sm3;
pub use hashes::{Hash, HashMany};
#[cfg(feature = "hkdf")]
pub use keyed::hkdf;
#[cfg(feature = "hmac")]
pub use keyed::hmac;
#[cfg(feature = "pbkdf2")]
pub use keyed::pbkdf2;
#[cfg(feature = "ed25519")]
pub use public::ed25519;
#[cfg(feature = "p256")]
pub use public::p256;
#[cfg(feature = "rsa")]
pub use public::rsa;
#[cfg(feature = "x25519")]
pub use public::x25519;
#[cfg(feature = "cbc-hmac")]
pub use tls::cbc_hmac;
#[cfg(feature = "tls12")]
pub use tls::tls12;
#[cfg(feature = "tls13")]
pub use tls::tls13;

use crate::core::backend::Primitive;

macro_rules! primitives {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal $other:tt $lists:tt $calls:tt
        ($Hmac:ident $HMAC:ident $HMAC_MANY:ident $answer:literal); )+) => {
        /// Every primitive of the library. Tests, `doctor`, `selftest` and `speed` walk this list.
        pub const PRIMITIVES: &[Primitive] = &[
            #[cfg(feature = "aes-cbc")]
            aes_cbc::PRIMITIVE,
            #[cfg(all(feature = "aes-cbc", feature = "many"))]
            aes_cbc::PRIMITIVE_MANY,
            #[cfg(feature = "aes-ccm")]
            aes_ccm::PRIMITIVE,
            #[cfg(all(feature = "aes-ccm", feature = "many"))]
            aes_ccm::PRIMITIVE_MANY,
            #[cfg(feature = "aes-cmac")]
            aes_cmac::PRIMITIVE,
            #[cfg(all(feature = "aes-cmac", feature = "many"))]
            aes_cmac::PRIMITIVE_MANY,
            #[cfg(feature = "aes-ctr")]
            aes_ctr::PRIMITIVE,
            #[cfg(all(feature = "aes-ctr", feature = "many"))]
            aes_ctr::PRIMITIVE_MANY,
            #[cfg(feature = "aes-ecb")]
            aes_ecb::PRIMITIVE,
            #[cfg(feature = "aes-gcm")]
            aes_gcm::PRIMITIVE,
            #[cfg(all(feature = "aes-gcm", feature = "many"))]
            aes_gcm::PRIMITIVE_MANY,
            #[cfg(feature = "aes-kw")]
            aes_kw::PRIMITIVE,
            #[cfg(feature = "aes-xts")]
            aes_xts::PRIMITIVE,
            #[cfg(all(feature = "aes-xts", feature = "many"))]
            aes_xts::PRIMITIVE_MANY,
            #[cfg(feature = "cbc-hmac")]
            cbc_hmac::PRIMITIVE_SHA1,
            #[cfg(all(feature = "cbc-hmac", feature = "many"))]
            cbc_hmac::PRIMITIVE_SHA1_MANY,
            #[cfg(feature = "cbc-hmac")]
            cbc_hmac::PRIMITIVE_SHA256,
            #[cfg(all(feature = "cbc-hmac", feature = "many"))]
            cbc_hmac::PRIMITIVE_SHA256_MANY,
            #[cfg(feature = "chacha20")]
            chacha20::PRIMITIVE,
            #[cfg(feature = "chacha20-poly1305")]
            chacha20_poly1305::PRIMITIVE,
            #[cfg(all(feature = "chacha20-poly1305", feature = "many"))]
            chacha20_poly1305::PRIMITIVE_MANY,
            #[cfg(feature = "random")]
            random::PRIMITIVE,
            #[cfg(feature = "ed25519")]
            ed25519::PRIMITIVE,
            #[cfg(all(feature = "ed25519", feature = "many"))]
            ed25519::PRIMITIVE_MANY,
            $(
                #[cfg(all(feature = "hmac", feature = $feature))]
                hmac::$HMAC,
                #[cfg(all(feature = "hmac", feature = $feature, feature = "many"))]
                hmac::$HMAC_MANY,
            )+
            #[cfg(feature = "md5")]
            md5::PRIMITIVE,
            #[cfg(all(feature = "md5", feature = "many"))]
            md5::PRIMITIVE_MANY,
            #[cfg(feature = "p256")]
            p256::PRIMITIVE,
            #[cfg(all(feature = "p256", feature = "many"))]
            p256::PRIMITIVE_MANY,
            #[cfg(feature = "poly1305")]
            poly1305::PRIMITIVE,
            #[cfg(feature = "rsa")]
            rsa::PRIMITIVE,
            #[cfg(all(feature = "rsa", feature = "many"))]
            rsa::PRIMITIVE_MANY,
            #[cfg(feature = "sha1")]
            sha1::PRIMITIVE,
            #[cfg(all(feature = "sha1", feature = "many"))]
            sha1::PRIMITIVE_MANY,
            #[cfg(feature = "sha256")]
            sha256::PRIMITIVE,
            #[cfg(feature = "sha256")]
            sha256::PRIMITIVE_224,
            #[cfg(all(feature = "sha256", feature = "many"))]
            sha256::PRIMITIVE_MANY,
            #[cfg(all(feature = "sha256", feature = "many"))]
            sha256::PRIMITIVE_224_MANY,
            #[cfg(feature = "sha3")]
            sha3::PRIMITIVE,
            #[cfg(all(feature = "sha3", feature = "many"))]
            sha3::PRIMITIVE_MANY,
            #[cfg(feature = "sha512")]
            sha512::PRIMITIVE,
            #[cfg(feature = "sha512")]
            sha512::PRIMITIVE_384,
            #[cfg(feature = "sha512")]
            sha512::PRIMITIVE_512_256,
            #[cfg(all(feature = "sha512", feature = "many"))]
            sha512::PRIMITIVE_MANY,
            #[cfg(all(feature = "sha512", feature = "many"))]
            sha512::PRIMITIVE_384_MANY,
            #[cfg(all(feature = "sha512", feature = "many"))]
            sha512::PRIMITIVE_512_256_MANY,
            #[cfg(feature = "sm3")]
            sm3::PRIMITIVE,
            #[cfg(all(feature = "sm3", feature = "many"))]
            sm3::PRIMITIVE_MANY,
            #[cfg(feature = "x25519")]
            x25519::PRIMITIVE,
            #[cfg(all(feature = "x25519", feature = "many"))]
            x25519::PRIMITIVE_MANY,
        ];
    };
}

hash_functions! { primitives! {} }
