//! wolfSSL's `benchmark`, built from Debian's sources for the library of its package.

use anyhow::Result;

use super::{
    packages::{Packages, Source},
    place::Place,
    tool::{BYTES, Mode, Ready, Row, Said, Tool, row},
};

pub(super) struct WolfSsl;

const PACKAGES: Packages = Packages {
    name: "wolfssl",
    packages: &["libwolfssl-dev"],
    program: "benchmark",
    library: "libwolfssl",
    peer: "wolfssl",
    source: Some(Source {
        package: "wolfssl",
        headers: &["libwolfssl-dev"],
        file: "wolfcrypt/benchmark/benchmark.c",
        beside: None,
        flags: &[],
        libraries: &["libwolfssl.so"],
    }),
};

const ROWS: &[Row] = &[
    row("-aes-ctr", "AES-128-CTR", "aes-128-ctr/encrypt", Mode::Stream),
    row("-aes-ctr", "AES-256-CTR", "aes-256-ctr/encrypt", Mode::Stream),
    row("-aes-cbc", "AES-128-CBC-enc", "aes-128-cbc/encrypt", Mode::Message),
    row("-aes-cbc", "AES-128-CBC-dec", "aes-128-cbc/decrypt", Mode::Message),
    row("-aes-cbc", "AES-256-CBC-enc", "aes-256-cbc/encrypt", Mode::Message),
    row("-aes-cbc", "AES-256-CBC-dec", "aes-256-cbc/decrypt", Mode::Message),
    row("-aes-gcm", "AES-128-GCM-enc", "aes-128-gcm/seal", Mode::Message),
    row("-aes-gcm", "AES-128-GCM-dec", "aes-128-gcm/open", Mode::Message),
    row("-aes-gcm", "AES-256-GCM-enc", "aes-256-gcm/seal", Mode::Message),
    row("-aes-gcm", "AES-256-GCM-dec", "aes-256-gcm/open", Mode::Message),
    row("-chacha20", "CHACHA", "chacha20/encrypt", Mode::Message),
    row("-chacha20-poly1305", "CHA-POLY", "chacha20-poly1305/seal", Mode::Message),
    row("-sha", "SHA", "sha1/digest", Mode::Stream),
    row("-sha256", "SHA-256", "sha256/digest", Mode::Stream),
    row("-sha512", "SHA-512", "sha512/digest", Mode::Stream),
    row("-sha3-256", "SHA3-256", "sha3-256/digest", Mode::Stream),
    row("-hmac-sha256", "HMAC-SHA256", "hmac-sha256/mac", Mode::Stream),
];

impl Tool for WolfSsl {
    fn name(&self) -> &'static str {
        "wolfSSL benchmark"
    }

    fn rows(&self) -> &'static [Row] {
        ROWS
    }

    fn get(&self, place: &Place) -> Result<Ready> {
        PACKAGES.get(place)
    }

    /// Each row takes one second, which is compiled in.
    fn run(&self, ready: &Ready, ask: &str, _: u32) -> Result<Vec<Said>> {
        let mut all = Vec::new();
        for bytes in BYTES {
            let said = ready.output(&["-base10", "-same_buf", ask, &bytes.to_string()])?;
            all.extend(figures(&said, *bytes));
        }
        Ok(all)
    }
}

/// Of lines such as `AES-128-CBC-enc  1524 MB took 1.003 seconds, 1519.212 MB/s Cycles per byte = 1.37`.
fn figures(said: &str, bytes: usize) -> Vec<Said> {
    let figure = |line: &str| {
        let (before, after) = line.split_once(" took ")?;
        let rate: f64 =
            after.split_once(" seconds, ")?.1.split_once(" MB/s")?.0.trim().parse().ok()?;
        let label = before.split_whitespace().next()?.into();
        Some(Said { label, bytes, rate: rate * 1e6 })
    };
    said.lines().filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_says_is_read() {
        let said = figures(
            " wolfSSL version 5.9.2\n\
             wolfCrypt Benchmark (block bytes 16384, min 1.0 sec each)\n\
             AES-128-GCM-enc             63 MB took 1.040 seconds,   60.522 MB/s Cycles per byte =  42.96\n\
             AES-128-GCM-STREAM-enc      68 MB took 1.007 seconds,   67.685 MB/s Cycles per byte =  38.41\n\
             GMAC Table 4-bit           126 MB took 1.019 seconds,  123.434 MB/s Cycles per byte =  21.06\n\
             Benchmark complete\n",
            16384,
        );
        let of =
            |label: &str, rate: f64| Said { label: label.into(), bytes: 16384, rate: rate * 1e6 };
        assert_eq!(said[0], of("AES-128-GCM-enc", 60.522));
        assert_eq!(said[1], of("AES-128-GCM-STREAM-enc", 67.685));
        assert_eq!(said.len(), 3);
    }
}
