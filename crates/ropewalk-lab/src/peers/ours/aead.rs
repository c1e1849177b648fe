//! What seals and opens.

use arrayvec::ArrayVec;
use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use crate::peers::jobs;

/// A key, and whether its backend is the one that is chosen where none is named.
pub(super) struct Gcm<const BEST: bool>(pub(super) aes_gcm::Key);

impl<const BEST: bool> jobs::Aead for Gcm<BEST> {
    fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.seal(nonce, aad, text).expect("no length is too long");
        tag.copy_from_slice(&sealed);
    }

    fn open(
        &mut self,
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        self.0.open_to(nonce, aad, sealed, text, tag).is_ok()
    }

    fn rekey(&mut self, key: &[u8]) {
        self.0.rekey(key).expect("a key of that length");
    }

    fn seal_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        if !BEST {
            self.rekey(key);
            return self.seal(nonce, aad, text, tag);
        }
        let sealed = aes_gcm::seal_once(key, nonce, aad, text).expect("no length is too long");
        tag.copy_from_slice(&sealed);
    }
}

/// Writes the jobs of a key whose calls are those of every authenticated cipher.
macro_rules! sealing {
    ($($Name:ident of $module:ident;)+) => { $(
        pub(in super::super) struct $Name(pub(in super::super) $module::Key);

        impl jobs::Aead for $Name {
            fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
                let sealed = self.0.seal(nonce, aad, text).expect("no length is too long");
                tag.copy_from_slice(&sealed);
            }

            fn open(
                &mut self,
                nonce: &[u8; 12],
                aad: &[u8],
                sealed: &[u8],
                tag: &[u8; 16],
                text: &mut [u8],
            ) -> bool {
                self.0.open_to(nonce, aad, sealed, text, tag).is_ok()
            }

            fn rekey(&mut self, key: &[u8]) {
                let key = $module::Key::with_backend(key, self.0.backend());
                self.0 = key.expect("a key of that length");
            }
        }
    )+ };
}

sealing! {
    Ccm of aes_ccm;
    ChaChaPoly of chacha20_poly1305;
}

/// Writes the jobs of what seals and opens many messages in a call.
macro_rules! sealing_many {
    ($($Name:ident of $module:ident;)+) => { $(
        pub(in super::super) struct $Name {
            keys: Vec<$module::Key>,
            many: $module::Many,
        }

        impl $Name {
            pub(in super::super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, ropewalk::Error> {
                // The choice between lanes and one by one is part of what a user gets.
                let many = match $module::Many::new() {
                    best if best.backend() == backend => best,
                    _ => $module::Many::with_backend(backend)?,
                };
                let keys = secrets.iter().map(|secret| $module::Key::new(secret));
                Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
            }
        }

        impl jobs::Aead for $Name {
            const OPEN_NOTE: &str = jobs::COPIES;

            fn seal(&mut self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
                let sealed = self.keys[0].seal(nonce, aad, text).expect("no length is too long");
                tag.copy_from_slice(&sealed);
            }

            fn open(
                &mut self,
                nonce: &[u8; 12],
                aad: &[u8],
                sealed: &[u8],
                tag: &[u8; 16],
                text: &mut [u8],
            ) -> bool {
                self.keys[0].open_to(nonce, aad, sealed, text, tag).is_ok()
            }

            fn rekey(&mut self, key: &[u8]) {
                self.keys = vec![$module::Key::new(key).expect("a key of that length")];
            }

            fn seal_all(&mut self, aad: &[u8], messages: &mut [jobs::Message]) {
                let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
                for messages in messages.chunks_mut(MOST) {
                    let mut tags = ArrayVec::<_, MOST>::new();
                    tags.extend(messages.iter().map(|_| $module::Tag::default()));
                    let mut all = ArrayVec::<_, MOST>::new();
                    all.extend((messages.iter_mut().zip(&mut keys)).map(
                        |(jobs::Message { nonce, text, .. }, key)| {
                            $module::Message { key, nonce, aad, text }
                        },
                    ));
                    self.many.seal(&mut all, &mut tags).expect("no length is too long");
                    drop(all);
                    for (message, tag) in messages.iter_mut().zip(&tags) {
                        message.tag.copy_from_slice(tag);
                    }
                }
            }

            fn open_all(&mut self, aad: &[u8], messages: &[jobs::Message], texts: &mut [Vec<u8>]) -> bool {
                let mut right = true;
                let mut keys = (0..).map(|i| jobs::of(&self.keys, i));
                for (messages, texts) in messages.chunks(MOST).zip(texts.chunks_mut(MOST)) {
                    let mut tags = ArrayVec::<&[u8], MOST>::new();
                    tags.extend(messages.iter().map(|message| &message.tag[..]));
                    let mut all = ArrayVec::<_, MOST>::new();
                    all.extend((messages.iter().zip(texts).zip(&mut keys)).map(
                        |((jobs::Message { nonce, text: sealed, .. }, text), key)| {
                            text.copy_from_slice(sealed);
                            $module::Message { key, nonce, aad, text }
                        },
                    ));
                    let mut results = [Ok(()); MOST];
                    let results = &mut results[..messages.len()];
                    self.many.open(&mut all, &tags, results).expect("as many of each");
                    right &= results.iter().all(Result::is_ok);
                }
                right
            }
        }
    )+ };
}

/// Messages of a call at most. What holds them is filled where it stays: a new one is handed on by copying all of it, which takes
/// longer than a few short messages.
const MOST: usize = 64;

sealing_many! {
    CcmMany of aes_ccm;
    GcmMany of aes_gcm;
    ChaChaPolyMany of chacha20_poly1305;
}
