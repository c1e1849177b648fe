//! HMAC, CMAC, GMAC and Poly1305.

use ropewalk::{
    Error, Hash, HashMany, aes_cmac, aes_gcm, hmac,
    poly1305::{self, Poly1305},
};

use super::unavailable;
use crate::{
    peers::{Job, Unavailable, jobs},
    tasks::Cell,
};

/// A key for one message, set for each.
pub(super) struct OneTime {
    pub(super) key: [u8; 32],
    pub(super) running: Poly1305,
}

impl jobs::Hash for OneTime {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
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
    fn finish(&mut self, digest: &mut [u8]) {
        let backend = self.running.backend();
        let next = Poly1305::with_backend(&self.key, backend).expect("it is running");
        digest.copy_from_slice(&*std::mem::replace(&mut self.running, next).finish());
    }
    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key.copy_from_slice(key);
        true
    }
}

pub(super) struct Cmac(pub(super) aes_cmac::Key);

impl jobs::Hash for Cmac {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(&self.0.mac(text));
    }
}

/// Batches of messages, with one key or with separate keys.
pub(super) struct CmacMany {
    keys: Vec<aes_cmac::Key>,
    many: aes_cmac::Many,
}

impl CmacMany {
    pub(super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, Error> {
        let many = by_best_or_named!(aes_cmac::Many, backend)?;
        let keys = secrets.iter().map(|secret| aes_cmac::Key::new(secret));
        Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
    }
}

impl jobs::HashCalls for CmacMany {
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        digests: &mut [u8],
    ) {
        let message =
            |(i, text)| aes_cmac::Message { key: jobs::of(&self.keys, i % turn.count()), text };
        let all: Vec<_> = texts.iter().map(AsRef::as_ref).enumerate().map(message).collect();
        let mut tags = vec![aes_cmac::Tag::default(); texts.len()];
        for _ in 0..calls {
            let range = turn.take(all.len());
            let done = self.many.mac(&all[range.clone()], &mut tags[range]);
            done.expect("as many tags as texts");
        }
        for (digest, tag) in digests.chunks_exact_mut(16).zip(&tags) {
            digest.copy_from_slice(tag);
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

pub(super) fn hmac<H: Hash + 'static>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable> {
    let (best, backend) = (hmac::Key::<H>::new(&[]).backend() == backend, backend.to_owned());
    jobs::mac(cell, move |key| {
        let key = hmac::Key::<H>::with_backend(key, &backend).map_err(unavailable)?;
        let running = key.start();
        Ok(Hmac { key, running, best })
    })
}

pub(super) struct Hmac<H: Hash> {
    pub(super) key: hmac::Key<H>,
    pub(super) running: hmac::Mac<H>,
    /// Whether it has the default backend.
    best: bool,
}

impl<H: Hash> jobs::Hash for Hmac<H> {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        digest.copy_from_slice(self.key.mac(text).as_ref());
    }
    fn start(&mut self) {
        self.running = self.key.start();
    }
    fn update(&mut self, text: &[u8]) {
        self.running.update(text);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(self.running.clone().finish().as_ref());
    }
    fn rekey(&mut self, key: &[u8]) -> bool {
        self.key = match self.best {
            true => hmac::Key::new(key),
            false => hmac::Key::with_backend(key, self.key.backend()).expect("it is running"),
        };
        true
    }
}

/// Batches of messages, with one key or with separate keys.
pub(super) fn hmac_many<M, const N: usize>(
    cell: &Cell,
    backend: &str,
) -> Result<Box<dyn Job>, Unavailable>
where
    M: HashMany<One: Hash<Digest = [u8; N]>> + 'static,
{
    let many = by_best_or_named!(hmac::Many::<M>, backend).map_err(unavailable)?;
    let keys = jobs::keys(cell, N).iter().map(|key| hmac::Key::new(key)).collect();
    Ok(jobs::hash_calls(cell, HmacMany { keys, many }))
}

struct HmacMany<M: HashMany> {
    keys: Vec<hmac::Key<M::One>>,
    many: hmac::Many<M>,
}

impl<M, const N: usize> jobs::HashCalls for HmacMany<M>
where
    M: HashMany<One: Hash<Digest = [u8; N]>>,
{
    fn messages(
        &mut self,
        calls: usize,
        turn: &mut jobs::Turn,
        texts: &[jobs::Text],
        digests: &mut [u8],
    ) {
        let message =
            |(i, text)| hmac::Message { key: jobs::of(&self.keys, i % turn.count()), text };
        let all: Vec<_> = texts.iter().map(AsRef::as_ref).enumerate().map(message).collect();
        let (digests, _) = digests.as_chunks_mut();
        for _ in 0..calls {
            let range = turn.take(all.len());
            let done = self.many.mac(&all[range.clone()], &mut digests[range]);
            done.expect("as many tags as texts");
        }
    }
}
