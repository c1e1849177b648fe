//! Montgomery products of two numbers at a time, by VPMADD52. A product and a square have many macros in common: so this is one long
//! file.
//!
//! A number has B blocks of four words of 52 bits. The low half of a vector is a block of the first number, the high half one of the
//! second: one broadcast and one product serve both.
//!
//! The modulus is M = kN with k = −1/N mod 2^52 (Orup), so that M = −1 mod 2^52. Then the factor that makes the lowest word of a sum
//! T vanish is that word: (T + qM) / 2^52 is T / 2^52, rounded down, plus qM' with M' = (M + 1) / 2^52. Factors are below 2M, and
//! have 4(B − 1) + 1 = n words; R is 2^52n and above 4M, so that results are below 2M, too.
//!
//! A product accumulates in a window of blocks that moves by one block in four steps. A factor is kept in four copies, shifted up by
//! 0 to 3 words: word i of the other one is multiplied by copy i mod 4.

#[cfg(not(any(miri, ropewalk_ct = "msan")))]
use core::arch::asm;
use core::{arch::x86_64::*, array};

use crate::core::cpu::Avx512Ifma;

pub(super) type V = __m512i;
/// A number for each half.
pub(super) type Row<const B: usize> = [V; B];
/// The copies of a factor, or of M'.
pub(super) type Copies<const B: usize> = [Row<B>; 4];

/// A width of the kernel.
pub(super) trait Multiply: Sized {
    type Row;

    /// ab / R mod M, where `m` is M'.
    fn multiply(cpu: Avx512Ifma, a: &Self, b: &Self::Row, m: &Self, product: &mut Self);

    /// a² / R mod M.
    fn square(cpu: Avx512Ifma, a: &Self, m: &Self, product: &mut Self);
}

macro_rules! widths {
    ($( $B:literal [$($j:literal)+] [$($short:literal)+] $square:tt; )+) => { $(
        impl Multiply for Copies<$B> {
            type Row = Row<$B>;

            #[inline(always)]
            fn multiply(cpu: Avx512Ifma, a: &Self, b: &Row<$B>, m: &Self, product: &mut Self) {
                proven!(Avx512Ifma: cpu, once fn enter(a: &Copies<$B>, b: &Row<$B>, m: &Copies<$B>, product: &mut Copies<$B>) -> () {
                    product!($B [$($j)+] [$($short)+] a b m product)
                })
            }

            #[inline(always)]
            fn square(cpu: Avx512Ifma, a: &Self, m: &Self, product: &mut Self) {
                square!($square $B cpu a m product)
            }
        }
    )+ };
}

widths! {
    6 [0 1 2 3 4 5] [0 1 2 3 4] unrolled;
    9 [0 1 2 3 4 5 6 7 8] [0 1 2 3 4 5 6 7] as_product;
    11 [0 1 2 3 4 5 6 7 8 9 10] [0 1 2 3 4 5 6 7 8 9] as_product;
}

/// Four steps for each block of b, and one more. A row of aM is added two steps before its word is used, so that only the sums of the
/// lowest word depend on each other: T has the rows of a, U those of M'.
macro_rules! product {
    ($B:literal [$($j:literal)+] $short:tt $a:ident $b:ident $m:ident $product:ident) => {{
        let zero = _mm512_setzero_si512();
        let (a, m) = ($a.as_ptr().cast::<V>(), $m.as_ptr().cast::<V>());
        let (mut t, mut u) = ([zero; $B + 1], [zero; $B + 1]);
        row_of_a!($B t a [$($j)+] 0, $b[0], 0);
        row_of_a!($B t a [$($j)+] 0, $b[0], 1);
        let mut q = _mm512_permutex_epi64::<0>(t[0]);
        let mut carry = _mm512_srli_epi64::<52>(q);
        for two in $b.array_windows::<2>() {
            step!($B t u m q carry [$($j)+] $short 0);
            row_of_a!($B t a [$($j)+] 0, two[0], 2);
            step!($B t u m q carry [$($j)+] $short 1);
            row_of_a!($B t a [$($j)+] 0, two[0], 3);
            step!($B t u m q carry [$($j)+] $short 2);
            row_of_a!($B t a [$($j)+] 1, two[1], 0);
            step!($B t u m q carry [$($j)+] $short 3);
            row_of_a!($B t a [$($j)+] 1, two[1], 1);
            $( (t[$j], u[$j]) = (t[$j + 1], u[$j + 1]); )+
            (t[$B], u[$B]) = (zero, zero);
        }
        madd!("vpmadd52luq" u[0], q, m, $B);
        rest_of_m!($B u[0] m q [$($j)+] $short 0);
        t[0] = _mm512_mask_add_epi64(t[0], 0x22, t[0], carry);
        $( t[$j] = _mm512_add_epi64(t[$j], u[$j]); )+
        // Word n − 1, which is zero now.
        t[0] = _mm512_maskz_mov_epi64(0xee, t[0]);
        let sum: Row<$B> = [$( t[$j] ),+];
        *$product = copies_of_second(carried::<$B>(sum));
    }};
}

