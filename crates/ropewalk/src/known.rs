//! Known answers, which a backend computes before its first use in a process.
//!
//! Each list of backends has a function that runs every width of a kernel and every function of an engine: blocks, whole
//! groups of them, what is left at the end, all lanes and some. Most operations take what the last one left, and a sum
//! of the end stands for all. The sums come from the portable backends, which other tests hold against published vectors
//! and other libraries.

#[cfg(feature = "many")]
use crate::HashMany;
use crate::{
    Error,
    hash::{Core, Hash},
};

/// Bytes that differ from each other: keys, nonces and texts.
pub(crate) const fn bytes<const N: usize>() -> [u8; N] {
    let (mut bytes, mut i) = ([0; N], 0);
    while i < N {
        bytes[i] = (i * 167 + (i >> 8) * 59 + 13) as u8;
        i += 1;
    }
    bytes
}

/// Keys are as many bytes of this as they have.
pub(crate) static SECRET: [u8; 64] = bytes();

/// AES keys: each number of rounds.
pub(crate) fn aes_keys() -> [&'static [u8]; 3] {
    [16, 32, 24].map(|len| &SECRET[..len])
}

/// Whether nothing is wide in a backend. It then needs no long texts, for which it would take long.
pub(crate) fn is_portable(backend: &str) -> bool {
    backend.ends_with("/portable")
}

/// What stands for the outputs of a backend: one wrong word changes it for certain, others by all likelihood.
pub(crate) struct Sum(u64);

impl Sum {
    pub(crate) fn new() -> Self {
        Self(0)
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::new();
        sum.add(bytes);
        sum
    }

    #[inline(never)]
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add_word(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            self.add_word(byte.into());
        }
    }

    fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    pub(crate) fn is(&self, answer: u64) -> bool {
        self.0 == answer
    }
}

/// Nonces or texts that differ from each other.
pub(crate) fn numbered<const N: usize, const COUNT: usize>() -> [[u8; N]; COUNT] {
    let mut all = [bytes(); COUNT];
    for (number, one) in all.iter_mut().enumerate() {
        one[0] ^= number as u8;
    }
    all
}

