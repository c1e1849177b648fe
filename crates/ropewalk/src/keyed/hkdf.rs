//! HKDF (RFC 5869): keys from secrets that are not uniformly random.
//!
//! ```
//! use ropewalk::{hkdf, hmac, sha256::Sha256};
//!
//! let salt = hmac::Key::<Sha256>::new(b"what both sides know");
//! let mut key = [0; 32];
//! hkdf::extract(&salt, b"what they agreed on").expand(&[b"client to server"], &mut key)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```
//!
//! Many derivations run in parallel, as HMAC of many messages does:
//!
//! ```
//! use ropewalk::{
//!     hkdf::{Expansion, Prk, expand_many},
//!     sha256::{Sha256, Sha256Many},
//! };
//!
//! let prk = Prk::<Sha256>::new(&[7; 32])?;
//! let mut keys = [[0; 32]; 2];
//! let [first, second] = &mut keys;
//! expand_many::<Sha256Many>(&mut [
//!     Expansion { prk: &prk, info: &[b"client to server"], out: first },
//!     Expansion { prk: &prk, info: &[b"server to client"], out: second },
//! ])
//! .map_err(|wrong| wrong.error)?;
//! # Ok::<(), ropewalk::Error>(())
//! ```

use crate::{
    core::{Error, InMessage, secret::Wiped},
    hashes::{Hash, HashMany, function::HashFunction},
    keyed::hmac,
};

/// A pseudorandom key PRK (section 2.2), from which keys are derived. It is wiped when it is dropped.
pub struct Prk<H: Hash> {
    key: hmac::Key<H>,
    bytes: Wiped<H::Digest>,
}

/// HKDF-Extract (section 2.2), given a key made of the salt; without a salt, of the empty string. The backend is that of the
/// salt's key.
pub fn extract<H: Hash>(salt: &hmac::Key<H>, secret: &[u8]) -> Prk<H> {
    Prk::of(salt, salt.mac(secret))
}

impl<H: Hash> Prk<H> {
    /// Makes a PRK from bytes that are uniformly random already (section 3.3), with the best backend of this processor.
    ///
    /// # Errors
    /// [`Error::Length`] unless there are as many bytes as in a digest.
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        let got = bytes.len();
        if got != H::DIGEST_LEN {
            return Err(Error::Length { what: "pseudorandom key", got, allowed: "as a digest" });
        }
        let mut copy = Wiped::new(<H::Function as HashFunction>::ZERO);
        copy.as_mut().copy_from_slice(bytes);
        Ok(Self { key: hmac::Key::new(bytes), bytes: copy })
    }

    /// With the backend of another key.
    pub(crate) fn of(key: &hmac::Key<H>, bytes: H::Digest) -> Self {
        Self { key: key.again(bytes.as_ref()), bytes: Wiped::new(bytes) }
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The key of its MAC.
    pub(crate) fn key(&self) -> &hmac::Key<H> {
        &self.key
    }

    /// HKDF-Expand (section 2.3): fills `out`. `info`, in parts, is the context.
    ///
    /// # Errors
    /// [`Error::Length`] where `out` is longer than 255 digests; it is then untouched.
    pub fn expand(&self, info: &[&[u8]], out: &mut [u8]) -> Result<(), Error> {
        check::<H>(out.len())?;
        let mut last = Wiped::new(<H::Function as HashFunction>::ZERO);
        for (i, piece) in out.chunks_mut(H::DIGEST_LEN).enumerate() {
            let mut mac = self.key.start();
            if i > 0 {
                mac.update((*last).as_ref());
            }
            info.iter().for_each(|part| mac.update(part));
            mac.update(&[(i + 1) as u8]);
            *last = mac.finish();
            piece.copy_from_slice(&(*last).as_ref()[..piece.len()]);
        }
        Ok(())
    }
}

fn check<H: Hash>(got: usize) -> Result<(), Error> {
    if got > 255 * H::DIGEST_LEN {
        return Err(Error::Length { what: "key", got, allowed: "up to 255 digests" });
    }
    Ok(())
}

/// A key to derive.
pub struct Expansion<'a, H: Hash> {
    /// The pseudorandom key.
    pub prk: &'a Prk<H>,
    /// The context, in parts.
    pub info: &'a [&'a [u8]],
    /// The output: up to 255 digests.
    pub out: &'a mut [u8],
}

impl<H: Hash> Expansion<'_, H> {
    fn serial(&mut self) -> Result<(), Error> {
        self.prk.expand(self.info, self.out)
    }
}

