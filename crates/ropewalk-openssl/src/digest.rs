//! DIGEST: SHA-1, SHA-2, SHA-3, SHAKE and MD5.

use core::{marker::PhantomData, mem};

use ropewalk::{
    Hash,
    md5::Md5,
    sha1::Sha1,
    sha3::{Reader, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256},
    sha256::{Sha224, Sha256},
    sha512::{Sha384, Sha512, Sha512_256},
};

use crate::{
    abi::{Algorithm, Context, Dispatch, Success, digest, list},
    call::{answer, drop_held, duplicate, first, hold, plain, with},
    error::Reason,
    hmac::{self, Keyed},
    params::{self, Param, Params, view},
    stats::Counter,
};

/// A hash function, as OpenSSL is offered it.
pub(crate) trait Digest: Clone + 'static {
    const COUNTER: &'static Counter;
    /// In bytes.
    const BLOCK: usize;
    /// In bytes. SHAKE gives as many where nobody says how many.
    const SIZE: usize;
    /// Whether the output may have any length.
    const XOF: bool = false;
    /// Whether an `AlgorithmIdentifier` of it has no parameters.
    const NO_PARAMETERS: bool = true;

    fn new() -> Self;
    /// Begins another message.
    fn reset(&mut self);
    fn update(&mut self, text: &[u8]);
    /// The length of the output from now on.
    fn set_size(&mut self, _: usize) -> Result<(), Reason> {
        Ok(())
    }
    fn size(&self) -> usize {
        Self::SIZE
    }
    /// The digest of what came so far, all of it.
    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason>;
    /// More of it.
    fn squeeze(&mut self, _: &mut [u8]) -> Result<(), Reason> {
        Err(Reason::NotXofOrInvalidLength)
    }
    fn digest(message: &[u8], out: &mut [u8]) -> Result<(), Reason>;
}

