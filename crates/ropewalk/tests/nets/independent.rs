//! The same primitives by RustCrypto, who share no code with us.

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{AesGcm, aead::AeadInOut};
use cipher::{
    BlockCipherEncrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher,
    consts::{U1, U8, U12, U13, U16, U17, U32, U60, U128, U256},
};
use ctr::{Ctr32BE, Ctr128BE};
use sha2::Digest;
use sha3::digest::{ExtendableOutput, Update, XofReader};

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

/// Encrypts whole blocks in place.
pub(crate) fn cbc_encrypt(secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
    with_aes!(secret, Aes => {
        let mut key = cbc::Encryptor::<Aes>::new_from_slices(secret, iv).unwrap();
        for block in text.as_chunks_mut::<16>().0 {
            key.encrypt_block(block.into());
        }
    });
}

/// Adds the key stream in place.
pub(crate) fn ctr(bits: u32, secret: &[u8], iv: &[u8; 16], text: &mut [u8]) {
    with_aes!(secret, Aes => match bits {
        32 => Ctr32BE::<Aes>::new_from_slices(secret, iv).unwrap().apply_keystream(text),
        _ => Ctr128BE::<Aes>::new_from_slices(secret, iv).unwrap().apply_keystream(text),
    });
}

/// The digest.
pub(crate) fn sha256(message: &[u8]) -> Vec<u8> {
    sha2::Sha256::digest(message).to_vec()
}

macro_rules! sha3 {
    ($($name:ident: $Hasher:ident;)+) => { $(
        /// The digest.
        pub(crate) fn $name(message: &[u8]) -> Vec<u8> {
            sha3::$Hasher::digest(message).to_vec()
        }
    )+ };
}

sha3! {
    sha3_224: Sha3_224;
    sha3_256: Sha3_256;
    sha3_384: Sha3_384;
    sha3_512: Sha3_512;
}

macro_rules! shake {
    ($($name:ident: $Hasher:ident;)+) => { $(
        /// The output.
        pub(crate) fn $name(message: &[u8], out: &mut [u8]) {
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
