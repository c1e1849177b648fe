//! The rounds of eight blocks of ChaCha20 on 256 bits, interleaved with blocks of Poly1305 in 64-bit words.
//!
//! One block of assembly, as each of the two takes all registers of its kind. LLVM leaves the accumulator in memory between
//! blocks: a block, which depends on the one before only, took twenty cycles instead of thirteen.

use core::arch::{asm, x86_64::*};

use crate::{
    chacha::poly1305::{End, Plan, Queue, Slot},
    core::simd::x86_64::{TURNED_BY_16, TURNED_BY_24},
};

/// The values of the rounds that have no register.
#[repr(C, align(32))]
pub(super) struct InMemory {
    /// r, the multiplier of the part above 2^128 ([`Product`]), and the number of double rounds that are not interleaved.
    ///
    /// [`Product`]: crate::poly1305
    words: [u64; 4],
    /// Word 8 or 10 of the state, whichever is not in the shared register.
    apart: [__m256i; 2],
    /// The initial state of the blocks.
    start: [__m256i; 16],
}

/// Three words of an accumulator, before the multiplication.
type Number = [u64; 3];

/// Half of two quarter rounds, given their words a, b, c, d, and the rotation counts.
macro_rules! half {
    (16: $($words:literal)*) => { half!(turned_by_16 20 12: $($words)*) };
    (24: $($words:literal)*) => { half!(turned_by_24 25 7: $($words)*) };
    ($turned:ident $right:literal $left:literal:
        $a0:literal $b0:literal $c0:literal $d0:literal $a1:literal $b1:literal $c1:literal $d1:literal) => {
        concat!(
            line!(vpaddd $a0 $a0 $b0), line!(vpaddd $a1 $a1 $b1),
            line!(vpxor $d0 $d0 $a0), line!(vpxor $d1 $d1 $a1),
            turned!($d0 $turned), turned!($d1 $turned),
            line!(vpaddd $c0 $c0 $d0), line!(vpaddd $c1 $c1 $d1),
            line!(vpxor $b0 $b0 $c0), line!(vpxor $b1 $b1 $c1),
            rotated!($b0 $right $left), rotated!($b1 $right $left),
        )
    };
}

macro_rules! line {
    ($op:ident $to:literal $a:literal $b:tt) => {
        concat!(stringify!($op), " ymm", $to, ", ymm", $a, ", ymm", $b, "\n")
    };
}

macro_rules! turned {
    ($word:literal $turned:ident) => {
        concat!("vpshufb ymm", $word, ", ymm", $word, ", [rip + {", stringify!($turned), "}]\n")
    };
}

macro_rules! rotated {
    ($word:literal $right:literal $left:literal) => {
        concat!(
            "vpsrld ymm15, ymm", $word, ", ", $right, "\n",
            "vpslld ymm", $word, ", ymm", $word, ", ", $left, "\n",
            line!(vpor $word $word 15)
        )
    };
}

/// Stores the word in the shared register, and loads the other one.
macro_rules! swap {
    (8 for 10) => {
        "vmovdqa [{place} + 32], ymm8\nvmovdqa ymm8, [{place} + 64]\n"
    };
    (10 for 8) => {
        "vmovdqa [{place} + 64], ymm8\nvmovdqa ymm8, [{place} + 32]\n"
    };
}

/// Columns, then diagonals (RFC 8439, section 2.3). Halves of two quarter rounds alternate: one of the words c that wait is in
/// memory. The interleaved instructions are placed close to each other: an instruction is assigned one of four ports when it
/// enters a scheduler, and while that is not full, the assignment is better.
macro_rules! two_rounds {
    ($($first:expr, $second:expr, $third:expr)?) => {
        concat!(
            half!(16: 0 4 8 11 1 5 9 12), swap!(8 for 10),
            half!(16: 2 6 8 13 3 7 10 14), swap!(10 for 8),
            half!(24: 0 4 8 11 1 5 9 12), swap!(8 for 10),
            $($first,)?
            half!(24: 2 6 8 13 3 7 10 14),
            $($second,)?
            half!(16: 0 5 8 14 1 6 10 11), swap!(10 for 8),
            $($third,)?
            half!(16: 2 7 8 12 3 4 9 13), swap!(8 for 10),
            half!(24: 0 5 8 14 1 6 10 11), swap!(10 for 8),
            half!(24: 2 7 8 12 3 4 9 13),
        )
    };
}

