//! Stream ciphers: AES in counter mode, and ChaCha20.

use ropewalk::{
    aes_ctr::{self, Counter},
    chacha20,
};

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
};
use crate::{error::Reason, params::Param, version::Version};

/// The differences between the ciphers.
pub(crate) trait KeyStream: OfSecret + 'static {
    const MODE: u32;
    const KEY_LEN: usize;
    const CUSTOM_IV: bool;
    type Place: Clone;

    fn begin(iv: &[u8; 16]) -> Self::Place;
    fn apply(&self, place: &mut Self::Place, text: Buffers<'_>) -> Result<(), Reason>;
    /// The counter block that OpenSSL's own provider would report, and how many bytes of a block are used.
    fn place(place: &Self::Place) -> ([u8; 16], usize);
    /// Whether the rest of a block is dropped by an init with another key, or by any init, as in OpenSSL's
    /// own provider.
    fn drops_rest(key: bool) -> bool;
}

pub(crate) struct CtrKey<const LEN: usize>(aes_ctr::Key);
pub(crate) struct ChaCha20Key(chacha20::Key);

pub(crate) type Ctr<const LEN: usize> = Stream<CtrKey<LEN>>;
pub(crate) type ChaCha20 = Stream<ChaCha20Key>;

impl<const LEN: usize> OfSecret for CtrKey<LEN> {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(aes_ctr::Key::new(secret)?))
    }
}

impl OfSecret for ChaCha20Key {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self(chacha20::Key::new(secret)?))
    }
}

impl<const LEN: usize> KeyStream for CtrKey<LEN> {
    const MODE: u32 = mode::CTR;
    const KEY_LEN: usize = LEN;
    const CUSTOM_IV: bool = false;
    type Place = aes_ctr::Stream;

    fn begin(iv: &[u8; 16]) -> Self::Place {
        aes_ctr::Stream::new(Counter::Bits128, iv)
    }

    #[inline]
    fn apply(&self, place: &mut Self::Place, text: Buffers<'_>) -> Result<(), Reason> {
        match text {
            Buffers::InPlace(text) => place.apply_keystream(&self.0, text),
            Buffers::Apart(from, to) => place.apply_keystream_to(&self.0, from, to),
        }?;
        Ok(())
    }

    fn place(place: &Self::Place) -> ([u8; 16], usize) {
        let (next, used) = place.place();
        (*next, used % 16)
    }

    fn drops_rest(_: bool) -> bool {
        true
    }
}

impl KeyStream for ChaCha20Key {
    const MODE: u32 = mode::STREAM;
    const KEY_LEN: usize = 32;
    const CUSTOM_IV: bool = true;
    type Place = ChaCha20Place;

    fn begin(iv: &[u8; 16]) -> Self::Place {
        ChaCha20Place::at(iv)
    }

    fn apply(&self, place: &mut Self::Place, mut text: Buffers<'_>) -> Result<(), Reason> {
        while text.len() as u64 > place.left() {
            let (now, later) = text.split_at(place.left() as usize);
            place.apply(self, now)?;
            *place = ChaCha20Place::at(&place.next());
            text = later;
        }
        place.apply(self, text)
    }

    fn place(place: &Self::Place) -> ([u8; 16], usize) {
        (place.next(), (place.len % 64) as usize)
    }

    fn drops_rest(key: bool) -> bool {
        key
    }
}

/// OpenSSL's nonce begins with the counter, in little-endian order. The counter overflows into the first word
/// of the nonce.
#[derive(Clone)]
pub(crate) struct ChaCha20Place {
    stream: chacha20::Stream,
    first: [u8; 16],
    /// Bytes since the first block.
    len: u64,
}

impl ChaCha20Place {
    fn at(first: &[u8; 16]) -> Self {
        let (counter, nonce) = first.split_first_chunk::<4>().expect("16 bytes");
        let nonce = nonce.try_into().expect("12 bytes");
        let stream = chacha20::Stream::new(u32::from_le_bytes(*counter), nonce);
        Self { stream, first: *first, len: 0 }
    }

    /// Bytes up to the last counter value.
    fn left(&self) -> u64 {
        let counter = u32::from_le_bytes(*self.first.first_chunk().expect("16 bytes"));
        64 * ((1 << 32) - u64::from(counter)) - self.len
    }

    fn apply(&mut self, key: &ChaCha20Key, text: Buffers<'_>) -> Result<(), Reason> {
        let len = text.len() as u64;
        match text {
            Buffers::InPlace(text) => self.stream.apply_keystream(&key.0, text)?,
            Buffers::Apart(from, to) => self.stream.apply_keystream_to(&key.0, from, to)?,
        }
        self.len += len;
        Ok(())
    }

