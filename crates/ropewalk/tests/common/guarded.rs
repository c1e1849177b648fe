//! Buffers beside memory that must not be touched.

use std::{ptr, slice};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Pages that can be read and written, with one on each side that cannot be touched.
pub struct Guarded {
    start: *mut u8,
    page: usize,
    len: usize,
}

impl Guarded {
    /// Room for `len` bytes at either end.
    pub fn new(len: usize) -> Self {
        let page = rustix::param::page_size();
        let len = len.next_multiple_of(page).max(page);
        let (prot, flags) = (ProtFlags::empty(), MapFlags::PRIVATE);
        // SAFETY: a new mapping, wherever there is room.
        let start =
            unsafe { mmap_anonymous(ptr::null_mut(), len + 2 * page, prot, flags) }.unwrap();
        let mut guarded = Self { start: start.cast(), page, len };
        guarded.allow(MprotectFlags::READ | MprotectFlags::WRITE);
        guarded
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
