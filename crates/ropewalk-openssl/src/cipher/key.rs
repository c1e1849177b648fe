//! Keys in contexts.

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::{error::Reason, secret};

/// The longest key in bytes: both halves of an XTS key.
const LONGEST: usize = 64;

/// A key that is made of a secret.
pub(crate) trait OfSecret: Sized {
    fn new(secret: &[u8]) -> Result<Self, Reason>;

    /// Replaces the key in place.
    fn renew(&mut self, secret: &[u8]) -> Result<(), Reason> {
        *self = Self::new(secret)?;
        Ok(())
    }
}

/// A key, or none yet. Copies of a context share it. A new key is made only for a different secret, since
/// some programs set the same secret for each message.
pub(crate) struct Held<K> {
    secret: Zeroizing<[u8; LONGEST]>,
    len: usize,
    key: Option<Arc<K>>,
}

impl<K> Clone for Held<K> {
    fn clone(&self) -> Self {
        Self { secret: self.secret.clone(), len: self.len, key: self.key.clone() }
    }
}

impl<K: OfSecret> Held<K> {
    pub(crate) fn none() -> Self {
        Self { secret: Zeroizing::new([0; LONGEST]), len: 0, key: None }
    }

    /// Sets the secret, and returns whether it is a different one.
    pub(crate) fn set(&mut self, secret: &[u8]) -> Result<bool, Reason> {
        if self.key.is_some() && secret::same(&self.secret[..self.len], secret) {
            return Ok(false);
        }
        let place = self.secret.get_mut(..secret.len()).ok_or(Reason::InvalidKeyLength)?;
        // After an error there is no key.
        self.key = match self.key.take() {
            Some(mut shared) => match Arc::get_mut(&mut shared) {
                Some(key) => {
                    key.renew(secret)?;
                    Some(shared)
                }
                None => Some(Arc::new(K::new(secret)?)),
            },
            None => Some(Arc::new(K::new(secret)?)),
        };
        place.copy_from_slice(secret);
        self.len = secret.len();
        Ok(true)
    }

    #[inline]
    pub(crate) fn get(&self) -> Result<&K, Reason> {
        self.key.as_deref().ok_or(Reason::NoKeySet)
    }

    /// The key, to be changed; other contexts keep theirs.
    pub(crate) fn get_mut(&mut self) -> Result<&mut K, Reason>
    where
        K: Clone,
    {
        self.key.as_mut().map(Arc::make_mut).ok_or(Reason::NoKeySet)
    }
}
