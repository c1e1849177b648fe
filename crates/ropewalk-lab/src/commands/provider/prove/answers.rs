//! Known answers: whether the provider that serves an algorithm computes the same as the library.

use std::{error::Error, ffi::CStr};

use ropewalk::{aes_kw, hkdf, hmac, pbkdf2, sha256::Sha256, tls12, tls13};

use crate::{
    measure::reference,
    peers::{
        Opened, PEERS, Unavailable,
        libcrypto::{Given, derive, wrap_padded},
    },
    tasks::{Cell, Keys, Kind, Mode, TASKS, Task},
};

/// Two blocks and a part of the longest.
const BYTES: usize = 300;

/// A library, and its serving provider.
pub(super) struct Asked<'a> {
    /// The library, as the loader finds it.
    pub(super) library: &'a str,
    /// The name of the provider.
    pub(super) by: &'a str,
}

impl Asked<'_> {
    /// Whether all operations with the algorithm of that name are right. None if the provider does not allow
    /// a test.
    pub(super) fn is_right(&self, name: &str) -> Option<bool> {
        let answer = match derivation(name) {
            Some(kind) => self.derives(kind),
            None => match name.strip_suffix("-WRAP-PAD") {
                Some(cipher) => self.wraps(cipher),
                None => self.does(name),
            },
        };
        answer.ok()
    }

    /// By the tasks that are measured elsewhere.
    fn does(&self, name: &str) -> Result<bool, Box<dyn Error>> {
        let peer = PEERS.iter().find(|peer| peer.name() == "libcrypto").ok_or("no such peer")?;
        let opened = peer.open_by(self.library, &format!("provider={}", self.by))?;
        let mut all = tasks(name).peekable();
        all.peek().ok_or("no such task")?;
        for task in all {
            if !one(&*opened, task)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn wraps(&self, cipher: &str) -> Result<bool, Box<dyn Error>> {
        let key = [7; 32];
        let key = if cipher.ends_with("128") { &key[..16] } else { &key[..] };
        let text = [b'r'; 20];
        let (mut out, mut right) = ([0; 32], [0; 32]);
        wrap_padded(self.library, self.by, key, &text, &mut out)?;
        aes_kw::Key::new(key)?.wrap_padded_to(&text, &mut right)?;
        Ok(out == right)
    }

    fn derives(&self, kind: Derivation) -> Result<bool, Box<dyn Error>> {
        let (secret, salt, context) = ([1; 32], [2; 16], [3; 24]);
        let (mut out, mut right) = ([0; 77], [0; 77]);
        let digest = (c"digest", Given::Text(c"SHA2-256"));
        let mode = |mode: &'static CStr| (c"mode", Given::Text(mode));
        let octets = |name: &'static CStr, bytes| (name, Given::Octets(bytes));
        let seed = [&b"key expansion"[..], &context].concat();
        let iterations = 3;
        let given = match kind {
            Derivation::Hkdf => vec![
                digest,
                mode(c"EXTRACT_AND_EXPAND"),
                octets(c"key", &secret),
                octets(c"salt", &salt),
                octets(c"info", &context),
            ],
            Derivation::Tls13 => vec![
                digest,
                mode(c"EXPAND_ONLY"),
                octets(c"key", &secret),
                octets(c"prefix", b"tls13 "),
                octets(c"label", b"key"),
                octets(c"data", &context),
            ],
            Derivation::Tls1 => vec![digest, octets(c"secret", &secret), octets(c"seed", &seed)],
            Derivation::Pbkdf2 => vec![
                digest,
                octets(c"pass", &secret),
                octets(c"salt", &salt),
                (c"iter", Given::Number(&iterations)),
            ],
        };
        derive(self.library, self.by, kind.name(), &given, &mut out)?;
        let key = hmac::Key::<Sha256>::new(&secret);
        match kind {
            Derivation::Hkdf => hkdf::extract(&hmac::Key::<Sha256>::new(&salt), &secret)
                .expand(&[&context], &mut right)?,
            Derivation::Tls13 => {
                tls13::expand_label(
                    &hkdf::Prk::<Sha256>::new(&secret)?,
                    b"key",
                    &context,
                    &mut right,
                )?;
            }
            Derivation::Tls1 => tls12::prf(&key, b"key expansion", &[&context], &mut right)?,
            Derivation::Pbkdf2 => pbkdf2::derive(&key, &salt, iterations as u32, &mut right)?,
        }
        Ok(out == right)
    }
}

#[derive(Clone, Copy)]
enum Derivation {
    Hkdf,
    Tls13,
    Tls1,
    Pbkdf2,
}

impl Derivation {
    const ALL: [Self; 4] = [Self::Hkdf, Self::Tls13, Self::Tls1, Self::Pbkdf2];

    fn name(self) -> &'static CStr {
        match self {
            Self::Hkdf => c"HKDF",
            Self::Tls13 => c"TLS13-KDF",
            Self::Tls1 => c"TLS1-PRF",
            Self::Pbkdf2 => c"PBKDF2",
        }
    }
}

