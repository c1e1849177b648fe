//! Memory in which other processes can read the counts: a file without a name on disk, which `/proc/PID/maps` shows as
//! `/memfd:ropewalk-stats`. It is mapped when the module is loaded, so that counting needs no system call, which a sandbox
//! could forbid. Processes that are forked later share it.
//!
//! It begins with the text [`MAGIC`] and the number of entries in 8 bytes. An entry has 64 bytes: 40 of a
//! name, padded with zeros, and the counts of messages, calls and bytes. `ropewalk provider status --pid`
//! reads this.

use core::{
    mem::size_of,
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

/// The first bytes. The number is that of the format.
pub(super) const MAGIC: &[u8; 24] = b"ropewalk-stats format 1\n";

/// The length of the header before the entries.
const HEAD: usize = 64;

const NAME: usize = 40;

/// The counts of an algorithm.
#[repr(C)]
pub(super) struct Entry {
    name: [AtomicU8; NAME],
    begun: AtomicU64,
    calls: AtomicU64,
    bytes: AtomicU64,
}

const _: () = assert!(size_of::<Entry>() == 64 && MAGIC.len() + 8 <= HEAD);

impl Entry {
    pub(super) fn set_name(&self, name: &str) {
        // Names are shorter, and zeros follow.
        for (to, byte) in self.name[..NAME - 1].iter().zip(name.bytes()) {
            to.store(byte, Relaxed);
        }
    }

    pub(super) fn counts(&self) -> [&AtomicU64; 3] {
        [&self.begun, &self.calls, &self.bytes]
    }
}

/// Allocates that many entries, which are zero, and valid until the process ends.
#[cfg(target_os = "linux")]
pub(super) fn entries(count: usize) -> Option<&'static [Entry]> {
    use std::{fs::File, io::Write as _, ptr::null_mut, slice};

    use rustix::{
        fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create},
        mm::{MapFlags, ProtFlags, mmap},
    };

    let len = HEAD + count * size_of::<Entry>();
    let file = memfd_create("ropewalk-stats", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
    let mut file = File::from(file.ok()?);
    file.write_all(MAGIC).ok()?;
    file.write_all(&(count as u64).to_ne_bytes()).ok()?;
    ftruncate(&file, len as u64).ok()?;
    // Access to a mapping of a truncated file would end the process.
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL).ok()?;
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: the system chooses an unused address.
    let mapped = unsafe { mmap(null_mut(), len, protection, MapFlags::SHARED, &file, 0) }.ok()?;
    let first = mapped.cast::<u8>().wrapping_add(HEAD).cast::<Entry>();
    // SAFETY: `count` entries are mapped, at a multiple of 64, of a file that cannot shrink. They are never
    // unmapped, zeros are valid atomic numbers, and other processes write as threads would.
    Some(unsafe { slice::from_raw_parts(first, count) })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn entries(_: usize) -> Option<&'static [Entry]> {
    None
}
