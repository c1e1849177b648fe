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
        to: "a += 18 * over;",
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
        suite: nets("random:x25519:x25519/portable"),
        ..FAULT
    },
    Fault {
        name: "x25519/no-neutral-point-in-lanes",
        file: "curves/x86_64/mod.rs",
        from: Expression("zero.minus(zero.like(1)).opaque()"),
        to: "zero.minus(zero.like(1)).plus(zero)",
        suite: nets("random:x25519-many:x25519/x86_64/ifma_x8"),
        needs: Some("x25519/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "ed25519/s-of-l-or-more",
        file: "public/ed25519/mod.rs",
        from: Expression("is_below(from_le_bytes(s), Order::WORDS)"),
        to: "is_below(from_le_bytes(s), Order::WORDS) | 1",
        suite: nets("contracts:ed25519:ed25519/portable"),
        ..FAULT
    },
    Fault {
        name: "ed25519/y-of-p-or-more",
        file: "curves/edwards25519.rs",
        from: Expression("y.to_bytes() != without_sign"),
        to: "y.to_bytes() != without_sign && without_sign[0] < 0xed",
        suite: nets("contracts:ed25519:ed25519/portable"),
        ..FAULT
    },
    Fault {
        name: "ed25519/zero-with-a-sign",
        file: "curves/edwards25519.rs",
        from: Statement("if x.is_zero() != 0 {\n            return None;\n        }"),
        to: "if x.is_zero() != 0 && bytes[0] > 1 { return None; }",
        suite: nets("contracts:ed25519:ed25519/portable"),
        ..FAULT
    },
    Fault {
        name: "ed25519/half-of-r-is-compared",
        file: "public/ed25519/mod.rs",
        from: Expression("right == *first"),
        to: "right[..16] == first[..16]",
        suite: nets("random:ed25519:ed25519/portable"),
        survives: Some(
            "k is a hash of R: another R is compared with another point, which differs in all bytes",
        ),
        ..FAULT
    },
    Fault {
        name: "ed25519/length-of-the-context-is-not-hashed",
        file: "public/ed25519/mod.rs",
        from: Statement("hasher.update(&[flag, self.context.len() as u8]);"),
        to: "hasher.update(&[flag, 0]);",
        suite: nets("published:ed25519:ed25519/portable"),
        ..FAULT
    },
    Fault {
        name: "ed25519/refused-lane-counts",
        file: "public/ed25519/many.rs",
        from: Expression("parts(it.signature)"),
        to: "Ok(parts(it.signature).unwrap_or((it.signature.first_chunk().expect(\"32\"), it.signature.last_chunk().expect(\"32\"))))",
        suite: nets("contracts:ed25519-many:ed25519/x86_64/ifma_x8"),
        needs: Some("ed25519/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "ed25519/lanes-share-a-sign",
        file: "curves/x86_64/mod.rs",
        from: Expression("chosen.negated_where(digits.negative)"),
        to: "chosen.negated_where(digits.negative & 0x7f)",
        suite: nets("random:ed25519-many:ed25519/x86_64/ifma_x8"),
        needs: Some("ed25519/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "ed25519/neutral-multiple-in-lanes",
        file: "curves/x86_64/mod.rs",
        from: Expression("multiples[0]"),
        to: "multiples[1]",
        suite: nets("random:ed25519-many:ed25519/x86_64/ifma_x8"),
        needs: Some("ed25519/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "x25519/spread-ladder-without-the-last-swap",
        file: "curves/x86_64/spread.rs",
        from: Expression("swap ^ k_t"),
        to: "swap ^ k_t ^ u64::from(t == 254)",
        suite: nets("published:x25519:x25519/x86_64/ifma"),
        needs: Some("x25519/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "x25519/spread-ladder-swaps-half-a-point",
        file: "curves/x86_64/spread.rs",
        from: Expression("3 - 2 * swap"),
        to: "3",
        suite: nets("published:x25519:x25519/x86_64/ifma"),
        needs: Some("x25519/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "p25519/lanes-of-a-small-product-drop-a-carry",
        file: "fields/p25519/lanes.rs",
        from: Statement("out[0] = out[0].plus_low(zero.plus_high(x[4], twice), zero.like(19));"),
        to: "out[0] = out[0].plus_low(zero.plus_high(x[4], by), zero.like(19));",
        suite: nets("published:x25519:x25519/x86_64/ifma"),
        needs: Some("x25519/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "ed25519/spread-windows-share-a-lane",
        file: "curves/x86_64/spread.rs",
        from: Expression("word.look_up_in::<7>(index, words(7))"),
        to: "word.look_up_in::<7>(index, words(6))",
        suite: nets("published:ed25519:ed25519/x86_64/ifma"),
        needs: Some("ed25519/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "ed25519/spread-sum-of-four-lanes",
        file: "curves/x86_64/spread.rs",
        from: Expression("[4, 5, 6, 7, 0, 1, 2, 3]"),
        to: "[0, 1, 2, 3, 4, 5, 6, 7]",
        suite: nets("published:ed25519:ed25519/x86_64/ifma"),
        needs: Some("ed25519/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "p256/x-of-n-or-more-is-forgotten",
        file: "public/p256/arithmetic.rs",
        from: Expression("is_below(r, few) != 0"),
        to: "is_below(r, few) == 7",
        suite: unit("public::p256::tests::x_above_n_is_reduced"),
        ..FAULT
    },
    Fault {
        name: "p256/infinite-sum-verifies",
        file: "public/p256/arithmetic.rs",
        from: Expression("point.z.is_zero() == 0"),
        to: "point.z.is_zero() != 7",
        suite: unit("public::p256::tests::infinite_sums_are_refused"),
        survives: Some("X of an infinite sum is not zero, and is compared with x times zero"),
        ..FAULT
    },
    Fault {
        name: "p256/equal-points-are-not-doubled",
        file: "curves/weierstrass.rs",
        from: Expression("point.or_where(r.is_zero(), doubled)"),
        to: "point.or_where(r.is_zero(), point)",
        suite: unit("curves::p256::tests"),
        ..FAULT
    },
    Fault {
        name: "p256/point-off-the-curve",
        file: "public/p256/public.rs",
        from: Expression("is_on_curve(&point) == 0"),
        to: "is_on_curve(&point) == 7",
        suite: nets("wycheproof:p256:p256/portable"),
        ..FAULT
    },
    Fault {
        name: "p256/coordinate-of-p-or-more",
        file: "public/p256/public.rs",
        from: Expression("is_below(words, P::WORDS) == 0"),
        to: "is_below(words, P::WORDS) == 7",
        suite: unit("public::p256::tests::wrong_keys_are_refused"),
        ..FAULT
    },
    Fault {
        name: "p256/zero-is-a-scalar",
        file: "public/p256/mod.rs",
        from: Expression("!zeros(a | b | c | d)"),
        to: "!zeros(a | b | c | d | 1)",
        suite: nets("contracts:p256:p256/portable"),
        ..FAULT
    },
    Fault {
        name: "p256/digests-of-384-bits-take-sha-256",
        file: "public/p256/nonces.rs",
        from: Expression("Self::Sha384(HmacDrbg::new(x, h_1, more))"),
        to: "Self::Sha256(HmacDrbg::new(x, h_1, more))",
        suite: nets("published:p256:p256/portable"),
        ..FAULT
    },
    Fault {
        name: "p256/nonces-are-not-hedged",
        file: "public/p256/mod.rs",
        from: Expression("self.nonces(digest.len(), &e, &*fresh)"),
        to: "self.nonces(digest.len(), &e, &fresh[..0])",
        suite: nets("contracts:p256:p256/portable"),
        ..FAULT
    },
    Fault {
        name: "p256/lanes-share-random-bytes",
        file: "public/p256/many.rs",
        from: Expression("&more[lane][..]"),
        to: "&more[lane & 4][..]",
        suite: unit("public::p256::tests::signatures_are_hedged"),
        ..FAULT
    },
    Fault {
        name: "p256/short-digest-is-zero",
        file: "public/p256/many.rs",
        from: Expression("e.and(if valid { Ok(()) } else { Err(Error::Forged) })"),
        to: "if valid { Ok(()) } else { Err(Error::Forged) }",
        suite: nets("contracts:p256-many:p256/portable"),
        ..FAULT
    },
    Fault {
        name: "p256/negative-integers-in-der",
        file: "public/p256/der.rs",
        from: Expression("Err(invalid(\"an integer is negative\"))"),
        to: "Ok([1; 32])",
        suite: unit("public::p256::tests::der_has_one_form"),
        ..FAULT
    },
    Fault {
        name: "p256/carry-of-a-reduction",
        file: "fields/p256/number.rs",
        from: Expression("high.wrapping_add(up.into())"),
        to: "high",
        suite: unit("fields::p256::tests::numbers_equal_big_integers"),
        ..FAULT
    },
    Fault {
        name: "p256/complete-sum-takes-another-product",
        file: "curves/p256/x86_64/spread.rs",
        from: Expression("[6, 7, 6, 3, 5, 2, 0, 0]"),
        to: "[6, 7, 6, 3, 5, 1, 0, 0]",
        suite: nets("random:p256:p256/x86_64/ifma"),
        needs: Some("p256/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "p256/lane-has-the-digits-of-its-neighbour",
        file: "curves/p256/x86_64.rs",
        from: Statement("to[lane] = u64::from(*digit);"),
        to: "to[lane | 1] = u64::from(*digit);",
        suite: nets("random:p256-many:p256/x86_64/ifma_x8"),
        needs: Some("p256/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "rsa/padding-is-not-compared",
        file: "public/rsa/public.rs",
        from: Expression("em.as_slice() == expected.as_slice()"),
        to: "em.as_slice().ends_with(digest) && expected.as_slice().ends_with(digest)",
        suite: nets("wycheproof:rsa:rsa/portable"),
        ..FAULT
    },
    Fault {
        name: "rsa/zeros-before-the-salt-are-not-compared",
        file: "public/rsa/encoding.rs",
        from: Expression("zeros.iter().all(|byte| *byte == 0)"),
        to: "zeros.iter().all(|byte| *byte < 2)",
        suite: nets("wycheproof:rsa:rsa/portable"),
        ..FAULT
    },
    Fault {
        name: "rsa/result-is-not-checked",
        file: "public/rsa/private.rs",
        from: Expression("!ct::verdict(power.equals(&self.m))"),
        to: "!ct::verdict(power.equals(power))",
        suite: unit("public::rsa::tests"),
        ..FAULT
    },
    Fault {
        name: "rsa/blinding-is-used-again",
        file: "public/rsa/blinding.rs",
        from: Statement("pair.square(key);"),
        to: "pair.left -= u32::from(key.public.e > 0);",
        suite: unit("public::rsa::blinding::tests"),
        ..FAULT
    },
    Fault {
        name: "rsa/child-has-the-blinding-of-its-parent",
        file: "public/rsa/blinding.rs",
        from: Expression("pair.left > 0 && pair.process.is_current()"),
        to: "pair.left > 0 && (pair.left < 40 || pair.process.is_current())",
        suite: unit("public::rsa::blinding::tests"),
        ..FAULT
    },
    Fault {
        name: "rsa/modulus-of-other-primes",
        file: "public/rsa/private.rs",
        from: Expression("!ct::verdict(product.equals(public.n.number()))"),
        to: "!ct::verdict(product.equals(&product))",
        suite: unit("public::rsa::tests::keys_that_are_refused"),
        ..FAULT
    },
    Fault {
        name: "rsa/composite-is-a-prime",
        file: "public/rsa/private.rs",
        from: Expression("!ct::verdict(right)"),
        to: "!ct::verdict(right | Choice::from(1))",
        suite: unit("public::rsa::tests::keys_that_are_refused"),
        ..FAULT
    },
    Fault {
        name: "rsa/even-exponent",
        file: "public/rsa/public.rs",
        from: Expression("e & 1 == 0"),
        to: "e & 3 == 0",
        suite: unit("public::rsa::tests::keys_that_are_refused"),
        ..FAULT
    },
    Fault {
        name: "rsa/second-half-is-the-first",
        file: "public/rsa/x86_64/ifma.rs",
        from: Expression("[(p, &words[0]), (q, &words[1])]"),
        to: "[(p, &words[0]), (q, &words[0])]",
        suite: nets("published:rsa:rsa/x86_64/ifma"),
        needs: Some("rsa/x86_64/ifma"),
        ..FAULT
    },
    Fault {
        name: "rsa/exponents-of-lanes-have-seven-bits",
        file: "public/rsa/x86_64/ifma_x8.rs",
        from: Expression("mask << 1 | (e >> i & 1) as u8"),
        to: "mask << 1 | (e >> (i & 7) & 1) as u8",
        suite: unit("public::rsa::tests::many"),
        needs: Some("rsa/x86_64/ifma_x8"),
        ..FAULT
    },
    Fault {
        name: "rsa/failed-item-keeps-its-bytes",
        file: "public/rsa/many.rs",
        from: Statement("items[at].signature.fill(0);"),
        to: "items[at].signature.reverse();",
        suite: nets("contracts:rsa-many:rsa/portable"),
        ..FAULT
    },
    Fault {
        name: "keys/exponent-of-another-prime",
        file: "keys/rsa.rs",
        from: Expression("equal(&numbers.d_p, given.exponent1)"),
        to: "equal(given.exponent1.as_bytes(), given.exponent1)",
        suite: unit("keys::tests::rsa"),
        ..FAULT
    },
    Fault {
        name: "keys/public-half-of-another",
        file: "keys/ec.rs",
        from: Expression("given == public.to_bytes() || given == public.to_compressed()"),
        to: "given.len() == public.to_bytes().len() || given == public.to_compressed()",
        suite: unit("keys::tests::keys_of_other_curves_are_refused"),
        ..FAULT
    },
];