/// A block: the accumulator times r, modulo 2^130 − 5, plus block `$i` with a one above it. The instructions at the end are the
/// critical path.
macro_rules! block {
    ($i:literal: $h0:ident $h1:ident to $d0:ident $d1:ident) => {
        concat!(
            scalar!("mov rdx, " $h0),
            scalar!("mulx " $d1 ", " $d0 ", [{place}]"),
            scalar!("mulx " a1 ", " a0 ", [{place} + 8]"),
            scalar!("mov rdx, " $h1),
            scalar!("mulx " $h1 ", " b0 ", [{place} + 16]"),
            scalar!("add " $d0 ", " b0),
            scalar!("adc " $d1 ", " $h1),
            scalar!("mulx " $h1 ", " b0 ", [{place}]"),
            scalar!("mov rdx, [{place} + 16]"),
            scalar!("imul rdx, " h2),
            scalar!("imul " h2 ", [{place}]"),
            scalar!("add " $d1 ", rdx"),
            scalar!("add " h2 ", " a1),
            scalar!("add " h2 ", " $h1),
            // Five for each 2^130.
            scalar!("mov rdx, " h2),
            scalar!("mov " a1 ", " h2),
            scalar!("and {h2:e}, 3"),
            scalar!("shr rdx, 2"),
            scalar!("and " a1 ", -4"),
            scalar!("add rdx, " a1),
            scalar!("add " $d0 ", [{blocks} + 16 * " $i "]"),
            scalar!("adc " $d1 ", " a0),
            scalar!("adc " h2 ", 1"),
            scalar!("add " $d1 ", [{blocks} + 16 * " $i " + 8]"),
            scalar!("adc " h2 ", 0"),
            scalar!("add " $d0 ", rdx"),
            scalar!("adc " $d1 ", " b0),
            scalar!("adc " h2 ", 0"),
        )
    };
}

/// Code that the last double rounds skip, as many of them as a word in memory says.
macro_rules! unless_alone {
    ($skip:literal: $what:expr) => {
        concat!("cmp {n}, [{place} + 24]\njbe ", $skip, "f\n", $what, $skip, ":\n")
    };
}

/// The same for a block of one of many messages: the multiplier is in the slot of that message, and the accumulator is stored
/// there.
macro_rules! block_of_many {
    ($i:literal: $h0:ident $h1:ident to $d0:ident $d1:ident) => {
        concat!(
            scalar!("mov " slot ", [{by} + 8 * " $i "]"),
            // Not as an index: with it, all of this takes a quarter longer.
            scalar!("add " slot ", {queue}"),
            block_of_slot!($i: $h0 $h1 to $d0 $d1),
        )
    };
}

macro_rules! block_of_slot {
    ($i:literal: $h0:ident $h1:ident to $d0:ident $d1:ident) => {
        concat!(
            scalar!("mov rdx, " $h0),
            scalar!("mulx " $d1 ", " $d0 ", [{slot}]"),
            scalar!("mulx " a1 ", " a0 ", [{slot} + 8]"),
            scalar!("mov rdx, " $h1),
            scalar!("mulx " $h1 ", " b0 ", [{slot} + 16]"),
            scalar!("add " $d0 ", " b0),
            scalar!("adc " $d1 ", " $h1),
            scalar!("mulx " $h1 ", " b0 ", [{slot}]"),
            scalar!("mov rdx, [{slot} + 16]"),
            scalar!("imul rdx, " h2),
            scalar!("imul " h2 ", [{slot}]"),
            scalar!("add " $d1 ", rdx"),
            scalar!("add " h2 ", " a1),
            scalar!("add " h2 ", " $h1),
            scalar!("mov rdx, " h2),
            scalar!("mov " a1 ", " h2),
            scalar!("and {h2:e}, 3"),
            scalar!("shr rdx, 2"),
            scalar!("and " a1 ", -4"),
            scalar!("add rdx, " a1),
            scalar!("add " $d0 ", [{blocks} + 16 * " $i "]"),
            scalar!("adc " $d1 ", " a0),
            scalar!("adc " h2 ", 1"),
            scalar!("add " $d1 ", [{blocks} + 16 * " $i " + 8]"),
            scalar!("adc " h2 ", 0"),
            scalar!("add " $d0 ", rdx"),
            scalar!("adc " $d1 ", " b0),
            scalar!("adc " h2 ", 0"),
            scalar!("mov [{slot} + 24], " $d0),
            scalar!("mov [{slot} + 32], " $d1),
            scalar!("mov [{slot} + 40], " h2),
        )
    };
}

/// An instruction from its parts: text, and the names of registers.
macro_rules! scalar {
    ($($part:tt)*) => { concat!($(part!($part),)* "\n") };
}

