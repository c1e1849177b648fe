//! What is measured, as data.

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
    /// AES-GCM with a nonce of twelve bytes and a whole tag, sealed in place.
    GcmSeal {
        /// Bytes of the key.
        key_len: usize,
    },
    /// SHA-256.
    Sha256,
}

impl Kind {
    /// Whether a message can go through in pieces. Where it cannot, there is no [`Mode::Stream`].
    pub fn streams(self) -> bool {
        !matches!(self, Self::GcmSeal { .. })
    }
}

/// Every task. `speed`, `doctor` and tests walk this list.
pub const TASKS: &[Task] = &[
    Task { name: "aes-128-ctr", op: "encrypt", kind: Kind::Ctr { key_len: 16 }, headline: true },
    Task { name: "aes-192-ctr", op: "encrypt", kind: Kind::Ctr { key_len: 24 }, headline: false },
    Task { name: "aes-256-ctr", op: "encrypt", kind: Kind::Ctr { key_len: 32 }, headline: true },
    Task { name: "aes-128-gcm", op: "seal", kind: Kind::GcmSeal { key_len: 16 }, headline: true },
    Task { name: "aes-192-gcm", op: "seal", kind: Kind::GcmSeal { key_len: 24 }, headline: false },
    Task { name: "aes-256-gcm", op: "seal", kind: Kind::GcmSeal { key_len: 32 }, headline: true },
    Task { name: "sha256", op: "digest", kind: Kind::Sha256, headline: true },
];

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
    /// Bytes in each message.
    pub bytes: usize,
    /// Messages in each call.
    pub count: usize,
    /// What of a message is timed.
    pub mode: Mode,
}

/// What of a message is timed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The whole of it, as a protocol would: new nonce, output complete, context reused.
    Message,
    /// The update alone, in the middle of one long message: what `openssl speed -evp` shows.
    Stream,
}
