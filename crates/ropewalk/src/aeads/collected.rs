//! Sealing and opening for collectors.

use core::{borrow::Borrow, marker::PhantomData};

use super::{
    key::Key,
    many::{Batched, GROUP, Many, Message},
};
use crate::core::{
    Error,
    gather::{Batch, Borrowed, Opening, Sealing},
    tag::Tag,
};

/// Seals messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the tag.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Seals<C: Batched, M> {
    many: Many<C>,
    messages: PhantomData<fn(M)>,
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Batched, M> Seals<C, M> {
    /// With the given batch operation.
    pub fn new(many: Many<C>) -> Self {
        Self { many, messages: PhantomData }
    }
}

impl<C, K, N, A, T> Batch for Seals<C, Sealing<K, N, A, T>>
where
    C: Batched,
    K: Borrow<Key<C>>,
    N: AsRef<[u8]>,
    A: AsRef<[u8]>,
    T: AsRef<[u8]> + AsMut<[u8]>,
{
    type Message = Sealing<K, N, A, T>;
    type Answer = Tag;

    fn lanes(&self) -> usize {
        self.many.lanes()
    }
    fn check(&self, message: &Self::Message) -> Result<(), Error> {
        let Sealing { key, nonce, aad, text } = message;
        C::check(&key.borrow().0, nonce.as_ref(), aad.as_ref(), text.as_ref().len())
    }
    fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Self::Answer)) {
        let count = messages.len();
        let mut tags = [Tag::default(); GROUP];
        let tags = &mut tags[..count];
        let mut all = gathered(messages.iter_mut().map(|message| message.borrowed()));
        let Ok(()) = self.many.seal(&mut all[..count], tags) else {
            unreachable!("all are checked")
        };
        tags.iter().copied().for_each(answer);
    }
}

/// Opens messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the result of each.
#[allow(private_bounds, reason = "only ciphers of this library have keys")]
pub struct Openings<C: Batched, M> {
    many: Many<C>,
    messages: PhantomData<fn(M)>,
}

#[allow(private_bounds, reason = "only ciphers of this library have keys")]
impl<C: Batched, M> Openings<C, M> {
    /// With the given batch operation.
    pub fn new(many: Many<C>) -> Self {
        Self { many, messages: PhantomData }
    }
}

impl<C, K, N, A, T, G> Batch for Openings<C, Opening<K, N, A, T, G>>
where
    C: Batched,
    K: Borrow<Key<C>>,
    N: AsRef<[u8]>,
    A: AsRef<[u8]>,
    T: AsRef<[u8]> + AsMut<[u8]>,
    G: AsRef<[u8]>,
{
    type Message = Opening<K, N, A, T, G>;
    type Answer = Result<(), Error>;

    fn lanes(&self) -> usize {
        self.many.lanes()
    }
    fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Self::Answer)) {
        let count = messages.len();
        let mut results = [Ok(()); GROUP];
        let results = &mut results[..count];
        let mut tags: [&[u8]; GROUP] = [&[]; GROUP];
        let both = messages.iter_mut().zip(&mut tags);
        let mut all = gathered(both.map(|(message, place)| {
            let Opening { sealed, tag } = message;
            *place = (*tag).as_ref();
            sealed.borrowed()
        }));
        let opened = self.many.open(&mut all[..count], &tags[..count], results);
        let Ok(()) = opened else { unreachable!("as many of each") };
        results.iter().copied().for_each(answer);
    }
}

/// The messages, at least one, followed by empty ones with a key.
fn gathered<'a, C: Batched>(
    mut messages: impl Iterator<Item = Borrowed<'a, Key<C>>>,
) -> [Message<'a, C>; GROUP] {
    let Some(first) = messages.next() else { unreachable!("there is a message") };
    let (key, mut first) = (first.key, Some(first));
    core::array::from_fn(|_| match first.take().or_else(|| messages.next()) {
        Some(Borrowed { key, nonce, aad, text }) => Message { key, nonce, aad, text },
        None => Message { key, nonce: &[0; 12], aad: &[], text: &mut [] },
    })
}
