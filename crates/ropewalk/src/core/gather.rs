//! A collector, and what it requires of the operations on its messages.

use alloc::{collections::VecDeque, vec::Vec};
use core::{borrow::Borrow, fmt, time::Duration};

use crate::core::Error;

/// The largest batch that runs at once.
pub(crate) const MOST: usize = 64;

/// The operation on a batch of messages.
pub trait Batch {
    /// A message with all that belongs to it. Its owner gets it back.
    type Message;
    /// The result of a message.
    type Answer;

    /// How many messages it has lanes for. A batch has that many messages, but 64 at most.
    fn lanes(&self) -> usize;

    /// Checks a message before it is accepted: one bad message must not spoil the others.
    ///
    /// # Errors
    /// The fault of the message.
    fn check(&self, message: &Self::Message) -> Result<(), Error> {
        let _ = message;
        Ok(())
    }

    /// Processes one to 64 messages, all of which have been checked, and passes the answer of each to `answer`, in their order.
    fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Self::Answer));
}

/// Takes messages one at a time and runs them in batches.
pub struct Collector<B: Batch> {
    batch: B,
    /// Messages in a batch.
    lanes: usize,
    /// The longest wait of the first message.
    wait: Duration,
    /// When the first waiting message came.
    since: Duration,
    waiting: Vec<B::Message>,
    /// Messages that have run, in order of arrival, until they are taken. The first one is never empty.
    done: VecDeque<Option<(B::Message, B::Answer)>>,
    /// The most messages it holds.
    room: usize,
    /// The ticket of the first finished message or, where there is none, of the first waiting one.
    first: u64,
}

/// A handle of a message in a [`Collector`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// A message that was refused.
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
    /// A message waits at most `wait` until it runs, provided that its owner calls [`Collector::poll`] in time. At most `room`
    /// messages are held, but never fewer than there are lanes.
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

    /// The operation on its messages.
    pub fn batch(&self) -> &B {
        &self.batch
    }

    /// Accepts a message. If that fills the lanes, the batch runs.
    ///
    /// # Errors
    /// [`Refused`], with the message: the error of [`Batch::check`], or [`Error::Full`] where the collector is full. Nothing else
    /// has then happened.
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

    /// When the first waiting message has to run, if there is one: the time to call [`Collector::poll`].
    pub fn due(&self) -> Option<Duration> {
        (!self.waiting.is_empty()).then(|| self.since.saturating_add(self.wait))
    }

    /// Runs the waiting messages, if they are due. Returns whether they were.
    pub fn poll(&mut self, now: Duration) -> bool {
        let due = self.due().is_some_and(|due| due <= now);
        if due {
            self.flush();
        }
        due
    }

    /// Runs the waiting messages at once.
    pub fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let answered = self.done.len();
        let done = &mut self.done;
        let mut answers = 0;
        // Answers come first, while all messages are still in place.
        let mut room: [Option<B::Answer>; MOST] = [const { None }; MOST];
        self.batch.run(&mut self.waiting, |answer| {
            room[answers] = Some(answer);
            answers += 1;
        });
        assert_eq!(answers, self.waiting.len(), "an answer for each message");
        done.extend(self.waiting.drain(..).zip(room.into_iter().flatten()).map(Some));
        debug_assert_eq!(done.len(), answered + answers);
    }

    /// The message of a ticket and its answer; none if it waits, or has been taken.
    pub fn take(&mut self, Ticket(ticket): Ticket) -> Option<(B::Message, B::Answer)> {
        let at = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        let taken = self.done.get_mut(at)?.take();
        while let Some(None) = self.done.front() {
            self.done.pop_front();
            self.first += 1;
        }
        taken
    }

    /// The first finished message and its answer, for callers that take them in order of arrival.
    pub fn take_first(&mut self) -> Option<(Ticket, B::Message, B::Answer)> {
        let ticket = Ticket(self.first);
        self.take(ticket).map(|(message, answer)| (ticket, message, answer))
    }

    /// How many messages wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many messages it holds: waiting ones, finished ones, and the places of those that were taken out of order.
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

/// A message with its key.
#[derive(Clone)]
pub struct Keyed<K, T> {
    /// The key, or a reference to it, such as an `Arc`.
    pub key: K,
    /// The message.
    pub text: T,
}

/// A message to seal.
#[derive(Clone)]
pub struct Sealing<K, N, A, T> {
    /// The key, or a reference to it, such as an `Arc`.
    pub key: K,
    /// The nonce.
    pub nonce: N,
    /// The additional data.
    pub aad: A,
    /// The text, which is encrypted or decrypted in place.
    pub text: T,
}

/// A message to open, with its tag.
#[derive(Clone)]
pub struct Opening<K, N, A, T, G> {
    /// The sealed message.
    pub sealed: Sealing<K, N, A, T>,
    /// Its tag.
    pub tag: G,
}

/// A message of a batch, by reference.
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
