//! Many messages that are hashed side by side.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "many/first-and-last-have-one-key",
        file: "hashes/many/in_step.rs",
        from: Expression("messages.iter().all(|message| message.shares_key(first))"),
        to: "messages[messages.len() - 1].shares_key(first)",
        suite: nets("random:hmac-sha256-many:sha256/x86_64/avx2_x8"),
        needs: Some("sha256/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "many/padding-of-the-group-before",
        file: "hashes/many.rs",
        from: Expression("padding.as_ref().is_none_or(|(of, _)| *of != len)"),
        to: "padding.is_none()",
        suite: nets("random:sha1-many:sha1/portable"),
        ..FAULT
    },
    Fault {
        name: "many/lane-begins-where-another-ended",
        file: "hashes/many/in_turn.rs",
        from: Statement("self.absorbed.as_mut()[lane] = 0;"),
        to: "self.absorbed.as_mut()[lane] %= 2;",
        suite: unit("many::tests"),
        needs: Some("sha512/x86_64/avx2_x4"),
        ..FAULT
    },
    Fault {
        name: "many/lane-stays-in-the-outer-hash",
        file: "hashes/many/in_turn.rs",
        from: Statement("lanes.outer &= !(1 << lane);"),
        to: "",
        suite: unit("many::tests"),
        needs: Some("sha512/x86_64/avx2_x4"),
        ..FAULT
    },
    Fault {
        name: "many/outer-state-of-the-first",
        file: "hashes/many/in_turn.rs",
        from: Statement("states.set_lane(lane, &outer);"),
        to: "states.set_lane(lane, &messages[0].outer().unwrap_or(outer));",
        suite: nets("random:hmac-sha256-many:sha256/x86_64/avx2_x8"),
        needs: Some("sha256/x86_64/avx2_x8"),
        ..FAULT
    },
    Fault {
        name: "many/texts-of-moved-lanes",
        file: "hashes/many/absorb.rs",
        from: Expression("(of[lane], left[lane]) = (of[running], left[running])"),
        to: "(of[lane], left[lane]) = (of[lane], left[running])",
        suite: nets("random:aes-cbc-hmac-sha256-many:sha256/x86_64/shani_x2"),
        needs: Some("sha256/x86_64/shani_x2"),
        ..FAULT
    },
    Fault {
        name: "many/few-lanes-of-two",
        file: "hashes/many/few.rs",
        from: Expression("of.iter().zip(&*rows).take(count)"),
        to: "of.iter().zip(&*rows).take(prices.width())",
        suite: unit("many::tests"),
        needs: Some("sha256/x86_64/avx512_x16"),
        ..FAULT
    },
];
