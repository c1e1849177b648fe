//! ELF files and archives made for tests.

use object::elf;

/// The parts of an ELF file.
#[derive(Clone)]
pub(super) struct Made<'a> {
    pub(super) machine: u16,
    pub(super) wide: bool,
    pub(super) big_endian: bool,
    pub(super) flags: u32,
    pub(super) kind: u16,
    pub(super) code: &'a [u8],
    pub(super) data: &'a [u8],
    /// Names of symbols, their offsets in the code, and whether they are functions.
    pub(super) symbols: &'a [(&'a str, u64, bool)],
    /// Whether the section of code has a size and no bytes, as in separate debug files.
    pub(super) taken_out: bool,
    /// More sections without code: their names, kinds and bytes.
    pub(super) more: &'a [(&'static str, elf::SectionType, &'a [u8])],
    /// Segments: their kinds and flags, offsets, and sizes.
    pub(super) segments: &'a [(elf::ProgramType, u32, u64, u64)],
}

pub(super) const I386: u16 = 3;
pub(super) const ARM: u16 = 40;
pub(super) const AMD64: u16 = 62;
pub(super) const AARCH64: u16 = 183;
pub(super) const RISCV: u16 = 243;

/// A shared library of 64 bits.
pub(super) const LIBRARY: Made<'_> = Made {
    machine: AARCH64,
    wide: true,
    big_endian: false,
    flags: 0,
    kind: 3,
    code: &[],
    data: &[],
    symbols: &[],
    taken_out: false,
    more: &[],
    segments: &[],
};

/// The same of 32 bits.
pub(super) const NARROW: Made<'_> = Made { machine: ARM, wide: false, ..LIBRARY };

pub(super) const S_BOX: &[u8] =
    &[0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 1, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76];
pub(super) const INVERSE_S_BOX: &[u8] = &[
    0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38, 0xbf, 0x40, 0xa3, 0x9e, 0x81, 0xf3, 0xd7, 0xfb,
];
pub(super) const K256: &[u8] = &[0x98, 0x2f, 0x8a, 0x42, 0x91, 0x44, 0x37, 0x71];

pub(super) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A section under construction.
struct Section {
    name: &'static str,
    kind: u32,
    flags: u64,
    link: u32,
    entry: u64,
    bytes: Vec<u8>,
}

