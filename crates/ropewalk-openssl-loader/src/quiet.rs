//! Writing to the standard error without ending or stopping the program. Both modules of the provider have this file.
//!
//! A write may raise a signal: SIGXFSZ where the file may grow no further, as in a child that a server has put in a sandbox;
//! SIGPIPE where nothing reads the pipe; SIGTTOU where the program runs in the background. A program that does not expect to
//! write would end by it, so the signals are blocked around the write.

use core::ffi::{c_int, c_ulong};

/// The bits of SIGXFSZ, SIGPIPE and SIGTTOU in a set of signals.
const RAISED: c_ulong = 1 << (25 - 1) | 1 << (13 - 1) | 1 << (22 - 1);

const SIG_BLOCK: c_int = if cfg!(target_os = "linux") { 0 } else { 1 };
const SIG_SETMASK: c_int = if cfg!(target_os = "linux") { 2 } else { 3 };

/// `sigset_t`, or more: 1024 bits, which is the largest of all C libraries.
#[repr(C)]
struct Signals([c_ulong; 1024 / c_ulong::BITS as usize]);

/// `struct timespec`, or more: no C library has longer fields.
#[repr(C)]
struct Duration([u64; 2]);

unsafe extern "C" {
    /// On Linux this is the mask of the calling thread.
    safe fn sigprocmask(how: c_int, set: &Signals, old: Option<&mut Signals>) -> c_int;
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// `info` has room for a `siginfo_t`.
    safe fn sigtimedwait(set: &Signals, info: Option<&mut [u64; 16]>, timeout: &Duration) -> c_int;
}

/// What becomes of the program after the write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// It runs on. What the write has raised is discarded.
    RunsOn,
    /// It ends. What the write has raised stays blocked: a system call to discard it could be one that a sandbox forbids.
    #[allow(dead_code, reason = "one of the two modules writes only while the program begins")]
    Ends,
}

/// Runs `write`, which says whether it has written. None of its signals reaches the program.
pub(crate) fn quietly(then: Then, write: impl FnOnce() -> bool) {
    let mut before = Signals::first_are(0);
    let blocked = sigprocmask(SIG_BLOCK, &Signals::first_are(RAISED), Some(&mut before)) == 0;
    let written = write();
    if !blocked || !written && then == Then::Ends {
        return;
    }
    if !written {
        // A signal that was blocked before may be pending for the program, and is left to it.
        discard(RAISED & !before.0[0]);
    }
    sigprocmask(SIG_SETMASK, &before, None);
}

/// Takes those signals off the thread, if they are pending.
#[cfg(target_os = "linux")]
fn discard(signals: c_ulong) {
    let (set, at_once) = (Signals::first_are(signals), Duration([0; 2]));
    // One call takes one signal, and a write raises each once at most.
    for _ in 0..3 {
        _ = sigtimedwait(&set, None, &at_once);
    }
}

#[cfg(not(target_os = "linux"))]
fn discard(_: c_ulong) {}

impl Signals {
    /// Those of the first signals whose bits are set.
    fn first_are(bits: c_ulong) -> Self {
        let mut set = [0; 1024 / c_ulong::BITS as usize];
        set[0] = bits;
        Self(set)
    }
}
