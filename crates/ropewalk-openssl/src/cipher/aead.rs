//! AES-GCM and ChaCha20-Poly1305: messages in chunks, and whole records of TLS.

use ropewalk::random;
use zeroize::Zeroize as _;

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::Held,
    tls::RECORD_AAD,
};
use crate::{error::Reason, params::Param, secret, version::Version};
use keys::{ChaCha20Poly1305Key, GcmKey, Piece, Sealing};

mod keys;
mod records;

const TAG: usize = 16;
/// The length of the explicit nonce in records of AES-GCM (RFC 5288, section 3).
const EXPLICIT: usize = 8;
/// The longest nonce.
const LONGEST_NONCE: usize = 128;

/// The most bytes of additional data that are buffered until the text comes.
const LONGEST_AAD: usize = 64;
/// The longest first chunk that is processed as if it were the whole text, until more text comes. A single call is
/// faster than a start, a chunk and an end, and the copy of the sealed text is cheaper than those.
const LONGEST_WHOLE: usize = 2048;

/// The most messages of a batch, which is OpenSSL's limit.
const MOST_PIPES: usize = 32;

type Nonce = [u8; LONGEST_NONCE];

/// The phase of the message and of its nonce.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No nonce has been set.
    None,
    /// A nonce is set. Additional data may be buffered.
    Fresh,
    /// One chunk of the text has come, of that length, which may be the whole text.
    Whole(usize),
    /// The message comes in chunks.
    Pieces,
    /// The message has ended; its nonce must not be used again.
    Spent,
}

pub(crate) type Gcm<const LEN: usize> = Aead<GcmKey<LEN>>;
pub(crate) type ChaCha20Poly1305 = Aead<ChaCha20Poly1305Key>;

/// A message in chunks, or a record.
pub(crate) struct Aead<K: Sealing> {
    version: Version,
    way: Way,
    key: Held<K>,
    nonce: Nonce,
    nonce_len: usize,
    state: State,
    aad: [u8; LONGEST_AAD],
    aad_len: usize,
    /// The sealed text of a first chunk, or the text to open.
    sealed: [u8; LONGEST_WHOLE],
    /// The state of a message in chunks, or of the last one: it is allocated once, and reused.
    stream: Option<K::Stream>,
    tag: [u8; TAG],
    /// The expected tag, for opening.
    expected: [u8; TAG],
    /// The length of the tag that was set, or the fact that there is one.
    tag_len: Option<usize>,
    /// The additional data of the next record.
    record: Option<[u8; RECORD_AAD]>,
    /// The difference between the lengths of a record and its text.
    record_pad: usize,
    /// Whether the nonces of records are counted.
    counts: bool,
    /// Whether the nonce was generated here.
    random: bool,
    /// The messages of a batch with the same key.
    pipes: Vec<Self>,
}

impl<K: Sealing> Clone for Aead<K> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            stream: self.stream.clone(),
            pipes: self.pipes.clone(),
            ..*self
        }
    }
}

impl<K: Sealing> Aead<K> {
    fn nonce(&self) -> &[u8] {
        &self.nonce[..self.nonce_len]
    }

    /// A nonce is set for another message.
    #[inline]
    fn fresh(&mut self) {
        self.state = State::Fresh;
        self.aad_len = 0;
    }

    /// Generates a random nonce for sealing, if the caller has set none (SP 800-38D, section 8.2.2).
    fn make_nonce(&mut self) -> Result<(), Reason> {
        if self.way == Way::Decrypt || self.nonce_len < 12 || K::RECORD_NONCE == 0 {
            return Err(Reason::CipherOperationFailed);
        }
        random::fill(&mut self.nonce[..self.nonce_len])?;
        self.fresh();
        self.random = true;
        Ok(())
    }

    /// Prepares a nonce for a new message that has none.
    #[inline]
    fn begin(&mut self) -> Result<(), Reason> {
        self.key.get()?;
        match self.state {
            State::None => self.make_nonce(),
            State::Spent => Err(Reason::CipherOperationFailed),
            _ => Ok(()),
        }
    }

    /// Switches to processing in chunks.
    fn go_in_pieces(&mut self) -> Result<(), Reason> {
        let Self { key, nonce, nonce_len, state, aad, aad_len, sealed, stream, .. } = self;
        let key = key.get()?;
        if *state == State::Pieces {
            return Ok(());
        }
        let nonce = &nonce[..*nonce_len];
        let stream = match stream {
            Some(stream) => key.restart(stream, nonce).map(|()| stream),
            None => first(key, stream, nonce),
        }?;
        if *aad_len > 0 {
            key.absorb(stream, &aad[..*aad_len])?;
        }
        if let State::Whole(len) = *state {
            // The sealed first chunk is absorbed as if it were opened.
            key.crypt(Way::Decrypt, stream, Buffers::InPlace(&mut sealed[..len]))?;
            sealed[..len].zeroize();
        }
        *state = State::Pieces;
        Ok(())
    }

