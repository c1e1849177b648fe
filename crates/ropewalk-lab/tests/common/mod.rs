//! Helpers of the lab's tests.

#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod fakes;
pub(crate) mod runs;
pub(crate) mod terminal;

use std::{
    cell::LazyCell,
    collections::BTreeSet,
    env,
    process::{Command, Stdio},
    sync::OnceLock,
};

use ropewalk_lab::{
    peers::{Opened, PEERS, Peer},
    tasks::{Cell, Keys, Kind, MIXES, Mode, TASKS, Task},
};

/// The peer of that name.
pub(crate) fn peer(name: &str) -> &'static dyn Peer {
    *PEERS.iter().find(|peer| peer.name() == name).expect("a peer of that name")
}

/// The libraries that must be present, from `ROPEWALK_EXPECT_PEERS`, as `libcrypto.so.3` or a path.
pub(crate) fn expected() -> Vec<String> {
    let names = env::var("ROPEWALK_EXPECT_PEERS").unwrap_or_default();
    names.split(',').filter(|name| !name.is_empty()).map(String::from).collect()
}

/// Names for the loader, then paths of the expected libraries: after a load by path, the loader would return that library for its
/// name too.
pub(crate) fn libraries(peer: &dyn Peer) -> Vec<String> {
    if peer.name() == "ropewalk-c" {
        // The loader could find an earlier build.
        return c_library().into_iter().collect();
    }
    let mut all: Vec<_> = peer.libraries().iter().copied().map(String::from).collect();
    let file = match peer.name() {
        "libcrypto" => "libcrypto.so",
        "crypto_mb" => "libcrypto_mb",
        "libgcrypt" => "libgcrypt",
        "nettle" => "libnettle",
        "gnutls" => "libgnutls",
        "libsodium" => "libsodium",
        "botan" => "libbotan",
        "mbedtls" => "libmbedcrypto",
        "ipsec-mb" => "libIPSec_MB",
        "nss" => "libnss3",
        "wolfssl" => "libwolfssl",
        _ => return all,
    };
    all.extend(expected().into_iter().filter(|name| name.contains('/') && name.contains(file)));
    all
}

/// The C library of this workspace, from a variable or built by cargo. `None` without cargo, or if its libraries are not for this
/// program: under an emulator, and with musl.
pub(crate) fn c_library() -> Option<String> {
    static BUILT: OnceLock<Option<String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let cargo = env::var_os("CARGO");
        let Some(cargo) = cargo.filter(|_| runner().is_none() && !cfg!(target_env = "musl")) else {
            eprintln!("skipped: libropewalk.so is not built for this program here");
            return None;
        };
        if let Ok(built) = env::var("ROPEWALK_C_LIBRARY") {
            return Some(built);
        }
        let mut build = Command::new(cargo);
        build.args(["build", "--package", "ropewalk-c", "--profile", "test"]);
        build.args(["--message-format", "json-render-diagnostics"]);
        build.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit());
        let built = build.output().expect("cargo runs");
        assert!(built.status.success(), "the C library does not build");
        let messages = built.stdout.split(|byte| *byte == b'\n');
        let messages = messages.filter_map(|line| serde_json::from_slice(line).ok());
        let files = messages.flat_map(|message: serde_json::Value| {
            let files = message["filenames"].as_array().cloned().unwrap_or_default();
            files.into_iter().filter_map(|file| Some(file.as_str()?.to_owned()))
        });
        let file = files.into_iter().find(|file| file.ends_with("/libropewalk.so"));
        Some(file.expect("cargo says where it is"))
    });
    built.clone()
}

/// The task of that name.
pub(crate) fn task(name: &str) -> &'static Task {
    TASKS.iter().find(|task| task.name == name).expect("a task of that name")
}

/// Every task at sizes and counts that reach every tail: a block of each algorithm, one byte less and more, several blocks, and
/// none. RSA has fewer: a signature takes milliseconds, and its message is only hashed.
pub(crate) fn cells() -> impl Iterator<Item = Cell> {
    const SIZES: [usize; 13] = [0, 1, 15, 16, 17, 55, 56, 63, 64, 65, 255, 1024, 16401];
    const COUNTS: [usize; 3] = [1, 2, 17];
    const OF_RSA: ([usize; 2], [usize; 2]) = ([0, 65], [1, 9]);
    let measured = TASKS.iter().filter(|task| task.kind.of_libraries());
    let all = measured.flat_map(|task| {
        let (sizes, counts): (&[usize], &[usize]) =
            if is_rsa(task) { (&OF_RSA.0, &OF_RSA.1) } else { (&SIZES, &COUNTS) };
        let mut sizes: Vec<usize> = sizes.iter().map(|bytes| task.kind.size(*bytes)).collect();
        sizes.dedup();
        sizes.into_iter().flat_map(move |bytes| {
            // Two long messages are enough: the portable peers take most of the time.
            let counts = counts.iter().copied();
            let counts = counts.filter(move |count| bytes < 4096 || *count <= 2);
            counts.flat_map(move |count| {
                [Mode::Message, Mode::Stream].into_iter().map(move |mode| Cell {
                    task,
                    bytes,
                    count,
                    mode,
                    mix: None,
                    keys: Keys::One,
                    stride: None,
                })
            })
        })
    });
    let mixed = TASKS.iter().filter(|task| task.kind.mixes());
    let mixed = mixed.map(|task| Cell::of_mix(task, &MIXES[0], 13));
    let keyed = TASKS.iter().filter(|task| task.kind.keys());
    // More than the groups of all peers.
    let (count, mode, keys) = (130, Mode::Message, Keys::Each);
    let keyed = keyed.flat_map(move |task| {
        [64, 1024].map(|bytes| Cell { task, bytes, count, mode, mix: None, keys, stride: None })
    });
    // A peer with batches of eight accepts no other number.
    let keys = TASKS
        .iter()
        .filter(|task| task.kind.of_keys())
        .flat_map(|task| {
            let sizes = if is_rsa(task) { &[64][..] } else { &[0, 64, 1350] };
            sizes.iter().map(move |bytes| (task, task.kind.size(*bytes)))
        })
        .flat_map(|(task, bytes)| {
            let (mode, keys) = (Mode::Message, Keys::One);
            [8, 16].map(|count| Cell { task, bytes, count, mode, mix: None, keys, stride: None })
        });
    all.chain(mixed)
        .chain(keyed)
        .chain(keys)
        .filter(|cell| cell.mode == Mode::Message || cell.task.kind.streams())
}