/// A square. Unrolled, each product of two different words is computed once: 389 products of vectors instead of 519. Its code is
/// too long for more than six blocks.
macro_rules! square {
    (as_product $B:literal $cpu:ident $a:ident $m:ident $product:ident) => {
        Self::multiply($cpu, $a, &$a[0], $m, $product)
    };
    (unrolled $B:literal $cpu:ident $a:ident $m:ident $product:ident) => {
        proven!(Avx512Ifma: $cpu, once fn enter($a: &Copies<6>, $m: &Copies<6>, $product: &mut Copies<6>) -> () {
            *$product = copies_of_second(carried::<6>(square_of_six($a, $m)));
        })
    };
}

/// S has the products of different words, D the squares of words: a block of the sum T is 2S + D once its rows are there.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn square_of_six(of: &Copies<6>, m: &Copies<6>) -> Row<6> {
    let zero = _mm512_setzero_si512();
    let (a, m) = (of.as_ptr().cast::<V>(), m.as_ptr().cast::<V>());
    let (mut s, mut u, mut d) = ([zero; 12], [zero; 12], [zero; 12]);
    squares_of_words!(d of 0);
    row_of_square!(s a of[0][0], 0 [0 1 2 3 4 5] 0);
    row_of_square!(s a of[0][0], 0 [0 1 2 3 4 5] 1);
    let mut t = doubled!(s d 0);
    let mut q = _mm512_permutex_epi64::<0>(t);
    let mut carry = _mm512_srli_epi64::<52>(q);
    row_of_square!(s a of[0][0], 0 [0 1 2 3 4 5] 2);
    group_of_square!(s d u t q carry a of m, 0 [0 1 2 3 4 5] 1 [1 2 3 4 5]);
    group_of_square!(s d u t q carry a of m, 1 [1 2 3 4 5] 2 [2 3 4 5]);
    group_of_square!(s d u t q carry a of m, 2 [2 3 4 5] 3 [3 4 5]);
    group_of_square!(s d u t q carry a of m, 3 [3 4 5] 4 [4 5]);
    step_of_square!(s d u t q carry m, 4 0);
    row_of_square!(s a of[0][4], 4 [4 5] 3);
    step_of_square!(s d u t q carry m, 4 1);
    squares_of_words!(d of 5);
    step_of_square!(s d u t q carry m, 4 2);
    step_of_square!(s d u t q carry m, 4 3);
    madd!("vpmadd52luq" u[5], q, m, 6);
    rest_of_m!(6 u[5] m q [0 1 2 3 4 5] [0 1 2 3 4] 0);
    t = _mm512_mask_add_epi64(t, 0x22, t, carry);
    // Word n − 1, which is zero now.
    (t, u[5]) = (_mm512_maskz_mov_epi64(0xee, t), _mm512_maskz_mov_epi64(0xee, u[5]));
    let [t6, t7, t8, t9, t10] =
        [doubled!(s d 6), doubled!(s d 7), doubled!(s d 8), doubled!(s d 9), doubled!(s d 10)];
    let t = [t, t6, t7, t8, t9, t10];
    array::from_fn(|i| _mm512_add_epi64(t[i], u[5 + i]))
}

