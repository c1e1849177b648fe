//! Messages past 4 GiB, in chunks and in one call, by the module and by OpenSSL's default provider in one
//! process.

mod common;

use common::{Module, counts};

#[test]
#[ignore = "takes minutes: `cargo xtask deep past` asks for it"]
fn messages_past_4_gib() {
    let module = Module::new();
    // Its duration exceeds the limit of other programs.
    let ended = module.command(module.compile("past_4_gib")).output().expect("a program");
    let said = [&ended.stdout[..], &ended.stderr].map(String::from_utf8_lossy).concat();
    assert!(ended.status.success(), "{said}");
    let counts = counts(&ended.stderr);
    for name in ["SHA-1", "HMAC", "CMAC", "AES-128-GCM", "AES-128-CTR", "AES-128-CBC"] {
        let bytes = counts.get(name).map(|count| count.bytes);
        assert!(bytes.is_some_and(|bytes| bytes > 1 << 32), "{name}: {said}");
    }
}
