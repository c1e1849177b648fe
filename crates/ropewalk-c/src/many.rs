//! The common part of batch calls: they have the results of a loop over the messages, in their order.
//!
//! All messages are checked before any of them is written. Messages whose memory does not overlap may be processed in lanes. All
//! others are processed serially, since an earlier one may write what a later one reads.

use ropewalk::InMessage;

use crate::{
    enter::{Failure, Result},
    memory,
    overlap::{
        Span,
        array::{self, Array, written},
        rows::{Order, surely_apart},
    },
};

/// Messages that are passed to the library at once: their descriptions are on the stack.
pub(crate) const GROUP: usize = 64;

/// The gain of lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gain {
    /// None: messages are not compared with each other.
    None,
    /// Less than the cost of copying their texts, or of comparing messages that are in no order.
    Little,
    /// More than that.
    Much,
}

impl Gain {
    /// `Much` or `None`.
    #[inline(always)]
    pub(crate) fn much_if(pays: bool) -> Self {
        if pays { Self::Much } else { Self::None }
    }

    /// `Little` or `None`.
    #[inline(always)]
    pub(crate) fn little_if(pays: bool) -> Self {
        if pays { Self::Little } else { Self::None }
    }

    /// The gain for AES chains. Short ones overlap by themselves in an out-of-order processor, unless they wait for a copy.
    // measured on Rocket Lake, as ratios to the rate of a loop: four of 256 bytes 0.84, eight 1.5, two of 1360 1.5, 64 of
    // 64 1.0; 16 of 256 copied 0.81
    #[inline(always)]
    pub(crate) fn of_chains(count: usize, len: usize, in_place: bool) -> Self {
        let pays = match count {
            16.. => len > 96,
            _ => len.saturating_sub(112).saturating_mul(count) >= 900,
        };
        Self::much_if(pays && (in_place || len >= 512))
    }

    /// The gain for hashes, of a function for which many processors have instructions, or of another one.
    // measured on Rocket Lake, as ratios to the rate of a loop. SHA-256: eight of 16 bytes 0.82, of 256 1.1, 16 of 16 1.15, two
    // of 256 0.95; SHA-512: eight of 16 2.8, three of 256 1.35, two of 256 0.96
    #[inline(always)]
    pub(crate) fn of_hashes(count: usize, len: usize, has_instructions: bool) -> Self {
        Self::much_if(match count {
            16.. => true,
            4.. if !has_instructions => true,
            8.. => len >= 128,
            4.. => len >= 200,
            3 if !has_instructions => len >= 200,
            _ => len >= 1000,
        })
    }
}

/// A batch call. A message has `F` spans: the first `W` of them are written, the last one is its key.
pub(crate) trait Call<const F: usize, const W: usize> {
    type Message;

    /// Cached facts about the keys of previous messages.
    type Keys: Default;

    fn spans(&self, message: &Self::Message) -> [Span; F];

    /// The gain of lanes for that many messages like this one.
    ///
    /// # Safety
    /// The caller of C lends the message, and all that it points at.
    unsafe fn gain(&self, message: &Self::Message, count: usize) -> Gain;

    /// Whether two have the same key and texts of one length.
    fn are_alike(&self, one: &Self::Message, other: &Self::Message) -> bool;

    /// Whether the key of a message is ready and its lengths are certainly valid.
    ///
    /// # Safety
    /// As [`gain`](Self::gain).
    unsafe fn fits(&self, message: &Self::Message, keys: &mut Self::Keys) -> bool;

    /// Whether its memory is certainly valid, and its output does not overlap its other memory.
    fn is_apart(&self, message: &Self::Message) -> bool;

    /// Checks it without the others, as the function for one message does.
    ///
    /// # Safety
    /// As [`gain`](Self::gain).
    unsafe fn check(&self, message: &Self::Message) -> Result<()>;

    /// Does what the function for one message does. The result is written to the message too, if it has a member for that.
    ///
    /// # Errors
    /// Where it is forged.
    ///
    /// # Safety
    /// As [`gain`](Self::gain); the message has been checked, does not write itself, and there is no reference to it.
    unsafe fn alone(&self, message: *mut Self::Message) -> Result<()>;

