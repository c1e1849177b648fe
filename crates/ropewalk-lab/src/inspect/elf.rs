//! One ELF file: its target, the ranges of its code, and the names of its functions.

use anyhow::{Context, Result, bail, ensure};
use object::{
    Endianness, FileKind,
    elf::{self, FileHeader32, FileHeader64},
    pod::Pod,
    read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym},
};

use super::{
    Unsupported, aarch64, abi, arm,
    evidence::Evidence,
    missing::{self, NoCode},
    riscv,
    words::{Company, State},
    x86,
};

/// The supported architectures, by their names.
pub(super) const X86_64: &str = "x86-64";
pub(super) const I386: &str = "i386";
pub(super) const AARCH64: &str = "aarch64";
pub(super) const ARM: &str = "arm";
pub(super) const RISCV64: &str = "riscv64";

/// Other processors that Linux supports, for tests.
const OTHERS: &[(elf::Machine, &str)] = &[
    (elf::EM_LOONGARCH, "LoongArch"),
    (elf::EM_MIPS, "MIPS"),
    (elf::EM_PPC, "PowerPC"),
    (elf::EM_PPC64, "64-bit PowerPC"),
    (elf::EM_RISCV, "32-bit RISC-V"),
    (elf::EM_S390, "s390"),
    (elf::EM_SPARCV9, "64-bit SPARC"),
    (elf::EM_BPF, "BPF"),
];

/// More sections than any compiler makes.
const SECTIONS: usize = 1 << 20;

/// The longest name that is examined, in bytes: a file can be made so that all names are long.
pub(super) const LONGEST: usize = 256;

/// The bytes of names that are examined beyond twice their table: a file can be made so that many symbols
/// share one long name.
pub(super) const NAMES: usize = 1 << 20;

/// The length of a name that shows whether it is a mark.
const MARK: usize = 5;

/// More marks than the largest programs have; each takes memory.
const MARKS: usize = 1 << 22;

/// The type of an ELF file.
pub(super) struct Kind {
    pub(super) architecture: &'static str,
    pub(super) form: &'static str,
}

/// Reads it, and adds its contents.
pub(super) fn read(bytes: &[u8], evidence: &mut Evidence) -> Result<Kind> {
    match FileKind::parse(bytes) {
        Ok(FileKind::Elf32) => read_class::<FileHeader32<Endianness>>(bytes, evidence),
        _ => read_class::<FileHeader64<Endianness>>(bytes, evidence),
    }
}

fn read_class<Elf>(bytes: &[u8], evidence: &mut Evidence) -> Result<Kind>
where
    Elf: FileHeader<Endian = Endianness>,
    Elf::Sym: Pod,
{
    const DAMAGED: &str = "a damaged ELF file";
    let header = Elf::parse(bytes).context(DAMAGED)?;
    let endian = header.endian().context(DAMAGED)?;
    let architecture = match (header.e_machine(endian), header.is_class_64()) {
        (elf::EM_X86_64, _) => X86_64,
        (elf::EM_386, false) => I386,
        (elf::EM_AARCH64, _) => AARCH64,
        (elf::EM_ARM, false) => ARM,
        (elf::EM_RISCV, true) => RISCV64,
        (other, _) => {
            let known = OTHERS.iter().find(|(machine, _)| *machine == other);
            let name =
                known.map_or_else(|| format!("machine {}", other.0), |(_, name)| (*name).into());
            bail!(Unsupported::Machine(name))
        }
    };
    if let Some(cut) = missing::tables_are_cut(header, endian, bytes) {
        return Ok(without(architecture, cut, evidence));
    }
    let count = header.shnum(endian, bytes).context(DAMAGED)? as usize;
    ensure!(count <= SECTIONS, "{DAMAGED}: {count} sections");
    let sections = header.sections(endian, bytes).context(DAMAGED)?;
    let segments = header.program_headers(endian, bytes).context(DAMAGED)?;
    let of_file = abi::of(architecture, header, endian, bytes, &sections, segments);
    evidence.abi = evidence.abi.max(of_file);
    if let Some(no_code) = missing::of(endian, bytes, &sections, segments) {
        return Ok(without(architecture, no_code, evidence));
    }
    evidence.objects.add(None);

    let mut marks = Vec::new();
    let mut stripped = true;
    for table in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
        let symbols = sections.symbols(endian, bytes, table).context(DAMAGED)?;
        stripped &= table != elf::SHT_SYMTAB || symbols.is_empty();
        if symbols.is_empty() {
            continue;
        }
        // Checked separately: otherwise a table of names without an end would be scanned for each of them.
        let names = sections.section(symbols.string_section()).context(DAMAGED)?;
        let names = names.data(endian, bytes).context(DAMAGED)?;
        let mut left = 2 * names.len() + NAMES;
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(endian)) {
            let at = symbol.st_name(endian);
            let start = name(names, at, MARK);
            if let (Some(state), elf::STT_NOTYPE) = (state(architecture, start), symbol.st_type()) {
                ensure!(marks.len() < MARKS, "more than {MARKS} marks of code and data");
                let section = usize::from(symbol.st_shndx(endian).0);
                marks.push((section, symbol.st_value(endian).into(), state));
            } else if matches!(
                symbol.st_type(),
                elf::STT_FUNC | elf::STT_NOTYPE | elf::STT_GNU_IFUNC
            ) && left > 0
            {
                let name = name(names, at, LONGEST);
                left = left.saturating_sub(name.len());
                evidence.functions.add(name);
                evidence.libraries.defines(name);
            }
        }
    }
    marks.sort_unstable_by_key(|(section, at, _)| (*section, *at));

    let big_endian = endian == Endianness::Big
        && !(architecture == ARM && header.e_flags(endian).contains(elf::EF_ARM_BE8));
    let mut ranges = of_sections::<Elf>(endian, &sections);
    if ranges.is_empty() {
        let executable = segments.iter().filter(|it| it.p_flags(endian).contains(elf::PF_X));
        let range = |it: &Elf::ProgramHeader| {
            let (start, size) = it.file_range(endian);
            Range { start, size, section: 0, address: 0 }
        };
        ranges = executable.map(range).collect();
    }
    ranges.sort_unstable_by_key(|range| range.start);
    let relative = header.e_type(endian) == elf::ET_REL;
    let mut behind = 0;
    for range in ranges {
        let within = |at: u64| usize::try_from(at).unwrap_or(bytes.len()).min(bytes.len());
        let (start, end) = (within(range.start), within(range.start.saturating_add(range.size)));
        // Each byte once, even if sections overlap.
        let (from, end) = (start.max(behind), end.max(behind));
        behind = end;
        let of_range = marks.partition_point(|(section, ..)| *section < range.section)
            ..marks.partition_point(|(section, ..)| *section <= range.section);
        let base = if relative { 0 } else { range.address };
        let marks = marks[of_range].iter().map(|(_, at, state)| {
            (within(range.start.saturating_add(at.saturating_sub(base))), *state)
        });
        count_code(architecture, big_endian, &bytes[..end], from, marks, evidence);
    }

    let dynamic = segments.iter().any(|it| it.p_type(endian) == elf::PT_DYNAMIC);
    let form = match (header.e_type(endian), dynamic, stripped) {
        (elf::ET_EXEC, true, false) => "a program",
        (elf::ET_EXEC, true, true) => "a program, stripped",
        (elf::ET_EXEC, false, false) => "a static program",
        (elf::ET_EXEC, false, true) => "a static program, stripped",
        (elf::ET_DYN, _, false) => "a shared library or a program",
        (elf::ET_DYN, _, true) => "a shared library or a program, stripped",
        (elf::ET_REL, ..) => "an object",
        _ => "an ELF file",
    };
    Ok(Kind { architecture, form })
}