macro_rules! part {
    ($text:literal) => {
        $text
    };
    ($register:ident) => {
        concat!("{", stringify!($register), "}")
    };
}

impl InMemory {
    #[inline(always)]
    pub(super) fn new(start: [__m256i; 16]) -> Self {
        Self { words: [0; 4], apart: [start[0]; 2], start }
    }

    /// Sets the multiplier of the accumulator: r, clamped.
    #[inline(always)]
    pub(super) fn set_r(&mut self, [r0, r1]: [u64; 2]) {
        [self.words[0], self.words[1], self.words[2]] = [r0, r1, r1 + (r1 >> 2)];
    }

    /// The key stream, word by word, and the accumulator after three blocks for each of at most ten double rounds. The counters
    /// then advance to the next blocks.
    #[inline]
    #[target_feature(enable = "avx2,bmi2")]
    #[allow(unsafe_code)]
    pub(super) fn rounds(
        &mut self,
        [mut h0, mut h1, mut h2]: Number,
        blocks: &[[[u8; 16]; 3]],
    ) -> ([__m256i; 16], Number) {
        let beside = blocks.len().min(10);
        self.words[3] = 10 - beside as u64;
        let mut x = self.start;
        // SAFETY: it reads and writes `self`, which is aligned as vectors are, and reads two vectors, which are too, and as many
        // groups of three blocks as there are.
        unsafe {
            asm!(
                "vmovdqa [{place} + 64], ymm15",
                ".p2align 5",
                "2:",
                two_rounds!(
                    unless_alone!(3: block!(0: h0 h1 to d0 d1)),
                    unless_alone!(4: block!(1: d0 d1 to h0 h1)),
                    unless_alone!(5: concat!(
                        block!(2: h0 h1 to d0 d1),
                        "mov {h0}, {d0}\n",
                        "mov {h1}, {d1}\n",
                        "add {blocks}, 48\n",
                    ))
                ),
                "dec {n}",
                "jnz 2b",
                "vmovdqa ymm15, [{place} + 64]",
                inout("ymm0") x[0], inout("ymm1") x[1], inout("ymm2") x[2], inout("ymm3") x[3],
                inout("ymm4") x[4], inout("ymm5") x[5], inout("ymm6") x[6], inout("ymm7") x[7],
                inout("ymm8") x[8], inout("ymm9") x[9], inout("ymm15") x[10], inout("ymm10") x[11],
                inout("ymm11") x[12], inout("ymm12") x[13], inout("ymm13") x[14], inout("ymm14") x[15],
                h0 = inout(reg) h0, h1 = inout(reg) h1, h2 = inout(reg) h2,
                d0 = out(reg) _, d1 = out(reg) _, a0 = out(reg) _, a1 = out(reg) _, b0 = out(reg) _,
                out("rdx") _,
                n = inout(reg) 10_u64 => _, blocks = inout(reg) blocks.as_ptr() => _,
                place = in(reg) &raw mut *self,
                turned_by_16 = sym TURNED_BY_16, turned_by_24 = sym TURNED_BY_24,
                options(nostack),
            );
        }
        for (x, start) in x.iter_mut().zip(&self.start) {
            *x = _mm256_add_epi32(*x, *start);
        }
        self.start[12] = _mm256_add_epi32(self.start[12], _mm256_set1_epi32(8));
        (x, [h0, h1, h2])
    }

