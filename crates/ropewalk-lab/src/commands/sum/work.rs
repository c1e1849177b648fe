//! The queue from the thread that finds files to those that hash them, and on to the one that writes, in the
//! order in which files were found.

use std::{
    collections::{BTreeMap, VecDeque},
    ffi::OsString,
    io, mem,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    thread,
    time::Duration,
};

use ropewalk::hash::Algorithm;

use super::{guess::Guess, hash::Digest, list};

/// An item of the output, in order.
pub(super) enum Item {
    /// A file.
    Entry(Entry),
    /// A malformed line of a list, and its number.
    Improper(OsString, u64),
    /// The end of a list to check.
    End(list::Count),
}

/// A file.
pub(super) struct Entry {
    /// The name as it is written.
    pub(super) name: OsString,
    /// The hash function.
    pub(super) algorithm: Algorithm,
    /// The digest in a list.
    pub(super) listed: Option<Digest>,
    /// If only the length of that digest suggests the function.
    pub(super) guess: Option<Arc<Guess>>,
    /// The digest, once it is known.
    pub(super) found: Option<io::Result<Digest>>,
}

impl Entry {
    pub(super) fn new(name: OsString, algorithm: Algorithm) -> Self {
        Self { name, algorithm, listed: None, guess: None, found: None }
    }
}

impl Item {
    /// Bytes that it takes, or somewhat more.
    fn cost(&self) -> usize {
        match self {
            Self::Entry(entry) => entry.name.len() + 2 * size_of::<Self>(),
            Self::Improper(name, _) => name.len() + size_of::<Self>(),
            Self::End(_) => size_of::<Self>(),
        }
    }
}

/// Consecutive items, and the number of the first.
pub(super) struct Batch {
    pub(super) first: u64,
    pub(super) items: Vec<Item>,
}

impl Batch {
    fn cost(&self) -> usize {
        self.items.iter().map(Item::cost).sum()
    }

    fn end(&self) -> u64 {
        self.first + self.items.len() as u64
    }
}

/// The next items for the writer.
pub(super) enum Next {
    /// The items.
    Items(Vec<Item>),
    /// They are not complete yet.
    Later,
    /// There are no more.
    End,
}

/// The queue.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is space for more.
    room: Condvar,
    /// There is something to hash.
    work: Condvar,
    /// The next items to write are complete.
    done: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Batch>,
    done: BTreeMap<u64, Vec<Item>>,
    /// Batches in work.
    taken: usize,
    /// Threads that wait for one. If none waits, none is woken: that would be a system call.
    idle: usize,
    /// Whether the finder waits for space, and the writer for the next items.
    full: bool,
    dry: bool,
    /// Bytes of all items that are not yet written.
    cost: usize,
    /// The number of the item that is written next.
    next: u64,
    /// The number of all items, once it is known.
    end: Option<u64>,
    broken: bool,
}

/// The limit of bytes of items that are found before they are written: enough for the other threads while one
/// hashes a file of some GiB, and small compared with their buffers.
const AHEAD: usize = 6 << 20;

impl Queue {
    /// Adds a batch to be hashed, when there is space.
    pub(super) fn give(&self, batch: Batch) {
        let cost = batch.cost();
        let full = |state: &mut State| {
            state.full = state.cost > 0 && state.cost + cost > AHEAD;
            state.full
        };
        let mut state = self.room.wait_while(self.lock(), full).expect(NO_PANIC);
        state.cost += cost;
        state.waiting.push_back(batch);
        self.wake(state);
    }

    /// Sets the number of all items.
    pub(super) fn end(&self, count: u64) {
        self.lock().end = Some(count);
        self.work.notify_all();
        self.done.notify_all();
    }

    /// Takes the next batch, or none if there will be none: not even the rest of one.
    pub(super) fn take(&self) -> Option<Batch> {
        let more = |state: &State| state.end.is_none() || state.taken > 0;
        let idle = |state: &mut State| state.waiting.is_empty() && more(state);
        let mut state = self.lock();
        state.idle += 1;
        let mut state = self.work.wait_while(state, idle).expect(NO_PANIC);
        state.idle -= 1;
        let batch = state.waiting.pop_front()?;
        state.taken += 1;
        Some(batch)
    }