/// Writes the list, of functions with digests of one length and of those of any.
macro_rules! digests {
    (
        one length { $( $Fixed:ident of $Hash:ty = $fixed:literal, $names:literal $(, $no_parameters:literal)?; )+ }
        any length { $( $Shake:ident of $Hasher:ty, $len:literal, $block:literal = $shake:literal, $shake_names:literal; )+ }
    ) => {
        $(
            #[derive(Clone)]
            struct $Fixed($Hash);

            impl Digest for $Fixed {
                const COUNTER: &'static Counter = {
                    static COUNTER: Counter = Counter::new($fixed);
                    &COUNTER
                };
                const BLOCK: usize = <$Hash as Hash>::BLOCK_LEN;
                const SIZE: usize = <$Hash as Hash>::DIGEST_LEN;
                $( const NO_PARAMETERS: bool = $no_parameters; )?

                fn new() -> Self {
                    Self(<$Hash>::new())
                }
                fn reset(&mut self) {
                    self.0.reset();
                }
                fn update(&mut self, text: &[u8]) {
                    self.0.update(text);
                }
                fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
                    out.copy_from_slice(&self.0.finish_reset());
                    Ok(())
                }
                fn digest(message: &[u8], out: &mut [u8]) -> Result<(), Reason> {
                    out.copy_from_slice(&<$Hash>::new().digest(message));
                    Ok(())
                }
            }
        )+
        $(
            #[derive(Clone)]
            struct $Shake(Xof<$Hasher>);

            impl Digest for $Shake {
                const COUNTER: &'static Counter = {
                    static COUNTER: Counter = Counter::new($shake);
                    &COUNTER
                };
                const BLOCK: usize = $block;
                const SIZE: usize = $len;
                const XOF: bool = true;

                fn new() -> Self {
                    Self(Xof { state: Phase::Absorbs(<$Hasher>::new()), size: $len })
                }
                fn reset(&mut self) {
                    match &mut self.0.state {
                        Phase::Absorbs(hasher) => hasher.reset(),
                        _ => self.0.state = Phase::Absorbs(<$Hasher>::new()),
                    }
                    self.0.size = $len;
                }
                fn update(&mut self, text: &[u8]) {
                    if let Phase::Absorbs(hasher) = &mut self.0.state {
                        hasher.update(text);
                    }
                }
                fn set_size(&mut self, size: usize) -> Result<(), Reason> {
                    self.0.size = size;
                    Ok(())
                }
                fn size(&self) -> usize {
                    self.0.size
                }
                fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason> {
                    match mem::replace(&mut self.0.state, Phase::Done) {
                        Phase::Absorbs(hasher) => hasher.finish().squeeze(out),
                        _ => return Err(Reason::FinalCallOutOfOrder),
                    }
                    Ok(())
                }
                fn squeeze(&mut self, out: &mut [u8]) -> Result<(), Reason> {
                    if let Phase::Absorbs(_) = self.0.state {
                        let Phase::Absorbs(hasher) = mem::replace(&mut self.0.state, Phase::Done) else {
                            unreachable!("it absorbs")
                        };
                        self.0.state = Phase::Squeezes(hasher.finish());
                    }
                    let Phase::Squeezes(reader) = &mut self.0.state else {
                        return Err(Reason::FinalCallOutOfOrder);
                    };
                    reader.squeeze(out);
                    Ok(())
                }
                fn digest(message: &[u8], out: &mut [u8]) -> Result<(), Reason> {
                    <$Hasher>::new().digest(message, out);
                    Ok(())
                }
            }
        )+

        /// A hash function of this provider, for what is made of one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Known {
            $( $Fixed, )+
        }

        impl Known {
            const ALL: &'static [Self] = &[$( Self::$Fixed, )+];

            /// In bytes.
            pub(crate) fn size(self) -> usize {
                match self {
                    $( Self::$Fixed => $Fixed::SIZE, )+
                }
            }

            /// In bytes.
            pub(crate) fn block_size(self) -> usize {
                match self {
                    $( Self::$Fixed => $Fixed::BLOCK, )+
                }
            }

            /// A key of HMAC with it.
            pub(crate) fn hmac(self, secret: &[u8]) -> Box<dyn Keyed> {
                match self {
                    $( Self::$Fixed => Box::new(hmac::Of::<$Hash>::new(secret)), )+
                }
            }

            /// The digest of nothing.
            pub(crate) fn of_nothing(self) -> Result<[u8; hmac::LONGEST], Reason> {
                let mut digest = [0; hmac::LONGEST];
                let out = &mut digest[..self.size()];
                match self {
                    $( Self::$Fixed => $Fixed::digest(&[], out), )+
                }?;
                Ok(digest)
            }
        }

        /// What is offered: first those that are [`Known`], in that order.
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            $( Algorithm::new($names, Functions::<$Fixed>::ALL), )+
            $( Algorithm::new($shake_names, Functions::<$Shake>::ALL), )+
            Algorithm::END,
        ];

        /// What is counted.
        pub(crate) static COUNTERS: &[&Counter] = &[
            $( $Fixed::COUNTER, )+
            $( $Shake::COUNTER, )+
        ];
    };
}

impl Known {
    /// By any of its names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().zip(ALGORITHMS).find(|(_, own)| own.is(name)).map(|(known, _)| *known)
    }

    /// The first of its names.
    pub(crate) fn name(self) -> &'static str {
        ALGORITHMS[self as usize].first_name()
    }
}

/// SHAKE, whose output may come in pieces too.
#[derive(Clone)]
struct Xof<H> {
    state: Phase<H>,
    size: usize,
}

#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "it lies in the context, on the heap")]
enum Phase<H> {
    Absorbs(H),
    Squeezes(Reader),
    Done,
}

