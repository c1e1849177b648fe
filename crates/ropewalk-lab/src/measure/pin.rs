//! Assigns cores.

use rustix::{io, thread};

/// The cores of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// The core of every worker, one at a time.
    pub workers: usize,
    /// The core on which the command waits for them: another one, if possible.
    pub command: usize,
}

impl Cores {
    /// Chooses among those that this process may run on. Interrupts prefer the first; the fast cores of a
    /// hybrid processor are the last.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn choose() -> io::Result<Self> {
        let cores = allowed()?;
        let (first, last) = (cores.first(), cores.last());
        let (first, last) = first.zip(last).ok_or(io::Errno::INVAL)?;
        Ok(Self { workers: *last, command: *first })
    }
}

/// The cores that this process may run on.
///
/// # Errors
/// If the system does not report them.
pub fn allowed() -> io::Result<Vec<usize>> {
    let allowed = thread::sched_getaffinity(None)?;
    Ok((0..thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect())
}

/// Pins this thread to a core.
///
/// # Errors
/// If the system refuses.
pub fn pin(core: usize) -> io::Result<()> {
    let mut set = thread::CpuSet::new();
    set.set(core);
    thread::sched_setaffinity(None, &set)
}
