//! Writing to the standard error without ending or stopping the program. Both modules of the provider include
//! this file.
//!
//! A write may raise a signal: SIGXFSZ if the file may not grow, as in a child that a server has sandboxed;
//! SIGPIPE if nothing reads the pipe; SIGTTOU if the program runs in the background. A program that does not
//! expect to write would be ended by it, so the signals are blocked during the write.

use core::ffi::{c_int, c_ulong};

/// The bits of SIGXFSZ, SIGPIPE and SIGTTOU in a set of signals.
const RAISED: c_ulong = 1 << (25 - 1) | 1 << (13 - 1) | 1 << (22 - 1);

const SIG_BLOCK: c_int = if cfg!(target_os = "linux") { 0 } else { 1 };
const SIG_SETMASK: c_int = if cfg!(target_os = "linux") { 2 } else { 3 };

/// `sigset_t` or larger: 1024 bits, the largest of all C libraries.
#[repr(C)]
struct Signals([c_ulong; 1024 / c_ulong::BITS as usize]);

/// `struct timespec` or larger: no C library has longer fields.
#[repr(C)]
struct Duration([u64; 2]);

unsafe extern "C" {
    /// On Linux this is the mask of the calling thread.
    safe fn sigprocmask(how: c_int, set: &Signals, old: Option<&mut Signals>) -> c_int;
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// `info` has space for a `siginfo_t`.
    safe fn sigtimedwait(set: &Signals, info: Option<&mut [u64; 16]>, timeout: &Duration) -> c_int;
}

/// What the program does after the write.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// It continues. Signals of the write are discarded.
    RunsOn,
    /// It ends. Signals of the write stay blocked: a system call to discard them could be one that a sandbox
    /// forbids.
    #[allow(dead_code, reason = "one of the two modules writes only while the program begins")]
    Ends,
}

/// Runs `write`, which returns whether it has written. None of its signals reaches the program.
pub(crate) fn quietly(then: Then, write: impl FnOnce() -> bool) {
    let mut before = Signals::first_are(0);
    let blocked = sigprocmask(SIG_BLOCK, &Signals::first_are(RAISED), Some(&mut before)) == 0;
    let written = write();
    if !blocked || !written && then == Then::Ends {
        return;
    }
    if !written {
        // A signal that was blocked before may be pending for the program, and stays pending.
        discard(RAISED & !before.0[0]);
    }
    sigprocmask(SIG_SETMASK, &before, None);
}

/// Discards those signals of the thread, if they are pending.
#[cfg(target_os = "linux")]
fn discard(signals: c_ulong) {
    let (set, at_once) = (Signals::first_are(signals), Duration([0; 2]));
    // One call discards one signal, and a write raises each at most once.
    for _ in 0..3 {
        _ = sigtimedwait(&set, None, &at_once);
    }
}

#[cfg(not(target_os = "linux"))]
fn discard(_: c_ulong) {}

impl Signals {
    /// A set with the first signals whose bits are set.
    fn first_are(bits: c_ulong) -> Self {
        let mut set = [0; 1024 / c_ulong::BITS as usize];
        set[0] = bits;
        Self(set)
    }
}
