//! HMAC, CMAC, GMAC and Poly1305.

use arrayvec::ArrayVec;
use ropewalk::{
    Error, Hash, HashMany, aes_cmac, aes_gcm, hmac,
    poly1305::{self, Poly1305},
};

use super::unavailable;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::Cell,
};

/// A key for one message, taken for each.
pub(super) struct OneTime {
    pub(super) key: [u8; 32],
    pub(super) running: Poly1305,
}

impl<const N: usize> jobs::Hash<N> for OneTime {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        let tag = poly1305::mac_with_backend(&self.key, text, self.running.backend());
        digest.copy_from_slice(&*tag.expect("it is running"));
    }
    fn start(&mut self) {
        let backend = self.running.backend();
        self.running = Poly1305::with_backend(&self.key, backend).expect("it is running");
    }
    fn update(&mut self, text: &[u8]) {
        self.running.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; N]) {
        let backend = self.running.backend();
        let next = Poly1305::with_backend(&self.key, backend).expect("it is running");
        digest.copy_from_slice(&*std::mem::replace(&mut self.running, next).finish());
    }
}

pub(super) struct Cmac(pub(super) aes_cmac::Key);

impl<const N: usize> jobs::Hash<N> for Cmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        digest.copy_from_slice(&self.0.mac(text));
    }
    fn start(&mut self) {}
    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }
    fn finish(&mut self, _: &mut [u8; N]) {
        unreachable!("it has no streams");
    }
}

/// Many messages at a time, with one key or with one for each.
pub(super) struct CmacMany {
    keys: Vec<aes_cmac::Key>,
    many: aes_cmac::Many,
}

impl CmacMany {
    pub(super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, Error> {
        // As with hash functions, the choice between lanes and one by one is part of it.
        let many = match aes_cmac::Many::new() {
            best if best.backend() == backend => best,
            _ => aes_cmac::Many::with_backend(backend)?,
        };
        let keys = secrets.iter().map(|secret| aes_cmac::Key::new(secret));
        Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
    }
}

impl jobs::Hash<16> for CmacMany {
    fn message(&mut self, text: &[u8], digest: &mut [u8; 16]) {
        digest.copy_from_slice(&self.keys[0].mac(text));
    }
    fn start(&mut self) {}
    fn update(&mut self, _: &[u8]) {
        unreachable!("it has no streams");
    }
    fn finish(&mut self, _: &mut [u8; 16]) {
        unreachable!("it has no streams");
    }
    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; 16]]) {
        /// So many at a time, for nothing to be allocated.
        const GROUP: usize = 64;
        let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
        for (texts, digests) in texts.chunks(GROUP).zip(digests.chunks_mut(GROUP)) {
            let messages = texts.iter().zip(&mut keys);
            let messages = messages.map(|(text, key)| aes_cmac::Message { key, text });
            let mut all = ArrayVec::<_, GROUP>::new();
            all.extend(messages);
            let mut tags = ArrayVec::<_, GROUP>::new();
            tags.extend(digests.iter().map(|_| aes_cmac::Tag::default()));
            self.many.mac(&all, &mut tags).expect("as many tags as texts");
            for (digest, tag) in digests.iter_mut().zip(&tags) {
                digest.copy_from_slice(tag);
            }
        }
    }
}

pub(super) struct Gmac(pub(super) aes_gcm::Gmac);

impl jobs::Gmac for Gmac {
    #[inline(always)]
    fn mac(&mut self, nonce: &[u8; 12], message: &[u8], tag: &mut [u8; 16]) {
        tag.copy_from_slice(&self.0.mac(nonce, message).expect("a nonce of twelve bytes"));
    }
}

pub(super) fn hmac<H: Hash<Digest = [u8; N]>, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable> {
    jobs::mac::<N, _>(cell, N, |key| {
        let key = hmac::Key::<H>::with_backend(key, backend).map_err(unavailable)?;
        let running = key.start();
        Ok(Hmac { key, running })
    })
}

pub(super) struct Hmac<H: Hash> {
    pub(super) key: hmac::Key<H>,
    pub(super) running: hmac::Mac<H>,
}

impl<H: Hash<Digest = [u8; N]>, const N: usize> jobs::Hash<N> for Hmac<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        *digest = self.key.mac(text);
    }
    fn start(&mut self) {
        self.running = self.key.start();
    }
    fn update(&mut self, text: &[u8]) {
        self.running.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; N]) {
        *digest = self.running.clone().finish();
    }
}

/// Many messages at a time, with one key or with one for each.
pub(super) fn hmac_many<M, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable>
where
    M: HashMany<One: Hash<Digest = [u8; N]>> + 'static,
{
    // As with hash functions, the choice between lanes and one by one is part of it.
    let many = match hmac::Many::<M>::new() {
        best if best.backend() == backend => best,
        _ => hmac::Many::with_backend(backend).map_err(unavailable)?,
    };
    let keys: Vec<_> = jobs::keys(cell, N).iter().map(|key| hmac::Key::new(key)).collect();
    let running = keys[0].start();
    Ok(jobs::hash(cell, HmacOfMany { keys, running, many }))
}

struct HmacOfMany<M: HashMany> {
    keys: Vec<hmac::Key<M::One>>,
    running: hmac::Mac<M::One>,
    many: hmac::Many<M>,
}

impl<M, const N: usize> jobs::Hash<N> for HmacOfMany<M>
where
    M: HashMany<One: Hash<Digest = [u8; N]>>,
{
    fn message(&mut self, text: &[u8], digest: &mut [u8; N]) {
        *digest = self.keys[0].mac(text);
    }
    fn start(&mut self) {
        self.running = self.keys[0].start();
    }
    fn update(&mut self, text: &[u8]) {
        self.running.update(text);
    }
    fn finish(&mut self, digest: &mut [u8; N]) {
        *digest = self.running.clone().finish();
    }
    fn messages(&mut self, texts: &[&[u8]], digests: &mut [[u8; N]]) {
        /// So many at a time, for nothing to be allocated.
        const GROUP: usize = 64;
        let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
        for (texts, digests) in texts.chunks(GROUP).zip(digests.chunks_mut(GROUP)) {
            let messages = texts.iter().zip(&mut keys);
            let messages = messages.map(|(text, key)| hmac::Message { key, text });
            let mut all = ArrayVec::<_, GROUP>::new();
            all.extend(messages);
            self.many.mac(&all, digests).expect("as many tags as texts");
        }
    }
}
