//! Mach-O and PE files, by the same evidence as ELF files.

use anyhow::{Context, Result, bail};
use object::{
    Architecture, BinaryFormat, Endianness, File, FileKind, Object, ObjectKind, ObjectSection,
    ObjectSymbol, SectionKind,
};

use super::{
    Finding, Unsupported,
    elf::{self, AARCH64, ARM, I386, LONGEST, NAMES, RISCV64, X86_64},
    evidence::Evidence,
    missing::NoCode,
};

/// The type of such a file.
pub(super) struct Kind {
    pub(super) architecture: &'static str,
    form: &'static str,
    pub(super) format: BinaryFormat,
}

/// Returns the contents of a file.
pub(super) fn inspect(bytes: &[u8]) -> Result<Finding> {
    let mut evidence = Evidence::default();
    let kind = read(bytes, &mut evidence)?;
    evidence.add_data(bytes);
    let form = format!("a {} {}", name(kind.format), kind.form);
    let mut found = Finding::new(kind.architecture, form, evidence);
    set_remedy(kind.format, &mut found);
    Ok(found)
}

/// Reads it, and adds its contents.
pub(super) fn read(bytes: &[u8], evidence: &mut Evidence) -> Result<Kind> {
    let is_pe = || matches!(FileKind::parse(bytes), Ok(FileKind::Pe32 | FileKind::Pe64));
    if bytes.starts_with(b"MZ") && !is_pe() {
        bail!(Unsupported::Machine("DOS, or damaged".into()));
    }
    let format = if bytes.starts_with(b"MZ") { BinaryFormat::Pe } else { BinaryFormat::MachO };
    let name = name(format);
    let file = File::parse(bytes).with_context(|| format!("a damaged {name} file"))?;
    let architecture = match file.architecture() {
        Architecture::X86_64 | Architecture::X86_64_X32 => X86_64,
        Architecture::I386 => I386,
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => AARCH64,
        Architecture::Arm => ARM,
        Architecture::Riscv64 => RISCV64,
        other => bail!(Unsupported::Machine(format!("{other:?} ({name})"))),
    };
    let no_code = count(&file, bytes, architecture, evidence);
    evidence.objects.add(no_code);
    add_names(&file, bytes.len(), evidence);
    let form = match file.kind() {
        ObjectKind::Executable => "program",
        ObjectKind::Dynamic => "library",
        ObjectKind::Relocatable => "object",
        _ => "file",
    };
    Ok(Kind { architecture, form, format })
}

fn name(format: BinaryFormat) -> &'static str {
    if format == BinaryFormat::Pe { "PE" } else { "Mach-O" }
}

/// Counts instructions in the sections of code, or returns why there are none.
fn count(
    file: &File<'_>,
    bytes: &[u8],
    architecture: &'static str,
    evidence: &mut Evidence,
) -> Option<NoCode> {
    let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
    let mut ranges: Vec<_> = code.filter_map(|section| section.file_range()).collect();
    ranges.retain(|(_, size)| *size > 0);
    if ranges.is_empty() {
        return Some(NoCode::Data);
    }
    // A debug file omits its code, which then seems to be at the header.
    ranges.retain(|(start, _)| *start > 0);
    ranges.sort_unstable();
    let Some(end) = ranges.iter().map(|(start, size)| start.saturating_add(*size)).max() else {
        return Some(NoCode::Debug);
    };
    let len = bytes.len() as u64;
    if end > len {
        return Some(NoCode::Cut { end, len });
    }
    let big = file.endianness() == Endianness::Big;
    let mut behind = 0;
    for (start, size) in ranges {
        // Each byte once, even if sections overlap.
        let (from, end) = (start.max(behind), (start + size).max(behind));
        behind = end;
        let (from, end) = (from as usize, end as usize);
        elf::count_code(architecture, big, &bytes[..end], from, [].into_iter(), evidence);
    }
    None
}

/// Adds the names of its functions. The total length of examined names is about that of the file.
fn add_names(file: &File<'_>, len: usize, evidence: &mut Evidence) {
    let mut left = 2 * len + NAMES;
    // The underscore before each name in C.
    let prefix: &[u8] = if file.format() == BinaryFormat::MachO { b"_" } else { b"" };
    let mut add = |name: &[u8]| {
        let seen = left > 0;
        left = left.saturating_sub(name.len());
        let name = name.strip_prefix(prefix).unwrap_or(name);
        evidence.functions.add(&name[..name.len().min(LONGEST)]);
        seen
    };
    let symbols = file.symbols().filter(|symbol| symbol.is_definition());
    for symbol in symbols {
        if symbol.name_bytes().is_ok_and(|name| !add(name)) {
            return;
        }
    }
    // A library for Windows has only the names of its exports.
    if file.format() == BinaryFormat::Pe {
        let mut names = file.exports().into_iter().flatten().flatten();
        let _ = names.all(|export| export.name().name().is_none_or(&mut add));
    }
}

/// Replaces a remedy for ELF files by one for such files, if the library could be built better.
pub(super) fn set_remedy(format: BinaryFormat, found: &mut Finding) {
    if found.remedy.is_none() || !found.by_instructions().0.is_bad() || found.is_all_there_is() {
        return;
    }
    let (architecture, library) = (found.architecture, found.library());
    let openssl = library.is_some_and(|library| library.starts_with("OpenSSL"));
    let target = match (format, architecture) {
        (BinaryFormat::MachO, AARCH64) => Some("darwin64-arm64"),
        (BinaryFormat::MachO, X86_64) => Some("darwin64-x86_64"),
        (BinaryFormat::Pe, X86_64) => Some("VC-WIN64A or mingw64"),
        (BinaryFormat::Pe, I386) => Some("VC-WIN32 or mingw"),
        (BinaryFormat::Pe, AARCH64) => Some("VC-CLANG-WIN64-CLANGASM-ARM"),
        _ => None,
    };
    found.remedy = Some(match target.filter(|_| openssl) {
        Some(target) => format!("build OpenSSL again by ./Configure {target}, and without no-asm"),
        None => format!(
            "if {} has code for {architecture}, build it again with that, or take a newer version",
            library.unwrap_or("its library")
        ),
    });
}
