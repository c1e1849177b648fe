//! Which core does what.

use rustix::{io, thread};

/// The cores of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores {
    /// Where every worker runs, one at a time.
    pub workers: usize,
    /// Where the command waits for them: another core, if there is one.
    pub command: usize,
}

impl Cores {
    /// Of those that this process may run on. Interrupts prefer the first; the fast cores of an
    /// uneven processor are the last.
    ///
    /// # Errors
    /// Where the system does not tell.
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
/// Where the system does not tell.
pub fn allowed() -> io::Result<Vec<usize>> {
    let allowed = thread::sched_getaffinity(None)?;
    Ok((0..thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect())
}

/// Keeps this thread on one core.
///
/// # Errors
/// Where the system does not let it.
pub fn pin(core: usize) -> io::Result<()> {
    let mut set = thread::CpuSet::new();
    set.set(core);
    thread::sched_setaffinity(None, &set)
}
