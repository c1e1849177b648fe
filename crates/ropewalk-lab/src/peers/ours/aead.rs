//! Sealing and opening.

use ropewalk::{aes_ccm, aes_gcm, chacha20_poly1305};

use crate::peers::jobs;

/// Implements sealing and opening of a whole message.
macro_rules! whole {
    () => {
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
    };
}

/// Implements sealing in chunks.
macro_rules! pieces {
    ($module:ident) => {
        const STREAMS: bool = true;

        fn begin(&mut self, nonce: &[u8; 12]) {
            self.1 = Some($module::Stream::new(&self.0, nonce).expect("a nonce of that length"));
        }

        fn seal_piece(&mut self, text: &mut [u8]) {
            let stream = self.1.as_mut().expect("it has been started");
            stream.seal(&self.0, text).expect("the message is not too long");
        }
    };
}

/// Implements rekeying by making a new key, if the library has no call for it.
macro_rules! remade {
    ($module:ident) => {
        fn rekey(&mut self, key: &[u8]) {
            let key = match BEST {
                true => $module::Key::new(key),
                false => $module::Key::with_backend(key, self.0.backend()),
            };
            self.0 = key.expect("a key of that length");
        }
    };
}

/// A key, and whether its backend is the default; and a message that it seals in chunks.
pub(super) struct Gcm<const BEST: bool>(aes_gcm::Key, Option<aes_gcm::Stream>);

impl<const BEST: bool> Gcm<BEST> {
    pub(super) fn new(key: aes_gcm::Key) -> Self {
        Self(key, None)
    }
}

impl<const BEST: bool> jobs::Aead for Gcm<BEST> {
    whole!();
    pieces!(aes_gcm);

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

    fn open_fresh(
        &mut self,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        sealed: &[u8],
        tag: &[u8; 16],
        text: &mut [u8],
    ) -> bool {
        if !BEST {
            self.rekey(key);
            return self.open(nonce, aad, sealed, tag, text);
        }
        text.copy_from_slice(sealed);
        aes_gcm::open_once(key, nonce, aad, text, tag).is_ok()
    }
}

/// A key, and whether its backend is the default; and a message that it seals in chunks.
pub(super) struct ChaChaPoly<const BEST: bool>(
    chacha20_poly1305::Key,
    Option<chacha20_poly1305::Stream>,
);

impl<const BEST: bool> ChaChaPoly<BEST> {
    pub(super) fn new(key: chacha20_poly1305::Key) -> Self {
        Self(key, None)
    }
}

impl<const BEST: bool> jobs::Aead for ChaChaPoly<BEST> {
    whole!();
    pieces!(chacha20_poly1305);
    remade!(chacha20_poly1305);
}

/// A key, and whether its backend is the default.
pub(super) struct Ccm<const BEST: bool>(pub(super) aes_ccm::Key);

impl<const BEST: bool> jobs::Aead for Ccm<BEST> {
    whole!();
    remade!(aes_ccm);
}

/// Implements the jobs that seal and open batches in a call, or serially. Messages are laid out before the
/// first call, as they are in a program.
macro_rules! sealing_many {
    ($($Name:ident of $module:ident;)+) => { $(
        pub(in super::super) struct $Name {
            keys: Vec<$module::Key>,
            /// None for the serial loop.
            many: Option<$module::Many>,
        }

        impl $Name {
            pub(in super::super) fn new(secrets: &[Vec<u8>], backend: &str) -> Result<Self, ropewalk::Error> {
                let many = side_by_side!($module::Many, backend)?;
                let keys = secrets.iter().map(|secret| $module::Key::new(secret));
                Ok(Self { keys: keys.collect::<Result<_, _>>()?, many })
            }
        }

        impl jobs::AeadCalls for $Name {
            fn seal(&mut self, calls: usize, turn: &mut jobs::Turn, messages: &mut [jobs::Message]) {
                let mut tags = vec![$module::Tag::default(); messages.len()];
                let mut all = Vec::with_capacity(messages.len());
                for (i, jobs::Message { nonce, text, .. }) in messages.iter_mut().enumerate() {
                    let key = jobs::of(&self.keys, i % turn.count());
                    all.push($module::Message { key, nonce, aad: &jobs::AAD, text });
                }
                for _ in 0..calls {
                    let range = turn.take(tags.len());
                    let (all, tags) = (&mut all[range.clone()], &mut tags[range]);
                    match &self.many {
                        Some(many) => many.seal(all, tags).expect("no length is too long"),
                        None => for ($module::Message { key, nonce, aad, text }, tag) in all.iter_mut().zip(tags) {
                            *tag = key.seal(nonce, aad, text).expect("no length is too long");
                        },
                    }
                }
                for (message, tag) in messages.iter_mut().zip(&tags) {
                    message.tag.copy_from_slice(tag);
                }
            }

            fn open(
                &mut self,
                calls: usize,
                turn: &mut jobs::Turn,
                messages: &[jobs::Message],
                texts: &mut [jobs::Text],
            ) -> bool {
                let tags: Vec<&[u8]> = messages.iter().map(|message| &message.tag[..]).collect();
                let mut all = Vec::with_capacity(texts.len());
                for (i, (message, text)) in messages.iter().zip(texts).enumerate() {
                    let key = jobs::of(&self.keys, i);
                    all.push($module::Message { key, nonce: &message.nonce, aad: &jobs::AAD, text });
                }
                let mut results = vec![Ok(()); all.len()];
                let mut right = true;
                for _ in 0..calls {
                    let range = turn.take(messages.len());
                    for (place, jobs::Message { nonce, text, .. }) in all.iter_mut().zip(&messages[range.clone()]) {
                        place.nonce = nonce;
                        place.text.copy_from_slice(text);
                    }
                    let tags = &tags[range];
                    match &self.many {
                        Some(many) => many.open(&mut all, tags, &mut results).expect("as many of each"),
                        None => for (($module::Message { key, nonce, aad, text }, tag), result) in all.iter_mut().zip(tags).zip(&mut results) {
                            *result = key.open(nonce, aad, text, tag);
                        },
                    }
                    right &= results.iter().all(Result::is_ok);
                }
                right
            }

            fn open_note(&self) -> &'static str {
                jobs::COPIES
            }
        }
    )+ };
}

sealing_many! {
    CcmMany of aes_ccm;
    GcmMany of aes_gcm;
    ChaChaPolyMany of chacha20_poly1305;
}
