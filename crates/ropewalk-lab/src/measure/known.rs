//! Work that takes a known number of core cycles, on each architecture that is measured.
//!
//! The clock that a program can read runs at its own pace, and the core changes its pace all the
//! time. A chain of instructions that wait for each other takes the same core cycles at any pace,
//! so one before and one after each sample say how long a core cycle was.
//!
//! Each loop is here once, and a function of its own. The time of the wide one depends on its address, so
//! figures compare only if they come from the same copy.

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

    /// 300 times 10 multiplications, of three cycles on every core since Nehalem and Zen. On 32 bits: on 64, some
    /// processors take longer. Additions would not do: newer cores fold one into the next.
    ///
    /// It waits for nothing but itself, so a neighbour on the same core leaves it alone.
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

    /// As many instructions as the front end lets through, of which a neighbour on the same core takes half. What
    /// it takes depends on where the loop lies, on Zen 5 by more than a neighbour takes: so it starts a line of 64
    /// bytes, and fills it. With a byte more, Zen 4 takes 5.7 cycles a turn and not 5.1.
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
                // By its name, for others may take a byte more.
                inout("ecx") 300u32 => _,
                options(nomem, nostack),
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::arch::asm;

    /// Core cycles of [`chain`]: long, for the clock may tick once in a hundred of them.
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

    /// As many instructions as the core lets through. A neighbour on the same core takes half of
    /// them, and does nothing to [`chain`], which only waits for itself.
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
