//! Sums of words in carry chains. LLVM would break these up, and keep carries in registers.

use core::arch::asm;

use super::super::{
    Block,
    state::{Carries, Number, Plain, Product, fold, plus},
};

/// Carries stay in the flag.
#[derive(Clone, Copy)]
pub(crate) struct Flags;

impl Carries for Flags {
    #[inline(always)]
    fn sum(product: Product) -> Number {
        if cfg!(ropewalk_ct = "msan") {
            return Plain::sum(product);
        }
        let Product { words: [mut d0, mut d1, mut d2], middle: [a, b], fives } = product;
        // SAFETY: additions of registers, and nothing else.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                "add {d1}, {a}",
                "adc {d2}, 0",
                "add {d0}, {fives}",
                "adc {d1}, {b}",
                "adc {d2}, 0",
                d0 = inout(reg) d0, d1 = inout(reg) d1, d2 = inout(reg) d2,
                a = in(reg) a, b = in(reg) b, fives = in(reg) fives,
                options(pure, nomem, nostack),
            );
        }
        [d0, d1, d2]
    }

    #[inline(always)]
    fn sum_with(product: Product, block: u128) -> Number {
        if cfg!(ropewalk_ct = "msan") {
            return Plain::sum_with(product, block);
        }
        let Product { words: [mut d0, mut d1, mut d2], middle: [a, b], fives } = product;
        // The critical path comes last.
        // SAFETY: as above.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                "add {d0}, {low}",
                "adc {d1}, {a}",
                "adc {d2}, 1",
                "add {d1}, {high}",
                "adc {d2}, 0",
                "add {d0}, {fives}",
                "adc {d1}, {b}",
                "adc {d2}, 0",
                d0 = inout(reg) d0, d1 = inout(reg) d1, d2 = inout(reg) d2,
                a = in(reg) a, b = in(reg) b, fives = in(reg) fives,
                low = in(reg) block as u64, high = in(reg) (block >> 64) as u64,
                options(pure, nomem, nostack),
            );
        }
        [d0, d1, d2]
    }

    #[inline(always)]
    fn tag(h: Number, s: u128) -> u128 {
        if cfg!(ropewalk_ct = "msan") {
            return Plain::tag(h, s);
        }
        let [mut h0, mut h1, mut h2] = h;
        let (mut more0, mut more1) = (h0, h1);
        // Adding five gives the remainder, if it sets bit 130.
        // SAFETY: as above.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                "add {more0}, 5",
                "adc {more1}, 0",
                "adc {h2}, 0",
                "shr {h2}, 2",
                "cmovnz {h0}, {more0}",
                "cmovnz {h1}, {more1}",
                "add {h0}, {s0}",
                "adc {h1}, {s1}",
                h0 = inout(reg) h0, h1 = inout(reg) h1, h2 = inout(reg) h2,
                more0 = inout(reg) more0, more1 = inout(reg) more1,
                s0 = in(reg) s as u64, s1 = in(reg) (s >> 64) as u64,
                options(pure, nomem, nostack),
            );
        }
        let _ = (h2, more0, more1);
        u128::from(h1) << 64 | u128::from(h0)
    }
}

/// The tag of a sum of words, whose first word is extended by `more`, and of s.
#[inline(always)]
pub(super) fn tag_of_sum([h0, h1, h2]: Number, more: [u64; 2], s: [u64; 2]) -> Block {
    let whole = |[low, high]: [u64; 2]| u128::from(high) << 64 | u128::from(low);
    if cfg!(ropewalk_ct = "msan") {
        let h = fold(plus([h0, h1, h2], whole(more), 0));
        return Plain::tag(h, whole(s)).to_le_bytes();
    }
    let [mut low, mut high] = [h0, h1];
    // Its quotient by 2^130 − 5 is the number of 2^130 in it after adding five for each of these, and five more.
    // SAFETY: additions of registers, and nothing else.
    #[allow(unsafe_code)]
    unsafe {
        asm!(
            "add {low}, {a}",
            "adc {high}, {b}",
            "adc {top}, 0",
            "mov {a}, {top}",
            "shr {a}, 2",
            "lea {a}, [{a} + 4 * {a} + 5]",
            "mov {b}, {high}",
            "add {a}, {low}",
            "adc {b}, 0",
            "adc {top}, 0",
            "shr {top}, 2",
            "lea {top}, [{top} + 4 * {top}]",
            "add {low}, {s0}",
            "adc {high}, {s1}",
            "add {low}, {top}",
            "adc {high}, 0",
            low = inout(reg) low, high = inout(reg) high, top = inout(reg) h2 => _,
            a = inout(reg) more[0] => _, b = inout(reg) more[1] => _,
            s0 = in(reg) s[0], s1 = in(reg) s[1],
            options(pure, nomem, nostack),
        );
    }
    whole([low, high]).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Carries through all words, from any word, or none.
    #[test]
    fn equal_plain() {
        const WORDS: [u64; 5] = [0, 1, 5, !4, !0];
        let mut at = 0;
        let mut next = |mask: u64| {
            at += 1;
            WORDS[(at * at / 3 + at / 7) % 5] & mask
        };
        for _ in 0..10_000 {
            let (words, middle) = ([next(!0), next(!0), next(3)], [next(!0), next(!0)]);
            let fives = next(!0);
            let product = || Product { words, middle, fives };
            let block = u128::from(next(!0)) << 64 | u128::from(next(!0));
            assert_eq!(Flags::sum(product()), Plain::sum(product()));
            assert_eq!(Flags::sum_with(product(), block), Plain::sum_with(product(), block));
            assert_eq!(Flags::tag(words, block), Plain::tag(words, block));
        }
    }

    /// Sums of any multiple of 2^130 − 5, slightly more or less.
    #[test]
    fn tags_of_sums() {
        let p = |times: u64| {
            let (low, above) = (0_u128.wrapping_sub((5 * times).into()), (times << 2) - 1);
            [low as u64, (low >> 64) as u64, above]
        };
        for times in [1, 2, 3, 1000, 1 << 14] {
            for more in [[0, 0], [1, 0], [4, 0], [5, 0], [!0, 0], [!5, !0], [!4, !0], [!0, !0]] {
                for s in [[0, 0], [!0, !0], [1 << 63, 7]] {
                    let sum = plus(p(times), u128::from(more[1]) << 64 | u128::from(more[0]), 0);
                    let s_whole = u128::from(s[1]) << 64 | u128::from(s[0]);
                    let tag = Plain::tag(fold(sum), s_whole).to_le_bytes();
                    assert_eq!(tag_of_sum(p(times), more, s), tag, "{times} {more:x?}");
                }
            }
        }
    }
}
