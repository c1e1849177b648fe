//! Intervals of addresses, and whether they overlap.

use super::Span;

/// From the first byte of some spans to the end of the last one. An empty set is from the greatest address to the least.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Reach {
    pub(super) const NOTHING: Self = Self { from: usize::MAX, to: 0 };

    #[inline(always)]
    pub(super) fn add(&mut self, span: Span) {
        if span.len > 0 {
            self.from = self.from.min(span.at);
            self.to = self.to.max(span.at.wrapping_add(span.len));
        }
    }

    #[inline(always)]
    pub(super) fn of(span: Span) -> Self {
        let mut reach = Self::NOTHING;
        reach.add(span);
        reach
    }

    #[inline(always)]
    pub(super) fn is_within(self, other: Self) -> bool {
        other.from <= self.from && self.to <= other.to
    }

    #[inline(always)]
    pub(super) fn is_apart(self, other: Self) -> bool {
        (self.to <= other.from) | (other.to <= self.from)
    }
}

/// Whether these certainly do not overlap, and none is empty: by pairwise comparison where they are few, otherwise by the
/// position of each in a table.
#[inline(always)]
pub(super) fn are_apart(count: usize, interval: impl Fn(usize) -> Reach) -> bool {
    match count {
        0 => true,
        1..=FEW => are_apart_by_pairs(count, interval),
        _ => are_apart_by_starts(count, interval),
    }
}

/// Up to this many are compared pairwise: clearing a table takes longer.
const FEW: usize = 16;

#[inline(always)]
fn are_apart_by_pairs(count: usize, interval: impl Fn(usize) -> Reach) -> bool {
    let (mut all, mut touch) = ([Reach::NOTHING; FEW], false);
    for i in 0..count.min(FEW) {
        let one = interval(i);
        all[..i].iter().for_each(|other| touch |= !one.is_apart(*other));
        all[i] = one;
    }
    !touch
}

/// Slots of the table. A slot has the distance of an interval from an address before all of them, or 0.
const SLOTS: usize = 1024;

/// All intervals are as long as the first, of `len` bytes. A slot stands for 2^`shift` addresses, more than half of `len` and at
/// most `len`: so at most one interval begins in a slot if they do not overlap, and overlapping ones begin at most two slots
/// apart. Slots are reused for addresses further on. Where one is already taken, the answer is uncertain.
#[inline(never)]
fn are_apart_by_starts(count: usize, interval: impl Fn(usize) -> Reach) -> bool {
    let first = interval(0);
    let len = first.to.wrapping_sub(first.from);
    if first.to <= first.from || len > MOST {
        return false;
    }
    // Distances are counted from an address below all of them, by so much that an empty slot is far from each.
    let (shift, start) = (len.ilog2(), first.from.wrapping_sub(2 * MOST));
    let (mut starts, mut touch) = ([0_u32; SLOTS], false);
    for i in 0..count {
        let Reach { from, to } = interval(i);
        let at = from.wrapping_sub(start);
        touch |= (to.wrapping_sub(from) != len) | (at.wrapping_sub(MOST) > 2 * MOST);
        let slot = at >> shift;
        for near in [slot.wrapping_sub(2), slot.wrapping_sub(1), slot + 1, slot + 2] {
            touch |= (starts[near % SLOTS]).abs_diff(at as u32) < len as u32;
        }
        touch |= std::mem::replace(&mut starts[slot % SLOTS], at as u32) != 0;
    }
    !touch
}

/// The longest interval, and the largest distance of two of them from the first.
const MOST: usize = 1 << 30;

/// Whether these do not overlap, and none begins at NULL. Empty ones come last, and end before any begins.
pub(super) fn are_apart_sorted(intervals: &mut [Reach]) -> bool {
    intervals.sort_unstable_by_key(|one| one.from);
    intervals.first().is_none_or(|first| first.from > 0)
        && intervals.is_sorted_by(|one, next| one.to <= next.from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_means_apart() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as usize
        };
        // Miri is slow.
        let cases = if cfg!(miri) { 100 } else { 100_000 };
        let (mut certain, mut apart) = (0, 0);
        for _ in 0..cases {
            let (count, len) = (1 + random(20), 1 + random(70));
            let room = len * count * (1 + random(20)) + random(5);
            let start = 1 + random(1000);
            let mut interval = || {
                let (from, longer) = (start + random(room as u64), random(500) == 0);
                Reach { from, to: from + len + usize::from(longer) }
            };
            let intervals: Vec<Reach> = (0..count).map(|_| interval()).collect();
            let mut sorted = intervals.clone();
            let exactly = are_apart_sorted(&mut sorted);
            let surely = are_apart(count, |i| intervals[i]);
            assert!(exactly || !surely, "an overlap was overlooked");
            (certain, apart) = (certain + u32::from(surely), apart + u32::from(exactly));
        }
        assert!(certain > apart / 2, "certain of {certain} of {apart}");
    }
}
