//! Work that takes a known number of core cycles, on each architecture that is measured.
//!
//! The clock that a program can read has a constant rate, and the frequency of the core changes all the time.
//! A chain of dependent instructions takes the same core cycles at any frequency, so one before and one after
//! each sample measure the length of a core cycle.
//!
//! Each loop is here once, as a separate function. The time of the wide one depends on its address, so
//! figures are comparable only if they come from the same copy.

#[cfg(target_arch = "x86_64")]
pub use x86_64::{CHAIN, chain, wide};

#[cfg(target_arch = "aarch64")]
pub use aarch64::{CHAIN, chain, wide};

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use nowhere::{CHAIN, chain, wide};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::asm;

    /// Core cycles of [`chain`].
    pub const CHAIN: u64 = 9000;

    /// 300 times 10 multiplications, of three cycles on every core since Nehalem and Zen. On 32 bits: with
    /// 64, some processors take longer. Additions are not suitable: newer cores fuse them.
    ///
    /// It depends only on itself, so another thread on the same core does not affect it.
    #[inline(never)]
    pub fn chain() {
        // SAFETY: changes two registers, both declared.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 10",
                "imul {product:e}, {product:e}",
                ".endr",
                "dec {left:e}",
                "jnz 2b",
                product = inout(reg) 3u32 => _,
                left = inout(reg) 300u32 => _,
                options(nomem, nostack),
            );
        }
    }

    /// As many instructions as the front end decodes; another thread on the same core takes half of them. Its
    /// time depends on the address of the loop, on Zen 5 by more than the effect of another thread: so it
    /// starts a line of 64 bytes, and fills it. With one byte more, Zen 4 takes 5.7 instead of 5.1 cycles an
    /// iteration.
    #[inline(never)]
    pub fn wide() {
        // SAFETY: changes one register, which is declared.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 60",
                "nop",
                ".endr",
                "dec ecx",
                "jnz 2b",
                // A fixed register, since others may take a byte more.
                inout("ecx") 300u32 => _,
                options(nomem, nostack),
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;

    /// Core cycles of [`chain`]: long, since the clock may tick once in a hundred of them.
    pub const CHAIN: u64 = 90_000;

    /// An exclusive or of registers takes one cycle on every core.
    #[inline(never)]
    pub fn chain() {
        // SAFETY: computes on registers, which are declared.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 90", "eor {r:w}, {r:w}, {s:w}", ".endr",
                 "subs {times}, {times}, #1", "b.ne 2b",
                 r = inout(reg) 3u64 => _, s = in(reg) 5u64,
                 times = inout(reg) CHAIN / 90 => _,
                 options(nomem, nostack));
        }
    }

    /// As many instructions as the core decodes. Another thread on the same core takes half of them, and does
    /// not affect [`chain`], which depends only on itself.
    #[inline(never)]
    pub fn wide() {
        // SAFETY: changes one register, which is declared.
        unsafe {
            asm!(".p2align 6", "2:", ".rept 60", "nop", ".endr",
                 "subs {times}, {times}, #1", "b.ne 2b",
                 times = inout(reg) 3000u64 => _, options(nomem, nostack));
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod nowhere {
    /// Core cycles of [`chain`].
    pub const CHAIN: u64 = 1;
    /// Not available here.
    pub fn chain() {}
    /// Not available here.
    pub fn wide() {}
}
