//! Whether a process is still the one it was: a child must not give the random bytes of its parent.
//!
//! On Linux there is a page that the kernel wipes in a child (`MADV_WIPEONFORK`, since 4.14). To look at it
//! takes a load, and it does not matter who forks, and how: `pthread_atfork` hears of `fork` only, and to ask
//! for the number of the process is a system call. Where there is no such page that number is asked for all
//! the same. A child then goes unnoticed that has the number of an ancestor which has ended, or which has it
//! in another name space.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A process, until it forks: its child is another one.
#[derive(Clone, Copy)]
pub(super) struct Process {
    /// What is wiped in a child.
    page: Option<&'static AtomicU64>,
    /// What is on the page; else the number that the operating system has given it.
    number: u64,
}

impl Process {
    /// This one.
    pub(super) fn current() -> Self {
        match page::page() {
            Some(page) => Self::on(page),
            None => Self { page: None, number: std::process::id().into() },
        }
    }

    fn on(page: &'static AtomicU64) -> Self {
        // Not on the page, for no child to have a number of its ancestors.
        static LAST: AtomicU64 = AtomicU64::new(0);
        let next = LAST.fetch_add(1, Relaxed) + 1;
        // Another thread may have been here first.
        let number =
            page.compare_exchange(0, next, Relaxed, Relaxed).map_or_else(|at| at, |_| next);
        Self { page: Some(page), number }
    }

    /// Whether this is it.
    #[inline]
    pub(super) fn is_current(&self) -> bool {
        match self.page {
            Some(page) => page.load(Relaxed) == self.number,
            None => u64::from(std::process::id()) == self.number,
        }
    }

    /// As it is seen from a child.
    #[cfg(test)]
    pub(super) fn forked(self) -> Self {
        Self { number: self.number ^ 1 << 63, ..self }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod page {
    use core::{
        ffi::c_void,
        ptr,
        sync::atomic::{
            AtomicPtr, AtomicU64,
            Ordering::{AcqRel, Acquire},
        },
    };

    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    /// The page of this process, if there can be one. No lock: one that another thread holds while a
    /// process forks is held in the child for ever.
    pub(super) fn page() -> Option<&'static AtomicU64> {
        static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
        static NONE: AtomicU64 = AtomicU64::new(0);
        let mut page = PAGE.load(Acquire);
        if page.is_null() {
            let new = map().unwrap_or((&raw const NONE).cast_mut());
            // What a thread maps that comes second is never used: that is a page, once.
            page = PAGE.compare_exchange(page, new, AcqRel, Acquire).map_or_else(|at| at, |_| new);
        }
        if ptr::eq(page, &NONE) {
            return None;
        }
        // SAFETY: a page of `map`, which nobody unmaps or borrows mutably, and where any bytes are a number.
        #[allow(unsafe_code)]
        Some(unsafe { &*page })
    }

    /// The kernel makes a whole page of it, however large that is.
    const LEN: usize = size_of::<AtomicU64>();

    fn map() -> Option<*mut AtomicU64> {
        // Some emulators agree to any advice and follow none. A kernel refuses to wipe a page that is shared.
        let shared = new(MapFlags::SHARED)?;
        let refuses = !wipe_on_fork(shared);
        // SAFETY: the page of `new` above, to which nothing refers.
        #[allow(unsafe_code)]
        unsafe { munmap(shared, LEN) }.ok()?;
        let page = new(MapFlags::PRIVATE)?;
        (refuses && wipe_on_fork(page)).then_some(page.cast())
    }

    fn new(flags: MapFlags) -> Option<*mut c_void> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping, wherever there is room.
        #[allow(unsafe_code)]
        unsafe { mmap_anonymous(ptr::null_mut(), LEN, access, flags) }.ok()
    }

    /// Whether the kernel says that it will wipe this page, of [`new`], in a child.
    fn wipe_on_fork(page: *mut c_void) -> bool {
        // SAFETY: this process keeps what is on the page.
        #[allow(unsafe_code)]
        unsafe { madvise(page, LEN, Advice::LinuxWipeOnFork) }.is_ok()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod page {
    use core::sync::atomic::AtomicU64;

    /// No other system has one.
    pub(super) fn page() -> Option<&'static AtomicU64> {
        None
    }
}
