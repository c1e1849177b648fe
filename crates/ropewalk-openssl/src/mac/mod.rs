//! MAC: HMAC, CMAC, GMAC and Poly1305. A MAC with a hash function or a cipher that this provider lacks is
//! forwarded to another provider.

use core::marker::PhantomData;

use crate::{
    abi::{Algorithm, Context, Dispatch, Success, list, mac},
    call::{Parent, answer, drop_held, duplicate, hold, plain, with},
    digest::filled,
    error::Reason,
    params::{self, Param, Params, view},
    stats::Counter,
    theirs,
};

mod aes;
mod hmac;
mod poly1305;

/// A MAC as it is offered to OpenSSL.
pub(crate) trait Mac: Clone + 'static {
    const NAME: &'static core::ffi::CStr;
    const COUNTER: &'static Counter;
    /// The parameter with the name of the underlying algorithm.
    const MADE_OF: &'static [u8] = b"";
    /// Whether that takes effect at once, instead of with the next key.
    const AT_ONCE: bool = false;
    /// The length of a tag in bytes, if it is constant.
    const SIZE: Option<usize> = None;
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new() -> Self;
    /// Sets the underlying algorithm for the next key. False if this provider lacks it.
    fn make_of(&mut self, _: &str) -> Result<bool, Reason> {
        Ok(true)
    }
    /// Begins a message with a new key.
    fn begin(&mut self, key: &[u8]) -> Result<(), Reason>;
    /// Begins a message with the current key.
    fn begin_again(&mut self) -> Result<(), Reason>;
    fn update(&mut self, text: &[u8]) -> Result<(), Reason>;
    /// The tag, of [`size`](Self::size) bytes.
    fn finish(&mut self, out: &mut [u8]) -> Result<(), Reason>;
    /// The length of a tag in bytes. 0 if it is not known yet.
    fn size(&self) -> usize;
    fn block_size(&self) -> usize {
        0
    }
    /// Sets another parameter, if it is known.
    fn set(&mut self, _: &Param) -> Result<(), Reason> {
        Ok(())
    }
    /// The length of the TLS record that starts with the next chunk. The length of its text is secret.
    fn record_size(&self) -> Option<usize> {
        None
    }
    /// Authenticates the text of a record, its first `len` bytes.
    fn record(&mut self, _record: &[u8], _len: usize) -> Result<(), Reason> {
        Err(Reason::UpdateCallOutOfOrder)
    }
}

/// Declares the list.
macro_rules! macs {
    ($( $names:literal: $Mac:ty; )+) => {
        /// The MACs that are offered.
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            $( Algorithm::new($names, Functions::<$Mac>::ALL), )+
            Algorithm::END,
        ];

        /// The counters.
        pub(crate) static COUNTERS: &[&Counter] = &[$( <$Mac as Mac>::COUNTER, )+];
    };
}

macs! {
    c"HMAC": hmac::Hmac;
    c"CMAC": aes::Cmac;
    c"GMAC:1.0.9797.3.4": aes::Gmac;
    c"POLY1305": poly1305::OneTime;
}

/// A MAC of this provider, or of another one.
#[derive(Clone)]
struct State<M> {
    parent: Parent,
    ours: M,
    theirs: Option<theirs::Mac>,
    /// The MAC for the next key.
    next: Next,
}

#[derive(Clone)]
enum Next {
    Same,
    Ours,
    Theirs(theirs::Mac),
}

impl<M: Mac> State<M> {
    fn new(parent: Parent) -> Self {
        Self { parent, ours: M::new(), theirs: None, next: Next::Same }
    }

    fn set(&mut self, params: Params<'_>) -> Result<(), Reason> {
        params.check_repeated(self.parent.version(), M::SETTABLE, &[])?;
        let key = params.named(b"key").filter(|key| !key.is_empty());
        let made_of = params.named(M::MADE_OF);
        if let Some(made_of) = made_of {
            self.next = if !params.go_elsewhere()? && self.ours.make_of(made_of.as_text()?)? {
                Next::Ours
            } else {
                let mut theirs = self.parent.theirs()?.mac(M::NAME)?;
                // If the other provider does not know them either, this state does not change.
                theirs.set(params)?;
                Next::Theirs(theirs)
            };
        }
        if key.is_some() || M::AT_ONCE {
            self.turn();
        }
        match (&mut self.theirs, made_of) {
            (Some(theirs), None) => return theirs.set(params),
            // The parameters were set above, or a message of another provider continues.
            (Some(_), Some(_)) => return Ok(()),
            (None, _) if matches!(self.next, Next::Theirs(_)) => return Ok(()),
            (None, _) => {}
        }
        if let Some(key) = key {
            self.ours.begin(key.as_octets()?)?;
        }
        for param in params {
            self.ours.set(param)?;
        }
        Ok(())
    }

    /// Switches to the requested MAC.
    fn turn(&mut self) {
        match core::mem::replace(&mut self.next, Next::Same) {
            Next::Same => {}
            Next::Ours => self.theirs = None,
            Next::Theirs(theirs) => self.theirs = Some(theirs),
        }
    }

    fn init(&mut self, key: Option<&[u8]>, params: Params<'_>) -> Result<(), Reason> {
        self.set(params)?;
        if key.is_some() {
            self.turn();
        }
        if let Some(theirs) = &mut self.theirs {
            return theirs.begin(key);
        }
        M::COUNTER.begin();
        match key {
            Some(key) => self.ours.begin(key),
            None => self.ours.begin_again(),
        }
    }

