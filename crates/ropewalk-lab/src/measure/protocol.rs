//! What the command and its workers say to each other: one JSON value a line.

use serde::{Deserialize, Serialize};

use super::{latency::Counts, neighbour::After, usage::Usage, way::Way};
use crate::{
    installed::says::Words,
    tasks::{Cell, Keys, Mix, Mode, TASKS},
};

/// From the command. Each has one reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// In which ways can you do this?
    Backends {
        /// [`crate::tasks::Task::full_name`].
        task: String,
        /// Messages in each call.
        count: usize,
    },
    /// Make a job ready and say its answer.
    Prepare {
        /// What it will be called.
        job: usize,
        /// What it does.
        cell: CellName,
        /// One of the backends.
        backend: String,
    },
    /// Take samples of a job.
    Turn {
        /// Which.
        job: usize,
        /// For how long.
        seconds: f64,
        /// In which way.
        way: Way,
    },
    /// Take samples at the same time as others do, with nothing between them.
    Together {
        /// Of what.
        work: Work,
        /// When, by [`super::sampler::now`]: until then, warm up.
        start: u64,
        /// For how long.
        seconds: f64,
    },
    /// Let go of all jobs.
    Forget,
}

/// What is done together.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// A job that has been made ready.
    Job(usize),
    /// [`super::arithmetic::Arithmetic`].
    Arithmetic,
}

/// From a worker. The first comes without being asked for: [`Reply::Opened`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The library is there.
    Opened(Opened),
    /// See [`Request::Backends`].
    Backends {
        /// Names, the one that the library chooses by itself first.
        here: Vec<String>,
        /// Names and why they cannot run.
        absent: Vec<(String, String)>,
    },
    /// The job is ready.
    Prepared {
        /// The digest of its answer.
        answer: String,
        /// [`crate::peers::Job::note`].
        note: String,
        /// [`crate::peers::Opened::provider`].
        #[serde(default)]
        provider: Option<String>,
    },
    /// Samples.
    Turn(Turn),
    /// What a library says of itself, from `ropewalk ask`, which says nothing else.
    Said(Words),
    /// Done.
    Forgotten,
    /// It cannot be done, and why.
    Unavailable(String),
}

/// What a worker knows once its library is open.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// The version, in the library's words.
    pub version: String,
    /// Where it was loaded from.
    pub path: Option<String>,
    /// Core cycles in a nanosecond, where that can be told.
    pub ghz: Option<f64>,
    /// [`super::clock::Clock::quiet`].
    pub quiet: Option<f64>,
    /// Why the worker is not kept on one core.
    pub unpinned: Option<String>,
}

/// The samples of a turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// One after the other.
    pub samples: Vec<Sample>,
    /// Messages in all of them.
    pub messages: f64,
    /// What the kernel has counted meanwhile, brackets left out.
    pub usage: Usage,
    /// Of the samples, those in which a neighbour shared the core.
    #[serde(default)]
    pub beside: usize,
    /// Nanoseconds that it took, where that is much more than its samples do.
    #[serde(default)]
    pub took: Option<f64>,
    /// Of [`Way::Latency`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Counts,
    /// Of [`Way::Neighbour`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
}

/// One sample.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// Wall-clock nanoseconds a message.
    pub ns: f64,
    /// Core cycles in a nanosecond, where the core ran steadily.
    pub ghz: Option<f64>,
}

/// A [`Cell`] that can be sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct CellName {
    task: String,
    bytes: usize,
    count: usize,
    mode: Mode,
    mix: Option<String>,
    keys: Keys,
    #[serde(default)]
    stride: Option<usize>,
}

impl From<&Cell> for CellName {
    fn from(cell: &Cell) -> Self {
        let Cell { task, bytes, count, mode, mix, keys, stride } = *cell;
        let mix = mix.map(|mix| mix.name.into());
        Self { task: task.full_name(), bytes, count, mode, mix, keys, stride }
    }
}

impl CellName {
    /// The cell, if its task and its mix exist.
    pub fn cell(&self) -> Option<Cell> {
        let task = TASKS.iter().find(|task| task.full_name() == self.task)?;
        let mix = match &self.mix {
            Some(name) => Some(Mix::named(name)?),
            None => None,
        };
        let Self { bytes, count, mode, keys, stride, .. } = *self;
        Some(Cell { task, bytes, count, mode, mix, keys, stride })
    }
}
