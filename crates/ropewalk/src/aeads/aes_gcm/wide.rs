//! AES-GCM on vectors of one or two blocks: one kernel for several instruction sets.
//!
//! A text is processed in steps of eight vectors; the rest is processed like a short text. The rounds of a step are interleaved
//! with the hash of eight vectors in memory: those of the step itself, before they are decrypted, or those that the step before
//! has encrypted. Ciphers and products run on different ports and are independent. One kernel serves both directions, which
//! differ in the address of the data to hash.
//!
//! Blocks are hashed byte-reversed and the key multiplied by x, so that products need no bit
//! reflection: a·b·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1, as RFC 8452 defines POLYVAL.

use self::{counter::Counter, hash::Sum, last::Hashed};
use super::Nonce;
use crate::{
    aes::RoundKeys,
    core::{block::Block, opaque::align_stack, simd::Blocks, text::Text},
};

mod counter;
mod hash;
mod last;
mod steps;

pub(super) use hash::Key;
#[cfg(target_arch = "x86_64")]
pub(super) use hash::times_x;

/// Vectors in a step.
pub(super) const STEP: usize = 8;

/// The direction of a message, and its state.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) open: bool,
    /// Whether its additional data has been hashed.
    pub(super) aad: bool,
    /// Whether these are whole steps of a message in chunks: the tag buffer then holds the hash, before and after.
    pub(super) piece: bool,
    /// Blocks of its text before this chunk.
    pub(super) blocks: u32,
}

impl Way {
    pub(super) const SEAL: Self = Self { open: false, aad: false, piece: false, blocks: 0 };
    pub(super) const OPEN: Self = Self { open: true, ..Self::SEAL };
}

/// Declares the backend of an instruction set. Texts of up to so many vectors have one kernel for both directions (`apart`), or
/// one for each (`twice`: with vectors of one block, a runtime direction costs up to a tenth); or none of their own, for
/// processors that are becoming rare (`told`).
macro_rules! wide {
    ($Backend:ident needs $Cpu:ident: $V:ident of $L:literal, short texts $form:tt, pieces of $pieces:ident, $expand_to:path, $ctr:path) => {
        #[derive(Clone)]
        pub(in crate::aeads::aes_gcm) struct $Backend {
            cpu: crate::core::cpu::$Cpu,
            key: Key<{ 9 * $L - 1 }>,
        }

        impl Gcm for $Backend {
            #[inline(always)]
            fn seal(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>, tag: &mut Block) {
                crypt! { $form $Backend $Cpu $V $L, SEAL: self, nonce, aad, &mut text, tag }
            }

            #[inline(always)]
            fn open(&self, nonce: &Nonce, aad: &[u8], mut text: Text<'_>, tag: &mut Block) {
                crypt! { $form $Backend $Cpu $V $L, OPEN: self, nonce, aad, &mut text, tag }
            }

            piece! { $pieces $L }
        }

        impl CtrGhash for $Backend {
            fn ctr(&self, counter: &Block, text: Text<'_>) {
                let keys = self.key.keys.view();
                proven!($Cpu: self.cpu, fn enter(keys: Rounds<'_>, counter: &Block, text: Text<'_>) -> () {
                    $ctr(keys, counter, text)
                });
            }

            fn absorb(&self, hash: &mut Block, data: &[u8]) {
                self.absorb_or_mac(hash, data, None)
            }

            fn rekey(&mut self, secret: &[u8]) {
                let Self { cpu, key } = self;
                // Does not return the key, which would be copied: a copy would stall on halves that have just been stored.
                proven!($Cpu: *cpu, apart fn enter(cpu: &crate::core::cpu::$Cpu, key: &mut Key<{ 9 * $L - 1 }>, secret: &[u8]) -> () {
                    key.keys.rounds = $expand_to(secret, key.place());
                    key.set_powers::<$V>(*cpu)
                });
            }
        }

        impl $Backend {
            /// Whether GMAC of more than a step has a kernel that computes the tag.
            const MAC: bool = piece! { mac $pieces };

            #[inline]
            pub(in crate::aeads::aes_gcm) fn new(cpu: crate::core::cpu::$Cpu, secret: &[u8]) -> Self {
                let mut new = Self { cpu, key: Key::none() };
                new.rekey(secret);
                new
            }

            short_texts! { $form $Backend $Cpu $V $L }

            #[inline(always)]
            fn absorb_or_mac(&self, hash: &mut Block, data: &[u8], nonce: Option<&Nonce>) {
                let Self { cpu, key } = self;
                proven!($Cpu: *cpu, apart fn enter(cpu: &crate::core::cpu::$Cpu, key: &Key<{ 9 * $L - 1 }>, hash: &mut Block, data: &[u8], nonce: Option<&Nonce>) -> () {
                    absorb_or_mac::<$V, { 9 * $L - 1 }>(*cpu, key, hash, data, if $Backend::MAC { nonce } else { None })
                });
            }

            #[inline(never)]
            fn long_aad(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, way: &Way) {
                *tag = [0; 16];
                self.absorb(tag, aad);
                self.any(nonce, aad, text, tag, &Way { aad: true, ..*way });
            }

            #[inline(always)]
            fn any(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, way: &Way) {
                let all = self;
                proven!($Cpu: all.cpu, apart fn enter(all: &$Backend, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, way: &Way) -> () {
                    any::<$V, { 9 * $L - 1 }, { 16 * STEP * $L }>(all.cpu, &all.key, nonce, aad, text, tag, way)
                });
            }
        }
    };
}
pub(super) use wide;

