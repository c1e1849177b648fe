//! Vectors that carry the proof that the processor has them, and loads and stores that take arrays instead of pointers.

use core::ops::{Add, BitAnd, BitOr, BitXor};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::core::text::Text;

/// Repeats the body for each literal. LLVM would not always unroll such a loop, and would then keep its values in memory.
macro_rules! unroll {
    ($i:ident in $($n:literal)+ => $body:expr) => {
        $({ let $i: usize = $n; $body; })+
    };
}

#[macro_use]
mod words;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod rows;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod blocks;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod bytes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod lanes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[macro_use]
mod counter_lanes;
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod hash_lanes;
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod quads;
#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
#[cfg(target_arch = "arm")]
#[macro_use]
pub(crate) mod arm;
pub(crate) mod scalar;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use blocks::Blocks;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use counter_lanes::CounterLanes;
#[cfg(target_arch = "x86_64")]
pub(crate) use hash_lanes::HashLanes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use lanes::Lanes;

/// The word in a lane.
pub(crate) trait Word: Copy + Eq + 'static {
    /// Four of them.
    type Quarter;

    /// As bytes, the lowest first.
    fn le_bytes(self) -> impl AsRef<[u8]>;
}

impl Word for u32 {
    type Quarter = [u8; 16];

    fn le_bytes(self) -> impl AsRef<[u8]> {
        self.to_le_bytes()
    }
}

impl Word for u64 {
    type Quarter = [u8; 32];

    fn le_bytes(self) -> impl AsRef<[u8]> {
        self.to_le_bytes()
    }
}

/// `L` independent words, one a lane.
pub(crate) trait Words<const L: usize, T: Word = u32>:
    Copy + Add<Output = Self> + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    type Cpu: Copy;

    fn splat(cpu: Self::Cpu, word: T) -> Self;
    fn load(cpu: Self::Cpu, lanes: &[T; L]) -> Self;
    fn store(self, lanes: &mut [T; L]);
    fn rotr<const R: i32>(self) -> Self;
    fn shr<const R: i32>(self) -> Self;

    /// Each bit of `yes` where `self` has a one, of `no` where it has a zero: Ch of the standards.
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        no ^ (self & (yes ^ no))
    }

    /// Each bit as in most of the three: Maj of the standards.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self | b))
    }

    /// This sum, as one term: a compiler that reassociates it would keep a part in a register for longer.
    #[inline(always)]
    fn summed(self) -> Self {
        self
    }

    /// The XOR of three.
    #[inline(always)]
    fn sum(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// Adds `c` where `b` has a zero: χ of Keccak.
    #[inline(always)]
    fn add_where_not(self, b: Self, c: Self) -> Self {
        self ^ (c ^ (b & c))
    }

    /// The sum, rotated right.
    #[inline(always)]
    fn add_rotr<const R: i32>(self, other: Self) -> Self {
        (self ^ other).rotr::<R>()
    }

    /// Adds `other`, rotated left by one.
    #[inline(always)]
    fn add_rotl_1(self, other: Self) -> Self {
        self ^ other.rotr::<63>()
    }

    /// Each word with its bytes reversed.
    fn swap_bytes(self) -> Self;

    /// Four words of each block, from byte `at` on: word `t` of block `lane` in lane `lane` of vector `t`.
    fn words<const BLOCK: usize, const BIG_ENDIAN: bool>(
        cpu: Self::Cpu,
        blocks: &[&[u8; BLOCK]; L],
        at: usize,
    ) -> [Self; 4];

    /// Four words of each lane, as little-endian bytes.
    fn bytes(words: [Self; 4]) -> [T::Quarter; L];

    /// The same, as big-endian bytes.
    #[inline(always)]
    fn big_endian_bytes([a, b, c, d]: [Self; 4]) -> [T::Quarter; L] {
        Self::bytes([a.swap_bytes(), b.swap_bytes(), c.swap_bytes(), d.swap_bytes()])
    }
}

