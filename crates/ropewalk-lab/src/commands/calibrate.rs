//! `ropewalk calibrate`: the costs of lanes on this processor, compared with ropewalk's recorded ones.

use std::{
    hint::black_box,
    io::{self, Write},
};

use arrayvec::ArrayVec;
use clap::{ArgMatches, Args, FromArgMatches};
use comfy_table::{CellAlignment, Table};
use ropewalk::{
    Hash, HashMany, aes_cbc, aes_ccm, aes_cmac, backend::Costs, md5, sha1, sha3, sha256, sha512,
};
use serde::Serialize;

use super::{Command, Exit, Usage, World};
use crate::{
    measure::{
        clock::{Clock, TELLS_CYCLES},
        pin::{Cores, pin},
        statistics::median,
    },
    names,
    report::table::STYLE,
};

mod row;

/// `calibrate`.
pub(super) struct Calibrate;

#[derive(Debug, Args)]
struct Options {
    /// Algorithms with lanes, such as sha256; all of them, and the row of tuning, unless given
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Writes one JSON object for each, for programs
    #[arg(long)]
    json: bool,
}

impl Command for Calibrate {
    fn words(&self) -> clap::Command {
        Options::augment_args(clap::Command::new("calibrate")).about(
            "Measures from how many messages on lanes pay here, and the row of tuning of this processor",
        )
    }

