//! Checks of overlapping memory. The output of a message must not overlap its other memory, except that a text may be written
//! exactly where it is read. In a batch it must not overlap the array of messages, or a key.
//!
//! Addresses are compared before any slice is made, so that no two slices ever share bytes.

use std::ffi::c_void;

use crate::{
    enter::{Failure, Result, Why},
    memory,
    object::Object,
};

pub(crate) mod array;
mod intervals;
pub(crate) mod rows;

/// A range of memory, as numbers.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    at: usize,
    len: usize,
}

impl Span {
    /// An empty range.
    pub(crate) const NOTHING: Self = Self { at: 0, len: 0 };

    #[inline(always)]
    pub(crate) fn new(at: *const c_void, len: usize) -> Self {
        Self { at: at.addr(), len }
    }

    /// The address of its first byte.
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        self.at
    }

    /// The memory of a value.
    #[inline(always)]
    pub(crate) fn of<T>(at: *const T) -> Self {
        Self { at: at.addr(), len: size_of::<T>() }
    }

    /// Whether there is certainly memory for its bytes, as [`Region::is_there`], and they are not too many.
    #[inline(always)]
    pub(crate) fn is_there(self) -> bool {
        self.len <= self.at.min(memory::MOST)
    }

    /// Whether both share a byte. An empty range shares none.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let other_begins = (other.at.wrapping_sub(self.at) < self.len) & (other.len > 0);
        let self_begins = (self.at.wrapping_sub(other.at) < other.len) & (self.len > 0);
        other_begins | self_begins
    }

    /// False only where both certainly share no byte. For empty ranges it may be true within another range, or next to an empty
    /// one.
    #[inline(always)]
    pub(crate) fn may_touch(self, other: Self) -> bool {
        // The distance from the first byte of the other to the last byte of this one.
        let last = self.at.wrapping_add(self.len).wrapping_sub(1).wrapping_sub(other.at);
        last < self.len.wrapping_add(other.len).wrapping_sub(1)
    }
}

/// The input of a message, for comparisons with its other memory: empty where it is the output.
#[inline(always)]
pub(crate) fn own_input((from, len): (*const c_void, usize), to: *mut c_void) -> Span {
    if std::ptr::eq(from, to) { Span::NOTHING } else { Span::new(from, len) }
}

/// Refuses an output that overlaps one of the others.
#[inline(always)]
pub(crate) fn apart<const N: usize>(
    what: &'static str,
    written: Span,
    others: [Span; N],
) -> Result<()> {
    match others.into_iter().fold(false, |some, other| some | written.overlaps(other)) {
        false => Ok(()),
        true => Err(Why::Overlap(what).into()),
    }
}

/// The memory of an argument, with its name.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    what: &'static str,
    at: *const c_void,
    len: usize,
}

impl Region {
    #[inline(always)]
    pub(crate) fn new(what: &'static str, (at, len): (*const c_void, usize)) -> Self {
        Self { what, at, len }
    }

    /// The words of an object.
    #[inline(always)]
    pub(crate) fn object<O: Object>(at: *const O) -> Self {
        Self { what: O::WHAT, at: at.cast(), len: size_of::<O>() }
    }

    /// Whether there cannot be such bytes.
    #[inline(always)]
    fn wrong(&self) -> bool {
        (self.at.is_null() & (self.len > 0)) | (self.len > memory::MOST)
    }

    /// Its begin and end; an empty region is at no address.
    #[inline(always)]
    fn range(&self) -> (usize, usize) {
        let from = if self.len == 0 { 0 } else { self.at.addr() };
        (from, from.wrapping_add(self.len))
    }

    /// Whether there is certainly memory for its bytes: NULL is shorter than any, and few addresses are less than a length.
    #[inline(always)]
    fn is_there(&self) -> bool {
        self.len <= self.at.addr()
    }

    /// False only where both certainly share no byte.
    #[inline(always)]
    fn may_touch(&self, other: &Self) -> bool {
        Span::new(self.at, self.len).may_touch(Span::new(other.at, other.len))
    }

    #[inline(always)]
    fn overlaps(&self, other: &Self) -> bool {
        let ((from, to), (other_from, other_to)) = (self.range(), other.range());
        (from < other_to) & (other_from < to)
    }

    #[inline(always)]
    fn begins_with(&self, other: &Self) -> bool {
        std::ptr::eq(self.at, other.at)
    }
}

/// Checks that a call has the memory it needs and writes nowhere that its other memory is. A text may be written exactly where it
/// is read.
///
/// # Errors
/// For the first region that is invalid.
#[inline(always)]
pub(crate) fn check<const R: usize, const W: usize>(
    from: Region,
    to: Region,
    reads: [Region; R],
    writes: [Region; W],
) -> Result<()> {
    if surely_apart(&from, &to, &reads, &writes) {
        return Ok(());
    }
    // Copied field by field here, so that none of it is stored in memory before.
    let again = |one: Region| Region { what: one.what, at: one.at, len: one.len };
    check_exactly(again(from), again(to), reads.map(again), writes.map(again))
}

