//! Batches for code that gets its messages one at a time.
//!
//! A [`Collector`] takes a message and returns a [`Ticket`]. When as many messages wait as there are lanes, they run as a batch;
//! a deadline, or [`Collector::flush`], runs the rest. The ticket gives the message back with its answer.
//!
//! ```
//! use core::time::Duration;
//! use ropewalk::{collector::{Collector, Digests}, sha256::Sha256Many};
//!
//! let mut collector = Collector::new(Digests::new(Sha256Many::new()), Duration::from_micros(50), 256);
//! let now = Duration::ZERO;
//! let ticket = collector.submit(b"abc".to_vec(), now).map_err(|refused| refused.error)?;
//! // … other messages come; for 50 µs there are none.
//! collector.poll(now + Duration::from_micros(50));
//! let Some((message, digest)) = collector.take(ticket) else { unreachable!("it has run") };
//! assert_eq!(message, b"abc");
//! assert_eq!(digest, ropewalk::sha256::digest(b"abc"));
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! # How long a message waits
//! Until the lanes are full, or until the deadline of the first waiting message, and then for one batch: there is never a second
//! one. Time comes from the caller, from any clock with any origin: a collector reads none.
//!
//! # How much it holds
//! As many messages as its limit says, both waiting ones and those that have not been taken back; the next one is refused. Memory
//! for them is allocated once, by [`Collector::new`].

#[cfg(any(feature = "aes-cbc", feature = "aes-ctr", feature = "aes-xts"))]
mod in_place;

use core::marker::PhantomData;

#[cfg(feature = "aes-ctr")]
pub use in_place::{Counted, Keystreams};
#[cfg(feature = "aes-xts")]
pub use in_place::{DataUnit, UnitDecryptions, UnitEncryptions};
#[cfg(feature = "aes-cbc")]
pub use in_place::{Encryptions, Plaintext};

pub use crate::core::gather::{Batch, Collector, Keyed, Opening, Refused, Sealing, Ticket};
use crate::{
    core::gather::MOST,
    hashes::{Described, Hash, HashMany, function::HashFunction},
};

/// The digest of each message: `Digests::new(Sha256Many::new())`.
pub struct Digests<M, T> {
    many: M,
    messages: PhantomData<fn(T)>,
}

impl<M: HashMany, T: AsRef<[u8]>> Digests<M, T> {
    /// With the given batch hash.
    pub fn new(many: M) -> Self {
        Self { many, messages: PhantomData }
    }
}

impl<M: HashMany, T: AsRef<[u8]>> Batch for Digests<M, T> {
    type Message = T;
    type Answer = <M::One as Hash>::Digest;

    fn lanes(&self) -> usize {
        self.many.lanes()
    }
    fn run(&self, messages: &mut [T], mut answer: impl FnMut(Self::Answer)) {
        let mut texts: [&[u8]; MOST] = [&[]; MOST];
        for (text, message) in texts.iter_mut().zip(&*messages) {
            *text = message.as_ref();
        }
        let mut digests = [<<M::One as Described>::Function as HashFunction>::ZERO; MOST];
        let (texts, digests) = (&texts[..messages.len()], &mut digests[..messages.len()]);
        let Ok(()) = self.many.digest(texts, digests) else { unreachable!("as many of each") };
        digests.iter().for_each(|digest| answer(*digest));
    }
}

#[cfg(feature = "hmac")]
pub use with_a_key::Macs;

#[cfg(feature = "hmac")]
mod with_a_key {
    use core::{borrow::Borrow, marker::PhantomData};

    use super::{Batch, Keyed, MOST};
    use crate::{
        core::secret::Wiped,
        hashes::{Described, Hash, HashMany, function::HashFunction},
        keyed::hmac,
    };

    /// The tag of each message, by HMAC: `Macs::new(hmac::Many::<Sha256Many>::new())`.
    pub struct Macs<M: HashMany, K, T> {
        many: hmac::Many<M>,
        messages: PhantomData<fn(K, T)>,
    }

    impl<M: HashMany, K: Borrow<hmac::Key<M::One>>, T: AsRef<[u8]>> Macs<M, K, T> {
        /// With the given batch MAC.
        pub fn new(many: hmac::Many<M>) -> Self {
            Self { many, messages: PhantomData }
        }
    }

    impl<M: HashMany, K: Borrow<hmac::Key<M::One>>, T: AsRef<[u8]>> Batch for Macs<M, K, T> {
        type Message = Keyed<K, T>;
        type Answer = <M::One as Hash>::Digest;

        fn lanes(&self) -> usize {
            self.many.lanes()
        }
        fn run(&self, messages: &mut [Self::Message], mut answer: impl FnMut(Self::Answer)) {
            let of = |i: usize| {
                let Keyed { key, text } = &messages[i.min(messages.len() - 1)];
                hmac::Message { key: key.borrow(), text: text.as_ref() }
            };
            let all: [_; MOST] = core::array::from_fn(of);
            let mut tags =
                Wiped::new([<<M::One as Described>::Function as HashFunction>::ZERO; MOST]);
            let (all, tags) = (&all[..messages.len()], &mut tags[..messages.len()]);
            let Ok(()) = self.many.mac(all, tags) else { unreachable!("as many of each") };
            tags.iter().for_each(|tag| answer(*tag));
        }
    }
}

#[cfg(feature = "aes-cmac")]
pub use by_cipher::CipherMacs;

#[cfg(feature = "aes-cmac")]
mod by_cipher {
    use core::{borrow::Borrow, marker::PhantomData};

    use super::{Batch, Keyed, MOST};
    use crate::{
        aes::aes_cmac::{Key, Many, Message},
        core::tag::Tag,
    };

    /// The tag of each message, by AES-CMAC: `CipherMacs::new(aes_cmac::Many::new())`.
    pub struct CipherMacs<K, T> {
        many: Many,
        messages: PhantomData<fn(K, T)>,
    }

    impl<K: Borrow<Key>, T: AsRef<[u8]>> CipherMacs<K, T> {
        /// With the given batch MAC.
        pub fn new(many: Many) -> Self {
            Self { many, messages: PhantomData }
        }
    }

    impl<K: Borrow<Key>, T: AsRef<[u8]>> Batch for CipherMacs<K, T> {
        type Message = Keyed<K, T>;
        type Answer = Tag;

        fn lanes(&self) -> usize {
            self.many.lanes()
        }
        fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Tag)) {
            let of = |i: usize| {
                let Keyed { key, text } = &messages[i.min(messages.len() - 1)];
                Message { key: key.borrow(), text: text.as_ref() }
            };
            let all: [_; MOST] = core::array::from_fn(of);
            let mut tags = [Tag::default(); MOST];
            let (all, tags) = (&all[..messages.len()], &mut tags[..messages.len()]);
            let Ok(()) = self.many.mac(all, tags) else { unreachable!("as many of each") };
            tags.iter().copied().for_each(answer);
        }
    }
}