/// Four steps, and the rows that are three steps ahead.
macro_rules! group_of_square {
    (
        $s:ident $d:ident $u:ident $t:ident $q:ident $carry:ident $a:ident $of:ident $m:ident,
        $g:literal $all:tt $next:literal $all_of_next:tt
    ) => {
        step_of_square!($s $d $u $t $q $carry $m, $g 0);
        row_of_square!($s $a $of[0][$g], $g $all 3);
        step_of_square!($s $d $u $t $q $carry $m, $g 1);
        row_of_square!($s $a $of[0][$next], $next $all_of_next 0);
        squares_of_words!($d $of $next);
        step_of_square!($s $d $u $t $q $carry $m, $g 2);
        row_of_square!($s $a $of[0][$next], $next $all_of_next 1);
        step_of_square!($s $d $u $t $q $carry $m, $g 3);
        row_of_square!($s $a $of[0][$next], $next $all_of_next 2);
    };
}

/// Step r of group g of a square, as `step` is one of a product.
macro_rules! step_of_square {
    ($s:ident $d:ident $u:ident $t:ident $q:ident $carry:ident $m:ident, $g:literal 0) => {
        step_of_square!($u $t $q $carry $m, $g 0: 0, 1, 0x22, $t)
    };
    ($s:ident $d:ident $u:ident $t:ident $q:ident $carry:ident $m:ident, $g:literal 1) => {
        step_of_square!($u $t $q $carry $m, $g 1: 0, 2, 0x44, $t)
    };
    ($s:ident $d:ident $u:ident $t:ident $q:ident $carry:ident $m:ident, $g:literal 2) => {
        step_of_square!($u $t $q $carry $m, $g 2: 0, 3, 0x88, $t)
    };
    ($s:ident $d:ident $u:ident $t:ident $q:ident $carry:ident $m:ident, $g:literal 3) => {
        step_of_square!($u $t $q $carry $m, $g 3: 1, 0, 0x11, doubled!($s $d $g + 1))
    };
    (
        $u:ident $t:ident $q:ident $carry:ident $m:ident,
        $g:literal $r:tt: $block:literal, $word:literal, $mask:literal, $sum:expr
    ) => {
        let of_step = $q;
        madd!("vpmadd52luq" $u[$g + $block], of_step, $m, 6 * $word);
        $t = $sum;
        $t = _mm512_mask_add_epi64($t, $mask, $t, $carry);
        $q = _mm512_permutex_epi64::<{ 0x55 * $word }>(_mm512_add_epi64($t, $u[$g + $block]));
        $carry = _mm512_srli_epi64::<52>($q);
        rest_of_m!(6 $u[$g] $m of_step [0 1 2 3 4 5] [0 1 2 3 4] $r);
    };
}

/// Block k of 2S + D.
macro_rules! doubled {
    ($s:ident $d:ident $k:expr) => {
        _mm512_add_epi64(_mm512_add_epi64($s[$k], $s[$k]), $d[$k])
    };
}

/// The squares of the words of block g.
macro_rules! squares_of_words {
    ($d:ident $of:ident $g:literal) => {
        let (word, zero) = ($of[0][$g], _mm512_setzero_si512());
        let (low, high) =
            (_mm512_madd52lo_epu64(zero, word, word), _mm512_madd52hi_epu64(zero, word, word));
        $d[2 * $g] =
            _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 8, 1, 9, 4, 12, 5, 13), high);
        $d[2 * $g + 1] =
            _mm512_permutex2var_epi64(low, _mm512_setr_epi64(2, 10, 3, 11, 6, 14, 7, 15), high);
    };
}

