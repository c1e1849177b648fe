//! Texts that are encrypted or decrypted in place, without a further answer.

/// Declares the collector operation for a mode, given `Key`, `Each`, which is a message of the batch call, the check of the
/// length of a text, and the batch call.
macro_rules! in_place {
    (
        $(#[$doc:meta])*
        $Batch:ident($($field:ident: $Field:ty),+) of $Message:ident { $start:ident };
        |$checked:ident, $len:ident| $check:expr;
        |$ran:ident, $all:ident| $run:expr
    ) => {
        $(#[$doc])*
        pub struct $Batch<K, T> {
            $($field: $Field,)+
            messages: PhantomData<fn(K, T)>,
        }

        impl<K: Borrow<Key>, T: AsRef<[u8]> + AsMut<[u8]>> $Batch<K, T> {
            /// With the given batch operation.
            pub fn new($($field: $Field),+) -> Self {
                Self { $($field,)+ messages: PhantomData }
            }
        }

        impl<K: Borrow<Key>, T: AsRef<[u8]> + AsMut<[u8]>> Batch for $Batch<K, T> {
            type Message = $Message<K, T>;
            type Answer = ();

            fn lanes(&self) -> usize {
                self.many.lanes()
            }
            fn check(&self, message: &Self::Message) -> Result<(), Error> {
                let ($checked, $len) = (self, message.text.as_ref().len());
                $check
            }
            fn run(&self, messages: &mut [Self::Message], mut answer: impl FnMut(())) {
                let count = messages.len();
                let all = messages.iter_mut().map(|$Message { key, $start, text }| Each {
                    key: (*key).borrow(),
                    $start,
                    text: text.as_mut(),
                });
                // The placeholder of a message has a key, and an empty text.
                let nothing = |key| Each { key, $start: &[0; 16], text: &mut [] };
                let mut all = gathered(all, |message| message.key, nothing);
                let ($ran, $all) = (self, &mut all[..count]);
                let Ok(()) = $run else { unreachable!("all are checked") };
                (0..count).for_each(|_| answer(()));
            }
        }
    };
}

/// The messages, at least one, followed by placeholders.
fn gathered<'a, K: 'a, M>(
    mut messages: impl Iterator<Item = M>,
    key: impl Fn(&M) -> &'a K,
    nothing: impl Fn(&'a K) -> M,
) -> [M; super::MOST] {
    let Some(first) = messages.next() else { unreachable!("there is a message") };
    let (key, mut first) = (key(&first), Some(first));
    core::array::from_fn(|_| {
        first.take().or_else(|| messages.next()).unwrap_or_else(|| nothing(key))
    })
}

#[cfg(feature = "aes-cbc")]
pub use cbc::{Encryptions, Plaintext};

#[cfg(feature = "aes-cbc")]
mod cbc {
    use core::{borrow::Borrow, marker::PhantomData};

    use super::{super::Batch, gathered};
    use crate::{
        aes::aes_cbc::{self, Key, Many, Message as Each},
        core::Error,
    };

    /// A text to encrypt, of whole blocks.
    #[derive(Clone)]
    pub struct Plaintext<K, T> {
        /// The key, or a reference to it, such as an `Arc`.
        pub key: K,
        /// The initialization vector.
        pub iv: [u8; 16],
        /// The text, which is encrypted in place.
        pub text: T,
    }

    in_place! {
        /// Encrypts by AES-CBC: `Encryptions::new(aes_cbc::Many::new())`. The message comes back encrypted.
        Encryptions(many: Many) of Plaintext { iv };
        |_this, len| aes_cbc::check("text", len);
        |this, all| this.many.encrypt(all)
    }
}

#[cfg(feature = "aes-ctr")]
pub use ctr::{Counted, Keystreams};

#[cfg(feature = "aes-ctr")]
mod ctr {
    use core::{borrow::Borrow, marker::PhantomData};

    use super::{super::Batch, gathered};
    use crate::{
        aes::aes_ctr::{Counter, Key, Many, Message as Each},
        core::Error,
    };

    /// A text with the counter block that its key stream begins with.
    #[derive(Clone)]
    pub struct Counted<K, T> {
        /// The key, or a reference to it, such as an `Arc`.
        pub key: K,
        /// The first counter block.
        pub iv: [u8; 16],
        /// The text, which is encrypted or decrypted in place.
        pub text: T,
    }

    in_place! {
        /// XORs key streams of AES-CTR: `Keystreams::new(aes_ctr::Many::new(), Counter::Bits128)`. The message comes back
        /// encrypted, or decrypted.
        Keystreams(many: Many, counter: Counter) of Counted { iv };
        |this, len| this.counter.check(len as u64);
        |this, all| this.many.apply_keystream(this.counter, all)
    }
}

#[cfg(feature = "aes-xts")]
pub use xts::{DataUnit, UnitDecryptions, UnitEncryptions};

#[cfg(feature = "aes-xts")]
mod xts {
    use core::{borrow::Borrow, marker::PhantomData};

    use super::{super::Batch, gathered};
    use crate::{
        aes::aes_xts::{Key, Many, Message as Each, check_unit},
        core::Error,
    };

    /// A data unit with its tweak.
    #[derive(Clone)]
    pub struct DataUnit<K, T> {
        /// The key, or a reference to it, such as an `Arc`.
        pub key: K,
        /// The tweak, such as that of [`sector_tweak`](crate::aes_xts::sector_tweak).
        pub tweak: [u8; 16],
        /// The text, which is encrypted or decrypted in place.
        pub text: T,
    }

    in_place! {
        /// Encrypts by AES-XTS: `UnitEncryptions::new(aes_xts::Many::new())`. The data unit comes back encrypted.
        UnitEncryptions(many: Many) of DataUnit { tweak };
        |_this, len| check_unit("text", len);
        |this, all| this.many.encrypt(all)
    }

    in_place! {
        /// Decrypts by AES-XTS: `UnitDecryptions::new(aes_xts::Many::new())`. The data unit comes back decrypted.
        UnitDecryptions(many: Many) of DataUnit { tweak };
        |_this, len| check_unit("text", len);
        |this, all| this.many.decrypt(all)
    }
}
