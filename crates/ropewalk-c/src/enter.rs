//! The wrapper of every function that C calls: no panic gets out, and a failure becomes a status.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use crate::{
    object::{self, Object},
    status::{ropewalk_error, ropewalk_status},
};

/// Why a call failed.
pub(crate) struct Failure {
    /// The index of the message, in a batch.
    pub(crate) index: Option<usize>,
    pub(crate) why: Why,
}

pub(crate) enum Why {
    Library(ropewalk::Error),
    Null(&'static str),
    Overlap(&'static str),
    /// An object that was not made.
    NotReady(&'static str),
    /// A key that has changed since a state was started with it.
    Changed(&'static str),
    /// A key of another algorithm.
    Kind {
        what: &'static str,
        allowed: &'static str,
    },
    /// An unknown name.
    Unknown {
        what: &'static str,
        name: Box<str>,
    },
    /// An unknown number of an algorithm.
    NoNumber {
        what: &'static str,
        got: u32,
    },
    /// A backend that gives wrong answers.
    Broken(&'static str),
    Panicked,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Adds the index of the message.
    #[cold]
    pub(crate) fn at(self, index: usize) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Whether it reports a forgery.
    pub(crate) fn is_forgery(&self) -> bool {
        matches!(self.why, Why::Library(ropewalk::Error::Forged))
    }

    /// An invalid length.
    #[cold]
    pub(crate) fn length(what: &'static str, got: usize, allowed: &'static str) -> Self {
        ropewalk::Error::Length { what, got, allowed }.into()
    }
}

impl From<Why> for Failure {
    #[cold]
    fn from(why: Why) -> Self {
        Self { index: None, why }
    }
}

impl From<ropewalk::Error> for Failure {
    #[cold]
    fn from(error: ropewalk::Error) -> Self {
        Why::Library(error).into()
    }
}

/// Runs the body of a function, and writes its result to the caller's error, or NULL.
#[inline(always)]
pub(crate) fn call(
    error: *mut ropewalk_error,
    body: impl FnOnce() -> Result<()>,
) -> ropewalk_status {
    if !QUIET.load(Relaxed) {
        be_quiet();
    }
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => ropewalk_status::ROPEWALK_OK,
        Ok(Err(failure)) => failure.tell(error),
        Err(panic) => {
            // Its destructor could panic again.
            std::mem::forget(panic);
            Failure::from(Why::Panicked).tell(error)
        }
    }
}

/// Whether panics print nothing.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Makes panics print nothing: standard error belongs to the program, and the status reports the result. Tests of this crate keep
/// their messages.
#[cold]
fn be_quiet() {
    if !cfg!(test) {
        std::panic::set_hook(Box::new(|_| {}));
    }
    QUIET.store(true, Relaxed);
}

/// Makes an object, which the caller lends for writing, or NULL. Where it fails, its words are zeroed, unless they overlap other
/// memory of the call.
#[inline(always)]
pub(crate) fn making<O: Object>(
    object: *mut O,
    error: *mut ropewalk_error,
    body: impl FnOnce() -> Result<()>,
) -> ropewalk_status {
    let status = call(error, body);
    if status != ropewalk_status::ROPEWALK_OK && status != ropewalk_status::ROPEWALK_OVERLAP {
        // SAFETY: the caller lends it.
        unsafe { object::clear(object) };
    }
    status
}

#[cfg(test)]
mod tests {
    use std::{mem::MaybeUninit, ptr::null_mut};

    use super::*;
    use crate::status::ropewalk_error_text;

    #[test]
    fn no_panic_gets_out() {
        let mut error = MaybeUninit::<ropewalk_error>::zeroed();
        assert_eq!(call(null_mut(), || panic!("on purpose")), ropewalk_status::ROPEWALK_INTERNAL);
        let status = call(error.as_mut_ptr(), || panic!("on purpose"));
        assert_eq!(status, ropewalk_status::ROPEWALK_INTERNAL);
        let mut text = [0; 64];
        // SAFETY: an error that has been written, and space for its text.
        let len = unsafe { ropewalk_error_text(error.as_ptr(), text.as_mut_ptr(), text.len()) };
        assert_eq!(
            text[..len].iter().map(|c| *c as u8 as char).collect::<String>(),
            "a fault of the library"
        );
    }
}
