//! Batches of public-key operations: groups of eight.

use crate::core::{
    Error,
    backend::{Costs, Info},
};

/// A group of lanes.
pub(crate) const EIGHT: usize = 8;
/// The number of each lane.
pub(crate) const LANES: [usize; EIGHT] = [0, 1, 2, 3, 4, 5, 6, 7];

/// From how many items on a group of lanes is faster than serial calls, by the costs in the lists.
pub(crate) fn pays_from(many: &Info, one: &Info) -> usize {
    match many.lanes {
        1 => usize::MAX,
        _ => Costs::recorded(many, one).pay_from(1),
    }
}

/// The items of a group. Lanes without an item have the first one.
#[inline]
pub(crate) fn lanes<T: Copy>(items: &[T]) -> [T; EIGHT] {
    let mut lanes = [items[0]; EIGHT];
    let some = items.len().min(EIGHT);
    lanes[..some].copy_from_slice(&items[..some]);
    lanes
}

/// Whether there are as many outputs as items.
pub(crate) fn as_many(what: &'static str, got: usize, items: usize) -> Result<(), Error> {
    match got == items {
        true => Ok(()),
        false => Err(Error::Length { what, got, allowed: "one for each item" }),
    }
}
