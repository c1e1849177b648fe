//! The kinds of operations, and their properties.

use super::Function;

/// The shape of an operation: which trait of [`crate::peers::jobs`] a peer implements for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// AES in counter mode with a 128-bit counter.
    Ctr {
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES in cipher block chaining, whole blocks without padding, in place.
    Cbc {
        /// The direction.
        direction: Direction,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES block by block, in place.
    Ecb {
        /// The direction.
        direction: Direction,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-XTS of one data unit, in place.
    Xts {
        /// The direction.
        direction: Direction,
        /// Bytes of the key, which is two keys.
        key_len: usize,
    },
    /// AES key wrap without padding.
    KeyWrap {
        /// The direction: keys are wrapped or unwrapped.
        direction: Direction,
        /// Bytes of the key that wraps.
        key_len: usize,
    },
    /// AES-GCM with a nonce of twelve bytes and a whole tag.
    Gcm {
        /// The operation.
        op: AeadOp,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-CCM with a nonce of twelve bytes and a whole tag.
    Ccm {
        /// The operation.
        op: AeadOp,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-CBC with HMAC, of the records of TLS 1.1 and 1.2.
    Records {
        /// The operation: records are sealed or opened.
        op: AeadOp,
        /// The hash function of the MAC.
        function: Function,
        /// Bytes of the key of AES.
        key_len: usize,
    },
    /// Random bytes.
    Fill,
    /// Nothing at all: the result is the overhead of the measurement.
    NoOp,
    /// ChaCha20; the first four bytes of its vector are the counter.
    ChaCha20,
    /// Triple DES with three keys in cipher block chaining mode, whole blocks without padding, in place; its
    /// initialization vector is the first eight bytes.
    TripleDes {
        /// The direction.
        direction: Direction,
    },
    /// RC4. It has no initialization vector, so each message begins with its key: key setup is part of the
    /// work.
    Rc4,
    /// ChaCha20-Poly1305 with a whole tag.
    ChaChaPoly {
        /// The operation.
        op: AeadOp,
    },
    /// A hash function.
    Hash(Function),
    /// GMAC with a nonce of twelve bytes and a whole tag.
    Gmac {
        /// Bytes of the key.
        key_len: usize,
    },
    /// A message authentication code whose key is ready.
    Mac(Mac),
    /// X25519 (RFC 7748). The other side is given as the bytes of a public key.
    X25519(AgreementOp),
    /// Ed25519 (RFC 8032) of whole messages.
    Ed25519(SignatureOp),
    /// ECDH on P-256. The other side is given as the bytes of an uncompressed public key.
    EcdhP256(AgreementOp),
    /// ECDSA on P-256 of whole messages, with SHA-256.
    EcdsaP256(SignatureOp),
    /// RSASSA-PKCS1-v1_5 with SHA-256, of whole messages.
    Rsa {
        /// The operation.
        op: SignatureOp,
        /// Bits of the modulus.
        bits: usize,
    },
}

impl Kind {
    /// The name of its algorithm, with the key length if there are several: `AES-192-GCM`, `SHA-256`, `RSA-2048`.
    pub fn name(self) -> String {
        match (self, self.of_aes()) {
            (_, Some((bits, rest))) => format!("AES-{bits}{rest}"),
            (Self::Rsa { bits, .. }, None) => format!("RSA-{bits}"),
            (_, None) => self.family(),
        }
    }

    /// The name of its algorithm, without the key length: `AES-GCM`.
    pub fn family(self) -> String {
        if let Some((_, rest)) = self.of_aes() {
            return format!("AES{rest}");
        }
        match self {
            Self::Hash(function) => function.name().into(),
            Self::Mac(Mac::Hmac(function)) => format!("HMAC of {}", function.name()),
            Self::Mac(Mac::Poly1305) => "Poly1305 alone".into(),
            Self::ChaCha20 => "ChaCha20 alone".into(),
            Self::ChaChaPoly { .. } => "ChaCha20-Poly1305".into(),
            Self::TripleDes { .. } => "triple DES".into(),
            Self::Rc4 => "RC4".into(),
            Self::X25519(_) => "X25519".into(),
            Self::Ed25519(_) => "Ed25519".into(),
            Self::EcdhP256(_) | Self::EcdsaP256(_) => "P-256".into(),
            Self::Rsa { .. } => "RSA".into(),
            Self::Fill => "random bytes".into(),
            _ => "such operation".into(),
        }
    }

    /// The key length in bits and the mode, for AES.
    fn of_aes(self) -> Option<(usize, &'static str)> {
        let (key_len, mode) = match self {
            Self::Ctr { key_len } => (key_len, "-CTR"),
            Self::Cbc { key_len, .. } => (key_len, "-CBC"),
            Self::Ecb { key_len, .. } => (key_len, "-ECB"),
            // Two keys.
            Self::Xts { key_len, .. } => (key_len / 2, "-XTS"),
            Self::KeyWrap { key_len, .. } => (key_len, " key wrap"),
            Self::Gcm { key_len, .. } => (key_len, "-GCM"),
            Self::Gmac { key_len } => (key_len, "-GMAC"),
            Self::Ccm { key_len, .. } => (key_len, "-CCM"),
            Self::Records { key_len, .. } => (key_len, "-CBC with HMAC in one call"),
            Self::Mac(Mac::Cmac { key_len }) => (key_len, "-CMAC"),
            _ => return None,
        };
        Some((8 * key_len, mode))
    }

    /// Whether ropewalk has such an operation. The others are measured only in other libraries.
    pub fn ours(self) -> bool {
        !matches!(self, Self::TripleDes { .. } | Self::Rc4)
    }

    /// The name of the peer that defines the right answers: ropewalk, or crates in plain Rust, whose own
    /// tests compare them with published answers.
    pub fn model(self) -> &'static str {
        match self {
            Self::X25519(_) | Self::Ed25519(_) => "dalek",
            Self::EcdhP256(_) | Self::EcdsaP256(_) | Self::Rsa { .. } => "rustcrypto",
            Self::TripleDes { .. } | Self::Rc4 => "rustcrypto",
            _ => "ropewalk",
        }
    }

    /// Whether libraries take part, and not only the lab.
    pub fn of_libraries(self) -> bool {
        self != Self::NoOp
    }

    /// Whether a message can be processed in chunks; for XTS, several data units under one tweak. Otherwise
    /// there is no `Mode::Stream`.
    pub fn streams(self) -> bool {
        match self {
            Self::Ctr { .. } | Self::ChaCha20 | Self::Rc4 | Self::Hash(_) => true,
            Self::Cbc { .. } | Self::TripleDes { .. } | Self::Xts { .. } => true,
            Self::Gcm { op, .. } | Self::ChaChaPoly { op } => op == AeadOp::Seal,
            Self::Mac(mac) => !matches!(mac, Mac::Cmac { .. }),
            _ => false,
        }
    }

    /// The size that is measured if this one is requested: rounded to whole blocks if required, at least one
    /// if there is a minimum, semiblocks and at least two for key wrap, limited to a record's, and that of
    /// the key if there is no message.
    pub fn size(self, bytes: usize) -> usize {
        match self {
            Self::Cbc { .. } | Self::Ecb { .. } | Self::TripleDes { .. } => {
                bytes.next_multiple_of(self.block())
            }
            Self::Xts { .. } => bytes.max(16),
            Self::KeyWrap { .. } => bytes.next_multiple_of(8).max(16),
            Self::Records { .. } => bytes.min(ropewalk::cbc_hmac::LONGEST_TEXT),
            Self::Gcm { op: AeadOp::SetKey | AeadOp::Rekey, key_len } => key_len,
            Self::X25519(_) | Self::EcdhP256(_) => CURVE_KEY,
            Self::NoOp => 16,
            _ => bytes,
        }
    }

    /// Bytes of a block of the cipher.
    pub fn block(self) -> usize {
        if matches!(self, Self::TripleDes { .. }) { 8 } else { 16 }
    }

    /// Whether its messages may have several lengths: whether it has messages, and lengths of its own.
    pub fn mixes(self) -> bool {
        !self.by_call() && !matches!(self, Self::Fill | Self::KeyWrap { .. })
    }

    /// Whether each message of a call may have a separate key: for operations that encrypt whole messages or
    /// make tags.
    pub fn keys(self) -> bool {
        match self {
            Self::Cbc { .. } | Self::Ecb { .. } | Self::Xts { .. } | Self::TripleDes { .. } => true,
            Self::Gcm { .. } | Self::Ccm { .. } | Self::ChaChaPoly { .. } => !self.by_call(),
            Self::Records { .. } | Self::Mac(_) => true,
            _ => false,
        }
    }

    /// Whether there is a setup for a message: a key, or the context of a hash function. Otherwise there is
    /// no `Mode::Setup`.
    pub fn sets_up(self) -> bool {
        self.takes_key() || matches!(self, Self::Hash(_))
    }

    /// Whether it takes a key.
    pub fn takes_key(self) -> bool {
        !matches!(
            self,
            Self::Hash(_)
                | Self::Fill
                | Self::NoOp
                | Self::X25519(AgreementOp::Generate)
                | Self::EcdhP256(AgreementOp::Generate)
        )
    }

    /// Whether the time of a call counts, independent of its bytes.
    pub fn by_call(self) -> bool {
        use AeadOp::{Rekey, SealFresh, SetKey};
        matches!(self, Self::Gcm { op: SealFresh | SetKey | Rekey, .. } | Self::NoOp)
            || self.of_keys()
    }

    /// Whether it is a key agreement or a signature scheme.
    pub fn of_keys(self) -> bool {
        matches!(
            self,
            Self::X25519(_)
                | Self::Ed25519(_)
                | Self::EcdhP256(_)
                | Self::EcdsaP256(_)
                | Self::Rsa { .. }
        )
    }
}

/// A MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mac {
    /// HMAC of that hash function.
    Hmac(Function),
    /// AES-CMAC.
    Cmac {
        /// Bytes of the key.
        key_len: usize,
    },
    /// Poly1305, whose key is for one message: key setup is part of the work.
    Poly1305,
}

impl Mac {
    /// Bytes of a tag.
    pub fn tag_len(self) -> usize {
        match self {
            Self::Hmac(function) => function.output_len(),
            Self::Cmac { .. } | Self::Poly1305 => 16,
        }
    }

    /// Bytes of the key that is measured: for HMAC the length of a tag, as in TLS.
    pub fn key_len(self) -> usize {
        match self {
            Self::Hmac(function) => function.output_len(),
            Self::Cmac { key_len } => key_len,
            Self::Poly1305 => 32,
        }
    }
}

/// Bytes of a key of triple DES, which is three keys.
pub const TRIPLE_DES_KEY: usize = 24;

/// Bytes of a key of X25519, private or public, and of the secret; of Ed25519; and of a private key and a secret of
/// P-256.
pub const CURVE_KEY: usize = 32;

/// Bytes of the key of RC4 that is measured, as in TLS.
pub const RC4_KEY: usize = 16;

/// A direction of a block cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Encrypts.
    Encrypt,
    /// Decrypts.
    Decrypt,
}

/// An operation of an authenticated cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AeadOp {
    /// Encrypts a message in place.
    Seal,
    /// Decrypts a message to another buffer, with a right tag.
    Open,
    /// Encrypts a message in place with a key that was never used before: its setup counts.
    SealFresh,
    /// Makes a key ready to seal, and drops it.
    SetKey,
    /// Replaces a key by another one.
    Rekey,
}

impl AeadOp {
    /// The direction of the cipher.
    pub fn direction(self) -> Direction {
        if self == Self::Open { Direction::Decrypt } else { Direction::Encrypt }
    }
}

/// An operation of a key agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementOp {
    /// Agrees with the owner of a public key, with a private key that is ready.
    Agree,
    /// Computes the public key of a private key.
    Generate,
}

/// An operation of a signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureOp {
    /// Signs a message with a private key that is ready.
    Sign,
    /// Verifies a right signature of a message with a public key that is ready.
    Verify,
}
