//! Lengths of the messages of a call.

/// The bits of all lengths: below a power of two where each of them is. Short messages cannot bear to be compared.
#[inline(always)]
pub(crate) fn bits_of<M>(messages: &[M], len: impl Fn(&M) -> usize) -> usize {
    match messages {
        // Two or three without a loop, which LLVM writes for many.
        [first, .., last] if messages.len() < 4 => {
            len(first) | len(&messages[messages.len() / 2]) | len(last)
        }
        _ => messages.iter().fold(0, |bits, message| bits | len(message)),
    }
}