    /// Whether all items have been written.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().cost == 0
    }

    /// Takes the next batch, if there is one.
    pub(super) fn take_now(&self) -> Option<Batch> {
        let mut state = self.lock();
        let batch = state.waiting.pop_front()?;
        state.taken += 1;
        Some(batch)
    }

    /// Returns the end of a batch, for the next idle thread.
    pub(super) fn give_back(&self, rest: Batch) {
        let mut state = self.lock();
        state.waiting.push_front(rest);
        self.wake(state);
    }

    /// Whether a thread is idle.
    pub(super) fn has_idle(&self) -> bool {
        let state = self.lock();
        state.idle > state.waiting.len()
    }

    /// Marks a batch as hashed.
    pub(super) fn done(&self, batch: Batch) {
        let mut state = self.lock();
        state.taken -= 1;
        if state.taken == 0 && state.end.is_some() {
            self.work.notify_all();
        }
        let awaited = state.dry && state.next == batch.first;
        state.done.insert(batch.first, batch.items);
        drop(state);
        if awaited {
            self.done.notify_one();
        }
    }

    /// The next items to write, or [`Next::Later`] if they take longer than `patience`.
    ///
    /// # Errors
    /// If one of the other threads has panicked.
    pub(super) fn next(&self, patience: Duration) -> io::Result<Next> {
        let waits = |state: &mut State| {
            let there = state.done.contains_key(&state.next);
            state.dry = !there && state.end != Some(state.next) && !state.broken;
            state.dry
        };
        let state = self.done.wait_timeout_while(self.lock(), patience, waits);
        let mut state = state.expect(NO_PANIC).0;
        state.dry = false;
        if state.broken {
            return Err(io::Error::other("a thread has failed"));
        }
        let next = state.next;
        match state.done.remove(&next) {
            Some(items) => {
                let batch = Batch { first: next, items };
                state.cost -= batch.cost();
                state.next = batch.end();
                // Not for each batch: the finder should find several before it sleeps again.
                if state.full && state.cost < AHEAD / 2 {
                    drop(state);
                    self.room.notify_one();
                }
                Ok(Next::Items(batch.items))
            }
            None if state.end == Some(next) => Ok(Next::End),
            None => Ok(Next::Later),
        }
    }

    /// Wakes one thread that waits for a batch, if any.
    fn wake(&self, state: MutexGuard<'_, State>) {
        let idle = state.idle > 0;
        drop(state);
        if idle {
            self.work.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect(NO_PANIC)
    }
}

const NO_PANIC: &str = "nobody panics who has the lock";

/// Marks the queue if its thread panics, so that no thread waits for it.
pub(super) struct Watch<'a>(pub(super) &'a Queue);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().broken = true;
            self.0.done.notify_all();
        }
    }
}

/// Passes items on, in batches.
pub(super) struct Feed<'a> {
    give: &'a mut dyn FnMut(Batch),
    batch: Batch,
}

/// Files in a batch: several times as many as there are lanes, so that files of one length are likely to be
/// together.
const BATCH: usize = 128;

impl<'a> Feed<'a> {
    pub(super) fn new(give: &'a mut dyn FnMut(Batch)) -> Self {
        Self { give, batch: Batch { first: 0, items: Vec::with_capacity(BATCH) } }
    }

    pub(super) fn push(&mut self, item: Item) {
        self.batch.items.push(item);
        if self.batch.items.len() == BATCH {
            self.flush();
        }
    }

    /// Passes on the rest, and returns the number of all items.
    pub(super) fn end(mut self) -> u64 {
        self.flush();
        self.batch.first
    }

    fn flush(&mut self) {
        let next = Batch { first: self.batch.end(), items: Vec::with_capacity(BATCH) };
        let batch = mem::replace(&mut self.batch, next);
        if !batch.items.is_empty() {
            (self.give)(batch);
        }
    }
}
