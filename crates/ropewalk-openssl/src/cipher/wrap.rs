//! AES key wrap, with padding or without (RFC 3394, RFC 5649): each call wraps one key.

use ropewalk::{aes_ecb, aes_kw};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::{
    Cipher, Way, check_key,
    io::{Io, Output},
    key::{Held, OfSecret},
    mode,
};
use crate::{error::Reason, params::Param, version::Version};

/// The first length that is refused; OpenSSL's own limit.
const MOST: usize = 1 << 31;

/// The keys: for the standard initial value, which the library implements, and for others.
pub(crate) struct Keys {
    wrap: aes_kw::Key,
    blocks: aes_ecb::Key,
}

impl OfSecret for Keys {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        Ok(Self { wrap: aes_kw::Key::new(secret)?, blocks: aes_ecb::Key::new(secret)? })
    }
}

/// Key wrap with a key of `LEN` bytes and an initial value of `IV` bytes: 8, or 4 with padding.
#[derive(Clone)]
pub(crate) struct Wrap<const LEN: usize, const IV: usize> {
    version: Version,
    way: Way,
    keys: Held<Keys>,
    iv: Option<[u8; IV]>,
    used: bool,
}

impl<const LEN: usize, const IV: usize> Wrap<LEN, IV> {
    const PADS: bool = IV == 4;

    /// The space for the output of `len` bytes.
    fn out_len(&self, len: usize) -> Result<usize, Reason> {
        let whole = len.is_multiple_of(8);
        match self.way {
            _ if len == 0 => Err(Reason::InvalidInputLength),
            Way::Encrypt if whole || Self::PADS => Ok(len.next_multiple_of(8) + 8),
            Way::Decrypt if whole && len >= 16 => Ok(len - 8),
            _ => Err(Reason::InvalidInputLength),
        }
    }

    /// Checks the length as the standard requires, for any initial value: without padding, at least two words
    /// (RFC 3394, section 2), plus the initial value for unwrapping.
    fn check_len(&self, len: usize) -> Result<(), Reason> {
        let least = match (self.way, Self::PADS) {
            (Way::Encrypt, false) => 16,
            (Way::Decrypt, false) => 24,
            (Way::Encrypt, true) => 1,
            (Way::Decrypt, true) => 16,
        };
        let fits = (least..MOST).contains(&len);
        if fits { Ok(()) } else { Err(Reason::CipherOperationFailed) }
    }

    /// The initial value, if it is not the standard one.
    fn other_iv(&self) -> Option<[u8; IV]> {
        let standard = if Self::PADS { &[0xa6, 0x59, 0x59, 0xa6][..] } else { &[0xa6; 8] };
        self.iv.filter(|iv| iv[..] != *standard)
    }

    fn apply(&self, input: &[u8], out: &mut [u8]) -> Result<usize, Reason> {
        let Keys { wrap, blocks } = self.keys.get()?;
        self.check_len(input.len())?;
        let failed = |_| Reason::CipherOperationFailed;
        if let Some(iv) = self.other_iv() {
            return self.apply_with(blocks, &iv, input, out);
        }
        match self.way {
            Way::Encrypt if Self::PADS => wrap.wrap_padded_to(input, out).map_err(failed)?,
            Way::Encrypt => wrap.wrap_to(input, out).map_err(failed)?,
            Way::Decrypt if Self::PADS => return wrap.unwrap_padded_to(input, out).map_err(failed),
            Way::Decrypt => wrap.unwrap_to(input, out).map_err(failed)?,
        }
        Ok(out.len())
    }

