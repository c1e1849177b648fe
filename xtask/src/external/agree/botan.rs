//! `botan speed`.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{
    packages::Packages,
    place::Place,
    tool::{BYTES, Mode, Ready, Row, Said, Tool, row},
};

pub(super) struct Botan;

const PACKAGES: Packages = Packages {
    name: "botan",
    packages: &["botan"],
    program: "botan",
    library: "libbotan-3",
    peer: "botan",
    source: None,
};

const ROWS: &[Row] = &[
    row("CTR-BE(AES-128)", "encrypt", "aes-128-ctr/encrypt", Mode::Stream).but(COPIES),
    row("CTR-BE(AES-256)", "encrypt", "aes-256-ctr/encrypt", Mode::Stream).but(COPIES),
    row("AES-128/CBC/NoPadding", "encrypt", "aes-128-cbc/encrypt", Mode::Message),
    row("AES-128/CBC/NoPadding", "decrypt", "aes-128-cbc/decrypt", Mode::Message).but(COPIES),
    row("AES-256/CBC/NoPadding", "encrypt", "aes-256-cbc/encrypt", Mode::Message),
    row("AES-256/CBC/NoPadding", "decrypt", "aes-256-cbc/decrypt", Mode::Message).but(COPIES),
    row("AES-128/GCM", "encrypt", "aes-128-gcm/seal", Mode::Message).but(COPIES),
    row("AES-256/GCM", "encrypt", "aes-256-gcm/seal", Mode::Message).but(COPIES),
    row("ChaCha20", "encrypt", "chacha20/encrypt", Mode::Stream).but(COPIES),
    row("ChaCha20Poly1305", "encrypt", "chacha20-poly1305/seal", Mode::Message).but(COPIES),
    row("SHA-1", "hash", "sha1/digest", Mode::Message),
    row("SHA-256", "hash", "sha256/digest", Mode::Message),
    row("SHA-512", "hash", "sha512/digest", Mode::Message),
    row("SHA-3(256)", "hash", "sha3-256/digest", Mode::Message),
    row("HMAC(SHA-256)", "mac", "hmac-sha256/mac", Mode::Message),
];

const COPIES: &str =
    "the tool calls C++ in place, the lab the C interface, which copies the text there and back";

impl Tool for Botan {
    fn name(&self) -> &'static str {
        "botan speed"
    }

    fn rows(&self) -> &'static [Row] {
        ROWS
    }

    fn get(&self, place: &Place) -> Result<Ready> {
        PACKAGES.get(place)
    }

    fn run(&self, ready: &Ready, ask: &str, seconds: u32) -> Result<Vec<Said>> {
        let sizes: Vec<_> = BYTES.iter().map(usize::to_string).collect();
        let sizes = format!("--buf-size={}", sizes.join(","));
        // It prints two figures for each algorithm.
        let milliseconds = format!("--msec={}", 500 * seconds);
        figures(&ready.output(&["speed", "--format=json", &milliseconds, &sizes, ask])?)
    }
}

/// Objects such as `{"algo": "SHA-256", "op": "hash", "events": 1, "bps": 2, "buf_size": 1024, "nanos": 3}`.
fn figures(said: &str) -> Result<Vec<Said>> {
    let lines: Vec<Value> = serde_json::from_str(said).context("botan speed prints no JSON")?;
    let figure = |line: &Value| {
        let bytes = usize::try_from(line["buf_size"].as_u64()?).ok()?;
        Some(Said { label: line["op"].as_str()?.into(), bytes, rate: line["bps"].as_f64()? })
    };
    Ok(lines.iter().filter_map(figure).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_output_is_read() {
        let said = figures(
            r#"[
            {"arch": "x86_64", "version": "3.13.0", "compiler": "g++ -O2"},
            {"algo": "AES-128/CBC/NoPadding", "op": "key schedule", "events": 2, "cycles": 16450, "nanos": 8319},
            {"algo": "AES-128/CBC/NoPadding", "op": "encrypt", "events": 73596928, "cycles": 524884842, "bps": 364925026, "buf_size": 1024, "nanos": 201676845},
            {"algo": "AES-128/CBC/NoPadding", "op": "decrypt", "events": 545849344, "cycles": 520179968, "bps": 2729158895, "buf_size": 16384, "nanos": 200006436}
            ]"#,
        );
        let of = |label: &str, bytes, rate| Said { label: label.into(), bytes, rate };
        let right = [of("encrypt", 1024, 364925026.0), of("decrypt", 16384, 2729158895.0)];
        assert_eq!(said.unwrap(), right);
        assert!(figures("Unknown algorithm").is_err());
    }
}
