//! The protocol of the command and its workers: one JSON value a line.

use serde::{Deserialize, Serialize};

use super::{latency::Counts, neighbour::After, usage::Usage, way::Way};
use crate::{
    installed::says::Words,
    tasks::{Cell, Keys, Mix, Mode, TASKS},
};

/// A request of the command. Each has one reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Lists the backends for a task.
    Backends {
        /// [`crate::tasks::Task::full_name`].
        task: String,
        /// Messages in each call.
        count: usize,
    },
    /// Makes a job, and returns its answer.
    Prepare {
        /// The number that the job gets.
        job: usize,
        /// The work.
        cell: CellName,
        /// One of the backends.
        backend: String,
    },
    /// Takes samples of a job.
    Turn {
        /// The number of the job.
        job: usize,
        /// The time.
        seconds: f64,
        /// The way of timing calls.
        way: Way,
    },
    /// Takes samples at the same time as others, without a pause.
    Together {
        /// The work.
        work: Work,
        /// The start, by [`super::sampler::now`]: until then, it warms up.
        start: u64,
        /// The time.
        seconds: f64,
    },
    /// Drops all jobs.
    Forget,
}

/// Work that runs on several cores at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// A job that was made before.
    Job(usize),
    /// [`super::arithmetic::Arithmetic`].
    Arithmetic,
}

/// A reply of a worker. The first comes without a request: [`Reply::Opened`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The library was opened.
    Opened(Opened),
    /// See [`Request::Backends`].
    Backends {
        /// Names, the default of the library first.
        here: Vec<String>,
        /// Names, with the reasons why they cannot run.
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
    /// The library's description of itself, from `ropewalk ask`, which sends nothing else.
    Said(Words),
    /// The jobs were dropped.
    Forgotten,
    /// It cannot be done, with the reason.
    Unavailable(String),
}

/// The facts about an open library.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// The version, as the library reports it.
    pub version: String,
    /// The file that it was loaded from.
    pub path: Option<String>,
    /// Core cycles in a nanosecond, if they can be measured.
    pub ghz: Option<f64>,
    /// [`super::clock::Clock::quiet`].
    pub quiet: Option<f64>,
    /// Why the worker is not pinned to a core.
    pub unpinned: Option<String>,
}

/// The samples of a turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// The samples, in order.
    pub samples: Vec<Sample>,
    /// Messages in all of them.
    pub messages: f64,
    /// The kernel's counts, without the brackets.
    pub usage: Usage,
    /// The number of samples in which another thread shared the core.
    #[serde(default)]
    pub beside: usize,
    /// Its duration in nanoseconds, if much more than its samples.
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
    /// Core cycles in a nanosecond, if the core ran steadily.
    pub ghz: Option<f64>,
}

/// A [`Cell`] that can be serialized.
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
