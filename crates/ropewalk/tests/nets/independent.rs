//! The same primitives by RustCrypto, which shares no code with this library.

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{AesGcm, aead::AeadInOut};
use aes_kw::{AesKw, AesKwp};
use ccm::Ccm;
use chacha20poly1305::ChaCha20Poly1305;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher,
    StreamCipherSeek,
    consts::{U1, U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16, U17, U32, U60, U128, U256},
};
use cmac::{Cmac, Mac};
use ctr::{Ctr32BE, Ctr64BE, Ctr128BE};
use sha2::Digest;

/// Lengths of nonces whose type [`gcm_seal`] knows.
pub(crate) const GCM_NONCE_LENS: &[usize] = &[12, 16, 1, 8, 13, 17, 32, 60, 128, 256];

/// Does the same with the cipher of a key's length.
macro_rules! with_aes {
    ($secret:expr, $Aes:ident => $do:expr) => {
        match $secret.len() {
            16 => {
                type $Aes = Aes128;
                $do
            }
            24 => {
                type $Aes = Aes192;
                $do
            }
            _ => {
                type $Aes = Aes256;
                $do
            }
        }
    };
}

/// Encrypts in place and returns the tag.
pub(crate) fn gcm_seal(secret: &[u8], nonce: &[u8], aad: &[u8], text: &mut [u8]) -> Vec<u8> {
    macro_rules! seal {
        ($Aes:ident, $($len:literal $N:ident)+) => {
            match nonce.len() {
                $( $len => {
                    let key = AesGcm::<$Aes, $N>::new_from_slice(secret).unwrap();
                    let nonce = nonce.try_into().unwrap();
                    key.encrypt_inout_detached(nonce, aad, text.into()).unwrap().to_vec()
                } )+
                len => panic!("{len} is not in GCM_NONCE_LENS"),
            }
        };
    }
    with_aes!(secret, Aes => seal!(
        Aes, 1 U1 8 U8 12 U12 13 U13 16 U16 17 U17 32 U32 60 U60 128 U128 256 U256
    ))
}

/// Lengths of nonces of CCM.
pub(crate) const CCM_NONCE_LENS: &[usize] = &[12, 13, 7, 8, 9, 10, 11];

/// Encrypts in place and returns a tag of that length.
pub(crate) fn ccm_seal(
    secret: &[u8],
    nonce: &[u8],
    aad: &[u8],
    text: &mut [u8],
    tag_len: usize,
) -> Vec<u8> {
    macro_rules! seal {
        ($Aes:ident, $M:ident, $($len:literal $N:ident)+) => {
            match nonce.len() {
                $( $len => {
                    let key = Ccm::<$Aes, $M, $N>::new_from_slice(secret).unwrap();
                    let nonce = nonce.try_into().unwrap();
                    key.encrypt_inout_detached(nonce, aad, text.into()).unwrap().to_vec()
                } )+
                len => panic!("{len} is not in CCM_NONCE_LENS"),
            }
        };
    }
    macro_rules! with_tag {
        ($Aes:ident, $($tag_len:literal $M:ident)+) => {
            match tag_len {
                $( $tag_len => seal!($Aes, $M, 7 U7 8 U8 9 U9 10 U10 11 U11 12 U12 13 U13), )+
                len => panic!("no tag has {len} bytes"),
            }
        };
    }
    with_aes!(secret, Aes => with_tag!(Aes, 4 U4 6 U6 8 U8 10 U10 12 U12 14 U14 16 U16))
}

/// The whole tag.
pub(crate) fn cmac(secret: &[u8], message: &[u8]) -> Vec<u8> {
    with_aes!(secret, Aes => {
        let mut mac = <Cmac<Aes> as KeyInit>::new_from_slice(secret).unwrap();
        mac.update(message);
        mac.finalize().into_bytes().to_vec()
    })
}

/// Wraps whole semiblocks, or pads.
pub(crate) fn wrap(secret: &[u8], key: &[u8], padded: bool) -> Vec<u8> {
    let mut wrapped = vec![0; key.len().next_multiple_of(8) + 8];
    with_aes!(secret, Aes => if padded {
        AesKwp::<Aes>::new_from_slice(secret).unwrap().wrap_key(key, &mut wrapped).unwrap();
    } else {
        AesKw::<Aes>::new_from_slice(secret).unwrap().wrap_key(key, &mut wrapped).unwrap();
    });
    wrapped
}

