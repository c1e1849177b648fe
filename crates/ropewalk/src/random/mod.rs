//! Random bytes: CTR_DRBG (NIST SP 800-90A Rev. 1, section 10.2.1) with AES-256, which the operating system
//! seeds.
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
//! Each thread has a generator of its own, so that none waits for another. It takes fresh bytes of the
//! operating system before the first byte it gives, after a mebibyte or 1024 requests, and in a child after
//! a fork. They are added to its state, so that bytes that are not as random as they should be take nothing
//! from it. They are full entropy: a derivation function would have nothing to do.
//!
//! * What has been given cannot be computed from what is in memory afterwards: each request ends with
//!   another state, and of a few bytes that were made ahead, none stays once it is given.
//! * What is going to be given can be, by whoever sees the memory of a process, until the next fresh bytes.
//! * A virtual machine that goes on twice from one snapshot gives the same bytes twice, until the next fresh
//!   bytes in each. Whoever clones machines lets processes start afterwards.
//!
//! [`CtrDrbg`] is the generator alone, for those who have its entropy from elsewhere or must have the same
//! bytes again.

use core::cell::RefCell;

use crate::core::{Error, backend::Primitive};

mod ctr_drbg;
mod fork;
mod generator;
#[cfg(test)]
mod tests;

pub use ctr_drbg::{CtrDrbg, LONGEST_REQUEST, SEED_LEN};
use generator::Generator;

/// CTR_DRBG, for those who walk the list. Its backends are those of counter mode.
pub const PRIMITIVE: Primitive = ctr_drbg::PRIMITIVE;

std::thread_local! {
    static GENERATOR: RefCell<Generator> = const { RefCell::new(Generator::new(operating_system)) };
}

/// Fills `out`, of any length, with random bytes.
///
/// # Errors
/// [`Error::NoRandomness`] where the operating system has none when it is asked; `out` is then zeroed, and
/// the next call asks again.
pub fn fill(out: &mut [u8]) -> Result<(), Error> {
    let filled = GENERATOR.try_with(|generator| Some(generator.try_borrow_mut().ok()?.fill(out)));
    let filled = match filled {
        Ok(Some(filled)) => filled,
        // The thread is ending, or a signal came while its generator was at work.
        _ => operating_system(out),
    };
    filled.inspect_err(|_| out.fill(0))
}

/// So many random bytes.
///
/// # Errors
/// As [`fill`].
pub fn array<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

/// Where entropy comes from: it fills all it is given, or fails.
type Source = fn(&mut [u8]) -> Result<(), Error>;

fn operating_system(out: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(out).map_err(|_| Error::NoRandomness)
}
