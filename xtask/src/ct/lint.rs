//! Finds instructions in machine code whose time or addresses depend on their operands.
//!
//! A division takes longer for some numbers than for others, and a gather reads a table at indices in lanes. No operand of such
//! an instruction may be a secret: each has its reason in [`ALLOWED`]. `cargo xtask ct` also traces the operands.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Result, bail, ensure};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use crate::stage::CannotRun;

/// Functions that may have such an instruction, by a part of their names, and why its operands are public.
const ALLOWED: &[(&str, &str)] = &[
    ("ropewalk::hashes::many::", COSTS),
    ("::many::Many::choose", COSTS),
    ("::many::worth", COSTS),
    ("Many::with_costs", COSTS),
    ("many::Many::new", COSTS),
    ("ropewalk::public::eights::pays_from", COSTS),
    ("ropewalk::hashes::sha3::", "the length of a piece by the rate of the sponge"),
    ("ropewalk::tls::cbc_hmac::many::", "how many records of one length there are"),
    (
        "ropewalk::aes::bitsliced::SlicedKeys::expand",
        "the number of a round key by the length of the key",
    ),
    ("::known::", "known answers, which are public"),
    ("vaes512_x16", "a gather of blocks at the addresses of texts"),
    ("ropewalk::public::rsa::generate::candidate", "the size of a number by that of a chunk"),
    ("ropewalk_xts_encrypt_sectors", LENGTH),
    ("ropewalk_xts_decrypt_sectors", LENGTH),
];

const COSTS: &str = "the cost model, of lengths and counts";
const LENGTH: &str = "the length of a text by that of a sector";

/// Code of Rust's runtime, which runs when a program panics.
const OF_RUST: &[&str] =
    &["core::", "std::", "alloc::", "gimli::", "addr2line::", "rustc_demangle::"];

/// The leaks of the harness that must be found, where the code is for this architecture.
const PLANTED: &[(&str, &str)] = &[
    ("ropewalk_ct::planted::division", "div"),
    ("ropewalk_ct::planted::x86_64::gather::", "vpgatherdd"),
    ("ropewalk_ct::planted::x86_64::gather_512::", "vpgatherqq"),
];

/// The share of the code, in per cent, that symbols must cover.
const KNOWN: u64 = 90;

/// A function, and an instruction that it has.
type Found = (String, String);

/// Checks a library, and that the leaks planted in a harness are found.
///
/// # Errors
/// Fails if a function has such an instruction without a reason, or a planted one is not found.
pub(super) fn run(library: &Path, harness: &Path) -> Result<()> {
    let in_harness = found(&fs::read(harness)?)?;
    for (function, instruction) in PLANTED {
        let is_it = |(name, has): &Found| name.contains(function) && has == instruction;
        ensure!(in_harness.iter().any(is_it), "{instruction} in {function} is not found");
        println!("found {instruction} in {function}");
    }
    let found = found(&fs::read(library)?)?;
    let (allowed, other): (Vec<_>, Vec<_>) =
        found.iter().partition(|(name, _)| reason(name).is_some());
    println!("{} functions with a division or a gather, each with its reason", allowed.len());
    if !other.is_empty() {
        let lines: Vec<_> = other.iter().map(|(name, has)| format!("{has} in {name}")).collect();
        bail!("no reason is known for\n{}", lines.join("\n"));
    }
    for (part, reason) in ALLOWED {
        if !found.iter().any(|(name, _)| name.contains(part)) {
            println!("not found: {part} ({reason})");
        }
    }
    Ok(())
}

fn reason(function: &str) -> Option<&'static str> {
    let of_rust = OF_RUST.iter().any(|start| function.trim_start_matches('<').starts_with(start));
    let listed = ALLOWED.iter().find(|(part, _)| function.contains(part));
    listed.map(|(_, reason)| *reason).or_else(|| of_rust.then_some("a panic"))
}

/// Every function with such an instruction.
fn found(file: &[u8]) -> Result<BTreeSet<Found>> {
    let file = object::File::parse(file)?;
    let decode = match file.architecture() {
        Architecture::X86_64 => in_x86_64,
        Architecture::Aarch64 => in_aarch64,
        other => return Err(CannotRun(format!("no decoder for {other:?}")).into()),
    };
    let (mut found, mut all, mut known) = (BTreeSet::new(), 0, 0);
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let (code, start) = (section.data()?, section.address());
        all += section.size();
        let mut until = 0;
        let mut functions: Vec<_> = file
            .symbols()
            .filter(|symbol| {
                symbol.kind() == SymbolKind::Text && symbol.section_index() == Some(section.index())
            })
            .collect();
        functions.sort_by_key(|symbol| symbol.address());
        for symbol in functions {
            let from = (symbol.address() - start) as usize;
            let Some(code) = code.get(from..from + symbol.size() as usize) else { continue };
            let has = decode(code);
            if !has.is_empty() {
                let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
                found.extend(has.into_iter().map(|has| (name.clone(), has)));
            }
            let end = symbol.address() + symbol.size();
            known += end.saturating_sub(symbol.address().max(until));
            until = until.max(end);
        }
    }
    ensure!(known * 100 >= all * KNOWN, "symbols name {known} of {all} bytes of code");
    Ok(found)
}

fn in_x86_64(code: &[u8]) -> BTreeSet<String> {
    let is_listed = |instruction: &Instruction| {
        matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) || instruction.is_vsib()
    };
    let decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let listed = decoder.into_iter().filter(is_listed);
    listed.map(|instruction| format!("{:?}", instruction.mnemonic()).to_lowercase()).collect()
}

fn in_aarch64(code: &[u8]) -> BTreeSet<String> {
    let (words, _) = code.as_chunks();
    // `UDIV` and `SDIV` of the general registers: data processing of two sources, opcodes 2 and 3.
    let is_division = |word: &&[u8; 4]| u32::from_le_bytes(**word) & 0x7fe0_f800 == 0x1ac0_0800;
    words.iter().filter(is_division).map(|_| "udiv or sdiv".into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_and_gathers_are_found() {
        // div ecx; vpgatherdd xmm0, [rax + xmm1 * 4], xmm2; and add eax, ecx, which is neither.
        assert_eq!(in_x86_64(&[0xf7, 0xf1]), ["div".to_owned()].into());
        let gather = [0xc4, 0xe2, 0x69, 0x90, 0x04, 0x88];
        assert_eq!(in_x86_64(&gather), ["vpgatherdd".to_owned()].into());
        assert!(in_x86_64(&[0x01, 0xc8]).is_empty());
        // udiv x0, x1, x2; sdiv w0, w1, w2; and lsl x0, x1, x2.
        for (word, is_division) in
            [(0x9ac2_0820, true), (0x1ac2_0c20, true), (0x9ac2_2020_u32, false)]
        {
            assert_eq!(!in_aarch64(&word.to_le_bytes()).is_empty(), is_division, "{word:x}");
        }
    }

    #[test]
    fn reasons_are_for_the_functions_they_name() {
        assert_eq!(reason("ropewalk::hashes::many::begin::begin"), Some(COSTS));
        assert_eq!(reason("<core::cell::once::OnceCell<u8>>::try_init"), Some("a panic"));
        assert_eq!(reason("ropewalk::aeads::aes_gcm::key::Key::new"), None);
        assert_eq!(reason("core_of_something"), None);
    }
}
