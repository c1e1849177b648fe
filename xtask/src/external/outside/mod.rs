//! `cargo xtask outside`: what benchmarks that are not ours say of the OpenSSL provider: `openssl speed` of every row it
//! serves and what its calls cost, nginx under `wrk` and `curl`, and what a record of TLS costs through libssl; with the OpenSSL
//! that is installed and with the newest, each with OpenSSL's own provider and with ours in turn.

mod calls;
mod nginx;
mod openssls;
mod records;
pub(crate) mod speed;

use std::{cell::Cell, fs, io::Write as _, path::Path};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use openssls::{Module, OpenSsl};

/// How long each is measured, and how often by either side in turn; the best counts, as a neighbour only ever costs. Of nginx
/// it is the median of pairs: what the kernel does takes most of its time, and is never the same.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Of each measurement.
    pub seconds: u32,
    /// By either side.
    pub rounds: u32,
}

/// Measures all of it, or what has one of these words in its name, and prints it; into `keep` goes what was measured, one
/// JSON object a line.
///
/// # Errors
/// Where a program is missing or fails.
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

/// What is measured of one OpenSSL.
struct Run<'a> {
    root: &'a Path,
    module: &'a Module,
    openssl: &'a OpenSsl,
    effort: Effort,
    /// Whether a row of that name is.
    wanted: &'a dyn Fn(&str) -> bool,
    kept: &'a mut Kept,
}

/// The file of what was measured, if there is one: it has what there is when something fails later.
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

/// As it calls itself.
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