/// Calls a kernel.
macro_rules! crypt {
    ([$apart:ident up to $most:literal] $Backend:ident $Cpu:ident $V:ident $L:literal, $way:ident: $self:ident, $nonce:ident, $aad:ident, $text:expr, $tag:ident) => {{
        let (all, nonce, aad, text, tag) = ($self, $nonce, $aad, $text, $tag);
        if text.len() <= 16 * $most * $L && aad.len() <= 16 * $L {
            short_text! { $apart $Backend $Cpu $V $L $most, $way: all, nonce, aad, text, tag }
        } else {
            crypt! { [told] $Backend $Cpu $V $L, $way: all, nonce, aad, text, tag }
        }
    }};
    ([told] $Backend:ident $Cpu:ident $V:ident $L:literal, $way:ident: $self:ident, $nonce:ident, $aad:ident, $text:expr, $tag:ident) => {{
        static WAY: Way = Way::$way;
        let text = $text;
        if $aad.len() > 16 * STEP * $L {
            if text.len() == 0 && $Backend::MAC {
                // The only check for GMAC.
                *$tag = [0; 16];
                return $self.absorb_or_mac($tag, $aad, Some($nonce));
            }
            $self.long_aad($nonce, $aad, text, $tag, &WAY);
        } else {
            $self.any($nonce, $aad, text, $tag, &WAY);
        }
    }};
}
pub(super) use crypt;

/// Calls the kernel for short texts.
macro_rules! short_text {
    (apart $Backend:ident $Cpu:ident $V:ident $L:literal $most:literal, $way:ident: $all:ident, $nonce:ident, $aad:ident, $text:ident, $tag:ident) => {
        $all.short($nonce, $aad, $text, $tag, Way::$way.open)
    };
    (twice $Backend:ident $Cpu:ident $V:ident $L:literal $most:literal, $way:ident: $all:ident, $nonce:ident, $aad:ident, $text:ident, $tag:ident) => {
        proven!($Cpu: $all.cpu, fn enter($all: &$Backend, $nonce: &Nonce, $aad: &[u8], $text: &mut Text<'_>, $tag: &mut Block) -> () {
            short::<$V, { 9 * $L - 1 }, $most>($all.cpu, &$all.key, $nonce, $aad, $text, $tag, Way::$way.open)
        })
    };
}
pub(super) use short_text;

