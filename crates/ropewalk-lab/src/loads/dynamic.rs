//! The requests of an ELF file to the loader.

use std::{fs::File, io, path::Path};

use anyhow::{Context as _, Result, ensure};
use object::{
    Endianness, FileKind,
    elf::{self, FileHeader32, FileHeader64},
    read::{
        ReadCache, ReadRef,
        elf::{Dyn as _, FileHeader, ProgramHeader},
    },
};

/// The requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dynamic {
    /// Its processor, and the width of its addresses.
    pub(super) machine: Machine,
    /// The loader that starts it, if it is a program.
    pub(super) interpreter: Option<Vec<u8>>,
    /// The names of the libraries that it needs.
    pub(super) needed: Vec<Vec<u8>>,
    /// The name by which other files refer to it.
    pub(super) soname: Option<Vec<u8>>,
    /// The search path for its libraries, and for those that they need.
    pub(super) rpath: Option<Vec<u8>>,
    /// The search path for its libraries only.
    pub(super) runpath: Option<Vec<u8>>,
}

/// The properties that all files of one program share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) number: u16,
    pub(super) is_64: bool,
    pub(super) is_big: bool,
}

/// More than any linker writes: bytes of the table, and names of libraries.
const TABLE: u64 = 1 << 20;
const NEEDED: usize = 4096;

/// The longest string that is read.
const LONGEST: u64 = 4096;

impl Dynamic {
    /// Reads the required parts of a file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is not an ELF file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let about = std::fs::metadata(path)?;
        ensure!(about.is_file(), io::Error::from(io::ErrorKind::InvalidInput));
        let cache = ReadCache::new(File::open(path)?);
        match FileKind::parse(&cache) {
            Ok(FileKind::Elf32) => of::<FileHeader32<Endianness>, _>(&cache),
            Ok(FileKind::Elf64) => of::<FileHeader64<Endianness>, _>(&cache),
            _ => anyhow::bail!("not an ELF file"),
        }
    }
}

fn of<'data, Elf, R>(data: R) -> Result<Dynamic>
where
    Elf: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    const DAMAGED: &str = "a damaged ELF file";
    let header = Elf::parse(data).context(DAMAGED)?;
    let endian = header.endian().context(DAMAGED)?;
    let mut found = Dynamic {
        machine: Machine {
            number: header.e_machine(endian).0,
            is_64: header.is_class_64(),
            is_big: endian == Endianness::Big,
        },
        ..Dynamic::default()
    };
    let segments = header.program_headers(endian, data).context(DAMAGED)?;
    for segment in segments {
        let (_, size) = segment.file_range(endian);
        if segment.p_type(endian) == elf::PT_INTERP {
            ensure!(size <= LONGEST, DAMAGED);
            let name = segment.interpreter(endian, data).context(DAMAGED)?;
            found.interpreter = name.map(<[u8]>::to_vec);
        }
    }
    let is_table = |it: &&Elf::ProgramHeader| it.p_type(endian) == elf::PT_DYNAMIC;
    let Some(table) = segments.iter().find(is_table) else { return Ok(found) };
    ensure!(table.file_range(endian).1 <= TABLE, DAMAGED);
    let entries = table.dynamic(endian, data).context(DAMAGED)?.unwrap_or_default();
    let entries: Vec<(elf::DynamicTag, u64)> = entries
        .iter()
        .map(|entry| (entry.tag(endian), entry.val(endian)))
        .take_while(|(tag, _)| *tag != elf::DT_NULL)
        .collect();
    let value = |wanted| entries.iter().find(|(tag, _)| *tag == wanted).map(|(_, value)| *value);
    let Some(strings) = value(elf::DT_STRTAB) else { return Ok(found) };
    // The table has an address, and its offset follows from the segment that contains it.
    let at = segments.iter().find_map(|segment| {
        let (from, size) = segment.file_range(endian);
        let address: u64 = segment.p_vaddr(endian).into();
        let offset = strings.checked_sub(address).filter(|offset| *offset < size)?;
        (segment.p_type(endian) == elf::PT_LOAD).then(|| from.checked_add(offset))?
    });
    let at = at.context(DAMAGED)?;
    let end = data.len().ok().context(DAMAGED)?;
    let string = |offset: u64| {
        let from = at.checked_add(offset).filter(|from| *from < end)?;
        let range = from..from.saturating_add(LONGEST).min(end);
        data.read_bytes_at_until(range, 0).ok().map(<[u8]>::to_vec)
    };
    for (tag, value) in &entries {
        let place = match *tag {
            elf::DT_NEEDED => {
                ensure!(found.needed.len() < NEEDED, "{DAMAGED}: more than {NEEDED} libraries");
                found.needed.push(string(*value).context(DAMAGED)?);
                continue;
            }
            elf::DT_SONAME => &mut found.soname,
            elf::DT_RPATH => &mut found.rpath,
            elf::DT_RUNPATH => &mut found.runpath,
            _ => continue,
        };
        *place = Some(string(*value).context(DAMAGED)?);
    }
    Ok(found)
}