    /// The counter block after the current block.
    fn next(&self) -> [u8; 16] {
        let mut block = self.first;
        let counter = block.first_chunk_mut().expect("16 bytes");
        *counter = u64::from_le_bytes(*counter).wrapping_add(self.len.div_ceil(64)).to_le_bytes();
        block
    }
}

/// A text that comes in chunks.
pub(crate) struct Stream<K: KeyStream> {
    key: Held<K>,
    iv: [u8; 16],
    place: Option<K::Place>,
    /// A stream has no padding. Queries return the value that was set.
    pads: bool,
}

impl<K: KeyStream> Clone for Stream<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), iv: self.iv, place: self.place.clone(), pads: self.pads }
    }
}

impl<K: KeyStream> Stream<K> {
    fn now(&self) -> ([u8; 16], usize) {
        self.place.as_ref().map_or((self.iv, 0), K::place)
    }
}

impl<K: KeyStream> Cipher for Stream<K> {
    const MODE: u32 = K::MODE;
    const KEY_LEN: usize = K::KEY_LEN;
    const IV_LEN: usize = 16;
    const CUSTOM_IV: bool = K::CUSTOM_IV;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = if matches!(K::MODE, mode::CTR) {
        &[Param::number(c"padding"), Param::number(c"num"), Param::END]
    } else {
        &[Param::number(c"keylen"), Param::number(c"ivlen"), Param::END]
    };

    fn new(_: Version) -> Self {
        Self { key: Held::none(), iv: [0; 16], place: None, pads: true }
    }

    fn init(&mut self, _: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        if K::drops_rest(key.is_some()) {
            // Without a new nonce the stream continues with the next block.
            self.place = Some(K::begin(&self.now().0));
        }
        if let Some(iv) = iv {
            self.iv = iv.try_into().map_err(|_| Reason::InvalidIvLength)?;
        }
        if iv.is_some() || self.place.is_none() {
            self.place = Some(K::begin(&self.iv));
        }
        if let Some(key) = key {
            check_key(key, K::KEY_LEN)?;
            self.key.set(key)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let (key, Some(place)) = (self.key.get()?, &mut self.place) else {
            return Err(Reason::NoKeySet);
        };
        let len = io.len();
        key.apply(place, io.whole()?)?;
        Ok(len)
    }

    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        self.key.get().map(|_| 0)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(K::KEY_LEN as u64),
            b"ivlen" => param.set_number(16),
            b"padding" if K::MODE == mode::CTR => param.set_number(self.pads.into()),
            b"num" if K::MODE == mode::CTR => param.set_number(self.now().1 as u64),
            b"iv" => param.set_octets(&self.iv),
            // A pointer to it is valid until the next call.
            b"updated-iv" => param.set_octets(&self.now().0),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"padding" if K::MODE == mode::CTR => self.pads = param.as_number()? > 0,
            // The position in a block can only be reset: another block has no key stream yet.
            b"num" if K::MODE == mode::CTR => {
                if param.as_number()? != 0 {
                    return Err(Reason::FailedToGetParameter);
                }
                self.place = Some(K::begin(&self.now().0));
            }
            // OpenSSL's own AES-CTR ignores the length.
            b"keylen" if K::MODE == mode::STREAM && param.as_size()? != K::KEY_LEN => {
                return Err(Reason::InvalidKeyLength);
            }
            b"ivlen" if K::MODE == mode::STREAM && param.as_size()? != 16 => {
                return Err(Reason::InvalidIvLength);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_last_counter_the_nonce_counts() {
        let key = ChaCha20Key::new(&[7; 32]).expect("a key");
        let iv = |counter: u32, word: u32| {
            let mut iv = [9; 16];
            iv[..4].copy_from_slice(&counter.to_le_bytes());
            iv[4..8].copy_from_slice(&word.to_le_bytes());
            iv
        };
        let stream = |iv: &[u8; 16], text: &mut [u8]| {
            let mut place = ChaCha20Key::begin(iv);
            // Across the last counter value, and once more after it.
            let at = text.len().min(150);
            let (head, rest) = text.split_at_mut(at);
            key.apply(&mut place, Buffers::InPlace(head)).expect("any text");
            key.apply(&mut place, Buffers::InPlace(rest)).expect("any text");
            ChaCha20Key::place(&place)
        };
        let mut whole = [0; 200];
        assert_eq!(stream(&iv(u32::MAX - 1, 41), &mut whole), (iv(2, 42), 8));
        let mut last = [0; 128];
        assert_eq!(stream(&iv(u32::MAX - 1, 41), &mut last), (iv(0, 42), 0));
        let mut behind = [0; 72];
        stream(&iv(0, 42), &mut behind);
        assert_eq!((&whole[..128], &whole[128..]), (&last[..], &behind[..]));
    }
}