    fn absorb(&mut self, io: &Io) -> Result<(), Reason> {
        let (aad, waiting) = (io.input(), self.aad_len);
        if self.state == State::Fresh && aad.len() <= LONGEST_AAD - waiting {
            self.aad[waiting..waiting + aad.len()].copy_from_slice(aad);
            self.aad_len += aad.len();
            return Ok(());
        }
        self.go_in_pieces()?;
        let (key, Some(stream)) = (self.key.get()?, &mut self.stream) else {
            return Err(Reason::CipherOperationFailed);
        };
        key.absorb(stream, aad)
    }

    /// Processes a chunk of additional data or of the text, or a record.
    #[inline]
    fn piece(&mut self, io: &mut Io) -> Result<usize, Reason> {
        if let (Some(aad), false) = (self.record, io.is_aad()) {
            let text = usize::from(u16::from_be_bytes([aad[11], aad[12]]));
            if K::RECORD_NONCE == 0 && io.len() != text + TAG {
                // A record is still announced.
                return Err(Reason::CipherOperationFailed);
            }
            self.record = None;
            let result = self.record(aad, io);
            if K::RECORD_NONCE > 0 {
                self.state = State::Spent;
            }
            return result;
        }
        let len = io.len();
        if len > 0 && io.is_end() {
            return Err(Reason::CipherOperationFailed);
        }
        self.begin()?;
        if len == 0 {
            return Ok(0);
        }
        if io.is_aad() { self.absorb(io) } else { self.crypt(io) }?;
        Ok(len)
    }

    fn crypt(&mut self, io: &mut Io) -> Result<(), Reason> {
        let (way, len) = (self.way, io.len());
        if self.state == State::Fresh && len <= LONGEST_WHOLE {
            let Self { key, nonce, nonce_len, aad, aad_len, sealed, tag, expected, state, .. } =
                self;
            let (key, nonce, aad) = (key.get()?, &nonce[..*nonce_len], &aad[..*aad_len]);
            if way == Way::Encrypt {
                let mut text = io.whole()?;
                key.whole(way, nonce, aad, text.reborrow(), tag)?;
                sealed[..len].copy_from_slice(text.output());
            } else {
                sealed[..len].copy_from_slice(io.input());
                key.whole(way, nonce, aad, io.whole()?, expected)?;
            }
            *state = State::Whole(len);
            return Ok(());
        }
        self.go_in_pieces()?;
        let (key, Some(stream)) = (self.key.get()?, &mut self.stream) else {
            return Err(Reason::CipherOperationFailed);
        };
        key.crypt(way, stream, io.whole()?)
    }
}

/// Starts the first message in chunks. It is not inlined: otherwise the compiler does not restart later messages in
/// place.
#[cold]
#[inline(never)]
fn first<'a, K: Sealing>(
    key: &K,
    stream: &'a mut Option<K::Stream>,
    nonce: &[u8],
) -> Result<&'a mut K::Stream, Reason> {
    Ok(stream.insert(key.begin(nonce)?))
}

/// The parameters that a context accepts.
const SETTABLE: &[Param] = &[
    Param::number(c"ivlen"),
    Param::octets(c"tag"),
    Param::octets(c"tlsaad"),
    Param::octets(c"tlsivfixed"),
    Param::octets(c"tlsivinv"),
    Param::octets_pointer(c"pipeline-tag"),
    Param::END,
];

/// The same with the key length, for ChaCha20-Poly1305: OpenSSL's own AES-GCM does not list it.
const WITH_KEY_LEN: &[Param] = &[
    Param::number(c"keylen"),
    Param::number(c"ivlen"),
    Param::octets(c"tag"),
    Param::octets(c"tlsaad"),
    Param::octets(c"tlsivfixed"),
    Param::octets(c"tlsivinv"),
    Param::octets_pointer(c"pipeline-tag"),
    Param::END,
];

