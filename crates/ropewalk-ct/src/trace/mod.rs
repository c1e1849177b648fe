//! `ropewalk-ct trace`: whether a secret decides which instructions run, which addresses they touch, or what is divided, in the
//! program as it ships.
//!
//! A case runs in child processes that all begin in the same state, once with each class of secrets, one instruction at a time.
//! Every step must be the same each time. So nothing has to understand what an instruction does with a secret, and none is left
//! out: not those of 512 bits, which Valgrind lacks, and not `asm!`, into which MemorySanitizer does not look. In return a leak is
//! seen only if two of the classes differ in it.

mod place;
mod stepped;

use std::{
    env,
    fs::File,
    io::{self, Read, Write},
    os::fd::AsFd,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use ropewalk::{PRIMITIVES, backend::Info};

use crate::{
    operations::{self, Case, Class, Operation, Outcome},
    planted::LEAKS,
};
use stepped::Stepper;

/// The name of this tool in [`LEAKS`].
pub(crate) const TOOL: &str = "trace";

/// How much is traced.
#[derive(Clone, Copy)]
enum Extent {
    Sample,
    Whole,
}

impl Extent {
    fn named(name: &str) -> Option<Self> {
        match name {
            "sample" => Some(Self::Sample),
            "whole" => Some(Self::Whole),
            _ => None,
        }
    }

    /// Whether a backend is traced for a primitive. A sample has the one that this processor prefers, as memcheck runs all that have
    /// no 512 bits; each once for hash functions that share it, for HMAC with them and for each of both of many messages; and no
    /// portable backend: those take most steps, and memcheck and MemorySanitizer see all that they are.
    fn has(self, primitive: &'static str, info: &Info) -> bool {
        let mut users =
            backends().filter(|(_, other)| other.name == info.name).map(|(name, _)| name);
        match self {
            Self::Whole => true,
            Self::Sample if info.name.ends_with("/portable") => false,
            Self::Sample if !is_preferred(primitive, info) => false,
            Self::Sample => users.find(|name| family(name) == family(primitive)) == Some(primitive),
        }
    }

    /// Whether an operation is traced. A sample leaves out those that only have kernels of others.
    fn has_operation(self, operation: &Operation) -> bool {
        let (primitive, name) = (operation.primitive, operation.name);
        match self {
            Self::Whole => true,
            Self::Sample if primitive.starts_with("hmac") && primitive.ends_with("many") => {
                name == "verify"
            }
            // HMAC of many messages has their kernels.
            Self::Sample if family(primitive) == ("hash", true) => false,
            // AES-CBC of many messages with HMAC-SHA-256 has the rest of it.
            Self::Sample if primitive == "aes-cbc-hmac-sha1-many" => false,
            // A multiple of the base point is a part of a signature. One agreement of many takes a minute.
            Self::Sample if primitive == "p256" => ["agree", "sign"].contains(&name),
            Self::Sample if primitive == "p256-many" => name == "sign",
            // A signature takes minutes.
            Self::Sample if ["rsa", "rsa-many"].contains(&primitive) => false,
            Self::Sample if primitive.ends_with("many") => {
                !name.ends_with("of one length") && !name.starts_with("seal those")
            }
            Self::Sample => name != "make keys",
        }
    }

    /// Bytes of text. Of a sample, a step of the narrower kernels and a part of a block; fewer for many messages. Of the whole,
    /// nothing, a part of a block, and steps of the widest kernels with all that is shorter after them.
    fn lengths(self, primitive: &str) -> &'static [usize] {
        match self {
            Self::Sample if primitive.ends_with("many") => &[17],
            Self::Sample => &[65],
            Self::Whole => &[0, 17, 65, 300, 1350],
        }
    }

    fn keys(self, all: &'static [usize]) -> &'static [usize] {
        match self {
            Self::Sample => &all[..1],
            Self::Whole => all,
        }
    }
}

/// Whether a backend is the first of its list that can run here.
fn is_preferred(primitive: &str, info: &Info) -> bool {
    let mut of_list = backends().filter(|(name, _)| *name == primitive);
    of_list.next().is_some_and(|(_, first)| first.name == info.name)
}

/// What a primitive is, whatever hash function it has, and whether it is of many messages.
fn family(primitive: &str) -> (&str, bool) {
    match primitive {
        hmac if hmac.starts_with("hmac-") => ("hmac", hmac.ends_with("many")),
        hash if hash.starts_with("sha") || hash.starts_with("md5") => {
            ("hash", hash.ends_with("many"))
        }
        other => (other, false),
    }
}

/// Where two runs part.
pub(crate) struct Parting {
    /// The instruction that did it.
    at: u64,
    what: &'static str,
    step: usize,
}

/// Traces what there is to trace: one case of each operation on each backend, or more of them.
///
/// `arguments` are `sample` or `whole`, a part of the name of what is to be traced, and [`NEXT`] for one of several processes.
pub(crate) fn run(expected: &[String], arguments: &[String]) -> Vec<String> {
    let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
    let Some(extent) = Extent::named(argument(0)) else {
        return vec!["ropewalk-ct trace sample|whole [NAME]".into()];
    };
    let only = argument(1);
    match argument(2) {
        NEXT => part_of(extent, only),
        _ => shared_out(expected, extent, argument(0), only),
    }
}

/// What a process is told that reads from its standard input what it traces next: the numbers of backends, of two bytes each.
const NEXT: &str = "next";

/// Traces in a process for each processor. None can have threads, as they fork.
fn shared_out(expected: &[String], extent: Extent, word: &str, only: &str) -> Vec<String> {
    let began = Instant::now();
    let mut complaints = missed();
    if let Err(error) = run_parts(extent, word, only, &mut complaints) {
        complaints.push(error.to_string());
    }
    let here: Vec<_> = backends().map(|(_, info)| info.name).collect();
    let absent = expected.iter().filter(|name| !here.contains(&name.as_str()));
    complaints.extend(absent.map(|name| format!("\"{name}\" was expected and did not run")));
    println!("traced in {:.0?}", Duration::from_secs(began.elapsed().as_secs()));
    complaints
}

fn run_parts(
    extent: Extent,
    word: &str,
    only: &str,
    complaints: &mut Vec<String>,
) -> io::Result<()> {
    let (next, mut numbers) = io::pipe()?;
    let count = wanted(extent, only).count() as u16;
    (0..count).try_for_each(|number| numbers.write_all(&number.to_le_bytes()))?;
    drop(numbers);
    let parts = thread::available_parallelism().map_or(1, usize::from);
    let start = |_| {
        let mut command = Command::new(env::current_exe()?);
        command.args(["trace", word, only, NEXT]).stdin(next.try_clone()?).spawn()
    };
    for child in (0..parts).map(start).collect::<Vec<_>>() {
        let status = child?.wait()?;
        if !status.success() {
            complaints.push(format!("a part of the trace ends with {status}"));
        }
    }
    Ok(())
}

/// Leaks on purpose that are not seen.
fn missed() -> Vec<String> {
    let here = LEAKS.iter().filter(|leak| (leak.available)() && leak.tools.contains(&TOOL));
    let mut complaints = Vec::new();
    for leak in here {
        let run = || {
            (leak.run)();
            Ok(())
        };
        match trace(&run) {
            Ok((_, Some(parting))) => {
                println!("{TOOL} reports {}: {}", leak.name, parting.in_words());
            }
            Ok(_) => complaints.push(format!("{TOOL} does not report a leak: {}", leak.name)),
            Err(error) => complaints.push(format!("{}: {error}", leak.name)),
        }
    }
    complaints
}

/// Every backend that can run here, with the name of its primitive.
fn backends() -> impl Iterator<Item = (&'static str, &'static Info)> {
    let of = |primitive: &ropewalk::backend::Primitive| {
        let (name, backends) = (primitive.name, primitive.backends);
        backends.iter().filter(|info| (info.available)()).map(move |info| (name, info))
    };
    PRIMITIVES.iter().flat_map(move |primitive| of(primitive))
}

/// The backends that are traced. What has the name that is given is.
fn wanted(extent: Extent, only: &str) -> impl Iterator<Item = (&'static str, &'static Info)> {
    backends().filter(move |(primitive, info)| !only.is_empty() || extent.has(primitive, info))
}

/// Traces the backends whose numbers this process reads.
fn part_of(extent: Extent, only: &str) -> Vec<String> {
    let (mut complaints, wanted) = (Vec::new(), wanted(extent, only).collect::<Vec<_>>());
    // `Stdin` would read ahead what is for other processes.
    let mut numbers = match io::stdin().as_fd().try_clone_to_owned() {
        Ok(numbers) => File::from(numbers),
        Err(error) => return vec![error.to_string()],
    };
    let mut number = [0; 2];
    while numbers.read_exact(&mut number).is_ok() {
        let (primitive, info) = wanted[usize::from(u16::from_le_bytes(number))];
        let (mut cases, mut steps) = (0, 0);
        for operation in operations::operations().filter(|of| of.primitive == primitive) {
            let name = format!("{primitive}, {}, {}", info.name, operation.name);
            let is_wanted = match only {
                "" => extent.has_operation(operation),
                only => name.contains(only),
            };
            if !is_wanted {
                continue;
            }
            for case in cases_of(operation, info.name, extent) {
                match trace(&|| (operation.run)(&case)) {
                    Ok((taken, parting)) => {
                        (cases, steps) = (cases + 1, steps + taken);
                        let words = parting.map(|parting| parting.in_words());
                        complaints.extend(words.map(|words| format!("{name}, {case:?}: {words}")));
                    }
                    Err(error) => complaints.push(format!("{name}, {case:?}: {error}")),
                }
            }
        }
        if cases > 0 {
            println!("{} traced in {cases} cases of {primitive}, {steps} steps", info.name);
        }
    }
    complaints
}

fn cases_of(
    operation: &Operation,
    backend: &'static str,
    extent: Extent,
) -> impl Iterator<Item = Case> {
    let lengths = match operation.has_text() {
        true => extent.lengths(operation.primitive),
        false => operations::LENGTHS_WITHOUT,
    };
    let lengths = lengths.iter();
    let case = move |key| lengths.clone().map(move |&len| Case { backend, key, len });
    extent.keys(operation.keys).iter().flat_map(move |&key| case(key))
}

/// Runs with each class of secrets, and says how many steps that took and where two of them part.
pub(crate) fn trace(run: &dyn Fn() -> Outcome) -> Result<(usize, Option<Parting>), String> {
    let mut stepper = Stepper::new()?;
    // What is made once in a process is there before children begin.
    operations::secrets_of(Class::ALL[0]);
    run().map_err(|error| error.to_string())?;
    let mut steps = 0;
    for class in Class::ALL {
        operations::secrets_of(class);
        let parting = stepper.follow(run)?;
        steps += stepper.steps();
        if parting.is_some() {
            return Ok((steps, parting));
        }
    }
    Ok((steps, None))
}

impl Parting {
    fn in_words(&self) -> String {
        format!("{} depends on a secret in step {}: {}", self.what, self.step, place::of(self.at))
    }
}