/// Writes the known answers of an authenticated cipher, given its keys, lengths of nonces, and lengths of additional data and
/// texts: some for any backend, and those for backends that are not portable. Each message is sealed and opened, and where
/// there is a stream, the last of all messages in pieces as well.
macro_rules! aead {
    (
        keys $keys:expr; nonces $nonces:expr; $any:expr, wide $wide:expr, up to $longest:literal;
        $(pieces by $Stream:ident;)? many: $shapes:expr
    ) => {
        /// Whether they come out of that backend.
        pub(super) fn one(backend: &str) -> Result<bool, $crate::Error> {
            let keys: [Key; 3] = match $keys.map(|secret| Key::with_backend(secret, backend)) {
                [Ok(first), Ok(second), Ok(third)] => [first, second, third],
                [Err(error), ..] | [_, Err(error), _] | [.., Err(error)] => return Err(error),
            };
            let mut text = $crate::known::bytes::<$longest>();
            let right = messages(&keys, &mut text, &$any)?.is(ONE);
            if $crate::known::is_portable(backend) {
                return Ok(right);
            }
            Ok(right && messages(&keys, &mut text, &$wide)?.is(WIDE))
        }

        /// Messages with additional data and texts of these lengths.
        fn messages(
            keys: &[Key; 3],
            text: &mut [u8],
            lens: &[(usize, usize)],
        ) -> Result<$crate::known::Sum, $crate::Error> {
            let (secret, data) = ($crate::known::bytes::<64>(), $crate::known::bytes::<280>());
            let (mut sum, mut right) = ($crate::known::Sum::new(), true);
            for (turn, &(aad, len)) in lens.iter().enumerate() {
                let (key, text) = (&keys[turn % keys.len()], &mut text[..len]);
                let (nonce, aad) = (&secret[turn..][..$nonces[turn % $nonces.len()]], &data[..aad]);
                let tag = key.seal(nonce, aad, text)?;
                sum.add(text);
                sum.add(&tag);
                right &= key.open(nonce, aad, text, &tag).is_ok();
                sum.add(text);
                $(
                    if turn + 1 == lens.len() {
                        let mut stream = $Stream::new(key, nonce)?;
                        stream.absorb_aad(key, aad)?;
                        stream.seal(key, text)?;
                        sum.add(text);
                        right &= *stream.tag(key) == *tag;
                        let mut stream = $Stream::new(key, nonce)?;
                        stream.absorb_aad(key, aad)?;
                        let (head, rest) = text.split_at_mut(len / 3);
                        stream.open_unverified(key, head)?;
                        stream.open_unverified(key, rest)?;
                        sum.add(text);
                        right &= stream.verify(key, &tag).is_ok();
                    }
                )?
            }
            sum.add(&[right.into()]);
            Ok(sum)
        }

        /// Whether they come out of that backend of many.
        pub(super) fn many(backend: &str) -> Result<bool, $crate::Error> {
            const COUNT: usize = 19;
            let secrets = $keys;
            let keys = [Key::new(secrets[0])?, Key::new(secrets[0])?, Key::new(secrets[1])?];
            let many = Many::with_backend(backend)?;
            let (nonces, data) = ($crate::known::numbered::<12, COUNT>(), $crate::known::bytes::<40>());
            let mut sum = $crate::known::Sum::new();
            // Lengths of additional data and of texts, and how many keys; without a length, any.
            for (aad, len, of) in $shapes {
                let (mut texts, mut i) = ([$crate::known::bytes::<128>(); COUNT], 0);
                let mut messages = texts.each_mut().map(|text| {
                    let len = if len == 0 { 7 * i } else { len };
                    let aad = &data[..if len == 0 { i } else { aad }];
                    i += 1;
                    Message { key: &keys[i % of], nonce: &nonces[i - 1], aad, text: &mut text[..len] }
                });
                let (mut tags, mut results) = ([Tag::default(); COUNT], [Ok(()); COUNT]);
                many.seal(&mut messages, &mut tags).map_err(|wrong| wrong.error)?;
                for (message, tag) in messages.iter().zip(&tags) {
                    sum.add(message.text);
                    sum.add(tag);
                }
                let tags = tags.each_ref().map(|tag| &**tag);
                many.open(&mut messages, &tags, &mut results).map_err(|wrong| wrong.error)?;
                if results != [Ok(()); COUNT] {
                    return Ok(false);
                }
                sum.add(texts.as_flattened());
            }
            Ok(sum.is(MANY))
        }
    };
}
pub(crate) use aead;

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
        use $crate::many::{Links, States};

        let engine = super::ManyEngine::named($backend)?(());
        let mut states = States::splat(&$state);
        $crate::known::iterated! { @few engine, $Many, $state, states $(, $few)? }
        let all = states.0.map(|words| words[..engine.info().lanes].iter().all(|word| *word == words[0]));
        let mut sum = $crate::known::Sum::new();
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
            let link = $crate::many::Link { keys: [$state; 2], last: $state, sum: $state };
            let mut links = [link; $crate::many::few::FEW];
            let lanes = $engine.info().lanes;
            $engine.iterate_few(&mut links[..lanes], &super::$Many::padding(), 2);
            for (lane, link) in links.iter().enumerate() {
                $states.set_lane(lane, &link.sum);
            }
        } else {
            $crate::known::iterated! { @few $engine, $Many, $state, $states }
        }
    };
}
#[cfg(feature = "many")]
pub(crate) use iterated;

/// Writes the known answers of a hash function.
macro_rules! hash_answers {
    ($Hasher:ident, $Many:ident, from $state:ident $(; or $few:ident)?) => {
        /// Whether they come out of that backend.
        pub(super) fn one(backend: &str) -> Result<bool, $crate::Error> {
            Ok($crate::known::hash::<super::$Hasher>(backend)?.is(ONE))
        }

        /// Whether they come out of that backend of many.
        #[cfg(feature = "many")]
        pub(super) fn many(backend: &str) -> Result<bool, $crate::Error> {
            use super::$state;

            let right = $crate::known::hash_many::<super::$Many>(backend)?.is(MANY);
            let (same, sum) = $crate::known::iterated!($Many by backend, from $state $(; or $few)?);
            Ok(right && same && sum.is(ITERATED))
        }

        /// Without calls for many messages, nothing asks.
        #[cfg(not(feature = "many"))]
        pub(super) fn many(_: &str) -> Result<bool, $crate::Error> {
            Ok(true)
        }
    };
}
pub(crate) use hash_answers;
