//! `ropewalk speed`: how fast this machine is, with what.

use std::{
    collections::HashSet,
    ffi::OsStr,
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use anyhow::{Result, anyhow, bail};
use clap::{ArgMatches, Args, FromArgMatches, parser::ValueSource};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use super::{
    Command, Exit, Usage, World, compare,
    kept::{self, Keep},
    plan::{self, Plan},
};
use crate::{
    filename::text_shown,
    found,
    here::Here,
    measure::{
        clock,
        entrant::{Entrant, Failed, Quiet, Start},
        field::{self, Row, Wanted},
        pin::{Cores, pin},
        reference::{OURS, is_ours},
        way::Way,
    },
    offload::datasheet::Rate,
    report::{
        library::SERIAL,
        output::{Missing, Output},
        screen::HEADLINE,
        short,
        table::Line,
    },
    stdio,
    tasks::{Cell, Mix, TASKS, Task, size},
    warn::Warning,
};

mod course;
mod kept_run;
pub(super) mod laps;
pub(super) mod openssl;
mod shown;
mod ways;
use course::Course;
use shown::Shown;
use ways::Ways;

/// `speed`.
pub(super) struct Speed;

// Those that `scale` has too have the name that they have there.
#[derive(Debug, Args)]
#[group(id = "speed")]
struct Options {
    #[command(flatten)]
    of_both: plan::Options,
    #[command(flatten)]
    ways: Ways,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    shown: Shown,
    /// What a datasheet promises, beside what is measured: cycles for so many bytes at a clock, such as 66c/64B@266MHz or
    /// 4.2c/B@1.5GHz, or a speed, such as 800MB/s
    #[arg(long, value_name = "RATE", conflicts_with_all = ["latency", "neighbour"])]
    expect: Option<String>,
    /// Switches each processor feature off in turn, for ropewalk and for OpenSSL and its kin, and says how many times as fast
    /// they are with it
    #[arg(long, conflicts_with_all = ["mask", "backend", "save", "expect", "latency", "neighbour"])]
    on_off: bool,
}

impl Command for Speed {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("speed")).about(
            "Measures how fast this machine encrypts and hashes, with ropewalk and with other libraries",
        )
        .after_help(openssl::HELP)
    }

    fn run(&self, given: &ArgMatches, world: &World) -> Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        if let Some(run) = &options.shown.from {
            return show(&options, run, world);
        }
        let mut plan = Plan::new(&options.of_both, world)?;
        if options.on_off {
            plan.switch_each(&options.of_both);
        }
        let expect = options.expect.as_deref().map(Rate::parse).transpose();
        let expect = expect.map_err(|why| Usage(format!("--expect: {why}")))?;
        let way = options.ways.way(plan.mode)?;
        let keep = options.keep.place()?;
        let headline = plan.headline && way == Way::Warm && expect.is_none();
        if headline && !options.shown.wide && is_default(given, "bytes") && plan.mixes.is_empty() {
            plan.sizes = HEADLINE.into();
        }
        let json = options.of_both.json.as_deref();
        let files = options.shown.files(json, keep.as_deref())?;
        let mut output = Output::open_all(files)?;
        let stop = stop_on_ctrl_c()?;
        let course = Course {
            plan: &plan,
            way,
            expect: expect.as_ref(),
            spread: keep.is_some(),
            on_off: options.on_off,
            every_backend: output.has_files() && !headline,
            view: options.shown.view(headline, world.quiet),
            again: &world.again,
        };
        match course.run(world, &mut output, &stop) {
            Ok(()) | Err(Ended::Interrupted) => {}
            Err(Ended::Failed(error)) => return Err(error),
        }
        let measured = output.has_figures();
        let exit = end(output, stop.load(Relaxed))?;
        keep.iter().filter(|_| measured).for_each(|path| kept::say(path));
        Ok(exit)
    }
}

/// Shows a kept run.
fn show(options: &Options, name: &OsStr, world: &World) -> Result<Exit> {
    let path = compare::place(name)?;
    let run = compare::read(&path)?;
    let headline = options.of_both.tasks.is_empty();
    let tasks = match headline && options.shown.wide {
        true => TASKS.iter().collect(),
        false => plan::tasks(&options.of_both.tasks)?,
    };
    let mut sheets = kept_run::sheets(&run, &tasks, &path)?;
    if headline && !options.shown.wide {
        kept_run::keep_headline(&mut sheets);
    }
    let mut output = Output::open_all(options.shown.files(None, None)?)?;
    for sheet in sheets {
        let mut records = sheet.lines.iter().flat_map(|line| &line.records);
        records.try_for_each(|record| output.row(record))?;
        output.sheet(sheet);
    }
    let words = kept_run::words(&run, &world.again);
    output.show(&options.shown.view(headline, world.quiet), &words)?;
    output.finish()?;
    Ok(Exit::Fine)
}