    /// # Safety
    /// `text` has `len` bytes; for a record, as many as were set as its length.
    #[inline]
    unsafe fn update(&mut self, text: *const u8, len: usize) -> Result<(), Reason> {
        if let Some(theirs) = &mut self.theirs {
            // SAFETY: as the caller says.
            return unsafe { theirs.update(text, len) };
        }
        M::COUNTER.count(len);
        if let Some(size) = self.ours.record_size() {
            // SAFETY: as the caller says.
            return self.ours.record(unsafe { view(text, size) }, len);
        }
        // SAFETY: as the caller says.
        self.ours.update(unsafe { view(text, len) })
    }

    /// # Safety
    /// As [`filled`].
    unsafe fn finish(
        &mut self,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Result<(), Reason> {
        let Self { theirs, ours, .. } = self;
        if let Some(theirs) = theirs {
            // SAFETY: as the caller says.
            return unsafe { theirs.finish(out, written, room) };
        }
        M::COUNTER.end();
        let size = ours.size();
        // SAFETY: as the caller says.
        unsafe { filled(out, written, room, size, |out| ours.finish(out)) }
    }

    /// # Safety
    /// `params` is a list of parameters to write.
    unsafe fn get(&mut self, params: *mut Param) -> Result<(), Reason> {
        if let Some(theirs) = &mut self.theirs {
            // SAFETY: as the caller says.
            return unsafe { theirs.get(params) };
        }
        let answer_one = |param: &mut Param| match param.name() {
            b"size" => param.set_number(self.ours.size() as u64),
            b"block-size" => param.set_number(self.ours.block_size() as u64),
            _ => Ok(()),
        };
        // SAFETY: as the caller says.
        unsafe { answer(params, answer_one) }
    }
}

/// The functions of a MAC, for OpenSSL.
struct Functions<M>(PhantomData<M>);

impl<M: Mac> Functions<M> {
    /// A constant size is reported for the MAC: then OpenSSL does not query a context for it.
    const ALL: &'static [Dispatch] =
        if M::SIZE.is_some() { &Self::OF_ONE_SIZE } else { &Self::OF_SOME_SIZE };

    const FUNCTIONS: [Dispatch; 10] = [
        mac::NEWCTX.is(Self::newctx),
        mac::DUPCTX.is(Self::dupctx),
        mac::FREECTX.is(Self::freectx),
        mac::INIT.is(Self::init),
        mac::UPDATE.is(Self::update),
        mac::FINAL.is(Self::finish),
        mac::GET_PARAMS.is(Self::get_params),
        mac::GETTABLE_PARAMS.is(Self::gettable_params),
        mac::SET_CTX_PARAMS.is(Self::set_ctx_params),
        mac::SETTABLE_CTX_PARAMS.is(Self::settable_ctx_params),
    ];

    const OF_ONE_SIZE: [Dispatch; 11] = list(Self::FUNCTIONS, []);

    const OF_SOME_SIZE: [Dispatch; 13] = list(
        Self::FUNCTIONS,
        [
            mac::GET_CTX_PARAMS.is(Self::get_ctx_params),
            mac::GETTABLE_CTX_PARAMS.is(Self::gettable_ctx_params),
        ],
    );

    unsafe extern "C" fn newctx(provider: Context) -> Context {
        // SAFETY: OpenSSL passes the context of the provider.
        let parent = unsafe { Parent::new(provider) };
        // SAFETY: likewise.
        unsafe { hold(provider, |_| State::<M>::new(parent)) }
    }

    unsafe extern "C" fn freectx(context: Context) {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { drop_held::<State<M>>(context) }
    }

    unsafe extern "C" fn dupctx(context: Context) -> Context {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { duplicate::<State<M>>(context) }
    }

    unsafe extern "C" fn init(
        context: Context,
        key: *const u8,
        len: usize,
        params: *const Param,
    ) -> Success {
        // SAFETY: OpenSSL passes `len` bytes, or null.
        let key = (!key.is_null()).then(|| unsafe { view(key, len) });
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |state: &mut State<M>| state.init(key, params)) }
    }

    unsafe extern "C" fn update(context: Context, text: *const u8, len: usize) -> Success {
        // SAFETY: OpenSSL passes `len` bytes.
        let update = |state: &mut State<M>| unsafe { state.update(text, len) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, update) }
    }

    unsafe extern "C" fn finish(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        // SAFETY: OpenSSL passes space for `room` bytes.
        let finish = |state: &mut State<M>| unsafe { state.finish(out, written, room) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, finish) }
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> Success {
        plain(|| {
            // SAFETY: OpenSSL passes such a list.
            unsafe {
                answer(params, |param| match (param.name(), M::SIZE) {
                    (b"size", Some(size)) => param.set_number(size as u64),
                    _ => Ok(()),
                })
            }
        })
    }

    unsafe extern "C" fn gettable_params(_: Context) -> *const Param {
        static SIZE: &[Param] = &[Param::number(c"size"), Param::END];
        if M::SIZE.is_some() { SIZE.as_ptr() } else { &Param::END }
    }

    unsafe extern "C" fn get_ctx_params(context: Context, params: *mut Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let get = |state: &mut State<M>| unsafe { state.get(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, get) }
    }

    unsafe extern "C" fn gettable_ctx_params(_: Context, _: Context) -> *const Param {
        M::GETTABLE.as_ptr()
    }

    unsafe extern "C" fn set_ctx_params(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |state: &mut State<M>| state.set(params)) }
    }

    unsafe extern "C" fn settable_ctx_params(_: Context, _: Context) -> *const Param {
        M::SETTABLE.as_ptr()
    }
}

/// The names of a MAC and its counter.
macro_rules! named {
    ($name:literal, $counted:literal) => {
        const NAME: &'static core::ffi::CStr = $name;
        const COUNTER: &'static Counter = {
            static COUNTER: Counter = Counter::new($counted);
            &COUNTER
        };
    };
}
use named;
