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

/// Declares the backends of a primitive: an enum that holds one of them and dereferences to the
/// primitive's trait. `in` names the primitive's folder; each line, a file in it.
macro_rules! backends {
    (
        $(#[$doc:meta])*
        enum $Engine:ident($from:ty): $Trait:ident in $path:literal {
            $(
                $(#[$cfg:meta])*
                $name:literal $(($($price:tt)+))? needs $token:ident
                    => $Variant:ident($backend:ty),
            )+
        }
    ) => {
        $(#[$doc])*
        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        enum $Engine {
            $( $(#[$cfg])* $Variant($backend), )+
        }

        #[allow(dead_code)]
        impl $Engine {
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

            /// The backend of that name.
            fn named(name: &str, from: $from) -> Result<Self, $crate::Error> {
                $( $(#[$cfg])* {
                    if name == concat!($path, "/", $name) {
                        return match <$crate::cpu::$token as $crate::cpu::Token>::detect() {
                            Some(cpu) => Ok(Self::$Variant(<$backend>::new(cpu, from))),
                            None => Err($crate::Error::NoBackend),
                        };
                    }
                } )+
                Err($crate::Error::NoBackend)
            }

            /// Which backend this is.
            fn info(&self) -> &'static $crate::backend::Info {
                match self {
                    $( $(#[$cfg])* Self::$Variant(_) =>
                        const { &info!($path, $name ($($($price)+)?) needs $token) }, )+
                }
            }
        }

        impl core::ops::Deref for $Engine {
            type Target = dyn $Trait;

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
