//! What may have been written once a call returns, and what it may have returned.

use std::collections::BTreeSet;

use super::{
    calls::{ERROR, SMALL, World},
    expected,
    header::{Function, Kind, Parameter, Returns},
    library,
    memory::{ROOM, Span},
};

pub(super) const OK: usize = 0;
pub(super) const FORGED: usize = 1;
const LENGTH: usize = 2;
pub(super) const OVERLAP: usize = 4;
const INTERNAL: usize = 13;
const INVALID: usize = 16;
const LAST_STATUS: usize = 16;

impl World {
    /// Whether what came of the call may have.
    pub(super) fn judge(&mut self, function: &Function, arguments: &[usize], returned: usize) {
        let is_status = function.returns == Returns::Status;
        let status = if is_status { returned } else { OK };
        assert_ne!(status, INTERNAL, "a fault of the library");
        assert!(status <= LAST_STATUS, "{status} is no status");
        let mut allowed = Vec::new();
        // A tag of a wrong length is what became of its message, and so is a public key that is invalid.
        let is_of_one = matches!(
            (&*function.name, status),
            ("mac_verify_many", LENGTH) | ("x25519_agree_many" | "p256_agree_many", INVALID)
        );
        if matches!(status, OK | FORGED) || is_of_one {
            allowed.extend(self.spans.iter().copied().filter(|span| span.written));
            if function.name.starts_with("unwrap") {
                // In place, all of what is read is for writing.
                let in_place = |span: &Span| allowed.iter().any(|written| written.at == span.at);
                let whole: Vec<_> = self.spans.iter().copied().filter(in_place).collect();
                allowed.extend(whole);
            }
        }
        if is_status && matches!(status, OK | FORGED) {
            self.apart(function);
        }
        if status == OK {
            library::succeeded(function);
        } else {
            self.told_rightly(function, arguments, status, &mut allowed);
            self.forgotten(function, &mut allowed);
        }
        for (i, arena) in self.arenas.iter_mut().enumerate() {
            if let Some(at) = arena.changed(&allowed, i > SMALL) {
                panic!("{} has written to memory {i} at {at:#x}, status {status}", function.name);
            }
        }
        expected::judge(self, function, arguments, status);
    }

    /// What a call has written overlaps nothing else of it, but a text that is written where it is read, and what may lie within a
    /// message. Of many messages, it overlaps no key, and not the array of them.
    fn apart(&mut self, function: &Function) {
        if !self.rows.is_empty() {
            return self.array_and_keys_stay(function);
        }
        if LIES_WITHIN.iter().any(|name| function.name.contains(name)) {
            return;
        }
        for (i, one) in self.spans.iter().enumerate().filter(|(_, span)| span.written) {
            for (j, other) in self.spans.iter().enumerate() {
                let in_place = one.at == other.at;
                assert!(
                    i == j || in_place || !one.overlaps(other),
                    "{} has done it although {one:x?} overlaps {other:x?}",
                    function.name
                );
            }
        }
    }

    /// What messages have written overlaps no key of any of them, and not their array, which has their answers.
    fn array_and_keys_stay(&mut self, function: &Function) {
        let spans = self.spans.clone();
        let Some((array, spans)) = spans.split_last() else { return };
        let keys = (0..self.slots.len()).map(|slot| (self.address(slot), self.slots[slot].len));
        let keys: BTreeSet<_> = keys.collect();
        let is_key = |span: &&Span| !span.written && keys.contains(&(span.at, span.len));
        let is_answer = |span: &Span| span.len == 8 && span.overlaps(array);
        for one in spans.iter().filter(|span| span.written && !is_answer(span)) {
            for other in spans.iter().filter(is_key).chain([array]) {
                let (name, apart) = (&function.name, !one.overlaps(other));
                assert!(apart, "{name} has done it although {one:x?} overlaps {other:x?}");
            }
        }
    }

    /// The error has the status of the call, and may be written.
    fn told_rightly(
        &mut self,
        function: &Function,
        arguments: &[usize],
        status: usize,
        allowed: &mut Vec<Span>,
    ) {
        let of = function.parameters.iter().zip(arguments);
        let is_error = |(parameter, at): &(&Parameter, &usize)| {
            parameter.kind == Kind::Error && parameter.written && **at != 0
        };
        for (_, at) in of.filter(is_error) {
            allowed.push(Span { at: *at, len: ERROR, written: true });
            let written = &self.arenas[SMALL].bytes()[ROOM - ERROR..][..4];
            let told = u32::from_le_bytes(written.try_into().expect("four bytes"));
            assert_eq!(told as usize, status, "{}: what the error says", function.name);
        }
    }

    /// What was to be made is as it was, or zero.
    fn forgotten(&mut self, function: &Function, allowed: &mut Vec<Span>) {
        if !makes(function) {
            return;
        }
        for span in self.spans.clone().into_iter().filter(|span| span.written) {
            let slots = 0..self.slots.len();
            for slot in slots {
                if self.address(slot) == span.at && self.object(slot).iter().all(|byte| *byte == 0)
                {
                    allowed.push(span);
                }
            }
        }
    }
}

/// Functions that may write into what they read: tags, digests and signatures within their messages, secrets where public keys are,
/// and records.
const LIES_WITHIN: &[&str] = &[
    "hash_digest",
    "mac_once",
    "mac_many",
    "poly1305",
    "gmac",
    "record_",
    "ed25519_sign",
    "x25519_agree",
    "p256_sign",
    "p256_agree",
    "rsa_sign",
    "x25519_public_read",
];

/// Whether its first parameter is made by it.
pub(super) fn makes(function: &Function) -> bool {
    let name = &function.name;
    name.contains("_init")
        || name.ends_with("_key_generate")
        || name.ends_with("_key_read")
        || name == "rsa_public"
        || name.ends_with("_clone")
        || name.contains("hkdf_extract")
        || name == "tls13_derive_secret"
}

/// Whether a member of a message is an answer.
pub(super) fn is_answer(row: &str, member: &str) -> bool {
    member == "status" || (row, member) == ("record", "text_len")
}