/// Adds the products of word r of block g and the words above it. The blocks begin with g: those words begin with word 2r + 1 of the
/// copy for low halves, and word 2r + 2 of the copy for high halves.
macro_rules! row_of_square {
    ($s:ident $a:ident $x:expr, $g:literal [$first:literal $($j:literal)+] 0) => {
        let word = _mm512_permutex_epi64::<0>($x);
        some!("vpmadd52luq" 0xee: $s[$g + $first], word, $a, $first);
        $( madd!("vpmadd52luq" $s[$g + $j], word, $a, $j); )+
        some!("vpmadd52huq" 0xcc: $s[$g + $first], word, $a, 6 + $first);
        $( madd!("vpmadd52huq" $s[$g + $j], word, $a, 6 + $j); )+
    };
    ($s:ident $a:ident $x:expr, $g:literal [$first:literal $($j:literal)+] 1) => {
        let word = _mm512_permutex_epi64::<0x55>($x);
        some!("vpmadd52luq" 0x88: $s[$g + $first], word, $a, 6 + $first);
        $( madd!("vpmadd52luq" $s[$g + $j], word, $a, 6 + $j); )+
        $( madd!("vpmadd52huq" $s[$g + $j], word, $a, 12 + $j); )+
    };
    ($s:ident $a:ident $x:expr, $g:literal [$done:literal $first:literal $($j:literal)*] 2) => {
        let word = _mm512_permutex_epi64::<0xaa>($x);
        some!("vpmadd52luq" 0xee: $s[$g + $first], word, $a, 12 + $first);
        $( madd!("vpmadd52luq" $s[$g + $j], word, $a, 12 + $j); )*
        some!("vpmadd52huq" 0xcc: $s[$g + $first], word, $a, 18 + $first);
        $( madd!("vpmadd52huq" $s[$g + $j], word, $a, 18 + $j); )*
    };
    ($s:ident $a:ident $x:expr, $g:literal [$done:literal $first:literal $($j:literal)*] 3) => {
        let word = _mm512_permutex_epi64::<0xff>($x);
        some!("vpmadd52luq" 0x88: $s[$g + $first], word, $a, 18 + $first);
        $( madd!("vpmadd52luq" $s[$g + $j], word, $a, 18 + $j); )*
        row!("vpmadd52huq" $s word $a, $g + 1, 0, [$first $($j)*]);
    };
}

/// Step r of a group: adds qM', and gives the next q.
macro_rules! step {
    ($B:literal $t:ident $u:ident $m:ident $q:ident $carry:ident $all:tt $short:tt 0) => {
        step!($B $t $u $m $q $carry $all $short 0: 0, 1, 0x22)
    };
    ($B:literal $t:ident $u:ident $m:ident $q:ident $carry:ident $all:tt $short:tt 1) => {
        step!($B $t $u $m $q $carry $all $short 1: 0, 2, 0x44)
    };
    ($B:literal $t:ident $u:ident $m:ident $q:ident $carry:ident $all:tt $short:tt 2) => {
        step!($B $t $u $m $q $carry $all $short 2: 0, 3, 0x88)
    };
    ($B:literal $t:ident $u:ident $m:ident $q:ident $carry:ident $all:tt $short:tt 3) => {
        step!($B $t $u $m $q $carry $all $short 3: 1, 0, 0x11)
    };
    // The block and the word of the next q, and a mask of that word.
    (
        $B:literal $t:ident $u:ident $m:ident $q:ident $carry:ident $all:tt $short:tt
        $r:tt: $block:literal, $word:literal, $mask:literal
    ) => {
        let of_step = $q;
        madd!("vpmadd52luq" $u[$block], of_step, $m, $B * $word);
        $t[$block] = _mm512_mask_add_epi64($t[$block], $mask, $t[$block], $carry);
        // VPMADD52 ignores the bits above the 52nd.
        $q = _mm512_permutex_epi64::<{ 0x55 * $word }>(_mm512_add_epi64($t[$block], $u[$block]));
        $carry = _mm512_srli_epi64::<52>($q);
        rest_of_m!($B $u[0] $m of_step $all $short $r);
    };
}

