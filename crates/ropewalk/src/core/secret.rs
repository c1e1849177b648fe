//! Secrets, and the removal of their traces.
//!
//! A secret value is [`Wiped`]. A key is [`Kept`]: intermediate values and spills are overwritten too, when the key has been made
//! and when it is dropped, by a [`sweep`] of the stack below and of the registers. A call that only uses a key does not sweep:
//! for a short message that would take as long as the message.

mod keep;
mod registers;

use core::{
    mem::{ManuallyDrop, MaybeUninit},
    ops::{Deref, DerefMut},
    ptr,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use crate::core::backend::Info;
pub(crate) use keep::{Keep, Loose};

/// A value that is overwritten completely when it is dropped. Every key keeps its backend in one, so that backends wipe nothing
/// themselves; so do a hasher and a stream with their state. The padding between its fields, and the unused part of a smaller
/// enum variant, hold bytes from the stack of an earlier move: often round keys.
pub(crate) struct Wiped<T>(ManuallyDrop<T>);

impl<T> Wiped<T> {
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T: Clone> Clone for Wiped<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Wiped<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Wiped<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> Drop for Wiped<T> {
    fn drop(&mut self) {
        // SAFETY: the value is dropped here only, and not used afterwards.
        #[allow(unsafe_code)]
        unsafe {
            ManuallyDrop::drop(&mut self.0);
        }
        // SAFETY: the value has been dropped.
        #[allow(unsafe_code)]
        unsafe {
            wipe(self);
        }
    }
}

/// Overwrites every byte of a place with zero, padding included.
///
/// # Safety
/// The value is not used afterwards, or zero is a value that it can have.
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn wipe<T>(place: &mut T) {
    let bytes = (&raw mut *place).cast::<u8>();
    // SAFETY: the bytes of a value that is borrowed mutably; the caller does not use it as it was.
    unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };
    // The compiler must not remove the stores.
    zeroize::optimization_barrier(&bytes);
}

/// The value in a key.
pub(crate) trait Contents {
    /// Bytes of stack that one message takes: with a backend that has instructions for the primitive, and with another, which
    /// keeps more in memory. `cargo xtask ct` detects values that are too small.
    const USED: [usize; 2];
    /// Bytes of stack that a call for many messages takes, with any backend.
    const MANY: usize = 13 << 10;

    /// Bytes of stack that one message takes in addition, as the row of tuning decided when the key was made.
    #[inline(always)]
    fn more_stack(&self) -> usize {
        0
    }

    fn info(&self) -> &'static Info;
}

/// A key. When it is dropped, the stack below is overwritten as far as functions may have used it, see [`Contents::USED`]; a key
/// that was not used has left nothing there.
///
/// It has no niche: a result would use one to mark an error, and the compiler would copy a
/// key out of a result to look for it.
pub(crate) struct Kept<T: Contents> {
    value: MaybeUninit<T>,
    used: AtomicBool,
}

impl<T: Contents> Kept<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self { value: MaybeUninit::new(value), used: AtomicBool::new(false) }
    }

    /// Bytes of stack that one message takes with this key.
    #[inline(always)]
    fn used_stack(&self) -> usize {
        let [with_instructions, without] = T::USED;
        let used = if self.public().info().in_hardware { with_instructions } else { without };
        used + self.public().more_stack()
    }

    /// The value, for its public parts: reading them does not count as a use of the key.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn public(&self) -> &T {
        // SAFETY: `new` has made it.
        unsafe { self.value.assume_init_ref() }
    }
}

impl<T: Contents + Clone> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self::new(T::clone(self))
    }
}

impl<T: Contents> Deref for Kept<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // A store each time would take the cache line from other cores.
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
        self.public()
    }
}

impl<T: Contents> DerefMut for Kept<T> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref_mut(&mut self) -> &mut T {
        *self.used.get_mut() = true;
        // SAFETY: `new` has made it.
        unsafe { self.value.assume_init_mut() }
    }
}

impl<T: Contents> Drop for Kept<T> {
    // Without variables of its own, below which remains of another function could escape the sweep.
    #[inline(never)]
    fn drop(&mut self) {
        let used = if *self.used.get_mut() { self.used_stack() } else { 0 };
        // SAFETY: `new` has made it; it is dropped here only, and not used afterwards.
        #[allow(unsafe_code)]
        unsafe {
            self.value.assume_init_drop();
        }
        // SAFETY: the value has been dropped; zero is a valid mark.
        #[allow(unsafe_code)]
        unsafe {
            wipe(self);
        }
        match used {
            0 => {}
            _ if DEEP.load(Relaxed) => sweep(T::MANY),
            _ => sweep(used),
        }
    }
}

