//! The memory of the messages of a job.

use bytes::BytesMut;

use crate::tasks::Cell;

/// The bytes of one message: a separate allocation, or a part of one that several messages share.
pub type Text = BytesMut;

/// If the distance of messages is a multiple of this, they begin at page boundaries.
const PAGE: usize = 4096;

/// Zeroed buffers of these lengths: separate allocations, or at the cell's stride in one.
///
/// # Panics
/// If one is longer than the stride.
pub(super) fn places(cell: &Cell, lens: impl Iterator<Item = usize>) -> Vec<Text> {
    match cell.stride {
        None => lens.map(BytesMut::zeroed).collect(),
        Some(stride) => apart(stride, &lens.collect::<Vec<_>>()),
    }
}

/// The first buffer begins at a page boundary.
fn apart(stride: usize, lens: &[usize]) -> Vec<Text> {
    let mut rest = BytesMut::zeroed(PAGE + lens.len() * stride);
    let before = (rest.as_ptr() as usize).next_multiple_of(PAGE) - rest.as_ptr() as usize;
    let _ = rest.split_to(before);
    let place = |len: &usize| {
        let mut place = rest.split_to(stride);
        assert!(*len <= stride, "a message is longer than the stride");
        place.truncate(*len);
        place
    };
    lens.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_a_stride_apart_from_a_page_on() {
        for stride in [64, 4096, 65536] {
            let places = apart(stride, &[64, 0, 16, 64]);
            let start = places[0].as_ptr() as usize;
            assert_eq!(start % PAGE, 0);
            let at: Vec<_> = places.iter().map(|place| place.as_ptr() as usize - start).collect();
            assert_eq!(at, [0, stride, 2 * stride, 3 * stride]);
            let lens: Vec<_> = places.iter().map(|place| place.len()).collect();
            assert_eq!(lens, [64, 0, 16, 64]);
        }
    }

    #[test]
    fn what_is_written_to_one_place_is_in_no_other() {
        let mut places = apart(64, &[64; 3]);
        for (i, place) in places.iter_mut().enumerate() {
            place.fill(i as u8);
        }
        let all = places.concat();
        assert!(all.chunks(64).enumerate().all(|(i, place)| place == [i as u8; 64]));
    }
}
