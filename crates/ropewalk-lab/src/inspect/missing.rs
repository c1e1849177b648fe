//! Files, and members of archives, without code to examine.

use object::{
    Endianness, elf,
    read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable},
};

/// Why there is no code to examine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoCode {
    /// Its code was removed, and debug information was left.
    Debug,
    /// Only GCC's intermediate code.
    Gcc,
    /// Only LLVM's intermediate code.
    Llvm,
    /// It is truncated: its stated length, and its actual length.
    Cut { end: u64, len: u64 },
    /// It has only data, like objects of tables: nothing is missing.
    Data,
}

impl NoCode {
    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Debug => {
                "a separate debug file, whose code is in the file that it was split from".into()
            }
            Self::Gcc => {
                "intermediate code of GCC (LTO), which becomes machine code when it is linked"
                    .into()
            }
            Self::Llvm => "LLVM bitcode (LTO), which becomes machine code when it is linked".into(),
            Self::Cut { end, len } => {
                format!("cut short: its headers speak of {end} bytes, and {len} are there")
            }
            Self::Data => "data, and no code".into(),
        }
    }

    /// The description of such a file.
    pub(super) fn form(&self) -> &'static str {
        match self {
            Self::Debug => "a separate debug file",
            Self::Gcc => "an object of GCC's intermediate code",
            Self::Llvm => "an object of LLVM bitcode",
            Self::Cut { .. } => "an ELF file that is cut short",
            Self::Data => "an ELF file without code",
        }
    }
}

/// The number of examined objects, and which of them have no code.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) count: usize,
    /// Each reason, with its number of objects; data is not a reason if there are others.
    pub(super) without: Vec<(NoCode, usize)>,
}

impl Objects {
    /// Adds one.
    pub(super) fn add(&mut self, no_code: Option<NoCode>) {
        self.count += 1;
        let Some(no_code) = no_code else { return };
        // The first truncated one is named.
        let same =
            |known: &NoCode| std::mem::discriminant(known) == std::mem::discriminant(&no_code);
        match self.without.iter_mut().find(|(known, _)| same(known)) {
            Some((_, count)) => *count += 1,
            None => self.without.push((no_code, 1)),
        }
    }

    /// Whether none of them has code.
    pub(super) fn have_none(&self) -> bool {
        self.count > 0 && self.without.iter().map(|(_, count)| count).sum::<usize>() == self.count
    }

    /// Whether they have only data, and are complete.
    pub(super) fn have_data_alone(&self) -> bool {
        self.have_none() && self.without.iter().all(|(why, _)| *why == NoCode::Data)
    }

    /// Why some of them could not be examined, if any: those with only data could.
    pub(super) fn why(&self) -> Option<String> {
        let of_data = |why: &NoCode| *why == NoCode::Data;
        let only_data = self.have_data_alone();
        let missing = self.without.iter().filter(|(why, _)| only_data || !of_data(why));
        let said: Vec<String> = missing
            .map(|(why, count)| match self.count {
                1 => why.words(),
                _ => format!("{count} of {} objects: {}", self.count, why.words()),
            })
            .collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// Whether bytes are LLVM bitcode, raw or in its wrapper.
pub(super) fn is_bitcode(start: &[u8]) -> bool {
    start.starts_with(b"BC\xc0\xde") || start.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

/// Whether the tables of sections and segments are past the end.
pub(super) fn tables_are_cut<Elf: FileHeader<Endian = Endianness>>(
    header: &Elf,
    endian: Endianness,
    bytes: &[u8],
) -> Option<NoCode> {
    let table = |at: u64, count: u16, entry: u16| match at {
        0 => 0,
        // Without a count, the first section has it.
        at => at.saturating_add(u64::from(count.max(1)) * u64::from(entry)),
    };
    let sections =
        table(header.e_shoff(endian).into(), header.e_shnum(endian), header.e_shentsize(endian));
    let segments = match header.e_phnum(endian) {
        0 => 0,
        count => table(header.e_phoff(endian).into(), count, header.e_phentsize(endian)),
    };
    cut(sections.max(segments), bytes)
}

fn cut(end: u64, bytes: &[u8]) -> Option<NoCode> {
    let len = bytes.len() as u64;
    (end > len).then_some(NoCode::Cut { end, len })
}

/// Why an ELF file with complete tables has no code, if it has none.
pub(super) fn of<Elf: FileHeader<Endian = Endianness>>(
    endian: Endianness,
    bytes: &[u8],
    sections: &SectionTable<'_, Elf>,
    segments: &[Elf::ProgramHeader],
) -> Option<NoCode> {
    let (mut there, mut elsewhere, mut end, mut lto) = (0_u64, 0_u64, 0_u64, false);
    for section in sections.iter() {
        let kind = section.sh_type(endian);
        let size: u64 = section.sh_size(endian).into();
        let is_code = section.sh_flags(endian).contains(elf::SHF_EXECINSTR);
        if kind == elf::SHT_NULL {
            continue;
        }
        if kind == elf::SHT_NOBITS {
            elsewhere = elsewhere.saturating_add(if is_code { size } else { 0 });
            continue;
        }
        there = there.saturating_add(if is_code { size } else { 0 });
        end = end.max(section.sh_offset(endian).into().saturating_add(size));
        let name = sections.section_name(endian, section).unwrap_or_default();
        lto |= name.starts_with(b".gnu.lto_");
    }
    if elsewhere > there {
        // Its segments may still be described as before.
        return Some(NoCode::Debug);
    }
    let has_sections = sections.len() > 1;
    for segment in segments.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD) {
        let (start, size) = segment.file_range(endian);
        end = end.max(start.saturating_add(size));
        if !has_sections && segment.p_flags(endian).contains(elf::PF_X) {
            there = there.saturating_add(size);
        }
    }
    cut(end, bytes).or(match (there, lto) {
        (0, true) => Some(NoCode::Gcc),
        (0, false) => Some(NoCode::Data),
        _ => None,
    })
}
