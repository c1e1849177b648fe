//! The hash functions as kinds of primitives, from the list of the library, and the same functions of RustCrypto's crates.

use ropewalk::{Error, hmac};

use crate::{
    independent,
    kinds::{HMAC_KEY_LENS, Hash, HashMany, Hmac, HmacMany, hmac_secret_of},
};

/// The methods of each type, which are called by their own names and not by those of a trait.
macro_rules! hashers {
    ($( $Hasher:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal ($Other:path, $block:literal, $len:literal, $oid:literal)
        $lists:tt $calls:tt $hmac:tt; )+) => {
        $(
            use ropewalk::$module::{$Hasher, $Many};

            impl Hash for $Hasher {
                const INDEPENDENT: &str = $name;

                fn new(backend: &str) -> Self {
                    Self::with_backend(backend).unwrap()
                }
                fn update(&mut self, text: &[u8]) {
                    self.update(text);
                }
                fn finish(self) -> Vec<u8> {
                    self.finish().to_vec()
                }
                fn finish_reset(&mut self) -> Vec<u8> {
                    self.finish_reset().to_vec()
                }
                fn reset(&mut self) {
                    self.reset();
                }
                fn digest(&self, message: &[u8]) -> Vec<u8> {
                    self.digest(message).to_vec()
                }

                fn independent(message: &[u8]) -> Vec<u8> {
                    independent::digest::<$Other>(message)
                }
            }

            impl HashMany for $Many {
                type Digest = [u8; $len];
                const NOTHING: [u8; $len] = [0; $len];
                const INDEPENDENT: &str = $name;

                fn new(backend: &str) -> Self {
                    Self::with_backend(backend).unwrap()
                }
                fn best() -> Self {
                    Self::new()
                }
                fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error> {
                    self.digest(messages, digests)
                }

                fn independent(message: &[u8]) -> Vec<u8> {
                    independent::digest::<$Other>(message)
                }
            }

            impl Hmac for hmac::Key<$Hasher> {
                const KEY_LENS: &[usize] = HMAC_KEY_LENS;
                const TAG_LENS: &[usize] = &tag_lens::<$len>();
                type Running = hmac::Mac<$Hasher>;
                const INDEPENDENT: &str = concat!("hmac-", $name);

                fn new(secret: &[u8], backend: &str) -> Result<Self, Error> {
                    Self::with_backend(secret, backend)
                }
                fn mac(&self, message: &[u8]) -> Vec<u8> {
                    self.mac(message).to_vec()
                }
                fn mac_of_secret_len(
                    &self,
                    prefix: &[u8],
                    text: &[u8],
                    least: usize,
                    len: usize,
                ) -> Result<Vec<u8>, Error> {
                    self.mac_of_secret_len(prefix, text, least, len).map(|tag| tag.to_vec())
                }
                fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
                    self.verify(message, tag)
                }
                fn start(&self) -> Self::Running {
                    self.start()
                }
                fn update(running: &mut Self::Running, text: &[u8]) {
                    running.update(text);
                }
                fn finish(running: Self::Running) -> Vec<u8> {
                    running.finish().to_vec()
                }
                fn finish_and_verify(running: Self::Running, tag: &[u8]) -> Result<(), Error> {
                    running.verify(tag)
                }

                fn independent(secret: &[u8], message: &[u8]) -> Vec<u8> {
                    independent::hmac::<independent::Hmac<$Other>>(secret, message)
                }
            }

            impl HashMany for HmacMany<$Many> {
                type Digest = [u8; $len];
                const NOTHING: [u8; $len] = [0; $len];
                const WHAT: &'static str = "tags";
                const INDEPENDENT: &str = concat!("hmac-", $name);

                fn new(backend: &str) -> Self {
                    Self::with(hmac::Many::with_backend(backend).unwrap())
                }
                fn best() -> Self {
                    Self::with(hmac::Many::new())
                }
                fn digest(&self, messages: &[&[u8]], digests: &mut [Self::Digest]) -> Result<(), Error> {
                    self.mac(messages, digests)
                }

                fn independent(message: &[u8]) -> Vec<u8> {
                    independent::hmac::<independent::Hmac<$Other>>(hmac_secret_of(message), message)
                }
            }
        )+
    };
}

ropewalk::hash_functions! { hashers! {} }

/// Lengths to which a tag may be cut: the shortest are half of it, and ten bytes or more.
const fn tag_lens<const N: usize>() -> [usize; 4] {
    let shortest = if N / 2 < 10 { 10 } else { N / 2 };
    [N, N - 1, shortest + 1, shortest]
}
