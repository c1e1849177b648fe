//! One program twice: with RustCrypto's crates, and with this library under their names.
//!
//! ```sh
//! cargo run --release --package ropewalk --example swap
//! ```

/// With RustCrypto's crates.
mod theirs {
    include!("program.rs");
}

/// With this library. This line is all the difference.
mod ours {
    use ropewalk::rustcrypto::{aes, aes_gcm, ctr, hmac, sha2};

    include!("program.rs");
}

#[cfg_attr(test, test)]
fn main() {
    let (theirs, ours) = (theirs::program(), ours::program());
    for (hasher, bytes) in [&theirs, &ours] {
        println!("{hasher}: {}", hex(bytes));
    }
    assert!(theirs.0.starts_with("sha2::") && ours.0.starts_with("ropewalk::"));
    assert_eq!(theirs.1, ours.1, "both give the same bytes");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
