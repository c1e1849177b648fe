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

const X86: &[Names] = &[
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
    let names = if machine == Machine::Arm64 { AARCH64 } else { X86 };
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
    let listing = BufReader::new(child.stdout.take().context("no output of objdump")?);
    let counts = counts_of(listing, names)?;
    ensure!(child.wait()?.success(), "{} failed", process::line(&disassemble));
    Ok(counts)
}

/// Line by line, for the listing of a large program is some gigabytes.
fn counts_of(listing: impl BufRead, names: &[Names]) -> Result<Vec<u64>> {
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
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_counted_by_name_and_width() {
        let x86 = "
000010 <f>:
  10:\taesenc %xmm1,%xmm0
  15:\tvaesenclast %xmm2,%xmm1,%xmm0
  1a:\tvaesenc %ymm2,%ymm1,%ymm0
  1f:\tvaesenc %zmm2,%zmm1,%zmm0
  25:\taesenclast (%rsi),%xmm0
  2a:\tsha256rnds2 %xmm0,%xmm1,%xmm2
  2e:\tret
";
        assert_eq!(counts_of(x86.as_bytes(), X86).unwrap(), [3, 0, 1]);
        let arm = "  10:\taese\tv0.16b, v1.16b\n  14:\taesmc\tv0.16b, v0.16b\n  18:\tsha256h2\tq0, q1, v2.4s\n";
        assert_eq!(counts_of(arm.as_bytes(), AARCH64).unwrap(), [1, 0, 0, 0, 0]);
    }
}
