//! The clock that a program can read, in its own ticks, and what must precede the next reading.

#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{settle, ticks};

#[cfg(target_arch = "aarch64")]
pub(super) use aarch64::{settle, ticks};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::{asm, x86_64::_mm256_zeroupper};

    /// Reads the time-stamp counter, after all instructions before it and before all that follow.
    pub(crate) fn ticks() -> u64 {
        let (high, low): (u64, u64);
        // SAFETY: RDTSC and LFENCE are in every x86-64 processor.
        unsafe {
            asm!("lfence", "rdtsc", "lfence", out("rax") low, out("rdx") high,
                 options(nomem, nostack));
        }
        high << 32 | low
    }

    /// Clears the upper halves of wide registers: otherwise legacy instructions after them take hundreds of
    /// cycles.
    pub(crate) fn settle() {
        if is_x86_feature_detected!("avx") {
            // SAFETY: AVX was detected in the line before.
            unsafe { _mm256_zeroupper() };
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;

    /// Reads the system counter, after all instructions before it and before all that follow.
    pub(crate) fn ticks() -> u64 {
        let ticks;
        // SAFETY: every operating system allows programs to read the counter.
        unsafe {
            asm!("isb", "mrs {ticks}, cntvct_el0", "isb", ticks = out(reg) ticks,
                 options(nomem, nostack));
        }
        ticks
    }

    /// No instruction here leaves such a state.
    pub(crate) fn settle() {}
}