/// Whether a call is certainly valid, with one branch per condition. Where it is not certain, [`check_exactly`] decides: an empty
/// region may lie within another one.
#[inline(always)]
pub(crate) fn surely_apart<const R: usize, const W: usize>(
    from: &Region,
    to: &Region,
    reads: &[Region; R],
    writes: &[Region; W],
) -> bool {
    let in_place = to.begins_with(from);
    let text = Region { what: to.what, at: to.at, len: to.len.max(from.len) };
    let mut lens = from.len | to.len;
    if !from.is_there() || !to.is_there() || (!in_place && to.may_touch(from)) {
        return false;
    }
    for r in 0..R {
        lens |= reads[r].len;
        if !reads[r].is_there() || text.may_touch(&reads[r]) {
            return false;
        }
    }
    for w in 0..W {
        let one = &writes[w];
        lens |= one.len;
        if !one.is_there() || one.may_touch(&text) || (!in_place && one.may_touch(from)) {
            return false;
        }
        for r in 0..R {
            if one.may_touch(&reads[r]) {
                return false;
            }
        }
    }
    lens <= memory::MOST
}

/// As [`check`], for any regions.
#[cold]
#[inline(never)]
fn check_exactly<const R: usize, const W: usize>(
    from: Region,
    to: Region,
    reads: [Region; R],
    writes: [Region; W],
) -> Result<()> {
    let mut wrong = from.wrong() | to.wrong() | (to.overlaps(&from) & !to.begins_with(&from));
    for r in 0..R {
        wrong |= reads[r].wrong() | to.overlaps(&reads[r]);
    }
    for w in 0..W {
        let one = &writes[w];
        wrong |= one.wrong() | one.overlaps(&to) | one.overlaps(&from);
        for r in 0..R {
            wrong |= one.overlaps(&reads[r]);
        }
    }
    match wrong {
        false => Ok(()),
        true => Err(what_is_wrong(from, to, reads, writes)),
    }
}

/// The error of the first invalid region.
#[cold]
#[inline(never)]
fn what_is_wrong<const R: usize, const W: usize>(
    from: Region,
    to: Region,
    reads: [Region; R],
    writes: [Region; W],
) -> Failure {
    let all = || reads.iter().chain([&from, &to]).chain(&writes);
    if let Some(Region { what, at, len }) = all().find(|region| region.wrong()) {
        return memory::check(what, *at, *len).err().unwrap_or(Why::Panicked.into());
    }
    let others = || reads.iter().chain([&from, &to]);
    let written = writes.iter().find(|one| others().any(|other| one.overlaps(other)));
    Why::Overlap(written.map_or(to.what, |written| written.what)).into()
}

/// A text, and its output.
pub(crate) enum Text<'a> {
    /// The text is the first part of these bytes.
    InPlace(&'a mut [u8]),
    Copying(&'a [u8], &'a mut [u8]),
}

/// Checks where a text is read and written: at one address, or without overlap, and without overlap with all others. Either may
/// be NULL.
///
/// # Errors
/// For the first condition that does not hold.
#[inline(always)]
pub(crate) fn check_text<const N: usize>(
    (from, from_len): (*const c_void, usize),
    (to, to_len): (*mut c_void, usize),
    others: [Span; N],
) -> Result<()> {
    memory::check("input", from, from_len)?;
    memory::check("output", to, to_len)?;
    apart("output", Span::new(to, to_len), others)?;
    match std::ptr::eq(from, to) {
        true => Ok(()),
        false => apart("output", Span::new(to, to_len), [Span::new(from, from_len)]),
    }
}

/// A text that [`check_text`] has accepted. In place, it has as many bytes as the longer of both lengths.
///
/// # Safety
/// `from` has `from_len` bytes, `to` has `to_len` and is for writing, for as long as `'a`; meanwhile nothing else writes the one
/// or accesses the other, and there is no reference to any byte outside of the others.
#[inline(always)]
pub(crate) unsafe fn checked_text<'a>(
    (from, from_len): (*const c_void, usize),
    (to, to_len): (*mut c_void, usize),
) -> Text<'a> {
    if std::ptr::eq(from, to) {
        // SAFETY: the caller's bytes, which begin at one address; there are as many as the longer length.
        return Text::InPlace(unsafe { memory::bytes_mut(to, from_len.max(to_len)) });
    }
    // SAFETY: the caller's bytes, which overlap nothing that is written.
    let from = unsafe { memory::bytes(from, from_len) };
    // SAFETY: the caller's bytes, which overlap nothing else.
    Text::Copying(from, unsafe { memory::bytes_mut(to, to_len) })
}

/// The bytes of `to`, after copying `from` to them unless it is the same: for operations in place.
///
/// # Safety
/// As [`checked_text`], and both are equally long.
#[inline(always)]
pub(crate) unsafe fn copied<'a>(
    (from, to): (*const c_void, *mut c_void),
    len: usize,
) -> &'a mut [u8] {
    // SAFETY: as the caller says.
    match unsafe { checked_text((from, len), (to, len)) } {
        Text::InPlace(text) => text,
        Text::Copying(from, to) => {
            to.copy_from_slice(from);
            to
        }
    }
}

/// Checks and makes a text.
///
/// # Safety
/// As [`checked_text`].
#[inline(always)]
pub(crate) unsafe fn text<'a, const N: usize>(
    from: (*const c_void, usize),
    to: (*mut c_void, usize),
    others: [Span; N],
) -> Result<Text<'a>> {
    check_text(from, to, others)?;
    // SAFETY: as the caller says.
    Ok(unsafe { checked_text(from, to) })
}

/// Refuses an output with another length than required, before any other check.
#[inline(always)]
pub(crate) fn as_long(
    what: &'static str,
    got: usize,
    must: usize,
    allowed: &'static str,
) -> Result<()> {
    match got == must {
        true => Ok(()),
        false => Err(Failure::length(what, got, allowed)),
    }
}
