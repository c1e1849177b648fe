//! AES-GCM.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "aes-gcm/lengths-32-bits",
        file: "aeads/aes_gcm/parts.rs",
        from: Expression("u128::from(8 * aad) << 64 | u128::from(8 * text)"),
        to: "u128::from((8 * aad) as u32) << 64 | u128::from((8 * text) as u32)",
        suite: test("lengths", "aes-gcm:aes_gcm/x86_64/ssse3"),
        needs: Some("aes_gcm/x86_64/ssse3"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/lengths-32-bits-on-vectors",
        file: "aeads/aes_gcm/wide.rs",
        from: Expression("u128::from(8 * bytes as u64)"),
        to: "u128::from(8 * bytes as u32)",
        suite: test("lengths", "aes-gcm:aes_gcm/x86_64/aesni"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/lengths-32-bits-of-gmac",
        file: "aeads/aes_gcm/x86_64/avx2.rs",
        from: Expression("_mm_set_epi64x(8 * aad.len() as i64, 0)"),
        to: "_mm_set_epi64x(8 * aad.len() as i64 & 0xffff_ffff, 0)",
        suite: test("lengths", "aes-gcm:aes_gcm/x86_64/avx2"),
        needs: Some("aes_gcm/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/counter-carries-into-nonce",
        file: "aeads/aes_gcm/parts.rs",
        from: Expression("join(nonce, count.wrapping_add(n))"),
        to: "{ let _ = nonce; (u128::from_be_bytes(*counter) + u128::from(count.wrapping_add(n).wrapping_sub(count))).to_be_bytes() }",
        suite: nets("random:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/counter-16-bits-on-vectors",
        file: "aeads/aes_gcm/wide/counter.rs",
        from: Expression("u128::from(self.count.swap_bytes()) << 96"),
        to: "u128::from((self.count & 0xffff).swap_bytes()) << 96",
        suite: test("aes_gcm", "counters_carry"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/end-is-hashed-unmasked",
        file: "aeads/aes_gcm/wide/last.rs",
        from: Statement("hashed = self.first_bytes(output, text.len());"),
        to: "hashed = output;",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/aesni"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/no-power-left-for-lengths",
        file: "aeads/aes_gcm/wide/last.rs",
        from: Expression("at == Self::STEP_BLOCKS"),
        to: "false",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/aesni"),
        needs: Some("aes_gcm/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/powers-for-additional-data",
        file: "aeads/aes_gcm/wide/hash.rs",
        from: Expression("at < blocks(aad.len())"),
        to: "at + 1 < blocks(aad.len())",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/avx"),
        needs: Some("aes_gcm/x86_64/avx"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/hash-key-not-reduced",
        file: "aeads/aes_gcm/wide/hash.rs",
        from: Expression("v << 1 ^ carry & POLY"),
        to: "{ let _ = (carry, POLY); v << 1 }",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/avx2"),
        needs: Some("aes_gcm/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/last-reduction-drops-bits",
        file: "aeads/aes_gcm/portable.rs",
        from: Expression("lower << 127 ^ lower << 126 ^ lower << 121"),
        to: "lower << 127 ^ lower << 126",
        suite: unit("aes_gcm::portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/text-one-byte-too-long",
        file: "aeads/aes_gcm/mod.rs",
        from: Expression("len > LONGEST_TEXT"),
        to: "len > LONGEST_TEXT + 1",
        suite: nets("limits:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/no-precheck-of-long-texts",
        file: "aeads/aes_gcm/key.rs",
        from: Expression("(nonce.wrapping_sub(1) | aad | text) >> 35"),
        to: "(nonce.wrapping_sub(1) | aad | text) >> 37",
        suite: nets("limits:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/tag-of-11-bytes",
        file: "aeads/aes_gcm/key.rs",
        from: Expression("(12..=16).contains(&bytes)"),
        to: "(11..=16).contains(&bytes)",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/sealer-repeats-a-nonce",
        file: "aeads/aes_gcm/sealer.rs",
        from: Statement("*count = count.wrapping_add(1);"),
        to: "*count |= 1;",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/sealer-goes-once-around",
        file: "aeads/aes_gcm/sealer.rs",
        from: Expression("(1 << 64) - u128::from(first)"),
        to: "(1 << 64) + 1 - u128::from(first)",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/hash-added-to-each-block",
        file: "aeads/aes_gcm/x86_64/avx2.rs",
        from: Statement("y = _mm_setzero_si128();"),
        to: "",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/avx2"),
        needs: Some("aes_gcm/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/lengths-beside-a-full-vector",
        file: "aeads/aes_gcm/wide/last.rs",
        from: Expression("text.len() <= 16 * (V::LANES - 1)"),
        to: "text.len() < 16 * V::LANES",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/vaes256"),
        needs: Some("aes_gcm/x86_64/vaes256"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/wrong-key-of-a-lane",
        file: "aeads/aes_gcm/lanes.rs",
        from: Expression("(keys[lane], powers[lane]) = (key.keys, key.powers)"),
        to: "(keys[lane], powers[lane]) = (keys[0], key.powers)",
        suite: nets("random:aes-gcm-many:aes_gcm/x86_64/vaes256_x2"),
        needs: Some("aes_gcm/x86_64/vaes256_x2"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/shapes-of-keys-mixed",
        file: "aeads/aes_gcm/order.rs",
        from: Expression("((rounds - 10) / 2 % 4) << 14"),
        to: "(rounds - rounds)",
        suite: nets("random:aes-gcm-many:aes_gcm/x86_64/vaes512_x4"),
        needs: Some("aes_gcm/x86_64/vaes512_x4"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/plan-of-powers",
        file: "aeads/aes_gcm/x86_64/vaes512/steps.rs",
        from: Expression("if groups == 0 { last_at } else { POWERS - STEP * STEPS }"),
        to: "POWERS - STEP * STEPS",
        suite: nets("random:aes-gcm:aes_gcm/x86_64/vaes512"),
        needs: Some("aes_gcm/x86_64/vaes512"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/plan-of-powers-of-eights",
        file: "aeads/aes_gcm/x86_64/vaes512/eights.rs",
        from: Expression("if groups == 0 { last_at } else { POWERS - STEP * (POWERS / STEP) }"),
        to: "POWERS - STEP * (POWERS / STEP)",
        suite: test("rows", "aes_gcm_is_the_same"),
        needs: Some("aes_gcm/x86_64/vaes512"),
        ..FAULT
    },
    Fault {
        name: "aes-gcm/key-follows-another-row",
        file: "aeads/aes_gcm/x86_64/vaes512.rs",
        from: Expression("keys.eights && text.len() > LONGEST_SHORT"),
        to: "tuning::row().gcm_vectors > 4 && text.len() > LONGEST_SHORT",
        suite: test("rows", "keys_outlive_the_row"),
        needs: Some("aes_gcm/x86_64/vaes512"),
        ..FAULT
    },
];
