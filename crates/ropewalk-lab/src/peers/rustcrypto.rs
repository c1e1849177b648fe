//! RustCrypto: the crates aes, aes-gcm, ctr and sha2.
//!
//! They find the processor's features at run time; no configuration flag makes them faster.

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{AesGcm, aead::AeadInOut};
use cipher::{
    BlockCipherEncrypt, BlockSizeUser, InnerIvInit, KeyInit, StreamCipher, StreamCipherCore,
    consts::{U12, U16},
};
use ctr::{Ctr128BE, CtrCore, flavors};
use sha2::Digest;

use super::{Job, Opened, Peer, Unavailable, jobs};
use crate::tasks::{Cell, Kind};

/// RustCrypto.
pub(super) struct RustCrypto;

impl Peer for RustCrypto {
    fn name(&self) -> &'static str {
        "rustcrypto"
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }
}

/// A test holds it against Cargo.lock.
const VERSION: &str = "aes 0.9.4, aes-gcm 0.11.1, ctr 0.10.1, sha2 0.11.1";

struct Library;

impl Opened for Library {
    fn version(&self) -> String {
        VERSION.into()
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        Ok(match cell.task.kind {
            Kind::Ctr { key_len: 16 } => jobs::ctr(cell, Ctr::<Aes128>::new()),
            Kind::Ctr { key_len: 24 } => jobs::ctr(cell, Ctr::<Aes192>::new()),
            Kind::Ctr { .. } => jobs::ctr(cell, Ctr::<Aes256>::new()),
            Kind::GcmSeal { key_len: 16 } => return jobs::seal(cell, Gcm::<Aes128>::new()),
            Kind::GcmSeal { key_len: 24 } => return jobs::seal(cell, Gcm::<Aes192>::new()),
            Kind::GcmSeal { .. } => return jobs::seal(cell, Gcm::<Aes256>::new()),
            Kind::Sha256 => jobs::hash(cell, Sha256(sha2::Sha256::new())),
        })
    }
}

/// The key schedule is made once; a message borrows it.
struct Ctr<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> {
    cipher: C,
    stream: Ctr128BE<C>,
}

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + Clone> Ctr<C> {
    fn new() -> Self {
        let key = jobs::key(C::key_size());
        let cipher = C::new_from_slice(&key).expect("a key of its own size");
        Self { stream: stream(cipher.clone(), &[0; 16]), cipher }
    }
}

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + Clone> jobs::Ctr for Ctr<C> {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let core = CtrCore::<_, flavors::Ctr128BE>::inner_iv_init(&self.cipher, iv.into());
        core.apply_keystream_partial(text.into());
    }
    fn start(&mut self, iv: &[u8; 16]) {
        self.stream = stream(self.cipher.clone(), iv);
    }
    fn update(&mut self, text: &mut [u8]) {
        self.stream.apply_keystream(text);
    }
}

fn stream<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>>(
    cipher: C,
    iv: &[u8; 16],
) -> Ctr128BE<C> {
    Ctr128BE::from_core(CtrCore::inner_iv_init(cipher, iv.into()))
}

struct Gcm<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>>(AesGcm<C, U12>);

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit> Gcm<C> {
    fn new() -> Self {
        let key = jobs::key(C::key_size());
        Self(AesGcm::new_from_slice(&key).expect("a key of its own size"))
    }
}

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> jobs::Aead for Gcm<C> {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.encrypt_inout_detached(nonce.into(), aad, text.into());
        tag.copy_from_slice(&sealed.expect("no length is too long"));
    }
}

struct Sha256(sha2::Sha256);

impl jobs::Hash<32> for Sha256 {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 32]) {
        *digest = sha2::Sha256::digest(text).into();
    }
    fn start(&mut self) {
        self.0.reset();
    }
    fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; 32]) {
        *digest = self.0.finalize_reset().into();
    }
}

#[cfg(test)]
#[test]
fn version_is_the_one_that_is_built_in() {
    VERSION.split(", ").for_each(super::tests::assert_locked);
}
