//! A library in a separate process, under one mask. If the process ends, the next request starts another.

use std::{
    cell::Cell,
    env,
    ffi::OsString,
    fmt, io,
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
    sync::atomic::AtomicBool,
    time::Duration,
};

use rustix::io::Errno;

use super::{
    emulator, environment,
    protocol::{Opened, Reply, Request},
    reference::is_ours,
    worker::{Lost, Worker},
};

/// A participant, and the connection to it.
pub struct Entrant {
    /// The kind of library: the name of its peer.
    pub peer: &'static str,
    /// The library to open.
    pub library: Library,
    /// The disabled features, or nothing.
    pub mask: String,
    /// The known facts about the library, or why it does not take part.
    pub opened: Result<Opened, String>,
    environment: Vec<(String, String)>,
    start: Start,
    worker: Option<Worker>,
    generation: u32,
    deaths: u32,
}

/// The location of a worker's library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    /// A name, a path, or nothing for a library that is built in.
    pub name: String,
    /// The dynamic loader that starts the worker with its own C library, if the library requires a newer one
    /// than this machine has.
    pub loader: Option<PathBuf>,
    /// The selected part of it, as `provider=NAME`; nothing for its default.
    pub by: String,
}

impl Library {
    /// A library that needs no loader.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The same, with a selected part.
    pub fn by(self, part: &str) -> Self {
        Self { by: part.into(), ..self }
    }
}

/// How workers are started, and how long to wait.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The core they run on.
    pub core: Option<usize>,
    /// The longest time without a reply.
    pub patience: Duration,
    /// The quiet state of the core that any worker has measured.
    pub quiet: Quiet,
}

/// The least [`super::clock::Clock::quiet`] that the workers of a run have measured.
#[derive(Clone, Debug, Default)]
pub struct Quiet(Rc<Cell<Option<f64>>>);

impl Quiet {
    /// The value so far.
    pub fn get(&self) -> Option<f64> {
        self.0.get()
    }

    fn learn(&self, seen: Option<f64>) {
        let least = self.0.get().into_iter().chain(seen).reduce(f64::min);
        self.0.set(least);
    }
}

/// The error of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// There is no figure, with the reason.
    Because(String),
    /// The system starts no more processes or threads, with the reason.
    CannotStart(String),
    /// The user has interrupted.
    Interrupted,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Because(why) | Self::CannotStart(why) => why,
            Self::Interrupted => "interrupted",
        })
    }
}

/// After that many lost workers a library is not used any more.
const DEATHS: u32 = 8;

/// A worker that hangs costs the user's time: two of them are enough.
const HANGING: u32 = DEATHS / 2;

impl Entrant {
    /// Starts a worker and lets it open its library.
    ///
    /// # Errors
    /// If the user has interrupted, or the system starts no process. All other errors are in `opened`.
    pub fn enter(
        peer: &'static str,
        library: &Library,
        mask: &str,
        environment: Vec<(String, String)>,
        start: &Start,
        stop: &AtomicBool,
    ) -> Result<Self, Failed> {
        let mut entrant = Self::absent(peer, library, mask, String::new());
        entrant.environment = environment;
        entrant.start = start.clone();
        entrant.opened = match entrant.work(stop) {
            Ok(opened) => Ok(opened),
            Err(Failed::Because(why)) => Err(why),
            Err(failed) => return Err(failed),
        };
        Ok(entrant)
    }

    /// A participant that does not take part, with the reason.
    pub fn absent(peer: &'static str, library: &Library, mask: &str, why: String) -> Self {
        Self {
            peer,
            library: library.clone(),
            mask: mask.into(),
            opened: Err(why),
            environment: Vec::new(),
            start: Start::default(),
            worker: None,
            generation: 0,
            deaths: 0,
        }
    }

    /// The same on another core, where the first request starts its worker.
    pub fn on(&self, core: usize) -> Self {
        let mut twin = Self::absent(self.peer, &self.library, &self.mask, String::new());
        twin.opened = self.opened.clone();
        twin.environment = self.environment.clone();
        twin.start = Start { core: Some(core), ..self.start.clone() };
        twin
    }

    /// Whether a worker of it has crashed or hung.
    pub fn died(&self) -> bool {
        self.deaths > 0
    }

    /// The number of its workers: jobs of an earlier one are lost.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Sends a request to its worker, or to a new one if that has ended. `extra` is additional time for the
    /// reply.
    ///
    /// # Errors
    /// If there is no reply, or it reports an error.
    pub fn ask(
        &mut self,
        request: &Request,
        extra: Duration,
        stop: &AtomicBool,
    ) -> Result<Reply, Failed> {
        self.tell(request, stop)?;
        self.answer(extra, stop)
    }

    /// Sends a request without waiting, so that others can be sent at the same time.
    ///
    /// # Errors
    /// If there is no worker.
    pub fn tell(&mut self, request: &Request, stop: &AtomicBool) -> Result<(), Failed> {
        if self.worker.is_none() {
            self.work(stop)?;
        }
        let Some(worker) = &mut self.worker else { unreachable!("it has just been started") };
        worker.tell(request);
        Ok(())
    }

