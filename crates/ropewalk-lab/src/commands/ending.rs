//! The ends of measuring commands: interrupted, with figures, or without.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::{Result, bail};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use super::{Exit, Usage};
use crate::{
    filename::text_shown,
    report::output::{Missing, Output},
    session::Ended,
    stdio,
};

/// A flag that the first Ctrl-C sets. The second ends the process at once.
pub(super) fn stop_on_ctrl_c() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// Ends a run. A run that has measured nothing does not replace the file of an earlier run, and is not a
/// success.
pub(super) fn end(output: Output, stopped: bool) -> Result<Exit> {
    if output.has_figures() {
        output.finish()?;
        return Ok(if stopped { Exit::Interrupted } else { Exit::Fine });
    }
    if stopped {
        return Ok(Exit::Interrupted);
    }
    let Some(Missing { wrong, why }) = output.missing() else { bail!("nothing was measured") };
    let error = format!("nothing was measured; {why}");
    if *wrong {
        stdio::say(text_shown(&error));
        return Ok(Exit::Wrong);
    }
    bail!(error)
}

impl From<Usage> for Ended {
    fn from(usage: Usage) -> Self {
        Self::Failed(usage.into())
    }
}
