//! What C holds of ours: keys and states, in memory of the caller's.
//!
//! C reserves words; the value lies in them at the first address that is aligned for it, and before it stands a mark, made of
//! what it is and where. So an object that was not made, was wiped, or lies elsewhere than where it was made is found out
//! and refused. A key that states are begun with has a generation in its last word, another one each time it is made or changed, by
//! which a state finds out that its key is another now. Nothing is allocated.

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

/// A type that C has words for.
///
/// # Safety
/// It is `repr(C)`, has nothing but words, and as many as a mark, `Value` and its alignment take.
pub(crate) unsafe trait Object: Sized {
    /// What lies in it.
    type Value;
    /// What it is called.
    const WHAT: &'static str;
    /// What stands in its mark.
    const MARK: u64;
    /// Whether it is a key, and not what one message needs: what making one leaves on the stack is overwritten.
    const IS_KEY: bool;
    /// Whether states are begun with it, which find out by a generation in its last word that it is another now.
    const HAS_STATES: bool;
    /// Bytes of the stack that are overwritten when it is wiped: more than its value overwrites, where the functions of this library
    /// that use it have larger frames than those of the value. `ropewalk-ct residue` finds out where they are too few.
    const LEAVES: usize;
}

/// Declares that a type has the words for a value: for one that a message needs, for a key, or for a key that states are begun with.
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

        // SAFETY: the assertion above, and the declaration of the type, which is words and no more.
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

/// Makes a value in an object. What was there before is forgotten.
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
        // The value is moved on its way to `at`, and its result.
        true => swept(3 * size_of::<O::Value>() + 1024, || store(at, new))?,
        false => store(at, new)?,
    }
    // SAFETY: an object that is for writing.
    unsafe { finish(object) };
    Ok(())
}

/// Makes a key in an object, of what has been checked. What was there before is forgotten.
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

/// Gives a key of states a new generation: a state that was begun with it as it was goes on no more.
///
/// # Safety
/// `key` is for writing.
#[inline(always)]
pub(crate) unsafe fn renew<O: Object>(key: *mut O) {
    // SAFETY: the last word of an object that is for writing.
    unsafe { generation_of(key).write(generation::next()) };
}

/// The key that a state was begun with. The caller of C has promised to keep it where it is.
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
    /// `key` was made: [`get`] has given its value.
    pub(crate) unsafe fn new(key: *const O) -> Self {
        const { assert!(O::HAS_STATES) };
        // SAFETY: the last word of a key that was made.
        Self { key, generation: unsafe { generation_of(key.cast_mut()).read() } }
    }

    /// The key, if it is still as it was.
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

    /// Where it lies.
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
        // SAFETY: `at` is within the words of an object, which are for writing, and aligned; what was made is moved
        // there, and is not used again.
        Ok(value) => unsafe { ptr::copy_nonoverlapping(value, at, 1) },
        Err(_) => {
            // SAFETY: it has been written, and is moved out once.
            return unsafe { made.assume_init() }.map(forget);
        }
    }
    wipe_bytes(&mut made);
    Ok(())
}

/// Makes a copy of an object's value in another one.
///
/// # Safety
/// `copy` is for reading and writing, or NULL; `object` is for reading, or NULL.
pub(crate) unsafe fn clone<O: Object<Value: Clone>>(copy: *mut O, object: *const O) -> Result<()> {
    overlap::apart(O::WHAT, Span::of(copy), [Span::of(object)])?;
    // SAFETY: as the caller says.
    let value = unsafe { get(object) }?;
    // SAFETY: as the caller says, and one is not the other.
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
/// As [`get`], and it has given a value for this address.
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

/// Takes the value out of an object: it is no object any more, and nothing is left in it.
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

/// Leaves no byte in the words of an object, whatever they were.
///
/// # Safety
/// `object` is for writing, or NULL.
#[cold]
pub(crate) unsafe fn clear<O: Object>(object: *mut O) {
    // SAFETY: as the caller says; any words are some.
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

/// What stands before a value that lies there.
#[inline(always)]
fn mark<O: Object>(object: *const O) -> u64 {
    O::MARK ^ object.addr() as u64
}

/// Where the generation of a key stands: the last word of its object.
#[inline(always)]
fn generation_of<O: Object>(key: *mut O) -> *mut u64 {
    key.cast::<u64>().wrapping_add(size_of::<O>() / 8 - 1)
}

/// Where the value lies: within the words of an object, behind its mark.
#[inline(always)]
fn place<O: Object>(object: *mut O) -> *mut O::Value {
    let at = object.cast::<u8>().wrapping_add(8);
    at.wrapping_add(at.addr().wrapping_neg() % align_of::<O::Value>()).cast()
}

/// Leaves no byte of a value.
fn wipe_bytes<T>(value: &mut MaybeUninit<T>) {
    *value = MaybeUninit::zeroed();
    // The compiler must not leave the stores out.
    zeroize::optimization_barrier(value);
}
