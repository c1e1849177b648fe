//! Algorithms by their names, for a program that takes them from its configuration.

use core::{fmt, ops::Deref};

use crate::core::Error;

/// The most bytes of a name.
const LONGEST: usize = 39;

/// Algorithms of one kind.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Algorithms {
    /// The kind of algorithm.
    pub kind: &'static str,
    /// Their names.
    pub names: &'static [&'static str],
}

/// A requested name, truncated if it is longer than that of any algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; LONGEST],
    len: u8,
}

impl Name {
    pub(crate) fn new(name: &str) -> Self {
        let len = name.floor_char_boundary(LONGEST);
        let mut bytes = [0; LONGEST];
        bytes[..len].copy_from_slice(&name.as_bytes()[..len]);
        Self { bytes, len: len as u8 }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        str::from_utf8(&self.bytes[..self.len.into()]).expect("the beginning of a string")
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Declares `Algorithm`, given the kind and the name of each.
macro_rules! algorithms {
    ($(#[$doc:meta])* $kind:literal { $( $Variant:ident = $name:expr, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(
                #[doc = concat!("`", $name, "`")]
                $Variant,
            )+
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &'static [Self] = &[$( Self::$Variant, )+];

            const NAMED: &'static $crate::core::names::Algorithms =
                &$crate::core::names::Algorithms { kind: $kind, names: &[$( $name, )+] };

            /// The algorithm of that name. Case and `-`, `_` and `/` do not matter.
            ///
            /// # Errors
            /// [`Error::NoAlgorithm`](crate::Error::NoAlgorithm) where there is none; it lists those that exist.
            pub fn named(name: &str) -> Result<Self, $crate::core::Error> {
                let known = Self::ALL.iter().find(|known| $crate::core::names::same(known.name(), name));
                known.copied().ok_or($crate::core::Error::NoAlgorithm {
                    asked: $crate::core::names::Name::new(name),
                    exist: Self::NAMED,
                })
            }

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Variant => $name, )+
                }
            }
        }

        impl core::fmt::Display for Algorithm {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for Algorithm {
            type Err = $crate::core::Error;

            fn from_str(name: &str) -> Result<Self, $crate::core::Error> {
                Self::named(name)
            }
        }
    };
}
pub(crate) use algorithms;

/// Whether two names are equal but for case and separators: `AES_256_GCM` is `aes-256-gcm`.
pub(crate) fn same(a: &str, b: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        let letters = name.bytes().filter(|byte| !b"-_/".contains(byte));
        letters.map(|byte| byte.to_ascii_lowercase())
    }
    letters(a).eq(letters(b))
}

/// Checks the length of a key against its algorithm, not against others of the same kind.
pub(crate) fn check_key(what: &'static str, secret: &[u8], len: usize) -> Result<(), Error> {
    if secret.len() == len {
        return Ok(());
    }
    let allowed = match len {
        16 => "16 bytes",
        24 => "24 bytes",
        32 => "32 bytes",
        _ => "64 bytes",
    };
    Err(Error::Length { what, got: secret.len(), allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_signs_do_not_matter() {
        for name in ["aes-256-gcm", "AES-256-GCM", "aes256gcm", "Aes_256/Gcm"] {
            assert!(same("aes-256-gcm", name), "{name}");
        }
        for name in ["", "aes-256-gc", "aes-256-gcm1", "aes.256.gcm", "aes 256 gcm"] {
            assert!(!same("aes-256-gcm", name), "{name}");
        }
    }
}
