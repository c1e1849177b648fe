//! What calls for many messages have in common.

use ropewalk::InMessage;

use crate::enter::Failure;

/// Messages that are given to the library at once: what stands for them lies on the stack.
pub(crate) const GROUP: usize = 64;

/// Messages that are so few, and texts that are so short, go one by one: what lanes could gain is less than it takes to hand the
/// messages on.
pub(crate) const FEW: usize = 3;
pub(crate) const SHORT_TEXT: usize = 64;

/// Texts of AES-GCM and AES-CTR that are no shorter go one by one: the blocks of one message keep the processor busy.
pub(crate) const LONG_TEXT: usize = 128;

/// What the library says of one message of a group, of which the first has the index `from`.
#[cold]
pub(crate) fn wrong(from: usize, InMessage { index, error }: InMessage) -> Failure {
    Failure::from(error).at(from + index)
}
