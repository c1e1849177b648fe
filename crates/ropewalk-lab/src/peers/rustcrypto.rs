//! RustCrypto: the crates aes, aes-gcm, aes-kw, cbc, ccm, chacha20, chacha20poly1305, cmac, ctr, des, hmac, md-5, p256,
//! poly1305, rc4, rsa, sha1, sha2 and sha3.
//!
//! They find the processor's features at run time; no configuration flag makes them faster.

mod functions;
mod nist;
mod past;
mod rsa;

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{AesGcm, aead::AeadInOut};
use aes_kw::{AesKw, InnerInit};
use chacha20::ChaCha20;
use chacha20poly1305::ChaCha20Poly1305;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, KeyIvInit, StreamCipher, StreamCipherCore,
    array::Array,
    consts::{U12, U16, U32},
    inout::InOutBuf,
};
use cmac::Cmac;
use ctr::{Ctr128BE, CtrCore, flavors};
use sha2::{
    Digest,
    digest::{self, ExtendableOutputReset, FixedOutputReset, Update},
};

use super::{Job, Opened, Peer, Unavailable, jobs};
use crate::tasks::{AeadOp, Cell, Direction, Function, Kind, Mac, Mode, RC4_KEY};

/// RustCrypto.
pub(super) struct RustCrypto;

impl Peer for RustCrypto {
    fn name(&self) -> &'static str {
        "rustcrypto"
    }

    #[rustfmt::skip]
    fn has(&self) -> &'static [&'static str] {
        &[
            "aes-*-ctr", "aes-*-cbc", "aes-*-ecb", "aes-*-kw", "aes-*-gcm", "aes-*-ccm",
            "3des-cbc", "rc4", "chacha20", "chacha20-poly1305", "poly1305",
            "aes-*-gmac", "aes-*-cmac",
            "p256", "rsa-*",
        ]
    }

    fn functions(&self, function: Function) -> [bool; 2] {
        [functions::hash(function).is_some(), functions::hmac(function).is_some()]
    }

    fn open(&self, _: &str) -> Result<Box<dyn Opened>, Unavailable> {
        Ok(Box::new(Library))
    }
}

/// A test compares it with Cargo.lock.
const VERSION: &str = "aes 0.9.4, aes-gcm 0.11.1, aes-kw 0.3.1, cbc 0.2.1, ccm 0.6.1, chacha20 0.10.2, chacha20poly1305 0.11.0, cmac 0.8.0, ctr 0.10.1, des 0.9.0, hmac 0.13.0, md-5 0.11.0, p256 0.14.0, poly1305 0.9.1, rc4 0.2.0, rsa 0.10.0, sha1 0.11.0, sha2 0.11.1, sha3 0.11.0";

struct Library;

impl Opened for Library {
    fn version(&self) -> String {
        VERSION.into()
    }

