//! The cryptography of the Linux kernel, through sockets of the family AF_ALG.
//!
//! Each message is one `sendmsg` and one read on a socket that keeps its key, as in the kernel's own
//! documentation. Backends are the drivers of an algorithm in `/proc/crypto`, in the order of their
//! priorities.

mod aead;
mod cipher;
mod drivers;
mod hash;
mod socket;

use std::fs;

use rustix::system::uname;
use socket::Transform;

use super::{Job, Opened, Peer, Unavailable, jobs};
use crate::tasks::{Cell, Function, Kind, Mac, Mode, RC4_KEY, TRIPLE_DES_KEY, Task};

/// The kernel.
pub(super) struct AfAlg;

impl Peer for AfAlg {
    fn name(&self) -> &'static str {
        "af_alg"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-xts", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305",
            "aes-*-gmac", "aes-*-cmac",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        [hash_name(function).is_some(); 2]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Transform::any()?;
        let uname = uname();
        Ok(Box::new(Kernel { version: format!("Linux {}", uname.release().to_string_lossy()) }))
    }
}

/// The kernel's list of algorithms.
const LIST: &str = "/proc/crypto";

struct Kernel {
    version: String,
}

impl Opened for Kernel {
    fn version(&self) -> String {
        self.version.clone()
    }

    fn path(&self) -> Option<String> {
        Some(LIST.into())
    }

    fn backends(&self, task: &Task, _: usize) -> Vec<String> {
        let Some((kind, name)) = algorithm(task.kind) else { return vec![String::new()] };
        // It may load the module only now.
        if Transform::new(kind, &name).is_err() {
            return vec![String::new()];
        }
        let list = fs::read_to_string(LIST).unwrap_or_default();
        match drivers::of(&list, kind, &name) {
            drivers if drivers.is_empty() => vec![String::new()],
            drivers => drivers,
        }
    }

    fn prepare(&self, cell: &Cell, backend: &str) -> Result<Box<dyn Job>, Unavailable> {
        if cell.task.kind == Kind::Fill {
            return Err(Unavailable("its generator is not called here".into()));
        }
        let lacks = || Unavailable::lacks(&AfAlg, cell.task);
        let (kind, name) = algorithm(cell.task.kind).ok_or_else(lacks)?;
        let name = if backend.is_empty() { name } else { backend.into() };
        let named = name.clone();
        let keyed = move |key: &[u8]| Transform::with_key(kind, &named, key);
        match cell.task.kind {
            // It continues from the same counter.
            Kind::ChaCha20 if cell.mode == Mode::Stream => {
                Err(Unavailable("its ChaCha20 takes messages whole".into()))
            }
            // Before the end of a message, a socket returns only whole blocks.
            Kind::Ctr { .. } if cell.mode == Mode::Stream && !cell.bytes.is_multiple_of(16) => {
                Err(Unavailable("a stream goes on in whole blocks".into()))
            }
            Kind::Ctr { key_len } => {
                jobs::ctr(cell, key_len, move |key| cipher::Ctr::new(keyed(key)?))
            }
            Kind::ChaCha20 => {
                fits(cell)?;
                jobs::ctr(cell, 32, move |key| cipher::Ctr::new(keyed(key)?))
            }
            Kind::Rc4 => jobs::ctr(cell, RC4_KEY, move |key| {
                Ok(cipher::Rc4::new(Transform::new(kind, &name)?, key))
            }),
            Kind::Cbc { direction, key_len } => jobs::cbc(cell, key_len, move |key| {
                cipher::Blocks::new(&keyed(key)?, direction, 16)
            }),
            Kind::Ecb { direction, key_len } => {
                jobs::cbc(cell, key_len, move |key| cipher::Blocks::new(&keyed(key)?, direction, 0))
            }
            Kind::TripleDes { direction } => jobs::cbc(cell, TRIPLE_DES_KEY, move |key| {
                cipher::Blocks::new(&keyed(key)?, direction, 8)
            }),
            Kind::Xts { direction, key_len } => {
                fits(cell)?;
                jobs::xts(cell, key_len, move |key| cipher::Unit::new(&keyed(key)?, direction))
            }
            Kind::Gcm { op, key_len } | Kind::Ccm { op, key_len } => {
                fits(cell)?;
                let ccm = matches!(cell.task.kind, Kind::Ccm { .. });
                jobs::aead(cell, op, key_len, move |key| {
                    aead::Aead::new(Transform::new(kind, &name)?, key, ccm)
                })
            }
            Kind::ChaChaPoly { op } => {
                fits(cell)?;
                jobs::aead(cell, op, 32, move |key| {
                    aead::Aead::new(Transform::new(kind, &name)?, key, false)
                })
            }
            Kind::Gmac { key_len } => {
                fits(cell)?;
                jobs::gmac(cell, key_len, move |key| {
                    let transform = Transform::new(kind, &name)?;
                    aead::Aead::new(transform, key, false).map(jobs::HeaderAlone)
                })
            }
            Kind::Mac(_) => jobs::mac(cell, move |key| hash::Hash::new(keyed(key)?)),
            Kind::Hash(_) => Ok(jobs::hash(cell, hash::Hash::new(Transform::new(kind, &name)?)?)),
            _ => Err(lacks()),
        }
    }
}

/// The type of an algorithm and its name in the kernel.
fn algorithm(kind: Kind) -> Option<(&'static str, String)> {
    Some(match kind {
        Kind::Ctr { .. } => (CIPHER, "ctr(aes)".into()),
        Kind::Cbc { .. } => (CIPHER, "cbc(aes)".into()),
        Kind::Ecb { .. } => (CIPHER, "ecb(aes)".into()),
        Kind::Xts { .. } => (CIPHER, "xts(aes)".into()),
        Kind::ChaCha20 => (CIPHER, "chacha20".into()),
        Kind::TripleDes { .. } => (CIPHER, "cbc(des3_ede)".into()),
        Kind::Rc4 => (CIPHER, "ecb(arc4)".into()),
        Kind::Gcm { .. } | Kind::Gmac { .. } => (AEAD, "gcm(aes)".into()),
        Kind::Ccm { .. } => (AEAD, "ccm(aes)".into()),
        Kind::ChaChaPoly { .. } => (AEAD, "rfc7539(chacha20,poly1305)".into()),
        Kind::Hash(function) => (HASH, hash_name(function)?.into()),
        Kind::Mac(Mac::Hmac(function)) => (HASH, format!("hmac({})", hash_name(function)?)),
        Kind::Mac(Mac::Cmac { .. }) => (HASH, "cmac(aes)".into()),
        _ => return None,
    })
}

const CIPHER: &str = "skcipher";
const AEAD: &str = "aead";
const HASH: &str = "hash";

fn hash_name(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::Md5 => "md5",
        Function::Sha1 => "sha1",
        Function::Sha224 => "sha224",
        Function::Sha256 => "sha256",
        Function::Sha384 => "sha384",
        Function::Sha512 => "sha512",
        Function::Sha3_224 => "sha3-224",
        Function::Sha3_256 => "sha3-256",
        Function::Sha3_384 => "sha3-384",
        Function::Sha3_512 => "sha3-512",
        Function::Sm3 => "sm3",
        _ => return None,
    })
}

/// Messages that cannot come in chunks must fit into a socket.
fn fits(cell: &Cell) -> Result<(), Unavailable> {
    match cell.longest() > socket::PIECE {
        true => Err(Unavailable(format!("a message has at most {} bytes", socket::PIECE))),
        false => Ok(()),
    }
}