    /// The same for all queued blocks of many messages.
    #[inline]
    #[target_feature(enable = "avx2,bmi2")]
    #[allow(unsafe_code)]
    pub(super) fn rounds_of_many(
        &mut self,
        start: [__m256i; 16],
        queue: &mut ForEight,
        end: &mut End<16>,
    ) -> [__m256i; 16] {
        self.start = start;
        let mut x = start;
        let (plan, [mut h0, mut h1, mut h2]) = queue.plan(end);
        let Plan { slots, blocks, by, fours, threes, alone } = plan;
        self.words = [by.addr() + 8 * fours, by.addr() + 8 * threes, alone, 0].map(|n| n as u64);
        // SAFETY: it reads and writes `self`, which is aligned as vectors are, and reads two vectors, which are too;
        // and reads as many blocks of the queue as that has planned, and reads and writes their slots.
        unsafe {
            asm!(
                "vmovdqa [{place} + 64], ymm15",
                "cmp {by}, [{place}]",
                "je 3f",
                ".p2align 5",
                "2:",
                two_rounds!(
                    block_of_many!(0: h0 h1 to d0 d1),
                    block_of_many!(1: d0 d1 to h0 h1),
                    concat!(
                        block_of_many!(2: h0 h1 to d0 d1),
                        block_of_many!(3: d0 d1 to h0 h1),
                        "add {by}, 32\nadd {blocks}, 64\n",
                    )
                ),
                "cmp {by}, [{place}]",
                "jne 2b",
                "3:",
                "cmp {by}, [{place} + 8]",
                "je 5f",
                ".p2align 5",
                "4:",
                two_rounds!(
                    block_of_many!(0: h0 h1 to d0 d1),
                    block_of_many!(1: d0 d1 to h0 h1),
                    concat!(
                        block_of_many!(2: h0 h1 to d0 d1),
                        "mov {h0}, {d0}\n",
                        "mov {h1}, {d1}\n",
                        "add {by}, 24\nadd {blocks}, 48\n",
                    )
                ),
                "cmp {by}, [{place} + 8]",
                "jne 4b",
                "5:",
                "mov {by}, [{place} + 16]",
                "test {by}, {by}",
                "jz 7f",
                ".p2align 5",
                "6:",
                two_rounds!(),
                "dec {by}",
                "jnz 6b",
                "7:",
                "vmovdqa ymm15, [{place} + 64]",
                inout("ymm0") x[0], inout("ymm1") x[1], inout("ymm2") x[2], inout("ymm3") x[3],
                inout("ymm4") x[4], inout("ymm5") x[5], inout("ymm6") x[6], inout("ymm7") x[7],
                inout("ymm8") x[8], inout("ymm9") x[9], inout("ymm15") x[10], inout("ymm10") x[11],
                inout("ymm11") x[12], inout("ymm12") x[13], inout("ymm13") x[14], inout("ymm14") x[15],
                h0 = inout(reg) h0, h1 = inout(reg) h1, h2 = inout(reg) h2,
                d0 = out(reg) _, d1 = out(reg) _, a0 = out(reg) _, a1 = out(reg) _, b0 = out(reg) _,
                out("rdx") _, slot = out(reg) _,
                by = inout(reg) by => _, blocks = inout(reg) blocks => _,
                place = in(reg) &raw mut *self, queue = in(reg) slots,
                turned_by_16 = sym TURNED_BY_16, turned_by_24 = sym TURNED_BY_24,
                options(nostack),
            );
        }
        let _ = (h0, h1, h2);
        for (x, start) in x.iter_mut().zip(&self.start) {
            *x = _mm256_add_epi32(*x, *start);
        }
        x
    }
}

/// Absorbs a block of one of many messages, given the accumulator before it.
#[inline]
#[target_feature(enable = "bmi2")]
#[allow(unsafe_code)]
pub(super) fn absorb(slot: &mut Slot, [h0, h1, mut h2]: Number, block: &[u8; 16]) -> Number {
    let (d0, d1): (u64, u64);
    // SAFETY: it reads and writes the slot, and reads the block.
    unsafe {
        asm!(
            block_of_slot!(0: h0 h1 to d0 d1),
            h0 = inout(reg) h0 => _, h1 = inout(reg) h1 => _, h2 = inout(reg) h2,
            d0 = out(reg) d0, d1 = out(reg) d1, a0 = out(reg) _, a1 = out(reg) _, b0 = out(reg) _,
            out("rdx") _,
            slot = in(reg) slot, blocks = in(reg) block,
            options(nostack),
        );
    }
    [d0, d1, h2]
}

/// A queue of as many blocks as the rounds can absorb, and four empty ones.
pub(crate) type ForEight = Queue<44, 16>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chacha::poly1305::{Absorb, Words},
        core::cpu::{Bmi2, Token},
    };

    /// The function for a single block, which only processors with AVX-512 use.
    #[test]
    fn block_equals_words() {
        let Some(cpu) = Bmi2::detect() else { return };
        let mut next = crate::core::simd::edges();
        for _ in 0..20_000 {
            let r = next() & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
            let (r0, r1) = (r as u64, (r >> 64) as u64);
            let (h, block) = (next(), next().to_le_bytes());
            let before = [h as u64, (h >> 64) as u64, next() as u64 & 7];
            let slot = [r0, r1, r1 + (r1 >> 2), 1, 2, 3, 4, 5];
            let (mut one, mut other) = (slot, slot);
            let (slot, block) = (&mut one, &block);
            let after = proven!(Bmi2: cpu, fn enter(slot: &mut Slot, before: Number, block: &[u8; 16]) -> Number {
                absorb(slot, before, block)
            });
            assert_eq!(after, Words.absorb(&mut other, before, block));
            assert_eq!(one, other);
        }
    }
}
