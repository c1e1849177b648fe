//! Many messages of authenticated ciphers, of any keys and lengths.

use std::ffi::c_void;

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
    many::{FEW, GROUP, LONG_TEXT, SHORT_TEXT, wrong},
    memory, object,
    overlap::{self, Region, Span, batch, rows},
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
    /// What it writes comes first: sealing two spans, opening one.
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

    /// Seals or opens it by itself.
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
    call(error, || unsafe { run::<2>(messages, count) })
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
    call(error, || unsafe { run::<1>(messages, count) })
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

/// Seals where `WRITTEN` spans of a message are written, which are text and tag; opens where the text alone is.
///
/// # Safety
/// As [`ropewalk_aead_seal_many`].
unsafe fn run<const WRITTEN: usize>(
    messages: *mut ropewalk_aead_message,
    count: usize,
) -> Result<()> {
    let sealing = WRITTEN == 2;
    // SAFETY: the caller's messages.
    let messages = unsafe { memory::row_mut("messages", messages, count) }?;
    if let [message] = messages {
        // SAFETY: as the caller says.
        return unsafe { one(message, sealing) };
    }
    let mut keys = Keys::new();
    // SAFETY: as the caller says.
    let fine = |message: &ropewalk_aead_message| unsafe { keys.fit(message) };
    let spans = ropewalk_aead_message::spans;
    let certain = rows::surely_apart::<_, 6, WRITTEN>(messages, spans, fine);
    if !certain {
        // SAFETY: as the caller says.
        unsafe { check_exactly::<WRITTEN>(messages) }?;
    }

    let (mut from, mut forged) = (0, None);
    if certain && keys.go_one_by_one(messages.len()) {
        // SAFETY: each has been checked, and they are apart.
        forged = unsafe { serial::<WRITTEN>(from, messages) }?;
        from = messages.len();
    }
    for group in messages[from..].chunks_mut(GROUP) {
        // SAFETY: their keys have been found ready.
        let kind = |one: &ropewalk_aead_message| unsafe { object::found(one.key) }.kind();
        let mut rest = group;
        while let Some(first) = rest.first() {
            let cipher = kind(first);
            let alike = match certain && keys.of_one_kind {
                true => rest.len(),
                false => rest.iter().take_while(|one| kind(one) == cipher).count(),
            };
            let (run, others) = rest.split_at_mut(alike);
            let short = run.len() <= FEW && run.iter().all(|one| one.len <= SHORT_TEXT);
            let done = match (cipher, sealing) {
                _ if short || has_no_lanes(cipher) => serial::<WRITTEN>,
                (0, true) => gcm::seal,
                (0, false) => gcm::open,
                (1, true) => ccm::seal,
                (1, false) => ccm::open,
                (_, true) => chacha::seal,
                (_, false) => chacha::open,
            };
            // SAFETY: each has been checked, and they are apart.
            let failed = unsafe { done(from, run) }?;
            forged = forged.or(failed.map(|index| from + index));
            from += run.len();
            rest = others;
        }
    }
    match forged {
        None => Ok(()),
        Some(index) => Err(Failure::from(Error::Forged).at(index)),
    }
}

/// Whether messages of this kind of cipher go one by one here, however many they are.
fn has_no_lanes(cipher: u8) -> bool {
    cipher == 0 && aes_gcm::Many::new().lanes() == 1
}

/// Seals or opens messages one after the other. Returns the first that is forged.
///
/// # Safety
/// As [`ropewalk_aead_seal_many`]; each has been checked, and they are apart.
unsafe fn serial<const WRITTEN: usize>(
    from: usize,
    run: &mut [ropewalk_aead_message],
) -> Result<Option<usize>> {
    let mut forged = None;
    for (i, message) in run.iter_mut().enumerate() {
        // SAFETY: as the caller says.
        let done = unsafe { message.run_checked::<WRITTEN>() };
        message.status = match done {
            Ok(()) => ropewalk_status::ROPEWALK_OK as u32,
            Err(failure) if failure.is_forgery() => {
                forged = forged.or(Some(i));
                ropewalk_status::ROPEWALK_FORGED as u32
            }
            Err(failure) => return Err(failure.at(from + i)),
        };
    }
    Ok(forged)
}

/// The keys of messages, of which neighbours mostly have the same.
struct Keys {
    last: Option<*const ropewalk_aead_key>,
    tag_len: usize,
    kind: u8,
    of_one_kind: bool,
    /// No text is longer, or shorter.
    longest: usize,
    shortest: usize,
}

