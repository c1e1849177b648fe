//! AES in cipher block chaining, as in the crate `cbc`.
//!
//! The blocks of one call are processed together. Where closures request blocks, decryption takes 32 blocks at a time, and
//! encryption one, as each block depends on the one before.
//!
//! ```
//! use ropewalk::rustcrypto::{aes::Aes128, cbc::{self, cipher::{BlockModeEncrypt, KeyIvInit, block_padding::Pkcs7}}};
//!
//! let cbc = cbc::Encryptor::<Aes128>::new(&[7; 16].into(), &[0; 16].into());
//! let ciphertext = cbc.encrypt_padded_vec::<Pkcs7>(b"attack at dawn");
//! assert_eq!(ciphertext.len(), 16);
//! ```

use core::{fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, Array, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt,
    BlockModeEncBackend, BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, Iv,
    IvSizeUser, IvState, Key, KeyIvInit, KeySizeUser, ParBlocks, ParBlocksSizeUser, SetIvState,
    consts::{U1, U16, U32},
    inout::NotEqualError,
};
use zeroize::ZeroizeOnDrop;

use super::{
    Block,
    aes::{Aes, BLOCKS, KEY},
    in_place,
};
use crate::aes::aes_cbc;

pub use cipher;

/// The backend that closures get.
struct Backend<'m, M>(&'m mut M);

macro_rules! mode {
    ($Mode:ident($name:literal), $doc:literal, $blocks:ty) => {
        #[doc = $doc]
        pub struct $Mode<C> {
            key: aes_cbc::Key,
            /// The last block of ciphertext.
            iv: [u8; 16],
            cipher: PhantomData<C>,
        }

        impl<C: Aes> KeySizeUser for $Mode<C> {
            type KeySize = C::KeySize;
        }

        impl<C: Aes> IvSizeUser for $Mode<C> {
            type IvSize = U16;
        }

        impl<C: Aes> KeyIvInit for $Mode<C> {
            #[inline]
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                let key = aes_cbc::Key::new(key).expect(KEY);
                Self { key, iv: (*iv).into(), cipher: PhantomData }
            }
        }

        impl<C: Aes> IvState for $Mode<C> {
            #[inline]
            fn iv_state(&self) -> Iv<Self> {
                self.iv.into()
            }
        }

        impl<C: Aes> SetIvState for $Mode<C> {
            #[inline]
            fn set_iv(&mut self, iv: &Iv<Self>) {
                self.iv = (*iv).into();
            }
        }

        impl<C: Aes> AlgorithmName for $Mode<C> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($name, "<"))?;
                C::write_alg_name(f)?;
                f.write_str(">")
            }
        }

        impl<C: Aes> fmt::Debug for $Mode<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Self::write_alg_name(f)?;
                f.write_str(" { ... }")
            }
        }

        impl<C: Aes> BlockSizeUser for $Mode<C> {
            type BlockSize = U16;
        }

        impl<C: Aes> BlockSizeUser for Backend<'_, $Mode<C>> {
            type BlockSize = U16;
        }

        impl<C: Aes> ParBlocksSizeUser for Backend<'_, $Mode<C>> {
            type ParBlocksSize = $blocks;
        }

        impl<C: Aes> ZeroizeOnDrop for $Mode<C> {}
    };
}

mode! { Encryptor("cbc::Encryptor"), "Encrypts.", U1 }
mode! { Decryptor("cbc::Decryptor"), "Decrypts.", U32 }

impl<C: Aes> BlockModeEncrypt for Encryptor<C> {
    #[inline]
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        f.call(&mut Backend(self));
    }

    #[inline]
    fn encrypt_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        let text = in_place(blocks);
        self.key.encrypt(&self.iv, text).expect(BLOCKS);
        self.chain(text);
    }

    #[inline]
    fn encrypt_blocks(&mut self, blocks: &mut [Block]) {
        self.encrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn encrypt_blocks_b2b(
        &mut self,
        from: &[Block],
        to: &mut [Block],
    ) -> Result<(), NotEqualError> {
        let (from, to) = (Array::slice_as_flattened(from), Array::slice_as_flattened_mut(to));
        self.key.encrypt_to(&self.iv, from, to).map_err(|_| NotEqualError)?;
        self.chain(to);
        Ok(())
    }
}

impl<C: Aes> BlockModeEncBackend for Backend<'_, Encryptor<C>> {
    #[inline]
    fn encrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        self.0.encrypt_blocks(core::slice::from_mut(block.into_out_with_copied_in()));
    }
}

impl<C> Encryptor<C> {
    #[inline]
    fn chain(&mut self, ciphertext: &[u8]) {
        if let Some(last) = ciphertext.last_chunk() {
            self.iv = *last;
        }
    }
}

impl<C: Aes> BlockModeDecrypt for Decryptor<C> {
    #[inline]
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        f.call(&mut Backend(self));
    }

    #[inline]
    fn decrypt_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        let text = in_place(blocks);
        let iv = self.chain(text);
        self.key.decrypt(&iv, text).expect(BLOCKS);
    }

    #[inline]
    fn decrypt_blocks(&mut self, blocks: &mut [Block]) {
        self.decrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn decrypt_blocks_b2b(
        &mut self,
        from: &[Block],
        to: &mut [Block],
    ) -> Result<(), NotEqualError> {
        let (from, to) = (Array::slice_as_flattened(from), Array::slice_as_flattened_mut(to));
        self.key.decrypt_to(&self.iv, from, to).map_err(|_| NotEqualError)?;
        self.chain(from);
        Ok(())
    }
}

impl<C: Aes> BlockModeDecBackend for Backend<'_, Decryptor<C>> {
    #[inline]
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        self.0.decrypt_blocks(core::slice::from_mut(block.into_out_with_copied_in()));
    }

    #[inline]
    fn decrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.decrypt_blocks_inout(blocks.into_buf());
    }

    #[inline]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.decrypt_blocks_inout(blocks);
    }
}

impl<C> Decryptor<C> {
    /// The vector of this ciphertext; its last block becomes that of the next.
    #[inline]
    fn chain(&mut self, ciphertext: &[u8]) -> [u8; 16] {
        let iv = self.iv;
        if let Some(last) = ciphertext.last_chunk() {
            self.iv = *last;
        }
        iv
    }
}
