//! Which planted fault is on: the environment variable `ROPEWALK_FAULT` has its number. `cargo xtask mutate` adds this module
//! to its copy of the library.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The number of the fault; 0 is none.
static FAULT: AtomicU32 = AtomicU32::new(0);

/// Whether the fault of that number is on.
#[inline(always)]
pub fn on(number: u32) -> bool {
    FAULT.load(Relaxed) == number
}

#[used]
// SAFETY: the loader calls each function of this section once, and this one takes nothing from it.
#[allow(unsafe_code)]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = read;

/// Reads the variable before `main`, so that no kernel has a call for it.
extern "C" fn read() {
    let number = std::env::var("ROPEWALK_FAULT").ok().and_then(|number| number.parse().ok());
    FAULT.store(number.unwrap_or(0), Relaxed);
}
