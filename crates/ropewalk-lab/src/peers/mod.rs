//! The measured libraries.

use crate::tasks::{Cell, Function, Task};

mod aarch64cryptolib;
mod af_alg;
mod aws_lc_rs;
mod botan;
mod crypto_mb;
mod cryptodev;
mod dalek;
pub(crate) mod dl;
mod gnutls;
mod graviola;
mod has;
mod ipsec_mb;
pub mod jobs;
pub(crate) mod libcrypto;
mod libgcrypt;
mod libsodium;
pub(crate) mod masks;
mod mbedtls;
mod nettle;
mod nss;
mod ours;
mod ring;
mod ropewalk_c;
mod rustcrypto;
mod wolfssl;

use has::find;
pub use has::{has, names};

/// Every kind of peer. A new one needs a file here and a line below.
pub const PEERS: &[&dyn Peer] = &[
    &ours::Ours,
    &ropewalk_c::RopewalkC,
    &libcrypto::Libcrypto,
    &libgcrypt::Libgcrypt,
    &nettle::Nettle,
    &gnutls::GnuTls,
    &libsodium::Libsodium,
    &nss::Nss,
    &wolfssl::WolfSsl,
    &ipsec_mb::IpsecMb,
    &botan::Botan,
    &mbedtls::MbedTls,
    &crypto_mb::CryptoMb,
    &aarch64cryptolib::AArch64Cryptolib,
    &af_alg::AfAlg,
    &cryptodev::Cryptodev,
    &aws_lc_rs::AwsLcRs,
    &ring::Ring,
    &graviola::Graviola,
    &rustcrypto::RustCrypto,
    &dalek::Dalek,
];

/// A kind of library. It is opened in a separate process, so that it cannot affect another peer.
pub trait Peer: Sync {
    /// Its name on the command line and in records: `libcrypto`.
    fn name(&self) -> &'static str;

    /// The tasks that it supports, in some version or build, by their names. A `*` stands for any length of a
    /// key or of an output: `aes-*-gcm`. For other tasks the reason is [`Unavailable::lacks`], unless it has
    /// a better one.
    fn has(&self) -> &'static [&'static str];

    /// Whether it has the hash function, and its HMAC, if it has its own table. `has` then names none of
    /// them.
    fn functions(&self, _: Function) -> [bool; 2] {
        [false; 2]
    }

    /// The libraries of this kind to search for: names for the dynamic loader, or one empty string if the
    /// peer is built in.
    fn libraries(&self) -> &'static [&'static str] {
        &[""]
    }

    /// The environment that masks processor features in it, for a library of that version; an error gives the
    /// reason why it cannot be masked. It is set before the process starts.
    fn mask(
        &self,
        version: &str,
        features: &[&'static str],
    ) -> Result<Vec<(String, String)>, Unavailable> {
        let _ = (version, features);
        Err(Unavailable("cannot be masked".into()))
    }

    /// Opens the library: a name of `libraries`, or a path the user gave.
    fn open(&self, library: &str) -> Result<Box<dyn Opened>, Unavailable>;

    /// Parts of it that can be selected by name, as `provider` in `libcrypto:provider=NAME`.
    fn served_by(&self) -> &'static [&'static str] {
        &[]
    }

    /// Opens the library with only such a part: `provider=NAME`.
    fn open_by(&self, library: &str, by: &str) -> Result<Box<dyn Opened>, Unavailable> {
        let _ = (library, by);
        Err(Unavailable("has no parts to ask for".into()))
    }
}

/// A library that is loaded into this process.
pub trait Opened {
    /// Its version, as it reports it: `OpenSSL 3.0.19`.
    fn version(&self) -> String;

    /// The file, if it is not built in.
    fn path(&self) -> Option<String> {
        None
    }

    /// Its backends for the task, the default first. Most have one, without a name.
    fn backends(&self, task: &Task, count: usize) -> Vec<String> {
        let _ = (task, count);
        vec![String::new()]
    }

    /// The backends for the task that are missing here: names, and the reasons.
    fn absent(&self, task: &Task, count: usize) -> Vec<(String, Unavailable)> {
        let _ = (task, count);
        Vec::new()
    }

    /// The provider of OpenSSL that serves the task, if the library reports it.
    fn provider(&self, task: &Task) -> Option<String> {
        let _ = task;
        None
    }

    /// Everything before the first timed instruction. `backend` is one of `backends`.
    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable>;
}

/// Work that is ready to be timed.
pub trait Job {
    /// Makes `calls` calls, each with the number of messages of the cell.
    fn run(&mut self, calls: usize);

    /// The output of a first call for each buffer, from inputs that are the same for every peer.
    fn answer(&mut self) -> Vec<u8>;

    /// Additional timed work, which other libraries do not need.
    fn note(&self) -> &'static str {
        ""
    }
}

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

#[cfg(test)]
mod tests {
    /// `package version` is the one in Cargo.lock.
    pub(super) fn assert_locked(package: &str) {
        let (name, version) = package.split_once(' ').expect("a name and a version");
        let lines = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        let lock = include_str!("../../../../Cargo.lock");
        assert!(lock.contains(&lines), "Cargo.lock has another {name} than {version}");
    }
}
