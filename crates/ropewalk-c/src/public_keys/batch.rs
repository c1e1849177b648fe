//! The common part of batches of public-key operations.

use crate::{
    enter::Result,
    many::{Call, Gain},
    object::{self, Object},
    overlap::Span,
};

/// An operation of which a batch is a [`Call`]. A message has `F` spans: the first `W` of them are written, the last one is its key.
pub(crate) trait Operation<const F: usize, const W: usize> {
    type Message;
    /// The object in which a message has its key.
    type Key: Object;

    fn key(message: &Self::Message) -> *const Self::Key;

    fn spans(message: &Self::Message) -> [Span; F];

    /// Checks all of a message but its key, as the function for one message does before it looks at the key.
    fn check(message: &Self::Message) -> Result<()>;

    /// Checks what depends on the key.
    #[inline(always)]
    fn check_with(_: &Self::Message, _: &<Self::Key as Object>::Value) -> Result<()> {
        Ok(())
    }

    /// As [`Call::alone`].
    ///
    /// # Safety
    /// As [`Call::alone`].
    unsafe fn alone(&self, message: *mut Self::Message) -> Result<()>;

    /// As [`Call::side_by_side`].
    ///
    /// # Safety
    /// As [`Call::side_by_side`].
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut Self::Message,
        count: usize,
    ) -> Result<()>;
}

impl<O: Operation<F, W>, const F: usize, const W: usize> Call<F, W> for O {
    type Message = O::Message;
    type Keys = Ready<O::Key>;

    #[inline(always)]
    fn spans(&self, message: &O::Message) -> [Span; F] {
        O::spans(message)
    }

    /// Comparing messages takes less than a hundredth of an operation.
    #[inline]
    unsafe fn gain(&self, _: &O::Message, _: usize) -> Gain {
        Gain::Much
    }

    #[inline(always)]
    fn are_alike(&self, _: &O::Message, _: &O::Message) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn fits(&self, message: &O::Message, last: &mut Self::Keys) -> bool {
        let key = O::key(message);
        // SAFETY: the caller's key.
        O::check(message).is_ok() && unsafe { last.has(key) }
            // SAFETY: it has been found ready.
            && O::check_with(message, unsafe { object::found(key) }).is_ok()
    }

    #[inline(always)]
    fn is_apart(&self, message: &O::Message) -> bool {
        O::check(message).is_ok()
    }

    unsafe fn check(&self, message: &O::Message) -> Result<()> {
        O::check(message)?;
        // SAFETY: the caller's key.
        O::check_with(message, unsafe { object::get(O::key(message)) }?)
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut O::Message) -> Result<()> {
        // SAFETY: as the caller says.
        unsafe { Operation::alone(self, message) }
    }

    #[inline(always)]
    unsafe fn side_by_side(
        &self,
        from: usize,
        messages: *mut O::Message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: as the caller says.
        unsafe { Operation::side_by_side(self, from, messages, count) }
    }
}

/// The last key of a batch that was found ready: neighbours mostly have the same.
pub(crate) struct Ready<O>(Option<*const O>);

impl<O> Default for Ready<O> {
    fn default() -> Self {
        Self(None)
    }
}

impl<O: Object> Ready<O> {
    /// Whether a key is ready; it becomes the last one.
    ///
    /// # Safety
    /// The key is for reading, or NULL.
    #[inline(always)]
    unsafe fn has(&mut self, key: *const O) -> bool {
        // SAFETY: as the caller says.
        if self.0 != Some(key) && unsafe { object::get(key) }.is_err() {
            return false;
        }
        self.0 = Some(key);
        true
    }
}
