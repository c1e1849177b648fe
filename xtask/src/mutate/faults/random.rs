//! The random generator.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "random/seed-never-ends",
        file: "random/generator.rs",
        from: Expression(
            "self.requests < REQUESTS && self.bytes < BYTES && self.process.is_current()",
        ),
        to: "self.process.is_current()",
        suite: unit("random::tests::source_is_asked"),
        ..FAULT
    },
    Fault {
        name: "random/child-gives-the-bytes-of-its-parent",
        file: "random/generator.rs",
        from: Expression("out.len() <= state.left && state.process.is_current()"),
        to: "out.len() <= state.left",
        suite: unit("random::tests::child"),
        ..FAULT
    },
    Fault {
        name: "random/given-bytes-are-kept",
        file: "random/generator.rs",
        from: Statement("bytes.fill(0);"),
        to: "",
        suite: unit("random::tests::what_was_given"),
        ..FAULT
    },
    Fault {
        name: "random/bytes-ahead-outlive-a-seed",
        file: "random/generator.rs",
        from: Statement("self.ahead.fill(0);"),
        to: "",
        suite: unit("random::tests::child"),
        ..FAULT
    },
    Fault {
        name: "random/one-request-too-many",
        file: "random/ctr_drbg.rs",
        from: Expression("state.reseed_counter > RESEED_INTERVAL"),
        to: "state.reseed_counter > RESEED_INTERVAL + 1",
        suite: unit("random::tests::requests_end"),
        ..FAULT
    },
    Fault {
        name: "random/seed-does-not-count-anew",
        file: "random/ctr_drbg.rs",
        from: Statement("self.0.reseed_counter = 1;"),
        to: "",
        suite: unit("random::tests::requests_end"),
        ..FAULT
    },
    Fault {
        name: "random/request-one-byte-too-long",
        file: "random/ctr_drbg.rs",
        from: Expression("got > LONGEST_REQUEST"),
        to: "got > LONGEST_REQUEST + 1",
        suite: nets("limits:ctr-drbg:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "random/additional-input-is-left-out",
        file: "random/ctr_drbg.rs",
        from: Statement(
            "if !additional.is_empty() {\n            state.update(&input);\n        }",
        ),
        to: "",
        suite: nets("random:ctr-drbg:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "random/seed-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if size_of::<T>() != 48 { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "seeds_of"),
        ..FAULT
    },
];
