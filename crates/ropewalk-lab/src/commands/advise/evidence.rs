//! The rows of an answer: of kept runs, or measured now.

use std::{
    ffi::OsStr,
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, SystemTime},
};

use anyhow::Result;
use serde_json::Value;

use super::super::{World, ending::stop_on_ctrl_c, kept};
use crate::{
    advise::{Facts, candidates::Part, rank::Advice},
    filename::{self, text_shown},
    inspect,
    machine::Machine,
    measure::reference::is_ours,
    record::{Record, Warnings},
    report::{json::Sink, short},
    runs::{self, Run},
    session::{Ended, Plan, Wanted, measure},
    tasks::TASKS,
};

/// The rows of a machine, and its name.
pub(super) struct Evidence {
    run: Run,
    mask: String,
    today: String,
    machine: String,
}

/// Kept runs count for a day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The most bytes of a message that is measured. Longer ones take as long a byte.
const LONGEST: usize = 16 << 20;

impl Evidence {
    /// The rows of a kept run, of any machine.
    pub(super) fn kept(run: &OsStr) -> Result<Self> {
        let path = kept::place(run)?;
        let run = kept::read(&path)?;
        Ok(Self::of(run, String::new(), Some(&path)))
    }

    /// The rows of this machine: those of runs of the last day, unless `fresh`, and the rest measured now, and
    /// kept as `advise-NAME`.
    pub(super) fn here(
        parts: &[Part],
        name: &str,
        seconds: Option<f64>,
        fresh: bool,
        world: &World,
    ) -> Result<Self, Ended> {
        let machine = serde_json::to_value(Machine::read()).unwrap_or_default();
        let mut run = Run { machine: Some(machine), ..Run::default() };
        let mut wanted = cells(parts);
        if !fresh && world.mask.is_empty() {
            for kept in young_runs(run.machine.as_ref()) {
                wanted.retain(|cell| !take(&kept, cell, &mut run.records));
            }
        }
        if !wanted.is_empty() {
            let measured = measured(&wanted, seconds, world)?;
            keep(&measured, name, world);
            run.records.extend(measured.records);
        }
        Ok(Self::of(run, world.mask.clone(), None))
    }

    fn of(run: Run, mask: String, path: Option<&Path>) -> Self {
        let machine = run.machine.as_ref().map(|machine| name(machine, path.is_some()));
        let file = || path.map(filename::shown).unwrap_or_default();
        let machine = machine.filter(|name| !name.is_empty()).unwrap_or_else(file);
        let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        Self { run, mask, today: today.chars().take(DATE).collect(), machine }
    }

    /// Adds rows of several messages a call, of the algorithm that comes nearest.
    pub(super) fn add_many(
        &mut self,
        advice: &Advice,
        seconds: Option<f64>,
        world: &World,
    ) -> Result<(), Ended> {
        let Some(nearest) = &advice.nearest else { return Ok(()) };
        let mut wanted = cells(&[nearest.offer.figures[0].part.clone()]);
        // A library with batches of eight accepts no other number.
        wanted.iter_mut().for_each(|it| it.count = if it.task.kind.of_keys() { 8 } else { 16 });
        self.run.records.extend(measured(&wanted, seconds, world)?.records);
        Ok(())
    }

    /// The files among the libraries of an answer whose AES is by tables, since they have no instructions.
    pub(super) fn tables(&self, advice: &Advice) -> Vec<String> {
        let of_aes = advice.first().filter(|it| it.offer.task().starts_with("aes-"));
        let library = of_aes.map(|it| &it.offer.library).filter(|it| !is_ours(&it.peer));
        let file = library.and_then(|library| library.path.clone());
        file.into_iter().filter(|file| is_by_tables(file)).collect()
    }

    /// What is judged.
    pub(super) fn facts<'a>(&'a self, tables: &'a [String]) -> Facts<'a> {
        let cores = self.run.machine.as_ref().and_then(|it| it.pointer("/cores/online"));
        Facts {
            records: &self.run.records,
            mask: &self.mask,
            cores: cores.and_then(Value::as_u64),
            today: &self.today,
            tables,
        }
    }

    /// The machine of the rows.
    pub(super) fn machine(&self) -> &str {
        &self.machine
    }

    /// When they were measured.
    pub(super) fn date(&self) -> Option<&str> {
        self.run.machine.as_ref()?["date"].as_str()
    }
}

/// Characters of `2026-11-30`.
const DATE: usize = 10;

/// The processor, its cores and the hypervisor of a machine; with its date, if it is of another day.
fn name(machine: &Value, dated: bool) -> String {
    let of = |pointer: &str| {
        machine.pointer(pointer).and_then(Value::as_str).filter(|text| *text != "none")
    };
    let cores = machine.pointer("/cores/online").and_then(Value::as_u64);
    let cores = cores.map(|cores| match cores {
        1 => "1 processor".into(),
        _ => format!("{cores} processors"),
    });
    let day = of("/date").filter(|_| dated).map(|date| date.chars().take(DATE).collect());
    let parts = [
        of("/processor/brand").map(short::brand),
        cores,
        of("/hypervisor").map(str::to_owned),
        day,
    ];
    text_shown(&parts.into_iter().flatten().collect::<Vec<String>>().join(", ")).into_owned()
}

