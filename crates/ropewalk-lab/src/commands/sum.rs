//! `ropewalk sum`: digests of files, many side by side.

use std::{
    ffi::OsString,
    fs,
    io::{self, BufReader},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

use anyhow::Context;
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use ropewalk::hash::Algorithm;

use super::{Command, Exit, Usage, World, ending::stop_on_ctrl_c};
use crate::names::unknown;
use check::{Strictness, Verdicts};
use hash::Lanes;
use list::Rules;
use names::{STDIN, reason};
use output::{Format, Output};
use read::{Desk, MOST_THREADS, open};
use walk::walk;
use work::{Batch, Entry, Feed, Item, Next, Watch};

mod check;
mod guess;
mod hash;
mod list;
mod names;
mod output;
mod read;
mod room;
mod stream;
mod walk;
mod work;

/// What can be asked for.
#[derive(Debug, clap::Args)]
struct Args {
    /// Files to hash, or with --check lists to verify; `-`, and no file, is standard input
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
    /// The hash function [default: sha256; with --check: that of each line]
    #[arg(short, long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Hashes all files in folders, in the order of their paths, without symbolic links
    #[arg(short, long)]
    recursive: bool,
    /// Reads lists, as sha256sum writes them, and verifies their files
    #[arg(short, long, conflicts_with_all = ["recursive", "tag", "binary", "text", "zero"])]
    check: bool,
    /// Writes lines as BSD's tools do: SHA256 (name) = digest
    #[arg(long, conflicts_with = "text")]
    tag: bool,
    /// Writes a `*` before each name, as sha256sum --binary
    #[arg(short, long, overrides_with = "text")]
    binary: bool,
    /// Writes a space before each name, which is the default
    #[arg(short, long)]
    text: bool,
    /// Ends each line with a zero byte, and escapes no name
    #[arg(short, long)]
    zero: bool,
    /// Writes nothing: the exit status is the result
    #[arg(long, requires = "check")]
    status: bool,
    /// Fails if a line of a list is malformed
    #[arg(long, requires = "check")]
    strict: bool,
    /// Reports each malformed line
    #[arg(short, long, requires = "check")]
    warn: bool,
    /// Skips files that do not exist
    #[arg(long, requires = "check")]
    ignore_missing: bool,
    /// Threads that read and hash [default: the number of cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Whether small files are hashed in SIMD lanes
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto")]
    lanes: Lanes,
}

/// `sum`.
pub(super) struct Sum;

impl Command for Sum {
    fn words(&self) -> clap::Command {
        Args::augment_args(clap::Command::new("sum"))
            .about("Hashes files, many side by side, and verifies lists of sha256sum and its like")
            .after_help(
                "Exit status 1 says that a file could not be read, or is not what a list says.",
            )
    }

    /// As other programs of this kind: with --status, it writes nothing.
    fn needs_output(&self) -> bool {
        false
    }

    fn run(&self, given: &ArgMatches, world: &World) -> anyhow::Result<Exit> {
        let args = Args::from_arg_matches(given)?;
        if world.quiet && !args.check {
            return Err(Usage("--quiet: it is for --check".into()).into());
        }
        let algorithm = args.algorithm.as_deref().map(named).transpose()?;
        let threads = threads(args.threads)?;
        let stop = stop_on_ctrl_c()?;
        let mut writer =
            Writer { teller: teller(&args, world.quiet), output: Output::open()?, stop };
        let desk = Desk::new(args.lanes, threads);
        let search = Arc::new(Search { args, algorithm });
        let written = match start(&search, &desk, threads) {
            true => writer.write_all(&desk),
            false => alone(&search, &desk, &mut writer),
        };
        let exit = written.context("standard output")?;
        writer.output.finish().context("standard output")?;
        Ok(exit)
    }
}

/// Writes the results for files, in order.
struct Writer {
    teller: Teller,
    output: Output,
    stop: Arc<AtomicBool>,
}

impl Writer {
    /// Writes all results.
    fn write_all(&mut self, desk: &Desk) -> io::Result<Exit> {
        loop {
            if let Some(exit) = self.write(desk, PATIENCE)? {
                return Ok(exit);
            }
        }
    }

    /// Writes the next results, and returns the exit status after the last.
    fn write(&mut self, desk: &Desk, patience: Duration) -> io::Result<Option<Exit>> {
        let Self { teller, output, stop } = self;
        let next = desk.queue.next(patience)?;
        if stop.load(Relaxed) {
            return Ok(Some(Exit::Interrupted));
        }
        match next {
            Next::Items(items) => {
                items.iter().try_for_each(|item| teller(item, output))?;
                output.show(desk, items.len() as u64);
            }
            Next::Later => {
                output.flush()?;
                output.show(desk, 0);
            }
            Next::End => return Ok(Some(if output.failed { Exit::Failed } else { Exit::Fine })),
        }
        Ok(None)
    }
}

/// The longest delay before buffered lines are written.
const PATIENCE: Duration = Duration::from_millis(100);

fn named(name: &str) -> Result<Algorithm, Usage> {
    Algorithm::named(name).map_err(|_| {
        let known = || Algorithm::ALL.iter().map(|algorithm| algorithm.name());
        let nearest = unknown("hash function", name, known());
        let all = known().collect::<Vec<_>>().join(", ");
        // If no name is near, all of them are listed already.
        match nearest.ends_with(&all) {
            true => Usage(nearest),
            false => Usage(format!("{nearest}; there is {all}")),
        }
    })
}

fn threads(wanted: Option<usize>) -> Result<usize, Usage> {
    match wanted {
        None => Ok(thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS))),
        Some(n) if (1..=MOST_THREADS).contains(&n) => Ok(n),
        Some(n) => Err(Usage(format!("--threads: {n} is not between 1 and {MOST_THREADS}"))),
    }
}

