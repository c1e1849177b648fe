//! Known answers of hash functions.

use super::{
    Hasher, Many,
    function::{BlockHash, ByteArray, FixedHash},
    many::{LaneHash, LaneStates, Link, Links, few::FEW},
    merkle_damgard::MerkleDamgard,
};
use crate::core::{
    Error,
    backend::Chosen,
    known::{Sum, bytes},
    simd::Word,
};

/// A checksum of a backend's outputs: digests of whole messages and of chunks, with the padding in the last block and in an
/// additional one.
pub(crate) fn hash<F: FixedHash>(backend: &str) -> Result<Sum, Error> {
    let (mut sum, text) = (Sum::new(), bytes::<450>());
    let mut hasher = Hasher::<F>::with_backend(backend)?;
    for len in [0, 3, 55, 56, 64, 111, 112, 128, 200, 450] {
        sum.add(hasher.digest(&text[..len]).as_ref());
    }
    hasher.update(&text[..200]);
    hasher.update(&text);
    sum.add(hasher.finish().as_ref());
    // The digest of a state after a block, as in HMAC.
    let (engine, mut state) = (F::One::named(backend)?, F::START);
    F::chain(&engine, &mut state, &F::START);
    sum.add(F::output(&engine, &state).as_ref());
    Ok(sum)
}

/// The same for batches: messages that end with a block, messages that do not, and messages of different lengths.
pub(crate) fn hash_many<F: FixedHash>(backend: &str) -> Result<Sum, Error> {
    const COUNT: usize = 17;
    let (mut sum, text) = (Sum::new(), bytes::<190>());
    let many = Many::<F>::with_backend(backend)?;
    for (count, len) in [(COUNT, 128), (9, 70), (COUNT, 0)] {
        let messages: [&[u8]; COUNT] =
            core::array::from_fn(|i| &text[i..][..if len == 0 { 9 * i } else { len }]);
        let mut digests = [F::Digest::ZERO; COUNT];
        many.digest(&messages[..count], &mut digests[..count])?;
        digests.iter().for_each(|digest| sum.add(digest.as_ref()));
    }
    Ok(sum)
}

/// The sum of HMACs of digests in lanes, as PBKDF2 computes them from the initial state, or nothing where lanes differ.
pub(crate) fn iterated<F: MerkleDamgard>(backend: &str) -> Result<Option<Sum>, Error> {
    let (many, start) = (Many::<F>::with_backend(backend)?, <F as BlockHash>::START);
    let (batch, mut states) = (many.batch::<F>(), F::starts());
    if let Some(lanes) = batch.lanes() {
        let mut links = Links { keys: [states; 2], last: states, sum: states };
        F::iterate(lanes, &mut links, 2);
        states = links.sum;
    } else if let Some((few, _)) = batch.few() {
        let mut links = [Link { keys: [start; 2], last: start, sum: start }; FEW];
        F::iterate_few(few, &mut links[..many.lanes()], 2);
        for (lane, link) in links.iter().enumerate() {
            states.set_lane(lane, &link.sum);
        }
    }
    let first = states.lane(0);
    let mut sum = Sum::new();
    first.as_ref().iter().for_each(|word| sum.add(word.le_bytes().as_ref()));
    let same = (1..many.lanes()).all(|lane| states.lane(lane).as_ref() == first.as_ref());
    Ok(same.then_some(sum))
}