/// Encrypts whole blocks in place.
pub(crate) fn cbc_encrypt(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
    with_aes!(secret, Aes => {
        let mut key = cbc::Encryptor::<Aes>::new_from_slices(secret, iv).unwrap();
        for block in text.as_chunks_mut::<16>().0 {
            key.encrypt_block(block.into());
        }
    });
}

/// Encrypts each block in place.
pub(crate) fn ecb_encrypt(secret: &[u8], text: &mut [u8]) {
    with_aes!(secret, Aes => {
        let key = Aes::new_from_slice(secret).unwrap();
        for block in text.as_chunks_mut::<16>().0 {
            key.encrypt_block(block.into());
        }
    });
}

/// Decrypts each block in place.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(crate) fn ecb_decrypt(secret: &[u8], text: &mut [u8]) {
    with_aes!(secret, Aes => {
        let key = Aes::new_from_slice(secret).unwrap();
        for block in text.as_chunks_mut::<16>().0 {
            key.decrypt_block(block.into());
        }
    });
}

/// Encrypts a data unit in place, byte by byte as IEEE Std 1619, sections 5.2 and 5.3, write it down.
pub(crate) fn xts_encrypt(secret: &[u8], tweak: &[u8; 16], text: &mut [u8]) {
    let (key, tweak_key) = secret.split_at(secret.len() / 2);
    let mut tweak = *tweak;
    ecb_encrypt(tweak_key, &mut tweak);
    let encrypt = |tweak: &[u8; 16], block: &mut [u8]| {
        block.iter_mut().zip(tweak).for_each(|(byte, of)| *byte ^= of);
        ecb_encrypt(key, block);
        block.iter_mut().zip(tweak).for_each(|(byte, of)| *byte ^= of);
    };
    let whole = text.len() / 16 * 16;
    for block in text[..whole].as_chunks_mut::<16>().0 {
        encrypt(&tweak, block);
        let mut carry = 0;
        for byte in &mut tweak {
            (carry, *byte) = (*byte >> 7, *byte << 1 | carry);
        }
        tweak[0] ^= 0x87 * carry;
    }
    if whole < text.len() {
        for i in whole..text.len() {
            text.swap(i, i - 16);
        }
        encrypt(&tweak, &mut text[whole - 16..whole]);
    }
}

/// Adds the key stream in place.
pub(crate) fn ctr(bits: u32, secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
    with_aes!(secret, Aes => match bits {
        32 => Ctr32BE::<Aes>::new_from_slices(secret, iv).unwrap().apply_keystream(text),
        64 => Ctr64BE::<Aes>::new_from_slices(secret, iv).unwrap().apply_keystream(text),
        _ => Ctr128BE::<Aes>::new_from_slices(secret, iv).unwrap().apply_keystream(text),
    });
}

/// The digest.
pub(crate) fn digest<D: Digest>(message: &[u8]) -> Vec<u8> {
    D::digest(message).to_vec()
}

pub(crate) use hmac::Hmac;

