//! KDF: HKDF, the HKDF of TLS 1.3, the pseudorandom function of TLS 1.0 to 1.2, and PBKDF2. For hash
//! functions that this provider lacks, another provider derives the key.

use core::{
    ffi::{CStr, c_int},
    marker::PhantomData,
    slice,
};
use std::ffi::CString;

use crate::{
    abi::{Algorithm, Context, Dispatch, Success, kdf},
    call::{Parent, answer, drop_held, duplicate, hold, with},
    digest::Known,
    error::Reason,
    params::{self, List, Param, Params},
    secret::Secret,
    stats::Counter,
    theirs,
    version::Version,
};

mod hkdf;
mod pbkdf2;
mod tls1;

/// The hash function of a derivation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hash {
    Known(Known),
    /// MD5 and SHA-1 together, as in TLS 1.0.
    Md5AndSha1,
}

/// A derivation as it is offered to OpenSSL.
pub(crate) trait Kdf: Clone + 'static {
    const NAME: &'static CStr;
    const COUNTER: &'static Counter;
    /// The default hash function.
    const HASH: Option<Known> = None;
    /// Whether it supports MD5 and SHA-1 together.
    const MD5_AND_SHA1: bool = false;
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new(version: Version) -> Self;
    /// Sets the parameters that it knows.
    fn set(&mut self, params: Params<'_>) -> Result<(), Reason>;
    /// Checks that all required parameters are set.
    fn check(&self, len: usize) -> Result<(), Reason>;
    fn derive(&self, hash: Hash, out: &mut [u8]) -> Result<(), Reason>;
    /// Adds its parameters to a list, for another provider to continue.
    fn hand_on<'a>(&'a self, list: &mut List<'a>);
    /// Whether the output has the length of the digest, instead of any length.
    fn gives_digest(&self) -> bool {
        false
    }
    /// Whether this parameter can be read in that version of OpenSSL; the size can be read in all.
    fn answers(_: Version, _name: &[u8]) -> bool {
        false
    }
    /// Reads a parameter, if it is known.
    fn get(&self, _: &mut Param) -> Result<(), Reason> {
        Ok(())
    }
}

/// Declares the list.
macro_rules! kdfs {
    ($( $names:literal: $Kdf:ty; )+) => {
        /// The derivations that are offered.
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            $( Algorithm::new($names, Functions::<$Kdf>::ALL), )+
            Algorithm::END,
        ];

        /// The counters.
        pub(crate) static COUNTERS: &[&Counter] = &[$( <$Kdf as Kdf>::COUNTER, )+];
    };
}

kdfs! {
    c"HKDF": hkdf::Hkdf;
    c"TLS13-KDF": hkdf::Tls13;
    c"TLS1-PRF": tls1::Prf;
    c"PBKDF2:1.2.840.113549.1.5.12": pbkdf2::Pbkdf2;
}

/// The provider that derives.
#[derive(Clone)]
enum Choice {
    None,
    Ours(Hash),
    /// Another provider, with the hash function of that name.
    Theirs {
        name: CString,
        properties: CString,
    },
}

/// A derivation by this provider, or by another.
#[derive(Clone)]
struct State<K> {
    parent: Parent,
    choice: Choice,
    ours: K,
}

impl<K: Kdf> State<K> {
    fn new(parent: Parent) -> Self {
        let choice = K::HASH.map_or(Choice::None, |hash| Choice::Ours(Hash::Known(hash)));
        Self { parent, choice, ours: K::new(parent.version()) }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        let version = self.parent.version();
        let skips_empty = (Version::V3_4..Version::V3_6).contains(&version);
        if params.is_null() || (skips_empty && params.into_iter().next().is_none()) {
            return Ok(());
        }
        params.check_repeated(version, K::SETTABLE, &[b"info", b"seed"])?;
        if let Some(digest) = params.named(b"digest") {
            self.choose(digest.as_text()?, params)?;
        }
        self.ours.set(params)
    }

    fn choose(&mut self, name: &str, params: Params<'_>) -> Result<(), Reason> {
        let known = Known::named(name).map(Hash::Known);
        let both = K::MD5_AND_SHA1 && name.eq_ignore_ascii_case("MD5-SHA1");
        let known = known.or(both.then_some(Hash::Md5AndSha1));
        if let (Some(hash), false) = (known, params.go_elsewhere()?) {
            self.choice = Choice::Ours(hash);
            return Ok(());
        }
        let text = |text: &str| CString::new(text).map_err(|_| Reason::FailedToGetParameter);
        let properties = params.named(b"properties").map_or(Ok(""), Param::as_text)?;
        self.choice = Choice::Theirs { name: text(name)?, properties: text(properties)? };
        // A missing hash function is reported now.
        let told = self.hand_on(false, |_| Ok(()));
        if told.is_err() {
            self.choice = Choice::None;
        }
        told
    }

    /// Runs a function on a derivation of another provider, to which the hash function is passed, and if
    /// `all` is set the other parameters.
    fn hand_on<T>(
        &self,
        all: bool,
        what: impl FnOnce(&theirs::Kdf<'_>) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let Choice::Theirs { name, properties } = &self.choice else {
            return Err(Reason::MissingMessageDigest);
        };
        let mut list = List::new();
        list.text(c"digest", name);
        if !properties.is_empty() {
            list.text(c"properties", properties);
        }
        if all {
            self.ours.hand_on(&mut list);
        } else {
            // The derivation of TLS 1.3 accepts nothing without a mode.
            list.integer(c"mode", &1);
        }
        let kdf = self.parent.theirs()?.kdf(K::NAME, &mut list)?;
        what(&kdf)
    }

