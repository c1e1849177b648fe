//! `cargo xtask predict`: how fast kernels of Arm64 should be on processors that nobody here has.
//!
//! An emulator writes down every instruction of two messages, one longer than the other. What the longer
//! takes beyond the shorter is what so many bytes take, to the instruction, and in LLVM's model of a
//! core, cycles: no loop need be found, and nothing that a kernel does now and then is left out. The model
//! knows neither caches nor how well branches are predicted.

mod listing;
mod trace;

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSymbol};

use crate::{
    expect::Model,
    process::{self, SOON},
    tools::{Arm, Llvm, Qemu},
};
use listing::Listing;

/// What is predicted for, each with what its column is called. What runs on the first runs on the second.
const CORES: [(&str, &str); 2] = [("neoverse-n1", "N1"), ("neoverse-v1", "V1")];

/// Bytes of the two messages: between them are whole steps of 256 bytes and whole blocks of SHA3-256.
const BYTES: [usize; 2] = [2048, 2048 + 17 * 256];

/// Prints a table of the kernels of Arm64.
///
/// # Errors
/// Where a tool is missing, or a result is wrong.
pub fn run(root: &Path) -> Result<()> {
    let bench = Bench::new(root)?;
    let mut known = BTreeMap::new();
    println!("\n{}, bytes of messages {BYTES:?}\n\n{HEAD}", bench.llvm.version()?);
    for line in bench.ask(&["list"])?.lines() {
        let [task, backend, plain] = line.split(' ').collect::<Vec<_>>()[..] else {
            bail!("no row: {line}");
        };
        // Several rows can be beside one loop.
        let mut predict = |name: &str| -> Result<Prediction> {
            let key = (task.to_owned(), name.to_owned());
            if !known.contains_key(&key) {
                let prediction = bench.predict(task, name);
                known.insert(key.clone(), prediction.with_context(|| format!("{task}, {name}"))?);
            }
            Ok(known[&key].clone())
        };
        let ours = predict(backend)?;
        let plain = (plain != "-").then(|| predict(plain)).transpose()?;
        println!("{}", row(task, backend, &ours, plain.as_ref()));
    }
    Ok(())
}

const HEAD: &str = "\
| a byte, *predicted* | step | instructions | N1 | V1 | obvious loop: instructions | N1 | V1 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

fn row(task: &str, backend: &str, ours: &Prediction, plain: Option<&Prediction>) -> String {
    let figures = |of: Option<&Prediction>| {
        let cycles = |core: usize| of.and_then(|of| of.cycles[core]);
        let all = [of.map(|of| of.instructions), cycles(0), cycles(1)];
        all.map(|value| value.map_or("–".into(), figure)).join(" | ")
    };
    let step = ours.step.map_or("–".into(), |bytes| bytes.to_string());
    format!("| {task}, `{backend}` | {step} | {} | {} |", figures(Some(ours)), figures(plain))
}

/// Three digits, as in the other tables.
fn figure(value: f64) -> String {
    let digits = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    match value < 1.0 {
        true => format!("{value:.3}").trim_start_matches('0').into(),
        false => format!("{value:.digits$}"),
    }
}

/// What one kernel takes for a byte of a long message.
#[derive(Clone)]
struct Prediction {
    /// Bytes after which it does the same again, where there is such a number.
    step: Option<usize>,
    instructions: f64,
    cycles: [Option<f64>; 2],
}

