//! Random cases that lean towards edges, where uniform ones hardly ever fall.
//!
//! A case follows from its seed. One that fails names it; `ROPEWALK_SEED` begins there, and
//! `ROPEWALK_CASES` says how many follow: one to replay it, many to look further than usual.

use std::env;

use super::{Random, sampled};

/// Lengths that kernels work in.
const SIZES: &[usize] = &[16, 64, 128, 256, 1024];

/// Runs as many cases, or a fortieth where few are to be tried.
pub fn cases(count: usize, case: impl Fn(&mut Edges)) {
    let given = |name| env::var(name).ok().map(|n| n.parse().expect(name));
    let first = given("ROPEWALK_SEED").unwrap_or(1);
    let count = if sampled() { count.div_ceil(40) } else { count };
    for seed in first..first + given("ROPEWALK_CASES").unwrap_or(count as u64) {
        let _seed = Seed(seed);
        case(&mut Edges { seed, random: Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)) });
    }
}

/// Names itself when the case fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("to replay: ROPEWALK_SEED={} ROPEWALK_CASES=1", self.0);
        }
    }
}

/// Batches that go before one with long messages: more than every change is tried with, for those take long.
const BEFORE_LONG: u64 = 1000;

/// Longer than any cache that groups of messages are made for.
const LONG: usize = 1 << 20;

/// What a case is made of.
pub struct Edges {
    seed: u64,
    random: Random,
}

impl Edges {
    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Up to `longest`, but seldom long: nothing, the longest, anything, or a multiple of what some
    /// kernel works in, one less or one more.
    pub fn len(&mut self, longest: usize) -> usize {
        let longest = match self.below(24) {
            0 => longest,
            1..8 => longest.min(80),
            8..18 => longest.min(1100),
            _ => longest.min(4200),
        };
        match self.below(12) {
            0 => 0,
            1 => longest,
            2..5 => self.below(longest + 1),
            _ => {
                let size = self.pick(SIZES);
                let multiple = size * self.below(longest / size + 1);
                (multiple + self.below(3)).saturating_sub(1).min(longest)
            }
        }
    }

    /// The length of a message that is long among the others of its batch: 1 MiB, a byte less or more. It has some of
    /// them in one batch of a thousand, and in no other.
    pub fn long(&mut self) -> Option<usize> {
        let here = self.seed.is_multiple_of(BEFORE_LONG) && self.below(4) == 0;
        here.then(|| LONG - 1 + self.below(3))
    }

    /// Zeros, ones, one bit, one byte again and again, one block among zeros, or anything.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        if len == 0 {
            return bytes;
        }
        match self.below(8) {
            0 => {}
            1 => bytes.fill(0xff),
            2 => bytes[self.below(len)] = 1 << self.below(8),
            3 => bytes.fill(self.below(256) as u8),
            4 => {
                let from = self.below(len);
                let to = len.min(from + 16);
                bytes[from..to].copy_from_slice(&self.random.bytes(to - from));
            }
            _ => bytes = self.random.bytes(len),
        }
        bytes
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().expect("as many as asked for")
    }

    /// A counter block that is soon to wrap, in four bytes, in eight, in twelve or in all, or any.
    pub fn counter(&mut self) -> [u8; 16] {
        let block = u128::from_be_bytes(self.array());
        let longest = self.pick(&[1, 3, 20, 70, 300, 5000]);
        let back = self.below(longest) as u128;
        let ones = match self.below(6) {
            0 => return block.to_be_bytes(),
            1..3 => u32::MAX.into(),
            3 => u64::MAX.into(),
            4 => u128::MAX >> 32,
            _ => u128::MAX,
        };
        (block & !ones | (ones - back)).to_be_bytes()
    }

    /// Bytes past a multiple of 64.
    pub fn offset(&mut self) -> usize {
        self.below(64)
    }

    /// Where a text is cut into pieces.
    pub fn cuts(&mut self, len: usize) -> Vec<usize> {
        let mut cuts: Vec<_> = (0..self.below(6)).map(|_| self.len(len)).collect();
        cuts.extend([0, len]);
        cuts.sort_unstable();
        cuts
    }
}

/// Bytes at an offset from a multiple of 64, between others that must not change.
pub struct Placed {
    all: Vec<u8>,
    from: usize,
    len: usize,
}

const AROUND: usize = 128;
const CANARY: u8 = 0x5a;

impl Placed {
    pub fn new(bytes: &[u8], offset: usize) -> Self {
        let mut all = vec![CANARY; AROUND + offset + bytes.len() + AROUND];
        let from = all.as_ptr().align_offset(64) + 64 + offset;
        all[from..from + bytes.len()].copy_from_slice(bytes);
        Self { all, from, len: bytes.len() }
    }

    pub fn get(&self) -> &[u8] {
        &self.all[self.from..][..self.len]
    }

    pub fn get_mut(&mut self) -> &mut [u8] {
        &mut self.all[self.from..][..self.len]
    }

    /// The bytes, if nothing around them has changed.
    pub fn unharmed(&self) -> Option<&[u8]> {
        let mut around = self.all[..self.from].iter().chain(&self.all[self.from + self.len..]);
        around.all(|byte| *byte == CANARY).then(|| self.get())
    }
}