    fn derive(&mut self, params: Params<'_>, out: &mut [u8]) -> Result<(), Reason> {
        self.set(params)?;
        let Choice::Ours(hash) = self.choice else {
            return self.hand_on(true, |theirs| theirs.derive(out));
        };
        self.ours.check(out.len())?;
        K::COUNTER.begin();
        K::COUNTER.count(out.len());
        self.ours.derive(hash, out)
    }

    fn size(&self) -> Result<u64, Reason> {
        match self.choice {
            _ if !self.ours.gives_digest() => Ok(u64::MAX),
            Choice::Ours(Hash::Known(hash)) => Ok(hash.size() as u64),
            _ => self.hand_on(true, |theirs| Ok(theirs.size()? as u64)),
        }
    }

    /// # Safety
    /// `params` is a list of parameters to write.
    unsafe fn get(&self, params: *mut Param) -> Result<(), Reason> {
        let version = self.parent.version();
        let mut known = version >= Version::V3_4;
        let answer_one = |param: &mut Param| {
            if param.name() != b"size" && !K::answers(version, param.name()) {
                return Ok(());
            }
            known = true;
            self.answer(param)
        };
        // SAFETY: as the caller says.
        unsafe { answer(params, answer_one) }?;
        // Before 3.4 OpenSSL's own provider fails if it knows none of the parameters.
        if known { Ok(()) } else { Err(Reason::FailedToGetParameter) }
    }

    fn answer(&self, param: &mut Param) -> Result<(), Reason> {
        match (param.name(), &self.choice) {
            (b"size", _) => param.set_number(self.size()?),
            (b"digest", Choice::Ours(Hash::Known(hash))) => param.set_words(hash.name()),
            (b"digest", Choice::Theirs { name, .. }) => {
                param.set_words(name.to_str().unwrap_or_default())
            }
            (b"digest", Choice::None) => Err(Reason::MissingMessageDigest),
            _ => self.ours.get(param),
        }
    }
}

/// The functions of a derivation, for OpenSSL.
struct Functions<K>(PhantomData<K>);

impl<K: Kdf> Functions<K> {
    const ALL: &'static [Dispatch] = &[
        kdf::NEWCTX.is(Self::newctx),
        kdf::DUPCTX.is(Self::dupctx),
        kdf::FREECTX.is(Self::freectx),
        kdf::RESET.is(Self::reset),
        kdf::DERIVE.is(Self::derive),
        kdf::GET_CTX_PARAMS.is(Self::get_ctx_params),
        kdf::GETTABLE_CTX_PARAMS.is(Self::gettable_ctx_params),
        kdf::SET_CTX_PARAMS.is(Self::set_ctx_params),
        kdf::SETTABLE_CTX_PARAMS.is(Self::settable_ctx_params),
        Dispatch::END,
    ];

    unsafe extern "C" fn newctx(provider: Context) -> Context {
        // SAFETY: OpenSSL passes the context of the provider.
        let parent = unsafe { Parent::new(provider) };
        // SAFETY: likewise.
        unsafe { hold(provider, |_| State::<K>::new(parent)) }
    }

    unsafe extern "C" fn freectx(context: Context) {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { drop_held::<State<K>>(context) }
    }

    unsafe extern "C" fn dupctx(context: Context) -> Context {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { duplicate::<State<K>>(context) }
    }

    unsafe extern "C" fn reset(context: Context) {
        let reset = |state: &mut State<K>| {
            *state = State::new(state.parent);
            Ok(())
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, reset) };
    }

    unsafe extern "C" fn derive(
        context: Context,
        out: *mut u8,
        len: usize,
        params: *const Param,
    ) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        let out = match len {
            0 => &mut [],
            _ if out.is_null() => return c_int::from(false),
            // SAFETY: OpenSSL passes space for `len` bytes.
            _ => unsafe { slice::from_raw_parts_mut(out, len) },
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |state: &mut State<K>| state.derive(params, out)) }
    }

    unsafe extern "C" fn get_ctx_params(context: Context, params: *mut Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let get = |state: &mut State<K>| unsafe { state.get(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, get) }
    }

    unsafe extern "C" fn gettable_ctx_params(_: Context, _: Context) -> *const Param {
        K::GETTABLE.as_ptr()
    }

    unsafe extern "C" fn set_ctx_params(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |state: &mut State<K>| state.set(params)) }
    }

    unsafe extern "C" fn settable_ctx_params(_: Context, _: Context) -> *const Param {
        K::SETTABLE.as_ptr()
    }
}

/// Stores the bytes of the parameter of that name. A parameter without bytes leaves the last value.
fn keep(field: &mut Option<Secret>, params: Params<'_>, name: &'static [u8]) -> Result<(), Reason> {
    if let Some(param) = params.named(name).filter(|param| !param.is_empty()) {
        *field = Some(Secret::of(param.as_octets()?));
    }
    Ok(())
}

/// Appends the bytes of all parameters of that name to `before`.
fn join(before: &[u8], params: Params<'_>, name: &'static [u8]) -> Result<Option<Secret>, Reason> {
    let mut parts = vec![before];
    for param in params.all(name) {
        parts.push(if param.is_empty() { &[] } else { param.as_octets()? });
    }
    Ok((parts.len() > 1).then(|| Secret::joined(&parts)))
}
