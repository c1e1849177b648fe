//! The C library.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "c/null-is-no-text",
        file: "crates/ropewalk-c/src/memory.rs",
        from: Expression("at.is_null() && len > 0"),
        to: "at.is_null()",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/null-is-a-text",
        file: "crates/ropewalk-c/src/overlap.rs",
        from: Expression("(self.at.is_null() & (self.len > 0)) | (self.len > memory::MOST)"),
        to: "self.len > memory::MOST",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/overlap-by-one-byte",
        file: "crates/ropewalk-c/src/overlap.rs",
        from: Expression("(from < other_to) & (other_from < to)"),
        to: "(from + 1 < other_to) & (other_from + 1 < to)",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/overlapping-messages-go-side-by-side",
        file: "crates/ropewalk-c/src/many.rs",
        from: Expression("way == Way::SideBySide || unsafe { are_apart(call, group, count) }"),
        to: "true",
        suite: unit_of_c("as_a_loop"),
        ..FAULT
    },
    Fault {
        name: "c/message-writes-the-key-of-another",
        file: "crates/ropewalk-c/src/overlap/array.rs",
        from: Expression("is_new && !Reach::of(key).is_apart(written)"),
        to: "false",
        suite: unit_of_c("as_a_loop"),
        ..FAULT
    },
    Fault {
        name: "c/forgery-is-a-wrong-length",
        file: "crates/ropewalk-c/src/status.rs",
        from: Expression("self.status()"),
        to: "match self.status() { ROPEWALK_FORGED => ROPEWALK_LENGTH, other => other }",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/only-the-mark-is-wiped",
        file: "crates/ropewalk-c/src/object.rs",
        from: Statement("unsafe { clear(object) };"),
        to: "unsafe { object.cast::<u64>().write(0) };",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/wrong-message-of-many",
        file: "crates/ropewalk-c/src/status.rs",
        from: Expression("self.index.unwrap_or(0)"),
        to: "0",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/state-goes-on-with-another-key",
        file: "crates/ropewalk-c/src/object.rs",
        from: Expression("unsafe { generation_of(self.key.cast_mut()).read() } == self.generation"),
        to: "true",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/tag-length-changes-under-a-state",
        file: "crates/ropewalk-c/src/aead.rs",
        from: Statement(
            "its.tag_len = tag_len;\n        // SAFETY: the caller's key, which was made.\n        unsafe { object::renew(key) };",
        ),
        to: "its.tag_len = tag_len;",
        suite: tour("c99_by_gcc"),
        ..FAULT
    },
    Fault {
        name: "c/stack-of-a-new-key-is-left",
        file: "crates/ropewalk-c/src/object.rs",
        from: Expression("swept(3 * size_of::<O::Value>() + 1024, || store(at, new))?"),
        to: "store(at, new)?",
        suite: residue("C"),
        ..FAULT
    },
    Fault {
        name: "c/threads-have-the-same-generations",
        file: "crates/ropewalk-c/src/object/generation.rs",
        from: Expression("FREE.fetch_add(RUN, Relaxed)"),
        to: "FREE.fetch_add(0, Relaxed)",
        suite: unit_of_c("generation"),
        ..FAULT
    },
];
