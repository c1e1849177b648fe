//! HMAC and CMAC.

use libloading::os::unix::Library;

use super::{Context, api, digest::Hash};
use crate::{
    peers::{Unavailable, jobs},
    tasks::Mac,
};

/// What makes tags, with its key; to take a tag starts the next message.
pub(super) struct Keyed(Hash);

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
        let mut keyed = Self(Hash { api, context: Context::new() });
        match mac {
            Mac::Hmac(_) => {
                let set_key = api::set_key_of_length(library, &set_key)?;
                // SAFETY: there is room for the context, and the key is as long as it says.
                unsafe { set_key(keyed.0.context.get(), key.len(), key.as_ptr()) }
            }
            _ => {
                let set_key = api::set_key(library, &set_key)?;
                // SAFETY: there is room for the context, and the key has the length of its name.
                unsafe { set_key(keyed.0.context.get(), key.as_ptr()) }
            }
        }
        Ok(keyed)
    }
}

impl jobs::Hash for Keyed {
    fn message(&mut self, text: &[u8], digest: &mut [u8]) {
        jobs::Hash::message(&mut self.0, text, digest);
    }

    fn start(&mut self) {}

    fn update(&mut self, text: &[u8]) {
        jobs::Hash::update(&mut self.0, text);
    }

    fn finish(&mut self, digest: &mut [u8]) {
        self.0.finish(digest);
    }
}
