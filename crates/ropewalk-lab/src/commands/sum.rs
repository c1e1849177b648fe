//! `ropewalk sum`: digests of files, many side by side.

use std::{
    ffi::OsString,
    fs,
    io::{self, BufReader},
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};

use clap::{ArgMatches, Args as _, FromArgMatches as _};
use ropewalk::hash::Algorithm;

use super::{Command, Exit, Usage, World, speed::stop_on_ctrl_c};
use crate::names::unknown;
use check::{Strictness, Verdicts};
use hash::Lanes;
use list::Rules;
use names::{STDIN, reason};
use output::{Format, Output};
use read::{Desk, MOST_THREADS, open};
use walk::walk;
use work::{Entry, Feed, Item, Next, Watch};

mod check;
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
    /// Files to hash, or with --check lists to verify; `-` is standard input, as is none
    #[arg(value_name = "PATH")]
    paths: Vec<OsString>,
    /// The hash function; sha256 unless given, and with --check what each line tells
    #[arg(short, long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Hashes all files in folders, in the order of their paths; symbolic links in them are left out
    #[arg(short, long)]
    recursive: bool,
    /// Reads lists, of sha256sum and its like, and verifies the files in them
    #[arg(short, long, conflicts_with_all = ["recursive", "tag", "binary", "text", "zero"])]
    check: bool,
    /// Writes lines as BSD's tools do: SHA256 (name) = digest
    #[arg(long, conflicts_with = "text")]
    tag: bool,
    /// Writes a `*` before each name, as for files of bytes
    #[arg(short, long, overrides_with = "text")]
    binary: bool,
    /// Writes a space before each name, which is what it does unless told otherwise
    #[arg(short, long)]
    text: bool,
    /// Ends each line with a zero byte, and escapes no name
    #[arg(short, long)]
    zero: bool,
    /// Says nothing of files that are right
    #[arg(long, requires = "check")]
    quiet: bool,
    /// Writes nothing; the exit status tells
    #[arg(long, requires = "check")]
    status: bool,
    /// Fails where a line of a list is improper
    #[arg(long, requires = "check")]
    strict: bool,
    /// Tells of each improper line
    #[arg(short, long, requires = "check")]
    warn: bool,
    /// Leaves out files that are not there
    #[arg(long, requires = "check")]
    ignore_missing: bool,
    /// Threads that read and hash; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Whether small files are hashed side by side
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
                "Examples:\n  ropewalk sum -r folder > list\n  ropewalk sum --check list\n  \
                 ropewalk sum -a sha3-256 --tag file\n\nExit status 1 says that a file could not be \
                 read, or is not what a list says.",
            )
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let args = Args::from_arg_matches(given)?;
        let algorithm = args.algorithm.as_deref().map(named).transpose()?;
        let threads = threads(args.threads)?;
        let stop = stop_on_ctrl_c()?;
        let mut output = Output::open()?;
        let mut teller = teller(&args);
        let desk = start(args, algorithm, threads)?;
        loop {
            let next = desk.queue.next(PATIENCE)?;
            if stop.load(Relaxed) {
                output.finish()?;
                return Ok(Exit::Interrupted);
            }
            match next {
                Next::Items(items) => {
                    for item in &items {
                        teller(item, &mut output)?;
                    }
                    output.show(&desk, items.len() as u64);
                }
                Next::Later => {
                    output.flush()?;
                    output.show(&desk, 0);
                }
                Next::End => break,
            }
        }
        output.finish()?;
        Ok(if output.failed { Exit::Failed } else { Exit::Fine })
    }
}

/// How long what is written may wait for more.
const PATIENCE: Duration = Duration::from_millis(100);

fn named(name: &str) -> Result<Algorithm, Usage> {
    Algorithm::named(name).map_err(|_| {
        let known = || Algorithm::ALL.iter().map(|algorithm| algorithm.name());
        let nearest = unknown("hash function", name, known());
        let all = known().collect::<Vec<_>>().join(", ");
        // Where none is near, it has listed them already.
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

/// What is told of each file.
fn teller(args: &Args) -> Teller {
    let Args { quiet, status, strict, ignore_missing, .. } = *args;
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

/// Starts what finds files and what hashes them. Nobody waits for these threads: they end with the process, whatever
/// file they wait for.
fn start(args: Args, algorithm: Option<Algorithm>, threads: usize) -> io::Result<Arc<Desk>> {
    let desk = Desk::new(args.lanes, threads);
    let ours = desk.clone();
    thread::Builder::new().name("find".into()).spawn(move || {
        let _watch = Watch(&ours.queue);
        let mut feed = Feed::new(&ours.queue);
        match args.check {
            true => lists(&args, algorithm, &mut feed),
            false => files(&args, algorithm.unwrap_or(Algorithm::Sha256), &mut feed),
        }
        feed.end();
    })?;
    for _ in 0..threads {
        let ours = desk.clone();
        thread::Builder::new().name("hash".into()).spawn(move || ours.work())?;
    }
    Ok(desk)
}

/// What to read where nothing is named.
fn paths(args: &Args) -> Vec<OsString> {
    if args.paths.is_empty() { vec![STDIN.into()] } else { args.paths.clone() }
}

/// Gives all files to be hashed.
fn files(args: &Args, algorithm: Algorithm, feed: &mut Feed<'_>) {
    let entry = |name, found| Item::Entry(Entry { name, algorithm, listed: None, found });
    for path in paths(args) {
        let is_folder = || fs::metadata(&path).is_ok_and(|path| path.is_dir());
        if args.recursive && path != STDIN && is_folder() {
            walk(&path, |name, read| feed.push(entry(name, read.err().map(Err))));
        } else {
            feed.push(entry(path, None));
        }
    }
}

/// Gives all files of all lists to be hashed.
fn lists(args: &Args, algorithm: Option<Algorithm>, feed: &mut Feed<'_>) {
    let rules = Rules { algorithm, each: args.warn };
    for name in paths(args) {
        let list = open(&name).map(BufReader::new);
        if let Err(why) = list.and_then(|list| list::read(&name, list, rules, feed)) {
            let algorithm = algorithm.unwrap_or(Algorithm::Sha256);
            let found = Some(Err(why));
            feed.push(Item::Entry(Entry { name, algorithm, listed: None, found }));
        }
    }
}
