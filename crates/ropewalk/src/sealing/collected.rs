//! Sealing and opening for a collector: what is the same for every authenticated cipher.

/// Writes `Seals` and `Openings`, given `Key`, with `check`, `Message` and `Many`.
macro_rules! collected {
    () => {
        /// Seals messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is the tag.
        pub struct Seals<M> {
            many: Many,
            messages: core::marker::PhantomData<fn(M)>,
        }

        impl<M> Seals<M> {
            /// With what seals many messages.
            pub fn new(many: Many) -> Self {
                Self { many, messages: core::marker::PhantomData }
            }
        }

        impl<K, N, A, T> $crate::core::gather::Batch
            for Seals<$crate::core::gather::Sealing<K, N, A, T>>
        where
            K: core::borrow::Borrow<Key>,
            N: AsRef<[u8]>,
            A: AsRef<[u8]>,
            T: AsRef<[u8]> + AsMut<[u8]>,
        {
            type Message = $crate::core::gather::Sealing<K, N, A, T>;
            type Answer = $crate::core::tag::Tag;

            fn lanes(&self) -> usize {
                self.many.lanes()
            }
            fn check(&self, message: &Self::Message) -> Result<(), $crate::core::Error> {
                let $crate::core::gather::Sealing { key, nonce, aad, text } = message;
                key.borrow().check(nonce.as_ref(), aad.as_ref(), text.as_ref().len())
            }
            fn run(&self, messages: &mut [Self::Message], answer: impl FnMut(Self::Answer)) {
                let count = messages.len();
                let mut tags = [$crate::core::tag::Tag::default(); GROUP];
                let tags = &mut tags[..count];
                let mut all = gathered(messages.iter_mut().map(|message| message.borrowed()));
                let Ok(()) = self.many.seal(&mut all[..count], tags) else {
                    unreachable!("all are checked")
                };
                tags.iter().copied().for_each(answer);
            }
        }

        /// Opens messages that come one at a time, for a [`Collector`](crate::collector::Collector). The answer is what became
        /// of each.
        pub struct Openings<M> {
            many: Many,
            messages: core::marker::PhantomData<fn(M)>,
        }

        impl<M> Openings<M> {
            /// With what opens many messages.
            pub fn new(many: Many) -> Self {
                Self { many, messages: core::marker::PhantomData }
            }
        }

        impl<K, N, A, T, G> $crate::core::gather::Batch
            for Openings<$crate::core::gather::Opening<K, N, A, T, G>>
        where
            K: core::borrow::Borrow<Key>,
            N: AsRef<[u8]>,
            A: AsRef<[u8]>,
            T: AsRef<[u8]> + AsMut<[u8]>,
            G: AsRef<[u8]>,
        {
            type Message = $crate::core::gather::Opening<K, N, A, T, G>;
            type Answer = Result<(), $crate::core::Error>;

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
                    let $crate::core::gather::Opening { sealed, tag } = message;
                    *place = (*tag).as_ref();
                    sealed.borrowed()
                }));
                let opened = self.many.open(&mut all[..count], &tags[..count], results);
                let Ok(()) = opened else { unreachable!("as many of each") };
                results.iter().copied().for_each(answer);
            }
        }

        const GROUP: usize = $crate::sealing::many::GROUP;

        /// Messages, of which there is at least one, and behind them empty ones with a key.
        fn gathered<'a>(
            mut messages: impl Iterator<Item = $crate::core::gather::Borrowed<'a, Key>>,
        ) -> [Message<'a>; GROUP] {
            let Some(first) = messages.next() else { unreachable!("there is a message") };
            let (key, mut first) = (first.key, Some(first));
            core::array::from_fn(|_| match first.take().or_else(|| messages.next()) {
                Some($crate::core::gather::Borrowed { key, nonce, aad, text }) => {
                    Message { key, nonce, aad, text }
                }
                None => Message { key, nonce: &[0; 12], aad: &[], text: &mut [] },
            })
        }
    };
}
pub(crate) use collected;
