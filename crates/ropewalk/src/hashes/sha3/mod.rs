//! SHA3-224, SHA3-256, SHA3-384, SHA3-512, SHAKE128 and SHAKE256 (FIPS 202, section 6).
//!
//! ```
//! use ropewalk::sha3::{self, Sha3_256, Shake128};
//!
//! let mut hasher = Sha3_256::new();
//! hasher.update(b"a");
//! hasher.update(b"bc");
//! assert_eq!(hasher.finish(), sha3::sha3_256(b"abc"));
//!
//! let mut shake = Shake128::new();
//! shake.update(b"abc");
//! let mut reader = shake.finish();
//! let mut out = [0; 100];
//! reader.squeeze(&mut out[..60]);
//! reader.squeeze(&mut out[60..]);
//! let mut whole = [0; 100];
//! sha3::shake128(b"abc", &mut whole);
//! assert_eq!(out, whole);
//! ```

use crate::{
    core::{
        backend::Primitive,
        block::{load_short, store_short},
        secret::Wiped,
    },
    hashes::many,
};

mod fixed;
mod keccak_lanes;
mod known;
mod lanes;
mod portable;
mod shake;
mod sponge;

pub use fixed::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, sha3_224, sha3_256, sha3_384, sha3_512};
#[cfg(feature = "many")]
pub use fixed::{
    Sha3_224Many, Sha3_256Many, Sha3_384Many, Sha3_512Many, sha3_224_many, sha3_256_many,
    sha3_384_many, sha3_512_many,
};
pub use shake::{Reader, Shake, Shake128, Shake256, ShakeFunction, shake128, shake256};
#[cfg(feature = "many")]
pub use shake::{Shake128Many, Shake256Many, shake128_many, shake256_many};
pub use sponge::SpongeFunction;

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    pub(super) mod avx2_x4;
    pub(super) mod avx512;
    pub(super) mod avx512_x8;
    pub(super) mod avx512vl;
    pub(super) mod bmi2;
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    pub(super) mod sha3;
    pub(super) mod sha3_x2;
}

#[cfg(target_arch = "arm")]
mod arm {
    pub(super) mod neon;
}

/// The state as a string (section 3.1.2): lane (x, y) is number x + 5 y.
type State = [[u8; 8]; 25];

/// The states of as many messages as any backend takes, transposed: lane `i` of message `lane` is
/// `[i][lane]`.
type States = many::States<u64, 25, LANES>;
/// Whole blocks of each message.
type ManyTexts<'a> = [&'a [u8]; LANES];
const LANES: usize = many::lanes::<u64>();

/// The parameters of a function (section 6).
#[derive(Clone, Copy)]
struct Function {
    /// The rate: bytes in a block, which is the state without the capacity.
    rate: usize,
    /// The suffix that is appended to a message, and the first bit of the padding (section 5.1).
    suffix: u8,
}

/// A sponge on Keccak-f[1600] (sections 3.4 and 4).
trait Sponge: Send + Sync {
    /// XORs each block of `rate` bytes into the state, and permutes it: one block, or more.
    fn absorb(&self, state: &mut State, rate: usize, blocks: &[u8]) {
        for block in blocks.chunks_exact(rate) {
            lanes::add(state, block);
            self.permute(state);
        }
    }

    /// Permutes the state before each block of `rate` bytes that it outputs: one block, or more.
    fn squeeze(&self, state: &mut State, rate: usize, blocks: &mut [u8]) {
        for block in blocks.chunks_exact_mut(rate) {
            self.permute(state);
            lanes::copy(state, block);
        }
    }

    /// The permutation (section 3.3).
    fn permute(&self, state: &mut State);

