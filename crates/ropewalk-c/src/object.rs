//! Objects: keys and states in memory of the C caller.
//!
//! C reserves words. The value is at the first address in them that is aligned for it, and before it there is a mark, made of its
//! type and its address. So an object that was not made, was wiped, or is at another address than where it was made is detected
//! and refused. A key with which states are started has a generation in its last word, a new one each time it is made or changed,
//! by which a state detects that its key has changed. Nothing is allocated.

mod generation;

use std::{
    mem::{MaybeUninit, forget},
    ptr,
};

use ropewalk::swept;

use crate::{
    enter::{Result, Why},
    overlap::{self, Span},
};

/// A type for which C has words.
///
/// # Safety
/// It is `repr(C)`, consists of words only, and has as many as a mark, `Value` and its alignment take.
pub(crate) unsafe trait Object: Sized {
    /// The value in it.
    type Value;
    /// Its name.
    const WHAT: &'static str;
    /// The constant in its mark.
    const MARK: u64;
    /// Whether it is a key, and not the state of one message: traces of its construction on the stack are then overwritten.
    const IS_KEY: bool;
    /// Whether states are started with it, which detect changes by a generation in its last word.
    const HAS_STATES: bool;
    /// Bytes of the stack that are overwritten when it is wiped, in addition to those that its value overwrites: for functions of
    /// this library with larger frames than those of the value. `ropewalk-ct residue` detects values that are too small.
    const LEAVES: usize;
}

/// Declares that a type has the words for a value: for the state of a message, for a key, or for a key with which states are
/// started.
macro_rules! words {
    ($Object:ident has a key of states, $Value:ty, $what:literal, $mark:literal $(, leaves $leaves:literal)?) => {
        words! { $Object has $Value, $what, $mark, true, true, 0 $(+ $leaves)? }
    };
    ($Object:ident has a key, $Value:ty, $what:literal, $mark:literal $(, leaves $leaves:literal)?) => {
        words! { $Object has $Value, $what, $mark, true, false, 0 $(+ $leaves)? }
    };
    ($Object:ident has $Value:ty, $what:literal, $mark:literal) => {
        words! { $Object has $Value, $what, $mark, false, false, 0 }
    };
    ($Object:ident has $Value:ty, $what:literal, $mark:literal, $is_key:literal, $has_states:literal, $leaves:expr) => {
        const _: () = {
            let slack = align_of::<$Value>().saturating_sub(align_of::<$Object>());
            let words = if $has_states { 16 } else { 8 };
            assert!(
                words + slack + size_of::<$Value>() <= size_of::<$Object>(),
                "it has too few words"
            );
        };

        // SAFETY: the assertion above, and the declaration of the type, which consists of words only.
        unsafe impl $crate::object::Object for $Object {
            type Value = $Value;
            const WHAT: &'static str = $what;
            const MARK: u64 = u64::from_le_bytes(*$mark);
            const IS_KEY: bool = $is_key;
            const HAS_STATES: bool = $has_states;
            const LEAVES: usize = $leaves;
        }
    };
}
pub(crate) use words;

/// Makes a value in an object. Previous contents are not wiped.
///
/// # Safety
/// `object` is for reading and writing, or NULL.
#[inline]
pub(crate) unsafe fn make<O: Object>(
    object: *mut O,
    new: impl FnOnce() -> Result<O::Value>,
) -> Result<()> {
    if object.is_null() {
        return Err(Why::Null(O::WHAT).into());
    }
    let at = place(object);
    match O::IS_KEY {
        // The value is moved on its way to `at`, and so is the result.
        true => swept(3 * size_of::<O::Value>() + 1024, || store(at, new))?,
        false => store(at, new)?,
    }
    // SAFETY: an object that is for writing.
    unsafe { finish(object) };
    Ok(())
}

