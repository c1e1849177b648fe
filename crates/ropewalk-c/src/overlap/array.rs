//! Memory that no message of a batch may write: the array of messages, which is read meanwhile, and all keys.

use arrayvec::ArrayVec;

use super::{Span, intervals::Reach};
use crate::enter::{Failure, Result, Why};

/// The array of messages of a call.
pub(crate) struct Array(Span);

impl Array {
    #[inline(always)]
    pub(crate) fn of<T>(messages: &[T]) -> Self {
        Self(Span::new(messages.as_ptr().cast(), size_of_val(messages)))
    }

    /// Whether spans certainly do not overlap the array: all begin after it, or so far before it that the longest does not reach
    /// it.
    #[inline(always)]
    pub(crate) fn is_far<const N: usize>(&self, spans: [Span; N]) -> bool {
        let longest = spans.iter().fold(0, |all, span| all | span.len);
        let (from, room) = (self.0.at.wrapping_sub(longest), self.0.len.wrapping_add(longest));
        spans.iter().fold(true, |far, span| far & (span.at.wrapping_sub(from) >= room))
    }

    /// Refuses spans one of which overlaps the array.
    ///
    /// # Errors
    /// [`Why::Overlap`].
    #[inline(always)]
    pub(crate) fn apart<const N: usize>(&self, spans: [Span; N]) -> Result<()> {
        match self.is_far(spans) || !spans.iter().any(|span| span.overlaps(self.0)) {
            true => Ok(()),
            false => Err(Why::Overlap("messages").into()),
        }
    }
}

/// The written spans of a message, which are the first ones.
#[inline(always)]
pub(crate) fn written<const F: usize, const W: usize>(spans: [Span; F]) -> [Span; W] {
    std::array::from_fn(|w| spans[w])
}

/// Keys that are compared with messages at once.
const KEYS: usize = 256;

/// Refuses messages one of which writes a key of another one, or whose key lies in the array, where results are written. Each has
/// `F` spans: the first `W` are written, the last one is its key.
///
/// # Errors
/// [`Why::Overlap`], with the index of such a message.
#[inline(never)]
pub(crate) fn keys_stay<T, const F: usize, const W: usize>(
    messages: &[T],
    spans: impl Fn(&T) -> [Span; F],
) -> Result<()> {
    let (array, mut written) = (Array::of(messages), Reach::NOTHING);
    for (i, message) in messages.iter().enumerate() {
        let spans = spans(message);
        array.apart([spans[F - 1]]).map_err(|wrong| wrong.at(i))?;
        spans[..W].iter().for_each(|span| written.add(*span));
    }
    let mut keys = ArrayVec::<Span, KEYS>::new();
    for (i, message) in messages.iter().enumerate() {
        let key = spans(message)[F - 1];
        let is_new = keys.last().is_none_or(|last| last.at != key.at);
        if is_new && !Reach::of(key).is_apart(written) {
            keys.push(key);
        }
        if keys.is_full() || i + 1 == messages.len() {
            none_is_written(messages, &spans, W, &mut keys)?;
            keys.clear();
        }
    }
    Ok(())
}

/// Refuses messages one of which writes one of these keys, which have one length.
fn none_is_written<T, const F: usize>(
    messages: &[T],
    spans: &impl Fn(&T) -> [Span; F],
    written: usize,
    keys: &mut [Span],
) -> Result<()> {
    keys.sort_unstable_by_key(|key| key.at);
    let overlaps = |span: &Span| {
        let ended = keys.partition_point(|key| key.at.wrapping_add(key.len) <= span.at);
        keys.get(ended).is_some_and(|key| key.overlaps(*span))
    };
    match messages.iter().position(|one| spans(one)[..written].iter().any(overlaps)) {
        None => Ok(()),
        Some(index) => Err(Failure::from(Why::Overlap("output")).at(index)),
    }
}
