//! HMAC, CBC with HMAC, and what derives keys.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "hmac/key-of-a-whole-block-is-hashed",
        file: "keyed/hmac.rs",
        from: Expression("secret.len() > F::Block::LEN"),
        to: "secret.len() >= F::Block::LEN",
        suite: nets("random:hmac-sha256:sha256/portable"),
        ..FAULT
    },
    Fault {
        name: "hmac/shorter-tag-is-taken",
        file: "keyed/hmac.rs",
        from: Expression("got < 10.max(H::DIGEST_LEN / 2)"),
        to: "got < 10.max(H::DIGEST_LEN / 2) - 1",
        suite: nets("contracts:hmac-sha512:sha512/portable"),
        ..FAULT
    },
    Fault {
        name: "hmac/last-byte-not-compared",
        file: "keyed/hmac.rs",
        from: Expression("right.as_ref()[..tag.len()].ct_eq(tag)"),
        to: "right.as_ref()[..tag.len() - 1].ct_eq(&tag[..tag.len() - 1])",
        suite: nets("contracts:hmac-sha256:sha256/portable"),
        ..FAULT
    },
    Fault {
        name: "hmac/end-of-a-secret-length",
        file: "hashes/ends.rs",
        from: Expression("end + F::AFTER_MARKER"),
        to: "end + F::AFTER_MARKER + 1",
        suite: nets("random:hmac-sha256:sha256/portable"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/key-of-a-whole-block-is-hashed",
        file: "tls/cbc_hmac/mod.rs",
        from: Expression("mac.len() > block.len()"),
        to: "mac.len() >= block.len()",
        suite: nets("random:aes-cbc-hmac-sha256:cbc_hmac/portable"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/padding-is-not-compared",
        file: "tls/cbc_hmac/open.rs",
        from: Expression("(byte ^ padding) & pads"),
        to: "(byte ^ padding) & pads & 0xf0",
        suite: nets("contracts:aes-cbc-hmac-sha1:cbc_hmac/portable"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/padding-longer-than-the-record",
        file: "tls/cbc_hmac/open.rs",
        from: Expression("at_most(last.into(), lens.longest as u32)"),
        to: "at_most(last.into(), lens.longest as u32 | 0xff)",
        suite: nets("contracts:aes-cbc-hmac-sha256:cbc_hmac/portable"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/text-one-byte-too-long",
        file: "tls/cbc_hmac/open.rs",
        from: Expression("at_most(len as u32, LONGEST_TEXT as u32)"),
        to: "at_most(len as u32, LONGEST_TEXT as u32 + 1)",
        suite: nets("contracts:aes-cbc-hmac-sha256:cbc_hmac/portable"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/mac-turned-by-15",
        file: "tls/cbc_hmac/open.rs",
        from: Expression("offset >> bit & 1"),
        to: "(offset & 0x0f) >> bit & 1",
        suite: nets("random:aes-cbc-hmac-sha256:cbc_hmac/x86_64/shani"),
        needs: Some("cbc_hmac/x86_64/shani"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/branch-on-a-padding",
        file: "tls/cbc_hmac/open.rs",
        from: Expression("last & fits as u8"),
        to: "{ if last & 1 == 1 { core::hint::black_box(last); } last & fits as u8 }",
        suite: trace("cbc_hmac/x86_64/shani, open what is badly padded"),
        needs: Some("cbc_hmac/x86_64/shani"),
        ..FAULT
    },
    Fault {
        name: "cbc-hmac/forged-record-is-left",
        file: "tls/cbc_hmac/mod.rs",
        from: Statement("record.fill(0);"),
        to: "",
        suite: nets("contracts:aes-cbc-hmac-sha1:cbc_hmac/portable"),
        ..FAULT
    },
    Fault {
        name: "hkdf/256-digests",
        file: "keyed/hkdf.rs",
        from: Expression("got > 255 * H::DIGEST_LEN"),
        to: "got > 256 * H::DIGEST_LEN",
        suite: test("kdf", "lengths_that_are_refused"),
        ..FAULT
    },
    Fault {
        name: "hkdf/info-of-many-without-its-end",
        file: "keyed/hkdf.rs",
        from: Expression("info.fold(len + 1, usize::saturating_add)"),
        to: "info.fold(len, usize::saturating_add)",
        suite: test("kdf", "hkdf_of_many"),
        ..FAULT
    },
    Fault {
        name: "pbkdf2/states-of-a-moved-lane",
        file: "hashes/many/links/all.rs",
        from: Statement("links.swap(lane, running);"),
        to: "",
        suite: test("kdf", "pbkdf2_of_many"),
        needs: Some("sha256/x86_64/shani_x2"),
        ..FAULT
    },
    Fault {
        name: "pbkdf2/block-number-8-bits",
        file: "keyed/pbkdf2.rs",
        from: Expression("self.i.to_be_bytes()"),
        to: "u32::from(self.i as u8).to_be_bytes()",
        suite: test("kdf", "pbkdf2_of_many_blocks"),
        ..FAULT
    },
    Fault {
        name: "tls12/label-is-not-chained",
        file: "tls/tls12.rs",
        from: Statement("*a = secret.mac((*a).as_ref());"),
        to: "",
        suite: test("kdf", "tls12"),
        ..FAULT
    },
];
