//! `cargo xtask outside`: what benchmarks that are not ours say of the OpenSSL provider: `openssl speed` of every row it
//! serves, nginx under `wrk` and `curl`, and what a record of TLS costs through libssl; with the OpenSSL that is installed
//! and with the newest, each with OpenSSL's own provider and with ours in turn.

mod nginx;
mod openssls;
mod records;
mod speed;

use std::{fs, io::Write as _, path::Path};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use openssls::{Module, OpenSsl};

/// How often each is measured by either side, in turn; the best counts, as a neighbour only ever costs.
const ROUNDS: usize = 2;

/// Measures all of it, or what has one of these words in its name, and prints it; into `keep` goes what was measured, one
/// JSON object a line.
///
/// # Errors
/// Where a program is missing or fails.
pub fn run(root: &Path, seconds: u32, only: &[String], keep: Option<&Path>) -> Result<()> {
    if let Some(file) = keep {
        ensure!(!file.exists(), "{} is there already", file.display());
    }
    let openssls = OpenSsl::all(root)?;
    let module = Module::build(root)?;
    let processor = processor();
    println!("{processor}");
    let mut kept = Kept { file: keep, lines: 0 };
    kept.add(&[json!({"processor": processor, "seconds": seconds, "rounds": ROUNDS})])?;
    let wanted = |name: &str| {
        only.is_empty() || only.iter().any(|word| name.to_lowercase().contains(word.as_str()))
    };
    for openssl in &openssls {
        println!("\n{}: ropewalk over its own provider, and MB/s", openssl.version);
        kept.add(&records::each(root, &module, openssl, seconds, &wanted)?)?;
        kept.add(&nginx::each(root, &module, openssl, seconds, &wanted)?)?;
        kept.add(&speed::rows(root, &module, openssl, seconds, &wanted)?)?;
    }
    Ok(())
}

/// The file of what was measured, which has what there is when something fails later.
struct Kept<'a> {
    file: Option<&'a Path>,
    lines: usize,
}

impl Kept<'_> {
    fn add(&mut self, lines: &[Value]) -> Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        let mut out = match self.lines {
            0 => fs::File::create_new(file)?,
            _ => fs::File::options().append(true).open(file)?,
        };
        self.lines += lines.len();
        Ok(lines.iter().try_for_each(|line| writeln!(out, "{line}"))?)
    }
}

fn processor() -> String {
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
