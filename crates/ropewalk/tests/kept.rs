//! Registers that a function keeps for its caller (procedure call standard for the Arm architecture, section 6.1): assembly that
//! changes one would give wrong results to other code, without a failure here.
#![cfg(target_arch = "arm")]
#![allow(unsafe_code)]

use std::{arch::asm, ptr};

use ropewalk::{PRIMITIVES, backend::Primitive};

/// r4 to r11, then d8 to d15.
const KEPT: usize = 8 + 16;

/// Calls a function with a pattern in each register that it must keep, and returns what is in them afterwards.
fn seen_after<T>(function: extern "C" fn(&mut T), argument: &mut T) -> [u32; KEPT] {
    let mut seen = [0; KEPT];
    // SAFETY: the function is called by its convention, with the stack aligned; the text keeps what it overwrites.
    unsafe {
        asm!(
            ".fpu neon",
            "push {{r4-r11}}",
            "vpush {{d8-d15}}",
            "push {{r1, r2}}",
            "mov r4, #0x40", "mov r5, #0x50", "mov r6, #0x60", "mov r7, #0x70",
            "mov r8, #0x80", "mov r9, #0x90", "mov r10, #0xa0", "mov r11, #0xb0",
            "vdup.32 q4, r4", "vdup.32 q5, r5", "vdup.32 q6, r6", "vdup.32 q7, r7",
            "blx r12",
            "pop {{r1, r2}}",
            "stmia r1!, {{r4-r11}}",
            "vstmia r1!, {{d8-d15}}",
            "vpop {{d8-d15}}",
            "pop {{r4-r11}}",
            ".fpu vfpv3",
            inout("r0") ptr::from_mut(argument) => _,
            inout("r1") seen.as_mut_ptr() => _,
            in("r2") 0,
            in("r12") function,
            clobber_abi("C"),
        );
    }
    seen
}

/// The names of the registers that were not kept.
fn changed(seen: [u32; KEPT]) -> Vec<String> {
    let expected = |i: usize| if i < 8 { 0x40 + 16 * i } else { 0x40 + 16 * ((i - 8) / 4) };
    let name =
        |i: usize| if i < 8 { format!("r{}", i + 4) } else { format!("d{}", 8 + (i - 8) / 2) };
    let mut names: Vec<_> =
        (0..KEPT).filter(|&i| seen[i] as usize != expected(i)).map(name).collect();
    names.dedup();
    names
}

/// Whether this processor has NEON: the test itself uses it.
fn has_neon() -> bool {
    ropewalk::cpu::FEATURES.iter().any(|feature| feature.arch == "arm" && feature.present())
}

#[test]
fn every_backend_keeps_them() {
    extern "C" fn test((primitive, name): &mut (&Primitive, &str)) {
        assert_eq!((primitive.self_test)(name), Ok(true), "{name}");
    }
    if !has_neon() {
        return;
    }
    for primitive in PRIMITIVES {
        for info in primitive.backends.iter().filter(|info| (info.available)()) {
            let seen = seen_after(test, &mut (primitive, info.name));
            assert_eq!(changed(seen), [""; 0], "{} of {}", info.name, primitive.name);
        }
    }
}

/// What the test is for: the compiler ignores q registers as outputs.
#[test]
fn function_that_keeps_none_is_seen() {
    extern "C" fn forgets(_: &mut ()) {
        // SAFETY: there is NEON. The registers are not kept, which is the point; nothing between here and the caller uses them.
        unsafe {
            asm!(".fpu neon", "veor q4, q4, q4", "veor q7, q7, q7", ".fpu vfpv3", out("q4") _, out("q7") _)
        }
    }
    if has_neon() {
        assert_eq!(changed(seen_after(forgets, &mut ())), ["d8", "d9", "d14", "d15"]);
    }
}
