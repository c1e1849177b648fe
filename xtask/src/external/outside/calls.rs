//! The cost of the calls of a row of `openssl speed` without the cipher, by a program in C with a cipher of
//! its own that does nothing.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Result, bail};
use serde_json::json;

use super::{
    Run,
    openssls::{Cores, SIDES, Side},
};
use crate::process;

const BYTES: [usize; 2] = [16, 16384];

/// Nanoseconds of a message, of a chunk of an endless one, and of a message by a cipher that does nothing.
type Costs = [f64; 3];

/// Each length, printed and kept as JSON.
pub(super) fn each(run: &mut Run<'_>) -> Result<()> {
    let Run { root, module, openssl, effort, wanted, ref mut kept } = *run;
    let name = "calls of aes-128-gcm";
    if !wanted(name) {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let program = openssl.compile(root, "calls", &["-lcrypto"], folder.path())?;
    for bytes in BYTES {
        let mut best = BTreeMap::<Side, Costs>::new();
        for _ in 0..effort.rounds {
            for side in SIDES {
                let mut command = openssl.command(module, side, Cores::Second, &program);
                command.args([bytes.to_string(), effort.seconds.to_string()]);
                let costs = costs(&process::output(&mut command, Duration::from_secs(60))?)?;
                let best = best.entry(side).or_insert(costs);
                for (best, cost) in best.iter_mut().zip(costs) {
                    *best = best.min(cost);
                }
            }
        }
        let [default, ropewalk] = SIDES.map(|side| best[&side]);
        println!(
            "{name:30}  {bytes}: a message {:.2} ({:.0} ns), a piece {:.2} ({:.0} ns), libcrypto itself {:.0} ns",
            default[0] / ropewalk[0],
            ropewalk[0],
            default[1] / ropewalk[1],
            ropewalk[1],
            default[2].min(ropewalk[2]),
        );
        kept.add(&json!({
            "openssl": openssl.version, "row": name, "bytes": bytes,
            "unit": "ns of a message, of a piece, of a message where the cipher does nothing",
            "default": default, "ropewalk": ropewalk,
        }))?;
    }
    Ok(())
}

fn costs(said: &str) -> Result<Costs> {
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let Ok(costs) = numbers.try_into() else { bail!("calls says {said}") };
    Ok(costs)
}
