//! Batches of messages with one key, which OpenSSL has called pipes since 3.5.

use core::{ptr, slice};

use super::{
    Cipher, Named, Way,
    io::{Io, Output},
};
use crate::{
    abi::{Context, Success},
    call::with,
    params::{self, Param, view},
};

pub(super) unsafe extern "C" fn encrypt_init<C: Cipher + Named>(
    context: Context,
    key: *const u8,
    key_len: usize,
    pipes: usize,
    ivs: *const *const u8,
    iv_len: usize,
    params: *const Param,
) -> Success {
    // SAFETY: as `init`.
    unsafe { init::<C>(context, Way::Encrypt, (key, key_len), (pipes, ivs, iv_len), params) }
}

pub(super) unsafe extern "C" fn decrypt_init<C: Cipher + Named>(
    context: Context,
    key: *const u8,
    key_len: usize,
    pipes: usize,
    ivs: *const *const u8,
    iv_len: usize,
    params: *const Param,
) -> Success {
    // SAFETY: as `init`.
    unsafe { init::<C>(context, Way::Decrypt, (key, key_len), (pipes, ivs, iv_len), params) }
}

/// # Safety
/// OpenSSL passes what `newctx` returned, a key and a nonce for each pipe, or null, and a list of parameters.
unsafe fn init<C: Cipher + Named>(
    context: Context,
    way: Way,
    key: (*const u8, usize),
    (pipes, ivs, iv_len): (usize, *const *const u8, usize),
    params: *const Param,
) -> Success {
    // SAFETY: as the caller says.
    let key = (!key.0.is_null()).then(|| unsafe { view(key.0, key.1) });
    // SAFETY: likewise.
    let ivs = unsafe { view(ivs, pipes) };
    // SAFETY: likewise.
    let params = unsafe { params::each(params) };
    let init = |cipher: &mut C| {
        C::COUNTER.begin();
        cipher.begin_pipes(way, key, pipes)?;
        for (i, &iv) in ivs.iter().enumerate() {
            // SAFETY: as the caller says.
            let iv = (!iv.is_null()).then(|| unsafe { view(iv, iv_len) });
            cipher.pipe(i)?.init(way, None, iv)?;
        }
        cipher.set_all(params)
    };
    // SAFETY: as the caller says.
    unsafe { with(context, init) }
}

pub(super) unsafe extern "C" fn update<C: Cipher + Named>(
    context: Context,
    pipes: usize,
    outs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
    texts: *const *const u8,
    lens: *const usize,
) -> Success {
    // SAFETY: OpenSSL passes arrays of `pipes` entries, or null: without outputs, the inputs are additional
    // data.
    let outs = unsafe { view(outs, pipes) };
    // SAFETY: likewise.
    let rooms = unsafe { view(rooms, pipes) };
    // SAFETY: likewise.
    let texts = unsafe { view(texts, pipes) };
    // SAFETY: likewise.
    let lens = unsafe { view(lens, pipes) };
    let io = |i: usize| {
        let len = lens.get(i).copied().unwrap_or(0);
        let out = outs.get(i).copied().unwrap_or(ptr::null_mut());
        let text = texts.get(i).copied().unwrap_or(ptr::null());
        Io::new(text, len, out, rooms.get(i).copied().unwrap_or(len))
    };
    let update = |cipher: &mut C| {
        lens.iter().for_each(|&len| C::COUNTER.count(len));
        cipher.update_pipes(pipes, &io)?;
        // SAFETY: OpenSSL has space for `pipes` numbers, or passes null.
        unsafe { told(written, lens) };
        Ok(())
    };
    // SAFETY: OpenSSL passes what `newctx` returned.
    unsafe { with(context, update) }
}

pub(super) unsafe extern "C" fn finish<C: Cipher + Named>(
    context: Context,
    pipes: usize,
    outs: *const *mut u8,
    written: *mut usize,
    rooms: *const usize,
) -> Success {
    // SAFETY: OpenSSL passes arrays of `pipes` entries, or null.
    let outs = unsafe { view(outs, pipes) };
    // SAFETY: likewise.
    let rooms = unsafe { view(rooms, pipes) };
    let finish = |cipher: &mut C| {
        // All are ended, even if one of them fails.
        let mut all = Ok(());
        for i in 0..pipes {
            let out = outs.get(i).copied().unwrap_or(ptr::null_mut());
            let room = rooms.get(i).copied().unwrap_or(0);
            all = all.and(cipher.pipe(i)?.finish(&mut Output::new(out, room)).map(|_| ()));
        }
        all
    };
    if !written.is_null() {
        // SAFETY: OpenSSL has space for `pipes` numbers. The end of a message writes no bytes.
        unsafe { slice::from_raw_parts_mut(written, pipes) }.fill(0);
    }
    // SAFETY: OpenSSL passes what `newctx` returned.
    unsafe { with(context, finish) }
}

/// # Safety
/// `written` is null, or has space for as many numbers as `lens`.
unsafe fn told(written: *mut usize, lens: &[usize]) {
    if !written.is_null() {
        // SAFETY: as the caller says.
        unsafe { slice::from_raw_parts_mut(written, lens.len()) }.copy_from_slice(lens);
    }
}
