//! `cargo xtask outside`: foreign benchmarks of the OpenSSL provider. `openssl speed` of every row that it serves and the cost
//! of its calls, nginx under `wrk` and `curl`, and the cost of a TLS record through libssl; with the installed OpenSSL and the
//! newest, each with OpenSSL's own provider and with ours in turn.

mod calls;
mod nginx;
mod openssls;
mod records;
pub(crate) mod speed;

use std::{cell::Cell, fs, io::Write as _, path::Path};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use openssls::{Module, OpenSsl};

/// The duration of each measurement, and the number of rounds. Sides alternate, and the best round counts, since neighbours only
/// add time. For nginx the median of pairs counts: most of its time is the kernel's, and varies.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Seconds of each measurement.
    pub seconds: u32,
    /// Measurements of each side.
    pub rounds: u32,
}

/// Measures all rows, or those with one of these words in their name, and prints them. `keep` receives the measurements, one
/// JSON object per line.
///
/// # Errors
/// Fails if a program is missing or fails.
pub fn run(root: &Path, effort: Effort, only: &[String], keep: Option<&Path>) -> Result<()> {
    let mut kept = Kept::create(keep)?;
    let openssls = OpenSsl::all(root)?;
    let module = Module::build(root)?;
    let processor = processor();
    println!("{processor}");
    kept.add(&json!({"processor": processor, "seconds": effort.seconds, "rounds": effort.rounds}))?;
    let only: Vec<String> = only.iter().map(|word| word.to_lowercase()).collect();
    let found = Cell::new(only.is_empty());
    let wanted = |name: &str| {
        let name = name.to_lowercase();
        let wanted = only.is_empty() || only.iter().any(|word| name.contains(word.as_str()));
        found.set(found.get() || wanted);
        wanted
    };
    for openssl in &openssls {
        println!("\n{}: ropewalk over its own provider, and MB/s", openssl.version);
        let run =
            &mut Run { root, module: &module, openssl, effort, wanted: &wanted, kept: &mut kept };
        calls::each(run)?;
        records::each(run)?;
        nginx::each(run)?;
        speed::rows(run)?;
    }
    ensure!(found.get(), "no row has one of these words: {}", only.join(", "));
    Ok(())
}

/// The measurements with one OpenSSL.
struct Run<'a> {
    root: &'a Path,
    module: &'a Module,
    openssl: &'a OpenSsl,
    effort: Effort,
    /// Whether the row of that name is selected.
    wanted: &'a dyn Fn(&str) -> bool,
    kept: &'a mut Kept,
}

/// The file of measurements, if any. Each is written at once, so that a later failure does not lose it.
pub(crate) struct Kept(Option<fs::File>);

impl Kept {
    /// A new one, or none.
    pub(crate) fn create(keep: Option<&Path>) -> Result<Self> {
        if let Some(file) = keep {
            ensure!(!file.exists(), "{} is there already", file.display());
        }
        Ok(Self(keep.map(fs::File::create_new).transpose()?))
    }

    pub(crate) fn add(&mut self, line: &Value) -> Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        Ok(writeln!(file, "{line}")?)
    }
}

/// The name that the processor reports.
pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line =
            info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned())).unwrap_or_default()
    };
    format!("{}, family {}, model {}", field("model name"), field("cpu family"), field("model"))
}

/// A certificate and its key, in a folder.
fn certificate(folder: &Path) -> Result<()> {
    let mut make = crate::process::program("openssl");
    make.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]);
    make.args(["-days", "30", "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "cert.pem"]);
    crate::process::output(make.current_dir(folder), crate::process::SOON).map(drop)
}
