//! Rounds of one message on words, with the schedule interleaved between their instructions.
//!
//! A step of the schedule is as many instructions as a round. Placed as a whole between two rounds, they are issued when no round
//! waits, and then rounds wait for them. One after each two instructions of a round, they fill idle slots. Compilers do not place
//! them there. A round has 22 instructions for four ports, two of which execute rotations, and as many as in `sha2.rs`; but that
//! order is for Intel's processors and takes 7.0 cycles on Zen 3. This one, found by a search there, takes 6.1, and 6.3 with a
//! step in each two rounds, where the other takes 7.4.

use super::rounds::Working;

/// Declares two rounds with the next step of the schedule, for vectors in such registers.
macro_rules! among {
    ($features:literal, one) => {
        pairs::among! { $features, xmm_reg "x" }
    };
    ($features:literal, two) => {
        pairs::among! { $features, ymm_reg "y" }
    };
    ($features:literal, $reg:ident $v:literal) => {
        among::two_rounds! { $features }

        /// A round, interleaved with the part of the step that does not need the newest words.
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        fn round_and_half(s: Working, wk: u64, mut w16: V, w14: V, w8: V, w6: V) -> (Working, V) {
            let s = among::round! {
                s, wk, $v,
                [mov ab a] [mov t f] [v palignr x w14 w16 8] [and t e] [rorx u e 18] [v palignr y w6 w8 8]
                    [rorx s e 41] [add h t] [v psrlq z x 1] [xor s u] [rorx u e 14] [v psllq q x 63] [andn t e g]
                    [v por z z q] [xor s u] [rorx u a 39] [v paddq w16 w16 y] [add h t] [rorx t a 34]
                    [v psrlq q x 8] [xor ab b] [add h s] [v psllq y x 56] [rorx s a 28] [v por q q y] [xor t u]
                    [and bc ab] [v psrlq x x 7] [add d h] [xor t s] [v pxor z z q] [add h t] [xor bc b]
                    [v pxor z z x] [add h bc] [v paddq w16 w16 z];
                w16 = inout($reg) w16, w14 = in($reg) w14, w8 = in($reg) w8, w6 = in($reg) w6,
                u = out(reg) _, x = out($reg) _, y = out($reg) _, z = out($reg) _, q = out($reg) _, options(pure, nomem, nostack),
            };
            (s, w16)
        }

        /// A round, interleaved with σ1 of the newest words.
        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        fn round_and_rest(s: Working, wk: u64, mut w16: V, w2: V) -> (Working, V) {
            let s = among::round! {
                s, wk, $v,
                [mov ab a] [mov t f] [and t e] [v psrlq x w2 19] [rorx u e 18] [rorx s e 41] [v psllq y w2 45]
                    [add h t] [xor s u] [v por x x y] [rorx u e 14] [andn t e g] [xor s u] [v psrlq z w2 61]
                    [rorx u a 39] [add h t] [v psllq q w2 3] [rorx t a 34] [xor ab b] [v por z z q] [add h s]
                    [rorx s a 28] [xor t u] [v psrlq y w2 6] [and bc ab] [add d h] [v pxor x x z] [xor t s]
                    [add h t] [v pxor x x y] [xor bc b] [add h bc] [v paddq w16 w16 x];
                w16 = inout($reg) w16, w2 = in($reg) w2,
                u = out(reg) _, x = out($reg) _, y = out($reg) _, z = out($reg) _, q = out($reg) _, options(pure, nomem, nostack),
            };
            (s, w16)
        }
    };
}
pub(super) use among;