/// Every task with a key, with a new one for each message, and hash functions with a new context, in small and large numbers.
pub(crate) fn cells_with_new_keys() -> impl Iterator<Item = Cell> {
    let keyed = TASKS.iter().filter(|task| task.kind.sets_up());
    keyed.flat_map(|task| {
        let sizes = if is_rsa(task) { &[100][..] } else { &[0, 16, 100, 1350, 16384] };
        sizes.iter().map(move |bytes| {
            let (bytes, mode, keys) = (task.kind.size(*bytes), Mode::Setup, Keys::One);
            Cell { task, bytes, count: 1, mode, mix: None, keys, stride: None }
        })
    })
}

fn is_rsa(task: &Task) -> bool {
    matches!(task.kind, Kind::Rsa { .. })
}

/// The result of the fastest backend, which equals that of the portable one: the lab's own library is a peer too, and
/// [`wrong_cells`] compares every backend of it with that one. If it lacks the operation, the result of other crates.
pub(crate) fn right_answer(cell: &Cell) -> Vec<u8> {
    if !cell.task.kind.ours() {
        let others = peer(cell.task.kind.model()).open("").expect("it is built in");
        return others.prepare(cell, "").expect("it has what ropewalk does not").answer();
    }
    answer_of(cell, |backends| backends.first())
}

/// The result of the portable backend.
fn portable_answer(cell: &Cell) -> Vec<u8> {
    answer_of(cell, |backends| backends.iter().find(|name| name.ends_with("portable")))
}

fn answer_of(cell: &Cell, of: impl Fn(&[String]) -> Option<&String>) -> Vec<u8> {
    let ours = peer("ropewalk").open("").expect("it is built in");
    let backends = ours.backends(cell.task, cell.count);
    let backend = of(&backends).expect("every list ends with portable");
    ours.prepare(cell, backend).expect("it runs here").answer()
}

/// The results of a library.
pub(crate) struct Outcomes {
    /// The cells with a wrong result, and the reasons of the tasks without a result.
    pub(crate) wrong: Vec<String>,
    /// The names of the tasks with a right result in some cell.
    pub(crate) right: BTreeSet<&'static str>,
}

/// The results of this library in the cells.
pub(crate) fn outcomes(
    name: &str,
    opened: &dyn Opened,
    cells: impl Iterator<Item = Cell>,
) -> Outcomes {
    let right_answer = if name == "ropewalk" { portable_answer } else { right_answer };
    let mut outcomes = Outcomes { wrong: Vec::new(), right: BTreeSet::new() };
    let wrong = &mut outcomes.wrong;
    for cell in cells {
        let answer_to_have = LazyCell::new(|| right_answer(&cell));
        for backend in opened.backends(cell.task, cell.count) {
            match opened.prepare(&cell, &backend).map(|mut job| job.answer()) {
                Ok(answer) if answer == *answer_to_have => {
                    outcomes.right.insert(cell.task.name);
                }
                Ok(_) => wrong.push(format!("{cell:?} {backend}")),
                Err(reason) => wrong.push(format!("{}: {reason}", cell.task.name)),
            }
        }
    }
    wrong.dedup();
    outcomes
}

/// The cells with a wrong result of this library, or the reason for its absence.
pub(crate) fn wrong_cells(
    name: &str,
    opened: &dyn Opened,
    cells: impl Iterator<Item = Cell>,
) -> Vec<String> {
    outcomes(name, opened, cells).wrong
}

/// This program again, through the runner that cargo has started it with: an emulator does not start other programs for its
/// processor.
pub(crate) fn this_program() -> Command {
    let program = env::current_exe().expect("it runs");
    let Some(runner) = runner() else { return Command::new(program) };
    let mut words = runner.split_whitespace();
    let mut command = Command::new(words.next().expect("a runner is a program"));
    command.args(words).arg(program);
    command
}

/// The runner of cargo, if there is one.
fn runner() -> Option<String> {
    let start = format!("CARGO_TARGET_{}_", env::consts::ARCH.to_uppercase());
    let mut all = env::vars();
    all.find(|(name, _)| name.starts_with(&start) && name.ends_with("_RUNNER")).map(|(_, it)| it)
}