/// A file without code.
fn without(architecture: &'static str, no_code: NoCode, evidence: &mut Evidence) -> Kind {
    let form = no_code.form();
    evidence.objects.add(Some(no_code));
    Kind { architecture, form }
}

/// A range of code.
struct Range {
    start: u64,
    size: u64,
    section: usize,
    address: u64,
}

fn of_sections<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    sections: &SectionTable<'_, Elf>,
) -> Vec<Range> {
    let executable = sections
        .enumerate()
        .filter(|(_, section)| section.sh_flags(endian).contains(elf::SHF_EXECINSTR));
    executable
        .filter_map(|(index, section)| {
            let (start, size) = section.file_range(endian)?;
            Some(Range { start, size, section: index.0, address: section.sh_addr(endian).into() })
        })
        .collect()
}

/// Counts instructions from a position to the end, range by range.
pub(super) fn count_code(
    architecture: &str,
    big_endian: bool,
    bytes: &[u8],
    from: usize,
    marks: impl Iterator<Item = (usize, State)>,
    evidence: &mut Evidence,
) {
    let counts = &mut evidence.counts;
    match architecture {
        X86_64 => return x86::count(64, &bytes[from..], counts),
        I386 => return x86::count(32, &bytes[from..], counts),
        _ => {}
    }
    let (mut company, mut companies) = (Company::default(), arm::Companies::default());
    let (mut start, mut state) = (from, State::Unknown);
    for (end, next) in marks.chain([(bytes.len(), State::Unknown)]) {
        let end = end.clamp(start, bytes.len());
        let code = &bytes[start..end];
        let at = start - from;
        evidence.constants.add_code(architecture, big_endian, code, at, state);
        match architecture {
            AARCH64 => aarch64::count(code, at, state, &mut company, counts),
            ARM => arm::count(code, at, state, big_endian, &mut companies, counts),
            _ => riscv::count(code, at, state, &mut company, counts),
        }
        (start, state) = (end, next);
    }
}

/// The state that begins at a mapping symbol of assemblers.
fn state(architecture: &str, name: &[u8]) -> Option<State> {
    // `$d.7` is `$d` too. RISC-V has its extensions in the name: `$xrv64imafdc`.
    let mark = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    match (architecture, mark) {
        (X86_64 | I386, _) => None,
        (_, b"$d") => Some(State::Data),
        (ARM, b"$a") | (AARCH64 | RISCV64, b"$x") => Some(State::Code),
        (ARM, b"$t") => Some(State::Thumb),
        (RISCV64, _) if name.starts_with(b"$xrv") => Some(State::Code),
        _ => None,
    }
}

/// The name at an offset in a table of names, up to the examined length.
fn name(names: &[u8], at: u32, longest: usize) -> &[u8] {
    let from = names.get(at as usize..).unwrap_or_default();
    let from = &from[..from.len().min(longest)];
    from.split(|byte| *byte == 0).next().unwrap_or_default()
}
