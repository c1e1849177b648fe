//! What key streams have in common: the traits of a cipher that works on whole blocks.

/// Writes them for a type with the number of the next block, `at`, and two functions: `apply` adds what
/// comes next of the key stream to whole blocks of text, and `remaining` says how many blocks may come.
/// Buffers, positions and the end of the key stream are then the business of `StreamCipherCoreWrapper`.
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

            // Closures would see one block after another.

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
