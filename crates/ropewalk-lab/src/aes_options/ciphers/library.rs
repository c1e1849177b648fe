//! The backends of the library.

use ropewalk::aes_ecb::Key;

use super::{Block, Encrypt};

/// A key of AES-ECB, as large as that of the largest backend.
pub(super) struct Library(Key);

impl Library {
    /// With a backend by its name; none if this processor cannot run it.
    pub(super) fn boxed(key: &Block, backend: &str) -> Option<Box<dyn Encrypt>> {
        let key = Key::with_backend(key, backend).ok()?;
        Some(Box::new(Self(key)))
    }
}

impl Encrypt for Library {
    fn encrypt(&self, blocks: &mut [Block]) {
        self.0.encrypt(blocks.as_flattened_mut()).expect("whole blocks");
    }
}
