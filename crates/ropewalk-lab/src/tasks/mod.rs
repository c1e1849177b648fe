//! What is measured, as data.

mod mix;
pub mod size;
pub mod words;

pub use mix::{MIXES, Mix};

/// One operation of one algorithm.
#[derive(Debug, PartialEq, Eq)]
pub struct Task {
    /// `aes-128-ctr`.
    pub name: &'static str,
    /// `encrypt`.
    pub op: &'static str,
    /// What the operation takes and gives.
    pub kind: Kind,
    /// Whether a bare `speed` shows it.
    pub headline: bool,
}

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
        /// Which way.
        direction: Direction,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES block by block, in place.
    Ecb {
        /// Which way.
        direction: Direction,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-XTS of one data unit, in place.
    Xts {
        /// Which way.
        direction: Direction,
        /// Bytes of the key, which is two keys.
        key_len: usize,
    },
    /// AES key wrap without padding.
    KeyWrap {
        /// Which way: keys are wrapped or unwrapped.
        direction: Direction,
        /// Bytes of the key that wraps.
        key_len: usize,
    },
    /// AES-GCM with a nonce of twelve bytes and a whole tag.
    Gcm {
        /// What is done.
        op: AeadOp,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-CCM with a nonce of twelve bytes and a whole tag.
    Ccm {
        /// What is done.
        op: AeadOp,
        /// Bytes of the key.
        key_len: usize,
    },
    /// AES-CBC with HMAC, of the records of TLS 1.1 and 1.2.
    Records {
        /// What is done: records are sealed or opened.
        op: AeadOp,
        /// The hash function of the MAC.
        function: Function,
        /// Bytes of the key of AES.
        key_len: usize,
    },
    /// Random bytes.
    Fill,
    /// Nothing at all: what is left is the cost of measuring.
    NoOp,
    /// ChaCha20; the first four bytes of its vector are the counter.
    ChaCha20,
    /// Triple DES with three keys in cipher block chaining, whole blocks without padding, in place; the first eight
    /// bytes of the vector are its own.
    TripleDes {
        /// Which way.
        direction: Direction,
    },
    /// RC4. It has no vector, so each message begins with its key: to take it is part of the work.
    Rc4,
    /// ChaCha20-Poly1305 with a whole tag.
    ChaChaPoly {
        /// What is done.
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
    /// X25519 (RFC 7748). Of who else has a key there are the bytes of a public key alone.
    X25519(AgreementOp),
    /// Ed25519 (RFC 8032) of whole messages.
    Ed25519(SignatureOp),
}

/// What makes tags of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mac {
    /// HMAC of that hash function.
    Hmac(Function),
    /// AES-CMAC.
    Cmac {
        /// Bytes of the key.
        key_len: usize,
    },
    /// Poly1305, whose key is for one message: to take it is part of the work.
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

    /// Bytes of the key that is measured: for HMAC as many as of a tag, as in TLS.
    pub fn key_len(self) -> usize {
        match self {
            Self::Hmac(function) => function.output_len(),
            Self::Cmac { key_len } => key_len,
            Self::Poly1305 => 32,
        }
    }
}

/// A hash function. Those whose output has any length give twice as many bytes as they have of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they have their names from the standards")]
pub enum Function {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

impl Function {
    /// Bytes of output.
    pub fn output_len(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha224 | Self::Sha3_224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// As its standard writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha224 => "SHA-224",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
            Self::Sha512_256 => "SHA-512/256",
            Self::Sha3_224 => "SHA3-224",
            Self::Sha3_256 => "SHA3-256",
            Self::Sha3_384 => "SHA3-384",
            Self::Sha3_512 => "SHA3-512",
            Self::Shake128 => "SHAKE128",
            Self::Shake256 => "SHAKE256",
        }
    }

    /// Whether its output has any length.
    pub fn extends(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256)
    }
}

/// Bytes of a key of triple DES, which is three keys.
pub const TRIPLE_DES_KEY: usize = 24;

/// Bytes of a key of X25519, private or public, and of the secret; and of Ed25519.
pub const CURVE_KEY: usize = 32;

/// Bytes of the key of RC4 that is measured, as in TLS.
pub const RC4_KEY: usize = 16;

/// One of the two ways through a block cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To ciphertext.
    Encrypt,
    /// To plaintext.
    Decrypt,
}

