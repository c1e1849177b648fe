//! An input and an output of a call: the same bytes, or bytes that are apart.

use core::{ptr, slice};

use crate::error::Reason;

/// What a call reads, and where it writes.
pub(crate) struct Io {
    from: *const u8,
    len: usize,
    to: *mut u8,
    room: usize,
}

/// Bytes to be read, and as many to be written.
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

    /// What was written.
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

    /// The first bytes, and those behind them.
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
    /// Of a call by OpenSSL, which has these buffers until it returns: whatever of them is lent ends before.
    #[inline]
    pub(crate) fn new(from: *const u8, len: usize, to: *mut u8, room: usize) -> Self {
        Self { from, len, to, room }
    }

    /// No bytes, but an input and an output.
    pub(crate) fn empty() -> Self {
        let nothing = ptr::NonNull::dangling().as_ptr();
        Self { from: nothing, len: 0, to: nothing, room: 0 }
    }

    /// Bytes of the input.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes that may be written.
    #[inline]
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Whether there is no input, by which `EVP_Cipher` says that the message ends.
    #[inline]
    pub(crate) fn is_end(&self) -> bool {
        self.from.is_null()
    }

    /// Whether there is no output, by which the input is additional data.
    #[inline]
    pub(crate) fn is_aad(&self) -> bool {
        self.to.is_null()
    }

    /// Whether it is read and written in one place.
    #[inline]
    pub(crate) fn is_in_place(&self) -> bool {
        ptr::eq(self.from, self.to)
    }

    /// All of the input.
    #[inline]
    pub(crate) fn input(&self) -> &[u8] {
        if self.from.is_null() {
            return &[];
        }
        // SAFETY: there are so many bytes, and nothing is written while they are lent, as `Buffers` are lent mutably.
        unsafe { slice::from_raw_parts(self.from, self.len) }
    }

    /// Where it is written alone.
    #[inline]
    pub(crate) fn output(&self) -> Output {
        Output::new(self.to, self.room)
    }

    /// The same, where the caller has room for so many bytes though OpenSSL says less.
    pub(crate) fn output_of_at_least(&self, len: usize) -> Output {
        Output::new(self.to, self.room.max(len))
    }

    /// The first bytes of the output, where what was read is read no more.
    #[inline]
    pub(crate) fn first_of_output(&mut self, len: usize) -> Result<&mut [u8], Reason> {
        if self.to.is_null() || self.room < len {
            return Err(Reason::OutputBufferTooSmall);
        }
        // SAFETY: there are so many bytes, and nothing else accesses them while `self` is borrowed mutably.
        Ok(unsafe { slice::from_raw_parts_mut(self.to, len) })
    }

    /// Whether `len` bytes may be written before the input behind the first `read` is read.
    #[inline]
    pub(crate) fn may_run_ahead(&self, read: usize, len: usize) -> Result<(), Reason> {
        let (from, to) = (self.from.addr().wrapping_add(read), self.to.addr());
        let apart = to + len <= from || from + (self.len - read) <= to;
        if apart { Ok(()) } else { Err(Reason::PartiallyOverlapping) }
    }

    /// `len` bytes of the input, after the first `skipped` of it, and as many of the output, after the first `written`.
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
            // SAFETY: there are so many bytes, and nothing else accesses them while `self` is borrowed
            // mutably.
            return Ok(Buffers::InPlace(unsafe { slice::from_raw_parts_mut(to, len) }));
        }
        if from.addr().abs_diff(to.addr()) < len {
            return Err(Reason::PartiallyOverlapping);
        }
        // SAFETY: there are so many bytes, apart from those that are written.
        let from = unsafe { slice::from_raw_parts(from, len) };
        // SAFETY: likewise, and nothing else accesses them.
        Ok(Buffers::Apart(from, unsafe { slice::from_raw_parts_mut(to, len) }))
    }

    /// All of the input, and as much of the output.
    #[inline]
    pub(crate) fn whole(&mut self) -> Result<Buffers<'_>, Reason> {
        self.buffers(0, 0, self.len)
    }
}

/// Where an output goes.
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

    /// Writes these bytes, if there is room.
    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Reason> {
        self.write_at(0, bytes)
    }

    /// The same, after the first `at`.
    #[inline]
    pub(crate) fn write_at(&mut self, at: usize, bytes: &[u8]) -> Result<(), Reason> {
        if bytes.is_empty() {
            return Ok(());
        }
        let fits = at.checked_add(bytes.len()).is_some_and(|end| end <= self.room);
        if self.to.is_null() || !fits {
            return Err(Reason::OutputBufferTooSmall);
        }
        // SAFETY: there is room, and what is written there is nowhere else.
        unsafe { ptr::copy(bytes.as_ptr(), self.to.wrapping_add(at), bytes.len()) };
        Ok(())
    }
}