/// The numbers after the first, followed by `last`.
#[cfg(any(feature = "sha256", feature = "sha512"))]
pub(crate) const fn behind_first<T: Copy, const N: usize>(numbers: &[T; N], last: T) -> [T; N] {
    let mut behind = [last; N];
    let mut i = 0;
    while i + 1 < N {
        behind[i] = numbers[i + 1];
        i += 1;
    }
    behind
}

/// `L` words of ChaCha20: one word of each of `L` blocks, or a row of four of each of `L / 4` blocks.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) trait Rows<const L: usize>: Words<L> {
    /// Whether there are more registers than the sixteen words of a state.
    const MANY: bool;

    /// The same row of every block.
    fn repeat(cpu: Self::Cpu, row: &[u32; 4]) -> Self;

    /// The same from a number in registers: word by word, as AVX-512 broadcasts with a mask.
    #[inline(always)]
    fn repeat_number(cpu: Self::Cpu, row: u128) -> Self {
        let word = |i: usize| {
            let here = Self::repeat(cpu, &each(|j| if i == j { !0 } else { 0 }));
            Self::splat(cpu, (row >> (32 * i)) as u32) & here
        };
        (word(0) | word(1)) | (word(2) | word(3))
    }

    /// Each row, rotated down by so many words.
    fn turn<const N: i32>(self) -> Self;

    /// The four rows of each block, as consecutive blocks.
    fn rows_to_blocks(rows: [Self; 4]) -> [Self; 4];

    /// Four words of each block become a row of each: row `r` of the `j`th vector is that of block `4 r + j`.
    fn quarter(words: [Self; 4]) -> [Self; 4];

    /// Four words of each block, given their addresses: word `t` of block `lane` in lane `lane` of vector `t`.
    #[cfg(feature = "chacha20-poly1305")]
    fn gather(cpu: Self::Cpu, rows: &[&[u32; 4]; L]) -> [Self; 4];

    /// All bytes of `L` blocks.
    #[cfg(feature = "chacha20-poly1305")]
    fn store_blocks(blocks: [Self; 16], to: &mut [[u8; 64]; L]);

    /// XORs key stream into a text, and into what is written to `copy` where `self` has ones.
    #[cfg(feature = "chacha20-poly1305")]
    fn add_block(self, key_stream: &[u8; 64], text: &mut [u8; 64], copy: &mut [u8; 64]);

    /// The first or the second half of four quarter rounds (RFC 8439, section 2.1), interleaved; which half follows from its
    /// first rotation to the right, 16 or 24. The last c may stay in memory, where there are no more registers than words.
    #[inline(always)]
    fn half_quarter_rounds<const R: i32>(
        [mut a, mut b, mut d]: [[Self; 4]; 3],
        mut c: [Self; 3],
        last: &mut Self,
    ) -> ([[Self; 4]; 3], [Self; 3]) {
        // Step by step: each quarter round depends on itself only.
        a = each(|i| a[i] + b[i]);
        d = each(|i| d[i] ^ a[i]);
        d = each(|i| d[i].rotr::<R>());
        c = each(|i| c[i] + d[i]);
        *last = *last + d[3];
        b = each(|i| b[i] ^ if i < 3 { c[i] } else { *last });
        b = each(|i| if R == 16 { b[i].rotr::<20>() } else { b[i].rotr::<25>() });
        ([a, b, d], c)
    }

    /// XORs key stream into chunk `i` of the text, all chunks being as long as the key stream; stops at its end.
    fn add_at(self, text: &mut Text<'_>, i: usize);

    /// XORs key stream into as many bytes of the text, or into all where it is shorter; the text then starts behind them.
    fn add_to(self, text: &mut Text<'_>);

    /// The first four words, as a number.
    fn first_number(self) -> u128;
}

/// `L` blocks of sixteen bytes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) trait Bytes<const L: usize>: Copy + BitXor<Output = Self> {
    type Cpu: Copy;

    /// The same block in all places.
    fn splat(cpu: Self::Cpu, block: &[u8; 16]) -> Self;
    fn load(cpu: Self::Cpu, blocks: &[[u8; 16]; L]) -> Self;
    fn store(self, blocks: &mut [[u8; 16]; L]);

    /// The sums of 32-bit words, little-endian.
    fn add_words(self, other: Self) -> Self;

    /// Looks bytes up in each block (vector permute): an index is below 16, or has its highest bit set for a zero.
    fn look_up(self, indices: Self) -> Self;

    /// Shifts the bytes of each block up by one; the last byte of `low` comes in first.
    fn shift_in(self, low: Self) -> Self;

    /// The low half of each byte.
    fn low_nibbles(self) -> Self;

    /// The same value; the compiler does not reassociate it with other sums.
    #[inline(always)]
    fn at_once(self) -> Self {
        self
    }

    /// The high half of each byte, shifted down.
    fn high_nibbles(self) -> Self;
}