    /// As [`alone`](Self::alone), for a message that has not been checked.
    ///
    /// # Safety
    /// As [`alone`](Self::alone), except that it has not been checked.
    #[inline(always)]
    unsafe fn one(&self, message: *mut Self::Message) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { &*message };
        // SAFETY: the same.
        unsafe { self.check(one) }?;
        // SAFETY: as the caller says, and it has been checked.
        unsafe { self.alone(message) }
    }

    /// Processes messages of a group, the first of which has the index `from`.
    ///
    /// # Errors
    /// For the first that is forged, with its index.
    ///
    /// # Safety
    /// As [`alone`](Self::alone) for each message, and they do not overlap.
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut Self::Message,
        count: usize,
    ) -> Result<()>;
}

/// Does what a loop over the function for one message does.
///
/// # Errors
/// For the first message that is invalid, with its index: nothing has been written. For the first that is forged.
///
/// # Safety
/// The caller of C lends `count` messages, and all that they point at.
#[inline(always)]
pub(crate) unsafe fn run<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    what: &'static str,
    messages: *mut C::Message,
    count: usize,
) -> Result<()> {
    // SAFETY: the caller's messages. The slice is not used any more when one is written.
    let all = unsafe { memory::row(what, messages, count) }?;
    if let [message] = all {
        let (array, spans) = (Array::of(all), call.spans(message));
        let apart = array.apart(written::<F, W>(spans)).and_then(|()| array.apart([spans[F - 1]]));
        // SAFETY: as the caller says, and it does not write itself.
        return apart.and_then(|()| unsafe { call.one(messages) }).map_err(|wrong| wrong.at(0));
    }
    // SAFETY: as the caller says.
    match unsafe { check(call, all) }? {
        // SAFETY: each has been checked.
        Way::OneByOne => unsafe { serial(call, 0, messages, count) },
        // SAFETY: the same.
        way => unsafe { by_groups(call, way, messages, count) },
    }
}

/// Processes messages serially, the first of which has the index `from`.
///
/// # Errors
/// For the first that is forged, with its index.
///
/// # Safety
/// As [`run`]; each has been checked. No key is written, and no message of the array.
#[inline(always)]
pub(crate) unsafe fn serial<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    from: usize,
    messages: *mut C::Message,
    count: usize,
) -> Result<()> {
    for i in 0..count {
        // SAFETY: `i` is less than `count`.
        let message = unsafe { messages.add(i) };
        // SAFETY: as the caller says.
        if let Err(failure) = unsafe { call.alone(message) } {
            // SAFETY: `message` is one of the `count` messages; the result is at most one past the last.
            let behind = unsafe { message.add(1) };
            // SAFETY: as the caller says.
            unsafe { go_on(call, behind, count - i - 1) };
            return Err(failure.at(from + i));
        }
    }
    Ok(())
}

/// Processes the messages after a forged one. Out of line, so that the common path needs no place for the error.
///
/// # Safety
/// As [`serial`].
#[cold]
#[inline(never)]
unsafe fn go_on<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: *mut C::Message,
    count: usize,
) {
    for i in 0..count {
        // SAFETY: there are as many.
        let message = unsafe { messages.add(i) };
        // SAFETY: as the caller says. The first failure counts.
        let _ = unsafe { call.alone(message) };
    }
}

/// Processes messages by groups, in lanes if those of a group do not overlap.
///
/// # Errors
/// For the first that is forged, with its index.
///
/// # Safety
/// As [`serial`].
#[inline(never)]
unsafe fn by_groups<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    way: Way,
    messages: *mut C::Message,
    count: usize,
) -> Result<()> {
    let mut done = Ok(());
    for from in (0..count).step_by(GROUP) {
        let count = GROUP.min(count - from);
        // SAFETY: there are as many.
        let group = unsafe { messages.add(from) };
        // SAFETY: as the caller says.
        done = done.and(match way == Way::SideBySide || unsafe { are_apart(call, group, count) } {
            // SAFETY: as the caller says, and they are apart.
            true => unsafe { call.side_by_side(from, group, count) },
            // SAFETY: as the caller says.
            false => unsafe { serial(call, from, group, count) },
        });
    }
    done
}

/// Whether messages of a group certainly do not overlap.
///
/// # Safety
/// As [`serial`].
unsafe fn are_apart<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: *const C::Message,
    count: usize,
) -> bool {
    // SAFETY: there are as many, and none is written meanwhile.
    let group = unsafe { std::slice::from_raw_parts(messages, count) };
    surely_apart::<_, F, W>(group, |message| call.spans(message), Order::Any, |_| true)
}

