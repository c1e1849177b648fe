//! Hash functions: in one call, in chunks, and batches.

use std::ffi::c_void;

use ropewalk::{
    hash::{Algorithm, Hasher},
    sha3::{Reader, Shake128, Shake256},
};

use crate::{
    algorithms::{Kind as _, ropewalk_hash},
    enter::{Failure, Result, Why, call, making},
    memory,
    object::{self, words},
    overlap::{self, Span},
    status::{ropewalk_error, ropewalk_status},
};

pub(crate) mod functions;
pub(crate) mod many;

pub(crate) use functions::with_hash;

/// Words of a ropewalk_hash_state.
pub const ROPEWALK_HASH_STATE_WORDS: usize = 64;

/// A message in chunks. It must not be copied or moved; ropewalk_hash_clone() copies.
#[repr(C)]
pub struct ropewalk_hash_state {
    /// Private.
    pub words: [u64; ROPEWALK_HASH_STATE_WORDS],
}

words! { ropewalk_hash_state has State, "hash state", b"RWhash01" }

/// The state of a message, or of its output.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "it lies where it is used, not on the heap")]
pub(crate) enum State {
    Fixed(Algorithm, Hasher),
    Shake128(Shake128),
    Shake256(Shake256),
    Squeezed(Reader),
}

impl State {
    fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Shake128 => Self::Shake128(Shake128::new()),
            Algorithm::Shake256 => Self::Shake256(Shake256::new()),
            fixed => Self::Fixed(fixed, Hasher::new(fixed)),
        }
    }

    fn update(&mut self, text: &[u8]) -> Result<()> {
        match self {
            Self::Fixed(_, hasher) => hasher.update(text),
            Self::Shake128(hasher) => hasher.update(text),
            Self::Shake256(hasher) => hasher.update(text),
            Self::Squeezed(_) => return Err(Why::NotReady("hash state").into()),
        }
        Ok(())
    }

    /// The next bytes of the output.
    fn squeeze(&mut self, output: &mut [u8]) -> Result<()> {
        // Cloned, as it cannot be moved out of a borrow; both are wiped on drop.
        match self {
            Self::Fixed(..) => return Err(not_shake()),
            Self::Shake128(hasher) => *self = Self::Squeezed(hasher.clone().finish()),
            Self::Shake256(hasher) => *self = Self::Squeezed(hasher.clone().finish()),
            Self::Squeezed(_) => {}
        }
        if let Self::Squeezed(reader) = self {
            reader.squeeze(output);
        }
        Ok(())
    }

    fn finish(&mut self, digest: &mut [u8]) -> Result<()> {
        match self {
            Self::Fixed(algorithm, hasher) => {
                check_len(*algorithm, digest.len())?;
                digest.copy_from_slice(&hasher.clone().finish());
                Ok(())
            }
            _ => self.squeeze(digest),
        }
    }
}

/// Writes the digest of a message, which has ropewalk_hash_digest_len() bytes; for SHAKE, any number. The digest may lie within
/// the message.
///
/// # Safety
/// `message` has `message_len` bytes, and `digest` has `digest_len` for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_digest(
    algorithm: ropewalk_hash,
    message: *const c_void,
    message_len: usize,
    digest: *mut c_void,
    digest_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        let algorithm = Algorithm::numbered(algorithm)?;
        check_len(algorithm, digest_len)?;
        memory::check("digest", digest, digest_len)?;
        memory::check("message", message, message_len)?;
        // SAFETY: the caller's bytes, which have been checked; the slice is not used after they are hashed.
        let message = || unsafe { memory::bytes(message, message_len) };
        // SAFETY: the same; the slice is made when the message has been read.
        digest_to(algorithm, message, || unsafe { memory::bytes_mut(digest, digest_len) })
    })
}

/// Writes the digest of a message to the slice that `to` returns, which is called after the message has been read. The output is
/// not an argument, as that would have to be unaliased until this returns.
#[inline(always)]
fn digest_to<'m, 't>(
    algorithm: Algorithm,
    message: impl FnOnce() -> &'m [u8],
    to: impl FnOnce() -> &'t mut [u8],
) -> Result<()> {
    with_hash!(algorithm, (H, digest, many) => {
        let digest = digest(message());
        to().copy_from_slice(&digest);
    }, else {
        let mut state = State::new(algorithm);
        state.update(message())?;
        state.squeeze(&mut [])?;
        state.squeeze(to())?;
    });
    Ok(())
}

/// Starts a message in chunks. Previous contents of the state are not wiped.
///
/// # Safety
/// `state` is for writing; `error` too, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_init(
    state: *mut ropewalk_hash_state,
    algorithm: ropewalk_hash,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(state, error, || unsafe {
        object::make(state, || Ok(State::new(Algorithm::numbered(algorithm)?)))
    })
}

/// Absorbs the next chunk of the message, of any length.
///
/// # Safety
/// `state` was made; `piece` has `piece_len` bytes; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_update(
    state: *mut ropewalk_hash_state,
    piece: *const c_void,
    piece_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("hash state", Span::of(state), [Span::new(piece, piece_len)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let piece = unsafe { memory::input("piece", piece, piece_len) }?;
        // SAFETY: the caller's state.
        unsafe { object::get_mut(state) }?.update(piece)
    })
}

/// Writes the digest of all chunks, and wipes the state. The digest has ropewalk_hash_digest_len() bytes; for SHAKE any number,
/// or the next output of ropewalk_hash_squeeze().
///
/// # Safety
/// `state` was made; `digest` has `digest_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_finish(
    state: *mut ropewalk_hash_state,
    digest: *mut c_void,
    digest_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("digest", Span::new(digest, digest_len), [Span::of(state)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let digest = unsafe { memory::output("digest", digest, digest_len) }?;
        // SAFETY: the caller's state.
        unsafe { object::take(state, |state| state.finish(digest)) }
    })
}

/// Writes the next bytes of the output of SHAKE, which has any length. No chunk may follow.
///
/// # Safety
/// `state` was made; `output` has `output_len` bytes for writing; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_squeeze(
    state: *mut ropewalk_hash_state,
    output: *mut c_void,
    output_len: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    call(error, || {
        overlap::apart("output", Span::new(output, output_len), [Span::of(state)])?;
        // SAFETY: the caller's bytes, which are not the state's.
        let output = unsafe { memory::output("output", output, output_len) }?;
        // SAFETY: the caller's state.
        unsafe { object::get_mut(state) }?.squeeze(output)
    })
}

/// Makes a copy of a state, which continues from the same position.
///
/// # Safety
/// `copy` is for writing; `state` was made; `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_clone(
    copy: *mut ropewalk_hash_state,
    state: *const ropewalk_hash_state,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    making(copy, error, || unsafe { object::clone(copy, state) })
}

/// Wipes a state. NULL, and a state that was not made or has been wiped or finished, are left unchanged.
///
/// # Safety
/// `state` is for reading and writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_hash_wipe(state: *mut ropewalk_hash_state) {
    // SAFETY: as the caller says.
    unsafe { object::wipe(state) };
}

/// Checks that a digest has the length of its function.
#[inline(always)]
fn check_len(algorithm: Algorithm, len: usize) -> Result<()> {
    let any = matches!(algorithm, Algorithm::Shake128 | Algorithm::Shake256);
    match any || len == algorithm.digest_len() {
        true => Ok(()),
        false => Err(Failure::length("digest", len, "as its function gives")),
    }
}

#[cold]
fn not_shake() -> Failure {
    Why::Kind { what: "hash state", allowed: "shake128, shake256" }.into()
}
