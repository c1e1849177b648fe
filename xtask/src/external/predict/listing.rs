//! The instructions of a program, as an assembler reads them and as cores take them.
//!
//! Two things that LLVM's models have wrong are put right here. Both cores make one instruction of AESE and AESMC,
//! or of AESD and AESIMC, that follow each other on one register. And an access that moves its own base is
//! one access and one addition: in the models a store hands on its base only once it has what it stores, so
//! that blocks which have nothing to do with each other seem to wait for each other.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use regex::Regex;

/// Those of a whole program, by their addresses.
pub(super) struct Listing(HashMap<u64, String>);

/// Those of a trace, in the order in which they were executed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) assembly: String,
    /// How many are not in the program, but in a library.
    pub(super) outside: usize,
}

impl Listing {
    /// From what LLVM's disassembler prints.
    pub(super) fn new(listing: &str) -> Result<Self> {
        // Where a branch goes does not matter to a model that is told what was executed.
        let target = Regex::new(r"0x[0-9a-f]+ <[^>]*>")?;
        let after = Regex::new(r"^((?:ld|st).*\[(\w+)\]), (#-?0x[0-9a-f]+)$")?;
        let before = Regex::new(r"^((?:ld|st).*\[(\w+)), (#-?0x[0-9a-f]+)\]!$")?;
        let mut instructions = HashMap::new();
        for line in listing.lines() {
            let Some((address, instruction)) = line.split_once(':') else { continue };
            let Ok(address) = u64::from_str_radix(address.trim(), 16) else { continue };
            let instruction = instruction.split("//").next().unwrap_or_default().trim();
            let instruction = target.replace(instruction, "elsewhere");
            let instruction = after.replace(&instruction, "$1\nadd\t$2, $2, $3");
            let instruction = before.replace(&instruction, "add\t$2, $2, $3\n$1]");
            instructions.insert(address, instruction.into_owned());
        }
        ensure!(!instructions.is_empty(), "the disassembler found no instruction");
        Ok(Self(instructions))
    }

    /// The text of a trace.
    pub(super) fn text(&self, trace: &[u64]) -> Text {
        let mut text = Text::default();
        let mut before = "";
        for address in trace {
            let Some(instruction) = self.0.get(address) else {
                text.outside += 1;
                continue;
            };
            if !joined(before, instruction) {
                text.assembly += instruction;
                text.assembly.push('\n');
            }
            before = instruction;
        }
        text
    }
}

/// Whether a core fuses these two instructions.
fn joined(first: &str, second: &str) -> bool {
    let words = |instruction: &str| -> Vec<String> {
        instruction
            .split([' ', '\t', ','])
            .filter(|word| !word.is_empty())
            .map(String::from)
            .collect()
    };
    let (first, second) = (words(first), words(second));
    let [name, mixed, from] = &second[..] else { return false };
    let rounds = match name.as_str() {
        "aesmc" => "aese",
        "aesimc" => "aesd",
        _ => return false,
    };
    first.len() == 3 && first[0] == rounds && first[1] == *mixed && mixed == from
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "
program:\tfile format elf64-littleaarch64

Disassembly of section .text:

0000000000010f50 <f>:
   10f50:      \taese\tv0.16b, v1.16b
   10f54:      \taesmc\tv0.16b, v0.16b
   10f58:      \taesmc\tv2.16b, v0.16b
   10f5c:      \tmov\tw8, #0x5                 // =5
   10f60:      \tb.ne\t0x10f50 <f+0x10>
";

    #[test]
    fn listing_is_what_an_assembler_reads() {
        let listing = Listing::new(PROGRAM).unwrap();
        let text = |trace: &[u64]| listing.text(trace);
        let expected = "mov\tw8, #0x5\nb.ne\telsewhere\n";
        assert_eq!(text(&[0x10f5c, 0x5, 0x10f60]), Text { assembly: expected.into(), outside: 1 });
        assert!(Listing::new("nothing").is_err());
    }

    #[test]
    fn accesses_that_move_their_base_are_two() {
        let split = |instruction: &str| {
            let listing = Listing::new(&format!("10:      \t{instruction}")).unwrap();
            listing.text(&[0x10]).assembly
        };
        assert_eq!(split("str\tq0, [x8], #0x10"), "str\tq0, [x8]\nadd\tx8, x8, #0x10\n");
        assert_eq!(split("ldr\tx0, [sp, #-0x8]!"), "add\tsp, sp, #-0x8\nldr\tx0, [sp]\n");
        assert_eq!(split("ldp\tq1, q2, [x0, #0x20]"), "ldp\tq1, q2, [x0, #0x20]\n");
    }

    #[test]
    fn rounds_on_one_register_are_one_instruction() {
        let listing = Listing::new(PROGRAM).unwrap();
        let count = |trace: &[u64]| listing.text(trace).assembly.lines().count();
        assert_eq!(count(&[0x10f50, 0x10f54]), 1);
        assert_eq!(count(&[0x10f50, 0x10f58]), 2);
        assert_eq!(count(&[0x10f54, 0x10f54]), 2);
    }
}
