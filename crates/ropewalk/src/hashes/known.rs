//! Known answers of hash functions.

use super::{Core, Hash};
use crate::core::{
    Error,
    known::{Sum, bytes},
};
#[cfg(feature = "many")]
use crate::hashes::HashMany;

/// What a hash function's backend gives: digests in one piece and in pieces, with the padding in the last block and in one more.
pub(crate) fn hash<H: Hash>(backend: &str) -> Result<Sum, Error> {
    let (mut sum, text) = (Sum::new(), bytes::<450>());
    let mut hasher = H::with_backend(backend)?;
    for len in [0, 3, 55, 56, 64, 111, 112, 128, 200, 450] {
        sum.add(hasher.digest(&text[..len]).as_ref());
    }
    hasher.update(&text[..200]);
    hasher.update(&text);
    sum.add(hasher.finish().as_ref());
    // The digest of a state behind a block, as in HMAC.
    let mut state = H::START;
    H::chain(&H::named(backend)?, &mut state, &H::START);
    sum.add(H::output(&state).as_ref());
    Ok(sum)
}

/// The same of many messages: some that end with a block, some that do not, and some of any lengths.
#[cfg(feature = "many")]
pub(crate) fn hash_many<M: HashMany>(backend: &str) -> Result<Sum, Error> {
    const COUNT: usize = 17;
    let (mut sum, text) = (Sum::new(), bytes::<190>());
    let many = M::with_backend(backend)?;
    for (count, len) in [(COUNT, 128), (9, 70), (COUNT, 0)] {
        let messages: [&[u8]; COUNT] =
            core::array::from_fn(|i| &text[i..][..if len == 0 { 9 * i } else { len }]);
        let mut digests = [<M::One as Core>::nothing(); COUNT];
        many.digest(&messages[..count], &mut digests[..count])?;
        digests.iter().for_each(|digest| sum.add(digest.as_ref()));
    }
    Ok(sum)
}

/// Whether HMACs of digests in lanes, as PBKDF2 has them, come to that sum, given a state of the hash function.
#[cfg(feature = "many")]
macro_rules! iterated {
    ($Many:ident by $backend:ident, from $state:ident $(; or $few:ident)?) => {{
        use $crate::hashes::many::{Links, States};

        let engine = super::ManyEngine::named($backend)?(());
        let mut states = States::splat(&$state);
        $crate::hashes::known::iterated! { @few engine, $Many, $state, states $(, $few)? }
        let all = states.0.map(|words| words[..engine.info().lanes].iter().all(|word| *word == words[0]));
        let mut sum = $crate::core::known::Sum::new();
        states.lane(0).iter().for_each(|word| sum.add(&word.to_le_bytes()));
        (all.iter().all(|same| *same), sum)
    }};
    (@few $engine:ident, $Many:ident, $state:ident, $states:ident) => {
        let mut links = Links { keys: [$states; 2], last: $states, sum: $states };
        $engine.iterate(&mut links, &super::$Many::padding(), 2);
        $states = links.sum;
    };
    (@few $engine:ident, $Many:ident, $state:ident, $states:ident, few) => {
        if $engine.few() {
            let link = $crate::hashes::many::Link { keys: [$state; 2], last: $state, sum: $state };
            let mut links = [link; $crate::hashes::many::few::FEW];
            let lanes = $engine.info().lanes;
            $engine.iterate_few(&mut links[..lanes], &super::$Many::padding(), 2);
            for (lane, link) in links.iter().enumerate() {
                $states.set_lane(lane, &link.sum);
            }
        } else {
            $crate::hashes::known::iterated! { @few $engine, $Many, $state, $states }
        }
    };
}
#[cfg(feature = "many")]
pub(crate) use iterated;

/// Writes the known answers of a hash function.
macro_rules! hash_answers {
    ($Hasher:ident, $Many:ident, from $state:ident $(; or $few:ident)?) => {
        /// Whether they come out of that backend.
        pub(super) fn one(backend: &str) -> Result<bool, $crate::core::Error> {
            Ok($crate::hashes::known::hash::<super::$Hasher>(backend)?.is(ONE))
        }

        /// Whether they come out of that backend of many.
        #[cfg(feature = "many")]
        pub(super) fn many(backend: &str) -> Result<bool, $crate::core::Error> {
            use super::$state;

            let right = $crate::hashes::known::hash_many::<super::$Many>(backend)?.is(MANY);
            let (same, sum) = $crate::hashes::known::iterated!($Many by backend, from $state $(; or $few)?);
            Ok(right && same && sum.is(ITERATED))
        }

        /// Without calls for many messages, nothing asks.
        #[cfg(not(feature = "many"))]
        pub(super) fn many(_: &str) -> Result<bool, $crate::core::Error> {
            Ok(true)
        }
    };
}
pub(crate) use hash_answers;