digests! {
    one length {
        OfSha1 of Sha1 = "SHA-1", c"SHA1:SHA-1:1.3.14.3.2.26";
        OfSha224 of Sha224 = "SHA-224", c"SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4";
        OfSha256 of Sha256 = "SHA-256", c"SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1";
        OfSha384 of Sha384 = "SHA-384", c"SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2";
        OfSha512 of Sha512 = "SHA-512", c"SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3";
        OfSha512Of256 of Sha512_256 = "SHA-512/256", c"SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6";
        OfSha3Of224 of Sha3_224 = "SHA3-224", c"SHA3-224:2.16.840.1.101.3.4.2.7";
        OfSha3Of256 of Sha3_256 = "SHA3-256", c"SHA3-256:2.16.840.1.101.3.4.2.8";
        OfSha3Of384 of Sha3_384 = "SHA3-384", c"SHA3-384:2.16.840.1.101.3.4.2.9";
        OfSha3Of512 of Sha3_512 = "SHA3-512", c"SHA3-512:2.16.840.1.101.3.4.2.10";
        OfMd5 of Md5 = "MD5", c"MD5:1.2.840.113549.2.5", false;
    }
    any length {
        OfShake128 of Shake128, 16, 168 = "SHAKE128", c"SHAKE-128:SHAKE128:2.16.840.1.101.3.4.2.11";
        OfShake256 of Shake256, 32, 136 = "SHAKE256", c"SHAKE-256:SHAKE256:2.16.840.1.101.3.4.2.12";
    }
}

/// The functions of one, for OpenSSL.
struct Functions<D>(PhantomData<D>);

impl<D: Digest> Functions<D> {
    const ALL: &'static [Dispatch] =
        if D::XOF { &Self::OF_ANY_LENGTH } else { &Self::OF_ONE_LENGTH };

    const FUNCTIONS: [Dispatch; 10] = [
        digest::NEWCTX.is(Self::newctx),
        digest::INIT.is(Self::init),
        digest::UPDATE.is(Self::update),
        digest::FINAL.is(Self::finish),
        digest::DIGEST.is(Self::digest),
        digest::FREECTX.is(Self::freectx),
        digest::DUPCTX.is(Self::dupctx),
        digest::COPYCTX.is(Self::copyctx),
        digest::GET_PARAMS.is(Self::get_params),
        digest::GETTABLE_PARAMS.is(Self::gettable_params),
    ];

    /// Who asks for another length of what has one is told so by there being no function that takes it.
    const OF_ONE_LENGTH: [Dispatch; 11] = list(Self::FUNCTIONS, []);

    const OF_ANY_LENGTH: [Dispatch; 16] = list(
        Self::FUNCTIONS,
        [
            digest::SQUEEZE.is(Self::squeeze),
            digest::SET_CTX_PARAMS.is(Self::set_ctx_params),
            digest::SETTABLE_CTX_PARAMS.is(Self::settable_ctx_params),
            digest::GET_CTX_PARAMS.is(Self::get_ctx_params),
            digest::GETTABLE_CTX_PARAMS.is(Self::gettable_ctx_params),
        ],
    );

    unsafe extern "C" fn newctx(provider: Context) -> Context {
        // SAFETY: OpenSSL hands in the context of the provider.
        unsafe { hold(provider, D::new) }
    }

    unsafe extern "C" fn freectx(context: Context) {
        // SAFETY: OpenSSL gives back what `newctx` gave it.
        unsafe { drop_held::<D>(context) }
    }

    unsafe extern "C" fn dupctx(context: Context) -> Context {
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { duplicate::<D>(context) }
    }

    unsafe extern "C" fn copyctx(to: Context, from: Context) {
        let copy = |from: &mut D| {
            let copy = |to: &mut D| {
                to.clone_from(from);
                Ok(())
            };
            // SAFETY: OpenSSL hands in what `newctx` gave it, and not the same as the other.
            unsafe { with(to, copy) };
            Ok(())
        };
        // SAFETY: likewise.
        unsafe { with(from, copy) };
    }

