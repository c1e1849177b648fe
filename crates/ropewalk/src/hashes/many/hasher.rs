//! The types that hash many messages, and how they show themselves to the scheduler.

/// Writes the type that hashes many messages, given the `Engine` and the `ManyEngine` of its module,
/// its `LANES`, `States`, `Texts`, `Tail` and `Schedule`.
macro_rules! hasher_of_many {
    (
        $(#[$doc:meta])*
        $Many:ident of $Hasher:ident, listed as $list:literal, starts with $start:path;
        $words:literal words of $Word:ty, blocks of $block:literal, digest of $digest:literal by $output:path
        $(, cut from $whole:literal)? $(; or $few:ident)?
    ) => {
        $crate::hashes::many::type_of_many! {
            $(#[$doc])*
            $Many, listed as $list $(; or $few)?
        }
        $crate::hashes::many::digest_of_many! { $Many of $Hasher; digest of $digest $(; or $few)? }

        impl $crate::hashes::many::Hash<$words, LANES, $block, $digest> for $Many {
            type Word = $Word;
            type Tail = Tail;
            type Schedule = Schedule;
            const PADDING: usize = 1 + $block / 8;

            #[inline]
            fn start() -> States {
                *const { &States::splat(&$start) }
            }
            fn prices(&self) -> $crate::hashes::many::Prices {
                self.prices
            }
            fn compress(&self, state: &mut [$Word; $words], blocks: &[[u8; $block]]) {
                self.one.compress(state, blocks);
            }
            fn compress_many(&self, states: &mut States, texts: &Texts<'_>) {
                self.engine.compress_many(states, texts);
            }
            fn known(len: u64) -> Schedule {
                let mut tail = <Self::Tail as $crate::hashes::many::Tail<$block>>::EMPTY;
                $crate::hashes::many::Tail::set(&mut tail, &[], len);
                lanes::known(&$crate::hashes::many::Tail::blocks(&tail)[0])
            }
            fn compress_known(&self, states: &mut States, schedule: &Schedule) {
                self.engine.compress_known(states, schedule);
            }
            fn digests(&self, states: &mut States, digests: &mut [[u8; $digest]]) {
                let mut all = many_digests!(nothing of $digest $(, cut from $whole)?);
                self.engine.digests(states, &mut all);
                for (digest, whole) in digests.iter_mut().zip(&all) {
                    *digest = *whole.first_chunk().unwrap_or_else(|| unreachable!("it is longer"));
                }
            }
            #[inline]
            fn digest(&self, message: &[u8], digest: &mut [u8; $digest]) {
                *digest = $crate::hashes::digest::<$Hasher>(&self.one, message);
            }
            fn finish(&self, state: &[$Word; $words], digest: &mut [u8; $digest]) {
                *digest = $output(state);
            }
            fn state_of(digest: &[u8; $digest]) -> [$Word; $words] {
                let mut block = $crate::core::secret::Wiped::new([0; $block]);
                block[..$digest].copy_from_slice(digest);
                let words = lanes::words(&block);
                core::array::from_fn(|i| words[i])
            }
            fn iterate(&self, links: &mut Links, count: u32) {
                self.engine.iterate(links, &Self::padding(), count);
            }
            $( $crate::hashes::many::few_lanes! { $few $words words of $Word, blocks of $block } )?
        }

        impl $Many {
            /// What follows a digest that is a message after another block.
            fn padding() -> Padding {
                let mut tail = <Tail as $crate::hashes::many::Tail<$block>>::EMPTY;
                $crate::hashes::many::Tail::set(&mut tail, &[0; $digest], $block + $digest);
                let words = lanes::words(&$crate::hashes::many::Tail::blocks(&tail)[0]);
                Padding { words, digest: $digest / size_of::<$Word>() }
            }
        }
    };
}

/// What it does by backends of few lanes.
macro_rules! few_lanes {
    (few $words:literal words of $Word:ty, blocks of $block:literal) => {
        #[inline]
        fn few(&self) -> bool {
            self.engine.few()
        }
        #[inline]
        fn prices_of_few(&self) -> Option<$crate::hashes::many::Prices> {
            match &self.beside {
                Some((_, prices)) => Some(*prices),
                None => self.engine.few().then_some(self.prices),
            }
        }
        fn compress_few(&self, states: &mut [[$Word; $words]], texts: &[&[[u8; $block]]]) {
            self.engine_of_few().compress_few(states, texts);
        }
        fn finish_few(&self, states: &mut [[$Word; $words]], texts: &[&[u8]], len: u64) {
            self.engine_of_few().finish_few(states, texts, len);
        }
        fn iterate_few(&self, links: &mut [Link], count: u32) {
            self.engine_of_few().iterate_few(links, &Self::padding(), count);
        }
    };
}

/// The type itself, for whatever shows itself to the scheduler.
macro_rules! type_of_many {
    (
        $(#[$doc:meta])*
        $Many:ident, listed as $list:literal $(; or $few:ident)?
    ) => {
        $(#[$doc])*
        pub struct $Many {
            engine: ManyEngine,
            /// A backend of few lanes, for what that one is not worth it, and its prices.
            #[allow(dead_code, reason = "not every function has a backend of few lanes")]
            beside: Option<(ManyEngine, $crate::hashes::many::Prices)>,
            one: Engine,
            prices: $crate::hashes::many::Prices,
        }

        impl $Many {
            /// With the best backends of this processor.
            #[inline]
            pub fn new() -> Self {
                Self::with_costs(Self::costs())
            }

            /// With the best backends of this processor, and what they were measured to cost on it.
            #[inline]
            pub fn with_costs(costs: $crate::core::backend::Costs) -> Self {
                let (engine, one) = ($crate::core::secret::deep(ManyEngine::best(())), Engine::best(()));
                let prices = $crate::hashes::many::Prices::new(engine.info(), costs);
                let beside = $crate::hashes::many::few_beside!(engine $(, $few)?).map(|few: ManyEngine| {
                    let costs = $crate::core::backend::Costs::of_few(few.info(), one.info(), costs);
                    let prices = $crate::hashes::many::Prices::new(few.info(), costs);
                    (few, prices)
                });
                let prices = match &beside {
                    Some((_, few)) => prices.beside(few),
                    None => prices,
                };
                Self { engine, beside, one, prices }
            }

            $( $crate::hashes::many::engine_of_few! { $few } )?

            /// What the best backends of this processor are thought to cost.
            #[inline]
            pub fn costs() -> $crate::core::backend::Costs {
                let (engine, one) = ($crate::core::secret::deep(ManyEngine::best(())), Engine::best(()));
                $crate::core::backend::Costs::recorded(engine.info(), one.info())
            }

            #[doc = concat!("With one backend, by its name in [`", $list, "`], even where one message at a time is")]
            /// faster.
            ///
            /// # Errors
            /// [`Error::NoBackend`](crate::Error::NoBackend) where it cannot run here.
            pub fn with_backend(name: &str) -> Result<Self, $crate::core::Error> {
                let engine = $crate::core::secret::deep(ManyEngine::named(name)?(()));
                let prices = $crate::hashes::many::Prices::forced(engine.info());
                Ok(Self { engine, beside: None, one: Engine::best(()), prices })
            }

            /// The name of its backend.
            pub fn backend(&self) -> &'static str {
                self.engine.info().name
            }

            /// How many messages that has side by side.
            pub fn lanes(&self) -> usize {
                self.engine.info().lanes
            }
        }

        impl Default for $Many {
            #[inline]
            fn default() -> Self {
                Self::new()
            }
        }

    };
}

/// The backend of few lanes that stands beside one of many.
macro_rules! few_beside {
    ($engine:ident) => {
        None
    };
    ($engine:ident, few) => {
        if $engine.few() { None } else { ManyEngine::of_few() }
    };
}

/// Who has few lanes.
macro_rules! engine_of_few {
    (few) => {
        #[inline]
        fn engine_of_few(&self) -> &ManyEngine {
            self.beside.as_ref().map_or(&self.engine, |(few, _)| few)
        }
    };
}

/// Says which backends of a list have few lanes, each with a state as one message has it: one of them, on each architecture.
macro_rules! backends_of_few {
    ($( $arch:literal $Cpu:ident => $Variant:ident($backend:ty); )+) => {
        impl ManyEngine {
            /// Whether it is one of few lanes.
            #[inline]
            fn few(&self) -> bool {
                match self {
                    $( #[cfg(target_arch = $arch)] Self::$Variant(_) => true, )+
                    _ => false,
                }
            }

            /// The one that has, where this processor can run it.
            #[inline]
            fn of_few() -> Option<Self> {
                $(
                    #[cfg(target_arch = $arch)]
                    if let Some(cpu) = <$crate::core::cpu::$Cpu as $crate::core::cpu::Token>::detect()
                        && Self::trusts::<$backend>()
                    {
                        return Some(Self::$Variant(<$backend>::new(cpu, ())));
                    }
                )+
                None
            }
        }

        /// How few lanes that has, or none.
        #[cfg(feature = "many")]
        #[inline]
        fn few_lanes() -> usize {
            ManyEngine::of_few().map_or(0, |engine| engine.info().lanes)
        }
    };
}

/// That it makes digests of one length.
macro_rules! digest_of_many {
    ($Many:ident of $Hasher:ident; digest of $digest:literal $(; or $few:ident)?) => {
        impl $Many {
            /// The digest of each message. Messages of any lengths may be mixed.
            ///
            /// # Errors
            /// [`Error::Length`](crate::Error::Length) where there are not as many digests as messages; none is then
            /// written.
            #[inline]
            pub fn digest(
                &self,
                messages: &[&[u8]],
                digests: &mut [[u8; $digest]],
            ) -> Result<(), $crate::core::Error> {
                // Whoever has named a backend wants its lanes for one message too.
                if !self.prices.too_few(1) {
                    return self.digest_all(messages, digests);
                }
                $crate::hashes::many::one_or_many(
                    messages,
                    digests,
                    || $crate::hashes::many::lanes_if_few!($($few)?),
                    |message| {
                        let mut digest = [0; $digest];
                        $crate::hashes::many::Hash::digest(self, message, &mut digest);
                        digest
                    },
                    |messages, digests| self.digest_all(messages, digests),
                )
            }

            /// The same. What lanes ask of a caller stays here.
            fn digest_all(
                &self,
                messages: &[&[u8]],
                digests: &mut [[u8; $digest]],
            ) -> Result<(), $crate::core::Error> {
                $crate::hashes::many::hash(self, messages, digests)
            }

            /// The same with the best backends of this processor.
            fn digest_by_best(
                messages: &[&[u8]],
                digests: &mut [[u8; $digest]],
            ) -> Result<(), $crate::core::Error> {
                $crate::hashes::many::hash(&Self::new(), messages, digests)
            }
        }

        #[cfg(feature = "hmac")]
        impl $crate::hashes::ManyCore for $Many {
            fn mac<K: $crate::hashes::many::Keyed<Hash = $Hasher>>(
                &self,
                messages: &[K],
                tags: &mut [[u8; $digest]],
            ) -> Result<(), $crate::core::Error> {
                $crate::hashes::many::hash(self, messages, tags)
            }

            #[inline]
            fn few_lanes() -> usize {
                $crate::hashes::many::lanes_if_few!($($few)?)
            }

            #[cfg(feature = "hkdf")]
            fn few(&self) -> bool {
                $crate::hashes::many::Hash::few(self)
            }

            #[cfg(feature = "hkdf")]
            fn pays_to_begin(&self, blocks: usize) -> bool {
                $crate::hashes::many::pays_to_begin(self, blocks)
            }

            #[cfg(feature = "hkdf")]
            fn begin(
                &self,
                blocks: &[<$Hasher as $crate::hashes::Core>::Block],
                states: &mut [<$Hasher as $crate::hashes::Core>::State],
            ) {
                $crate::hashes::many::begin(self, blocks, states);
            }

            #[cfg(feature = "pbkdf2")]
            fn iterate_all<B: $crate::hashes::many::Iterated<Hash = $Hasher>>(&self, all: impl Iterator<Item = B>) {
                $crate::hashes::many::iterate_all(self, all);
            }
        }

        #[cfg(not(feature = "hmac"))]
        impl $crate::hashes::ManyCore for $Many {}

        impl $crate::hashes::HashMany for $Many {
            type One = $Hasher;

            fn with_backend(name: &str) -> Result<Self, $crate::core::Error> {
                Self::with_backend(name)
            }
            fn backend(&self) -> &'static str {
                self.backend()
            }
            fn lanes(&self) -> usize {
                self.lanes()
            }
            fn with_costs(costs: $crate::core::backend::Costs) -> Self {
                Self::with_costs(costs)
            }
            fn costs() -> $crate::core::backend::Costs {
                Self::costs()
            }
            fn digest(
                &self,
                messages: &[&[u8]],
                digests: &mut [[u8; $digest]],
            ) -> Result<(), $crate::core::Error> {
                self.digest(messages, digests)
            }
        }
    };
}

/// How few lanes a module says that its best backend has, if it has any that has few.
macro_rules! lanes_if_few {
    () => {
        0
    };
    (few) => {
        few_lanes()
    };
}

/// Room for the digests of all lanes, as backends write them.
macro_rules! many_digests {
    (nothing of $digest:literal) => {
        [[0; $digest]; LANES]
    };
    (nothing of $digest:literal, cut from $whole:literal) => {
        [[0; $whole]; LANES]
    };
}

pub(crate) use lanes_if_few;
pub(crate) use {
    backends_of_few, digest_of_many, engine_of_few, few_beside, few_lanes, hasher_of_many,
    many_digests, type_of_many,
};
