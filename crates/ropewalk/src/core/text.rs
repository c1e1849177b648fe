//! In/out buffers: an input and an output, which may be the same bytes.
//!
//! Kernels take one instead of a slice, so that one kernel serves both cases. Reads and writes never overlap in time: the borrow
//! of `input` ends before `output` can be called.

use core::marker::PhantomData;

use crate::core::{
    Error,
    block::{load_short, store_short},
};

/// Bytes to read, and as many to write.
pub(crate) struct Text<'a> {
    from: *const u8,
    to: *mut u8,
    len: usize,
    life: PhantomData<&'a mut [u8]>,
}

/// `N` of those bytes.
pub(crate) struct Piece<'a, const N: usize> {
    from: *const [u8; N],
    to: *mut [u8; N],
    life: PhantomData<&'a mut [u8]>,
}

impl<'a> Text<'a> {
    /// Read and written in place.
    #[inline]
    pub(crate) fn in_place(text: &'a mut [u8]) -> Self {
        let (to, len) = (text.as_mut_ptr(), text.len());
        Self { from: to, to, len, life: PhantomData }
    }

    /// Read from `from` and written to `to`.
    #[inline]
    pub(crate) fn copying(from: &'a [u8], to: &'a mut [u8]) -> Result<Self, Error> {
        if from.len() != to.len() {
            return Err(Error::Length {
                what: "output",
                got: to.len(),
                allowed: "as long as the input",
            });
        }
        Ok(Self { from: from.as_ptr(), to: to.as_mut_ptr(), len: from.len(), life: PhantomData })
    }

    /// The input, the output, and the length.
    #[inline(always)]
    pub(crate) fn into_parts(self) -> (*const u8, *mut u8, usize) {
        (self.from, self.to, self.len)
    }

    /// The inverse of `into_parts`.
    ///
    /// # Safety
    /// The parts are those of one buffer, which no longer exists, and they stay valid for `'a`.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) unsafe fn from_parts(from: *const u8, to: *mut u8, len: usize) -> Self {
        Self { from, to, len, life: PhantomData }
    }

    /// The length in bytes.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes to read.
    #[inline(always)]
    pub(crate) fn input(&self) -> &[u8] {
        // SAFETY: `self` came from a slice of this length that is borrowed for `'a`, and nothing is
        // written while `self` is borrowed.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts(self.from, self.len)
        }
    }

    /// The bytes to write.
    #[inline(always)]
    pub(crate) fn output(&mut self) -> &mut [u8] {
        // SAFETY: `self` came from a slice of this length that is borrowed mutably for `'a`, and
        // nothing else is read or written while `self` is borrowed mutably.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts_mut(self.to, self.len)
        }
    }

    /// The same buffer, borrowed for a shorter time.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> Text<'_> {
        Text { from: self.from, to: self.to, len: self.len, life: PhantomData }
    }

    /// XORs a key stream of as many bytes or more, in general registers: for the ends of chunks.
    #[inline]
    pub(crate) fn add(mut self, key_stream: &[u8]) {
        let (blocks, rest) = key_stream[..self.len].as_chunks();
        for key_stream in blocks {
            let Some(mut piece) = self.next::<16>() else { return };
            let sum = u128::from_ne_bytes(*piece.input()) ^ u128::from_ne_bytes(*key_stream);
            *piece.output() = sum.to_ne_bytes();
        }
        let sum = load_short(self.input()) ^ load_short(rest);
        store_short(self.output(), sum);
    }

    /// Splits off the first `N` bytes; none if there are fewer.
    #[inline(always)]
    pub(crate) fn next<const N: usize>(&mut self) -> Option<Piece<'a, N>> {
        if self.len < N {
            return None;
        }
        let piece = Piece { from: self.from.cast(), to: self.to.cast(), life: PhantomData };
        self.from = self.from.wrapping_add(N);
        self.to = self.to.wrapping_add(N);
        self.len -= N;
        Some(piece)
    }

    /// Splits off the first `n` bytes, or all.
    #[inline(always)]
    pub(crate) fn take(&mut self, n: usize) -> Text<'a> {
        let len = n.min(self.len);
        let head = Text { from: self.from, to: self.to, len, life: PhantomData };
        self.from = self.from.wrapping_add(len);
        self.to = self.to.wrapping_add(len);
        self.len -= len;
        head
    }
}