/// Makes a key in an object, from arguments that have been checked. Previous contents are not wiped.
///
/// # Safety
/// As [`make`].
#[inline]
pub(crate) unsafe fn make_key<O: Object>(
    object: *mut O,
    new: impl FnOnce() -> O::Value,
) -> Result<()> {
    if object.is_null() {
        return Err(Why::Null(O::WHAT).into());
    }
    let at = place(object);
    // SAFETY: `at` is within the words of the object, which are for writing, and aligned. The value is made below this frame, and
    // moved twice at most.
    swept(2 * size_of::<O::Value>() + 640, || unsafe { at.write(new()) });
    // SAFETY: an object that is for writing.
    unsafe { finish(object) };
    Ok(())
}

/// Marks an object in which a value has been made.
///
/// # Safety
/// `object` is for writing.
#[inline(always)]
unsafe fn finish<O: Object>(object: *mut O) {
    // SAFETY: the first word of an object that is for writing.
    unsafe { object.cast::<u64>().write(mark(object)) };
    if O::HAS_STATES {
        // SAFETY: as the caller says.
        unsafe { renew(object) };
    }
}

/// Gives a key a new generation: states that were started before are refused.
///
/// # Safety
/// `key` is for writing.
#[inline(always)]
pub(crate) unsafe fn renew<O: Object>(key: *mut O) {
    // SAFETY: the last word of an object that is for writing.
    unsafe { generation_of(key).write(generation::next()) };
}

/// The key with which a state was started. The caller of C has promised to keep it in place.
pub(crate) struct Lent<O> {
    key: *const O,
    generation: u64,
}

impl<O> Clone for Lent<O> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<O: Object> Lent<O> {
    /// # Safety
    /// `key` was made: [`get`] has returned its value.
    pub(crate) unsafe fn new(key: *const O) -> Self {
        const { assert!(O::HAS_STATES) };
        // SAFETY: the last word of a key that was made.
        Self { key, generation: unsafe { generation_of(key.cast_mut()).read() } }
    }

    /// The key, if it has not changed.
    ///
    /// # Safety
    /// As [`get`].
    #[inline(always)]
    pub(crate) unsafe fn get<'a>(&self) -> Result<&'a O::Value> {
        // SAFETY: as the caller says.
        let value = unsafe { get(self.key) }?;
        // SAFETY: the last word of a key that was made.
        match unsafe { generation_of(self.key.cast_mut()).read() } == self.generation {
            true => Ok(value),
            false => Err(Why::Changed(O::WHAT).into()),
        }
    }

    /// Its words.
    pub(crate) fn span(&self) -> Span {
        Span::of(self.key)
    }
}

/// Makes a value, and moves it to its place.
#[inline(always)]
fn store<Value>(at: *mut Value, new: impl FnOnce() -> Result<Value>) -> Result<()> {
    let mut made = MaybeUninit::new(new());
    // SAFETY: it has just been written.
    match unsafe { made.assume_init_ref() } {
        // SAFETY: `at` is within the words of an object, which are for writing, and aligned; the value is moved there, and is not
        // used again.
        Ok(value) => unsafe { ptr::copy_nonoverlapping(value, at, 1) },
        Err(_) => {
            // SAFETY: it has been written, and is moved out once.
            return unsafe { made.assume_init() }.map(forget);
        }
    }
    wipe_bytes(&mut made);
    Ok(())
}

/// Copies an object's value into another object.
///
/// # Safety
/// `copy` is for reading and writing, or NULL; `object` is for reading, or NULL.
pub(crate) unsafe fn clone<O: Object<Value: Clone>>(copy: *mut O, object: *const O) -> Result<()> {
    overlap::apart(O::WHAT, Span::of(copy), [Span::of(object)])?;
    // SAFETY: as the caller says.
    let value = unsafe { get(object) }?;
    // SAFETY: as the caller says, and the objects do not overlap.
    unsafe { make(copy, || Ok(value.clone())) }
}

/// The value in an object.
///
/// # Safety
/// `object` is for reading, or NULL; nothing writes it for as long as `'a`.
#[inline(always)]
pub(crate) unsafe fn get<'a, O: Object>(object: *const O) -> Result<&'a O::Value> {
    // SAFETY: as the caller says.
    unsafe { check(object) }?;
    // SAFETY: by its mark, a value was made there and has not been wiped since.
    Ok(unsafe { &*place(object.cast_mut()) })
}

