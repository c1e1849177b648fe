//! An OpenSSL provider: a module that OpenSSL 3.0 to 4 loads by its configuration, so that existing programs
//! use ropewalk without changes.
//!
//! It exports [`OSSL_provider_init`], and is not linked to libcrypto: OpenSSL passes the functions that it
//! needs. It has digests, ciphers, MACs and key derivations; keys, random numbers and encodings stay with
//! OpenSSL's own providers, which are loaded too.
//!
//! The environment variable `ROPEWALK_CPU` disables instruction sets. With `ROPEWALK_STATS=1` the module
//! prints at the end how often each algorithm was called, and `ropewalk provider status --pid` can read that
//! while the program runs.

#![allow(unsafe_code, reason = "OpenSSL hands in pointers")]

mod abi;
mod call;
mod cipher;
mod digest;
mod error;
mod hmac;
mod kdf;
mod mac;
mod params;
mod provider;
#[path = "../../ropewalk-openssl-loader/src/quiet.rs"]
mod quiet;
mod secret;
mod stats;
mod theirs;
mod version;
mod wrong;

pub use provider::OSSL_provider_init;

/// The counters of all algorithms.
fn counters() -> impl Iterator<Item = &'static stats::Counter> {
    [digest::COUNTERS, cipher::COUNTERS, mac::COUNTERS, kdf::COUNTERS]
        .into_iter()
        .flatten()
        .copied()
}
