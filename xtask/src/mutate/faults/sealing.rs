//! What all authenticated ciphers share: tags, what is left of forgeries, and messages in chunks.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "tag/half-compared",
        file: "core/tag.rs",
        from: Expression("(difference >> 64) as u64 | difference as u64"),
        to: "difference as u64",
        suite: nets("contracts:aes-gcm:"),
        ..FAULT
    },
    Fault {
        name: "tag/15-of-16-bytes-compared",
        file: "core/tag.rs",
        from: Expression("right ^ u128::from_le_bytes(tag)"),
        to: "(right ^ u128::from_le_bytes(tag)) << 8",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "tag/truncated-one-byte-less-compared",
        file: "core/tag.rs",
        from: Expression("(right ^ load_short(tag)) << (128 - 8 * tag.len() as u32)"),
        to: "(right ^ load_short(tag)) << (136 - 8 * tag.len() as u32)",
        suite: nets("contracts:aes-ccm:aes_ccm/portable"),
        ..FAULT
    },
    Fault {
        name: "tag/shorter-is-taken",
        file: "core/tag.rs",
        from: Expression("tag.len() != allowed"),
        to: "tag.len() > allowed",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "sealing/forgery-is-left",
        file: "aeads/key.rs",
        from: Statement("text.output().fill(0);"),
        to: "",
        suite: nets("contracts:aes-ccm:aes_ccm/portable"),
        ..FAULT
    },
    Fault {
        name: "sealing/forgery-is-left-in-many",
        file: "aeads/many.rs",
        from: Statement("self.text.fill(0);"),
        to: "",
        suite: nets("contracts:chacha20-poly1305-many:"),
        ..FAULT
    },
    Fault {
        name: "sealing/results-in-wrong-order",
        file: "aeads/many.rs",
        from: Expression("&mut results[i]"),
        to: "&mut results[messages.len() - 1 - i]",
        suite: nets("contracts:aes-gcm-many:"),
        ..FAULT
    },
    Fault {
        name: "sealing/tag-length-of-many",
        file: "aeads/many.rs",
        from: Statement(
            "for (message, tag) in messages.iter().zip(&mut *tags) {\n                tag.len = message.key.tag_len();\n            }",
        ),
        to: "",
        suite: nets("random:aes-ccm-many:"),
        ..FAULT
    },
    Fault {
        name: "pieces/filled-block-is-lost",
        file: "aeads/stream.rs",
        from: Expression("used + head.len() < N"),
        to: "used + head.len() <= N",
        suite: nets("random:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "pieces/limit-of-each",
        file: "aeads/stream.rs",
        from: Expression("P::check_text(len)?"),
        to: "P::check_text(len - self.text)?",
        suite: nets("limits:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
    Fault {
        name: "pieces/goes-on-after-its-tag",
        file: "aeads/stream.rs",
        from: Statement("self.text = u64::MAX;"),
        to: "",
        suite: nets("contracts:chacha20-poly1305:chacha20_poly1305/portable"),
        ..FAULT
    },
    Fault {
        name: "pieces/additional-data-after-text",
        file: "aeads/stream.rs",
        from: Statement(
            "if self.text > 0 {\n            return Err(Error::TextHasBegun);\n        }",
        ),
        to: "",
        suite: nets("contracts:aes-gcm:aes_gcm/portable"),
        ..FAULT
    },
];