    unsafe extern "C" fn init(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL hands in such a list.
        let params = unsafe { params::each(params) };
        let init = |state: &mut D| {
            state.reset();
            D::COUNTER.begin();
            Self::set(state, params)
        };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, init) }
    }

    unsafe extern "C" fn update(context: Context, text: *const u8, len: usize) -> Success {
        // SAFETY: OpenSSL hands in so many bytes.
        let text = unsafe { view(text, len) };
        let update = |state: &mut D| {
            state.update(text);
            D::COUNTER.count(len);
            Ok(())
        };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, update) }
    }

    unsafe extern "C" fn finish(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        let finish = |state: &mut D| {
            let size = state.size();
            // SAFETY: OpenSSL hands in room for so many bytes.
            unsafe { filled(out, written, room, size, |out| state.finish(out)) }
        };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, finish) }
    }

    unsafe extern "C" fn squeeze(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        let squeeze = |state: &mut D| {
            // SAFETY: OpenSSL hands in room for so many bytes.
            unsafe { filled(out, written, room, room, |out| state.squeeze(out)) }
        };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, squeeze) }
    }

    unsafe extern "C" fn digest(
        _: Context,
        text: *const u8,
        len: usize,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        D::COUNTER.begin();
        D::COUNTER.count(len);
        plain(|| {
            // SAFETY: OpenSSL hands in so many bytes.
            let text = unsafe { view(text, len) };
            // SAFETY: likewise, room for so many.
            unsafe { filled(out, written, room, D::SIZE, |out| D::digest(text, out)) }
        })
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> Success {
        plain(|| {
            // SAFETY: OpenSSL hands in such a list.
            unsafe {
                answer(params, |param| match param.name() {
                    b"blocksize" => param.set_number(D::BLOCK as u64),
                    b"size" => param.set_number(D::SIZE as u64),
                    b"xof" => param.set_number(D::XOF.into()),
                    b"algid-absent" => param.set_number(D::NO_PARAMETERS.into()),
                    _ => Ok(()),
                })
            }
        })
    }

    unsafe extern "C" fn gettable_params(_: Context) -> *const Param {
        static PARAMS: &[Param] = &[
            Param::number(c"blocksize"),
            Param::number(c"size"),
            Param::integer(c"xof"),
            Param::integer(c"algid-absent"),
            Param::END,
        ];
        PARAMS.as_ptr()
    }

    unsafe extern "C" fn set_ctx_params(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL hands in such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, |state: &mut D| Self::set(state, params)) }
    }

    fn set(state: &mut D, params: Params<'_>) -> Result<(), Reason> {
        if !D::XOF {
            return Ok(());
        }
        for param in params {
            if let b"xoflen" | b"size" = param.name() {
                state.set_size(param.as_size()?)?;
            }
        }
        Ok(())
    }

    unsafe extern "C" fn settable_ctx_params(_: Context, _: Context) -> *const Param {
        SIZES.as_ptr()
    }

    unsafe extern "C" fn get_ctx_params(context: Context, params: *mut Param) -> Success {
        let get = |state: &mut D| {
            let answer_one = |param: &mut Param| match param.name() {
                b"xoflen" | b"size" => param.set_number(state.size() as u64),
                _ => Ok(()),
            };
            // SAFETY: OpenSSL hands in such a list.
            unsafe { answer(params, answer_one) }
        };
        // SAFETY: OpenSSL hands in what `newctx` gave it.
        unsafe { with(context, get) }
    }

    unsafe extern "C" fn gettable_ctx_params(_: Context, _: Context) -> *const Param {
        SIZES.as_ptr()
    }
}

static SIZES: &[Param] = &[Param::number(c"xoflen"), Param::number(c"size"), Param::END];

/// Writes `size` bytes, where there is room, and how many they are.
///
/// # Safety
/// `out` is null, or has room for so many bytes, and `written` is null, or has room for a number.
pub(crate) unsafe fn filled(
    out: *mut u8,
    written: *mut usize,
    room: usize,
    size: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Reason>,
) -> Result<(), Reason> {
    // SAFETY: as the caller says.
    let out = unsafe { first(out, room, size) }?;
    fill(out)?;
    // SAFETY: likewise.
    if let Some(written) = unsafe { written.as_mut() } {
        *written = size;
    }
    Ok(())
}