impl<K: Sealing> Cipher for Aead<K> {
    const MODE: u32 = K::MODE;
    const KEY_LEN: usize = K::KEY_LEN;
    const IV_LEN: usize = 12;
    const AEAD: bool = true;
    const CUSTOM_IV: bool = true;
    const PIPES: bool = true;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"taglen"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::octets(c"tag"),
        Param::number(c"tlsaadpad"),
        Param::octets(c"tlsivgen"),
        Param::number(c"iv-generated"),
        Param::octets_pointer(c"pipeline-tag"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = if K::RECORD_NONCE == 0 { WITH_KEY_LEN } else { SETTABLE };

    fn new(version: Version) -> Self {
        Self {
            version,
            way: Way::Encrypt,
            key: Held::none(),
            nonce: [0; LONGEST_NONCE],
            nonce_len: 12,
            state: State::None,
            aad: [0; LONGEST_AAD],
            aad_len: 0,
            sealed: [0; LONGEST_WHOLE],
            stream: None,
            tag: [0; TAG],
            expected: [0; TAG],
            tag_len: None,
            record: None,
            record_pad: 0,
            counts: false,
            random: false,
            pipes: Vec::new(),
        }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        if way != self.way {
            // A tag that was computed is not an expected tag.
            self.tag_len = None;
        }
        self.way = way;
        if K::RECORD_NONCE == 0 && (key.is_some() || iv.is_some()) {
            self.record = None;
        }
        if let Some(iv) = iv {
            let (least, most) = K::NONCE_LENS;
            if !(least..=most).contains(&iv.len()) {
                return Err(Reason::InvalidIvLength);
            }
            self.nonce_len = iv.len();
            self.nonce[..iv.len()].copy_from_slice(iv);
            self.fresh();
            self.random = false;
        }
        if let Some(key) = key {
            check_key(key, K::KEY_LEN)?;
            self.key.set(key)?;
            // The message cannot continue with another key.
            if matches!(self.state, State::Pieces | State::Whole(_)) {
                self.fresh();
            }
        }
        Ok(())
    }

    #[inline]
    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        if io.len() == 0 { Ok(0) } else { self.piece(io) }
    }

