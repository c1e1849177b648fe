//! Work that takes a known number of core cycles, on each architecture that is measured.
//!
//! The clock that a program can read runs at its own pace, and the core changes its pace all the
//! time. A chain of instructions that wait for each other takes the same core cycles at any pace,
//! so one before and one after each sample say how long a core cycle was.

#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{CHAIN, chain, settle, ticks, width};

#[cfg(target_arch = "aarch64")]
pub(super) use aarch64::{CHAIN, chain, settle, ticks, width};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::{asm, x86_64::_mm256_zeroupper};

    /// Core cycles of [`chain`].
    pub(crate) const CHAIN: u64 = 9000;

    /// The time-stamp counter, after all that stands before and before all that stands behind.
    pub(crate) fn ticks() -> u64 {
        let (high, low): (u64, u64);
        // SAFETY: RDTSC and LFENCE are in every x86-64 processor.
        unsafe {
            asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high,
                 options(nomem, nostack));
        }
        high << 32 | low
    }

    /// A multiplication takes three cycles on every core since Nehalem and Zen. An addition would
    /// not do: newer cores fold it into the next.
    pub(crate) fn chain() {
        // SAFETY: multiplies a register.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 30", "imul {r:e}, {r:e}", ".endr",
                 "dec {times}", "jnz 2b",
                 r = inout(reg) 3u64 => _, times = inout(reg) CHAIN / 90 => _,
                 options(nomem, nostack));
        }
    }

    /// As many instructions as the core lets through. A neighbour on the same core takes half of
    /// them, and does nothing to [`chain`], which only waits for itself.
    pub(crate) fn width() {
        // SAFETY: does nothing.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 60", "nop", ".endr", "dec {times}", "jnz 2b",
                 times = inout(reg) 300u64 => _, options(nomem, nostack));
        }
    }

    /// Leaves no half-used wide registers behind: legacy instructions after them take hundreds of
    /// cycles.
    pub(crate) fn settle() {
        if is_x86_feature_detected!("avx") {
            // SAFETY: AVX was asked for the line before.
            unsafe { _mm256_zeroupper() };
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;

    /// Core cycles of [`chain`]: long, for the clock may tick once in a hundred of them.
    pub(crate) const CHAIN: u64 = 90_000;

    /// The system counter, after all that stands before and before all that stands behind.
    pub(crate) fn ticks() -> u64 {
        let ticks;
        // SAFETY: every operating system lets programs read the counter.
        unsafe {
            asm!("isb", "mrs {ticks}, cntvct_el0", "isb", ticks = out(reg) ticks,
                 options(nomem, nostack));
        }
        ticks
    }

    /// An exclusive or of registers takes one cycle on every core.
    pub(crate) fn chain() {
        // SAFETY: computes on a register.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 90", "eor {r:w}, {r:w}, {s:w}", ".endr",
                 "subs {times}, {times}, #1", "b.ne 2b",
                 r = inout(reg) 3u64 => _, s = in(reg) 5u64,
                 times = inout(reg) CHAIN / 90 => _,
                 options(nomem, nostack));
        }
    }

    /// As many instructions as the core lets through. A neighbour on the same core takes half of
    /// them, and does nothing to [`chain`], which only waits for itself.
    pub(crate) fn width() {
        // SAFETY: does nothing.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 60", "nop", ".endr",
                 "subs {times}, {times}, #1", "b.ne 2b",
                 times = inout(reg) 3000u64 => _, options(nomem, nostack));
        }
    }

    /// Nothing is left behind by any instruction here.
    pub(crate) fn settle() {}
}