    fn prepare(&self, cell: &Cell, _: &str) -> Result<Box<dyn Job>, Unavailable> {
        let lacks = || Unavailable::lacks(&RustCrypto, cell.task);
        Ok(match cell.task.kind {
            Kind::Ctr { key_len: 16 } => return ctr::<Aes128>(cell),
            Kind::Ctr { key_len: 24 } => return ctr::<Aes192>(cell),
            Kind::Ctr { .. } => return ctr::<Aes256>(cell),
            Kind::Cbc { direction, key_len: 16 } => return cbc::<Aes128>(cell, direction),
            Kind::Cbc { direction, key_len: 24 } => return cbc::<Aes192>(cell, direction),
            Kind::Cbc { direction, .. } => return cbc::<Aes256>(cell, direction),
            Kind::Ecb { direction, key_len: 16 } => return ecb::<Aes128>(cell, direction),
            Kind::Ecb { direction, key_len: 24 } => return ecb::<Aes192>(cell, direction),
            Kind::Ecb { direction, .. } => return ecb::<Aes256>(cell, direction),
            Kind::KeyWrap { key_len: 16, .. } => return key_wrap::<Aes128>(cell),
            Kind::KeyWrap { key_len: 24, .. } => return key_wrap::<Aes192>(cell),
            Kind::KeyWrap { .. } => return key_wrap::<Aes256>(cell),
            Kind::Gcm { op, key_len: 16 } => return gcm::<Aes128>(cell, op, 16),
            Kind::Gcm { op, key_len: 24 } => return gcm::<Aes192>(cell, op, 24),
            Kind::Gcm { op, key_len } => return gcm::<Aes256>(cell, op, key_len),
            Kind::Ccm { op, key_len: 16 } => return ccm::<Aes128>(cell, op, 16),
            Kind::Ccm { op, key_len: 24 } => return ccm::<Aes192>(cell, op, 24),
            Kind::Ccm { op, key_len } => return ccm::<Aes256>(cell, op, key_len),
            Kind::EcdhP256(op) => return nist::ecdh(cell, op),
            Kind::EcdsaP256(op) => return nist::ecdsa(cell, op),
            Kind::Rsa { op, .. } => return rsa::job(cell, op),
            Kind::TripleDes { direction } => return past::triple_des(cell, direction),
            Kind::Rc4 => return jobs::ctr(cell, RC4_KEY, |key| Ok(past::Rc4::new(key))),
            Kind::ChaCha20 => {
                return jobs::ctr(cell, 32, |key| {
                    let key = Array(key.try_into().expect("32 bytes"));
                    let stream = ChaCha20::new(&key, &Array([0; 12]));
                    Ok(ChaCha { key, stream })
                });
            }
            Kind::ChaChaPoly { op } => {
                return jobs::aead(cell, op, 32, |key| Ok(ChaChaPoly::new(key)));
            }
            Kind::Gmac { key_len: 16 } => return gmac::<Aes128>(cell),
            Kind::Gmac { key_len: 24 } => return gmac::<Aes192>(cell),
            Kind::Gmac { .. } => return gmac::<Aes256>(cell),
            Kind::Mac(Mac::Poly1305) => {
                if cell.mode == Mode::Stream {
                    return Err(Unavailable("its pieces are whole blocks".into()));
                }
                return jobs::mac(cell, |key| {
                    Ok(OneTime(Array(key.try_into().expect("32 bytes"))))
                });
            }
            Kind::Mac(Mac::Cmac { key_len: 16 }) => return mac::<Cmac<Aes128>>(cell),
            Kind::Mac(Mac::Cmac { key_len: 24 }) => return mac::<Cmac<Aes192>>(cell),
            Kind::Mac(Mac::Cmac { .. }) => return mac::<Cmac<Aes256>>(cell),
            Kind::Mac(Mac::Hmac(function)) => {
                return functions::hmac(function).ok_or_else(lacks)?(cell);
            }
            Kind::Hash(function) => functions::hash(function).ok_or_else(lacks)?(cell),
            _ => return Err(lacks()),
        })
    }
}

/// The key schedule is made once; a message borrows it.
struct Ctr<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> {
    cipher: C,
    stream: Ctr128BE<C>,
}

fn ctr<C: Block + Clone + 'static>(cell: &Cell) -> Result<Box<dyn Job>, Unavailable> {
    jobs::ctr(cell, C::key_size(), |key| {
        let cipher = C::new_from_slice(key).expect(OWN_SIZE);
        Ok(Ctr { stream: stream(cipher.clone(), &[0; 16]), cipher })
    })
}

impl<C: Block + Clone> jobs::Ctr for Ctr<C> {
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
    fn rekey(&mut self, key: &[u8]) -> bool {
        self.cipher = C::new_from_slice(key).expect(OWN_SIZE);
        true
    }
}

fn stream<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>>(
    cipher: C,
    iv: &[u8; 16],
) -> Ctr128BE<C> {
    Ctr128BE::from_core(CtrCore::inner_iv_init(cipher, iv.into()))
}

const OWN_SIZE: &str = "a key of its own size";

fn cbc<C: Block + BlockCipherDecrypt + 'static>(
    cell: &Cell,
    direction: Direction,
) -> Result<Box<dyn Job>, Unavailable> {
    let (len, with) = (C::key_size(), C::new_from_slice);
    match direction {
        Direction::Encrypt => {
            jobs::cbc(cell, len, move |key| Ok(CbcEncrypt(with(key).expect(OWN_SIZE))))
        }
        Direction::Decrypt => {
            jobs::cbc(cell, len, move |key| Ok(CbcDecrypt(with(key).expect(OWN_SIZE))))
        }
    }
}

