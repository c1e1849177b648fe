//! Hash functions.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "hash/filled-block-is-lost",
        file: "hashes/hasher.rs",
        from: Expression("filled + head.len() < F::Block::LEN"),
        to: "filled + head.len() <= F::Block::LEN",
        suite: nets("random:sha256:sha256/portable"),
        ..FAULT
    },
    Fault {
        name: "hash/padding-of-56-bytes",
        file: "hashes/tail.rs",
        from: Expression("rest.len() >= BLOCK - BLOCK / 8"),
        to: "rest.len() > BLOCK - BLOCK / 8",
        suite: nets("random:sha512:sha512/portable"),
        ..FAULT
    },
    Fault {
        name: "hash/length-32-bits",
        file: "hashes/tail.rs",
        from: Expression("u128::from(len) << 3"),
        to: "u128::from((len << 3) as u32)",
        suite: test("lengths", "sha256:sha256/portable"),
        ..FAULT
    },
    Fault {
        name: "hash/length-32-bits-in-registers",
        file: "core/simd/x86_64.rs",
        from: Expression("(len << 3).swap_bytes()"),
        to: "(len << 3 & 0xffff_ffff).swap_bytes()",
        suite: test("lengths", "sha256:sha256/x86_64/shani"),
        needs: Some("sha256/x86_64/shani"),
        ..FAULT
    },
    Fault {
        name: "md5/state-not-added-to-its-last-word",
        file: "hashes/md5/portable.rs",
        from: Expression("0..4"),
        to: "0..3",
        suite: nets("random:md5:md5/portable"),
        ..FAULT
    },
    Fault {
        name: "md5/word-before-the-last-in-lanes",
        file: "hashes/md5/lanes.rs",
        from: Expression("if i == 63 { W::splat(cpu, 0) } else { xt(i + 1) }"),
        to: "if i >= 62 { W::splat(cpu, 0) } else { xt(i + 1) }",
        suite: nets("random:md5-many:md5/x86_64/avx2_x8"),
        needs: Some("md5/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "sha1/schedule-not-rotated",
        file: "hashes/sha1/portable.rs",
        from: Expression("sum.rotate_left(1)"),
        to: "sum",
        suite: nets("random:sha1:sha1/portable"),
        ..FAULT
    },
    Fault {
        name: "sha1/second-padding-is-the-first",
        file: "hashes/sha1/x86_64/shani.rs",
        from: Expression("if given == 1 { [a, b, c, d] } else { [none, none, none, length] }"),
        to: "if given > 0 { [a, b, c, d] } else { [none, none, none, length] }",
        suite: nets("random:sha1:sha1/x86_64/shani"),
        needs: Some("sha1/x86_64/shani"),
        ..FAULT
    },
    Fault {
        name: "sha256/padding-of-56-bytes-in-registers",
        file: "core/simd/x86_64.rs",
        from: Expression("rest.len() < 56"),
        to: "rest.len() <= 56",
        suite: nets("random:sha256:sha256/x86_64/shani"),
        needs: Some("sha256/x86_64/shani"),
        ..FAULT
    },
    Fault {
        name: "sha256/odd-block-twice",
        file: "hashes/sha256/scheduled.rs",
        from: Expression("count.min(L)"),
        to: "(if count > 0 { L } else { 0 })",
        suite: nets("random:sha256:sha256/x86_64/avx2"),
        needs: Some("sha256/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "sm3/odd-block-twice",
        file: "hashes/sm3/scheduled.rs",
        from: Expression("count.min(L)"),
        to: "(if count > 0 { L } else { 0 })",
        suite: nets("random:sm3:sm3/x86_64/avx2"),
        needs: Some("sm3/x86_64/avx2"),
        ..FAULT
    },
    Fault {
        name: "sm3/lanes-use-a-word-too-early",
        file: "hashes/sm3/lanes.rs",
        from: Expression("before(13).rotr::<{ 32 - 7 }>()"),
        to: "before(12).rotr::<{ 32 - 7 }>()",
        suite: nets("random:sm3-many:sm3/portable"),
        ..FAULT
    },
    Fault {
        name: "sm3/schedule-of-one-block-ends-early",
        file: "hashes/sm3/scheduled.rs",
        from: Expression("steps(13, 16)"),
        to: "steps(13, 15)",
        suite: nets("random:sm3:sm3/x86_64/ssse3"),
        needs: Some("sm3/x86_64/ssse3"),
        ..FAULT
    },
    Fault {
        name: "sm3/halves-of-digests-change-places",
        file: "hashes/sm3/lanes.rs",
        from: Expression("(low[lane], high[lane])"),
        to: "(high[lane], low[lane])",
        suite: nets("random:sm3-many:sm3/x86_64/avx2_x8"),
        needs: Some("sm3/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "sm3/known-block-in-rounds-of-another-kind",
        file: "hashes/sm3/lanes.rs",
        from: Expression("rounds.clone().take(16)"),
        to: "rounds.clone().take(15)",
        suite: nets("random:sm3-many:sm3/x86_64/avx512_x16"),
        needs: Some("sm3/x86_64/avx512_x16"),
        ..FAULT
    },
    Fault {
        name: "sm3/lanes-expand-with-a-word-too-late",
        file: "hashes/sm3/lanes.rs",
        from: Expression("before(6)"),
        to: "before(5)",
        suite: nets("random:sm3-many:sm3/aarch64/neon_x4"),
        needs: Some("sm3/aarch64/neon_x4"),
        ..FAULT
    },
    Fault {
        name: "sm3/arm-expansion",
        file: "hashes/sm3/aarch64/sm3.rs",
        from: Expression("i < 13"),
        to: "i < 12",
        suite: nets("random:sm3:sm3/aarch64/sm3"),
        needs: Some("sm3/aarch64/sm3"),
        ..FAULT
    },
    Fault {
        name: "sha512/sum-without-its-carry",
        file: "hashes/sha512/portable.rs",
        from: Expression("w16.wrapping_add(w7).wrapping_add(s0).wrapping_add(s1)"),
        to: "{ let sum = w16.wrapping_add(w7).wrapping_add(s0); u64::from((sum as u32).wrapping_add(s1 as u32)) | (sum >> 32).wrapping_add(s1 >> 32) << 32 }",
        suite: nets("random:sha512:sha512/portable"),
        ..FAULT
    },
    Fault {
        name: "sha512/arm-rounds",
        file: "hashes/sha512/aarch64/sha512.rs",
        from: Statement("h = each(|i| vaddq_u64(h[i], s[i]));"),
        to: "h = s;",
        suite: nets("random:sha512:sha512/aarch64/sha512"),
        needs: Some("sha512/aarch64/sha512"),
        ..FAULT
    },
    Fault {
        name: "sha256/arm-schedule",
        file: "hashes/sha256/aarch64/sha2.rs",
        from: Expression("i < 12"),
        to: "i < 11",
        suite: nets("random:sha256:sha256/aarch64/sha2"),
        needs: Some("sha256/aarch64/sha2"),
        ..FAULT
    },
    Fault {
        name: "sha3/arm-constant",
        file: "hashes/sha3/aarch64/sha3.rs",
        from: Expression("vdupq_n_u64(constant)"),
        to: "vdupq_n_u64(constant >> 1)",
        suite: nets("random:sha3:sha3/aarch64/sha3"),
        needs: Some("sha3/aarch64/sha3"),
        ..FAULT
    },
    Fault {
        name: "sha3/filled-block-is-lost",
        file: "hashes/sha3/sponge.rs",
        from: Expression("*at < *rate"),
        to: "*at <= *rate",
        suite: nets("random:sha3:sha3/portable"),
        ..FAULT
    },
    Fault {
        name: "sha3/output-forgets-where-it-was",
        file: "hashes/sha3/sponge.rs",
        from: Statement("copy_from(state, 0, rest);\n            *at = rest.len();"),
        to: "copy_from(state, 0, rest);",
        suite: nets("random:sha3:sha3/portable"),
        ..FAULT
    },
    Fault {
        name: "sha3/padding-of-many",
        file: "hashes/sha3/sponge.rs",
        from: Expression("u64::from(SUFFIX) << (8 * short.len())"),
        to: "0x06 << (8 * short.len())",
        suite: nets("random:sha3-many:sha3/portable"),
        ..FAULT
    },
    Fault {
        name: "sha3/end-of-the-padding",
        file: "hashes/sha3/mod.rs",
        from: Statement("add(&mut state[rate / 8 - 1], 1 << 63);"),
        to: "if filled / 8 < rate / 8 - 1 { add(&mut state[rate / 8 - 1], 1 << 63); }",
        suite: nets("random:sha3:sha3/x86_64/bmi2"),
        needs: Some("sha3/x86_64/bmi2"),
        ..FAULT
    },
    Fault {
        name: "sha3/output-of-many-beyond-a-block",
        file: "hashes/sha3/sponge.rs",
        from: Expression("LEN.min(at + RATE) - at"),
        to: "LEN.min(RATE) - at.min(RATE)",
        suite: nets("random:sha3-many:sha3/x86_64/avx2_x4"),
        needs: Some("sha3/x86_64/avx2_x4"),
        ..FAULT
    },
];
