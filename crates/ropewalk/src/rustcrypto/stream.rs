//! The common part of key streams: the traits of a cipher on whole blocks.

/// Implements them for a type with the index of the next block, `at`, and two functions: `apply` XORs the next part of the key
/// stream into whole blocks of text, and `remaining` returns how many blocks are left. `StreamCipherCoreWrapper` handles buffers,
/// positions and the end of the key stream.
macro_rules! stream_core {
    ([$($generics:tt)*] $Core:ty, blocks of $block:ty, counted by $Number:ty) => {
        impl<$($generics)*> cipher::BlockSizeUser for $Core {
            type BlockSize = $block;
        }

        impl<$($generics)*> cipher::ParBlocksSizeUser for $Core {
            type ParBlocksSize = cipher::consts::U1;
        }

        impl<$($generics)*> cipher::StreamCipherCore for $Core {
            #[inline]
            fn remaining_blocks(&self) -> Option<usize> {
                self.remaining()
            }
            #[inline]
            fn process_with_backend(
                &mut self,
                f: impl cipher::StreamCipherClosure<BlockSize = $block>,
            ) {
                f.call(self);
            }

            // Closures would process one block after another.

            #[inline]
            fn write_keystream_blocks(&mut self, blocks: &mut [cipher::Block<Self>]) {
                blocks.fill(Default::default());
                self.apply(cipher::Array::slice_as_flattened_mut(blocks));
            }
            #[inline]
            fn apply_keystream_blocks(&mut self, blocks: &mut [cipher::Block<Self>]) {
                self.apply(cipher::Array::slice_as_flattened_mut(blocks));
            }
            #[inline]
            fn apply_keystream_blocks_inout(
                &mut self,
                blocks: cipher::InOutBuf<'_, '_, cipher::Block<Self>>,
            ) {
                self.apply_keystream_blocks(blocks.into_out_with_copied_in());
            }
        }

        impl<$($generics)*> cipher::StreamCipherBackend for $Core {
            #[inline]
            fn gen_ks_block(&mut self, block: &mut cipher::Block<Self>) {
                *block = Default::default();
                self.apply(block);
            }
        }

        impl<$($generics)*> cipher::StreamCipherSeekCore for $Core {
            type Counter = $Number;

            #[inline]
            fn get_block_pos(&self) -> $Number {
                self.at
            }
            #[inline]
            fn set_block_pos(&mut self, at: $Number) {
                self.at = at;
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Core {}
    };
}
pub(super) use stream_core;
