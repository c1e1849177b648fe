//! The measured tasks, as data.

mod function;
mod kind;
mod mix;
pub mod size;
pub mod words;

pub use function::Function;
pub use kind::{
    AeadOp, AgreementOp, CURVE_KEY, Direction, Kind, Mac, RC4_KEY, SignatureOp, TRIPLE_DES_KEY,
};
pub use mix::{MIXES, Mix};

/// One operation of one algorithm.
#[derive(Debug, PartialEq, Eq)]
pub struct Task {
    /// `aes-128-ctr`.
    pub name: &'static str,
    /// `encrypt`.
    pub op: &'static str,
    /// Inputs and outputs of the operation.
    pub kind: Kind,
    /// Whether a bare `speed` shows it.
    pub headline: bool,
}

macro_rules! tasks {
    ($( $Hash:ident $Many:ident $name:literal $title:literal $module:ident $feature:literal
        $other:tt $lists:tt $calls:tt $hmac:tt; )+) => {
        /// Every task. `speed`, `doctor` and tests iterate over this list.
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
            $( of_function(concat!("hmac-", $name), "mac", Kind::Mac(Mac::Hmac(Function::$Hash))), )+
            $( of_function($name, "digest", Kind::Hash(Function::$Hash)), )+
            asked("shake128", "digest", Kind::Hash(Function::Shake128)),
            asked("shake256", "digest", Kind::Hash(Function::Shake256)),
            asked("x25519", "agree", Kind::X25519(AgreementOp::Agree)),
            asked("x25519", "generate", Kind::X25519(AgreementOp::Generate)),
            asked("ed25519", "sign", Kind::Ed25519(SignatureOp::Sign)),
            asked("ed25519", "verify", Kind::Ed25519(SignatureOp::Verify)),
            asked("p256", "agree", Kind::EcdhP256(AgreementOp::Agree)),
            asked("p256", "generate", Kind::EcdhP256(AgreementOp::Generate)),
            asked("p256", "sign", Kind::EcdsaP256(SignatureOp::Sign)),
            asked("p256", "verify", Kind::EcdsaP256(SignatureOp::Verify)),
            asked("rsa-2048", "sign", rsa(SignatureOp::Sign, 2048)),
            asked("rsa-2048", "verify", rsa(SignatureOp::Verify, 2048)),
            asked("rsa-3072", "sign", rsa(SignatureOp::Sign, 3072)),
            asked("rsa-3072", "verify", rsa(SignatureOp::Verify, 3072)),
            asked("rsa-4096", "sign", rsa(SignatureOp::Sign, 4096)),
            asked("rsa-4096", "verify", rsa(SignatureOp::Verify, 4096)),
            asked("random", "fill", Kind::Fill),
            asked("no-op", "call", Kind::NoOp),
        ];
    };
}

ropewalk::hash_functions! { tasks! {} }

const fn records(op: AeadOp, function: Function, key_len: usize) -> Kind {
    Kind::Records { op, function, key_len }
}

const fn rsa(op: SignatureOp, bits: usize) -> Kind {
    Kind::Rsa { op, bits }
}

/// A task that a bare `speed` shows.
const fn shown(name: &'static str, op: &'static str, kind: Kind) -> Task {
    Task { name, op, kind, headline: true }
}

/// A task that must be named.
const fn asked(name: &'static str, op: &'static str, kind: Kind) -> Task {
    Task { name, op, kind, headline: false }
}

/// A task of a hash function, or of its HMAC. A bare `speed` shows those that are used most.
const fn of_function(name: &'static str, op: &'static str, kind: Kind) -> Task {
    use Function::{Sha3_256, Sha256};
    let headline = matches!(kind, Kind::Hash(Sha256 | Sha3_256) | Kind::Mac(Mac::Hmac(Sha256)));
    Task { name, op, kind, headline }
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
    /// The task.
    pub task: &'static Task,
    /// Bytes in each message; for a mix, the mean, rounded up.
    pub bytes: usize,
    /// Messages in each call.
    pub count: usize,
    /// The part of a message that is timed.
    pub mode: Mode,
    /// The mix, if messages have several lengths.
    pub mix: Option<&'static Mix>,
    /// Whether they have one key.
    pub keys: Keys,
    /// Bytes from the beginning of a message to that of the next one, if they are in one array.
    pub stride: Option<usize>,
}

impl Cell {
    /// A cell whose messages have the lengths of a mix.
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

    /// The number of keys of the messages of a call.
    pub fn key_count(&self) -> usize {
        match self.keys {
            Keys::One => 1,
            Keys::Each => self.count,
        }
    }

    /// The mean length of a message.
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
