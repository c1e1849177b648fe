//! Engines for generic code, and lists with two kinds of backends.

use super::Info;
use crate::core::Error;

/// An engine of a list, for generic code.
pub(crate) trait Chosen: Sized {
    /// The best backend of this processor.
    fn best() -> Self;
    /// The backend of that name.
    fn named(name: &str) -> Result<Self, Error>;
    /// Which backend this is.
    fn info(&self) -> &'static Info;
}

/// An engine whose backends are of two kinds: those with lanes, and those for narrow batches, which interleave a few messages.
pub(crate) trait TwoKinds: Chosen {
    type Lanes;
    type Few;

    /// Which of the two this backend is.
    fn kind(self) -> Kind<Self::Lanes, Self::Few>;
    /// The first backend for narrow batches that can run here and computes its known answers.
    fn few() -> Option<(Self::Few, &'static Info)>;
}

/// A backend of one of two kinds.
pub(crate) enum Kind<Lanes, Few> {
    Lanes(Lanes),
    Few(Few),
}

/// An engine whose backends all have lanes.
pub(crate) struct LanesOnly<Engine>(Engine);

impl<Engine: Chosen> Chosen for LanesOnly<Engine> {
    #[inline]
    fn best() -> Self {
        Self(Engine::best())
    }
    fn named(name: &str) -> Result<Self, Error> {
        Ok(Self(Engine::named(name)?))
    }
    #[inline]
    fn info(&self) -> &'static Info {
        self.0.info()
    }
}

impl<Engine: Chosen> TwoKinds for LanesOnly<Engine> {
    type Lanes = Engine;
    type Few = Never;

    #[inline]
    fn kind(self) -> Kind<Engine, Never> {
        Kind::Lanes(self.0)
    }
    #[inline]
    fn few() -> Option<(Never, &'static Info)> {
        None
    }
}

/// A backend of a kind that a list does not have.
#[derive(Clone, Copy)]
pub(crate) enum Never {}

/// An engine that holds a backend of one kind, and the functions of that backend.
pub(crate) struct Held<Engine, Entries: 'static> {
    engine: Engine,
    entries: &'static Entries,
}

impl<Engine, Entries> Held<Engine, Entries> {
    /// # Safety
    /// The functions are those of the backend that the engine holds.
    #[allow(unsafe_code)]
    #[inline(always)]
    pub(crate) unsafe fn new(engine: Engine, entries: &'static Entries) -> Self {
        Self { engine, entries }
    }

    /// The engine and its table of functions.
    #[inline(always)]
    pub(crate) fn parts(&self) -> (&Engine, &'static Entries) {
        (&self.engine, self.entries)
    }
}

/// An engine implements the trait of its backends.
macro_rules! engine_of {
    ($Engine:ident $Trait:ident<$Of:ident> { $(fn $name:ident($($arg:ident: $ty:ty),*);)+ }) => {
        impl $Trait<$Of> for $Engine {
            $(
                #[inline]
                fn $name(&self $(, $arg: $ty)*) {
                    $Engine::$name(self $(, $arg)*);
                }
            )+
        }

        chosen! { $Engine }
    };
}

macro_rules! chosen {
    ($Engine:ident) => {
        impl $crate::core::backend::Chosen for $Engine {
            #[inline]
            fn best() -> Self {
                $Engine::best(())
            }
            fn named(name: &str) -> Result<Self, $crate::core::Error> {
                Ok($Engine::named(name)?(()))
            }
            #[inline]
            fn info(&self) -> &'static $crate::core::backend::Info {
                $Engine::info(self)
            }
        }
    };
}

/// A backend of one kind implements the trait of its kind.
macro_rules! held {
    ($Engine:ident $Entries:ident $Trait:ident<$Of:ident> { $(fn $name:ident($($arg:ident: $ty:ty),*);)+ }) => {
        impl $Trait<$Of> for $crate::core::backend::Held<$Engine, $Entries> {
            $(
                #[inline]
                fn $name(&self $(, $arg: $ty)*) {
                    let (engine, entries) = self.parts();
                    // SAFETY: these are the functions of the backend that the engine holds, see `Held::new`.
                    #[allow(unsafe_code)]
                    unsafe {
                        (entries.$name)(engine $(, $arg)*)
                    }
                }
            )+
        }
    };
}

/// The function table of a backend of either kind.
macro_rules! entries_of_kind {
    (
        $arch:tt $features:tt [] $Engine:ident $Variant:ident($backend:ty)
        [$Entries:ident $Trait:ident $calls:tt] $other:tt
    ) => {
        entries! { $arch $features $Engine $Entries $Variant($backend) $Trait $calls }
    };
    (
        $arch:tt $features:tt [$kind:ident] $Engine:ident $Variant:ident($backend:ty)
        $first:tt [$Entries:ident $Trait:ident $calls:tt]
    ) => {
        entries! { $arch $features $Engine $Entries $Variant($backend) $Trait $calls }
    };
}

/// The engine reports which kind its backend is.
macro_rules! kinds {
    (
        $Engine:ident $Entries:ident $Other:ident
        $( $(#[$cfg:meta])* [$($other:ident)?] $token:ident $Variant:ident($backend:ty) )+
    ) => {
        chosen! { $Engine }

        impl $crate::core::backend::TwoKinds for $Engine {
            type Lanes = $crate::core::backend::Held<$Engine, $Entries>;
            type Few = $crate::core::backend::Held<$Engine, $Other>;

            #[inline]
            fn kind(self) -> $crate::core::backend::Kind<Self::Lanes, Self::Few> {
                match self {
                    $( $(#[$cfg])* engine @ Self::$Variant(_) => kind! { [$($other)?] engine $Entries $Other $backend }, )+
                }
            }

            #[inline]
            fn few() -> Option<(Self::Few, &'static $crate::core::backend::Info)> {
                $( $(#[$cfg])* if_few! { [$($other)?] $Engine $Other $token $Variant($backend) } )+
                None
            }
        }
    };
}

macro_rules! kind {
    ([] $engine:ident $Entries:ident $Other:ident $backend:ty) => {
        $crate::core::backend::Kind::Lanes(held_by! { $engine $Entries $backend })
    };
    ([$kind:ident] $engine:ident $Entries:ident $Other:ident $backend:ty) => {
        $crate::core::backend::Kind::Few(held_by! { $engine $Other $backend })
    };
}

macro_rules! if_few {
    ([] $Engine:ident $Other:ident $token:ident $Variant:ident($backend:ty)) => {};
    ([$kind:ident] $Engine:ident $Other:ident $token:ident $Variant:ident($backend:ty)) => {
        if let Some(cpu) = <$crate::core::cpu::$token as $crate::core::cpu::Token>::detect()
            && Self::trusts::<$backend>()
        {
            let engine = $Engine::$Variant(<$backend>::new(cpu, ()));
            let info = engine.info();
            return Some((held_by! { engine $Other $backend }, info));
        }
    };
}

macro_rules! held_by {
    ($engine:ident $Entries:ident $backend:ty) => {{
        let entries = const { &<$backend as $crate::core::backend::Entered<$Entries>>::ENTRIES };
        // SAFETY: the engine has just been found to hold that backend.
        #[allow(unsafe_code)]
        unsafe {
            $crate::core::backend::Held::new($engine, entries)
        }
    }};
}
