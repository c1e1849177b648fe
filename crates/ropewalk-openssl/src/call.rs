//! How functions of this provider are called: contexts that OpenSSL holds, and what becomes of errors and panics.

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

/// What OpenSSL holds, and gives back with each call.
struct Held<T> {
    provider: *const Provider,
    inner: T,
}

/// Something that OpenSSL holds for this provider, made for the version of OpenSSL.
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

/// The OpenSSL that has loaded the provider.
///
/// # Safety
/// `provider` is null, or the context of this provider.
pub(crate) unsafe fn version_of(provider: Context) -> Version {
    // SAFETY: as the caller says.
    let provider = unsafe { provider.cast_const().cast::<Provider>().as_ref() };
    provider.map_or(Version::V3_0, Provider::version)
}

/// The provider, for what calls OpenSSL.
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
        // SAFETY: it is still there.
        unsafe { self.0.as_ref() }.map_or(Version::V3_0, Provider::version)
    }

    pub(crate) fn theirs(&self) -> Result<&Theirs, Reason> {
        // SAFETY: it is still there.
        let provider = unsafe { self.0.as_ref() };
        provider.and_then(Provider::theirs).ok_or(Reason::InvalidDigest)
    }
}

/// Another that goes on from where this one stands.
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

/// Gives it back.
///
/// # Safety
/// As [`duplicate`], and it is not used again.
pub(crate) unsafe fn drop_held<T>(context: Context) {
    if !context.is_null() {
        // SAFETY: `hold` has made it of a box.
        let held = unsafe { Box::from_raw(context.cast::<Held<T>>()) };
        drop(catch_unwind(AssertUnwindSafe(move || drop(held))));
    }
}

/// Does something with what OpenSSL holds. An error is put on OpenSSL's queue.
///
/// # Safety
/// As [`duplicate`], and no other thread uses it meanwhile, which OpenSSL's documentation asks of programs.
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
            // SAFETY: OpenSSL keeps the provider for as long as anything that it made.
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

/// Lets a panic print nothing: standard error is the program's own, and OpenSSL's queue has the error. Tests of this crate keep their
/// messages.
pub(crate) fn be_quiet() {
    if !cfg!(test) {
        std::panic::set_hook(Box::new(|_| {}));
    }
}

/// Does something without a context. What went wrong has no other words than 0.
pub(crate) fn plain(what: impl FnOnce() -> Result<(), Reason>) -> Success {
    c_int::from(matches!(catch_unwind(AssertUnwindSafe(what)), Ok(Ok(()))))
}

/// Answers each parameter by `answer`, which says nothing of what it does not know.
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

/// So many bytes of an output, where there is room.
///
/// # Safety
/// `to` is null, or has room for `room` bytes, which nothing else accesses for as long as `'a`.
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
    // SAFETY: there is room.
    Ok(unsafe { slice::from_raw_parts_mut(to, len) })
}
