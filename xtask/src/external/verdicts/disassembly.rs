//! Counts instructions with a disassembler, independently of the doctor.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::cases::Machine;
use crate::process::{self, program};

/// The doctor's name of an instruction, and the disassembler's; of several widths, that of 128 bits.
type Names = (&'static str, &'static [&'static str]);

const AARCH64: &[Names] = &[
    ("AESE", &["aese"]),
    ("AESD", &["aesd"]),
    ("SHA256H", &["sha256h"]),
    ("SHA512H", &["sha512h"]),
];

const X86: &[Names] = &[
    ("AESENC", &["aesenc", "aesenclast", "vaesenc", "vaesenclast"]),
    ("AESDEC", &["aesdec", "aesdeclast", "vaesdec", "vaesdeclast"]),
    ("SHA256RNDS2", &["sha256rnds2"]),
];

/// objdump decodes tables between functions as code, and the doctor omits isolated instructions: it may find
/// one in `FEWER` fewer, and none more.
const FEWER: u64 = 20;

/// Differences between both counts.
pub(super) fn complaints(
    objdump: &Path,
    machine: Machine,
    file: &Path,
    finding: &Value,
) -> Result<Vec<String>> {
    let names = if machine == Machine::Arm64 { AARCH64 } else { X86 };
    Ok(judge(names, &counts(objdump, names, file)?, finding))
}

fn judge(names: &[Names], counts: &[u64], finding: &Value) -> Vec<String> {
    let none = Vec::new();
    let told = finding["instructions"].as_array().unwrap_or(&none);
    let mut complaints = Vec::new();
    for ((name, _), &right) in names.iter().zip(counts) {
        let count = told.iter().find(|count| count["instruction"] == *name);
        let said = count.and_then(|count| count["count"].as_u64()).unwrap_or(0);
        if said > right || right - said > right / FEWER {
            complaints.push(format!("{said} × {name}, and objdump counts {right}"));
        }
    }
    complaints
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

/// Line by line, since the listing of a large program has some gigabytes.
fn counts_of(listing: impl BufRead, names: &[Names]) -> Result<Vec<u64>> {
    let mut counts = vec![0; names.len()];
    for line in listing.lines() {
        let line = line?;
        let Some((_, instruction)) = line.split_once('\t') else { continue };
        // The doctor has separate names for wider ones.
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
        assert_eq!(counts_of(arm.as_bytes(), AARCH64).unwrap(), [1, 0, 0, 0]);
    }

    #[test]
    fn neither_more_nor_many_fewer_will_do() {
        let complaints = |said: u64, right: u64| {
            let instructions = serde_json::json!([{ "instruction": "AESE", "count": said }]);
            let finding = serde_json::json!({ "instructions": instructions });
            judge(AARCH64, &[right, 0, 0, 0], &finding).len()
        };
        assert_eq!(complaints(100, 100), 0);
        assert_eq!(complaints(95, 100), 0);
        assert_eq!(complaints(94, 100), 1);
        assert_eq!(complaints(101, 100), 1);
        assert_eq!(complaints(1, 0), 1);
        assert_eq!(complaints(0, 1), 1);
        assert_eq!(complaints(0, 0), 0);
    }
}
