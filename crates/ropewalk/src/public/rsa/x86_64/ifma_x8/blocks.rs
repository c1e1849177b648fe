//! Montgomery products of eight numbers at a time, by VPMADD52.
//!
//! A vector is a word of 52 bits of each number; ten of them are a block. A product is computed by columns of blocks: the ten
//! columns from 10K on are the sum of all blocks I and J with I + J = K, and of the upper half of the columns before. Twenty
//! accumulators stay in registers.
//!
//! Words may have bits above the 52nd, which have been added to the next word: VPMADD52 ignores them. Factors are below 2m and R is
//! above 4m, so that results are below 2m, too.

#[cfg(not(any(miri, ropewalk_ct = "msan")))]
use core::arch::asm;
use core::arch::x86_64::*;

pub(super) type V = __m512i;
/// Words of a block.
pub(super) const WORDS: usize = 10;
pub(super) type Block = [V; WORDS];
/// Blocks of the longest number: 4160 bits.
pub(super) const MOST: usize = 8;

/// What a kernel keeps in memory: the factors q of blocks, and columns while others are doubled.
pub(super) struct Room {
    q: [Block; MOST],
    columns: Block,
}

impl Room {
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn new() -> Self {
        let zero = [_mm512_setzero_si512(); WORDS];
        Self { q: [zero; MOST], columns: zero }
    }
}

/// The moduli, and −1/m mod 2^52 of each.
pub(super) struct Moduli<'a> {
    pub(super) m: &'a [Block],
    pub(super) k: V,
}

macro_rules! kernels {
    ($all:tt) => {
        /// ab / R mod m. All numbers have as many blocks.
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512ifma")]
        pub(super) fn multiply(product: &mut [Block], a: &[Block], b: &[Block], moduli: &Moduli<'_>, room: &mut Room) {
            let blocks = moduli.m.len();
            let mut t = [_mm512_setzero_si512(); 2 * WORDS];
            let mut carry = _mm512_setzero_si512();
            for k in 0..2 * blocks - 1 {
                for (x, y) in pairs(b, a, k) {
                    rows!(t x y $all);
                }
                known_q!(t moduli room k $all);
                if k < blocks {
                    reduce!(t moduli room.q[k] $all);
                } else {
                    output!(t carry product[k - blocks] $all);
                }
                shift!(t $all);
            }
            output!(t carry product[blocks - 1] $all);
        }

        /// a² / R mod m.
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512ifma")]
        pub(super) fn square(product: &mut [Block], a: &[Block], moduli: &Moduli<'_>, room: &mut Room) {
            let blocks = moduli.m.len();
            let zero = _mm512_setzero_si512();
            let mut t = [zero; 2 * WORDS];
            let mut carry = zero;
            for k in 0..2 * blocks - 1 {
                // Products of two different words are added once, and doubled.
                keep!(t room $all);
                let (below, above) = (&a[k.saturating_sub(blocks - 1)..k.div_ceil(2)], &a[k / 2 + 1..(k + 1).min(blocks)]);
                for (x, y) in below.iter().zip(above.iter().rev()) {
                    rows!(t x y $all);
                }
                if k.is_multiple_of(2) {
                    triangle!(t a[k / 2] $all);
                }
                double!(t room $all);
                if k.is_multiple_of(2) {
                    squares!(t a[k / 2] $all);
                }
                known_q!(t moduli room k $all);
                if k < blocks {
                    reduce!(t moduli room.q[k] $all);
                } else {
                    output!(t carry product[k - blocks] $all);
                }
                shift!(t $all);
            }
            output!(t carry product[blocks - 1] $all);
        }
    };
}

/// Blocks x and y whose places have the sum k.
#[inline(always)]
fn pairs<'a>(
    x: &'a [Block],
    y: &'a [Block],
    k: usize,
) -> impl Iterator<Item = (&'a Block, &'a Block)> {
    let first = (k + 1).saturating_sub(y.len());
    x[first..].iter().zip(y[..k - first + 1].iter().rev())
}

