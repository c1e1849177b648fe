//! The list of implementations of a primitive.

/// One primitive, as tests, `doctor`, `selftest` and `speed` see it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Primitive {
    /// Its name: `sha256`.
    pub name: &'static str,
    /// The standard that defines it.
    pub standard: &'static str,
    /// Its backends that this target can have, most preferred first.
    pub backends: &'static [Info],
    /// Whether a known answer comes out of the backend of that name.
    ///
    /// # Errors
    /// [`Error::NoBackend`](crate::Error::NoBackend) where it cannot run here.
    pub self_test: fn(backend: &str) -> Result<bool, crate::Error>,
}

impl Primitive {
    /// The backend that a new key or hasher gets: the first of the list that can run here.
    pub fn chosen(&self) -> Option<&'static Info> {
        self.backends.iter().find(|info| (info.available)())
    }
}

/// One implementation of a primitive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Info {
    /// Its name, which is also the path of its file: `sha256/x86_64/shani`.
    pub name: &'static str,
    /// The processor features it needs.
    pub features: &'static [&'static str],
    /// Messages it works on side by side.
    pub lanes: usize,
    /// Core cycles of one block in each lane on the reference processor. Only what backends cost
    /// beside each other is used, to tell from how many messages on lanes pay; 0 where nothing asks.
    pub cycles: u32,
    /// Core cycles of a group of lanes besides its blocks.
    pub start: u32,
    /// Whether this processor can run it, and no mask forbids it.
    pub available: fn() -> bool,
}

/// What messages cost one by one and side by side, in core cycles: it tells how many must be there for lanes to pay. Lists
/// have what was measured on a reference processor; `ropewalk calibrate` measures another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A block of one message.
    pub one: u32,
    /// A block in each lane.
    pub step: u32,
    /// A group of lanes besides its blocks.
    pub start: u32,
}

impl Costs {
    /// From how many messages of so many blocks on a group of lanes is worth it.
    pub fn pay_from(&self, blocks: usize) -> usize {
        let [one, step, start] = [self.one.max(1), self.step, self.start].map(u64::from);
        let blocks = blocks.max(1) as u64;
        (start + step * blocks).div_ceil(one * blocks) as usize
    }

    /// What the lists say.
    pub(crate) fn recorded(many: &Info, one: &Info) -> Self {
        Self { one: one.cycles, step: many.cycles, start: many.start }
    }

    /// The same of few lanes that stand beside others of which this is known.
    #[inline]
    #[allow(dead_code, reason = "only hash functions have any")]
    pub(crate) fn of_few(few: &Info, one: &Info, beside: Self) -> Self {
        let recorded = Self::recorded(few, one);
        if beside.one == recorded.one {
            return recorded;
        }
        // What one message takes more or less, they do too.
        let scale = |cycles: u32| {
            let cycles = u64::from(cycles) * u64::from(beside.one) / u64::from(recorded.one.max(1));
            cycles.try_into().unwrap_or(u32::MAX)
        };
        Self { one: beside.one, step: scale(recorded.step), start: scale(recorded.start) }
    }
}

/// A backend in a list, and where its functions are.
pub(crate) trait Listed<Entries> {
    const ENTRIES: Entries;
}

/// A backend that an engine holds or not: what goes from message to message asks that of each key, and calls nobody where keys
/// have the same one.
pub(crate) trait HeldBy<Engine> {
    #[allow(dead_code, reason = "only who has such functions asks")]
    fn held_by(engine: &Engine) -> Option<&Self>;
}