/// The value in an object that [`get`] has found ready before, in the same call.
///
/// # Safety
/// As [`get`], which has returned a value for this address.
#[inline(always)]
pub(crate) unsafe fn found<'a, O: Object>(object: *const O) -> &'a O::Value {
    // SAFETY: as the caller says, a value was made there, and nothing writes it during the call.
    unsafe { &*place(object.cast_mut()) }
}

/// The value in an object, for changing it.
///
/// # Safety
/// `object` is for reading and writing, or NULL; nothing else reads or writes it for as long as `'a`.
#[inline(always)]
pub(crate) unsafe fn get_mut<'a, O: Object>(object: *mut O) -> Result<&'a mut O::Value> {
    // SAFETY: as the caller says.
    unsafe { check(object) }?;
    // SAFETY: by its mark, a value was made there and has not been wiped since.
    Ok(unsafe { &mut *place(object) })
}

/// Takes the value out of an object: the object then has no value, and is wiped.
///
/// # Safety
/// As [`get_mut`].
#[inline]
pub(crate) unsafe fn take<O: Object, T>(
    object: *mut O,
    last: impl FnOnce(&mut O::Value) -> Result<T>,
) -> Result<T> {
    // SAFETY: as the caller says.
    let answer = last(unsafe { get_mut(object) }?)?;
    // SAFETY: as the caller says.
    unsafe { wipe(object) };
    Ok(answer)
}

/// Drops the value in an object, if there is one, and wipes all of its words.
///
/// # Safety
/// As [`get_mut`].
pub(crate) unsafe fn wipe<O: Object>(object: *mut O) {
    // SAFETY: as the caller says.
    if unsafe { check(object) }.is_err() {
        return;
    }
    // SAFETY: by its mark, there is a value, and once the mark is gone it is not used again.
    let drop = || unsafe { ptr::drop_in_place(place(object)) };
    match O::LEAVES {
        0 => drop(),
        leaves => swept(leaves, drop),
    }
    // SAFETY: as the caller says.
    unsafe { clear(object) };
}

/// Zeroes the words of an object, whatever they were.
///
/// # Safety
/// `object` is for writing, or NULL.
#[cold]
pub(crate) unsafe fn clear<O: Object>(object: *mut O) {
    // SAFETY: as the caller says; any words are valid.
    if let Some(words) = unsafe { object.cast::<MaybeUninit<O>>().as_mut() } {
        wipe_bytes(words);
    }
}

/// Whether there is a value in an object.
///
/// # Safety
/// `object` is for reading, or NULL.
#[inline(always)]
unsafe fn check<O: Object>(object: *const O) -> Result<()> {
    if object.is_null() {
        return Err(Why::Null(O::WHAT).into());
    }
    // SAFETY: its first word, which is for reading.
    match unsafe { object.cast::<u64>().read() } == mark(object) {
        true => Ok(()),
        false => Err(Why::NotReady(O::WHAT).into()),
    }
}

/// The mark of a value at that address.
#[inline(always)]
fn mark<O: Object>(object: *const O) -> u64 {
    O::MARK ^ object.addr() as u64
}

/// The place of a key's generation: the last word of its object.
#[inline(always)]
fn generation_of<O: Object>(key: *mut O) -> *mut u64 {
    key.cast::<u64>().wrapping_add(size_of::<O>() / 8 - 1)
}

/// The place of the value: within the words of an object, after its mark.
#[inline(always)]
fn place<O: Object>(object: *mut O) -> *mut O::Value {
    let at = object.cast::<u8>().wrapping_add(8);
    at.wrapping_add(at.addr().wrapping_neg() % align_of::<O::Value>()).cast()
}

/// Zeroes a value.
fn wipe_bytes<T>(value: &mut MaybeUninit<T>) {
    *value = MaybeUninit::zeroed();
    // The compiler must not remove the stores.
    zeroize::optimization_barrier(value);
}