fn is_default(given: &ArgMatches, option: &str) -> bool {
    given.value_source(option) == Some(ValueSource::DefaultValue)
}

/// Ends a run. One that has measured nothing leaves the file of an earlier run, and is no success.
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

/// One table to be.
pub(super) struct Board {
    pub(super) task: &'static Task,
    pub(super) count: usize,
    /// What its messages are, and in words.
    pub(super) cells: Vec<(Cell, String)>,
    pub(super) rows: Vec<Row>,
}

impl Board {
    /// Of ropewalk, what it chooses by itself, or what the user has named.
    pub(super) fn keep_chosen(&mut self, plan: &Plan, entrants: &[Entrant]) {
        self.keep(plan, entrants, |_| false);
    }

    /// The same, and a loop over messages, which lanes are compared with.
    pub(super) fn keep_chosen_and_serial(&mut self, plan: &Plan, entrants: &[Entrant]) {
        self.keep(plan, entrants, |row| row.backend == SERIAL);
    }

    fn keep(&mut self, plan: &Plan, entrants: &[Entrant], too: impl Fn(&Row) -> bool) {
        let mut seen = HashSet::new();
        self.rows.retain(|row| {
            let ours = entrants[row.entrant].peer == OURS && plan.backend.is_none();
            !ours || seen.insert(row.entrant) || too(row)
        });
    }
}

/// Why not everything was measured.
pub(super) enum Ended {
    Interrupted,
    Failed(anyhow::Error),
}

/// Starts all libraries, each on the core of the workers, and says what makes figures less sure.
pub(super) fn enter(
    plan: &Plan,
    world: &World,
    stop: &AtomicBool,
) -> Result<(Vec<Entrant>, Quiet, Vec<Warning>), Ended> {
    let mut warnings = Vec::new();
    let mut say = |warning: Warning| warnings.push(warning);
    if cfg!(debug_assertions) {
        say(Warning::DebugBuild);
    }
    let cores = Cores::choose().and_then(|cores| pin(cores.command).map(|()| cores));
    if let Err(e) = &cores {
        say(Warning::NotPinned(e.to_string()));
    }
    let start = Start {
        core: cores.ok().map(|cores| cores.workers),
        patience: plan.patience,
        quiet: Quiet::default(),
    };
    let entrants = start_all(plan, world, &start, stop)?;
    let opened = || entrants.iter().filter_map(|entrant| entrant.opened.as_ref().ok());
    if let Some(why) = opened().find_map(|opened| opened.unpinned.clone()) {
        say(Warning::NotPinned(why));
    }
    if !clock::TELLS_CYCLES {
        say(Warning::NoCycles);
    } else if opened().all(|opened| opened.ghz.is_none()) {
        say(Warning::Unsteady);
    }
    Ok((entrants, start.quiet, warnings))
}

/// Starts all libraries on any core, for what they can do and not for how fast.
pub(super) fn enter_unpinned(
    plan: &Plan,
    world: &World,
    stop: &AtomicBool,
) -> Result<Vec<Entrant>, Ended> {
    let start = Start { patience: plan.patience, ..Start::default() };
    start_all(plan, world, &start, stop)
}

fn start_all(
    plan: &Plan,
    world: &World,
    start: &Start,
    stop: &AtomicBool,
) -> Result<Vec<Entrant>, Ended> {
    let wanted = Wanted {
        all: world.peers,
        peers: &plan.peers,
        parts: &plan.parts,
        found: &found::look(),
        libraries: &plan.libraries,
        masks: &plan.masks,
        ours: &world.mask,
    };
    Ok(field::enter(&wanted, start, stop)?)
}

pub(super) fn boards(
    plan: &Plan,
    entrants: &mut [Entrant],
    stop: &AtomicBool,
) -> Result<Vec<Board>, Ended> {
    let mut boards = Vec::new();
    for task in &plan.tasks {
        for count in &plan.counts {
            let rows = field::rows(entrants, task, *count, plan.backend.as_deref(), stop)?;
            boards.push(Board { task, count: *count, cells: cells(plan, task, *count), rows });
        }
    }
    Ok(boards)
}