/// That kernel, if it serves both directions.
macro_rules! short_texts {
    ([apart up to $most:literal] $Backend:ident $Cpu:ident $V:ident $L:literal) => {
        #[inline(always)]
        fn short(&self, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, open: bool) {
            let all = self;
            proven!($Cpu: all.cpu, apart fn enter(all: &$Backend, nonce: &Nonce, aad: &[u8], text: &mut Text<'_>, tag: &mut Block, open: bool) -> () {
                short::<$V, { 9 * $L - 1 }, $most>(all.cpu, &all.key, nonce, aad, text, tag, open)
            });
        }
    };
    ($($not:tt)*) => {};
}
pub(super) use short_texts;

/// Whole blocks of a message in chunks: in steps, or by `parts`, for processors that are becoming rare, which have no kernel for
/// GMAC either.
macro_rules! piece {
    (mac parts) => {
        false
    };
    (mac steps) => {
        true
    };
    (parts $L:literal) => {};
    (steps $L:literal) => {
        fn piece(&self, place: &mut Place, mut text: Text<'_>, way: stream::Way) {
            // A counter that was computed from a nonce is secret: no branch may depend on where its step begins.
            if text.len() >= 2 * 16 * STEP * $L && !place.first.is_secret() {
                let before = place.blocks.wrapping_neg() as usize % (STEP * $L);
                parts::piece(self, place, &mut text.take(16 * before), way);
                let mut steps = text.take(text.len() / (16 * STEP * $L) * (16 * STEP * $L));
                let all = Way {
                    open: way == stream::Way::Open,
                    aad: true,
                    piece: true,
                    blocks: place.blocks,
                };
                place.blocks = place.blocks.wrapping_add((steps.len() / 16) as u32);
                self.any(place.first.nonce(), &[], &mut steps, &mut place.hash, &all);
            }
            parts::piece(self, place, &mut text, way);
        }
    };
}
pub(super) use piece;

/// Encrypts or decrypts up to `MOST` vectors, with additional data of at most one, and computes the tag.
#[inline(always)]
pub(super) fn short<V: Blocks, const T: usize, const MOST: usize>(
    cpu: V::Cpu,
    key: &Key<T>,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    open: bool,
) {
    // A local copy stays in registers; a reference would be updated in memory.
    let text = text.reborrow();
    let pass = Pass::<V, T>::new(cpu, key);
    let counter = Counter::new(cpu, nonce, pass.key(0));
    let at = pass.first_power(&text);
    let hashed = pass.hash_aad::<true>(aad, at);
    let lengths = lengths(aad.len(), text.len());
    *tag = pass.last::<MOST, true>(counter, hashed, text, lengths, open).numbers()[0].to_le_bytes();
}

/// Encrypts or decrypts a text of any length, with additional data of at most a step, and computes the tag.
#[inline(always)]
pub(super) fn any<V: Blocks, const T: usize, const BYTES: usize>(
    cpu: V::Cpu,
    key: &Key<T>,
    nonce: &Nonce,
    aad: &[u8],
    text: &mut Text<'_>,
    tag: &mut Block,
    way: &Way,
) {
    // As above.
    let mut text = text.reborrow();
    if V::LANES > 1 {
        align_stack();
    }
    let pass = Pass::<V, T>::new(cpu, key);
    let lengths = lengths(aad.len(), text.len());
    let mut counter = Counter::after(cpu, nonce, pass.key(0), way.blocks);
    let long = text.len() > BYTES || way.piece;
    let at = if long { Pass::<V, T>::STEP_BLOCKS } else { pass.first_power(&text) };
    let mut hashed = if way.aad {
        Hashed { sum: Sum::zero(cpu), hash: pass.hash_in(tag), at }
    } else {
        pass.hash_aad::<false>(aad, at)
    };
    if long {
        let mut hash = hashed.sum.reduce().sum_lanes().xor(hashed.hash);
        hash = pass.steps::<BYTES>(&mut counter, &mut text, hash, way.open);
        if way.piece {
            *tag = hash_out(hash);
            return;
        }
        hashed = Hashed { sum: Sum::zero(cpu), hash, at: pass.first_power(&text) };
    }
    *tag = pass.last::<STEP, false>(counter, hashed, text, lengths, way.open).numbers()[0]
        .to_le_bytes();
}

