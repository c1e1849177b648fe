//! `ropewalk worker`: one library in a separate process, only for `speed`.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Write},
};

use clap::{ArgMatches, Args, FromArgMatches};
use rustix::{
    io::fcntl_dupfd_cloexec,
    process::{Signal, set_parent_process_death_signal},
    stdio::{dup2_stdin, dup2_stdout},
};

use super::{Command, Exit, Usage, World};
use crate::{
    measure::{
        arithmetic::Arithmetic,
        clock::Clock,
        pin,
        protocol::{Opened, Reply, Request, Work},
        reference,
        sampler::Sampler,
    },
    names,
    peers::{self, Unavailable},
    tasks::TASKS,
};

/// `worker`.
pub(super) struct Worker;

#[derive(Args)]
struct Options {
    /// The kind of library
    #[arg(long)]
    peer: String,
    /// Which one
    #[arg(long, default_value = "")]
    library: String,
    /// The part of it that serves alone
    #[arg(long)]
    by: Option<String>,
    /// The core to stay on
    #[arg(long)]
    core: Option<usize>,
    /// What earlier workers have seen of a quiet core
    #[arg(long)]
    quiet_core: Option<f64>,
}

impl Command for Worker {
    fn words(&self) -> clap::Command {
        let command = clap::Command::new("worker").about("Measures one library for `speed`");
        Options::augment_args(command).hide(true)
    }

    fn run(&self, given: &ArgMatches, world: &World) -> anyhow::Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let known = || world.peers.iter().map(|peer| peer.name());
        let peer = world.peers.iter().find(|peer| peer.name() == options.peer);
        let peer = peer.ok_or_else(|| Usage(names::unknown("peer", &options.peer, known())))?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let mut line = Line::take()?;
        let unpinned = options.core.and_then(|core| pin::pin(core).err());
        let opened = match &options.by {
            Some(by) => peer.open_by(&options.library, by),
            None => peer.open(&options.library),
        };
        let library = match opened {
            Ok(library) => library,
            Err(Unavailable(why)) => {
                line.say(&Reply::Unavailable(why))?;
                return Ok(Exit::Fine);
            }
        };
        let clock = Clock::calibrate(options.quiet_core);
        line.say(&Reply::Opened(Opened {
            version: library.version(),
            path: library.path(),
            ghz: clock.ghz(),
            quiet: clock.quiet(),
            unpinned: unpinned.map(|e| e.to_string()),
        }))?;
        let arithmetic = Sampler::new(Box::new(Arithmetic::default()), 1);
        let mut served = Served { library, clock, jobs: HashMap::new(), arithmetic };
        while let Some(request) = line.hear()? {
            line.say(
                &served.serve(request).unwrap_or_else(|Unavailable(why)| Reply::Unavailable(why)),
            )?;
        }
        Ok(Exit::Fine)
    }
}

/// The connection to the command.
pub(super) struct Line {
    input: BufReader<File>,
    output: File,
}

impl Line {
    /// Takes standard input and output away from the library, which may write anything there.
    pub(super) fn take() -> io::Result<Self> {
        // File descriptors after the three standard ones.
        let input = fcntl_dupfd_cloexec(io::stdin(), 3)?;
        let output = fcntl_dupfd_cloexec(io::stdout(), 3)?;
        dup2_stdin(File::open("/dev/null")?)?;
        dup2_stdout(io::stderr())?;
        Ok(Self { input: BufReader::new(input.into()), output: output.into() })
    }

    fn hear(&mut self) -> anyhow::Result<Option<Request>> {
        let mut line = String::new();
        match self.input.read_line(&mut line)? {
            0 => Ok(None),
            _ => Ok(Some(serde_json::from_str(&line)?)),
        }
    }

    pub(super) fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let mut line = serde_json::to_string(reply)?;
        line.push('\n');
        self.output.write_all(line.as_bytes())
    }
}

struct Served {
    library: Box<dyn peers::Opened>,
    clock: Clock,
    jobs: HashMap<usize, Sampler>,
    arithmetic: Sampler,
}

impl Served {
    fn serve(&mut self, request: Request) -> Result<Reply, Unavailable> {
        match request {
            Request::Backends { task, count } => {
                let task =
                    TASKS.iter().find(|known| known.full_name() == task).ok_or_else(no_task)?;
                let here = self.library.backends(task, count);
                let absent = self.library.absent(task, count);
                let absent = absent.into_iter().map(|(name, Unavailable(why))| (name, why));
                Ok(Reply::Backends { here, absent: absent.collect() })
            }
            Request::Prepare { job, cell, backend } => {
                let cell = cell.cell().ok_or_else(no_task)?;
                let mut ready = self.library.prepare(&cell, &backend)?;
                let answer = reference::digest(&ready.answer());
                let note = ready.note().into();
                self.jobs.insert(job, Sampler::new(ready, cell.count));
                let provider = self.library.provider(cell.task);
                Ok(Reply::Prepared { answer, note, provider })
            }
            Request::Turn { job, seconds, way } => {
                let job = self.jobs.get_mut(&job).ok_or_else(no_job)?;
                Ok(Reply::Turn(way.turn(job, &self.clock, seconds)?))
            }
            Request::Together { work, start, seconds } => {
                let sampler = match work {
                    Work::Arithmetic => Some(&mut self.arithmetic),
                    Work::Job(job) => self.jobs.get_mut(&job),
                };
                let sampler = sampler.ok_or_else(no_job)?;
                Ok(Reply::Turn(sampler.together(&self.clock, start, seconds)))
            }
            Request::Forget => {
                self.jobs.clear();
                Ok(Reply::Forgotten)
            }
        }
    }
}

fn no_job() -> Unavailable {
    Unavailable("the worker has no such job".into())
}

fn no_task() -> Unavailable {
    Unavailable("the worker knows no such task".into())
}
