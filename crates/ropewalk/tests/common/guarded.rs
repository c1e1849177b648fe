//! Buffers beside memory that must not be touched.

use std::{ptr, slice};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Which end of the pages bytes lie at.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// What lies before them faults.
    Start,
    /// What lies behind them faults.
    End,
}

impl End {
    pub const BOTH: [Self; 2] = [Self::Start, Self::End];
}

/// Pages that can be read and written, with one on each side that cannot be touched.
pub struct Guarded {
    start: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
    /// Room for `len` bytes at either end.
    pub fn new(len: usize) -> Self {
        let mut guarded = Self::map(len, MapFlags::PRIVATE).expect("room for a few pages");
        guarded.allow(MprotectFlags::READ | MprotectFlags::WRITE);
        guarded
    }

    /// More than the machine may have: none of it is there until it is touched, and behind the first
    /// page, writing faults.
    pub fn vast(len: usize) -> Option<Self> {
        let mut vast = Self::map(len, MapFlags::PRIVATE | MapFlags::NORESERVE)?;
        let len = std::mem::replace(&mut vast.len, vast.page);
        vast.allow(MprotectFlags::READ | MprotectFlags::WRITE);
        vast.len = len;
        Some(vast)
    }

    fn map(len: usize, flags: MapFlags) -> Option<Self> {
        let page = rustix::param::page_size();
        let len = len.next_multiple_of(page).max(page);
        let prot = ProtFlags::READ;
        // SAFETY: a new mapping, wherever there is room.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), len + 2 * page, prot, flags) }.ok()?;
        let guarded = Self { start: start.cast(), page, len };
        for guard in [guarded.start, guarded.start.wrapping_add(page + len)] {
            // SAFETY: the first and the last page of this mapping, and nothing borrows them.
            unsafe { mprotect(guard.cast(), page, MprotectFlags::empty()) }.ok()?;
        }
        Some(guarded)
    }

    /// The first `len` bytes: what lies before them faults.
    pub fn at_start(&mut self, len: usize) -> &mut [u8] {
        &mut self.all()[..len]
    }

    /// The last `len` bytes: what lies behind them faults.
    pub fn at_end(&mut self, len: usize) -> &mut [u8] {
        let from = self.len - len;
        &mut self.all()[from..]
    }

    /// `len` bytes at one end.
    pub fn room(&mut self, end: End, len: usize) -> &mut [u8] {
        match end {
            End::Start => self.at_start(len),
            End::End => self.at_end(len),
        }
    }

    /// These bytes at one end, where writing faults too.
    pub fn hold(&mut self, end: End, bytes: &[u8]) -> &[u8] {
        self.allow(MprotectFlags::READ | MprotectFlags::WRITE);
        self.room(end, bytes.len()).copy_from_slice(bytes);
        self.read_only();
        self.room(end, bytes.len())
    }

    /// From now on, writing faults too.
    pub fn read_only(&mut self) {
        self.allow(MprotectFlags::READ);
    }

    fn all(&mut self) -> &mut [u8] {
        // SAFETY: the pages between the guards, which live as long as `self`.
        unsafe { slice::from_raw_parts_mut(self.start.wrapping_add(self.page), self.len) }
    }

    fn allow(&mut self, access: MprotectFlags) {
        let inside = self.start.wrapping_add(self.page).cast();
        // SAFETY: the pages between the guards are of this mapping, and nothing borrows them.
        unsafe { mprotect(inside, self.len, access) }.unwrap();
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping `new` made, and nothing borrows it any more.
        unsafe { munmap(self.start.cast(), self.len + 2 * self.page) }.unwrap();
    }
}
