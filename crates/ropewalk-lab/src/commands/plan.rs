//! The options of `speed`, and the plan that they describe.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use ropewalk::cpu::{FEATURES, Feature};

use super::{Usage, World, mask, tuning_row};
use crate::{
    filename::shown,
    measure::{
        field::{Part, TUNED, loads},
        reference::OURS,
    },
    names,
    peers::Peer,
    session::Plan,
    tasks::{Keys, MIXES, Mix, Mode, TASKS, Task, size, words},
};

#[cfg(test)]
mod tests;

/// The options of `speed`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Tasks, such as aes-128-ctr or aes-128-ctr/encrypt, or `all`, or `aes-options` [default: headline]
    #[arg(value_name = "TASK")]
    pub(super) tasks: Vec<String>,
    /// Sizes of messages, such as 16,1350,16K,100MiB
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "16,64,256,1350,8192,16384"
    )]
    pub(super) bytes: Vec<String>,
    /// Messages in each call; from 2 on, the library may process them in SIMD lanes [default: 1; with --mix: 64]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) count: Vec<usize>,
    /// Messages of several lengths in each call, instead of --bytes: imix (packets of 64, 570 and 1518 bytes, 7:4:1),
    /// tls (records of a web server), files (of a source tree)
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "bytes")]
    pub(super) mix: Vec<String>,
    /// Keys of the messages of a call
    #[arg(long, value_enum, default_value = "one")]
    pub(super) keys: Keys,
    /// Places the messages of a call in one array, at this distance in bytes, such as 4KiB: a multiple of 16, from 64 to 1MiB
    /// [default: each message is a separate allocation]
    #[arg(long, value_name = "BYTES")]
    pub(super) stride: Option<String>,
    /// Other libraries to measure: their names, `all` or `none`. libcrypto:provider=NAME and libcrypto:engine=NAME are libcrypto
    /// with only that provider or engine; NAME is its name, or its path without a comma. May be repeated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all")]
    pub(super) peers: Vec<String>,
    /// Another library file to measure; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(super) lib: Vec<PathBuf>,
    /// Disables these processor features; may be repeated. With `none` too, both are measured
    #[arg(long, value_name = "-FEATURE,...", allow_hyphen_values = true)]
    pub(super) mask: Vec<String>,
    /// Measures ropewalk with the tuning of other cores, such as zen5,golden-cove, but only with instructions that this processor
    /// has. With `none` too, its own tuning is measured
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) tuning: Vec<String>,
    /// The only backend of ropewalk to measure, such as sha256/portable
    #[arg(long, value_name = "NAME")]
    pub(super) backend: Option<String>,
    /// Time for each row and size, in seconds [default: until the result is known to 1 %, from 0.012 to 0.3, less with many rows]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,
    /// The part that is timed: a whole message, an update in the middle of a long one, or a whole message with a new key (of a
    /// hash function: with a new context)
    #[arg(long, value_enum, default_value = "message")]
    pub(super) mode: Mode,
    /// Writes the measurements to a file as JSON lines; `-` is standard output, without the tables
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Ends a worker that has not replied for this time, in seconds
    #[arg(long, value_name = "S", default_value_t = 10.0, hide = true)]
    pub(super) patience: f64,
}

impl Plan {
    /// Checks every argument before anything is measured.
    pub(super) fn new(options: &Options, world: &World) -> Result<Self, Usage> {
        let sizes = unique(options.bytes.iter().map(|text| size::parse(text).map_err(Usage)))?;
        let mixes = unique(options.mix.iter().map(|name| mix(name)))?;
        let mut counts = unique(options.count.iter().map(|count| Ok(*count)))?;
        if counts.is_empty() {
            counts.push(if mixes.is_empty() { 1 } else { OF_A_MIX });
        }
        let mut tasks = tasks(&options.tasks)?;
        if options.mode == Mode::Setup {
            if options.tasks.is_empty() {
                tasks.retain(|task| task.kind.takes_key());
            }
            new_keys(&tasks, options)?;
        }
        let longest = mixes.iter().flat_map(|mix| mix.lengths).copied();
        match mixes.is_empty() {
            true => together(&sizes, &counts)?,
            false => together(&longest.collect::<Vec<_>>(), &counts)?,
        }
        if let Some(one) = tasks.iter().find(|task| !mixes.is_empty() && !task.kind.mixes()) {
            return Err(Usage(format!(
                "--mix: {} has no messages of several lengths",
                one.full_name()
            )));
        }
        if !mixes.is_empty() && options.mode == Mode::Stream {
            return Err(Usage("--mix: a stream is one message".into()));
        }
        if options.keys == Keys::Each {
            each_its_key(&tasks, &counts, options.mode)?;
        }
        let lengths = mixes
            .iter()
            .flat_map(|mix| mix.lengths)
            .chain(sizes.iter().filter(|_| mixes.is_empty()));
        let stride = options.stride.as_deref().map(|text| {
            let of_task =
                lengths.flat_map(|bytes| tasks.iter().map(move |task| task.kind.size(*bytes)));
            stride(text, of_task.max().unwrap_or(0), &counts, options.mode)
        });
        let stride = stride.transpose()?;
        let libraries = unique(options.lib.iter().map(library))?;
        if !libraries.is_empty() && !world.peers.iter().any(|peer| loads(*peer)) {
            return Err(Usage("--lib: no peer here loads libraries".into()));
        }
        if let Some(name) = &options.backend {
            backend(name)?;
        }
        Ok(Self {
            tasks,
            headline: options.tasks.is_empty(),
            sizes,
            mixes,
            counts,
            keys: options.keys,
            stride,
            all: world.peers,
            peers: peers(&options.peers, world.peers)?,
            parts: parts(&options.peers, world.peers)?,
            libraries,
            masks: with_tuning(masks_of(&options.mask)?, &options.tuning)?,
            ours: world.mask.clone(),
            backend: options.backend.clone(),
            seconds: options.seconds.map(|s| seconds("--seconds", s)).transpose()?,
            mode: options.mode,
            patience: Duration::from_secs_f64(seconds("--patience", options.patience)?),
        })
    }

