//! `ropewalk limits`: the costs of instructions on this processor, and the bounds that follow.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Result;
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::json;

use super::{Command, Exit, Usage, World, plan};
use crate::{
    here::Here,
    limits::{Explanation, LATENCY, Rate, UNCERTAINTY},
    measure::{
        clock::{Clock, TELLS_CYCLES},
        pin::{Cores, pin},
    },
    report::{json::Sink, output::width, words},
    tasks::{Cell, Keys, Mode, size},
    warn::{Warning, warn},
};

/// The options of `limits`.
#[derive(Debug, Args)]
struct Options {
    /// Prints how the bound of a task, such as aes-128-gcm/seal, is computed, or of `all`; may be repeated
    #[arg(long, value_name = "TASK")]
    explain: Vec<String>,
    /// Sizes of messages, such as 16,1350,16K,100MiB
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "16384",
        requires = "explain"
    )]
    bytes: Vec<String>,
    /// Messages in each call
    #[arg(long, value_name = "N", default_value_t = 1, requires = "explain")]
    count: usize,
    /// The part that is bounded: a whole message, or an update in the middle of a long one
    #[arg(long, value_enum, default_value = "message", requires = "explain")]
    mode: Mode,
    /// Writes the bounds to a file as JSON lines; `-` is standard output, without the tables
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// `limits`.
pub(super) struct Limits;

impl Command for Limits {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("limits")).about(
            "Times the instructions that ciphers and hashes are made of, and says how fast a task can be by that",
        )
    }

    fn run(&self, given: &ArgMatches, _: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        if options.count == 0 {
            return Err(Usage("--count: a call has one message at least".into()).into());
        }
        let tasks = match options.explain.is_empty() {
            true => Vec::new(),
            false => plan::tasks(&options.explain)?,
        };
        let sizes =
            plan::unique(options.bytes.iter().map(|text| size::parse(text).map_err(Usage)))?;
        let sink = options.json.as_deref().map(Sink::open).transpose()?;
        match Cores::choose().and_then(|cores| pin(cores.workers)) {
            Ok(()) => {}
            Err(e) => warn(&Warning::NotPinned(e.to_string())),
        }
        let here = Here::look(Clock::calibrate(None).quiet(), None);
        let rates = here.rates.each();
        if rates.is_empty() {
            warn(if TELLS_CYCLES { &Warning::Unsteady } else { &Warning::NoCycles });
        }
        let mut told = Vec::new();
        for task in tasks {
            let mut sizes: Vec<_> = sizes.iter().map(|bytes| task.kind.size(*bytes)).collect();
            sizes.dedup();
            for bytes in sizes {
                let (count, mode) = (options.count, options.mode);
                let cell =
                    Cell { task, bytes, count, mode, mix: None, keys: Keys::One, stride: None };
                told.push((cell, here.rates.explain(&cell)));
            }
        }
        match sink {
            Some(sink) => write(sink, &here, &rates, &told)?,
            None => print(&here, &rates, &told)?,
        }
        // There are no figures to show.
        Ok(if rates.is_empty() { Exit::Failed } else { Exit::Fine })
    }
}

type Told = (Cell, Option<Explanation>);

fn write(mut sink: Sink, here: &Here, rates: &[Rate], told: &[Told]) -> Result<()> {
    sink.write(&here.machine)?;
    if told.is_empty() {
        for rate in rates {
            sink.write(
                &json!({"rate": rate.name, "says": rate.says.trim(), "cycles": rate.cycles}),
            )?;
        }
    }
    for (cell, explanation) in told {
        sink.write(&json!({
            "task": cell.task.full_name(), "bytes": cell.bytes, "count": cell.count, "mode": cell.mode,
            "bound": explanation,
        }))?;
    }
    sink.finish()
}

/// The first sentence of the description of a rate.
fn first_sentence(says: &str) -> &str {
    let says = says.trim();
    says.split_once(". ").map_or(says, |(first, _)| first).trim_end_matches('.')
}

fn print(here: &Here, rates: &[Rate], told: &[Told]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", here.processor)?;
    if told.is_empty() && !rates.is_empty() {
        writeln!(
            out,
            "Core cycles from one instruction to the next, and how many there are in a cycle\n"
        )?;
        let width = rates.iter().map(|rate| rate.name.len()).max().unwrap_or(0);
        for Rate { name, says, cycles } in rates {
            match cycles {
                Some(cycles) if name.ends_with(LATENCY) => {
                    writeln!(
                        out,
                        "  {name:width$}  {cycles:6.2}         {}",
                        first_sentence(says)
                    )?;
                }
                Some(cycles) => {
                    writeln!(
                        out,
                        "  {name:width$}  {cycles:6.2}  {:5.2}  {}",
                        cycles.recip(),
                        says.trim().trim_end_matches('.')
                    )?;
                }
                None => writeln!(out, "  {name:width$}       -         {}", first_sentence(says))?,
            }
        }
    }
    for (cell, explanation) in told {
        let name = cell.task.full_name();
        let size = size::format(cell.bytes);
        let Some(Explanation { cycles, terms, without_waiting, assumes }) = explanation else {
            writeln!(out, "\n{name}, {size}: no bound is known here")?;
            continue;
        };
        let each = cycles / cell.mean();
        writeln!(out, "\n{name}, {size}: {cycles:.0} core cycles at least, {each:.3} a byte")?;
        for term in terms {
            let all = term.count * term.each;
            writeln!(
                out,
                "  {all:10.1} = {:10.2} x {:6.3}  {}: {}",
                term.count,
                term.each,
                term.rate,
                first_sentence(term.says)
            )?;
        }
        if let Some(units) = without_waiting {
            let said = format!(
                "If no instruction waited for another, it would be {units:.0} cycles: the rest is the dependency chain."
            );
            write!(out, "{}", words::indented(&said, width()))?;
        }
        for sentence in assumes.split_inclusive(". ") {
            write!(out, "{}", words::indented(sentence.trim(), width()))?;
        }
    }
    if !told.is_empty() {
        let right = format!(
            "Rates are right to some per cent: code that is faster by more than {:.0} % shows that the bound is wrong.",
            UNCERTAINTY * 100.0
        );
        writeln!(out, "\n{}", words::paragraph(&right, width()))?;
    }
    Ok(())
}
