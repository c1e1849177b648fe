//! Texts and outputs of more than 4 GiB in 3 MiB of memory: the same pages, mapped repeatedly.

use std::{
    fs::File,
    ops::{Deref, DerefMut},
    os::unix::fs::FileExt,
    ptr, slice,
    sync::OnceLock,
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap},
};

use super::Random;

/// The bytes after which the same memory is mapped again. It does not divide 2^32: an offset that is cut to 32 bits leads to
/// other bytes.
pub const PERIOD: usize = 3 << 19;

/// The length of a mapping: the first multiple of the period above 4 GiB + 1 MiB + 77 bytes.
const LONGEST: usize = 2732 * PERIOD;

/// The offset of the period that contains 2^31. It has memory of its own, so that later output does not overwrite it.
const APART: usize = (1 << 31) / PERIOD * PERIOD;

/// The offsets of the windows of an output of `len` bytes: the period that contains 2^31, and the last `PERIOD` bytes.
pub fn window_offsets(len: usize) -> [usize; 2] {
    [APART, len - PERIOD]
}

/// The bytes of an output that are still there when its last byte is written.
pub fn windows(out: &[u8]) -> [&[u8]; 2] {
    window_offsets(out.len()).map(|at| &out[at..][..PERIOD])
}

/// The first `len` bytes of a pattern that repeats. The mapping is read-only.
pub fn text(len: usize) -> &'static [u8] {
    static TEXT: OnceLock<&[u8]> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let start = map(ProtFlags::READ);
        // SAFETY: all of the mapping, which is never removed, and whose memory nothing can write.
        unsafe { slice::from_raw_parts(start, LONGEST) }
    });
    &text[..len]
}

/// Memory for an output. It begins with the bytes of [`text`]; a write to a period changes every other period but the one that
/// contains 2^31.
pub struct Room {
    start: *mut u8,
}

impl Room {
    pub fn new() -> Self {
        Self { start: map(ProtFlags::READ | ProtFlags::WRITE) }
    }
}

impl Deref for Room {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: all of the mapping, which lives as long as `self`.
        unsafe { slice::from_raw_parts(self.start, LONGEST) }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: likewise, and nothing else refers to these addresses. Several of them lead to one byte, but between two accesses
        // to it by different addresses there are those to a whole period.
        unsafe { slice::from_raw_parts_mut(self.start, LONGEST) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: all of the mapping, and nothing borrows it any more.
        unsafe { munmap(self.start.cast(), LONGEST) }.unwrap();
    }
}

/// The period of a text.
fn pattern() -> &'static [u8] {
    static PATTERN: OnceLock<Vec<u8>> = OnceLock::new();
    PATTERN.get_or_init(|| Random(32).bytes(PERIOD))
}

/// Maps the two periods of a new file.
fn map(access: ProtFlags) -> *mut u8 {
    let memory = File::from(memfd_create("repeated", MemfdFlags::CLOEXEC).expect("a file"));
    for at in [0, PERIOD] {
        memory.write_all_at(pattern(), at as u64).expect("some memory");
    }
    let (none, reserved) = (ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::NORESERVE);
    // SAFETY: a new mapping, wherever there is room.
    let start = unsafe { mmap_anonymous(ptr::null_mut(), LONGEST, none, reserved) };
    let start = start.expect("addresses").cast::<u8>();
    let flags = MapFlags::SHARED | MapFlags::FIXED | MapFlags::POPULATE;
    for at in (0..LONGEST).step_by(PERIOD) {
        let (place, from) = (start.wrapping_add(at).cast(), if at == APART { PERIOD } else { 0 });
        // SAFETY: it replaces pages of the mapping above, to which there is no reference yet.
        unsafe { mmap(place, PERIOD, access, flags, &memory, from as u64) }.expect("a period");
    }
    start
}
