//! `openssl speed`, of the OpenSSL that is installed and of the newest.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};

use super::{
    place::Place,
    tool::{Mode, Ready, Row, Said, Tool, row},
};
use crate::{
    external::{openssl_tests::built::OPENSSLS, outside::speed},
    process::{self, SOON, program},
    tools::{Cache, must_be_installed},
};

/// One of them.
pub(super) struct OpenSsl {
    name: &'static str,
    get: fn(&Place) -> Result<(PathBuf, PathBuf)>,
}

pub(super) const INSTALLED: OpenSsl = OpenSsl { name: "openssl speed, installed", get: installed };
pub(super) const NEWEST: OpenSsl = OpenSsl { name: "openssl speed, newest", get: newest };

const ROWS: &[Row] = &[
    of("-evp aes-128-ctr", "aes-128-ctr/encrypt", Mode::Stream),
    of("-evp aes-256-ctr", "aes-256-ctr/encrypt", Mode::Stream),
    of("-evp aes-128-cbc", "aes-128-cbc/encrypt", Mode::Stream),
    of("-evp aes-256-cbc", "aes-256-cbc/encrypt", Mode::Stream),
    of("-decrypt -evp aes-128-cbc", "aes-128-cbc/decrypt", Mode::Stream),
    of("-decrypt -evp aes-256-cbc", "aes-256-cbc/decrypt", Mode::Stream),
    of("-evp aes-128-xts", "aes-128-xts/encrypt", Mode::Stream),
    of("-evp aes-128-ecb", "aes-128-ecb/encrypt", Mode::Message),
    // Since 3.0.16 and 3.4.1; `ropewalk speed` knows what older ones do.
    of("-aead -evp aes-128-gcm", "aes-128-gcm/seal", Mode::Setup),
    of("-aead -evp aes-256-gcm", "aes-256-gcm/seal", Mode::Setup),
    of("-evp aes-128-gcm", "aes-128-gcm/seal", Mode::Setup).but(NO_HEADER),
    of("-decrypt -aead -evp aes-128-gcm", "aes-128-gcm/open", Mode::Setup).but(NONCES),
    of("-aead -evp aes-128-ccm", "aes-128-ccm/seal", Mode::Setup),
    of("-evp chacha20", "chacha20/encrypt", Mode::Stream),
    of("-evp chacha20-poly1305", "chacha20-poly1305/seal", Mode::Stream),
    of("-evp sha1", "sha1/digest", Mode::Setup),
    of("-evp sha256", "sha256/digest", Mode::Setup),
    of("-evp sha512", "sha512/digest", Mode::Setup),
    of("-evp sha3-256", "sha3-256/digest", Mode::Setup),
    of("-hmac sha256", "hmac-sha256/mac", Mode::Message).by(EVP_MAC),
    of("-cmac aes-128-cbc", "aes-128-cmac/mac", Mode::Message).by(EVP_MAC),
];

const NO_HEADER: &str = "the tool has no header data, the lab 13 bytes";
const NONCES: &str = "the tool sets each nonce twice when it opens";

/// Makes the lab call `EVP_MAC`, as the tool does.
const EVP_MAC: &str = "provider=default";

/// The short ones show the cost of a call.
const LENGTHS: &[usize] = &[16, 256, 1024, 8192, 16384];

/// A run has one row.
const fn of(ask: &'static str, task: &'static str, mode: Mode) -> Row {
    row(ask, "", task, mode).at(LENGTHS)
}

impl Tool for OpenSsl {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rows(&self) -> &'static [Row] {
        ROWS
    }

    fn get(&self, place: &Place) -> Result<Ready> {
        let (program, library) = (self.get)(place)?;
        let folder = library.parent().context("a library is in a folder")?.to_path_buf();
        Ok(Ready {
            program,
            libraries: vec![folder],
            loader: None,
            peer: "libcrypto",
            library: fs::canonicalize(library)?,
            core: place.core,
        })
    }

    fn run(&self, ready: &Ready, ask: &str, seconds: u32) -> Result<Vec<Said>> {
        let mut all = Vec::new();
        for bytes in LENGTHS {
            let (bytes, seconds) = (bytes.to_string(), seconds.to_string());
            let mut words =
                vec!["speed", "-mr", "-elapsed", "-seconds", &seconds, "-bytes", &bytes];
            words.extend(ask.split(' '));
            let said = speed::rates(&ready.output(&words)?).into_iter();
            all.extend(said.map(|(bytes, rate)| Said { label: String::new(), bytes, rate }));
        }
        Ok(all)
    }
}

/// The command, and the library that it loads.
fn installed(_: &Place) -> Result<(PathBuf, PathBuf)> {
    must_be_installed(&["openssl"])?;
    let which = process::output(program("sh").args(["-c", "command -v openssl"]), SOON)?;
    let command = PathBuf::from(which.trim());
    let loaded = process::output(program("ldd").arg(&command), SOON)?;
    let library = libcrypto(&loaded).context("openssl loads no libcrypto")?;
    Ok((command, library.into()))
}

/// Of what `ldd` says.
fn libcrypto(loaded: &str) -> Option<&str> {
    let line = loaded.lines().find(|line| line.trim_start().starts_with("libcrypto.so"))?;
    line.split_once("=> ")?.1.split_whitespace().next()
}

/// Of those that OpenSSL's own tests are run with.
fn newest(place: &Place) -> Result<(PathBuf, PathBuf)> {
    let newest = OPENSSLS.last().context("there is a newest")?;
    let libraries = newest.get(&Cache::at(place.root.join("target/openssl-tests"))?)?.libraries;
    Ok((libraries.join("openssl"), libraries.join("libcrypto.so")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found() {
        let loaded = "\tlinux-vdso.so.1 (0x00007ffc)\n\tlibssl.so.3 => /lib/libssl.so.3 (0x00007f21)\n\
                      \tlibcrypto.so.3 => /lib/libcrypto.so.3 (0x00007f20)\n";
        assert_eq!(libcrypto(loaded), Some("/lib/libcrypto.so.3"));
        assert_eq!(libcrypto("\tlibc.so.6 => /lib/libc.so.6 (0x00007f20)\n"), None);
    }
}