/// Declares the backends of a primitive: an enum that holds one of them, with functions of the
/// primitive's trait that it `calls`. `in` names the primitive's folder; each line, a file in it.
///
/// For a short message it counts what lies between a call and its kernel. Each backend has a function of
/// each kind, with the features of its token, into which the kernel is inlined; a text behind a semicolon
/// goes there in registers. The `dyn` trait is what is not called for each message.
macro_rules! backends {
    (
        calls $Entries:ident $calls:tt
        $(dyn $Rest:ident)?

        $(#[$doc:meta])*
        $(pub($seen:ident))? enum $Engine:ident($from:ty): $Trait:ident in $path:literal {
            $(
                $(#[$cfg:meta])*
                $name:literal $(($($price:tt)+))? needs $token:ident
                    => $Variant:ident($backend:ty),
            )+
        }
    ) => {
        $(#[$doc])*
        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        #[allow(private_interfaces, reason = "whoever else sees an engine passes it on")]
        $(pub($seen))? enum $Engine {
            $( $(#[$cfg])* $Variant($backend), )+
        }

        engine! { $Engine $Entries $calls }
        rest! { $Engine [$($Rest)?] $( $(#[$cfg])* $Variant )+ }

        $(
            $(#[$cfg])*
            features! { $token, entries! { $Engine $Entries $Variant($backend) $Trait $calls } }
        )+

        #[allow(dead_code)]
        impl $Engine {
            #[inline(always)]
            fn entries(&self) -> $Entries {
                match self {
                    $( $(#[$cfg])* Self::$Variant(_) =>
                        <$backend as $crate::backend::Listed<$Entries>>::ENTRIES, )+
                }
            }

            /// Every backend built for this target, most preferred first.
            const ALL: &'static [$crate::backend::Info] = &[
                $( $(#[$cfg])* info!($path, $name ($($($price)+)?) needs $token), )+
            ];

            /// The first backend that can run here.
            #[inline]
            fn best(from: $from) -> Self {
                if size_of::<Self>() <= 64 { Self::first(from) } else { Self::first_in_place(from) }
            }

            /// Makes it where the caller wants it. Inlined, it would be made elsewhere on the stack and
            /// copied: 30 cycles for a key of a kilobyte, and a copy that nothing wipes.
            #[inline(never)]
            fn first_in_place(from: $from) -> Self {
                Self::first(from)
            }

            #[inline]
            fn first(from: $from) -> Self {
                $( $(#[$cfg])* {
                    if let Some(cpu) = <$crate::cpu::$token as $crate::cpu::Token>::detect() {
                        return Self::$Variant(<$backend>::new(cpu, from));
                    }
                } )+
                unreachable!("the portable backend asks for nothing")
            }

            /// What makes the backend of that name, where the caller wants it.
            fn named(name: &str) -> Result<impl FnOnce($from) -> Self, $crate::Error> {
                enum Choice {
                    $( $(#[$cfg])* $Variant($crate::cpu::$token), )+
                }

                #[inline(never)]
                fn make(choice: Choice, from: $from) -> $Engine {
                    match choice {
                        $( $(#[$cfg])* Choice::$Variant(cpu) =>
                            $Engine::$Variant(<$backend>::new(cpu, from)), )+
                    }
                }

                let choice = match name {
                    $( $(#[$cfg])* concat!($path, "/", $name) =>
                        <$crate::cpu::$token as $crate::cpu::Token>::detect().map(Choice::$Variant), )+
                    _ => None,
                };
                let choice = choice.ok_or($crate::Error::NoBackend)?;
                Ok(move |from: $from| make(choice, from))
            }

            /// Which backend this is.
            fn info(&self) -> &'static $crate::backend::Info {
                match self {
                    $( $(#[$cfg])* Self::$Variant(_) =>
                        const { &info!($path, $name ($($($price)+)?) needs $token) }, )+
                }
            }
        }
    };
}

/// The functions of an engine. A text goes to a kernel as what it consists of.
macro_rules! engine {
    (
        $Engine:ident $Entries:ident {
            $(fn $name:ident(
                $($arg:ident: $ty:ty),* $(; $text:ident $(, $more:ident: $more_ty:ty)*)?
            );)+
        }
    ) => {
        /// Where they are for one backend.
        struct $Entries {
            $(
                #[allow(unsafe_code)]
                $name: unsafe fn(
                    &$Engine
                    $(, $ty)* $(, $text: *const u8, *mut u8, usize $(, $more_ty)*)?
                ),
            )+
        }

        impl $Engine {
            $(
                #[inline]
                fn $name(
                    &self
                    $(, $arg: $ty)* $(, $text: $crate::text::Text<'_> $(, $more: $more_ty)*)?
                ) {
                    let entry = self.entries().$name;
                    $( let $text = $text.into_parts(); )?
                    // SAFETY: `entries` asked which backend `self` holds; and the parts are those of
                    // a text that nobody has any more.
                    #[allow(unsafe_code)]
                    unsafe {
                        entry(
                            self
                            $(, $arg)* $(, $text.0, $text.1, $text.2 $(, $more)*)?
                        )
                    }
                }
            )+
        }
    };
}

/// What an engine has besides, from another trait of its backends: it dereferences to that.
macro_rules! rest {
    ($Engine:ident [] $($variants:tt)+) => {};
    ($Engine:ident [$Rest:ident] $( $(#[$cfg:meta])* $Variant:ident )+) => {
        impl core::ops::Deref for $Engine {
            type Target = dyn $Rest;

            #[inline]
            fn deref(&self) -> &Self::Target {
                match self {
                    $( $(#[$cfg])* Self::$Variant(backend) => backend, )+
                }
            }
        }

        impl core::ops::DerefMut for $Engine {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $( $(#[$cfg])* Self::$Variant(backend) => backend, )+
                }
            }
        }
    };
}

/// Where the functions of one backend are.
macro_rules! entries {
    (
        $arch:tt $features:tt $Engine:ident $Entries:ident $Variant:ident($backend:ty) $Trait:ident {
            $(fn $name:ident $args:tt;)+
        }
    ) => {
        impl $crate::backend::Listed<$Entries> for $backend {
            const ENTRIES: $Entries = {
                $( entry! { $features $Engine $Variant $Trait $name $args } )+
                $Entries { $($name),+ }
            };
        }

        impl $crate::backend::HeldBy<$Engine> for $backend {
            #[inline(always)]
            fn held_by(engine: &$Engine) -> Option<&Self> {
                #[allow(unreachable_patterns, reason = "there may be but one")]
                match engine {
                    $Engine::$Variant(backend) => Some(backend),
                    _ => None,
                }
            }
        }
    };
}

/// A function for engines that hold one backend. That they do proves the features: they have it from
/// `best` or `named`, which had the token of its line.
macro_rules! entry {
    (
        [$($feature:tt)*] $Engine:ident $Variant:ident $Trait:ident $name:ident (
            $($arg:ident: $ty:ty),* $(; $text:ident $(, $more:ident: $more_ty:ty)*)?
        )
    ) => {
        $( #[target_feature(enable = $feature)] )*
        #[allow(unsafe_code)]
        unsafe fn $name(
            engine: &$Engine
            $(, $arg: $ty)* $(, $text: *const u8, to: *mut u8, len: usize $(, $more: $more_ty)*)?
        ) {
            #[allow(irrefutable_let_patterns, reason = "there may be but one")]
            let $Engine::$Variant(backend) = engine else {
                // SAFETY: only an engine that holds this backend calls this.
                #[allow(unsafe_code)]
                unsafe {
                    core::hint::unreachable_unchecked()
                }
            };
            $(
                // SAFETY: the engine has just taken a text to pieces.
                #[allow(unsafe_code)]
                let $text = unsafe { $crate::text::Text::from_parts($text, to, len) };
            )?
            $Trait::$name(backend $(, $arg)* $(, $text $(, $more)*)?);
        }
    };
}

macro_rules! info {
    ($path:literal, $name:literal () needs $token:ident) => {
        info!($path, $name (0 cycles) needs $token)
    };
    ($path:literal, $name:literal ($cycles:literal cycles) needs $token:ident) => {
        info!($path, $name ($cycles cycles, 0 at the start, 1 lanes) needs $token)
    };
    (
        $path:literal, $name:literal
        ($cycles:literal cycles, $start:literal at the start, $lanes:literal lanes)
        needs $token:ident
    ) => {
        $crate::backend::Info {
            name: concat!($path, "/", $name),
            features: <$crate::cpu::$token as $crate::cpu::Token>::FEATURES,
            lanes: $lanes,
            cycles: $cycles,
            start: $start,
            available: || <$crate::cpu::$token as $crate::cpu::Token>::detect().is_some(),
        }
    };
}
