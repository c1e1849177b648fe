//! ChaCha20, Poly1305, and both together.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "chacha20/counter-goes-once-around",
        file: "chacha/chacha20/mod.rs",
        from: Expression("64 * (LIMIT - u64::from(counter))"),
        to: "64 * (LIMIT + 1 - u64::from(counter))",
        suite: nets("limits:chacha20:chacha20/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20/counter-8-bits",
        file: "chacha/chacha20/mod.rs",
        from: Expression("counter.wrapping_add((len / 64) as u32)"),
        to: "counter.wrapping_add(u32::from((len / 64) as u8))",
        suite: nets("random:chacha20:chacha20/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20/last-odd-byte-of-a-group",
        file: "chacha/chacha20/wide.rs",
        from: Statement("V::add_some_words(&mut Wiped::new(words), 0, &mut group);"),
        to: "let even = group.len() & !1; V::add_some_words(&mut Wiped::new(words), 0, &mut group.take(even));",
        suite: nets("random:chacha20:chacha20/x86_64/avx2"),
        needs: Some("chacha20/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "chacha20/two-groups-overlap",
        file: "chacha/chacha20/wide.rs",
        from: Statement("place[0] = place[0].wrapping_add(2 * L as u32);"),
        to: "place[0] = place[0].wrapping_add(L as u32);",
        suite: test("rows", "chacha20_is_the_same"),
        needs: Some("chacha20/x86_64/avx512"),
        ..FAULT
    },
    Fault {
        name: "chacha20/rows-move-one-too-far",
        file: "chacha/chacha20/wide/rows.rs",
        from: Statement("rows = [rows[1], rows[2], rows[0]];"),
        to: "rows = [rows[2], rows[1], rows[0]];",
        suite: nets("random:chacha20:chacha20/x86_64/ssse3"),
        needs: Some("chacha20/x86_64/ssse3"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/lengths-32-bits",
        file: "aeads/chacha20_poly1305/parts.rs",
        from: Expression("u128::from(aad_len) | u128::from(text_len) << 64"),
        to: "u128::from(aad_len as u32) | u128::from(text_len as u32) << 64",
        suite: test("lengths", "chacha20-poly1305:chacha20_poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/lengths-32-bits-on-vectors",
        file: "aeads/chacha20_poly1305/wide.rs",
        from: Expression("aad_len as u128 | (text_len as u128) << 64"),
        to: "aad_len as u32 as u128 | (text_len as u128) << 64",
        suite: test("lengths", "chacha20-poly1305:chacha20_poly1305/x86_64/avx2"),
        needs: Some("chacha20_poly1305/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/text-one-byte-too-long",
        file: "aeads/chacha20_poly1305/mod.rs",
        from: Expression("len > LONGEST_TEXT"),
        to: "len > LONGEST_TEXT + 1",
        suite: nets("limits:chacha20-poly1305:chacha20_poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/key-of-the-lane-before",
        file: "aeads/chacha20_poly1305/lanes.rs",
        from: Statement("key = message.key.words();"),
        to: "if key[0] == 0 { key = message.key.words(); }",
        suite: nets("random:chacha20-poly1305-many:chacha20_poly1305/x86_64/avx2_x8"),
        needs: Some("chacha20_poly1305/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/lane-refilled-late",
        file: "aeads/chacha20_poly1305/lanes.rs",
        from: Expression("self.left = 1 + message.text.len().div_ceil(64)"),
        to: "self.left = 1 + message.text.len() / 64 + 1",
        suite: nets("random:chacha20-poly1305-many:chacha20_poly1305/x86_64/ssse3_x4"),
        needs: Some("chacha20_poly1305/x86_64/ssse3_x4"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/end-of-many-unmasked",
        file: "aeads/chacha20_poly1305/lanes.rs",
        from: Expression("u128::from_le_bytes(*key_stream) & here"),
        to: "{ let _: u128 = here; u128::from_le_bytes(*key_stream) }",
        suite: nets("random:chacha20-poly1305-many:chacha20_poly1305/x86_64/avx2_x8"),
        needs: Some("chacha20_poly1305/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/lengths-of-nothing",
        file: "chacha/poly1305/queue.rs",
        from: Expression("end.next != ZERO"),
        to: "true",
        suite: nets("random:chacha20-poly1305-many:chacha20_poly1305/x86_64/avx2_x8"),
        needs: Some("chacha20_poly1305/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/opened-before-hashed",
        file: "aeads/chacha20_poly1305/parts.rs",
        from: Expression("absorb_filled(parts, &mut state, piece.input())"),
        to: "absorb_filled(parts, &mut state, &piece.input()[..piece.input().len() / 16 * 16])",
        suite: nets("random:chacha20-poly1305:chacha20_poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "chacha20-poly1305/last-group-not-hashed",
        file: "aeads/chacha20_poly1305/wide.rs",
        from: Statement("(behind, with_key) = (group, false);"),
        to: "(behind, with_key) = (group, false); if text.len() == 0 { behind.take(1); }",
        suite: nets("random:chacha20-poly1305:chacha20_poly1305/x86_64/ssse3"),
        needs: Some("chacha20_poly1305/x86_64/ssse3"),
        ..FAULT
    },
    Fault {
        name: "poly1305/no-last-reduction",
        file: "chacha/poly1305/state.rs",
        from: Expression("(h ^ (h ^ more) & mask).wrapping_add(s)"),
        to: "{ let _ = (more, mask); h.wrapping_add(s) }",
        suite: nets("published:poly1305:poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "poly1305/carry-is-lost",
        file: "chacha/poly1305/state.rs",
        from: Expression("d2 + (middle >> 64) as u64"),
        to: "d2",
        suite: nets("random:poly1305:poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "poly1305/clamp-of-lanes",
        file: "chacha/poly1305/queue.rs",
        from: Expression("r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff"),
        to: "r & 0x0fff_ffff_0fff_fffc_0fff_fffc_0fff_ffff",
        suite: nets("random:chacha20-poly1305-many:chacha20_poly1305/x86_64/ssse3_x4"),
        needs: Some("chacha20_poly1305/x86_64/ssse3_x4"),
        ..FAULT
    },
    Fault {
        name: "poly1305/end-without-its-bit",
        file: "chacha/poly1305/state.rs",
        from: Expression("load_short(rest) | 1 << ((8 * rest.len()) & 127)"),
        to: "load_short(rest) | 1 << ((8 * rest.len()) & 120) & !(1 << 120)",
        suite: nets("random:poly1305:poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "poly1305/what-is-above-times-three",
        file: "chacha/poly1305/x86_64/avx2.rs",
        from: Expression("_mm256_slli_epi64::<2>(above)"),
        to: "_mm256_slli_epi64::<1>(above)",
        suite: nets("random:poly1305:poly1305/x86_64/avx2"),
        needs: Some("poly1305/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "poly1305/blocks-of-lanes-without-their-bit",
        file: "chacha/poly1305/x86_64/avx2.rs",
        from: Expression("splat(1 << 24)"),
        to: "splat(0)",
        suite: nets("random:poly1305:poly1305/x86_64/avx2"),
        needs: Some("poly1305/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "poly1305/branch-on-a-tag",
        file: "chacha/poly1305/x86_64/flags.rs",
        from: Expression("u128::from(h1) << 64 | u128::from(h0)"),
        to: "{ if h0 & 1 == 1 { core::hint::black_box(h0); } u128::from(h1) << 64 | u128::from(h0) }",
        suite: trace("poly1305/x86_64/bmi2, in one"),
        needs: Some("poly1305/x86_64/bmi2"),
        ..FAULT
    },
    Fault {
        name: "poly1305/branch-on-a-tag-of-lanes",
        file: "chacha/poly1305/x86_64/flags.rs",
        from: Expression("whole([low, high]).to_le_bytes()"),
        to: "{ if low & 1 == 1 { core::hint::black_box(low); } whole([low, high]).to_le_bytes() }",
        suite: trace("chacha20_poly1305/x86_64/avx512ifma, "),
        needs: Some("chacha20_poly1305/x86_64/avx512ifma"),
        ..FAULT
    },
    Fault {
        name: "poly1305/lanes-of-ifma",
        file: "chacha/poly1305/x86_64/avx512ifma.rs",
        from: Expression("middle >> 24 | high << 40"),
        to: "middle >> 24",
        suite: nets("random:poly1305:poly1305/x86_64/avx512ifma"),
        needs: Some("poly1305/x86_64/avx512ifma"),
        ..FAULT
    },
];
