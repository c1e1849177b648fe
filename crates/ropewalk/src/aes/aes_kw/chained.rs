//! AES key wrap as a chain of blocks, for the instructions of any backend. A stays in a register; the other half of a block is
//! stored and loaded off the critical path.

use super::Semiblock;
use crate::aes::chain::{Chain, Halves};

/// W (section 6.1).
#[inline(always)]
pub(super) fn wrap<C: Chain>(
    chain: C,
    halves: impl Halves<C>,
    a: &mut Semiblock,
    r: &mut [Semiblock],
) {
    let (steps, mut t) = (if r.len() == 1 { 1 } else { 6 }, 0_u64);
    // The last number for A is added with the next block.
    let (mut given, mut added) = halves.start(u64::from_le_bytes(*a));
    for _ in 0..steps {
        for r in &mut *r {
            given = halves.next(given, block(chain, added, r));
            *r = ((chain.number(halves.leave(given)) >> 64) as u64).to_le_bytes();
            t += 1;
            added = t.swap_bytes();
        }
    }
    // With a single block, no number is added.
    let added = if steps == 1 { 0 } else { added };
    *a = (chain.number(halves.leave(given)) as u64 ^ added).to_le_bytes();
}

/// The inverse, given the inverse chain.
#[inline(always)]
pub(super) fn unwrap<C: Chain>(
    chain: C,
    halves: impl Halves<C>,
    a: &mut Semiblock,
    r: &mut [Semiblock],
) {
    let alone = r.len() == 1;
    let steps = if alone { 1 } else { 6 };
    let mut t = if alone { 0 } else { 6 * r.len() as u64 };
    let (mut given, mut added) = halves.start(u64::from_le_bytes(*a));
    added ^= t.swap_bytes();
    for _ in 0..steps {
        for r in r.iter_mut().rev() {
            given = halves.next(given, block(chain, added, r));
            *r = ((chain.number(halves.leave(given)) >> 64) as u64).to_le_bytes();
            t = t.wrapping_sub(1);
            added = t.swap_bytes();
        }
    }
    *a = (chain.number(halves.leave(given)) as u64).to_le_bytes();
}

/// A number that is added to A, and a semiblock.
#[inline(always)]
fn block<C: Chain>(chain: C, number: u64, r: &Semiblock) -> C::V {
    chain.vector(u128::from(u64::from_le_bytes(*r)) << 64 | u128::from(number))
}

/// Declares the backend of an instruction set.
macro_rules! chained {
    ($Backend:ident needs $Cpu:ident: $Halves:ident of $Chain:ident<$V:ident>) => {
        pub(in crate::aes::aes_kw) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            /// The keys for wrapping, and those for unwrapping.
            keys: [RoundKeys; 2],
        }

        impl Wrap for $Backend {
            kernel! { $Cpu: fn wrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) = $Backend::wrap_kernel }
            kernel! { $Cpu: fn unwrap(&self, a: &mut Semiblock, r: &mut [Semiblock]) = $Backend::unwrap_kernel }
        }

        impl $Backend {
            #[inline]
            pub(in crate::aes::aes_kw) fn new(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Self {
                let keys = proven!($Cpu: cpu, fn enter(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> [RoundKeys; 2] {
                    let _ = cpu;
                    both_keys_of_chain!($Chain<$V>(cpu, secret))
                });
                Self { cpu, keys }
            }

            #[inline(always)]
            fn wrap_kernel(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
                let chain = $Chain::<$V>::new(self.cpu, &self.keys[0]);
                wrap(chain, $Halves(chain, false), a, r);
            }

            #[inline(always)]
            fn unwrap_kernel(&self, a: &mut Semiblock, r: &mut [Semiblock]) {
                let chain = $Chain::<$V>::new(self.cpu, &self.keys[1]);
                unwrap(chain, $Halves(chain, true), a, r);
            }
        }
    };
}
pub(super) use chained;
