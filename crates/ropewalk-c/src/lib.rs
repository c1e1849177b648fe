//! The C library: `libropewalk.so`, `libropewalk.a` and `include/ropewalk.h`.
//!
//! Each function that C sees is written out here, for `cbindgen` to read, and has a line or two: [`enter::call`] lets no panic
//! out, pointers and lengths become slices in [`memory`], overlaps are refused in [`overlap`], and keys and states in C's memory
//! are an [`object`]. Names in C are the same here.
#![allow(non_camel_case_types, reason = "types have the names that C knows them by")]
#![allow(unreachable_pub, reason = "C reaches what is public")]
#![deny(improper_ctypes_definitions)]

mod aead;
mod algorithms;
mod cipher;
mod ecb;
mod enter;
mod hash;
mod kdf;
mod key_wrap;
mod library;
mod mac;
mod many;
mod memory;
mod names;
mod object;
mod overlap;
mod public_keys;
mod random;
mod records;
mod status;
#[cfg(test)]
mod tests;