    /// The reply to a request that was sent.
    ///
    /// # Errors
    /// As [`Entrant::ask`].
    pub fn answer(&mut self, extra: Duration, stop: &AtomicBool) -> Result<Reply, Failed> {
        let patience = self.start.patience + extra;
        match &mut self.worker {
            Some(worker) => {
                let reply = worker.reply(patience, stop);
                self.hear(reply)
            }
            None => Err(Failed::Because("no request was sent".into())),
        }
    }

    /// Makes its worker, if it has one, drop all jobs.
    pub fn forget(&mut self, stop: &AtomicBool) {
        if self.worker.is_some() {
            // A worker that fails to do this has ended, and its jobs with it.
            let _ = self.ask(&Request::Forget, Duration::ZERO, stop);
        }
    }

    /// Ends its worker; the next request starts a new one.
    pub fn renew(&mut self) {
        if self.worker.take().is_some() {
            self.generation += 1;
        }
    }

    /// Starts a worker.
    fn work(&mut self, stop: &AtomicBool) -> Result<Opened, Failed> {
        if self.deaths >= DEATHS {
            return Err(Failed::Because(format!("not tried: {DEATHS} workers have died")));
        }
        let loader = self.library.loader.as_deref();
        // A loader that is missing or cannot be run is an error of that library only.
        let is_loader = |e: &io::Error| loader.is_some() && !is_exhausted(e);
        let cannot = |e: io::Error| match (is_loader(&e), format!("cannot start a worker: {e}")) {
            (true, why) => Failed::Because(why),
            (false, why) => Failed::CannotStart(why),
        };
        let mut command = this_program(loader).map_err(cannot)?;
        command.args(["worker", "--peer", self.peer, "--library", &self.library.name]);
        if !self.library.by.is_empty() {
            command.args(["--by", &self.library.by]);
            environment::for_a_part(&mut command);
        }
        if is_ours(self.peer) {
            environment::keep(&mut command, "ROPEWALK_CPU");
            environment::keep(&mut command, TUNING);
        }
        if let Some(core) = self.start.core {
            command.args(["--core", &core.to_string()]);
        }
        if let Some(quiet) = self.start.quiet.get() {
            command.args(["--quiet-core", &quiet.to_string()]);
        }
        command.envs(self.environment.iter().cloned());
        let worker = self.worker.insert(Worker::start(&mut command).map_err(cannot)?);
        let reply = worker.reply(self.start.patience, stop);
        match self.hear(reply)? {
            Reply::Opened(opened) => {
                self.start.quiet.learn(opened.quiet);
                Ok(opened)
            }
            _ => Err(Failed::Because(nonsense())),
        }
    }

    fn hear(&mut self, reply: Result<Reply, Lost>) -> Result<Reply, Failed> {
        match reply {
            Ok(Reply::Unavailable(why)) => Err(Failed::Because(why)),
            Ok(reply) => Ok(reply),
            Err(Lost::Interrupted) => Err(Failed::Interrupted),
            Err(Lost::Died(why)) => Err(self.lose(1, why)),
            Err(Lost::Hung(why)) => Err(self.lose(HANGING, why)),
        }
    }

    fn lose(&mut self, deaths: u32, why: String) -> Failed {
        self.worker = None;
        self.generation += 1;
        self.deaths += deaths;
        Failed::Because(why)
    }
}

/// The variable that names ropewalk's row of tuning.
pub const TUNING: &str = "ROPEWALK_TUNING";

/// The command of this program. `ROPEWALK_RUNNER` names a command to precede it, such as another C library's
/// loader; otherwise it is the emulator that this process runs on. A library's own loader comes next. Its
/// environment is [clean](environment).
///
/// # Errors
/// If the system does not report the path of this program.
pub fn this_program(loader: Option<&Path>) -> io::Result<Command> {
    let mut words = match env::var("ROPEWALK_RUNNER") {
        Ok(runner) => runner.split_whitespace().map(OsString::from).collect(),
        Err(_) => emulator::words(),
    };
    if let Some(loader) = loader {
        let folder = loader.parent().unwrap_or(loader);
        words.extend([loader.into(), "--library-path".into(), folder.into()]);
    }
    words.push(program_of(words.is_empty())?.into());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    environment::clean(&mut command);
    // Other libraries have separate masks; for ropewalk's provider, this would be one that no row names.
    command.env_remove("ROPEWALK_CPU");
    command.env_remove(TUNING);
    Ok(command)
}

/// The path of this program. Where its file has been replaced, such as by an upgrade, the system still has the file that runs.
fn program_of(direct: bool) -> io::Result<PathBuf> {
    const RUNNING: &str = "/proc/self/exe";
    let program = env::current_exe()?;
    Ok(if direct && !program.exists() { RUNNING.into() } else { program })
}

/// Whether the system lacks a resource to start a process: processes, memory or files.
fn is_exhausted(error: &io::Error) -> bool {
    const NONE_LEFT: [Errno; 4] = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    Errno::from_io_error(error).is_some_and(|error| NONE_LEFT.contains(&error))
}

/// The error for a reply that does not fit the request.
pub fn nonsense() -> String {
    "the worker gave the reply to another request".into()
}
