//! Detection of forks: a child must not output the random bytes of its parent.
//!
//! On Linux the kernel wipes a page in the child (`MADV_WIPEONFORK`, since 4.14). Checking it takes a load, and detects every
//! kind of fork: `pthread_atfork` handlers run for `fork` only, and reading the process ID is a system call. Where there is no
//! such page, the process ID is used all the same. It misses a child with the ID of an ancestor that has ended, or that has the
//! same ID in another PID namespace.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A process, until it forks: its child is a different one.
#[derive(Clone, Copy)]
pub(crate) struct Process {
    /// The page that is wiped in a child.
    page: Option<&'static AtomicU64>,
    /// The number on the page; without a page, the process ID.
    number: u64,
}

impl Process {
    /// The current process.
    pub(crate) fn current() -> Self {
        match page::page() {
            Some(page) => Self::on(page),
            None => Self { page: None, number: std::process::id().into() },
        }
    }

    fn on(page: &'static AtomicU64) -> Self {
        // Not on the page, so that no child gets a number of its ancestors.
        static LAST: AtomicU64 = AtomicU64::new(0);
        let next = LAST.fetch_add(1, Relaxed) + 1;
        // Another thread may have set it before.
        let number =
            page.compare_exchange(0, next, Relaxed, Relaxed).map_or_else(|at| at, |_| next);
        Self { page: Some(page), number }
    }

    /// Whether it is the current process.
    #[inline]
    pub(crate) fn is_current(&self) -> bool {
        match self.page {
            Some(page) => page.load(Relaxed) == self.number,
            None => u64::from(std::process::id()) == self.number,
        }
    }

    /// As a child would see it.
    #[cfg(test)]
    pub(crate) fn forked(self) -> Self {
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

    /// The page of this process, if there can be one. Without a lock: a lock that another thread holds during a fork stays locked
    /// in the child.
    pub(super) fn page() -> Option<&'static AtomicU64> {
        static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
        static NONE: AtomicU64 = AtomicU64::new(0);
        let mut page = PAGE.load(Acquire);
        if page.is_null() {
            let new = map().unwrap_or((&raw const NONE).cast_mut());
            // If another thread was first, its page is used; this one is leaked, once.
            page = PAGE.compare_exchange(page, new, AcqRel, Acquire).map_or_else(|at| at, |_| new);
        }
        if ptr::eq(page, &NONE) {
            return None;
        }
        // SAFETY: a page of `map`, which is never unmapped or borrowed mutably, and any bytes are a valid number.
        #[allow(unsafe_code)]
        Some(unsafe { &*page })
    }

    /// The kernel rounds up to a whole page.
    const LEN: usize = size_of::<AtomicU64>();

    fn map() -> Option<*mut AtomicU64> {
        // Some emulators accept any advice and ignore it. A kernel refuses to wipe a shared page.
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
        // SAFETY: a new mapping at any free address.
        #[allow(unsafe_code)]
        unsafe { mmap_anonymous(ptr::null_mut(), LEN, access, flags) }.ok()
    }

    /// Whether the kernel promises to wipe this page, from [`new`], in a child.
    fn wipe_on_fork(page: *mut c_void) -> bool {
        // SAFETY: the advice does not affect the page in this process.
        #[allow(unsafe_code)]
        unsafe { madvise(page, LEN, Advice::LinuxWipeOnFork) }.is_ok()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod page {
    use core::sync::atomic::AtomicU64;

    /// Other systems have none.
    pub(super) fn page() -> Option<&'static AtomicU64> {
        None
    }
}
