//! Secrets: what is wiped, and what is swept.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "secret/wiped-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"secret::Wiped<\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:sha256:"),
        ..FAULT
    },
    Fault {
        name: "secret/key-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"secret::Kept<\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:aes-gcm:"),
        ..FAULT
    },
    Fault {
        name: "secret/registers-are-left",
        file: "core/secret.rs",
        from: Statement("registers::clear();"),
        to: "",
        suite: residue("aes_gcm/x86_64/aesni, seal"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "secret/no-sweep-after-use",
        file: "core/secret.rs",
        from: Expression("sweep(used)"),
        to: "()",
        suite: residue("aes_gcm/x86_64/aesni, seal"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "secret/no-deep-sweep",
        file: "core/secret.rs",
        from: Expression("sweep(T::MANY)"),
        to: "sweep(used)",
        suite: residue("sha256/x86_64/avx2_x8, "),
        needs: Some("sha256/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "secret/sweeps-as-with-instructions",
        file: "core/secret.rs",
        from: Expression(
            "if self.public().info().in_hardware { with_instructions } else { without }",
        ),
        to: "with_instructions",
        suite: residue("aes_kw/portable, unwrap"),
        ..FAULT
    },
    Fault {
        name: "secret/use-is-not-marked",
        file: "core/secret.rs",
        from: Statement("self.used.store(true, Relaxed);"),
        to: "",
        suite: residue("aes_ctr/x86_64/aesni, in place"),
        needs: Some("aes_ctr/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "secret/swept-does-not",
        file: "core/secret.rs",
        from: Statement("let _sweep = Sweep(bytes.min(24 << 10));\n    below(run)"),
        to: "let _ = bytes; below(run)",
        suite: test("left", "what_is_not_wiped"),
        ..FAULT
    },
    Fault {
        name: "secret/round-keys-are-left",
        file: "aes/mod.rs",
        from: Statement(
            "self.keys = [[0; 16]; 15];\n        zeroize::optimization_barrier(&self.keys);",
        ),
        to: "",
        suite: test("left", "round_keys_of_replaced_keys"),
        survives: Some("the place of a key is wiped by Kept, and the stack below it is swept"),
        ..FAULT
    },
    Fault {
        name: "secret/engine-is-not-swept-after",
        file: "core/backend/list.rs",
        from: Expression("$crate::core::secret::Sweep(bytes)"),
        to: "$crate::core::secret::Sweep(0 * bytes)",
        suite: test("made", "keys_that_are_made"),
        ..FAULT
    },
    Fault {
        name: "secret/keys-of-lanes-are-left",
        file: "aes/chains.rs",
        from: Statement(
            "self.table = [[[0; 16]; WIDTH]; 15];\n        zeroize::optimization_barrier(&self.table);",
        ),
        to: "",
        suite: test("left", "round_keys_of_lanes"),
        needs: Some("aes_cbc/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "secret/records-are-left",
        file: "tls/cbc_hmac/many/groups.rs",
        from: Statement("self.tags = [[0; 32]; G];\n        zeroize::optimization_barrier(self);"),
        to: "zeroize::optimization_barrier(self);",
        suite: test("left", "macs_of_opened_records"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/stream-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"aes_ctr::Parts\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:aes-ctr:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20/stream-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"chacha20::Parts\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:chacha20:chacha20/portable"),
        ..FAULT
    },
    Fault {
        name: "pieces/stream-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"stream::Running\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "random/state-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"ctr_drbg::State\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: nets("wiped:ctr-drbg:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "sealing/tags-of-forgeries-are-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"tag::Tag\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "tags_of_forgeries"),
        needs: Some("chacha20_poly1305/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "hmac/compared-macs-are-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"[[u8; 32]; 32]\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "macs_that_are_compared"),
        needs: Some("sha256/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "hash/end-of-a-message-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"tail::Tail\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "ends_of_messages"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/copy-of-a-short-text-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if size_of::<T>() != 272 { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "texts_of_short_messages"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/copy-of-an-end-is-left",
        file: "core/secret.rs",
        from: Statement("unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };"),
        to: "if !core::any::type_name::<T>().contains(\"[u8; 64]\") { unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) } }",
        suite: test("left", "macs_of_sealed_records"),
        ..FAULT
    },
];
