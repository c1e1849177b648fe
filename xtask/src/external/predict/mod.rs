//! `cargo xtask predict`: how fast kernels of Arm64 should be on processors that are not here.
//!
//! An emulator writes down every instruction of two messages, one longer than the other. What the longer
//! takes beyond the shorter is what so many bytes take, to the instruction, and in LLVM's model of a
//! core, cycles: no loop need be found, and nothing that a kernel does now and then is left out. The model
//! knows neither caches nor how well branches are predicted.

mod listing;
mod table;
mod trace;

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::{BufReader, Write},
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSymbol};

use crate::{
    expect::Model,
    process::{self, SOON},
    tools::{Libc, Llvm, Qemu, Target, Toolchain},
};
use listing::Listing;

/// A processor that is predicted for.
struct Core {
    /// What LLVM calls it.
    name: &'static str,
    /// What its column is called.
    column: &'static str,
    /// One with the same backends, which the emulator has.
    model: &'static str,
}

const OLDER: &str = "neoverse-n1";
/// It has what the older one lacks: SHA-3, SHA-512.
const NEWER: &str = "neoverse-v1";

/// From old to new within a row: what runs on the first runs on all.
const CORES: [Core; 4] = [
    Core { name: "neoverse-n1", column: "N1", model: OLDER },
    Core { name: "neoverse-n2", column: "N2", model: NEWER },
    Core { name: "neoverse-v1", column: "V1", model: NEWER },
    Core { name: "neoverse-v2", column: "V2", model: NEWER },
];

/// What is worth a table with the instructions and without them: the task, what has them, what does without, and
/// what is plain.
const SWITCHED: &[(&str, [&str; 3])] = &[
    ("aes-128-cbc/encrypt", ["aes_cbc/aarch64/aes", "aes_cbc/aarch64/neon", "aes_cbc/portable"]),
    ("aes-128-cbc/decrypt", ["aes_cbc/aarch64/aes", "aes_cbc/aarch64/neon", "aes_cbc/portable"]),
    ("aes-128-ctr/encrypt", ["aes_ctr/aarch64/aes", "aes_ctr/aarch64/neon", "aes_ctr/portable"]),
    ("aes-128-gcm/seal", ["aes_gcm/aarch64/aes", "aes_gcm/aarch64/neon", "aes_gcm/portable"]),
    ("sha256/digest", ["sha256/aarch64/sha2", "sha256/portable", "sha256/portable"]),
];

/// Bytes of the two messages: between them are whole steps of 256 bytes and whole blocks of SHA3-256.
const BYTES: [usize; 2] = [2048, 2048 + 17 * 256];

/// The same for AES in plain words, which takes hundreds of instructions a byte.
const FEWER: [usize; 2] = [512, 512 + 4 * 256];

/// Prints a table of what the instructions of Arm64 are worth, and one of all kernels; `keep` names a file that is
/// to have both.
///
/// # Errors
/// Where a tool is missing, a result is wrong, or there is such a file.
pub fn run(root: &Path, keep: Option<&Path>) -> Result<()> {
    if let Some(path) = keep {
        ensure!(!path.exists(), "{} is there already", path.display());
    }
    let bench = Bench::new(root)?;
    let mut known = BTreeMap::new();
    // Several rows can be beside one loop.
    let mut predict = |task: &str, name: &str| -> Result<Prediction> {
        let key = (task.to_owned(), name.to_owned());
        if !known.contains_key(&key) {
            let prediction = bench.predict(task, name);
            known.insert(key.clone(), prediction.with_context(|| format!("{task}, {name}"))?);
        }
        Ok(known[&key].clone())
    };
    let mut kept = String::from(HEAD);
    let mut say = |line: &str| {
        println!("{line}");
        kept.push_str(line);
        kept.push('\n');
    };
    say(&format!("{}, bytes of messages {BYTES:?}\n\n{}", bench.llvm.version()?, table::SWITCHED));
    for (task, names) in SWITCHED {
        let mut three = Vec::new();
        for name in names {
            three.push(predict(task, name)?);
        }
        table::switched(task, &three).iter().for_each(|line| say(line));
    }
    say(&format!("\n{}", table::kernels()));
    for line in bench.ask(&["list"])?.lines() {
        let [task, backend, plain] = line.split(' ').collect::<Vec<_>>()[..] else {
            bail!("no row: {line}");
        };
        let ours = predict(task, backend)?;
        let plain = (plain != "-").then(|| predict(task, plain)).transpose()?;
        say(&table::row(task, backend, &ours, plain.as_ref()));
    }
    match keep {
        Some(path) => create(path, &kept),
        None => Ok(()),
    }
}

/// What a file that is kept begins with.
const HEAD: &str =
    "# Arm64, predicted\n\n**Nothing here was measured.** BENCHMARKS.md says what it is.\n\n";

/// An existing file is never overwritten.
fn create(path: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut file =
        File::create_new(path).with_context(|| format!("cannot make {}", path.display()))?;
    Ok(file.write_all(text.as_bytes())?)
}

/// What one kernel takes for a byte of a long message.
#[derive(Clone)]
struct Prediction {
    /// Bytes after which it does the same again, where there is such a number.
    step: Option<usize>,
    instructions: f64,
    cycles: [Option<f64>; CORES.len()],
}