fn ecb<C: Block + BlockCipherDecrypt + 'static>(
    cell: &Cell,
    direction: Direction,
) -> Result<Box<dyn Job>, Unavailable> {
    let (len, with) = (C::key_size(), C::new_from_slice);
    match direction {
        Direction::Encrypt => {
            jobs::cbc(cell, len, move |key| Ok(EcbEncrypt(with(key).expect(OWN_SIZE))))
        }
        Direction::Decrypt => {
            jobs::cbc(cell, len, move |key| Ok(EcbDecrypt(with(key).expect(OWN_SIZE))))
        }
    }
}

struct EcbEncrypt<C>(C);

impl<C: Block> jobs::Cbc for EcbEncrypt<C> {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        self.0.encrypt_blocks(blocks);
    }
}

struct EcbDecrypt<C>(C);

impl<C: Block + BlockCipherDecrypt> jobs::Cbc for EcbDecrypt<C> {
    fn message(&mut self, _: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        self.0.decrypt_blocks(blocks);
    }
}

/// The common traits of all three AES types.
trait Block: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit {}

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit> Block for C {}

struct CbcEncrypt<C>(C);

impl<C: Block> jobs::Cbc for CbcEncrypt<C> {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        cbc::Encryptor::inner_iv_init(&self.0, iv.into()).encrypt_blocks(blocks);
    }
}

struct CbcDecrypt<C>(C);

impl<C: Block + BlockCipherDecrypt> jobs::Cbc for CbcDecrypt<C> {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        let (blocks, _) = Array::slice_as_chunks_mut(text);
        cbc::Decryptor::inner_iv_init(&self.0, iv.into()).decrypt_blocks(blocks);
    }
}

fn key_wrap<C: Block + BlockCipherDecrypt + 'static>(
    cell: &Cell,
) -> Result<Box<dyn Job>, Unavailable> {
    jobs::key_wrap(cell, |key| {
        let cipher = C::new_from_slice(key).expect(OWN_SIZE);
        Ok(KeyWrap(AesKw::inner_init(cipher)))
    })
}

struct KeyWrap<C>(AesKw<C>);

impl<C: Block + BlockCipherDecrypt> jobs::KeyWrap for KeyWrap<C> {
    fn wrap(&mut self, key: &[u8], wrapped: &mut [u8]) {
        self.0.wrap_key(key, wrapped).expect("whole semiblocks");
    }
    fn unwrap(&mut self, wrapped: &[u8], key: &mut [u8]) -> bool {
        self.0.unwrap_key(wrapped, key).is_ok()
    }
}

/// GMAC, for which there is no crate.
fn gmac<C: Block + 'static>(cell: &Cell) -> Result<Box<dyn Job>, Unavailable> {
    let with = Sealing::<AesGcm<C, U12>>::new;
    jobs::gmac(cell, C::key_size(), move |key| Ok(jobs::HeaderAlone(with(key))))
}

fn gcm<C: Block + 'static>(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
) -> Result<Box<dyn Job>, Unavailable> {
    jobs::aead(cell, op, key_len, |key| Ok(Sealing::<AesGcm<C, U12>>::new(key)))
}

fn ccm<C: Block + 'static>(
    cell: &Cell,
    op: AeadOp,
    key_len: usize,
) -> Result<Box<dyn Job>, Unavailable> {
    jobs::aead(cell, op, key_len, |key| Ok(Sealing::<ccm::Ccm<C, U16, U12>>::new(key)))
}

/// AES-GCM or AES-CCM.
struct Sealing<A>(A);

impl<A: KeyInit> Sealing<A> {
    fn new(key: &[u8]) -> Self {
        Self(A::new_from_slice(key).expect(OWN_SIZE))
    }
}

impl<A: KeyInit + AeadInOut<NonceSize = U12, TagSize = U16>> jobs::Aead for Sealing<A> {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.encrypt_inout_detached(nonce.into(), aad, text.into());
        tag.copy_from_slice(&sealed.expect("no length is too long"));
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        let texts = InOutBuf::new(sealed, text).expect("a place for it");
        self.0.decrypt_inout_detached(nonce.into(), aad, texts, tag.into()).is_ok()
    }

    fn rekey(&mut self, key: &[u8]) {
        *self = Self::new(key);
    }
}