impl Keys {
    fn new() -> Self {
        let (longest, shortest) = (0, usize::MAX);
        Self { last: None, tag_len: 0, kind: 0, of_one_kind: false, longest, shortest }
    }

    /// Whether the key of a message is ready, and its lengths are some that every cipher takes.
    ///
    /// # Safety
    /// As [`ropewalk_aead_seal_many`].
    #[inline(always)]
    unsafe fn fit(&mut self, message: &ropewalk_aead_message) -> bool {
        // SAFETY: as the caller says.
        if self.last != Some(message.key) && !unsafe { self.next(message.key) } {
            return false;
        }
        self.longest |= message.len;
        self.shortest = self.shortest.min(message.len);
        let longer = message.len | message.aad_len;
        message.tag_len == self.tag_len && message.nonce_len == 12 && longer < SHORT
    }

    /// Whether all messages go one by one, where each was fit.
    fn go_one_by_one(&self, count: usize) -> bool {
        let short = count <= FEW && self.longest <= SHORT_TEXT;
        let long = self.kind == 0 && self.shortest >= LONG_TEXT;
        self.of_one_kind && (short || long || has_no_lanes(self.kind))
    }

    /// # Safety
    /// As [`ropewalk_aead_seal_many`].
    #[inline]
    unsafe fn next(&mut self, at: *const ropewalk_aead_key) -> bool {
        // SAFETY: the caller's key.
        let Ok(key) = (unsafe { object::get(at) }) else { return false };
        self.of_one_kind = self.last.is_none() || self.of_one_kind && self.kind == key.kind();
        (self.last, self.tag_len, self.kind) = (Some(at), key.tag_len, key.kind());
        true
    }
}

/// Every cipher takes texts and additional data that are shorter, with a nonce of 12 bytes.
const SHORT: usize = 1 << 15;

/// Whether messages are right, each by itself and with the others, whatever they are.
///
/// # Safety
/// As [`ropewalk_aead_seal_many`].
#[cold]
unsafe fn check_exactly<const WRITTEN: usize>(messages: &[ropewalk_aead_message]) -> Result<()> {
    let ciphers = Ciphers::new();
    for (i, message) in messages.iter().enumerate() {
        // SAFETY: as the caller says.
        unsafe { message.check(WRITTEN == 2, &ciphers) }.map_err(|wrong| wrong.at(i))?;
    }
    batch::apart_from_array("messages", messages, ropewalk_aead_message::spans)?;
    batch::apart(messages, WRITTEN, ropewalk_aead_message::spans)
}

/// A message that has no others goes as ropewalk_aead_seal() and ropewalk_aead_open() do.
///
/// # Safety
/// As [`ropewalk_aead_seal_many`].
unsafe fn one(message: &mut ropewalk_aead_message, sealing: bool) -> Result<()> {
    overlap::apart("messages", Span::of(&raw const *message), message.spans())
        .map_err(|wrong| wrong.at(0))?;
    let ropewalk_aead_message { key, nonce, nonce_len, aad, aad_len, r#in, out, len, .. } =
        *message;
    let (nonce, aad, from, to) = ((nonce, nonce_len), (aad, aad_len), (r#in, len), (out, len));
    let done = match sealing {
        // SAFETY: as the caller says.
        true => unsafe { super::seal(key, nonce, aad, from, to, (message.tag, message.tag_len)) },
        // SAFETY: as the caller says.
        false => unsafe { super::open(key, nonce, aad, from, to, (message.tag, message.tag_len)) },
    };
    match done {
        Ok(()) => {
            message.status = ropewalk_status::ROPEWALK_OK as u32;
            Ok(())
        }
        Err(failure) => Err(failed(message, failure)),
    }
}

#[cold]
#[inline(never)]
fn failed(message: &mut ropewalk_aead_message, failure: Failure) -> Failure {
    if failure.is_forgery() {
        message.status = ropewalk_status::ROPEWALK_FORGED as u32;
    }
    failure.at(0)
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
            ) -> Result<Option<usize>> {
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
                Ok(None)
            }

            /// Returns the first that is forged.
            ///
            /// # Safety
            /// As [`ropewalk_aead_open_many`]; there are no more than go in a group.
            pub(super) unsafe fn open(
                from: usize,
                run: &mut [ropewalk_aead_message],
            ) -> Result<Option<usize>> {
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
                Ok(results.iter().position(|result| result.is_err()))
            }

            /// Puts the messages as the library takes them, with their texts where they are written. They are made where they are
            /// used: to return them would copy room for a whole group.
            ///
            /// # Safety
            /// As [`ropewalk_aead_seal_many`]; there are no more than go in a group.
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