/// The gain of lanes for messages, estimated from the first and the last one.
///
/// # Safety
/// The caller of C lends the messages, and all that they point at.
#[inline(always)]
pub(crate) unsafe fn gain<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
) -> Gain {
    let [first, .., last] = messages else { return Gain::None };
    // SAFETY: as the caller says.
    let gain = unsafe { call.gain(first, messages.len()) };
    match call.are_alike(first, last) {
        true => gain,
        // SAFETY: as the caller says.
        false => gain.max(unsafe { call.gain(last, messages.len()) }),
    }
}

/// The processing of checked messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    OneByOne,
    /// None of them overlap.
    SideBySide,
    /// In lanes for groups whose messages do not overlap.
    ByGroups,
}

/// Checks all messages, and returns how to process them.
///
/// # Errors
/// For the first message that is invalid, with its index.
///
/// # Safety
/// The caller of C lends the messages, and all that they point at.
#[inline(always)]
unsafe fn check<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
) -> Result<Way> {
    // SAFETY: as the caller says.
    let gain = unsafe { gain(call, messages) };
    let look = gain == Gain::Much || gain == Gain::Little && begin_in_order(call, messages);
    // SAFETY: as the caller says.
    if look && unsafe { lie_well(call, messages, gain) } {
        return Ok(Way::SideBySide);
    }
    // SAFETY: as the caller says.
    if !unsafe { are_right(call, messages) } {
        // SAFETY: the same.
        unsafe { check_exactly(call, messages) }?;
    }
    Ok(if gain == Gain::Much { Way::ByGroups } else { Way::OneByOne })
}

/// Whether the first messages write to ascending addresses: a few of them show whether messages are in no order.
#[inline(always)]
fn begin_in_order<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
) -> bool {
    let at = |message: &C::Message| call.spans(message)[0].at();
    messages[..messages.len().min(4)].is_sorted_by(|one, next| at(one) <= at(next))
}

/// Whether all messages are certainly valid and do not overlap.
///
/// # Safety
/// As [`check`].
#[inline(never)]
unsafe fn lie_well<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
    gain: Gain,
) -> bool {
    let in_any_order = gain == Gain::Much && messages.len() <= GROUP;
    let order = if in_any_order { Order::Any } else { Order::Ascending };
    let mut keys = C::Keys::default();
    // SAFETY: as the caller says.
    let fits = |message: &C::Message| unsafe { call.fits(message, &mut keys) };
    surely_apart::<_, F, W>(messages, |message| call.spans(message), order, fits)
}

/// Whether each message is certainly valid, and none writes the array of messages or a key. An instruction here costs more than
/// itself: it delays the next message, which could start before the one before has ended.
///
/// # Safety
/// As [`check`].
#[inline(always)]
unsafe fn are_right<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
) -> bool {
    let Some(first) = messages.first() else { return true };
    let (array, key) = (Array::of(messages), call.spans(first)[F - 1]);
    let (mut keys, mut one_key) = (C::Keys::default(), true);
    for message in messages {
        let spans = call.spans(message);
        let far = array.is_far(written::<F, W>(spans));
        // SAFETY: as the caller says.
        if !far || !call.is_apart(message) || !unsafe { call.fits(message, &mut keys) } {
            return false;
        }
        one_key &= spans[F - 1].at() == key.at();
    }
    match one_key {
        // Each is apart from its own key.
        true => array.is_far([key]),
        false => array::keys_stay::<_, F, W>(messages, |message| call.spans(message)).is_ok(),
    }
}

/// As [`are_right`], for any messages.
///
/// # Errors
/// For the first message that is invalid, with its index.
///
/// # Safety
/// As [`check`].
#[cold]
#[inline(never)]
unsafe fn check_exactly<C: Call<F, W>, const F: usize, const W: usize>(
    call: &C,
    messages: &[C::Message],
) -> Result<()> {
    let array = Array::of(messages);
    for (i, message) in messages.iter().enumerate() {
        // SAFETY: as the caller says.
        let checked = unsafe { call.check(message) };
        let apart = || array.apart(written::<F, W>(call.spans(message)));
        checked.and_then(|()| apart()).map_err(|wrong| wrong.at(i))?;
    }
    array::keys_stay::<_, F, W>(messages, |message| call.spans(message))
}

/// The library's error for one message of a group, the first of which has the index `from`.
#[cold]
pub(crate) fn wrong(from: usize, InMessage { index, error }: InMessage) -> Failure {
    Failure::from(error).at(from + index)
}
