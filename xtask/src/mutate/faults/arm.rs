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
    Fault {
        name: "poly1305/arm-odd-block-is-lost",
        file: "chacha/poly1305/arm/neon.rs",
        from: Statement("state.absorb::<Plain>(&[*first]);"),
        to: "let _ = first;",
        suite: nets("random:poly1305:poly1305/arm/neon"),
        needs: Some("poly1305/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "poly1305/arm-sum-of-lanes-not-folded",
        file: "chacha/poly1305/arm/neon.rs",
        from: Expression("fold(number(kernel.h.map(|[a, b]| a + b)))"),
        to: "number(kernel.h.map(|[a, b]| a + b).map(|limb| limb & ((1 << 26) - 1)))",
        suite: nets("random:poly1305:poly1305/arm/neon"),
        needs: Some("poly1305/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "poly1305/arm-last-pair-by-two-squares",
        file: "chacha/poly1305/arm/neon.rs",
        from: Expression("factors(square, r)"),
        to: "factors(square, square)",
        suite: nets("random:poly1305:poly1305/arm/neon"),
        needs: Some("poly1305/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/arm-mac-without-its-blocks",
        file: "aeads/chacha20_poly1305/arm/neon.rs",
        from: Statement("absorb(self.cpu, state, blocks);"),
        to: "absorb(self.cpu, state, &blocks[..blocks.len() / 2 * 2]);",
        suite: nets("random:chacha20-poly1305:chacha20_poly1305/arm/neon"),
        needs: Some("chacha20_poly1305/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/arm-head-of-a-group",
        file: "aes/arm/mod.rs",
        from: Expression("8 - before"),
        to: "7 - before",
        suite: nets("random:aes-ctr:aes_ctr/arm/neon"),
        needs: Some("aes_ctr/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/arm-count-of-groups",
        file: "aes/arm/mod.rs",
        from: Expression("count.wrapping_add((whole / 16) as u32)"),
        to: "count.wrapping_add(u32::from((whole / 16) as u8))",
        suite: nets("random:aes-ctr:aes_ctr/arm/neon"),
        needs: Some("aes_ctr/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/arm-secret-counter",
        file: "aes/arm/mod.rs",
        from: Expression("piece.len().div_ceil(16)"),
        to: "(piece.len() / 16).max(1)",
        suite: nets("random:aes-ctr:aes_ctr/arm/neon"),
        needs: Some("aes_ctr/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-ecb/arm-last-blocks-in-the-wrong-place",
        file: "aes/arm/mod.rs",
        from: Statement("rest.copy_from_slice(&group[..rest.len()]);"),
        to: "rest[1..].copy_from_slice(&group[1..rest.len()]);",
        suite: nets("random:aes-ecb:aes_ecb/arm/neon"),
        needs: Some("aes_ecb/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/arm-block-before",
        file: "aes/aes_cbc/arm/neon.rs",
        from: Statement("before = ciphertext[i];"),
        to: "if i < 7 { before = ciphertext[i]; }",
        suite: nets("random:aes-cbc:aes_cbc/arm/neon"),
        needs: Some("aes_cbc/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/arm-inverse-keys",
        file: "aes/arm/permuted.rs",
        from: Expression("by_13.rotate_right(64)"),
        to: "by_13.rotate_right(32)",
        suite: nets("random:aes-cbc:aes_cbc/arm/neon"),
        needs: Some("aes_cbc/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-cmac/arm-subkey-of-whole-blocks",
        file: "aes/aes_cmac/arm/neon.rs",
        from: Expression("if last.len() < 16 { 1 } else { 0 }"),
        to: "if last.len() < 15 { 1 } else { 0 }",
        suite: nets("random:aes-cmac:aes_cmac/arm/neon"),
        needs: Some("aes_cmac/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-ccm/arm-length-of-data",
        file: "aeads/aes_ccm/arm/neon.rs",
        from: Expression("aad.len().min(16 - used)"),
        to: "aad.len().min(15 - used)",
        suite: nets("random:aes-ccm:aes_ccm/arm/neon"),
        needs: Some("aes_ccm/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/arm-end-of-data",
        file: "aeads/aes_gcm/arm/ghash.rs",
        from: Statement("last[..rest.len()].copy_from_slice(rest);"),
        to: "last[..rest.len() & 14].copy_from_slice(&rest[..rest.len() & 14]);",
        suite: nets("random:aes-gcm:aes_gcm/arm/neon"),
        needs: Some("aes_gcm/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/arm-bit-of-the-hash-key",
        file: "aeads/aes_gcm/arm/ghash.rs",
        from: Expression("0_u128.wrapping_sub(h >> 127) & (0xc2 << 120 | 1)"),
        to: "0_u128.wrapping_sub(h >> 127) & (0xc2 << 120)",
        suite: nets("random:aes-gcm:aes_gcm/arm/neon"),
        needs: Some("aes_gcm/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/arm-tweaks-of-units",
        file: "aes/aes_xts/arm/neon.rs",
        from: Expression("number.wrapping_add(MANY as u128)"),
        to: "number.wrapping_add(MANY as u128 - 1)",
        suite: nets("random:aes-xts:aes_xts/arm/neon"),
        needs: Some("aes_xts/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "aes-kw/arm-step-number",
        file: "aes/aes_kw/arm/neon.rs",
        from: Expression("n * j + i as u64 + 1"),
        to: "n * j + i as u64",
        suite: nets("random:aes-kw:aes_kw/arm/neon"),
        needs: Some("aes_kw/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/arm-chain-of-the-rest",
        file: "tls/cbc_hmac/seal.rs",
        from: Expression("*next.input().last_chunk().expect(\"a block\")"),
        to: "*next.input().first_chunk().expect(\"a block\")",
        suite: nets("random:aes-cbc-hmac-sha256:cbc_hmac/arm/neon"),
        needs: Some("cbc_hmac/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha1/arm-second-half-of-the-blocks",
        file: "hashes/sha1/arm/neon.rs",
        from: Expression("blocks.as_ptr_range()"),
        to: "blocks[..blocks.len().div_ceil(2)].as_ptr_range()",
        suite: nets("random:sha1:sha1/arm/neon"),
        needs: Some("sha1/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha1/arm-last-constant",
        file: "hashes/sha1/arm/neon.rs",
        from: Expression("K.as_ptr()"),
        to: "const { &{ let mut k = K; k[3] ^= 1; k } }.as_ptr()",
        suite: nets("random:sha1:sha1/arm/neon"),
        needs: Some("sha1/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha1/arm-single-block",
        file: "hashes/sha1/arm/neon.rs",
        from: Expression("blocks.is_empty()"),
        to: "blocks.len() < 2",
        suite: nets("random:sha1:sha1/arm/neon"),
        needs: Some("sha1/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha256/arm-second-half-of-the-blocks",
        file: "hashes/sha256/arm/neon.rs",
        from: Expression("blocks.as_ptr_range()"),
        to: "blocks[..blocks.len().div_ceil(2)].as_ptr_range()",
        suite: nets("random:sha256:sha256/arm/neon"),
        needs: Some("sha256/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha256/arm-last-constant",
        file: "hashes/sha256/arm/neon.rs",
        from: Expression("K.as_ptr_range()"),
        to: "const { &{ let mut k = K; k[63] ^= 1; k } }.as_ptr_range()",
        suite: nets("random:sha256:sha256/arm/neon"),
        needs: Some("sha256/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha256/arm-single-block",
        file: "hashes/sha256/arm/neon.rs",
        from: Expression("blocks.is_empty()"),
        to: "blocks.len() < 2",
        suite: nets("random:sha256:sha256/arm/neon"),
        needs: Some("sha256/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha512/arm-second-half-of-the-blocks",
        file: "hashes/sha512/arm/neon.rs",
        from: Expression("blocks.as_ptr_range()"),
        to: "blocks[..blocks.len().div_ceil(2)].as_ptr_range()",
        suite: nets("random:sha512:sha512/arm/neon"),
        needs: Some("sha512/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha512/arm-last-constant",
        file: "hashes/sha512/arm/neon.rs",
        from: Expression("K.as_ptr_range()"),
        to: "const { &{ let mut k = K; k[79] ^= 1; k } }.as_ptr_range()",
        suite: nets("random:sha512:sha512/arm/neon"),
        needs: Some("sha512/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha512/arm-single-block",
        file: "hashes/sha512/arm/neon.rs",
        from: Expression("blocks.is_empty()"),
        to: "blocks.len() < 2",
        suite: nets("random:sha512:sha512/arm/neon"),
        needs: Some("sha512/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha3/arm-first-round",
        file: "hashes/sha3/arm/neon.rs",
        from: Expression("constants.start"),
        to: "constants.start.wrapping_add(1)",
        suite: nets("random:sha3:sha3/arm/neon"),
        needs: Some("sha3/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha3/arm-last-round",
        file: "hashes/sha3/arm/neon.rs",
        from: Expression("constants.end"),
        to: "constants.end.wrapping_sub(1)",
        suite: nets("random:sha3:sha3/arm/neon"),
        needs: Some("sha3/arm/neon"),
        ..FAULT
    },
    Fault {
        name: "sha3/arm-last-constant",
        file: "hashes/sha3/arm/neon.rs",
        from: Expression("RC.as_ptr_range()"),
        to: "const { &{ let mut rc = RC; rc[23] ^= 1 << 63; rc } }.as_ptr_range()",
        suite: nets("random:sha3:sha3/arm/neon"),
        needs: Some("sha3/arm/neon"),
        ..FAULT
    },
];
