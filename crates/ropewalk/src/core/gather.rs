//! A collector, and what it asks of those who work on its messages.

use alloc::{collections::VecDeque, vec::Vec};
use core::{borrow::Borrow, fmt, time::Duration};

use crate::core::Error;

/// The most messages that run at once.
pub(crate) const MOST: usize = 64;

/// What is done with messages once there are enough of them.
pub trait Batch {
    /// A message and whatever belongs to it. Its owner gets it back.
    type Message;
    /// What becomes of it.
    type Answer;

    /// How many messages it has lanes for: as many, but 64 at most, run at once.
    fn lanes(&self) -> usize;

    /// Whether it can work on a message, which is refused otherwise: one bad message must not spoil the others.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(&self, message: &Self::Message) -> Result<(), Error> {
        let _ = message;
        Ok(())
    }

    /// Works on messages, one at least and 64 at most, all of which have been checked, and gives the answer of each, in their order.
    fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Self::Answer));
}

/// Takes messages one at a time and runs them side by side.
pub struct Collector<B: Batch> {
    batch: B,
    /// As many run at once.
    lanes: usize,
    /// How long the first may wait.
    wait: Duration,
    /// When the first came that waits.
    since: Duration,
    waiting: Vec<B::Message>,
    /// Those that have run, in the order in which they came, until they are taken. The first one is never empty.
    done: VecDeque<Option<(B::Message, B::Answer)>>,
    /// As many are held at most.
    room: usize,
    /// The ticket of the first that is done or, where none is, waits.
    first: u64,
}

/// Stands for a message in a [`Collector`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// A message that was not taken.
pub struct Refused<M> {
    /// The message, as it was.
    pub message: M,
    /// Why.
    pub error: Error,
}

impl<M> fmt::Display for Refused<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Messages may hold keys, which must not be printed.
impl<M> fmt::Debug for Refused<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<M> core::error::Error for Refused<M> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<B: Batch> Collector<B> {
    /// A message waits so long at most until it runs, if its owner calls [`Collector::poll`] in time, and `room` messages are
    /// held at most, never fewer than there are lanes.
    pub fn new(batch: B, wait: Duration, room: usize) -> Self {
        let lanes = batch.lanes().clamp(1, MOST);
        let room = room.max(lanes);
        Self {
            batch,
            lanes,
            wait,
            since: Duration::ZERO,
            waiting: Vec::with_capacity(lanes),
            done: VecDeque::with_capacity(room),
            room,
            first: 0,
        }
    }

    /// What it does with messages.
    pub fn batch(&self) -> &B {
        &self.batch
    }

    /// Takes a message, which runs with all that wait if the lanes are full.
    ///
    /// # Errors
    /// [`Refused`], with the message: what [`Batch::check`] has against it, or [`Error::Full`] where as many are held as
    /// may be. Nothing else has then happened.
    pub fn submit(
        &mut self,
        message: B::Message,
        now: Duration,
    ) -> Result<Ticket, Refused<B::Message>> {
        if self.held() == self.room {
            return Err(Refused { message, error: Error::Full });
        }
        if let Err(error) = self.batch.check(&message) {
            return Err(Refused { message, error });
        }
        if self.waiting.is_empty() {
            self.since = now;
        }
        let ticket = Ticket(self.first + self.held() as u64);
        self.waiting.push(message);
        if self.waiting.len() == self.lanes {
            self.flush();
        }
        Ok(ticket)
    }

    /// When the first message that waits has to run, if one does: the time to call [`Collector::poll`].
    pub fn due(&self) -> Option<Duration> {
        (!self.waiting.is_empty()).then(|| self.since.saturating_add(self.wait))
    }

    /// Runs what waits, if it is time to. Returns whether it was.
    pub fn poll(&mut self, now: Duration) -> bool {
        let due = self.due().is_some_and(|due| due <= now);
        if due {
            self.flush();
        }
        due
    }

    /// Runs what waits, whatever the time.
    pub fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let answered = self.done.len();
        let done = &mut self.done;
        let mut answers = 0;
        // Answers first, for they come while all messages are there.
        let mut room: [Option<B::Answer>; MOST] = [const { None }; MOST];
        self.batch.run(&mut self.waiting, |answer| {
            room[answers] = Some(answer);
            answers += 1;
        });
        assert_eq!(answers, self.waiting.len(), "an answer for each message");
        done.extend(self.waiting.drain(..).zip(room.into_iter().flatten()).map(Some));
        debug_assert_eq!(done.len(), answered + answers);
    }

    /// The message of a ticket, and what became of it; none if it waits, or has been taken.
    pub fn take(&mut self, Ticket(ticket): Ticket) -> Option<(B::Message, B::Answer)> {
        let at = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        let taken = self.done.get_mut(at)?.take();
        while let Some(None) = self.done.front() {
            self.done.pop_front();
            self.first += 1;
        }
        taken
    }

    /// The first message that is done, and what became of it: for those who take them in the order in which they came.
    pub fn take_first(&mut self) -> Option<(Ticket, B::Message, B::Answer)> {
        let ticket = Ticket(self.first);
        self.take(ticket).map(|(message, answer)| (ticket, message, answer))
    }

    /// How many messages wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many it holds: those that wait, those that are done, and the places of those that were taken before an earlier one.
    pub fn held(&self) -> usize {
        self.done.len() + self.waiting.len()
    }
}

impl<B: Batch> fmt::Debug for Collector<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lanes, wait, room, .. } = self;
        let mut all = f.debug_struct("Collector");
        all.field("lanes", lanes).field("wait", wait).field("room", room);
        all.field("waiting", &self.waiting.len()).field("done", &self.done.len()).finish()
    }
}

/// A text with its key.
#[derive(Clone)]
pub struct Keyed<K, T> {
    /// The key, or what refers to it, such as an `Arc`.
    pub key: K,
    /// The text.
    pub text: T,
}

/// A text to seal, with what belongs to it.
#[derive(Clone)]
pub struct Sealing<K, N, A, T> {
    /// The key, or what refers to it, such as an `Arc`.
    pub key: K,
    /// The nonce.
    pub nonce: N,
    /// The additional data.
    pub aad: A,
    /// The text, which is encrypted or decrypted in place.
    pub text: T,
}

/// A text to open, with its tag.
#[derive(Clone)]
pub struct Opening<K, N, A, T, G> {
    /// What was sealed.
    pub sealed: Sealing<K, N, A, T>,
    /// Its tag.
    pub tag: G,
}

/// What a call for many messages takes of one.
pub(crate) struct Borrowed<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) nonce: &'a [u8],
    pub(crate) aad: &'a [u8],
    pub(crate) text: &'a mut [u8],
}

impl<K, N: AsRef<[u8]>, A: AsRef<[u8]>, T: AsMut<[u8]>> Sealing<K, N, A, T> {
    pub(crate) fn borrowed<Key>(&mut self) -> Borrowed<'_, Key>
    where
        K: Borrow<Key>,
    {
        let Self { key, nonce, aad, text } = self;
        let (nonce, aad) = ((*nonce).as_ref(), (*aad).as_ref());
        Borrowed { key: (*key).borrow(), nonce, aad, text: text.as_mut() }
    }
}