type Teller = Box<dyn FnMut(&Item, &mut Output) -> io::Result<()>>;

/// The reporter for each file.
fn teller(args: &Args, quiet: bool) -> Teller {
    let Args { status, strict, ignore_missing, .. } = *args;
    if args.check {
        let strictness = Strictness { quiet, status, strict, ignore_missing };
        let mut verdicts = Verdicts::new(strictness);
        return Box::new(move |item, output| verdicts.tell(item, output));
    }
    let format = Format { tag: args.tag, binary: args.binary, zero: args.zero };
    Box::new(move |item, output| match item {
        Item::Entry(entry) => match &entry.found {
            Some(Ok(digest)) => output.digest(entry, digest, format),
            Some(Err(why)) => output.complain(&entry.name, reason(why)),
            None => Ok(()),
        },
        _ => Ok(()),
    })
}

/// Starts a thread that finds files and some that hash them, as many as the system allows. If the system does
/// not allow one of each, there is none. The command does not wait for these threads: they end with the
/// process, even if they are blocked on a file.
fn start(search: &Arc<Search>, desk: &Arc<Desk>, threads: usize) -> bool {
    let (go, begin) = channel();
    let (search, ours) = (search.clone(), desk.clone());
    let finder = thread::Builder::new().name("find".into()).spawn(move || {
        if begin.recv().is_err() {
            return;
        }
        let _watch = Watch(&ours.queue);
        let mut give = |batch| ours.queue.give(batch);
        let count = search.run(Feed::new(&mut give));
        ours.queue.end(count);
    });
    if finder.is_err() {
        return false;
    }
    let hashes = |_: &usize| {
        let ours = desk.clone();
        thread::Builder::new().name("hash".into()).spawn(move || ours.work()).is_ok()
    };
    (0..threads).take_while(hashes).count() > 0 && go.send(()).is_ok()
}

/// Finds, hashes and writes with this thread only.
fn alone(search: &Search, desk: &Desk, writer: &mut Writer) -> io::Result<Exit> {
    let mut shelf = desk.shelf();
    let mut written = Ok(None);
    let mut give = |batch: Batch| {
        // Files that are found after an error or an interrupt are not hashed.
        if let Ok(None) = written {
            desk.queue.give(batch);
            desk.hash_all(&mut shelf);
        }
        // All of it: no other thread takes from the queue when it is full.
        while matches!(written, Ok(None)) && !desk.queue.is_empty() {
            written = writer.write(desk, Duration::ZERO);
        }
    };
    let count = search.run(Feed::new(&mut give));
    if let Some(exit) = written? {
        return Ok(exit);
    }
    desk.queue.end(count);
    writer.write_all(desk)
}

/// The files to hash.
struct Search {
    args: Args,
    algorithm: Option<Algorithm>,
}

impl Search {
    /// Passes all of them on to be hashed, and returns the number of items.
    fn run(&self, mut feed: Feed<'_>) -> u64 {
        match self.args.check {
            true => lists(&self.args, self.algorithm, &mut feed),
            false => files(&self.args, self.algorithm.unwrap_or(Algorithm::Sha256), &mut feed),
        }
        feed.end()
    }
}

/// The input if no path is given.
fn paths(args: &Args) -> Vec<OsString> {
    if args.paths.is_empty() { vec![STDIN.into()] } else { args.paths.clone() }
}

/// Passes all files on to be hashed.
fn files(args: &Args, algorithm: Algorithm, feed: &mut Feed<'_>) {
    let entry = |name, found| Item::Entry(Entry { found, ..Entry::new(name, algorithm) });
    for path in paths(args) {
        let is_folder = || fs::metadata(&path).is_ok_and(|path| path.is_dir());
        if args.recursive && path != STDIN && is_folder() {
            walk(&path, |name, read| feed.push(entry(name, read.err().map(Err))));
        } else {
            feed.push(entry(path, None));
        }
    }
}

/// Passes all files of all lists on to be hashed.
fn lists(args: &Args, algorithm: Option<Algorithm>, feed: &mut Feed<'_>) {
    let rules = Rules { algorithm, each: args.warn };
    for name in paths(args) {
        let list = open(&name).map(BufReader::new);
        if let Err(why) = list.and_then(|list| list::read(&name, list, rules, feed)) {
            let algorithm = algorithm.unwrap_or(Algorithm::Sha256);
            let found = Some(Err(why));
            feed.push(Item::Entry(Entry { found, ..Entry::new(name, algorithm) }));
        }
    }
}