/// Four consecutive 32-bit words of each of `L` blocks, for message schedules where a message has no lanes.
#[cfg(target_arch = "x86_64")]
pub(crate) trait Quads<const L: usize>:
    Copy + Add<Output = Self> + BitXor<Output = Self>
{
    type Cpu: Copy;

    /// The same words in all places.
    fn splat(cpu: Self::Cpu, words: &[u32; 4]) -> Self;
    /// A quarter of each block.
    fn big_endian(cpu: Self::Cpu, blocks: &[&[u8; 64]; L], quarter: usize) -> Self;
    fn store(self, to: &mut [[u32; 4]; L]);
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;

    /// Shifts each pair of words as one of 64 bits, the second word high.
    fn shr_pairs<const N: i32>(self) -> Self;

    /// Drops the first bytes, and appends as many of `next`.
    fn shift_in<const N: i32>(self, next: Self) -> Self;

    /// The first two words, each twice.
    fn low_twice(self) -> Self;

    /// The last two words, each twice.
    fn high_twice(self) -> Self;

    /// The first word and the third, and zeros behind.
    fn to_low(self) -> Self;

    /// Zeros, and behind them the first word and the third.
    fn to_high(self) -> Self;
}

/// The bytes of a block from `at` on.
#[inline(always)]
pub(crate) fn piece<const BLOCK: usize, const N: usize>(
    block: &[u8; BLOCK],
    at: usize,
) -> &[u8; N] {
    block[at..].first_chunk().expect("it is in the block")
}

/// An array of vectors. (`core::array::from_fn` hides its closure from inlining.)
#[inline(always)]
pub(crate) fn each<T: Copy, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [f(0); N];
    for i in 1..N {
        out[i] = f(i);
    }
    out
}

/// Applies a function to each element of an array. (`map` may not be inlined, with vectors passed in memory.)
#[inline(always)]
pub(crate) fn each_of<T: Copy, U: Copy, const N: usize>(
    from: [T; N],
    f: impl Fn(T) -> U,
) -> [U; N] {
    each(|i| f(from[i]))
}

/// Stores a block with one instruction. After two stores of halves, one load of the whole would stall until both have left the
/// store buffer, that is until everything before them has retired.
#[inline]
pub(crate) fn store_whole(to: &mut [u8; 16], block: [u8; 16]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(ropewalk_ct = "msan")))]
    {
        // SAFETY: every x86-64 target has SSE2.
        #[allow(unsafe_code)]
        let mut whole = unsafe { x86_64::from_u128(u128::from_le_bytes(block)) };
        // SAFETY: there is no instruction in it. The compiler would otherwise store the halves.
        #[allow(unsafe_code)]
        unsafe {
            core::arch::asm!(
                "/* {} */",
                inout(xmm_reg) whole,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        // SAFETY: as before.
        #[allow(unsafe_code)]
        unsafe {
            x86_64::store_128(to, whole);
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(ropewalk_ct = "msan"))))]
    {
        *to = block;
    }
}

/// A fixed sequence of numbers for tests: all bits or none, one bit missing, the upper bits, or random.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn edges() -> impl FnMut() -> u128 {
    let mut random = 1_u128;
    move || {
        random = random.wrapping_mul(0x2360ed051fc65da44385df649fccf645).wrapping_add(9);
        let number = random ^ random >> 64;
        match random >> 120 & 7 {
            0 => 0,
            1 => !0,
            2 => !(1 << (number & 127)),
            3 => !0 << (number & 127),
            _ => number,
        }
    }
}