/// Each mix, or each size once, where the task has not all of them.
fn cells(plan: &Plan, task: &'static Task, count: usize) -> Vec<(Cell, String)> {
    let (keys, stride) = (plan.keys, plan.stride);
    let of_mix = |mix: &&'static Mix| {
        (Cell { keys, stride, ..Cell::of_mix(task, mix, count) }, mix.name.to_owned())
    };
    if !plan.mixes.is_empty() {
        return plan.mixes.iter().map(of_mix).collect();
    }
    let mut sizes: Vec<usize> = plan.sizes.iter().map(|bytes| task.kind.size(*bytes)).collect();
    let mut said = HashSet::new();
    sizes.retain(|bytes| said.insert(*bytes));
    let of = |bytes| Cell { task, bytes, count, mode: plan.mode, mix: None, keys, stride };
    sizes.into_iter().map(|bytes| (of(bytes), size::format(bytes))).collect()
}

/// The processor, its cores, and what simulates it.
pub(super) fn machine(here: &Here) -> String {
    let mut parts = vec![short::brand(&here.processor)];
    if let Some(cores) = here.cores {
        parts.push(format!("{cores} {}", if cores == 1 { "processor" } else { "processors" }));
    }
    parts.extend(here.hypervisor.clone());
    text_shown(&parts.join(", ")).into_owned()
}

/// The libraries that take part, a line each, and variables that they were not given.
pub(super) fn libraries(entrants: &[Entrant]) -> String {
    let mut lines = Vec::new();
    for entrant in entrants {
        let Ok(library) = &entrant.opened else { continue };
        let mut line = format!("  {}", library.version);
        for more in library.path.iter().chain([&entrant.library.by]) {
            if !more.is_empty() {
                line += &format!(", {more}");
            }
        }
        // Each mask opens its libraries again.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    text_shown(&lines.join("\n")).into_owned() + "\n"
}

/// The variables that libraries were not given, in a line; nothing where none is set.
pub(super) fn not_given(here: &Here) -> String {
    let names: Vec<&str> = here.not_given.iter().map(|it| it.name.as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => {
            let names = names.join(", ");
            text_shown(&format!("set here, and not given to any library: {names}\n")).into_owned()
        }
    }
}

/// The processor, and the libraries on it.
pub(super) fn head(here: &Here, entrants: &[Entrant]) -> String {
    let ghz = entrants.iter().filter_map(|entrant| entrant.opened.as_ref().ok()?.ghz).next();
    let ghz = ghz.map(|ghz| format!(", at {ghz:.2} GHz")).unwrap_or_default();
    format!("{}{ghz}\n{}{}", machine(here), libraries(entrants), not_given(here))
}

pub(super) fn line(entrant: &Entrant, row: &Row, rivals: &str) -> Line {
    let ours = entrant.peer == OURS;
    let name = match (ours, row.backend.as_str()) {
        (_, "") => peer(entrant),
        (true, backend) => backend.to_owned(),
        (false, backend) => format!("{} {backend}", peer(entrant)),
    };
    let version = match &entrant.opened {
        _ if ours => String::new(),
        Ok(opened) => short::version(&opened.version),
        Err(_) => entrant.library.name.clone(),
    };
    Line {
        name,
        version,
        mask: entrant.mask.clone(),
        rival: !is_ours(entrant.peer) && entrant.mask == rivals,
        chosen: row.chosen && ours,
        records: Vec::new(),
    }
}

/// The kind of a library, and the part of it that serves, by the name of its file.
fn peer(entrant: &Entrant) -> String {
    match entrant.library.by.split_once('=') {
        Some((kind, name)) => {
            let file = Path::new(name).file_name().unwrap_or(name.as_ref());
            format!("{}:{kind}={}", entrant.peer, file.to_string_lossy())
        }
        None => entrant.peer.into(),
    }
}

/// A bar for so many steps; none where it would be in the way.
pub(super) fn progress(cells: usize, quiet: bool) -> ProgressBar {
    if quiet || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} to go");
    let bar = ProgressBar::new(cells as u64)
        .with_style(style.expect("a sound template"))
        .with_finish(ProgressFinish::AndClear);
    tick(&bar);
    bar
}

/// Draws a bar again from time to time. Where the system allows no thread for that, each row still does it.
fn tick(bar: &ProgressBar) {
    const PAUSE: Duration = Duration::from_millis(200);
    if bar.is_hidden() {
        return;
    }
    let bar = bar.downgrade();
    let draw = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(PAUSE);
        }
    };
    let _: io::Result<_> = thread::Builder::new().name("tick".into()).spawn(draw);
}

/// A flag that the first Ctrl-C raises. The second ends the process at once.
pub(super) fn stop_on_ctrl_c() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, stop.clone())?;
        flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

impl From<Failed> for Ended {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Because(why) | Failed::CannotStart(why) => Self::Failed(anyhow!(why)),
            Failed::Interrupted => Self::Interrupted,
        }
    }
}

impl From<anyhow::Error> for Ended {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}