/// The tag.
pub(crate) fn hmac<M: Mac + KeyInit>(secret: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(secret).unwrap();
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

/// Encrypts in place and returns the tag.
pub(crate) fn chacha20_poly1305_seal(
    secret: &[u8],
    nonce: &[u8],
    aad: &[u8],
    text: &mut [u8],
) -> Vec<u8> {
    let key = ChaCha20Poly1305::new_from_slice(secret).unwrap();
    let nonce = nonce.try_into().unwrap();
    key.encrypt_inout_detached(nonce, aad, text.into()).unwrap().to_vec()
}

/// Adds the key stream in place, from the block of that counter on.
pub(crate) fn chacha20(counter: u32, secret: &[u8], nonce: &[u8], text: &mut [u8]) {
    let mut key = chacha20::ChaCha20::new_from_slices(secret, nonce).unwrap();
    key.seek(64 * u64::from(counter));
    key.apply_keystream(text);
}

/// The tag.
pub(crate) fn poly1305(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    poly1305::Poly1305::new(key.into()).compute_unpadded(message).into()
}
macro_rules! shake {
    ($($name:ident: $Hasher:ident;)+) => { $(
        /// The output.
        pub(crate) fn $name(message: &[u8], out: &mut [u8]) {
            use sha3::digest::{ExtendableOutput as _, Update as _, XofReader as _};
            let mut hasher = sha3::$Hasher::default();
            hasher.update(message);
            hasher.finalize_xof().read(out);
        }
    )+ };
}

shake! {
    shake128: Shake128;
    shake256: Shake256;
}

/// The nonce of sixteen bytes whose J₀ (SP 800-38D, section 7.1) is that block: GHASH of it and of
/// its length is undone.
pub(crate) fn gcm_nonce_of(secret: &[u8], first_counter: u128) -> Vec<u8> {
    let inverse = inverse(encrypt(secret, 0));
    let nonce = times(times(first_counter, inverse) ^ 128, inverse).to_be_bytes();
    // The tag of nothing is J₀, encrypted.
    let tag = gcm_seal(secret, &nonce, &[], &mut []);
    assert_eq!(tag, encrypt(secret, first_counter).to_be_bytes());
    nonce.to_vec()
}

/// One block.
fn encrypt(secret: &[u8], block: u128) -> u128 {
    let mut block = block.to_be_bytes();
    with_aes!(secret, Aes => Aes::new_from_slice(secret).unwrap().encrypt_block((&mut block).into()));
    u128::from_be_bytes(block)
}

/// The product in the field of GHASH (SP 800-38D, section 6.3), bit by bit.
fn times(x: u128, y: u128) -> u128 {
    let (mut product, mut shifted) = (0, y);
    for i in (0..128).rev() {
        product ^= shifted & 0_u128.wrapping_sub(x >> i & 1);
        shifted = shifted >> 1 ^ (0xe1 << 120) & 0_u128.wrapping_sub(shifted & 1);
    }
    product
}

/// x to the power of 2^128 − 2.
fn inverse(x: u128) -> u128 {
    let (mut power, mut product) = (x, 1 << 127);
    for _ in 1..128 {
        power = times(power, power);
        product = times(product, power);
    }
    product
}

/// CTR_DRBG of AES-256 without a derivation function, as SP 800-90A, section 10.2.1, writes it down.
pub(crate) struct CtrDrbg {
    key: [u8; 32],
    v: [u8; 16],
}

impl CtrDrbg {
    pub(crate) fn new(entropy: &[u8; 48], personalization: &[u8]) -> Self {
        let mut drbg = Self { key: [0; 32], v: [0; 16] };
        drbg.update(&sum(entropy, personalization));
        drbg
    }

    pub(crate) fn reseed(&mut self, entropy: &[u8; 48], additional: &[u8]) {
        self.update(&sum(entropy, additional));
    }

    pub(crate) fn generate(&mut self, additional: &[u8], len: usize) -> Vec<u8> {
        let additional_padded = sum(&[0; 48], additional);
        if !additional.is_empty() {
            self.update(&additional_padded);
        }
        let mut temp = Vec::new();
        while temp.len() < len {
            temp.extend(self.next_block());
        }
        temp.truncate(len);
        self.update(&additional_padded);
        temp
    }

    fn update(&mut self, provided_data: &[u8; 48]) {
        let temp: Vec<u8> = (0..3).flat_map(|_| self.next_block()).collect();
        let temp = sum(provided_data, &temp);
        self.key.copy_from_slice(&temp[..32]);
        self.v.copy_from_slice(&temp[32..]);
    }

    fn next_block(&mut self) -> [u8; 16] {
        let v = u128::from_be_bytes(self.v).wrapping_add(1);
        self.v = v.to_be_bytes();
        encrypt(&self.key, v).to_be_bytes()
    }
}

/// Entropy with which a generator starts at that V.
pub(crate) fn entropy_for(v: [u8; 16], mut entropy: [u8; 48]) -> [u8; 48] {
    let third = encrypt(&[0; 32], 3);
    entropy[32..].copy_from_slice(&(third ^ u128::from_be_bytes(v)).to_be_bytes());
    entropy
}

fn sum(a: &[u8; 48], b: &[u8]) -> [u8; 48] {
    let mut sum = *a;
    sum.iter_mut().zip(b).for_each(|(byte, b)| *byte ^= b);
    sum
}
