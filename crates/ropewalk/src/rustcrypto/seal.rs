//! The common part of keys of authenticated encryption.

/// Implements the traits of `aead` for a type with a `key` that has `seal` and `open`.
macro_rules! aead_traits {
    (
        [$($generics:tt)*] $name:literal $Aead:ty,
        nonces of $nonce:ty, tags of $tag:ty
    ) => {
        impl<$($generics)*> aead::AeadCore for $Aead {
            type NonceSize = $nonce;
            type TagSize = $tag;
            const TAG_POSITION: aead::TagPosition = aead::TagPosition::Postfix;
        }

        impl<$($generics)*> aead::AeadInOut for $Aead {
            #[inline]
            fn encrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                associated_data: &[u8],
                buffer: aead::inout::InOutBuf<'_, '_, u8>,
            ) -> aead::Result<aead::Tag<Self>> {
                let text = buffer.into_out_with_copied_in();
                match self.key.seal(nonce, associated_data, text) {
                    Ok(tag) => Ok(aead::Tag::<Self>::try_from(&tag[..]).expect("as long as its type")),
                    Err(_) => Err(aead::Error),
                }
            }

            #[inline]
            fn decrypt_inout_detached(
                &self,
                nonce: &aead::Nonce<Self>,
                associated_data: &[u8],
                buffer: aead::inout::InOutBuf<'_, '_, u8>,
                tag: &aead::Tag<Self>,
            ) -> aead::Result<()> {
                let text = buffer.into_out_with_copied_in();
                self.key.open(nonce, associated_data, text, tag).map_err(|_| aead::Error)
            }
        }

        impl<$($generics)*> core::fmt::Debug for $Aead {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }

        impl<$($generics)*> zeroize::ZeroizeOnDrop for $Aead {}
    };
}
pub(super) use aead_traits;
