//! AES-XTS: each call is one data unit, with the tweak of the context.

use ropewalk::{Error, aes_ecb, aes_xts};

use super::{
    Cipher, Way, check_key,
    io::{Buffers, Io, Output},
    key::{Held, OfSecret},
    mode,
};
use crate::{error::Reason, params::Param, version::Version};

/// The shortest data unit in bytes (IEEE 1619, section 5.1).
const LEAST: usize = 16;
/// The longest: 2^20 blocks (NIST SP 800-38E).
const MOST: usize = 1 << 24;

/// A key, or one that only decrypts: the library refuses keys with equal halves, but OpenSSL decrypts
/// existing data of such keys.
#[allow(clippy::large_enum_variant, reason = "the small one is for keys that nobody should have")]
enum Keys {
    Apart(aes_xts::Key),
    Equal(aes_ecb::Key),
}

impl OfSecret for Keys {
    fn new(secret: &[u8]) -> Result<Self, Reason> {
        match aes_xts::Key::new(secret) {
            Ok(key) => Ok(Self::Apart(key)),
            Err(Error::EqualHalves) => {
                Ok(Self::Equal(aes_ecb::Key::new(&secret[..secret.len() / 2])?))
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Keys {
    fn apply(&self, way: Way, tweak: &[u8; 16], text: Buffers<'_>) -> Result<(), Reason> {
        match (self, way, text) {
            (Self::Apart(key), Way::Encrypt, Buffers::InPlace(text)) => key.encrypt(tweak, text)?,
            (Self::Apart(key), Way::Encrypt, Buffers::Apart(from, to)) => {
                key.encrypt_to(tweak, from, to)?;
            }
            (Self::Apart(key), Way::Decrypt, Buffers::InPlace(text)) => key.decrypt(tweak, text)?,
            (Self::Apart(key), Way::Decrypt, Buffers::Apart(from, to)) => {
                key.decrypt_to(tweak, from, to)?;
            }
            (Self::Equal(_), Way::Encrypt, _) => return Err(Reason::XtsDuplicatedKeys),
            (Self::Equal(key), Way::Decrypt, Buffers::InPlace(text)) => {
                decrypt(key, key, tweak, text)?;
            }
            (Self::Equal(key), Way::Decrypt, Buffers::Apart(from, to)) => {
                to.copy_from_slice(from);
                decrypt(key, key, tweak, to)?;
            }
        }
        Ok(())
    }
}

/// Decrypts a data unit of at least one block, not optimized (IEEE 1619, section 5.4).
fn decrypt(
    blocks: &aes_ecb::Key,
    tweaks: &aes_ecb::Key,
    tweak: &[u8; 16],
    text: &mut [u8],
) -> Result<(), Error> {
    let mut tweak = *tweak;
    tweaks.encrypt(&mut tweak)?;
    let apply = |tweak: &[u8; 16], block: &mut [u8]| {
        add(block, tweak);
        blocks.decrypt(block)?;
        add(block, tweak);
        Ok(())
    };
    let part = text.len() % 16;
    // The last whole block is processed with the partial block after it.
    let whole = text.len() - part - if part > 0 { 16 } else { 0 };
    let (text, last) = text.split_at_mut(whole);
    for block in text.chunks_exact_mut(16) {
        apply(&tweak, block)?;
        tweak = doubled(&tweak);
    }
    if let Some((last, part)) = last.split_at_mut_checked(16) {
        apply(&doubled(&tweak), last)?;
        last[..part.len()].swap_with_slice(part);
        apply(&tweak, last)?;
    }
    Ok(())
}

fn add(block: &mut [u8], tweak: &[u8; 16]) {
    block.iter_mut().zip(tweak).for_each(|(byte, tweak)| *byte ^= tweak);
}

/// The tweak of the next block (IEEE 1619, section 5.2).
fn doubled(tweak: &[u8; 16]) -> [u8; 16] {
    let tweak = u128::from_le_bytes(*tweak);
    ((tweak << 1) ^ (0x87 * (tweak >> 127))).to_le_bytes()
}

/// AES-XTS with a key of `LEN` bytes, both halves together.
#[derive(Clone)]
pub(crate) struct Xts<const LEN: usize> {
    way: Way,
    key: Held<Keys>,
    tweak: Option<[u8; 16]>,
}

impl<const LEN: usize> Cipher for Xts<LEN> {
    const MODE: u32 = mode::XTS;
    const KEY_LEN: usize = LEN;
    const IV_LEN: usize = 16;
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

    fn new(_: Version) -> Self {
        Self { way: Way::Encrypt, key: Held::none(), tweak: None }
    }

    fn init(&mut self, way: Way, key: Option<&[u8]>, iv: Option<&[u8]>) -> Result<(), Reason> {
        self.way = way;
        if let Some(iv) = iv {
            self.tweak = Some(iv.try_into().map_err(|_| Reason::InvalidIvLength)?);
        }
        if let Some(key) = key {
            check_key(key, LEN)?;
            self.key.set(key)?;
            if way == Way::Encrypt && matches!(self.key.get()?, Keys::Equal(_)) {
                self.key = Held::none();
                return Err(Reason::XtsDuplicatedKeys);
            }
        }
        Ok(())
    }

    fn update(&mut self, io: &mut Io) -> Result<usize, Reason> {
        let (len, key) = (io.len(), self.key.get()?);
        let Some(tweak) = &self.tweak else { return Err(Reason::CipherOperationFailed) };
        if len < LEAST {
            return Err(Reason::CipherOperationFailed);
        }
        if len > MOST {
            return Err(Reason::XtsDataUnitIsTooLarge);
        }
        key.apply(self.way, tweak, io.whole()?)?;
        Ok(len)
    }

    fn finish(&mut self, _: &mut Output) -> Result<usize, Reason> {
        Ok(0)
    }

    /// There is nothing to end.
    fn cipher(&mut self, io: &mut Io) -> Result<usize, Reason> {
        self.update(io)
    }

    fn get(&mut self, param: &mut Param) -> Result<(), Reason> {
        match param.name() {
            b"keylen" => param.set_number(LEN as u64),
            b"ivlen" => param.set_number(16),
            b"padding" => param.set_number(1),
            b"num" => param.set_number(0),
            b"iv" | b"updated-iv" => param.set_octets(&self.tweak.unwrap_or_default()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_haste_it_decrypts_the_same() {
        let secret: Vec<u8> = (0..64).collect();
        let key = aes_xts::Key::new(&secret).expect("a key");
        let halves = [&secret[..32], &secret[32..]];
        let [blocks, tweaks] = halves.map(|half| aes_ecb::Key::new(half).expect("a key"));
        let tweak = [0xf7; 16];
        let text: Vec<u8> = (0..100).collect();
        for len in 16..=text.len() {
            let mut unit = text[..len].to_vec();
            key.encrypt(&tweak, &mut unit).expect("a data unit");
            decrypt(&blocks, &tweaks, &tweak, &mut unit).expect("a data unit");
            assert_eq!(unit, text[..len], "{len} bytes");
        }
    }

    #[test]
    fn equal_halves_only_decrypt() {
        let mut xts = Xts::<32>::new(Version::V3_0);
        assert_eq!(xts.init(Way::Encrypt, Some(&[7; 32]), None), Err(Reason::XtsDuplicatedKeys));
        assert_eq!(xts.init(Way::Decrypt, Some(&[7; 32]), Some(&[0; 16])), Ok(()));
        let keys = Keys::new(&[7; 32]).expect("keys");
        let mut text = [0; 32];
        let refused = keys.apply(Way::Encrypt, &[0; 16], Buffers::InPlace(&mut text));
        assert_eq!((refused, text), (Err(Reason::XtsDuplicatedKeys), [0; 32]));
    }
}