impl Made<'_> {
    /// The file: a header, the sections `.text`, `.rodata`, `.symtab`, `.strtab`, `.shstrtab`, and their table.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let (symbols, strings) = self.symbols();
        let section = |name, kind: elf::SectionType, flags, link, entry, bytes: &[u8]| Section {
            name,
            kind: kind.0,
            flags,
            link,
            entry,
            bytes: bytes.to_vec(),
        };
        let code = if self.taken_out { elf::SHT_NOBITS } else { elf::SHT_PROGBITS };
        let (symbol, header) = if self.wide { (24, 64) } else { (16, 52) };
        let mut sections = vec![
            section("", elf::SHT_NULL, 0, 0, 0, &[]),
            section(".text", code, 6, 0, 0, self.code),
            section(".rodata", elf::SHT_PROGBITS, 2, 0, 0, self.data),
        ];
        if !self.symbols.is_empty() {
            sections.push(section(".symtab", elf::SHT_SYMTAB, 0, 4, symbol, &symbols));
            sections.push(section(".strtab", elf::SHT_STRTAB, 0, 0, 0, &strings));
        }
        sections.extend(
            self.more.iter().map(|(name, kind, bytes)| section(name, *kind, 0, 0, 0, bytes)),
        );
        let names: String = sections.iter().map(|it| format!("{}\0", it.name)).collect();
        let names = names + ".shstrtab\0";
        sections.push(section(".shstrtab", elf::SHT_STRTAB, 0, 0, 0, names.as_bytes()));

        let mut body = Vec::new();
        let mut places = Vec::new();
        for section in &sections {
            body.resize(body.len().next_multiple_of(8), 0);
            places.push(if section.kind == 0 { 0 } else { (PLACE + body.len()) as u64 });
            body.extend(&section.bytes);
        }
        body.resize(body.len().next_multiple_of(8), 0);

        let mut file = vec![0x7f, b'E', b'L', b'F', 1 + u8::from(self.wide)];
        file.extend([1 + u8::from(self.big_endian), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        self.half(&mut file, self.kind);
        self.half(&mut file, self.machine);
        self.word(&mut file, 1);
        let table = (PLACE + body.len()) as u64;
        let (segment, entry) = if self.wide { (56, 64) } else { (32, 40) };
        let behind = table + u64::from(entry) * sections.len() as u64;
        self.wide(&mut file, 0);
        self.wide(&mut file, if self.segments.is_empty() { 0 } else { behind });
        self.wide(&mut file, table);
        self.word(&mut file, self.flags);
        let segments = self.segments.len() as u16;
        for half in
            [header, segment, segments, entry, sections.len() as u16, sections.len() as u16 - 1]
        {
            self.half(&mut file, half);
        }
        file.resize(PLACE, 0);
        file.extend(body);
        let mut name = 0;
        for (section, at) in sections.iter().zip(places) {
            self.word(&mut file, name);
            name += section.name.len() as u32 + 1;
            self.word(&mut file, section.kind);
            for value in [section.flags, 0, at, section.bytes.len() as u64] {
                self.wide(&mut file, value);
            }
            self.word(&mut file, section.link);
            self.word(&mut file, 0);
            self.wide(&mut file, 4);
            self.wide(&mut file, section.entry);
        }
        for (kind, flags, start, size) in self.segments {
            self.word(&mut file, kind.0);
            // The flags are second to last in 32-bit files.
            if self.wide {
                self.word(&mut file, *flags);
            }
            for value in [*start, 0, 0, *size, *size] {
                self.wide(&mut file, value);
            }
            if !self.wide {
                self.word(&mut file, *flags);
            }
            self.wide(&mut file, 4);
        }
        file
    }

    fn symbols(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut symbols, mut strings) = (vec![0; if self.wide { 24 } else { 16 }], vec![0]);
        for (name, at, function) in self.symbols {
            let info = if *function { 0x12 } else { 0 };
            self.word(&mut symbols, strings.len() as u32);
            if self.wide {
                symbols.extend([info, 0]);
                self.half(&mut symbols, 1);
                self.wide(&mut symbols, *at);
                self.wide(&mut symbols, 0);
            } else {
                self.wide(&mut symbols, *at);
                self.wide(&mut symbols, 0);
                symbols.extend([info, 0]);
                self.half(&mut symbols, 1);
            }
            strings.extend(name.bytes().chain([0]));
        }
        (symbols, strings)
    }

    fn half(&self, file: &mut Vec<u8>, value: u16) {
        file.extend(if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    fn word(&self, file: &mut Vec<u8>, value: u32) {
        file.extend(if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// With the width of an address.
    fn wide(&self, file: &mut Vec<u8>, value: u64) {
        match (self.wide, self.big_endian) {
            (true, true) => file.extend(value.to_be_bytes()),
            (true, false) => file.extend(value.to_le_bytes()),
            (false, _) => self.word(file, value as u32),
        }
    }
}

/// The offset of the sections.
const PLACE: usize = 64;

/// An archive of members by their names.
pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        archive.extend(header(name, bytes.len() as u64).into_bytes());
        archive.extend(*bytes);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    archive
}

/// The header of a member of that length.
pub(super) fn header(name: &str, len: u64) -> String {
    format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{len:<10}`\n", 0, 0, 0, 644)
}

/// Code for Arm64 with the instructions for AES and SHA-256, or without.
pub(crate) fn code(accelerated: bool) -> Vec<u8> {
    let aes = [0x4e28_4862, 0x4e28_6842, 0x4e28_4841, 0x4e28_6821];
    let sha = [0x5e03_4041, 0x5e03_5041, 0x5e03_6041, 0x5e28_2841];
    words(&if accelerated { [aes, sha].concat() } else { vec![0xd503_201f; 8] })
}

/// Tables of AES and SHA-256.
pub(crate) fn tables() -> Vec<u8> {
    [S_BOX, INVERSE_S_BOX, K256].concat()
}

/// A library for Arm64 of a few hundred bytes, which has the tables and that code.
pub(crate) fn library(accelerated: bool) -> Vec<u8> {
    Made { code: &code(accelerated), data: &tables(), ..LIBRARY }.bytes()
}

/// A library for a machine that is not supported.
pub(crate) fn for_s390() -> Vec<u8> {
    Made { machine: 22, big_endian: true, ..LIBRARY }.bytes()
}