    fn run(&self, given: &ArgMatches, _: &World) -> anyhow::Result<Exit> {
        let options = Options::from_arg_matches(given)?;
        let functions = functions(&options.names)?;
        pin(Cores::choose()?.workers)?;
        let clock = Clock::calibrate(None);
        let found: Vec<Found> = functions.iter().map(|f| (f.measure)(f, &clock)).collect();
        let mut out = anstream::stdout().lock();
        if options.json {
            for found in &found {
                writeln!(out, "{}", serde_json::to_string(found)?)?;
            }
            if options.names.is_empty() {
                for field in row::measure(&clock) {
                    writeln!(out, "{}", serde_json::to_string(&field)?)?;
                }
            }
        } else {
            say(&found, &mut out)?;
            if options.names.is_empty() {
                row::say(&row::measure(&clock), &mut out)?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// An algorithm with lanes.
struct Function {
    name: &'static str,
    /// The type of the library that accepts other costs.
    many: &'static str,
    measure: fn(&Self, &Clock) -> Found,
}

/// HMAC and PBKDF2 have the costs of their hash functions, and longer AES keys about those of short ones.
const FUNCTIONS: &[Function] = &[
    Function { name: "md5", many: "md5::Md5Many", measure: measure::<Hashing<md5::Md5Many>> },
    Function { name: "sha1", many: "sha1::Sha1Many", measure: measure::<Hashing<sha1::Sha1Many>> },
    Function {
        name: "sha256",
        many: "sha256::Sha256Many",
        measure: measure::<Hashing<sha256::Sha256Many>>,
    },
    Function {
        name: "sha512",
        many: "sha512::Sha512Many",
        measure: measure::<Hashing<sha512::Sha512Many>>,
    },
    Function {
        name: "sha3-256",
        many: "sha3::Sha3_256Many",
        measure: measure::<Hashing<sha3::Sha3_256Many>>,
    },
    Function { name: "aes-128-cbc", many: "aes_cbc::Many", measure: measure::<Chaining> },
    Function { name: "aes-128-ccm", many: "aes_ccm::Many", measure: measure::<Sealing> },
    Function { name: "aes-128-cmac", many: "aes_cmac::Many", measure: measure::<Tagging> },
];

fn functions(names: &[String]) -> Result<Vec<&'static Function>, Usage> {
    let known = || FUNCTIONS.iter().map(|function| function.name);
    if let Some(name) = names.iter().find(|name| !known().any(|known| known == **name)) {
        return Err(Usage(names::unknown("algorithm with lanes", name, known())));
    }
    let wanted =
        |function: &&Function| names.is_empty() || names.iter().any(|name| name == function.name);
    Ok(FUNCTIONS.iter().filter(wanted).collect())
}

/// A measured algorithm: serial messages, and as many as there are lanes in a call.
trait Subject {
    /// Bytes of a block, and the least padding of a message.
    const BLOCK: usize;
    const PADDING: usize;
    /// Blocks of a message in addition to those of its text.
    const BESIDE: usize;
    /// The library's fixed cost of each message in lanes.
    const EACH: f64;

    /// With lanes, whatever they cost.
    fn new() -> Self;
    fn backend(&self) -> &'static str;
    fn lanes(&self) -> usize;
    fn recorded() -> Costs;
    fn alone(&mut self, text: &mut [u8]);
    fn side_by_side(&mut self, texts: &mut [Vec<u8>]);
}

struct Hashing<M: HashMany> {
    one: M::One,
    many: M,
    digests: Vec<<M::One as Hash>::Digest>,
}

impl<M: HashMany> Subject for Hashing<M> {
    const BLOCK: usize = M::One::BLOCK_LEN;
    const PADDING: usize = 9;
    const BESIDE: usize = 0;
    const EACH: f64 = 0.0;

    fn new() -> Self {
        let one = M::One::default();
        let many =
            M::with_backend(M::default().backend()).expect("it is the best of this processor");
        let digests = vec![one.digest(&[]); many.lanes()];
        Self { one, many, digests }
    }
    fn backend(&self) -> &'static str {
        self.many.backend()
    }
    fn lanes(&self) -> usize {
        self.many.lanes()
    }
    fn recorded() -> Costs {
        M::costs()
    }
    fn alone(&mut self, text: &mut [u8]) {
        black_box(self.one.digest(text));
    }
    fn side_by_side(&mut self, texts: &mut [Vec<u8>]) {
        let texts: ArrayVec<&[u8], MOST> = texts.iter().map(Vec::as_slice).collect();
        self.many.digest(&texts, &mut self.digests).expect("as many of each");
        black_box(&mut self.digests);
    }
}

/// Implements it for messages with a key: serially, and as a batch in lanes.
macro_rules! with_a_key {
    (
        $Subject:ident in $module:ident, $beside:literal blocks beside its text, $each:literal for each;
        |$key:ident, $text:ident| $alone:expr;
        |$of:ident, $its:ident| $message:expr;
        |$many:ident, $messages:ident| $side_by_side:expr
    ) => {
        struct $Subject {
            key: $module::Key,
            many: $module::Many,
        }

        impl Subject for $Subject {
            const BLOCK: usize = 16;
            const PADDING: usize = 0;
            const BESIDE: usize = $beside;
            const EACH: f64 = $each;

            fn new() -> Self {
                let many = $module::Many::with_backend($module::Many::new().backend());
                let key = $module::Key::new(&[7; 16]).expect("a length of keys");
                Self { key, many: many.expect("it is the best of this processor") }
            }
            fn backend(&self) -> &'static str {
                self.many.backend()
            }
            fn lanes(&self) -> usize {
                self.many.lanes()
            }
            fn recorded() -> Costs {
                $module::Many::costs()
            }
            fn alone(&mut self, $text: &mut [u8]) {
                let $key = &self.key;
                black_box(&$alone);
            }
            fn side_by_side(&mut self, texts: &mut [Vec<u8>]) {
                let ($of, $many) = (&self.key, &self.many);
                let message = |$its| $message;
                let mut all: ArrayVec<_, MOST> =
                    texts.iter_mut().map(|text| message(text.as_mut_slice())).collect();
                let $messages = all.as_mut_slice();
                black_box(&$side_by_side);
            }
        }
    };
}

with_a_key! {
    Chaining in aes_cbc, 0 blocks beside its text, 30.0 for each;
    |key, text| key.encrypt(&[0; 16], text).expect("of whole blocks");
    |key, text| aes_cbc::Message { key, iv: &[0; 16], text };
    |many, messages| many.encrypt(messages).expect("of whole blocks")
}

with_a_key! {
    Tagging in aes_cmac, 0 blocks beside its text, 30.0 for each;
    |key, text| key.mac(text);
    |key, text| aes_cmac::Message { key, text };
    |many, messages| {
        let mut tags = [aes_cmac::Tag::default(); MOST];
        many.mac(messages, &mut tags[..messages.len()]).expect("as many of each");
        tags
    }
}

// The first block, and the one that hides the tag.
with_a_key! {
    Sealing in aes_ccm, 2 blocks beside its text, 55.0 for each;
    |key, text| key.seal(&[0; 13], &[], text).expect("not too long");
    |key, text| aes_ccm::Message { key, nonce: &[0; 13], aad: &[], text };
    |many, messages| {
        let (count, mut tags) = (messages.len(), [aes_ccm::Tag::default(); MOST]);
        many.seal(messages, &mut tags[..count]).expect("not too long");
        tags
    }
}

/// The most lanes.
const MOST: usize = 64;

/// The result for it.
#[derive(Debug, Serialize)]
struct Found {
    name: &'static str,
    many: &'static str,
    backend: &'static str,
    lanes: usize,
    unit: &'static str,
    recorded: Prices,
    /// None if there are no lanes here.
    measured: Option<Prices>,
    /// The number of messages from which on lanes are faster, as recorded and as measured.
    pay_from: Vec<PayFrom>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Prices {
    one: u32,
    step: u32,
    start: u32,
}

#[derive(Debug, Serialize)]
struct PayFrom {
    bytes: usize,
    recorded: usize,
    measured: usize,
}

impl From<Costs> for Prices {
    fn from(Costs { one, step, start }: Costs) -> Self {
        Self { one, step, start }
    }
}

/// The reported message lengths: a short one, a packet, a page.
const LENGTHS: [usize; 3] = [64, 1350, 8192];

/// Only the ratios of the costs matter: without cycles, they are in tenths of nanoseconds.
const UNIT: &str = if TELLS_CYCLES { "cycles" } else { "tenths of a nanosecond" };

fn measure<S: Subject>(function: &Function, clock: &Clock) -> Found {
    let mut subject = S::new();
    let (lanes, recorded) = (subject.lanes(), S::recorded());
    let costs = (lanes > 1).then(|| costs(&mut subject, clock));
    let pay_from = costs.iter().flat_map(|measured| {
        LENGTHS.map(|bytes| {
            let blocks = S::BESIDE + (bytes + S::PADDING).div_ceil(S::BLOCK);
            let [recorded, measured] = [&recorded, measured].map(|costs| costs.pay_from(blocks));
            PayFrom { bytes, recorded, measured }
        })
    });
    Found {
        name: function.name,
        many: function.many,
        backend: subject.backend(),
        lanes,
        unit: UNIT,
        recorded: recorded.into(),
        pay_from: pay_from.collect(),
        measured: costs.map(Prices::from),
    }
}

/// Samples of each.
const ROUNDS: usize = 31;

/// The approximate duration of a sample, in nanoseconds.
const SAMPLE: f64 = 60_000.0;

/// Additional blocks of a longer message.
const MORE: usize = 32;

fn costs<S: Subject>(subject: &mut S, clock: &Clock) -> Costs {
    let lanes = subject.lanes();
    // One block with its padding, and many more.
    let first = if S::PADDING > 0 { 1 } else { S::BLOCK };
    let lens = [first, first + MORE * S::BLOCK];
    let mut texts = lens.map(|len| vec![vec![7; len]; lanes]);
    let mut samples = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        for (long, texts) in texts.iter_mut().enumerate() {
            samples[long].extend(sample(clock, || subject.alone(black_box(&mut texts[0]))));
            samples[2 + long].extend(sample(clock, || subject.side_by_side(black_box(texts))));
        }
    }
    let [short, long, few, many] =
        samples.map(|mut all| median(&mut all).map_or(0.0, |it| it.value));
    let [block_alone, step] = [long - short, many - few].map(|more| more / MORE as f64);
    let blocks = 1.0 + S::BESIDE as f64;
    // Lanes do not have the fixed costs of a serial message.
    let besides = lanes as f64 * (S::EACH + (short - blocks * block_alone).max(0.0));
    let [one, step, start] = [block_alone, step, few - blocks * step - besides]
        .map(|cost| cost.round().clamp(0.0, 1e9) as u32);
    Costs { one, step, start }
}

/// The time of a call, if the core ran steadily.
fn sample(clock: &Clock, mut call: impl FnMut()) -> Option<f64> {
    // The first call wakes sleeping units, and determines how many make a sample.
    let first = clock.time(&mut call).max(10.0);
    let calls = (SAMPLE / first).clamp(1.0, 10_000.0) as usize;
    let span = clock.span(|| (0..calls).for_each(|_| call()));
    let unit = if TELLS_CYCLES { span.ghz? } else { 10.0 };
    Some(span.ns * unit / calls as f64)
}

fn say(found: &[Found], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(
        ["", "lanes", "one block", "in lanes", "start"]
            .into_iter()
            .map(str::to_owned)
            .chain(LENGTHS.map(|bytes| format!("pay at {bytes} B"))),
    );
    for Found { name, backend, lanes, recorded, measured, pay_from, .. } in found {
        let Some(measured) = measured else {
            table.add_row([format!("{name}  {backend}"), "none".into()]);
            continue;
        };
        for (label, Prices { one, step, start }, measured) in
            [(format!("{name}  {backend}"), recorded, false), ("  here".into(), measured, true)]
        {
            let lanes_of = if measured { String::new() } else { lanes.to_string() };
            let costs = [lanes_of, one.to_string(), step.to_string(), start.to_string()];
            let from = pay_from.iter().map(|from| {
                let from = if measured { from.measured } else { from.recorded };
                if from > *lanes { "never".to_owned() } else { format!("from {from}") }
            });
            table.add_row([label].into_iter().chain(costs).chain(from));
        }
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if i == 0 { 0 } else { 2 }, 0));
        column.set_cell_alignment(if i == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    writeln!(out, "What lanes cost, in {UNIT}: as recorded, and here")?;
    writeln!(out, "{}", table.trim_fmt())?;
    let other: Vec<_> = found.iter().filter(|found| found.differs()).collect();
    if other.is_empty() {
        return writeln!(out, "\nWhat is recorded chooses as what was measured would.");
    }
    writeln!(out, "\nWhat was measured chooses otherwise; the library takes it so:")?;
    for Found { many, measured, .. } in other {
        let Some(Prices { one, step, start }) = measured else { continue };
        writeln!(
            out,
            "  {many}::with_costs(Costs {{ one: {one}, step: {step}, start: {start} }})"
        )?;
    }
    Ok(())
}

impl Found {
    /// Whether the cost model would choose differently.
    fn differs(&self) -> bool {
        let chosen = |from: usize| from.min(self.lanes + 1);
        self.pay_from.iter().any(|from| chosen(from.recorded) != chosen(from.measured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_with_lanes_is_measured_and_said() {
        let clock = Clock::calibrate(None);
        let found: Vec<Found> = FUNCTIONS.iter().map(|f| (f.measure)(f, &clock)).collect();
        for Found { name, measured, lanes, .. } in &found {
            assert_eq!(measured.is_some(), *lanes > 1, "{name}");
        }
        let mut out = Vec::new();
        say(&found, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(FUNCTIONS.iter().all(|function| out.contains(function.name)), "{out}");
    }

    #[test]
    fn other_costs_are_told_as_the_library_takes_them() {
        let found = Found {
            name: "sha256",
            many: "sha256::Sha256Many",
            backend: "sha256/x86_64/avx2_x8",
            lanes: 8,
            unit: UNIT,
            recorded: Prices { one: 131, step: 1170, start: 300 },
            measured: Some(Prices { one: 300, step: 1170, start: 300 }),
            pay_from: vec![PayFrom { bytes: 64, recorded: 11, measured: 5 }],
        };
        let mut out = Vec::new();
        say(&[found], &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("Sha256Many::with_costs(Costs { one: 300, step: 1170, start: 300 })"));
        assert!(out.contains("never") && out.contains("from 5"), "{out}");
    }

    #[test]
    fn what_there_is_not_is_named() {
        let why = functions(&["sha257".to_owned()]).err().expect("there is none").0;
        assert!(why.contains("sha256"), "{why}");
    }
}
