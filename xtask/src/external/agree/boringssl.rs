//! `bssl speed` of BoringSSL, from Debian's package of Android's.

use anyhow::Result;

use super::{
    packages::Packages,
    place::Place,
    tool::{BYTES, Mode, Ready, Row, Said, Tool, row},
};

pub(super) struct BoringSsl;

const PACKAGES: Packages = Packages {
    name: "boringssl",
    packages: &["android-boringssl"],
    program: "bssl-tool",
    library: "libcrypto",
    peer: "libcrypto",
    source: None,
};

const ROWS: &[Row] = &[
    whole("AES-128-GCM", "AES-128-GCM seal", "aes-128-gcm/seal").but(TABLES),
    whole("AES-256-GCM", "AES-256-GCM seal", "aes-256-gcm/seal").but(TABLES),
    whole("ChaCha20-Poly1305", "ChaCha20-Poly1305 seal", "chacha20-poly1305/seal"),
    whole("SHA-1", "SHA-1", "sha1/digest"),
    whole("SHA-256", "SHA-256", "sha256/digest"),
    whole("SHA-512", "SHA-512", "sha512/digest"),
];

const TABLES: &str = "the tool seals by EVP_AEAD, which copies the key's tables for each message, the lab by EVP_CIPHER";

const fn whole(filter: &'static str, label: &'static str, task: &'static str) -> Row {
    row(filter, label, task, Mode::Message)
}

impl Tool for BoringSsl {
    fn name(&self) -> &'static str {
        "bssl speed"
    }

    fn rows(&self) -> &'static [Row] {
        ROWS
    }

    fn get(&self, place: &Place) -> Result<Ready> {
        PACKAGES.get(place)
    }

    fn run(&self, ready: &Ready, ask: &str, seconds: u32) -> Result<Vec<Said>> {
        let chunks: Vec<_> = BYTES.iter().map(usize::to_string).collect();
        let (chunks, seconds) = (chunks.join(","), seconds.to_string());
        let words = ["speed", "-filter", ask, "-chunks", &chunks, "-timeout", &seconds];
        Ok(figures(&ready.output(&words)?))
    }
}

/// Lines such as `Did 2211000 AES-128-GCM (1024 bytes) seal operations in 1000126us (2210721.4 ops/sec): 2263.8 MB/s`.
fn figures(said: &str) -> Vec<Said> {
    let figure = |line: &str| {
        let (what, rest) =
            line.strip_prefix("Did ")?.split_once(' ')?.1.split_once(" operations in ")?;
        let rate: f64 = rest.rsplit_once(": ")?.1.strip_suffix(" MB/s")?.parse().ok()?;
        let (name, rest) = what.split_once(" (")?;
        let (bytes, kind) = rest.split_once(" byte")?;
        let kind = kind.split_once(')')?.1;
        Some(Said { label: format!("{name}{kind}"), bytes: bytes.parse().ok()?, rate: rate * 1e6 })
    };
    said.lines().filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_output_is_read() {
        let said = "Did 1543000 AES-128-GCM (1024 bytes) seal operations in 1000147us (1542773.2 ops/sec): 1579.8 MB/s\n\
                    Did 1356000 AES-128-GCM-SIV (1024 bytes) seal operations in 1001444us (1354044.8 ops/sec): 1386.5 MB/s\n\
                    Did 96250 SHA-256 (16384 bytes) operations in 1003164us (95946.4 ops/sec): 1572.0 MB/s\n\
                    Did 9130000 AES-128 encrypt setup operations in 1000035us (9129680.5 ops/sec)\n";
        let said = figures(said);
        let of = |label: &str, bytes, rate| Said { label: label.into(), bytes, rate };
        assert_eq!(said[0], of("AES-128-GCM seal", 1024, 1.5798e9));
        assert_eq!(said[2], of("SHA-256", 16384, 1.572e9));
        assert_eq!(said.len(), 3);
    }
}
