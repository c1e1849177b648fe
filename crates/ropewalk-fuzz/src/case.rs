//! What a case is made of.

use arbitrary::Unstructured;

use crate::text;

/// The most bytes that a seed is made into: some dozens of calls.
const LONGEST: usize = 600;

/// Lengths at which blocks, lanes and steps of kernels end.
const SIZES: &[usize] = &[16, 64, 128, 136, 256, 512, 1024];

/// Bytes from which each choice of a case is read. Once they have run out, every choice is the first one.
pub struct Case<'a>(Unstructured<'a>);

/// The bytes of a seed.
pub(crate) fn bytes_of(seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let longest = if random.u8(..4) == 0 { LONGEST } else { LONGEST / 6 };
    let mut bytes = vec![0; random.usize(8..longest)];
    random.fill(&mut bytes);
    bytes
}

impl<'a> Case<'a> {
    /// The case of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// Whether there are choices left.
    pub(crate) fn goes_on(&self) -> bool {
        !self.0.is_empty()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.int_in_range(0..=n - 1).expect("a range that is not empty")
    }

    /// One time in so many, and never once the bytes have run out.
    pub(crate) fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Up to `longest`, but seldom long: anything, or around a multiple of what some kernel works in.
    pub(crate) fn len(&mut self, longest: usize) -> usize {
        let longest = match self.below(16) {
            0..6 => longest.min(80),
            6..12 => longest.min(1100),
            12..15 => longest.min(4200),
            _ => longest,
        };
        match self.below(8) {
            0 => 0,
            1..4 => self.below(longest + 1),
            _ => {
                let size = self.pick(SIZES);
                let multiple = size * self.below(longest / size + 1);
                (multiple + self.below(3)).saturating_sub(1).min(longest)
            }
        }
    }

    /// Bytes that lie at any address.
    pub(crate) fn text(&mut self, len: usize) -> &'static [u8] {
        let all = text::all();
        let from = self.below(all.len() - len + 1);
        &all[from..from + len]
    }

    /// A text of any length up to `longest`.
    pub(crate) fn any_text(&mut self, longest: usize) -> &'static [u8] {
        let len = self.len(longest);
        self.text(len)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.text(N).try_into().expect("as many as asked for")
    }

    /// The text cut into pieces.
    pub(crate) fn pieces<'t>(&mut self, mut text: &'t [u8]) -> Vec<&'t [u8]> {
        let mut pieces = Vec::new();
        for _ in 0..self.below(5) {
            let len = self.len(text.len());
            let (piece, rest) = text.split_at(len);
            pieces.push(piece);
            text = rest;
        }
        pieces.push(text);
        pieces
    }
}