/// The products of M' and the q of step r, but the one that the next q depends on. M' has a block less than a factor, until it is
/// shifted.
macro_rules! rest_of_m {
    ($B:literal $u:ident[$base:expr] $m:ident $q:ident [$zero:literal $($j:literal)+] [$first:literal $($short:literal)+] 0) => {
        $( madd!("vpmadd52luq" $u[$base + $j], $q, $m, $B + $j); )+
        row!("vpmadd52huq" $u $q $m, $base, 2 * $B, [$zero $($j)+]);
    };
    ($B:literal $u:ident[$base:expr] $m:ident $q:ident [$zero:literal $($j:literal)+] [$first:literal $($short:literal)+] 1) => {
        row!("vpmadd52huq" $u $q $m, $base, 3 * $B, [$zero]);
        $( madd!("vpmadd52luq" $u[$base + $j], $q, $m, 2 * $B + $j); )+
        row!("vpmadd52huq" $u $q $m, $base, 3 * $B, [$($j)+]);
    };
    ($B:literal $u:ident[$base:expr] $m:ident $q:ident [$zero:literal $($j:literal)+] [$first:literal $($short:literal)+] 2) => {
        $( madd!("vpmadd52luq" $u[$base + $j], $q, $m, 3 * $B + $j); )+
        row!("vpmadd52huq" $u $q $m, $base + 1, 0, [$first $($short)+]);
    };
    ($B:literal $u:ident[$base:expr] $m:ident $q:ident [$zero:literal $($j:literal)+] [$first:literal $($short:literal)+] 3) => {
        row!("vpmadd52huq" $u $q $m, $base + 1, $B, [$zero]);
        row!("vpmadd52luq" $u $q $m, $base + 1, 0, [$($short)+]);
        row!("vpmadd52huq" $u $q $m, $base + 1, $B, [$($j)+]);
    };
}

/// Adds the product of a and one word of b: word r of a block.
macro_rules! row_of_a {
    ($B:literal $t:ident $a:ident $all:tt $block:literal, $b:expr, 0) => {
        row_of_a!($B $t $a $all $b, 0, 0: $block, 1 * $B, $block)
    };
    ($B:literal $t:ident $a:ident $all:tt $block:literal, $b:expr, 1) => {
        row_of_a!($B $t $a $all $b, 0x55, 1: $block, 2 * $B, $block)
    };
    ($B:literal $t:ident $a:ident $all:tt $block:literal, $b:expr, 2) => {
        row_of_a!($B $t $a $all $b, 0xaa, 2: $block, 3 * $B, $block)
    };
    ($B:literal $t:ident $a:ident $all:tt $block:literal, $b:expr, 3) => {
        row_of_a!($B $t $a $all $b, 0xff, 3: $block, 0, $block + 1)
    };
    // High halves have the weight of the next word.
    ($B:literal $t:ident $a:ident $all:tt $b:expr, $select:literal, $r:literal: $low:expr, $copy:expr, $high:expr) => {
        let word = _mm512_permutex_epi64::<$select>($b);
        row!("vpmadd52luq" $t word $a, $low, $r * $B, $all);
        row!("vpmadd52huq" $t word $a, $high, $copy, $all);
    };
}

macro_rules! row {
    ($madd:literal $sum:ident $x:ident $from:ident, $to:expr, $at:expr, [$($j:literal)+]) => {
        $( madd!($madd $sum[$to + $j], $x, $from, $at + $j); )+
    };
}

/// Adds a product of `x` and vector `at` of the copies. Written as assembly, since LLVM would sort the sums by their places, which
/// makes chains of dependent ones.
#[cfg(not(any(miri, ropewalk_ct = "msan")))]
macro_rules! madd {
    ($madd:literal $sum:expr, $x:expr, $from:expr, $at:expr) => {
        // SAFETY: `from` is a reference to four rows of the width, and `at` is less than their vectors; the caller has the features.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                concat!($madd, " {}, {}, [{} + {}]"),
                inout(zmm_reg) $sum, in(zmm_reg) $x, in(reg) $from, const 64 * ($at),
                options(nostack, preserves_flags, readonly)
            );
        }
    };
}

/// The same in the lanes of a mask.
#[cfg(not(any(miri, ropewalk_ct = "msan")))]
macro_rules! some {
    ($madd:literal $mask:literal: $sum:expr, $x:expr, $from:expr, $at:expr) => {
        // SAFETY: as in `madd`.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                concat!($madd, " {}{{{}}}, {}, [{} + {}]"),
                inout(zmm_reg) $sum, in(kreg) $mask as __mmask8, in(zmm_reg) $x, in(reg) $from, const 64 * ($at),
                options(nostack, preserves_flags, readonly)
            );
        }
    };
}