impl<'a, const N: usize> Piece<'a, N> {
    /// The written bytes, to be read later.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(crate) fn into_output(self) -> &'a [u8; N] {
        // SAFETY: `next` has checked the length and never gives the same bytes twice; they are borrowed mutably for `'a`, and
        // from now on they are accessed through this reference only.
        #[allow(unsafe_code)]
        unsafe {
            &*self.to
        }
    }

    /// The bytes to read.
    #[inline(always)]
    pub(crate) fn input(&self) -> &[u8; N] {
        // SAFETY: `next` has checked the length, and nothing is written while `self` is borrowed.
        #[allow(unsafe_code)]
        unsafe {
            &*self.from
        }
    }

    /// The bytes to write.
    #[inline(always)]
    pub(crate) fn output(&mut self) -> &mut [u8; N] {
        // SAFETY: `next` has checked the length and never gives the same bytes twice, and nothing
        // else is read or written while `self` is borrowed mutably.
        #[allow(unsafe_code)]
        unsafe {
            &mut *self.to
        }
    }
}

/// Buffers of one length, one a lane.
pub(crate) struct Texts<'a, const LANES: usize> {
    from: [*const u8; LANES],
    to: [*mut u8; LANES],
    len: usize,
    life: PhantomData<&'a mut [u8]>,
}

impl<'a, const LANES: usize> Texts<'a, LANES> {
    /// Splits the next `len` bytes off the first `running` buffers. All further lanes share the `spare` bytes, whose output is
    /// discarded.
    #[inline(always)]
    pub(crate) fn take(
        texts: &'a mut [Text<'_>; LANES],
        running: usize,
        len: usize,
        spare: &'a mut [u8],
    ) -> Self {
        assert!(running >= LANES || spare.len() >= len, "as long as the texts");
        let (mut from, mut to) = ([spare.as_ptr(); LANES], [spare.as_mut_ptr(); LANES]);
        for (lane, text) in texts.iter_mut().take(running).enumerate() {
            assert!(text.len >= len, "no longer than each of them");
            (from[lane], to[lane], _) = text.take(len).into_parts();
        }
        Self { from, to, len, life: PhantomData }
    }

    /// A block in each lane.
    #[inline(always)]
    pub(crate) fn blocks(blocks: &'a mut [[u8; 16]; LANES]) -> Self {
        let (mut from, mut to) = ([core::ptr::null(); LANES], [core::ptr::null_mut(); LANES]);
        for (lane, block) in blocks.iter_mut().enumerate() {
            (from[lane], to[lane], _) = Text::in_place(block).into_parts();
        }
        Self { from, to, len: 16, life: PhantomData }
    }

    /// The length of each in bytes.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes to read, from `at` on.
    #[inline(always)]
    pub(crate) fn input<const N: usize>(&self, lane: usize, at: usize) -> &[u8; N] {
        assert!(N <= self.len && at <= self.len - N, "within the text");
        // SAFETY: each lane has so many bytes, which are borrowed for `'a`, and nothing is written while `self`
        // is borrowed.
        #[allow(unsafe_code)]
        unsafe {
            &*self.from[lane].wrapping_add(at).cast()
        }
    }

    /// Bytes to write, from `at` on.
    #[inline(always)]
    pub(crate) fn output<const N: usize>(&mut self, lane: usize, at: usize) -> &mut [u8; N] {
        assert!(N <= self.len && at <= self.len - N, "within the text");
        // SAFETY: each lane has so many bytes, which are borrowed mutably for `'a`, and nothing else is read or
        // written while `self` is borrowed mutably.
        #[allow(unsafe_code)]
        unsafe {
            &mut *self.to[lane].wrapping_add(at).cast()
        }
    }
}

