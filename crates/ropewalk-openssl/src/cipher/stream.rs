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
use crate::{error::Reason, params::Param};

/// What differs.
pub(crate) trait KeyStream: OfSecret + 'static {
    const MODE: u32;
    const KEY_LEN: usize;
    type Place: Clone;

    fn begin(iv: &[u8; 16]) -> Self::Place;
    fn apply(&self, place: &mut Self::Place, text: Buffers<'_>) -> Result<(), Reason>;
    /// The counter block of the block that is begun or comes next, and how many bytes of it are spent.
    fn place(place: &Self::Place, first: &[u8; 16]) -> ([u8; 16], usize);
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
    type Place = aes_ctr::Stream;

    fn begin(iv: &[u8; 16]) -> Self::Place {
        aes_ctr::Stream::new(Counter::Bits128, iv)
    }

    fn apply(&self, place: &mut Self::Place, text: Buffers<'_>) -> Result<(), Reason> {
        match text {
            Buffers::InPlace(text) => place.apply_keystream(&self.0, text),
            Buffers::Apart(from, to) => place.apply_keystream_to(&self.0, from, to),
        }?;
        Ok(())
    }

    fn place(place: &Self::Place, _: &[u8; 16]) -> ([u8; 16], usize) {
        let (next, used) = place.place();
        (*next, used % 16)
    }
}

impl KeyStream for ChaCha20Key {
    const MODE: u32 = mode::STREAM;
    const KEY_LEN: usize = 32;
    /// And how many bytes so far.
    type Place = (chacha20::Stream, u64);

    /// OpenSSL's nonce begins with the counter, its lowest byte first.
    fn begin(iv: &[u8; 16]) -> Self::Place {
        let [counter, nonce @ ..] = iv.as_chunks::<4>().0 else { unreachable!("16 bytes") };
        let nonce = nonce.as_flattened().try_into().expect("12 bytes");
        (chacha20::Stream::new(u32::from_le_bytes(*counter), nonce), 0)
    }

    fn apply(&self, (place, len): &mut Self::Place, text: Buffers<'_>) -> Result<(), Reason> {
        match text {
            Buffers::InPlace(text) => {
                place.apply_keystream(&self.0, text)?;
                *len += text.len() as u64;
            }
            Buffers::Apart(from, to) => {
                place.apply_keystream_to(&self.0, from, to)?;
                *len += from.len() as u64;
            }
        }
        Ok(())
    }

    fn place((_, len): &Self::Place, first: &[u8; 16]) -> ([u8; 16], usize) {
        let mut block = *first;
        let counter = u32::from_le_bytes(*block.first_chunk().expect("16 bytes"));
        let counter = counter.wrapping_add((len / 64) as u32);
        block[..4].copy_from_slice(&counter.to_le_bytes());
        (block, (len % 64) as usize)
    }
}

/// A text of any pieces.
pub(crate) struct Stream<K: KeyStream> {
    key: Held<K>,
    iv: [u8; 16],
    place: Option<K::Place>,
}

impl<K: KeyStream> Clone for Stream<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), iv: self.iv, place: self.place.clone() }
    }
}

impl<K: KeyStream> Stream<K> {
    fn now(&self) -> ([u8; 16], usize) {
        self.place.as_ref().map_or((self.iv, 0), |place| K::place(place, &self.iv))
    }
}

impl<K: KeyStream> Cipher for Stream<K> {
    const MODE: u32 = K::MODE;
    const KEY_LEN: usize = K::KEY_LEN;
    const IV_LEN: usize = 16;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] =
        &[Param::number(c"keylen"), Param::number(c"ivlen"), Param::number(c"padding"), Param::END];

    fn new() -> Self {
        Self { key: Held::none(), iv: [0; 16], place: None }
    }

    fn init(&mut self, _: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        if let Some(iv) = iv {
            self.iv = iv.try_into().map_err(|_| Reason::InvalidIvLength)?;
        }
        // Without another nonce it goes on where it stands.
        if iv.is_some() || self.place.is_none() {
            self.place = Some(K::begin(&self.iv));
        }
        if let Some(key) = key {
            check_key(key, K::KEY_LEN)?;
            self.key.set(key)?;
        }
        Ok(())
    }

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
            b"padding" => param.set_number(1),
            b"num" => param.set_number(self.now().1 as u64),
            b"iv" => param.set_octets(&self.iv),
            // Where it is asked for where it is, it is there until the next call.
            b"updated-iv" => param.set_octets(&self.now().0),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" if param.as_size()? != K::KEY_LEN => Err(Reason::InvalidKeyLength),
            b"padding" if K::MODE == mode::CTR => param.as_number().map(|_| ()),
            // OpenSSL's own AES-CTR looks at no length.
            b"ivlen" if K::MODE == mode::STREAM && param.as_size()? != 16 => {
                Err(Reason::InvalidIvLength)
            }
            _ => Ok(()),
        }
    }
}