    /// Measures ropewalk, and OpenSSL and its forks, without a mask and then without each feature of this
    /// processor. If `options` name peers, these are measured.
    pub(super) fn switch_each(&mut self, options: &Options) {
        let here = |feature: &&Feature| feature.arch == std::env::consts::ARCH && feature.present();
        let each = FEATURES.iter().filter(here).map(|feature| format!("-{}", feature.name));
        self.masks = [String::new()].into_iter().chain(each).collect();
        if options.peers == ["all"] {
            self.peers.retain(|peer| [OURS, "libcrypto"].contains(&peer.name()));
        }
    }
}

/// The tasks of these names, or the headline ones.
pub(super) fn tasks(names: &[String]) -> Result<Vec<&'static Task>, Usage> {
    tasks_or(names, TASKS.iter().filter(|task| task.headline))
}

/// The tasks of these names, or default ones if there are no names.
pub(super) fn tasks_or(
    names: &[String],
    others: impl Iterator<Item = &'static Task>,
) -> Result<Vec<&'static Task>, Usage> {
    if names.is_empty() {
        return Ok(others.collect());
    }
    let mut tasks: Vec<&Task> = Vec::new();
    for name in names {
        for task in words::find(name).map_err(Usage)? {
            if !tasks.contains(&task) {
                tasks.push(task);
            }
        }
    }
    Ok(tasks)
}

/// Messages in a call of a mix: a few times as many as wide lanes.
const OF_A_MIX: usize = 64;

fn mix(name: &str) -> Result<&'static Mix, Usage> {
    let known = MIXES.iter().map(|mix| mix.name);
    Mix::named(name).ok_or_else(|| Usage(names::unknown("mix", name, known)))
}

/// A call must have several messages, each of which can have a key.
fn each_its_key(tasks: &[&Task], counts: &[usize], mode: Mode) -> Result<(), Usage> {
    if let Some(one) = tasks.iter().find(|task| !task.kind.keys()) {
        return Err(Usage(format!(
            "--keys each: messages of {} have no keys of their own",
            one.full_name()
        )));
    }
    if mode == Mode::Stream {
        return Err(Usage("--keys each: a stream is one message".into()));
    }
    match counts.contains(&1) {
        true => Err(Usage("--keys each: one message has one key: --count 2 or more".into())),
        false => Ok(()),
    }
}

/// The distance of messages. A call must have several, and each must fit.
fn stride(text: &str, longest: usize, counts: &[usize], mode: Mode) -> Result<usize, Usage> {
    const LEAST: usize = 64;
    const MOST: usize = 1 << 20;
    let wrong = |why: String| Err(Usage(format!("--stride {text}: {why}")));
    let bytes = match size::parse(text) {
        Ok(bytes) if (LEAST..=MOST).contains(&bytes) && bytes.is_multiple_of(16) => bytes,
        _ => return wrong("it is a multiple of 16, from 64 to 1MiB".into()),
    };
    let most = counts.iter().max().copied().unwrap_or(1);
    if mode != Mode::Message {
        return wrong("it is for --mode message".into());
    }
    if counts.contains(&1) {
        return wrong("a call has one message: --count 2 or more".into());
    }
    if bytes < longest {
        return wrong(format!("a message of {} has no room", size::format(longest)));
    }
    match bytes.checked_mul(most) {
        Some(all) if all <= size::LARGEST => Ok(bytes),
        _ => wrong(format!("{most} messages are more than 1 GiB in a call")),
    }
}

/// Each message takes a key, and is the only one in its call.
fn new_keys(tasks: &[&Task], options: &Options) -> Result<(), Usage> {
    if let Some(one) = tasks.iter().find(|task| !task.kind.sets_up()) {
        return Err(Usage(format!("--mode setup: {} takes no key", one.full_name())));
    }
    let alone = options.count.iter().all(|count| *count == 1) && options.mix.is_empty();
    match alone && options.keys == Keys::One {
        true => Ok(()),
        false => Err(Usage(
            "--mode setup: each message has its key and its call: no --count, --mix or --keys"
                .into(),
        )),
    }
}