    /// Absorbs a whole message, and fills `out` with its output.
    fn digest(&self, function: Function, message: &[u8], out: &mut [u8]) {
        let Function { rate, suffix } = function;
        let mut state = Wiped::new([[0; 8]; 25]);
        let mut rest = message;
        while let Some((block, others)) = rest.split_at_checked(rate) {
            self.absorb(&mut state, rate, block);
            rest = others;
        }
        add_at(&mut state, 0, rest);
        pad(&mut state, rest.len(), rate, suffix);
        let mut out = out;
        while !out.is_empty() {
            self.permute(&mut state);
            let (block, others) = out.split_at_mut(out.len().min(rate));
            copy_from(&state, 0, block);
            out = others;
        }
    }
}

backends! {
    calls Entries {
        fn absorb(state: &mut State, rate: usize, blocks: &[u8]);
        fn squeeze(state: &mut State, rate: usize, blocks: &mut [u8]);
        fn permute(state: &mut State);
        fn digest(function: Function, message: &[u8], out: &mut [u8]);
    }
    tested by known::one;

    /// Keccak-f[1600], most preferred first.
    #[derive(Clone)]
    pub(crate) enum Engine(()): Sponge in "sha3" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512vl" (750 cycles) needs Avx512 if keccak_by_256 => Avx512Vl(x86_64::avx512vl::Avx512Vl),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512" (650 cycles) needs Avx512 => Avx512(x86_64::avx512::Avx512),
        #[cfg(target_arch = "x86_64")]
        "x86_64/bmi2" (890 cycles) needs Bmi2 => Bmi2(x86_64::bmi2::Bmi2),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha3" (800 cycles) needs Sha3 if keccak_by_sha3 => Sha3(aarch64::sha3::Sha3),
        #[cfg(target_arch = "arm")]
        "arm/neon" needs ArmNeon => Neon(arm::neon::Neon),
        "portable" (1180 cycles) needs Baseline => Portable(portable::Portable),
    }
}

