//! Calls from OpenSSL: contexts that it holds, and the handling of errors and panics.

use core::{ffi::c_int, ptr, slice};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    abi::{Context, Success},
    error::Reason,
    params::{self, Param},
    provider::Provider,
    theirs::Theirs,
    version::Version,
};

/// A context that OpenSSL holds and passes with each call.
struct Held<T> {
    provider: *const Provider,
    inner: T,
}

/// Makes a context for OpenSSL, with the version of OpenSSL as argument.
///
/// # Safety
/// `provider` is the context of this provider.
pub(crate) unsafe fn hold<T>(provider: Context, make: impl FnOnce(Version) -> T) -> Context {
    // SAFETY: as the caller says.
    let version = unsafe { version_of(provider) };
    let held = catch_unwind(AssertUnwindSafe(|| {
        let inner = make(version);
        Box::into_raw(Box::new(Held { provider: provider.cast_const().cast(), inner }))
    }));
    held.map_or(ptr::null_mut(), |held| held.cast())
}

/// The version of the OpenSSL that has loaded the provider.
///
/// # Safety
/// `provider` is null, or the context of this provider.
pub(crate) unsafe fn version_of(provider: Context) -> Version {
    // SAFETY: as the caller says.
    let provider = unsafe { provider.cast_const().cast::<Provider>().as_ref() };
    provider.map_or(Version::V3_0, Provider::version)
}

/// The provider, for code that calls OpenSSL.
#[derive(Clone, Copy)]
pub(crate) struct Parent(*const Provider);

impl Parent {
    /// # Safety
    /// `provider` is the context of this provider, and the value is not used after OpenSSL has freed the
    /// provider.
    pub(crate) unsafe fn new(provider: Context) -> Self {
        Self(provider.cast_const().cast())
    }

    pub(crate) fn version(&self) -> Version {
        // SAFETY: OpenSSL has not freed the provider, as the caller of [`Self::new`] promised.
        unsafe { self.0.as_ref() }.map_or(Version::V3_0, Provider::version)
    }

    pub(crate) fn theirs(&self) -> Result<&Theirs, Reason> {
        // SAFETY: as above.
        let provider = unsafe { self.0.as_ref() };
        provider.and_then(Provider::theirs).ok_or(Reason::InvalidDigest)
    }
}

/// Duplicates a context in its current state.
///
/// # Safety
/// `context` is null, or was made by [`hold`] of the same type, and not dropped.
pub(crate) unsafe fn duplicate<T: Clone>(context: Context) -> Context {
    // SAFETY: as the caller says.
    let Some(held) = (unsafe { context.cast::<Held<T>>().as_ref() }) else {
        return ptr::null_mut();
    };
    let Held { provider, inner } = held;
    // SAFETY: it holds the context of the provider.
    unsafe { hold(provider.cast_mut().cast(), |_| inner.clone()) }
}

/// Frees a context.
///
/// # Safety
/// As [`duplicate`], and it is not used again.
pub(crate) unsafe fn drop_held<T>(context: Context) {
    if !context.is_null() {
        // SAFETY: `hold` made it from a box.
        let held = unsafe { Box::from_raw(context.cast::<Held<T>>()) };
        drop(catch_unwind(AssertUnwindSafe(move || drop(held))));
    }
}

/// Runs a function on a context. An error is put on OpenSSL's error queue.
///
/// # Safety
/// As [`duplicate`], and no other thread uses it meanwhile, as OpenSSL's documentation requires of programs.
#[inline]
pub(crate) unsafe fn with<T>(
    context: Context,
    what: impl FnOnce(&mut T) -> Result<(), Reason>,
) -> Success {
    // SAFETY: as the caller says.
    let Some(held) = (unsafe { context.cast::<Held<T>>().as_mut() }) else { return 0 };
    let Held { provider, inner } = held;
    let result = catch_unwind(AssertUnwindSafe(|| what(inner)));
    match result {
        Ok(Ok(())) => 1,
        Ok(Err(Reason::Forged | Reason::Said)) => 0,
        Ok(Err(reason)) => {
            // SAFETY: OpenSSL keeps the provider for as long as the contexts that it made.
            raise(unsafe { provider.as_ref() }, reason)
        }
        // SAFETY: likewise.
        Err(_) => raise(unsafe { provider.as_ref() }, Reason::Internal),
    }
}

#[cold]
#[inline(never)]
fn raise(provider: Option<&Provider>, reason: Reason) -> Success {
    if let Some(provider) = provider {
        provider.raise(reason);
    }
    0
}

/// Silences panic messages: the standard error belongs to the program, and the error is on OpenSSL's queue.
/// Tests of this crate keep the messages.
pub(crate) fn be_quiet() {
    if !cfg!(test) {
        std::panic::set_hook(Box::new(|_| {}));
    }
}

/// Runs a function without a context. The only report of an error is the result 0.
pub(crate) fn plain(what: impl FnOnce() -> Result<(), Reason>) -> Success {
    c_int::from(matches!(catch_unwind(AssertUnwindSafe(what)), Ok(Ok(()))))
}

/// Calls `answer` for each parameter. It ignores parameters that it does not know.
///
/// # Safety
/// As [`params::each_mut`].
pub(crate) unsafe fn answer(
    params: *mut Param,
    mut answer: impl FnMut(&mut Param) -> Result<(), Reason>,
) -> Result<(), Reason> {
    // SAFETY: as the caller says.
    unsafe { params::each_mut(params) }.try_for_each(&mut answer)
}

/// The first `len` bytes of an output, if there is space.
///
/// # Safety
/// `to` is null, or has `room` bytes, which nothing else accesses during `'a`.
#[inline]
pub(crate) unsafe fn first<'a>(
    to: *mut u8,
    room: usize,
    len: usize,
) -> Result<&'a mut [u8], Reason> {
    if len == 0 {
        return Ok(&mut []);
    }
    if to.is_null() || room < len {
        return Err(Reason::OutputBufferTooSmall);
    }
    // SAFETY: `len` is at most `room`.
    Ok(unsafe { slice::from_raw_parts_mut(to, len) })
}
