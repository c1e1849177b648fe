//! Many messages, sealed and opened side by side: what is the same for every authenticated cipher.

use crate::core::{Error, InMessage};

/// Messages that a backend gets at most, so that the bits of a word say which of them it is to take.
pub(crate) const GROUP: usize = 64;

/// Messages that are opened at a time, since so many tags lie on the stack, and are wiped.
pub(crate) const OPEN_GROUP: usize = 16;

/// Writes `Message`, `Many`, `seal_many`, `open_many`, and `AeadMany`, which is what a backend does, and `OneByOne`, the
/// last of them; given in words what is too long and which nonce is wrong.
///
/// It takes from its module `Key`, with `tag_len`, `check`, `doubt`, which is zero where that has no objection, `seal_checked` and
/// `open_checked`; `ManyEngine`;
/// `fn few(messages: &[Message]) -> bool`, which says whether nobody is to be asked; and
/// `fn recorded(many: &Info) -> Costs`, which is what a list says of costs;
/// `fn pays(many: &Info, costs: &Costs, messages: &[Message]) -> bool`, which says at a glance whether any of them are worth lanes;
/// and `fn worth(many: &Info, costs: &Costs, messages: &[Message], of: u64) -> u64`, which says which, as far as a backend does not.
macro_rules! sealing_many {
    (past $past:literal, $nonce:literal) => {
        /// One of many messages.
        pub struct Message<'a> {
            /// Its key, which others may have too.
            pub key: &'a Key,
            /// Its nonce.
            pub nonce: &'a [u8],
            /// Its additional data, which is authenticated only.
            pub aad: &'a [u8],
            /// Its text, which is encrypted or decrypted in place.
            pub text: &'a mut [u8],
        }

        /// What a backend does with messages of a group, whose lengths are right. Bit i of `chosen` is that of message i. What it
        /// has no lanes for, it leaves to the backend of a message's key.
        pub(super) trait AeadMany: Send + Sync {
            /// Encrypts or decrypts, of those whose bits are `left`, messages that stand next to each other and are so alike that
            /// nothing needs to be known of the others, writes their tags, and takes their bits away.
            fn alike(&self, _open: bool, _left: &mut u64, _: &mut [Message<'_>], _: &mut [$crate::core::tag::Tag]) {}

            /// Encrypts the chosen messages and writes their tags, whole.
            fn seal_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [$crate::core::tag::Tag]) {
                for i in $crate::sealing::many::bits(chosen) {
                    messages[i].seal(&mut tags[i]);
                }
            }

            /// Decrypts the chosen messages and writes the tags that they should have; the caller compares, and wipes.
            fn open_many(&self, chosen: u64, messages: &mut [Message<'_>], tags: &mut [$crate::core::tag::Tag]) {
                for i in $crate::sealing::many::bits(chosen) {
                    messages[i].open(&mut tags[i]);
                }
            }
        }

        /// Messages one by one, each by the backend of its key.
        pub(super) struct OneByOne;

        impl OneByOne {
            pub(super) fn new(_: $crate::core::cpu::Baseline, (): ()) -> Self {
                Self
            }
        }

        impl AeadMany for OneByOne {}

        impl Message<'_> {
            /// As `open` of its key. Handed on, a text would be copied, by loads that wait for what has just been stored.
            #[inline(always)]
            fn open_alone(&mut self, tag: &[u8], result: &mut Result<(), $crate::core::Error>) {
                if !self.has_right_lengths(tag) {
                    return self.refuse(tag, result);
                }
                let mut right = $crate::core::tag::Tag::default();
                self.open(&mut right);
                self.judge(&right, tag, result);
            }

            #[inline(always)]
            fn has_right_lengths(&self, tag: &[u8]) -> bool {
                tag.len() == self.key.tag_len() && self.check().is_ok()
            }

            /// Apart, so that nobody else writes a whole error.
            #[cold]
            #[inline(never)]
            fn refuse(&self, tag: &[u8], result: &mut Result<(), $crate::core::Error>) {
                *result = self.check().and_then(|()| $crate::core::tag::check_tag(tag, self.key.tag_len()));
            }

            #[inline(always)]
            fn judge(&mut self, right: &$crate::core::tag::Tag, tag: &[u8], result: &mut Result<(), $crate::core::Error>) {
                *result = Ok(());
                if !$crate::core::tag::same(&right.bytes, tag) {
                    self.text.fill(0);
                    *result = Err($crate::core::Error::Forged);
                }
            }

            #[inline]
            fn check(&self) -> Result<(), $crate::core::Error> {
                self.key.check(self.nonce, self.aad, self.text.len())
            }
            #[inline(always)]
            pub(super) fn seal(&mut self, tag: &mut $crate::core::tag::Tag) {
                let Self { key, nonce, aad, text } = self;
                key.seal_checked(nonce, aad, $crate::core::text::Text::in_place(text), &mut tag.bytes);
            }
            #[inline(always)]
            pub(super) fn open(&mut self, right: &mut $crate::core::tag::Tag) {
                let Self { key, nonce, aad, text } = self;
                key.open_checked(nonce, aad, $crate::core::text::Text::in_place(text), &mut right.bytes);
            }
        }

        /// Encrypts each message in place and writes its tag, side by side with others. Messages of any lengths and of any keys
        /// may be mixed. Each nonce must be new for its key.
        ///
        /// # Errors
        /// [`InMessage`](crate::InMessage) with [`Error::Length`](crate::Error::Length) for the first message
        #[doc = concat!("past ", $past, ", or ", $nonce, ", or without a tag, and for the first tag without a message;")]
        /// nothing is then written.
        #[inline(always)]
        pub fn seal_many(
            messages: &mut [Message<'_>],
            tags: &mut [$crate::core::tag::Tag],
        ) -> Result<(), $crate::core::InMessage> {
            if let ([Message { key, nonce, aad, text }], [tag]) = (&mut *messages, &mut *tags) {
                let sealed = key.seal(nonce, aad, text);
                *tag = sealed.map_err(|error| $crate::core::InMessage { index: 0, error })?;
                return Ok(());
            }
            if few(messages) && messages.len() == tags.len() && all_right(messages) {
                seal_each(messages, tags);
                return Ok(());
            }
            Many::new().seal_any(messages, tags)
        }

        /// Decrypts each message in place, side by side with others, if its tag is right, and writes what became of it.
        /// Messages of any lengths and of any keys may be mixed.
        ///
        /// A result is [`Error::Forged`](crate::Error::Forged) where the tag is not that of the message, which is then zeroed;
        /// and [`Error::Length`](crate::Error::Length) where the message has a length that `open` of its key does not take, or its
        /// tag; it is then untouched.
        ///
        /// # Errors
        /// [`InMessage`](crate::InMessage) with [`Error::Length`](crate::Error::Length) unless there are as many tags, and results,
        /// as messages; nothing is then written.
        #[inline(always)]
        pub fn open_many(
            messages: &mut [Message<'_>],
            tags: &[&[u8]],
            results: &mut [Result<(), $crate::core::Error>],
        ) -> Result<(), $crate::core::InMessage> {
            if let ([message], [tag], [result]) = (&mut *messages, tags, &mut *results) {
                message.open_alone(tag, result);
                return Ok(());
            }
            if few(messages) && messages.len() == tags.len() && messages.len() == results.len() {
                open_each(messages, tags, results);
                return Ok(());
            }
            Many::new().open_any(messages, tags, results)
        }

        /// Seals and opens many messages in a call. Nothing is allocated.
        pub struct Many {
            engine: ManyEngine,
            /// None where lanes are used whatever they cost.
            costs: Option<$crate::core::backend::Costs>,
        }

        impl Many {
            /// With the best backend of this processor.
            #[inline]
            pub fn new() -> Self {
                let engine = $crate::core::secret::deep(ManyEngine::best(()));
                let costs = Some(recorded(engine.info()));
                Self { engine, costs }
            }

            /// With one backend, by its name in `PRIMITIVE_MANY`, even where one message at a time is faster. What it cannot do
            /// goes to the backend of its key.
            ///
            /// # Errors
            /// [`Error::NoBackend`](crate::Error::NoBackend) where it cannot run here.
            pub fn with_backend(name: &str) -> Result<Self, $crate::core::Error> {
                Ok(Self { engine: $crate::core::secret::deep(ManyEngine::named(name)?(())), costs: None })
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                self.engine.info().name
            }

            /// How many messages that has side by side.
            pub fn lanes(&self) -> usize {
                self.engine.info().lanes
            }

            /// Encrypts each message in place and writes its tag.
            ///
            /// # Errors
            /// As [`seal_many`].
            #[inline(always)]
            pub fn seal(
                &self,
                messages: &mut [Message<'_>],
                tags: &mut [$crate::core::tag::Tag],
            ) -> Result<(), $crate::core::InMessage> {
                let few = self.costs.is_some() && few(messages);
                if few && messages.len() == tags.len() && all_right(messages) {
                    seal_each(messages, tags);
                    return Ok(());
                }
                self.seal_any(messages, tags)
            }

            fn seal_any(
                &self,
                messages: &mut [Message<'_>],
                tags: &mut [$crate::core::tag::Tag],
            ) -> Result<(), $crate::core::InMessage> {
                $crate::sealing::many::as_many(messages.len(), "tags", tags.len())?;
                if !all_right(messages) {
                    return first_wrong(messages);
                }
                if self.pays(messages) {
                    self.seal_groups(messages, tags);
                } else {
                    seal_each(messages, tags);
                }
                Ok(())
            }

            #[inline]
            fn pays(&self, messages: &[Message<'_>]) -> bool {
                let pays = |costs| pays(self.engine.info(), costs, messages);
                self.costs.as_ref().is_none_or(pays)
            }

            #[inline]
            fn chosen(&self, messages: &[Message<'_>], of: u64) -> u64 {
                if of == 0 {
                    return 0;
                }
                let worth = |costs| worth(self.engine.info(), costs, messages, of);
                self.costs.as_ref().map_or(of, worth)
            }

            #[inline(never)]
            fn seal_groups(&self, messages: &mut [Message<'_>], tags: &mut [$crate::core::tag::Tag]) {
                const GROUP: usize = $crate::sealing::many::GROUP;
                for (messages, tags) in messages.chunks_mut(GROUP).zip(tags.chunks_mut(GROUP)) {
                    for (message, tag) in messages.iter().zip(&mut *tags) {
                        tag.len = message.key.tag_len();
                    }
                    let mut left = u64::MAX >> (GROUP - messages.len());
                    self.engine.alike(false, &mut left, messages, tags);
                    let chosen = self.chosen(messages, left);
                    if chosen != 0 {
                        self.engine.seal_many(chosen, messages, tags);
                    }
                    for i in $crate::sealing::many::bits(left & !chosen) {
                        messages[i].seal(&mut tags[i]);
                    }
                }
            }

            /// Decrypts each message in place, if its tag is right, and writes what became of it.
            ///
            /// # Errors
            /// As [`open_many`], whose results it has.
            #[inline(always)]
            pub fn open(
                &self,
                messages: &mut [Message<'_>],
                tags: &[&[u8]],
                results: &mut [Result<(), $crate::core::Error>],
            ) -> Result<(), $crate::core::InMessage> {
                let few = self.costs.is_some() && few(messages);
                if few && messages.len() == tags.len() && messages.len() == results.len() {
                    open_each(messages, tags, results);
                    return Ok(());
                }
                self.open_any(messages, tags, results)
            }

            fn open_any(
                &self,
                messages: &mut [Message<'_>],
                tags: &[&[u8]],
                results: &mut [Result<(), $crate::core::Error>],
            ) -> Result<(), $crate::core::InMessage> {
                $crate::sealing::many::as_many(messages.len(), "tags", tags.len())?;
                $crate::sealing::many::as_many(messages.len(), "results", results.len())?;
                if self.pays(messages) {
                    self.open_groups(messages, tags, results);
                } else {
                    open_each(messages, tags, results);
                }
                Ok(())
            }

            #[inline(never)]
            fn open_groups(
                &self,
                messages: &mut [Message<'_>],
                tags: &[&[u8]],
                results: &mut [Result<(), $crate::core::Error>],
            ) {
                const GROUP: usize = $crate::sealing::many::OPEN_GROUP;
                let groups = messages.chunks_mut(GROUP).zip(tags.chunks(GROUP));
                for ((messages, tags), results) in groups.zip(results.chunks_mut(GROUP)) {
                    let mut of_right_len = 0;
                    for (i, ((message, tag), result)) in messages.iter().zip(tags).zip(&mut *results).enumerate() {
                        if message.has_right_lengths(tag) {
                            of_right_len |= 1 << i;
                        } else {
                            message.refuse(tag, result);
                        }
                    }
                    let mut right = $crate::core::secret::Wiped::new([$crate::core::tag::Tag::default(); GROUP]);
                    let right = &mut right[..messages.len()];
                    let mut left = of_right_len;
                    self.engine.alike(true, &mut left, messages, right);
                    let chosen = self.chosen(messages, left);
                    if chosen != 0 {
                        self.engine.open_many(chosen, messages, right);
                    }
                    for i in $crate::sealing::many::bits(left & !chosen) {
                        messages[i].open(&mut right[i]);
                    }
                    for i in $crate::sealing::many::bits(of_right_len) {
                        messages[i].judge(&right[i], tags[i], &mut results[i]);
                    }
                }
            }
        }

        /// Few short messages cannot bear a branch each.
        #[inline]
        fn all_right(messages: &[Message<'_>]) -> bool {
            let doubt = |Message { key, nonce, aad, text }: &Message<'_>| key.doubt(nonce, aad, text.len());
            messages.iter().fold(0, |doubts, message| doubts | doubt(message)) == 0
                || messages.iter().all(|message| message.check().is_ok())
        }

        #[inline]
        fn seal_each(messages: &mut [Message<'_>], tags: &mut [$crate::core::tag::Tag]) {
            for (message, tag) in messages.iter_mut().zip(tags) {
                tag.len = message.key.tag_len();
                message.seal(tag);
            }
        }

        #[inline]
        fn open_each(messages: &mut [Message<'_>], tags: &[&[u8]], results: &mut [Result<(), $crate::core::Error>]) {
            for ((message, tag), result) in messages.iter_mut().zip(tags).zip(results) {
                message.open_alone(tag, result);
            }
        }

        #[cold]
        #[inline(never)]
        fn first_wrong(messages: &[Message<'_>]) -> Result<(), $crate::core::InMessage> {
            for (index, message) in messages.iter().enumerate() {
                message.check().map_err(|error| $crate::core::InMessage { index, error })?;
            }
            Ok(())
        }

        impl Default for Many {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}
pub(crate) use sealing_many;

/// The numbers of the bits that are set.
#[inline]
pub(crate) fn bits(mut of: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (of != 0).then(|| of.trailing_zeros() as usize);
        of &= of.wrapping_sub(1);
        bit
    })
}

/// As many of `what` as messages; or the first that has no partner.
#[inline]
pub(crate) fn as_many(messages: usize, what: &'static str, got: usize) -> Result<(), InMessage> {
    if got != messages {
        let allowed = "as many as there are messages";
        let error = Error::Length { what, got, allowed };
        return Err(InMessage { index: got.min(messages), error });
    }
    Ok(())
}
