//! Registers, which keep their last values when a function returns.
#![allow(unsafe_code)]

/// Clears the registers that a function need not preserve. Miri has none.
#[inline]
pub(super) fn clear() {
    #[cfg(all(target_arch = "x86_64", not(ropewalk_ct = "msan"), not(miri)))]
    x86_64::clear();
    #[cfg(target_arch = "aarch64")]
    aarch64::clear();
    #[cfg(target_arch = "arm")]
    arm::clear();
}

#[cfg(all(target_arch = "x86_64", not(ropewalk_ct = "msan"), not(miri)))]
mod x86_64 {
    use core::arch::asm;

    use crate::core::cpu::{Avx, Avx512F, present};

    #[inline]
    pub(super) fn clear() {
        // SAFETY: it declares the registers that it changes.
        unsafe {
            asm!(
                "xor eax, eax",
                "xor ecx, ecx",
                "xor edx, edx",
                "xor esi, esi",
                "xor edi, edi",
                "xor r8d, r8d",
                "xor r9d, r9d",
                "xor r10d, r10d",
                "xor r11d, r11d",
                out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                options(nomem, nostack),
            );
        }
        // The C library copies memory through all registers, even those of masked features.
        if present::<Avx512F>().is_some() {
            zmm16_to_31();
        }
        if present::<Avx>().is_some() { zero_all() } else { xmm() }
    }

    macro_rules! pxor {
        ($register:tt) => {
            concat!("pxor ", $register, ", ", $register)
        };
    }

    macro_rules! vpxord {
        ($register:tt) => {
            concat!("vpxord ", $register, ", ", $register, ", ", $register)
        };
    }

    /// Declares a function that clears vector registers.
    macro_rules! clear {
        ($name:ident by $instruction:ident: $($register:tt)+) => {
            #[inline]
            fn $name() {
                // SAFETY: the caller has seen a token for the instruction; it declares the registers that it changes.
                unsafe {
                    asm!(
                        $($instruction!($register),)+
                        $(out($register) _,)+
                        options(nomem, nostack, preserves_flags),
                    );
                }
            }
        };
    }

    clear! {
        xmm by pxor:
        "xmm0" "xmm1" "xmm2" "xmm3" "xmm4" "xmm5" "xmm6" "xmm7"
        "xmm8" "xmm9" "xmm10" "xmm11" "xmm12" "xmm13" "xmm14" "xmm15"
    }

    // They exist with AVX-512 only.
    clear! {
        zmm16_to_31 by vpxord:
        "zmm16" "zmm17" "zmm18" "zmm19" "zmm20" "zmm21" "zmm22" "zmm23"
        "zmm24" "zmm25" "zmm26" "zmm27" "zmm28" "zmm29" "zmm30" "zmm31"
    }

    #[inline]
    fn zero_all() {
        // SAFETY: the token for AVX was there; it declares the registers that it changes.
        unsafe {
            asm!(
                "vzeroall",
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use core::arch::asm;

    macro_rules! clear {
        ([$($general:tt)+] [$($vector:tt)+]) => {
            #[inline]
            pub(super) fn clear() {
                // SAFETY: every 64-bit Arm processor has these registers; it declares those that it changes.
                unsafe {
                    asm!(
                        $(concat!("mov ", $general, ", xzr"),)+
                        $(concat!("movi ", $vector, ".16b, #0"),)+
                        $(out($general) _,)+
                        $(out($vector) _,)+
                        options(nomem, nostack, preserves_flags),
                    );
                }
            }
        };
    }

    clear! {
        ["x0" "x1" "x2" "x3" "x4" "x5" "x6" "x7" "x8" "x9" "x10" "x11" "x12" "x13" "x14" "x15" "x16" "x17"]
        ["v0" "v1" "v2" "v3" "v4" "v5" "v6" "v7" "v8" "v9" "v10" "v11" "v12" "v13" "v14" "v15"
        "v16" "v17" "v18" "v19" "v20" "v21" "v22" "v23" "v24" "v25" "v26" "v27" "v28" "v29" "v30" "v31"]
    }
}

#[cfg(target_arch = "arm")]
mod arm {
    use core::arch::asm;

    use crate::core::cpu::{ArmNeon, present};

    macro_rules! veor {
        ($register:tt) => {
            concat!("veor ", $register, ", ", $register, ", ", $register)
        };
    }

    #[inline]
    pub(super) fn clear() {
        // SAFETY: it declares the registers that it changes.
        unsafe {
            asm!(
                "mov r0, #0",
                "mov r1, #0",
                "mov r2, #0",
                "mov r3, #0",
                "mov r12, #0",
                out("r0") _, out("r1") _, out("r2") _, out("r3") _, out("r12") _,
                options(nomem, nostack, preserves_flags),
            );
        }
        // Other code may have used them even where they are masked.
        if let Some(cpu) = present::<ArmNeon>() {
            // SAFETY: the token proves the instructions, and `neon_asm!` declares the registers.
            unsafe {
                neon_asm!(
                    cpu;
                    veor!("q0"), veor!("q1"), veor!("q2"), veor!("q3"),
                    veor!("q8"), veor!("q9"), veor!("q10"), veor!("q11"),
                    veor!("q12"), veor!("q13"), veor!("q14"), veor!("q15");
                );
            }
        }
    }
}