/// The program, and what it is looked at with.
struct Bench {
    toolchain: Toolchain,
    qemu: Qemu,
    llvm: Llvm,
    program: PathBuf,
    listing: Listing,
    /// The address of the function that the trace is cut at.
    mark: u64,
    /// The backends that each core offers.
    offered: Vec<HashSet<String>>,
}

impl Bench {
    /// Builds the program, which must say that all of its results are right.
    fn new(root: &Path) -> Result<Self> {
        let models = [OLDER, NEWER].map(model);
        let toolchain = Toolchain::get(root, Target::named("aarch64")?, Libc::Packaged)?;
        let qemu = Qemu::get(root, &models)?;
        let llvm = Llvm::get(root, &CORES.map(|core| core.name))?;
        let mut cargo = toolchain.cargo();
        cargo.args(["build", "--release", "--package", "ropewalk-predict"]);
        cargo.env("CARGO_TARGET_DIR", root.join("target/emulated"));
        let program = process::executable(cargo.current_dir(root))?;
        let mut objdump = llvm.command("llvm-objdump");
        objdump.args(["--disassemble", "--no-show-raw-insn", "--mattr=+all"]).arg(&program);
        let listing = Listing::new(&process::output(&mut objdump, 5 * SOON)?)?;
        let mark = mark(&fs::read(&program)?)?;
        let offered = CORES
            .iter()
            .map(|core| Ok(model(core.model).expected(root, &[])?.into_iter().collect()));
        let offered = offered.collect::<Result<_>>()?;
        let bench = Self { toolchain, qemu, llvm, program, listing, mark, offered };
        bench.ask(&["check"])?;
        Ok(bench)
    }

    /// What the program answers on the newer core.
    fn ask(&self, words: &[&str]) -> Result<String> {
        let mut question = self.toolchain.emulated(&self.qemu, model(NEWER));
        process::output(question.arg(&self.program).args(words), 5 * SOON)
    }

    fn predict(&self, task: &str, backend: &str) -> Result<Prediction> {
        // A loop of ours has no entry in the lists, and no instruction that the older core lacks.
        let runs = |core: usize| !backend.contains('/') || self.offered[core].contains(backend);
        let model = model(if runs(0) { OLDER } else { NEWER });
        let slow = task.starts_with("aes") && backend.ends_with("/portable");
        let bytes = if slow { FEWER } else { BYTES };
        let (short, long) = self.traces(model, task, backend, bytes)?;
        let more = (bytes[1] - bytes[0]) as f64;
        let texts = [self.listing.text(&short), self.listing.text(&long)];
        let outside = texts[1].outside.abs_diff(texts[0].outside);
        // For example a copy of the text by a library; code outside of the program is not predicted.
        let most = 3 * (long.len() - short.len()) / 100;
        ensure!(
            outside <= most,
            "{outside} instructions are elsewhere, of which {most} are allowed"
        );
        // Models are slow.
        let cycles = &|core: usize| {
            let [short, long] =
                [&texts[0], &texts[1]].map(|text| self.cycles(CORES[core].name, &text.assembly));
            anyhow::Ok((long? as f64 - short? as f64) / more)
        };
        let cores: [usize; CORES.len()] = std::array::from_fn(|core| core);
        let predicted = thread::scope(|scope| {
            let started = cores.map(|core| runs(core).then(|| scope.spawn(move || cycles(core))));
            started.map(|thread| thread.map(|thread| thread.join().expect("no panic")))
        });
        let mut cycles = [None; CORES.len()];
        for (cycles, predicted) in cycles.iter_mut().zip(predicted) {
            *cycles = predicted.transpose()?;
        }
        Ok(Prediction {
            step: trace::step(&short, &long, bytes[1] - bytes[0]),
            instructions: (long.len() - short.len()) as f64 / more,
            cycles,
        })
    }

    fn cycles(&self, core: &str, assembly: &str) -> Result<u64> {
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("message.s");
        fs::write(&source, assembly)?;
        self.llvm.cycles(core, &source, 1)
    }

    /// The addresses of the instructions that the messages take, as they are in the program's file.
    fn traces(
        &self,
        model: &Model,
        task: &str,
        backend: &str,
        bytes: [usize; 2],
    ) -> Result<(Vec<u64>, Vec<u64>)> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        let mut run = self.toolchain.emulated(&self.qemu, model);
        run.args(["-one-insn-per-tb", "-d", "nochain,exec", "-D"]).arg(&log);
        run.arg(&self.program).args(["run", task, backend]).args(bytes.map(|n| n.to_string()));
        let at = process::output(&mut run, 5 * SOON)?;
        let at = at.trim().strip_prefix("0x").context("the program does not say where it is")?;
        let at = u64::from_str_radix(at, 16)?;
        trace::between(BufReader::new(File::open(log)?), at, self.mark)
    }
}

fn model(name: &str) -> &'static Model {
    Model::named(name).expect("a model")
}

fn mark(program: &[u8]) -> Result<u64> {
    let file = object::File::parse(program)?;
    let is_mark =
        |name: &str| format!("{:#}", rustc_demangle::demangle(name)) == "ropewalk_predict::mark";
    let symbol = file.symbols().find(|symbol| symbol.name().is_ok_and(is_mark));
    Ok(symbol.context("the program has no mark")?.address())
}
