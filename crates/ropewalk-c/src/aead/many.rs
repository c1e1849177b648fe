//! Many messages of authenticated ciphers, of any keys and lengths.

use std::ffi::c_void;

use arrayvec::ArrayVec;
use ropewalk::{
    Error,
    aead::Tag,
    aes_ccm, aes_gcm, chacha20_poly1305,
    collector::{Batch, Sealing},
};

use super::{Any, Key, ropewalk_aead_key};
use crate::{
    enter::{Failure, Result, call},
    many::{GROUP, wrong},
    memory, object,
    overlap::{self, Region, Span, batch},
    status::{ropewalk_error, ropewalk_status},
};

/// One of many messages.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ropewalk_aead_message {
    /// Its key, which others may have too.
    pub key: *const ropewalk_aead_key,
    /// Its nonce. Sealing, it must be new for its key.
    pub nonce: *const c_void,
    /// Bytes of it.
    pub nonce_len: usize,
    /// Its additional data.
    pub aad: *const c_void,
    /// Bytes of it.
    pub aad_len: usize,
    /// The text.
    pub r#in: *const c_void,
    /// Where it is encrypted or decrypted to. It may be `in`.
    pub out: *mut c_void,
    /// Bytes of both.
    pub len: usize,
    /// Its tag. Sealing, it is written; opening, it is only read.
    pub tag: *mut c_void,
    /// Bytes of it: as many as the key's tags have.
    pub tag_len: usize,
    /// What became of it, which is written: ROPEWALK_OK, or opening ROPEWALK_FORGED.
    pub status: u32,
}

impl ropewalk_aead_message {
    /// What it writes comes first.
    #[inline(always)]
    fn spans(&self) -> [Span; 6] {
        [
            Span::new(self.out, self.len),
            Span::new(self.tag, self.tag_len),
            Span::new(self.r#in, self.len),
            Span::new(self.nonce, self.nonce_len),
            Span::new(self.aad, self.aad_len),
            Span::of(self.key),
        ]
    }

    /// What is wrong with it, if something is.
    ///
    /// # Safety
    /// As [`ropewalk_aead_seal_many`].
    #[inline]
    unsafe fn check<'a>(&self, sealing: bool, ciphers: &Ciphers<'a>) -> Result<()> {
        let (input, output) = (
            Region::new("input", (self.r#in, self.len)),
            Region::new("output", (self.out, self.len)),
        );
        let key = Region::object(self.key);
        let nonce = Region::new("nonce", (self.nonce, self.nonce_len));
        let aad = Region::new("aad", (self.aad, self.aad_len));
        let tag = Region::new("tag", (self.tag, self.tag_len));
        match sealing {
            true => overlap::check(input, output, [key, nonce, aad], [tag]),
            false => overlap::check(input, output, [key, nonce, aad, tag], []),
        }?;
        // SAFETY: the caller's key.
        let key = unsafe { object::get(self.key) }?;
        key.check_tag(self.tag_len)?;
        // SAFETY: its bytes have been checked, and are apart from the others.
        let text: &'a mut [u8] = unsafe { memory::bytes_mut(self.out, self.len) };
        // SAFETY: the same.
        let nonce = unsafe { memory::bytes(self.nonce, self.nonce_len) };
        // SAFETY: the same.
        let aad = unsafe { memory::bytes(self.aad, self.aad_len) };
        Ok(match &key.any {
            Any::Gcm(key) => ciphers.gcm.check(&Sealing { key, nonce, aad, text }),
            Any::Ccm(key) => ciphers.ccm.check(&Sealing { key, nonce, aad, text }),
            Any::ChaCha(key) => ciphers.chacha.check(&Sealing { key, nonce, aad, text }),
        }?)
    }
}

/// Seals each message, side by side with others where that is faster: best where neighbours are of one cipher. Those of any keys
/// and lengths may be mixed.
///
/// Fails as ropewalk_aead_seal() for the first message that would, whose index the error has, and with ROPEWALK_OVERLAP where one
/// message writes what another one has. Nothing is then written.
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
    call(error, || unsafe { run(messages, count, true) })
}

/// Opens each message, side by side with others where that is faster. `status` of each message says what became of it; one that
/// is forged is zeroed, and says nothing of the others.
///
/// Returns ROPEWALK_FORGED where some are, with the index of the first. Fails otherwise as ropewalk_aead_seal_many(): nothing is
/// then written.
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
    call(error, || unsafe { run(messages, count, false) })
}

/// A message as ciphers say what is wrong with it.
type Checked<'a, K> = Sealing<&'a K, &'a [u8], &'a [u8], &'a mut [u8]>;

/// What ciphers have against messages.
struct Ciphers<'a> {
    gcm: aes_gcm::Seals<Checked<'a, aes_gcm::Key>>,
    ccm: aes_ccm::Seals<Checked<'a, aes_ccm::Key>>,
    chacha: chacha20_poly1305::Seals<Checked<'a, chacha20_poly1305::Key>>,
}

