//! Errors.

use core::fmt;

use crate::core::names::{Algorithms, Name};

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A message is not what its sender sealed. No more is said, on purpose.
    Forged,
    /// A buffer, a key or a message has a length that is not allowed.
    Length {
        /// The name of the value.
        what: &'static str,
        /// The length it has, in bytes unless `what` names another unit.
        got: usize,
        /// The lengths it may have.
        allowed: &'static str,
    },
    /// A value is not allowed.
    Invalid {
        /// The name of the value.
        what: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An unknown name.
    Unknown {
        /// The kind of name.
        what: &'static str,
    },
    /// No algorithm has that name.
    NoAlgorithm {
        /// The name that was requested.
        asked: Name,
        /// The names that exist.
        exist: &'static Algorithms,
    },
    /// The halves of a key are the same, and must not be.
    EqualHalves,
    /// A key has sealed as many messages as it may, or a generator has answered as many requests: a new key or seed is needed.
    Exhausted,
    /// A [`Collector`](crate::collector::Collector) holds as many messages as it may: take some back first.
    Full,
    /// Additional data came after the first chunk of a text. It must come before.
    TextHasBegun,
    /// The operating system gave no random bytes.
    NoRandomness,
    /// The backend does not exist, or cannot run on this processor, or is masked.
    NoBackend,
}

// In a result, the error ends where a key begins. Otherwise LLVM takes both for one variable, and does not make the key in the
// caller's place.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(8 + size_of::<Error>() == 64);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forged => f.write_str("forged message"),
            Self::Length { what, got, allowed } => {
                write!(f, "{what} has length {got}, allowed is {allowed}")
            }
            Self::Invalid { what, why } => write!(f, "{what} is invalid: {why}"),
            Self::Unknown { what } => write!(f, "unknown {what}"),
            Self::NoAlgorithm { asked, exist: Algorithms { kind, names } } => {
                write!(f, "no {kind} is called {asked:?}, there are")?;
                names.iter().enumerate().try_for_each(|(i, name)| {
                    f.write_str(if i == 0 { " " } else { ", " })?;
                    f.write_str(name)
                })
            }
            Self::EqualHalves => f.write_str("the halves of the key are the same"),
            Self::Exhausted => f.write_str("the key or the seed has served as often as it may"),
            Self::Full => {
                f.write_str("as many messages are held as may be, and none was taken back")
            }
            Self::TextHasBegun => f.write_str("additional data comes before the text"),
            Self::NoRandomness => f.write_str("the operating system gave no random bytes"),
            Self::NoBackend => f.write_str("no such backend on this processor"),
        }
    }
}

impl core::error::Error for Error {}

/// Why a call for many messages failed: the error of one of them. The call has then done nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InMessage {
    /// Which one, from 0 on.
    pub index: usize,
    /// Its error.
    pub error: Error,
}

impl fmt::Display for InMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, error } = self;
        write!(f, "message {index}: {error}")
    }
}

impl core::error::Error for InMessage {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
