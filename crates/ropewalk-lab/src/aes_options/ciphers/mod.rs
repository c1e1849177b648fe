//! The ways to compute AES-128 encryption (FIPS 197), and their list. Each encrypts blocks in place, as ECB does.
//!
//! This folder imports nothing of the lab: `crates/ropewalk-ct` compiles the same files for the tools that follow secrets.

mod bytes;
mod field;
mod library;
mod schedule;
mod tower;
mod words;

#[cfg(test)]
mod tests;

use bytes::{Bytes, ComputedTable, ConstantTable};
use library::Library;
use schedule::{Expanded, OnTheFly};
use tower::Tower;
use words::{FourTables, OneTable, Words};

/// Sixteen bytes, column by column (FIPS 197, section 3.4).
pub type Block = [u8; 16];

/// AES-128 with one key.
pub trait Encrypt {
    /// Encrypts each block in place.
    fn encrypt(&self, blocks: &mut [Block]);
}

/// A way to compute AES-128.
#[derive(Clone, Copy)]
pub struct AesOption {
    /// Its name in the table, on the command line and in the file of verdicts.
    pub name: &'static str,
    /// What it is, in a few words.
    pub is: &'static str,
    /// Bytes of its constant tables, if they are known.
    pub tables: Option<usize>,
    /// Bytes of a key: round keys, and tables that are computed.
    pub ram: usize,
    /// The functions whose bytes are its code.
    pub code: Code,
    /// Makes a key; none if this processor cannot run it.
    pub key: fn(&Block) -> Option<Box<dyn Encrypt>>,
}

/// The functions of an option in the running program.
#[derive(Clone, Copy)]
pub enum Code {
    /// The addresses of functions into which everything else is inlined.
    At(fn() -> [usize; 2]),
    /// A backend of the library, by its name: `aes_ecb/portable`.
    Of(&'static str),
}

/// Every option. Those with tables exist for comparison only.
#[rustfmt::skip]
pub const OPTIONS: &[AesOption] = &[
    own::<Bytes<ConstantTable, Expanded>>("sbox-table", "S-box from a constant table"),
    own::<Bytes<ConstantTable, OnTheFly>>("sbox-table-fly", "the same, round keys on the fly"),
    own::<Bytes<ComputedTable, Expanded>>("sbox-computed", "S-box computed at start, in RAM"),
    own::<Bytes<Tower, Expanded>>("sbox-boolean", "Canright's S-box, by Boolean operations"),
    own::<Bytes<Tower, OnTheFly>>("sbox-boolean-fly", "the same, round keys on the fly"),
    own::<Words<FourTables, Expanded, false>>("tables-4k", "four T-tables"),
    own::<Words<FourTables, Expanded, true>>("tables-4k-unrolled", "the same, rounds unrolled"),
    own::<Words<FourTables, OnTheFly, false>>("tables-4k-fly", "the same, rolled, round keys on the fly"),
    own::<Words<OneTable, Expanded, false>>("tables-1k", "one T-table, with rotations"),
    own::<Words<OneTable, Expanded, true>>("tables-1k-unrolled", "the same, rounds unrolled"),
    library("bitsliced", "four blocks in 64-bit slices", "aes_ecb/portable", |key| Library::boxed(key, "aes_ecb/portable")),
    #[cfg(target_arch = "x86_64")]
    library("permute-ssse3", "lookups in registers of 128 bits", "aes_ecb/x86_64/ssse3", |key| Library::boxed(key, "aes_ecb/x86_64/ssse3")),
    #[cfg(target_arch = "x86_64")]
    library("permute-avx2", "lookups in registers of 256 bits", "aes_ecb/x86_64/avx2", |key| Library::boxed(key, "aes_ecb/x86_64/avx2")),
    #[cfg(target_arch = "x86_64")]
    library("aesni", "instructions of 128 bits", "aes_ecb/x86_64/aesni", |key| Library::boxed(key, "aes_ecb/x86_64/aesni")),
    #[cfg(target_arch = "x86_64")]
    library("vaes-256", "instructions of 256 bits", "aes_ecb/x86_64/vaes256", |key| Library::boxed(key, "aes_ecb/x86_64/vaes256")),
    #[cfg(target_arch = "x86_64")]
    library("vaes-512", "instructions of 512 bits", "aes_ecb/x86_64/vaes512", |key| Library::boxed(key, "aes_ecb/x86_64/vaes512")),
    #[cfg(target_arch = "aarch64")]
    library("permute-neon", "lookups in registers of 128 bits", "aes_ecb/aarch64/neon", |key| Library::boxed(key, "aes_ecb/aarch64/neon")),
    #[cfg(target_arch = "aarch64")]
    library("aese", "instructions of 128 bits", "aes_ecb/aarch64/aes", |key| Library::boxed(key, "aes_ecb/aarch64/aes")),
];

/// An option of this folder.
trait Cipher: Encrypt + 'static {
    /// Bytes of its constant tables.
    const TABLES: usize;

    fn new(key: &Block) -> Self;
}

const fn own<T: Cipher>(name: &'static str, is: &'static str) -> AesOption {
    AesOption {
        name,
        is,
        tables: Some(T::TABLES),
        ram: size_of::<T>(),
        code: Code::At(|| [T::new as *const () as usize, T::encrypt as *const () as usize]),
        key: |key| Some(Box::new(T::new(key))),
    }
}

/// A backend of the library. Its constants have no symbols, so that their bytes are not known.
const fn library(
    name: &'static str,
    is: &'static str,
    backend: &'static str,
    key: fn(&Block) -> Option<Box<dyn Encrypt>>,
) -> AesOption {
    let ram = size_of::<Library>();
    AesOption { name, is, tables: None, ram, code: Code::Of(backend), key }
}
