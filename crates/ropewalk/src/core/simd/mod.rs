//! Vectors that carry the proof that the processor has them, and loads and stores that take arrays
//! instead of pointers.

use core::ops::{Add, BitAnd, BitOr, BitXor};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::core::text::Text;

/// The same for each literal: what LLVM would not always unroll, and would then keep in memory.
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

/// What vectors have in their lanes.
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

    /// Each bit as most of the three have it: Maj of the standards.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self | b))
    }

    /// This sum, where its parts are: a compiler that adds more in another order would keep a part for longer.
    #[inline(always)]
    fn summed(self) -> Self {
        self
    }

    /// The sum of three.
    #[inline(always)]
    fn sum(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// With `c` added where `b` has a zero: χ of Keccak.
    #[inline(always)]
    fn add_where_not(self, b: Self, c: Self) -> Self {
        self ^ (c ^ (b & c))
    }

    /// The sum, turned.
    #[inline(always)]
    fn add_rotr<const R: i32>(self, other: Self) -> Self {
        (self ^ other).rotr::<R>()
    }

    /// With the other added, which is turned left by one.
    #[inline(always)]
    fn add_rotl_1(self, other: Self) -> Self {
        self ^ other.rotr::<63>()
    }

    /// Each word with its bytes the other way round.
    fn swap_bytes(self) -> Self;

    /// Four words of each block, from that byte of it on: word `t` of block `lane` in lane `lane` of vector `t`.
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

/// The numbers behind the first, and `last`.
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

/// `L` words of ChaCha20: one of each of `L` blocks, or a row of four of each of `L / 4` blocks.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) trait Rows<const L: usize>: Words<L> {
    /// Whether there are registers for more than a state of sixteen words.
    const MANY: bool;

    /// The same row of every block.
    fn repeat(cpu: Self::Cpu, row: &[u32; 4]) -> Self;

    /// The same from a number, which is in no memory: word by word, as AVX-512 loads and masks each at once.
    #[inline(always)]
    fn repeat_number(cpu: Self::Cpu, row: u128) -> Self {
        let word = |i: usize| {
            let here = Self::repeat(cpu, &each(|j| if i == j { !0 } else { 0 }));
            Self::splat(cpu, (row >> (32 * i)) as u32) & here
        };
        (word(0) | word(1)) | (word(2) | word(3))
    }

    /// Each row, turned down by so many words.
    fn turn<const N: i32>(self) -> Self;

    /// The four rows of each block, as whole blocks one after the other.
    fn rows_to_blocks(rows: [Self; 4]) -> [Self; 4];

    /// Four words of each block become a row of each: row `r` of the `j`th vector is that of block `4 r + j`.
    fn quarter(words: [Self; 4]) -> [Self; 4];

    /// Four words of each block, given where they are: word `t` of block `lane` in lane `lane` of vector `t`.
    #[cfg(feature = "chacha20-poly1305")]
    fn gather(cpu: Self::Cpu, rows: &[&[u32; 4]; L]) -> [Self; 4];

    /// All bytes of `L` blocks.
    #[cfg(feature = "chacha20-poly1305")]
    fn store_blocks(blocks: [Self; 16], to: &mut [[u8; 64]; L]);

    /// Adds key stream to a text, and to what is written to `copy` where `self` has ones.
    #[cfg(feature = "chacha20-poly1305")]
    fn add_block(self, key_stream: &[u8; 64], text: &mut [u8; 64], copy: &mut [u8; 64]);

    /// The first half of four quarter rounds (RFC 8439, section 2.1), or the second, side by side: by its first
    /// rotation to the right, 16 or 24. The last c may stay in memory, where there are no more registers than words.
    #[inline(always)]
    fn half_quarter_rounds<const R: i32>(
        [mut a, mut b, mut d]: [[Self; 4]; 3],
        mut c: [Self; 3],
        last: &mut Self,
    ) -> ([[Self; 4]; 3], [Self; 3]) {
        // Step by step: each waits for itself only.
        a = each(|i| a[i] + b[i]);
        d = each(|i| d[i] ^ a[i]);
        d = each(|i| d[i].rotr::<R>());
        c = each(|i| c[i] + d[i]);
        *last = *last + d[3];
        b = each(|i| b[i] ^ if i < 3 { c[i] } else { *last });
        b = each(|i| if R == 16 { b[i].rotr::<20>() } else { b[i].rotr::<25>() });
        ([a, b, d], c)
    }

    /// Adds key stream to the `i`th of all bytes of the text, each time as many; to none past its end.
    fn add_at(self, text: &mut Text<'_>, i: usize);

    /// Adds key stream to as many bytes of the text, or to all where it is shorter; it goes on behind
    /// them.
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

    /// Of each block, the bytes that the indices in the same place name: below 16, or with the
    /// highest bit set for a zero.
    fn look_up(self, indices: Self) -> Self;

    /// Moves the bytes of each block up by one; the last of `low` comes in first.
    fn shift_in(self, low: Self) -> Self;

    /// The low half of each byte.
    fn low_nibbles(self) -> Self;

    /// The same; the compiler does not take it apart, to add its parts to something else first.
    #[inline(always)]
    fn at_once(self) -> Self {
        self
    }

    /// The high half of each byte, moved down.
    fn high_nibbles(self) -> Self;
}

/// Four 32-bit words that follow each other, of each of `L` blocks: of what the schedule of a hash function
/// is made where a message has no lanes.
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

    /// Shifts two words at once, the second one high.
    fn shr_pairs<const N: i32>(self) -> Self;

    /// Without the first bytes, and as many of `next` behind.
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

/// The bytes of a block from one of them on.
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

/// What becomes of each in an array. (`map` may be left out of line, with vectors in memory on their way there.)
#[inline(always)]
pub(crate) fn each_of<T: Copy, U: Copy, const N: usize>(
    from: [T; N],
    f: impl Fn(T) -> U,
) -> [U; N] {
    each(|i| f(from[i]))
}

/// Stores a block at once: who loads it at once would wait for halves of it until they have left the core, and that is when
/// all before has been done.
#[inline]
pub(crate) fn store_whole(to: &mut [u8; 16], block: [u8; 16]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(ropewalk_ct = "msan")))]
    {
        // SAFETY: what is compiled here has SSE2.
        #[allow(unsafe_code)]
        let mut whole = unsafe { x86_64::from_u128(u128::from_le_bytes(block)) };
        // SAFETY: there is no instruction in it. The compiler would else store what the vector is made of.
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

/// Numbers for tests, always the same ones: all bits or none, one that is missing, the upper ones, or anything.
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