fn derivation(name: &str) -> Option<Derivation> {
    Derivation::ALL.into_iter().find(|kind| kind.name().to_bytes() == name.as_bytes())
}

/// Every task with an algorithm of OpenSSL.
fn tasks(name: &str) -> impl Iterator<Item = &'static Task> {
    const OPERATIONS: [&str; 8] =
        ["encrypt", "decrypt", "seal", "open", "wrap", "unwrap", "mac", "digest"];
    let plain = match name {
        // One task of each is sufficient.
        "HMAC" => "hmac-sha256".into(),
        "CMAC" => "aes-128-cmac".into(),
        "GMAC" => "aes-128-gmac".into(),
        "SHAKE-128" => "shake128".into(),
        "SHAKE-256" => "shake256".into(),
        _ => name
            .to_lowercase()
            .replace("sha2-", "sha")
            .replace("512/256", "512-256")
            .replace("-wrap", "-kw"),
    };
    // The bytes after the text of an opened record are up to the provider.
    let opens_record = |task: &Task| matches!(task.kind, Kind::Records { .. }) && task.op == "open";
    TASKS.iter().filter(move |task| {
        task.name == plain && OPERATIONS.contains(&task.op) && !opens_record(task)
    })
}

fn one(opened: &dyn Opened, task: &'static Task) -> Result<bool, Unavailable> {
    let (mode, keys) = (Mode::Message, Keys::One);
    let bytes = task.kind.size(BYTES);
    let cell = Cell { task, bytes, count: 1, mode, mix: None, keys, stride: None };
    let answer = opened.prepare(&cell, "")?.answer();
    Ok(reference::digest(&answer) == reference::answer(&cell)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::provider::prove::algorithms::OURS;

    #[test]
    fn every_algorithm_has_an_answer() {
        for name in OURS.iter().flat_map(|(_, names)| names.iter()) {
            let known = derivation(name).is_some() || name.ends_with("-WRAP-PAD");
            assert!(known || tasks(name).next().is_some(), "{name}");
        }
        let operations = |name| tasks(name).map(|task| task.op).collect::<Vec<_>>();
        assert_eq!(operations("AES-128-GCM"), ["seal", "open"]);
        assert_eq!(operations("AES-256-WRAP"), ["wrap", "unwrap"]);
        assert_eq!(operations("AES-256-CBC-HMAC-SHA256"), ["seal"]);
        assert_eq!(operations("SHA2-512/256"), ["digest"]);
    }

    /// OpenSSL's own provider is right too.
    #[test]
    fn answers_are_those_of_openssl() {
        let library = "libcrypto.so.3";
        if crate::peers::dl::open(library).is_err() {
            return eprintln!("skipped: there is no {library}");
        }
        let asked = Asked { library, by: "default" };
        for name in OURS.iter().flat_map(|(_, names)| names.iter()) {
            // Some processors have no instructions for these, and OpenSSL has no other code.
            let may_lack = name.contains("-CBC-HMAC-");
            let right = asked.is_right(name);
            assert!(right == Some(true) || may_lack && right.is_none(), "{name}: {right:?}");
        }
        assert_eq!(Asked { library, by: "no such provider" }.is_right("SHA1"), None);
    }
}