/// Blocks to read, one message a lane: consecutive ones of each message, and then one from another place.
pub(crate) struct Inputs<'a, const LANES: usize> {
    from: [*const u8; LANES],
    len: usize,
    last: [&'a [u8; 16]; LANES],
    added: [&'a [u8; 16]; LANES],
    life: PhantomData<&'a [u8]>,
    /// Whether the last block is still to come.
    more: bool,
}

impl<'a, const LANES: usize> Inputs<'a, LANES> {
    /// The first `len` bytes of a message for each lane, its last block, and what is XORed into that. Unused lanes repeat the
    /// first.
    #[inline(always)]
    pub(crate) fn new(
        len: usize,
        mut lanes: impl Iterator<Item = (&'a [u8], &'a [u8; 16], &'a [u8; 16])>,
    ) -> Self {
        let Some((text, last, added)) = lanes.next() else { unreachable!("some lane is running") };
        let (last, added) = ([last; LANES], [added; LANES]);
        let from = [text[..len].as_ptr(); LANES];
        let mut new = Self { from, len, last, added, life: PhantomData, more: true };
        for (lane, (text, last, added)) in (1..LANES).zip(lanes) {
            new.from[lane] = text[..len].as_ptr();
            (new.last[lane], new.added[lane]) = (last, added);
        }
        new
    }

    /// The length of each in bytes.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Moves on to the last block, once, and returns what is XORed into it.
    #[inline(always)]
    pub(crate) fn next_part(&mut self) -> Option<[&'a [u8; 16]; LANES]> {
        if !core::mem::take(&mut self.more) {
            return None;
        }
        (self.from, self.len) = (self.last.map(|block| block.as_ptr()), 16);
        Some(self.added)
    }

    /// A block, from `at` on.
    #[inline(always)]
    pub(crate) fn input(&self, lane: usize, at: usize) -> &[u8; 16] {
        assert!(16 <= self.len && at <= self.len - 16, "within the text");
        // SAFETY: each lane has so many bytes, which are borrowed for `'a`.
        #[allow(unsafe_code)]
        unsafe {
            &*self.from[lane].wrapping_add(at).cast()
        }
    }
}

/// Buffers of any lengths that are read and written in place, one a lane. Several lanes may have the same buffer: each reads
/// bytes before another writes them, or reads the same bytes that the other has written.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) struct Abreast<'a, const LANES: usize> {
    at: [*mut u8; LANES],
    len: [usize; LANES],
    /// Bytes by which the upper half of the lanes is ahead.
    ahead: usize,
    life: PhantomData<&'a mut [u8]>,
}

/// Bytes of a cache line. Lines whose addresses differ by multiples of `SET_STRIDE` share a set of the L1 cache.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const LINE: usize = 64;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const SET_STRIDE: usize = 4096;

/// Buffers of this many bytes are long enough for half of the lanes to run a line ahead, which takes four of their blocks.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const LONG: usize = 512;

/// Whether most of the buffers at these addresses lie in one set of the L1 cache, as pages, sectors and records in an array do. A
/// set has 8 or 12 lines: with all of 16 lanes at the same offset, each block is fetched from the L2 cache again.
// measured on Zen 1 with 16 lanes of 16 KiB, 16 KiB apart: 6,640 ns a message; half of them a line ahead: 3,724; without conflict: 3,528
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn share_a_set(addresses: impl ExactSizeIterator<Item = usize>) -> bool {
    let count = addresses.len();
    let mut sets = addresses.map(|at| at % SET_STRIDE / LINE);
    let Some(first) = sets.next() else { return false };
    1 + sets.filter(|set| *set == first).count() > count / 2
}

/// Blocks of them.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Window<'a, const LANES: usize, const BLOCKS: usize> {
    at: [*mut u8; LANES],
    life: PhantomData<&'a mut [u8]>,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<'a, const LANES: usize> Abreast<'a, LANES> {
    /// The buffers of these items, by their indices.
    #[inline(always)]
    pub(crate) fn of<T>(
        things: &'a mut [T],
        numbers: [usize; LANES],
        text: impl Fn(&mut T) -> &mut [u8],
    ) -> Self {
        let (mut at, mut len) = ([core::ptr::null_mut(); LANES], [0; LANES]);
        for lane in 0..LANES {
            // A second borrow of the same item would invalidate the first.
            if lane > 0 && numbers[lane] == numbers[lane - 1] {
                (at[lane], len[lane]) = (at[lane - 1], len[lane - 1]);
                continue;
            }
            let text = text(&mut things[numbers[lane]]);
            (at[lane], len[lane]) = (text.as_mut_ptr(), text.len());
        }
        Self { at, len, ahead: 0, life: PhantomData }
    }

    /// The length of one in bytes.
    #[inline(always)]
    pub(crate) fn len(&self, lane: usize) -> usize {
        self.len[lane]
    }

    /// By how many bytes a lane is ahead.
    #[inline(always)]
    fn ahead(&self, lane: usize) -> usize {
        if lane < LANES / 2 { 0 } else { self.ahead }
    }

    /// The end of the whole blocks of a lane, in the offsets of [`Abreast::part`].
    #[inline(always)]
    pub(crate) fn end_of_blocks(&self, lane: usize) -> usize {
        (self.len[lane] & !15) - self.ahead(lane)
    }

    /// Whether the upper half should run a line ahead, see [`share_a_set`]; the last lane has the shortest text.
    #[inline(never)]
    pub(crate) fn should_part(&self) -> bool {
        self.len[LANES - 1] >= LONG && LANES > 4 && share_a_set(self.at.iter().map(|at| at.addr()))
    }

    /// The next line of the upper half, which is then ahead. The other lanes get `spare`.
    #[inline(never)]
    pub(crate) fn go_ahead<'b>(&'b mut self, spare: &'b mut [u8; LINE]) -> Texts<'b, LANES> {
        assert!(self.len[LANES / 2..].iter().all(|len| *len >= LINE), "as long as a line");
        let mut to = [spare.as_mut_ptr(); LANES];
        to[LANES / 2..].copy_from_slice(&self.at[LANES / 2..]);
        self.ahead = LINE;
        Texts { from: to.map(<*mut u8>::cast_const), to, len: LINE, life: PhantomData }
    }

    /// So many bytes of each of the first `running` lanes, from `from` on. All further lanes share the `spare` bytes, whose
    /// output is discarded.
    #[inline(always)]
    pub(crate) fn part<'b>(
        &'b mut self,
        from: usize,
        len: usize,
        running: usize,
        spare: &'b mut [u8],
    ) -> Texts<'b, LANES> {
        assert!(running >= LANES || spare.len() >= len, "as long as the texts");
        let mut to = [spare.as_mut_ptr(); LANES];
        for lane in 0..running.min(LANES) {
            let from = from + self.ahead(lane);
            let left = self.len[lane].checked_sub(from);
            assert!(left.is_some_and(|left| left >= len), "no longer than each of them");
            to[lane] = self.at[lane].wrapping_add(from);
        }
        Texts { from: to.map(<*mut u8>::cast_const), to, len, life: PhantomData }
    }

    /// The blocks of each lane from `from` on: all but the last of so many.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn window<const BLOCKS: usize>(&mut self, from: usize) -> Window<'_, LANES, BLOCKS> {
        let mut at = self.at;
        for lane in 0..LANES {
            let left = self.len[lane].checked_sub(from);
            assert!(
                left.is_some_and(|left| left >= 16 * BLOCKS.saturating_sub(1)),
                "within the text"
            );
            at[lane] = at[lane].wrapping_add(from);
        }
        Window { at, life: PhantomData }
    }

    /// The last 16 bytes of a lane.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn last(&self, lane: usize) -> &[u8; 16] {
        self.rest(lane, self.len[lane].wrapping_sub(16))
            .first_chunk()
            .unwrap_or_else(|| unreachable!("sixteen"))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn last_mut(&mut self, lane: usize) -> &mut [u8; 16] {
        let from = self.len[lane].wrapping_sub(16);
        self.rest_mut(lane, from).first_chunk_mut().unwrap_or_else(|| unreachable!("sixteen"))
    }

    /// The bytes of a lane from `from` on.
    #[inline(always)]
    pub(crate) fn rest(&self, lane: usize, from: usize) -> &[u8] {
        assert!(from <= self.len[lane], "within the text");
        // SAFETY: so many bytes of a text that is borrowed mutably for `'a`, and nothing is written while `self` is
        // borrowed.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts(self.at[lane].wrapping_add(from), self.len[lane] - from)
        }
    }

    #[inline(always)]
    pub(crate) fn rest_mut(&mut self, lane: usize, from: usize) -> &mut [u8] {
        assert!(from <= self.len[lane], "within the text");
        // SAFETY: so many bytes of a text that is borrowed mutably for `'a`, and nothing else is read or written while
        // `self` is borrowed mutably.
        #[allow(unsafe_code)]
        unsafe {
            core::slice::from_raw_parts_mut(self.at[lane].wrapping_add(from), self.len[lane] - from)
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<const LANES: usize, const BLOCKS: usize> Window<'_, LANES, BLOCKS> {
    #[inline(always)]
    pub(crate) fn input(&self, lane: usize, i: usize) -> &[u8; 16] {
        assert!(i + 1 < BLOCKS, "but the last");
        // SAFETY: `window` has checked the length, and nothing is written while `self` is borrowed.
        #[allow(unsafe_code)]
        unsafe {
            &*self.at[lane].wrapping_add(16 * i).cast()
        }
    }

    #[inline(always)]
    pub(crate) fn output(&mut self, lane: usize, i: usize) -> &mut [u8; 16] {
        assert!(i + 1 < BLOCKS, "but the last");
        // SAFETY: `window` has checked the length, and nothing else is read or written while `self` is borrowed
        // mutably.
        #[allow(unsafe_code)]
        unsafe {
            &mut *self.at[lane].wrapping_add(16 * i).cast()
        }
    }
}
