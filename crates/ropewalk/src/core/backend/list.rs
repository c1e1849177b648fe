//! The macros that declare a list of backends and its engine.

/// Declares the backends of a primitive: an enum that holds one of them, with those functions of the primitive's trait that it
/// `calls`. `in` names the primitive's folder; each line, a file in it.
///
/// For a short message the path from a call to its kernel matters. Each backend has its own function for each entry of `calls`,
/// with the features of its token; the kernel is inlined into it. An in/out buffer after a semicolon is passed in registers. The
/// `dyn` trait has the functions that are not called once per message. `tested by` names the function that computes the known
/// answers of a backend. That function makes engines of this list by `named` only; it may use `best` of other lists.
///
/// `if` names a field of [`Tuning`](crate::core::tuning::Tuning): where it is false, the backend is available by its name only.
///
/// Where the trait has a parameter, the engine implements it too, and [`Chosen`]: generic code can use any such engine. A list
/// may have backends of two kinds, each with its trait and functions; lines of the second kind begin with a word. See
/// [`TwoKinds`].
macro_rules! backends {
    (
        calls $Entries:ident $calls:tt
        $(dyn $Rest:ident)?
        tested by $known:path;

        $(#[$doc:meta])*
        $(pub($seen:ident))? enum $Engine:ident($from:ty): $Trait:ident $(<$Of:ident>)? in $path:literal
            $(sweeps $hardware:literal or $software:literal)? {
            $(
                $(#[$cfg:meta])*
                $name:literal $(($($price:tt)+))? needs $token:ident $(if $field:ident)?
                    => $Variant:ident($backend:ty),
            )+
        }
    ) => {
        list! {
            tested by $known;
            $(#[$doc])*
            $(pub($seen))? enum $Engine($from) in $path $(sweeps $hardware or $software)? {
                $( $(#[$cfg])* $name $(($($price)+))? needs $token $(if $field)? => $Variant($backend), )+
            }
        }
        function_table! { [] $Engine $Entries $calls }
        engine! { $Engine $Entries $calls }
        rest! { $Engine [$($Rest)?] $( $(#[$cfg])* $Variant )+ }
        $( engine_of! { $Engine $Trait<$Of> $calls } )?

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
                        <$backend as $crate::core::backend::Entered<$Entries>>::ENTRIES, )+
                }
            }
        }
    };
    (
        calls $Entries:ident $calls:tt
        or $OtherEntries:ident $other_calls:tt
        tested by $known:path;

        $(#[$doc:meta])*
        $(pub($seen:ident))? enum $Engine:ident(()): $Trait:ident<$Of:ident> or $OtherTrait:ident<$OtherOf:ident> in $path:literal {
            $(
                $(#[$cfg:meta])*
                $($other:ident)? $name:literal $(($($price:tt)+))? needs $token:ident $(if $field:ident)?
                    => $Variant:ident($backend:ty),
            )+
        }
    ) => {
        list! {
            tested by $known;
            $(#[$doc])*
            $(pub($seen))? enum $Engine(()) in $path {
                $( $(#[$cfg])* $name $(($($price)+))? needs $token $(if $field)? => $Variant($backend), )+
            }
        }
        function_table! { [$(pub($seen))?] $Engine $Entries $calls }
        function_table! { [$(pub($seen))?] $Engine $OtherEntries $other_calls }
        held! { $Engine $Entries $Trait<$Of> $calls }
        held! { $Engine $OtherEntries $OtherTrait<$OtherOf> $other_calls }

        $(
            $(#[$cfg])*
            features! { $token, entries_of_kind! {
                [$($other)?] $Engine $Variant($backend)
                [$Entries $Trait $calls] [$OtherEntries $OtherTrait $other_calls]
            } }
        )+

        kinds! {
            $Engine $Entries $OtherEntries
            $( $(#[$cfg])* [$($other)?] $token $Variant($backend) )+
        }
    };
}

/// The enum of the backends of a list, and how one of them is chosen.
macro_rules! list {
    (
        tested by $known:path;

        $(#[$doc:meta])*
        $(pub($seen:ident))? enum $Engine:ident($from:ty) in $path:literal
            $(sweeps $hardware:literal or $software:literal)? {
            $(
                $(#[$cfg:meta])*
                $name:literal $(($($price:tt)+))? needs $token:ident $(if $field:ident)?
                    => $Variant:ident($backend:ty),
            )+
        }
    ) => {
        $(#[$doc])*
        #[allow(clippy::large_enum_variant, reason = "a key lies where it is used, not on the heap")]
        #[allow(private_interfaces, reason = "other modules only pass it on")]
        $(pub($seen))? enum $Engine {
            $( $(#[$cfg])* $Variant($backend), )+
        }

        $(
            $(#[$cfg])*
            impl $crate::core::backend::Listed<$Engine> for $backend {
                const AT: usize = $crate::core::backend::place($Engine::NAMES, concat!($path, "/", $name));
            }

            $(#[$cfg])*
            impl $crate::core::backend::HeldBy<$Engine> for $backend {
                #[inline(always)]
                fn held_by(engine: &$Engine) -> Option<&Self> {
                    #[allow(unreachable_patterns, reason = "there may be but one")]
                    match engine {
                        $Engine::$Variant(backend) => Some(backend),
                        _ => None,
                    }
                }
            }
        )+

        #[allow(dead_code)]
        impl $Engine {
            /// Bytes of stack that are overwritten after a key has been made: with a backend that has instructions for the
            /// primitive, and with another, which keeps more in memory.
            const SWEPT: [usize; 2] = swept!($($hardware $software)?);

            /// The same for this backend: a key that is replaced leaves as much on the stack as a new one.
            fn swept(&self) -> usize {
                Self::SWEPT[!self.info().in_hardware as usize]
            }

            const NAMES: &'static [&'static str] = &[ $( $(#[$cfg])* concat!($path, "/", $name), )+ ];

            /// Every backend built for this target, most preferred first.
            const ALL: &'static [$crate::core::backend::Info] = &[
                $( $(#[$cfg])* $crate::core::backend::Info {
                    fits: || true $(&& $crate::core::tuning::row().$field)?,
                    ..info!($Engine($backend) by $known, $path, $name ($($($price)+)?) needs $token)
                }, )+
            ];

            #[inline(always)]
            fn verdicts() -> &'static $crate::core::backend::Verdicts {
                static VERDICTS: $crate::core::backend::Verdicts = $crate::core::backend::Verdicts::new();
                &VERDICTS
            }

            /// Whether a backend that can run here computes its known answers.
            #[inline(always)]
            fn trusts<Backend: $crate::core::backend::Listed<$Engine>>() -> bool {
                let right = const { $crate::core::backend::Verdicts::right(Backend::AT) };
                Self::verdicts().bits() & right != 0 || Self::ALL[Backend::AT].computes_right()
            }

            /// The first backend that can run here and computes its known answers.
            #[inline]
            fn best(from: $from) -> Self {
                if size_of::<Self>() <= 64 { Self::first(from) } else { Self::first_in_place(from) }
            }

            /// Makes it in the caller's place. Inlined, it would be made elsewhere on the stack and copied: 30 cycles for a key
            /// of a kilobyte, and a copy that is not wiped.
            #[inline(never)]
            fn first_in_place(from: $from) -> Self {
                Self::first(from)
            }

            #[inline]
            fn first(from: $from) -> Self {
                // A hasher may be made for each message, so each instruction counts. Before the processor's features are
                // known, there is no verdict, and the last line is reached.
                let (known, verdicts) = ($crate::core::cpu::Known::now(), Self::verdicts().bits());
                $( $(#[$cfg])* {
                    const AT: usize = <$backend as $crate::core::backend::Listed<$Engine>>::AT;
                    if true $(&& $crate::core::tuning::row().$field)?
                        && let Some(cpu) = <$crate::core::cpu::$token as $crate::core::cpu::Token>::among(known)
                    {
                        if verdicts & const { $crate::core::backend::Verdicts::right(AT) } != 0 {
                            return match size_of::<Self>() {
                                ..=64 => Self::$Variant(<$backend>::new(cpu, from)),
                                _ => made!(Self $token Self::$Variant(<$backend>::new(cpu, from))),
                            };
                        }
                        if verdicts & const { $crate::core::backend::Verdicts::wrong(AT) } == 0 {
                            return Self::first_right(from);
                        }
                    }
                } )+
                Self::first_right(from)
            }

            /// The same where a backend has not been tested, or all gave wrong answers.
            #[cold]
            #[inline(never)]
            fn first_right(from: $from) -> Self {
                loop {
                    // It fails where a mask has removed the backend in the meantime: never for the last of the list.
                    if let Ok(make) = Self::named($crate::core::backend::first_right(Self::ALL)) {
                        return make(from);
                    }
                }
            }

            /// A constructor of the backend of that name, in the caller's place.
            fn named(name: &str) -> Result<impl FnOnce($from) -> Self, $crate::core::Error> {
                enum Choice {
                    $( $(#[$cfg])* $Variant($crate::core::cpu::$token), )+
                }

                #[inline(never)]
                fn make(choice: Choice, from: $from) -> $Engine {
                    match choice {
                        $( $(#[$cfg])* Choice::$Variant(cpu) =>
                            $crate::core::backend::apart(|| $Engine::$Variant(<$backend>::new(cpu, from))), )+
                    }
                }

                let choice = match name {
                    $( $(#[$cfg])* concat!($path, "/", $name) =>
                        <$crate::core::cpu::$token as $crate::core::cpu::Token>::detect().map(Choice::$Variant), )+
                    _ => None,
                };
                let choice = choice.ok_or($crate::core::Error::NoBackend)?;
                Ok(move |from: $from| match Self::SWEPT {
                    [_, 0] => make(choice, from),
                    [_, most] => $crate::core::secret::swept(most, || make(choice, from)),
                })
            }

            /// Which backend this is.
            fn info(&self) -> &'static $crate::core::backend::Info {
                match self {
                    $( $(#[$cfg])* Self::$Variant(_) =>
                        const { &Self::ALL[<$backend as $crate::core::backend::Listed<$Engine>>::AT] }, )+
                }
            }
        }
    };
}

macro_rules! swept {
    () => {
        [0, 0]
    };
    ($hardware:literal $software:literal) => {
        [$hardware, $software]
    };
}

/// Makes an engine in a stack frame of its own, and overwrites that frame afterwards.
macro_rules! made {
    ($Engine:ident $token:ident $make:expr) => {{
        let bytes = const {
            let features = <$crate::core::cpu::$token as $crate::core::cpu::Token>::FEATURES;
            $Engine::SWEPT[!$crate::core::backend::in_hardware(features) as usize]
        };
        let _sweep = $crate::core::secret::Sweep(bytes);
        $crate::core::backend::apart(|| $make)
    }};
}

/// The table of functions that an engine calls.
macro_rules! function_table {
    (
        [$($visible:tt)*] $Engine:ident $Entries:ident {
            $(fn $name:ident(
                $($arg:ident: $ty:ty),* $(; $text:ident $(, $more:ident: $more_ty:ty)*)?
            );)+
        }
    ) => {
        /// The functions of one backend.
        $($visible)* struct $Entries {
            $(
                #[allow(unsafe_code)]
                $name: unsafe fn(
                    &$Engine
                    $(, $ty)* $(, $text: *const u8, *mut u8, usize $(, $more_ty)*)?
                ),
            )+
        }
    };
}

/// The functions of an engine. An in/out buffer is passed to a kernel as two pointers and a length.
macro_rules! engine {
    (
        $Engine:ident $Entries:ident {
            $(fn $name:ident(
                $($arg:ident: $ty:ty),* $(; $text:ident $(, $more:ident: $more_ty:ty)*)?
            );)+
        }
    ) => {
        impl $Engine {
            $(
                #[inline]
                fn $name(
                    &self
                    $(, $arg: $ty)* $(, $text: $crate::core::text::Text<'_> $(, $more: $more_ty)*)?
                ) {
                    let entry = self.entries().$name;
                    $( let $text = $text.into_parts(); )?
                    // SAFETY: `entries` gave the functions of the backend that `self` holds; and the parts are those of a buffer
                    // that no longer exists.
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

/// The functions of the `dyn` trait of the backends: the engine dereferences to it.
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

/// The table of one backend.
macro_rules! entries {
    (
        $arch:tt $features:tt
        $Engine:ident $Entries:ident $Variant:ident($backend:ty) $Trait:ident {
            $(fn $name:ident $args:tt;)+
        }
    ) => {
        impl $crate::core::backend::Entered<$Entries> for $backend {
            const ENTRIES: $Entries = {
                $( entry! { $features $Engine $Variant $Trait $name $args } )+
                $Entries { $($name),+ }
            };
        }
    };
}

/// A function for engines that hold one backend. Such an engine proves the features: `best` or `named` made it, with the token of
/// its line.
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
                // SAFETY: the engine has just made these parts of a buffer.
                #[allow(unsafe_code)]
                let $text = unsafe { $crate::core::text::Text::from_parts($text, to, len) };
            )?
            $Trait::$name(backend $(, $arg)* $(, $text $(, $more)*)?);
        }
    };
}

macro_rules! info {
    ($Engine:ident($backend:ty) by $known:path, $path:literal, $name:literal () needs $token:ident) => {
        info!($Engine($backend) by $known, $path, $name (0 cycles) needs $token)
    };
    (
        $Engine:ident($backend:ty) by $known:path,
        $path:literal, $name:literal ($cycles:literal cycles) needs $token:ident
    ) => {
        info!(
            $Engine($backend) by $known,
            $path, $name ($cycles cycles, 0 at the start, 1 lanes) needs $token
        )
    };
    (
        $Engine:ident($backend:ty) by $known:path, $path:literal, $name:literal
        ($cycles:literal cycles, $start:literal at the start, $lanes:literal lanes)
        needs $token:ident
    ) => {
        $crate::core::backend::Info {
            name: concat!($path, "/", $name),
            features: <$crate::core::cpu::$token as $crate::core::cpu::Token>::FEATURES,
            in_hardware: const { $crate::core::backend::in_hardware(<$crate::core::cpu::$token as $crate::core::cpu::Token>::FEATURES) },
            lanes: $lanes,
            cycles: $cycles,
            start: $start,
            available: || <$crate::core::cpu::$token as $crate::core::cpu::Token>::detect().is_some(),
            fits: || true,
            verdicts: $Engine::verdicts,
            at: <$backend as $crate::core::backend::Listed<$Engine>>::AT,
            known_answers: $known,
        }
    };
}
