//! Which backend runs.

use super::super::table::*;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "dispatch/mask-is-ignored",
        file: "core/cpu.rs",
        from: Statement("AVAILABLE.fetch_and(!off, Relaxed);"),
        to: "",
        suite: test("mask", ""),
        ..FAULT
    },
    Fault {
        name: "dispatch/mask-takes-nothing-along",
        file: "core/cpu.rs",
        from: Expression("dependents(feature)"),
        to: "bit(feature.arch, feature.name)",
        suite: unit("cpu::tests"),
        ..FAULT
    },
    Fault {
        name: "dispatch/known-answers-are-ignored",
        file: "core/backend.rs",
        from: Expression("if right { Self::right(info.at) } else { Self::wrong(info.at) }"),
        to: "Self::right(info.at)",
        suite: unit("backend::tests"),
        ..FAULT
    },
    Fault {
        name: "dispatch/wrong-backend-is-not-skipped",
        file: "core/backend.rs",
        from: Expression("list.iter().find(|info| info.fits_tuning() && info.is_usable())"),
        to: "list.iter().find(|info| info.fits_tuning() && (info.available)())",
        suite: test("wrong", ""),
        ..FAULT
    },
    Fault {
        name: "dispatch/tuning-is-ignored",
        file: "core/backend.rs",
        from: Expression("list.iter().find(|info| info.fits_tuning() && info.is_usable())"),
        to: "list.iter().find(|info| info.is_usable())",
        suite: test("tuning", ""),
        ..FAULT
    },
    Fault {
        name: "text/shorter-output",
        file: "core/text.rs",
        from: Expression("from.len() != to.len()"),
        to: "from.len() > to.len()",
        suite: nets("contracts:aes-ctr:aes_ctr/portable"),
        ..FAULT
    },
];