    #[inline]
    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        let (way, tag_len) = (self.way, self.tag_len);
        if self.record.take().is_some() {
            // A record was announced; it has no separate end.
            self.state = State::Spent;
            return Err(Reason::CipherOperationFailed);
        }
        if way == Way::Decrypt && tag_len.is_none() {
            return Err(Reason::TagNotSet);
        }
        self.begin()?;
        if self.state == State::Fresh {
            self.go_in_pieces()?;
        }
        if let (State::Pieces, Some(stream)) = (self.state, &mut self.stream) {
            let tag = if way == Way::Encrypt { &mut self.tag } else { &mut self.expected };
            self.key.get()?.finish(stream, tag);
        }
        self.state = State::Spent;
        if way == Way::Encrypt {
            self.tag_len = Some(TAG);
            return Ok(0);
        }
        let len = tag_len.unwrap_or(TAG);
        if secret::same(&self.expected[..len], &self.tag[..len]) {
            Ok(0)
        } else {
            Err(Reason::Forged)
        }
    }

    fn begin_pipes(&mut self, way: Way, key: Option<&[u8]>, pipes: usize) -> Result<(), Reason> {
        self.init(way, key, None)?;
        let version = self.version;
        self.pipes.resize_with(pipes.min(MOST_PIPES), || Self::new(version));
        for pipe in &mut self.pipes {
            pipe.key = self.key.clone();
            pipe.nonce_len = self.nonce_len;
        }
        if pipes > MOST_PIPES { Err(Reason::CipherOperationFailed) } else { Ok(()) }
    }

    fn pipe(&mut self, i: usize) -> Result<&mut Self, Reason> {
        self.pipes.get_mut(i).ok_or(Reason::CipherOperationFailed)
    }

    /// Texts that are complete so far are processed in parallel.
    fn update_pipes(&mut self, pipes: usize, io: &dyn Fn(usize) -> Io) -> Result<(), Reason> {
        let side_by_side = self.way == Way::Encrypt
            && pipes == self.pipes.len()
            && self.pipes.iter().enumerate().all(|(i, pipe)| {
                let io = io(i);
                pipe.state == State::Fresh && !io.is_aad() && io.len() <= LONGEST_WHOLE
            });
        if !side_by_side {
            return (0..pipes).try_for_each(|i| self.pipe(i)?.update(&mut io(i)).map(|_| ()));
        }
        let key = self.key.get()?;
        let mut pieces = Vec::with_capacity(pipes);
        for (i, pipe) in self.pipes.iter_mut().enumerate() {
            // The text is sealed in the buffer of its copy, and copied to the output.
            let io = io(i);
            let Self { nonce, nonce_len, aad, aad_len, sealed, tag, .. } = pipe;
            let text = &mut sealed[..io.len()];
            text.copy_from_slice(io.input());
            pieces.push(Piece { nonce: &nonce[..*nonce_len], aad: &aad[..*aad_len], text, tag });
        }
        key.seal_many(&mut pieces)?;
        for (i, pipe) in self.pipes.iter_mut().enumerate() {
            let io = io(i);
            io.output().write(&pipe.sealed[..io.len()])?;
            pipe.state = State::Whole(io.len());
        }
        Ok(())
    }

    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        match io.len() {
            _ if io.is_end() => self.finish(&mut io.output()),
            0 if K::RECORD_NONCE == 0 => Ok(0),
            _ => self.piece(io),
        }
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(K::KEY_LEN as u64),
            b"ivlen" => param.set_number(self.nonce_len as u64),
            b"taglen" => param.set_number(self.tag_len.unwrap_or(K::UNSET_TAG_LEN) as u64),
            b"iv" | b"updated-iv" => {
                if self.state == State::None && K::RECORD_NONCE > 0 {
                    // Before 4.0 OpenSSL's own provider does not generate one on this query.
                    if self.version < Version::V4_0 {
                        return Err(Reason::CipherOperationFailed);
                    }
                    self.make_nonce()?;
                }
                param.set_octets(self.nonce()).map_err(|_| Reason::InvalidIvLength)
            }
            b"tag" => {
                if self.way == Way::Decrypt || self.tag_len.is_none() {
                    return Err(Reason::InvalidTag);
                }
                let len = param.room().unwrap_or(TAG);
                if len == 0 || len > TAG {
                    return Err(Reason::InvalidTag);
                }
                param.set_octets(&self.tag[..len])
            }
            b"pipeline-tag" => {
                let has_tag = |pipe: &Self| pipe.way == Way::Encrypt && pipe.state == State::Spent;
                if !self.pipes.iter().all(has_tag) {
                    return Err(Reason::InvalidTag);
                }
                let tags = self.pipes.iter().map(|pipe| pipe.tag);
                // SAFETY: there is space for a tag of each pipe.
                unsafe { param.write_each(tags, TAG) }
            }
            b"tlsaadpad" => param.set_number(self.record_pad as u64),
            b"tlsivgen" if K::RECORD_NONCE > 0 => self.give_nonce(param.as_room()?),
            b"iv-generated" if K::RECORD_NONCE > 0 && self.version >= Version::V3_4 => {
                param.set_number(self.random.into())
            }
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            // OpenSSL's own AES-GCM ignores the key length.
            b"keylen" if K::RECORD_NONCE == 0 && param.as_size()? != K::KEY_LEN => {
                Err(Reason::InvalidKeyLength)
            }
            b"ivlen" => {
                let (len, (least, most)) = (param.as_size()?, K::NONCE_LENS);
                if !(least..=most).contains(&len) {
                    return Err(Reason::InvalidIvLength);
                }
                if len != self.nonce_len {
                    self.nonce_len = len;
                    if self.state != State::None {
                        self.state = State::Spent;
                    }
                }
                Ok(())
            }
            b"tag" => {
                let len = param.octets_len()?;
                if len == 0 || len > TAG {
                    return Err(Reason::InvalidTagLength);
                }
                if param.is_empty() && K::RECORD_NONCE > 0 {
                    return Err(Reason::FailedToGetParameter);
                }
                if self.way == Way::Encrypt {
                    // Without bytes it sets the length of the tag.
                    return if param.is_empty() { Ok(()) } else { Err(Reason::InvalidTag) };
                }
                if !param.is_empty() {
                    self.tag[..len].copy_from_slice(param.as_octets()?);
                    self.tag_len = Some(len);
                }
                Ok(())
            }
            b"pipeline-tag" => {
                for (i, pipe) in self.pipes.iter_mut().enumerate() {
                    // SAFETY: there is a tag for each pipe.
                    let tag = unsafe { param.nth_octets(i) }?;
                    let place = pipe.tag.get_mut(..tag.len()).filter(|place| !place.is_empty());
                    place.ok_or(Reason::InvalidTagLength)?.copy_from_slice(tag);
                    pipe.tag_len = Some(tag.len());
                }
                Ok(())
            }
            b"tlsaad" => self.set_record(param.as_octets()?),
            b"tlsivfixed" if param.is_endless() => {
                let len = self.nonce_len;
                self.nonce[..len].copy_from_slice(param.as_octets_of(len)?);
                self.counts = true;
                self.random = false;
                self.fresh();
                Ok(())
            }
            b"tlsivfixed" => self.set_fixed(param.as_octets()?),
            b"tlsivinv" if K::RECORD_NONCE > 0 => self.take_nonce(param.as_octets()?),
            _ => Ok(()),
        }
    }
}
