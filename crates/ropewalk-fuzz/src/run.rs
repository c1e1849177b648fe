//! Cases one after another in a process of its own, whose end says what no case can: a signal, memory or time without bounds.

use std::{
    env,
    fs::File,
    io::{self, Error},
    os::unix::{fs::FileExt, process::ExitStatusExt},
    path::Path,
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use rustix::{
    process::{Resource, Rlimit, setrlimit},
    time::{ClockId, clock_gettime},
};

use crate::{Case, Target, case::bytes_of, targets::print_calls};

/// Seconds of the processor that one case may take: thousands of times what any does.
const MOST_SECONDS: u64 = 60;

/// Bytes of memory that the process may map.
const MOST_MEMORY: u64 = 4 << 30;

/// How long cases go on.
#[derive(Clone, Copy)]
pub enum Until {
    /// So many have run.
    Cases(u64),
    /// So much time has passed.
    Time(Duration),
}

/// Runs a case in this process. It panics, or a signal ends it, where something does not hold.
pub fn one(target: &Target, bytes: &[u8]) {
    (target.run)(&mut Case::new(bytes));
}

/// Runs the cases of seeds that follow each other in this process, and returns how many.
///
/// # Errors
/// Where a limit cannot be set, or the seed not be written to `progress` before its case.
pub fn seeds(
    target: &Target,
    first: u64,
    until: Until,
    progress: Option<&File>,
) -> io::Result<u64> {
    let (start, mut done) = (Instant::now(), 0);
    if let Until::Cases(1) = until {
        print_calls();
    }
    let goes_on = |done| match until {
        Until::Cases(cases) => done < cases,
        Until::Time(time) => start.elapsed() < time,
    };
    while goes_on(done) {
        let seed = first.wrapping_add(done);
        if let Some(progress) = progress {
            progress.write_all_at(&seed.to_le_bytes(), 0)?;
        }
        limit()?;
        one(target, &bytes_of(seed));
        done += 1;
    }
    Ok(done)
}

/// How a process with cases has ended.
pub struct Failure {
    /// The seed of its last case.
    pub seed: u64,
    /// Its status.
    pub status: ExitStatus,
    /// When that was.
    pub after: Duration,
}

impl Failure {
    /// What ended it, in words.
    pub fn why(&self) -> String {
        match self.status.signal() {
            Some(XCPU) => format!("it took {MOST_SECONDS} s of the processor"),
            Some(signal) => format!("signal {signal}"),
            None => "a panic".into(),
        }
    }
}

/// The signal of a process that takes too long.
const XCPU: i32 = rustix::process::Signal::XCPU.as_raw();

/// Runs cases in a process of their own, for so long.
///
/// # Errors
/// Where it cannot be started.
pub fn in_a_process(target: &Target, first: u64, time: Duration) -> io::Result<Option<Failure>> {
    let progress = tempfile::NamedTempFile::new()?;
    let start = Instant::now();
    let mut command = Command::new(env::current_exe()?);
    command.args([target.name, "--seed", &first.to_string()]);
    command.args(["--seconds", &time.as_secs_f64().to_string()]);
    let status = command.arg("--progress").arg(progress.path()).status()?;
    if status.success() {
        return Ok(None);
    }
    let mut seed = [0; 8];
    // There is none where it ended before the first case.
    progress.as_file().read_exact_at(&mut seed, 0).map_err(|_| {
        Error::other(format!("{} ended before its first case: {status}", target.name))
    })?;
    let after = start.elapsed();
    Ok(Some(Failure { seed: u64::from_le_bytes(seed), status, after }))
}

/// Bounds the memory of this process, and the time of the case that begins.
fn limit() -> io::Result<()> {
    let now = clock_gettime(ClockId::ProcessCPUTime).tv_sec as u64;
    let bound = |current| Rlimit { current: Some(current), maximum: None };
    setrlimit(Resource::Cpu, bound(now + MOST_SECONDS))?;
    setrlimit(Resource::As, bound(MOST_MEMORY))?;
    // What it dies of is said by its seed.
    setrlimit(Resource::Core, bound(0))?;
    Ok(())
}

/// Writes the bytes of a seed, which are then a case that stays.
///
/// # Errors
/// Where the file cannot be written.
pub fn keep(seed: u64, file: &Path) -> io::Result<()> {
    std::fs::write(file, bytes_of(seed))
}
