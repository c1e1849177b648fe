//! Batches of messages for authenticated ciphers, of any keys and lengths.

use std::{ffi::c_void, slice};

use arrayvec::ArrayVec;
use ropewalk::{
    Error,
    aead::Tag,
    aes_ccm, aes_gcm, chacha20_poly1305,
    collector::{Batch, Sealing},
};

use super::{Any, ropewalk_aead_key};
use crate::{
    enter::{Failure, Result, call},
    many::{self, Call, GROUP, Gain, serial, wrong},
    memory, object,
    overlap::{self, Region, Span},
    status::{ropewalk_error, ropewalk_status},
};

/// A message of a batch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_aead_message {
    /// Its key. Messages may share a key.
    pub key: *const ropewalk_aead_key,
    /// Its nonce. For sealing, it must be new for its key.
    pub nonce: *const c_void,
    /// Its length in bytes.
    pub nonce_len: usize,
    /// Its additional data.
    pub aad: *const c_void,
    /// Its length in bytes.
    pub aad_len: usize,
    /// The text.
    pub r#in: *const c_void,
    /// The output. It may be `in`.
    pub out: *mut c_void,
    /// The length of both in bytes.
    pub len: usize,
    /// Its tag: written when sealing, only read when opening.
    pub tag: *mut c_void,
    /// Its length in bytes: that of the key's tags.
    pub tag_len: usize,
    /// Written: ROPEWALK_OK or, when opening, ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_aead_message {
    /// Written spans come first: two for sealing, one for opening.
    #[inline(always)]
    fn spans(&self) -> [Span; 6] {
        [
            Span::new(self.out, self.len),
            Span::new(self.tag, self.tag_len),
            overlap::own_input((self.r#in, self.len), self.out),
            Span::new(self.nonce, self.nonce_len),
            Span::new(self.aad, self.aad_len),
            Span::of(self.key),
        ]
    }

    /// Seals or opens one message.
    ///
    /// # Safety
    /// As [`ropewalk_aead_seal_many`]; it has been checked.
    #[inline(always)]
    unsafe fn run_checked<const WRITTEN: usize>(&self) -> Result<()> {
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(self.key) };
        // SAFETY: the caller's bytes, which have been checked, apart from what is written.
        let nonce = unsafe { memory::bytes(self.nonce, self.nonce_len) };
        // SAFETY: the same.
        let aad = unsafe { memory::bytes(self.aad, self.aad_len) };
        // SAFETY: the same, and for writing.
        let text = unsafe { overlap::checked_text((self.r#in, self.len), (self.out, self.len)) };
        if WRITTEN == 2 {
            // SAFETY: the caller's bytes, for writing, which have been checked.
            return key.seal(nonce, aad, text, |made| unsafe { memory::put_tag(self.tag, made) });
        }
        // SAFETY: the caller's bytes, which have been checked, apart from what is written.
        key.open(nonce, aad, text, unsafe { memory::bytes(self.tag, self.tag_len) })
    }
}

/// Seals each message, with the results of a loop over ropewalk_aead_seal(), and in lanes where that is faster: best if
/// neighbours have the same cipher. Messages may differ in key and length.
///
/// Fails as ropewalk_aead_seal() for the first message that would, with its index in the error, and with ROPEWALK_OVERLAP where a
/// message writes into `messages`, or the key of another one, or a key lies there. Nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_aead_seal(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_seal_many(
    messages: *mut ropewalk_aead_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Aead::<2>, "messages", messages, count) })
}

/// Opens each message, with the results of a loop over ropewalk_aead_open(), and in lanes where that is faster. `status` of each
/// message is its result; a forged message is zeroed, and the others are opened.
///
/// Returns ROPEWALK_FORGED where some are forged, with the index of the first. Fails otherwise as ropewalk_aead_seal_many():
/// nothing is then written.
///
/// # Safety
/// There are `count` messages, each as for ropewalk_aead_open(); `error` is for writing, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ropewalk_aead_open_many(
    messages: *mut ropewalk_aead_message,
    count: usize,
    error: *mut ropewalk_error,
) -> ropewalk_status {
    // SAFETY: as the caller says.
    call(error, || unsafe { many::run(&Aead::<1>, "messages", messages, count) })
}

/// Seals if `WRITTEN` is 2, for text and tag; opens if it is 1, for the text.
struct Aead<const WRITTEN: usize>;

impl<const WRITTEN: usize> Call<6, WRITTEN> for Aead<WRITTEN> {
    type Message = ropewalk_aead_message;
    type Keys = Keys;

