//! `bench-slope` of libgcrypt, built from Debian's sources for the library of its package.
//!
//! It measures lengths of 16 to 4112 bytes, in steps of 64, and reports the slope of a line through them.

use anyhow::Result;

use super::{
    packages::{Packages, Source},
    place::Place,
    tool::{EACH, Mode, Ready, Row, Said, Tool, row},
};

pub(super) struct Libgcrypt;

const PACKAGES: Packages = Packages {
    name: "libgcrypt",
    packages: &["libgcrypt20"],
    program: "bench-slope",
    library: "libgcrypt",
    peer: "libgcrypt",
    source: Some(Source {
        package: "libgcrypt20",
        headers: &["libgcrypt20-dev", "libgpg-error-dev"],
        file: "tests/bench-slope.c",
        // The build of the library generates its header from another file.
        beside: Some(("src/gcrypt.h", "#include <gcrypt.h>\n")),
        flags: &[
            "-include",
            "stdint.h",
            "-Du64=uint64_t",
            "-D_GCRYPT_CONFIG_H_INCLUDED",
            "-DHAVE_CLOCK_GETTIME",
        ],
        libraries: &["libgcrypt.so.20", "libgpg-error.so.0"],
    }),
};

const ROWS: &[Row] = &[
    slope("cipher aes128", "AES CTR enc", "aes-128-ctr/encrypt"),
    slope("cipher aes128", "AES CBC enc", "aes-128-cbc/encrypt"),
    slope("cipher aes128", "AES CBC dec", "aes-128-cbc/decrypt"),
    slope("cipher aes128", "AES GCM enc", "aes-128-gcm/seal"),
    slope("cipher aes256", "AES256 CTR enc", "aes-256-ctr/encrypt"),
    slope("cipher aes256", "AES256 CBC enc", "aes-256-cbc/encrypt"),
    slope("cipher aes256", "AES256 CBC dec", "aes-256-cbc/decrypt"),
    slope("cipher aes256", "AES256 GCM enc", "aes-256-gcm/seal"),
    slope("cipher chacha20", "CHACHA20 STREAM enc", "chacha20/encrypt"),
    slope("cipher chacha20", "CHACHA20 POLY1305 enc", "chacha20-poly1305/seal"),
    slope("hash sha1", "SHA1", "sha1/digest"),
    slope("hash sha256", "SHA256", "sha256/digest"),
    slope("hash sha512", "SHA512", "sha512/digest"),
    slope("hash sha3-256", "SHA3-256", "sha3-256/digest"),
    slope("mac hmac_sha256", "HMAC_SHA256", "hmac-sha256/mac"),
];

const fn slope(ask: &'static str, label: &'static str, task: &'static str) -> Row {
    row(ask, label, task, Mode::Slope)
}

impl Tool for Libgcrypt {
    fn name(&self) -> &'static str {
        "bench-slope"
    }

    fn rows(&self) -> &'static [Row] {
        ROWS
    }

    fn get(&self, place: &Place) -> Result<Ready> {
        PACKAGES.get(place)
    }

    /// Its duration is fixed.
    fn run(&self, ready: &Ready, ask: &str, _: u32) -> Result<Vec<Said>> {
        let words: Vec<_> = ["--csv"].into_iter().chain(ask.split(' ')).collect();
        Ok(figures(&ready.output(&words)?))
    }
}

/// Lines such as `cipher,AES,CTR enc,,,0.045,ns/B,21254,MiB/s,,c/B`, of which the second rate has more digits.
fn figures(said: &str) -> Vec<Said> {
    let figure = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        let [_, algorithm, mode, _, _, _, "ns/B", rate, "MiB/s", ..] = fields[..] else {
            return None;
        };
        let rate: f64 = rate.parse().ok()?;
        let label = format!("{algorithm} {mode}").trim_end().into();
        Some(Said { label, bytes: EACH, rate: rate * f64::from(1 << 20) })
    };
    said.lines().filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_output_is_read() {
        let said = figures(
            "cipher,AES,CBC enc,,,0.526,ns/B,1812,MiB/s,,c/B\n\
             cipher,AES,CTR enc,,,0.044,ns/B,21828,MiB/s,,c/B\n\
             hash,SHA256,,,,0.573,ns/B,1665,MiB/s,,c/B\n\
             kdf,PBKDF2-HMAC-SHA256,,,,,,,,,114.1,ns/iter,,c/iter\n",
        );
        let of = |label: &str, rate| Said { label: label.into(), bytes: EACH, rate };
        assert_eq!(said[1], of("AES CTR enc", 21828.0 * 1048576.0));
        assert_eq!(said[2], of("SHA256", 1665.0 * 1048576.0));
        assert_eq!(said.len(), 3);
    }
}
