//! Input and output of a call: the same bytes, or bytes that do not overlap.

use core::{ptr, slice};

use crate::error::Reason;

/// Input and output of a call.
pub(crate) struct Io {
    from: *const u8,
    len: usize,
    to: *mut u8,
    room: usize,
}

/// Bytes to read, and as many to write.
pub(crate) enum Buffers<'a> {
    InPlace(&'a mut [u8]),
    Apart(&'a [u8], &'a mut [u8]),
}

impl Buffers<'_> {
    /// The same buffers, borrowed for a shorter time.
    #[inline]
    pub(crate) fn reborrow(&mut self) -> Buffers<'_> {
        match self {
            Self::InPlace(text) => Buffers::InPlace(text),
            Self::Apart(from, to) => Buffers::Apart(from, to),
        }
    }

    /// The output.
    #[inline]
    pub(crate) fn output(&self) -> &[u8] {
        match self {
            Self::InPlace(text) | Self::Apart(_, text) => text,
        }
    }
}

impl Buffers<'_> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::InPlace(text) => text.len(),
            Self::Apart(from, _) => from.len(),
        }
    }

    /// Splits the buffers after `at` bytes.
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        match self {
            Self::InPlace(text) => {
                let (head, rest) = text.split_at_mut(at);
                (Self::InPlace(head), Self::InPlace(rest))
            }
            Self::Apart(from, to) => {
                let ((from, more), (to, room)) = (from.split_at(at), to.split_at_mut(at));
                (Self::Apart(from, to), Self::Apart(more, room))
            }
        }
    }
}

impl Io {
    /// Wraps the buffers of a call by OpenSSL, which are valid until the call returns: every borrow of them
    /// ends before.
    #[inline]
    pub(crate) fn new(from: *const u8, len: usize, to: *mut u8, room: usize) -> Self {
        Self { from, len, to, room }
    }

    /// Input and output of no bytes.
    pub(crate) fn empty() -> Self {
        let nothing = ptr::NonNull::dangling().as_ptr();
        Self { from: nothing, len: 0, to: nothing, room: 0 }
    }

    /// The length of the input.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The length of the output.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Whether there is no input, which is how `EVP_Cipher` ends a message.
    #[inline]
    pub(crate) fn is_end(&self) -> bool {
        self.from.is_null()
    }

    /// Whether there is no output, which marks the input as additional data.
    #[inline]
    pub(crate) fn is_aad(&self) -> bool {
        self.to.is_null()
    }

    /// Whether input and output begin at the same address.
    #[inline]
    pub(crate) fn is_in_place(&self) -> bool {
        ptr::eq(self.from, self.to)
    }

    /// The whole input.
    #[inline]
    pub(crate) fn input(&self) -> &[u8] {
        if self.from.is_null() {
            return &[];
        }
        // SAFETY: the input has `len` bytes, and nothing is written while they are borrowed, as `Buffers` are
        // borrowed mutably.
        unsafe { slice::from_raw_parts(self.from, self.len) }
    }

    /// The output only.
    #[inline]
    pub(crate) fn output(&self) -> Output {
        Output::new(self.to, self.room)
    }

    /// The same, if the caller's output has at least `len` bytes, though OpenSSL reports less.
    pub(crate) fn output_of_at_least(&self, len: usize) -> Output {
        Output::new(self.to, self.room.max(len))
    }

    /// The first bytes of the output, after the input has been read.
    #[inline]
    pub(crate) fn first_of_output(&mut self, len: usize) -> Result<&mut [u8], Reason> {
        if self.to.is_null() || self.room < len {
            return Err(Reason::OutputBufferTooSmall);
        }
        // SAFETY: there are `len` bytes, and nothing else accesses them while `self` is borrowed mutably.
        Ok(unsafe { slice::from_raw_parts_mut(self.to, len) })
    }

    /// Checks that `len` bytes may be written before the input after the first `read` bytes is read.
    #[inline]
    pub(crate) fn may_run_ahead(&self, read: usize, len: usize) -> Result<(), Reason> {
        let (from, to) = (self.from.addr().wrapping_add(read), self.to.addr());
        let apart = to + len <= from || from + (self.len - read) <= to;
        if apart { Ok(()) } else { Err(Reason::PartiallyOverlapping) }
    }

    /// `len` bytes of the input, after the first `skipped` bytes, and of the output, after the first
    /// `written` bytes.
    #[inline]
    pub(crate) fn buffers(
        &mut self,
        skipped: usize,
        written: usize,
        len: usize,
    ) -> Result<Buffers<'_>, Reason> {
        if len == 0 {
            return Ok(Buffers::InPlace(&mut []));
        }
        let fits =
            |start: usize, whole: usize| start.checked_add(len).is_some_and(|end| end <= whole);
        if self.from.is_null() || !fits(skipped, self.len) {
            return Err(Reason::Internal);
        }
        if self.to.is_null() || !fits(written, self.room) {
            return Err(Reason::OutputBufferTooSmall);
        }
        let (from, to) = (self.from.wrapping_add(skipped), self.to.wrapping_add(written));
        if ptr::eq(from, to) {
            // SAFETY: there are `len` bytes, and nothing else accesses them while `self` is borrowed mutably.
            return Ok(Buffers::InPlace(unsafe { slice::from_raw_parts_mut(to, len) }));
        }
        if from.addr().abs_diff(to.addr()) < len {
            return Err(Reason::PartiallyOverlapping);
        }
        // SAFETY: there are `len` bytes, which do not overlap the output.
        let from = unsafe { slice::from_raw_parts(from, len) };
        // SAFETY: likewise, and nothing else accesses them.
        Ok(Buffers::Apart(from, unsafe { slice::from_raw_parts_mut(to, len) }))
    }

    /// The whole input, and as many bytes of the output.
    #[inline]
    pub(crate) fn whole(&mut self) -> Result<Buffers<'_>, Reason> {
        self.buffers(0, 0, self.len)
    }
}

/// The output of a call.
pub(crate) struct Output {
    to: *mut u8,
    room: usize,
}

impl Output {
    /// As [`Io::new`].
    #[inline]
    pub(crate) fn new(to: *mut u8, room: usize) -> Self {
        Self { to, room }
    }

    /// Writes these bytes, if there is space.
    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Reason> {
        self.write_at(0, bytes)
    }

    /// The same, after the first `at` bytes.
    #[inline]
    pub(crate) fn write_at(&mut self, at: usize, bytes: &[u8]) -> Result<(), Reason> {
        if bytes.is_empty() {
            return Ok(());
        }
        let fits = at.checked_add(bytes.len()).is_some_and(|end| end <= self.room);
        if self.to.is_null() || !fits {
            return Err(Reason::OutputBufferTooSmall);
        }
        // SAFETY: there is space for the bytes from `at` on.
        unsafe { ptr::copy(bytes.as_ptr(), self.to.wrapping_add(at), bytes.len()) };
        Ok(())
    }
}