/// The program, and what it is looked at with.
struct Bench {
    arm: Arm,
    qemu: Qemu,
    llvm: Llvm,
    program: PathBuf,
    listing: Listing,
    /// The address of the function that the trace is cut at.
    mark: u64,
    /// The backends that each core offers.
    offered: [HashSet<&'static str>; 2],
}

impl Bench {
    /// Builds the program, which must say that all of its results are right.
    fn new(root: &Path) -> Result<Self> {
        let models = models();
        let (arm, qemu) = (Arm::get(root)?, Qemu::get(root, &models)?);
        let llvm = Llvm::get(root)?;
        let mut cargo = arm.cargo(&qemu, models[0]);
        cargo.args(["build", "--release", "--package", "ropewalk-predict"]);
        cargo.env("CARGO_TARGET_DIR", root.join("target/arm"));
        let program = process::executable(cargo.current_dir(root))?;
        let mut objdump = llvm.command("llvm-objdump");
        objdump.args(["--disassemble", "--no-show-raw-insn", "--mattr=+all"]).arg(&program);
        let listing = Listing::new(&process::output(&mut objdump, 5 * SOON)?)?;
        let mark = mark(&fs::read(&program)?)?;
        let offered = models.map(|model| model.expected(root, &[]).into_iter().collect());
        let bench = Self { arm, qemu, llvm, program, listing, mark, offered };
        bench.ask(&["check"])?;
        Ok(bench)
    }

    /// What the program answers on the newer core.
    fn ask(&self, words: &[&str]) -> Result<String> {
        let mut question = self.arm.emulated(&self.qemu, models()[1]);
        process::output(question.arg(&self.program).args(words), 5 * SOON)
    }

    fn predict(&self, task: &str, backend: &str) -> Result<Prediction> {
        // A loop of ours has no entry in the lists, and no instruction that the older core lacks.
        let runs = |core: usize| !backend.contains('/') || self.offered[core].contains(backend);
        let model = models()[usize::from(!runs(0))];
        let (short, long) = self.traces(model, task, backend)?;
        let more = (BYTES[1] - BYTES[0]) as f64;
        let texts = [self.listing.text(&short), self.listing.text(&long)];
        let outside = texts[1].outside.abs_diff(texts[0].outside);
        // A copy of the text, for one; what is elsewhere is not predicted.
        let most = 3 * (long.len() - short.len()) / 100;
        ensure!(
            outside <= most,
            "{outside} instructions are elsewhere, of which {most} are allowed"
        );
        let mut cycles = [None; 2];
        for core in (0..CORES.len()).filter(|core| runs(*core)) {
            let [short, long] =
                [&texts[0], &texts[1]].map(|text| self.cycles(CORES[core].0, &text.assembly));
            cycles[core] = Some((long? as f64 - short? as f64) / more);
        }
        Ok(Prediction {
            step: trace::step(&short, &long, BYTES[1] - BYTES[0]),
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
    fn traces(&self, model: &Model, task: &str, backend: &str) -> Result<(Vec<u64>, Vec<u64>)> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        let mut run = self.arm.emulated(&self.qemu, model);
        run.args(["-one-insn-per-tb", "-d", "nochain,exec", "-D"]).arg(&log);
        run.arg(&self.program).args(["run", task, backend]).args(BYTES.map(|n| n.to_string()));
        let at = process::output(&mut run, 5 * SOON)?;
        let at = at.trim().strip_prefix("0x").context("the program does not say where it is")?;
        let at = u64::from_str_radix(at, 16)?;
        trace::between(BufReader::new(File::open(log)?), at, self.mark)
    }
}

fn models() -> [&'static Model; 2] {
    CORES.map(|(name, _)| Model::named(name).expect("a model"))
}

fn mark(program: &[u8]) -> Result<u64> {
    let file = object::File::parse(program)?;
    let is_mark =
        |name: &str| format!("{:#}", rustc_demangle::demangle(name)) == "ropewalk_predict::mark";
    let symbol = file.symbols().find(|symbol| symbol.name().is_ok_and(is_mark));
    Ok(symbol.context("the program has no mark")?.address())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        assert_eq!([0.6254, 1.3, 12.34, 123.4].map(figure), [".625", "1.30", "12.3", "123"]);
    }

    #[test]
    fn rows_say_what_there_is_not() {
        let ours = Prediction { step: Some(64), instructions: 2.5, cycles: [None, Some(0.5)] };
        assert_eq!(row("t", "p/b", &ours, None), "| t, `p/b` | 64 | 2.50 | – | .500 | – | – | – |");
    }
}