// MemorySanitizer takes operands of assembly for used, and Miri has none.
#[cfg(any(miri, ropewalk_ct = "msan"))]
macro_rules! madd {
    ($madd:literal $sum:expr, $x:expr, $from:expr, $at:expr) => {{
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let y = unsafe { *$from.wrapping_add($at) };
        $sum = match $madd {
            "vpmadd52luq" => _mm512_madd52lo_epu64($sum, $x, y),
            _ => _mm512_madd52hi_epu64($sum, $x, y),
        };
    }};
}

#[cfg(any(miri, ropewalk_ct = "msan"))]
macro_rules! some {
    ($madd:literal $mask:literal: $sum:expr, $x:expr, $from:expr, $at:expr) => {{
        let mut sum = $sum;
        madd!($madd sum, $x, $from, $at);
        $sum = _mm512_mask_mov_epi64($sum, $mask, sum);
    }};
}

use {
    doubled, group_of_square, madd, product, rest_of_m, row, row_of_a, row_of_square, some, square,
    squares_of_words, step, step_of_square,
};

/// The words of sums of products, with 52 bits each: each half is a number below 2^52 to the power of its words.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn carried<const B: usize>(mut t: Row<B>) -> Row<B> {
    let (zero, word) = (_mm512_setzero_si512(), _mm512_set1_epi64((1 << 52) - 1));
    let up = _mm512_setr_epi64(11, 0, 1, 2, 15, 4, 5, 6);
    let mut before = zero;
    let (mut above, mut full) = (0_u128, 0_u128);
    for (i, t) in t.iter_mut().enumerate() {
        let carry = _mm512_srli_epi64::<52>(*t);
        *t = _mm512_add_epi64(
            _mm512_and_si512(*t, word),
            _mm512_permutex2var_epi64(carry, up, before),
        );
        before = carry;
        above |= u128::from(_mm512_cmpgt_epu64_mask(*t, word)) << (8 * i);
        full |= u128::from(_mm512_cmpeq_epu64_mask(*t, word)) << (8 * i);
    }
    // A word that is above the mask, or full and given a carry, adds one to the next. An addition of bits ripples through; the bits
    // of the other half let it pass.
    const LOW: u128 = 0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f;
    const HIGH: u128 = LOW << 4;
    let [low, high] = [full | HIGH, full | LOW];
    let of_low = (((above & LOW) << 1).wrapping_add(low)) ^ low;
    let of_high = (((above & HIGH) << 1).wrapping_add(high)) ^ high;
    let carries = (of_low & LOW) | (of_high & HIGH);
    let one = _mm512_set1_epi64(1);
    array::from_fn(|i| {
        let sum = _mm512_mask_add_epi64(t[i], (carries >> (8 * i)) as u8, t[i], one);
        _mm512_and_si512(sum, word)
    })
}

/// The copies of a number that is shifted up by one word.
#[inline]
#[target_feature(enable = "avx512f")]
fn copies_of_second<const B: usize>(second: Row<B>) -> Copies<B> {
    let zero = _mm512_setzero_si512();
    let down = _mm512_setr_epi64(1, 2, 3, 8, 5, 6, 7, 12);
    let up = _mm512_setr_epi64(11, 0, 1, 2, 15, 4, 5, 6);
    let twice_up = _mm512_setr_epi64(10, 11, 0, 1, 14, 15, 4, 5);
    let mut copies = [[zero; B]; 4];
    let mut before = zero;
    for i in 0..B {
        let next = if i + 1 < B { second[i + 1] } else { zero };
        copies[0][i] = _mm512_permutex2var_epi64(second[i], down, next);
        copies[1][i] = second[i];
        copies[2][i] = _mm512_permutex2var_epi64(second[i], up, before);
        copies[3][i] = _mm512_permutex2var_epi64(second[i], twice_up, before);
        before = second[i];
    }
    copies
}

/// The copies of a number.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn copies<const B: usize>(first: &Row<B>) -> Copies<B> {
    let up = _mm512_setr_epi64(11, 0, 1, 2, 15, 4, 5, 6);
    let mut copies = [*first; 4];
    for shift in 1..4 {
        let mut before = _mm512_setzero_si512();
        for i in 0..B {
            let block = copies[shift - 1][i];
            copies[shift][i] = _mm512_permutex2var_epi64(block, up, before);
            before = block;
        }
    }
    copies
}
