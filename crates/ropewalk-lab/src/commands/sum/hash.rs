//! Digests of messages, in lanes or serially.

use arrayvec::ArrayVec;
use ropewalk::{
    HashMany,
    hash::{Algorithm, Hash as _, Hasher},
    sha3::{Shake128Many, Shake256Many},
};

/// A digest of any function.
pub(super) type Digest = ArrayVec<u8, 64>;

/// How messages that are completely read are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Lanes {
    /// Side by side, where that is faster
    Auto,
    /// One by one
    Off,
}

macro_rules! digests {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        /// The digest of each message.
        pub(super) fn digests(algorithm: Algorithm, lanes: Lanes, messages: &[&[u8]]) -> Vec<Digest> {
            match (lanes, algorithm) {
                (Lanes::Off, _) => one_by_one(algorithm, messages),
                $( (_, Algorithm::$Hash) => many::<ropewalk::$module::$Many>(messages), )+
                (_, Algorithm::Shake128) => {
                    let mut digests = vec![[0; 32]; messages.len()];
                    Shake128Many::new().digest(messages, &mut digests).expect(AS_MANY);
                    digests.iter().map(digest).collect()
                }
                (_, Algorithm::Shake256) => {
                    let mut digests = vec![[0; 64]; messages.len()];
                    Shake256Many::new().digest(messages, &mut digests).expect(AS_MANY);
                    digests.iter().map(digest).collect()
                }
                // The list of functions may grow.
                _ => one_by_one(algorithm, messages),
            }
        }
    };
}

ropewalk::hash_functions! { digests! {} }

/// The digest in this representation.
pub(super) fn digest(bytes: impl AsRef<[u8]>) -> Digest {
    bytes.as_ref().iter().copied().collect()
}

const AS_MANY: &str = "there are as many digests as messages";

fn many<M: HashMany>(messages: &[&[u8]]) -> Vec<Digest> {
    let hasher = M::default();
    let mut digests = vec![M::One::default().digest(&[]); messages.len()];
    hasher.digest(messages, &mut digests).expect(AS_MANY);
    digests.iter().map(digest).collect()
}

pub(super) fn one_by_one(algorithm: Algorithm, messages: &[&[u8]]) -> Vec<Digest> {
    let hasher = Hasher::new(algorithm);
    messages.iter().map(|message| digest(hasher.digest(message))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_change_no_digest() {
        let text: Vec<u8> = (0..700u32).map(|i| (i * 7) as u8).collect();
        let messages: Vec<&[u8]> = (0..80).map(|i| &text[i..i * i % 613 + i]).collect();
        for algorithm in Algorithm::ALL {
            let together = digests(*algorithm, Lanes::Auto, &messages);
            assert_eq!(together, digests(*algorithm, Lanes::Off, &messages), "{algorithm}");
            assert!(together.iter().all(|digest| digest.len() == algorithm.digest_len()));
        }
    }
}
