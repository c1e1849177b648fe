//! HMAC and CMAC.

use libloading::os::unix::Library;

use super::{Context, api, digest::Hash};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Mac,
};

/// A MAC with its key; taking a tag starts the next message.
pub(super) struct Keyed {
    hash: Hash,
    set_key: SetKey,
}

/// Keys of HMAC come with their length.
enum SetKey {
    OfLength(api::SetKeyOfLength),
    Fixed(api::SetKey),
}

impl Keyed {
    pub(super) fn new(
        library: &'static Library,
        mac: Mac,
        key: &[u8],
        name: &str,
        base: &str,
    ) -> Result<Self, Unavailable> {
        let set_key = format!("{name}_set_key");
        let names = [&set_key, &format!("{base}_update"), &format!("{name}_digest")];
        let api = api::Hash::of(library, names[0], names[1], names[2])?;
        let set_key = match mac {
            Mac::Hmac(_) => SetKey::OfLength(api::set_key_of_length(library, &set_key)?),
            _ => SetKey::Fixed(api::set_key(library, &set_key)?),
        };
        let mut keyed = Self { hash: Hash { api, context: Context::new() }, set_key };
        jobs::Hash::rekey(&mut keyed, key);
        Ok(keyed)
    }
}

impl jobs::Hash for Keyed {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::message(&mut self.hash, text, digest);
    }

    fn start(&mut self) {}

    fn update(&mut self, text: &[u8]) {
        jobs::Hash::update(&mut self.hash, text);
    }

    fn finish(&mut self, digest: &mut [u8]) {
        self.hash.finish(digest);
    }

    fn rekey(&mut self, key: &[u8]) -> bool {
        let context = self.hash.context.get();
        match self.set_key {
            // SAFETY: there is space for the context, and the key has the given length.
            SetKey::OfLength(set) => unsafe { set(context, key.len(), key.as_ptr()) },
            // SAFETY: there is space for the context, and the key has the length of its name.
            SetKey::Fixed(set) => unsafe { set(context, key.as_ptr()) },
        }
        true
    }
}
