//! The functions of a digest, for OpenSSL.

use core::marker::PhantomData;

use super::Digest;
use crate::{
    abi::{Context, Dispatch, Success, digest, list},
    call::{answer, drop_held, duplicate, first, hold, plain, with},
    error::Reason,
    params::{self, Param, view},
};

/// The functions of a digest, for OpenSSL.
pub(super) struct Functions<D>(PhantomData<D>);

impl<D: Digest> Functions<D> {
    /// If a function is absent, OpenSSL assumes that there are no such parameters.
    pub(super) const ALL: &'static [Dispatch] = match (D::XOF, D::GETTABLE.is_empty()) {
        (false, _) => &Self::OF_ONE_LENGTH,
        (true, true) => &Self::OF_ANY_LENGTH,
        (true, false) => &Self::OF_ANY_LENGTH_THAT_IS_TOLD,
    };

    const FUNCTIONS: [Dispatch; 9] = [
        digest::NEWCTX.is(Self::newctx),
        digest::INIT.is(Self::init),
        digest::UPDATE.is(Self::update),
        digest::FINAL.is(Self::finish),
        digest::FREECTX.is(Self::freectx),
        digest::DUPCTX.is(Self::dupctx),
        digest::COPYCTX.is(Self::copyctx),
        digest::GET_PARAMS.is(Self::get_params),
        digest::GETTABLE_PARAMS.is(Self::gettable_params),
    ];

    const OF_ONE_LENGTH: [Dispatch; 11] = list(Self::FUNCTIONS, [digest::DIGEST.is(Self::digest)]);

    const WITH_LENGTHS: [Dispatch; 12] = list(
        Self::FUNCTIONS,
        [
            digest::SQUEEZE.is(Self::squeeze),
            digest::SET_CTX_PARAMS.is(Self::set_ctx_params),
            digest::SETTABLE_CTX_PARAMS.is(Self::settable_ctx_params),
        ],
    );

    const OF_ANY_LENGTH: [Dispatch; 13] = list(Self::WITH_LENGTHS, []);

    const OF_ANY_LENGTH_THAT_IS_TOLD: [Dispatch; 15] = list(
        Self::WITH_LENGTHS,
        [
            digest::GET_CTX_PARAMS.is(Self::get_ctx_params),
            digest::GETTABLE_CTX_PARAMS.is(Self::gettable_ctx_params),
        ],
    );

    unsafe extern "C" fn newctx(provider: Context) -> Context {
        // SAFETY: OpenSSL passes the context of the provider.
        unsafe { hold(provider, |_| D::new()) }
    }

    unsafe extern "C" fn freectx(context: Context) {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { drop_held::<D>(context) }
    }

    unsafe extern "C" fn dupctx(context: Context) -> Context {
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { duplicate::<D>(context) }
    }

    unsafe extern "C" fn copyctx(to: Context, from: Context) {
        let copy = |from: &mut D| {
            let copy = |to: &mut D| {
                to.clone_from(from);
                Ok(())
            };
            // SAFETY: OpenSSL passes what `newctx` returned, and not the same as the other.
            unsafe { with(to, copy) };
            Ok(())
        };
        // SAFETY: likewise.
        unsafe { with(from, copy) };
    }

    unsafe extern "C" fn init(context: Context, params: *const Param) -> Success {
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        let init = |state: &mut D| {
            state.reset();
            D::COUNTER.begin();
            state.set(params)
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, init) }
    }

    unsafe extern "C" fn update(context: Context, text: *const u8, len: usize) -> Success {
        // SAFETY: OpenSSL passes `len` bytes.
        let text = unsafe { view(text, len) };
        let update = |state: &mut D| {
            D::COUNTER.count(len);
            state.update(text)
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, update) }
    }

    unsafe extern "C" fn finish(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        let finish = |state: &mut D| {
            D::COUNTER.end();
            let size = state.final_len(room)?;
            // SAFETY: OpenSSL passes space for a digest, or for the length that the program has set.
            unsafe { filled(out, written, size, size, |out| state.finish(out)) }
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, finish) }
    }

    unsafe extern "C" fn squeeze(
        context: Context,
        out: *mut u8,
        written: *mut usize,
        room: usize,
    ) -> Success {
        let squeeze = |state: &mut D| {
            D::COUNTER.end();
            // SAFETY: OpenSSL passes space for `room` bytes.
            unsafe { filled(out, written, room, room, |out| state.squeeze(out)) }
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
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
            // SAFETY: OpenSSL passes `len` bytes.
            let text = unsafe { view(text, len) };
            // SAFETY: likewise, space for `room` bytes.
            unsafe { filled(out, written, room, D::SIZE, |out| D::digest(text, out)) }
        })
    }

    unsafe extern "C" fn get_params(params: *mut Param) -> Success {
        plain(|| {
            // SAFETY: OpenSSL passes such a list.
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
        // SAFETY: OpenSSL passes such a list.
        let params = unsafe { params::each(params) };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, |state: &mut D| state.set(params)) }
    }

    unsafe extern "C" fn settable_ctx_params(_: Context, _: Context) -> *const Param {
        D::SETTABLE.as_ptr()
    }

    unsafe extern "C" fn get_ctx_params(context: Context, params: *mut Param) -> Success {
        let get = |state: &mut D| {
            // SAFETY: OpenSSL passes such a list.
            unsafe { answer(params, |param| state.get(param)) }
        };
        // SAFETY: OpenSSL passes what `newctx` returned.
        unsafe { with(context, get) }
    }

    unsafe extern "C" fn gettable_ctx_params(_: Context, _: Context) -> *const Param {
        D::GETTABLE.as_ptr()
    }
}

/// Writes `size` bytes, if there is space, and their number to `written`.
///
/// # Safety
/// `out` is null, or has `room` bytes, and `written` is null, or has space for a number.
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