    /// The same with another initial value, not optimized.
    fn apply_with(
        &self,
        blocks: &aes_ecb::Key,
        iv: &[u8; IV],
        input: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Reason> {
        let failed = Reason::CipherOperationFailed;
        // A, and the words after it (RFC 3394, section 2.2).
        let mut words = Zeroizing::new(vec![0; input.len().next_multiple_of(8) + 8]);
        if self.way == Way::Encrypt {
            words[..IV].copy_from_slice(iv);
            if Self::PADS {
                let len = u32::try_from(input.len()).map_err(|_| failed)?;
                words[4..8].copy_from_slice(&len.to_be_bytes());
            }
            words[8..8 + input.len()].copy_from_slice(input);
            if Self::PADS && words.len() == 16 {
                blocks.encrypt(&mut words)?;
            } else {
                turns(&mut words, Way::Encrypt, |block| blocks.encrypt(block))?;
            }
            out.copy_from_slice(&words);
            return Ok(out.len());
        }
        words.truncate(input.len());
        words.copy_from_slice(input);
        if Self::PADS && words.len() == 16 {
            blocks.decrypt(&mut words)?;
        } else {
            turns(&mut words, Way::Decrypt, |block| blocks.decrypt(block))?;
        }
        let (value, key) = words.split_at(8);
        let mut right = value[..IV].ct_eq(iv);
        let mut len = key.len();
        if Self::PADS {
            let told = u32::from_be_bytes(value[4..].try_into().map_err(|_| failed)?);
            let told = usize::try_from(told).map_err(|_| failed)?;
            let fits = told <= key.len() && told + 8 > key.len();
            right &= subtle::Choice::from(u8::from(fits));
            len = if fits { told } else { key.len() };
            right &= key[len..].ct_eq(&[0; 8][..key.len() - len]);
        }
        if !bool::from(right) {
            return Err(failed);
        }
        out[..len].copy_from_slice(&key[..len]);
        Ok(len)
    }
}

/// Six passes through all words (RFC 3394, section 2.2.1 and 2.2.2).
fn turns(
    words: &mut [u8],
    way: Way,
    crypt: impl Fn(&mut [u8]) -> Result<(), ropewalk::Error>,
) -> Result<(), Reason> {
    let count = words.len() / 8 - 1;
    let mut block = Zeroizing::new([0; 16]);
    block[..8].copy_from_slice(&words[..8]);
    let mut step = |turn: usize| {
        let place = 8 * (1 + (turn - 1) % count);
        let number = (turn as u64).to_be_bytes();
        let add = |block: &mut [u8; 16]| {
            for (byte, number) in block.iter_mut().zip(number) {
                *byte ^= number;
            }
        };
        if way == Way::Decrypt {
            add(&mut block);
        }
        block[8..].copy_from_slice(&words[place..place + 8]);
        crypt(&mut block[..])?;
        if way == Way::Encrypt {
            add(&mut block);
        }
        words[place..place + 8].copy_from_slice(&block[8..]);
        Ok::<(), Reason>(())
    };
    match way {
        Way::Encrypt => (1..=6 * count).try_for_each(&mut step)?,
        Way::Decrypt => (1..=6 * count).rev().try_for_each(&mut step)?,
    }
    words[..8].copy_from_slice(&block[..8]);
    Ok(())
}

impl<const LEN: usize, const IV: usize> Cipher for Wrap<LEN, IV> {
    const MODE: u32 = mode::WRAP;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = IV;
    const BLOCK_LEN: usize = 8;
    const CUSTOM_IV: bool = true;
    const GETTABLE: &'static [Param] = &[
        Param::number(c"keylen"),
        Param::number(c"ivlen"),
        Param::number(c"padding"),
        Param::number(c"num"),
        Param::octets(c"iv"),
        Param::octets(c"updated-iv"),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[Param::number(c"keylen"), Param::END];

    fn new(version: Version) -> Self {
        Self { version, way: Way::Encrypt, keys: Held::none(), iv: None, used: false }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        self.way = way;
        self.used = false;
        if let Some(iv) = iv {
            self.iv = Some(iv.try_into().map_err(|_| Reason::InvalidIvLength)?);
        }
        if let Some(key) = key {
            check_key(key, LEN)?;
            self.keys.set(key)?;
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        if io.len() == 0 {
            return Ok(0);
        }
        if io.is_end() {
            return Err(Reason::InvalidInputLength);
        }
        let len = self.out_len(io.len())?;
        if io.is_aad() {
            return Ok(len);
        }
        // Before 4.0 OpenSSL's own provider wraps any number of keys with one context.
        if self.used && self.version >= Version::V4_0 {
            return Err(Reason::UpdateCallOutOfOrder);
        }
        self.keys.get()?;
        self.used = true;
        // The input may overlap in any way: the output has another length.
        let input = Zeroizing::new(io.input().to_vec());
        let mut result = Zeroizing::new(vec![0; len]);
        let written = self.apply(&input, &mut result)?;
        // OpenSSL reports space for one block more than the input. It does not account for the padding to
        // whole blocks, for which the caller has space.
        let room = if Self::PADS && io.room() >= io.len() + 8 { len } else { 0 };
        io.output_of_at_least(room).write(&result[..written])?;
        Ok(written)
    }

    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        Ok(0)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(LEN as u64),
            b"ivlen" => param.set_number(IV as u64),
            b"padding" => param.set_number(Self::PADS.into()),
            b"num" => param.set_number(0),
            b"iv" | b"updated-iv" => param.set_octets(&self.iv.unwrap_or([0; IV])),
            _ => Ok(()),
        }
    }

    fn set(&mut self, param: &Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" if param.as_size()? != LEN => Err(Reason::InvalidKeyLength),
            _ => Ok(()),
        }
    }
}