/// Whether there has been a call for many messages in this process.
static DEEP: AtomicBool = AtomicBool::new(false);

/// For batch engines, which take more of the stack than a single message: keys that are dropped from now on overwrite that much.
#[inline(always)]
pub(crate) fn deep<Engine>(engine: Engine) -> Engine {
    // A store each time would take the cache line from other cores.
    if !DEEP.load(Relaxed) {
        DEEP.store(true, Relaxed);
    }
    engine
}

/// Runs a function, and overwrites the secrets that it left: so many bytes of the stack below, 24 KiB at most, and the registers
/// that a function need not preserve for its caller.
///
/// A key of this library leaves nothing below the function that makes, uses and drops it. But Rust moves values by copying them,
/// and does not overwrite the old places, which are in the frame of the function that moved the key. A program that wants those
/// overwritten too runs that function in this one.
///
/// ```
/// use ropewalk::{aes_gcm::Key, swept};
///
/// let tag = swept(4096, || {
///     let keys = [Key::new(&[7; 32])?, Key::new(&[8; 32])?];
///     keys[1].seal(&[0; 12], b"header", &mut [])
/// })?;
/// # assert_eq!(tag.len(), 16);
/// # Ok::<(), ropewalk::Error>(())
/// ```
#[inline(always)]
pub fn swept<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    let _sweep = Sweep(bytes.min(24 << 10));
    below(run)
}

/// Keeps all of `run`'s stack below the frame of the caller.
#[inline(never)]
pub(crate) fn below<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Overwrites that many bytes of the stack when it is dropped, and the registers; with zero, neither.
///
/// A value that is made while it lives is returned to the caller's place. Were it a variable that is returned after a sweep, the
/// compiler might make it elsewhere and leave a copy there.
pub(crate) struct Sweep(pub(crate) usize);

impl Drop for Sweep {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0 > 0 {
            sweep(self.0);
        }
    }
}

/// Bytes added to the requested number: a function of the C library has a frame of its own above those that use the key, and the
/// function that drops the key has a smaller one.
const FRAMES: usize = 256;

/// Overwrites that many bytes of the stack below, or more, and the registers that a function need not preserve for its caller.
#[inline(always)]
pub(crate) fn sweep(bytes: usize) {
    match bytes {
        0..=256 => sweep_of::<{ 256 + FRAMES }>(),
        257..=512 => sweep_of::<{ 512 + FRAMES }>(),
        513..=768 => sweep_of::<{ 768 + FRAMES }>(),
        769..=1024 => sweep_of::<{ 1024 + FRAMES }>(),
        1025..=1536 => sweep_of::<{ 1536 + FRAMES }>(),
        1537..=2048 => sweep_of::<{ 2048 + FRAMES }>(),
        2049..=2560 => sweep_of::<{ 2560 + FRAMES }>(),
        2561..=3072 => sweep_of::<{ 3072 + FRAMES }>(),
        3073..=3584 => sweep_of::<{ 3584 + FRAMES }>(),
        3585..=4096 => sweep_of::<{ 4096 + FRAMES }>(),
        4097..=6144 => sweep_of::<{ 6144 + FRAMES }>(),
        6145..=9216 => sweep_of::<{ 9216 + FRAMES }>(),
        9217..=13312 => sweep_of::<{ 13312 + FRAMES }>(),
        13313..=16384 => sweep_of::<{ 16384 + FRAMES }>(),
        16385..=24576 => sweep_of::<{ 24576 + FRAMES }>(),
        24577..=81920 => sweep_of::<{ 81920 + FRAMES }>(),
        _ => sweep_of::<{ 106_496 + FRAMES }>(),
    }
}

/// Fills the frame of a function from the return address on, without a hole.
#[repr(C)]
struct Frame<const BYTES: usize> {
    bytes: [u8; BYTES],
    /// With the return address, a multiple of the alignment of stacks.
    last: u64,
}

// With C's calling convention, which does not unwind: otherwise a key would be dropped on unwinding, and be moved before that.
#[inline(never)]
extern "C" fn sweep_of<const BYTES: usize>() {
    let below = MaybeUninit::<Frame<BYTES>>::zeroed();
    // The compiler must not remove the stores.
    zeroize::optimization_barrier(&below);
    registers::clear();
}
