//! The processor's mode for data-independent timing.
//!
//! Arm processors with FEAT_DIT (Armv8.4) have a bit, PSTATE.DIT. While it is set, the time of most instructions does not depend
//! on their data: Arm Architecture Reference Manual, "About PSTATE.DIT". Without it the architecture promises nothing, though no
//! processor is known today on which it makes a difference for the instructions that this library uses on secrets.
//!
//! The library does not set the bit by itself: writing it, and the barrier after that, cost tens of cycles for each short
//! message. A thread that works with secrets sets it once, for as long as it keeps the guard:
//!
//! ```
//! use ropewalk::{aes_gcm::Key, timing::DataIndependent};
//!
//! let _timing = DataIndependent::begin();
//! let tag = Key::new(&[7; 16])?.seal(&[0; 12], b"header", &mut *b"attack at dawn".to_vec())?;
//! # assert_eq!(tag.len(), 16);
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! On x86-64 the mode of Intel (DOITM) is in a register that only an operating system can write, and AMD has none: there the
//! guard does nothing. Intel lists the instructions whose time does not depend on data in any case. Those that the library uses
//! on secrets are on that list.
#![allow(unsafe_code)]

use core::marker::PhantomData;

/// While it lives, its thread has data-independent timing, where the processor has that mode. On drop, also by a panic, it
/// restores the previous mode; so guards nest.
#[must_use = "the mode ends when this is dropped"]
#[derive(Debug)]
pub struct DataIndependent {
    was_on: bool,
    /// The bit belongs to one thread.
    _not_send: PhantomData<*const ()>,
}

impl DataIndependent {
    /// Turns the mode on.
    pub fn begin() -> Self {
        let was_on = is_on();
        if is_here() && !was_on {
            set(true);
        }
        Self { was_on, _not_send: PhantomData }
    }
}

impl Drop for DataIndependent {
    fn drop(&mut self) {
        if is_here() && !self.was_on {
            set(false);
        }
    }
}

/// Whether this processor has the mode, and programs can turn it on.
pub fn is_here() -> bool {
    #[cfg(all(target_arch = "aarch64", feature = "std"))]
    return std::arch::is_aarch64_feature_detected!("dit");
    #[cfg(all(target_arch = "aarch64", not(feature = "std")))]
    {
        cpufeatures::new!(has_dit, "dit");
        return has_dit::get();
    }
    #[cfg(not(target_arch = "aarch64"))]
    false
}

/// Whether the mode is on in this thread.
pub fn is_on() -> bool {
    is_here() && bit()
}

#[cfg(target_arch = "aarch64")]
const DIT: u64 = 1 << 24;

#[cfg(target_arch = "aarch64")]
fn bit() -> bool {
    let state: u64;
    // SAFETY: the processor has the register, S3_3_C4_C2_5, which a program may read.
    unsafe { core::arch::asm!("mrs {}, s3_3_c4_c2_5", out(reg) state, options(nomem, nostack)) };
    state & DIT != 0
}

#[cfg(target_arch = "aarch64")]
fn set(on: bool) {
    let state = if on { DIT } else { 0 };
    // The barrier keeps later instructions from starting before the bit is written.
    // SAFETY: the processor has the register, which a program may write, and it has no other bits.
    unsafe { core::arch::asm!("msr s3_3_c4_c2_5, {}", "isb", in(reg) state, options(nostack)) };
}

#[cfg(not(target_arch = "aarch64"))]
fn bit() -> bool {
    false
}

#[cfg(not(target_arch = "aarch64"))]
fn set(_: bool) {}
