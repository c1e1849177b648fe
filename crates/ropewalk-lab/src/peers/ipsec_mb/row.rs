//! Contiguous jobs, with the distance of the version.

use std::{mem::MaybeUninit, ops::Range};

use super::{api::Job, interface::Interface};

pub(super) struct Row {
    words: Vec<MaybeUninit<u64>>,
    /// Words of a job.
    each: usize,
}

impl Row {
    pub(super) fn new(interface: Interface, jobs: impl IntoIterator<Item = Job>) -> Self {
        let each = interface.job_bytes / size_of::<u64>();
        let mut words = Vec::new();
        for job in jobs {
            words.extend_from_slice(&job.words()[..each]);
        }
        Self { words, each }
    }

    /// The range of all of them.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.words.len() / self.each
    }

    /// The parts of a range, of a limited size: the first job, and the number of jobs.
    pub(super) fn parts(
        &mut self,
        range: Range<usize>,
        most: usize,
    ) -> impl Iterator<Item = (*mut Job, usize)> {
        let each = self.each;
        let words = &mut self.words[range.start * each..range.end * each];
        let parts = words.chunks_mut(most * each);
        parts.map(move |part| (part.as_mut_ptr().cast(), part.len() / each))
    }
}

#[cfg(test)]
#[cfg(target_pointer_width = "64")]
mod tests {
    use super::*;

    /// Every job is at the offset of its version, with the fields that all versions share.
    #[test]
    fn jobs_are_apart_as_their_version_has_them() {
        let known = [0x01_03_00, 0x01_05_00, 0x02_00_02].map(|v| Interface::of(v).expect("known"));
        for interface in known {
            let job = |i| Job { cipher_len: i, status: i as i32, order: 1, ..Job::default() };
            let mut row = Row::new(interface, (0..5).map(job));
            assert_eq!(row.all(), 0..5);
            let parts: Vec<_> = row.parts(1..5, 3).collect();
            assert_eq!(parts.iter().map(|part| part.1).collect::<Vec<_>>(), [3, 1]);
            let (first, last) = (parts[0].0, parts[1].0);
            assert_eq!(last as usize - first as usize, 3 * interface.job_bytes);
            for (place, number) in [(first, 1), (last, 4)] {
                let word = |offset: usize| {
                    // SAFETY: it lies in the job, and is written.
                    unsafe { place.wrapping_byte_add(offset).cast::<u32>().read() }
                };
                // The positions of the length, the status and the order in the header.
                assert_eq!([48, 128, 144].map(word), [number, number, 1], "{interface:?}");
            }
        }
    }
}