/// Adds the products of m and those q that are known before column block k.
macro_rules! known_q {
    ($t:ident $moduli:ident $room:ident $k:ident $all:tt) => {
        let known = &$room.q[..$k.min($moduli.m.len())];
        // The block of the new q is not among them: its places have the sum k, too.
        let m = &$moduli.m[1..($k + 1).min($moduli.m.len())];
        let first = $k.saturating_sub(m.len());
        for (x, y) in known[first..].iter().zip(m.iter().rev()) {
            rows!($t x y $all);
        }
    };
}

/// Adds the product of two blocks.
macro_rules! rows {
    ($t:ident $x:ident $y:ident [$($i:tt)+]) => {{
        let y = $y.as_ptr();
        $( row!($t $x[$i], y, $i, [0 1 2 3 4 5 6 7 8 9]); )+
    }};
}

macro_rules! row {
    ($t:ident $x:expr, $y:ident, $i:tt, [$($j:tt)+]) => {{
        let x = $x;
        $( both!($t[$i + $j], $t[$i + $j + 1], x, $y, $j); )+
    }};
}

/// Adds the products of two different words of a block.
macro_rules! triangle {
    ($t:ident $a:ident [$k:expr] $all:tt) => {{
        let block = &$a[$k];
        let y = block.as_ptr();
        row!($t block[0], y, 0, [1 2 3 4 5 6 7 8 9]);
        row!($t block[1], y, 1, [2 3 4 5 6 7 8 9]);
        row!($t block[2], y, 2, [3 4 5 6 7 8 9]);
        row!($t block[3], y, 3, [4 5 6 7 8 9]);
        row!($t block[4], y, 4, [5 6 7 8 9]);
        row!($t block[5], y, 5, [6 7 8 9]);
        row!($t block[6], y, 6, [7 8 9]);
        row!($t block[7], y, 7, [8 9]);
        row!($t block[8], y, 8, [9]);
    }};
}

/// Adds the squares of the words of a block.
macro_rules! squares {
    ($t:ident $a:ident [$k:expr] [$($i:tt)+]) => {{
        let block = &$a[$k];
        let y = block.as_ptr();
        $( row!($t block[$i], y, $i, [$i]); )+
    }};
}

/// Moves the lower columns to memory.
macro_rules! keep {
    ($t:ident $room:ident [$($i:tt)+]) => {
        $( ($room.columns[$i], $t[$i]) = ($t[$i], _mm512_setzero_si512()); )+
    };
}

/// Doubles all columns, and adds those in memory.
macro_rules! double {
    ($t:ident $room:ident [$($i:tt)+]) => {
        $(
            $t[$i] = _mm512_add_epi64(_mm512_add_epi64($t[$i], $t[$i]), $room.columns[$i]);
            $t[10 + $i] = _mm512_add_epi64($t[10 + $i], $t[10 + $i]);
        )+
    };
}

/// Computes ten q, and adds their products with the lowest block of m. The lowest columns vanish.
macro_rules! reduce {
    ($t:ident $moduli:ident $room:ident.q[$k:expr] $all:tt) => {{
        let (m, k) = ($moduli.m[0].as_ptr(), $moduli.k);
        let q = &mut $room.q[$k];
        let word = _mm512_set1_epi64((1 << 52) - 1);
        next_q!($t[0], k, word => new, carry);
        reduce!($t m k word q new carry 0 1 2 3 4 5 6 7 8 9);
    }};
    // The products that the next q depends on come first.
    ($t:ident $m:ident $k:ident $word:ident $q:ident $new:ident $carry:ident $i:literal $next:literal $($more:literal)*) => {
        $q[$i] = $new;
        let mut high = $carry;
        one!("vpmadd52huq" high, $new, $m, 0);
        both!($t[$i + 1], $t[$i + 2], $new, $m, 1);
        $t[$next] = _mm512_add_epi64($t[$next], high);
        next_q!($t[$next], $k, $word => next, next_carry);
        rest_of_m!($t $new, $m, $i);
        reduce!($t $m $k $word $q next next_carry $next $($more)*);
    };
    ($t:ident $m:ident $k:ident $word:ident $q:ident $new:ident $carry:ident $i:literal) => {
        $q[$i] = $new;
        let mut high = $carry;
        one!("vpmadd52huq" high, $new, $m, 0);
        $t[$i + 1] = _mm512_add_epi64($t[$i + 1], high);
        both!($t[$i + 1], $t[$i + 2], $new, $m, 1);
        rest_of_m!($t $new, $m, $i);
    };
}