/// What is done with an authenticated cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AeadOp {
    /// A message is encrypted in place.
    Seal,
    /// A message is decrypted to another place, and its tag is right.
    Open,
    /// A message is encrypted in place with a key that was never used before: its set-up counts.
    SealFresh,
    /// A key is made ready to seal, and dropped.
    SetKey,
    /// A key that is there becomes another one.
    Rekey,
}

impl AeadOp {
    /// Which way the cipher goes.
    pub fn direction(self) -> Direction {
        if self == Self::Open { Direction::Decrypt } else { Direction::Encrypt }
    }
}

/// What is done with a key for agreements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementOp {
    /// One with the owner of a public key, by a private key that is ready.
    Agree,
    /// The public key of a private key is made.
    Generate,
}

/// What is done with a key for signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureOp {
    /// A message is signed by a private key that is ready.
    Sign,
    /// A signature is held against its message by a public key that is ready, and is right.
    Verify,
}

impl Kind {
    /// Whether ropewalk has such an operation. Others are there for other libraries to be measured: their answers are
    /// held against those of [`crate::measure::reference`].
    pub fn ours(self) -> bool {
        !matches!(self, Self::TripleDes { .. } | Self::Rc4 | Self::X25519(_) | Self::Ed25519(_))
    }

    /// Whether libraries take part, and not the lab alone.
    pub fn of_libraries(self) -> bool {
        self != Self::NoOp
    }

    /// Whether a message can go through in pieces; of XTS, several data units under one tweak. Where it cannot, there is no
    /// [`Mode::Stream`].
    pub fn streams(self) -> bool {
        match self {
            Self::Ctr { .. } | Self::ChaCha20 | Self::Rc4 | Self::Hash(_) => true,
            Self::Cbc { .. } | Self::TripleDes { .. } | Self::Xts { .. } => true,
            Self::Gcm { op, .. } | Self::ChaChaPoly { op } => op == AeadOp::Seal,
            Self::Mac(mac) => !matches!(mac, Mac::Cmac { .. }),
            _ => false,
        }
    }

