//! An OpenSSL provider: a module that OpenSSL 3.0 to 4 loads by its configuration, so that programs run on
//! ropewalk that were never made for it.
//!
//! It exports [`OSSL_provider_init`], and is linked to no libcrypto: what it needs of OpenSSL, OpenSSL hands in.
//! There are digests, ciphers, MACs and key derivations; keys, random numbers and encodings stay with
//! OpenSSL's own providers, beside which it is loaded.
//!
//! `ROPEWALK_CPU` in the environment takes instruction sets away. `ROPEWALK_STATS=1` has it print at the end what was
//! asked of it, and lets `ropewalk provider status --pid` read that while the program runs.

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

/// What is counted, of every algorithm.
fn counters() -> impl Iterator<Item = &'static stats::Counter> {
    [digest::COUNTERS, cipher::COUNTERS, mac::COUNTERS, kdf::COUNTERS]
        .into_iter()
        .flatten()
        .copied()
}
