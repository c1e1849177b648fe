//! Random bytes: CTR_DRBG (NIST SP 800-90A Rev. 1, section 10.2.1) with AES-256, seeded by the operating system.
//!
//! ```
//! use ropewalk::random;
//!
//! let secret: [u8; 32] = random::array()?;
//! let mut more = vec![0; 1000];
//! random::fill(&mut more)?;
//! # assert_ne!(more[..32], secret);
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Each thread has a generator of its own, without locks. It reads fresh bytes from the operating system before its first output,
//! after a mebibyte or 1024 requests, and in a child after a fork. They are added to the state, so that bytes of low quality do
//! no harm. They have full entropy, so there is no derivation function.
//!
//! * Backtracking resistance: past output cannot be computed from the memory of the process. Each request ends with a new state,
//!   and bytes generated ahead are erased once they are output.
//! * Future output can be computed from the memory of the process, until the next fresh bytes.
//! * A virtual machine that is resumed twice from one snapshot outputs the same bytes twice, until the next fresh bytes in each.
//!   Start processes after cloning a machine, not before.
//!
//! [`CtrDrbg`] is the generator without a source, for programs with their own entropy or with a need for reproducible bytes.

use core::cell::RefCell;

use crate::core::{Error, backend::Primitive};

mod ctr_drbg;
mod fork;
mod generator;
#[cfg(test)]
mod tests;

pub use ctr_drbg::{CtrDrbg, LONGEST_REQUEST, SEED_LEN};
#[cfg_attr(not(feature = "rsa"), allow(unused_imports))]
pub(crate) use fork::Process;
use generator::Generator;

/// CTR_DRBG and its backends, which are those of counter mode.
pub const PRIMITIVE: Primitive = ctr_drbg::PRIMITIVE;

std::thread_local! {
    static GENERATOR: RefCell<Generator> = const { RefCell::new(Generator::new(operating_system)) };
}

/// Fills `out`, of any length, with random bytes.
///
/// # Errors
/// [`Error::NoRandomness`] where the operating system provides none; `out` is then zeroed, and the next call tries again.
pub fn fill(out: &mut [u8]) -> Result<(), Error> {
    let filled = GENERATOR.try_with(|generator| Some(generator.try_borrow_mut().ok()?.fill(out)));
    let filled = match filled {
        Ok(Some(filled)) => filled,
        // The thread is ending, or a signal handler interrupted its generator.
        _ => operating_system(out),
    };
    filled.inspect_err(|_| out.fill(0))
}

/// Returns `N` random bytes.
///
/// # Errors
/// As [`fill`].
pub fn array<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// A source of entropy: it fills the whole buffer, or fails.
type Source = fn(&mut [u8]) -> Result<(), Error>;

fn operating_system(out: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(out).map_err(|_| Error::NoRandomness)
}
