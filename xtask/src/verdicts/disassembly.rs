//! Instructions, as a disassembler counts them that knows nothing of the doctor.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::cases::Machine;
use crate::process::{self, program};

/// What the doctor calls an instruction, and what the disassembler does. Of several widths, that of 128 bits.
type Names = (&'static str, &'static [&'static str]);

const AARCH64: &[Names] = &[
    ("AESE", &["aese"]),
    ("AESD", &["aesd"]),
    ("SHA256H", &["sha256h"]),
    ("SHA512H", &["sha512h"]),
    ("EOR3", &["eor3"]),
];

const X86_64: &[Names] = &[
    ("AESENC", &["aesenc", "aesenclast", "vaesenc", "vaesenclast"]),
    ("AESDEC", &["aesdec", "aesdeclast", "vaesdec", "vaesdeclast"]),
    ("SHA256RNDS2", &["sha256rnds2"]),
];

/// Where both do not count the same.
pub(super) fn complaints(
    objdump: &Path,
    machine: Machine,
    file: &Path,
    finding: &Value,
) -> Result<Vec<String>> {
    let names = if machine == Machine::Amd64 { X86_64 } else { AARCH64 };
    let counts = counts(objdump, names, file)?;
    let none = Vec::new();
    let told = finding["instructions"].as_array().unwrap_or(&none);
    let mut complaints = Vec::new();
    for ((name, _), right) in names.iter().zip(counts) {
        let count = told.iter().find(|count| count["instruction"] == *name);
        let said = count.and_then(|count| count["count"].as_u64()).unwrap_or(0);
        if said != right {
            complaints.push(format!("{said} times {name}, and objdump counts {right}"));
        }
    }
    Ok(complaints)
}

fn counts(objdump: &Path, names: &[Names], file: &Path) -> Result<Vec<u64>> {
    let mut disassemble = program(objdump);
    disassemble.args(["-d", "--no-show-raw-insn"]).arg(file).stdout(Stdio::piped());
    let mut child = disassemble.spawn().with_context(|| process::line(&disassemble))?;
    // The listing of a large program is some gigabytes.
    let listing = BufReader::new(child.stdout.take().context("no output of objdump")?);
    let mut counts = vec![0; names.len()];
    for line in listing.lines() {
        let line = line?;
        let Some((_, instruction)) = line.split_once('\t') else { continue };
        // Wider ones have names of their own for the doctor.
        if instruction.contains("%ymm") || instruction.contains("%zmm") {
            continue;
        }
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        if let Some(at) = names.iter().position(|(_, theirs)| theirs.contains(&mnemonic)) {
            counts[at] += 1;
        }
    }
    ensure!(child.wait()?.success(), "{} failed", process::line(&disassemble));
    Ok(counts)
}
