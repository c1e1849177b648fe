//! Words in lanes, as kernels of fields take them, and a model of them that proves bounds.

/// A word of 64 bits in each lane.
pub(crate) trait Word: Copy {
    /// A bit for each lane.
    type Mask: Copy;

    /// The same word in each lane. `self` has the proof that lanes exist.
    fn like(self, word: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn and(self, word: u64) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, word: u64) -> Self;
    /// The lanes that are 0.
    fn is_zero(self) -> Self::Mask;
    fn shr<const N: u32>(self) -> Self;
    fn shl<const N: u32>(self) -> Self;
    /// Without the bits that are shifted out.
    fn shl_away<const N: u32>(self) -> Self;
    /// Adds the lower 52 bits of a product. Of `a` and `b`, the lower 52 bits count.
    fn plus_low(self, a: Self, b: Self) -> Self;
    /// Adds the bits of a product from the 52nd on. Of `a` and `b`, the lower 52 bits count.
    fn plus_high(self, a: Self, b: Self) -> Self;
    /// The lower 52 bits, for operands of products: a step only for the model.
    fn operand(self) -> Self;
    fn or_where(self, mask: Self::Mask, other: Self) -> Self;
}

/// The bounds of a word: a model of lanes that fails where a word, or an operand of a product, could have too many bits. Its
/// operations are out of line, since kernels have hundreds of each.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: u64,
    pub(crate) most: u64,
}

#[cfg(test)]
impl Bounds {
    pub(crate) fn up_to(most: u64) -> Self {
        Self { least: 0, most }
    }

    fn product(a: Self, b: Self) -> u128 {
        assert!(a.most >> 52 == 0 && b.most >> 52 == 0, "an operand of 52 bits: {a:?} {b:?}");
        u128::from(a.most) * u128::from(b.most)
    }

    fn and_up_to(self, most: u64) -> Self {
        Self { least: self.least, most: self.most.checked_add(most).expect("a word of 64 bits") }
    }
}

#[cfg(test)]
impl Word for Bounds {
    type Mask = ();

    fn like(self, word: u64) -> Self {
        Self { least: word, most: word }
    }
    #[inline(never)]
    fn plus(self, other: Self) -> Self {
        let least = self.least.checked_add(other.least).expect("a word of 64 bits");
        Self { least, ..self.and_up_to(other.most) }
    }
    #[inline(never)]
    fn minus(self, other: Self) -> Self {
        let least = self.least.checked_sub(other.most).expect("a difference that is not negative");
        Self { least, most: self.most - other.least }
    }
    #[inline(never)]
    fn and(self, word: u64) -> Self {
        let all = u64::MAX >> self.most.leading_zeros().min(63);
        if word & all == all { self } else { Self::up_to(self.most.min(word)) }
    }
    fn or(self, other: Self) -> Self {
        Self::up_to(u64::MAX >> (self.most | other.most).leading_zeros().min(63))
    }
    fn xor(self, word: u64) -> Self {
        self.or(Self::up_to(word))
    }
    fn is_zero(self) {}
    fn shr<const N: u32>(self) -> Self {
        Self { least: self.least >> N, most: self.most >> N }
    }
    #[inline(never)]
    fn shl<const N: u32>(self) -> Self {
        assert!(self.most.leading_zeros() >= N, "a word of 64 bits");
        Self { least: self.least << N, most: self.most << N }
    }
    fn shl_away<const N: u32>(self) -> Self {
        Self::up_to(u64::MAX << N)
    }
    #[inline(never)]
    fn plus_low(self, a: Self, b: Self) -> Self {
        self.and_up_to(Self::product(a, b).min((1 << 52) - 1) as u64)
    }
    #[inline(never)]
    fn plus_high(self, a: Self, b: Self) -> Self {
        self.and_up_to((Self::product(a, b) >> 52) as u64)
    }
    fn operand(self) -> Self {
        self.and((1 << 52) - 1)
    }
    fn or_where(self, (): (), other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}
