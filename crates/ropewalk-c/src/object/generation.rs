//! Unique generations of keys in a process.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// Generations that a thread takes at a time: threads then do not share a counter for each key.
const RUN: u64 = 1 << 32;

/// The first generation that no thread has taken.
static FREE: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The last generation of this thread; a multiple of [`RUN`] before the first.
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// The next generation.
#[inline(always)]
pub(super) fn next() -> u64 {
    let last = LAST.get();
    let next = if last.is_multiple_of(RUN) { first() } else { last + 1 };
    LAST.set(next);
    next
}

#[cold]
fn first() -> u64 {
    FREE.fetch_add(RUN, Relaxed) + 1
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, thread};

    use super::*;

    #[test]
    fn numbers_of_all_threads_differ() {
        // Miri is slow.
        const EACH: usize = if cfg!(miri) { 20 } else { 1000 };
        let take = || (0..EACH).map(|_| next()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| thread::spawn(take)).collect();
        let taken = threads.into_iter().flat_map(|thread| thread.join().unwrap());
        assert_eq!(taken.collect::<HashSet<_>>().len(), 4 * EACH);
    }
}
