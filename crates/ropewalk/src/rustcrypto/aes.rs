//! AES, as in the crate `aes`: block by block, and as a parameter of modes.
//!
//! Modes of other crates that are generic over a block cipher work with it, 32 blocks at a time; those of
//! [`rustcrypto`](super) have backends of their own.

use core::fmt;

use cipher::{
    AlgorithmName, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
    array::Array,
    consts::{U16, U24, U32},
    inout::NotEqualError,
};
use zeroize::ZeroizeOnDrop;

use super::{Block, in_place};
use crate::aes::aes_ecb;

pub use cipher;

/// AES with a key of one length, as a parameter of modes. It is sealed.
pub trait Aes: Sealed + KeySizeUser + AlgorithmName {}

/// Seals [`Aes`].
pub trait Sealed {}

macro_rules! aes {
    ($($Aes:ident, $bits:literal, $key:ty;)+) => { $(
        #[doc = concat!("AES with a key of ", $bits, " bits.")]
        #[derive(Clone)]
        pub struct $Aes(aes_ecb::Key);

        impl Sealed for $Aes {}
        impl Aes for $Aes {}

        impl AlgorithmName for $Aes {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($Aes))
            }
        }

        impl fmt::Debug for $Aes {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Aes), " { ... }"))
            }
        }

        impl BlockSizeUser for $Aes {
            type BlockSize = U16;
        }

        impl KeySizeUser for $Aes {
            type KeySize = $key;
        }

        impl KeyInit for $Aes {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self(aes_ecb::Key::new(key).expect(KEY))
            }
        }

        impl BlockCipherEncrypt for $Aes {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
                f.call(&Backend(&self.0));
            }
            #[inline]
            fn encrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block>) {
                encrypt(&self.0, blocks);
            }
            #[inline]
            fn encrypt_blocks(&self, blocks: &mut [Block]) {
                encrypt(&self.0, blocks.into());
            }
            #[inline]
            fn encrypt_blocks_b2b(&self, from: &[Block], to: &mut [Block]) -> Result<(), NotEqualError> {
                let (from, to) = (Array::slice_as_flattened(from), Array::slice_as_flattened_mut(to));
                self.0.encrypt_to(from, to).map_err(|_| NotEqualError)
            }
        }

        impl BlockCipherDecrypt for $Aes {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
                f.call(&Backend(&self.0));
            }
            #[inline]
            fn decrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block>) {
                decrypt(&self.0, blocks);
            }
            #[inline]
            fn decrypt_blocks(&self, blocks: &mut [Block]) {
                decrypt(&self.0, blocks.into());
            }
            #[inline]
            fn decrypt_blocks_b2b(&self, from: &[Block], to: &mut [Block]) -> Result<(), NotEqualError> {
                let (from, to) = (Array::slice_as_flattened(from), Array::slice_as_flattened_mut(to));
                self.0.decrypt_to(from, to).map_err(|_| NotEqualError)
            }
        }

        impl ZeroizeOnDrop for $Aes {}
    )+ };
}

aes! {
    Aes128, 128, U16;
    Aes192, 192, U24;
    Aes256, 256, U32;
}

/// Why a key cannot be refused.
pub(super) const KEY: &str = "its type has one of the lengths of AES";

/// The backend that closures get. Its number of parallel blocks fills the widest kernels.
struct Backend<'k>(&'k aes_ecb::Key);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = U32;
}

impl BlockCipherEncBackend for Backend<'_> {
    #[inline]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        encrypt(self.0, core::slice::from_mut(block.into_out_with_copied_in()).into());
    }
    #[inline]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        encrypt(self.0, blocks.into_buf());
    }
    #[inline]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        encrypt(self.0, blocks);
    }
}

impl BlockCipherDecBackend for Backend<'_> {
    #[inline]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        decrypt(self.0, core::slice::from_mut(block.into_out_with_copied_in()).into());
    }
    #[inline]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        decrypt(self.0, blocks.into_buf());
    }
    #[inline]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        decrypt(self.0, blocks);
    }
}

#[inline]
fn encrypt(key: &aes_ecb::Key, blocks: InOutBuf<'_, '_, Block>) {
    key.encrypt(in_place(blocks)).expect(BLOCKS);
}

#[inline]
fn decrypt(key: &aes_ecb::Key, blocks: InOutBuf<'_, '_, Block>) {
    key.decrypt(in_place(blocks)).expect(BLOCKS);
}

/// Why a text cannot be refused.
pub(super) const BLOCKS: &str = "it is of whole blocks";
