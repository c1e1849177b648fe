//! Times work, without judging it.
//!
//! The rows of a cell take turns, each in a worker process of its own library. A turn is a handful of samples
//! between brackets that relate core cycles to time.

pub mod arithmetic;
pub mod clock;
mod cold;
mod emulator;
pub mod entrant;
pub mod environment;
pub mod field;
pub mod known;
pub mod latency;
pub mod neighbour;
pub mod pin;
pub mod protocol;
pub mod race;
pub mod reference;
pub mod sampler;
pub mod scaling;
pub mod statistics;
pub mod usage;
pub mod way;
pub mod worker;
