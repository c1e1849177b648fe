//! Secrets, and what must not be left of them.
//!
//! A value that is secret is [`Wiped`]. A key is [`Kept`]: what was computed with it, and what was spilled meanwhile, is
//! overwritten too, when the key has been made and when it is dropped, by a [`sweep`] of the stack below and of the registers.
//! A call that only uses a key does not sweep: for a short message that would take as long as the message.

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

/// A value of which no byte is left once it is dropped: what every key keeps its backend in, so that no
/// backend has to wipe anything of it, and a hasher or a stream what it holds of a message. Between its
/// fields, and where another variant of an enum has more, lies what was on the stack when it was moved: as
/// often as not, round keys.
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
        // SAFETY: what was the value is gone.
        #[allow(unsafe_code)]
        unsafe {
            wipe(self);
        }
    }
}

/// Overwrites every byte of a place with zero, those between the fields too.
///
/// # Safety
/// The value is not used afterwards, or zero is a value that it can have.
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn wipe<T>(place: &mut T) {
    let bytes = (&raw mut *place).cast::<u8>();
    // SAFETY: the bytes of a value that is borrowed mutably; the caller does not use it as it was.
    unsafe { ptr::write_bytes(bytes, 0, size_of::<T>()) };
    // The compiler must not leave the stores out.
    zeroize::optimization_barrier(&bytes);
}

/// What a key is made of.
pub(crate) trait Contents {
    /// Bytes of stack that are taken to use one for one message: with a backend that has instructions for the primitive, and
    /// with another, which keeps more in memory. `cargo xtask ct` finds out where they are too few.
    const USED: [usize; 2];
    /// What a call for many messages takes, with any backend.
    const MANY: usize = 13 << 10;

    fn info(&self) -> &'static Info;
}

/// A key. When it is dropped, the stack below is overwritten as far as functions may have used it, see [`Contents::USED`]; of a
/// key that was not used, nothing is there.
///
/// It has no value that it cannot have: a result would say by one that there is no key, and the compiler would copy a key out of a
/// result to look for it.
pub(crate) struct Kept<T: Contents> {
    value: MaybeUninit<T>,
    used: AtomicBool,
}

impl<T: Contents> Kept<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self { value: MaybeUninit::new(value), used: AtomicBool::new(false) }
    }

    /// The one of two numbers that is for this backend.
    #[inline(always)]
    fn bytes(&self, [with_instructions, without]: [usize; 2]) -> usize {
        if self.public().info().in_hardware { with_instructions } else { without }
    }

    /// The value, for what is not secret of it: to read that is not to use the key.
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
        // A store each time would take the cache line away from other cores.
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
    // It has no variable of its own, under which something of another function's might outlast the sweep.
    #[inline(never)]
    fn drop(&mut self) {
        let used = if *self.used.get_mut() { self.bytes(T::USED) } else { 0 };
        // SAFETY: `new` has made it; it is dropped here only, and not used afterwards.
        #[allow(unsafe_code)]
        unsafe {
            self.value.assume_init_drop();
        }
        // SAFETY: what was the value is gone; zero is a mark that it may have.
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

/// Whether there has been a call for many messages.
static DEEP: AtomicBool = AtomicBool::new(false);

/// What works on many messages, which takes more of the stack than one: keys that are dropped from now on overwrite as much.
#[inline(always)]
pub(crate) fn deep<Engine>(engine: Engine) -> Engine {
    // A store each time would take the cache line away from other cores.
    if !DEEP.load(Relaxed) {
        DEEP.store(true, Relaxed);
    }
    engine
}

/// Runs a function, and overwrites what it left of secrets: so many bytes of the stack below, 24 KiB at most, and the registers
/// that a function need not keep for its caller.
///
/// A key of this library leaves nothing below the function that makes, uses and drops it. But Rust moves values by copying them,
/// and does not overwrite the places where they were: those are of the function that has moved the key. Where a program wants them
/// overwritten too, it runs that function in this one.
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
    let _sweep = Sweep(bytes);
    below(run)
}

/// All that `run` has on the stack is below the frame of the caller.
#[inline(never)]
fn below<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Overwrites as many bytes of the stack when it is dropped; zero is none, and no register.
///
/// What is made meanwhile is returned to where the caller wants it. In a variable that is returned after a sweep, the compiler may
/// make it elsewhere and leave a copy there.
pub(crate) struct Sweep(pub(crate) usize);

impl Drop for Sweep {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0 > 0 {
            sweep(self.0);
        }
    }
}

/// Bytes more than those asked for: a function of the C library has a frame of its own above those that use the key, and the
/// function that drops the key has a smaller one.
const FRAMES: usize = 256;

/// Overwrites as many bytes of the stack below, or more, and the registers that no function has to keep for its caller.
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
        _ => sweep_of::<{ 24576 + FRAMES }>(),
    }
}

/// What fills the frame of a function, from the return address on, without a hole.
#[repr(C)]
struct Frame<const BYTES: usize> {
    bytes: [u8; BYTES],
    /// With the return address, a multiple of the alignment of stacks.
    last: u64,
}

// Of C's kind, which does not unwind: else a key would be dropped where it does, and lie elsewhere first.
#[inline(never)]
extern "C" fn sweep_of<const BYTES: usize>() {
    let below = MaybeUninit::<Frame<BYTES>>::zeroed();
    // The compiler must not leave the stores out.
    zeroize::optimization_barrier(&below);
    registers::clear();
}
