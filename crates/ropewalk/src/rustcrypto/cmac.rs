//! AES-CMAC, as in the crate `cmac`.

use core::{fmt, marker::PhantomData, mem};

use digest::{
    FixedOutput, FixedOutputReset, Key, MacMarker, Output, OutputSizeUser, Reset, Update,
    common::{AlgorithmName, BlockSizeUser, KeySizeUser},
    consts::U16,
};
use zeroize::ZeroizeOnDrop;

use super::aes::{Aes, KEY};
use crate::{
    aes::aes_cmac::{self, Parts},
    core::secret::Wiped,
};

pub use digest::{self, KeyInit, Mac};

/// CMAC with AES, and tags of 16 bytes.
///
/// It keeps the key with the message: for many messages, reset it, or clone it.
pub struct Cmac<C> {
    key: aes_cmac::Key,
    message: Wiped<Parts>,
    cipher: PhantomData<C>,
}

impl<C: Aes> KeySizeUser for Cmac<C> {
    type KeySize = C::KeySize;
}

impl<C: Aes> KeyInit for Cmac<C> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        let key = aes_cmac::Key::new(key).expect(KEY);
        Self { key, message: Parts::new(), cipher: PhantomData }
    }
}

impl<C: Aes> Clone for Cmac<C> {
    fn clone(&self) -> Self {
        let Self { key, message, cipher } = self;
        Self { key: key.clone(), message: message.clone(), cipher: *cipher }
    }
}

impl<C: Aes> AlgorithmName for Cmac<C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cmac<")?;
        C::write_alg_name(f)?;
        f.write_str(">")
    }
}

impl<C: Aes> fmt::Debug for Cmac<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cmac { ... }")
    }
}

impl<C: Aes> BlockSizeUser for Cmac<C> {
    type BlockSize = U16;
}

impl<C: Aes> OutputSizeUser for Cmac<C> {
    type OutputSize = U16;
}

impl<C: Aes> MacMarker for Cmac<C> {}

impl<C: Aes> Update for Cmac<C> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        self.message.update(&self.key, data);
    }
}

impl<C: Aes> FixedOutput for Cmac<C> {
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.message.finish(&self.key));
    }
}

impl<C: Aes> Reset for Cmac<C> {
    #[inline]
    fn reset(&mut self) {
        self.message = Parts::new();
    }
}

impl<C: Aes> FixedOutputReset for Cmac<C> {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        let message = mem::replace(&mut self.message, Parts::new());
        out.copy_from_slice(&message.finish(&self.key));
    }
}

impl<C: Aes> ZeroizeOnDrop for Cmac<C> {}
