//! AES itself, counter mode and CBC.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "aes/table-read-by-a-secret",
        file: "aes/bitsliced.rs",
        from: Statement("block[..4].copy_from_slice(&word);"),
        to: "static TABLE: [u8; 256] = [7; 256]; core::hint::black_box(core::hint::black_box(&TABLE)[usize::from(word[0])]); block[..4].copy_from_slice(&word);",
        suite: trace("aes_ecb/portable, in place"),
        ..FAULT
    },
    Fault {
        name: "aes-ecb/vectors-of-more-than-64-bytes",
        file: "aes/aes_ecb/x86_64/vaes512.rs",
        from: Expression("text.len() <= 64"),
        to: "text.len() <= 80",
        suite: nets("random:aes-ecb:aes_ecb/x86_64/vaes512"),
        needs: Some("aes_ecb/x86_64/vaes512"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/no-carry-out-of-32-bits",
        file: "aes/aes_ctr/mod.rs",
        from: Expression("self != Self::Bits32"),
        to: "false",
        suite: nets("random:aes-ctr:aes_ctr/x86_64/aesni"),
        needs: Some("aes_ctr/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/carry-one-block-late",
        file: "aes/aes_ctr/mod.rs",
        from: Expression("len.div_ceil(16) as u64 > before_wrap(iv)"),
        to: "len.div_ceil(16) as u64 > before_wrap(iv) + 1",
        suite: nets("random:aes-ctr:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/carry-out-of-64-bits",
        file: "aes/aes_ctr/mod.rs",
        from: Expression(
            "(u128::from(nonce) << 64 | u128::from(count.wrapping_add(blocks))).to_be_bytes()",
        ),
        to: "{ let _: [u64; 2] = [nonce, count]; u128::from_be_bytes(*block).wrapping_add(blocks.into()).to_be_bytes() }",
        suite: nets("random:aes-ctr:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/one-byte-too-long",
        file: "aes/aes_ctr/mod.rs",
        from: Expression("len > 1 << 36"),
        to: "len > (1 << 36) + 1",
        suite: nets("limits:aes-ctr:aes_ctr/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/end-has-the-stream-of-the-start",
        file: "aes/aes_ctr/x86_64/aesni.rs",
        from: Expression("simd::xor_part_128(&mut text, key_stream[i % 4])"),
        to: "simd::xor_part_128(&mut text, key_stream[if i == 3 { 0 } else { i % 4 }])",
        suite: nets("random:aes-ctr:aes_ctr/x86_64/aesni"),
        needs: Some("aes_ctr/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/last-byte-wraps-in-lanes",
        file: "aes/aes_ctr/lanes.rs",
        from: Expression("usize::from(last_byte) + blocks <= 256"),
        to: "usize::from(last_byte) + blocks <= 257",
        suite: nets("random:aes-ctr-many:aes_ctr/x86_64/aesni_x8"),
        needs: Some("aes_ctr/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/wrong-key-of-a-lane",
        file: "aes/aes_ctr/lanes.rs",
        from: Statement("keys[g] = &round_keys.keys;"),
        to: "keys[0] = &round_keys.keys;",
        suite: nets("random:aes-ctr-many:aes_ctr/x86_64/aesni_x8"),
        needs: Some("aes_ctr/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/sizes-of-keys-mixed",
        file: "aes/aes_ctr/lanes.rs",
        from: Expression("key.round_keys().is_some_and(|keys| keys.rounds == rounds)"),
        to: "key.round_keys().is_some_and(|_| rounds > 0)",
        suite: nets("random:aes-ctr-many:aes_ctr/x86_64/aesni_x8"),
        needs: Some("aes_ctr/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/wraps-at-the-end-of-a-step",
        file: "aes/aes_ctr/x86_64/vaes256.rs",
        from: Expression("last_byte > u8::MAX - 15"),
        to: "last_byte > u8::MAX - 14",
        suite: nets("random:aes-ctr:aes_ctr/x86_64/vaes256"),
        needs: Some("aes_ctr/x86_64/vaes256"),
        ..FAULT
    },
    Fault {
        name: "aes-ctr/tail-of-17-bytes",
        file: "aes/aes_ctr/aarch64/aes.rs",
        from: Expression("text.len() > 16"),
        to: "text.len() > 17",
        suite: nets("random:aes-ctr:aes_ctr/aarch64/aes"),
        needs: Some("aes_ctr/aarch64/aes"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/rest-on-512-bits",
        file: "aes/aes_cbc/x86_64/vaes512.rs",
        from: Expression("shifted.len().min(64 * N.saturating_sub(2))"),
        to: "shifted.len().min(64 * N.saturating_sub(3))",
        suite: unit("all_ways_agree"),
        needs: Some("aes_cbc/x86_64/vaes512"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/padding-of-17",
        file: "aes/aes_cbc/mod.rs",
        from: Expression("padding.ct_lt(&17)"),
        to: "padding.ct_lt(&18)",
        suite: nets("contracts:aes-cbc:aes_cbc/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/padding-of-nothing",
        file: "aes/aes_cbc/mod.rs",
        from: Expression("!padding.ct_eq(&0)"),
        to: "subtle::Choice::from(1)",
        suite: nets("contracts:aes-cbc:aes_cbc/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/padding-by-its-last-byte",
        file: "aes/aes_cbc/mod.rs",
        from: Statement("right &= padding.ct_lt(&i) | byte.ct_eq(&padding);"),
        to: "let _: u8 = i; let _ = byte;",
        suite: nets("contracts:aes-cbc:aes_cbc/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/wrong-padding-is-left",
        file: "aes/aes_cbc/mod.rs",
        from: Statement("text.fill(0);"),
        to: "",
        suite: nets("contracts:aes-cbc:aes_cbc/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/branch-on-a-padding",
        file: "aes/aes_cbc/mod.rs",
        from: Statement("right &= padding.ct_lt(&i) | byte.ct_eq(&padding);"),
        to: "if *byte & 1 == 1 { core::hint::black_box(byte); } right &= padding.ct_lt(&i) | byte.ct_eq(&padding);",
        suite: trace("aes_cbc/x86_64/aesni, decrypt, padded"),
        needs: Some("aes_cbc/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/block-before-the-last",
        file: "aes/aes_cbc/x86_64/aesni.rs",
        from: Statement("before = step::<2, 32>(keys, before, &mut piece);"),
        to: "step::<2, 32>(keys, before, &mut piece);",
        suite: nets("random:aes-cbc:aes_cbc/x86_64/aesni"),
        needs: Some("aes_cbc/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/piece-forgets-its-last-block",
        file: "aes/aes_cbc/mod.rs",
        from: Statement("*iv = *last;"),
        to: "let _ = last;",
        suite: test("aes_cbc", "pieces_are_the_whole"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/lane-keeps-its-key",
        file: "aes/chains.rs",
        from: Expression("!keys[lane].is_some_and(|there| core::ptr::eq(there, chain.key))"),
        to: "keys[lane].is_none()",
        suite: nets("random:aes-cbc-many:aes_cbc/x86_64/aesni_x8"),
        needs: Some("aes_cbc/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/moved-lane-leaves-its-key",
        file: "aes/chains.rs",
        from: Statement("lanes.keys.move_lane(last, lane);"),
        to: "",
        suite: nets("random:aes-cbc-many:aes_cbc/x86_64/aesni_x8"),
        needs: Some("aes_cbc/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-cbc/moved-lane-leaves-its-block",
        file: "aes/chains.rs",
        from: Statement("before.0[lane] = before.0[last];"),
        to: "",
        suite: nets("random:aes-cbc-many:aes_cbc/x86_64/aesni_x8"),
        needs: Some("aes_cbc/x86_64/aesni_x8"),
        ..FAULT
    },
];
