//! Faults of kernels for 32-bit Arm.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "chacha20/arm-odd-byte-of-a-group",
        file: "chacha/chacha20/arm/neon.rs",
        from: Statement("text.add(&*key_stream);"),
        to: "let even = text.len() & !1; text.take(even).add(&*key_stream);",
        suite: nets("random:chacha20:chacha20/arm/neon"),
        needs: Some("chacha20/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "chacha20/arm-last-block-has-the-first-counter",
        file: "chacha/chacha20/arm/neon.rs",
        from: Statement("one.add_key_stream(state[12], nonce, text);"),
        to: "one.add_key_stream(counter, nonce, text);",
        suite: nets("random:chacha20:chacha20/arm/neon"),
        needs: Some("chacha20/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "chacha20/arm-counter-31-bits",
        file: "chacha/chacha20/arm/neon.rs",
        from: Expression("nonce_words(counter, nonce)"),
        to: "nonce_words(counter & (1 << 31) - 1, nonce)",
        suite: nets("random:chacha20:chacha20/arm/neon"),
        needs: Some("chacha20/arm/neon"),
        ..FAULT
    },
];