/// Batches of sponges.
trait SpongeMany: Send + Sync {
    /// XORs each block of `rate` bytes into the state of its lane, and permutes it: for each text as many blocks as the first
    /// has. Here and below, lanes past those of the backend do not change.
    fn absorb_many(&self, states: &mut States, rate: usize, texts: &ManyTexts<'_>);

    /// Permutes the state of each lane.
    fn permute_many(&self, states: &mut States);
}

// Cycles of x86-64 are measured on the reference processor; but those of avx512vl on Zen 4, which prefers it, and those of bmi2
// on Zen 3. Those of Arm are counted: 66 instructions a round on two pipes, whether one half of the vectors is used or both.
backends! {
    calls ManyEntries {
        fn absorb_many(states: &mut States, rate: usize, texts: &ManyTexts<'_>);
        fn permute_many(states: &mut States);
    }
    tested by known::many;

    /// Keccak-f[1600] of many messages, most preferred first. Groups that are too small for lanes go
    /// to the backend for one message.
    pub(crate) enum ManyEngine(()): SpongeMany in "sha3" {
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx512_x8" (1240 cycles, 270 at the start, 8 lanes) needs Avx512 => Avx512x8(x86_64::avx512_x8::Avx512x8),
        #[cfg(target_arch = "x86_64")]
        "x86_64/avx2_x4" (1610 cycles, 190 at the start, 4 lanes) needs Avx2 => Avx2x4(x86_64::avx2_x4::Avx2x4),
        #[cfg(target_arch = "aarch64")]
        "aarch64/sha3_x2" (810 cycles, 60 at the start, 2 lanes) needs Sha3 => Sha3x2(aarch64::sha3_x2::Sha3x2),
        "portable" (1180 cycles) needs Baseline => Portable(portable::Portable),
    }
}

chosen! { Engine }
chosen! { ManyEngine }

/// SHA-3 and SHAKE in [`PRIMITIVES`](crate::PRIMITIVES).
pub const PRIMITIVE: Primitive = Primitive {
    name: "sha3",
    standard: "FIPS 202, section 6",
    backends: Engine::ALL,
    self_test: |backend| {
        let mut hasher = Sha3_256::with_backend(backend)?;
        hasher.update(b"abc");
        Ok(hasher.digest(b"abc") == ABC && hasher.finish() == ABC && known::one(backend)?)
    },
};

/// SHA-3 and SHAKE of many messages in [`PRIMITIVES`](crate::PRIMITIVES).
#[cfg(feature = "many")]
pub const PRIMITIVE_MANY: Primitive = Primitive {
    name: "sha3-many",
    standard: "FIPS 202, section 6",
    backends: ManyEngine::ALL,
    self_test: |backend| {
        let mut digests = [[0; 32]; 19];
        Sha3_256Many::with_backend(backend)?.digest(&[b"abc".as_slice(); 19], &mut digests)?;
        Ok(digests == [ABC; 19] && known::many(backend)?)
    },
};

/// XORs bytes into the state from byte `at` on, by whole lanes: wider loads would stall on single bytes.
#[inline(always)]
fn add_at(state: &mut State, at: usize, bytes: &[u8]) {
    let add =
        |lane: &mut [u8; 8], word: u64| *lane = (u64::from_le_bytes(*lane) ^ word).to_le_bytes();
    let (mut lane, used) = (at / 8, at % 8);
    let mut bytes = bytes;
    if used > 0 {
        let (head, rest) = bytes.split_at(bytes.len().min(8 - used));
        add(&mut state[lane], (load_short(head) as u64) << (8 * used));
        (lane, bytes) = (lane + 1, rest);
    }
    let (words, short) = bytes.as_chunks::<8>();
    for (lane, word) in state[lane..].iter_mut().zip(words) {
        add(lane, u64::from_le_bytes(*word));
    }
    if !short.is_empty() {
        add(&mut state[lane + words.len()], load_short(short) as u64);
    }
}

/// Appends the suffix to the `filled` bytes of the last block, and pads it (section 5.1).
#[inline(always)]
fn pad(state: &mut State, filled: usize, rate: usize, suffix: u8) {
    let add =
        |lane: &mut [u8; 8], word: u64| *lane = (u64::from_le_bytes(*lane) ^ word).to_le_bytes();
    add(&mut state[filled / 8], u64::from(suffix) << (8 * (filled % 8)));
    add(&mut state[rate / 8 - 1], 1 << 63);
}

/// Bytes of the state from byte `at` on.
#[inline(always)]
fn copy_from(state: &State, at: usize, out: &mut [u8]) {
    let (mut lane, used) = (at / 8, at % 8);
    let mut out = out;
    if used > 0 {
        let (head, rest) = out.split_at_mut(out.len().min(8 - used));
        store_short(head, (u64::from_le_bytes(state[lane]) >> (8 * used)).into());
        (lane, out) = (lane + 1, rest);
    }
    let (words, short) = out.as_chunks_mut::<8>();
    for (word, lane) in words.iter_mut().zip(&state[lane..]) {
        *word = *lane;
    }
    if !short.is_empty() {
        store_short(short, u64::from_le_bytes(state[lane + words.len()]).into());
    }
}

/// The rotation count of ρ for lane x + 5 y (section 3.2.2).
const RHO: [u32; 25] = {
    let mut turns = [0; 25];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        turns[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    turns
};

/// The constant of ι for lane (0, 0) in each round (section 3.2.5).
const RC: [u64; 24] = {
    let mut constants = [0; 24];
    let (mut round, mut register) = (0, 1_u32);
    while round < 24 {
        let mut j = 0;
        while j <= 6 {
            // The output of the register, and its next state.
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = if register & 0x80 == 0 { register << 1 } else { register << 1 ^ 0x171 };
            j += 1;
        }
        round += 1;
    }
    constants
};

/// The SHA3-256 digest of "abc".
const ABC: [u8; 32] = [
    0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2, 0x04, 0x5c, 0x17, 0x2d, 0x6b, 0xd3, 0x90, 0xbd,
    0x85, 0x5f, 0x08, 0x6e, 0x3e, 0x9d, 0x52, 0x5b, 0x46, 0xbf, 0xe2, 0x45, 0x11, 0x43, 0x15, 0x32,
];
