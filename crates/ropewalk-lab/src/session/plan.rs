//! What a session measures.

use std::{path::PathBuf, time::Duration};

use crate::{
    measure::field::Part,
    peers::Peer,
    tasks::{Keys, Mix, Mode, Task},
};

/// The measurements of a session, and the libraries.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<&'static Task>,
    /// Whether the tasks are the headline ones, because the user named none.
    pub headline: bool,
    /// Bytes in a message.
    pub sizes: Vec<usize>,
    /// Mixes of several lengths, instead of sizes.
    pub mixes: Vec<&'static Mix>,
    /// Messages in a call.
    pub counts: Vec<usize>,
    /// Whether the messages of a call share one key.
    pub keys: Keys,
    /// The distance of messages in one array.
    pub stride: Option<usize>,
    /// Every peer of the program.
    pub all: &'static [&'static dyn Peer],
    /// The peers that are measured, ropewalk first.
    pub peers: Vec<&'static dyn Peer>,
    /// Selected parts of libraries.
    pub parts: Vec<Part>,
    /// Libraries that the user named.
    pub libraries: Vec<PathBuf>,
    /// Sets of features to disable.
    pub masks: Vec<String>,
    /// The features that `ROPEWALK_CPU` disables in ropewalk.
    pub ours: String,
    /// The only backend of ropewalk to show.
    pub backend: Option<String>,
    /// Seconds for each row and size.
    pub seconds: Option<f64>,
    /// The part of a message that is timed.
    pub mode: Mode,
    /// The longest time without a reply of a worker.
    pub patience: Duration,
}

impl Plan {
    /// Every library, and no task yet. `ours` has the features that `ROPEWALK_CPU` disables.
    pub fn of_all(all: &'static [&'static dyn Peer], ours: &str) -> Self {
        Self {
            tasks: Vec::new(),
            headline: false,
            sizes: Vec::new(),
            mixes: Vec::new(),
            counts: vec![1],
            keys: Keys::One,
            stride: None,
            all,
            peers: all.to_vec(),
            parts: Vec::new(),
            libraries: Vec::new(),
            masks: Vec::new(),
            ours: ours.into(),
            backend: None,
            seconds: None,
            mode: Mode::Message,
            patience: Duration::from_secs(10),
        }
    }
}