fn peers(
    names: &[String],
    all: &'static [&'static dyn Peer],
) -> Result<Vec<&'static dyn Peer>, Usage> {
    let known = || all.iter().map(|peer| peer.name());
    for name in names.iter().filter(|name| !name.contains(':')) {
        if !known().chain(["all", "none"]).any(|known| known == name) {
            return Err(Usage(names::unknown("peer", name, known().chain(["all", "none"]))));
        }
    }
    if names.len() > 1 && names.iter().any(|name| name == "none") {
        return Err(Usage("--peers: `none` excludes others".into()));
    }
    let wanted = |name: &str| name == OURS || names.iter().any(|n| n == "all" || n == name);
    Ok(all.iter().copied().filter(|peer| wanted(peer.name())).collect())
}

/// The names of the form `KIND:PART=NAME`. A path is made absolute, so that workers find it.
fn parts(names: &[String], all: &'static [&'static dyn Peer]) -> Result<Vec<Part>, Usage> {
    let mut parts: Vec<Part> = Vec::new();
    for (kind, by) in names.iter().filter_map(|name| name.split_once(':')) {
        let having = || all.iter().copied().filter(|peer| !peer.served_by().is_empty());
        let peer = having().find(|peer| peer.name() == kind).ok_or_else(|| {
            let known: Vec<_> = having().map(|peer| peer.name()).collect();
            Usage(format!("--peers {kind}:{by}: only {} has such parts", known.join(", ")))
        })?;
        let (part, name) = by.split_once('=').unwrap_or((by, ""));
        if !peer.served_by().contains(&part) || name.is_empty() {
            let words: Vec<_> =
                peer.served_by().iter().map(|part| format!("{kind}:{part}=NAME")).collect();
            return Err(Usage(format!("--peers {kind}:{by}: it is {}", words.join(" or "))));
        }
        let name = match std::path::absolute(name) {
            Ok(path) if name.contains('/') => path.to_string_lossy().into_owned(),
            _ => name.into(),
        };
        let by = format!("{part}={name}");
        if !parts.iter().any(|known| known.peer.name() == kind && known.by == by) {
            parts.push(Part { peer, by });
        }
    }
    Ok(parts)
}

pub(super) fn masks_of(lists: &[String]) -> Result<Vec<String>, Usage> {
    unique(lists.iter().map(|list| match list.as_str() {
        "none" => Ok(String::new()),
        list => match mask(list)? {
            mask if mask.is_empty() => Err(Usage("--mask: it names no processor feature".into())),
            mask => Ok(mask),
        },
    }))
}

/// Masks, and behind them rows of tuning.
fn with_tuning(masks: Vec<String>, rows: &[String]) -> Result<Vec<String>, Usage> {
    let rows = rows.iter().map(|row| match row.as_str() {
        "none" => Ok(String::new()),
        row => Ok(format!("{TUNED}{}", tuning_row(row)?)),
    });
    unique(masks.into_iter().map(Ok).chain(rows))
}

fn backend(name: &str) -> Result<(), Usage> {
    let of_all = ropewalk::PRIMITIVES.iter().flat_map(|primitive| primitive.backends);
    // Several primitives have the same name.
    let known: BTreeSet<&str> = of_all.map(|info| info.name).collect();
    if known.contains(name) {
        return Ok(());
    }
    // There are more than a hundred.
    let nearest = names::nearest(name, &known.into_iter().collect::<Vec<_>>());
    Err(Usage(match nearest.as_slice() {
        [] => {
            format!("no backend is called `{name}`; `ropewalk doctor --backends` lists them")
        }
        nearest => names::not_called("backend", name, nearest),
    }))
}

pub(super) fn library(path: &PathBuf) -> Result<PathBuf, Usage> {
    std::fs::canonicalize(path).map_err(|e| Usage(format!("--lib {}: {e}", shown(path))))
}

pub(super) fn seconds(what: &str, seconds: f64) -> Result<f64, Usage> {
    match seconds > 0.0 && seconds <= 3600.0 {
        true => Ok(seconds),
        false => Err(Usage(format!("{what}: {seconds} is not between 0 and 3600"))),
    }
}

/// The messages of a call must fit into memory, in several copies.
fn together(sizes: &[usize], counts: &[usize]) -> Result<(), Usage> {
    if counts.contains(&0) {
        return Err(Usage("--count: a call has one message at least".into()));
    }
    let (bytes, count) = (sizes.iter().max().copied(), counts.iter().max().copied());
    let (bytes, count) = (bytes.unwrap_or(0), count.unwrap_or(0));
    match bytes.checked_mul(count) {
        Some(all) if all <= size::LARGEST => Ok(()),
        _ => Err(Usage(format!(
            "{count} messages of {} are more than 1 GiB in a call",
            size::format(bytes)
        ))),
    }
}

/// The values without repetitions, in the order given.
pub(super) fn unique<T: PartialEq>(
    values: impl Iterator<Item = Result<T, Usage>>,
) -> Result<Vec<T>, Usage> {
    let mut unique = Vec::new();
    for value in values {
        let value = value?;
        if !unique.contains(&value) {
            unique.push(value);
        }
    }
    Ok(unique)
}
