//! Public keys, and the fields and curves below them.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "p25519/carry-of-the-last-limb",
        file: "fields/p25519/number.rs",
        from: Expression("low(a) + 19 * (e >> 51) as u64"),
        to: "low(a) + 19 * ((e >> 51) as u64 & !(1 << 50))",
        suite: nets("random:x25519:x25519/portable"),
        ..FAULT
    },
    Fault {
        name: "p25519/p-is-not-reduced",
        file: "fields/p25519/number.rs",
        from: Statement("a += 19 * over;"),
        to: "a += 19 * (over & (a >> 50));",
        suite: unit("fields::p25519::tests::numbers_equal_big_integers"),
        ..FAULT
    },
    Fault {
        name: "p25519/lanes-drop-a-carry",
        file: "fields/p25519/lanes.rs",
        from: Statement(
            "b = b.plus(a.shr::<51>());\n        a = a.and(LIMB);\n        e = e.plus(d.shr::<51>());",
        ),
        to: "e = e.plus(d.shr::<51>());",
        suite: unit("fields::p25519::tests::formulas_keep_their_bounds"),
        ..FAULT
    },
    Fault {
        name: "x25519/bit-254-is-not-set",
        file: "public/x25519/mod.rs",
        from: Statement("k[31] = k[31] & 127 | 64;"),
        to: "k[31] &= 127;",
        suite: nets("contracts:x25519:x25519/portable"),
        ..FAULT
    },
    Fault {
        name: "x25519/zero-is-a-secret",
        file: "public/x25519/mod.rs",
        from: Expression("ct::verdict(secret.ct_eq(&[0; LEN]))"),
        to: "ct::verdict(secret[1..].ct_eq(&[1; LEN - 1]))",
        suite: nets("contracts:x25519:x25519/portable"),
        ..FAULT
    },
    Fault {
        name: "x25519/lane-has-the-scalar-of-its-neighbour",
        file: "public/x25519/x86_64/ifma_x8.rs",
        from: Statement("*bit |= (byte >> t & 1) << lane;"),
        to: "*bit |= (byte >> t & 1) << (lane | 1);",
        suite: nets("random:x25519-many:x25519/x86_64/ifma_x8"),
        needs: Some("x25519/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "x25519/digit-of-8-is-negative",
        file: "curves/digits.rs",
        from: Statement("digits[63] += carry << 4;"),
        to: "digits[63] += 0 * carry;",
        suite: nets("contracts:x25519:x25519/portable"),
        ..FAULT
    },
    Fault {
        name: "x25519/no-neutral-point-in-lanes",
        file: "curves/x86_64.rs",
        from: Expression("magnitude.nonzero()"),
        to: "magnitude.or_where(0xff, magnitude.like(1)).nonzero()",
        suite: nets("random:x25519-many:x25519/x86_64/ifma_x8"),
        needs: Some("x25519/x86_64/ifma_x8"),
        ..FAULT
    },
];
