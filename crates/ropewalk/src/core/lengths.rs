//! Lengths of the messages of a batch.

/// The bitwise OR of all lengths: below a power of two if each of them is. For short messages a comparison each would cost too
/// much.
#[inline(always)]
pub(crate) fn bits_of<M>(messages: &[M], len: impl Fn(&M) -> usize) -> usize {
    match messages {
        // Two or three without a loop, which LLVM compiles for long batches.
        [first, .., last] if messages.len() < 4 => {
            len(first) | len(&messages[messages.len() / 2]) | len(last)
        }
        _ => messages.iter().fold(0, |bits, message| bits | len(message)),
    }
}
