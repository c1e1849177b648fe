//! Blocks of a message in groups, for schedules of several at a time.

/// Splits blocks, followed by `more`, into whole groups of `L` and the rest.
#[inline(always)]
pub(crate) fn groups<'a, T, const L: usize>(blocks: &'a [T], more: &'a [T]) -> [[&'a [T]; 2]; 2] {
    let left = (blocks.len() + more.len()) % L;
    // Checked, so that nothing can panic: the caller has secrets to wipe.
    let split = |all: &'a [T], n: usize| all.split_at_checked(n).unwrap_or((all, &[]));
    let (of_more, rest) = split(more, more.len().saturating_sub(left));
    let (of_blocks, last) = split(blocks, blocks.len().saturating_sub(left - rest.len()));
    [[of_blocks, of_more], [last, rest]]
}