fn hash<H: Digest + FixedOutputReset + 'static>(cell: &Cell) -> Box<dyn Job> {
    jobs::hash(cell, Hash(H::new()))
}

struct Hash<H>(H);

impl<H: Digest + FixedOutputReset> jobs::Hash for Hash<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(&H::digest(text));
    }
    fn start(&mut self) {
        Digest::reset(&mut self.0);
    }
    fn update(&mut self, text: &[u8]) {
        Digest::update(&mut self.0, text);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(&Digest::finalize_reset(&mut self.0));
    }
}

#[cfg(test)]
#[test]
fn version_is_the_one_that_is_built_in() {
    VERSION.split(", ").for_each(super::tests::assert_locked);
}

/// A function whose output has any length.
struct Extendable<H>(H);

impl<H: ExtendableOutputReset + Update> jobs::Hash for Extendable<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        self.0.update(text);
        self.finish(digest);
    }
    fn start(&mut self) {}
    fn update(&mut self, text: &[u8]) {
        self.0.update(text);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        self.0.finalize_xof_reset_into(digest);
    }
}

struct ChaCha {
    key: Array<u8, U32>,
    stream: ChaCha20,
}

impl jobs::Ctr for ChaCha {
    fn message(&mut self, iv: &[u8; 16], text: &mut [u8]) {
        self.start(iv);
        self.stream.apply_keystream(text);
    }
    /// The counter before the nonce is zero, which is the initial one.
    fn start(&mut self, iv: &[u8; 16]) {
        let nonce: &[u8; 12] = iv.last_chunk().expect("twelve of sixteen");
        self.stream = ChaCha20::new(&self.key, nonce.into());
    }
    fn update(&mut self, text: &mut [u8]) {
        if self.stream.try_apply_keystream(text).is_err() {
            self.start(&[0; 16]);
        }
    }
    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}

struct ChaChaPoly(ChaCha20Poly1305);

impl ChaChaPoly {
    fn new(key: &[u8]) -> Self {
        Self(ChaCha20Poly1305::new_from_slice(key).expect(OWN_SIZE))
    }
}

impl jobs::Aead for ChaChaPoly {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.encrypt_inout_detached(nonce.into(), aad, text.into());
        tag.copy_from_slice(&sealed.expect("no length is too long"));
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        let texts = InOutBuf::new(sealed, text).expect("a place for it");
        self.0.decrypt_inout_detached(nonce.into(), aad, texts, tag.into()).is_ok()
    }

    fn rekey(&mut self, key: &[u8]) {
        *self = Self::new(key);
    }
}

struct OneTime(Array<u8, U32>);

impl jobs::Hash for OneTime {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(&poly1305::Poly1305::new(&self.0).compute_unpadded(text));
    }
    fn rekey(&mut self, key: &[u8]) -> bool {
        self.0.copy_from_slice(key);
        true
    }
}

fn mac<M: digest::Mac + KeyInit + Clone + 'static>(
    cell: &Cell,
) -> Result<Box<dyn Job>, Unavailable> {
    jobs::mac(cell, |key| {
        let fresh = <M as KeyInit>::new_from_slice(key).expect("a key of that length");
        Ok(Authenticator { running: fresh.clone(), fresh })
    })
}

/// A copy with its key, and one for the current message.
struct Authenticator<M> {
    fresh: M,
    running: M,
}

impl<M: digest::Mac + KeyInit + Clone> jobs::Hash for Authenticator<M> {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        let mut running = self.fresh.clone();
        running.update(text);
        digest.copy_from_slice(&running.finalize().into_bytes());
    }
    fn start(&mut self) {
        self.running = self.fresh.clone();
    }
    fn update(&mut self, text: &[u8]) {
        self.running.update(text);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(&self.running.clone().finalize().into_bytes());
    }
    fn message_fresh(&mut self, key: &[u8], text: &[u8], digest: &mut [u8]) -> bool {
        let mut fresh = <M as KeyInit>::new_from_slice(key).expect("a key of that length");
        fresh.update(text);
        digest.copy_from_slice(&fresh.finalize().into_bytes());
        true
    }
}