impl Ciphers<'_> {
    fn new() -> Self {
        Self {
            gcm: aes_gcm::Seals::new(aes_gcm::Many::new()),
            ccm: aes_ccm::Seals::new(aes_ccm::Many::new()),
            chacha: chacha20_poly1305::Seals::new(chacha20_poly1305::Many::new()),
        }
    }
}

/// # Safety
/// As [`ropewalk_aead_seal_many`].
unsafe fn run(messages: *mut ropewalk_aead_message, count: usize, sealing: bool) -> Result<()> {
    // SAFETY: the caller's messages.
    let messages = unsafe { memory::row_mut("messages", messages, count) }?;
    let ciphers = Ciphers::new();
    for (i, message) in messages.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe { message.check(sealing, &ciphers) }.map_err(|wrong| wrong.at(i))?;
    }
    batch::apart(messages, if sealing { 2 } else { 1 }, ropewalk_aead_message::spans)?;

    let (mut from, mut forged) = (0, None);
    for group in messages.chunks_mut(GROUP) {
        // SAFETY: their keys have been found ready.
        let key = |message: &ropewalk_aead_message| unsafe { object::get(message.key) };
        let kind = |message: &ropewalk_aead_message| key(message).map(Key::kind).ok();
        for run in group.chunk_by_mut(|one, next| kind(one) == kind(next)) {
            let Some(cipher) = run.first().and_then(kind) else { continue };
            let done = match (cipher, sealing) {
                (0, true) => gcm::seal,
                (0, false) => gcm::open,
                (1, true) => ccm::seal,
                (1, false) => ccm::open,
                (_, true) => chacha::seal,
                (_, false) => chacha::open,
            };
            // SAFETY: each has been checked, and they are apart.
            unsafe { done(from, run) }?;
            let failed =
                run.iter().position(|one| one.status != ropewalk_status::ROPEWALK_OK as u32);
            forged = forged.or(failed.map(|index| from + index));
            from += run.len();
        }
    }
    match forged {
        None => Ok(()),
        Some(index) => Err(Failure::from(Error::Forged).at(index)),
    }
}

/// Writes what is done with neighbours of one cipher, each of which has been checked.
macro_rules! cipher {
    ($name:ident: $module:ident, $Variant:ident) => {
        mod $name {
            use ropewalk::$module::{Message, open_many, seal_many};

            use super::*;

            /// # Safety
            /// As [`ropewalk_aead_seal_many`]; there are no more than go in a group.
            pub(super) unsafe fn seal(
                from: usize,
                run: &mut [ropewalk_aead_message],
            ) -> Result<()> {
                let mut tags = [Tag::default(); GROUP];
                let tags = &mut tags[..run.len()];
                // SAFETY: as whoever calls says.
                let mut texts = unsafe { texts(run) }?;
                seal_many(&mut texts, tags).map_err(|one| wrong(from, one))?;
                for (message, tag) in run.iter_mut().zip(tags) {
                    // SAFETY: the caller's bytes, which have been checked, apart from all others.
                    unsafe { memory::put_tag(message.tag, tag) };
                    message.status = ropewalk_status::ROPEWALK_OK as u32;
                }
                Ok(())
            }

            /// # Safety
            /// As [`ropewalk_aead_open_many`]; there are no more than go in a group.
            pub(super) unsafe fn open(
                from: usize,
                run: &mut [ropewalk_aead_message],
            ) -> Result<()> {
                let mut results = [Ok(()); GROUP];
                let results = &mut results[..run.len()];
                let tag = |one: &ropewalk_aead_message| {
                    // SAFETY: the caller's bytes, which have been checked, apart from what is written.
                    unsafe { memory::bytes(one.tag, one.tag_len) }
                };
                let tags: ArrayVec<&[u8], GROUP> = run.iter().map(tag).collect();
                // SAFETY: as whoever calls says.
                let mut texts = unsafe { texts(run) }?;
                open_many(&mut texts, &tags, results).map_err(|one| wrong(from, one))?;
                for (message, result) in run.iter_mut().zip(results) {
                    message.status = match result {
                        Ok(()) => ropewalk_status::ROPEWALK_OK as u32,
                        Err(_) => ropewalk_status::ROPEWALK_FORGED as u32,
                    };
                }
                Ok(())
            }

            /// The messages as the library takes them, with their texts where they are written.
            ///
            /// # Safety
            /// As [`ropewalk_aead_seal_many`]; there are no more than go in a group.
            #[inline]
            unsafe fn texts<'a>(
                run: &[ropewalk_aead_message],
            ) -> Result<ArrayVec<Message<'a>, GROUP>> {
                let mut all = ArrayVec::new();
                for one in run {
                    // SAFETY: the caller's key.
                    let Any::$Variant(key) = &unsafe { object::get(one.key) }?.any else {
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
                Ok(all)
            }
        }
    };
}

cipher! { gcm: aes_gcm, Gcm }
cipher! { ccm: aes_ccm, Ccm }
cipher! { chacha: chacha20_poly1305, ChaCha }
