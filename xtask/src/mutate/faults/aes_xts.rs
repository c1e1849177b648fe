//! AES-XTS.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "aes-xts/tweak-does-not-come-back",
        file: "aes/aes_xts/units.rs",
        from: Statement("tweak << 1 ^ beyond & 0x87"),
        to: "{ let _: u128 = beyond; tweak << 1 }",
        suite: nets("random:aes-xts:aes_xts/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/stolen-tweaks-in-order",
        file: "aes/aes_xts/units.rs",
        from: Expression("if encrypt { [tweak, next] } else { [next, tweak] }"),
        to: "{ let _: bool = encrypt; [tweak, next] }",
        suite: nets("random:aes-xts:aes_xts/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/sector-after-four",
        file: "aes/aes_xts/portable.rs",
        from: Expression("number.wrapping_add(MANY as u128)"),
        to: "number.wrapping_add(MANY as u128 - 1)",
        suite: test("aes_xts", "sectors_are_units"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/tweak-after-steps",
        file: "aes/aes_xts/x86_64/aesni.rs",
        from: Statement("tweaks.next = around[0];"),
        to: "",
        suite: nets("random:aes-xts:aes_xts/x86_64/aesni"),
        needs: Some("aes_xts/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/tweak-carry-on-vectors",
        file: "aes/aes_xts/x86_64/aesni.rs",
        from: Expression("_mm_bsrli_si128::<15>(tweak)"),
        to: "_mm_and_si128(_mm_bsrli_si128::<15>(tweak), _mm_set_epi64x(0, 0x7f))",
        suite: nets("random:aes-xts:aes_xts/x86_64/aesni"),
        needs: Some("aes_xts/x86_64/aesni"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/unit-one-byte-too-long",
        file: "aes/aes_xts/mod.rs",
        from: Expression("(16..=LONGEST_UNIT).contains(&got)"),
        to: "(16..=LONGEST_UNIT + 1).contains(&got)",
        suite: nets("limits:aes-xts:aes_xts/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/equal-halves",
        file: "aes/aes_xts/mod.rs",
        from: Expression("ct::verdict(text.ct_eq(tweak))"),
        to: "{ let _ = (text, tweak); false }",
        suite: nets("contracts:aes-xts:aes_xts/portable"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/tweak-of-another-lane",
        file: "aes/aes_xts/lanes.rs",
        from: Statement("numbers[lane] = message.tweak;"),
        to: "numbers[lane / 2] = message.tweak;",
        suite: nets("random:aes-xts-many:aes_xts/x86_64/aesni_x8"),
        needs: Some("aes_xts/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/wrong-key-of-a-lane",
        file: "aes/aes_xts/lanes.rs",
        from: Statement("keys[lane] = &tweak.keys;"),
        to: "keys[0] = &tweak.keys;",
        suite: nets("random:aes-xts-many:aes_xts/x86_64/aesni_x8"),
        needs: Some("aes_xts/x86_64/aesni_x8"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/pair-of-tweaks",
        file: "aes/aes_xts/x86_64/vaes256.rs",
        from: Statement("(a, b) = (c, d);"),
        to: "(a, b) = (c, b); let _ = d;",
        suite: nets("random:aes-xts:aes_xts/x86_64/vaes256"),
        needs: Some("aes_xts/x86_64/vaes256"),
        ..FAULT
    },
    Fault {
        name: "aes-xts/sectors-on-arm",
        file: "aes/aes_xts/aarch64/aes.rs",
        from: Expression("first.wrapping_add(MANY as u128)"),
        to: "first",
        suite: nets("random:aes-xts:aes_xts/aarch64/aes"),
        needs: Some("aes_xts/aarch64/aes"),
        ..FAULT
    },
];