/// The same in the order for Intel's processors, with AVX-512: rotations, and three-way XOR.
macro_rules! among_512 {
    ($features:literal, two) => {
        among::two_rounds! { $features }

        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        fn round_and_half(s: Working, wk: u64, mut w16: V, w14: V, w8: V, w6: V) -> (Working, V) {
            let s = among::round! {
                s, wk, "y",
                [rorx s e 14] [v palignr x w14 w16 8] [rorx t e 18] [xor s t] [v palignr y w6 w8 8] [mov t f] [xor t g]
                    [v prorq z x 1] [and t e] [xor t g] [v prorq q x 8] [add h t] [rorx t e 41] [v psrlq x x 7] [xor s t]
                    [add h s] [add d h] [v pternlogq z q x 0x96] [rorx s a 28] [mov ab a] [xor ab b] [v paddq w16 w16 y]
                    [and bc ab] [xor bc b] [rorx t a 34] [xor s t] [v paddq w16 w16 z] [rorx t a 39] [xor s t] [add h bc] [add h s];
                w16 = inout(ymm_reg) w16, w14 = in(ymm_reg) w14, w8 = in(ymm_reg) w8, w6 = in(ymm_reg) w6,
                x = out(ymm_reg) _, y = out(ymm_reg) _, z = out(ymm_reg) _, q = out(ymm_reg) _, options(nomem, nostack),
            };
            (s, w16)
        }

        #[inline]
        #[target_feature(enable = $features)]
        #[allow(unsafe_code)]
        fn round_and_rest(s: Working, wk: u64, mut w16: V, w2: V) -> (Working, V) {
            let s = among::round! {
                s, wk, "y",
                [rorx s e 14] [rorx t e 18] [v prorq x w2 19] [xor s t] [mov t f] [xor t g] [and t e] [v prorq y w2 61]
                    [xor t g] [add h t] [rorx t e 41] [v psrlq z w2 6] [xor s t] [add h s] [add d h] [rorx s a 28]
                    [v pternlogq x y z 0x96] [mov ab a] [xor ab b] [and bc ab] [xor bc b] [v paddq w16 w16 x]
                    [rorx t a 34] [xor s t] [rorx t a 39] [xor s t] [add h bc] [add h s];
                w16 = inout(ymm_reg) w16, w2 = in(ymm_reg) w2,
                x = out(ymm_reg) _, y = out(ymm_reg) _, z = out(ymm_reg) _, options(nomem, nostack),
            };
            (s, w16)
        }
    };
}
pub(super) use among_512;

/// Declares the combination of both parts of a step.
macro_rules! two_rounds {
    ($features:literal) => {
        /// Two rounds, and W_t and W_t+1 of each block from those before it: of words 16, 14, 8, 6 and 2 back.
        #[inline]
        #[target_feature(enable = $features)]
        fn two_rounds_beside(
            s: Working,
            sums: &[u64; 2],
            w16: V,
            w14: V,
            w8: V,
            w6: V,
            w2: V,
        ) -> (Working, V) {
            let (s, w) = round_and_half(s, sums[0], w16, w14, w8, w6);
            round_and_rest(s, sums[1], w, w2)
        }
    };
}
pub(super) use two_rounds;

/// Declares a round, given W_t + K_t, from such instructions.
macro_rules! round {
    ($working:ident, $wk:ident, $v:literal, $([$($line:tt)+])+; $($operands:tt)*) => {{
        let Working { state: [a, b, c, mut d, e, f, g, h], bc } = $working;
        let mut h = h.wrapping_add($wk);
        let ab;
        // SAFETY: it only writes to its operands.
        unsafe {
            crate::core::lines::lines! {
                "r" $v, $([$($line)+])+;
                a = in(reg) a, b = in(reg) b, d = inout(reg) d, e = in(reg) e, f = in(reg) f, g = in(reg) g,
                h = inout(reg) h, bc = inout(reg) bc => _, ab = out(reg) ab, s = out(reg) _, t = out(reg) _,
                $($operands)*
            }
        }
        Working { state: [h, a, b, c, d, e, f, g], bc: ab }
    }};
}
pub(super) use round;

/// One round, given W_t + K_t.
#[inline]
#[target_feature(enable = "bmi1,bmi2")]
#[allow(unsafe_code)]
pub(super) fn round_alone(working: Working, wk: u64) -> Working {
    round! {
        working, wk, "x",
        [mov ab a] [mov t f] [and t e] [rorx u e 18] [rorx s e 41] [add h t] [xor s u] [rorx u e 14] [andn t e g]
            [xor s u] [rorx u a 39] [add h t] [rorx t a 34] [xor ab b] [add h s] [rorx s a 28] [xor t u] [and bc ab]
            [add d h] [xor t s] [add h t] [xor bc b] [add h bc];
        u = out(reg) _, options(pure, nomem, nostack),
    }
}
