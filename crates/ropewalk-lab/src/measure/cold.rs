//! Calls with neither their code nor their data in the caches.
//!
//! Before each call, every cache line that this process has mapped is flushed: code, constants, and private
//! memory. Branch predictors and TLBs stay warm. One call is a sample, since the next one would find warm
//! caches.

use std::{fs::File, hint::black_box, io, io::Read as _, io::Seek as _, ops::Range, time::Instant};

use super::{
    clock::Clock,
    protocol::{Sample, Turn},
    sampler::Sampler,
    statistics::median,
};
use crate::peers::{Job, Unavailable};

impl Sampler {
    /// Takes samples of single calls for `seconds`, at least one.
    ///
    /// # Errors
    /// If the processor cannot flush lines, or the system does not report the mappings.
    pub(super) fn cold(&mut self, clock: &Clock, seconds: f64) -> Result<Turn, Unavailable> {
        let start = Instant::now();
        let mut caches = Caches::open()?;
        // One-time events, such as page faults, would count as cold caches.
        self.job.run(1);
        let (mut nothing, mut calls) = (Vec::new(), Vec::new());
        while calls.is_empty() || start.elapsed().as_secs_f64() < seconds {
            nothing.push(caches.cold(clock, &mut *Box::new(Nothing::default()))?);
            calls.push(caches.cold(clock, &mut *self.job)?);
        }
        let count = self.count as f64;
        let messages = calls.len() as f64 * count;
        Ok(Turn {
            samples: beyond(&mut nothing, &calls)
                .map(|ns| Sample { ns: ns / count, ghz: None })
                .collect(),
            messages,
            took: Some(start.elapsed().as_nanos() as f64),
            ..Turn::default()
        })
    }
}

/// The time of calls in excess of an empty call; at least a nanosecond, the resolution of the clock.
fn beyond(nothing: &mut [f64], calls: &[f64]) -> impl Iterator<Item = f64> {
    let nothing = median(nothing).map_or(0.0, |median| median.value);
    calls.iter().map(move |ns| (ns - nothing).max(1.0))
}

/// The memory of this process that is flushed.
struct Caches {
    flush: Flush,
    maps: File,
    /// Both keep their memory: an allocation would change the mappings.
    text: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

/// Space for the list of mappings, each of which takes about a hundred bytes.
const ROOM: usize = 1 << 20;

impl Caches {
    fn open() -> Result<Self, Unavailable> {
        let flush = Flush::detect()
            .ok_or_else(|| Unavailable("nothing here puts lines out of the caches".into()))?;
        let maps = File::open("/proc/self/maps").map_err(untold)?;
        Ok(Self { flush, maps, text: vec![0; ROOM], ranges: Vec::with_capacity(ROOM / 64) })
    }

    /// Nanoseconds of one call with cold caches. The data of the clock is loaded again before.
    fn cold(&mut self, clock: &Clock, job: &mut dyn Job) -> Result<f64, Unavailable> {
        let len = self.read().map_err(untold)?;
        let Self { text, ranges, .. } = self;
        ranges.clear();
        ranges.extend(std::str::from_utf8(&text[..len]).into_iter().flat_map(mapped));
        for range in &*ranges {
            // SAFETY: all of it has just been mapped, and a worker has no other thread that changes that. A
            // library with threads could do so, as it could do anything to its own process, but to no other.
            unsafe { self.flush.range(range) }
        }
        time(clock, &mut Clocked);
        Ok(time(clock, job))
    }

    /// Reads the list of mappings to its end, and returns its length.
    fn read(&mut self) -> io::Result<usize> {
        self.maps.rewind()?;
        let mut len = 0;
        loop {
            match self.maps.read(&mut self.text[len..])? {
                0 if len == self.text.len() => return Err(io::ErrorKind::FileTooLarge.into()),
                0 => return Ok(len),
                n => len += n,
            }
        }
    }
}

fn untold(error: io::Error) -> Unavailable {
    Unavailable(format!("the system does not tell what is mapped: {error}"))
}

/// A separate function, so that the same code loads the clock and takes the time.
#[inline(never)]
fn time(clock: &Clock, job: &mut dyn Job) -> f64 {
    clock.time(|| job.run(black_box(1)))
}

/// The private mappings that can be read, from the text of /proc/self/maps: code, constants of files, and
/// writable memory. Special mappings of the kernel are excluded.
fn mapped(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let access = words.next()?;
        let name = words.nth(3).unwrap_or("");
        let lent = name.starts_with("[vvar") || name == "[vsyscall]";
        let of_ours = access.contains(['w', 'x']) || name.starts_with('/');
        let counts = access.starts_with('r') && access.ends_with('p') && of_ours && !lent;
        let address = |text| usize::from_str_radix(text, 16).ok();
        Some(address(start)?..address(end)?).filter(|_| counts)
    })
}

/// The job that loads the clock.
struct Clocked;

impl Job for Clocked {
    fn run(&mut self, calls: usize) {
        black_box(calls);
    }

