//! Rounds of SHA-2 on one message in general registers (FIPS 180-4, sections 6.2.2 and 6.4.2), with its notation.

use core::ops::BitXor;

/// The working variables a … h, and a value that one round passes to the next.
#[derive(Clone, Copy)]
pub(crate) struct Working<T> {
    pub(crate) state: [T; 8],
    /// b ^ c, for Maj.
    pub(crate) bc: T,
}

impl<T: Copy + BitXor<Output = T>> Working<T> {
    #[inline(always)]
    pub(crate) fn new(state: [T; 8]) -> Self {
        Self { state, bc: state[1] ^ state[2] }
    }
}

/// Declares a round, given W_t + K_t, in instructions of x86-64: for words in registers with such names, with the rotations of Σ1
/// and of Σ0, by `rorx` where there is BMI2.
///
/// Rotations have two of the five ports of additions. Compilers place those of a Σ next to each other, where they compete, and
/// delay everything else. Here they are as far apart as possible without lengthening the critical path: of some thousands of
/// orders, none is faster, and the compiler's order takes a third longer.
#[cfg(target_arch = "x86_64")]
macro_rules! round {
    ($round:ident needs $feature:literal, $T:ident, $r:literal, $ror:ident, [$e1:literal $e2:literal $e3:literal], [$a1:literal $a2:literal $a3:literal]) => {
        #[inline]
        #[target_feature(enable = $feature)]
        #[cfg_attr(ropewalk_ct = "msan", allow(unreachable_code))]
        #[allow(unsafe_code)]
        pub(super) fn $round(working: crate::hashes::sha2::Working<$T>, wk: $T) -> crate::hashes::sha2::Working<$T> {
            // MemorySanitizer does not track assembly.
            #[cfg(ropewalk_ct = "msan")]
            return crate::hashes::sha2::Working::new(round(working.state, wk));
            let crate::hashes::sha2::Working { state: [a, b, c, mut d, e, f, g, h], bc } = working;
            let mut h = h.wrapping_add(wk);
            let ab;
            // SAFETY: it only writes to its operands.
            unsafe {
                crate::core::lines::lines! {
                    $r, [$ror s e $e1] [$ror t e $e2] [xor s t] [mov t f] [xor t g] [and t e] [xor t g] [add h t]
                        [$ror t e $e3] [xor s t] [add h s] [add d h]
                        [$ror s a $a1] [mov ab a] [xor ab b] [and bc ab] [xor bc b] [$ror t a $a2] [xor s t]
                        [$ror t a $a3] [xor s t] [add h bc] [add h s];
                    a = in(reg) a, b = in(reg) b, d = inout(reg) d, e = in(reg) e, f = in(reg) f, g = in(reg) g,
                    h = inout(reg) h, bc = inout(reg) bc => _, ab = out(reg) ab, s = out(reg) _, t = out(reg) _,
                    options(nomem, nostack),
                }
            }
            crate::hashes::sha2::Working { state: [h, a, b, c, d, e, f, g], bc: ab }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use round;