/// q of a column, and the carry out of it: its lowest word becomes zero, which adds one to the rest unless it was zero before.
macro_rules! next_q {
    ($t:expr, $k:ident, $word:ident => $q:ident, $carry:ident) => {
        let $q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), $t, $k);
        let $carry = _mm512_srli_epi64::<52>(_mm512_add_epi64($t, $word));
    };
}

macro_rules! rest_of_m {
    ($t:ident $q:ident, $m:ident, $i:literal) => {
        rest_of_m!($t $q, $m, $i [2 3 4 5 6 7 8 9])
    };
    ($t:ident $q:ident, $m:ident, $i:literal [$($j:literal)+]) => {
        $( both!($t[$i + $j], $t[$i + $j + 1], $q, $m, $j); )+
    };
}

/// Outputs ten columns.
macro_rules! output {
    ($t:ident $carry:ident $product:ident[$k:expr] [$($i:tt)+]) => {{
        let block = &mut $product[$k];
        $(
            $t[$i] = _mm512_add_epi64($t[$i], $carry);
            $carry = _mm512_srli_epi64::<52>($t[$i]);
            block[$i] = $t[$i];
        )+
    }};
}

/// Goes on to the next ten columns.
macro_rules! shift {
    ($t:ident [$($i:tt)+]) => {
        $( ($t[$i], $t[10 + $i]) = ($t[10 + $i], _mm512_setzero_si512()); )+
    };
}

/// Adds the low and the high half of the products of `x` and word `j` of a block. Written as assembly, since LLVM would sort the sums
/// by their places, which makes chains of dependent ones.
#[cfg(not(any(miri, ropewalk_ct = "msan")))]
macro_rules! both {
    ($low:expr, $high:expr, $x:expr, $y:ident, $j:tt) => {
        // SAFETY: `y` is a reference to a block, and `j` is less than its words; the caller has the features.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                "vmovdqa64 {y}, [{at} + {j}]",
                "vpmadd52luq {low}, {x}, {y}",
                "vpmadd52huq {high}, {x}, {y}",
                y = out(zmm_reg) _, low = inout(zmm_reg) $low, high = inout(zmm_reg) $high,
                x = in(zmm_reg) $x, at = in(reg) $y, j = const 64 * $j,
                options(nostack, preserves_flags, readonly)
            );
        }
    };
}

#[cfg(not(any(miri, ropewalk_ct = "msan")))]
macro_rules! one {
    ($madd:literal $sum:ident, $x:expr, $y:ident, $j:tt) => {
        // SAFETY: as in `both`.
        #[allow(unsafe_code)]
        unsafe {
            asm!(
                concat!($madd, " {}, {}, [{} + {}]"),
                inout(zmm_reg) $sum, in(zmm_reg) $x, in(reg) $y, const 64 * $j,
                options(nostack, preserves_flags, readonly)
            );
        }
    };
}

// MemorySanitizer takes operands of assembly for used, and Miri has none.
#[cfg(any(miri, ropewalk_ct = "msan"))]
macro_rules! both {
    ($low:expr, $high:expr, $x:expr, $y:ident, $j:tt) => {{
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let y = unsafe { *$y.wrapping_add($j) };
        $low = _mm512_madd52lo_epu64($low, $x, y);
        $high = _mm512_madd52hi_epu64($high, $x, y);
    }};
}

#[cfg(any(miri, ropewalk_ct = "msan"))]
macro_rules! one {
    ($madd:literal $sum:ident, $x:expr, $y:ident, $j:tt) => {{
        // SAFETY: as above.
        #[allow(unsafe_code)]
        let y = unsafe { *$y.wrapping_add($j) };
        $sum = _mm512_madd52hi_epu64($sum, $x, y);
    }};
}

kernels! { [0 1 2 3 4 5 6 7 8 9] }