/// The last block of GHASH, both lengths in bits, reversed.
#[inline(always)]
fn lengths(aad: usize, text: usize) -> u128 {
    let bits = |bytes: usize| u128::from(8 * bytes as u64);
    bits(aad) << 64 | bits(text)
}

/// Absorbs data; or, with a nonce, turns the hash into the tag of a message without text and with these additional data.
#[inline(always)]
pub(super) fn absorb_or_mac<V: Blocks, const T: usize>(
    cpu: V::Cpu,
    key: &Key<T>,
    hash: &mut Block,
    data: &[u8],
    nonce: Option<&Nonce>,
) {
    let pass = Pass::<V, T>::new(cpu, key);
    let after = pass.absorb(pass.hash_in(hash), data);
    *hash = match nonce {
        None => hash_out(after),
        Some(nonce) => pass.mac(nonce, after, lengths(data.len(), 0)).numbers()[0].to_le_bytes(),
    };
}

/// The values that all parts of a pass over a message share.
struct Pass<'a, V: Blocks, const T: usize> {
    cpu: V::Cpu,
    keys: &'a [Block; 15],
    /// 10, 12 or 14: not a constant, which would make three kernels of one.
    rounds: usize,
    powers: &'a [Block; T],
}

impl<'a, V: Blocks, const T: usize> Pass<'a, V, T> {
    /// Blocks in a step.
    const STEP_BLOCKS: usize = STEP * V::LANES;

    #[inline(always)]
    fn new(cpu: V::Cpu, key: &'a Key<T>) -> Self {
        let Key { keys: RoundKeys { keys, rounds }, powers } = key;
        Self { cpu, keys, rounds: *rounds, powers }
    }

    #[inline(always)]
    fn key(&self, r: usize) -> V {
        V::splat(self.cpu, &self.keys[r])
    }

    /// A hash, in the first lane.
    #[inline(always)]
    fn hash_in(&self, hash: &Block) -> V {
        let hash = V::splat(self.cpu, hash).reverse();
        if V::LANES == 1 { hash } else { hash.with_last(V::zero(self.cpu)) }
    }

    /// All rounds but the last, for `end` too, in a loop, whose jumps cost little among so many instructions. Returns the two
    /// keys for the last round.
    #[inline(always)]
    fn looped_rounds(&self, x: &mut [V], end: &mut V) -> [&'a Block; 2] {
        let mut before = &self.keys[0];
        // A loop over indices would be unrolled, as the number of keys is bounded.
        for key in self.keys.get(1..self.rounds).unwrap_or_default() {
            let keys = [before, key].map(|key| V::splat(self.cpu, key));
            for i in 0..x.len() {
                x[i] = x[i].round(keys[0], keys[1]);
            }
            *end = end.round(keys[0], keys[1]);
            before = key;
        }
        [before, &self.keys[14]]
    }
}

/// The inverse. Reversed as a vector and stored at once: a load would stall on single words.
#[inline(always)]
fn hash_out<V: Blocks>(hash: V) -> Block {
    hash.reverse().numbers()[0].to_le_bytes()
}

/// The number of blocks for so many bytes. `div_ceil` would handle overflows that no length causes.
#[inline(always)]
fn blocks(bytes: usize) -> usize {
    bytes.wrapping_add(15) / 16
}

/// The blocks of a text from vector `i` on.
#[inline(always)]
fn vector<V: Blocks>(bytes: &[u8], i: usize) -> &[Block] {
    &bytes.as_chunks().0[i * V::LANES..]
}

#[inline(always)]
fn vector_mut<V: Blocks>(bytes: &mut [u8], i: usize) -> &mut [Block] {
    &mut bytes.as_chunks_mut().0[i * V::LANES..]
}