/// The cells of parts that the lab measures.
fn cells(parts: &[Part]) -> Vec<Wanted> {
    let mut cells: Vec<Wanted> = Vec::new();
    for part in parts {
        let task = TASKS.iter().find(|task| task.name == part.task && task.op == part.op);
        let Some(task) = task else { continue };
        let bytes = usize::try_from(part.bytes).unwrap_or(LONGEST).clamp(1, LONGEST);
        let cell = Wanted { task, bytes: task.kind.size(bytes), count: 1 };
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    cells
}

/// The runs of the last day that this machine has kept.
fn young_runs(machine: Option<&Value>) -> Vec<Run> {
    let young = |path: &Path| {
        let changed = std::fs::metadata(path).and_then(|it| it.modified()).ok();
        changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age < DAY)
    };
    let all = runs::kept::all().unwrap_or_default().into_iter();
    let all = all.filter(|(_, path)| young(path));
    let all = all.filter_map(|(_, path)| Run::read(&path).ok());
    all.filter(|run| is_young(run) && is_optimised(run) && is_of(run, machine)).collect()
}

/// Whether its own date is of the last day too.
fn is_young(run: &Run) -> bool {
    let date = run.machine.as_ref().and_then(|machine| machine["date"].as_str());
    let date = date.and_then(|date| humantime::parse_rfc3339(date).ok());
    date.and_then(|date| date.elapsed().ok()).is_some_and(|age| age < DAY)
}

/// Whether it is of a build like this one.
fn is_optimised(run: &Run) -> bool {
    const DEBUG: u64 = 1;
    let numbers = run.warnings.as_array().into_iter().flatten();
    let debug = numbers.filter_map(|it| it["number"].as_u64()).any(|number| number == DEBUG);
    debug == cfg!(debug_assertions)
}

/// Whether it is of this machine, with this version.
fn is_of(run: &Run, machine: Option<&Value>) -> bool {
    let same = |field: &str| {
        let of = |it: Option<&Value>| it.map(|machine| machine[field].clone());
        of(run.machine.as_ref()) == of(machine)
    };
    ["processor", "cores", "ropewalk", "target"].into_iter().all(same)
}

/// Takes the rows of a cell from a run that has them, of other libraries too.
fn take(run: &Run, cell: &Wanted, records: &mut Vec<Record>) -> bool {
    let is_at = |record: &&Record| {
        record.task == cell.task.name
            && record.op == cell.task.op
            && record.bytes == cell.bytes
            && record.count == cell.count
    };
    let rows: Vec<Record> = run.records.iter().filter(is_at).cloned().collect();
    let has_others = rows.iter().any(|row| !is_ours(&row.peer));
    let whole = has_others && rows.iter().any(|row| row.ns.is_some());
    if whole {
        records.extend(rows);
    }
    whole
}

fn measured(wanted: &[Wanted], seconds: Option<f64>, world: &World) -> Result<Run, Ended> {
    let stop = stop_on_ctrl_c().map_err(anyhow::Error::from)?;
    let plan = Plan { seconds, ..Plan::of_all(world.peers, &world.mask) };
    let run = measure(&plan, wanted, &stop, world.quiet)?;
    match is_set(&stop) {
        true => Err(Ended::Interrupted),
        false => Ok(run),
    }
}

fn is_set(stop: &AtomicBool) -> bool {
    stop.load(Relaxed)
}

/// Keeps a run, so that the next answer of the day need not measure it again. The answer does not depend on
/// it: a folder that cannot be written is no error.
fn keep(run: &Run, name: &str, world: &World) {
    if !world.mask.is_empty() {
        return;
    }
    let name = format!("advise-{name}");
    let written = || -> Result<()> {
        std::fs::create_dir_all(runs::kept::folder()?)?;
        let path = runs::kept::path(&name)?;
        let mut sink = Sink::open(&path)?;
        run.machine.iter().try_for_each(|machine| sink.write(machine))?;
        run.records.iter().try_for_each(|record| sink.write(record))?;
        sink.write(&Warnings::again(&run.warnings))?;
        sink.finish()?;
        if !world.quiet {
            kept::say(&path);
        }
        Ok(())
    };
    _ = written();
}

/// Whether a file has AES, no instructions for it, and the tables of the textbooks.
fn is_by_tables(file: &str) -> bool {
    let Ok(found) = inspect::inspect(Path::new(&filename::parse(file))) else { return false };
    let aes = found.algorithms.iter().find(|algorithm| algorithm.name == "AES");
    let without = aes.is_some_and(|aes| aes.verdict == inspect::Verdict::NotAtAll);
    without && found.tables.contains(&"AES encryption tables")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        advise::{candidates::to_measure, needs::Needs},
        tasks::size,
    };

    #[test]
    fn cells_are_those_that_the_lab_measures() {
        let mut needs = Needs::default();
        for (name, text) in [("protect", "signature"), ("message", "100MiB")] {
            needs.set(name, text).unwrap();
        }
        let cells = cells(&to_measure(&needs));
        let names: Vec<String> = cells
            .iter()
            .map(|cell| format!("{} {}", cell.task.full_name(), size::format(cell.bytes)))
            .collect();
        for name in ["p256/sign 64 B", "sha256/digest 16 MiB", "ed25519/sign 64 B"] {
            assert!(names.iter().any(|known| known == name), "{names:?}");
        }
        assert!(!names.iter().any(|name| name.starts_with("rsa-3072 ")), "{names:?}");
    }

    #[test]
    fn a_machine_has_a_name() {
        let machine = serde_json::json!({
            "date": "2026-11-27T17:33:24Z", "processor": {"brand": "Intel(R) Xeon(R) Processor"},
            "cores": {"online": 2}, "hypervisor": "none"
        });
        assert_eq!(name(&machine, true), "Intel Xeon, 2 processors, 2026-11-27");
        assert_eq!(name(&machine, false), "Intel Xeon, 2 processors");
    }
}