    /// The size that is measured where this one is asked for: whole blocks where there is no other, one
    /// where there is no less, semiblocks and two of them of a key that is wrapped, a record's where there is no
    /// more, and that of the key where there is no message.
    pub fn size(self, bytes: usize) -> usize {
        match self {
            Self::Cbc { .. } | Self::Ecb { .. } | Self::TripleDes { .. } => {
                bytes.next_multiple_of(self.block())
            }
            Self::Xts { .. } => bytes.max(16),
            Self::KeyWrap { .. } => bytes.next_multiple_of(8).max(16),
            Self::Records { .. } => bytes.min(ropewalk::cbc_hmac::LONGEST_TEXT),
            Self::Gcm { op: AeadOp::SetKey | AeadOp::Rekey, key_len } => key_len,
            Self::X25519(_) => CURVE_KEY,
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

    /// Whether each message of a call may have a key of its own: of what encrypts whole messages or makes tags.
    pub fn keys(self) -> bool {
        match self {
            Self::Cbc { .. } | Self::Ecb { .. } | Self::Xts { .. } | Self::TripleDes { .. } => true,
            Self::Gcm { .. } | Self::Ccm { .. } | Self::ChaChaPoly { .. } => !self.by_call(),
            Self::Records { .. } | Self::Mac(_) => true,
            _ => false,
        }
    }

    /// Whether there is something to make ready for a message: a key, or the context of a hash function. Where there is not,
    /// there is no [`Mode::Setup`].
    pub fn sets_up(self) -> bool {
        self.takes_key() || matches!(self, Self::Hash(_))
    }

    /// Whether it takes a key.
    pub fn takes_key(self) -> bool {
        !matches!(
            self,
            Self::Hash(_) | Self::Fill | Self::NoOp | Self::X25519(AgreementOp::Generate)
        )
    }

    /// Whether what matters is the time of a call, whatever its bytes.
    pub fn by_call(self) -> bool {
        use AeadOp::{Rekey, SealFresh, SetKey};
        matches!(
            self,
            Self::Gcm { op: SealFresh | SetKey | Rekey, .. }
                | Self::NoOp
                | Self::X25519(_)
                | Self::Ed25519(_)
        )
    }
}

/// Every task. `speed`, `doctor` and tests walk this list.
pub const TASKS: &[Task] = &[
    shown("aes-128-ctr", "encrypt", Kind::Ctr { key_len: 16 }),
    asked("aes-192-ctr", "encrypt", Kind::Ctr { key_len: 24 }),
    asked("aes-256-ctr", "encrypt", Kind::Ctr { key_len: 32 }),
    asked("aes-128-cbc", "encrypt", Kind::Cbc { direction: Direction::Encrypt, key_len: 16 }),
    asked("aes-128-cbc", "decrypt", Kind::Cbc { direction: Direction::Decrypt, key_len: 16 }),
    asked("aes-192-cbc", "encrypt", Kind::Cbc { direction: Direction::Encrypt, key_len: 24 }),
    asked("aes-192-cbc", "decrypt", Kind::Cbc { direction: Direction::Decrypt, key_len: 24 }),
    asked("aes-256-cbc", "encrypt", Kind::Cbc { direction: Direction::Encrypt, key_len: 32 }),
    asked("aes-256-cbc", "decrypt", Kind::Cbc { direction: Direction::Decrypt, key_len: 32 }),
    asked("aes-128-ecb", "encrypt", Kind::Ecb { direction: Direction::Encrypt, key_len: 16 }),
    asked("aes-128-ecb", "decrypt", Kind::Ecb { direction: Direction::Decrypt, key_len: 16 }),
    asked("aes-192-ecb", "encrypt", Kind::Ecb { direction: Direction::Encrypt, key_len: 24 }),
    asked("aes-192-ecb", "decrypt", Kind::Ecb { direction: Direction::Decrypt, key_len: 24 }),
    asked("aes-256-ecb", "encrypt", Kind::Ecb { direction: Direction::Encrypt, key_len: 32 }),
    asked("aes-256-ecb", "decrypt", Kind::Ecb { direction: Direction::Decrypt, key_len: 32 }),
    asked("aes-128-xts", "encrypt", Kind::Xts { direction: Direction::Encrypt, key_len: 32 }),
    asked("aes-128-xts", "decrypt", Kind::Xts { direction: Direction::Decrypt, key_len: 32 }),
    shown("aes-256-xts", "encrypt", Kind::Xts { direction: Direction::Encrypt, key_len: 64 }),
    asked("aes-256-xts", "decrypt", Kind::Xts { direction: Direction::Decrypt, key_len: 64 }),
    asked("aes-128-kw", "wrap", Kind::KeyWrap { direction: Direction::Encrypt, key_len: 16 }),
    asked("aes-128-kw", "unwrap", Kind::KeyWrap { direction: Direction::Decrypt, key_len: 16 }),
    asked("aes-192-kw", "wrap", Kind::KeyWrap { direction: Direction::Encrypt, key_len: 24 }),
    asked("aes-192-kw", "unwrap", Kind::KeyWrap { direction: Direction::Decrypt, key_len: 24 }),
    asked("aes-256-kw", "wrap", Kind::KeyWrap { direction: Direction::Encrypt, key_len: 32 }),
    asked("aes-256-kw", "unwrap", Kind::KeyWrap { direction: Direction::Decrypt, key_len: 32 }),
    shown("aes-128-gcm", "seal", Kind::Gcm { op: AeadOp::Seal, key_len: 16 }),
    shown("aes-128-gcm", "open", Kind::Gcm { op: AeadOp::Open, key_len: 16 }),
    asked("aes-128-gcm", "seal-fresh", Kind::Gcm { op: AeadOp::SealFresh, key_len: 16 }),
    asked("aes-128-gcm", "set-key", Kind::Gcm { op: AeadOp::SetKey, key_len: 16 }),
    asked("aes-128-gcm", "rekey", Kind::Gcm { op: AeadOp::Rekey, key_len: 16 }),
    asked("aes-192-gcm", "seal", Kind::Gcm { op: AeadOp::Seal, key_len: 24 }),
    asked("aes-192-gcm", "open", Kind::Gcm { op: AeadOp::Open, key_len: 24 }),
    shown("aes-256-gcm", "seal", Kind::Gcm { op: AeadOp::Seal, key_len: 32 }),
    shown("aes-256-gcm", "open", Kind::Gcm { op: AeadOp::Open, key_len: 32 }),
    asked("aes-256-gcm", "seal-fresh", Kind::Gcm { op: AeadOp::SealFresh, key_len: 32 }),
    asked("aes-256-gcm", "set-key", Kind::Gcm { op: AeadOp::SetKey, key_len: 32 }),
    asked("aes-256-gcm", "rekey", Kind::Gcm { op: AeadOp::Rekey, key_len: 32 }),
    asked("aes-128-ccm", "seal", Kind::Ccm { op: AeadOp::Seal, key_len: 16 }),
    asked("aes-128-ccm", "open", Kind::Ccm { op: AeadOp::Open, key_len: 16 }),
    asked("aes-192-ccm", "seal", Kind::Ccm { op: AeadOp::Seal, key_len: 24 }),
    asked("aes-192-ccm", "open", Kind::Ccm { op: AeadOp::Open, key_len: 24 }),
    asked("aes-256-ccm", "seal", Kind::Ccm { op: AeadOp::Seal, key_len: 32 }),
    asked("aes-256-ccm", "open", Kind::Ccm { op: AeadOp::Open, key_len: 32 }),
    asked("aes-128-cbc-hmac-sha1", "seal", records(AeadOp::Seal, Function::Sha1, 16)),
    asked("aes-128-cbc-hmac-sha1", "open", records(AeadOp::Open, Function::Sha1, 16)),
    asked("aes-128-cbc-hmac-sha256", "seal", records(AeadOp::Seal, Function::Sha256, 16)),
    asked("aes-128-cbc-hmac-sha256", "open", records(AeadOp::Open, Function::Sha256, 16)),
    asked("aes-256-cbc-hmac-sha1", "seal", records(AeadOp::Seal, Function::Sha1, 32)),
    asked("aes-256-cbc-hmac-sha1", "open", records(AeadOp::Open, Function::Sha1, 32)),
    asked("aes-256-cbc-hmac-sha256", "seal", records(AeadOp::Seal, Function::Sha256, 32)),
    asked("aes-256-cbc-hmac-sha256", "open", records(AeadOp::Open, Function::Sha256, 32)),
    asked("3des-cbc", "encrypt", Kind::TripleDes { direction: Direction::Encrypt }),
    asked("3des-cbc", "decrypt", Kind::TripleDes { direction: Direction::Decrypt }),
    asked("rc4", "encrypt", Kind::Rc4),
    asked("chacha20", "encrypt", Kind::ChaCha20),
    shown("chacha20-poly1305", "seal", Kind::ChaChaPoly { op: AeadOp::Seal }),
    asked("chacha20-poly1305", "open", Kind::ChaChaPoly { op: AeadOp::Open }),
    asked("poly1305", "mac", Kind::Mac(Mac::Poly1305)),
    asked("aes-128-gmac", "mac", Kind::Gmac { key_len: 16 }),
    asked("aes-192-gmac", "mac", Kind::Gmac { key_len: 24 }),
    asked("aes-256-gmac", "mac", Kind::Gmac { key_len: 32 }),
    asked("aes-128-cmac", "mac", Kind::Mac(Mac::Cmac { key_len: 16 })),
    asked("aes-192-cmac", "mac", Kind::Mac(Mac::Cmac { key_len: 24 })),
    asked("aes-256-cmac", "mac", Kind::Mac(Mac::Cmac { key_len: 32 })),
    asked("hmac-md5", "mac", Kind::Mac(Mac::Hmac(Function::Md5))),
    asked("hmac-sha1", "mac", Kind::Mac(Mac::Hmac(Function::Sha1))),
    asked("hmac-sha224", "mac", Kind::Mac(Mac::Hmac(Function::Sha224))),
    shown("hmac-sha256", "mac", Kind::Mac(Mac::Hmac(Function::Sha256))),
    asked("hmac-sha384", "mac", Kind::Mac(Mac::Hmac(Function::Sha384))),
    asked("hmac-sha512", "mac", Kind::Mac(Mac::Hmac(Function::Sha512))),
    asked("hmac-sha512-256", "mac", Kind::Mac(Mac::Hmac(Function::Sha512_256))),
    asked("hmac-sha3-224", "mac", Kind::Mac(Mac::Hmac(Function::Sha3_224))),
    asked("hmac-sha3-256", "mac", Kind::Mac(Mac::Hmac(Function::Sha3_256))),
    asked("hmac-sha3-384", "mac", Kind::Mac(Mac::Hmac(Function::Sha3_384))),
    asked("hmac-sha3-512", "mac", Kind::Mac(Mac::Hmac(Function::Sha3_512))),
    asked("md5", "digest", Kind::Hash(Function::Md5)),
    asked("sha1", "digest", Kind::Hash(Function::Sha1)),
    asked("sha224", "digest", Kind::Hash(Function::Sha224)),
    shown("sha256", "digest", Kind::Hash(Function::Sha256)),
    asked("sha384", "digest", Kind::Hash(Function::Sha384)),
    asked("sha512", "digest", Kind::Hash(Function::Sha512)),
    asked("sha512-256", "digest", Kind::Hash(Function::Sha512_256)),
    asked("sha3-224", "digest", Kind::Hash(Function::Sha3_224)),
    shown("sha3-256", "digest", Kind::Hash(Function::Sha3_256)),
    asked("sha3-384", "digest", Kind::Hash(Function::Sha3_384)),
    asked("sha3-512", "digest", Kind::Hash(Function::Sha3_512)),
    asked("shake128", "digest", Kind::Hash(Function::Shake128)),
    asked("shake256", "digest", Kind::Hash(Function::Shake256)),
    asked("x25519", "agree", Kind::X25519(AgreementOp::Agree)),
    asked("x25519", "generate", Kind::X25519(AgreementOp::Generate)),
    asked("ed25519", "sign", Kind::Ed25519(SignatureOp::Sign)),
    asked("ed25519", "verify", Kind::Ed25519(SignatureOp::Verify)),
    asked("random", "fill", Kind::Fill),
    asked("no-op", "call", Kind::NoOp),
];

const fn records(op: AeadOp, function: Function, key_len: usize) -> Kind {
    Kind::Records { op, function, key_len }
}

/// A task that a bare `speed` shows.
const fn shown(name: &'static str, op: &'static str, kind: Kind) -> Task {
    Task { name, op, kind, headline: true }
}

/// A task that must be asked for.
const fn asked(name: &'static str, op: &'static str, kind: Kind) -> Task {
    Task { name, op, kind, headline: false }
}

impl Task {
    /// `aes-128-ctr/encrypt`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.name, self.op)
    }
}

/// One thing to time: a task at one size.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// What is done.
    pub task: &'static Task,
    /// Bytes in each message; of a mix, in the mean, rounded up.
    pub bytes: usize,
    /// Messages in each call.
    pub count: usize,
    /// What of a message is timed.
    pub mode: Mode,
    /// Where they have several lengths.
    pub mix: Option<&'static Mix>,
    /// Whether they have one key.
    pub keys: Keys,
    /// Bytes from the beginning of a message to that of the next one, where they lie in one array.
    pub stride: Option<usize>,
}