    fn answer(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// A job that does nothing, flushed like others: its data has a separate line, and its code reaches into one.
#[derive(Default)]
#[repr(align(64))]
struct Nothing(usize);

impl Job for Nothing {
    fn run(&mut self, calls: usize) {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: it does nothing, at the start of a line.
        unsafe {
            std::arch::asm!(".p2align 6", "nop", options(nomem, nostack, preserves_flags));
        }
        self.0 = black_box(calls);
    }

    fn answer(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

#[cfg(target_arch = "x86_64")]
use x86_64::Flush;

#[cfg(target_arch = "aarch64")]
use aarch64::Flush;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use nowhere::Flush;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::{
        arch::{
            asm,
            x86_64::{__cpuid, __cpuid_count, _mm_clflush, _mm_mfence},
        },
        ops::Range,
    };

    /// The instruction that flushes a line.
    #[derive(Clone, Copy)]
    pub(super) enum Flush {
        /// It is ordered after the one before.
        Clflush,
        /// It is not ordered.
        Clflushopt,
    }

    impl Flush {
        /// Every processor of this architecture has the first.
        pub(super) fn detect() -> Option<Self> {
            let newer = __cpuid(0).eax >= 7 && __cpuid_count(7, 0).ebx & 1 << 23 != 0;
            Some(if newer { Self::Clflushopt } else { Self::Clflush })
        }

        /// # Safety
        /// The range must be mapped, without pages after the end of a file.
        pub(super) unsafe fn range(self, range: &Range<usize>) {
            for line in range.clone().step_by(64) {
                let line = line as *const u8;
                match self {
                    // SAFETY: the line is mapped; its data is written back and does not change.
                    Self::Clflush => unsafe { _mm_clflush(line) },
                    // SAFETY: as above, and the processor has the instruction.
                    Self::Clflushopt => unsafe {
                        asm!("clflushopt [{}]", in(reg) line, options(nostack, preserves_flags));
                    },
                }
            }
            // SAFETY: every processor of this architecture has it.
            unsafe { _mm_mfence() }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use std::{arch::asm, ops::Range};

    /// Cache maintenance that Linux allows programs.
    #[derive(Clone, Copy)]
    pub(super) struct Flush {
        /// The length of the shortest line.
        line: usize,
    }

    impl Flush {
        /// Every processor of this architecture has it.
        pub(super) fn detect() -> Option<Self> {
            let kinds: u64;
            // SAFETY: it reads a register that programs may read.
            unsafe {
                asm!("mrs {}, ctr_el0", out(reg) kinds, options(nomem, nostack, preserves_flags));
            }
            // Words of four bytes, as powers of two: of instructions, and of data.
            let shortest = (kinds & 15).min(kinds >> 16 & 15);
            Some(Self { line: 4 << shortest })
        }

        /// # Safety
        /// The range must be mapped, without pages after the end of a file.
        pub(super) unsafe fn range(self, range: &Range<usize>) {
            for line in range.clone().step_by(self.line) {
                // SAFETY: the line is mapped; its data is written back and does not change.
                unsafe {
                    asm!("dc civac, {line}", "ic ivau, {line}", line = in(reg) line,
                         options(nostack, preserves_flags));
                }
            }
            // SAFETY: it waits for the instructions before.
            unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) }
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod nowhere {
    use std::ops::Range;

    /// Not available here.
    #[derive(Clone, Copy)]
    pub(super) struct Flush;

    impl Flush {
        /// Not available here.
        pub(super) fn detect() -> Option<Self> {
            None
        }

        /// # Safety
        /// It does nothing.
        pub(super) unsafe fn range(self, _: &Range<usize>) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_constants_and_own_memory_count() {
        let text = "\
5500000000-5500001000 r--p 00000000 fe:00 12 /usr/bin/some program
5500001000-5500003000 r-xp 00001000 fe:00 12 /usr/bin/some program
5500003000-5500004000 rw-p 00003000 fe:00 12 /usr/bin/some program
5500010000-5500020000 rw-p 00000000 00:00 0 [heap]
7f00000000-7f00010000 ---p 00000000 00:00 0
7f00010000-7f00020000 r--p 00000000 00:00 0
7f00020000-7f00030000 rw-s 00000000 00:01 77 /dev/shm/shared
7f00030000-7f00040000 rw-p 00000000 00:00 0
7ffc000000-7ffc004000 r--p 00000000 00:00 0 [vvar]
7ffc004000-7ffc005000 r--p 00000000 00:00 0 [vvar_vclock]
7ffc005000-7ffc006000 r-xp 00000000 00:00 0 [vdso]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
no mapping
";
        let found: Vec<_> = mapped(text).map(|range| (range.start, range.len())).collect();
        let want = [
            (0x55_0000_0000, 0x1000),
            (0x55_0000_1000, 0x2000),
            (0x55_0000_3000, 0x1000),
            (0x55_0001_0000, 0x1_0000),
            (0x7f_0003_0000, 0x1_0000),
            (0x7f_fc00_5000, 0x1000),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn what_nothing_takes_is_no_part_of_a_call() {
        let calls = [300.0, 90.0, 5000.0];
        let ns: Vec<f64> = beyond(&mut [80.0, 100.0, 9000.0], &calls).collect();
        assert_eq!(ns, [200.0, 1.0, 4900.0]);
        assert_eq!(beyond(&mut [], &[7.0]).collect::<Vec<_>>(), [7.0]);
    }
}