/// HKDF-Extract of many secrets: the key of each message was made of the salt. `M` is the batch type of the hash function:
/// [`Sha256Many`](crate::sha256::Sha256Many).
///
/// # Errors
/// [`Error::Length`] where there are not as many outputs as secrets; none is then written.
pub fn extract_many<M: HashMany>(
    secrets: &[hmac::Message<'_, M::One>],
    prks: &mut [Option<Prk<M::One>>],
) -> Result<(), Error> {
    Many::<M>::new().extract(secrets, prks)
}

/// HKDF-Expand of many keys.
///
/// # Errors
/// [`InMessage`] with [`Error::Length`] as [`Prk::expand`] for the first invalid one; nothing is then written.
pub fn expand_many<M: HashMany>(expansions: &mut [Expansion<'_, M::One>]) -> Result<(), InMessage> {
    Many::<M>::new().expand(expansions)
}

/// HKDF of many secrets and keys, with the batch type of a hash function: `Many<Sha256Many>`. The state of a call is on the
/// stack, at most 12 KiB, and wiped.
pub struct Many<M: HashMany> {
    many: hmac::Many<M>,
    /// Whether the batch backend is always used.
    forced: bool,
}

/// Derivations that are processed at a time: as many as the widest backend has lanes.
const GROUP: usize = hmac::KEYS;

/// The longest message in lanes: a digest, the context, and the counter byte.
const ROOM: usize = 256;

/// With fewer keys to expand, the buffers of their messages cost more than lanes gain; in a narrow batch, always.
const LEAST: usize = 8;

/// With fewer secrets, the buffers of the results cost more than lanes gain.
const LEAST_TO_EXTRACT: usize = 4;

impl<M: HashMany> Many<M> {
    /// With the best backends of this processor. Batches that are too small for lanes are processed serially, by the backend of
    /// each key.
    #[inline]
    pub fn new() -> Self {
        Self { many: hmac::Many::new(), forced: false }
    }

    /// With the backend of that name in the batch list of the hash function, even where serial processing is faster.
    ///
    /// # Errors
    /// [`Error::NoBackend`] where it cannot run here.
    pub fn with_backend(name: &str) -> Result<Self, Error> {
        Ok(Self { many: hmac::Many::with_backend(name)?, forced: true })
    }

    /// The name of its backend.
    pub fn backend(&self) -> &'static str {
        self.many.backend()
    }

    /// HKDF-Extract, as [`extract_many`]. The backend of each is that of the salt's key.
    ///
    /// # Errors
    /// As [`extract_many`].
    pub fn extract(
        &self,
        secrets: &[hmac::Message<'_, M::One>],
        prks: &mut [Option<Prk<M::One>>],
    ) -> Result<(), Error> {
        let got = prks.len();
        if got != secrets.len() {
            let allowed = "as many as there are secrets";
            return Err(Error::Length { what: "pseudorandom keys", got, allowed });
        }
        if secrets.len() < LEAST_TO_EXTRACT && !self.forced {
            for (secret, prk) in secrets.iter().zip(prks) {
                *prk = Some(extract(secret.key, secret.text));
            }
            return Ok(());
        }
        for (secrets, prks) in secrets.chunks(GROUP).zip(prks.chunks_mut(GROUP)) {
            let mut made = Wiped::new([<M::Function as HashFunction>::ZERO; GROUP]);
            let made = &mut made[..secrets.len()];
            self.many.mac(secrets, made)?;
            self.many.keys_of_digests(secrets, made, |i, key| {
                prks[i] = Some(Prk { key, bytes: Wiped::new(made[i]) });
            });
        }
        Ok(())
    }

    /// HKDF-Expand, as [`expand_many`].
    ///
    /// # Errors
    /// As [`expand_many`].
    pub fn expand(&self, expansions: &mut [Expansion<'_, M::One>]) -> Result<(), InMessage> {
        for (index, expansion) in expansions.iter().enumerate() {
            let checked = check::<M::One>(expansion.out.len());
            checked.map_err(|error| InMessage { index, error })?;
        }
        for group in expansions.chunks_mut(GROUP) {
            let serial = group.len() < LEAST || !self.many.has_lanes();
            let done = match serial && !self.forced {
                true => group.iter_mut().try_for_each(Expansion::serial),
                false => self.expand_group(group),
            };
            done.map_err(|error| InMessage { index: 0, error })?;
        }
        Ok(())
    }

    /// One digest of each key at a time, in lanes.
    fn expand_group(&self, group: &mut [Expansion<'_, M::One>]) -> Result<(), Error> {
        let len = M::One::DIGEST_LEN;
        let mut room =
            Wiped::new(([[0; ROOM]; GROUP], [<M::Function as HashFunction>::ZERO; GROUP]));
        let (texts, digests) = &mut *room;
        let fits = |expansion: &Expansion<'_, M::One>| {
            let info = expansion.info.iter().map(|part| part.len());
            info.fold(len + 1, usize::saturating_add) <= ROOM
        };
        for expansion in group.iter_mut().filter(|expansion| !fits(expansion)) {
            expansion.serial()?;
        }
        for i in 0..255 {
            // The keys that are not complete, and the lengths of their messages.
            let (mut going, mut count) = ([(0, 0); GROUP], 0);
            for (which, expansion) in group.iter().enumerate() {
                if expansion.out.len() <= i * len || !fits(expansion) {
                    continue;
                }
                let (text, mut at) = (&mut texts[count], 0);
                let last = &expansion.out[i.saturating_sub(1) * len..i * len];
                for part in [last].iter().chain(expansion.info).chain([&[i as u8 + 1].as_slice()]) {
                    text[at..][..part.len()].copy_from_slice(part);
                    at += part.len();
                }
                going[count] = (which, at);
                count += 1;
            }
            if count == 0 {
                break;
            }
            let messages: [_; GROUP] = core::array::from_fn(|j| {
                let (which, at) = going[j];
                hmac::Message { key: group[which].prk.key(), text: &texts[j][..at] }
            });
            self.many.mac(&messages[..count], &mut digests[..count])?;
            for ((which, _), digest) in going[..count].iter().zip(&*digests) {
                let out = &mut group[*which].out[i * len..];
                let piece = len.min(out.len());
                out[..piece].copy_from_slice(&digest.as_ref()[..piece]);
            }
        }
        Ok(())
    }
}

impl<M: HashMany> Default for Many<M> {
    fn default() -> Self {
        Self::new()
    }
}