impl Cell {
    /// One whose messages have the lengths of a mix.
    pub fn of_mix(task: &'static Task, mix: &'static Mix, count: usize) -> Self {
        let cell = Self {
            task,
            bytes: 0,
            count,
            mode: Mode::Message,
            mix: Some(mix),
            keys: Keys::One,
            stride: None,
        };
        Self { bytes: cell.mean().ceil() as usize, ..cell }
    }

    /// Bytes of message `i`. Each call has the same lengths.
    pub fn len(&self, i: usize) -> usize {
        self.mix.map_or(self.bytes, |mix| self.task.kind.size(mix.len(i % self.count)))
    }

    /// Bytes of each message of a call.
    pub fn lens(&self) -> impl Iterator<Item = usize> {
        (0..self.count).map(|i| self.len(i))
    }

    /// Bytes of the longest message.
    pub fn longest(&self) -> usize {
        self.lens().max().unwrap_or(0)
    }

    /// How many keys the messages of a call have.
    pub fn key_count(&self) -> usize {
        match self.keys {
            Keys::One => 1,
            Keys::Each => self.count,
        }
    }

    /// Bytes of a message, in the mean.
    pub fn mean(&self) -> f64 {
        match self.mix {
            None => self.bytes as f64,
            Some(_) => self.lens().sum::<usize>() as f64 / self.count as f64,
        }
    }
}

/// Whose keys the messages of a call have.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// All of them the same, as those of one connection.
    #[default]
    One,
    /// Each its own, as those of many connections.
    Each,
}

/// What of a message is timed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The whole of it, as a protocol would: new nonce, output complete, context reused.
    Message,
    /// The update alone, in the middle of one long message.
    Stream,
    /// The whole of it, each with a new key, which is made ready before and wiped after it as its library does that best; of a
    /// hash function, each with a context of its own.
    Setup,
}
