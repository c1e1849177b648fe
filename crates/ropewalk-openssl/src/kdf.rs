use crate::{abi::Algorithm, stats::Counter};
pub(crate) static ALGORITHMS: &[Algorithm] = &[Algorithm::END];
pub(crate) static COUNTERS: &[&Counter] = &[];