    #[inline(always)]
    fn spans(&self, message: &ropewalk_aead_message) -> [Span; 6] {
        message.spans()
    }

    #[inline]
    unsafe fn gain(&self, message: &ropewalk_aead_message, count: usize) -> Gain {
        let len = message.len;
        let in_place = std::ptr::eq(message.r#in, message.out);
        // For small batches of short messages, further checks take too long.
        if count < 4 && len < 256 {
            return Gain::None;
        }
        // SAFETY: the caller's key.
        match unsafe { object::get(message.key) }.map(|key| &key.any) {
            // measured: on Rocket Lake in rows, eight of 64 bytes take 0.65 of a loop, 16 0.76, 64 0.95; in serial 1.0
            Ok(Any::Gcm(_)) => {
                Gain::little_if(in_place && count >= 32 && len <= 48 && has_gcm_lanes())
            }
            Ok(Any::Ccm(_)) => Gain::of_chains(count, len, in_place),
            // measured: on Rocket Lake, eight of 256 bytes take 0.85 of a loop, of 64 1.02, 16 of 256 1.0, of 64 1.14; copied,
            // 0.66 to 0.89
            Ok(Any::ChaCha(_)) => {
                Gain::much_if(in_place && (count >= 8 && len < 192 || count >= 16 && len <= 1024))
            }
            Err(_) => Gain::None,
        }
    }

    #[inline(always)]
    unsafe fn fits(&self, message: &ropewalk_aead_message, keys: &mut Keys) -> bool {
        // SAFETY: as the caller says.
        let found = unsafe { keys.find(message.key) };
        found && keys.fit(message)
    }

    #[inline(always)]
    fn are_alike(&self, one: &ropewalk_aead_message, other: &ropewalk_aead_message) -> bool {
        std::ptr::eq(one.key, other.key) && one.len == other.len
    }

    #[inline(always)]
    fn is_apart(&self, message: &ropewalk_aead_message) -> bool {
        let [input, output, key, nonce, aad, tag] = message.regions();
        match WRITTEN == 2 {
            true => overlap::surely_apart(&input, &output, &[key, nonce, aad], &[tag]),
            false => overlap::surely_apart(&input, &output, &[key, nonce, aad, tag], &[]),
        }
    }

    unsafe fn check(&self, message: &ropewalk_aead_message) -> Result<()> {
        let [input, output, key, nonce, aad, tag] = message.regions();
        match WRITTEN == 2 {
            true => overlap::check(input, output, [key, nonce, aad], [tag]),
            false => overlap::check(input, output, [key, nonce, aad, tag], []),
        }?;
        // SAFETY: the caller's key.
        unsafe { object::get(message.key) }?;
        // SAFETY: as the caller says; its bytes are there, and apart.
        unsafe { message.check_lens() }
    }

    #[inline(always)]
    unsafe fn alone(&self, message: *mut ropewalk_aead_message) -> Result<()> {
        // SAFETY: as the caller says.
        let one = unsafe { &*message };
        // SAFETY: the same.
        let done = unsafe { one.run_checked::<WRITTEN>() };
        // SAFETY: as the caller says, and for writing.
        unsafe { ropewalk_aead_message::told(message, done) }
    }

    #[inline(always)]
    unsafe fn one(&self, message: *mut ropewalk_aead_message) -> Result<()> {
        // SAFETY: as the caller says.
        let ropewalk_aead_message {
            key,
            nonce,
            nonce_len,
            aad,
            aad_len,
            r#in,
            out,
            len,
            tag,
            tag_len,
            ..
        } = unsafe { *message };
        let (nonce, aad, from, to) = ((nonce, nonce_len), (aad, aad_len), (r#in, len), (out, len));
        let done = match WRITTEN == 2 {
            // SAFETY: as the caller says.
            true => unsafe { super::seal(key, nonce, aad, from, to, (tag, tag_len)) },
            // SAFETY: as the caller says.
            false => unsafe { super::open(key, nonce, aad, from, to, (tag, tag_len)) },
        };
        // SAFETY: as the caller says, and for writing.
        unsafe { ropewalk_aead_message::told(message, done) }
    }

    /// Neighbours with the same cipher are processed together.
    #[inline(never)]
    unsafe fn side_by_side(
        &self,
        mut from: usize,
        messages: *mut ropewalk_aead_message,
        count: usize,
    ) -> Result<()> {
        // SAFETY: the caller's messages, apart from all that they have.
        let group = unsafe { slice::from_raw_parts_mut(messages, count) };
        // SAFETY: their keys have been found ready.
        let kind = |one: &ropewalk_aead_message| unsafe { object::found(one.key) }.kind();
        let alike = |one: &_, next: &_| kind(one) == kind(next);
        let mut all = Ok(());
        for run in group.chunk_by_mut(alike) {
            // SAFETY: as the caller says.
            let gain = unsafe { many::gain(self, run) };
            all = all.and(match (run.first().map(kind), WRITTEN == 2) {
                // SAFETY: as the caller says.
                _ if gain == Gain::None => unsafe {
                    serial(self, from, run.as_mut_ptr(), run.len())
                },
                // SAFETY: as the caller says, and they are of this cipher.
                (Some(0), true) => unsafe { gcm::seal(from, run) },
                // SAFETY: the same.
                (Some(0), false) => unsafe { gcm::open(from, run) },
                // SAFETY: the same.
                (Some(1), true) => unsafe { ccm::seal(from, run) },
                // SAFETY: the same.
                (Some(1), false) => unsafe { ccm::open(from, run) },
                // SAFETY: the same.
                (_, true) => unsafe { chacha::seal(from, run) },
                // SAFETY: the same.
                (_, false) => unsafe { chacha::open(from, run) },
            });
            from += run.len();
        }
        all
    }
}

/// The keys of messages, where neighbours mostly have the same.
#[derive(Default)]
struct Keys {
    last: Option<*const ropewalk_aead_key>,
    tag_len: usize,
    /// The shortest allowed nonce, and by how much the longest is longer.
    nonce_lens: (usize, usize),
}

impl Keys {
    /// Whether a key is ready; it becomes the last one.
    ///
    /// # Safety
    /// As [`ropewalk_aead_seal_many`].
    #[inline(always)]
    unsafe fn find(&mut self, at: *const ropewalk_aead_key) -> bool {
        if self.last != Some(at) {
            // SAFETY: the caller's key.
            let Ok(key) = (unsafe { object::get(at) }) else { return false };
            self.tag_len = key.tag_len;
            self.nonce_lens = match key.any {
                Any::Gcm(_) => (1, SHORT),
                Any::Ccm(_) => (7, 6),
                Any::ChaCha(_) => (12, 0),
            };
            self.last = Some(at);
        }
        true
    }

    /// Whether a message, which has the last key, certainly has valid lengths.
    #[inline(always)]
    fn fit(&self, message: &ropewalk_aead_message) -> bool {
        let (least, more) = self.nonce_lens;
        (message.len | message.aad_len) < SHORT
            && message.tag_len == self.tag_len
            && message.nonce_len.wrapping_sub(least) <= more
    }
}

/// Every cipher accepts texts and additional data that are shorter.
const SHORT: usize = 1 << 15;

impl ropewalk_aead_message {
    /// Its input and output, its key, nonce, additional data and tag.
    #[inline(always)]
    fn regions(&self) -> [Region; 6] {
        [
            Region::new("input", (self.r#in, self.len)),
            Region::new("output", (self.out, self.len)),
            Region::object(self.key),
            Region::new("nonce", (self.nonce, self.nonce_len)),
            Region::new("aad", (self.aad, self.aad_len)),
            Region::new("tag", (self.tag, self.tag_len)),
        ]
    }

    /// Writes the result of a message to it, unless it failed for another reason than forgery.
    ///
    /// # Safety
    /// It is for writing.
    #[inline(always)]
    unsafe fn told(message: *mut Self, done: Result<()>) -> Result<()> {
        match done {
            Ok(()) => {
                // SAFETY: as the caller says.
                unsafe { (*message).status = ropewalk_status::ROPEWALK_OK as u32 };
                Ok(())
            }
            Err(failure) => {
                if failure.is_forgery() {
                    // SAFETY: as the caller says.
                    unsafe { (*message).status = ropewalk_status::ROPEWALK_FORGED as u32 };
                }
                Err(failure)
            }
        }
    }

    /// Checks its lengths, whatever they are.
    ///
    /// # Safety
    /// As [`ropewalk_aead_seal_many`]; its key is ready, and its bytes are there, apart from what it writes.
    unsafe fn check_lens(&self) -> Result<()> {
        // SAFETY: the caller's key, which has been found ready.
        let key = unsafe { object::found(self.key) };
        key.check_tag(self.tag_len)?;
        // SAFETY: as the caller says.
        let nonce = unsafe { memory::bytes(self.nonce, self.nonce_len) };
        // SAFETY: the same.
        let aad = unsafe { memory::bytes(self.aad, self.aad_len) };
        // SAFETY: the same, and for writing.
        let text = unsafe { memory::bytes_mut(self.out, self.len) };
        Ok(match &key.any {
            Any::Gcm(key) => {
                aes_gcm::Seals::new(aes_gcm::Many::new()).check(&Sealing { key, nonce, aad, text })
            }
            Any::Ccm(key) => {
                aes_ccm::Seals::new(aes_ccm::Many::new()).check(&Sealing { key, nonce, aad, text })
            }
            Any::ChaCha(key) => chacha20_poly1305::Seals::new(chacha20_poly1305::Many::new())
                .check(&Sealing { key, nonce, aad, text }),
        }?)
    }
}

fn has_gcm_lanes() -> bool {
    aes_gcm::Many::new().lanes() > 1
}

/// Declares the functions for neighbours with the same cipher, each of which has been checked.
macro_rules! cipher {
    ($name:ident: $module:ident, $Variant:ident) => {
        mod $name {
            use ropewalk::$module::{Message, open_many, seal_many};

            use super::*;

            /// # Safety
            /// As [`ropewalk_aead_seal_many`]; there are at most as many as in a group.
            pub(super) unsafe fn seal(
                from: usize,
                run: &mut [ropewalk_aead_message],
            ) -> Result<()> {
                let mut tags = ArrayVec::<Tag, GROUP>::new();
                tags.extend(run.iter().map(|_| Tag::default()));
                let mut texts = ArrayVec::new();
                // SAFETY: as the caller says.
                unsafe { put_texts(run, &mut texts) };
                seal_many(&mut texts, &mut tags).map_err(|one| wrong(from, one))?;
                for (message, tag) in run.iter_mut().zip(&tags) {
                    // SAFETY: the caller's bytes, which have been checked, apart from all others.
                    unsafe { memory::put_tag(message.tag, tag) };
                    message.status = ropewalk_status::ROPEWALK_OK as u32;
                }
                Ok(())
            }

            /// # Safety
            /// As [`ropewalk_aead_open_many`]; there are at most as many as in a group.
            pub(super) unsafe fn open(
                from: usize,
                run: &mut [ropewalk_aead_message],
            ) -> Result<()> {
                let mut results = ArrayVec::<_, GROUP>::new();
                results.extend(run.iter().map(|_| Ok(())));
                let tag = |one: &ropewalk_aead_message| {
                    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
                    unsafe { memory::bytes(one.tag, one.tag_len) }
                };
                let mut tags = ArrayVec::<&[u8], GROUP>::new();
                tags.extend(run.iter().map(tag));
                let mut texts = ArrayVec::new();
                // SAFETY: as the caller says.
                unsafe { put_texts(run, &mut texts) };
                open_many(&mut texts, &tags, &mut results).map_err(|one| wrong(from, one))?;
                for (message, result) in run.iter_mut().zip(&results) {
                    message.status = match result {
                        Ok(()) => ropewalk_status::ROPEWALK_OK as u32,
                        Err(_) => ropewalk_status::ROPEWALK_FORGED as u32,
                    };
                }
                match results.iter().position(|result| result.is_err()) {
                    None => Ok(()),
                    Some(index) => Err(Failure::from(Error::Forged).at(from + index)),
                }
            }

            /// Appends the messages in the library's form, with their texts at the output. They are made in place: returning them
            /// would copy space for a whole group.
            ///
            /// # Safety
            /// As [`ropewalk_aead_seal_many`]; there are at most as many as in a group.
            #[inline]
            unsafe fn put_texts<'a>(
                run: &[ropewalk_aead_message],
                all: &mut ArrayVec<Message<'a>, GROUP>,
            ) {
                for one in run {
                    // SAFETY: the caller's key, which has been found ready.
                    let Any::$Variant(key) = &unsafe { object::found(one.key) }.any else {
                        unreachable!("neighbours of one cipher")
                    };
                    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
                    let nonce = unsafe { memory::bytes(one.nonce, one.nonce_len) };
                    // SAFETY: the same.
                    let aad = unsafe { memory::bytes(one.aad, one.aad_len) };
                    // SAFETY: the same, and for writing.
                    let text = unsafe { overlap::copied((one.r#in, one.out), one.len) };
                    all.push(Message { key, nonce, aad, text });
                }
            }
        }
    };
}

cipher! { gcm: aes_gcm, Gcm }
cipher! { ccm: aes_ccm, Ccm }
cipher! { chacha: chacha20_poly1305, ChaCha }
